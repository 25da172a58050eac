//! Processor time and clocks.

pub use crate::system::times::{monotonic, of_process, of_thread, ticks_now};
use std::time::Duration;

/// CPU time of a process; zero on hosts that are not asked for it.
#[derive(Debug, Clone, Copy, Default)]
pub struct CpuTime {
    /// Spent in the program itself.
    pub user: Duration,
    /// Spent in the kernel on its behalf.
    pub system: Duration,
}
