//! Compares two outputs of the same link with a layout script: sections and symbols must be at the
//! same places.
//!
//! Both linkers have been told to share the tails of strings, as GNU ld always does. In a
//! position-independent output places are not compared, because its dynamic sections differ in
//! size.

use crate::Result;
use object::elf::*;
use skald_testkit::output_file::{OutputFile, Section, Symbol};
use std::collections::BTreeMap;
use std::path::Path;

/// Sections whose size differs from GNU ld's, and on which nothing in memory depends.
const OTHER_SIZES: [(&str, &str); 4] = [
    (".comment", "it has the linker's name"),
    (
        ".symtab",
        "each statement of a section has a symbol for relocations that are kept, and \
        objects without a symbol that names their file get none",
    ),
    (".strtab", "names in it share no tails, and skald's .symtab has others"),
    (".shstrtab", "names in it share no tails"),
];

/// Prefixes of symbols at mergeable strings, which are merged in another order.
const STRINGS: [&str; 3] = [".L", "__kstrtab_", "__kstrtabns_"];

/// An error unless the output at `ours` has the sections and symbols of that at `theirs`. Symbols
/// of the section `padded` may have other values, and its size may be another up to its alignment:
/// merged inputs stand before the other inputs of their statement, and so there may be other
/// padding between these.
pub(super) fn compare(ours: &Path, theirs: &Path, padded: Option<&str>) -> Result<()> {
    let (ours, theirs) = (OutputFile::read(ours)?, OutputFile::read(theirs)?);
    let has_places = theirs.file_type != ET_DYN;
    let places = Places { has_places, padded };
    let in_memory = |file: &OutputFile| -> Vec<String> {
        let sections = file.sections.iter().filter(|section| section.is_alloc());
        let mut sections: Vec<String> = sections.map(|section| describe(section, places)).collect();
        // In a relocatable file the order of sections does not matter: GNU ld puts notes together.
        if file.file_type == ET_REL {
            sections.sort();
        }
        sections
    };
    first_difference("section", &in_memory(&ours), &in_memory(&theirs))?;
    // Sections that are not in memory are in another order: GNU ld puts kept relocations behind
    // their sections.
    let others = |file: &OutputFile| {
        let sections = file.sections.iter().filter(|section| !section.is_alloc());
        let mut others: Vec<String> = sections
            .map(|section| describe(section, Places { has_places: true, padded }))
            .collect();
        others.sort();
        others
    };
    if has_places {
        first_difference("section", &others(&ours), &others(&theirs))?;
    }
    first_difference("symbol", &symbols(&ours, places), &symbols(&theirs, places))
}

/// Which symbols' values are compared.
#[derive(Clone, Copy)]
struct Places<'a> {
    has_places: bool,
    /// Values in this section are not compared.
    padded: Option<&'a str>,
}

/// Name, type and flags of a section, and where places are compared its alignment, address and
/// size.
fn describe(section: &Section, Places { has_places, padded }: Places<'_>) -> String {
    let Section { name, kind, flags, address, align, .. } = section;
    let is_padded = padded == Some(name.as_str());
    let size = if is_padded { section.size.next_multiple_of(*align) } else { section.size };
    if !has_places {
        format!("{name}: type {kind:#x}, flags {flags:#x}")
    } else if OTHER_SIZES.iter().any(|(other, _)| other == name) {
        format!("{name}: type {kind:#x}, flags {flags:#x}, alignment {align}")
    } else {
        format!(
            "{name}: type {kind:#x}, flags {flags:#x}, alignment {align}, address {address:#x}, \
             size {size:#x}"
        )
    }
}

/// The symbols with their counts. Those of files and sections are left out, because GNU ld adds
/// other ones, and visibility is not compared.
fn symbols(file: &OutputFile, places: Places<'_>) -> Vec<String> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for symbol in &file.symbols {
        let is_left_out = matches!(symbol.kind, STT_FILE | STT_SECTION)
            || STRINGS.iter().any(|start| symbol.name.starts_with(start));
        if is_left_out || !places.has_places && (symbol.is_local() || is_hidden(symbol)) {
            continue;
        }
        *counts.entry(name_and_place(symbol, places)).or_default() += 1;
    }
    counts.into_iter().map(|(symbol, count)| format!("{symbol}, {count} times")).collect()
}

fn name_and_place(symbol: &Symbol, places: Places<'_>) -> String {
    let Symbol { name, value, size, kind, section, .. } = symbol;
    // GNU ld leaves some hidden symbols global, which makes no difference outside the output.
    let binding = if is_hidden(symbol) { STB_LOCAL } else { symbol.binding };
    let has_place = places.has_places && places.padded != Some(section.as_str());
    let place = if has_place { format!("{value:#x}") } else { String::new() };
    format!("{name}: {place} in {section}, type {kind}, size {size}, binding {binding}")
}

fn is_hidden(symbol: &Symbol) -> bool {
    matches!(symbol.other & 3, STV_HIDDEN | STV_INTERNAL)
}

/// An error with the first difference of two lists.
fn first_difference(what: &str, ours: &[String], theirs: &[String]) -> Result<()> {
    let at = ours.iter().zip(theirs).position(|(own, other)| own != other);
    let end = ours.len().min(theirs.len());
    if at.is_none() && ours.len() == theirs.len() {
        return Ok(());
    }
    let line = |list: &[String]| list.get(at.unwrap_or(end)).cloned().unwrap_or_default();
    Err(format!("the {what} {:?} is with GNU ld {:?}", line(ours), line(theirs)))
}
