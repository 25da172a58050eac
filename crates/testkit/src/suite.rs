//! Finds the cases, runs them in parallel, and prints the results in the order of their names.

use crate::Result;
use crate::artifact::{Settings, compiler_versions};
use crate::case::Case;
use crate::linker::Linker;
use crate::run_case::{Outcome, run_case};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// What to run.
#[derive(Debug, Clone)]
pub struct Config {
    /// Directory of the areas.
    pub cases: PathBuf,
    /// The linker under test.
    pub linker: PathBuf,
    /// A build of it that perturbs itself, whose outputs must be the same.
    pub perturbed: Option<PathBuf>,
    /// Where everything is made; kept afterwards.
    pub work: PathBuf,
    /// Only cases whose name holds this.
    pub filter: Option<String>,
    /// Cases run at a time.
    pub jobs: usize,
    /// Print cases that pass as well.
    pub verbose: bool,
}

/// How many cases, counted by variant, ended how.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Everything held.
    pub passed: usize,
    /// Something did not hold.
    pub failed: usize,
    /// Could not run here.
    pub skipped: usize,
}

impl Counts {
    fn add(&mut self, outcome: &Outcome) {
        match outcome {
            Outcome::Passed => self.passed += 1,
            Outcome::Failed(_) => self.failed += 1,
            Outcome::Skipped(_) => self.skipped += 1,
        }
    }
}

impl std::fmt::Display for Counts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} passed, {} failed, {} skipped", self.passed, self.failed, self.skipped)
    }
}

/// Runs all cases, prints failures, a line for each area and for each reason to skip, and
/// returns the total.
pub fn run(config: &Config) -> Result<Counts> {
    let work = config.work.as_path();
    fs::create_dir_all(work.join("cache")).map_err(|e| format!("{}: {e}", work.display()))?;
    let work = fs::canonicalize(work).map_err(|e| format!("{}: {e}", work.display()))?;
    let mut linker = Linker::new(&config.linker, &work.join("bin"))?;
    if let Some(perturbed) = &config.perturbed {
        linker = linker.with_perturbed(perturbed)?;
    }
    let settings = Settings {
        work_root: work.join(linker.identity.word()),
        cache: work.join("cache"),
        compilers: compiler_versions(&work),
        linker,
    };
    let cases = find_cases(config)?;
    let runs: Vec<(&Case, usize)> =
        cases.iter().flat_map(|case| (0..case.variants.len()).map(move |v| (case, v))).collect();
    let outcomes = run_parallel(&settings, &runs, config.jobs);
    let mut areas: BTreeMap<&str, Counts> = BTreeMap::new();
    let mut total = Counts::default();
    for ((case, variant), outcome) in runs.iter().zip(&outcomes) {
        let area = case.name.split('/').next().unwrap_or_default();
        areas.entry(area).or_default().add(outcome);
        total.add(outcome);
        print_outcome(case, *variant, outcome, config.verbose);
    }
    for (area, counts) in &areas {
        println!("{area}: {counts}");
    }
    for (reason, count) in reasons_to_skip(&outcomes) {
        println!("{count} skipped: {reason}");
    }
    Ok(total)
}

fn reasons_to_skip(outcomes: &[Outcome]) -> BTreeMap<&str, usize> {
    let mut reasons = BTreeMap::new();
    for outcome in outcomes {
        if let Outcome::Skipped(reason) = outcome {
            *reasons.entry(reason.as_str()).or_default() += 1;
        }
    }
    reasons
}

fn print_outcome(case: &Case, variant: usize, outcome: &Outcome, verbose: bool) {
    let variant = case.variants.get(variant).map_or("", |v| v.name.as_str());
    let name =
        if variant.is_empty() { case.name.clone() } else { format!("{}.{variant}", case.name) };
    match outcome {
        Outcome::Passed if verbose => println!("ok   {name}"),
        Outcome::Skipped(reason) if verbose => println!("skip {name}: {reason}"),
        Outcome::Failed(message) => {
            println!("FAIL {name}");
            for line in message.lines() {
                println!("     {line}");
            }
        }
        _ => {}
    }
}

/// All cases in the order of their names.
fn find_cases(config: &Config) -> Result<Vec<Case>> {
    let mut paths = Vec::new();
    for area in sorted_entries(&config.cases)? {
        if area.is_dir() {
            let is_case = |path: &PathBuf| {
                let extension = path.extension().and_then(|e| e.to_str()).unwrap_or_default();
                path.is_file() && matches!(extension, "c" | "cc" | "s" | "rs" | "yaml")
            };
            paths.extend(sorted_entries(&area)?.into_iter().filter(is_case));
        }
    }
    let mut cases = Vec::new();
    for path in paths {
        let case = Case::read(&config.cases, &path)?;
        if config.filter.as_ref().is_none_or(|filter| case.name.contains(filter.as_str())) {
            cases.push(case);
        }
    }
    cases.sort_by(|a, b| a.name.cmp(&b.name));
    if let Some(pair) = cases.windows(2).find(|pair| pair[0].name == pair[1].name) {
        return Err(format!("two cases are called {}", pair[0].name));
    }
    Ok(cases)
}

fn sorted_entries(directory: &Path) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(directory).map_err(|e| format!("{}: {e}", directory.display()))?;
    let mut paths: Vec<PathBuf> = entries.filter_map(|e| e.ok().map(|e| e.path())).collect();
    paths.sort();
    Ok(paths)
}

/// Each thread takes the next case until there is none.
fn run_parallel(settings: &Settings, runs: &[(&Case, usize)], jobs: usize) -> Vec<Outcome> {
    let next = AtomicUsize::new(0);
    let outcomes = Mutex::new(vec![Outcome::Passed; runs.len()]);
    std::thread::scope(|scope| {
        for _ in 0..jobs.max(1) {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some((case, variant)) = runs.get(index) else { break };
                    let outcome = run_case(settings, case, &case.variants[*variant]);
                    outcomes.lock().unwrap_or_else(|e| e.into_inner())[index] = outcome;
                }
            });
        }
    });
    outcomes.into_inner().unwrap_or_else(|e| e.into_inner())
}
