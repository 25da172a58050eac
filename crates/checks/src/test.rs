//! `cargo xtask test`: checks the source, then runs all tests.
//!
//! Without arguments, and while the release build runs: tools, format, clippy, tidy, unit tests,
//! and a check for another host. Then instructions, random programs and scripts, symbols in
//! scripts, GNU ld's scripts, failing system calls, damaged and random inputs, and the ELF cases;
//! a part of these for other machines. The outputs of cases are compared with those of
//! the perturbed build, too, which finally runs the cases of which this does not see all.
//! With `--linker` only the ELF cases run, with that linker (and with the one that `--perturbed`
//! names, if given). With a filter only some of them run, without those that contain the text of
//! `--without`. With `--machine` the cases that are for any machine run for that one. With
//! `--against-peers` the outputs of the cases are compared with GNU ld's and lld's by structure,
//! and nothing else is done; with `--packages`, packages of Debian are built and tested, and
//! nothing else. `--real` adds whole programs. Each group prints its time, because all of them
//! together should take no longer than a developer waits. The last line is the total.

use crate::{
    Result, distribute, emulations, faults, fuzz, hostile, instructions, machine_features,
    machines, other_host, packages, random, random_lto, random_scripts, real, repeat,
    script_symbols, tidy, tools,
};
use skald_testkit::against_peers;
use skald_testkit::machine::{self, Machine};
use skald_testkit::suite::{self, Config, Counts};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread::JoinHandle;
use std::time::Instant;
use xtask::root;

#[derive(Debug, Default)]
struct Arguments {
    linker: Option<PathBuf>,
    perturbed: Option<PathBuf>,
    without: Vec<String>,
    filter: Option<String>,
    machine: Option<&'static Machine>,
    real: bool,
    verbose: bool,
    against_peers: bool,
    /// Names of packages, or none for all of them.
    packages: Option<Vec<String>>,
}

impl Arguments {
    fn parse(words: &[String]) -> Result<Arguments> {
        let mut arguments = Arguments::default();
        let mut words = words.iter();
        while let Some(word) = words.next() {
            match word.as_str() {
                "--real" => arguments.real = true,
                "--against-peers" => arguments.against_peers = true,
                "--verbose" => arguments.verbose = true,
                "--packages" => arguments.packages = Some(Vec::new()),
                "--linker" => {
                    let path = words.next().ok_or("--linker needs a path")?;
                    arguments.linker = Some(PathBuf::from(path));
                }
                "--perturbed" => {
                    let path = words.next().ok_or("--perturbed needs a path")?;
                    arguments.perturbed = Some(PathBuf::from(path));
                }
                "--machine" => {
                    let word = words.next().ok_or("--machine needs a name")?;
                    arguments.machine = Some(machine::named(word)?);
                }
                "--without" => {
                    let word = words.next().ok_or("--without needs a word")?;
                    arguments.without.push(word.clone());
                }
                option if option.starts_with('-') => return Err(format!("unknown: {option}")),
                word => match &mut arguments.packages {
                    Some(names) => names.push(word.to_owned()),
                    None => arguments.filter = Some(word.to_owned()),
                },
            }
        }
        Ok(arguments)
    }
}

const CLIPPY: [&str; 7] =
    ["clippy", "--quiet", "--workspace", "--all-targets", "--", "-D", "warnings"];

/// clippy for the build of `cargo xtask bench --predict`.
const CLIPPY_RECORDING: [&str; 9] =
    ["clippy", "--quiet", "--package", "skald", "--features", "record", "--", "-D", "warnings"];
/// Unit tests of the recording build, with the packages of [`PERTURBED`], so that dependencies are
/// built already.
const RECORDING: [&str; 8] = [
    "--package",
    "skald",
    "--package",
    "skald-core",
    "--features",
    "skald/record",
    "--lib",
    "par::",
];

