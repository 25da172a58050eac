//! Merging of equal pieces: strings and constants of SHF_MERGE sections (gABI, `sh_flags`).
//!
//! Live sections are split into pieces and hashed once, in parallel ([`split`]). Large sections are
//! split as several members, which are joined at the end ([`join`]). Equal pieces then find their
//! owner ([`skald_linking::piece_owners`]). Output offsets are prefix sums over the owners in
//! command-line order, so they do not depend on threads. Sections of the same output section, kind,
//! entry size and alignment form one [`MergedGroup`]. Offsets in a group have 32 bits: sections of
//! a group that would exceed that are not merged.

mod group_offsets;
mod join;
mod used_pieces;

use super::fault::SectionFault;
use crate::args::Options;
use crate::read::object_file::{InputSection, SectionFlags};
use crate::read::{ObjectId, Objects};
use crate::resolve::definitions::{Definitions, SectionId};
use crate::script::section_names::OutputId;
use crate::select::liveness::Liveness;
use skald_core::column::{release, split_mut};
use skald_core::hash::HashKey;
use skald_core::ids::Column;
use skald_core::par;
use skald_core::par::prelude::*;
use skald_core::unordered::UnorderedMap;
use skald_linking::piece_owners::PieceHashes;
use skald_linking::pieces::Division;
use skald_linking::pieces::split::{self, Part, Splits};
pub use skald_linking::pieces::{GroupId, Member, MemberId};
use std::ops::Range;
use std::sync::Arc;

/// Merged pieces of one output section, of one kind, entry size and alignment.
#[derive(Debug, Clone)]
pub struct MergedGroup {
    /// Id of the output section.
    pub out: OutputId,
    /// Alignment of every piece as a power of two (log2).
    pub align_log2: u8,
    /// `sh_entsize` of its sections, in bytes.
    pub entsize: u16,
    /// The pieces are strings (SHF_STRINGS), not constants of `entsize` bytes.
    pub is_strings: bool,
    /// Size in the output, in bytes.
    pub size: u64,
    /// Its members, in [`MergedSections::members`].
    pub members: Vec<MemberId>,
    /// Strings that no input has, behind all others ([`MergedSections::add_strings`]).
    pub added: Vec<u8>,
    /// With tail merging: owners in output order, `(output offset, member, piece)`.
    pub tails: Vec<(u32, MemberId, u32)>,
}

impl MergedGroup {
    fn key(&self) -> GroupKey {
        (self.out, self.is_strings, self.entsize, self.align_log2)
    }

    /// Size in bytes without the strings that were added.
    pub fn own_size(&self) -> u64 {
        self.size - self.added.len() as u64
    }
}

/// All merged sections of the link.
#[derive(Debug, Default)]
pub struct MergedSections {
    /// Groups, in the order of their first member.
    pub groups: Column<GroupId, MergedGroup>,
    /// Members, each an input section that is merged, in command-line order.
    pub members: Column<MemberId, Member>,
    /// By section: id of its member plus one; 0 for sections that are not merged.
    pub member_of: Column<SectionId, u32>,
    /// Objects that lost pieces, ascending.
    pub thinned: Vec<ObjectId>,
    /// Sections that cannot be split, and why.
    pub faults: Vec<SectionFault>,
}

impl MergedSections {
    /// Frees all tables with all threads.
    pub fn release(self) {
        self.members.into_par_iter().for_each(drop);
    }

    /// Adds strings, with a NUL each, to those of one output section; returns whether it has any.
    pub fn add_strings(&mut self, out: OutputId, strings: Vec<u8>) -> bool {
        let is_wanted = |group: &&mut MergedGroup| {
            (group.out, group.is_strings, group.entsize, group.align_log2) == (out, true, 1, 0)
        };
        let Some(group) = self.groups.iter_mut().find(is_wanted) else { return false };
        group.size += strings.len() as u64;
        group.added = strings;
        true
    }

    /// The member of a section; `None` if it is not merged.
    #[inline(always)]
    pub fn member(&self, section: SectionId) -> Option<&Member> {
        let index = *self.member_of.get(section)?;
        (index != 0).then(|| &self.members[MemberId::new(index - 1)])
    }
}

/// Sections of this size in bytes and more are not merged.
const LIMIT: u64 = 1 << 32;

/// Options that concern merging.
#[derive(Debug, Clone, Copy)]
pub struct MergeRules {
    /// `-O2`: a string that is the end of another one is stored inside it.
    pub tails: bool,
    /// `--gc-sections`: pieces without references are dropped.
    pub drop_unused: bool,
}

impl From<&Options> for MergeRules {
    fn from(options: &Options) -> MergeRules {
        MergeRules { tails: options.optimize >= 2, drop_unused: options.gc_sections }
    }
}

/// What the sections of a group have in common: output section, strings or constants, entry size,
/// alignment.
type GroupKey = (OutputId, bool, u16, u8);

/// Splits, deduplicates and places the pieces of all live mergeable sections.
pub fn merge(
    objects: &Objects,
    definitions: &Definitions,
    liveness: &Liveness,
    rules: MergeRules,
) -> MergedSections {
    let mut left = Vec::new();
    loop {
        let merged = merge_but(&left, objects, definitions, liveness, rules);
        let too_large = merged.groups.iter().filter(|group| group.size > u64::from(u32::MAX));
        let before = left.len();
        left.extend(too_large.map(MergedGroup::key));
        if left.len() == before || !merged.faults.is_empty() {
            return merged;
        }
    }
}

