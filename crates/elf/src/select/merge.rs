//! Merging of equal pieces: strings and constants of SHF_MERGE sections (gABI, `sh_flags`).
//!
//! Live sections are split and hashed once, in parallel; all pieces then meet in one prefetched
//! open-addressing table of 8-byte slots where the lowest piece id owns. Equality is equality of
//! the 128-bit keyed hash. Output offsets are prefix sums over the owners in command-line order,
//! so they do not depend on threads. Sections of the same output section, kind, entry size and
//! alignment form one [`MergedGroup`].

use super::fault::SectionFault;
use crate::read::ObjectFile;
use crate::read::object_file::SectionFlags;
use crate::resolve::definitions::{Definitions, SectionId};
use crate::select::liveness::Liveness;
use rayon::prelude::*;
use skald_core::column::{prefetch, zeroed, zeroed_for_update};
use skald_core::hash::HashKey;
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};

/// Merged content of one output section.
#[derive(Debug, Clone)]
pub struct MergedGroup {
    /// The output section.
    pub out: u32,
    /// Alignment of every piece as a power of two.
    pub align_log2: u8,
    /// Entry size.
    pub entsize: u16,
    /// Pieces are strings.
    pub is_strings: bool,
    /// Bytes of output.
    pub size: u64,
    /// Its members, in [`MergedSections::members`].
    pub members: Vec<u32>,
    /// With tail merging: owners in output order, `(output offset, member, piece)`.
    pub tails: Vec<(u32, u32, u32)>,
}

/// One input section split into pieces.
#[derive(Debug, Default)]
pub struct Member {
    /// The section.
    pub section: SectionId,
    /// Its group.
    pub group: u32,
    /// Start of each piece in the section, ascending.
    pub piece_offsets: Vec<u32>,
    /// Start of each piece in the group's output.
    pub output_offsets: Vec<u32>,
    /// For every [`BLOCK`] bytes of the section, the last piece that starts at or before it.
    blocks: Vec<u32>,
    /// Where the pieces that this member owns start in the group's output.
    pub owned_start: u64,
    /// Bytes of output that this member owns, padding included.
    pub owned_size: u64,
}

/// Input bytes a block index entry covers.
const BLOCK: usize = 128;

/// All merged content.
#[derive(Debug, Default)]
pub struct MergedSections {
    /// Groups in the order of their first member.
    pub groups: Vec<MergedGroup>,
    /// Members in command-line order.
    pub members: Vec<Member>,
    /// Index in `members` plus one, by section; 0 for sections that are not merged.
    pub member_of: Vec<u32>,
    /// Sections that cannot be merged.
    pub faults: Vec<SectionFault>,
}

impl Member {
    /// Offset in the group's output of the byte at `section_offset` of the section.
    #[inline]
    pub fn output_offset(&self, section_offset: u64) -> u64 {
        let pieces = &self.piece_offsets[..];
        let outputs = &self.output_offsets[..pieces.len()];
        let wanted = section_offset.min(u64::from(u32::MAX)) as u32;
        let mut at = match self.blocks.get(wanted as usize / BLOCK) {
            Some(&first) => first as usize,
            None => pieces.len().saturating_sub(1),
        };
        let later = pieces.get(at + 1..).unwrap_or_default();
        at += later.iter().take_while(|&&start| start <= wanted).count();
        match pieces.get(at) {
            Some(&start) => {
                let inside = section_offset.wrapping_sub(u64::from(start));
                u64::from(outputs[at]).wrapping_add(inside)
            }
            None => section_offset,
        }
    }

    /// Asks for the piece entries of an offset to come near; its block entry should be near.
    #[inline(always)]
    pub fn prefetch_piece(&self, section_offset: u64) {
        if let Some(&first) = self.blocks.get(section_offset as usize / BLOCK) {
            prefetch(&self.piece_offsets, first as usize);
            prefetch(&self.output_offsets, first as usize);
        }
    }

