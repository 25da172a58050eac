//! `cargo xtask fuzz [--executions COUNT] [--from NUMBER] [TARGET]`: runs the fuzz targets of
//! `fuzz/` on random bytes; a stable compiler is enough.
//!
//! A number determines an input: one of the target's seed inputs ([`corpus`]) with a few changes
//! ([`mutate`]). Child processes run some thousand inputs each ([`child`]), because a process keeps
//! inputs in memory until it ends, as a link does. The input at which one dies is kept in
//! `target/fuzz/`; `cargo xtask fuzz --input FILE TARGET` tries it again. `cargo xtask test` tries
//! the first ones of each target.

mod child;
mod corpus;
mod mutate;
#[path = "../../../../fuzz/src/lib.rs"]
mod targets;
mod tried;

use crate::Result;
use corpus::Corpus;
use skald_testkit::machine::{self, Machine};
use skald_testkit::suite::Counts;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::AtomicU64;
use std::time::Instant;
use targets::{TARGETS, Target};
use tried::Tried;
use xtask::root;

/// Default number of executions, of all targets together.
const EXECUTIONS: u64 = 10_000_000;
/// Number of executions in each test run.
pub const QUICK: u64 = 100_000;
/// Inputs that one process tries.
const BATCH: u64 = 50_000;
/// Targets that are whole links, with their cost as a multiple of that of the other targets. They
/// also keep more memory.
const LINKS: [(&str, u64); 2] = [("link", 200), ("scripted_link", 25)];
/// Targets that depend on the machine, and run for the one that `--machine` names; one that has no
/// inputs there, as no assembler makes `.sframe` of i386, is skipped.
const OF_MACHINES: [&str; 7] =
    ["archive", "compressed", "eh_frame", "link", "object_file", "sframe", "shared_file"];
/// A target is given up after this many of its processes have died.
const DEATHS: usize = 40;

/// The command.
pub fn run(words: &[String]) -> Result<()> {
    let (machine, words) = machine::of_words(words)?;
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["--child", machine, target, first, last, place] => {
            let number = |word: &str| word.parse::<u64>().map_err(|e| format!("{word}: {e}"));
            let machine = machine::named(machine)?;
            let corpus = Corpus::read(target, &work(machine).join("files"), machine)?;
            child::run(find(target)?, &corpus, number(first)?, number(last)?, Path::new(place))
        }
        ["--input", file, target] => child::file(find(target)?, Path::new(file)),
        _ => {
            let (executions, from, only) = arguments(&words)?;
            let counts = check(machine, executions, from, only)?;
            println!("fuzz: {counts}");
            if counts.failed > 0 { Err(format!("{} failed", counts.failed)) } else { Ok(()) }
        }
    }
}

fn arguments<'a>(words: &[&'a str]) -> Result<(u64, u64, Option<&'a str>)> {
    let (mut executions, mut from, mut only) = (EXECUTIONS, 0, None);
    let mut words = words.iter();
    while let Some(&word) = words.next() {
        let mut number =
            || words.next().and_then(|w| w.parse().ok()).ok_or(format!("{word} COUNT"));
        match word {
            "--executions" => executions = number()?,
            "--from" => from = number()?,
            target => only = Some(find(target).map(|_| target)?),
        }
    }
    Ok((executions, from, only))
}

fn find(name: &str) -> Result<Target> {
    let found = TARGETS.iter().find(|(target, _)| *target == name);
    found.map(|(_, run)| *run).ok_or_else(|| format!("no target '{name}'"))
}

fn work(machine: &Machine) -> PathBuf {
    machine.own_directory(&root::target().join("fuzz"))
}

/// Runs this many inputs, shared by all targets, or all of them for the target `only`. Numbers
/// start at `from`.
pub fn check(
    machine: &'static Machine,
    executions: u64,
    from: u64,
    only: Option<&str>,
) -> Result<Counts> {
    corpus::make(&work(machine).join("files"), machine)?;
    let names = TARGETS.iter().map(|(name, _)| *name);
    let names = names.filter(|name| machine.is_native() || OF_MACHINES.contains(name));
    let names: Vec<&str> = names.filter(|name| only.is_none_or(|only| only == *name)).collect();
    let cost = |name: &str| LINKS.iter().find(|(link, _)| *link == name).map(|(_, cost)| *cost);
    let links: u64 = LINKS.iter().map(|(_, cost)| executions / cost).sum();
    let others = names.iter().filter(|name| cost(name).is_none()).count().max(1) as u64;
    let mut total = Counts::default();
    for name in names {
        let is_empty = || -> Result<bool> {
            Ok(Corpus::read(name, &work(machine).join("files"), machine)?.inputs.is_empty())
        };
        if !machine.is_native() && is_empty()? {
            println!("skip fuzz {name}: the tools of {} make no inputs for it", machine.word);
            total.skipped += 1;
            continue;
        }
        let (count, batch) = match cost(name) {
            Some(cost) if only.is_some() => (executions, BATCH / cost),
            Some(cost) => (executions / cost, BATCH / cost),
            None if only.is_some() => (executions, BATCH),
            None => ((executions - links).div_ceil(others), BATCH),
        };
        let start = Instant::now();
        let tried = Tried {
            name,
            machine,
            next: AtomicU64::new(from),
            last: from + count,
            batch,
            done: AtomicU64::default(),
            findings: Mutex::default(),
        };
        tried.on_all_processors()?;
        let done = tried.done.into_inner();
        let findings = tried.findings.into_inner().expect("no worker panics");
        for (what, (times, input)) in &findings {
            println!(
                "FAIL fuzz {name}: {what}\n  {times} times; cargo xtask fuzz --input {} {name}",
                input.display()
            );
        }
        let seconds = start.elapsed().as_secs_f64();
        println!("{name}: {done} executions in {seconds:.1} s, {} findings", findings.len());
        total.passed += usize::from(findings.is_empty());
        total.failed += usize::from(!findings.is_empty());
    }
    Ok(total)
}
