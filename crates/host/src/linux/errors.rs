//! Errors that the system has a number for.

use rustix::io::Errno;
use std::io::Error;

/// A file that is larger than what can be used of it.
pub fn too_large() -> Error {
    Errno::FBIG.into()
}

/// No memory.
pub fn no_memory() -> Error {
    Errno::NOMEM.into()
}
