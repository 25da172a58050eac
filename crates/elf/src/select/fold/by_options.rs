//! `--icf`: what options allow to fold, and removal of folded sections.

use super::{FoldInput, FoldRules, Folds};
use crate::args::{Icf, Options};
use crate::read::Objects;
use crate::read::candidates::Candidates;
use crate::resolve::extract::Extraction;
use skald_core::diag::Diag;

use crate::resolve::definitions::{Definitions, SectionId, attr};
use crate::resolve::dynamic::OutputShape;
use crate::resolve::wanted::entry_name;
use crate::select::eh_frame::EhFrames;
use crate::select::liveness::Liveness;
use crate::select::marker::FOLDED;
use crate::select::merge::MergedSections;
use crate::select::scan::ScanOutput;
use crate::select::scan_columns::ScanColumns;
use skald_core::par::prelude::*;
use std::sync::atomic::Ordering;

/// The results of marking, from which folded sections are removed.
pub struct MarkingResult<'a> {
    /// Which sections are live.
    pub live: &'a mut Liveness,
    /// What relocations need.
    pub scan: &'a mut ScanOutput,
    /// What relocations need, by name and by section.
    pub columns: &'a mut ScanColumns,
}

/// The tables that decide which sections options allow to fold.
pub struct Asked<'a> {
    /// For `--icf`, `--keep-unique` and the like.
    pub options: &'a Options,
    /// For the entry symbol that a script among the inputs names.
    pub candidates: &'a Candidates,
    /// Names of the symbols that options list.
    pub extraction: &'a Extraction,
    /// Receives warnings of symbols that do not exist.
    pub diag: &'a Diag,
}

/// Folds the sections that options allow to fold.
pub fn fold(
    asked: &Asked<'_>,
    objects: &Objects,
    definitions: &mut Definitions,
    frames: &EhFrames,
    merged: &MergedSections,
    found: MarkingResult<'_>,
) -> Folds {
    let folds = super::fold(&FoldInput {
        machine: asked.options.machine,
        objects,
        definitions,
        frames,
        merged,
        live: found.live,
        direct: found.columns.direct(),
        shape: OutputShape::new(asked.options, !asked.candidates.shared.is_empty()),
        rules: rules(asked, definitions),
    });
    found.columns.forget_direct(Icf::None);
    apply(&folds, definitions, found);
    folds
}

fn rules(asked: &Asked<'_>, definitions: &Definitions) -> FoldRules {
    let options = asked.options;
    let section_of = |text: &[u8]| -> Option<SectionId> {
        let name = asked.extraction.own_name(text)?;
        let global = definitions.globals[name];
        global.value_base.section().filter(|_| global.has(attr::DEFINED))
    };
    let mut unique = Vec::new();
    for (name, key) in options.keep_unique.iter().zip(0..) {
        match section_of(name.as_bytes()) {
            Some(section) => unique.push(section),
            None => {
                let text = format!("could not find symbol {name} to keep unique");
                asked.diag.warn((0, key), text);
            }
        }
    }
    let entry = entry_name(options, asked.candidates).unwrap_or_default();
    let entries = [entry.as_slice(), options.init.as_bytes(), options.fini.as_bytes()];
    FoldRules {
        all: options.icf == Icf::All,
        ignore_data: options.ignore_data_address_equality,
        unique,
        entries: entries.into_iter().filter_map(section_of).collect(),
    }
}

/// Removes folded sections from the output, and what only they need.
fn apply(folds: &Folds, definitions: &mut Definitions, found: MarkingResult<'_>) {
    let MarkingResult { live, scan, columns } = found;
    for &(section, align_log2) in &folds.alignments {
        let own = &mut definitions.sections[section].align_log2;
        *own = align_log2.max(*own);
    }
    for part in [&folds.folded, &folds.dependents] {
        part.par_iter().with_min_len(1 << 13).for_each(|folded| {
            live.live[folded.section].store(FOLDED, Ordering::Relaxed);
            columns.relative[folded.section].store(0, Ordering::Relaxed);
        });
    }
    for &section in &folds.dropped {
        live.live[section].store(0, Ordering::Relaxed);
    }
    live.has_folded = !folds.folded.is_empty();
    scan.symbolic.retain(|(place, _)| !live.is_folded(place.section));
}
