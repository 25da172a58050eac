//! Predicts the time of a link with more threads than this machine has (`--predict`).
//!
//! A recording build ([`recording`]) links with one thread and records the time of each task,
//! serial work, and work under a lock of the kernel. Decisions that depend on the number of threads
//! are made as for N threads. [`schedule`] then simulates N workers on the recording. Measurements
//! with one and two threads give the overhead of recording, and the slowdown when a second
//! processor is busy, which is assumed for more threads, too. The prediction for two threads is
//! compared with the measurement.

mod recording;
mod schedule;

use super::linkers::{Linker, Role};
use super::measure::{Sample, measure};
use super::options::{Mode, Options};
use super::report::grid;
use super::rounds::command;
use super::statistics::median;
use crate::corpus::Workload;
use crate::root;
use crate::scratch::Scratch;
use nix::time::{ClockId, clock_gettime};
use recording::Recording;
use schedule::{Machine, Outcome, Stretch, simulate};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Numbers of threads that a prediction is made for.
const THREADS: [usize; 6] = [2, 4, 8, 16, 32, 64];

/// Number of recordings, of whose predictions the median counts. Other load on the machine makes
/// some task of each recording too long, which matters more the shorter the link is.
const RECORDINGS: usize = 5;

/// Nanoseconds, as explained at [`Machine`].
const STEAL: u64 = 500;
const WAKE: u64 = 8_000;
const PATIENCE: u64 = 20_000;

/// Tolerated relative error of the prediction for two threads.
const CLOSE: f64 = 0.07;

/// Number of serial stretches that are printed.
const NAMED: usize = 10;

/// The predictions for one workload.
pub struct Prediction {
    workload: &'static str,
    mode: Mode,
    /// Medians of the link as it is, with one thread and with two.
    measured: [Sample; 2],
    /// Factor by which recording slows a link down.
    overhead: f64,
    lines: Vec<Line>,
    /// Serial stretches with the largest number of threads.
    stretches: Vec<(String, u64)>,
}

struct Line {
    threads: usize,
    wall_ms: f64,
    locked_ms: f64,
    /// Name and milliseconds.
    phases: Vec<(String, f64)>,
}

/// Builds the linker that records.
///
/// # Errors
/// When it does not build.
pub fn build() -> Result<PathBuf, String> {
    let target = root::target().join("record");
    let mut cargo = root::cargo();
    cargo.args(["build", "--release", "-p", "skald", "--features", "record", "--target-dir"]);
    let status = cargo.arg(&target).current_dir(root::directory()).status();
    let status = status.map_err(|e| format!("cargo: {e}"))?;
    if status.success() {
        Ok(target.join("release/skald"))
    } else {
        Err("the linker that records was not built".into())
    }
}

/// Predicts for `workload`, with `recorder` for the recordings.
///
/// # Errors
/// When a link fails or a recording cannot be read.
pub fn run(
    workload: &Workload,
    linkers: &[Linker],
    recorder: &Path,
    mode: Mode,
    options: &Options,
) -> Result<Prediction, String> {
    let ours = linkers.iter().find(|linker| linker.role == Role::Ours);
    let ours = ours.ok_or("--predict needs our linker")?;
    let scratch = Scratch::within(&options.places[0], "skald-predict-")?;
    let link = Link { workload, mode, options, scratch: scratch.path() };
    let mut samples = [Vec::new(), Vec::new()];
    for round in 0..=options.rounds {
        for (at, samples) in samples.iter_mut().enumerate() {
            let sample = link.measured(ours, at + 1)?;
            if round > 0 {
                samples.push(sample);
            }
        }
    }
    let measured = samples.map(|samples| medians(&samples));
    let recorder = Linker { path: recorder.to_owned(), ..ours.clone() };
    let with_another = measured[1].cpu_ms() / measured[0].cpu_ms();
    let mut lines = Vec::new();
    let mut stretches = Vec::new();
    let mut overhead = 0.0;
    for threads in THREADS {
        let predict = |_| {
            let recorded = link.recorded(&recorder, threads)?;
            // All recordings are of the same work, so a longer time is due to the machine.
            let recorded_wall = recorded.recording.total() as f64 + recorded.outside();
            let overhead = recorded_wall / (measured[0].wall_ms * 1e6);
            let stretch = with_another / overhead;
            let machine =
                Machine { threads, steal: STEAL, wake: WAKE, patience: PATIENCE, stretch };
            let outcome = simulate(&recorded.recording, machine);
            let line = Line::new(threads, overhead, &recorded, &outcome);
            Ok((line, overhead, serial_stretches(&recorded, &outcome)))
        };
        let mut all: Vec<_> = (0..RECORDINGS).map(predict).collect::<Result<_, String>>()?;
        all.sort_by(|a, b| a.0.wall_ms.total_cmp(&b.0.wall_ms));
        let (line, of_line, of_stretches) = all.swap_remove(RECORDINGS / 2);
        (overhead, stretches) = (of_line, of_stretches);
        lines.push(line);
    }
    Ok(Prediction { workload: workload.name, mode, measured, overhead, lines, stretches })
}

