//! Memory: how much the machine has, what limits say, and what this process has.
//!
//! A host that cannot tell what a process has has no limit on memory: [`Gauge::open`] fails.

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
    /// Bytes of these that others have left.
    pub room: u64,
    /// More can be had, as there is swap.
    pub has_swap: bool,
}
