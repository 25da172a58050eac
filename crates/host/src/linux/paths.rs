//! Paths and words of a command line as bytes, which is what they are on this host.

pub use std::os::unix::ffi::{OsStrExt as OsStrBytes, OsStringExt as OsStringBytes};
