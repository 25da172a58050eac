//! The nightly toolchain and the components that the tools need.

use crate::Result;
use std::process::{Command, Stdio};
use xtask::root;

/// `cargo` of the nightly toolchain, in the project's directory.
pub fn cargo() -> Command {
    let mut command = Command::new("rustup");
    command.args(["run", "nightly", "cargo"]).current_dir(root::directory());
    // These variables of this process belong to another toolchain.
    for name in ["CARGO", "RUSTC", "RUSTUP_TOOLCHAIN", "RUSTFLAGS"] {
        command.env_remove(name);
    }
    command
}

/// Has rustup install the toolchain and `components` of it, unless `is_there` already.
///
/// # Errors
/// What is missing, if it cannot be installed.
pub fn install(components: &[&str], is_there: impl Fn() -> bool) -> Result<()> {
    if is_there() {
        return Ok(());
    }
    let mut toolchain = Command::new("rustup");
    toolchain.args(["toolchain", "install", "nightly", "--profile", "minimal"]);
    let mut said = root::run(&mut toolchain).err();
    let mut add = Command::new("rustup");
    add.args(["component", "add", "--toolchain", "nightly"]).args(components);
    said = root::run(&mut add).err().or(said);
    if is_there() {
        return Ok(());
    }
    let wanted = components.join(" and ");
    Err(format!("needs a nightly compiler with {wanted}: {}", said.unwrap_or_default()))
}

/// Whether `command` succeeds; its output is not shown.
pub fn works(command: &mut Command) -> bool {
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

/// Whether the source of the standard library is there.
pub fn has_source() -> bool {
    let mut print = Command::new("rustup");
    print.args(["run", "nightly", "rustc", "--print", "sysroot"]).env_remove("RUSTUP_TOOLCHAIN");
    let Ok(output) = print.output() else { return false };
    let sysroot = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    std::path::Path::new(&sysroot).join("lib/rustlib/src/rust/library/std/Cargo.toml").is_file()
}
