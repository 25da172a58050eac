//! Instruction counts, which do not depend on how busy the machine is.
//!
//! Valgrind counts the instructions that it runs in user mode. Links use one thread, so that no
//! busy waiting is counted. The processor that valgrind shows to programs may lack extensions that
//! the real one has, for all linkers alike.
//!
//! Phases are those of our linker's `--time`. Functions would be no measure of them, as the
//! compiler inlines stages into each other. But the timer calls `getrusage` once when a phase
//! begins and once when it ends, and nothing else in a link does. Valgrind hands out its counts
//! before each call. The table of `--time`, which lists phases as they begin, says which phase
//! began or ended there.

use super::linkers::Linker;
use super::options::Options;
use super::phases::{self, Key, Phase};
use super::rounds::command;
use crate::corpus::{Workload, tools};
use crate::scratch::Scratch;
use std::fs::{self, File};
use std::path::Path;
use std::process::Command;

/// The function that the timer calls at both ends of a phase.
const CALLED_BY_TIMER: &str = "getrusage";

/// Instructions of one link.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Counts {
    /// Of the whole process.
    pub total: u64,
    /// Instructions of each phase including nested ones, and of the code outside of all phases;
    /// empty for linkers without `--time`.
    pub phases: Vec<(Key, u64)>,
}

/// Counts the instructions of one link.
///
/// # Errors
/// When valgrind is missing, the link fails under it, or its report is not understood.
pub fn count(workload: &Workload, linker: &Linker, options: &Options) -> Result<Counts, String> {
    let valgrind = tools::find("valgrind").ok_or("valgrind is not installed")?;
    let scratch = Scratch::within(&options.places[0], "skald-callgrind-")?;
    let dir = scratch.path();
    let log = dir.join("log");
    let mut run = Command::new(valgrind);
    run.args(["--tool=callgrind", "--dump-line=no"]);
    run.arg(format!("--log-file={}", dir.join("valgrind").display()));
    run.arg(format!("--callgrind-out-file={}", dir.join("part").display()));
    if linker.tells_phases() {
        run.arg(format!("--dump-before={CALLED_BY_TIMER}"));
    }
    run.args(command(linker, workload, 1, &dir.join("out")));
    run.args(linker.tells_phases().then_some("--time"));
    run.stderr(File::create(&log).map_err(|e| format!("{}: {e}", log.display()))?);
    let messages = || fs::read_to_string(&log).unwrap_or_default();
    tools::run(run.current_dir(workload.path(&options.cache)))
        .map_err(|e| format!("{e}{}", tools::end_of(&messages())))?;
    let parts = read_parts(dir)?;
    let total = parts.iter().sum();
    if !linker.tells_phases() {
        return Ok(Counts { total, phases: Vec::new() });
    }
    let table = phases::parse(&messages());
    match by_phase(&table, &parts) {
        Some(mut phases) => {
            let within = phases.iter().filter(|(key, _)| key.depth == 0).map(|(_, count)| count);
            let within: u64 = within.sum();
            phases.push((phases::outside(), total - within));
            Ok(Counts { total, phases })
        }
        None => Err(format!("{} phases in {} parts", table.len(), parts.len())),
    }
}

/// The instructions of each part that valgrind wrote, in their order.
fn read_parts(dir: &Path) -> Result<Vec<u64>, String> {
    let entries = fs::read_dir(dir).map_err(|e| format!("{}: {e}", dir.display()))?;
    let mut parts = Vec::new();
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("part")) {
            let text = fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
            parts.push(part(&text).ok_or_else(|| format!("{}: no totals", path.display()))?);
        }
    }
    parts.sort_unstable();
    Ok(parts.into_iter().map(|(_, instructions)| instructions).collect())
}

/// The number of a part and its instructions: the lines `part: 3` and `totals: 456`.
fn part(text: &str) -> Option<(u64, u64)> {
    let number_after =
        |word: &str| text.lines().find_map(|line| line.strip_prefix(word))?.trim().parse().ok();
    Some((number_after("part:")?, number_after("totals:")?))
}

/// Sums up the counts between the beginning and the end of each phase. `None` if the number of
/// parts is not that of beginnings and ends plus one.
fn by_phase(table: &[Phase], parts: &[u64]) -> Option<Vec<(Key, u64)>> {
    let mut parts = parts.iter();
    let mut counts = vec![0; table.len()];
    let mut open: Vec<usize> = Vec::new();
    // The part that ends before the next call belongs to the phases that are open.
    let mut pass = |open: &[usize]| {
        let instructions = parts.next()?;
        open.iter().for_each(|&phase| counts[phase] += instructions);
        Some(())
    };
    for (index, phase) in table.iter().enumerate() {
        while open.len() > phase.key.depth {
            pass(&open)?;
            open.pop();
        }
        pass(&open)?;
        open.push(index);
    }
    while !open.is_empty() {
        pass(&open)?;
        open.pop();
    }
    pass(&open)?;
    if parts.next().is_some() {
        return None;
    }
    Some(table.iter().map(|phase| phase.key.clone()).zip(counts).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_is_read() {
        let text = "# callgrind format\npart: 3\n\nevents: Ir\nsummary: 12\n\nfn=(1)\ntotals: 12\n";
        assert_eq!(part(text), Some((3, 12)));
        assert_eq!(part("part: 3\n"), None);
    }

    #[test]
    fn a_phase_has_what_is_within_it() {
        let log = "  wall ms  user ms   sys ms  serial  phase\n\
                   1.00     1.00     0.00    100%  read\n\
                   1.00     1.00     0.00    100%  write\n\
                   1.00     1.00     0.00    100%    spans\n\
                   1.00     1.00     0.00    100%    commit\n";
        let table = phases::parse(log);
        // Start, read, between, write, spans, write, commit, write, exit.
        let parts = [1000, 1, 10, 2, 4, 8, 16, 32, 500];
        let counts = by_phase(&table, &parts).unwrap();
        let counts: Vec<_> = counts.iter().map(|(key, n)| (key.name.as_str(), *n)).collect();
        assert_eq!(counts, [("read", 1), ("write", 62), ("spans", 4), ("commit", 16)]);
        assert_eq!(by_phase(&table, &parts[1..]), None);
        assert_eq!(by_phase(&table, &[0; 10]), None);
    }
}
