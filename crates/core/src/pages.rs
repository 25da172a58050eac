//! What the kernel is asked for memory: addresses, pages behind them before they are used, and to
//! take pages back.
//!
//! All that is built on it (the allocator, columns, huge pages) asks here, so that it can be run where there is
//! no kernel to ask: under Miri, addresses come from the system's allocator, and pages are always there.

use std::ptr::NonNull;

#[cfg(miri)]
use interpreted as system;
#[cfg(not(miri))]
use kernel as system;

/// Bytes of a small page.
pub(crate) const PAGE: usize = 4096;

/// `size` bytes of zeroes that are no memory before they are used. They are never given back.
pub(crate) fn reserve(size: usize) -> Option<NonNull<u8>> {
    system::reserve(size)
}

/// The same, beginning at a multiple of `align`, a power of two of at least a page.
pub(crate) fn reserve_aligned(size: usize, align: usize) -> Option<NonNull<u8>> {
    system::reserve_aligned(size, align)
}

/// Brings the pages behind `size` bytes at `start`, writable and without changing a value. Kernels before 5.14
/// refuse, which only costs time.
///
/// # Safety
/// The pages must belong to an anonymous, writable mapping.
pub(crate) unsafe fn populate(start: *mut u8, size: usize) -> bool {
    // SAFETY: the caller's promise.
    unsafe { system::populate(start, size) }
}

/// Asks for huge pages behind `size` bytes at `start`.
///
/// # Safety
/// As for [`populate`].
pub(crate) unsafe fn prefer_huge(start: *mut u8, size: usize) -> bool {
    // SAFETY: the caller's promise.
    unsafe { system::prefer_huge(start, size) }
}

/// Gives the pages of `size` bytes at `start` back. If the kernel takes them, the bytes read as zero from now on;
/// locked pages it refuses, and they keep what is in them.
///
/// # Safety
/// As for [`populate`], and nobody may use the memory meanwhile.
pub(crate) unsafe fn forget(start: *mut u8, size: usize) -> bool {
    // SAFETY: the caller's promise.
    unsafe { system::forget(start, size) }
}

#[cfg(not(miri))]
mod kernel {
    use std::ptr::{NonNull, null_mut};

    pub(super) fn reserve(size: usize) -> Option<NonNull<u8>> {
        // SAFETY: a new private mapping at an address of the kernel's choice.
        let start = unsafe {
            libc::mmap(
                null_mut(),
                size,
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE,
                -1,
                0,
            )
        };
        if start == libc::MAP_FAILED { None } else { NonNull::new(start.cast()) }
    }

    pub(super) fn reserve_aligned(size: usize, align: usize) -> Option<NonNull<u8>> {
        let start = reserve(size.checked_add(align)?)?.as_ptr();
        let skipped = start.align_offset(align);
        // SAFETY: `skipped` is below `align`; what lies before and behind is ours, and unused.
        unsafe {
            let aligned = start.add(skipped);
            if skipped > 0 {
                libc::munmap(start.cast(), skipped);
            }
            if skipped < align {
                libc::munmap(aligned.add(size).cast(), align - skipped);
            }
            NonNull::new(aligned)
        }
    }

    /// # Safety
    /// That of [`super::populate`].
    pub(super) unsafe fn populate(start: *mut u8, size: usize) -> bool {
        // SAFETY: the caller's promise; the advice changes no contents.
        unsafe { libc::madvise(start.cast(), size, libc::MADV_POPULATE_WRITE) == 0 }
    }

    /// # Safety
    /// That of [`super::prefer_huge`].
    pub(super) unsafe fn prefer_huge(start: *mut u8, size: usize) -> bool {
        // SAFETY: as above.
        unsafe { libc::madvise(start.cast(), size, libc::MADV_HUGEPAGE) == 0 }
    }

    /// # Safety
    /// That of [`super::forget`].
    pub(super) unsafe fn forget(start: *mut u8, size: usize) -> bool {
        // SAFETY: the caller's promise.
        unsafe { libc::madvise(start.cast(), size, libc::MADV_DONTNEED) == 0 }
    }
}

#[cfg(miri)]
mod interpreted {
    use super::PAGE;
    use std::alloc::{GlobalAlloc, Layout, System};
    use std::ptr::NonNull;

    pub(super) fn reserve(size: usize) -> Option<NonNull<u8>> {
        reserve_aligned(size, PAGE)
    }

    pub(super) fn reserve_aligned(size: usize, align: usize) -> Option<NonNull<u8>> {
        let layout = Layout::from_size_align(size, align).ok()?;
        // SAFETY: nobody asks for no bytes.
        NonNull::new(unsafe { System.alloc_zeroed(layout) })
    }

    /// # Safety
    /// That of [`super::populate`].
    pub(super) unsafe fn populate(_start: *mut u8, _size: usize) -> bool {
        true
    }

    /// # Safety
    /// That of [`super::prefer_huge`].
    pub(super) unsafe fn prefer_huge(_start: *mut u8, _size: usize) -> bool {
        true
    }

    /// # Safety
    /// That of [`super::forget`].
    pub(super) unsafe fn forget(start: *mut u8, size: usize) -> bool {
        // SAFETY: the caller's promise.
        unsafe { start.write_bytes(0, size) };
        true
    }
}
