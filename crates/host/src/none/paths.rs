//! Paths and words of a command line as bytes: UTF-8, and for other names the encoding of Rust's
//! standard library.

use std::ffi::{OsStr, OsString};

/// Bytes of a string of the system.
pub trait OsStrBytes {
    /// The string with these bytes. Bytes that are not UTF-8 cannot be a name on this host: they
    /// become a name that no file has, which is never freed.
    fn from_bytes(bytes: &[u8]) -> &OsStr;

    /// Its bytes.
    fn as_bytes(&self) -> &[u8];
}

impl OsStrBytes for OsStr {
    fn from_bytes(bytes: &[u8]) -> &OsStr {
        match std::str::from_utf8(bytes) {
            Ok(text) => OsStr::new(text),
            Err(_) => OsStr::new(String::from_utf8_lossy(bytes).into_owned().leak()),
        }
    }

    fn as_bytes(&self) -> &[u8] {
        self.as_encoded_bytes()
    }
}

/// Bytes of a string of the system that owns them.
pub trait OsStringBytes {
    /// The string with these bytes, as [`OsStrBytes::from_bytes`] gives it.
    fn from_vec(bytes: Vec<u8>) -> OsString;

    /// Its bytes.
    fn into_vec(self) -> Vec<u8>;
}

impl OsStringBytes for OsString {
    fn from_vec(bytes: Vec<u8>) -> OsString {
        match String::from_utf8(bytes) {
            Ok(text) => text.into(),
            Err(error) => String::from_utf8_lossy(error.as_bytes()).into_owned().into(),
        }
    }

    fn into_vec(self) -> Vec<u8> {
        self.into_encoded_bytes()
    }
}