/// What is linked.
struct Link<'a> {
    workload: &'a Workload,
    mode: Mode,
    options: &'a Options,
    scratch: &'a Path,
}

/// A recording, and the nanoseconds that the process took to exit.
struct Recorded {
    recording: Recording,
    exit: u64,
}

impl Recorded {
    /// Time for start and exit.
    fn outside(&self) -> f64 {
        (self.recording.since + self.exit) as f64
    }
}

impl Link<'_> {
    fn output(&self) -> PathBuf {
        let output = self.scratch.join("out");
        if self.mode == Mode::First {
            let _ = std::fs::remove_file(&output);
        }
        output
    }

    fn measured(&self, linker: &Linker, threads: usize) -> Result<Sample, String> {
        let output = self.output();
        let line = command(linker, self.workload, threads, &output);
        let directory = self.workload.path(&self.options.cache);
        measure(&line, &directory, Some(&output), &self.scratch.join("log"))
    }

    fn recorded(&self, recorder: &Linker, threads: usize) -> Result<Recorded, String> {
        let output = self.output();
        let file = self.scratch.join("recording");
        let line = command(recorder, self.workload, 1, &output);
        let mut linker = Command::new(&line[0]);
        linker.args(&line[1..]).current_dir(self.workload.path(&self.options.cache));
        linker.env("SKALD_RECORD", &file).env("SKALD_RECORD_THREADS", threads.to_string());
        linker.env("SKALD_RECORD_SINCE", now().to_string());
        let status = linker.status().map_err(|e| format!("{}: {e}", line[0]))?;
        let end = now();
        if !status.success() {
            return Err(format!("the linker that records failed with {status}"));
        }
        let text = std::fs::read_to_string(&file).map_err(|e| format!("no recording: {e}"))?;
        let recording = Recording::parse(&text)?;
        let exit = end.saturating_sub(recording.ended);
        Ok(Recorded { recording, exit })
    }
}

/// CLOCK_MONOTONIC, nanoseconds.
fn now() -> u64 {
    let time = clock_gettime(ClockId::CLOCK_MONOTONIC).expect("the clock is there");
    time.tv_sec() as u64 * 1_000_000_000 + time.tv_nsec() as u64
}

fn medians(samples: &[Sample]) -> Sample {
    let of = |value: fn(&Sample) -> f64| median(&samples.iter().map(value).collect::<Vec<_>>());
    Sample {
        wall_ms: of(|sample| sample.wall_ms),
        user_ms: of(|sample| sample.user_ms),
        sys_ms: of(|sample| sample.sys_ms),
        ..Sample::default()
    }
}

/// Serial stretches, longest first, with their nanoseconds.
fn serial_stretches(recorded: &Recorded, outcome: &Outcome) -> Vec<(String, u64)> {
    let recording = &recorded.recording;
    let name = |stretch: &Stretch| {
        let phase = recording.phases.get(stretch.phase).map_or("start", String::as_str);
        match stretch.place.map(|place| &recording.places[place]) {
            Some(place) if stretch.within => format!("{phase}: the last task of {place}"),
            Some(place) => format!("{phase}: after {place}"),
            None => format!("{phase}: before any loop"),
        }
    };
    let mut all: Vec<_> =
        outcome.alone.iter().map(|(stretch, &length)| (name(stretch), length)).collect();
    all.push(("start of the process".into(), recording.since));
    all.push(("exit of the process".into(), recorded.exit));
    all.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    all
}

