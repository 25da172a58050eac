//! Waiting for the other process without sleeping, for as long as waking up would take: a file that
//! is offered alone, because the last one asked for it, is answered within microseconds.

use skald_host::subprocess::Talk;
use std::time::{Duration, Instant};

/// The longest time to wait without sleeping.
const SOON: Duration = Duration::from_micros(60);

/// Waits for a little while for what comes through `end`; where there is one processor alone, the
/// other process has it.
pub(crate) fn linger(end: &Talk) {
    let begin = Instant::now();
    while !end.is_ready() && begin.elapsed() < SOON {
        std::thread::yield_now();
    }
}
