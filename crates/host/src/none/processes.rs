//! Processes: how one ended, and becoming another program.

use std::io::Error;
use std::process::{Command, ExitStatus};

/// The signal that ended a process: there are no signals.
pub fn signal_of(_status: &ExitStatus) -> Option<i32> {
    None
}

/// Runs a program and ends this process with its status. Returns only if the program cannot be run.
pub fn execute(command: &mut Command) -> Error {
    match command.status() {
        Ok(status) => std::process::exit(status.code().unwrap_or(1)),
        Err(error) => error,
    }
}
