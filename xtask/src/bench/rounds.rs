//! Runs all linkers on one workload, in turn: A B C, A B C, ...
//!
//! The first round warms the caches and is not counted. After it every output is checked; a
//! linker that failed, or skipped work, is out, with the reason, and no figure of it is shown.

use super::check::Shape;
use super::linkers::Linker;
use super::measure::{Sample, measure};
use super::options::{Mode, Options};
use crate::corpus::Workload;
use nix::fcntl::{PosixFadviseAdvice, posix_fadvise};
use std::fs::{self, File};
use std::path::{Path, PathBuf};

/// All runs of all linkers on one workload in one mode.
pub struct Table {
    /// The workload's name.
    pub workload: &'static str,
    /// What was at the output's path.
    pub mode: Mode,
    /// The file system of the outputs, for people.
    pub place: String,
    /// Whether inputs were dropped from the page cache.
    pub cold: bool,
    /// Threads per linker.
    pub threads: usize,
    /// One per linker, in the order of the linkers.
    pub rows: Vec<Row>,
}

/// One linker's runs.
pub struct Row {
    /// The linker's name.
    pub linker: String,
    /// Whether it is this project's.
    pub ours: bool,
    /// One per round, or why there are none.
    pub result: Result<Vec<Sample>, String>,
    /// Instructions in user mode with one thread, if they were counted.
    pub instructions: Option<u64>,
}

/// Where one linker's output of one workload goes.
struct Bay<'a> {
    linker: &'a Linker,
    directory: PathBuf,
    failure: Option<String>,
    samples: Vec<Sample>,
}

/// Measures one workload with outputs in `place`.
///
/// # Errors
/// When directories cannot be made; what linkers do wrong is in the table.
pub fn run(
    workload: &Workload,
    linkers: &[Linker],
    mode: Mode,
    place: &Path,
    options: &Options,
) -> Result<Table, String> {
    let scratch = tempfile::Builder::new()
        .prefix("skald-bench-")
        .tempdir_in(place)
        .map_err(|e| format!("{}: {e}", place.display()))?;
    let inputs = if options.cold { workload.input_files(&options.cache)? } else { Vec::new() };
    let mut bays = Vec::new();
    for (index, linker) in linkers.iter().enumerate() {
        let directory = scratch.path().join(index.to_string());
        fs::create_dir(&directory).map_err(|e| format!("{}: {e}", directory.display()))?;
        bays.push(Bay { linker, directory, failure: None, samples: Vec::new() });
    }
    for round in 0..=options.rounds {
        for bay in bays.iter_mut().filter(|bay| bay.failure.is_none()) {
            if mode == Mode::First {
                let _ = fs::remove_file(bay.output());
            }
            drop_from_cache(&inputs);
            match bay.link(workload, options) {
                Ok(sample) if round > 0 => bay.samples.push(sample),
                Ok(_) => {}
                Err(error) => bay.failure = Some(error),
            }
        }
        if round == 0 {
            judge(&mut bays, workload, options);
        }
    }
    let rows = bays.into_iter().map(|bay| Row {
        linker: bay.linker.name.clone(),
        ours: bay.linker.kind == super::linkers::Kind::Skald,
        result: bay.failure.map_or(Ok(bay.samples), Err),
        instructions: None,
    });
    Ok(Table {
        workload: workload.name,
        mode,
        place: place.display().to_string(),
        cold: options.cold,
        threads: options.threads,
        rows: rows.collect(),
    })
}

/// The command that links a workload.
pub fn command(linker: &Linker, workload: &Workload, threads: usize, output: &Path) -> Vec<String> {
    let mut command = vec![linker.path.display().to_string()];
    command.extend(linker.options(threads));
    command.push(format!("@{}", workload.response));
    command.extend(["-o".to_owned(), output.display().to_string()]);
    command
}

impl Bay<'_> {
    fn output(&self) -> PathBuf {
        self.directory.join("out")
    }

    fn link(&self, workload: &Workload, options: &Options) -> Result<Sample, String> {
        let output = self.output();
        let command = command(self.linker, workload, options.threads, &output);
        let log = self.directory.join("log");
        measure(&command, &workload.path(&options.cache), &output, &log)
    }
}

/// Puts out of the race whoever skipped work or made what does not run.
fn judge(bays: &mut [Bay], workload: &Workload, options: &Options) {
    let mut shapes = Vec::new();
    for bay in bays.iter_mut().filter(|bay| bay.failure.is_none()) {
        match Shape::of(&bay.output()) {
            Ok(shape) => shapes.push(shape),
            Err(error) => bay.failure = Some(error),
        }
    }
    let mut of_bays = shapes.iter();
    for bay in bays.iter_mut().filter(|bay| bay.failure.is_none()) {
        let Some(shape) = of_bays.next() else { break };
        let mut faults = shape.missing(workload.expects);
        if shapes.len() > 2 {
            faults.extend(shape.smaller_than(&shapes));
        }
        if !faults.is_empty() {
            bay.failure = Some(format!("not comparable: {}", faults.join("; ")));
        } else if let Err(error) = (workload.prove)(&bay.output(), &workload.path(&options.cache)) {
            bay.failure = Some(format!("the output does not work: {error}"));
        }
    }
}

/// Asks the kernel to forget the files' pages. Pages that someone has mapped stay.
fn drop_from_cache(files: &[PathBuf]) {
    for file in files.iter().filter_map(|path| File::open(path).ok()) {
        let _ = posix_fadvise(&file, 0, 0, PosixFadviseAdvice::POSIX_FADV_DONTNEED);
    }
}
