//! Gives members their offsets in their group's output, and pieces theirs.

use super::MergedSections;
use crate::resolve::definitions::Definitions;
use crate::select::fault::SectionFault;
use skald_base::piece_owners::PieceId;
use skald_base::pieces::Member;
use skald_base::pieces::place::Placing;
use skald_base::pieces::split::Part;
use skald_core::ids::IdSlice;

/// Places the pieces of all members; `parts` tells their entries, and `owners` is by entry.
pub fn place(
    merged: &mut MergedSections,
    owners: &IdSlice<PieceId, PieceId>,
    parts: &[Part],
    definitions: &Definitions,
) {
    let align_log2 = |member: &Member| definitions.sections[member.section].align_log2;
    let placing = Placing { owners, parts, align_log2 };
    placing.measure(&mut merged.members);
    place_members(merged, definitions);
    if merged.faults.is_empty() {
        placing.place(&mut merged.members);
    }
}

/// Gives each member its offset in its group's output.
fn place_members(merged: &mut MergedSections, definitions: &Definitions) {
    for group in &mut merged.groups {
        for &at in &group.members {
            let member = &mut merged.members[at];
            member.owned_start = group.size;
            group.size += member.owned_size;
        }
        if group.size > u64::from(u32::MAX) {
            let first = merged.members[group.members[0]].section;
            let section = &definitions.sections[first];
            merged.faults.push(SectionFault {
                object: section.object,
                shndx: section.shndx,
                section_offset: 0,
                what: "merged sections of this name exceed 4 GiB",
            });
        }
    }
}
