//! `cargo xtask repeat --linker PATH [--perturbed PATH] [--machine NAME] [FILTER]`: repeats links
//! and checks that the output bytes are always the same.
//!
//! They are linked in different ways ([`ways`]): with 1, 2, 3, 8 and 64 threads, with a mapped
//! output, with a worker in the background, in another environment, with another host name, and
//! with a build that takes random decisions. And they are linked in different places ([`places`]):
//! in other directories, on tmpfs, ext4, XFS, Btrfs and overlayfs.
//!
//! There are three sets of links. The twelve kinds of the check of system calls are linked most
//! often: each [`KIND_RUNS`] times with each number of threads, and in each way in each place. The
//! benchmark's clang, if it is there, is linked as often with each number of threads. The links of
//! all cases are made once or twice in each way. With `--machine` only these are made, for that
//! machine.

mod places;
mod ways;

use crate::faults::links::{self, Inputs, KINDS, Kind};
use crate::{Result, test, tools};
use places::Places;
use skald_testkit::linker::Linker;
use skald_testkit::machine::{self, Machine};
use skald_testkit::repetition::{self, Plan, Relink};
use skald_testkit::suite::{Config, Counts};
use std::collections::BTreeMap;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;
use ways::{WAYS, Way};
use xtask::{corpus, root};

/// Links of each kind with each number of threads.
const KIND_RUNS: usize = 20;
/// Links of each kind in each other way, and in each place.
const OTHER_RUNS: usize = 3;
/// Links of clang with each number of threads.
const CLANG_RUNS: usize = 20;
/// Links of each case with each number of threads.
const CASE_RUNS: usize = 2;
/// Links of each kind in each way, as part of the tests.
const QUICK_RUNS: usize = 2;

/// The command.
pub fn run(words: &[String]) -> Result<()> {
    let usage = "repeat --linker PATH [--perturbed PATH] [--machine NAME] [FILTER]";
    let (mut linker, mut perturbed, mut filter, mut machine) = (None, None, None, None);
    let mut words = words.iter();
    while let Some(word) = words.next() {
        match word.as_str() {
            "--linker" => linker = words.next().map(PathBuf::from),
            "--perturbed" => perturbed = words.next().map(PathBuf::from),
            "--machine" => machine = Some(machine::named(words.next().ok_or(usage)?)?),
            option if option.starts_with('-') => return Err(usage.to_owned()),
            word => filter = Some(word.to_owned()),
        }
    }
    let linker = linker.ok_or(usage)?;
    tools::install_tools(&tools::FOR_FILE_SYSTEMS);
    let perturbed = perturbed.map_or_else(test::build_perturbed, Ok)?;
    let repeat = Repeat::new(&linker, Some(&perturbed), &root::target().join("repeat"))?;
    let places = Places::make(&repeat.work);
    for name in &places.missing {
        println!("{name}: skipped: it cannot be mounted here");
    }
    let mut total = Counts { skipped: places.missing.len(), ..Counts::default() };
    if filter.is_none() && machine.is_none() {
        total.join(told("kinds", || repeat.kinds(KIND_RUNS, OTHER_RUNS, &places.all()))?);
        total.join(told("clang", || repeat.clang(&places.all()))?);
    }
    total.join(told("cases", || repeat.cases(filter, machine, &places.all()))?);
    println!("repeat: {total}");
    drop(places);
    let _ = std::fs::remove_dir_all(&repeat.work);
    if total.failed > 0 { Err(format!("{} failed", total.failed)) } else { Ok(()) }
}

/// Links of all kinds in each way, which takes seconds.
pub fn check(linker: &Path, perturbed: Option<&Path>) -> Result<Counts> {
    let repeat = Repeat::new(linker, perturbed, &root::target().join("repeat-quick"))?;
    let place = ("another directory".to_owned(), repeat.work.join("another"));
    repeat.kinds(QUICK_RUNS, 1, &[place])
}

fn told(name: &str, run: impl FnOnce() -> Result<Counts>) -> Result<Counts> {
    let start = Instant::now();
    let counts = run()?;
    println!("{name}: {counts}; {:.0} s", start.elapsed().as_secs_f64());
    Ok(counts)
}

