//! Instruction counts: what stays the same however busy the machine is.
//!
//! Valgrind counts the instructions that it runs in user mode. One thread, so that nobody's
//! waiting is counted. The processor that valgrind shows to programs may lack extensions that the
//! real one has, for all linkers alike.

use super::linkers::Linker;
use super::options::Options;
use super::rounds::command;
use crate::corpus::{Workload, tools};
use std::process::Command;

/// Counts the instructions of one link.
///
/// # Errors
/// When valgrind is missing, the link fails under it, or its report is not understood.
pub fn count(workload: &Workload, linker: &Linker, options: &Options) -> Result<u64, String> {
    let valgrind = tools::find("valgrind").ok_or("valgrind is not installed")?;
    let scratch = tempfile::Builder::new()
        .prefix("skald-callgrind-")
        .tempdir_in(&options.places[0])
        .map_err(|e| format!("scratch directory: {e}"))?;
    let report = scratch.path().join("report");
    let mut run = Command::new(valgrind);
    run.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]);
    run.arg(format!("--log-file={}", report.display()));
    run.args(command(linker, workload, 1, &scratch.path().join("out")));
    tools::run(run.current_dir(workload.path(&options.cache)))?;
    let text = std::fs::read_to_string(&report).map_err(|e| format!("valgrind's report: {e}"))?;
    collected(&text).ok_or_else(|| format!("valgrind's report: {}", tools::end_of(&text)))
}

/// The number in `==123== Collected : 456`.
fn collected(report: &str) -> Option<u64> {
    let (_, number) = report.lines().find_map(|line| line.split_once("Collected :"))?;
    number.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_count_is_read() {
        let report = "==7== Events    : Ir\n==7== Collected : 4440123456\n==7==\n";
        assert_eq!(super::collected(report), Some(4_440_123_456));
        assert_eq!(super::collected("==7== \n"), None);
    }
}
