//! Files that are read: opened, mapped or read, and looked at again.
//!
//! What is mapped is mapped for ever: the process ends when the link does.

pub use crate::system::input::{KeptFile, OpenFile, expect, read_ahead, status};

/// Which file it is, whatever the path that led to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Identity {
    /// The device that holds the file.
    pub device: u64,
    /// The inode on that device.
    pub inode: u64,
}

/// What kind of file it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A regular file.
    File,
    /// A device, of which some have no end.
    Device,
    /// A pipe, a socket.
    Stream,
}

/// What the system says of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Status {
    /// What kind of file it is.
    pub kind: Kind,
    /// Which file it is.
    pub identity: Identity,
    /// Bytes.
    pub size: u64,
    /// When it was written last: seconds and nanoseconds.
    pub modified: (i64, i64),
}
