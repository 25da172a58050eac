//! `cargo xtask random`: makes random small programs, which must print the same whether skald or
//! GNU ld links them.
//!
//! A seed determines the whole program: its symbols and their definitions, how code accesses them,
//! which units are in a library or an archive, and the options. `cargo xtask test` links the first
//! [`SEEDS`]; a longer walk is `cargo xtask random --linker PATH FIRST LAST`. Programs for x86-64
//! are assembler code; with `--machine NAME` they are in C. What fails is kept in
//! `target/random/SEED`. A seed counts as skipped if GNU ld refuses the program or makes one that
//! is killed. Few may be: a walk that skips many of its programs proves nothing.

mod access;
mod c_units;
pub mod links;
mod program;
mod units;

use crate::Result;
use crate::asked::{self, Asked};

use program::Language;
use skald_testkit::lint;
use skald_testkit::machine::Machine;
use skald_testkit::output_file::OutputFile;
use skald_testkit::suite::Counts;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use xtask::root;

/// Seeds that each test run links.
pub const SEEDS: u64 = 60;

/// Pseudo-random numbers of a seed, the same on every machine (SplitMix64).
pub struct Chance(u64);

impl Chance {
    /// The numbers of `seed`.
    pub fn new(seed: u64) -> Chance {
        Chance(seed.wrapping_mul(0x2545_f491_4f6c_dd1d))
    }

    /// A number below `limit`.
    pub fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ mixed >> 31) % limit as u64) as usize
    }

    /// True with a probability of `percent` in a hundred.
    pub fn happens(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// One of several.
    pub fn one_of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }
}

/// The command: `--linker PATH` and two seeds.
pub fn run(words: &[String]) -> Result<()> {
    let asked = Asked::of(words, "random", "FIRST LAST")?;
    asked::verdict("random", check(&asked.linker, asked.machine, asked.numbers()?)?)
}

/// Links the programs of these seeds for `machine`.
pub fn check(linker: &Path, machine: &'static Machine, seeds: Range<u64>) -> Result<Counts> {
    if let Some(counts) = asked::without_libraries("random", machine) {
        return Ok(counts);
    }
    if machine.word == "avr" {
        println!("skip random: programs of AVR have no libraries that are loaded");
        return Ok(Counts { skipped: 1, ..Counts::default() });
    }
    let linker = linker.canonicalize().map_err(|e| format!("{}: {e}", linker.display()))?;
    let work = machine.own_directory(&root::target().join("random"));
    let drivers = links::Drivers::new(&work, &linker, machine)?;
    walk("random", seeds, |seed| one(&drivers, &work, seed))
}

/// The first finding of the linter in these outputs in `directory`, except those that inputs and
/// options can cause.
pub fn lint<'a>(
    directory: &Path,
    outputs: impl IntoIterator<Item = &'a str>,
) -> Result<Option<String>> {
    let except = lint::MAY_BE_ASKED_FOR.map(str::to_owned);
    for output in outputs {
        let file = OutputFile::read(&directory.join(output))?;
        if let Some(finding) = lint::check(&file, &except).first() {
            return Ok(Some(format!("{output}: {finding}")));
        }
    }
    Ok(None)
}

/// The result of comparing a program as linked by two linkers.
pub enum Outcome {
    /// Alike in everything that counts.
    Same,
    /// The peer does not make a program.
    NotComparable,
    /// Not alike, and how.
    Different(String),
}

/// Compares the programs of all `seeds`, and prints those that differ.
pub fn walk(
    what: &str,
    seeds: Range<u64>,
    one: impl Fn(u64) -> Result<Outcome> + Sync,
) -> Result<Counts> {
    let mut counts = Counts::default();
    by_workers(seeds, one, |seed, outcome| match outcome {
        Outcome::Same => counts.passed += 1,
        Outcome::NotComparable => counts.skipped += 1,
        Outcome::Different(how) => {
            println!("FAIL {what} {seed}: {how}");
            counts.failed += 1;
        }
    })?;
    if skips_too_many(&counts) {
        println!("FAIL {what}: more than one program in {SKIPPED_OF} could not be compared");
        counts.failed += 1;
    }
    Ok(counts)
}

/// Runs `one` for each of `seeds`, with one thread per processor; `take` gets the results, in any
/// order.
pub fn by_workers<T>(
    seeds: Range<u64>,
    one: impl Fn(u64) -> Result<T> + Sync,
    take: impl FnMut(u64, T) + Send,
) -> Result<()> {
    let next = AtomicU64::new(seeds.start);
    let take = Mutex::new(take);
    let failed = Mutex::new(None);
    let worker = || {
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= seeds.end {
                break;
            }
            match one(seed) {
                Ok(made) => (take.lock().expect("no worker panics"))(seed, made),
                Err(message) => *failed.lock().expect("no worker panics") = Some(message),
            }
        }
    };
    let workers = std::thread::available_parallelism().map_or(2, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(worker);
        }
    });
    failed.into_inner().expect("no worker panics").map_or(Ok(()), Err)
}

/// At most one program in this many may be skipped.
const SKIPPED_OF: usize = 10;

/// Whether a walk skips too many programs; with fewer than [`SKIPPED_OF`] the share means nothing.
fn skips_too_many(counts: &Counts) -> bool {
    let all = counts.passed + counts.failed + counts.skipped;
    all >= SKIPPED_OF && counts.skipped * SKIPPED_OF > all
}

fn one(drivers: &links::Drivers, work: &Path, seed: u64) -> Result<Outcome> {
    let directory: PathBuf = work.join(seed.to_string());
    let language = if drivers.machine.is_native() { Language::Assembler } else { Language::C };
    let program = program::Program::new(&mut Chance::new(seed), language);
    let outcome = links::compare(drivers, &program, &directory)?;
    if !matches!(outcome, Outcome::Different(_)) {
        std::fs::remove_dir_all(&directory).map_err(|e| format!("{}: {e}", directory.display()))?;
    }
    Ok(outcome)
}

#[cfg(test)]
mod tests {
    use super::program::{Language, Program};
    use super::{Chance, skips_too_many};
    use skald_testkit::suite::Counts;

    #[test]
    fn a_seed_is_always_the_same_program() {
        for language in [Language::Assembler, Language::C] {
            let sources = |seed| Program::new(&mut Chance::new(seed), language).sources().to_vec();
            assert_eq!(sources(7), sources(7));
            assert_ne!(sources(7), sources(8));
        }
    }

    #[test]
    fn a_tenth_may_be_skipped() {
        let counts = |passed, skipped| Counts { passed, failed: 0, skipped };
        assert!(!skips_too_many(&counts(54, 6)));
        assert!(skips_too_many(&counts(53, 7)));
        assert!(skips_too_many(&counts(0, 60)));
        assert!(!skips_too_many(&counts(0, 1)));
    }
}
