//! Assigns members their offsets in their group's output, and pieces theirs.

use super::MergedSections;
use crate::resolve::definitions::Definitions;
use skald_core::ids::IdSlice;
use skald_linking::piece_owners::PieceId;
use skald_linking::pieces::Member;
use skald_linking::pieces::output_offsets::Placing;
use skald_linking::pieces::split::Part;

/// Places the pieces of all members; `parts` has their entries, and `owners` is by entry. Returns
/// whether no group exceeds 4 GiB; if one does, only the sizes of groups are known.
pub fn place(
    merged: &mut MergedSections,
    owners: &IdSlice<PieceId, PieceId>,
    parts: &[Part],
    definitions: &Definitions,
) -> bool {
    let align_log2 = |member: &Member| definitions.sections[member.section].align_log2;
    let placing = Placing { owners, parts, align_log2 };
    placing.measure(&mut merged.members);
    let is_in_reach = place_members(merged);
    if is_in_reach {
        placing.place(&mut merged.members);
    }
    is_in_reach
}

/// Gives each member its offset in its group's output; returns whether 32 bits hold all offsets.
fn place_members(merged: &mut MergedSections) -> bool {
    for group in &mut merged.groups {
        for &at in &group.members {
            let member = &mut merged.members[at];
            member.owned_start = group.size;
            group.size += member.owned_size;
        }
    }
    merged.groups.iter().all(|group| group.size <= u64::from(u32::MAX))
}
