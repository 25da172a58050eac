//! Columns: dense arrays keyed by an entity's id.
//!
//! Large columns come zeroed from the kernel, on huge pages where they are cheap;
//! disjoint parts are written in parallel through slices, never through shared pointers.

use crate::alloc::WITH_PAGES;
use crate::huge_pages::{self, HUGE_PAGE};
use crate::par::prelude::*;
use crate::par::{self};
use skald_host::pages::{self, PAGE};
use std::ops::Range;
use std::ptr::without_provenance_mut;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Types for which all-zero bytes are a valid value.
pub use zerocopy::FromZeros as ZeroValid;

/// Least bytes for which a system call pays.
const POPULATE_BYTES: usize = 64 << 10;
/// Bytes that one task populates.
const POPULATE_TASK_BYTES: usize = 512 << 10;
/// Bytes that one task gives back: after each call the other processors are interrupted.
const RELEASE_TASK_BYTES: usize = 4 << 20;

/// A column of `len` zeroes that will be used as a whole.
///
/// Its pages are populated when this returns, which costs two thirds of the page faults that it
/// saves. It saves more where a column is read before it is written: a read of an untouched page
/// maps the kernel's zero page. The write that follows must replace that mapping and flush it from
/// the TLBs of the other processors.
pub fn zeroed<T: ZeroValid + Sync>(len: usize) -> Vec<T> {
    let column: Vec<T> = reserved(len);
    populate_fresh(&column, column.capacity());
    column
}

/// A column of `len` zeroes of which much may never be used: untouched pages cost address space,
/// but no memory.
pub fn reserved<T: ZeroValid>(len: usize) -> Vec<T> {
    let bytes = len.checked_mul(size_of::<T>()).expect("column size overflows");
    if bytes == 0 {
        return Vec::new();
    }
    let layout = std::alloc::Layout::array::<T>(len).expect("column size overflows");
    // SAFETY: the layout has a size above zero.
    let pointer = unsafe { std::alloc::alloc_zeroed(layout) }.cast::<T>();
    if pointer.is_null() {
        std::alloc::handle_alloc_error(layout);
    }
    // SAFETY: allocated above with the layout of `len` elements, all zero, which `T` allows.
    unsafe { Vec::from_raw_parts(pointer, len, len) }
}

/// An empty column with room for `len` elements, nearly all of which will be pushed: its pages are
/// populated when this returns.
pub fn with_room<T: Sync>(len: usize) -> Vec<T> {
    let mut column = Vec::new();
    reserve(&mut column, len);
    column
}

/// Makes room for `more` elements, nearly all of which will be pushed, as [`with_room`] does.
pub fn reserve<T: Sync>(column: &mut Vec<T>, more: usize) {
    column.reserve_exact(more);
    let capacity = column.capacity();
    populate_fresh(&column.spare_capacity_mut()[..more], capacity);
}

/// Populates the pages of a part of a column of `capacity` elements that was allocated just now.
fn populate_fresh<T: Sync>(part: &[T], capacity: usize) {
    // To populate pages that are populated already costs a tenth of populating new ones.
    if !WITH_PAGES.contains(&(capacity * size_of::<T>())) {
        populate(part);
    }
}

/// Populates the pages of `part` of a column, writable, without changing a value. A large part is
/// divided among threads, as the kernel clears each page.
pub fn populate<T: Sync>(part: &[T]) {
    bring_huge_pages(part);
    let task = (POPULATE_TASK_BYTES / size_of::<T>().max(1)).max(1);
    if part.len() > task {
        part.par_chunks(task).for_each(populate_alone);
    } else {
        populate_alone(part);
    }
}

/// Frees a column. A very large one is freed by all threads, as the kernel has to unmap its pages.
pub fn release<T>(column: Vec<T>) {
    const { assert!(!std::mem::needs_drop::<T>()) };
    let first = column.as_ptr().addr();
    let (start, end) =
        (first.next_multiple_of(PAGE), (first + size_of_val(&column[..])) & !(PAGE - 1));
    if end.saturating_sub(start) > 2 * RELEASE_TASK_BYTES && par::threads() > 1 {
        // The tasks get only addresses, so that no reference to the changing bytes exists.
        let tasks: Vec<usize> = (start..end).step_by(RELEASE_TASK_BYTES).collect();
        tasks.into_par_iter().with_max_len(1).for_each(|at| {
            // SAFETY: the pages lie inside an allocation of ours, which is freed when all are given
            // back; its elements need no drop, so that their bytes are not read again.
            unsafe { pages::forget(without_provenance_mut(at), RELEASE_TASK_BYTES.min(end - at)) };
        });
    }
}

