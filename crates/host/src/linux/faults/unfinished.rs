//! Unfinished outputs, recorded so that a signal handler can remove them.
//!
//! A process may write a few outputs at a time (the file itself, a map, a separate debug file); the
//! table has a fixed number of slots. An output without a free slot is still written, and still
//! removed on ordinary errors; only a signal leaves it behind.

use std::ffi::{CStr, CString};
use std::os::fd::{AsRawFd, BorrowedFd};
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicPtr, Ordering};

struct Slot {
    taken: AtomicBool,
    /// Path to unlink: a leaked C string, or null.
    path: AtomicPtr<libc::c_char>,
    /// Descriptor of the file to truncate, or -1.
    descriptor: AtomicI32,
}

static SLOTS: [Slot; 16] = [const {
    Slot {
        taken: AtomicBool::new(false),
        path: AtomicPtr::new(ptr::null_mut()),
        descriptor: AtomicI32::new(-1),
    }
}; 16];

/// Makes signal handlers remove an unfinished output, until it is dropped.
pub(crate) struct Unfinished(Option<&'static Slot>);

impl Unfinished {
    /// On a fatal signal, `path` is unlinked. It must be a temporary name that is ours.
    pub(crate) fn unlink(path: &CStr) -> Unfinished {
        let slot = take();
        if let Some(slot) = slot {
            // Leaked: a handler on another thread may be reading it when the slot is given back.
            slot.path.store(CString::from(path).into_raw(), Ordering::Release);
        }
        Unfinished(slot)
    }

    /// On a fatal signal, the file is cut to length 0. Drop the guard before closing it.
    pub(crate) fn truncate(file: BorrowedFd<'_>) -> Unfinished {
        let slot = take();
        if let Some(slot) = slot {
            slot.descriptor.store(file.as_raw_fd(), Ordering::Release);
        }
        Unfinished(slot)
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        if let Some(slot) = self.0 {
            slot.path.store(ptr::null_mut(), Ordering::Release);
            slot.descriptor.store(-1, Ordering::Release);
            slot.taken.store(false, Ordering::Release);
        }
    }
}

/// Removes every unfinished output. Async-signal-safe; a second call finds nothing to do.
pub(super) fn discard_all() {
    for slot in &SLOTS {
        let path = slot.path.swap(ptr::null_mut(), Ordering::AcqRel);
        if !path.is_null() {
            // SAFETY: the string was leaked, so it is valid for ever; unlink takes any string.
            unsafe { libc::unlink(path) };
        }
        let descriptor = slot.descriptor.swap(-1, Ordering::AcqRel);
        if descriptor >= 0 {
            // SAFETY: ftruncate takes any number; the slot is cleared before the file is closed.
            unsafe { libc::ftruncate(descriptor, 0) };
        }
    }
}

fn take() -> Option<&'static Slot> {
    SLOTS.iter().find(|slot| {
        slot.taken.compare_exchange(false, true, Ordering::AcqRel, Ordering::Relaxed).is_ok()
    })
}
