//! Links of Rust programs, captured while cargo builds them.
//!
//! The program is Jujutsu (`jj-cli`): some 400 crates, a typical size for what teams build all day.
//! In the dev profile the link is mostly debug information: more than nine tenths of the
//! relocations, and hundreds of megabytes of `.debug_str` to merge. The proof is that the program
//! makes a repository and reads it back.

use super::capture::{RESPONSE_FILE, Trap};
use super::{Expectation, PROGRAM, Workload, tools};
use crate::scratch::Scratch;
use std::fs;
use std::path::Path;
use std::process::Command;

/// The package, with the version that the measurements refer to.
const PACKAGE: &str = "jj-cli@0.45.1";

/// Name of the program.
const BINARY: &str = "jj";

const TARGET: &str = "x86_64-unknown-linux-gnu";

/// `rust-debug`, `rust-debug-zstd`, `rust-debug-index` and `rust-release`.
pub fn workloads() -> Vec<Workload> {
    let workload = |name, about, debug, make| Workload {
        name,
        about,
        directory: name,
        response: RESPONSE_FILE,
        extra: &[],
        recipe: 1,
        plugin: None,
        machine: None,
        slow: true,
        expects: Expectation { debug, build_id: false, ..PROGRAM },
        make,
        prove: keeps_a_repository,
    };
    let debug = || workload("rust-debug", "jj, dev profile", true, |dir| build(dir, "dev"));
    let compressed = Workload {
        name: "rust-debug-zstd",
        about: "the same with --compress-debug-sections=zstd",
        extra: &["--compress-debug-sections=zstd"],
        ..debug()
    };
    vec![
        debug(),
        compressed,
        debug().with_index("rust-debug-index"),
        // Without debug information of its own, cargo has std's stripped too.
        workload("rust-release", "jj, release profile", false, |dir| build(dir, "release")),
    ]
}

fn build(dir: &Path, profile: &str) -> Result<(), String> {
    let trap = Trap::set(dir, &tools::system_linker()?)?;
    let flags = format!("-Clinker-features=-lld -Clink-arg=-B{}/", trap.directory().display());
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut install = Command::new(cargo);
    install.args(["install", PACKAGE, "--locked", "--force", "--bin", BINARY]);
    install.args(["--profile", profile, "--target", TARGET, "--jobs", &tools::jobs().to_string()]);
    install.arg("--root").arg(dir.join("root")).env("CARGO_TARGET_DIR", dir.join("target"));
    // Only what is built for the target is captured: build scripts and macros are not, as they
    // are built for the host.
    install.env("CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUSTFLAGS", flags);
    install.env_remove("RUSTFLAGS").env_remove("CARGO_ENCODED_RUSTFLAGS").current_dir(dir);
    tools::run(&mut install)?;
    trap.keep(dir, BINARY)?;
    for name in ["root", "target"] {
        let path = dir.join(name);
        fs::remove_dir_all(&path).map_err(|e| format!("{}: {e}", path.display()))?;
    }
    Ok(())
}

fn keeps_a_repository(output: &Path, _: &Path) -> Result<(), String> {
    let scratch = Scratch::new()?;
    let jj = |arguments: &[&str]| {
        let mut command = Command::new(output);
        command.args(["--no-pager", "--color=never"]).args(arguments).current_dir(scratch.path());
        tools::run(command.env("HOME", scratch.path()).env("JJ_USER", "bench"))
    };
    jj(&["git", "init", "repository"])?;
    let log = jj(&["-R", "repository", "log", "-r", "root()"])?;
    if log.contains("zzzzzzzz root()") {
        return Ok(());
    }
    Err(format!("its log does not show the root commit: {}", log.trim()))
}
