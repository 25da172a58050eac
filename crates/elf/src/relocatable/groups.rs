//! Section groups of the output: groups with kept members, listing only these.

use crate::args::Options;
use crate::format::elf::SymbolId;
use crate::layout::output_sections::OutputGroupId;
use crate::read::object_file::{ComdatGroup, SectionFlags};
use crate::read::{ObjectFile, ObjectId, Objects};
use crate::resolve::definitions::{Definitions, SectionId};
use crate::resolve::extract::Extraction;
use crate::select::liveness::Liveness;
use skald_core::ids::Column;
use skald_core::par::prelude::*;
use skald_core::unordered::UnorderedMap;

/// A section group (SHT_GROUP) of the output.
#[derive(Debug)]
pub struct OutputGroup {
    /// The object it comes from.
    pub object: ObjectId,
    /// Section header index of the group in that object.
    pub shndx: u32,
    /// Symbol of that object whose name is the group's signature.
    pub signature: SymbolId,
    /// The first word of the section: GRP_COMDAT and others.
    pub flags: u32,
    /// Members that are kept; the output lists their output sections.
    pub members: Vec<SectionId>,
}

/// The section groups of the output.
#[derive(Debug, Default)]
pub struct Groups {
    /// The groups, with the members of each.
    pub list: Column<OutputGroupId, OutputGroup>,
    /// The group of each section that is a member.
    pub of_section: UnorderedMap<SectionId, OutputGroupId>,
    /// The group of each SHT_GROUP section, by its object and its section header index there.
    pub of_header: UnorderedMap<(ObjectId, u32), OutputGroupId>,
}

/// Collects the groups with kept members; none with `--force-group-allocation`.
pub fn collect(
    options: &Options,
    extraction: &Extraction,
    objects: &Objects,
    definitions: &Definitions,
    live: &Liveness,
) -> Groups {
    let mut groups = Groups::default();
    if options.arrangement.force_group_allocation {
        return groups;
    }
    let found: Vec<Vec<OutputGroup>> = objects
        .par_iter()
        .with_max_len(16)
        .enumerate()
        .map(|(at, object)| {
            let file = object.file.expect("numbered when taken");
            let owned =
                |group: &&ComdatGroup| extraction.refs.get(group.name).comdat_owner() == file;
            let mut own: Vec<&ComdatGroup> = object.groups.iter().filter(owned).collect();
            own.extend(&object.plain_groups);
            own.sort_by_key(|group| group.shndx);
            own.into_iter()
                .filter_map(|group| {
                    output_group(ObjectId::from_index(at), object, group, definitions, live)
                })
                .collect()
        })
        .collect();
    groups.list = found.into_iter().flatten().collect();
    for (index, group) in groups.list.with_ids() {
        groups.of_header.insert((group.object, group.shndx), index);
        for &member in &group.members {
            groups.of_section.entry(member).or_insert(index);
        }
    }
    groups
}

fn output_group(
    at: ObjectId,
    object: &ObjectFile,
    group: &ComdatGroup,
    definitions: &Definitions,
    live: &Liveness,
) -> Option<OutputGroup> {
    let base = definitions.section_base[at];
    let members: Vec<SectionId> = object
        .group_members(group)
        .iter()
        .filter_map(|word| object.record_index(word.get()))
        .map(|index| base + index)
        .filter(|&id| {
            let flags = definitions.sections[id].flags;
            live.is_live(id) && !flags.has(SectionFlags::DISCARDED | SectionFlags::EH_FRAME)
        })
        .collect();
    let signature = object.header(group.shndx).sh_info();
    (!members.is_empty()).then(|| OutputGroup {
        object: at,
        shndx: group.shndx,
        signature: SymbolId::new(signature),
        flags: object.group_flags(group),
        members,
    })
}
