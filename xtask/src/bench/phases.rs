//! Measures the phases of our linker with its own `--time`, and predicts the speed-up of more
//! threads.
//!
//! The runs are extra ones, in a warm cache and to an absent output; figures are medians over
//! rounds. The time of the process outside of its phases, for start and exit, is shown as a further
//! phase.
//!
//! *Serial*: a phase with wall time W and CPU time C on T threads is modelled as a part sW on one
//! thread and the rest on all: C = sW + (1 - s)WT. The serial milliseconds of all phases over the
//! CPU time of all is the share that Amdahl's law needs. A processor that other processes used
//! counts as idle, so on a busy machine the share is too high. The load by others is shown beside
//! it.

use super::linkers::Linker;
use super::load::{self, OthersLoad};
use super::measure::{Sample, measure};
use super::options::Options;
use super::report::grid;
use super::rounds::command;
use super::statistics::median;
use crate::corpus::Workload;
use crate::scratch::Scratch;
use serde_json::{Value, json};

/// Numbers of threads that a speed-up is predicted for.
const THREADS: [usize; 3] = [8, 16, 64];

/// The share of the processors that other processes may use without affecting the result.
const QUIET: f64 = 0.1;

/// Identifies a phase.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Key {
    /// Its name in the table.
    pub name: String,
    /// Number of phases that enclose it.
    pub depth: usize,
    /// Number of earlier phases of the same name and depth.
    pub nth: usize,
}

/// A line of the table that `--time` prints.
#[derive(Clone, Debug, PartialEq)]
pub struct Phase {
    /// Which phase it is.
    pub key: Key,
    /// Elapsed time, milliseconds.
    pub wall_ms: f64,
    /// CPU time in user mode of all threads, milliseconds.
    pub user_ms: f64,
    /// CPU time in the kernel of all threads, milliseconds.
    pub sys_ms: f64,
}

/// The phases of one workload.
pub struct Breakdown {
    /// The workload's name.
    pub workload: &'static str,
    /// The linker's name.
    pub linker: String,
    threads: usize,
    rounds: Vec<Vec<Phase>>,
    /// The share of all processors that went to others during the links.
    others: Option<f64>,
    /// Instructions with one thread, if they were counted.
    pub instructions: Vec<(Key, u64)>,
}

/// Reads the table out of a linker's messages.
pub fn parse(messages: &str) -> Vec<Phase> {
    let is_heading =
        |line: &str| line.split_whitespace().eq("wall ms user ms sys ms serial phase".split(' '));
    let lines = messages.lines().skip_while(|line| !is_heading(line)).skip(1);
    let mut phases: Vec<Phase> = Vec::new();
    for phase in lines.map_while(parse_line) {
        let same = |p: &&Phase| p.key.name == phase.key.name && p.key.depth == phase.key.depth;
        let nth = phases.iter().filter(same).count();
        phases.push(Phase { key: Key { nth, ..phase.key }, ..phase });
    }
    phases
}

/// `    12.34     5.67     0.89      50%    name`: two blanks precede a name at the top level, two
/// more for each enclosing phase.
fn parse_line(line: &str) -> Option<Phase> {
    let (figures, name) = line.split_once('%')?;
    let figures: Vec<f64> =
        figures.split_whitespace().map(str::parse).collect::<Result<_, _>>().ok()?;
    let [wall_ms, user_ms, sys_ms, _] = figures[..] else { return None };
    let blanks = name.len() - name.trim_start().len();
    let depth = (blanks / 2).checked_sub(1)?;
    let key = Key { name: name.trim().to_owned(), depth, nth: 0 };
    Some(Phase { key, wall_ms, user_ms, sys_ms })
}

impl Phase {
    /// The time in which one thread works and the others have nothing to do.
    fn serial_ms(&self, threads: usize) -> f64 {
        let threads = threads as f64;
        let busy_ms = self.user_ms + self.sys_ms;
        if threads <= 1.0 {
            return self.wall_ms;
        }
        ((threads * self.wall_ms - busy_ms) / (threads - 1.0)).clamp(0.0, self.wall_ms)
    }
}

