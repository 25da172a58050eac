//! `--print-icf-sections`: which sections were folded into which.

use super::listing::{self, Stream};
use crate::resolve::definitions::{Definitions, SectionId};
use crate::resolve::tables::Sources;
use crate::select::fold::Folds;
use skald_core::par::prelude::*;
use std::fmt::Write;

/// Prints the folded sections if `--print-icf-sections` is given.
pub fn print(sources: &Sources<'_>, definitions: &Definitions, folds: &Folds) {
    let reports = &sources.options.reports;
    if !reports.icf_sections {
        return;
    }
    let name = |id: SectionId| {
        let section = &definitions.sections[id];
        let object = &sources.objects[section.object];
        let file = object.file.map(|file| sources.candidates.display_name(file));
        let name = String::from_utf8_lossy(object.section_name(section.shndx));
        format!("{}:({name})", file.unwrap_or_default())
    };
    let mut text = String::new();
    let mut folded = folds.folded.clone();
    folded.par_sort_by_key(|folded| folded.leader);
    for class in folded.chunk_by(|a, b| a.leader == b.leader) {
        let _ = writeln!(text, "selected section {}", name(class[0].leader));
        for folded in class {
            let _ = writeln!(text, "  removing identical section {}", name(folded.section));
        }
    }
    listing::write(reports.icf_sections_file.as_deref(), Stream::Out, &text, sources.diag);
}
