//! Descriptors of inputs that stay open; a process may have a limited number of them.

use super::{retry, told};
use crate::input::Status;
use std::io;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use rustix::fd::{BorrowedFd, IntoRawFd, OwnedFd};
use rustix::fs::{Mode, OFlags};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// Maximum number of files that stay open: the kernel's table grows with the largest descriptor.
const MOST: u64 = 1 << 16;

static KEPT: AtomicU64 = AtomicU64::new(0);

/// A file that stays open until the process ends.
#[derive(Debug, Clone, Copy)]
pub struct KeptFile(BorrowedFd<'static>);

impl KeptFile {
    /// Reads at an offset; returns the number of bytes, 0 behind the end.
    ///
    /// # Errors
    /// Those of the system.
    pub fn read_at(self, buffer: &mut [u8], file_offset: u64) -> io::Result<usize> {
        Ok(retry(|| rustix::io::pread(self.0, &mut *buffer, file_offset))?)
    }

    /// The current metadata of the file.
    ///
    /// # Errors
    /// Those of the system.
    pub fn status(self) -> io::Result<Status> {
        Ok(told(&rustix::fs::fstat(self.0)?))
    }
}

/// Keeps `file` open until the process ends; `None` if too many files are open.
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
/// has one thread: if the table grows while there are several, the thread that opens a file has to
/// wait for all others.
pub(super) fn expect(count: usize) {
    let highest = (count as u64).min(allowed().saturating_sub(1));
    let Ok(any) = rustix::fs::open("/", OFlags::PATH | OFlags::CLOEXEC, Mode::empty()) else {
        return;
    };
    // The descriptor is closed at once; the table keeps its size.
    drop(rustix::io::fcntl_dupfd_cloexec(&any, highest as i32));
}

/// Number of descriptors that the process may have. Raises the soft limit to the hard limit.
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