/// Links `options.rounds` times with `--time`.
///
/// # Errors
/// When a link fails or prints no table.
pub fn run(workload: &Workload, linker: &Linker, options: &Options) -> Result<Breakdown, String> {
    let scratch = Scratch::within(&options.places[0], "skald-phases-")?;
    let (output, log) = (scratch.path().join("out"), scratch.path().join("log"));
    let mut line = command(linker, workload, options.threads, &output);
    line.push("--time".into());
    let mut rounds = Vec::new();
    let mut others = OthersLoad::default();
    // The first round warms up the caches.
    for round in 0..=options.rounds {
        let _ = std::fs::remove_file(&output);
        let directory = workload.path(&options.cache);
        let (result, seen) = load::during(|| measure(&line, &directory, Some(&output), &log));
        let sample = result?;
        let messages = std::fs::read(&log).map_err(|e| format!("{}: {e}", log.display()))?;
        let phases = parse(&String::from_utf8_lossy(&messages));
        if phases.is_empty() {
            return Err("--time printed no table".into());
        }
        if round > 0 {
            others.add(seen, sample.cpu_ms());
            rounds.push(with_outside(phases, &sample));
        }
    }
    let (workload, linker) = (workload.name, linker.name.clone());
    let (threads, others) = (options.threads, others.share());
    Ok(Breakdown { workload, linker, threads, rounds, others, instructions: Vec::new() })
}

/// The key of the time that a process takes before and after its phases.
pub fn outside() -> Key {
    Key { name: "start and exit".into(), depth: 0, nth: 0 }
}

/// Adds the time of the process outside of its phases.
fn with_outside(mut phases: Vec<Phase>, whole: &Sample) -> Vec<Phase> {
    let top = |of: fn(&Phase) -> f64| -> f64 {
        phases.iter().filter(|phase| phase.key.depth == 0).map(of).sum()
    };
    let outside = Phase {
        key: outside(),
        wall_ms: (whole.wall_ms - top(|phase| phase.wall_ms)).max(0.0),
        user_ms: (whole.user_ms - top(|phase| phase.user_ms)).max(0.0),
        sys_ms: (whole.sys_ms - top(|phase| phase.sys_ms)).max(0.0),
    };
    phases.push(outside);
    phases
}

/// Speed-up of `threads` threads over one, by Amdahl's law.
fn speed_up(serial_share: f64, threads: usize) -> f64 {
    1.0 / (serial_share + (1.0 - serial_share) / threads as f64)
}

impl Breakdown {
    /// Serial time over CPU time of a whole link, the median over rounds.
    pub fn serial_share(&self) -> f64 {
        self.serial_share_of(|_| true)
    }

    /// Serial time of our phases alone, without the start and exit of the process, over CPU time of
    /// a whole link.
    fn serial_share_of_phases(&self) -> f64 {
        self.serial_share_of(|phase| phase.key != outside())
    }

    fn serial_share_of(&self, counts: impl Fn(&Phase) -> bool) -> f64 {
        let share = |phases: &Vec<Phase>| {
            let top = phases.iter().filter(|phase| phase.key.depth == 0);
            let (serial, busy) = top.fold((0.0, 0.0), |(serial, busy), phase| {
                let own = if counts(phase) { phase.serial_ms(self.threads) } else { 0.0 };
                (serial + own, busy + phase.user_ms + phase.sys_ms)
            });
            (serial / busy).min(1.0)
        };
        median(&self.rounds.iter().map(share).collect::<Vec<_>>())
    }

    /// The phases of the first round, each with medians over all rounds that have it: wall, user,
    /// system and serial milliseconds.
    fn medians(&self) -> Vec<(&Key, [f64; 4])> {
        let of_key = |key: &Key, of: &dyn Fn(&Phase) -> f64| {
            let same = self.rounds.iter().filter_map(|r| r.iter().find(|p| p.key == *key));
            median(&same.map(of).collect::<Vec<_>>())
        };
        let keys = self.rounds.first().into_iter().flatten().map(|phase| &phase.key);
        keys.map(|key| {
            let wall = of_key(key, &|phase| phase.wall_ms);
            let user = of_key(key, &|phase| phase.user_ms);
            let sys = of_key(key, &|phase| phase.sys_ms);
            let serial = of_key(key, &|phase| phase.serial_ms(self.threads));
            (key, [wall, user, sys, serial])
        })
        .collect()
    }

    fn instructions_of(&self, key: &Key) -> Option<u64> {
        self.instructions.iter().find(|(of, _)| of == key).map(|(_, count)| *count)
    }

    /// The phases as a Markdown table, and the prediction.
    pub fn markdown(&self) -> String {
        let counted = !self.instructions.is_empty();
        let mut heading: Vec<_> =
            ["phase", "wall ms", "user ms", "sys ms", "serial ms"].map(String::from).into();
        heading.extend(counted.then(|| "M instructions".to_owned()));
        let mut lines = vec![heading];
        for (key, figures) in self.medians() {
            let mut line = vec![format!("{}{}", "- ".repeat(key.depth), key.name)];
            line.extend(figures.map(|figure| format!("{figure:.2}")));
            let shown = |count: u64| format!("{:.1}", count as f64 / 1e6);
            line.extend(counted.then(|| self.instructions_of(key).map_or("-".into(), shown)));
            lines.push(line);
        }
        let Self { workload, linker, threads, rounds, .. } = self;
        let rounds = rounds.len();
        let mut text = format!(
            "## {workload}: phases of {linker}, first link, warm, {threads} threads, {rounds} \
             rounds\n\n"
        );
        text += &grid(&lines);
        text + "\n" + &self.prediction() + "\n"
    }

