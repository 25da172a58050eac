//! Memory from the system: reserves address space, populates pages before they are used, and
//! releases pages.
//!
//! The allocator, columns and huge pages use only these functions, so they also run without a
//! kernel. Under Miri and on unknown hosts, memory comes from the system's allocator, and its pages
//! are always present.

#[cfg(not(miri))]
use crate::system::pages as system;
#[cfg(miri)]
use interpreted as system;
use std::ptr::NonNull;

#[cfg(miri)]
#[path = "none/pages.rs"]
mod interpreted;

/// Size of a small page in bytes.
pub const PAGE: usize = 4096;

/// Reserves `size` bytes of zeroed address space, which gets pages when it is used. The address
/// space is never released.
pub fn reserve(size: usize) -> Option<NonNull<u8>> {
    system::reserve(size)
}

/// [`reserve`], with an address that is a multiple of `align`, a power of two of at least a page.
pub fn reserve_aligned(size: usize, align: usize) -> Option<NonNull<u8>> {
    system::reserve_aligned(size, align)
}

/// Populates the pages of `size` bytes at `start` for writing, without changing a value. Kernels
/// before 5.14 refuse, which only costs time.
///
/// # Safety
/// The pages must belong to an anonymous, writable mapping.
pub unsafe fn populate(start: *mut u8, size: usize) -> bool {
    // SAFETY: the caller's promise.
    unsafe { system::populate(start, size) }
}

/// Asks for huge pages for `size` bytes at `start`.
///
/// # Safety
/// As for [`populate`].
pub unsafe fn prefer_huge(start: *mut u8, size: usize) -> bool {
    // SAFETY: the caller's promise.
    unsafe { system::prefer_huge(start, size) }
}

/// Releases the pages of `size` bytes at `start`. On success, the bytes read as zero from now on.
/// The kernel refuses locked pages, which keep their content.
///
/// # Safety
/// As for [`populate`], and nobody may use the memory meanwhile.
pub unsafe fn forget(start: *mut u8, size: usize) -> bool {
    // SAFETY: the caller's promise.
    unsafe { system::forget(start, size) }
}

/// Releases the pages of many ranges (address and size, whole pages) with as few calls as possible.
/// Returns whether that succeeded; kernels before 6.13 do nothing.
///
/// Unmapping a page is cheap; the TLB flush on the other processors is not, and is done once per
/// call.
///
/// # Safety
/// Each page must belong to an anonymous mapping and be free memory, or to a private mapping of a
/// file that nobody ever wrote to.
pub unsafe fn forget_all(ranges: &[(usize, usize)]) -> bool {
    // SAFETY: the caller's promise.
    unsafe { system::forget_all(ranges) }
}

/// Releases pages of a mapped file: bytes that are read later come from the file again.
///
/// # Safety
/// The pages must belong to a private mapping of a file that nobody ever wrote to.
pub unsafe fn forget_of_file(start: *mut u8, size: usize) {
    // SAFETY: the caller's promise.
    unsafe { system::forget_of_file(start, size) }
}

/// Bytes of a page of this machine.
pub fn page_size() -> usize {
    system::page_size()
}
