//! Estimates the work of a link before anything is read, to decide whether starting threads pays.

use super::identify::{self, FileKind};
use crate::args::Input;
use crate::machine::Machine;
use skald_core::input::InputFile;
use skald_linking::archive::Archive;

/// Fewer inputs than this are opened by one thread, before it is known whether more threads pay.
pub const MANY_INPUTS: usize = 48;

/// Bytes of objects up to which one thread links faster than several that must be started.
const SMALL: usize = 2 << 20;

/// This many bytes of an archive or library take as long as one byte of an object: few members are
/// taken, and only the symbols of a library are read.
const SELDOM_READ: usize = 8;

/// Whether a link of these files is small enough for one thread.
pub fn is_small<'a>(
    machine: &Machine,
    files: impl Iterator<Item = (&'a Input, &'a InputFile)>,
) -> bool {
    files.map(|(input, file)| weight(machine, input, file.data)).sum::<usize>() < SMALL
}

fn weight(machine: &Machine, input: &Input, data: &[u8]) -> usize {
    match identify::identify(machine, data) {
        // Members of a thin archive are files of their own, of any size.
        FileKind::Archive if Archive::is_thin_archive(data) => SMALL,
        FileKind::Archive if !input.whole_archive => data.len() / SELDOM_READ,
        FileKind::Shared => data.len() / SELDOM_READ,
        _ => data.len(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::InputName;

    fn weight_of(kind: &[u8], len: usize, whole_archive: bool) -> usize {
        let mut data = kind.to_vec();
        data.resize(len, 0);
        let input = Input::unnamed(InputName::Path("x".into()), false);
        weight(Default::default(), &Input { whole_archive, ..input }, &data)
    }

    #[test]
    fn what_is_read_as_a_whole_counts_as_a_whole() {
        assert_eq!(weight_of(b"\x7fELF", SMALL, false), SMALL);
        assert_eq!(weight_of(b"!<arch>\n", SMALL, false), SMALL / SELDOM_READ);
        assert_eq!(weight_of(b"!<arch>\n", SMALL, true), SMALL);
        assert!(weight_of(b"!<thin>\n", 100, false) >= SMALL);
    }
}
