//! The linker is checked by the compiler for a host that has no folder in `host`: what belongs to
//! an operating system is in that crate alone, behind names that every host has.
//!
//! The target is Windows with GNU's tools, which rustup has for every machine. Nothing is linked,
//! so that no compiler of C is needed: what libzstd's build script is given as one does nothing.

use crate::Result;
use std::process::Command;
use xtask::root;

const TARGET: &str = "x86_64-pc-windows-gnu";

/// What came of it.
pub enum Outcome {
    /// It was checked.
    Checked,
    /// It was not, for this reason.
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

/// Whether Rust's library for the target is there.
fn is_installed() -> bool {
    let output =
        Command::new("rustc").args(["--print", "target-libdir", "--target", TARGET]).output();
    output.is_ok_and(|output| {
        std::path::Path::new(String::from_utf8_lossy(&output.stdout).trim()).is_dir()
    })
}