/// Unit tests of `host` for an unknown operating system.
const UNKNOWN_HOST: [&str; 5] = ["--package", "skald-host", "--features", "none", "--lib"];

/// Runs the tests that `words` ask for; an error if any fails.
pub fn run(words: &[String]) -> Result<()> {
    let arguments = Arguments::parse(words)?;
    let mut total = Total::new();
    if arguments.packages.is_none() {
        tools::install()?;
        total.told("tools");
    }
    let is_narrowed = arguments.filter.is_some() || arguments.machine.is_some();
    let is_whole = arguments.linker.is_none() && !is_narrowed;
    let is_special = arguments.packages.is_some() || arguments.against_peers;
    let building = Building::begin(arguments.linker.as_deref());
    let perturbed = match (&arguments.perturbed, &arguments.linker) {
        (None, None) if !is_special => Some(build_perturbed()?),
        (given, _) => given.clone(),
    };
    total.told("build, perturbed");
    if is_whole && !is_special {
        total.source()?;
    }
    let linker = building.end()?;
    total.told("the rest of the build");
    if let Some(names) = &arguments.packages {
        total.group("packages", packages::run(&linker, names)?);
        return total.verdict();
    }
    let config = Config {
        cases: root::directory().join("tests/elf"),
        linker: linker.clone(),
        perturbed: None,
        work: root::directory().join("target/elf-tests"),
        filter: arguments.filter.clone(),
        without: arguments.without.clone(),
        machine: arguments.machine,
        sample: None,
        is_compared: false,
        jobs: std::thread::available_parallelism().map_or(2, usize::from),
        verbose: arguments.verbose,
    };
    if arguments.against_peers {
        total.group("against peers", against_peers::run(&config)?);
        return total.verdict();
    }
    if is_whole {
        total.links(&linker, perturbed.as_deref());
    }
    let config = Config { perturbed: perturbed.clone(), ..config };
    total.group("cases", suite::run(&config)?);
    if is_whole {
        machines::check(&config, |name, counts| total.check(name, counts));
    }
    if let Some(perturbed) = perturbed {
        println!("perturbed:");
        if is_whole {
            let perturbed = |tests: &[&str]| unit_tests(&[&PERTURBED[..], tests].concat());
            total.group("unit, perturbed", perturbed(&PERTURBED_UNIT)?);
            total.group("internal errors", perturbed(&INTERNAL_ERRORS)?);
        }
        let config = Config { linker: perturbed, perturbed: None, is_compared: true, ..config };
        total.group("cases, perturbed", suite::run(&config)?);
    }
    if arguments.real {
        tools::install_tools(&tools::FOR_REAL_PROGRAMS);
        total.group("real", real::run(&linker, arguments.filter.as_deref())?);
    }
    total.verdict()
}

/// Packages and features of the perturbed build. Its tests use the same packages, so that they
/// share the build.
const PERTURBED: [&str; 6] =
    ["--package", "skald", "--package", "skald-core", "--features", "skald/perturb"];
/// Tests that only this build can run.
const INTERNAL_ERRORS: [&str; 2] = ["--test", "internal_error"];
/// Tests of the crate that has the perturbed code.
const PERTURBED_UNIT: [&str; 5] = ["--lib", "--test", "faults", "--test", "output_file"];

/// All packages but the distributor, whose dependencies would add features to other crates, so that
/// these would be built again.
const WORKSPACE: [&str; 3] = ["--workspace", "--exclude", "skald-distribute"];
const DISTRIBUTOR: [&str; 2] = ["--package", "skald-distribute"];

/// The release build. Most of it is link-time optimisation on a single thread, so it runs while
/// checks use another target directory.
enum Building {
    Done(PathBuf),
    Going(JoinHandle<Result<PathBuf>>),
}

impl Building {
    fn begin(given: Option<&Path>) -> Building {
        match given {
            Some(linker) => Building::Done(linker.to_owned()),
            None => Building::Going(std::thread::spawn(build_skald)),
        }
    }

