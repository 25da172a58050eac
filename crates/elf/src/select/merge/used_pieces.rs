//! Finds the pieces that live code refers to: with `--gc-sections` others are dropped, as in lld.
//!
//! Compilers put the strings of all functions of a file into one section, so marking by sections
//! keeps all strings if one function is live. Marking could note each reference, but for 770,000
//! references to strings that would cost a link of clang 1 % of its instructions, for 0.3 % of
//! `.rodata`. So the relocations of an object are read a second time, after marking, where that
//! pays. In small links that is wherever something was dropped, in large ones where hardly anything
//! is left, by an estimate from samples.
//!
//! Only references by symbols of the object itself show which of its pieces are used: pieces with
//! symbols that other objects can refer to are always kept.

use crate::read::object_file::{InputSection, SectionFlags};
use crate::read::{ObjectFile, ObjectId, Objects};
use crate::resolve::definitions::{Definitions, SectionId};
use crate::select::liveness::Liveness;
use crate::select::references::KEEPING;
use object::elf::STT_SECTION;
use skald_core::ids::IdRange;
use skald_core::par::prelude::*;
use skald_linking::pieces::{Member, UsedBytes};

/// Number of input sections up to which a link is small.
const SMALL: usize = 1 << 16;
/// In a large link at least this many sections of an object are sampled, or all that it has.
const SAMPLES: usize = 8;

/// In a large link, for each relocation that is read again this many must be in dropped sections.
const LARGE_SHARE: u64 = 4;

/// By section, the used bytes; only of sections from which pieces may be dropped; `members` are in
/// the order of their sections.
pub fn find(
    members: &[Member],
    objects: &Objects,
    definitions: &Definitions,
    liveness: &Liveness,
) -> Vec<UsedBytes> {
    let record = |member: &Member| &definitions.sections[member.section];
    let of_objects: Vec<&[Member]> =
        members.chunk_by(|a, b| record(a).object == record(b).object).collect();
    let used = of_objects.into_par_iter().with_min_len(16).map(|members| {
        let at = record(&members[0]).object;
        let object = Object { at, object: &objects[at], definitions, liveness };
        if object.pays() { object.used(members) } else { Vec::new() }
    });
    let used: Vec<Vec<UsedBytes>> = used.collect();
    used.into_iter().flatten().collect()
}

/// An object, with those of its merged sections that may lose pieces.
struct Object<'a> {
    at: ObjectId,
    object: &'a ObjectFile,
    definitions: &'a Definitions,
    liveness: &'a Liveness,
}

impl Object<'_> {
    /// Whether enough was dropped for reading the object's relocations again to pay.
    fn pays(&self) -> bool {
        let sections = self.definitions.sections_of(self.at);
        let is_small = self.definitions.sections.len() <= SMALL;
        let step = if is_small { 1 } else { (sections.size() / SAMPLES).max(1) };
        let (mut live, mut dropped) = (0u64, 0u64);
        for id in sections.ids().step_by(step) {
            let section = &self.definitions.sections[id];
            if section.flags.has(SectionFlags::DISCARDED | SectionFlags::EH_FRAME) {
                continue;
            }
            if self.liveness.is_live(id) {
                live += u64::from(section.rel_count)
            } else {
                dropped += u64::from(section.rel_count)
            }
        }
        dropped != 0 && (is_small || dropped / LARGE_SHARE > live)
    }

    fn used(&self, members: &[Member]) -> Vec<UsedBytes> {
        // A section that is kept by name or by flag keeps all of its pieces.
        const WHOLE: u32 =
            SectionFlags::KEEP | SectionFlags::C_IDENT | SectionFlags::HAS_DEPENDENTS | KEEPING;
        // Parts of a large section are members of their own until they are joined.
        let sections = members.chunk_by(|a, b| a.section == b.section).map(|parts| &parts[0]);
        let mut used: Vec<UsedBytes> = sections
            .map(|member| (member.section, self.record(member.section)))
            .filter(|(_, section)| {
                section.flags.has(SectionFlags::ALLOC) && !section.flags.has(WHOLE)
            })
            .map(|(id, section)| UsedBytes::new(id, section.size))
            .collect();
        if used.is_empty() {
            return used;
        }
        let own = self.definitions.sections_of(self.at);
        for (id, section) in self.definitions.sections.part(own) {
            let is_frames = section.flags.has(SectionFlags::EH_FRAME);
            if section.flags.has(SectionFlags::ALLOC | KEEPING)
                && !section.flags.has(SectionFlags::DISCARDED)
                && (is_frames || self.liveness.is_live(id))
            {
                self.add_references(section, &mut used);
            }
        }
        self.add_globals(&mut used);
        used
    }

    fn record(&self, section: SectionId) -> &InputSection {
        &self.definitions.sections[section]
    }

    /// Notes a reference to `offset` in `section`, if that is among `used`.
    fn add(&self, section: SectionId, offset: u64, used: &mut [UsedBytes]) {
        if !self.record(section).flags.has(SectionFlags::MERGE) {
            return;
        }
        if let Ok(at) = used.binary_search_by_key(&section, UsedBytes::section) {
            used[at].add(offset, self.record(section).size);
        }
    }

    fn add_references(&self, section: &InputSection, used: &mut [UsedBytes]) {
        let targets = self.definitions.targets_of(self.at);
        for reloc in self.object.relocs(section) {
            let symbol = reloc.symbol();
            let Some(&target) = targets.get(symbol) else { continue };
            let Some(section) = target.section() else { continue };
            if !self.record(section).flags.has(SectionFlags::MERGE) {
                continue;
            }
            let symbol = &self.object.mapped.symbols[symbol];
            // With a section symbol the addend selects the piece.
            let offset = match symbol.kind() {
                STT_SECTION => reloc.r_addend() as u64,
                _ => symbol.st_value(),
            };
            self.add(section, offset, used);
        }
    }

    fn add_globals(&self, used: &mut [UsedBytes]) {
        let base = self.definitions.section_base[self.at];
        let first = self.object.first_global;
        let symbols = &self.object.mapped.symbols[self.object.global_ids()];
        for (index, symbol) in first.onward().zip(symbols) {
            let shndx = self.object.symbol_section(index);
            if let Some(record) = shndx.and_then(|shndx| self.object.record_index(shndx)) {
                self.add(base + record, symbol.st_value(), used);
            }
        }
    }
}