    /// Bytes of piece `piece` of a section of `size` bytes.
    #[inline(always)]
    pub fn piece_range(&self, piece: usize, size: u64) -> std::ops::Range<usize> {
        let end = self.piece_offsets.get(piece + 1).copied().unwrap_or(size as u32);
        self.piece_offsets[piece] as usize..end as usize
    }
}

impl MergedSections {
    /// The merged member of a section.
    #[inline(always)]
    pub fn member(&self, section: SectionId) -> Option<&Member> {
        let index = *self.member_of.get(section as usize)?;
        (index != 0).then(|| &self.members[index as usize - 1])
    }
}

/// Splits, deduplicates and places all live mergeable sections.
///
/// `is_merged` says of each section record whether it takes part.
pub fn merge(
    objects: &[ObjectFile],
    definitions: &Definitions,
    liveness: &Liveness,
    tail_merge: bool,
) -> MergedSections {
    let mut merged = collect(definitions, liveness);
    if merged.members.is_empty() {
        return merged;
    }
    let key = HashKey::random();
    let (hashes, faults): (Vec<Vec<u128>>, Vec<Option<SectionFault>>) = merged
        .members
        .par_iter_mut()
        .with_max_len(1)
        .map(|member| {
            let section = &definitions.sections[member.section as usize];
            let object = &objects[section.object as usize];
            let bytes = object.bytes(section);
            let is_strings = section.flags.has(SectionFlags::STRINGS);
            let mut hashes = Vec::new();
            let ended =
                split(bytes, is_strings, section.entsize as usize, &key, member, &mut hashes);
            let fault = (!ended).then(|| SectionFault {
                object: section.object,
                shndx: section.shndx,
                section_offset: member.piece_offsets.last().map_or(0, |&at| u64::from(at)),
                what: "string is not null terminated",
            });
            let group_salt = u128::from(member.group + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c);
            hashes.iter_mut().for_each(|h| *h ^= group_salt);
            member.index_blocks(bytes.len());
            (hashes, fault)
        })
        .unzip();
    merged.faults = faults.into_iter().flatten().collect();
    if !merged.faults.is_empty() {
        return merged;
    }
    let owners = deduplicate(&merged.members, &hashes);
    drop(hashes);
    place(&mut merged, &owners, definitions);
    if tail_merge && merged.faults.is_empty() {
        super::tail_merge::share_tails(&mut merged, objects, definitions);
    }
    merged
}

fn collect(definitions: &Definitions, liveness: &Liveness) -> MergedSections {
    let mut merged =
        MergedSections { member_of: zeroed(definitions.sections.len()), ..Default::default() };
    let mut groups: HashMap<(u32, bool, u16, u8), u32> = HashMap::new();
    for (id, section) in definitions.sections.iter().enumerate() {
        if !section.flags.has(SectionFlags::MERGE) || !liveness.is_live(id as u32) {
            continue;
        }
        let is_strings = section.flags.has(SectionFlags::STRINGS);
        let key = (section.out, is_strings, section.entsize, section.align_log2);
        let group = *groups.entry(key).or_insert_with(|| {
            merged.groups.push(MergedGroup {
                out: section.out,
                align_log2: section.align_log2,
                entsize: section.entsize,
                is_strings,
                size: 0,
                members: Vec::new(),
                tails: Vec::new(),
            });
            merged.groups.len() as u32 - 1
        });
        let index = merged.members.len() as u32;
        merged.groups[group as usize].members.push(index);
        merged.members.push(Member { section: id as u32, group, ..Member::default() });
        merged.member_of[id] = index + 1;
    }
    merged
}

