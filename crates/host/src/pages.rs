//! What the system is asked for memory: addresses, pages behind them before they are used, and to
//! take pages back.
//!
//! All that is built on it (the allocator, columns, huge pages) asks here. So it can be run
//! where there is no kernel to ask: under Miri and on hosts that are not known, addresses come
//! from the system's allocator, and pages are always there.

#[cfg(not(miri))]
use crate::system::pages as system;
#[cfg(miri)]
use interpreted as system;
use std::ptr::NonNull;

#[cfg(miri)]
#[path = "none/pages.rs"]
mod interpreted;

/// Bytes of a small page.
pub const PAGE: usize = 4096;

/// Reserves `size` bytes of address space, zero, without pages until they are used. It is never
/// given back.
pub fn reserve(size: usize) -> Option<NonNull<u8>> {
    system::reserve(size)
}

/// [`reserve`], with an address that is a multiple of `align`, a power of two of at least a page.
pub fn reserve_aligned(size: usize, align: usize) -> Option<NonNull<u8>> {
    system::reserve_aligned(size, align)
}

/// Asks for the pages of `size` bytes at `start`, writable and without changing a value. Kernels
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

/// Gives the pages of `size` bytes at `start` back. If the kernel takes them, the bytes read as
/// zero from now on; locked pages it refuses, and they keep what is in them.
///
/// # Safety
/// As for [`populate`], and nobody may use the memory meanwhile.
pub unsafe fn forget(start: *mut u8, size: usize) -> bool {
    // SAFETY: the caller's promise.
    unsafe { system::forget(start, size) }
}

/// Gives the pages of many ranges (address and size, whole pages) back with as few calls as the
/// kernel needs. Returns whether it could; kernels before 6.13 cannot, and do nothing.
///
/// To forget a mapped page is cheap; to make the other processors forget it is not, and is done
/// once a call.
///
/// # Safety
/// Each page must belong to an anonymous mapping and be free memory, or to a private mapping of a
/// file that nobody ever wrote to.
pub unsafe fn forget_all(ranges: &[(usize, usize)]) -> bool {
    // SAFETY: the caller's promise.
    unsafe { system::forget_all(ranges) }
}

/// Gives pages of a file that is mapped back: what is read again comes from the file.
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
