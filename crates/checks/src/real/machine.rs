//! Machines that QEMU emulates, without a screen: they are observed by their serial port.

use super::{is_installed, output};
use crate::Result;
use std::process::Command;

/// Seconds after which a machine that has not stopped counts as failed.
const LIMIT: &str = "300";

/// A kind of machine.
#[derive(Clone, Copy)]
pub(super) struct Machine {
    /// The program that emulates it.
    pub qemu: &'static str,
    /// What the program is told about it.
    pub arguments: &'static [&'static str],
}

/// A PC with a processor for x86-64.
pub(super) const PC: Machine = Machine { qemu: "qemu-system-x86_64", arguments: &[] };

/// A PC with a processor of 32 bits.
pub(super) const PC_32: Machine = Machine { qemu: "qemu-system-i386", arguments: &[] };

/// A machine with an AArch64 processor.
pub(super) const ARM: Machine =
    Machine { qemu: "qemu-system-aarch64", arguments: &["-M", "virt", "-cpu", "cortex-a72"] };

impl Machine {
    /// Whether QEMU for it is installed.
    pub(super) fn is_there(self) -> bool {
        is_installed(self.qemu, "--version")
    }

    /// Runs a machine with more arguments of QEMU; returns what it writes until it stops or
    /// reboots.
    fn run(self, arguments: &[&str]) -> Result<String> {
        let mut command = Command::new("timeout");
        command.args([LIMIT, self.qemu, "-nographic", "-no-reboot", "-net", "none"]);
        output(command.args(self.arguments).args(arguments))
    }

    /// An error unless the machine writes a line with each of these texts.
    pub(super) fn writes(self, arguments: &[&str], expected: &[&str]) -> Result<()> {
        let text = self.run(arguments)?;
        let is_missing = |wanted: &&&str| !text.lines().any(|line| line.contains(**wanted));
        match expected.iter().find(is_missing) {
            None => Ok(()),
            Some(missing) => {
                let lines: Vec<&str> = text.lines().collect();
                let end = lines[lines.len().saturating_sub(20)..].join("\n");
                Err(format!(
                    "the machine does not write {missing:?}; the end of what it does:\n{end}"
                ))
            }
        }
    }
}
