//! Runs all cases with a linker that is built with a sanitizer.
//!
//! It allocates with the system's allocator, because the linker's own takes blocks of megabytes,
//! within which a sanitizer sees nothing. The standard library is instrumented too, so that its
//! accesses in locks and vectors are seen; so is libzstd, if clang is installed. Mappings (inputs
//! above a page, streams) are not watched, as they have no poisoned memory around them.

use super::{nightly, reports, workloads};
use crate::Result;
use std::path::{Path, PathBuf};
use std::process::Command;
use xtask::root;

/// A sanitizer.
pub struct Sanitizer {
    /// The name that rustc has for it.
    pub name: &'static str,
    /// The environment variable with its options.
    pub variable: &'static str,
    /// Options of the sanitizer at run time.
    pub options: &'static str,
    /// Whether it checks threads, so that large links are worth their time.
    pub is_about_threads: bool,
    /// Cases that contain one of these texts are left out.
    without: &'static [&'static str],
}

/// AddressSanitizer: accesses outside of allocated memory. Leaks are intended and not reported.
pub const ADDRESS: Sanitizer = Sanitizer {
    name: "address",
    variable: "ASAN_OPTIONS",
    options: "detect_leaks=0:handle_segv=2:handle_sigbus=0:handle_abort=0:detect_stack_use_after_return=1:\
              strict_string_checks=1",
    is_about_threads: false,
    without: &[LIMITED],
};

/// ThreadSanitizer: data races. A race is reported and does not change the exit status of the link.
pub const THREAD: Sanitizer = Sanitizer {
    name: "thread",
    variable: "TSAN_OPTIONS",
    // By default each process sleeps for a second before it exits.
    options: "exitcode=0:die_after_fork=0:handle_segv=2:handle_sigbus=0:handle_abort=0:history_size=4:\
              atexit_sleep_ms=0",
    is_about_threads: true,
    // These cases limit memory, and the sanitizer's shadow memory counts against the limit.
    without: &[LIMITED, "--memory-limit=$"],
};

/// Cases that limit the address space leave too little for what a sanitizer reserves.
const LIMITED: &str = "ulimit -v";

const TARGET: &str = "x86_64-unknown-linux-gnu";

/// Builds the linker, runs all links, and prints the reports.
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

/// Runs all cases in a child process of this program, whose environment hands the options on to the
/// links.
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
