//! A PC that QEMU emulates, without a screen: it is observed by its serial port.

use super::{is_installed, output};
use crate::Result;
use std::process::Command;

const QEMU: &str = "qemu-system-x86_64";

/// Seconds after which a machine that has not stopped counts as failed.
const LIMIT: &str = "300";

/// Whether QEMU is installed.
pub(super) fn is_there() -> bool {
    is_installed(QEMU, "--version")
}

/// Runs a machine with these arguments of QEMU; returns what it writes until it stops or reboots.
pub(super) fn run(arguments: &[&str]) -> Result<String> {
    let mut command = Command::new("timeout");
    command.args([LIMIT, QEMU, "-nographic", "-no-reboot", "-net", "none"]);
    output(command.args(arguments))
}

/// An error unless the machine writes a line with each of these texts.
pub(super) fn writes(arguments: &[&str], expected: &[&str]) -> Result<()> {
    let text = run(arguments)?;
    let is_missing = |wanted: &&&str| !text.lines().any(|line| line.contains(**wanted));
    match expected.iter().find(is_missing) {
        None => Ok(()),
        Some(missing) => {
            let lines: Vec<&str> = text.lines().collect();
            let end = lines[lines.len().saturating_sub(20)..].join("\n");
            Err(format!("the machine does not write {missing:?}; the end of what it does:\n{end}"))
        }
    }
}
