//! One merged section: its pieces, and where each is in the output.
//!
//! Strings have a column of starts, and an index into it by blocks of the section. Constants are
//! found by division. Of constants of one or two bytes a large section has more pieces than there
//! are values: what is known of them is known by value.

use super::used::UsedBytes;
use crate::resolve::definitions::SectionId;
use std::ops::Range;
use std::sync::Arc;

/// One input section split into pieces.
#[derive(Debug, Default)]
pub struct Member {
    /// The section.
    pub section: SectionId,
    /// Its group.
    pub group: u32,
    /// Where the pieces that this member owns start in the group's output.
    pub owned_start: u64,
    /// Bytes of output that this member owns, padding included.
    pub owned_size: u64,
    /// Bytes of each piece; 0 for strings.
    pub(super) constant_size: u32,
    /// Pieces, of constants.
    pub(super) constant_count: u32,
    /// Start of each string in the section, ascending.
    pub(super) starts: Vec<u32>,
    /// For every [`BLOCK`] bytes of the section, the last string that starts at or before it.
    pub(super) blocks: Vec<u32>,
    /// Start in the group's output of each piece, or of each value.
    pub(super) output_offsets: Vec<u32>,
    /// Of constants whose offsets are by value.
    pub(super) by_value: Option<Box<ByValue>>,
    /// What is referred to, if nothing refers to some pieces, which have no place; what refers to
    /// one after all, from debug information, is led to the end of what the member owns.
    pub(super) used: Option<Arc<UsedBytes>>,
}

/// What a member of which offsets are known by value needs to find them.
#[derive(Debug)]
pub struct ByValue {
    /// The section.
    pub bytes: &'static [u8],
    /// The pieces that the member owns, ascending.
    pub owned: Vec<u32>,
}

impl ByValue {
    /// The constant of `size` bytes at `start`.
    #[inline(always)]
    fn value(&self, start: usize, size: u64) -> usize {
        let low = usize::from(self.bytes[start]);
        if size == 1 { low } else { low | usize::from(self.bytes[start + 1]) << 8 }
    }
}

/// In place of the output offset of a value: no piece that has it is used. Offsets are lower.
pub(super) const NO_PLACE: u32 = u32::MAX;

/// Input bytes a block index entry covers.
pub(super) const BLOCK: usize = 128;

/// Pieces that a search within a block steps over at once.
const STRIDE: usize = 4;

/// The value of a constant, little-endian.
#[inline(always)]
pub(super) fn value_of(constant: &[u8]) -> usize {
    constant.iter().rev().fold(0, |value, &byte| value << 8 | usize::from(byte))
}

impl Member {
    /// Offset in the group's output of the byte at `section_offset` of the section.
    #[inline]
    pub fn output_offset(&self, section_offset: u64) -> u64 {
        let starts = &self.starts[..];
        // Only strings have blocks.
        let Some(&first) = self.blocks.get(section_offset as usize / BLOCK) else {
            return self.output_offset_without_block(section_offset);
        };
        let mut at = first as usize;
        // A block of short strings has dozens of pieces, too few for a search by halves.
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

    /// The same for constants, and for what lies behind the last string. It calls nothing: a call
    /// would take registers from all that stands around the search above.
    #[inline(always)]
    fn output_offset_without_block(&self, section_offset: u64) -> u64 {
        let size = u64::from(self.constant_size);
        let count = self.piece_count() as u64;
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

    /// The piece that holds `section_offset`, or the last one.
    fn piece_at(&self, section_offset: u64) -> Option<usize> {
        let last = self.piece_count().checked_sub(1)?;
        Some(match self.constant_size {
            0 => {
                let behind = self.starts.partition_point(|&s| u64::from(s) <= section_offset);
                behind.saturating_sub(1)
            }
            size => (section_offset / u64::from(size)).min(last as u64) as usize,
        })
    }

    /// Whether nothing refers to the piece that holds `section_offset`, so that it has no place.
    pub fn is_dropped(&self, section_offset: u64) -> bool {
        let Some(used) = &self.used else { return false };
        self.piece_at(section_offset).is_some_and(|piece| {
            let range = self.piece_range(piece, u64::from(u32::MAX));
            !used.any(range.start as u32, range.end as u32)
        })
    }

    /// Its pieces.
    pub fn piece_count(&self) -> usize {
        if self.constant_size == 0 { self.starts.len() } else { self.constant_count as usize }
    }

    /// Bytes of piece `piece` of a section of `size` bytes.
    #[inline(always)]
    pub fn piece_range(&self, piece: usize, size: u64) -> Range<usize> {
        if self.constant_size != 0 {
            let start = piece * self.constant_size as usize;
            return start..start + self.constant_size as usize;
        }
        let end = self.starts.get(piece + 1).copied().unwrap_or(size as u32);
        self.starts[piece] as usize..end as usize
    }

    /// Start in the group's output of each string.
    pub fn string_offsets(&self) -> &[u32] {
        &self.output_offsets
    }

    /// The same, to be changed.
    pub fn string_offsets_mut(&mut self) -> &mut [u32] {
        &mut self.output_offsets
    }

    /// Cuts what it owns into windows of `window` bytes or a little more: the first piece of each
    /// and where it starts in the group's output.
    pub fn windows(&self, window: u64, section_size: u64) -> Vec<(u32, u64)> {
        let mut windows = vec![(0, self.owned_start)];
        if self.by_value.is_some() {
            return windows;
        }
        let mut start = self.owned_start;
        let mut end = start;
        for (piece, &offset) in self.output_offsets.iter().enumerate() {
            let offset = u64::from(offset);
            if offset < end || offset >= self.owned_start + self.owned_size {
                continue;
            }
            if offset - start >= window {
                windows.push((piece as u32, offset));
                start = offset;
            }
            end = offset + self.piece_range(piece, section_size).len() as u64;
        }
        windows
    }

    /// Writes those of `pieces` that own their content; `out` is their part of the group's output,
    /// which begins at `start`. `bytes` are those of the section.
    pub fn write(&self, pieces: Range<usize>, bytes: &[u8], start: u64, out: &mut [u8]) {
        match &self.by_value {
            Some(by_value) => {
                let owned = by_value.owned.iter().map(|&piece| {
                    let first = u64::from(piece) * u64::from(self.constant_size);
                    (piece as usize, self.output_offset(first) as u32)
                });
                self.write_owned(owned, bytes, start, out);
            }
            None => {
                let offsets = self.output_offsets[pieces.clone()].iter().copied();
                self.write_owned(pieces.zip(offsets), bytes, start, out);
            }
        }
    }

    /// Writes those pieces, given with their offsets, that own their content.
    #[inline(always)]
    fn write_owned(
        &self,
        pieces: impl Iterator<Item = (usize, u32)>,
        bytes: &[u8],
        start: u64,
        out: &mut [u8],
    ) {
        // Owners that follow each other in the input are copied together.
        let mut run = 0..0;
        let mut run_start = 0;
        let mut end = 0;
        for (piece, offset) in pieces {
            let at = u64::from(offset).wrapping_sub(start) as usize;
            // A duplicate's offset lies before the end; the next owner's at or after it.
            if at < end || at >= out.len() {
                continue;
            }
            let range = self.piece_range(piece, bytes.len() as u64);
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
