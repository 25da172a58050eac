//! Errors that have a kind in Rust's library.

use std::io::{Error, ErrorKind};

/// A file that is larger than what can be used of it.
pub fn too_large() -> Error {
    ErrorKind::FileTooLarge.into()
}

/// No memory.
pub fn no_memory() -> Error {
    ErrorKind::OutOfMemory.into()
}