/// The linker, with the ways to call it.
struct Repeat {
    work: PathBuf,
    linker: PathBuf,
    /// The ways that are possible on this machine, with their scripts.
    ways: Vec<(&'static Way, PathBuf)>,
}

/// What a link wrote and printed, by name.
type Made = BTreeMap<String, Vec<u8>>;

impl Repeat {
    fn new(linker: &Path, perturbed: Option<&Path>, work: &Path) -> Result<Repeat> {
        let whole =
            |path: &Path| path.canonicalize().map_err(|e| format!("{}: {e}", path.display()));
        let _ = std::fs::remove_dir_all(work);
        std::fs::create_dir_all(work).map_err(|e| format!("{}: {e}", work.display()))?;
        let work = whole(work)?;
        // Both builds get the same file name, because messages contain it.
        let called_ld = |program: &Path, name: &str| -> Result<PathBuf> {
            let link = work.join(name).join("ld");
            let io = |e: std::io::Error| format!("{}: {e}", link.display());
            std::fs::create_dir_all(work.join(name)).map_err(io)?;
            symlink(whole(program)?, &link).map_err(io)?;
            Ok(link)
        };
        let linker = called_ld(linker, "linker")?;
        let perturbed = perturbed.map(|path| called_ld(path, "perturbed-linker")).transpose()?;
        let mut ways = Vec::new();
        for way in WAYS {
            let program = if way.is_perturbed { perturbed.as_ref() } else { Some(&linker) };
            match program.filter(|_| way.is_possible()) {
                Some(program) => ways.push((way, way.script(program, &work.join("ways"))?)),
                None => println!("{}: skipped", way.name),
            }
        }
        Ok(Repeat { work, linker, ways })
    }

    /// Each kind of link, `runs` times in ways of threads, `others` times in all others and in all
    /// places.
    fn kinds(&self, runs: usize, others: usize, places: &[(String, PathBuf)]) -> Result<Counts> {
        let inputs = Inputs::make(&self.work.join("inputs"), &self.linker)?;
        let here = self.work.join("kinds");
        let mut counts = Counts::default();
        for kind in KINDS {
            let first = link(kind, &inputs, &self.linker, &here, true)?;
            let mut compare =
                |name: &str, way: &Way, script: &Path, directory: &Path| -> Result<()> {
                    let made = link(kind, &inputs, script, directory, !way.is_relink)?;
                    let counts_file = |file: &str| !way.is_output_alone || file == "out";
                    let name = format!("{}: {name}", kind.name);
                    counts.join(verdict(&name, &first, &made, counts_file));
                    Ok(())
                };
            for (way, script) in &self.ways {
                for _ in 0..if way.is_of_threads { runs } else { others } {
                    compare(way.name, way, script, &here)?;
                }
            }
            for (place, directory) in places {
                let directory = directory.join("kinds");
                for (way, script) in self.ways.iter().filter(|(way, _)| !way.is_perturbed) {
                    for _ in 0..others {
                        let name = format!("on {place}: {}", way.name);
                        compare(&name, way, script, &directory)?;
                    }
                }
                let _ = std::fs::remove_dir_all(directory);
            }
        }
        Ok(counts)
    }

