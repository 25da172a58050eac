//! `--fork`: a child does the work, and this process ends when the work is done, without waiting
//! until the child's memory has been freed.
//!
//! The child writes its status to a pipe once everything is written and printed. If the pipe is
//! closed without a status, the child has died, and this process ends in the same way, so it never
//! seems that the work was done. Signals that are sent to this process are passed to the child,
//! whose handlers remove unfinished outputs.

use super::supervise::signals::{self, Signals};
use crate::supervise::Ended;
use rustix::event::{PollFd, PollFlags, poll};
use rustix::fd::OwnedFd;
use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;
use rustix::pipe::{PipeFlags, pipe_with};
use std::io;

/// Which of the two processes after [`fork`] this one is.
pub enum Side {
    /// The child, which does the work.
    Worker(Detached),
    /// The parent: the work is done, or the child has ended without a status.
    Waiter(Ended),
}

/// The worker's end of the pipe, by which it reports its status.
pub struct Detached(OwnedFd);

impl Detached {
    /// Ends the other process with `status`. Readers of this process's output do not wait for it
    /// from here on.
    pub fn finish(self, status: i32) {
        signals::outlive_parent();
        if let Ok(null) = rustix::fs::open("/dev/null", OFlags::RDWR, Mode::empty()) {
            let _ = rustix::stdio::dup2_stdin(&null);
            let _ = rustix::stdio::dup2_stdout(&null);
            let _ = rustix::stdio::dup2_stderr(&null);
        }
        // If it has been killed, nobody waits for the status.
        let _ = rustix::io::write(&self.0, &status.to_ne_bytes());
    }
}

/// Forks; to be called by a process that has one thread.
///
/// # Errors
/// If the system refuses.
pub fn fork() -> io::Result<Side> {
    let signals = Signals::block()?;
    let (read, write) = pipe_with(PipeFlags::CLOEXEC)?;
    // SAFETY: the process has one thread, as the contract of this function says, so the child may
    // do whatever the parent may.
    let child = match unsafe { libc::fork() } {
        -1 => {
            signals.restore();
            return Err(Errno::AGAIN.into());
        }
        0 => {
            signals.restore();
            signals::end_with_parent(rustix::process::Signal::TERM);
            return Ok(Side::Worker(Detached(write)));
        }
        child => child,
    };
    drop(write);
    let ended = wait(child, &read, &signals);
    signals.restore();
    Ok(Side::Waiter(ended))
}

/// Waits for a status in the pipe, or for the end of all processes that could write one.
fn wait(child: libc::pid_t, pipe: &OwnedFd, signals: &Signals) -> Ended {
    loop {
        let mut waited =
            [PollFd::new(&signals.descriptor, PollFlags::IN), PollFd::new(pipe, PollFlags::IN)];
        // Polling fails at most because of a signal, which the next round handles.
        let _ = poll(&mut waited, None);
        let (signaled, said) = (waited[0].revents(), waited[1].revents());
        if !said.is_empty() {
            break;
        }
        if !signaled.is_empty() {
            signals.pass_to(child);
        }
    }
    let mut status = [0; 4];
    match rustix::io::read(pipe, &mut status) {
        Ok(4) => Ended::Exited(i32::from_ne_bytes(status)),
        _ => signals::wait_for(child),
    }
}