/// [`merge`], which leaves the sections of the groups in `left` as they are. If a group exceeds 4
/// GiB, only sizes are computed and no group is placed.
fn merge_but(
    left: &[GroupKey],
    objects: &Objects,
    definitions: &Definitions,
    liveness: &Liveness,
    rules: MergeRules,
) -> MergedSections {
    let (mut merged, mut parts) = collect(left, objects, definitions, liveness);
    if merged.members.is_empty() {
        return merged;
    }
    if rules.drop_unused {
        for used in used_pieces::find(&merged.members, objects, definitions, liveness) {
            let first = merged.member_of[used.section()] as usize - 1;
            let used = Arc::new(used);
            let parts = merged.members.iter_mut().skip(first);
            for part in parts.take_while(|part| part.section == used.section()) {
                part.used = Some(used.clone());
            }
        }
    }
    let key = HashKey::random();
    let tasks = split::tasks(&parts);
    let members = split_mut(&mut merged.members, tasks.iter().cloned());
    let splits: Vec<(Splits, Vec<SectionFault>)> =
        (members, split_mut(&mut parts, tasks.iter().cloned()))
            .into_par_iter()
            .with_max_len(1)
            .map(|(members, parts)| {
                let (mut splits, mut faults) = (Splits::default(), Vec::new());
                for (member, part) in members.iter_mut().zip(parts) {
                    let section = &definitions.sections[member.section];
                    let object = &objects[section.object];
                    object.at_work();
                    let bytes = object.bytes(section);
                    if let Err(start) = splits.add(member, part, bytes, division(section), &key) {
                        faults.push(without_end(section, start));
                    }
                }
                (splits, faults)
            })
            .collect();
    let mut hashes = PieceHashes::default();
    for ((splits, faults), task) in splits.into_iter().zip(tasks) {
        let base = hashes.append(splits.hashes);
        parts[task].iter_mut().for_each(|part| part.first = part.first + base);
        merged.faults.extend(faults);
    }
    if !merged.faults.is_empty() {
        return merged;
    }
    let owners = hashes.owners();
    drop(hashes);
    let thinned = merged.members.iter().filter(|member| member.used.is_some());
    merged.thinned = thinned.map(|m| definitions.sections[m.section].object).collect();
    merged.thinned.dedup();
    let is_placed = group_offsets::place(&mut merged, &owners, &parts, definitions);
    // Both are large, so they are freed in parallel.
    par::join(|| release(owners.into_vec()), || parts.into_par_iter().for_each(drop));
    if !is_placed {
        return merged;
    }
    join::join(&mut merged);
    if rules.tails {
        super::tail_merge::share_tails(&mut merged, objects, definitions);
    }
    merged
}

/// The group that a mergeable section is in.
fn group_key(section: &InputSection) -> GroupKey {
    let is_strings = section.flags.has(SectionFlags::STRINGS);
    (section.output(), is_strings, section.entsize, section.align_log2)
}

/// How a mergeable section is split into pieces.
fn division(section: &InputSection) -> Division {
    Division {
        size: section.size,
        unit_size: section.entsize,
        align_log2: section.align_log2,
        is_strings: section.flags.has(SectionFlags::STRINGS),
    }
}

/// The fault that the string at `start` has no terminator.
fn without_end(section: &InputSection, start: u64) -> SectionFault {
    SectionFault {
        object: section.object,
        shndx: section.shndx,
        section_offset: start,
        what: "string is not null terminated",
    }
}

/// Collects the members, or parts of large ones, and their groups, except for groups in `left`.
fn collect(
    left: &[GroupKey],
    objects: &Objects,
    definitions: &Definitions,
    liveness: &Liveness,
) -> (MergedSections, Vec<Part>) {
    let mut merged = MergedSections {
        member_of: Column::zeroed(definitions.sections.len()),
        ..Default::default()
    };
    let mut parts = Vec::new();
    let mut groups: UnorderedMap<GroupKey, GroupId> = UnorderedMap::new();
    let sections = par::select(definitions.sections.len(), |id: SectionId| {
        let section = &definitions.sections[id];
        // Offsets of pieces within a section have 32 bits.
        let is_merged = section.flags.has(SectionFlags::MERGE) && section.size < LIMIT;
        is_merged && liveness.is_live(id) && !left.contains(&group_key(section))
    });
    // Finding where a large section can be cut reads pages that are not mapped yet.
    let parts_of = |&id: &SectionId| {
        let section = &definitions.sections[id];
        let cuts = || split::cuts(objects[section.object].bytes(section), division(section));
        if section.size >= split::LARGE { cuts() } else { Vec::new() }
    };
    let cuts: Vec<Vec<Range<u32>>> = sections.par_iter().map(parts_of).collect();
    for (id, cuts) in sections.into_iter().zip(cuts) {
        let section = &definitions.sections[id];
        let key = group_key(section);
        let group = *groups.entry(key).or_insert_with(|| {
            let (out, is_strings, entsize, align_log2) = key;
            merged.groups.push(MergedGroup {
                out,
                align_log2,
                entsize,
                is_strings,
                size: 0,
                members: Vec::new(),
                added: Vec::new(),
                tails: Vec::new(),
            })
        });
        merged.member_of[id] = merged.members.len() as u32 + 1;
        let mut add = |bytes| {
            merged.groups[group].members.push(merged.members.end());
            merged.members.push(Member::new(id, group));
            parts.push(Part::new(bytes));
        };
        match section.size {
            split::LARGE.. => cuts.into_iter().for_each(add),
            size => add(0..size as u32),
        }
    }
    (merged, parts)
}
