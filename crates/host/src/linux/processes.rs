//! Processes: how one ended, and becoming another program.

use std::io::Error;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Command, ExitStatus};

/// The signal that ended a process, if one did.
pub fn signal_of(status: &ExitStatus) -> Option<i32> {
    status.signal()
}

/// Executes a program in place of this one. Returns only if that fails.
pub fn execute(command: &mut Command) -> Error {
    command.exec()
}