    /// Links clang, if the benchmark has its inputs.
    fn clang(&self, places: &[(String, PathBuf)]) -> Result<Counts> {
        let cache = corpus::default_cache();
        let all = corpus::all();
        let found = all.iter().find(|w| w.name == "clang-release" && w.is_ready(&cache));
        let Some(workload) = found else {
            println!("clang: skipped: the benchmark has not made it");
            return Ok(Counts { skipped: 1, ..Counts::default() });
        };
        let directory = workload.path(&cache);
        let first = self.work.join("clang");
        let link = |script: &Path, output: &Path| -> Result<()> {
            let mut command = Command::new(script);
            command.current_dir(&directory).arg(format!("@{}", workload.response));
            root::run(command.args(workload.extra).arg("-o").arg(output))
        };
        link(&self.linker, &first)?;
        let mut counts = Counts::default();
        let mut compare = |name: &str, script: &Path, place: &Path, is_anew: bool| -> Result<()> {
            let output = place.join("clang-again");
            if is_anew {
                let _ = std::fs::remove_file(&output);
            }
            link(script, &output)?;
            let is_same =
                crate::disk::is_done(Command::new("cmp").arg("-s").args([&first, &output]));
            if !is_same {
                println!("FAIL clang: {name}: another output");
            }
            counts.join(Counts { passed: is_same.into(), failed: (!is_same).into(), skipped: 0 });
            Ok(())
        };
        for (way, script) in &self.ways {
            // The perturbed build is not optimised: its link takes a minute.
            let is_often = way.is_of_threads && !way.is_perturbed;
            for _ in 0..if is_often { CLANG_RUNS } else { 1 } {
                compare(way.name, script, &self.work, !way.is_relink)?;
            }
        }
        let writes = |way: &Way| way.name.contains("mapped") || way.name.contains("background");
        for (place, directory) in places {
            std::fs::create_dir_all(directory)
                .map_err(|e| format!("{}: {e}", directory.display()))?;
            compare(&format!("on {place}"), &self.linker, directory, true)?;
            for (way, script) in self.ways.iter().filter(|(way, _)| writes(way)) {
                compare(&format!("on {place}: {}", way.name), script, directory, true)?;
            }
            let _ = std::fs::remove_file(directory.join("clang-again"));
        }
        Ok(counts)
    }

    /// The links of the cases.
    fn cases(
        &self,
        filter: Option<String>,
        machine: Option<&'static Machine>,
        places: &[(String, PathBuf)],
    ) -> Result<Counts> {
        let mut plan = Plan { ways: Vec::new(), places: places.to_owned() };
        for (way, script) in &self.ways {
            let directory = self.work.join("linkers").join(script.file_name().unwrap_or_default());
            plan.ways.push(Relink {
                name: way.name.to_owned(),
                times: if way.is_of_threads { CASE_RUNS } else { 1 },
                linker: Linker::new(script, &directory)?,
                is_relink: way.is_relink,
                is_output_alone: way.is_output_alone,
            });
        }
        for (_, place) in places {
            std::fs::create_dir_all(place).map_err(|e| format!("{}: {e}", place.display()))?;
        }
        let config = Config {
            cases: root::directory().join("tests/elf"),
            linker: self.linker.clone(),
            perturbed: None,
            work: root::directory().join("target/elf-tests"),
            filter,
            without: Vec::new(),
            machine,
            sample: None,
            is_compared: false,
            jobs: std::thread::available_parallelism().map_or(2, usize::from),
            verbose: false,
        };
        repetition::run(&config, &plan)
    }
}

/// Links in `directory`, which is new or as the previous link left it; returns what was written.
fn link(
    kind: &Kind,
    inputs: &Inputs,
    program: &Path,
    directory: &Path,
    is_anew: bool,
) -> Result<Made> {
    if is_anew {
        inputs.copy(kind, directory)?;
    }
    let mut command = Command::new(program);
    command.args(kind.own_words()).current_dir(directory).stdin(Stdio::null());
    let output = command.output().map_err(|e| format!("{}: {e}", program.display()))?;
    if !output.status.success() {
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        return Err(format!("{}: {}: {}: {text}", kind.name, program.display(), output.status));
    }
    let mut made = links::made(directory, &inputs.names()?)?;
    made.retain(|name, _| !kind.differing.contains(&name.as_str()));
    made.insert("(printed)".to_owned(), output.stdout);
    made.insert("(messages)".to_owned(), output.stderr);
    Ok(made)
}

/// Compares the files of two links for which `counts` holds, and prints the differences.
fn verdict(name: &str, first: &Made, made: &Made, counts: impl Fn(&str) -> bool) -> Counts {
    let mut names = first.keys().chain(made.keys()).filter(|file| counts(file));
    match names.find(|file| first.get(*file) != made.get(*file)) {
        None => Counts { passed: 1, ..Counts::default() },
        Some(file) => {
            println!("FAIL {name}: {file} is not the same");
            Counts { failed: 1, ..Counts::default() }
        }
    }
}
