//! Waiting for the other process without sleeping, for as long as waking up would take: a file that
//! is offered alone, because the last one asked for it, is answered within microseconds.

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Result;
use std::os::fd::AsFd;
use std::time::{Duration, Instant};

/// For how long at most.
const SOON: Duration = Duration::from_micros(60);

/// Whether something has come through `end`, or its other side is closed.
pub(super) fn is_ready(end: &impl AsFd) -> Result<bool> {
    let now = Timespec { tv_sec: 0, tv_nsec: 0 };
    Ok(poll(&mut [PollFd::new(end, PollFlags::IN)], Some(&now))? > 0)
}

/// Waits for a little while for what comes through `end`; where there is one processor alone, the
/// other process has it.
pub(super) fn linger(end: &impl AsFd) {
    let begin = Instant::now();
    while is_ready(end).is_ok_and(|ready| !ready) && begin.elapsed() < SOON {
        std::thread::yield_now();
    }
}
