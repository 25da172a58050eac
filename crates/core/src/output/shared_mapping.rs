//! A shared mapping of the output file, which several threads can fill at once, unlike writing.
//!
//! A write takes the inode's lock, so all threads together write no faster than one. The pages of a
//! shared mapping can be filled by all threads in parallel. Each page costs about twice as much as
//! a write, depending on the file system: `docs/decisions/0002-output-strategy.md` has the figures.
//!
//! The pages are populated before they are touched, so that a full disk is an error of a system
//! call and not SIGBUS. If that fails, the span is written instead, and the write reports the
//! error.

use super::OutputPlan;
use crate::par;
use skald_host::output::{Destination, Mapping, SharedPages};
use std::path::PathBuf;
use std::sync::OnceLock;

/// From this many threads on, a thread that finds the queue full fills a mapping; with fewer, that
/// happens too seldom.
const SEVERAL: usize = 4;
/// From this many threads on, every span is built in a mapping, on file systems that write into
/// large folios.
const MANY: usize = 6;
/// A smaller output is written before another thread has its first page.
const SMALL: u64 = 4 << 20;

/// When spans go into the mapping instead of being written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Use {
    /// Never: all are written.
    Never,
    /// When one thread is writing and the queue is full.
    WhenFull,
    /// Every span is built in the mapping.
    Always,
}

/// A shared mapping of an output file that is also written to: see the module's comment.
pub(super) struct SharedMapping {
    wanted: Use,
    size: usize,
    path: PathBuf,
    /// Mapped when first needed; `None` if that failed.
    mapping: OnceLock<Option<Mapping>>,
}

impl SharedMapping {
    /// Without a mapping: all spans are written.
    pub(super) fn never() -> SharedMapping {
        SharedMapping {
            wanted: Use::Never,
            size: 0,
            path: PathBuf::new(),
            mapping: OnceLock::new(),
        }
    }

    /// With the use of a mapping that is fastest for the output of `plan`.
    pub(super) fn new(plan: &OutputPlan, destination: &Destination) -> SharedMapping {
        let wanted = match usize::try_from(plan.size) {
            Ok(_) if plan.size >= SMALL && par::threads() > 1 => {
                best(destination, par::threads().min(par::processors()))
            }
            _ => Use::Never,
        };
        #[cfg(feature = "perturb")]
        let wanted = usize::try_from(plan.size).map_or(wanted, |_| any());
        let size = plan.size as usize;
        SharedMapping { wanted, size, path: plan.path.clone(), mapping: OnceLock::new() }
    }

    /// When spans are built in the mapping.
    pub(super) fn wanted(&self) -> Use {
        self.wanted
    }

    /// The bytes `[file_offset, file_offset + len)`, which the caller has claimed, with their pages
    /// populated; `None` if that fails.
    pub(super) fn populated(
        &self,
        destination: &Destination,
        file_offset: u64,
        len: usize,
    ) -> Option<Populated<'_>> {
        if len == 0 {
            return None;
        }
        let map = || destination.map(self.size, &self.path).ok();
        let mapping = self.mapping.get_or_init(map).as_ref()?;
        let offset = file_offset as usize;
        mapping.populate(offset, len).ok()?;
        Some(Populated { mapping, offset, len })
    }
}

/// A range of the mapping whose pages are populated.
pub(super) struct Populated<'b> {
    mapping: &'b Mapping,
    offset: usize,
    len: usize,
}

impl Populated<'_> {
    /// Lets `fill` set all the bytes.
    pub(super) fn fill(self, fill: impl FnOnce(&mut [u8])) {
        // SAFETY: the caller of `SharedMapping::populated` has claimed the range, and `Coverage`
        // lets nobody else claim a byte of it.
        fill(unsafe { self.mapping.slice_mut(self.offset, self.len) });
        self.mapping.forget(self.offset, self.len);
    }
}

/// A random choice, for tests.
#[cfg(feature = "perturb")]
fn any() -> Use {
    [Use::Never, Use::WhenFull, Use::Always][crate::perturb::choice(3) as usize]
}

/// The fastest use of the mapping with `threads` threads that run at once.
fn best(destination: &Destination, threads: usize) -> Use {
    match destination.shared_pages() {
        SharedPages::Small if threads >= SEVERAL => Use::WhenFull,
        SharedPages::Large if threads >= MANY => Use::Always,
        _ => Use::Never,
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Output, Store};
    use super::*;
    use crate::par::prelude::*;
    use std::fs;
    use std::path::Path;

    const SPAN: usize = 5000;
    const COUNT: usize = 100;

    fn plan(path: &Path) -> OutputPlan {
        OutputPlan {
            path: path.to_owned(),
            size: (SPAN * COUNT) as u64,
            mode: 0o644,
            is_executable_kind: false,
            atomic: false,
            mmap: None,
        }
    }

    /// An output whose spans use the mapping as `wanted` says, on any machine.
    fn output(path: &Path, wanted: Use) -> Output {
        let mut output = Output::create(&plan(path)).expect("a file");
        let Store::File(shared) = &mut output.store else { panic!("a file is written") };
        *shared = SharedMapping { wanted, size: SPAN * COUNT, ..SharedMapping::never() };
        output
    }

    fn write_all(output: Output, wanted: Use) -> crate::diag::Result<()> {
        (0..COUNT).into_par_iter().with_max_len(1).try_for_each(|at| {
            output.write_span((at * SPAN) as u64, SPAN, |span| span.fill(at as u8))
        })?;
        let Store::File(shared) = &output.store else { panic!("as it was made") };
        let is_mapped = shared.mapping.get().is_some();
        assert!(is_mapped || wanted != Use::Always);
        output.commit()
    }

    fn assert_whole(path: &Path) {
        let bytes = fs::read(path).expect("the output");
        assert_eq!(bytes.len(), SPAN * COUNT);
        assert!(bytes.chunks(SPAN).enumerate().all(|(at, span)| *span == [at as u8; SPAN]));
    }

    #[test]
    #[cfg_attr(miri, ignore = "Miri maps no files")]
    fn each_way_makes_the_same_file() {
        let dir = tempfile::tempdir().expect("a directory");
        for wanted in [Use::Never, Use::WhenFull, Use::Always] {
            let path = dir.path().join(format!("{wanted:?}"));
            write_all(output(&path, wanted), wanted).expect("written");
            assert_whole(&path);
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "Miri maps no files")]
    fn what_has_no_pages_is_written() {
        let dir = tempfile::tempdir().expect("a directory");
        let path = dir.path().join("output");
        let output = output(&path, Use::Always);
        // Beyond the end of a file there are no pages, as on a full disk.
        output.destination.resize(3 * SPAN as u64).expect("shorter");
        write_all(output, Use::Always).expect("written");
        assert_whole(&path);
    }
}
