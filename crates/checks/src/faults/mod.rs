//! `cargo xtask faults --linker PATH [KIND]`: each system call of a link fails once, in each way in
//! which it can.
//!
//! The check runs every kind of link ([`links`]) once for every system call that it makes
//! ([`calls`]). There the call fails with each error that it may give, or does half of what it was
//! asked to. Or the process is killed there, or an input is truncated, rewritten, replaced or
//! removed. This is done with one thread, for which the calls are always the same, and with two
//! ([`Place`]). Then links are killed at any moment ([`any_moment`]), and go onto disks that are
//! too small ([`full_disk`]). What must hold of each: status 0 means the whole output, byte for
//! byte that of an undisturbed link; any other means status 1, a message, and nothing left that was
//! not whole before. After a kill the next link finds nothing in its way and leaves nothing of the
//! old one.

mod any_moment;
mod calls;
mod full_disk;
pub mod links;
mod tracer;
mod verdict;

use crate::Result;
use links::{Inputs, KINDS, Kind};
use nix::errno::Errno;
use skald_testkit::suite::Counts;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use tracer::{Fault, Place};
use verdict::Expected;
use xtask::root;

/// The fault that is tried at one call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Trial {
    Error(Errno),
    Half,
    Kill,
    Change(Change),
}

/// How an input changes during the link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Change {
    Truncate,
    Overwrite,
    Replace,
    Remove,
}

const CHANGES: [Change; 4] = [Change::Truncate, Change::Overwrite, Change::Replace, Change::Remove];

/// The inputs that change.
const CHANGED: [&str; 3] = ["main.o", "libmember.a", "liblib.so"];

impl Change {
    fn make(self, directory: &Path, name: &str) {
        let path = directory.join(name);
        let bytes = std::fs::read(&path).unwrap_or_default();
        // Errors are ignored: if the change fails, the link is not disturbed.
        let _ = match self {
            Change::Truncate => std::fs::OpenOptions::new()
                .write(true)
                .open(&path)
                .and_then(|file| file.set_len(bytes.len() as u64 / 3)),
            Change::Overwrite => std::fs::write(&path, vec![0x5a; bytes.len()]),
            Change::Replace => std::fs::copy(directory.join("other.o"), directory.join("new"))
                .and_then(|_| std::fs::rename(directory.join("new"), &path)),
            Change::Remove => std::fs::remove_file(&path),
        };
    }
}

/// The command: `--linker PATH`, and a kind of link.
pub fn run(words: &[String]) -> Result<()> {
    let (linker, only) = match words {
        [option, linker] if option == "--linker" => (linker, None),
        [option, linker, only] if option == "--linker" => (linker, Some(only.as_str())),
        _ => return Err("faults --linker PATH [KIND]".to_owned()),
    };
    let linker = Path::new(linker).canonicalize().map_err(|e| format!("{linker}: {e}"))?;
    let counts = check(&linker, &|kind| only.is_none_or(|only| only == kind.name), &WHOLE)?;
    println!("faults: {counts}");
    if counts.failed > 0 { Err(format!("{} failed", counts.failed)) } else { Ok(()) }
}

/// The extent of a check.
#[derive(Debug)]
pub struct Extent {
    /// Numbers of threads.
    threads: &'static [usize],
    /// Links that are killed at any moment, of all kinds.
    kills: usize,
}

/// The full check.
const WHOLE: Extent = Extent { threads: &[1, 2], kills: 1000 };
/// The part of the check that each test run does.
pub const QUICK: Extent = Extent { threads: &[1, 2], kills: 0 };

/// The kinds that each test run tries: these take seconds.
pub fn is_quick(kind: &Kind) -> bool {
    ["program", "relink", "stream"].contains(&kind.name)
}

