//! `cargo xtask instructions [--write]`: counts the instructions of three generated links and
//! compares them with a record, so that no change makes links slower unnoticed.
//!
//! Instructions are counted because times mean nothing on a busy machine. Only those of skald's own
//! program file count ([`count`]), because libc chooses its `memcpy` by the processor. skald itself
//! chooses by AVX2 and AES, which all processors of the last ten years have, and valgrind offers no
//! later extension; on other processors nothing is compared. Links have one thread, so that no
//! thread waits for another. The key of name hashes is random, so counts differ from run to run, by
//! some hundredths of a percent: a tenth of what is tolerated. Counts depend on the compiler, so
//! the record names the one that it is for.

mod count;
pub mod links;
mod record;

use crate::Result;
use record::Record;
use std::path::Path;
use std::process::Command;
use xtask::corpus::tools::find;
use xtask::root;

/// The excess over the record that is tolerated, as a fraction.
const TOLERANCE: f64 = 0.01;

/// The result of a comparison.
pub enum Outcome {
    /// No link exceeds its record by more than is tolerated.
    Passed,
    /// Nothing can be compared here, for this reason.
    Skipped(String),
}

/// Runs the task.
///
/// # Errors
/// When a link costs more than is recorded, fails, or cannot be counted.
pub fn run(words: &[String]) -> Result<()> {
    let linker = || {
        println!("building skald in release: some minutes");
        root::run(root::cargo().args(["build", "--quiet", "--release", "--package", "skald"]))?;
        Ok::<_, String>(root::target().join("release/skald"))
    };
    match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => report(check(&linker()?)?),
        ["--linker", path] => report(check(Path::new(path))?),
        ["--write"] => write(&linker()?)?,
        ["--write", "--linker", path] => write(Path::new(path))?,
        _ => return Err("[--write] [--linker PATH]".to_owned()),
    }
    Ok(())
}

fn report(outcome: Outcome) {
    match outcome {
        Outcome::Passed => println!("none costs more than is recorded"),
        Outcome::Skipped(reason) => println!("not compared: {reason}"),
    }
}

/// Counts the links with a release build and compares.
///
/// # Errors
/// When a link exceeds its record, or fails.
pub fn check(linker: &Path) -> Result<Outcome> {
    if let Some(reason) = obstacle() {
        return Ok(Outcome::Skipped(reason));
    }
    if !record_path().is_file() {
        let reason = "nothing is recorded; `cargo xtask instructions --write` does that";
        return Ok(Outcome::Skipped(reason.to_owned()));
    }
    let recorded = Record::read(&record_path())?;
    let compiler = compiler()?;
    if recorded.compiler != compiler {
        return Ok(Outcome::Skipped(format!(
            "the record is for {}, and this is {compiler}",
            recorded.compiler
        )));
    }
    let mut faults = Vec::new();
    for (name, counted) in count_all(linker)? {
        let expected = recorded
            .of(&name)
            .ok_or_else(|| format!("{name} is not recorded: cargo xtask instructions --write"))?;
        let ratio = counted as f64 / expected as f64;
        println!("  {name:<10} {counted:>12} instructions, {:+.2} %", (ratio - 1.0) * 100.0);
        if ratio > 1.0 + TOLERANCE {
            faults.push(format!("{name} takes {counted} instructions, {expected} are recorded"));
        }
    }
    if faults.is_empty() {
        return Ok(Outcome::Passed);
    }
    Err(format!(
        "{}; if that is meant, `cargo xtask instructions --write` records it",
        faults.join("; ")
    ))
}

fn write(linker: &Path) -> Result<()> {
    if let Some(reason) = obstacle() {
        return Err(reason);
    }
    let record = Record { compiler: compiler()?, counts: count_all(linker)? };
    std::fs::write(record_path(), record.text()).map_err(|e| format!("the record: {e}"))?;
    print!("{}", record.text());
    Ok(())
}

fn record_path() -> std::path::PathBuf {
    root::directory().join("crates/checks/instructions.txt")
}

/// Why nothing can be counted on this machine, if that is so.
fn obstacle() -> Option<String> {
    if find("valgrind").is_none() {
        return Some("valgrind is not installed".to_owned());
    }
    let processor = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let flags = processor.lines().find(|line| line.starts_with("flags")).unwrap_or_default();
    let has = |wanted: &&str| flags.split_whitespace().any(|flag| flag == *wanted);
    let missing = ["avx2", "aes", "bmi2", "pclmulqdq"].into_iter().find(|flag| !has(flag));
    missing.map(|flag| format!("the processor has no {flag}"))
}

fn compiler() -> Result<String> {
    let mut rustc = Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
    let version = xtask::corpus::tools::run(rustc.arg("--version"))?;
    Ok(version.trim().to_owned())
}

/// The links by name, with the instructions that each takes.
fn count_all(linker: &Path) -> Result<Vec<(String, u64)>> {
    let scratch = tempfile::tempdir().map_err(|e| format!("scratch directory: {e}"))?;
    let mut jobs = Vec::new();
    for (name, make) in links::LINKS {
        let directory = scratch.path().join(name);
        std::fs::create_dir(&directory).map_err(|e| format!("{}: {e}", directory.display()))?;
        make(&directory)?;
        jobs.push((name, directory));
    }
    std::thread::scope(|scope| {
        let started: Vec<_> = jobs
            .iter()
            .map(|(name, directory)| (name, scope.spawn(|| count::count(linker, directory))))
            .collect();
        let counted = started.into_iter().map(|(name, thread)| {
            let result = thread.join().expect("no thread panics");
            Ok((name.to_string(), result.map_err(|error| format!("{name}: {error}"))?))
        });
        counted.collect()
    })
}
