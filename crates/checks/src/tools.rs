//! The programs that tests call. Missing ones are installed if possible, and named otherwise.

use crate::Result;
use std::path::Path;
use std::process::{Command, Stdio};

/// A program or the path of a file, and the Debian package that contains it.
type Tool = (&'static str, &'static str);

/// What `cargo xtask test` calls.
const TOOLS: [Tool; 118] = [
    ("gcc", "gcc"),
    ("g++", "g++"),
    ("ld", "binutils"),
    ("ld.bfd", "binutils"),
    ("objcopy", "binutils"),
    // Only recommended by the compiler's package, so perhaps missing.
    ("/usr/include/stdio.h", "libc6-dev"),
    ("clang-19", "clang-19"),
    ("clang++-19", "clang-19"),
    // LLVM's plugin.
    ("/usr/lib/llvm-19/lib/LLVMgold.so", "llvm-19-linker-tools"),
    ("ld.lld-19", "lld-19"),
    ("yaml2obj-19", "llvm-19"),
    ("llvm-ar-19", "llvm-19"),
    ("llvm-dwarfdump-19", "llvm-19"),
    ("llvm-dwp-19", "llvm-19"),
    ("python3", "python3"),
    ("zstd", "zstd"),
    ("eu-unstrip", "elfutils"),
    ("openssl", "openssl"),
    ("make", "make"),
    ("chromium", "chromium"),
    ("valgrind", "valgrind"),
    ("gdb", "gdb"),
    ("lldb-19", "lldb-19"),
    // For cases of other machines: compilers, what their packages recommend, and emulators.
    ("aarch64-linux-gnu-gcc", "gcc-aarch64-linux-gnu"),
    ("aarch64-linux-gnu-g++", "g++-aarch64-linux-gnu"),
    ("/usr/aarch64-linux-gnu/include/stdio.h", "libc6-dev-arm64-cross"),
    ("i686-linux-gnu-gcc", "gcc-i686-linux-gnu"),
    ("i686-linux-gnu-g++", "g++-i686-linux-gnu"),
    ("/usr/i686-linux-gnu/include/stdio.h", "libc6-dev-i386-cross"),
    ("x86_64-linux-gnux32-gcc", "gcc-x86-64-linux-gnux32"),
    ("x86_64-linux-gnux32-g++", "g++-x86-64-linux-gnux32"),
    ("/usr/x86_64-linux-gnux32/include/stdio.h", "libc6-dev-x32-cross"),
    ("x86_64-linux-gnux32-ld", "binutils-x86-64-linux-gnux32"),
    ("riscv64-linux-gnu-gcc", "gcc-riscv64-linux-gnu"),
    ("riscv64-linux-gnu-g++", "g++-riscv64-linux-gnu"),
    ("/usr/riscv64-linux-gnu/include/stdio.h", "libc6-dev-riscv64-cross"),
    ("qemu-riscv64", "qemu-user"),
    ("m68k-linux-gnu-gcc", "gcc-m68k-linux-gnu"),
    ("m68k-linux-gnu-g++", "g++-m68k-linux-gnu"),
    ("m68k-linux-gnu-ld", "binutils-m68k-linux-gnu"),
    ("/usr/m68k-linux-gnu/include/stdio.h", "libc6-dev-m68k-cross"),
    ("qemu-m68k", "qemu-user"),
    ("avr-gcc", "gcc-avr"),
    ("avr-ld", "binutils-avr"),
    ("/usr/lib/avr/include/avr/io.h", "avr-libc"),
    ("simavr", "simavr"),
    ("sh4-linux-gnu-gcc", "gcc-sh4-linux-gnu"),
    ("sh4-linux-gnu-g++", "g++-sh4-linux-gnu"),
    ("sh4-linux-gnu-ld", "binutils-sh4-linux-gnu"),
    ("/usr/sh4-linux-gnu/include/stdio.h", "libc6-dev-sh4-cross"),
    ("qemu-sh4", "qemu-user"),
    ("qemu-sh4eb", "qemu-user"),
    ("s390x-linux-gnu-gcc", "gcc-s390x-linux-gnu"),
    ("s390x-linux-gnu-g++", "g++-s390x-linux-gnu"),
    ("/usr/s390x-linux-gnu/include/stdio.h", "libc6-dev-s390x-cross"),
    ("qemu-s390x", "qemu-user"),
    ("powerpc64le-linux-gnu-gcc", "gcc-powerpc64le-linux-gnu"),
    ("powerpc64le-linux-gnu-g++", "g++-powerpc64le-linux-gnu"),
    ("/usr/powerpc64le-linux-gnu/include/stdio.h", "libc6-dev-ppc64el-cross"),
    ("qemu-ppc64le", "qemu-user"),
    ("sparc64-linux-gnu-gcc", "gcc-sparc64-linux-gnu"),
    ("sparc64-linux-gnu-g++", "g++-sparc64-linux-gnu"),
    ("/usr/sparc64-linux-gnu/include/stdio.h", "libc6-dev-sparc64-cross"),
    ("qemu-sparc64", "qemu-user"),
    ("powerpc64-linux-gnu-gcc", "gcc-powerpc64-linux-gnu"),
    ("powerpc64-linux-gnu-g++", "g++-powerpc64-linux-gnu"),
    ("/usr/powerpc64-linux-gnu/include/stdio.h", "libc6-dev-ppc64-cross"),
    ("qemu-ppc64", "qemu-user"),
    ("powerpc-linux-gnu-gcc", "gcc-powerpc-linux-gnu"),
    ("powerpc-linux-gnu-g++", "g++-powerpc-linux-gnu"),
    ("/usr/powerpc-linux-gnu/include/stdio.h", "libc6-dev-powerpc-cross"),
    ("qemu-ppc", "qemu-user"),
    ("arm-linux-gnueabihf-gcc", "gcc-arm-linux-gnueabihf"),
    ("arm-linux-gnueabihf-g++", "g++-arm-linux-gnueabihf"),
    ("/usr/arm-linux-gnueabihf/include/stdio.h", "libc6-dev-armhf-cross"),
    ("qemu-arm", "qemu-user"),
    ("qemu-armeb", "qemu-user"),
    ("qemu-loongarch64", "qemu-user"),
    ("/usr/mips64el-linux-gnuabi64/include/stdio.h", "libc6-dev-mips64el-cross"),
    ("/usr/mips64-linux-gnuabi64/include/stdio.h", "libc6-dev-mips64-cross"),
    ("/usr/mipsel-linux-gnu/include/stdio.h", "libc6-dev-mipsel-cross"),
    ("/usr/mips-linux-gnu/include/stdio.h", "libc6-dev-mips-cross"),
    ("qemu-mips64el", "qemu-user"),
    ("qemu-mips64", "qemu-user"),
    ("qemu-mipsel", "qemu-user"),
    ("qemu-mips", "qemu-user"),
    ("qemu-mipsn32el", "qemu-user"),
    ("mips64el-linux-gnuabi64-gcc", "gcc-mips64el-linux-gnuabi64"),
    ("mips64el-linux-gnuabi64-g++", "g++-mips64el-linux-gnuabi64"),
    ("mips64-linux-gnuabi64-gcc", "gcc-mips64-linux-gnuabi64"),
    ("mips64-linux-gnuabi64-g++", "g++-mips64-linux-gnuabi64"),
    ("mipsel-linux-gnu-gcc", "gcc-mipsel-linux-gnu"),
    ("mipsel-linux-gnu-g++", "g++-mipsel-linux-gnu"),
    ("mips-linux-gnu-gcc", "gcc-mips-linux-gnu"),
    ("mips-linux-gnu-g++", "g++-mips-linux-gnu"),
    ("qemu-aarch64", "qemu-user"),
    ("qemu-aarch64_be", "qemu-user"),
    ("qemu-i386", "qemu-user"),
    // With these the kernel runs programs of i386 itself.
    ("/lib/ld-linux.so.2", "libc6-i386"),
    ("/usr/lib32/libstdc++.so.6", "lib32stdc++6"),
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

/// Further tools that the programs of `--real` need. Their sources come by apt-get or cargo.
pub const FOR_REAL_PROGRAMS: [Tool; 14] = [
    ("bc", "bc"),
    ("bison", "bison"),
    ("dpkg-source", "dpkg-dev"),
    ("flex", "flex"),
    ("gfortran", "gfortran"),
    ("go", "golang-go"),
    ("patch", "patch"),
    ("perl", "perl"),
    ("qemu-system-x86_64", "qemu-system-x86"),
    ("tclsh", "tcl"),
    ("/usr/include/libelf.h", "libelf-dev"),
    ("/usr/include/openssl/bio.h", "libssl-dev"),
    ("python3-config", "python3-dev"),
    // This package has no program of its own.
    ("/var/lib/dpkg/info/python3-venv.list", "python3-venv"),
];

/// What makes the file systems that `cargo xtask repeat` links on.
pub const FOR_FILE_SYSTEMS: [Tool; 3] =
    [("mkfs.ext4", "e2fsprogs"), ("mkfs.xfs", "xfsprogs"), ("mkfs.btrfs", "btrfs-progs")];

/// Subcommands of cargo and the components of a Rust toolchain that have them.
const COMPONENTS: [(&str, &str); 2] = [("fmt", "rustfmt"), ("clippy", "clippy")];

/// Installs what is missing: with apt-get, as root, and with rustup. It is an error only if tests
/// are impossible without what is still missing; otherwise cases and steps that need it are
/// skipped.
pub fn install() -> Result<()> {
    for (subcommand, component) in COMPONENTS {
        if !has_subcommand(subcommand) && is_installed("rustup") {
            report(Command::new("rustup").args(["component", "add", component]));
        }
    }
    let still = install_tools(&TOOLS);
    let needed = ["gcc", "ld", "objcopy"];
    match still.iter().find(|(program, _)| needed.contains(program)) {
        Some((program, _)) => Err(format!("no test can run without {program}")),
        None => Ok(()),
    }
}

/// Installs missing tools if possible; returns and prints those that are still missing.
pub fn install_tools(tools: &[Tool]) -> Vec<Tool> {
    let are_missing = |tools: &[Tool]| -> Vec<Tool> {
        tools.iter().filter(|(program, _)| !is_installed(program)).copied().collect()
    };
    let missing = are_missing(tools);
    if missing.is_empty() {
        return missing;
    }
    let mut packages: Vec<&str> = missing.iter().map(|(_, package)| *package).collect();
    packages.sort_unstable();
    packages.dedup();
    if is_root() && is_installed("apt-get") {
        println!("installing {}", packages.join(" "));
        apt(&["update"]);
        let install = ["install", "-y", "--no-install-recommends"];
        apt(&[&install[..], &packages].concat());
        // A package that does not exist must not keep the others from being installed.
        for (_, package) in are_missing(&missing) {
            apt(&[&install[..], &[package]].concat());
        }
    }
    let still = are_missing(&missing);
    if !still.is_empty() {
        println!("missing, and what needs them is skipped:");
    }
    for (program, package) in &still {
        println!("  {program} (Debian package {package})");
    }
    still
}

/// Whether cargo has a subcommand. rustup's proxy programs are in `PATH` even without it.
pub fn has_subcommand(name: &str) -> bool {
    let mut command = xtask::root::cargo();
    command.args([name, "--version"]).stdin(Stdio::null());
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

/// Installs a package that only one check needs, if possible.
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

/// Runs a command. A failure is noticed later, when tools are missing.
fn report(command: &mut Command) {
    if let Err(error) = xtask::root::run(command) {
        println!("{error}");
    }
}

/// Whether a program of this name is in `PATH`; for a path, whether the file exists, as joining an
/// absolute path to a directory gives that path.
pub fn is_installed(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|directory| directory.join(program).is_file())
}

/// Whether this may install packages: the owner of /proc/self is the user that runs this.
pub fn is_root() -> bool {
    use std::os::unix::fs::MetadataExt;
    std::fs::metadata(Path::new("/proc/self")).is_ok_and(|m| m.uid() == 0)
}

#[cfg(test)]
mod tests {
    use super::TOOLS;
    use skald_testkit::{programs, suite};
    use std::collections::BTreeSet;
    use xtask::root;

    /// Programs of Debian's essential packages, and the compiler that compiled this.
    const THERE_ALREADY: [&str; 5] = ["cmp", "dd", "rustc", "sed", "tar"];

    /// Otherwise a case would be skipped on every machine that happens to lack the program.
    #[test]
    fn all_that_cases_require_is_installed() {
        let from: BTreeSet<&str> = TOOLS.iter().map(|(_, package)| *package).collect();
        let mut unknown = Vec::new();
        for case in suite::cases_in(&root::directory().join("tests/elf"), None).unwrap() {
            for variant in &case.variants {
                for program in programs::needed(&case, variant).unwrap() {
                    let is_known = THERE_ALREADY.contains(&program.as_str())
                        || TOOLS.iter().any(|(name, _)| *name == program)
                        || package_of(&program).is_some_and(|package| from.contains(package))
                        || cross_package_of(&program).is_some_and(|p| from.contains(p.as_str()));
                    if !is_known {
                        unknown.push(format!("{}: {program}", case.name_in(variant)));
                    }
                }
            }
        }
        assert!(unknown.is_empty(), "not in TOOLS: {unknown:#?}");
    }

    /// The package of a tool of another machine.
    fn cross_package_of(program: &str) -> Option<String> {
        let (triple, tool) = program.rsplit_once('-')?;
        let is_tool = package_of(tool) == Some("binutils") || tool == "objcopy";
        is_tool.then(|| format!("binutils-{}", triple.replace('_', "-")))
    }

    /// The package of a program that comes with a tool of the table.
    fn package_of(program: &str) -> Option<&'static str> {
        match program {
            "addr2line" | "ar" | "as" | "nm" | "objdump" | "readelf" | "size" | "strip" => {
                Some("binutils")
            }
            "llvm-objcopy-19" | "llvm-profdata-19" | "llvm-readelf-19" | "llvm-symbolizer-19" => {
                Some("llvm-19")
            }
            _ => None,
        }
    }
}