/// Tries all faults with the kinds of link for which `is_wanted` holds.
pub fn check(linker: &Path, is_wanted: &dyn Fn(&Kind) -> bool, extent: &Extent) -> Result<Counts> {
    let work = root::target().join("faults");
    let _ = std::fs::remove_dir_all(&work);
    std::fs::create_dir_all(&work).map_err(|e| format!("{}: {e}", work.display()))?;
    if let Err(message) = tracer::run(&work, &["true".to_owned()], None) {
        println!("faults: skipped: {message}");
        return Ok(Counts { skipped: 1, ..Counts::default() });
    }
    let inputs = Inputs::make(&work.join("inputs"), linker)?;
    let mut total = Counts::default();
    let mut count = |name: &str, counts: Counts| {
        println!("{name}: {counts}");
        total.passed += counts.passed;
        total.failed += counts.failed;
        total.skipped += counts.skipped;
    };
    let kinds: Vec<&Kind> = KINDS.iter().filter(|kind| is_wanted(kind)).collect();
    for kind in &kinds {
        for &threads in extent.threads {
            let words = kind.words(linker, threads);
            let counts = of_kind(kind, &inputs, &words, &work)?;
            count(&format!("{}, {threads} threads", kind.name), counts);
        }
    }
    count("full disks", full_disk::check(&inputs, linker, &work, is_wanted)?);
    if extent.kills > 0 {
        count("any moment", any_moment::check(&kinds, extent, &inputs, linker, &work)?);
    }
    Ok(total)
}

fn of_kind(kind: &Kind, inputs: &Inputs, words: &[String], work: &Path) -> Result<Counts> {
    let expected = Expected::of(kind, inputs, words, &work.join(kind.name))?;
    let trials = trials(&expected);
    let next = AtomicUsize::new(0);
    let (failed, unmet) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let broken = Mutex::new(None);
    let worker = |number: usize| {
        let directory = work.join(format!("{}-{number}", kind.name));
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(&(call, trial)) = trials.get(at) else { break };
            let tried = one(kind, inputs, words, &directory, call, trial, &expected);
            match tried {
                Ok(Ok(true)) => {}
                Ok(Ok(false)) => {
                    unmet.fetch_add(1, Ordering::Relaxed);
                }
                Ok(Err(how)) => {
                    let Place { call, before } = expected.calls[call];
                    let (kind, way) = (kind.name, &words[1]);
                    println!("FAIL {kind} {way} {} {before} {trial:?}: {how}", call.name);
                    failed.fetch_add(1, Ordering::Relaxed);
                }
                Err(message) => *broken.lock().expect("no worker panics") = Some(message),
            }
        }
        let _ = std::fs::remove_dir_all(&directory);
    };
    let workers = std::thread::available_parallelism().map_or(2, usize::from);
    std::thread::scope(|scope| {
        for number in 0..workers {
            scope.spawn(move || worker(number));
        }
    });
    match broken.into_inner().expect("no worker panics") {
        Some(message) => Err(message),
        None => {
            let failed = failed.into_inner();
            let skipped = unmet.into_inner();
            Ok(Counts { passed: trials.len() - failed - skipped, failed, skipped })
        }
    }
}

/// Every call with every trial that suits it.
fn trials(expected: &Expected) -> Vec<(usize, Trial)> {
    let mut trials = Vec::new();
    for (at, Place { call, .. }) in expected.calls.iter().enumerate() {
        trials.extend(call.errors.iter().map(|&errno| (at, Trial::Error(errno))));
        if call.can_be_short {
            trials.push((at, Trial::Half));
        }
        trials.push((at, Trial::Kill));
        trials.extend(CHANGES.map(|change| (at, Trial::Change(change))));
    }
    trials
}

/// Runs one trial. The inner result says what is wrong, or whether the call was made at all: the
/// calls of a process differ a little from run to run.
fn one(
    kind: &Kind,
    inputs: &Inputs,
    words: &[String],
    directory: &Path,
    call: usize,
    trial: Trial,
    expected: &Expected,
) -> Result<std::result::Result<bool, String>> {
    inputs.copy(kind, directory)?;
    let place = expected.calls[call];
    // Spreads the changes over the inputs, in the same way in each run.
    let changed = CHANGED[call % CHANGED.len()];
    let Trial::Change(change) = trial else {
        let fault = match trial {
            Trial::Error(errno) => Fault::Error(errno),
            Trial::Half => Fault::Half,
            _ => Fault::Kill,
        };
        let outcome = tracer::run(directory, words, Some((place, fault)))?;
        let verdict = verdict::of(kind, trial, &outcome, directory, expected, words)?;
        return Ok(verdict.map(|()| outcome.is_met));
    };
    let make = || change.make(directory, changed);
    let outcome = tracer::run(directory, words, Some((place, Fault::Before(&make))))?;
    let verdict = verdict::of(kind, trial, &outcome, directory, expected, words)?;
    Ok(verdict.map(|()| outcome.is_met))
}
