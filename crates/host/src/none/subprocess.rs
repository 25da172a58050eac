//! This program, started again under another name: this host does not do that.

use super::unsupported;
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::fs::File;
use std::io::{self, Read, Write};
use std::ops::Deref;
use std::path::Path;
use std::process::ExitStatus;
use std::time::Duration;

/// One end of the conversation.
#[derive(Debug)]
pub enum Talk {}

/// What the other process and all that it starts write.
#[derive(Debug)]
pub enum Output {}

/// The other process.
#[derive(Debug)]
pub enum Subprocess {}

/// A number that two processes share.
#[derive(Debug)]
pub enum Counter {}

/// What one has of a process that was started.
pub struct Started {
    /// The process.
    pub process: Subprocess,
    /// To talk with it.
    pub talk: Talk,
    /// What it writes.
    pub output: Output,
    /// The number that both see.
    pub counter: Counter,
}

/// What came of waiting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Waited {
    /// There is something to be read of the conversation, or it has ended.
    Talk,
    /// There is output, or the waiting was interrupted.
    Output,
    /// Nothing, for as long as was waited.
    Nothing,
}

impl Subprocess {
    /// Fails: a plugin would need what this host is not asked for.
    ///
    /// # Errors
    /// Always.
    pub fn start(_name: &str, _temporary: &Path) -> io::Result<Started> {
        Err(unsupported())
    }

    /// The number of its group.
    pub fn group(&self) -> u32 {
        match *self {}
    }

    /// How it has ended, if it has.
    pub fn ended(&mut self) -> Option<ExitStatus> {
        match *self {}
    }

    /// Waits for its end, or for output.
    pub fn wait(&self, _output: Option<&Output>, _limit: Duration) {
        match *self {}
    }

    /// Ends it and all that it has started.
    pub fn kill(&mut self) {
        match *self {}
    }
}

impl Talk {
    /// Whether something has come, or the other side is closed.
    pub fn is_ready(&self) -> bool {
        match *self {}
    }

    /// Waits for what comes, or for output.
    pub fn wait(&self, _output: Option<&Output>, _limit: Duration) -> Waited {
        match *self {}
    }

    /// Says that nothing more will be said from this side.
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
    /// Whether something has come, or all that could write have ended.
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

/// In the other process: both ways of the conversation, and the number. Nobody starts one.
pub fn served() -> Option<(Talk, Talk, Counter)> {
    None
}

/// Ends the process.
pub fn exit(code: i32) -> ! {
    std::process::exit(code)
}

/// The bytes of a file, as they were when they were asked for.
#[derive(Debug)]
pub struct FileView(Vec<u8>);

impl FileView {
    /// Those of `file`.
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

/// An offset in a file, as functions of C take it.
pub type FileOffset = i64;

/// The number by which functions of C know an open file: there is none.
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
