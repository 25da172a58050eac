//! Links a script with skald and with GNU ld and compares what they make.

use super::compare::{self, Difference};
use super::script::Script;
use super::{inputs, rules};
use crate::Result;
use skald_testkit::lint;
use skald_testkit::output_file::OutputFile;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// The two linkers and the objects.
pub struct Linkers {
    /// Path of skald.
    pub skald: PathBuf,
    /// Path of GNU ld.
    pub gnu: PathBuf,
    /// Where the objects are.
    pub objects: PathBuf,
}

/// The result of comparing the links of a script.
#[derive(Debug, Default)]
pub struct Compared {
    /// Both linkers refuse it.
    pub is_refused: bool,
    /// GNU ld is killed by a signal, or does not end in time.
    pub is_skipped: bool,
    /// By rule, the number of differences that it explains.
    pub explained: Vec<usize>,
    /// Differences that no rule explains.
    pub differences: Vec<Difference>,
}

/// Links `script` in `directory`.
pub fn compare(linkers: &Linkers, script: &Script, directory: &Path) -> Result<Compared> {
    let told = |e: std::io::Error| format!("{}: {e}", directory.display());
    fs::create_dir_all(directory).map_err(told)?;
    fs::write(directory.join("script.ld"), script.to_string()).map_err(told)?;
    for (name, text) in script.more.iter().filter_map(|more| more.script.as_ref()) {
        fs::write(directory.join(name), text).map_err(told)?;
    }
    let theirs = link(&linkers.gnu, linkers, script, directory, "gnu")?;
    let mut compared = Compared { explained: vec![0; rules::RULES.len()], ..Compared::default() };
    let Some(status) = theirs.status.code().filter(|&code| code != TIMED_OUT) else {
        compared.is_skipped = true;
        return Ok(compared);
    };
    if said(&theirs).contains("internal error") {
        compared.is_skipped = true;
        return Ok(compared);
    }
    let ours = link(&linkers.skald, linkers, script, directory, "skald")?;
    let (ours_works, theirs_works) = (ours.status.success(), status == 0);
    let mut has_zeros_first = false;
    let differences = match (ours_works, theirs_works) {
        (false, false) if ours.status.code() == Some(1) => {
            compared.is_refused = true;
            return Ok(compared);
        }
        (true, true) => match (read(directory, "skald"), read(directory, "gnu")) {
            (Ok(ours), Ok(theirs)) => {
                has_zeros_first = theirs.has_zeros_first;
                let mut differences = compare::differences(&ours, &theirs);
                differences.extend(lint(directory)?);
                differences
            }
            // GNU ld can make outputs that cannot be read.
            (_, Err(_)) => {
                compared.is_skipped = true;
                return Ok(compared);
            }
            (Err(error), Ok(_)) => vec![whole("reading", error, LINKS.to_owned())],
        },
        _ => {
            let (ours, theirs) = (said(&ours), said(&theirs));
            vec![whole(&kind_of_message(&ours, &theirs), ours, theirs)]
        }
    };
    let further = script.more.iter().filter_map(|more| Some(more.script.as_ref()?.1.clone()));
    let text: String = std::iter::once(script.to_string()).chain(further).collect();
    let (script, options) = (&text[..], &script.options[..]);
    let link = rules::Link { script, options, has_zeros_first, differences: &differences };
    let rules = rules::find(&link);
    for (difference, rule) in differences.into_iter().zip(rules) {
        match rule {
            Some(rule) => compared.explained[rule] += 1,
            None => compared.differences.push(difference),
        }
    }
    Ok(compared)
}

/// Findings of the linter in skald's output alone; those that the script causes appear in both
/// outputs.
fn lint(directory: &Path) -> Result<Vec<Difference>> {
    let found = |name: &str| -> Result<Vec<String>> {
        Ok(lint::check(&OutputFile::read(&directory.join(name))?, &[]))
    };
    let rule = |finding: &str| finding.split(':').next().unwrap_or_default().to_owned();
    let theirs: Vec<String> = found("gnu")?.iter().map(|finding| rule(finding)).collect();
    let own = found("skald")?.into_iter().filter(|finding| !theirs.contains(&rule(finding)));
    let differences = own.map(|finding| Difference {
        kind: "lint".to_owned(),
        object: "output".to_owned(),
        attribute: rule(&finding),
        ours: finding,
        theirs: "nothing".to_owned(),
    });
    Ok(differences.collect())
}