    /// Waits for the build; returns the program.
    fn end(self) -> Result<PathBuf> {
        match self {
            Building::Done(linker) => Ok(linker),
            Building::Going(build) => build.join().map_err(|_| "the build panicked".to_owned())?,
        }
    }
}

fn build_skald() -> Result<PathBuf> {
    println!("building skald in release: some minutes");
    root::run(root::cargo().args(["build", "--quiet", "--release", "--package", "skald"]))?;
    Ok(root::target().join("release/skald"))
}

/// Builds the linker that takes random decisions wherever it may, together with its tests, because
/// their dependencies determine the features of other crates. The program is copied, as other
/// builds have the same name.
pub fn build_perturbed() -> Result<PathBuf> {
    println!("building skald to perturb itself");
    let mut build = root::cargo();
    build.args(["test", "--quiet", "--no-run"]).args(PERTURBED);
    root::run(build.args(INTERNAL_ERRORS).args(PERTURBED_UNIT))?;
    let (made, place) = (root::target().join("debug/skald"), root::target().join("perturbed"));
    let told = |e: std::io::Error| format!("{}: {e}", place.display());
    std::fs::create_dir_all(&place).map_err(told)?;
    let program = place.join("skald");
    // Removed instead of overwritten, because it may be running.
    let _ = std::fs::remove_file(&program);
    std::fs::copy(made, &program).map_err(told)?;
    Ok(program)
}

/// Counts of everything that was run.
#[derive(Debug)]
struct Total {
    counts: Counts,
    begun: Instant,
    /// When the last group ended, and the next one began.
    ended: Instant,
}

impl Total {
    fn new() -> Total {
        let now = Instant::now();
        Total { counts: Counts::default(), begun: now, ended: now }
    }

    /// Seconds since the last call.
    fn lap(&mut self) -> f64 {
        let seconds = self.ended.elapsed().as_secs_f64();
        self.ended = Instant::now();
        seconds
    }

    /// Prints the time of a step without counts, if it is noticeable.
    fn told(&mut self, name: &str) {
        let seconds = self.lap();
        if seconds >= 1.0 {
            println!("{name}: {seconds:.1} s");
        }
    }

    /// Prints the total; an error if anything failed or nothing was run.
    fn verdict(&self) -> Result<()> {
        let counts = &self.counts;
        println!("all of it: {:.0} s", self.begun.elapsed().as_secs_f64());
        println!("{counts}");
        if counts.failed > 0 {
            return Err(format!("{} failed", counts.failed));
        }
        if counts.passed == 0 {
            return Err("nothing was run".to_owned());
        }
        Ok(())
    }

    fn group(&mut self, name: &str, counts: Counts) {
        println!("{name}: {counts} ({:.1} s)", self.lap());
        self.counts.join(counts);
    }

    /// Checks that need only the source.
    fn source(&mut self) -> Result<()> {
        self.cargo_step("format", &["fmt", "--all", "--check"]);
        self.cargo_step("clippy", &CLIPPY);
        self.step("tidy", tidy::run(&[]));
        self.group("unit", unit_tests(&WORKSPACE)?);
        self.group("unit, distributor", unit_tests(&DISTRIBUTOR)?);
        self.cargo_step("clippy, recording", &CLIPPY_RECORDING);
        self.group("unit, recording", unit_tests(&RECORDING)?);
        self.group("unit, unknown host", unit_tests(&UNKNOWN_HOST)?);
        self.other_host();
        Ok(())
    }

    /// Checks that no code for an operating system is outside of `host`.
    fn other_host(&mut self) {
        match other_host::check() {
            Ok(other_host::Outcome::Skipped(reason)) => self.skip("other host", &reason),
            result => self.step("other host", result.map(drop)),
        }
    }

