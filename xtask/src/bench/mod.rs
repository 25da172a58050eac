//! `cargo xtask bench`: compares this project's linker with others on the same links, interleaved
//! in one run.
//!
//! It is designed to be fair: the same response file, the same number of threads, one process each
//! ([`linkers`]), interleaved runs and paired ratios ([`rounds`], [`statistics`]). Figures include
//! child processes ([`measure`]), and there are none for an output that lacks a part or does not
//! work ([`check`]).

mod callgrind;
mod check;
mod file_system;
pub mod floors;
mod growth;
mod identity;
mod limited;
pub mod linkers;
mod load;
pub mod measure;
mod metric;
pub mod options;
mod phases;
mod plot;
mod predict;
pub mod report;
pub mod rounds;
mod scaling;
mod scripts;
mod share;
pub mod statistics;
mod surcharge;
mod together;

use crate::corpus::{self, Workload, capture};
use crate::root;
use callgrind::Counts;
use linkers::{Kind, Linker, Role};
use options::Options;
use report::Results;
use std::path::{Path, PathBuf};
use surcharge::Surcharge;

/// Runs the task; returns the exit status.
pub fn run(arguments: &[String]) -> i32 {
    let result = match arguments {
        [first, rest @ ..] if first == "record" => capture::record(rest),
        [first, rest @ ..] if first == "measured" => {
            // The parent process reads what is printed here.
            return measure::measured(rest).map_err(|e| println!("{e}")).map_or(1, |()| 0);
        }
        words if words.iter().any(|word| word == "--help" || word == "-h") => {
            print!("{}", options::HELP);
            return 0;
        }
        words => Options::parse(words).and_then(|options| bench(&options)),
    };
    result.unwrap_or_else(|error| {
        eprintln!("bench: {error}");
        1
    })
}

fn bench(options: &Options) -> Result<i32, String> {
    std::fs::create_dir_all(&options.cache)
        .map_err(|e| format!("{}: {e}", options.cache.display()))?;
    if options.growth {
        return growth::run(options, || participants(options));
    }
    if options.list {
        list(&options.cache);
        return Ok(0);
    }
    let workloads = chosen(options)?;
    if options.prepare {
        for workload in &workloads {
            eprintln!("preparing {}", workload.name);
            workload.prepare(&options.cache)?;
            println!("{}", workload.path(&options.cache).join(workload.response).display());
        }
        return Ok(0);
    }
    let linkers = participants(options)?;
    for linker in &linkers {
        println!("{:<8} {}  [{}]", linker.name, linker.version, linker.path.display());
    }
    println!();
    if options.predict {
        return predict_all(&workloads, &linkers, options);
    }
    let mut all_good = true;
    let mut results = Results::default();
    for group in groups(workloads) {
        let is_ready = |workload: &Workload| match workload.prepare(&options.cache) {
            Ok(()) => true,
            Err(error) => {
                eprintln!("{} is left out: {error}\n", workload.name);
                false
            }
        };
        let (ready, failed): (Vec<_>, Vec<_>) = group.into_iter().partition(is_ready);
        all_good &= measure_group(&ready, &linkers, options, &mut results)? && failed.is_empty();
    }
    for scaling in scaling::of(&results.tables) {
        println!("{}", scaling::markdown(&scaling));
    }
    write_reports(&results, &linkers, options)?;
    Ok(if all_good { 0 } else { 1 })
}

/// Makes predictions for all workloads; status 1 if a prediction differs too much from the
/// measurement.
fn predict_all(
    workloads: &[Workload],
    linkers: &[Linker],
    options: &Options,
) -> Result<i32, String> {
    let recorder = predict::build()?;
    let mut all_good = true;
    let mut all = Vec::new();
    for workload in workloads {
        workload.prepare(&options.cache)?;
        for &mode in &options.modes {
            let prediction = predict::run(workload, linkers, &recorder, mode, options)?;
            println!("{}", prediction.markdown());
            all_good &= prediction.is_close();
            all.push(prediction.json());
        }
    }
    if let Some(path) = &options.json {
        let text = serde_json::Value::from(all).to_string();
        std::fs::write(path, text).map_err(|e| format!("{}: {e}", path.display()))?;
    }
    Ok(if all_good { 0 } else { 1 })
}