    /// The serial share and what follows from it; only bounds if other processes used the
    /// processors.
    fn prediction(&self) -> String {
        let share = self.serial_share();
        let is_bound = self.others.is_some_and(|others| others > QUIET);
        let (most, least) = if is_bound { ("at most ", ", at least") } else { ("", "") };
        let others =
            self.others.map_or_else(String::new, |others| format!(" {}", load::shown(others)));
        let predicted =
            THREADS.map(|count| format!(" {count} threads {:.1}", speed_up(share, count)));
        format!(
            "Serial: {most}{:.1} % of the CPU time, {:.1} % without start and exit.{others} By \
             Amdahl's law, times as fast as one thread{least}:{}.",
            share * 100.0,
            self.serial_share_of_phases() * 100.0,
            predicted.join(",")
        )
    }

    /// The phases as JSON.
    pub fn json(&self) -> Value {
        let rows = self.medians().into_iter().map(|(key, [wall, user, sys, serial])| {
            json!({
                "phase": key.name,
                "depth": key.depth,
                "wall_ms": wall,
                "user_ms": user,
                "sys_ms": sys,
                "serial_ms": serial,
                "serial_share": if wall > 0.0 { serial / wall } else { 1.0 },
                "instructions": self.instructions_of(key),
            })
        });
        let share = self.serial_share();
        let predicted = THREADS.map(|count| (count.to_string(), json!(speed_up(share, count))));
        json!({
            "workload": self.workload,
            "linker": self.linker,
            "threads": self.threads,
            "rounds": self.rounds.len(),
            "serial_share": share,
            "serial_share_of_phases": self.serial_share_of_phases(),
            "others_busy_share": self.others,
            "predicted_speed_up": predicted.into_iter().collect::<serde_json::Map<_, _>>(),
            "phases": rows.collect::<Vec<_>>(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MESSAGES: &str = "skald: warning: a table of 50% follows\n\
        \x20 wall ms  user ms   sys ms  serial  phase\n\
        \x20   10.00    15.00     5.00      0%  read\n\
        \x20    4.00     4.00     0.00    100%  write\n\
        \x20    1.00     1.00     0.00    100%    symbol values\n\
        \x20    2.00     2.00     0.00    100%    commit\n\
        skald: note: 1%\n";

    #[test]
    fn the_table_is_found_among_messages() {
        let phases = parse(MESSAGES);
        let names: Vec<_> = phases.iter().map(|p| (p.key.name.as_str(), p.key.depth)).collect();
        assert_eq!(names, [("read", 0), ("write", 0), ("symbol values", 1), ("commit", 1)]);
        assert_eq!((phases[0].wall_ms, phases[0].user_ms, phases[0].sys_ms), (10.0, 15.0, 5.0));
        assert!(parse("nothing\n").is_empty());
    }

    #[test]
    fn phases_of_one_name_are_told_apart() {
        let line = "1.00 1.00 0.00 100%  read\n";
        let phases = parse(&format!("wall ms user ms sys ms serial phase\n{line}{line}"));
        assert_eq!(phases.iter().map(|phase| phase.key.nth).collect::<Vec<_>>(), [0, 1]);
    }

    #[test]
    fn the_serial_share_includes_start_and_exit() {
        let whole = Sample { wall_ms: 16.0, user_ms: 20.0, sys_ms: 6.0, ..Sample::default() };
        let round = with_outside(parse(MESSAGES), &whole);
        assert_eq!((round[4].wall_ms, round[4].user_ms, round[4].sys_ms), (2.0, 1.0, 1.0));
        let breakdown = Breakdown {
            workload: "w",
            linker: "l".into(),
            threads: 2,
            rounds: vec![round],
            others: None,
            instructions: Vec::new(),
        };
        // 4 ms of writing and 2 ms outside, of 26 ms of CPU time.
        assert!((breakdown.serial_share() - 6.0 / 26.0).abs() < 1e-9);
        assert_eq!(breakdown.json()["phases"][1]["serial_share"], 1.0);
        let expected = "Serial: 23.1 % of the CPU time, 15.4 % without start and exit. By Amdahl";
        assert!(breakdown.prediction().starts_with(expected));
        let busy = Breakdown { others: Some(0.5), ..breakdown };
        assert!(busy.prediction().starts_with("Serial: at most 23.1 %"));
    }

    #[test]
    fn amdahl() {
        assert_eq!(speed_up(0.0, 8), 8.0);
        assert_eq!(speed_up(1.0, 8), 1.0);
        assert!((speed_up(0.05, 64) - 15.42).abs() < 0.01);
    }
}
