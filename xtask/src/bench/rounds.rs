//! Runs all linkers on one workload, in turn: A B C, A B C, ..., with the floors ([`floors`]),
//! below which no linker can be, at the end of each round.
//!
//! The first round warms the caches and is not counted. Every output of it is checked; a linker
//! that failed or skipped work is disqualified: the reason is shown, and no figures.

use super::check::Shape;
use super::floors::{self, Floor};
use super::linkers::{Linker, OUTPUT, Role};
use super::load::{self, OthersLoad};
use super::measure::{Sample, measure};
use super::options::{Mode, Options};
use super::{file_system, share, together};
use crate::corpus::Workload;
use crate::scratch::Scratch;
use nix::fcntl::{PosixFadviseAdvice, posix_fadvise};
use std::fs::{self, File};
use std::path::{Path, PathBuf};

/// All runs of all linkers on one workload in one mode.
pub struct Table {
    /// The workload's name.
    pub workload: &'static str,
    /// The plain workload that this one extends, if it was measured in the same rounds.
    pub plain: Option<&'static str>,
    /// What existed at the output's path.
    pub mode: Mode,
    /// Directory and file system of the outputs, for people.
    pub place: String,
    /// Whether inputs were dropped from the page cache.
    pub cold: bool,
    /// Threads per linker.
    pub threads: usize,
    /// Bytes of all files that the line names.
    pub input_bytes: u64,
    /// The share of all processors that went to others during the runs.
    pub others: Option<f64>,
    /// One per linker, in the order of the linkers, and one per floor.
    pub rows: Vec<Row>,
}

/// One linker's runs.
pub struct Row {
    /// The linker's name.
    pub linker: String,
    /// What its figures are used for.
    pub role: Role,
    /// One per round, or why there are none.
    pub result: Result<Vec<Sample>, String>,
    /// Instructions in user mode with one thread, if they were counted.
    pub instructions: Option<u64>,
}

/// Where one linker's output of one workload goes.
struct OutputPlace<'a> {
    runner: Runner<'a>,
    directory: PathBuf,
    failure: Option<String>,
    samples: Vec<Sample>,
    shape: Option<Shape>,
    /// Memory of all processes of a run; 0 if it was not measured.
    together_mib: f64,
}

/// What runs in a bay.
#[derive(Clone, Copy)]
enum Runner<'a> {
    Linker(&'a Linker),
    Floor(Floor),
}

/// What all runs of a table have in common.
struct Race<'a> {
    workload: &'a Workload,
    mode: Mode,
    place: &'a Path,
    options: &'a Options,
    inputs: Vec<PathBuf>,
    others: OthersLoad,
}

/// One table in the making.
struct Contest<'a> {
    race: Race<'a>,
    linkers: Vec<OutputPlace<'a>>,
    floors: Vec<OutputPlace<'a>>,
    /// Holds the bays' directories.
    _scratch: Scratch,
}

/// Measures workloads, each by its linkers, in the same rounds and with outputs in `place`; one
/// table each. The first is the plain link that the others extend.
///
/// # Errors
/// When directories cannot be made; errors of linkers are in the tables.
pub fn run(
    workloads: &[(&Workload, &[Linker])],
    mode: Mode,
    place: &Path,
    options: &Options,
) -> Result<Vec<Table>, String> {
    let contest = |&(workload, linkers)| Contest::new(workload, linkers, mode, place, options);
    let mut contests = workloads.iter().map(contest).collect::<Result<Vec<_>, _>>()?;
    for round in 0..=options.rounds {
        for contest in &mut contests {
            contest.run(round);
        }
    }
    let mut tables: Vec<_> = contests.into_iter().map(Contest::table).collect();
    let plain = workloads.first().map(|(workload, _)| workload.name);
    for table in tables.iter_mut().skip(1) {
        table.plain = plain;
    }
    Ok(tables)
}

/// The command that links a workload.
pub fn command(linker: &Linker, workload: &Workload, threads: usize, output: &Path) -> Vec<String> {
    let mut command = plain_command(linker, workload, threads, output);
    command.extend(workload.extra.iter().map(|&option| option.to_owned()));
    command
}

/// The command without the workload's extra options.
fn plain_command(
    linker: &Linker,
    workload: &Workload,
    threads: usize,
    output: &Path,
) -> Vec<String> {
    let output = output.display().to_string();
    let mut command = vec![linker.path.display().to_string()];
    command.extend(linker.options(threads).iter().map(|option| option.replace(OUTPUT, &output)));
    if let Some(plugin) = workload.plugin {
        command.extend(share::options(plugin, linker.kind, &linker.name, Path::new(&output)));
    }
    command.push(format!("@{}", workload.response));
    command.extend(["-o".to_owned(), output]);
    command
}