/// Finds and hashes the pieces; `false` if the last string has no end.
fn split(
    bytes: &[u8],
    is_strings: bool,
    entsize: usize,
    key: &HashKey,
    member: &mut Member,
    hashes: &mut Vec<u128>,
) -> bool {
    let mut push = |start: usize, end: usize| {
        member.piece_offsets.push(start as u32);
        hashes.push(key.hash(&bytes[start..end]));
    };
    if !is_strings {
        for start in (0..bytes.len()).step_by(entsize) {
            push(start, start + entsize);
        }
        return true;
    }
    let mut start = 0;
    while start < bytes.len() {
        let rest = &bytes[start..];
        let length = if entsize == 1 {
            memchr::memchr(0, rest).map(|at| at + 1)
        } else {
            rest.chunks_exact(entsize)
                .position(|unit| unit.iter().all(|&b| b == 0))
                .map(|at| (at + 1) * entsize)
        };
        let Some(length) = length else {
            push(start, bytes.len());
            return false;
        };
        push(start, start + length);
        start += length;
    }
    true
}

impl Member {
    fn index_blocks(&mut self, size: usize) {
        let mut blocks = Vec::with_capacity(size / BLOCK + 1);
        let mut piece = 0usize;
        for start in (0..size).step_by(BLOCK) {
            while self.piece_offsets.get(piece + 1).is_some_and(|&o| o as usize <= start) {
                piece += 1;
            }
            blocks.push(piece as u32);
        }
        self.blocks = blocks;
    }
}

/// How many probes ahead a slot is prefetched, and the hash behind it.
const SLOT_DISTANCE: usize = 16;
const HASH_DISTANCE: usize = 8;
/// Pieces that one task deduplicates.
const DEDUP_CHUNK: usize = 1 << 16;

/// The owner of every piece, numbered through all members.
fn deduplicate(members: &[Member], hashes: &[Vec<u128>]) -> Vec<u32> {
    let total: usize = members.iter().map(|m| m.piece_offsets.len()).sum();
    assert!(total < u32::MAX as usize, "more than 2^32 mergeable pieces");
    let mut flat: Vec<u128> = Vec::with_capacity(total);
    for part in hashes {
        flat.extend_from_slice(part);
    }
    let slots: Vec<AtomicU64> = zeroed_for_update((total * 3 / 2).next_power_of_two().max(16));
    let mut owners: Vec<u32> = zeroed(total);
    owners.par_chunks_mut(DEDUP_CHUNK).enumerate().for_each(|(chunk, found)| {
        let start = chunk * DEDUP_CHUNK;
        let mask = slots.len() - 1;
        for (i, slot) in found.iter_mut().enumerate() {
            let piece = start + i;
            if let Some(ahead) = flat.get(piece + SLOT_DISTANCE) {
                prefetch(&slots, *ahead as usize & mask);
            }
            if let Some(ahead) = flat.get(piece + HASH_DISTANCE) {
                let value = slots[*ahead as usize & mask].load(Ordering::Relaxed);
                prefetch(&flat, (value as u32).wrapping_sub(1) as usize);
            }
            *slot = claim(&slots, &flat, piece as u32);
        }
    });
    owners.par_chunks_mut(DEDUP_CHUNK).for_each(|found| {
        for i in 0..found.len() {
            if let Some(&ahead) = found.get(i + SLOT_DISTANCE) {
                prefetch(&slots, ahead as usize);
            }
            found[i] = slots[found[i] as usize].load(Ordering::Relaxed) as u32 - 1;
        }
    });
    owners
}

/// Enters a piece; returns its slot. The slot ends up with the lowest id of equal pieces.
#[inline]
fn claim(slots: &[AtomicU64], hashes: &[u128], piece: u32) -> u32 {
    let hash = hashes[piece as usize];
    let tag = (hash >> 96) as u64;
    let value = tag << 32 | u64::from(piece + 1);
    let mask = slots.len() - 1;
    let mut at = hash as usize & mask;
    loop {
        let current = slots[at].load(Ordering::Relaxed);
        if current == 0 {
            match slots[at].compare_exchange(0, value, Ordering::Relaxed, Ordering::Relaxed) {
                Ok(_) => return at as u32,
                Err(_) => continue,
            }
        }
        if current >> 32 == tag && hashes[current as u32 as usize - 1] == hash {
            // Equal tags: the lower value is the lower id.
            if current > value {
                slots[at].fetch_min(value, Ordering::Relaxed);
            }
            return at as u32;
        }
        at = (at + 1) & mask;
    }
}

