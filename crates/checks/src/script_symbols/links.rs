//! Links a cell with skald and with GNU ld and compares what they make.

use super::cells::{self, Cell, Form, PLACES, Position};
use super::inputs::Definer;
use super::rules;
use crate::Result;
use crate::random_scripts::compare::{self, Difference};
use crate::random_scripts::rules as scripts;
use object::elf::{STB_LOCAL, STV_HIDDEN};
use skald_testkit::output_file::OutputFile;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// The two linkers and the files.
pub struct Linkers {
    /// Path of skald.
    pub skald: PathBuf,
    /// Path of GNU ld.
    pub gnu: PathBuf,
    /// Where the files of all cells are.
    pub inputs: PathBuf,
}

/// The result of comparing the links of a cell.
pub struct Compared {
    /// Both linkers refuse it.
    pub is_refused: bool,
    /// The rule that explains its differences.
    pub rule: Option<usize>,
    /// Differences that no rule explains.
    pub differences: Vec<Difference>,
    /// The command line of the cell, to be run in the directory of the inputs.
    pub command: String,
    /// The script of the cell.
    pub script: String,
}

/// Links `cell` in `directory`.
pub fn compare(
    linkers: &Linkers,
    forms: &[Form],
    cell: &Cell,
    directory: &Path,
) -> Result<Compared> {
    let told = |e: std::io::Error| format!("{}: {e}", directory.display());
    fs::create_dir_all(directory).map_err(told)?;
    let script = cells::script(cell, forms);
    fs::write(directory.join("script.ld"), &script).map_err(told)?;
    let words = words(forms, cell, directory)?;
    let theirs = link(&linkers.gnu, linkers, &words, directory, "gnu")?;
    let ours = link(&linkers.skald, linkers, &words, directory, "skald")?;
    let mut is_refused = false;
    let differences = match (ours.status.code(), theirs.status.success()) {
        (Some(1), false) => {
            is_refused = true;
            Vec::new()
        }
        (Some(0), true) => {
            let [ours, theirs] = ["skald", "gnu"].map(|name| directory.join(name));
            if is_placed_alike(cell) {
                compare::differences(&compare::read(&ours)?, &compare::read(&theirs)?)
            } else {
                differences_of_symbols(&ours, &theirs)?
            }
        }
        _ => {
            let (kind, object) = ("link".to_owned(), "output".to_owned());
            let (ours, theirs) = (said(&ours), said(&theirs));
            vec![Difference { kind, object, attribute: "link".to_owned(), ours, theirs }]
        }
    };
    let link = scripts::Link {
        script: &script,
        options: &[],
        has_zeros_first: false,
        differences: &differences,
    };
    let of_scripts = scripts::find(&link);
    let pairs = differences.into_iter().zip(of_scripts);
    let mut differences: Vec<Difference> =
        pairs.filter(|(_, rule)| rule.is_none()).map(|pair| pair.0).collect();
    let mut rule = None;
    if !differences.is_empty() {
        rule = rules::find(&rules::Found {
            form: &forms[cell.form],
            place: &PLACES[cell.place],
            cell,
            differences: &differences,
        });
        if rule.is_some() {
            differences.clear();
        }
    }
    let command = words.join(" ");
    Ok(Compared { is_refused, rule, differences, command, script })
}

/// Whether both linkers have the same sections at the same addresses; outputs with a dynamic linker
/// do not.
fn is_placed_alike(cell: &Cell) -> bool {
    let is_dynamic = |option: &&str| ["-shared", "-pie"].contains(option);
    !matches!(cell.definer, Definer::Library | Definer::Got)
        && !PLACES[cell.place].options.iter().any(is_dynamic)
}

