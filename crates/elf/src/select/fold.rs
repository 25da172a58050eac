//! Identical code folding (`--icf`): equal functions, and equal read-only data whose address means
//! nothing, are in the output once.
//!
//! Two sections are equal when their bytes, relocations and exception frames are, and their
//! relocations refer to equal places: to the same place, or to places as far into sections that
//! are equal in turn. The coarsest such relation is wanted, which finds recursive functions equal
//! too. It is found from above: [`candidates`] are put into classes by what costs little to look
//! at (their size), then by a hash of all but the targets ([`description`]), and classes are split
//! until the members of each refer to the same classes ([`refine`]). What is alone in
//! its class is not looked at again. At the end the members of each class are compared byte by
//! byte: nothing is folded because of a hash.
//!
//! The first member of a class in command-line order, its *leader*, stands for all. A folded
//! section is not live; [`Liveness`] says that it is folded, and it gets its leader's address, so
//! that its symbols stay. Frames and relocations of folded sections vanish with them.
//!
//! Rules for what takes part are those of lld and mold; where they differ, mold's: it compares
//! exception tables, while lld folds no function that has one.

pub mod by_options;
mod candidates;
mod description;
mod refine;
mod significance;

use super::eh_frame::EhFrames;
use super::liveness::Liveness;
use super::merge::MergedSections;
use crate::arch::Target;
use crate::read::Objects;
use crate::read::object_file::SectionFlags;
use crate::resolve::definitions::{Definitions, SectionId};
use crate::resolve::dynamic::OutputShape;
use crate::resolve::referent::PackedReferent;
use description::{dependents, linked};
use skald_core::par::prelude::*;
use skald_core::perturb::shuffled;

/// What folding reads.
pub struct FoldInput<'a> {
    /// The machine.
    pub target: &'static Target,
    /// Objects.
    pub objects: &'a Objects,
    /// Sections and definitions.
    pub definitions: &'a Definitions,
    /// Exception frames.
    pub frames: &'a EhFrames,
    /// Merged sections: equal pieces are one place.
    pub merged: &'a MergedSections,
    /// What is alive.
    pub live: &'a Liveness,
    /// See [`super::scan::ScanInput::direct`].
    pub direct: &'a [PackedReferent],
    /// Kind of output.
    pub shape: OutputShape,
    /// What the options say.
    pub rules: FoldRules,
}

/// Which sections may lose their own address.
#[derive(Debug, Clone, Default)]
pub struct FoldRules {
    /// `--icf=all`: functions whose address is taken, too.
    pub all: bool,
    /// `--ignore-data-address-equality`: data whose address is taken, too.
    pub ignore_data: bool,
    /// Sections of `--keep-unique` symbols, which always keep theirs.
    pub unique: Vec<SectionId>,
    /// Sections of functions whose address the loader gets.
    pub entries: Vec<SectionId>,
}

/// A section that another stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Folded {
    /// The one that goes.
    pub section: SectionId,
    /// The section that stays.
    pub leader: SectionId,
}

/// What was folded.
#[derive(Debug, Default)]
pub struct Folds {
    /// Ascending.
    pub folded: Vec<Folded>,
    /// Sections linked to folded ones (SHF_LINK_ORDER), which go with them; ascending.
    pub dependents: Vec<Folded>,
    /// Sections of annotations linked to folded ones, for which nothing stands.
    pub dropped: Vec<SectionId>,
    /// Leaders that need the alignment, a power of two, of what they stand for. A leader may be
    /// here more than once.
    pub alignments: Vec<(SectionId, u8)>,
}

/// Finds equal sections.
pub fn fold(input: &FoldInput<'_>) -> Folds {
    let significance = significance::find(input);
    let candidates = candidates::select(input, &significance);
    let folded = refine::folded(input, &candidates);
    let align = |id: SectionId| input.definitions.sections[id].align_log2;
    let alignment = |folded: &Folded| {
        let wanted = align(folded.section);
        (wanted > align(folded.leader)).then_some((folded.leader, wanted))
    };
    let alignments = folded.par_iter().with_min_len(1 << 12).filter_map(alignment).collect();
    let mut folds = Folds { folded, alignments, ..Folds::default() };
    folds.add_dependents(input);
    folds
}

impl Folds {
    /// The section that is in the output for `section`: itself, or its leader.
    pub fn leader(&self, section: SectionId) -> SectionId {
        let parts = [&self.folded, &self.dependents];
        let find = |part: &Vec<Folded>| {
            let at = part.binary_search_by_key(&section, |folded| folded.section).ok()?;
            Some(part[at].leader)
        };
        parts.into_iter().find_map(find).unwrap_or(section)
    }

    /// Sections that are linked to folded ones go with them.
    fn add_dependents(&mut self, input: &FoldInput<'_>) {
        let sections = &input.definitions.sections;
        let is_linked =
            |folded: &&Folded| sections[folded.section].flags.has(SectionFlags::HAS_DEPENDENTS);
        let with_linked: Vec<Folded> =
            self.folded.par_iter().with_min_len(1 << 12).filter(is_linked).copied().collect();
        for Folded { leader, section } in with_linked {
            let pairs = dependents(input, leader).zip(dependents(input, section));
            self.dependents.extend(pairs.map(|(leader, section)| Folded { section, leader }));
            let is_loaded = |id: SectionId| sections[id].flags.has(SectionFlags::ALLOC);
            self.dropped.extend(linked(input, section).filter(|&id| !is_loaded(id)));
        }
        shuffled(&mut self.dependents).sort_unstable();
    }
}
