//! Starting this program again under another name is not supported on this host.

use super::unsupported;
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::fs::File;
use std::io::{self, Read, Write};
use std::ops::Deref;
use std::path::Path;
use std::process::ExitStatus;
use std::time::Duration;

/// One end of the socket.
#[derive(Debug)]
pub enum Talk {}

/// The output of the other process and its descendants.
#[derive(Debug)]
pub enum Output {}

/// The other process.
#[derive(Debug)]
pub enum Subprocess {}

/// A number that two processes share.
#[derive(Debug)]
pub enum Counter {}

/// A started process, with its channels.
pub struct Started {
    /// The process.
    pub process: Subprocess,
    /// The socket.
    pub talk: Talk,
    /// Its output.
    pub output: Output,
    /// The shared number.
    pub counter: Counter,
}

/// The result of waiting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Waited {
    /// The socket has data to be read, or was closed.
    Talk,
    /// There is output, or the wait was interrupted.
    Output,
    /// Nothing happened until the limit.
    Nothing,
}

impl Subprocess {
    /// Fails: a plugin would need operations that this host lacks.
    ///
    /// # Errors
    /// Always.
    pub fn start(_name: &str, _temporary: &Path) -> io::Result<Started> {
        Err(unsupported())
    }

    /// The id of its process group.
    pub fn group(&self) -> u32 {
        match *self {}
    }

    /// The exit status, if the process has ended.
    pub fn ended(&mut self) -> Option<ExitStatus> {
        match *self {}
    }

    /// Waits for the end of the process, or for output.
    pub fn wait(&self, _output: Option<&Output>, _limit: Duration) {
        match *self {}
    }

    /// Kills the process and all its descendants.
    pub fn kill(&mut self) {
        match *self {}
    }
}

impl Talk {
    /// Whether data has arrived, or the other side is closed.
    pub fn is_ready(&self) -> bool {
        match *self {}
    }

    /// Waits for data, or for output.
    pub fn wait(&self, _output: Option<&Output>, _limit: Duration) -> Waited {
        match *self {}
    }

    /// Tells the other side that no more data will follow.
    pub fn end(&self) {
        match *self {}
    }
}

impl Read for Talk {
    fn read(&mut self, _buffer: &mut [u8]) -> io::Result<usize> {
        match *self {}
    }
}

impl Write for Talk {
    fn write(&mut self, _bytes: &[u8]) -> io::Result<usize> {
        match *self {}
    }

    fn flush(&mut self) -> io::Result<()> {
        match *self {}
    }
}

impl Output {
    /// Whether output has arrived, or all processes that could write have ended.
    pub fn is_ready(&self) -> bool {
        match *self {}
    }
}

impl Read for Output {
    fn read(&mut self, _buffer: &mut [u8]) -> io::Result<usize> {
        match *self {}
    }
}

impl Counter {
    /// Adds one.
    pub fn step(&self) {
        match *self {}
    }

    /// The number.
    pub fn count(&self) -> u64 {
        match *self {}
    }
}

/// In the other process: both directions of the socket, and the shared number. No such process is
/// ever started.
pub fn served() -> Option<(Talk, Talk, Counter)> {
    None
}

/// Ends the process.
pub fn exit(code: i32) -> ! {
    std::process::exit(code)
}

/// A copy of the bytes of a file.
#[derive(Debug)]
pub struct FileView(Vec<u8>);

impl FileView {
    /// The bytes of `file`.
    pub fn of(mut file: &File) -> Option<FileView> {
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).ok().map(|_| FileView(bytes))
    }
}

impl Deref for FileView {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}

/// An offset in a file, for C functions.
pub type FileOffset = i64;

/// The file descriptor of an open file, for C functions: there is none.
pub fn descriptor(_file: &File) -> c_int {
    -1
}

/// A copy of a string, which is never freed.
pub fn string_of_c(text: &CStr) -> *mut c_char {
    text.to_owned().into_raw()
}

/// Fails: no library is loaded.
///
/// # Errors
/// Always.
pub fn load(_library: &CString, _symbol: &CStr) -> Result<*mut c_void, String> {
    Err("this host has no plugins".to_owned())
}
