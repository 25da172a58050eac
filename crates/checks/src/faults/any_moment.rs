//! Kills links at random moments: between system calls or within one.
//!
//! A link runs untraced at full speed, and is killed after a random time, at most that of an
//! undisturbed link. This also reaches the states in which a slow disk or a power failure finds a
//! link.

use super::Extent;
use super::links::{Inputs, Kind};
use super::verdict::{self, Expected};
use crate::Result;
use crate::random::Chance;
use nix::errno::Errno;
use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;
use skald_testkit::suite::Counts;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// For each link that is killed, the number of links that may end before they are killed.
const TOO_LATE: usize = 10;

/// Kills links of all `kinds` in turn, as many as `extent` says. Links that ended before do not
/// count.
pub fn check(
    kinds: &[&Kind],
    extent: &Extent,
    inputs: &Inputs,
    linker: &Path,
    work: &Path,
) -> Result<Counts> {
    let mut counts = Counts::default();
    let directory = work.join("any-moment");
    let share = extent.kills.div_ceil(kinds.len().max(1) * extent.threads.len().max(1));
    let mut chance = Chance::new(1);
    for kind in kinds {
        for &threads in extent.threads {
            let words = kind.words(linker, threads);
            let expected = Expected::of(kind, inputs, &words, &directory)?;
            let whole = takes(kind, inputs, &words, &directory)?;
            let mut killed = 0;
            for _ in 0..share * TOO_LATE {
                let delay = whole.mul_f64(chance.below(1000) as f64 / 1000.0);
                inputs.copy(kind, &directory)?;
                if killed == share {
                    break;
                }
                if !is_killed(&words, &directory, delay)? {
                    continue;
                }
                killed += 1;
                match verdict::of_killed(kind, &directory, &expected, &words)? {
                    Ok(()) => counts.passed += 1,
                    Err(how) => {
                        println!("FAIL {} {} after {delay:?}: {how}", kind.name, words[1]);
                        counts.failed += 1;
                    }
                }
            }
            counts.skipped += share - killed;
        }
    }
    Ok(counts)
}

/// How long an undisturbed link takes: the median of some.
fn takes(kind: &Kind, inputs: &Inputs, words: &[String], directory: &Path) -> Result<Duration> {
    let mut times = Vec::new();
    for _ in 0..5 {
        inputs.copy(kind, directory)?;
        let start = Instant::now();
        start_link(words, directory)?.wait().map_err(|e| e.to_string())?;
        times.push(start.elapsed());
    }
    times.sort();
    Ok(times[times.len() / 2])
}

/// Runs the link in a group of its own, and kills the group after `delay`; whether the link was
/// still running.
fn is_killed(words: &[String], directory: &Path, delay: Duration) -> Result<bool> {
    let mut link = start_link(words, directory)?;
    std::thread::sleep(delay);
    let group = Pid::from_raw(link.id() as i32);
    let _ = killpg(group, Signal::SIGKILL);
    let status = link.wait().map_err(|e| e.to_string())?;
    // Whoever works in the background is not waited for by this process.
    let start = Instant::now();
    while killpg(group, None) != Err(Errno::ESRCH) && start.elapsed() < Duration::from_secs(10) {
        std::thread::sleep(Duration::from_millis(1));
    }
    Ok(status.code().is_none())
}

fn start_link(words: &[String], directory: &Path) -> Result<Child> {
    let stdout = std::fs::File::create(directory.join("stdout")).map_err(|e| e.to_string())?;
    let mut link = Command::new(&words[0]);
    link.args(&words[1..]).current_dir(directory).process_group(0);
    link.stdin(Stdio::null()).stdout(stdout).stderr(Stdio::null());
    link.spawn().map_err(|e| format!("{}: {e}", words[0]))
}
