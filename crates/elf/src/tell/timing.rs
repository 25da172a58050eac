//! `--time`, `--time-trace` and the timeline of `--report`: measuring a link, and printing the
//! times.

use super::listing;
use crate::args::Options;
use skald_core::diag::{Diag, Failed};
use skald_core::output::SideFile;
use skald_core::time::{Collect, Timer};
use std::io::Write;
use std::path::Path;
use std::time::Duration;

/// Minimum duration of an entry of the trace in microseconds, as in lld.
const GRANULARITY: u64 = 500;

/// The timer that `options` ask for.
pub fn start(options: &Options) -> Timer {
    let reports = &options.reports;
    let is_traced = reports.time_trace.is_some() || reports.report.is_some();
    let shortest = reports.time_trace_granularity.unwrap_or(GRANULARITY);
    let collect = Collect {
        phases: options.time || is_traced,
        events: is_traced,
        shortest: Duration::from_micros(shortest),
    };
    Timer::new(collect)
}

/// Opens the file of `--time-trace`, so that an unwritable file is an error at once.
pub fn open_trace(options: &Options, diag: &Diag) -> Result<Option<SideFile>, Failed> {
    let Some(path) = &options.reports.time_trace else { return Ok(None) };
    SideFile::create(path).map(Some).map_err(|error| {
        complain(options, &error, diag);
        diag.checkpoint().err().unwrap_or(Failed)
    })
}

/// Prints the phases, also for a link that failed.
pub fn print(options: &Options, timer: &Timer) {
    if options.time {
        eprint!("{}", timer.report());
    }
}

/// Writes the trace, also of a link that failed. If it succeeded, the output is complete by then,
/// except for its name.
pub fn write_trace(options: &Options, timer: &Timer, trace: Option<SideFile>, diag: &Diag) {
    if let Some(mut trace) = trace
        && let Err(error) = trace.write_all(timer.trace().as_bytes()).and_then(|()| trace.commit())
    {
        complain(options, &error, diag);
    }
}

fn complain(options: &Options, error: &std::io::Error, diag: &Diag) {
    let path = options.reports.time_trace.as_deref().unwrap_or(Path::new(""));
    listing::complain("time trace ", path, error, diag);
}
