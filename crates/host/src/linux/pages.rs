//! Address space and pages from the kernel: see [`crate::pages`].

use rustix::fd::{AsRawFd, OwnedFd};
use rustix::process::{PidfdFlags, pidfd_open};
use std::ptr::{NonNull, null_mut};
use std::sync::OnceLock;

/// Maximum number of ranges in one call (UIO_MAXIOV).
const MOST: usize = 1024;

pub(crate) fn reserve(size: usize) -> Option<NonNull<u8>> {
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

pub(crate) fn reserve_aligned(size: usize, align: usize) -> Option<NonNull<u8>> {
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
/// That of [`crate::pages::populate`].
pub(crate) unsafe fn populate(start: *mut u8, size: usize) -> bool {
    // SAFETY: the caller's promise; the advice changes no contents.
    unsafe { libc::madvise(start.cast(), size, libc::MADV_POPULATE_WRITE) == 0 }
}

/// # Safety
/// That of [`crate::pages::prefer_huge`].
pub(crate) unsafe fn prefer_huge(start: *mut u8, size: usize) -> bool {
    // SAFETY: as above.
    unsafe { libc::madvise(start.cast(), size, libc::MADV_HUGEPAGE) == 0 }
}

/// # Safety
/// That of [`crate::pages::forget`].
pub(crate) unsafe fn forget(start: *mut u8, size: usize) -> bool {
    // SAFETY: the caller's promise.
    unsafe { libc::madvise(start.cast(), size, libc::MADV_DONTNEED) == 0 }
}

/// # Safety
/// That of [`crate::pages::forget_all`].
pub(crate) unsafe fn forget_all(ranges: &[(usize, usize)]) -> bool {
    if ranges.is_empty() {
        return true;
    }
    // The process that links is the first one to use this, so the process id does not change later.
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

/// # Safety
/// That of [`crate::pages::forget_of_file`].
pub(crate) unsafe fn forget_of_file(start: *mut u8, size: usize) {
    // SAFETY: the caller's promise.
    unsafe { forget(start, size) };
}

pub(crate) fn page_size() -> usize {
    // Calls the C library: rustix first looks for the vDSO, which is missing under some tools
    // (valgrind).
    // SAFETY: a call without pointers.
    usize::try_from(unsafe { libc::sysconf(libc::_SC_PAGESIZE) }).unwrap_or(4096)
}
