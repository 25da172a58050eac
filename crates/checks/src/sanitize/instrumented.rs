//! The linker built with a sanitizer, put through all cases.
//!
//! Memory is the system's allocator's then: the linker's own takes what it is given as one block
//! each of megabytes, in which a sanitizer sees nothing. The standard library is built along, so
//! that what it does under locks and in vectors is seen; libzstd too, by clang, if that is there.
//! What is mapped (inputs above a page, streams) is not watched: there is no room around it that
//! would be poisoned.

use super::{nightly, reports, workloads};
use crate::Result;
use std::path::{Path, PathBuf};
use std::process::Command;
use xtask::root;

/// A sanitizer.
pub struct Sanitizer {
    /// As rustc calls it.
    pub name: &'static str,
    /// The variable with its options.
    pub variable: &'static str,
    /// Options of the sanitizer at run time.
    pub options: &'static str,
    /// Whether it is about threads, so that large links are worth their time.
    pub is_about_threads: bool,
    /// Cases that hold one of these are left out.
    without: &'static [&'static str],
}

/// Memory that is not there or not any more. What is never freed is meant to be.
pub const ADDRESS: Sanitizer = Sanitizer {
    name: "address",
    variable: "ASAN_OPTIONS",
    options: "detect_leaks=0:handle_segv=2:handle_sigbus=0:handle_abort=0:detect_stack_use_after_return=1:\
              strict_string_checks=1",
    is_about_threads: false,
    without: &[LIMITED],
};

/// Accesses that no order holds apart. A race is a report, and no other end of the link.
pub const THREAD: Sanitizer = Sanitizer {
    name: "thread",
    variable: "TSAN_OPTIONS",
    // By default each process sleeps for a second before it exits.
    options: "exitcode=0:die_after_fork=0:handle_segv=2:handle_sigbus=0:handle_abort=0:history_size=4:\
              atexit_sleep_ms=0",
    is_about_threads: true,
    // Its shadow of memory counts against the limits that these measure out.
    without: &[LIMITED, "--memory-limit=$"],
};

/// What a sanitizer sets aside of the address space does not fit into what such cases leave of it.
const LIMITED: &str = "ulimit -v";

const TARGET: &str = "x86_64-unknown-linux-gnu";

/// Builds, links everything, and shows what was found.
pub fn run(sanitizer: &Sanitizer, filter: Option<&str>) -> Result<()> {
    let directory = root::target().join("sanitize").join(sanitizer.name);
    let linker = build(sanitizer, &directory)?;
    let found = directory.join("reports");
    let _ = std::fs::remove_dir_all(&found);
    std::fs::create_dir_all(&found).map_err(|e| format!("{}: {e}", found.display()))?;
    let options = format!("log_path={}:{}", found.join("report").display(), sanitizer.options);
    let cases = cases(&linker, filter, sanitizer, &options);
    if sanitizer.is_about_threads && filter.is_none() {
        workloads::link(&linker, &directory, sanitizer.variable, &options)?;
    }
    let reports = reports::read(&found)?;
    reports::show(&reports);
    match reports.len() {
        0 => cases,
        count => Err(format!("{count} different reports, all in {}", found.display())),
    }
}

/// Builds the linker below `directory`.
fn build(sanitizer: &Sanitizer, directory: &Path) -> Result<PathBuf> {
    nightly::install(&["rust-src"], nightly::has_source)?;
    println!("building skald with -Zsanitizer={}: some minutes", sanitizer.name);
    let mut build = nightly::cargo();
    build.args(["build", "--quiet", "-Zbuild-std", "--target", TARGET, "--package", "skald"]);
    build.args(["--features", "system-allocator", "--target-dir"]).arg(directory);
    let flags = format!("-Zsanitizer={} -Cforce-frame-pointers=yes", sanitizer.name);
    build.env("RUSTFLAGS", flags);
    if nightly::works(Command::new("clang-19").arg("--version")) {
        build.env("CC", "clang-19").env("CFLAGS", format!("-fsanitize={}", sanitizer.name));
    }
    root::run(&mut build)?;
    Ok(directory.join(TARGET).join("debug/skald"))
}

/// All cases, by this program in a process of its own, which its children have the options from.
fn cases(linker: &Path, filter: Option<&str>, sanitizer: &Sanitizer, options: &str) -> Result<()> {
    let this = std::env::current_exe().map_err(|e| e.to_string())?;
    let mut test = Command::new(this);
    test.args(["test", "--linker"]).arg(linker).args(filter);
    for word in sanitizer.without {
        test.args(["--without", word]);
    }
    test.env(sanitizer.variable, options);
    root::run(&mut test)
}
