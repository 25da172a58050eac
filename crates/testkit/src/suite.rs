//! Finds the cases, runs them in parallel, and prints the results in the order of their names.

use crate::Result;
use crate::artifact::{Compilers, Settings};
use crate::case::{Case, Directive, Variant};
use crate::linker::Linker;
use crate::machine::{self, Machine};
use crate::run_case::{Outcome, run_case};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The options of a run of the test kit.
#[derive(Debug, Clone)]
pub struct Config {
    /// Directory of the cases, with a folder for each area.
    pub cases: PathBuf,
    /// Path of the linker under test.
    pub linker: PathBuf,
    /// A build of it with the feature `perturb`, whose outputs must be the same.
    pub perturbed: Option<PathBuf>,
    /// Directory for all files. Files of failed cases are kept; with `verbose`, those of all cases.
    pub work: PathBuf,
    /// Only cases whose name contains this are run.
    pub filter: Option<String>,
    /// Cases whose directives contain one of these are skipped: the linker lacks something.
    pub without: Vec<String>,
    /// The machine for cases that name none, if it is not x86-64. Then cases of other machines are
    /// skipped.
    pub machine: Option<&'static Machine>,
    /// Only a part of the cases that are for any machine is run, and none that is for one.
    pub sample: Option<Sample>,
    /// Cases are left out of which a run with this build as [`Config::perturbed`] has seen all: one
    /// link, of which nothing but the output and the error is looked at.
    pub is_compared: bool,
    /// How many cases run at a time.
    pub jobs: usize,
    /// Cases that pass are printed, too.
    pub verbose: bool,
}

/// A part of the cases.
#[derive(Debug, Clone, Copy)]
pub struct Sample {
    /// One in so many is in it.
    pub one_of: usize,
    /// The first one.
    pub first: usize,
}

/// How many cases, each variant counted, had which outcome.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// All checks held.
    pub passed: usize,
    /// Some check did not hold.
    pub failed: usize,
    /// The case cannot run here.
    pub skipped: usize,
}

impl Counts {
    /// Adds the counts of another run.
    pub fn join(&mut self, other: Counts) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.skipped += other.skipped;
    }

    fn add(&mut self, outcome: &Outcome) {
        match outcome {
            Outcome::Passed | Outcome::NotRun(_) => self.passed += 1,
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
    let settings = settings(config, "")?;
    let cases = find_cases(config)?;
    let is_other = |case: &Case| config.machine.is_some_and(|machine| machine != case.machine);
    let outcomes = run_parallel(&cases, config.jobs, |case, variant| match without(config, case) {
        Some(word) => Outcome::Skipped(format!("{word} is not for this linker")),
        None if is_other(case) => Outcome::Skipped(format!("it is for {}", case.machine.word)),
        None => run_case(&settings, case, variant),
    });
    let mut areas: BTreeMap<&str, Counts> = BTreeMap::new();
    let mut total = Counts::default();
    for (name, outcome) in &outcomes {
        let area = name.split('/').next().unwrap_or_default();
        areas.entry(area).or_default().add(outcome);
        total.add(outcome);
        print_outcome(name, outcome, config.verbose);
    }
    for (area, counts) in &areas {
        println!("{area}: {counts}");
    }
    for (reason, count) in reasons_to_skip(&outcomes) {
        println!("{count} {reason}");
    }
    Ok(total)
}

/// The word of [`Config::without`] for which `case` is skipped, if there is one.
fn without<'a>(config: &'a Config, case: &Case) -> Option<&'a str> {
    let holds = |word: &&String| case.directives.iter().any(|line| line.text.contains(*word));
    config.without.iter().find(holds).map(String::as_str)
}

/// Makes the settings of all cases, whose directories are in the folder `kind` of the linker.
pub(crate) fn settings(config: &Config, kind: &str) -> Result<Settings> {
    let work = config.work.as_path();
    fs::create_dir_all(work.join("cache")).map_err(|e| format!("{}: {e}", work.display()))?;
    let work = fs::canonicalize(work).map_err(|e| format!("{}: {e}", work.display()))?;
    let mut linker = Linker::new(&config.linker, &work.join("bin").join(kind))?;
    if let Some(perturbed) = &config.perturbed {
        linker = linker.with_perturbed(perturbed)?;
    }
    for machine in machine::all() {
        machine.install_tools(&work.join("bin/tools").join(machine.word))?;
    }
    Ok(Settings {
        work_root: work.join(linker.identity.word()).join(kind),
        cache: work.join("cache"),
        keeps_all: config.verbose,
        compilers: Compilers::ask(&work),
        tools: work.join("bin/tools"),
        linker,
    })
}