impl<'a> Contest<'a> {
    fn new(
        workload: &'a Workload,
        linkers: &'a [Linker],
        mode: Mode,
        place: &'a Path,
        options: &'a Options,
    ) -> Result<Self, String> {
        let scratch = Scratch::within(place, "skald-bench-")?;
        let inputs = workload.input_files(&options.cache)?;
        if options.cold {
            write_back(&inputs);
        }
        let race = Race { workload, mode, place, options, inputs, others: OthersLoad::default() };
        let floors = Floor::ALL.into_iter().filter(|_| options.floors).map(Runner::Floor);
        let mut bays = Vec::new();
        for (index, runner) in linkers.iter().map(Runner::Linker).chain(floors).enumerate() {
            let directory = scratch.path().join(index.to_string());
            fs::create_dir(&directory).map_err(|e| format!("{}: {e}", directory.display()))?;
            bays.push(OutputPlace::new(runner, directory));
        }
        let floors = bays.split_off(linkers.len());
        Ok(Self { race, linkers: bays, floors, _scratch: scratch })
    }

    fn run(&mut self, round: usize) {
        self.race.link_all(&mut self.linkers, round);
        if round == 0 {
            compare(&mut self.linkers);
        }
        self.race.measure_floors(&mut self.floors, &self.linkers, round);
    }

    fn table(self) -> Table {
        let Race { workload, mode, place, options, inputs, others } = self.race;
        let input_bytes = inputs.iter().filter_map(|path| fs::metadata(path).ok());
        Table {
            workload: workload.name,
            plain: None,
            mode,
            place: file_system::described(place),
            cold: options.cold,
            threads: options.threads,
            input_bytes: input_bytes.map(|file| file.len()).sum(),
            others: others.share(),
            rows: self.linkers.into_iter().chain(self.floors).map(OutputPlace::row).collect(),
        }
    }
}

impl Race<'_> {
    /// Each linker links once. After a first link only the output that is to be copied stays.
    fn link_all(&mut self, linkers: &mut [OutputPlace], round: usize) {
        let mut has_output = false;
        for bay in linkers.iter_mut().filter(|bay| bay.failure.is_none()) {
            let Runner::Linker(linker) = bay.runner else { continue };
            let output = bay.output();
            if self.mode == Mode::First {
                bay.remove_outputs();
            }
            let line = command(linker, self.workload, self.options.threads, &output);
            self.measure(bay, &line, Some(&output), round);
            if self.workload.plugin.is_some() {
                self.look_at_plugin(bay, &line, round);
            }
            if round == 0 && bay.failure.is_none() {
                bay.inspect(self.workload, &self.workload.path(&self.options.cache));
                self.check_folding(bay, linker);
            }
            if self.mode == Mode::First && (has_output || bay.failure.is_some()) {
                bay.remove_outputs();
            }
            has_output |= bay.failure.is_none();
        }
    }

    /// Adds what the plugin took to the last sample, and the memory of all processes, for which the
    /// line is run once more.
    fn look_at_plugin(&self, bay: &mut OutputPlace, line: &[String], round: usize) {
        let plugin_ms = share::plugin_ms(&bay.output()).unwrap_or(0.0);
        if round == 0 && bay.failure.is_none() {
            let directory = self.workload.path(&self.options.cache);
            let peak = together::peak(line, &directory, &bay.directory.join("log"));
            bay.together_mib = peak.unwrap_or(0.0);
        }
        if let Some(sample) = bay.samples.last_mut() {
            (sample.plugin_ms, sample.together_mib) = (plugin_ms, bay.together_mib);
        }
    }

    /// Disqualifies a linker that does not fold as it should: some accept the option and do
    /// nothing.
    fn check_folding(&self, bay: &mut OutputPlace, linker: &Linker) {
        let Some(folded) = bay.shape.as_ref().filter(|_| self.workload.expects.folded) else {
            return;
        };
        let output = bay.directory.join("unfolded");
        let line = plain_command(linker, self.workload, self.options.threads, &output);
        let directory = self.workload.path(&self.options.cache);
        let link = measure(&line, &directory, Some(&output), &bay.directory.join("log"));
        match link.and_then(|_| Shape::of(&output)) {
            Ok(unfolded) if folded.is_folded(&unfolded) => {}
            Ok(_) => bay.failure = Some(not_comparable(&["equal functions are not folded".into()])),
            Err(error) => bay.failure = Some(error),
        }
        let _ = fs::remove_file(&output);
    }

    /// Measures the floors. The copied output is that of the first linker that is not disqualified,
    /// usually ours.
    fn measure_floors(
        &mut self,
        floors: &mut [OutputPlace],
        linkers: &[OutputPlace],
        round: usize,
    ) {
        let finished = linkers.iter().find(|bay| bay.failure.is_none() && bay.output().is_file());
        for bay in floors.iter_mut().filter(|bay| bay.failure.is_none()) {
            let Runner::Floor(floor) = bay.runner else { continue };
            let copy = bay.output();
            let line = match (floor, finished) {
                (Floor::CopyOutput, None) => continue,
                (Floor::CopyOutput, Some(finished)) => {
                    floors::copy_command(&finished.output(), &copy)
                }
                (Floor::TouchInputs, _) => {
                    let list = bay.directory.join("inputs");
                    floors::touch_command(&self.inputs, &list, self.options.threads)
                }
            };
            let output = (floor == Floor::CopyOutput).then_some(copy.as_path());
            match line {
                Ok(line) => self.measure(bay, &line, output, round),
                Err(error) => bay.failure = Some(error),
            }
            let _ = fs::remove_file(&copy);
        }
    }

    /// Runs a line once, under the conditions of the table.
    fn measure(
        &mut self,
        bay: &mut OutputPlace,
        line: &[String],
        output: Option<&Path>,
        round: usize,
    ) {
        file_system::settle(self.place);
        if self.options.cold {
            drop_from_cache(&self.inputs);
        }
        let log = bay.directory.join("log");
        let directory = self.workload.path(&self.options.cache);
        let (result, seen) = load::during(|| measure(line, &directory, output, &log));
        match result {
            Ok(sample) if round > 0 => {
                self.others.add(seen, sample.cpu_ms());
                bay.samples.push(sample);
            }
            Ok(_) => {}
            Err(error) => bay.failure = Some(error),
        }
    }
}

