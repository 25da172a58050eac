//! `--symbol-ordering-file`: sections with listed symbols come first, in the order of the list.
//!
//! One symbol on each line. A section with several listed symbols is ordered by the first; a name
//! that several local symbols have stands for all their sections. Rules and warnings are lld's.

use super::Ranks;
use super::requested::OrderInput;
use super::symbol_search::{self, Place};
use crate::diagnose::order::MessageKind;
use skald_core::unordered::UnorderedSet;
use std::path::Path;

/// Gives ranks to the sections of the symbols that the file at `path` lists.
pub fn rank(input: &OrderInput<'_>, path: &Path, ranks: &mut Ranks) {
    let mut warnings = Vec::new();
    let mut seen = UnorderedSet::new();
    let mut names = input.lines(path);
    names.retain(|&name| {
        let is_new = seen.insert(name);
        if !is_new {
            let name = String::from_utf8_lossy(name);
            warnings.push(format!("{}: duplicate ordered symbol: {name}", path.display()));
        }
        is_new
    });
    let found = symbol_search::find(input, &names);
    let mut sections = Vec::new();
    for (name, found) in names.iter().zip(&found) {
        if found.is_empty() {
            let name = String::from_utf8_lossy(name);
            warnings.push(format!("symbol ordering file: no such symbol: {name}"));
        }
        for found in found {
            warnings.extend(symbol_search::warning(input, name, found));
            if let Place::Section(section) = found.place {
                sections.push(section);
            }
        }
    }
    ranks.append(&sections);
    if !input.options.reports.no_warn_symbol_ordering {
        for (at, text) in (0..).zip(warnings) {
            input.diag.warn(MessageKind::SectionOrder.key(at), text);
        }
    }
}
