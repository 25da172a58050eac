//! A merged section: its pieces, and the output offset of each.
//!
//! Strings have a column of starts, and an index into it by blocks of the section. Constants are
//! found by division. In a large section of one- or two-byte constants there are more pieces than
//! values, so output offsets are kept by value.

use super::{GroupId, UsedBytes};
use crate::ids::SectionId;
use std::ops::Range;
use std::sync::Arc;

/// One input section split into pieces.
#[derive(Debug, Default)]
pub struct Member {
    /// The input section.
    pub section: SectionId,
    /// The group of sections that it is merged with.
    pub group: GroupId,
    /// Offset in the group's output of the pieces that this member owns.
    pub owned_start: u64,
    /// Bytes of the group's output that this member owns, padding included.
    pub owned_size: u64,
    /// Size of each piece in bytes; 0 for strings.
    pub(super) constant_size: u32,
    /// How many pieces a section of constants has; 0 for strings.
    pub(super) constant_count: u32,
    /// Offset of each string in the section, ascending.
    pub(super) starts: Vec<u32>,
    /// For every [`BLOCK`] bytes of the section, the index of the last string that starts at or
    /// before it.
    pub(super) blocks: Vec<u32>,
    /// Offset in the group's output of each piece, or of each value.
    pub(super) output_offsets: Vec<u32>,
    /// For constants whose offsets are by value; `None` for other members.
    pub(super) by_value: Option<Box<ByValue>>,
    /// Bytes with references, if pieces without any were dropped. References from debug information
    /// to a dropped piece get the end of the bytes that the member owns.
    pub used: Option<Arc<UsedBytes>>,
    /// The parts of a large section of strings. Each part has its own columns and begins with a
    /// string; the columns of this member are then empty.
    pub(super) parts: Box<[Member]>,
    /// In a part: how many pieces of the section are before it.
    pub(super) first_piece: u32,
}

/// Additional data of a member with offsets by value.
#[derive(Debug)]
pub struct ByValue {
    /// The bytes of the section.
    pub bytes: &'static [u8],
    /// The pieces that the member owns, ascending.
    pub owned: Vec<u32>,
}

impl ByValue {
    /// The value of the constant of `size` bytes at offset `start`.
    #[inline(always)]
    fn value(&self, start: usize, size: u64) -> usize {
        let low = usize::from(self.bytes[start]);
        if size == 1 { low } else { low | usize::from(self.bytes[start + 1]) << 8 }
    }
}

/// The output offset of a value whose pieces are all dropped; real offsets are lower.
pub(super) const NO_PLACE: u32 = u32::MAX;

/// Bytes of the section for each entry of the block index.
pub(super) const BLOCK: usize = 128;

/// How many strings a search within a block steps over at once.
const STRIDE: usize = 4;

/// The value of a constant, little-endian.
#[inline(always)]
pub(super) fn value_of(constant: &[u8]) -> usize {
    constant.iter().rev().fold(0, |value, &byte| value << 8 | usize::from(byte))
}

impl Member {
    /// A member without pieces, for a section or a part of one.
    pub fn new(section: SectionId, group: GroupId) -> Member {
        Member { section, group, ..Member::default() }
    }

    /// Offset in the group's output of the byte at `section_offset` of the section.
    #[inline]
    pub fn output_offset(&self, section_offset: u64) -> u64 {
        // Only strings have blocks.
        match self.blocks.get(section_offset as usize / BLOCK) {
            Some(&first) => self.string_offset(first as usize, section_offset),
            None => self.output_offset_without_block(section_offset),
        }
    }

    /// Output offset of a byte in the string `first` or in one that starts soon behind it.
    #[inline(always)]
    fn string_offset(&self, first: usize, section_offset: u64) -> u64 {
        let starts = &self.starts[..];
        let mut at = first;
        // A block of short strings has dozens of pieces: too few for a binary search to be faster.
        for step in [STRIDE, 1] {
            while starts.get(at + step).is_some_and(|&start| u64::from(start) <= section_offset) {
                at += step;
            }
        }
        match (starts.get(at), self.output_offsets.get(at)) {
            (Some(&start), Some(&output)) => {
                section_offset.wrapping_sub(u64::from(start)).wrapping_add(u64::from(output))
            }
            _ => section_offset,
        }
    }