impl<'a> OutputPlace<'a> {
    fn new(runner: Runner<'a>, directory: PathBuf) -> Self {
        let (failure, samples, shape) = (None, Vec::new(), None);
        Self { runner, directory, failure, samples, shape, together_mib: 0.0 }
    }

    fn output(&self) -> PathBuf {
        self.directory.join("out")
    }

    /// Removes the output, and files beside it that begin with its name.
    fn remove_outputs(&self) {
        let _ = fs::remove_file(self.output());
        for suffix in ["map", "html", "json"] {
            let _ = fs::remove_file(self.output().with_extension(suffix));
        }
    }

    /// Disqualifies a linker whose output lacks a part or does not run.
    fn inspect(&mut self, workload: &Workload, inputs: &Path) {
        let shape = match Shape::of(&self.output()) {
            Ok(shape) => shape,
            Err(error) => {
                self.failure = Some(error);
                return;
            }
        };
        let missing = shape.missing(workload.expects);
        if !missing.is_empty() {
            self.failure = Some(not_comparable(&missing));
        } else if let Err(error) = (workload.prove)(&self.output(), inputs) {
            self.failure = Some(format!("the output does not work: {error}"));
        }
        self.shape = Some(shape);
    }

    fn row(self) -> Row {
        let (linker, role) = match self.runner {
            Runner::Linker(linker) => (linker.name.clone(), linker.role),
            Runner::Floor(floor) => (floor.name().to_owned(), Role::Floor),
        };
        let result = match self.failure {
            None if self.samples.is_empty() => Err("nobody made an output".to_owned()),
            None => Ok(self.samples),
            Some(failure) => Err(failure),
        };
        Row { linker, role, result, instructions: None }
    }
}

/// Disqualifies linkers that did less work than usual.
fn compare(linkers: &mut [OutputPlace]) {
    let shapes: Vec<_> = linkers.iter().filter_map(|bay| bay.shape.clone()).collect();
    if shapes.len() <= 2 {
        return;
    }
    for bay in linkers.iter_mut().filter(|bay| bay.failure.is_none()) {
        let faults = bay.shape.as_ref().map_or_else(Vec::new, |shape| shape.smaller_than(&shapes));
        if !faults.is_empty() {
            bay.failure = Some(not_comparable(&faults));
        }
    }
}

fn not_comparable(faults: &[String]) -> String {
    format!("not comparable: {}", faults.join("; "))
}

/// Writes files to disk, because the kernel does not drop dirty pages.
fn write_back(files: &[PathBuf]) {
    for file in files.iter().filter_map(|path| File::open(path).ok()) {
        let _ = file.sync_data();
    }
}

/// Asks the kernel to drop the files' pages. Mapped pages stay.
fn drop_from_cache(files: &[PathBuf]) {
    for file in files.iter().filter_map(|path| File::open(path).ok()) {
        let _ = posix_fadvise(&file, 0, 0, PosixFadviseAdvice::POSIX_FADV_DONTNEED);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::linkers::{Kind, LISTS};

    #[test]
    fn lists_stand_beside_the_output() {
        let linker = Linker {
            name: "skald".into(),
            path: "/bin/skald".into(),
            kind: Kind::Skald,
            version: String::new(),
            role: Role::Ours,
            extra: Vec::new(),
        };
        let workload = &crate::corpus::all()[0];
        let options = LISTS.map(|(name, option)| {
            let line = command(&linker.variant(name, option), workload, 2, Path::new("/x/out"));
            line[2].clone()
        });
        assert_eq!(options, ["-Map=/x/out.map", "--report=/x/out.html", "--report=/x/out.json"]);
    }
}
