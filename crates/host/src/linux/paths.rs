//! Paths and words of a command line as bytes: here they are nothing else.

pub use std::os::unix::ffi::{OsStrExt as OsStrBytes, OsStringExt as OsStringBytes};