fn reasons_to_skip(outcomes: &[(String, Outcome)]) -> BTreeMap<String, usize> {
    let mut reasons = BTreeMap::new();
    for (_, outcome) in outcomes {
        let reason = match outcome {
            Outcome::Skipped(reason) => format!("skipped: {reason}"),
            Outcome::NotRun(reason) => format!("passed, but not run: {reason}"),
            Outcome::Passed | Outcome::Failed(_) => continue,
        };
        *reasons.entry(reason).or_default() += 1;
    }
    reasons
}

fn print_outcome(name: &str, outcome: &Outcome, verbose: bool) {
    match outcome {
        Outcome::Passed if verbose => println!("ok   {name}"),
        Outcome::NotRun(reason) if verbose => println!("ok   {name}: not run: {reason}"),
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
pub(crate) fn find_cases(config: &Config) -> Result<Vec<Case>> {
    let mut cases = cases_in(&config.cases, config.filter.as_deref())?;
    if let Some(sample) = config.sample {
        cases.retain(|case| case.is_generic);
        cases = cases.into_iter().skip(sample.first).step_by(sample.one_of).collect();
    }
    if config.is_compared {
        cases.retain(is_more_than_a_link);
    }
    if let Some(machine) = config.machine {
        for case in &mut cases {
            if case.is_generic || machine.takes_cases_of(case.machine) {
                case.machine = machine;
            }
        }
    }
    Ok(cases)
}

/// Whether a case makes inputs with the linker, or looks at more than the output and the error of
/// its last link: at other files and messages, at other links.
fn is_more_than_a_link(case: &Case) -> bool {
    const MORE: [&str; 14] = [
        "shared",
        "relocatable",
        "corrupt",
        "repeat-except",
        "check",
        "look-at",
        "file-matches",
        "no-file-matches",
        "stdout",
        "no-stdout",
        "says",
        "no-says",
        "warning",
        "no-warning",
    ];
    let is_more = |d: &Directive| d.name == "sh" && d.text.contains("$LD");
    case.directives.iter().any(|d| MORE.contains(&d.name.as_str()) || is_more(d))
}

/// The cases in a directory of areas whose names hold `filter`, in the order of their names.
pub fn cases_in(directory: &Path, filter: Option<&str>) -> Result<Vec<Case>> {
    let mut paths = Vec::new();
    for area in sorted_entries(directory)? {
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
        let case = Case::read(directory, &path)?;
        if filter.is_none_or(|filter| case.name.contains(filter)) {
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

/// Runs every case in each of its variants on several threads; returns the results by name, in the
/// order of cases.
pub(crate) fn run_parallel<T: Send>(
    cases: &[Case],
    jobs: usize,
    run: impl Fn(&Case, &Variant) -> T + Sync,
) -> Vec<(String, T)> {
    let runs: Vec<(&Case, &Variant)> =
        cases.iter().flat_map(|case| case.variants.iter().map(move |v| (case, v))).collect();
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::with_capacity(runs.len()));
    std::thread::scope(|scope| {
        for _ in 0..jobs.max(1) {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some((case, variant)) = runs.get(index) else { break };
                    let result = (case.name_in(variant), run(case, variant));
                    done.lock().unwrap_or_else(|e| e.into_inner()).push((index, result));
                }
            });
        }
    });
    let mut done = done.into_inner().unwrap_or_else(|e| e.into_inner());
    done.sort_by_key(|(index, _)| *index);
    done.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::is_more_than_a_link;
    use crate::case::Case;

    #[test]
    fn one_link_is_compared_whole() {
        let is_more = |text: &str| is_more_than_a_link(&Case::parse("a/x", "c", text).unwrap());
        assert!(!is_more("//# link: -s\n//# section: .text\n//# sh: echo x >y\n"));
        assert!(!is_more("//# expect-error: undefined\n"));
        assert!(is_more("//# shared: libx.so x.o\n"));
        assert!(is_more("//# sh: $LD -r x.o -o y.o\n"));
        assert!(is_more("//# no-warning: duplicate\n"));
    }
}