fn read(directory: &Path, name: &str) -> Result<compare::Facts> {
    compare::read(&directory.join(name))
}

/// A difference of the link as a whole.
fn whole(attribute: &str, ours: String, theirs: String) -> Difference {
    let (kind, object) = ("link".to_owned(), "output".to_owned());
    Difference { kind, object, attribute: attribute.to_owned(), ours, theirs }
}

/// Exit status of `timeout` when the time is over.
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
    command.arg("-o").arg(directory.join(output));
    command.args(more(script, directory, true));
    command.arg("-T").arg(directory.join("script.ld"));
    // Without a symbol GNU ld starts at an empty `.text` that is not in the output.
    command.args(["-e", "0"]);
    // Garbage collection has to keep something of each object, because GNU ld otherwise drops the
    // whole object, with the sections that are not loaded.
    command
        .args(script.objects.iter().flat_map(|&object| ["-u".to_owned(), inputs::symbol(object)]));
    command.args(script.options.iter().flat_map(|option| option.split(' ')));
    command.args(script.objects.iter().map(|&object| inputs::name(object)));
    command.args(more(script, directory, false));
    command.stdin(Stdio::null()).output().map_err(|e| format!("{command:?}: {e}"))
}

/// The further words of the command line, before or behind the script and the objects.
fn more(script: &Script, directory: &Path, is_before: bool) -> Vec<String> {
    let here = script.more.iter().filter(|more| more.is_before == is_before);
    let path = |more: &super::script::More| {
        more.script.as_ref().map(|(name, _)| directory.join(name).display().to_string())
    };
    here.flat_map(|more| more.words.iter().cloned().chain(path(more))).collect()
}

const LINKS: &str = "links";

/// The messages of a linker without warnings.
fn said(output: &Output) -> String {
    if output.status.success() {
        return LINKS.to_owned();
    }
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    let is_error = |line: &&str| !line.contains("warning");
    text.lines().filter(is_error).take(3).collect::<Vec<_>>().join(" | ")
}

/// The message of the linker that has one, without names and numbers; a smaller script has to cause
/// the same message.
fn kind_of_message(ours: &str, theirs: &str) -> String {
    let (who, text) = if theirs == LINKS { ("skald", ours) } else { ("GNU ld", theirs) };
    let is_word = |word: &&str| word.chars().all(|c| c.is_ascii_lowercase());
    let words: Vec<&str> = text.split_whitespace().filter(is_word).take(6).collect();
    format!("{who}: {}", words.join(" "))
}

/// The command line of a script, to be run where the objects are.
pub fn command_line(script: &Script, path: &Path) -> String {
    let objects: Vec<String> = script.objects.iter().map(|&o| inputs::name(o)).collect();
    let options = script.options.join(" ");
    let roots: Vec<String> =
        script.objects.iter().map(|&object| format!("-u {}", inputs::symbol(object))).collect();
    let roots = roots.join(" ");
    let directory = path.parent().unwrap_or(path);
    let [before, behind] =
        [true, false].map(|is_before| more(script, directory, is_before).join(" "));
    let objects = objects.join(" ");
    let texts: Vec<&str> =
        script.more.iter().filter_map(|more| Some(more.script.as_ref()?.1.as_str())).collect();
    let texts = texts.join("\n");
    format!("-e 0 {roots} {before} -T {} {options} {objects} {behind}\n{texts}", path.display())
}

/// The first line of GNU ld's version.
pub fn version_of_gnu() -> Option<String> {
    let output = Command::new("ld.bfd").arg("--version").output().ok()?;
    String::from_utf8_lossy(&output.stdout).lines().next().map(str::to_owned)
}
