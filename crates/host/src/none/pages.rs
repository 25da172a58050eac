//! Memory from the system's allocator, whose pages are always present: for unknown hosts, and for
//! Miri, which has no kernel.

use crate::pages::PAGE;
use std::alloc::{GlobalAlloc, Layout, System};
use std::ptr::NonNull;

pub(crate) fn reserve(size: usize) -> Option<NonNull<u8>> {
    reserve_aligned(size, PAGE)
}

pub(crate) fn reserve_aligned(size: usize, align: usize) -> Option<NonNull<u8>> {
    let layout = Layout::from_size_align(size, align).ok()?;
    // SAFETY: nobody asks for no bytes.
    NonNull::new(unsafe { System.alloc_zeroed(layout) })
}

/// # Safety
/// That of [`crate::pages::populate`].
pub(crate) unsafe fn populate(_start: *mut u8, _size: usize) -> bool {
    true
}

/// # Safety
/// That of [`crate::pages::prefer_huge`].
pub(crate) unsafe fn prefer_huge(_start: *mut u8, _size: usize) -> bool {
    true
}

/// # Safety
/// That of [`crate::pages::forget`].
pub(crate) unsafe fn forget(start: *mut u8, size: usize) -> bool {
    // SAFETY: the caller's promise.
    unsafe { start.write_bytes(0, size) };
    true
}

/// # Safety
/// That of [`crate::pages::forget_all`].
pub(crate) unsafe fn forget_all(_ranges: &[(usize, usize)]) -> bool {
    false
}

/// # Safety
/// That of [`crate::pages::forget_of_file`].
pub(crate) unsafe fn forget_of_file(_start: *mut u8, _size: usize) {}

pub(crate) fn page_size() -> usize {
    PAGE
}
