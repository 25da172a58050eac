//! Joins the parts of a large section, which was split as several members, into one member.

use super::Member;
use skald_core::column::{split_mut, zeroed};
use skald_core::par::prelude::*;

/// The member of all parts. Strings stay in their parts' columns: a copy would take as much memory
/// again, which comes from the kernel page by page.
pub fn joined(mut parts: Vec<Member>) -> Member {
    let mut count = 0;
    for part in &mut parts {
        part.first_piece = count;
        count += part.piece_count() as u32;
    }
    let first = &mut parts[0];
    let (section, group, owned_start) = (first.section, first.group, first.owned_start);
    let (constant_size, mut by_value) = (first.constant_size, first.by_value.take());
    let owned_size = parts.iter().map(|part| part.owned_size).sum();
    let used = parts.iter_mut().find_map(|part| part.used.take());
    if let Some(by_value) = &mut by_value {
        for part in &mut parts[1..] {
            let of_part = part.by_value.take().expect("as its first part");
            by_value.owned.extend(of_part.owned.iter().map(|piece| part.first_piece + piece));
        }
    }
    let offsets = parts.iter_mut().map(|part| std::mem::take(&mut part.output_offsets));
    let (output_offsets, constant_count) = match (constant_size, by_value.is_some()) {
        (0, _) => (Vec::new(), 0),
        (_, false) => (concatenated(offsets.collect()), count),
        (_, true) => (least(offsets), count),
    };
    let parts = if constant_size == 0 { parts.into() } else { Box::default() };
    Member {
        section,
        group,
        owned_start,
        owned_size,
        constant_size,
        constant_count,
        output_offsets,
        by_value,
        used,
        parts,
        ..Member::default()
    }
}

/// The output offset of each value. Parts that contain the value agree on it; the others have
/// [`NO_PLACE`](super::member::NO_PLACE), the greatest number.
fn least(columns: impl Iterator<Item = Vec<u32>>) -> Vec<u32> {
    let least = columns.reduce(|mut all, part| {
        all.iter_mut().zip(part).for_each(|(to, from)| *to = from.min(*to));
        all
    });
    least.unwrap_or_default()
}

/// The columns, concatenated.
fn concatenated(columns: Vec<Vec<u32>>) -> Vec<u32> {
    let mut ends = Vec::with_capacity(columns.len());
    let mut len = 0;
    for column in &columns {
        ends.push(len..len + column.len());
        len += column.len();
    }
    let mut all: Vec<u32> = zeroed(len);
    let parts = split_mut(&mut all, ends);
    let tasks = parts.into_par_iter().zip(columns).with_max_len(1);
    tasks.for_each(|(part, column)| part.copy_from_slice(&column));
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
            let piece = offset as usize / 50;
            assert_eq!(all.piece_range(piece, 300), piece * 50..piece * 50 + 50);
        }
    }

    #[test]
    fn strings_of_all_parts_are_written() {
        let bytes = b"ab\0c\0ab\0def\0g\0c\0h\0";
        // The third and the sixth string are owned by the first two.
        let part = |starts: &[u32], output_offsets: &[u32], owned: std::ops::Range<u64>| Member {
            starts: starts.into(),
            blocks: if starts[0] == 0 { vec![0] } else { Vec::new() },
            output_offsets: output_offsets.into(),
            owned_start: owned.start,
            owned_size: owned.end - owned.start,
            ..Member::default()
        };
        let first = part(&[0, 3, 5], &[100, 103, 100], 100..105);
        let second = part(&[8, 12], &[105, 109], 105..111);
        let all = joined(vec![first, second, part(&[14, 16], &[103, 111], 111..113)]);
        let whole = b"ab\0c\0def\0g\0h\0";
        for window in [2, 4, 5, 20] {
            let windows = all.windows(window, bytes.len() as u64);
            let mut out = vec![0xff; whole.len()];
            let ends = windows.iter().skip(1).copied().chain([(all.piece_count() as u32, 113)]);
            for (&(piece, start), (next, end)) in windows.iter().zip(ends) {
                let out = &mut out[start as usize - 100..end as usize - 100];
                all.write(piece as usize..next as usize, bytes, start, out);
            }
            assert_eq!(out, whole, "{windows:?}");
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
