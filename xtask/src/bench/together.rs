//! The memory of a linker together with its child processes: `getrusage` gives the largest of
//! several processes, and not their sum at one time.

use super::measure;
use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Interval between samples.
const INTERVAL: Duration = Duration::from_millis(2);

/// Runs `command` once; returns the peak of the memory of its processes, MiB. Pages that several
/// processes have mapped are divided among them.
///
/// # Errors
/// As [`measure::measure`].
pub fn peak(command: &[String], directory: &Path, log: &Path) -> Result<f64, String> {
    let is_done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let watch = scope.spawn(|| {
            let mut peak = 0;
            while !is_done.load(Ordering::Acquire) {
                peak = peak.max(resident());
                std::thread::sleep(INTERVAL);
            }
            peak
        });
        let measured = measure::measure(command, directory, None, log);
        is_done.store(true, Ordering::Release);
        let peak = watch.join().unwrap_or(0);
        measured.map(|_| peak as f64 / 1024.0)
    })
}

/// KiB of the processes that this process's children have started; the children themselves are
/// probes.
fn resident() -> u64 {
    let own = std::process::id();
    let mut parents = HashMap::new();
    for entry in fs::read_dir("/proc").into_iter().flatten().flatten() {
        let Some(id) = entry.file_name().to_str().and_then(|name| name.parse::<u32>().ok()) else {
            continue;
        };
        let Ok(stat) = fs::read_to_string(entry.path().join("stat")) else { continue };
        // The name, in parentheses, may hold anything; the state and the parent follow.
        let parent = stat.rsplit_once(')').and_then(|(_, rest)| rest.split_whitespace().nth(1));
        if let Some(parent) = parent.and_then(|parent| parent.parse::<u32>().ok()) {
            parents.insert(id, parent);
        }
    }
    let depth = |mut id: u32| {
        let mut depth = 0;
        while let Some(&parent) = parents.get(&id) {
            depth += 1;
            if parent == own {
                return Some(depth);
            }
            id = parent;
        }
        None
    };
    let measured = parents.keys().filter(|&&id| depth(id).is_some_and(|depth| depth > 1));
    measured.filter_map(|&id| proportional(id)).sum()
}

/// KiB of a process; of a page that several have mapped each has its part.
fn proportional(id: u32) -> Option<u64> {
    let text = fs::read_to_string(format!("/proc/{id}/smaps_rollup")).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("Pss:"))?;
    line.split_whitespace().next()?.parse().ok()
}
