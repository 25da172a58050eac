//! `cargo xtask hostile --linker PATH [--machine NAME] FIRST LAST`: links with damaged files and
//! all kinds of options, made by chance.
//!
//! A number determines the whole link ([`skald_testkit::hostile::walk`]). A link that ends in a
//! wrong way is reduced and kept in `target/hostile/NUMBER`, where the printed command reproduces
//! it.

use crate::Result;
use crate::asked::Asked;
use nix::sys::resource::{Resource, setrlimit};
use skald_testkit::hostile::run::MEMORY_LIMIT;
use skald_testkit::hostile::walk::Walk;
use skald_testkit::machine::Machine;
use skald_testkit::suite::Counts;
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;
use xtask::root;

/// Number of links in each test run.
const LINKS: u64 = 600;

/// This many findings of a kind are printed; further ones are only counted.
const TOLD: usize = 20;

/// The command: `--linker PATH` and two numbers.
pub fn run(words: &[String]) -> Result<()> {
    let asked = Asked::of(words, "hostile", "FIRST LAST")?;
    let start = Instant::now();
    setrlimit(Resource::RLIMIT_AS, MEMORY_LIMIT, MEMORY_LIMIT).map_err(|e| e.to_string())?;
    let counts = walk(&asked.linker, asked.machine, asked.numbers()?)?;
    println!("hostile: {counts}; {:.0} s", start.elapsed().as_secs_f64());
    if counts.failed > 0 { Err(format!("{} failed", counts.failed)) } else { Ok(()) }
}

/// The first links for `machine`, one in `share` of those that a test run does for x86-64. They are
/// done in a process of their own, because the limit of memory is one of the process.
pub fn check(linker: &Path, machine: &Machine, share: u64) -> Result<()> {
    let program = std::env::current_exe().map_err(|e| e.to_string())?;
    let mut command = Command::new(program);
    command.args(["hostile", "--linker"]).arg(linker).args(["--machine", machine.word]);
    command.args(["0", &(LINKS / share).to_string()]);
    root::run(&mut command)
}

/// Does the links of these numbers.
fn walk(linker: &Path, machine: &'static Machine, numbers: Range<u64>) -> Result<Counts> {
    let (first, last) = (numbers.start, numbers.end);
    let linker = linker.canonicalize().map_err(|e| format!("{}: {e}", linker.display()))?;
    let work = machine.own_directory(&root::target().join("hostile"));
    let walk = Walk::new(&linker, &work.join("files"), machine)?;
    let next = AtomicU64::new(first);
    let findings: Mutex<BTreeMap<&str, usize>> = Mutex::new(BTreeMap::new());
    let worker = |number: usize| -> Result<()> {
        let directory = work.join(format!("worker-{number}"));
        walk.make(&directory)?;
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= last {
                return Ok(());
            }
            let Some(finding) = walk.step(number, &directory) else { continue };
            let mut findings = findings.lock().expect("no worker panics");
            let count = findings.entry(finding.kind).or_default();
            *count += 1;
            if *count <= TOLD {
                println!("FAIL hostile {number}: {}\n{}", finding.kind, finding.detail);
                keep(&directory, &work.join(number.to_string()))?;
            }
            drop(findings);
            walk.repair(&directory)?;
        }
    };
    // Half of the time of a link is spent in the kernel, which sometimes waits for the disk.
    let workers = 2 * std::thread::available_parallelism().map_or(2, usize::from);
    std::thread::scope(|scope| {
        let started: Vec<_> =
            (0..workers).map(|number| scope.spawn(move || worker(number))).collect();
        started.into_iter().try_for_each(|worker| worker.join().expect("no worker panics"))
    })?;
    let findings = findings.into_inner().expect("no worker panics");
    for (kind, count) in &findings {
        println!("{kind}: {count}");
    }
    let failed: usize = findings.values().sum();
    Ok(Counts { passed: (last - first) as usize - failed, failed, skipped: 0 })
}

/// Copies the files of a link.
fn keep(from: &Path, to: &Path) -> Result<()> {
    let io = |e: std::io::Error| format!("{}: {e}", to.display());
    std::fs::create_dir_all(to.join("out")).map_err(io)?;
    for entry in std::fs::read_dir(from).map_err(io)? {
        let entry = entry.map_err(io)?;
        if entry.path().is_file() {
            std::fs::copy(entry.path(), to.join(entry.file_name())).map_err(io)?;
        }
    }
    Ok(())
}
