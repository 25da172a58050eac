//! Gives owners their place, then every piece its owner's.
//!
//! First each member is measured; then, when its group has told where it begins, its pieces get
//! their offsets.

use super::Member;
use super::member::NO_PLACE;
use super::split::{NO_ENTRY, Part};
use crate::piece_owners::PieceId;
use skald_core::align::align_up;
use skald_core::column::{prefetch, release, split_mut};
use skald_core::ids::{Column, IdRange, IdSlice};
use skald_core::par::prelude::*;

/// Entries ahead whose owner's offset is prefetched.
const OWNER_DISTANCE: usize = 16;

/// Members that a task places: some are a thousand times as large as others.
const PLACED: usize = 2;

/// What all members are placed by.
pub struct Placing<'a, A> {
    /// By entry.
    pub owners: &'a IdSlice<PieceId, PieceId>,
    /// By member: its entries.
    pub parts: &'a [Part],
    /// The alignment of a member's pieces as a power of two.
    pub align_log2: A,
}

impl<A: Fn(&Member) -> u8 + Sync> Placing<'_, A> {
    /// Tells each member how many bytes it owns.
    pub fn measure(&self, members: &mut [Member]) {
        members.par_iter_mut().zip(self.parts).with_max_len(PLACED).for_each(|(member, part)| {
            let owned = self.owned(member, part);
            let end = owned.place(member, |_, _| ());
            member.owned_size = align_up(end, owned.align_log2);
        });
    }

    /// Places the pieces of all members, of which each knows where it begins.
    pub fn place(&self, members: &mut [Member]) {
        let (owners, parts) = (self.owners, self.parts);
        // The owners' offsets in one column, so that duplicates find them by entry.
        let mut offsets: Column<PieceId, u32> = Column::zeroed(owners.len());
        let entries = parts.iter().map(|part| part.entries().indices());
        let columns = split_mut(&mut offsets, entries);
        members.par_iter().zip(parts).zip(columns).with_max_len(PLACED).for_each(
            |((member, part), offsets)| {
                self.owned(member, part).place(member, |entry, offset| {
                    offsets[entry] = (member.owned_start + offset) as u32;
                });
            },
        );
        let ends = owned_ends(members);
        let members = members.par_iter_mut().zip(parts).enumerate();
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

    fn owned<'a>(&'a self, member: &Member, part: &'a Part) -> Owned<'a> {
        Owned { part, owners: self.owners, align_log2: (self.align_log2)(member) }
    }
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
