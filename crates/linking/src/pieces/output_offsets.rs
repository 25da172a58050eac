//! Gives owning pieces their output offsets, and every other piece that of its owner.
//!
//! [`Placing::measure`] finds how many bytes each member owns; when the caller has set where each
//! member begins, [`Placing::place`] sets the offsets of the pieces.

use super::Member;
use super::member::NO_PLACE;
use super::split::{NO_ENTRY, Part};
use crate::piece_owners::PieceId;
use skald_core::align::align_up;
use skald_core::column::{prefetch, release, split_mut};
use skald_core::ids::{Column, IdRange, IdSlice};
use skald_core::par::prelude::*;

/// How many entries ahead owners' offsets are prefetched.
const OWNER_DISTANCE: usize = 16;

/// Members per task: few, because some are a thousand times as large as others.
const PLACED: usize = 2;

/// The tables from which members are placed.
pub struct Placing<'a, A> {
    /// By entry, the entry that owns its content.
    pub owners: &'a IdSlice<PieceId, PieceId>,
    /// By member, its entries.
    pub parts: &'a [Part],
    /// By member, the alignment of its pieces as a power of two (log2).
    pub align_log2: A,
}

impl<A: Fn(&Member) -> u8 + Sync> Placing<'_, A> {
    /// Sets how many bytes each member owns.
    pub fn measure(&self, members: &mut [Member]) {
        members.par_iter_mut().zip(self.parts).with_max_len(PLACED).for_each(|(member, part)| {
            let owned = self.owned(member, part);
            let end = owned.place(member, |_, _| ());
            member.owned_size = align_up(end, owned.align_log2);
        });
    }

    /// Sets the output offsets of the pieces of all members, whose `owned_start` is set.
    pub fn place(&self, members: &mut [Member]) {
        let (owners, parts) = (self.owners, self.parts);
        // The offset of each owning entry, from which duplicates copy theirs.
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

/// By member, the end of the bytes that its section owns; empty if no pieces were dropped.
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

/// The entries of a part, with their owners, while they are placed.
struct Owned<'a> {
    part: &'a Part,
    owners: &'a IdSlice<PieceId, PieceId>,
    align_log2: u8,
}

impl Owned<'_> {
    /// Calls `placed` with each owning entry and its offset from the member's `owned_start`;
    /// returns the end of the last one.
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

    /// [`Self::place`], where `len` is the length of an entry.
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
