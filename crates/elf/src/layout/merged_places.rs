//! The place of merged strings and constants in a script's layout. As in lld, the merged content of
//! one kind is at the place of its first member, by the statement's order. (GNU ld leaves each
//! string at its first occurrence.) Without a script merged content stands before all other inputs.

use super::collect::Lists;
use super::output_sections::MergedPart;
use crate::resolve::definitions::SectionId;
use crate::script::section_names::OutputId;
use crate::select::merge::{GroupId, MemberId, MergedSections};
use skald_core::ids::{Column, IdSlice, OptionalId};

/// Adds the members of merged groups to the inputs, so that they are sorted together; returns
/// whether there are any.
pub(super) fn add_members(lists: &mut Lists, merged: &MergedSections) -> bool {
    let section_of = |member: MemberId| merged.members[member].section;
    for group in &merged.groups {
        let list = &mut lists[group.out].sections;
        list.extend(group.members.iter().map(|&member| section_of(member)));
    }
    for group in &merged.groups {
        let list = &mut lists[group.out].sections;
        if !list.is_sorted() {
            list.sort();
        }
    }
    !merged.groups.is_empty()
}

/// Removes the members from the sorted inputs again, and returns how many inputs stand before each
/// group. `count` is the number of sections.
pub(super) fn find(
    lists: &mut Lists,
    groups: &mut IdSlice<OutputId, Vec<MergedPart>>,
    merged: &MergedSections,
    count: usize,
) {
    let mut group_of: Column<SectionId, OptionalId<GroupId>> =
        Column::filled(OptionalId::NONE, count);
    for (id, group) in merged.groups.with_ids() {
        for &member in &group.members {
            group_of[merged.members[member].section] = id.into();
        }
    }
    for (out, parts) in groups.with_ids_mut().filter(|(_, parts)| !parts.is_empty()) {
        let (mut before, mut found) = (0, Vec::new());
        let is = |group: GroupId| move |part: &MergedPart| part.group == group;
        lists[out].sections.retain(|&id| {
            let Some(group) = group_of[id].get() else {
                before += 1;
                return true;
            };
            if !found.iter().rev().any(is(group)) {
                found.push(MergedPart { group, offset: 0, before });
            }
            false
        });
        parts.retain(|part| !found.iter().any(is(part.group)));
        parts.append(&mut found);
    }
}
