//! Links a script with skald and with GNU ld and compares what they make.

use super::compare::{self, Difference};
use super::script::Script;
use super::{inputs, rules};
use crate::Result;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// The two linkers and the objects.
pub struct Linkers {
    /// Of skald.
    pub skald: PathBuf,
    /// Of GNU ld.
    pub gnu: PathBuf,
    /// Where the objects are.
    pub objects: PathBuf,
}

/// What came of a script.
#[derive(Debug, Default)]
pub struct Compared {
    /// Both linkers refuse it.
    pub is_refused: bool,
    /// GNU ld is killed, or does not end.
    pub is_skipped: bool,
    /// By rule, how many differences follow it.
    pub explained: Vec<usize>,
    /// The others.
    pub differences: Vec<Difference>,
}

/// Links `script` in `directory`.
pub fn compare(linkers: &Linkers, script: &Script, directory: &Path) -> Result<Compared> {
    let told = |e: std::io::Error| format!("{}: {e}", directory.display());
    fs::create_dir_all(directory).map_err(told)?;
    fs::write(directory.join("script.ld"), script.to_string()).map_err(told)?;
    let theirs = link(&linkers.gnu, linkers, script, directory, "gnu")?;
    let mut compared = Compared { explained: vec![0; rules::RULES.len()], ..Compared::default() };
    let Some(status) = theirs.status.code().filter(|&code| code != TIMED_OUT) else {
        compared.is_skipped = true;
        return Ok(compared);
    };
    let ours = link(&linkers.skald, linkers, script, directory, "skald")?;
    let (ours_works, theirs_works) = (ours.status.success(), status == 0);
    let differences = match (ours_works, theirs_works) {
        (false, false) if ours.status.code() == Some(1) => {
            compared.is_refused = true;
            return Ok(compared);
        }
        (true, true) => compare::differences(
            &compare::read(&directory.join("skald"))?,
            &compare::read(&directory.join("gnu"))?,
        ),
        _ => vec![Difference {
            kind: "link".to_owned(),
            object: "output".to_owned(),
            attribute: format!("status {} {status}", ours.status),
            ours: said(&ours),
            theirs: said(&theirs),
        }],
    };
    for difference in differences {
        match rules::find(&difference) {
            Some(rule) => compared.explained[rule] += 1,
            None => compared.differences.push(difference),
        }
    }
    Ok(compared)
}

/// What `timeout` answers.
const TIMED_OUT: i32 = 124;

fn link(
    linker: &Path,
    linkers: &Linkers,
    script: &Script,
    directory: &Path,
    output: &str,
) -> Result<Output> {
    let mut command = Command::new("timeout");
    command.arg("20").arg(linker).current_dir(&linkers.objects);
    command.arg("-T").arg(directory.join("script.ld")).arg("-o").arg(directory.join(output));
    command.args(script.options.iter().flat_map(|option| option.split(' ')));
    command.args(script.objects.iter().map(|&object| inputs::name(object)));
    command.stdin(Stdio::null()).output().map_err(|e| format!("{command:?}: {e}"))
}

/// What a linker says, without what it only warns of.
fn said(output: &Output) -> String {
    if output.status.success() {
        return "links".to_owned();
    }
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    let is_error = |line: &&str| !line.contains("warning");
    text.lines().filter(is_error).take(3).collect::<Vec<_>>().join(" | ")
}

/// The command line of a script, to be run where the objects are.
pub fn command_line(script: &Script, path: &Path) -> String {
    let objects: Vec<String> = script.objects.iter().map(|&o| inputs::name(o)).collect();
    let options = script.options.join(" ");
    format!("-T {} {options} {}", path.display(), objects.join(" "))
}
