//! `--fork`: this host cannot fork, so the process does the work itself.

use super::unsupported;
use crate::supervise::Ended;
use std::io;

/// Which of the two processes after [`fork`] this one is.
pub enum Side {
    /// The child, which does the work.
    Worker(Detached),
    /// The parent: the work is done, or the child has ended without a status.
    Waiter(Ended),
}

/// The worker's means to report its status; there is no worker.
pub enum Detached {}

impl Detached {
    /// Ends the other process with `status`.
    pub fn finish(self, _status: i32) {
        match self {}
    }
}

/// Fails: the system has no such call.
///
/// # Errors
/// Always.
pub fn fork() -> io::Result<Side> {
    Err(unsupported())
}
