//! Our linker with a limit on its memory: a fraction of the peak of the same link without a limit.

use super::linkers::{Linker, Role};
use super::measure::measure;
use super::options::Options;
use super::rounds::command;
use crate::corpus::Workload;
use crate::scratch::Scratch;

/// Number of links that measure the peak, which varies by a few MiB.
const RUNS: usize = 3;

/// The linkers that take part in `workload`: `linkers`, for its machine, and ours again with each
/// limit that `options` ask for.
///
/// # Errors
/// When our linker fails without a limit, or one is not installed for the machine.
pub fn with_limits(
    workload: &Workload,
    linkers: &[Linker],
    options: &Options,
) -> Result<Vec<Linker>, String> {
    let for_machine = linkers.iter().map(|linker| linker.for_workload(workload));
    let mut all = for_machine.collect::<Result<Vec<_>, _>>()?;
    let ours = linkers.iter().find(|linker| linker.role == Role::Ours);
    let Some(ours) = ours.filter(|_| !options.limits.is_empty()) else { return Ok(all) };
    let peak = peak_mib(workload, ours, options)?;
    for &percent in &options.limits {
        let limit = format!("--memory-limit={:.0}K", peak * 1024.0 * percent as f64 / 100.0);
        println!("skald-{percent}%: {limit}, of {peak:.0} MiB");
        all.push(ours.variant(&format!("skald-{percent}%"), &limit));
    }
    Ok(all)
}

fn peak_mib(workload: &Workload, linker: &Linker, options: &Options) -> Result<f64, String> {
    let scratch = Scratch::within(&options.places[0], "skald-limited-")?;
    let (output, log) = (scratch.path().join("out"), scratch.path().join("log"));
    let line = command(linker, workload, options.threads, &output);
    let mut peaks = Vec::new();
    for _ in 0..RUNS {
        let directory = workload.path(&options.cache);
        peaks.push(measure(&line, &directory, Some(&output), &log)?.peak_mib);
    }
    Ok(peaks.into_iter().fold(f64::INFINITY, f64::min))
}
