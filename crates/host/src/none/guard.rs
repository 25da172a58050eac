//! A directory for temporary files, which is removed at an ordinary end. Commands that run in it
//! are not ended when this process is killed.

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};
use std::time::Duration;

/// The name under which the program runs as a guard.
pub const GUARD: &str = "skald-guard";

/// A directory.
#[derive(Debug)]
pub struct GuardedDirectory {
    path: PathBuf,
    is_kept: bool,
}

/// How a command has ended.
#[derive(Debug)]
pub enum Ended {
    /// Of its own accord.
    Itself(ExitStatus),
    /// The command was ended; the text says what it had done for too long.
    Given(String),
}

impl GuardedDirectory {
    /// Makes a directory whose path is `prefix` and the first number that is not taken.
    ///
    /// # Errors
    /// If it cannot be made.
    pub fn new(prefix: &OsStr) -> io::Result<GuardedDirectory> {
        for number in 0..u32::MAX {
            let mut path = prefix.to_owned();
            path.push(number.to_string());
            match std::fs::create_dir(&path) {
                Ok(()) => return Ok(GuardedDirectory { path: path.into(), is_kept: false }),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        Err(io::ErrorKind::AlreadyExists.into())
    }

    /// The path, which is relative if the prefix is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Keeps the directory at an ordinary end.
    pub fn keep(&mut self) {
        self.is_kept = true;
    }

    /// Runs a command and waits until it has ended, however long that takes.
    ///
    /// # Errors
    /// If it cannot be started.
    pub fn run(&mut self, command: &[OsString], _limit: Option<Duration>) -> io::Result<Ended> {
        let (program, arguments) = command.split_first().ok_or(io::ErrorKind::InvalidInput)?;
        Command::new(program).args(arguments).status().map(Ended::Itself)
    }
}

impl Drop for GuardedDirectory {
    fn drop(&mut self) {
        if !self.is_kept {
            let _ = std::fs::remove_dir_all(&self.path);
        }
    }
}

/// The guard: there is none.
pub fn serve(_arguments: &[OsString]) -> i32 {
    2
}
