//! Memory sizes are not known on this host, so there is no limit.

use super::unsupported;
use crate::memory::{GroupLimit, Memory};
use std::io::Result;

/// The limit of the group of processes that this one belongs to: none.
pub fn group_limit() -> Option<GroupLimit> {
    None
}

/// Bytes of memory of the machine: not known.
pub fn machine_memory() -> Option<u64> {
    None
}

/// Limit of the address space of this process in bytes: none.
pub fn most_addresses() -> Option<u64> {
    None
}

/// Reads how much memory the process has; not available.
pub enum Gauge {}

impl Gauge {
    /// Fails: the system is not asked.
    ///
    /// # Errors
    /// Always.
    pub fn open() -> Result<Gauge> {
        Err(unsupported())
    }

    /// The current memory of the process.
    ///
    /// # Errors
    /// Those of the system.
    pub fn read(&self) -> Result<Memory> {
        match *self {}
    }
}
