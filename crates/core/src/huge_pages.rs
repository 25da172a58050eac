//! Huge pages, as long as the kernel provides them quickly.
//!
//! A huge page saves 511 page faults, and costs a quarter of what these cost. On a virtual machine
//! it can also cost seven times as much: guest memory that the host has taken back must be
//! allocated by the host again, and for a huge page this means all of its 2 MiB. For small pages
//! there is nearly always memory that another process has just freed. Nothing tells beforehand
//! which case applies. So only large links ask for huge pages, as their gain outweighs the risk.
//! Each huge page is populated before it is used, and the time is measured; after the first slow
//! one, all further pages are small (figures: `docs/decisions/0011-memory.md`).

use skald_host::pages::{self, PAGE};
use skald_host::times;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Bytes of a huge page.
pub(crate) const HUGE_PAGE: usize = 2 << 20;

/// The most time that populating a huge page may take: that of as many bytes in small pages.
const MOST: Duration = Duration::from_micros(900);

static ARE_WANTED: AtomicBool = AtomicBool::new(false);

/// Asks for huge pages from now on, until one takes too long.
pub fn want() {
    ARE_WANTED.store(true, Ordering::Relaxed);
}

/// Whether huge pages are asked for: [`want`] was called, and none took too long.
pub(crate) fn are_wanted() -> bool {
    ARE_WANTED.load(Ordering::Relaxed)
}

/// Addresses of the huge pages that are inside `range`.
pub(crate) fn within(range: Range<usize>) -> impl ExactSizeIterator<Item = usize> {
    let first = range.start.div_ceil(HUGE_PAGE);
    (first..(range.end / HUGE_PAGE).max(first)).map(|page| page * HUGE_PAGE)
}

/// Makes the memory at `start`, a multiple of [`HUGE_PAGE`], a huge page, if huge pages are
/// available and cheap. Other threads may use the memory meanwhile: no value changes.
///
/// # Safety
/// From `start` on, [`HUGE_PAGE`] bytes must belong to an anonymous, writable mapping.
pub(crate) unsafe fn bring(start: *mut u8) {
    if !are_wanted() {
        return;
    }
    // SAFETY: the caller's promise; neither advice changes contents. Kernels without huge pages
    // refuse the first advice, and the second is not given. If no huge page is available, the
    // second one populates a small page.
    let is_brought = unsafe {
        let before = times::of_thread();
        pages::prefer_huge(start, HUGE_PAGE)
            && pages::populate(start, PAGE)
            && times::of_thread().saturating_sub(before) <= MOST
    };
    if !is_brought {
        ARE_WANTED.store(false, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_pages_are_within() {
        let pages = |range| within(range).collect::<Vec<_>>();
        assert_eq!(pages(0..HUGE_PAGE - 1), []);
        assert_eq!(pages(0..HUGE_PAGE), [0]);
        assert_eq!(pages(1..2 * HUGE_PAGE + 1), [HUGE_PAGE]);
        assert_eq!(pages(1..3 * HUGE_PAGE), [HUGE_PAGE, 2 * HUGE_PAGE]);
        assert_eq!(pages(5..7), []);
    }
}
