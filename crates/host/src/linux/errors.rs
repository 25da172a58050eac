//! Errors that the system has a number for.

use rustix::io::Errno;
use std::io::Error;

/// The error for a file that is too large.
pub fn too_large() -> Error {
    Errno::FBIG.into()
}

/// The error for a lack of memory.
pub fn no_memory() -> Error {
    Errno::NOMEM.into()
}
