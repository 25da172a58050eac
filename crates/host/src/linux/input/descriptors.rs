//! The descriptors of inputs that stay open, of which a process may have so many only.

use super::{retry, told};
use crate::input::Status;
use std::io;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use rustix::fd::{BorrowedFd, IntoRawFd, OwnedFd};
use rustix::fs::{Mode, OFlags};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// At most so many files stay open: the kernel's table grows with the largest descriptor.
const MOST: u64 = 1 << 16;

static KEPT: AtomicU64 = AtomicU64::new(0);

/// A file that stays open until the process ends.
#[derive(Debug, Clone, Copy)]
pub struct KeptFile(BorrowedFd<'static>);

impl KeptFile {
    /// Reads at an offset; returns how much, 0 behind the end.
    ///
    /// # Errors
    /// Those of the system.
    pub fn read_at(self, buffer: &mut [u8], file_offset: u64) -> io::Result<usize> {
        Ok(retry(|| rustix::io::pread(self.0, &mut *buffer, file_offset))?)
    }

    /// What the system says of it now.
    ///
    /// # Errors
    /// Those of the system.
    pub fn status(self) -> io::Result<Status> {
        Ok(told(&rustix::fs::fstat(self.0)?))
    }
}

/// Keeps `file` open until the process ends; `None` if too many are.
pub(super) fn keep(file: OwnedFd) -> Option<KeptFile> {
    // Half of the limit is left to outputs, pipes and files that are read one after the other.
    if KEPT.fetch_add(1, Ordering::Relaxed) >= allowed() / 2 {
        return None;
    }
    let descriptor = file.into_raw_fd();
    // SAFETY: the descriptor is open, and as nobody owns it, it is never closed.
    Some(KeptFile(unsafe { BorrowedFd::borrow_raw(descriptor) }))
}

/// Makes the table of descriptors large enough for `count` inputs. To be called while the process
/// has one thread: when the table grows under several, the kernel lets the thread that opens a file
/// wait for all others.
pub(super) fn expect(count: usize) {
    let highest = (count as u64).min(allowed().saturating_sub(1));
    let Ok(any) = rustix::fs::open("/", OFlags::PATH | OFlags::CLOEXEC, Mode::empty()) else {
        return;
    };
    // The descriptor is closed at once; the table keeps its size.
    drop(rustix::io::fcntl_dupfd_cloexec(&any, highest as i32));
}

/// How many descriptors the process may have: the hard limit, to which it raises its own.
fn allowed() -> u64 {
    static ALLOWED: OnceLock<u64> = OnceLock::new();
    *ALLOWED.get_or_init(|| {
        let limits = getrlimit(Resource::Nofile);
        let wanted = limits.maximum.unwrap_or(MOST).min(MOST);
        let current = limits.current.unwrap_or(MOST);
        let raised = Rlimit { current: Some(wanted), maximum: limits.maximum };
        if current < wanted && setrlimit(Resource::Nofile, raised).is_ok() {
            return wanted;
        }
        current
    })
}
