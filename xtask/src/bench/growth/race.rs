//! Links one row at both sizes with all linkers, in turn.

use super::dimension::{FACTOR, Outcome};
use super::fit::{Series, Times};
use crate::bench::linkers::{Linker, OUTPUT, Role};
use crate::bench::measure::{Sample, measure_any};
use crate::bench::statistics::median;
use crate::corpus::synthetic::input::RESPONSE_FILE;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Time limit of a peer, unless a multiple of our time is longer; beyond it the peer is left out of
/// the row.
const PEER_LIMIT: Duration = Duration::from_secs(3);
const PEER_FACTOR: f64 = 20.0;

/// Time limit of our linker.
const OWN_LIMIT: Duration = Duration::from_secs(60);

/// A row is measured for so long at least, in as many more rounds: the median of a few times of 20
/// ms is off by so much that an exponent of 1.1 looks like one of 1.3.
const ENOUGH_MS: f64 = 1500.0;
const MOST_ROUNDS: usize = 21;

/// Options that a peer accepts but ignores without a message, so that its time is not comparable.
const DISREGARDED_SILENTLY: &[(&str, &[&str])] =
    &[("wild", &["--icf=all", "-O2", "-rpath-link"]), ("lld", &["-rpath-link"])];

/// Rows of which a peer leaves out what they are about, without a word: wild copies constants.
const LEFT_OUT: &[(&str, &[&str])] = &[("wild", &["merged-constants"])];

/// One row of the table: a dimension, plain or with an option.
pub struct Row {
    /// The dimension's name with the option.
    pub name: String,
    /// The smaller size.
    pub size: u64,
    /// The option of a variant.
    pub option: Option<&'static str>,
    /// The result of the link.
    pub outcome: Outcome,
    /// Inputs of both sizes.
    pub inputs: [PathBuf; 2],
}

/// The linkers, and the settings of the measurement.
pub struct Race<'a> {
    /// Ours first.
    pub linkers: &'a [Linker],
    /// A link of nothing.
    pub empty: &'a Row,
    /// Where outputs go.
    pub scratch: &'a Path,
    /// Threads per linker.
    pub threads: usize,
    /// Rounds at least.
    pub rounds: usize,
}

/// The times of a linker in a row, or the reason why it takes no part.
pub type RaceResult = Result<Series, String>;

