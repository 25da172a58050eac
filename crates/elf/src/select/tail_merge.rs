//! Tail merging (`-O2`): a string that ends another one is stored inside it.
//!
//! Strings sorted by their bytes from the end, longest first, stand right behind the string they
//! may end; one pass then finds all tails. The output order is that of the sort, which depends on
//! the strings alone.

use super::merge::MergedSections;
use crate::read::ObjectFile;
use crate::resolve::definitions::Definitions;
use rayon::prelude::*;
use skald_core::perturb::shuffled;
use skald_core::unordered::UnorderedMap;

/// One string that is kept once.
struct Owner {
    bytes: &'static [u8],
    member: u32,
    piece: u32,
    old_offset: u32,
}

/// Shares tails in every group of strings.
pub fn share_tails(merged: &mut MergedSections, objects: &[ObjectFile], definitions: &Definitions) {
    for group in 0..merged.groups.len() {
        if merged.groups[group].is_strings {
            share_in_group(merged, group, objects, definitions);
        }
    }
}

fn share_in_group(
    merged: &mut MergedSections,
    group: usize,
    objects: &[ObjectFile],
    definitions: &Definitions,
) {
    let mut owners = collect_owners(merged, group, objects, definitions);
    shuffled(&mut owners).par_sort_unstable_by(|a, b| {
        b.bytes.iter().rev().cmp(a.bytes.iter().rev()).then(a.old_offset.cmp(&b.old_offset))
    });
    let align = 1u64 << merged.groups[group].align_log2;
    let entsize = u64::from(merged.groups[group].entsize);
    let mut moved: UnorderedMap<u32, u32> = UnorderedMap::with_capacity(owners.len());
    let mut tails = Vec::new();
    let mut end = 0u64;
    let mut previous: (&[u8], u64) = (&[], 0);
    for owner in &owners {
        let inside = previous.0.len().wrapping_sub(owner.bytes.len()) as u64;
        let place = previous.1.wrapping_add(inside);
        let fits = previous.0.ends_with(owner.bytes)
            && place.is_multiple_of(align)
            && inside.is_multiple_of(entsize);
        let offset = if fits {
            place
        } else {
            let offset = end.next_multiple_of(align);
            tails.push((offset as u32, owner.member, owner.piece));
            end = offset + owner.bytes.len() as u64;
            previous = (owner.bytes, offset);
            offset
        };
        moved.insert(owner.old_offset, offset as u32);
    }
    let members = merged.groups[group].members.clone();
    for member in members {
        for offset in merged.members[member as usize].string_offsets_mut() {
            // Only pieces that are dropped lie where no owner does.
            *offset = moved.get(offset).copied().unwrap_or(0);
        }
    }
    merged.groups[group].size = end;
    merged.groups[group].tails = tails;
}

fn collect_owners(
    merged: &MergedSections,
    group: usize,
    objects: &[ObjectFile],
    definitions: &Definitions,
) -> Vec<Owner> {
    let mut owners = Vec::new();
    for &at in &merged.groups[group].members {
        let member = &merged.members[at as usize];
        let section = &definitions.sections[member.section as usize];
        let bytes = objects[section.object as usize].bytes(section);
        let mut cursor = member.owned_start;
        let end = member.owned_start + member.owned_size;
        for (piece, &offset) in member.string_offsets().iter().enumerate() {
            if u64::from(offset) < cursor || u64::from(offset) >= end {
                continue;
            }
            let bytes = &bytes[member.piece_range(piece, section.size)];
            owners.push(Owner { bytes, member: at, piece: piece as u32, old_offset: offset });
            cursor = u64::from(offset) + bytes.len() as u64;
        }
    }
    owners
}
