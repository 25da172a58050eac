//! Input files: opening, mapping or reading them, and checking later whether they have changed.
//!
//! Mappings are never removed: the process ends when the link does.

pub use crate::system::input::{KeptFile, OpenFile, expect, read_ahead, status};

/// The identity of a file, which does not depend on the path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Identity {
    /// The device that holds the file.
    pub device: u64,
    /// The inode on that device.
    pub inode: u64,
}

/// The kind of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A regular file.
    File,
    /// A device; some devices have no end.
    Device,
    /// A pipe, a socket.
    Stream,
}

/// The metadata of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Status {
    /// The kind of a file.
    pub kind: Kind,
    /// The identity of the file.
    pub identity: Identity,
    /// Bytes.
    pub size: u64,
    /// Time of the last modification: seconds and nanoseconds.
    pub modified: (i64, i64),
}