    /// Output offset in constants, in large sections, and behind the last string. Everything is
    /// inlined: a call would take registers from `string_offset` in the same caller.
    #[inline(always)]
    fn output_offset_without_block(&self, section_offset: u64) -> u64 {
        if let Some(at) = self.part_at(section_offset) {
            let part = &self.parts[at];
            let block = section_offset as usize / BLOCK;
            let before = block.checked_sub((part.starts[0] as usize).div_ceil(BLOCK));
            let first = before.map_or(0, |block| match part.blocks.get(block) {
                Some(&first) => first as usize,
                None => part.starts.len() - 1,
            });
            return part.string_offset(first, section_offset);
        }
        let size = u64::from(self.constant_size);
        let count = self.own_count() as u64;
        if count == 0 {
            return section_offset;
        }
        let (piece, start) = match size {
            0 => (count - 1, u64::from(self.starts[count as usize - 1])),
            _ => {
                let piece = (section_offset / size).min(count - 1);
                (piece, piece * size)
            }
        };
        let at = match &self.by_value {
            Some(by_value) => by_value.value(start as usize, size),
            None => piece as usize,
        };
        let output = match self.output_offsets.get(at) {
            Some(&NO_PLACE) => self.owned_start + self.owned_size,
            Some(&output) => u64::from(output),
            None => start,
        };
        section_offset.wrapping_sub(start).wrapping_add(output)
    }

    /// Index of the part that holds `section_offset`, in a member with parts.
    #[inline(always)]
    fn part_at(&self, section_offset: u64) -> Option<usize> {
        let behind = self.parts.partition_point(|part| u64::from(part.starts[0]) <= section_offset);
        (!self.parts.is_empty()).then(|| behind.saturating_sub(1))
    }

    /// Section offset where part `at` ends, in a section of `size` bytes.
    #[inline]
    fn part_end(&self, at: usize, size: u64) -> u64 {
        self.parts.get(at + 1).map_or(size, |next| u64::from(next.starts[0]))
    }

    /// The parts, or the member itself if it has none, each with the section offset of its end.
    #[inline]
    fn parts(&self, size: u64) -> impl Iterator<Item = (&Member, u64)> {
        let parts = self.own_or_parts().iter().enumerate();
        parts.map(move |(at, part)| (part, self.part_end(at, size)))
    }

    #[inline]
    fn own_or_parts(&self) -> &[Member] {
        if self.parts.is_empty() { std::slice::from_ref(self) } else { &self.parts }
    }

    /// Whether the piece that holds `section_offset` was dropped for lack of references.
    #[inline]
    pub fn is_dropped(&self, section_offset: u64) -> bool {
        let Some(used) = &self.used else { return false };
        let max = u64::from(u32::MAX);
        let (part, end) = match self.part_at(section_offset) {
            Some(at) => (&self.parts[at], self.part_end(at, max)),
            None => (self, max),
        };
        let Some(last) = part.own_count().checked_sub(1) else { return false };
        let piece = match part.constant_size {
            0 => {
                let behind = part.starts.partition_point(|&s| u64::from(s) <= section_offset);
                behind.saturating_sub(1)
            }
            size => (section_offset / u64::from(size)).min(last as u64) as usize,
        };
        let range = part.own_range(piece, end);
        !used.any(range.start as u32, range.end as u32)
    }

    /// How many pieces the member has.
    #[inline]
    pub fn piece_count(&self) -> usize {
        match self.parts.last() {
            Some(last) => last.first_piece as usize + last.own_count(),
            None => self.own_count(),
        }
    }

    /// How many pieces are in its own columns.
    #[inline(always)]
    fn own_count(&self) -> usize {
        if self.constant_size == 0 { self.starts.len() } else { self.constant_count as usize }
    }

    /// Byte range of a piece in a section of `size` bytes.
    #[inline]
    pub fn piece_range(&self, piece: usize, size: u64) -> Range<usize> {
        let behind = self.parts.partition_point(|part| part.first_piece as usize <= piece);
        let Some(at) = behind.checked_sub(1) else { return self.own_range(piece, size) };
        let part = &self.parts[at];
        part.own_range(piece - part.first_piece as usize, self.part_end(at, size))
    }

