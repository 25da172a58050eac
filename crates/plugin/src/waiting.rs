//! Waits for the other process without sleeping, for about as long as a wake-up takes. A file that
//! is offered alone, because the previous one needed it, is answered within microseconds.

use skald_host::subprocess::Talk;
use std::time::{Duration, Instant};

/// The longest time to wait without sleeping.
const SOON: Duration = Duration::from_micros(60);

/// Waits a short time for data on `end`. Yielding lets the other process run if there is only one
/// processor.
pub(crate) fn linger(end: &Talk) {
    let begin = Instant::now();
    while !end.is_ready() && begin.elapsed() < SOON {
        std::thread::yield_now();
    }
}
