//! What the kernel is asked for memory: addresses, pages behind them before they are used, and to
//! take pages back.
//!
//! All that is built on it (the allocator, columns, huge pages) asks here, so that it can be run
//! where there is no kernel to ask: under Miri, addresses come from the system's allocator, and
//! pages are always there.

use crate::par;
use std::ptr::NonNull;

#[cfg(miri)]
use interpreted as system;
#[cfg(not(miri))]
use kernel as system;

/// Bytes of a small page.
pub(crate) const PAGE: usize = 4096;

/// Reserves `size` bytes of address space, zero, without pages until they are used. It is never
/// given back.
pub(crate) fn reserve(size: usize) -> Option<NonNull<u8>> {
    system::reserve(size)
}

/// [`reserve`], with an address that is a multiple of `align`, a power of two of at least a page.
pub(crate) fn reserve_aligned(size: usize, align: usize) -> Option<NonNull<u8>> {
    system::reserve_aligned(size, align)
}

/// Asks for the pages of `size` bytes at `start`, writable and without changing a value. Kernels
/// before 5.14 refuse, which only costs time.
///
/// # Safety
/// The pages must belong to an anonymous, writable mapping.
pub(crate) unsafe fn populate(start: *mut u8, size: usize) -> bool {
    // SAFETY: the caller's promise.
    unsafe { system::populate(start, size) }
}

/// Asks for huge pages for `size` bytes at `start`.
///
/// # Safety
/// As for [`populate`].
pub(crate) unsafe fn prefer_huge(start: *mut u8, size: usize) -> bool {
    // SAFETY: the caller's promise.
    unsafe { system::prefer_huge(start, size) }
}

/// Gives the pages of `size` bytes at `start` back. If the kernel takes them, the bytes read as
/// zero from now on; locked pages it refuses, and they keep what is in them.
///
/// # Safety
/// As for [`populate`], and nobody may use the memory meanwhile.
pub(crate) unsafe fn forget(start: *mut u8, size: usize) -> bool {
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
pub(crate) unsafe fn forget_all(ranges: &[(usize, usize)]) -> bool {
    // SAFETY: the caller's promise.
    unsafe { system::forget_all(ranges) }
}

/// Cuts `ranges` into shares of about the same size, one a thread, but none of less than `least`
/// bytes, a multiple of the page size.
pub(crate) fn shares(ranges: &[(usize, usize)], least: usize) -> Vec<Vec<(usize, usize)>> {
    let total: usize = ranges.iter().map(|&(_, len)| len).sum();
    // As few calls as possible: each interrupts all other processors at its end.
    let share = (total / par::threads()).next_multiple_of(PAGE).max(least);
    let mut shares = vec![Vec::new()];
    let mut left = share;
    for &(start, len) in ranges {
        let (mut at, end) = (start, start + len);
        while at < end {
            let size = left.min(end - at);
            shares.last_mut().expect("never empty").push((at, size));
            at += size;
            left -= size;
            if left == 0 {
                shares.push(Vec::new());
                left = share;
            }
        }
    }
    shares
}

#[cfg(not(miri))]
mod kernel {
    use rustix::fd::{AsRawFd, OwnedFd};
    use rustix::process::{PidfdFlags, pidfd_open};
    use std::ptr::{NonNull, null_mut};
    use std::sync::OnceLock;

    /// How many ranges a call takes (UIO_MAXIOV).
    const MOST: usize = 1024;

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

    /// # Safety
    /// That of [`super::forget_all`].
    pub(super) unsafe fn forget_all(ranges: &[(usize, usize)]) -> bool {
        if ranges.is_empty() {
            return true;
        }
        // First used by the process that links: its number stays the same.
        static PROCESS: OnceLock<Option<OwnedFd>> = OnceLock::new();
        let this = || pidfd_open(rustix::process::getpid(), PidfdFlags::empty()).ok();
        let Some(process) = PROCESS.get_or_init(this) else { return false };
        ranges.chunks(MOST).all(|ranges| {
            let vector: Vec<libc::iovec> = ranges
                .iter()
                .map(|&(start, len)| libc::iovec { iov_base: start as *mut _, iov_len: len })
                .collect();
            // SAFETY: the caller's promise.
            let outcome = unsafe {
                libc::syscall(
                    libc::SYS_process_madvise,
                    process.as_raw_fd(),
                    vector.as_ptr(),
                    vector.len(),
                    libc::MADV_DONTNEED,
                    0,
                )
            };
            outcome >= 0
        })
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

    /// # Safety
    /// That of [`super::forget_all`].
    pub(super) unsafe fn forget_all(_ranges: &[(usize, usize)]) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_hold_every_page_once() {
        let ranges = [(PAGE, 3 * PAGE), (10 * PAGE, PAGE), (100 * PAGE, 40 * PAGE)];
        for least in [PAGE, 7 * PAGE, 64 * PAGE] {
            let shares = shares(&ranges, least);
            let pages = |ranges: &[(usize, usize)]| -> Vec<usize> {
                ranges.iter().flat_map(|&(at, len)| (at..at + len).step_by(PAGE)).collect()
            };
            assert_eq!(pages(&shares.concat()), pages(&ranges));
            let sizes = shares.iter().map(|share| share.iter().map(|part| part.1).sum::<usize>());
            assert!(sizes.rev().skip(1).all(|size| size >= least));
        }
    }
}