/// How many elements of a column have been populated, for one whose used part grows from the front.
#[derive(Debug, Default)]
pub struct PopulatedPrefix(AtomicUsize);

impl PopulatedPrefix {
    /// For a column whose first `len` elements are populated.
    pub fn new(len: usize) -> PopulatedPrefix {
        PopulatedPrefix(AtomicUsize::new(len))
    }

    /// Populates the pages of the first `limit` elements of `column` that are not populated yet.
    pub fn extend<T: Sync>(&self, column: &[T], limit: usize) {
        let limit = limit.min(column.len());
        let from = self.0.fetch_max(limit, Ordering::Relaxed);
        if from < limit {
            // Begins at the boundary of a huge page that was populated in part before, so that it
            // can still become one.
            let address = column[from..].as_ptr() as usize;
            let back =
                if huge_pages::are_wanted() { address % HUGE_PAGE / size_of::<T>() } else { 0 };
            populate(&column[from.saturating_sub(back)..limit]);
        }
    }
}

/// Makes `part` huge pages, as long as they are cheap.
fn bring_huge_pages<T>(part: &[T]) {
    let start = part.as_ptr().addr();
    let pages = huge_pages::within(start..start + size_of_val(part));
    // Only addresses are passed: other threads may use the bytes meanwhile.
    // SAFETY: the pages lie inside an allocation of ours.
    let bring = |page| unsafe { huge_pages::bring(without_provenance_mut(page)) };
    if pages.len() < 2 {
        pages.for_each(bring);
    } else {
        pages.collect::<Vec<_>>().into_par_iter().with_max_len(1).for_each(bring);
    }
}

/// Populates small pages for `part`, on this thread alone.
pub(crate) fn populate_alone<T>(part: &[T]) {
    let bytes = size_of_val(part);
    if bytes < POPULATE_BYTES {
        return;
    }
    let start = part.as_ptr().addr();
    let aligned = start.next_multiple_of(PAGE);
    let end = (start + bytes) & !(PAGE - 1);
    // SAFETY: the range lies inside an allocation of ours.
    unsafe { pages::populate(without_provenance_mut(aligned), end - aligned) };
}

/// Cuts `column` into one mutable slice for each range. The ranges are ascending and do not
/// overlap.
pub fn split_mut<T>(
    column: &mut [T],
    ranges: impl IntoIterator<Item = Range<usize>>,
) -> Vec<&mut [T]> {
    let mut rest = column;
    let mut consumed = 0;
    let mut parts = Vec::new();
    for range in ranges {
        let (_, tail) = rest.split_at_mut(range.start - consumed);
        let (part, tail) = tail.split_at_mut(range.len());
        parts.push(part);
        rest = tail;
        consumed = range.end;
    }
    parts
}

/// Prefetches `slice[index]`. An index past the end has no effect.
#[inline(always)]
pub fn prefetch<T>(slice: &[T], index: usize) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a prefetch has no effect on values, and raises no fault whatever the address is.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(slice.as_ptr().wrapping_add(index).cast());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splits_into_ranges() {
        let mut column = zeroed::<u32>(10);
        let parts = split_mut(&mut column, [0..2, 2..2, 5..9]);
        assert_eq!(parts.iter().map(|p| p.len()).collect::<Vec<_>>(), [2, 0, 4]);
        parts.into_iter().for_each(|p| p.fill(7));
        assert_eq!(column, [7, 7, 0, 0, 0, 7, 7, 7, 7, 0]);
    }

    #[test]
    fn what_was_released_is_zero_when_it_is_had_again() {
        let len = if cfg!(miri) { 1 << 12 } else { 4 << 20 };
        for _ in 0..2 {
            let mut column = zeroed::<u64>(len);
            assert!(column.iter().all(|&v| v == 0));
            column.fill(7);
            release(column);
        }
    }

    #[test]
    fn large_columns_are_zero() {
        let len = if cfg!(miri) { 1 << 14 } else { 1 << 20 };
        assert!(zeroed::<u64>(len).iter().all(|&v| v == 0));
    }
}