impl Race<'_> {
    /// CPU time of a link of nothing, by linker, milliseconds.
    pub fn empty_ms(&self) -> Vec<f64> {
        let of_linker = |at| {
            let samples: Vec<f64> =
                (0..=MOST_ROUNDS).filter_map(|_| self.empty_cpu_ms(at)).skip(1).collect();
            median(&samples)
        };
        (0..self.linkers.len()).map(of_linker).collect()
    }

    fn empty_cpu_ms(&self, at: usize) -> Option<f64> {
        self.link(at, self.empty, 0, 1, OWN_LIMIT).ok().map(|(sample, _)| sample.cpu_ms())
    }

    /// Measures a row; a lap a linker.
    pub fn run(&self, row: &Row) -> Vec<RaceResult> {
        let mut limit = OWN_LIMIT;
        let mut least_log = 0;
        let mut round_ms = 0.0;
        let mut laps = Vec::new();
        for at in 0..self.linkers.len() {
            let first = match row.silently_disregarded_by(&self.linkers[at].name) {
                Some(what) => Err(format!("disregards {what}")),
                None => self
                    .link(at, row, 0, self.threads, limit)
                    .and_then(|_| self.link(at, row, 1, self.threads, limit)),
            };
            let is_ours = self.linkers[at].role == Role::Ours;
            laps.push(match first {
                Ok((_, log)) if !is_ours && log * 4 < least_log => Err("says less".to_owned()),
                Ok((sample, log)) => {
                    if is_ours {
                        let enough = Duration::from_secs_f64(sample.wall_ms / 1e3 * PEER_FACTOR);
                        limit = PEER_LIMIT.max(enough);
                        least_log = if row.outcome == Outcome::Failure { log } else { 0 };
                    }
                    // With one thread a link takes up to twice as long.
                    round_ms += sample.wall_ms * 2.5;
                    Ok(Series::default())
                }
                Err(error) => Err(error),
            });
        }
        let rounds =
            ((ENOUGH_MS / round_ms) as usize).clamp(self.rounds, MOST_ROUNDS.max(self.rounds));
        for _ in 0..rounds {
            for (at, lap) in laps.iter_mut().enumerate() {
                let Ok(series) = lap else { continue };
                if let Err(error) = self.add_round(at, row, series) {
                    *lap = Err(error);
                }
            }
        }
        laps
    }

    /// Measures all once more, the link of nothing too: how long it takes changes with what else
    /// the machine does.
    fn add_round(&self, at: usize, row: &Row, series: &mut Series) -> Result<(), String> {
        let link = |size, threads| Ok::<_, String>(self.link(at, row, size, threads, OWN_LIMIT)?.0);
        series.empty_ms.extend(self.empty_cpu_ms(at));
        series.small_ms.push(link(0, 1)?.cpu_ms());
        series.large_ms.push(link(1, 1)?.cpu_ms());
        series.large.add(&link(1, self.threads)?);
        Ok(())
    }

    /// One link; returns the size of its messages as well.
    fn link(
        &self,
        at: usize,
        row: &Row,
        size: usize,
        threads: usize,
        limit: Duration,
    ) -> Result<(Sample, u64), String> {
        let linker = &self.linkers[at];
        let (output, log) = (self.scratch.join("out"), self.scratch.join("log"));
        let mut command = vec![linker.path.display().to_string()];
        command.extend(linker.options(threads));
        // Some linkers drop unreferenced sections by default.
        command.push("--no-gc-sections".to_owned());
        command.push(format!("@{RESPONSE_FILE}"));
        let name = output.display().to_string();
        command.extend(row.option.map(|option| option.replace(OUTPUT, &name)));
        command.extend(["-o".to_owned(), name]);
        let result = measure_any(&command, &row.inputs[size], &log, limit);
        let _ = fs::remove_file(&output);
        let (sample, code) = result?;
        let messages = fs::read(&log).unwrap_or_default();
        if (code == 0) != (row.outcome == Outcome::Output) {
            let line = messages.split(|&byte| byte == b'\n').next().unwrap_or_default();
            return Err(format!("ends with {code}: {:.200}", String::from_utf8_lossy(line)));
        }
        if linker.role == Role::Peer && disregards(&messages) {
            return Err("disregards the option".to_owned());
        }
        Ok((sample, messages.len() as u64))
    }
}

/// Whether messages of a linker say that it ignores an option.
fn disregards(messages: &[u8]) -> bool {
    let start = String::from_utf8_lossy(&messages[..messages.len().min(2000)]).to_lowercase();
    [
        "ignor",
        "unsupported",
        "not supported",
        "not implemented",
        "unknown argument",
        "unrecognized option",
    ]
    .iter()
    .any(|word| start.contains(word))
}

impl Times {
    fn add(&mut self, sample: &Sample) {
        self.cpu_ms.push(sample.cpu_ms());
        self.wall_ms.push(sample.wall_ms);
    }
}

impl Row {
    /// Both sizes.
    pub fn sizes(&self) -> [u64; 2] {
        [self.size, self.size * FACTOR]
    }

    /// The option of this row that `linker` accepts and does nothing about, or what else it leaves
    /// out.
    fn silently_disregarded_by(&self, linker: &str) -> Option<&'static str> {
        let left_out = LEFT_OUT.iter().filter(|(name, _)| *name == linker);
        if let Some(name) = left_out.flat_map(|(_, rows)| *rows).find(|name| **name == self.name) {
            return Some(name);
        }
        let (_, options) = DISREGARDED_SILENTLY.iter().find(|(name, _)| *name == linker)?;
        let words = fs::read_to_string(self.inputs[0].join(RESPONSE_FILE)).unwrap_or_default();
        let mut options = options.iter().copied();
        options.find(|option| {
            self.option == Some(*option) || words.split_whitespace().any(|word| word == *option)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::disregards;

    #[test]
    fn who_disregards_an_option_says_so() {
        assert!(disregards(b"warning: --cref is not supported, Ignoring it"));
        assert!(!disregards(b"main.o: definition of f_1\n"));
    }
}
