//! Gives owners their place, then every piece its owner's.

use super::member::NO_PLACE;
use super::split::{NO_ENTRY, Part};
use super::{Member, MergedSections};
use crate::resolve::definitions::Definitions;
use crate::select::fault::SectionFault;
use skald_base::piece_owners::PieceId;
use skald_core::align::align_up;
use skald_core::column::{prefetch, release, split_mut};
use skald_core::ids::{Column, IdRange, IdSlice};
use skald_core::par::prelude::*;

/// Entries ahead whose owner's offset is prefetched.
const OWNER_DISTANCE: usize = 16;

/// Members that a task places: some are a thousand times as large as others.
const PLACED: usize = 2;

/// Places the pieces of all members, of which `parts` tells the entries; `owners` are by entry.
pub fn place(
    merged: &mut MergedSections,
    owners: &IdSlice<PieceId, PieceId>,
    parts: &[Part],
    definitions: &Definitions,
) {
    let owned = |member: &Member, part| {
        let align_log2 = definitions.sections[member.section].align_log2;
        Owned { part, owners, align_log2 }
    };
    merged.members.par_iter_mut().zip(parts).with_max_len(PLACED).for_each(|(member, part)| {
        let owned = owned(member, part);
        let end = owned.place(member, |_, _| ());
        member.owned_size = align_up(end, owned.align_log2);
    });
    place_members(merged, definitions);
    if !merged.faults.is_empty() {
        return;
    }
    // The owners' offsets in one column, so that duplicates find them by entry.
    let mut offsets: Column<PieceId, u32> = Column::zeroed(owners.len());
    let entries = parts.iter().map(|part| part.entries().indices());
    let columns = split_mut(&mut offsets, entries);
    merged.members.par_iter().zip(parts).zip(columns).with_max_len(PLACED).for_each(
        |((member, part), offsets)| {
            owned(member, part).place(member, |entry, offset| {
                offsets[entry] = (member.owned_start + offset) as u32;
            });
        },
    );
    let ends = owned_ends(&merged.members);
    let members = merged.members.par_iter_mut().zip(parts).enumerate();
    members.with_max_len(PLACED).for_each(|(at, (member, part))| {
        let own = &owners[part.entries()];
        if part.is_plain {
            let place = |(entry, &owner): (usize, &PieceId)| {
                if let Some(&ahead) = own.get(entry + OWNER_DISTANCE) {
                    prefetch(&offsets, ahead.index());
                }
                offsets[owner]
            };
            member.output_offsets = own.iter().enumerate().map(place).collect();
            return;
        }
        let end = ends.get(at).copied().unwrap_or(member.owned_start + member.owned_size);
        let no_entry = if member.by_value.is_some() { NO_PLACE } else { end as u32 };
        for offset in &mut member.output_offsets {
            *offset = match *offset {
                NO_ENTRY => no_entry,
                entry => offsets[own[entry as usize]],
            };
        }
        if let Some(by_value) = &mut member.by_value {
            let entries = part.entries().ids().zip(own).zip(&part.pieces);
            let owned = entries.filter(|((entry, owner), _)| *entry == **owner);
            by_value.owned = owned.map(|(_, &piece)| piece).collect();
        }
    });
    release(offsets.into_vec());
}

/// Where what the section of each member owns ends, if some pieces have no place.
fn owned_ends(members: &[Member]) -> Vec<u64> {
    if members.iter().all(|member| member.used.is_none()) {
        return Vec::new();
    }
    let ends = members.chunk_by(|a, b| a.section == b.section).flat_map(|parts| {
        let last = &parts[parts.len() - 1];
        std::iter::repeat_n(last.owned_start + last.owned_size, parts.len())
    });
    ends.collect()
}

/// The entries of a part while they are placed.
struct Owned<'a> {
    part: &'a Part,
    owners: &'a IdSlice<PieceId, PieceId>,
    align_log2: u8,
}

impl Owned<'_> {
    /// Calls `placed` with each entry that owns its content, and with the offset that it gets in
    /// what the member owns; returns their end.
    #[inline(always)]
    fn place(&self, member: &Member, placed: impl FnMut(usize, u64)) -> u64 {
        let part = self.part;
        let end = u64::from(part.bytes.end);
        match member.constant_size {
            0 if part.pieces.is_empty() => {
                self.place_sized(|piece| member.own_range(piece, end).len(), placed)
            }
            0 => self.place_sized(
                |entry| {
                    let behind = entry.wrapping_sub(part.plain);
                    let piece = part.pieces.get(behind).map_or(entry, |&piece| piece as usize);
                    member.own_range(piece, end).len()
                },
                placed,
            ),
            size => self.place_sized(|_| size as usize, placed),
        }
    }

    /// The same; `len` tells the length of an entry.
    #[inline(always)]
    fn place_sized(&self, len: impl Fn(usize) -> usize, mut placed: impl FnMut(usize, u64)) -> u64 {
        let mut end = 0;
        let entries = self.part.entries();
        for (entry, (id, &owner)) in self.owners.part(entries).enumerate() {
            if owner == id {
                end = align_up(end, self.align_log2);
                placed(entry, end);
                end += len(entry) as u64;
            }
        }
        end
    }
}

/// Gives each member its place in the output of its group.
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