impl Line {
    fn new(threads: usize, overhead: f64, recorded: &Recorded, outcome: &Outcome) -> Line {
        let outside = recorded.outside() / overhead;
        let ms = |length: u64| length as f64 / 1e6;
        let recording = &recorded.recording;
        let named = recording.phases.iter().zip(&outcome.phases);
        let mut phases: Vec<_> = named.map(|(name, &length)| (name.clone(), ms(length))).collect();
        phases.push(("start and exit".into(), outside / 1e6));
        Line {
            threads,
            wall_ms: (outcome.wall as f64 + outside) / 1e6,
            locked_ms: ms(outcome.locked),
            phases,
        }
    }
}

impl Prediction {
    /// Speed-up over one thread.
    fn speed_up(&self, line: &Line) -> f64 {
        self.measured[0].wall_ms / line.wall_ms
    }

    /// The prediction for two threads, divided by the measurement.
    fn ratio_of_two(&self) -> f64 {
        self.lines[0].wall_ms / self.measured[1].wall_ms
    }

    /// Whether the prediction for two threads is close to the measurement.
    pub fn is_close(&self) -> bool {
        (self.ratio_of_two() - 1.0).abs() <= CLOSE
    }

    /// The tables of predictions, as Markdown.
    pub fn markdown(&self) -> String {
        let [one, two] = &self.measured;
        let mut text = format!(
            "## {}: predictions, {} link\n\nMeasured: one thread {:.1} ms, CPU {:.1} ms; two {:.1} \
             ms, CPU {:.1} ms, {:.3} times that of one. Predicted for two: {:.1} ms, {:.3} of \
             what was measured{}. A recorded link is {:.2} times as long.\n\n",
            self.workload,
            self.mode.name(),
            one.wall_ms,
            one.cpu_ms(),
            two.wall_ms,
            two.cpu_ms(),
            two.cpu_ms() / one.cpu_ms(),
            self.lines[0].wall_ms,
            self.ratio_of_two(),
            if self.is_close() { "" } else { ": not close enough" },
            self.overhead,
        );
        let mut rows = vec![self.heading()];
        rows.push(self.row("wall ms", |line| format!("{:.2}", line.wall_ms)));
        rows.push(self.row("speed-up", |line| format!("{:.1}", self.speed_up(line))));
        rows.push(
            self.row("waiting for locks, ms of all threads", |line| {
                format!("{:.2}", line.locked_ms)
            }),
        );
        for (at, (name, _)) in self.lines[0].phases.iter().enumerate() {
            rows.push(self.row(&format!("- {name}, ms"), |line| {
                line.phases.get(at).map_or("-".into(), |(_, ms)| format!("{ms:.2}"))
            }));
        }
        text += &grid(&rows);
        let threads = THREADS[THREADS.len() - 1];
        text += &format!("\nWhat runs alone with {threads} threads:\n\n");
        let mut rows = vec![vec!["stretch".to_owned(), "ms".to_owned()]];
        for (name, length) in self.stretches.iter().take(NAMED) {
            rows.push(vec![name.clone(), format!("{:.2}", *length as f64 / 1e6)]);
        }
        let all: u64 = self.stretches.iter().map(|(_, length)| length).sum();
        rows.push(vec!["all".into(), format!("{:.2}", all as f64 / 1e6)]);
        text + &grid(&rows)
    }

    fn heading(&self) -> Vec<String> {
        let threads = self.lines.iter().map(|line| line.threads.to_string());
        std::iter::once("threads".to_owned()).chain(threads).collect()
    }

    fn row(&self, name: &str, cell: impl Fn(&Line) -> String) -> Vec<String> {
        std::iter::once(name.to_owned()).chain(self.lines.iter().map(cell)).collect()
    }

    /// The same as JSON.
    pub fn json(&self) -> Value {
        let lines = self.lines.iter().map(|line| {
            json!({
                "threads": line.threads,
                "wall_ms": line.wall_ms,
                "speed_up": self.speed_up(line),
                "locked_ms": line.locked_ms,
                "phases": line.phases,
            })
        });
        json!({
            "workload": self.workload,
            "mode": self.mode.name(),
            "one_thread_wall_ms": self.measured[0].wall_ms,
            "one_thread_cpu_ms": self.measured[0].cpu_ms(),
            "two_threads_wall_ms": self.measured[1].wall_ms,
            "two_threads_cpu_ms": self.measured[1].cpu_ms(),
            "two_threads_predicted_by_measured": self.ratio_of_two(),
            "predictions": lines.collect::<Vec<_>>(),
            "alone": self.stretches,
        })
    }
}
