//! Memory of the machine, limits on memory, and memory of this process.
//!
//! On a host that cannot tell the memory of a process, [`Gauge::open`] fails, and there is no
//! limit.

pub use crate::system::memory::{Gauge, group_limit, machine_memory, most_addresses};

/// The memory of the process, in bytes.
#[derive(Debug, Clone, Copy)]
pub struct Memory {
    /// All resident memory.
    pub resident: u64,
    /// Resident memory without a file behind it.
    pub own: u64,
}

/// The limit of the group of processes that this one belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GroupLimit {
    /// Bytes that the group may have.
    pub bytes: u64,
    /// Bytes of the limit that other processes leave free.
    pub room: u64,
    /// The process may exceed the limit, because there is swap.
    pub has_swap: bool,
}
