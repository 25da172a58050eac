//! The unit tests of the crates with `unsafe`, interpreted by Miri, which knows of each byte who
//! may touch it, and of each access by which other it comes after.
//!
//! Three times: what works alone, by the rules of Stacked Borrows; all, by those of Tree Borrows,
//! because rayon's queues (crossbeam-epoch) keep pointers that the former rules forbid; and what
//! threads share, with many orders of their steps. Tests that need what is not there (mapped files,
//! libzstd) or that take long without `unsafe` say so where they stand.

use super::nightly;
use crate::Result;
use std::process::Stdio;
use xtask::root;

/// How many orders of steps are tried.
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

/// Tests in which threads share what is not a lock's.
const CONCURRENT: [&str; 6] = [
    "alloc::tests::blocks_are_freed",
    "in_order::",
    "names::",
    "output::queue::",
    "output::tests",
    "faults::mappings::",
];

/// What all runs have: files and clocks are the system's; nothing is torn down.
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
    // Where a test panics, as some must, names are long in coming.
    test.env("RUST_BACKTRACE", "0");
    test.env("MIRIFLAGS", format!("{ALWAYS} {flags}")).env("RUSTFLAGS", FEATURES);
    root::run(test.stdin(Stdio::null()))
}
