//! Clang for other machines, linked from the static libraries of Debian's packages for them. The
//! packages are unpacked in the corpus, beside this system.
//!
//! The proof is that the linked compiler, in an emulator, compiles the program that throws, and
//! that the program then runs there.

use super::capture::RESPONSE_FILE;
use super::clang::{self, Toolchain};
use super::machine::{ARM64, I386, Machine};
use super::{Expectation, PROGRAM, Workload, tools};
use crate::debian::Lists;
use crate::scratch::Scratch;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The directory with the unpacked packages.
const ROOT: &str = "root";

/// Packages of the libraries that clang's libraries link to, and of those that these load. The
/// symbolic link in zlib's package points outside of the package, so its archive is used.
const PACKAGES: [&str; 10] = [
    "libz3-dev",
    "libz3-4",
    "zlib1g-dev",
    "zlib1g",
    "libzstd-dev",
    "libzstd1",
    "libxml2-dev",
    "libxml2",
    "libicu72",
    "liblzma5",
];

/// `clang-arm64` and `clang-i386`.
pub fn workloads() -> Vec<Workload> {
    let arm64 = Workload {
        name: "clang-arm64",
        about: "clang for AArch64, --gc-sections -pie --build-id",
        directory: "clang-arm64",
        response: RESPONSE_FILE,
        extra: &[],
        recipe: 1,
        plugin: None,
        machine: Some(&ARM64),
        slow: true,
        // In Debian's packages for these machines one of LLVM's libraries has debug sections.
        expects: Expectation { debug: true, ..PROGRAM },
        make: |dir| make(dir, &ARM64),
        prove: |output, dir| compiles_a_program(output, dir, &ARM64),
    };
    let i386 = Workload {
        name: "clang-i386",
        about: "clang for i386, --gc-sections -pie --build-id",
        directory: "clang-i386",
        machine: Some(&I386),
        make: |dir| make(dir, &I386),
        prove: |output, dir| compiles_a_program(output, dir, &I386),
        ..arm64
    };
    vec![arm64, i386]
}

fn make(dir: &Path, machine: &Machine) -> Result<(), String> {
    // This system's LLVM determines the version, and the names of the libraries.
    let llvm = clang::llvm()?;
    let name = llvm.file_name().unwrap_or_default().to_string_lossy();
    let version = name.trim_start_matches("llvm-");
    let own = [
        format!("libclang-{version}-dev"),
        format!("llvm-{version}-dev"),
        format!("libpolly-{version}-dev"),
    ];
    let packages: Vec<&str> = own.iter().map(String::as_str).chain(PACKAGES).collect();
    let toolchain = Toolchain {
        llvm: Path::new(ROOT).join("usr/lib").join(&*name),
        cxx: machine.cxx()?,
        linker: machine.tool("ld")?,
        options: options(machine),
    };
    let debian = dir.join("debian");
    Lists::new(&debian, Some(machine.architecture))?.unpack(&packages, &dir.join(ROOT))?;
    fs::remove_dir_all(&debian).map_err(|e| format!("{}: {e}", debian.display()))?;
    clang::build(dir, &toolchain)
}

/// Options by which the compiler driver finds libraries of the packages, and GNU ld the libraries
/// that these load.
fn options(machine: &Machine) -> Vec<String> {
    let dirs = library_dirs(Path::new(ROOT), machine);
    let search = dirs.iter().map(|dir| format!("-L{}", dir.display()));
    let loaded = dirs.iter().map(|dir| format!("-Wl,-rpath-link,{}", dir.display()));
    let own = machine.options.iter().map(|&option| option.to_owned());
    own.chain(search).chain(loaded).collect()
}

fn library_dirs(root: &Path, machine: &Machine) -> [PathBuf; 2] {
    ["usr/lib", "lib"].map(|dir| root.join(dir).join(machine.libraries))
}

fn compiles_a_program(output: &Path, dir: &Path, machine: &Machine) -> Result<(), String> {
    let libraries = library_dirs(&dir.join(ROOT), machine);
    let scratch = Scratch::new()?;
    let (object, program) = (scratch.path().join("program.o"), scratch.path().join("program"));
    clang::says_its_version(&mut machine.command(output, &libraries))?;
    let mut compile = machine.command(output, &libraries);
    compile.arg("-resource-dir").arg(clang::resources()?).args(["-O2", "-x", "c++", "-c"]);
    tools::run(compile.arg(dir.join(clang::PROGRAM_FILE)).arg("-o").arg(&object))?;
    tools::run(Command::new(machine.cxx()?).arg(&object).arg("-o").arg(&program))?;
    clang::computes_its_sum(&mut machine.command(&program, &[]))
}
