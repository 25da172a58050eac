//! Prints the default layout as the text of a script: the opposite of [`super::parse`], for the
//! statements that it consists of.

use super::LayoutScript;
use super::default_layout::{self, LayoutOptions};
use super::statements::{
    BodyStatement, Condition, InputStatement, OutputStatement, Sort, ZONES, section_types,
};
use crate::args::Options;
use crate::args::assignments::find_script;
use crate::script::text_script::{Command, Script};
use skald_core::diag::{Error, Result};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// Tools look for the script between two such lines in the output of `--verbose`.
const FRAME: &str = "==================================================";

/// The script that `--verbose` prints: that of the command line, or the default layout.
///
/// # Errors
/// If the script cannot be read.
pub fn layout_in_use(options: &Options) -> Result<String> {
    let read = |path: &PathBuf| read(&find_script(options, path));
    let texts = options.scripts.iter().map(|script| read(&script.path));
    let mut texts = texts.collect::<Result<Vec<String>>>()?;
    // Scripts that only `INSERT` are added to the layout in use.
    texts.retain(|text| !inserts(text));
    let own = || script(&default_layout::default(&LayoutOptions::new(options)));
    let (kind, text) = match (&options.default_script, texts.is_empty()) {
        (_, false) => ("external", texts.concat()),
        (Some(path), true) => ("external", read(path)?),
        (None, true) => ("internal", options.own_layout().unwrap_or_else(own)),
    };
    let end = if text.ends_with('\n') { "" } else { "\n" };
    Ok(format!("using {kind} linker script:\n{FRAME}\n{text}{end}{FRAME}\n"))
}

/// Whether a script has `INSERT`.
fn inserts(text: &str) -> bool {
    let nothing = |name: &[u8]| Ok((String::from_utf8_lossy(name).into_owned(), &b""[..]));
    let script = Script::parse("", text.as_bytes(), &nothing);
    let mut commands = script.into_iter().flat_map(|script| script.commands);
    commands.any(|(_, command)| matches!(command, Command::Insert { .. }))
}

fn read(path: &Path) -> Result<String> {
    match std::fs::read(path) {
        Ok(text) => Ok(String::from_utf8_lossy(&text).into_owned()),
        Err(error) => Err(Error(format!("{}: {error}", path.display()))),
    }
}

/// The text of an automatic layout's script.
pub fn script(layout: &LayoutScript) -> String {
    let mut text = String::from(
        "/* The layout that is used without a script: with -T, this text gives the same output.
   Segments follow from the order and the flags of sections. Behind a section stands the zone
   of memory that it is in; it stands there only if its flags fit and ONLY_IF holds, or else
   with those that * stands for: sections that no statement names. */
LD_FEATURE(\"AUTOMATIC_LAYOUT\")
SECTIONS
{
",
    );
    for output in layout.outputs() {
        line(&mut text, output);
    }
    text += "}\n";
    text
}

fn line(text: &mut String, output: &OutputStatement) {
    let _ = write!(text, "  {} :", String::from_utf8_lossy(&output.name));
    if output.only_if != Condition::ANY {
        let _ = write!(text, " ONLY_IF({})", condition(&output.only_if));
    }
    *text += " {";
    for statement in &output.body {
        if let BodyStatement::Inputs(inputs) = statement {
            let _ = write!(text, " {}", patterns(inputs));
        }
    }
    *text += " }";
    let zone = ZONES.iter().find(|&&(_, zone)| Some(zone) == output.zone);
    if let Some((word, _)) = zone {
        let _ = write!(text, " :{word}");
    }
    *text += "\n";
}

fn patterns(inputs: &InputStatement) -> String {
    let section = |pattern: &super::statements::SectionPattern| {
        let name = String::from_utf8_lossy(&pattern.name);
        match pattern.sort[0] {
            Sort::InitPriority => format!("SORT_BY_INIT_PRIORITY({name})"),
            _ => name.into_owned(),
        }
    };
    let sections: Vec<String> = inputs.sections.iter().map(section).collect();
    format!("{}({})", String::from_utf8_lossy(&inputs.file.name), sections.join(" "))
}

fn condition(condition: &Condition) -> String {
    let mut parts = Vec::new();
    let mut flags = |flags: u64, not: &str| {
        let names = super::parse::FLAGS.iter().filter(|(_, flag)| flags & u64::from(*flag) != 0);
        parts.extend(names.map(|(name, _)| format!("{not}{name}")));
    };
    flags(condition.with_flags, "");
    flags(condition.without_flags, "!");
    let types = |types: u32| section_types::NAMES.iter().filter(move |(_, bit)| types & bit != 0);
    let names: Vec<&str> = types(condition.types).map(|(name, _)| *name).collect();
    if !names.is_empty() {
        parts.push(names.join(" | "));
    }
    parts.extend(types(condition.without_types).map(|(name, _)| format!("!{name}")));
    if let Some(is_large) = condition.is_large {
        parts.push(if is_large { "LARGE" } else { "!LARGE" }.to_owned());
    }
    if condition.least_align > 1 {
        parts.push(format!("ALIGN({})", condition.least_align));
    }
    parts.join(" & ")
}

#[cfg(test)]
mod tests {
    use super::super::section_names::KeptPrefixes;
    use super::super::text_script::{self, PlacedCommand, Script};
    use super::*;

    #[test]
    fn what_is_printed_is_read_back() {
        for bits in 0..64u8 {
            let has = |bit: u8| bits >> bit & 1 != 0;
            let layout = default_layout::default(&LayoutOptions {
                reloc_kind: crate::machine::RelocKind::Rela,
                loaded_attributes: &[],
                got_is_small_data: false,
                kept_prefixes: KeptPrefixes::new(has(0), has(1)),
                relro: has(2),
                now: has(3),
                has_toc: has(1),
                is_rodata_late: has(4),
                is_large_rodata_late: has(5),
                sorts_by_option: false,
                has_relocations_apart: has(5),
                has_writable_plt: false,
                is_relocatable: false,
            });
            let text = script(&layout);
            let parsed = Script::parse("t", text.as_bytes(), &text_script::nothing)
                .unwrap_or_else(|error| panic!("{}", error.0));
            let placed = |(line, command)| PlacedCommand { command, script: "t".into(), line };
            let commands: Vec<_> = parsed.commands.into_iter().map(placed).collect();
            let again = LayoutScript::new(&commands, &LayoutOptions::default());
            assert!(again.is_automatic && !again.evaluates && again.problems.is_empty());
            assert_eq!(script(&again), text);
            for (own, other) in layout.outputs().zip(again.outputs()) {
                assert_eq!((own.zone, own.only_if), (other.zone, other.only_if));
            }
            assert_eq!(layout.outputs().count(), again.outputs().count());
        }
    }
}
