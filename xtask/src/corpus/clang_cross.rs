//! Clang for other machines, linked from the static libraries of Debian's packages for them. The
//! packages are unpacked in the corpus, beside this system.
//!
//! The proof is that the linked compiler, in an emulator, compiles the program that throws, and
//! that the program then runs there.

use super::capture::RESPONSE_FILE;
use super::clang::{self, Toolchain};
use super::machine::{ARM64, ARMHF, I386, MIPS64EL, Machine, PPC64LE, S390X};
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

/// The program for one machine.
macro_rules! workload {
    ($name:literal, $about:literal, $machine:ident) => {
        Workload {
            name: $name,
            about: concat!("clang for ", $about, ", --gc-sections -pie --build-id"),
            directory: $name,
            response: RESPONSE_FILE,
            extra: &[],
            recipe: 1,
            plugin: None,
            machine: Some(&$machine),
            slow: true,
            // In Debian's packages for these machines one of LLVM's libraries has debug sections.
            expects: Expectation { debug: true, ..PROGRAM },
            make: |dir| make(dir, &$machine),
            prove: |output, dir| compiles_a_program(output, dir, &$machine),
        }
    };
}

/// The program for each machine of which Debian has clang.
pub fn workloads() -> Vec<Workload> {
    vec![
        workload!("clang-arm64", "AArch64", ARM64),
        workload!("clang-i386", "i386", I386),
        workload!("clang-armhf", "ARM", ARMHF),
        workload!("clang-ppc64le", "PowerPC with 64 bits, little-endian", PPC64LE),
        workload!("clang-s390x", "s390x", S390X),
        workload!("clang-mips64el", "MIPS with 64 bits, little-endian", MIPS64EL),
    ]
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
