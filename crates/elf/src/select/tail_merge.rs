//! Tail merging (`-O2`): a string that is the end of another one is stored inside it.
//!
//! Strings are sorted by their bytes from the end, longest first, so that each follows a string of
//! which it may be the tail; one pass then finds all tails. The output order is that of the sort,
//! which depends on the strings alone. Nearly all comparisons need only the last bytes, which are
//! stored with the record of the string.

use super::merge::{Member, MergedSections};
use crate::read::Objects;
use crate::resolve::definitions::Definitions;
use crate::select::merge::{GroupId, MemberId};
use skald_core::column::split_mut;
use skald_core::par::prelude::*;
use skald_core::perturb::shuffled;
use std::cmp::Ordering;

/// A string that is stored once, for all strings equal to it.
struct Owner {
    bytes: &'static [u8],
    /// The last bytes before the terminator, the very last one in the highest byte; zeros where the
    /// string is shorter.
    last: u64,
    member: MemberId,
    piece: u32,
    /// Index among the owners.
    number: u32,
}

impl Owner {
    /// Compares by bytes from the end; if one string is the tail of the other, the longer one comes
    /// first.
    fn compare(&self, other: &Owner) -> Ordering {
        // Zeros in place of missing bytes are never greater than a byte of a string.
        other.last.cmp(&self.last).then_with(|| {
            let all = other.bytes.iter().rev().cmp(self.bytes.iter().rev());
            all.then(self.number.cmp(&other.number))
        })
    }

    /// Whether this string is the end of `other`.
    fn ends(&self, other: &Owner, entsize: usize) -> bool {
        let is_short = self.bytes.len() < LAST + entsize;
        (is_short || self.last == other.last) && other.bytes.ends_with(self.bytes)
    }
}

/// How many bytes [`Owner::last`] holds.
const LAST: usize = 8;

/// The last bytes of a string before its terminator of `entsize` bytes.
fn last_bytes(bytes: &[u8], entsize: usize) -> u64 {
    let text = &bytes[..bytes.len().saturating_sub(entsize)];
    match text.last_chunk::<LAST>() {
        Some(last) => u64::from_le_bytes(*last),
        None => {
            let mut last = [0; LAST];
            last[LAST - text.len()..].copy_from_slice(text);
            u64::from_le_bytes(last)
        }
    }
}

/// Shares tails in every group of strings.
pub fn share_tails(merged: &mut MergedSections, objects: &Objects, definitions: &Definitions) {
    for group in merged.groups.ids() {
        if merged.groups[group].is_strings {
            share_in_group(merged, group, objects, definitions);
        }
    }
}

fn share_in_group(
    merged: &mut MergedSections,
    group: GroupId,
    objects: &Objects,
    definitions: &Definitions,
) {
    let (mut owners, old_offsets) = collect_owners(merged, group, objects, definitions);
    shuffled(&mut owners).par_sort_unstable_by(Owner::compare);
    let MergedSections { groups, members, .. } = merged;
    let group = &mut groups[group];
    let align = 1u64 << group.align_log2;
    let entsize = u64::from(group.entsize);
    let mut new_offsets = vec![0; owners.len()];
    let mut end = 0u64;
    let mut previous: Option<(&Owner, u64)> = None;
    for owner in &owners {
        let inside = previous.and_then(|(whole, start)| {
            let before = whole.bytes.len().checked_sub(owner.bytes.len())? as u64;
            let fits = before.is_multiple_of(entsize) && (start + before).is_multiple_of(align);
            (fits && owner.ends(whole, entsize as usize)).then_some(start + before)
        });
        let offset = inside.unwrap_or_else(|| {
            let offset = end.next_multiple_of(align);
            group.tails.push((offset as u32, owner.member, owner.piece));
            end = offset + owner.bytes.len() as u64;
            previous = Some((owner, offset));
            offset
        });
        new_offsets[owner.number as usize] = offset as u32;
    }
    group.size = end;
    let members = split_mut(members, group.members.iter().map(|&at| at.index()..at.index() + 1));
    members.into_par_iter().with_max_len(2).for_each(|member| {
        move_strings(&mut member[0], &old_offsets, &new_offsets);
    });
}

/// Moves the strings of a member from their offsets in `old` to the offsets at the same indices in
/// `new`.
fn move_strings(member: &mut Member, old: &[u32], new: &[u32]) {
    // Owners are in the order of their offsets; the offset of any other string is that of an owner.
    let mut next = old.partition_point(|&offset| u64::from(offset) < member.owned_start);
    for offset in member.string_offsets_mut() {
        *offset = if old.get(next) == Some(offset) {
            next += 1;
            new[next - 1]
        } else {
            // Only a dropped piece has an offset at which there is no owner.
            old.binary_search(offset).map_or(0, |at| new[at])
        };
    }
}

/// The owners in the order of their offsets, with the offsets.
fn collect_owners(
    merged: &MergedSections,
    group: GroupId,
    objects: &Objects,
    definitions: &Definitions,
) -> (Vec<Owner>, Vec<u32>) {
    let mut owners = Vec::new();
    let mut offsets = Vec::new();
    let entsize = merged.groups[group].entsize as usize;
    for &at in &merged.groups[group].members {
        let member = &merged.members[at];
        let section = &definitions.sections[member.section];
        let bytes = objects[section.object].bytes(section);
        let mut cursor = member.owned_start;
        let end = member.owned_start + member.owned_size;
        for (piece, offset) in member.string_offsets().enumerate() {
            if u64::from(offset) < cursor || u64::from(offset) >= end {
                continue;
            }
            let bytes = &bytes[member.piece_range(piece, section.size)];
            let number = owners.len() as u32;
            let last = last_bytes(bytes, entsize);
            owners.push(Owner { bytes, last, member: at, piece: piece as u32, number });
            offsets.push(offset);
            cursor = u64::from(offset) + bytes.len() as u64;
        }
    }
    (owners, offsets)
}
