//! Judges a link with a fault: its status, its messages, and the files that it left.

use super::links::{self, Inputs, Kind};
use super::tracer::{self, Outcome, Place};
use super::{CHANGED, CHANGES, Change, Trial};
use crate::Result;
use nix::errno::Errno;
use nix::sys::signal::Signal;
use std::collections::BTreeMap;
use std::path::Path;

type Files = BTreeMap<String, Vec<u8>>;

/// What an undisturbed link makes.
pub struct Expected {
    /// The calls that it makes.
    pub calls: Vec<Place>,
    files: Files,
    /// What it makes from inputs that are changed before it starts, where it succeeds.
    of_changed: Vec<((Change, &'static str), Files)>,
    inputs: Vec<String>,
}

impl Expected {
    /// Runs the undisturbed link, which is `words`, in `directory`.
    pub fn of(
        kind: &Kind,
        inputs: &Inputs,
        words: &[String],
        directory: &Path,
    ) -> Result<Expected> {
        let names = inputs.names()?;
        inputs.copy(kind, directory)?;
        let outcome = tracer::run(directory, words, None)?;
        if outcome.status != Ok(0) {
            return Err(format!("{}: does not link: {}", kind.name, outcome.messages));
        }
        let files = links::made(directory, &names)?;
        let mut of_changed = Vec::new();
        for change in CHANGES {
            for name in CHANGED {
                inputs.copy(kind, directory)?;
                change.make(directory, name);
                if tracer::run(directory, words, None)?.status == Ok(0) {
                    of_changed.push(((change, name), links::made(directory, &names)?));
                }
            }
        }
        Ok(Expected { calls: outcome.calls, files, of_changed, inputs: names })
    }
}

/// What is wrong with an outcome, if anything is.
pub fn of(
    kind: &Kind,
    trial: Trial,
    outcome: &Outcome,
    directory: &Path,
    expected: &Expected,
    words: &[String],
) -> Result<std::result::Result<(), String>> {
    let mut made = links::made(directory, &expected.inputs)?;
    if may_leave_name(trial, outcome) {
        made.retain(|name, _| !name.contains(".skald-"));
    }
    if outcome.is_stuck {
        return Ok(Err("stuck".to_owned()));
    }
    for word in ["panicked", "internal error"] {
        if outcome.messages.contains(word) {
            return Ok(Err(format!("an internal error:\n{}", outcome.messages)));
        }
    }
    let verdict = match outcome.status {
        Ok(0) => is_whole(kind, trial, &made, expected),
        Ok(1) if may_succeed_only(trial) => {
            Err(format!("must be repeated, but fails: {}", outcome.messages))
        }
        Ok(1) if !outcome.messages.contains("error: ") => Err("status 1 without a message".into()),
        Ok(1) => leaves_nothing(kind, trial, &made, expected),
        Err(Signal::SIGKILL) if trial == Trial::Kill => {
            return after_kill(kind, &made, directory, expected, words);
        }
        other => Err(format!("status {other:?}: {}", outcome.messages)),
    };
    Ok(verdict)
}

/// Whether the link only has to repeat the call, and so must succeed.
fn may_succeed_only(trial: Trial) -> bool {
    matches!(trial, Trial::Error(Errno::EINTR) | Trial::Half)
}

/// Whether a temporary name may stay: the file could not be removed, or somebody else has locked it
/// because it is about to be removed.
fn may_leave_name(trial: Trial, outcome: &Outcome) -> bool {
    let name = outcome.calls.last().map_or("", |place| place.call.name);
    match trial {
        Trial::Error(Errno::EAGAIN) => name == "flock",
        Trial::Error(_) => name.starts_with("unlink"),
        _ => false,
    }
}

/// Whether all files are there with the expected content.
fn is_whole(
    kind: &Kind,
    trial: Trial,
    made: &Files,
    expected: &Expected,
) -> std::result::Result<(), String> {
    let how = differs(kind, made, &expected.files);
    if let (Trial::Change(change), Some(_)) = (trial, &how) {
        let of_change = |((of, _), files): &&((Change, &str), Files)| {
            *of == change && differs(kind, made, files).is_none()
        };
        if expected.of_changed.iter().any(|each| of_change(&each)) {
            return Ok(());
        }
    }
    how.map_or(Ok(()), |how| Err(format!("status 0, but {how}")))
}

/// How files differ from those expected.
fn differs(kind: &Kind, made: &Files, expected: &Files) -> Option<String> {
    let is_missing = |name: &&String| !made.contains_key(*name);
    if let Some(name) = expected.keys().find(is_missing) {
        return Some(format!("{name} is missing"));
    }
    if let Some(name) = made.keys().find(|name| !expected.contains_key(*name)) {
        return Some(format!("{name} is left"));
    }
    let is_other = |(name, bytes): &(&String, &Vec<u8>)| {
        !kind.differing.contains(&name.as_str()) && made[*name] != **bytes
    };
    expected.iter().find(is_other).map(|(name, _)| format!("{name} is another"))
}

/// Whether a failed link left only complete files, or files that were there before.
fn leaves_nothing(
    kind: &Kind,
    trial: Trial,
    made: &Files,
    expected: &Expected,
) -> std::result::Result<(), String> {
    for (name, bytes) in made {
        let is_old = name == "out" && kind.is_relink && *bytes == links::old_output().as_bytes();
        // Bytes written to standard output cannot be removed.
        if is_old || name == "stdout" {
            continue;
        }
        // A program has its name, and is whole, before its debug file is begun.
        if name == "out" && !kind.has_debug_file() {
            return Err("it fails, and leaves an output".to_owned());
        }
        let is_whole = |files: &Files| files.get(name) == Some(bytes);
        let is_whole = is_whole(&expected.files)
            || kind.differing.contains(&name.as_str()) && !bytes.is_empty()
            // The content of a map does not matter if inputs changed while they were read.
            || matches!(trial, Trial::Change(_)) && name == "out.map" && !bytes.is_empty()
            || expected.of_changed.iter().any(|(_, files)| is_whole(files));
        if !is_whole {
            return Err(format!("it fails, and leaves {name}"));
        }
    }
    Ok(())
}

/// What is wrong with what a link that was killed left in `directory`, if anything is.
pub fn of_killed(
    kind: &Kind,
    directory: &Path,
    expected: &Expected,
    words: &[String],
) -> Result<std::result::Result<(), String>> {
    let made = links::made(directory, &expected.inputs)?;
    after_kill(kind, &made, directory, expected, words)
}

/// Whether a killed link left no file that looks complete, and the next link removed its remains.
fn after_kill(
    kind: &Kind,
    made: &Files,
    directory: &Path,
    expected: &Expected,
    words: &[String],
) -> Result<std::result::Result<(), String>> {
    for (name, bytes) in made {
        let is_temporary = name.starts_with('.');
        let is_known = expected.files.get(name) == Some(bytes)
            || *bytes == links::old_output().as_bytes()
            || kind.differing.contains(&name.as_str());
        let begins = bytes.starts_with(b"\x7fELF") && name != "stdout";
        if !is_temporary && !is_known && begins {
            return Ok(Err(format!("killed, it leaves {name}, which looks whole")));
        }
    }
    let again = tracer::run(directory, words, None)?;
    if again.status != Ok(0) {
        return Ok(Err(format!("killed, and the next link fails: {}", again.messages)));
    }
    let made = links::made(directory, &expected.inputs)?;
    let how = differs(kind, &made, &expected.files);
    Ok(how.map_or(Ok(()), |how| Err(format!("killed, and after the next link {how}"))))
}