    /// Byte range of a piece in its own columns, the last of which ends at `end`.
    #[inline(always)]
    pub(super) fn own_range(&self, piece: usize, end: u64) -> Range<usize> {
        if self.constant_size != 0 {
            let start = piece * self.constant_size as usize;
            return start..start + self.constant_size as usize;
        }
        let end = self.starts.get(piece + 1).copied().unwrap_or(end as u32);
        self.starts[piece] as usize..end as usize
    }

    /// Offset in the group's output of each string.
    #[inline]
    pub fn string_offsets(&self) -> impl Iterator<Item = u32> {
        self.own_or_parts().iter().flat_map(|part| part.output_offsets.iter().copied())
    }

    /// Offset in the group's output of each string, to be changed.
    #[inline]
    pub fn string_offsets_mut(&mut self) -> impl Iterator<Item = &mut u32> {
        let parts = self.parts.iter_mut().flat_map(|part| &mut part.output_offsets);
        self.output_offsets.iter_mut().chain(parts)
    }

    /// Cuts what it owns into windows of about `window` bytes: index of the first piece of each,
    /// and its offset in the group's output.
    pub fn windows(&self, window: u64, section_size: u64) -> Vec<(u32, u64)> {
        let mut windows = vec![(0, self.owned_start)];
        if self.by_value.is_some() {
            return windows;
        }
        let mut start = self.owned_start;
        let mut end = start;
        for (part, part_end) in self.parts(section_size) {
            for (piece, &offset) in part.output_offsets.iter().enumerate() {
                let offset = u64::from(offset);
                if offset < end || offset >= self.owned_start + self.owned_size {
                    continue;
                }
                if offset - start >= window {
                    windows.push((part.first_piece + piece as u32, offset));
                    start = offset;
                }
                end = offset + part.own_range(piece, part_end).len() as u64;
            }
        }
        windows
    }

    /// Writes those of `pieces` that own their content to `out`, the group's output from offset
    /// `start` on. `bytes` are those of the section.
    #[inline]
    pub fn write(&self, pieces: Range<usize>, bytes: &[u8], start: u64, out: &mut [u8]) {
        if let Some(by_value) = &self.by_value {
            let owned = by_value.owned.iter().map(|&piece| {
                let first = u64::from(piece) * u64::from(self.constant_size);
                (piece as usize, self.output_offset(first) as u32)
            });
            return self.write_owned(owned, bytes, start, out);
        }
        let mut rest = out;
        let mut at = start;
        for (part, end) in self.parts(bytes.len() as u64) {
            let first = part.first_piece as usize;
            let of_part = pieces.start.max(first)..pieces.end.min(first + part.own_count());
            if of_part.is_empty() {
                continue;
            }
            let own = of_part.start - first..of_part.end - first;
            let size = (part.owned_start + part.owned_size - at).min(rest.len() as u64);
            let (out, behind) = std::mem::take(&mut rest).split_at_mut(size as usize);
            let offsets = part.output_offsets[own.clone()].iter().copied();
            part.write_owned(own.zip(offsets), &bytes[..end as usize], at, out);
            at += size;
            rest = behind;
        }
    }

    /// Writes those of these pieces, given with their offsets, that own their content.
    #[inline(always)]
    fn write_owned(
        &self,
        pieces: impl Iterator<Item = (usize, u32)>,
        bytes: &[u8],
        start: u64,
        out: &mut [u8],
    ) {
        // Owners that follow each other in the input are copied in one run.
        let mut run = 0..0;
        let mut run_start = 0;
        let mut end = 0;
        for (piece, offset) in pieces {
            let at = u64::from(offset).wrapping_sub(start) as usize;
            // The offset of a duplicate lies before the end; that of the next owner at or after it.
            if at < end || at >= out.len() {
                continue;
            }
            let range = self.own_range(piece, bytes.len() as u64);
            if at != end || range.start != run.end {
                out[run_start..end].copy_from_slice(&bytes[run]);
                out[end..at].fill(0);
                run = range.start..range.start;
                run_start = at;
            }
            end = at + range.len();
            run.end = range.end;
        }
        out[run_start..end].copy_from_slice(&bytes[run]);
        out[end..].fill(0);
    }
}
