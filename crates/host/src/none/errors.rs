//! Errors that have a kind in Rust's library.

use std::io::{Error, ErrorKind};

/// The error for a file that is too large.
pub fn too_large() -> Error {
    ErrorKind::FileTooLarge.into()
}

/// The error for a lack of memory.
pub fn no_memory() -> Error {
    ErrorKind::OutOfMemory.into()
}
