//! Large sections were split as several members; here each becomes one again.

use super::{Member, MergedSections};
use rayon::prelude::*;
use skald_core::column::{split_mut, zeroed};

/// Joins members of the same section.
pub fn join(merged: &mut MergedSections) {
    let is_part = |pair: &[Member]| pair[0].section == pair[1].section;
    if !merged.members.windows(2).any(is_part) {
        return;
    }
    let mut members: Vec<Member> = Vec::new();
    let mut joined_at: Vec<u32> = Vec::with_capacity(merged.members.len());
    let mut parts = Vec::new();
    let mut rest = std::mem::take(&mut merged.members).into_iter().peekable();
    while let Some(part) = rest.next() {
        joined_at.push(members.len() as u32);
        merged.member_of[part.section as usize] = members.len() as u32 + 1;
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
        group.members.iter_mut().for_each(|at| *at = joined_at[*at as usize]);
        group.members.dedup();
    }
}

/// One member of its parts.
fn joined(mut parts: Vec<Member>) -> Member {
    let mut bases = vec![0];
    for part in &parts {
        bases.push(bases[bases.len() - 1] + part.piece_count() as u32);
    }
    let count = bases[parts.len()];
    let owned_size = parts.iter().map(|part| part.owned_size).sum();
    let column = |of: fn(&mut Member) -> &mut Vec<u32>, parts: &mut [Member]| -> Vec<Vec<u32>> {
        parts.iter_mut().map(|part| std::mem::take(of(part))).collect()
    };
    let starts = column(|part| &mut part.starts, &mut parts);
    let blocks = column(|part| &mut part.blocks, &mut parts);
    let offsets = column(|part| &mut part.output_offsets, &mut parts);
    let by_value = parts[0].by_value.take();
    let offsets_of_pieces = || match by_value {
        None => concatenated(offsets, |_| 0),
        // A value has the same place in all parts, or none.
        Some(_) => offsets
            .into_iter()
            .reduce(|mut all, part| {
                all.iter_mut().zip(part).for_each(|(to, from)| *to = from.min(*to));
                all
            })
            .unwrap_or_default(),
    };
    // At once, as the kernel brings the memory of each by one thread.
    let ((starts, blocks), output_offsets) = rayon::join(
        || (concatenated(starts, |_| 0), concatenated(blocks, |part| bases[part])),
        offsets_of_pieces,
    );
    let by_value = by_value.map(|mut by_value| {
        for (part, base) in parts.iter_mut().zip(&bases).skip(1) {
            let of_part = part.by_value.take().expect("as its first part");
            by_value.owned.extend(of_part.owned.iter().map(|piece| base + piece));
        }
        by_value
    });
    let used = parts.iter_mut().find_map(|part| part.used.take());
    let first = parts.swap_remove(0);
    Member {
        owned_size,
        constant_count: if first.constant_size == 0 { 0 } else { count },
        starts,
        blocks,
        output_offsets,
        by_value,
        used,
        ..first
    }
}

/// The columns behind each other; what `base` says of each is added to its elements.
fn concatenated(columns: Vec<Vec<u32>>, base: impl Fn(usize) -> u32 + Sync) -> Vec<u32> {
    let mut ends = Vec::with_capacity(columns.len());
    let mut len = 0;
    for column in &columns {
        ends.push(len..len + column.len());
        len += column.len();
    }
    let mut all: Vec<u32> = zeroed(len);
    let parts = split_mut(&mut all, ends);
    let tasks = parts.into_par_iter().zip(columns).enumerate().with_max_len(1);
    tasks.for_each(|(at, (part, column))| {
        let base = base(at);
        part.iter_mut().zip(column).for_each(|(to, from)| *to = base + from);
    });
    all
}

#[cfg(test)]
mod tests {
    use super::super::member::{BLOCK, ByValue, NO_PLACE};
    use super::*;

    #[test]
    fn pieces_of_all_parts_are_found() {
        // Strings of 50 bytes, cut behind the third: blocks begin at 0, 128 and 256.
        let part = |starts: &[u32], blocks: &[u32]| Member {
            starts: starts.into(),
            blocks: blocks.into(),
            output_offsets: starts.iter().map(|start| 1000 - start).collect(),
            owned_size: 10,
            ..Member::default()
        };
        assert_eq!(BLOCK, 128);
        let all = joined(vec![part(&[0, 50, 100], &[0, 2]), part(&[150, 200, 250], &[2])]);
        assert_eq!((all.owned_size, all.piece_count()), (20, 6));
        for offset in 0..300 {
            let start = offset / 50 * 50;
            assert_eq!(all.output_offset(offset), 1000 - start + (offset - start), "{offset}");
        }
    }

    #[test]
    fn values_have_the_place_that_some_part_gives_them() {
        static BYTES: [u8; 6] = [7, 8, 7, 8, 9, 9];
        let part = |offsets: [(u8, u32); 2], owned: u32| {
            let mut output_offsets = vec![NO_PLACE; 256];
            offsets.iter().for_each(|&(value, offset)| output_offsets[value as usize] = offset);
            Member {
                constant_size: 1,
                constant_count: 3,
                output_offsets,
                by_value: Some(Box::new(ByValue { bytes: &BYTES, owned: vec![owned] })),
                ..Member::default()
            }
        };
        let all = joined(vec![part([(7, 40), (8, 41)], 1), part([(8, 41), (9, 42)], 2)]);
        let offsets: Vec<u64> = (0..6).map(|at| all.output_offset(at)).collect();
        assert_eq!(offsets, [40, 41, 40, 41, 42, 42]);
        assert_eq!(all.by_value.expect("as its parts").owned, [1, 5]);
    }
}
