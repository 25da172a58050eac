//! Large sections were split as several members; here the parts become one member again.

use super::{Member, MemberId, MergedSections};
use skald_core::ids::Column;
use skald_linking::pieces::joined::joined;

/// Joins the members of each section.
pub fn join(merged: &mut MergedSections) {
    let is_part = |pair: &[Member]| pair[0].section == pair[1].section;
    if !merged.members.windows(2).any(is_part) {
        return;
    }
    let mut members: Column<MemberId, Member> = Column::new();
    let mut joined_at: Column<MemberId, MemberId> = Column::new();
    let mut parts = Vec::new();
    let mut rest = std::mem::take(&mut merged.members).into_iter().peekable();
    while let Some(part) = rest.next() {
        joined_at.push(members.end());
        merged.member_of[part.section] = members.len() as u32 + 1;
        let is_last = rest.peek().is_none_or(|next| next.section != part.section);
        if is_last && parts.is_empty() {
            members.push(part);
            continue;
        }
        parts.push(part);
        if is_last {
            members.push(joined(std::mem::take(&mut parts)));
        }
    }
    merged.members = members;
    for group in &mut merged.groups {
        group.members.iter_mut().for_each(|at| *at = joined_at[*at]);
        group.members.dedup();
    }
}
