//! `cargo xtask random-lto`: small programs made by chance of intermediate and other code, which
//! must print the same when skald links them and when GNU ld does, and of which GCC's plugin is
//! told the same.
//!
//! A seed decides all of a program: who defines what, which units are intermediate code, code or
//! both, what is a library or an archive, and the options. `cargo xtask test` links the first
//! [`SEEDS`]; a longer walk is `cargo xtask random-lto --linker PATH FIRST LAST`. What fails is
//! kept in `target/random-lto/SEED`. A seed counts as skipped if GNU ld refuses the program.

mod links;
mod program;
mod source;

use crate::Result;
use crate::random::Chance;
use links::Outcome;
use program::Program;
use skald_testkit::suite::Counts;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use xtask::root;

/// Seeds that each test run links.
pub const SEEDS: u64 = 24;
/// One program in so many may be skipped.
const SKIPPED_OF: usize = 10;

/// The command: `--linker PATH` and two seeds.
pub fn run(words: &[String]) -> Result<()> {
    let usage = "random-lto --linker PATH FIRST LAST";
    let [option, linker, first, last] = words else { return Err(usage.to_owned()) };
    let seed = |word: &String| word.parse::<u64>().map_err(|_| usage.to_owned());
    if option != "--linker" {
        return Err(usage.to_owned());
    }
    let counts = check(Path::new(linker), seed(first)?, seed(last)?)?;
    println!("random lto: {counts}");
    if counts.failed > 0 { Err(format!("{} failed", counts.failed)) } else { Ok(()) }
}

/// Links the programs of the seeds from `first` to before `last`.
pub fn check(linker: &Path, first: u64, last: u64) -> Result<Counts> {
    let linker = linker.canonicalize().map_err(|e| format!("{}: {e}", linker.display()))?;
    let work = root::target().join("random-lto");
    let linkers = links::Linkers::new(&work, &linker)?;
    let next = AtomicU64::new(first);
    let counts = Mutex::new(Counts::default());
    let failed = Mutex::new(None);
    let worker = || {
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= last {
                break;
            }
            match one(&linkers, &work, seed) {
                Ok(outcome) => count(&mut counts.lock().expect("no worker panics"), seed, outcome),
                Err(message) => *failed.lock().expect("no worker panics") = Some(message),
            }
        }
    };
    let workers = std::thread::available_parallelism().map_or(2, usize::from);
    std::thread::scope(|scope| (0..workers).for_each(|_| drop(scope.spawn(worker))));
    if let Some(message) = failed.into_inner().expect("no worker panics") {
        return Err(message);
    }
    let mut counts = counts.into_inner().expect("no worker panics");
    let all = counts.passed + counts.failed + counts.skipped;
    if all >= SKIPPED_OF && counts.skipped * SKIPPED_OF > all {
        println!("FAIL random lto: more than one program in {SKIPPED_OF} could not be compared");
        counts.failed += 1;
    }
    Ok(counts)
}

fn one(linkers: &links::Linkers, work: &Path, seed: u64) -> Result<Outcome> {
    let directory = work.join(seed.to_string());
    let program = Program::new(&mut Chance::new(seed));
    let outcome = links::compare(linkers, &program, &directory)?;
    if !matches!(outcome, Outcome::Different(_)) {
        std::fs::remove_dir_all(&directory).map_err(|e| format!("{}: {e}", directory.display()))?;
    }
    Ok(outcome)
}

fn count(counts: &mut Counts, seed: u64, outcome: Outcome) {
    match outcome {
        Outcome::Same => counts.passed += 1,
        Outcome::NotComparable => counts.skipped += 1,
        Outcome::Different(how) => {
            println!("FAIL random lto {seed}: {how}");
            counts.failed += 1;
        }
    }
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