/// Gives owners their place, then every piece its owner's.
fn place(merged: &mut MergedSections, owners: &[u32], definitions: &Definitions) {
    let mut bases = Vec::with_capacity(merged.members.len() + 1);
    let mut total = 0usize;
    for member in &merged.members {
        bases.push(total);
        total += member.piece_offsets.len();
    }
    bases.push(total);
    let groups = &merged.groups;
    let bases = &bases;
    merged.members.par_iter_mut().with_max_len(4).enumerate().for_each(|(at, member)| {
        let align = 1u64 << groups[member.group as usize].align_log2;
        let size = definitions.sections[member.section as usize].size;
        let first = bases[at];
        let mut owned = 0u64;
        let count = member.piece_offsets.len();
        let mut offsets = Vec::with_capacity(count);
        for piece in 0..count {
            // Offsets within what the member owns; the member's start is added below.
            if owners[first + piece] as usize == first + piece {
                owned = owned.next_multiple_of(align);
                offsets.push(owned as u32);
                owned += member.piece_range(piece, size).len() as u64;
            } else {
                offsets.push(0);
            }
        }
        member.output_offsets = offsets;
        member.owned_size = owned.next_multiple_of(align);
    });
    for group in &mut merged.groups {
        for &at in &group.members {
            let member = &mut merged.members[at as usize];
            member.owned_start = group.size;
            group.size += member.owned_size;
        }
        if group.size > u64::from(u32::MAX) {
            let first = merged.members[group.members[0] as usize].section;
            let section = &definitions.sections[first as usize];
            merged.faults.push(SectionFault {
                object: section.object,
                shndx: section.shndx,
                section_offset: 0,
                what: "merged sections of this name exceed 4 GiB",
            });
        }
    }
    if !merged.faults.is_empty() {
        return;
    }
    // The owners' final offsets in one column, so that duplicates find them by piece id.
    let mut final_offsets: Vec<u32> = zeroed(total);
    let parts =
        skald_core::column::split_mut(&mut final_offsets, bases.windows(2).map(|w| w[0]..w[1]));
    merged.members.par_iter().with_max_len(4).zip(parts).for_each(|(member, part)| {
        for (slot, &offset) in part.iter_mut().zip(&member.output_offsets) {
            *slot = member.owned_start as u32 + offset;
        }
    });
    merged.members.par_iter_mut().with_max_len(4).enumerate().for_each(|(at, member)| {
        let own = &owners[bases[at]..bases[at + 1]];
        for (i, offset) in member.output_offsets.iter_mut().enumerate() {
            if let Some(&ahead) = own.get(i + SLOT_DISTANCE) {
                prefetch(&final_offsets, ahead as usize);
            }
            *offset = final_offsets[own[i] as usize];
        }
    });
}

/// Writes what one member owns; `out` is exactly its part of the group's output, zeroed where
/// there is padding.
pub fn write_member(member: &Member, bytes: &[u8], out: &mut [u8]) {
    out.fill(0);
    let start = member.owned_start;
    let mut cursor = start;
    for (piece, &offset) in member.output_offsets.iter().enumerate() {
        let offset = u64::from(offset);
        // A duplicate's offset lies before the cursor; the next owner's at or after it.
        if offset < cursor || offset >= start + out.len() as u64 {
            continue;
        }
        let range = member.piece_range(piece, bytes.len() as u64);
        let at = (offset - start) as usize;
        out[at..at + range.len()].copy_from_slice(&bytes[range.clone()]);
        cursor = offset + range.len() as u64;
    }
}
