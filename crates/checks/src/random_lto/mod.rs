//! `cargo xtask random-lto`: makes random small programs of LTO intermediate code and machine code.
//! They must print the same whether skald or GNU ld links them, and GCC's plugin must get the same
//! resolutions.
//!
//! A seed determines the whole program: which unit defines what, which units are intermediate code,
//! machine code or both, which are in a library or an archive, and the options. `cargo xtask test`
//! links the first [`SEEDS`]; a longer walk is `cargo xtask random-lto --linker PATH
//! [--machine NAME] FIRST LAST`. Programs that nothing runs here are compared by their structure
//! and resolutions alone.
//! What fails is kept in `target/random-lto/SEED`. A seed counts as skipped if GNU ld refuses the
//! program.

mod difference;
mod links;
mod program;
mod source;

use crate::Result;
use crate::asked::{self, Asked};
use crate::random::{Chance, Outcome, walk};
use program::Program;
use skald_testkit::machine::Machine;
use skald_testkit::suite::Counts;
use std::ops::Range;
use std::path::Path;
use xtask::root;

/// Seeds that each test run links.
pub const SEEDS: u64 = 24;
/// The command: `--linker PATH` and two seeds.
pub fn run(words: &[String]) -> Result<()> {
    let asked = Asked::of(words, "random-lto", "FIRST LAST")?;
    asked::verdict("random lto", check(&asked.linker, asked.machine, asked.numbers()?)?)
}

/// Links the programs of these seeds for `machine`.
pub fn check(linker: &Path, machine: &'static Machine, seeds: Range<u64>) -> Result<Counts> {
    if let Some(counts) = asked::without_libraries("random lto", machine) {
        return Ok(counts);
    }
    let linker = linker.canonicalize().map_err(|e| format!("{}: {e}", linker.display()))?;
    let work = machine.own_directory(&root::target().join("random-lto"));
    let linkers = links::Linkers::new(&work, &linker, machine)?;
    walk("random lto", seeds, |seed| one(&linkers, &work, seed))
}

fn one(linkers: &links::Linkers, work: &Path, seed: u64) -> Result<Outcome> {
    let directory = work.join(seed.to_string());
    let mut program = Program::new(&mut Chance::new(seed));
    program.is_clang &= linkers.has_clang;
    let outcome = links::compare(linkers, &program, &directory)?;
    if !matches!(outcome, Outcome::Different(_)) {
        std::fs::remove_dir_all(&directory).map_err(|e| format!("{}: {e}", directory.display()))?;
    }
    Ok(outcome)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_is_always_the_same_program() {
        let sources = |seed| source::sources(&Program::new(&mut Chance::new(seed)));
        assert_eq!(sources(7), sources(7));
        assert_ne!(sources(7), sources(8));
    }
}
