//! `cargo xtask test --real`: links real programs with the linker under test.
//!
//! The workspace itself, its unit tests and three generations of it linked by one another. Programs
//! in Rust, C, C++, Go and for Python; libraries with versioned symbols; clang. Linux kernels,
//! firmware and programs for UEFI, laid out by their scripts. Programs of GCC, gfortran and clang
//! with link-time optimisation. Programs for AArch64 and i386 with their own tests. Each must build
//! and then work. A program that cannot be downloaded, or whose compiler is missing, is skipped.

mod clang;
mod cross;
mod debian;
mod efi;
mod firmware;
mod go;
mod libcrypto;
mod linux;
mod lto;
mod machine;
mod native;
mod python;
mod rust;
mod structure;

use crate::Result;

use skald_testkit::linker::{Linker, Way};
use skald_testkit::suite::Counts;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use xtask::{crates_io, root};

/// One program: a name, and the function that builds and tries it.
type Program = (&'static str, fn(&Place) -> Result<Done>);

/// How a program ended, if not by an error.
enum Done {
    Right,
    Skipped(String),
}

/// Where programs are built, and the linker that links them.
struct Place {
    directory: PathBuf,
    linker: Linker,
}

const PROGRAMS: [Program; 29] = [
    ("workspace", rust::workspace),
    ("unit tests", rust::unit_tests),
    ("generations", rust::generations),
    ("ripgrep", rust::ripgrep),
    ("ripgrep, debug", rust::ripgrep_debug),
    ("C libraries", rust::c_libraries),
    ("C libraries, static", rust::c_libraries_static),
    ("C++ exceptions", native::exceptions),
    ("busybox, static", native::busybox),
    ("LTO, zlib", lto::zlib),
    ("LTO, bzip2", lto::bzip2),
    ("LTO, lua", lto::lua),
    ("LTO, sqlite3", lto::sqlite),
    ("LTO, bash", lto::bash),
    ("LTO, busybox, static", lto::busybox),
    ("LTO, Fortran", lto::fortran),
    ("LTO, OpenMP", lto::openmp),
    ("LTO, git by clang", lto::git),
    ("LTO, ripgrep", rust::ripgrep_by_plugin),
    ("libcrypto", libcrypto::libcrypto),
    ("Go", go::cgo),
    ("Python extension", python::extension),
    ("clang", clang::clang),
    ("EFI application", efi::application),
    ("EFI application, AArch64", efi::application_aarch64),
    ("SeaBIOS", firmware::seabios),
    ("Linux, tinyconfig", linux::small),
    ("Linux, i386", linux::small_i386),
    ("Linux, AArch64", linux::small_aarch64),
];

/// Programs that take so long that they are built only if the filter is the end of their name.
const LONG_PROGRAMS: [Program; 2] =
    [("Linux, defconfig", linux::usual), ("Linux, AArch64 defconfig", linux::usual_aarch64)];

/// Runs the programs whose `real/NAME` holds `filter` with the linker at `path`, printing one line
/// each.
pub fn run(path: &Path, filter: Option<&str>) -> Result<Counts> {
    let directory = root::directory().join("target/real");
    std::fs::create_dir_all(&directory).map_err(|e| format!("{}: {e}", directory.display()))?;
    let linker = Linker::new(path, &directory.join("bin"))?;
    let place = Place { directory, linker };
    let mut counts = Counts::default();
    let is_asked = |name: &str, is_long: bool| match filter {
        None => !is_long,
        Some(filter) if is_long => format!("real/{name}").ends_with(filter),
        Some(filter) => format!("real/{name}").contains(filter),
    };
    let usual = PROGRAMS.into_iter().chain(cross::PROGRAMS);
    let usual = usual.filter(|(name, _)| is_asked(name, false));
    let long = LONG_PROGRAMS.into_iter().filter(|(name, _)| is_asked(name, true));
    for (name, program) in usual.chain(long) {
        match program(&place) {
            Ok(Done::Right) => {
                println!("ok   real/{name}");
                counts.passed += 1;
            }
            Ok(Done::Skipped(reason)) => {
                println!("skip real/{name}: {reason}");
                counts.skipped += 1;
            }
            Err(message) => {
                println!("FAIL real/{name}: {message}");
                counts.failed += 1;
            }
        }
    }
    println!("real: {counts}");
    Ok(counts)
}

impl Place {
    /// A cargo whose links go through the linker, with its own target directory.
    fn cargo(&self, target: &str, more_flags: &str) -> Command {
        let directory = self.linker.directory(Way::Plain);
        // Without the last option rustc uses its own lld.
        let flags = format!(
            "-Clinker=gcc -Clink-arg=-B{} -Clinker-features=-lld {more_flags}",
            directory.display()
        );
        let mut command = root::cargo();
        command.env("RUSTFLAGS", flags).env("CARGO_TARGET_DIR", self.directory.join(target));
        command
    }
}

impl Place {
    /// The option that makes gcc and g++ use the linker.
    fn driver_option(&self) -> String {
        format!("-B{}", self.linker.directory(Way::Plain).display())
    }

    /// A fresh directory `name` with these files.
    fn project(&self, name: &str, files: &[(&str, &str)]) -> Result<PathBuf> {
        let directory = self.directory.join(name);
        for (file, text) in files {
            let path = directory.join(file);
            let parent = path.parent().unwrap_or(&directory);
            std::fs::create_dir_all(parent).map_err(|e| format!("{}: {e}", parent.display()))?;
            std::fs::write(&path, text).map_err(|e| format!("{}: {e}", path.display()))?;
        }
        Ok(directory)
    }
}

/// Whether a program can be run.
fn is_installed(program: &str, argument: &str) -> bool {
    let mut command = Command::new(program);
    command.arg(argument).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

/// An error unless `command` prints `expected`.
fn prints(command: &mut Command, expected: &str) -> Result<()> {
    match output(command)? {
        text if text == expected => Ok(()),
        text => Err(format!("{command:?} prints {text:?}, not {expected:?}")),
    }
}

/// The program's standard output; an error unless it succeeds.
fn output(command: &mut Command) -> Result<String> {
    let name = format!("{command:?}");
    let output = command.stdin(Stdio::null()).output().map_err(|e| format!("{name}: {e}"))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    if output.status.success() {
        return Ok(text);
    }
    Err(format!("{name}: {}\n{text}{}", output.status, String::from_utf8_lossy(&output.stderr)))
}

/// Skips a program that failed because there is no network.
fn skip_if_offline(message: String) -> Result<Done> {
    if crates_io::is_offline(&message) {
        Ok(Done::Skipped("crates.io is not reached".to_owned()))
    } else {
        Err(message)
    }
}
