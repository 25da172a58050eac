//! Finds the project's directories, and runs programs in them.

use crate::Result;
use crate::corpus::tools;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The directory of the workspace.
pub fn directory() -> PathBuf {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    own.parent().unwrap_or(own).to_owned()
}

/// Where cargo builds.
pub fn target() -> PathBuf {
    let given = std::env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
    given.unwrap_or_else(|| directory().join("target"))
}

/// The cargo that runs this, or the one in PATH.
pub fn cargo() -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(directory());
    command
}

/// Builds the program `name` by these options of `cargo build`; returns where it is.
pub fn program(name: &str, options: &[&str]) -> Result<PathBuf> {
    let mut build = cargo();
    build.arg("build").args(options).arg("--message-format=json").stderr(Stdio::inherit());
    let text = tools::run(&mut build)?;
    let artifacts = text.lines().filter_map(|line| serde_json::from_str(line).ok());
    let program = artifacts
        .filter(|message: &serde_json::Value| message["target"]["name"] == name)
        .find_map(|message| message["executable"].as_str().map(PathBuf::from));
    program.ok_or_else(|| format!("cargo built no program called {name}"))
}

/// Builds the program with the checks. It is separate from this one, so that the demonstration is
/// built in seconds.
pub fn checks() -> Result<PathBuf> {
    program("checks", &["--package", "checks"])
}

/// Runs `command` with its output shown; an error unless it succeeds.
pub fn run(command: &mut Command) -> Result<()> {
    let name = format!("{command:?}");
    let status = command.stdin(Stdio::null()).status().map_err(|e| format!("{name}: {e}"))?;
    if status.success() { Ok(()) } else { Err(format!("{name}: {status}")) }
}
