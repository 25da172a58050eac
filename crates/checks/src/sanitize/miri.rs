//! The unit tests of the crates with `unsafe`, interpreted by Miri, which checks for each byte
//! which pointers may access it, and for each access which others happen before it.
//!
//! It runs three times. Tests without rayon run by the rules of Stacked Borrows. All tests run by
//! Tree Borrows, because rayon's queues (crossbeam-epoch) keep pointers that the former rules
//! forbid. Tests of shared data run with many interleavings of threads. Tests that need what Miri
//! lacks (mapped files, libzstd), or that take long and have no `unsafe`, are marked where they are
//! defined.

use super::nightly;
use crate::Result;
use std::process::Stdio;
use xtask::root;

/// Number of interleavings that are tried.
pub const SEEDS: u32 = 32;

/// Modules whose tests run on rayon's threads.
const ON_RAYON: [&str; 9] = [
    "alloc::tests::free",
    "ids::",
    "in_order::",
    "input::",
    "names::",
    "output::",
    "par::",
    "shares::",
    "unordered::",
];

/// Tests in which threads share data without a lock.
const CONCURRENT: [&str; 6] = [
    "alloc::tests::blocks_are_freed",
    "in_order::",
    "names::",
    "output::queue::",
    "output::tests",
    "faults::mappings::",
];

/// Options of all runs: access to the system's files and clocks, and no report of leaks.
const ALWAYS: &str = "-Zmiri-disable-isolation -Zmiri-ignore-leaks -Zmiri-permissive-provenance";

/// The crates with `unsafe`.
const CRATES: [&str; 3] = ["skald-core", "skald-host", "skald-plugin"];

/// Instructions that `core` asks the processor for, and that Miri knows.
const FEATURES: &str = "-Ctarget-feature=+aes,+avx2";

/// The command.
pub fn run(seeds: u32) -> Result<()> {
    nightly::install(&["miri", "rust-src"], || {
        nightly::works(nightly::cargo().args(["miri", "--version"])) && nightly::has_source()
    })?;
    let alone: Vec<&str> = ON_RAYON.iter().flat_map(|name| ["--skip", name]).collect();
    interpret("", &alone)?;
    interpret("-Zmiri-tree-borrows", &[])?;
    interpret(&format!("-Zmiri-tree-borrows -Zmiri-many-seeds=0..{seeds}"), &CONCURRENT)
}

/// Interprets the tests that `words` name; an error if Miri finds anything or a test fails.
fn interpret(flags: &str, words: &[&str]) -> Result<()> {
    println!("miri {flags} {}", words.join(" "));
    let mut test = nightly::cargo();
    test.args(["miri", "test", "--quiet", "--lib"]);
    test.args(CRATES.iter().flat_map(|name| ["--package", name])).arg("--").args(words);
    // Some tests have to panic, and Miri takes long to symbolize a backtrace.
    test.env("RUST_BACKTRACE", "0");
    test.env("MIRIFLAGS", format!("{ALWAYS} {flags}")).env("RUSTFLAGS", FEATURES);
    root::run(test.stdin(Stdio::null()))
}
