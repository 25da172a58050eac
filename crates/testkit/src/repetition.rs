//! Repeats the links of the cases in many ways that must not matter, and compares the bytes.
//!
//! A way is a linker of its own: a script that sets the environment and adds options. It links in
//! the directory of the case or in a copy of it somewhere else, on another file system. Every
//! repeated link must write and print the same as the first one: the output, and all other files.

use crate::artifact::{OUTPUT, Settings, Work};
use crate::case::{Case, Variant};
use crate::command::{CommandLine, Finished};
use crate::directives::Ending;
use crate::linker::{Linker, Way};
use crate::suite::{self, Config, Counts};
use crate::{Result, generic, programs};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

/// A way to link again.
#[derive(Debug, Clone)]
pub struct Relink {
    /// Its name in messages.
    pub name: String,
    /// Number of times that each case is linked in this way.
    pub times: usize,
    /// The linker and its directories.
    pub linker: Linker,
    /// The output is written over the previous one.
    pub is_relink: bool,
    /// Other files than the output, and messages, may differ.
    pub is_output_alone: bool,
}

/// The ways to link again in a run.
pub struct Plan {
    /// Ways that are tried in the directory of the case.
    pub ways: Vec<Relink>,
    /// Other directories by name: each case is linked again in one of them.
    pub places: Vec<(String, PathBuf)>,
}

/// Files by their path below the directory.
type Files = BTreeMap<PathBuf, Vec<u8>>;

/// Larger outputs have mostly holes and take seconds to read. The test of the case compares them.
const TOO_LARGE: u64 = 256 << 20;

/// Options whose output is about the link itself, such as times. With these only the output file is
/// compared.
const OF_THE_LINK: [&str; 3] = ["--time", "--repro", "--report"];

/// The files that a link has made, and what it printed.
struct Made {
    files: Files,
    stdout: String,
    stderr: String,
}

/// Links all cases again and prints what differs. Links are counted; a case without an output, or
/// one that says that its output varies, is skipped.
pub fn run(config: &Config, plan: &Plan) -> Result<Counts> {
    let settings = suite::settings(config, "repetition")?;
    let mut cases = suite::find_cases(config)?;
    cases.retain(|case| config.machine.is_none_or(|machine| machine == case.machine));
    let number = AtomicUsize::new(0);
    let done = suite::run_parallel(&cases, config.jobs, |case, variant| {
        let number = number.fetch_add(1, Ordering::Relaxed);
        let mut repetition = Repetition {
            settings: &settings,
            counts: Counts::default(),
            findings: Vec::new(),
            is_output_alone: false,
        };
        if let Err(message) = repetition.of_case(case, variant, plan, number) {
            repetition.counts.failed += 1;
            repetition.findings.push(message);
        }
        (repetition.counts, repetition.findings)
    });
    let mut total = Counts::default();
    for (name, (counts, findings)) in &done {
        total.join(*counts);
        findings.iter().for_each(|finding| println!("FAIL {name}: {finding}"));
    }
    Ok(total)
}

struct Repetition<'a> {
    settings: &'a Settings,
    counts: Counts,
    findings: Vec<String>,
    is_output_alone: bool,
}

impl Repetition<'_> {
    fn of_case(
        &mut self,
        case: &Case,
        variant: &Variant,
        plan: &Plan,
        number: usize,
    ) -> Result<()> {
        let is_excepted = case.directives_for(variant, "repeat-except").next().is_some();
        let is_missing = programs::missing(case, variant)?.is_some();
        let is_of_other = generic::why_not(case, variant)?.is_some();
        if is_of_other
            || is_excepted
            || is_missing
            || !matches!(Ending::of(case, variant), Ending::Output)
        {
            self.counts.skipped += 1;
            return Ok(());
        }
        let mut work = Work::new(self.settings, case, variant)?;
        work.make_inputs()?;
        let line = work.link_command(Way::Plain, OUTPUT)?;
        let first = work.run_well(&line)?;
        let size = fs::metadata(work.path(OUTPUT)).map_or(0, |found| found.len());
        if size > TOO_LARGE {
            self.counts.skipped += 1;
            return Ok(());
        }
        let mut first = made(&work.directory, &self.settings.linker, first)?;
        let is_of_link = |word: &String| OF_THE_LINK.iter().any(|option| word.contains(option));
        self.is_output_alone = line.arguments.iter().any(is_of_link);
        self.limit(&mut first);
        for again in &plan.ways {
            for _ in 0..again.times {
                let directory = work.directory.clone();
                self.link(&work, again, &directory, &first)?;
            }
        }
        let (Some((name, place)), Some(again)) =
            (plan.places.get(number % plan.places.len().max(1)), plan.ways.first())
        else {
            return Ok(());
        };
        let copy = place.join(number.to_string());
        copy_directory(&work.directory, &copy)?;
        let again = Relink { name: format!("on {name}"), is_relink: false, ..again.clone() };
        self.link(&work, &again, &copy, &first)?;
        fs::remove_dir_all(&copy).map_err(|e| format!("{}: {e}", copy.display()))
    }

    fn link(
        &mut self,
        work: &Work<'_>,
        again: &Relink,
        directory: &Path,
        first: &Made,
    ) -> Result<()> {
        if !again.is_relink {
            let output = directory.join(OUTPUT);
            fs::remove_file(&output).map_err(|e| format!("{}: {e}", output.display()))?;
        }
        let line = work.link_command_of(&again.linker, Way::Plain, OUTPUT)?;
        let finished = line.run(directory)?;
        if !finished.status.success() {
            let text = format!("{}: {}", finished.status_text(), finished.stderr);
            self.found(format!("{}: {text}\n  {}", again.name, line.shell_text()));
            return Ok(());
        }
        let mut made = made(directory, &again.linker, finished)?;
        self.limit(&mut made);
        let found = if again.is_output_alone {
            output_difference(first, &made)
        } else {
            difference(first, &made)
        };
        match found {
            None => self.counts.passed += 1,
            Some(what) => {
                self.found(format!("{}: {what}\n  {}", again.name, line.shell_text()));
            }
        }
        Ok(())
    }

    /// Drops files and messages that are not to be compared.
    fn limit(&self, made: &mut Made) {
        if self.is_output_alone {
            made.files.retain(|name, _| name == Path::new(OUTPUT));
            (made.stdout, made.stderr) = (String::new(), String::new());
        }
    }

    fn found(&mut self, finding: String) {
        self.counts.failed += 1;
        self.findings.push(finding);
    }
}

