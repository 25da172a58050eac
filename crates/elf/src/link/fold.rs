//! `--icf`: what the options ask of folding, what becomes of folded sections, and the list of them.

use crate::args::Icf;
use crate::check::reports::Sources;
use crate::resolve::definitions::{Definitions, NOWHERE, SectionId, attr};
use crate::resolve::dynamic::OutputShape;
use crate::resolve::wanted::entry_name;
use crate::select::eh_frame::EhFrames;
use crate::select::fold::{self, FoldInput, FoldRules, Folds};
use crate::select::liveness::{FOLDED, Liveness};
use crate::select::merge::MergedSections;
use crate::select::scan::ScanOutput;
use crate::select::scan_columns::ScanColumns;
use crate::tell::listing::{self, Stream};
use skald_core::par::prelude::*;
use skald_core::time::Timer;
use std::fmt::Write;
use std::sync::atomic::Ordering;

/// What marking found, which folding takes back in part.
pub struct Found<'a> {
    /// What is alive.
    pub live: &'a mut Liveness,
    /// What relocations need.
    pub scan: &'a mut ScanOutput,
    /// The same, in columns.
    pub columns: &'a mut ScanColumns,
}

/// Folds what the options allow; nothing without `--icf`.
pub fn fold(
    sources: &Sources<'_>,
    definitions: &mut Definitions,
    frames: &EhFrames,
    merged: &MergedSections,
    found: Found<'_>,
    timer: &Timer,
) -> Folds {
    if sources.options.icf == Icf::None {
        return Folds::default();
    }
    let phase = timer.phase("fold");
    let folds = fold::fold(&FoldInput {
        objects: sources.objects,
        definitions,
        frames,
        merged,
        live: found.live,
        direct: found.columns.direct(),
        shape: OutputShape::new(sources.options, !sources.candidates.shared.is_empty()),
        rules: rules(sources, definitions),
    });
    found.columns.forget_direct(Icf::None);
    apply(&folds, definitions, found);
    print(sources, definitions, &folds);
    drop(phase);
    folds
}

fn rules(sources: &Sources<'_>, definitions: &Definitions) -> FoldRules {
    let options = sources.options;
    let section_of = |text: &[u8]| -> Option<SectionId> {
        let name = sources.extraction.own_name(text)?;
        let global = definitions.globals[name as usize];
        (global.has(attr::DEFINED) && global.section < NOWHERE).then_some(global.section)
    };
    let mut unique = Vec::new();
    for (name, key) in options.keep_unique.iter().zip(0..) {
        match section_of(name.as_bytes()) {
            Some(section) => unique.push(section),
            None => {
                let text = format!("could not find symbol {name} to keep unique");
                sources.diag.warn((0, key), text);
            }
        }
    }
    let entry = entry_name(options, sources.candidates).unwrap_or_default();
    let entries = [entry.as_slice(), options.init.as_bytes(), options.fini.as_bytes()];
    FoldRules {
        all: options.icf == Icf::All,
        ignore_data: options.ignore_data_address_equality,
        unique,
        entries: entries.into_iter().filter_map(section_of).collect(),
    }
}

/// Takes folded sections out of the output, and what only they needed.
fn apply(folds: &Folds, definitions: &mut Definitions, found: Found<'_>) {
    let Found { live, scan, columns } = found;
    for &(section, align_log2) in &folds.alignments {
        let own = &mut definitions.sections[section as usize].align_log2;
        *own = align_log2.max(*own);
    }
    for part in [&folds.folded, &folds.dependents] {
        part.par_iter().with_min_len(1 << 13).for_each(|folded| {
            live.live[folded.section as usize].store(FOLDED, Ordering::Relaxed);
            columns.relative[folded.section as usize].store(0, Ordering::Relaxed);
        });
    }
    for &section in &folds.dropped {
        live.live[section as usize].store(0, Ordering::Relaxed);
    }
    live.has_folded = !folds.folded.is_empty();
    scan.symbolic.retain(|(place, _)| !live.is_folded(place.section));
}

/// `--print-icf-sections`.
fn print(sources: &Sources<'_>, definitions: &Definitions, folds: &Folds) {
    let reports = &sources.options.reports;
    if !reports.icf_sections {
        return;
    }
    let name = |id: SectionId| {
        let section = &definitions.sections[id as usize];
        let object = &sources.objects[section.object as usize];
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
