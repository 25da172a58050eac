//! Releases pages of code while the process waits, or before it ends.
//!
//! At exit the kernel unmaps the pages of a process, and a process that waits for the exit waits
//! for that, too. A library such as LLVM's has tens of megabytes of such pages.

use crate::pages;

/// Bytes that are released at a time.
const PIECE: usize = 4 << 20;

/// The code of programs and libraries that are loaded: address and size of pieces.
#[derive(Debug, Default, Clone)]
pub struct CodePages(Vec<(usize, usize)>);

impl CodePages {
    /// Finds programs and libraries with at least `least` bytes of code. To be called while there
    /// are few mappings, or when time does not matter.
    pub fn find(least: usize) -> CodePages {
        let maps = std::fs::read_to_string("/proc/self/maps").unwrap_or_default();
        let pieces = |(start, size): (usize, usize)| {
            (0..size).step_by(PIECE).map(move |at| (start + at, PIECE.min(size - at)))
        };
        CodePages(mapped(&maps).filter(|&(_, size)| size >= least).flat_map(pieces).collect())
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Releases pieces while `has_time` returns true, and keeps the remaining ones for later calls.
    /// Code that is executed again is read from the file again.
    pub fn give_back(&mut self, has_time: impl Fn() -> bool) {
        while has_time() {
            let Some((start, size)) = self.0.pop() else { return };
            // SAFETY: private pages of a file, which are not writable. Nobody has written to them
            // before, either: large libraries have no relocations in code.
            unsafe { pages::forget(start as *mut u8, size) };
        }
    }
}

/// Address and size of each mapping of code in a file, from the text of `/proc/self/maps`.
fn mapped(maps: &str) -> impl Iterator<Item = (usize, usize)> {
    maps.lines().filter_map(|line| {
        let mut fields = line.split_ascii_whitespace();
        let (range, permissions, path) = (fields.next()?, fields.next()?, fields.nth(3)?);
        if permissions != "r-xp" || !path.starts_with('/') {
            return None;
        }
        let (start, end) = range.split_once('-')?;
        let number = |text| usize::from_str_radix(text, 16).ok();
        let (start, end) = (number(start)?, number(end)?);
        Some((start, end.checked_sub(start)?))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_code_in_files_is_given_back() {
        let maps = "\
7f00-7f0a r--p 00000000 08:01 12 /usr/lib/libx.so
10000-20000 r-xp 00001000 08:01 12    /usr/lib/lib x.so
30000-40000 rwxp 00001000 08:01 12    /usr/lib/libx.so
50000-60000 r-xp 00000000 00:00 0
70000-71000 r-xp 00000000 00:00 0       [vdso]
80000-88000 r-xp 00001000 08:01 13    /usr/lib/liby.so
";
        assert_eq!(mapped(maps).collect::<Vec<_>>(), [(0x10000, 0x10000), (0x80000, 0x8000)]);
    }

    #[cfg(not(miri))]
    #[test]
    fn code_runs_after_it_was_given_back() {
        CodePages::find(0).give_back(|| true);
        assert_eq!(std::hint::black_box("1234").parse(), Ok(1234));
    }
}