/// Groups of workloads that are measured in the same rounds: a link with an index for gdb goes with
/// the same link without it; all others are alone.
fn groups(workloads: Vec<Workload>) -> Vec<Vec<Workload>> {
    let mut groups: Vec<Vec<Workload>> = Vec::new();
    for workload in workloads {
        match groups.iter_mut().find(|group| workload.is_index_over(&group[0])) {
            Some(group) => group.push(workload),
            None => groups.push(vec![workload]),
        }
    }
    groups
}

/// A workload with the linkers that take part.
struct Entry<'a> {
    workload: &'a Workload,
    linkers: Vec<Linker>,
    /// One per linker, if instructions were to be counted.
    counts: Option<Vec<Option<Counts>>>,
}

/// Makes all tables of workloads that are measured in the same rounds, and the checks of each
/// workload. Returns whether our linker passed.
fn measure_group(
    workloads: &[Workload],
    linkers: &[Linker],
    options: &Options,
    results: &mut Results,
) -> Result<bool, String> {
    let entry = |workload| -> Result<Entry, String> {
        let linkers = limited::with_limits(workload, linkers, options)?;
        let counts = options.callgrind.then(|| instruction_counts(workload, &linkers, options));
        Ok(Entry { workload, linkers, counts })
    };
    let entries = workloads.iter().map(entry).collect::<Result<Vec<_>, _>>()?;
    let mut good = true;
    for place in &options.places {
        for &mode in &options.modes {
            let runners: Vec<_> = entries.iter().map(|e| (e.workload, &*e.linkers)).collect();
            let mut tables = rounds::run(&runners, mode, place, options)?;
            for (table, entry) in tables.iter_mut().zip(&entries) {
                for (at, row) in table.rows.iter_mut().enumerate() {
                    let counted = entry.counts.as_ref().and_then(|c| c.get(at)?.as_ref());
                    row.instructions = counted.map(|counts| counts.total);
                    good &= row.role != Role::Ours || row.result.is_ok();
                }
                println!("{}", report::markdown(table));
                share::markdown(table).iter().for_each(|text| println!("{text}"));
            }
            for surcharge in surcharge::of(&tables) {
                println!("{}", surcharge.markdown());
            }
            results.tables.append(&mut tables);
        }
    }
    for Entry { workload, linkers, counts } in &entries {
        if good && options.phases {
            break_down(workload, linkers, counts.as_deref(), options, results);
        }
        good = good && (!options.identity || is_deterministic(workload, linkers, options));
    }
    Ok(good)
}

/// Our phases, with the instructions that were counted for them.
fn break_down(
    workload: &Workload,
    linkers: &[Linker],
    counts: Option<&[Option<Counts>]>,
    options: &Options,
    results: &mut Results,
) {
    for (at, linker) in linkers.iter().enumerate().filter(|(_, l)| l.role == Role::Ours) {
        match phases::run(workload, linker, options) {
            Ok(mut breakdown) => {
                let counted = counts.and_then(|counts| counts[at].as_ref());
                breakdown.instructions = counted.map_or_else(Vec::new, |c| c.phases.clone());
                println!("{}", breakdown.markdown());
                results.phases.push(breakdown);
            }
            Err(error) => eprintln!("{}: phases were not measured: {error}", linker.name),
        }
    }
}

/// Whether our outputs do not depend on the number of threads.
fn is_deterministic(workload: &Workload, linkers: &[Linker], options: &Options) -> bool {
    let mut good = true;
    for linker in linkers.iter().filter(|linker| linker.role == Role::Ours) {
        match identity::check(workload, linker, options) {
            Ok(()) => println!("{}: the same bytes for 1, 2, 3 and 8 threads\n", linker.name),
            Err(error) => {
                println!("{}: OUTPUT DEPENDS ON THREADS: {error}\n", linker.name);
                good = false;
            }
        }
    }
    good
}

fn instruction_counts(
    workload: &Workload,
    linkers: &[Linker],
    options: &Options,
) -> Vec<Option<Counts>> {
    let count = |linker: &Linker| match callgrind::count(workload, linker, options) {
        Ok(count) => Some(count),
        Err(error) => {
            eprintln!("{}: instructions were not counted: {error}", linker.name);
            None
        }
    };
    linkers.iter().map(|l| (l.role != Role::Variant).then(|| count(l)).flatten()).collect()
}

