//! Section groups as rings: marking a member leads to the next, so that a group is kept or dropped
//! as a whole (gABI, "Section Groups").
//!
//! A group without a loaded member has no ring: nothing refers to debug information, coverage
//! mappings and the like, so they stay as they would without a group. The rules are lld's.

use crate::args::Options;
use crate::read::object_file::{InputSection, SectionFlags};
use crate::read::{ObjectId, Objects, RecordId};
use crate::resolve::definitions::{Definitions, SectionId};
use crate::resolve::extract::Extraction;
use skald_core::column::split_mut;
use skald_core::ids::{Column, IdRange, IdSlice};
use skald_core::par::prelude::*;

/// The rings of all groups that are kept.
#[derive(Debug, Default)]
pub struct GroupRings {
    /// By section: id of the next member of its group plus one, 0 for none. Empty without
    /// `--gc-sections`.
    next: Column<SectionId, u32>,
}

impl GroupRings {
    /// Makes the rings of the groups that no other file owns.
    pub fn new(
        objects: &Objects,
        definitions: &Definitions,
        extraction: &Extraction,
        options: &Options,
    ) -> GroupRings {
        if !options.gc_sections {
            return GroupRings::default();
        }
        let mut next: Column<SectionId, u32> = Column::zeroed(definitions.sections.len());
        let parts = split_mut(&mut next, definitions.section_base.ranges().map(IdRange::indices));
        objects.par_iter().with_max_len(2).zip(parts).enumerate().for_each(
            |(at, (object, part))| {
                let at = ObjectId::from_index(at);
                let base = definitions.section_base[at];
                let records = IdSlice::new(&definitions.sections[definitions.sections_of(at)]);
                let part = IdSlice::new_mut(part);
                let file = object.file.expect("numbered when taken");
                let taken = object
                    .groups
                    .iter()
                    .filter(|g| extraction.refs.get(g.name).comdat_owner() == file);
                let mut members = Vec::new();
                for group in taken.chain(&object.plain_groups) {
                    let words = object.group_members(group).iter();
                    members.clear();
                    members.extend(words.filter_map(|word| object.record_index(word.get())));
                    close(part, base, &members, records);
                }
            },
        );
        GroupRings { next }
    }

    /// The next member of a section's group; `None` if the section is in no ring.
    #[inline]
    pub fn next(&self, section: SectionId) -> Option<SectionId> {
        self.next.get(section)?.checked_sub(1).map(SectionId::new)
    }
}

/// Links `members`, which are indices of one object's `records`, to a ring.
fn close(
    next: &mut IdSlice<RecordId, u32>,
    base: SectionId,
    members: &[RecordId],
    records: &IdSlice<RecordId, InputSection>,
) {
    let is_loaded = |&member: &RecordId| records[member].flags.has(SectionFlags::ALLOC);
    if members.len() < 2 || !members.iter().any(is_loaded) {
        return;
    }
    for (i, &member) in members.iter().enumerate() {
        let follower = members[(i + 1) % members.len()];
        next[member] = (base + follower).number() + 1;
    }
}
