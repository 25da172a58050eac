//! The programs that tests call: installed where that is possible, named where it is not.

use crate::Result;
use std::path::Path;
use std::process::{Command, Stdio};

/// Program and the Debian package that has it.
const TOOLS: [(&str, &str); 32] = [
    ("gcc", "gcc"),
    ("g++", "g++"),
    ("ld", "binutils"),
    ("objcopy", "binutils"),
    ("clang-19", "clang-19"),
    ("ld.lld-19", "lld-19"),
    ("yaml2obj-19", "llvm-19"),
    ("llvm-dwarfdump-19", "llvm-19"),
    ("python3", "python3"),
    ("make", "make"),
    ("chromium", "chromium"),
    ("valgrind", "valgrind"),
    ("gdb", "gdb"),
    ("lldb-19", "lldb-19"),
    // For the scripts of their emulations.
    ("aarch64-linux-gnu-ld", "binutils-aarch64-linux-gnu"),
    ("alpha-linux-gnu-ld", "binutils-alpha-linux-gnu"),
    ("arc-linux-gnu-ld", "binutils-arc-linux-gnu"),
    ("arm-linux-gnueabi-ld", "binutils-arm-linux-gnueabi"),
    ("arm-linux-gnueabihf-ld", "binutils-arm-linux-gnueabihf"),
    ("arm-none-eabi-ld", "binutils-arm-none-eabi"),
    ("avr-ld", "binutils-avr"),
    ("hppa-linux-gnu-ld", "binutils-hppa-linux-gnu"),
    ("i686-linux-gnu-ld", "binutils-i686-linux-gnu"),
    ("ia64-linux-gnu-ld", "binutils-ia64-linux-gnu"),
    ("m68k-linux-gnu-ld", "binutils-m68k-linux-gnu"),
    ("mips64el-linux-gnuabi64-ld", "binutils-mips64el-linux-gnuabi64"),
    ("powerpc64le-linux-gnu-ld", "binutils-powerpc64le-linux-gnu"),
    ("riscv64-linux-gnu-ld", "binutils-riscv64-linux-gnu"),
    ("s390x-linux-gnu-ld", "binutils-s390x-linux-gnu"),
    ("sh4-linux-gnu-ld", "binutils-sh4-linux-gnu"),
    ("sparc64-linux-gnu-ld", "binutils-sparc64-linux-gnu"),
    ("x86_64-w64-mingw32-ld", "binutils-mingw-w64-x86-64"),
];

/// Subcommands of cargo and the components of a Rust toolchain that have them.
const COMPONENTS: [(&str, &str); 2] = [("fmt", "rustfmt"), ("clippy", "clippy")];

/// Installs what is missing: with apt-get, as root, and with rustup. An error only if nothing can
/// be tested without what is still missing; cases and steps skip themselves where one of the
/// others is.
pub fn install() -> Result<()> {
    for (subcommand, component) in COMPONENTS {
        if !has_subcommand(subcommand) && is_installed("rustup") {
            report(Command::new("rustup").args(["component", "add", component]));
        }
    }
    let missing: Vec<(&str, &str)> =
        TOOLS.into_iter().filter(|(program, _)| !is_installed(program)).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let mut packages: Vec<&str> = missing.iter().map(|(_, package)| *package).collect();
    packages.sort_unstable();
    packages.dedup();
    if is_root() && is_installed("apt-get") {
        println!("installing {}", packages.join(" "));
        apt(&["update"]);
        // A package that does not exist must not keep the others from being installed.
        for package in &packages {
            apt(&["install", "-y", "--no-install-recommends", package]);
        }
    }
    let is_missing = |(program, _): &(&str, &str)| !is_installed(program);
    let still: Vec<(&str, &str)> = missing.into_iter().filter(is_missing).collect();
    if still.is_empty() {
        return Ok(());
    }
    println!("missing, and cases that need them are skipped:");
    for (program, package) in &still {
        println!("  {program} (Debian package {package})");
    }
    let needed = ["gcc", "ld", "objcopy"];
    match still.iter().find(|(program, _)| needed.contains(program)) {
        Some((program, _)) => Err(format!("no test can run without {program}")),
        None => Ok(()),
    }
}

/// Whether cargo has a subcommand. rustup's programs of that name stand in `PATH` without it.
pub fn has_subcommand(name: &str) -> bool {
    let mut command = xtask::root::cargo();
    command.args([name, "--version"]).stdin(Stdio::null());
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

/// Installs a package that one check alone needs, where that is possible.
pub fn install_package(name: &str) {
    if is_root() && is_installed("apt-get") {
        apt(&["update"]);
        apt(&["install", "-y", "--no-install-recommends", name]);
    }
}

fn apt(arguments: &[&str]) {
    let mut command = Command::new("apt-get");
    command.env("DEBIAN_FRONTEND", "noninteractive").arg("-qq").args(arguments);
    report(command.stdout(Stdio::null()));
}

/// Runs a command whose failure shows later, by what is missing.
fn report(command: &mut Command) {
    if let Err(error) = xtask::root::run(command) {
        println!("{error}");
    }
}

/// Whether a program of this name is in `PATH`.
pub fn is_installed(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|directory| directory.join(program).is_file())
}

/// Whether this may install packages: the owner of /proc/self is the user that runs this.
pub fn is_root() -> bool {
    use std::os::unix::fs::MetadataExt;
    std::fs::metadata(Path::new("/proc/self")).is_ok_and(|m| m.uid() == 0)
}
