//! Identical code folding (`--icf`): equal functions, and equal read-only data whose address is not
//! significant, are in the output once.
//!
//! Two sections are equal when their bytes, relocations and exception frames are, and their
//! relocations refer to equal places: to the same place, or to the same offset in sections that are
//! equal in turn. The coarsest such relation is wanted, which finds recursive functions equal too.
//! It is found by partition refinement. [`candidates`] are put into classes first by cheap
//! properties (their size), then by a hash of everything but the targets ([`description`]). Then
//! classes are split until the members of each refer to the same classes ([`refine`]). A section
//! that is alone in its class is done. At the end the members of each class are compared byte by
//! byte, so no section is folded only because hashes agree.
//!
//! The first member of a class in command-line order, its *leader*, stands for all. A folded
//! section is not live; [`Liveness`] says that it is folded, and it gets its leader's address, so
//! that its symbols stay. Frames and relocations of folded sections vanish with them.
//!
//! Which sections may be folded follows lld and mold, and mold where they differ: it compares
//! exception tables, while lld folds no function that has one.

pub mod by_options;
mod candidates;
mod description;
mod refine;
mod significance;

use super::eh_frame::EhFrames;
use super::liveness::Liveness;
use super::merge::MergedSections;
use crate::machine::Machine;
use crate::read::Objects;
use crate::read::object_file::SectionFlags;
use crate::resolve::definitions::{Definitions, SectionId};
use crate::resolve::dynamic::OutputShape;
use crate::resolve::referent::PackedReferent;
use description::{dependents, linked};
pub use significance::table as address_table;
use skald_core::par::prelude::*;
use skald_core::perturb::shuffled;

/// The tables that folding reads.
pub struct FoldInput<'a> {
    /// The machine, for relocation types.
    pub machine: &'static Machine,
    /// The objects that are linked.
    pub objects: &'a Objects,
    /// Section records, what each symbol refers to, and the definition of each name.
    pub definitions: &'a Definitions,
    /// FDEs of functions, which must be equal too.
    pub frames: &'a EhFrames,
    /// Merged sections: references to equal pieces are equal.
    pub merged: &'a MergedSections,
    /// Which sections are live.
    pub live: &'a Liveness,
    /// See [`super::scan::ScanInput::direct`].
    pub direct: &'a [PackedReferent],
    /// Executable, PIE or shared, and whether there is a dynamic linker.
    pub shape: OutputShape,
    /// Which sections options allow to fold.
    pub rules: FoldRules,
}

/// Which sections may share the address of another.
#[derive(Debug, Clone, Default)]
pub struct FoldRules {
    /// `--icf=all`: functions whose address is taken, too.
    pub all: bool,
    /// `--ignore-data-address-equality`: data whose address is taken, too.
    pub ignore_data: bool,
    /// Sections of `--keep-unique` symbols, which always keep their addresses.
    pub unique: Vec<SectionId>,
    /// Sections of functions whose addresses the dynamic linker gets (DT_INIT, DT_FINI, entry).
    pub entries: Vec<SectionId>,
}

/// A section that is dropped because an equal one is in the output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Folded {
    /// The section that is dropped.
    pub section: SectionId,
    /// The section that stays.
    pub leader: SectionId,
}

/// The folded sections, and the consequences for other sections.
#[derive(Debug, Default)]
pub struct Folds {
    /// Folded sections, ascending by section.
    pub folded: Vec<Folded>,
    /// Sections linked to folded ones (SHF_LINK_ORDER), each with the section linked to the leader;
    /// ascending.
    pub dependents: Vec<Folded>,
    /// Annotation sections linked to folded ones, which are dropped without a leader.
    pub dropped: Vec<SectionId>,
    /// Leaders that need the greater alignment (log2) of a section folded into them. A leader may
    /// be here more than once.
    pub alignments: Vec<(SectionId, u8)>,
}

/// Finds equal sections among those that may be folded.
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
    /// The section that stands for `section` in the output: itself, or its leader.
    pub fn leader(&self, section: SectionId) -> SectionId {
        let parts = [&self.folded, &self.dependents];
        let find = |part: &Vec<Folded>| {
            let at = part.binary_search_by_key(&section, |folded| folded.section).ok()?;
            Some(part[at].leader)
        };
        parts.into_iter().find_map(find).unwrap_or(section)
    }

    /// Adds sections that are linked to folded ones, which are dropped with them.
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
