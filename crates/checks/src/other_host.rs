//! Runs `cargo check` on the linker for a host that has no folder in the crate `host`: code for an
//! operating system is in that crate alone, behind an interface that every host has.
//!
//! The target is Windows with GNU's tools, which rustup has for every machine. Nothing is linked,
//! so no C compiler is needed: libzstd's build script gets a program that does nothing as its
//! compiler.

use crate::Result;
use std::process::Command;
use xtask::root;

const TARGET: &str = "x86_64-pc-windows-gnu";

/// The result of the check.
pub enum Outcome {
    /// The compiler ran and had no complaint.
    Checked,
    /// The check was not possible, for this reason.
    Skipped(String),
}

/// The command.
pub fn run(_arguments: &[String]) -> Result<()> {
    match check()? {
        Outcome::Checked => Ok(()),
        Outcome::Skipped(reason) => Err(reason),
    }
}

/// Checks the program; an error if the compiler has something to say.
pub fn check() -> Result<Outcome> {
    if !is_installed() {
        let added = root::run(Command::new("rustup").args(["target", "add", TARGET]));
        if let Err(error) = added {
            return Ok(Outcome::Skipped(format!("needs Rust's library for {TARGET}: {error}")));
        }
    }
    let mut check = root::cargo();
    check.args(["check", "--quiet", "--package", "skald", "--target", TARGET]);
    check.env("CC_x86_64_pc_windows_gnu", "true").env("AR_x86_64_pc_windows_gnu", "true");
    check.env("RUSTFLAGS", "-D warnings");
    root::run(&mut check).map(|()| Outcome::Checked)
}

/// Whether Rust's standard library is installed for the target.
fn is_installed() -> bool {
    let output =
        Command::new("rustc").args(["--print", "target-libdir", "--target", TARGET]).output();
    output.is_ok_and(|output| {
        std::path::Path::new(String::from_utf8_lossy(&output.stdout).trim()).is_dir()
    })
}