/// The files in `directory` after a link with `linker`, and what it printed.
fn made(directory: &Path, linker: &Linker, finished: Finished) -> Result<Made> {
    let mut files = Files::new();
    read_files(directory, Path::new(""), &mut files)?;
    files.remove(Path::new("commands.sh"));
    // The path of the linker is in command lines and messages.
    let path = linker.directory(Way::Plain).display().to_string();
    let text = |text: String| text.replace(&path, "");
    Ok(Made { files, stdout: text(finished.stdout), stderr: text(finished.stderr) })
}

fn read_files(directory: &Path, below: &Path, files: &mut Files) -> Result<()> {
    let at = directory.join(below);
    let io = |e: std::io::Error| format!("{}: {e}", at.display());
    for entry in fs::read_dir(&at).map_err(io)? {
        let entry = entry.map_err(io)?;
        let name = below.join(entry.file_name());
        let kind = entry.file_type().map_err(io)?;
        if kind.is_dir() {
            read_files(directory, &name, files)?;
        } else if kind.is_file() {
            let bytes = fs::read(entry.path());
            files.insert(name, bytes.map_err(|e| format!("{}: {e}", entry.path().display()))?);
        }
    }
    Ok(())
}

fn copy_directory(from: &Path, to: &Path) -> Result<()> {
    let words =
        ["cp".to_owned(), "-a".to_owned(), from.display().to_string(), to.display().to_string()];
    let copied = CommandLine::new(words).run(Path::new("/"))?;
    if copied.status.success() { Ok(()) } else { Err(copied.stderr) }
}

/// A difference of the output file alone, in words.
fn output_difference(first: &Made, other: &Made) -> Option<String> {
    let output = |made: &Made| made.files.get(Path::new(OUTPUT)).cloned();
    (output(first) != output(other)).then(|| format!("{OUTPUT} differs"))
}

/// The first difference, in words.
fn difference(first: &Made, other: &Made) -> Option<String> {
    let names = first.files.keys().chain(other.files.keys());
    for name in names {
        let (one, another) = match (first.files.get(name), other.files.get(name)) {
            (Some(one), Some(another)) if one == another => continue,
            (Some(one), Some(another)) => (one, another),
            (None, _) => return Some(format!("{} was not there", name.display())),
            (_, None) => return Some(format!("{} is not there", name.display())),
        };
        let at = one.iter().zip(another).position(|(a, b)| a != b);
        let at = at.unwrap_or(one.len().min(another.len()));
        return Some(format!("{} differs from byte {at:#x}", name.display()));
    }
    if first.stdout != other.stdout {
        return Some(format!("it prints {}and not {}", other.stdout, first.stdout));
    }
    (first.stderr != other.stderr)
        .then(|| format!("it says {}and not {}", other.stderr, first.stderr))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made_of(name: &str, text: &str) -> Made {
        let files = Files::from([(PathBuf::from(name), text.as_bytes().to_owned())]);
        Made { files, stdout: String::new(), stderr: String::new() }
    }

    #[test]
    fn the_first_difference_is_told() {
        assert_eq!(difference(&made_of("out", "abc"), &made_of("out", "abc")), None);
        let told = difference(&made_of("out", "abc"), &made_of("out", "abd")).unwrap();
        assert_eq!(told, "out differs from byte 0x2");
        let told = difference(&made_of("out", "abc"), &made_of("out.map", "abc")).unwrap();
        assert_eq!(told, "out is not there");
        let told = difference(&made_of("out", "abc"), &made_of("out", "ab")).unwrap();
        assert_eq!(told, "out differs from byte 0x2");
    }
}
