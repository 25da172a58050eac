//! Clocks; processor time is not available.

use crate::times::CpuTime;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// CPU time of all threads of this process so far: zero.
pub fn of_process() -> CpuTime {
    CpuTime::default()
}

/// CPU time of this thread so far: zero.
pub fn of_thread() -> Duration {
    Duration::ZERO
}

/// Nanoseconds of a monotonic clock.
pub fn monotonic() -> u64 {
    static FIRST: OnceLock<Instant> = OnceLock::new();
    FIRST.get_or_init(Instant::now).elapsed().as_nanos() as u64
}

/// Whether a write to a file now would set this time of modification again: never, as files are
/// read whole when they are opened.
pub fn ticks_now(_seconds: i64, _nanoseconds: i64) -> bool {
    false
}
