//! The memory of a linker together with all that it has started: `getrusage` knows the largest of
//! several processes, and not what they hold at one time.

use super::measure;
use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// KiB of a page.
const PAGE_KIB: u64 = 4;
/// How often it is looked.
const INTERVAL: Duration = Duration::from_millis(2);

/// Runs `command` once; returns the peak of the resident sets of its processes, MiB. Pages that
/// several of them have mapped count for each.
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

/// KiB of what this process's children have started; the children themselves are probes.
fn resident() -> u64 {
    let own = std::process::id();
    let (mut parents, mut sizes) = (HashMap::new(), HashMap::new());
    for entry in fs::read_dir("/proc").into_iter().flatten().flatten() {
        let Some(id) = entry.file_name().to_str().and_then(|name| name.parse::<u32>().ok()) else {
            continue;
        };
        let Ok(stat) = fs::read_to_string(entry.path().join("stat")) else { continue };
        // The name, in parentheses, may hold anything.
        let Some((_, rest)) = stat.rsplit_once(')') else { continue };
        let fields: Vec<&str> = rest.split_whitespace().collect();
        let number = |at: usize| fields.get(at).and_then(|field| field.parse::<u64>().ok());
        if let (Some(parent), Some(pages)) = (number(1), number(21)) {
            parents.insert(id, parent as u32);
            sizes.insert(id, pages * PAGE_KIB);
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
    sizes.iter().filter(|&(&id, _)| depth(id).is_some_and(|depth| depth > 1)).map(|(_, s)| s).sum()
}
