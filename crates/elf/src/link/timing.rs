//! `--time`, `--time-trace` and the timeline of `--report`: what is measured of a link, and where it is told.

use crate::args::Options;
use skald_core::diag::{Diag, Failed};
use skald_core::errno;
use skald_core::time::{Collect, Timer};
use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::time::Duration;

/// Microseconds that an entry of the trace lasts at least, as in lld.
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
    Timer::new(collect, rayon::current_num_threads())
}

/// Opens the file of the trace: what cannot be written is an error before anything is done.
pub fn open_trace(options: &Options, diag: &Diag) -> Result<Option<Box<dyn Write>>, Failed> {
    let Some(path) = &options.reports.time_trace else { return Ok(None) };
    if path.as_os_str() == "-" {
        return Ok(Some(Box::new(std::io::stdout())));
    }
    match File::create(path) {
        Ok(file) => Ok(Some(Box::new(file))),
        Err(error) => {
            complain(options, &error, diag);
            Err(diag.checkpoint().err().unwrap_or(Failed))
        }
    }
}

/// Prints the phases and writes the trace, of a link that failed too.
pub fn tell(options: &Options, timer: &Timer, trace: Option<Box<dyn Write>>, diag: &Diag) {
    if options.time {
        eprint!("{}", timer.report());
    }
    if let Some(mut trace) = trace
        && let Err(error) = trace.write_all(timer.trace().as_bytes()).and_then(|()| trace.flush())
    {
        complain(options, &error, diag);
    }
}

fn complain(options: &Options, error: &std::io::Error, diag: &Diag) {
    let path = options.reports.time_trace.as_deref().unwrap_or(Path::new(""));
    diag.error((0, 0), format!("cannot write time trace {}: {}", path.display(), errno::of(error)));
}
