//! Runs the inputs of one target in child processes, and watches these.

use super::corpus::Corpus;
use super::{DEATHS, mutate, work};
use crate::Result;
use skald_testkit::machine::Machine;
use std::collections::BTreeMap;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// The inputs to run, and the findings.
#[derive(Debug)]
pub struct Tried {
    /// Name of the target.
    pub name: &'static str,
    /// The machine that the inputs are for.
    pub machine: &'static Machine,
    /// The number of the next input.
    pub next: AtomicU64,
    /// The number after that of the last input.
    pub last: u64,
    /// Inputs that one process tries.
    pub batch: u64,
    /// Inputs that have been tried.
    pub done: AtomicU64,
    /// How processes died: how often, and an input at which one did.
    pub findings: Mutex<BTreeMap<String, (usize, PathBuf)>>,
}

impl Tried {
    /// Runs all inputs, with one process per processor.
    pub fn on_all_processors(&self) -> Result<()> {
        let workers = std::thread::available_parallelism().map_or(2, usize::from);
        std::thread::scope(|scope| {
            let started: Vec<_> =
                (0..workers).map(|worker| scope.spawn(move || self.work(worker))).collect();
            started.into_iter().try_for_each(|worker| worker.join().expect("no worker panics"))
        })
    }

    fn work(&self, worker: usize) -> Result<()> {
        let place = work(self.machine).join(format!("{}-{worker}.number", self.name));
        let said = work(self.machine).join(format!("{}-{worker}.said", self.name));
        loop {
            let mut first = self.next.fetch_add(self.batch, Ordering::Relaxed);
            let last = (first + self.batch).min(self.last);
            while first < last {
                if self.deaths() >= DEATHS {
                    return Ok(());
                }
                let end = self.process(first, last, &place, &said)?;
                let number = if end.is_some() { number_in(&place)? } else { last - 1 };
                self.done.fetch_add(number + 1 - first, Ordering::Relaxed);
                if let Some(how) = end {
                    self.found(number, how)?;
                }
                first = number + 1;
            }
            if first >= self.last {
                return Ok(());
            }
        }
    }

    fn deaths(&self) -> usize {
        self.findings.lock().expect("no worker panics").values().map(|(times, _)| times).sum()
    }

    /// Runs a process; returns how it died, if it did.
    fn process(&self, first: u64, last: u64, place: &Path, said: &Path) -> Result<Option<String>> {
        std::fs::write(place, first.to_le_bytes())
            .map_err(|e| format!("{}: {e}", place.display()))?;
        let stderr = File::create(said).map_err(|e| format!("{}: {e}", said.display()))?;
        let scratch = said.with_extension("scratch");
        let _ = std::fs::remove_dir_all(&scratch);
        std::fs::create_dir(&scratch).map_err(|e| format!("{}: {e}", scratch.display()))?;
        let program = std::env::current_exe().map_err(|e| e.to_string())?;
        let mut command = Command::new(program);
        command
            .args([
                "fuzz",
                "--child",
                self.machine.word,
                self.name,
                &first.to_string(),
                &last.to_string(),
            ])
            .arg(place);
        command
            .env("RUST_BACKTRACE", "0")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(stderr);
        let mut child = command.spawn().map_err(|e| e.to_string())?;
        if let Some(how) = watch(&mut child, place)? {
            return Ok(Some(how));
        }
        let status = child.wait().map_err(|e| e.to_string())?;
        if status.success() {
            return Ok(None);
        }
        let text = std::fs::read(said).unwrap_or_default();
        Ok(Some(format!("{status}: {}", last_words(&String::from_utf8_lossy(&text)))))
    }

    fn found(&self, number: u64, how: String) -> Result<()> {
        let corpus = Corpus::read(self.name, &work(self.machine).join("files"), self.machine)?;
        let input = work(self.machine).join(format!("{}-{number}", self.name));
        let mut findings = self.findings.lock().expect("no worker panics");
        let (times, _) = findings.entry(how).or_insert_with(|| (0, input.clone()));
        *times += 1;
        if *times > 1 {
            return Ok(());
        }
        let bytes = mutate::input(&corpus.inputs, corpus.words, number);
        std::fs::write(&input, bytes).map_err(|e| format!("{}: {e}", input.display()))
    }
}

/// What a process printed about its death.
fn last_words(text: &str) -> String {
    let begins =
        ["panicked at", "memory allocation of"].iter().filter_map(|words| text.rfind(words));
    let words = match begins.max() {
        Some(at) => &text[at..],
        None => text.lines().rfind(|line| !line.starts_with("note:")).unwrap_or_default(),
    };
    words.trim().chars().take(400).collect()
}

/// Interval at which a process is watched.
const PAUSE: Duration = Duration::from_millis(5);
/// An input that still runs after this many looks, some ten seconds, is a finding: inputs have at
/// most 64 KiB. Looks are counted instead of time, which also passes while this process is stopped.
const LOOKS: usize = 2000;

/// Waits until a process ends, or tries one input for too long and is ended.
fn watch(child: &mut Child, place: &Path) -> Result<Option<String>> {
    let (mut number, mut looks) = (None, 0);
    while child.try_wait().map_err(|e| e.to_string())?.is_none() {
        std::thread::sleep(PAUSE);
        let now = number_in(place).ok();
        looks = if now == number { looks + 1 } else { 0 };
        number = now;
        if looks > LOOKS {
            let _ = child.kill();
            let _ = child.wait();
            return Ok(Some("takes too long".to_owned()));
        }
    }
    Ok(None)
}

fn number_in(place: &Path) -> Result<u64> {
    let bytes = std::fs::read(place).map_err(|e| format!("{}: {e}", place.display()))?;
    let bytes = bytes.try_into().map_err(|_| format!("{}: no number", place.display()))?;
    Ok(u64::from_le_bytes(bytes))
}