fn list(cache: &Path) {
    for workload in corpus::all() {
        let state = match (workload.is_ready(cache), workload.slow) {
            (true, _) => "ready",
            (false, false) => "made when needed",
            (false, true) => "takes long: --prepare",
        };
        println!("{:<24} {:<58} {state}", workload.name, workload.about);
    }
}

/// The workloads that the command line names, or else those whose inputs exist.
fn chosen(options: &Options) -> Result<Vec<Workload>, String> {
    let mut all = corpus::all();
    if options.workloads.is_empty() {
        all.retain(|workload| !workload.slow || workload.is_ready(&options.cache));
        return Ok(all);
    }
    for name in &options.workloads {
        if !all.iter().any(|workload| workload.name == name) {
            return Err(format!("no workload is called {name}; see --list"));
        }
    }
    all.retain(|workload| options.workloads.iter().any(|name| name == workload.name));
    Ok(all)
}

/// Ours first, then the peers.
fn participants(options: &Options) -> Result<Vec<Linker>, String> {
    let mut linkers = Vec::new();
    if !options.no_skald {
        match ours(options).and_then(|path| Linker::at("skald", &path)) {
            Ok(linker) => {
                let cold = options.cold.then_some(("skald-np", "--no-prefetch"));
                let lists = linkers::LISTS.into_iter().filter(|_| options.lists);
                let variant = |(name, option)| linker.variant(name, option);
                linkers.extend(cold.into_iter().chain(lists).map(variant));
                if options.scripts {
                    linkers.extend(scripts::variants(&linker, &options.cache.join("scripts"))?);
                }
                linkers.insert(0, linker);
            }
            Err(error) => eprintln!("skald is left out: {error}"),
        }
    }
    let mut peers = linkers::peers_found(&options.cache, options.gnu);
    let wild_given = options.peers.iter().any(|(name, _)| name == "wild")
        || options.without.iter().any(|name| name == "wild");
    if options.install && !wild_given && !peers.iter().any(|peer| peer.kind == Kind::Wild) {
        match linkers::install_wild(&options.cache) {
            Ok(()) => peers = linkers::peers_found(&options.cache, options.gnu),
            Err(error) => eprintln!("wild is left out: {error}"),
        }
    }
    peers.retain(|peer| {
        !options.without.contains(&peer.name)
            && !options.peers.iter().any(|(name, _)| *name == peer.name)
    });
    linkers.extend(peers);
    for (name, path) in &options.peers {
        linkers.push(Linker::at(name, path)?);
    }
    if linkers.is_empty() { Err("there is no linker to measure".into()) } else { Ok(linkers) }
}

fn ours(options: &Options) -> Result<PathBuf, String> {
    match &options.skald {
        Some(path) => Ok(path.clone()),
        None => build_ours(),
    }
}

/// Builds this project's linker in release; returns the program.
fn build_ours() -> Result<PathBuf, String> {
    root::program("skald", &["--release", "--package", "skald"])
}

fn write_reports(results: &Results, linkers: &[Linker], options: &Options) -> Result<(), String> {
    let write = |path: &Option<PathBuf>, text: &dyn Fn() -> String| match path {
        Some(path) => std::fs::write(path, text()).map_err(|e| format!("{}: {e}", path.display())),
        None => Ok(()),
    };
    write(&options.json, &|| format!("{:#}\n", report::json(results, linkers)))?;
    write(&options.svg, &|| plot::svg(&results.tables))?;
    write(&options.markdown, &|| {
        let versions = linkers.iter().map(|l| format!("- {}: {}\n", l.name, l.version));
        let whole = results.tables.iter().map(report::markdown);
        let tables = whole.chain(results.tables.iter().filter_map(share::markdown));
        let phases = results.phases.iter().map(phases::Breakdown::markdown);
        let surcharges = surcharge::of(&results.tables);
        let scaling = scaling::of(&results.tables);
        let tables = tables.chain(surcharges.iter().map(Surcharge::markdown));
        let parts = tables.chain(phases).chain(scaling.iter().map(scaling::markdown));
        versions.chain(parts.map(|part| format!("\n{part}"))).collect()
    })
}
