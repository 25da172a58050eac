//! The programs that tests call: installed where that is possible, named where it is not.

use crate::Result;
use std::path::Path;
use std::process::Command;

/// Program and the Debian package that has it.
const TOOLS: [(&str, &str); 8] = [
    ("gcc", "gcc"),
    ("g++", "g++"),
    ("ld", "binutils"),
    ("objcopy", "binutils"),
    ("clang-19", "clang-19"),
    ("ld.lld-19", "lld-19"),
    ("yaml2obj-19", "llvm-19"),
    ("llvm-dwarfdump-19", "llvm-19"),
];

/// Installs what is missing with apt-get, as root. An error only if nothing can be tested without
/// what is still missing; cases skip themselves where one of the others is.
pub fn install() -> Result<()> {
    let missing: Vec<(&str, &str)> =
        TOOLS.into_iter().filter(|(program, _)| !is_installed(program)).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let mut packages: Vec<&str> = missing.iter().map(|(_, package)| *package).collect();
    packages.sort_unstable();
    packages.dedup();
    if is_root() && is_installed("apt-get") {
        // A package that does not exist must not keep the others from being installed.
        apt(&["update"]);
        for package in &packages {
            apt(&["install", "-y", "--no-install-recommends", package]);
        }
    }
    let still: Vec<&str> =
        missing.iter().map(|(p, _)| *p).filter(|program| !is_installed(program)).collect();
    if still.is_empty() {
        return Ok(());
    }
    println!("missing programs: {} (packages: {})", still.join(" "), packages.join(" "));
    println!("tests that need them are skipped");
    let needed = still.iter().find(|program| ["gcc", "g++", "ld", "objcopy"].contains(program));
    match needed {
        Some(program) => Err(format!("no test can run without {program}")),
        None => Ok(()),
    }
}

fn apt(arguments: &[&str]) {
    let mut command = Command::new("apt-get");
    command.env("DEBIAN_FRONTEND", "noninteractive").arg("-qq").args(arguments);
    if let Err(error) = crate::root::run(&mut command) {
        println!("{error}");
    }
}

fn is_installed(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|directory| directory.join(program).is_file())
}

/// The owner of /proc/self is the user that runs this.
fn is_root() -> bool {
    use std::os::unix::fs::MetadataExt;
    std::fs::metadata(Path::new("/proc/self")).is_ok_and(|m| m.uid() == 0)
}