    /// Links of all kinds but the cases.
    fn links(&mut self, linker: &Path, perturbed: Option<&Path>) {
        self.instructions(linker);
        self.check("random", random::check(linker, machine::native(), 0..random::SEEDS));
        self.check(
            "random lto",
            random_lto::check(linker, machine::native(), 0..random_lto::SEEDS),
        );
        self.check("random scripts", random_scripts::check_known(linker, machine::native(), 1));
        self.check("script symbols", script_symbols::check_sample(linker, machine::native(), 1));
        self.check("machine features", machine_features::check_sample(linker));
        self.check("emulations", emulations::check(linker));
        self.check("distribute", distribute::check(linker));
        self.check("faults", faults::check(linker, &faults::is_quick, &faults::QUICK));
        self.check("repeat", repeat::check(linker, perturbed));
        self.check("fuzz", fuzz::check(machine::native(), fuzz::QUICK, 0, None));
        self.step("hostile", hostile::check(linker, machine::native(), 1));
    }

    /// A subcommand of cargo; skipped if the toolchain came without it.
    fn cargo_step(&mut self, name: &str, arguments: &[&str]) {
        match arguments.first() {
            Some(subcommand) if !tools::has_subcommand(subcommand) => {
                self.skip(name, &format!("this Rust has no cargo {subcommand}"));
            }
            _ => self.step(name, root::run(root::cargo().args(arguments))),
        }
    }

    /// The check of instruction counts.
    fn instructions(&mut self, linker: &Path) {
        match instructions::check(linker) {
            Ok(instructions::Outcome::Skipped(reason)) => self.skip("instructions", &reason),
            result => self.step("instructions", result.map(drop)),
        }
    }

    /// Prints a check that was skipped, and the reason.
    fn skip(&mut self, name: &str, reason: &str) {
        println!("skip {name}: {reason}");
        self.group(name, Counts { skipped: 1, ..Counts::default() });
    }

    /// Adds the counts of a check, or its error.
    fn check(&mut self, name: &str, result: Result<Counts>) {
        match result {
            Ok(counts) => self.group(name, counts),
            Err(message) => self.step(name, Err(message)),
        }
    }

    /// A step that passes or fails as a whole.
    fn step(&mut self, name: &str, result: Result<()>) {
        let mut counts = Counts::default();
        match result {
            Ok(()) => counts.passed = 1,
            Err(message) => {
                println!("FAIL {name}: {message}");
                counts.failed = 1;
            }
        }
        self.group(name, counts);
    }
}

/// `cargo test` of `packages`, with the counts of all its `test result:` lines.
fn unit_tests(packages: &[&str]) -> Result<Counts> {
    let mut command: Command = root::cargo();
    command.args(["test", "--quiet"]).args(packages).stdin(Stdio::null());
    let output = command.output().map_err(|e| format!("cargo test: {e}"))?;
    let stdout = String::from_utf8_lossy(&output.stdout);
    let mut counts = Counts::default();
    for line in stdout.lines().filter(|line| line.starts_with("test result:")) {
        counts.passed += number_before(line, " passed");
        counts.failed += number_before(line, " failed");
        counts.skipped += number_before(line, " ignored");
    }
    if !output.status.success() {
        println!("{stdout}{}", String::from_utf8_lossy(&output.stderr));
        // A crate that does not compile prints no result.
        counts.failed = counts.failed.max(1);
    }
    Ok(counts)
}

fn number_before(line: &str, word: &str) -> usize {
    let before = line.split(word).next().unwrap_or_default();
    before.rsplit(' ').next().and_then(|number| number.parse().ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::number_before;

    #[test]
    fn result_lines() {
        let line = "test result: FAILED. 12 passed; 3 failed; 1 ignored; 0 measured; 0 filtered";
        assert_eq!(number_before(line, " passed"), 12);
        assert_eq!(number_before(line, " failed"), 3);
        assert_eq!(number_before(line, " ignored"), 1);
    }
}
