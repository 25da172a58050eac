//! Runs a command. This host does not let a process supervise what another one executes.

use super::unsupported;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

/// How a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// It returned this status.
    Exited(i32),
    /// This signal ended it.
    Killed(i32),
}

/// A program that is about to be executed: none is observed.
pub enum Call {}

impl Call {
    /// Its path, as the caller gave it.
    pub fn path(&self) -> Option<PathBuf> {
        match *self {}
    }

    /// A path of the program that this process can use.
    pub fn path_from_here(&self) -> Option<PathBuf> {
        match *self {}
    }

    /// Its words.
    pub fn words(&self) -> Option<Vec<OsString>> {
        match *self {}
    }

    /// The caller's working directory.
    pub fn directory(&self) -> PathBuf {
        match *self {}
    }
}

/// Which programs are replaced, and by what.
pub struct Choice<'a> {
    /// The program that is executed instead.
    pub stand_in: &'a Path,
    /// Whether `stand_in` replaces the program of this call.
    pub wants: &'a dyn Fn(&Call) -> bool,
}

/// Runs `command`; with a `choice`, fails without running anything. `failed` reports why the
/// command could not be executed and returns the exit status.
///
/// # Errors
/// With a choice.
pub fn run(
    command: &mut Command,
    choice: Option<&Choice<'_>>,
    failed: &dyn Fn(io::Error) -> i32,
) -> io::Result<Ended> {
    if choice.is_some() {
        return Err(unsupported());
    }
    Ok(Ended::Exited(match command.status() {
        Ok(status) => status.code().unwrap_or(1),
        Err(error) => failed(error),
    }))
}

/// Whether the file begins with `#!`.
pub fn is_script(path: &Path) -> bool {
    std::fs::read(path).is_ok_and(|bytes| bytes.starts_with(b"#!"))
}

/// Ends this process with the exit status that shells use for a process that a signal ended.
pub fn die_of(signal: i32) -> ! {
    std::process::exit(128_i32.saturating_add(signal))
}