/// Differences of the symbols in [`NAMES`], whose values count from the start of their section.
fn differences_of_symbols(ours: &Path, theirs: &Path) -> Result<Vec<Difference>> {
    let (ours, theirs) = (symbols(ours)?, symbols(theirs)?);
    let names = ours.keys().chain(theirs.keys()).collect::<BTreeSet<_>>();
    let text = |known: Option<&String>| known.map_or("nothing", String::as_str).to_owned();
    let differs = names.into_iter().filter(|name| ours.get(*name) != theirs.get(*name));
    let difference = |name: &String| Difference {
        kind: "symbol".to_owned(),
        object: name.clone(),
        attribute: "place".to_owned(),
        ours: text(ours.get(name)),
        theirs: text(theirs.get(name)),
    };
    Ok(differs.map(difference).collect())
}

/// Place, type and binding of the symbols in [`NAMES`].
fn symbols(path: &Path) -> Result<BTreeMap<String, String>> {
    let file = OutputFile::read(path)?;
    let mut found = BTreeMap::new();
    for (table, symbols) in [("", &file.symbols), ("dynamic ", &file.dynamic_symbols)] {
        for symbol in symbols.iter().filter(|symbol| NAMES.contains(&&*symbol.name)) {
            let section = file.sections.iter().find(|section| section.name == symbol.section);
            let value = symbol.value.wrapping_sub(section.map_or(0, |section| section.address));
            let visibility = symbol.other & 3;
            let is_own = symbol.binding == STB_LOCAL || visibility == STV_HIDDEN;
            let binding =
                if is_own { "own".to_owned() } else { format!("{} {visibility}", symbol.binding) };
            let text = format!("{}+{value:#x} {} {binding}", symbol.section, symbol.kind);
            found.insert(format!("{table}{}", symbol.name), text);
        }
    }
    Ok(found)
}

/// The symbols that are compared.
const NAMES: [&str; 5] = ["key", "computed", "other", "__start_early", "_end"];

/// The command line but for the output.
fn words(forms: &[Form], cell: &Cell, directory: &Path) -> Result<Vec<String>> {
    let (form, place) = (&forms[cell.form], &PLACES[cell.place]);
    let own = |text: &str| cells::named(text, cell.definer);
    let script = directory.join("script.ld").display().to_string();
    let mut words: Vec<String> = ["-e", "0"].map(str::to_owned).to_vec();
    if place.top.contains("ENTRY") {
        words.clear();
    }
    words.extend(cell.definer.before().iter().map(|file| file.to_string()));
    let add = |at: Position, words: &mut Vec<String>| -> Result<()> {
        for (number, (_, text)) in form.statements.iter().filter(|(own, _)| *own == at).enumerate()
        {
            if matches!(at, Position::OptionBefore | Position::OptionAfter) {
                words.push(format!("--defsym={}", own(text)));
                continue;
            }
            let side = if at == Position::InputBefore { "before" } else { "after" };
            let path = directory.join(format!("{side}{number}.ld"));
            fs::write(&path, own(text)).map_err(|e| format!("{}: {e}", path.display()))?;
            words.push(path.display().to_string());
        }
        Ok(())
    };
    add(Position::OptionBefore, &mut words)?;
    add(Position::InputBefore, &mut words)?;
    words.extend(["-T".to_owned(), script]);
    words.push("main.o".to_owned());
    if cell.is_wanted {
        words.push(cell.definer.wants().to_owned());
    }
    words.extend(cell.definer.after().iter().map(|file| file.to_string()));
    words.extend(place.options.iter().map(|option| own(option)));
    add(Position::InputAfter, &mut words)?;
    add(Position::OptionAfter, &mut words)?;
    Ok(words)
}

fn link(
    linker: &Path,
    linkers: &Linkers,
    words: &[String],
    directory: &Path,
    output: &str,
) -> Result<Output> {
    let mut command = Command::new(linker);
    command.current_dir(&linkers.inputs).arg("-o").arg(directory.join(output)).args(words);
    command.stdin(Stdio::null()).output().map_err(|e| format!("{command:?}: {e}"))
}

/// The messages of a linker without warnings.
fn said(output: &Output) -> String {
    if output.status.success() {
        return "links".to_owned();
    }
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    let is_error = |line: &&str| !line.contains("warning");
    let lines: Vec<&str> = text.lines().filter(is_error).take(2).collect();
    format!("{}: {}", output.status, lines.join(" | "))
}
