//! Splits sections into pieces, and hashes the pieces that are compared with all others.
//!
//! A large section is cut into parts, which are split in parallel like sections of their own.
//! Pieces that are compared are *entries*. Of equal pieces in a part only the first becomes an
//! entry, if a small table of recent hashes finds the repeats; the table is used if a sample of the
//! part has enough of them. A repeat that the table has evicted becomes an entry too, and the
//! comparison finds it.

use super::member::{BLOCK, ByValue, Member, value_of};
use super::{Division, UsedBytes};
use crate::piece_owners::{PieceHashes, PieceId};
use crate::zero_runs;
use skald_core::column::reserve;
use skald_core::hash::{Hash128, HashKey};
use skald_core::ids::IndexRange;
use std::ops::Range;

/// Sections of at least this many bytes are cut.
pub const LARGE: u64 = 4 * PART;
/// Size of a part in bytes: small enough that threads end at about the same time.
const PART: u64 = 1 << 20;
/// Parts of at least this many bytes are sampled.
const SAMPLED: usize = 4 * SAMPLE;
/// Size of a sample in bytes.
const SAMPLE: usize = 64 << 10;
/// Repeats are searched for in a part if at least one in this many pieces of the sample is a
/// repeat.
const REPEATING: usize = 8;

/// Least input bytes of a task: for a small input and for a large one.
const TASK: Range<u64> = 64 << 10..2 << 20;
/// How many tasks a thread gets, so that all end at about the same time.
const TASKS: u64 = 8;
/// Constants of up to this many bytes have output offsets by value, if there are more pieces than
/// possible values.
const VALUE_BYTES: usize = 2;

/// The entry of a piece that has none.
pub const NO_ENTRY: u32 = u32::MAX;

/// The bytes of a member while it is split, and its entries.
#[derive(Debug)]
pub struct Part {
    /// Byte range in the section.
    pub bytes: Range<u32>,
    /// Id of its first entry.
    pub first: PieceId,
    /// How many pieces at its start are entries, one for each piece.
    pub plain: usize,
    /// The piece indices of the entries behind the `plain` ones.
    pub pieces: Vec<u32>,
    /// Each piece is an entry. If not, the member's `output_offsets` hold entries until the pieces
    /// are placed: relative to `first`, or [`NO_ENTRY`].
    pub is_plain: bool,
}

impl Part {
    /// A part that is not split yet.
    pub fn new(bytes: Range<u32>) -> Part {
        Part { bytes, first: PieceId::default(), plain: 0, pieces: Vec::new(), is_plain: true }
    }

    /// Ids of its entries.
    pub fn entries(&self) -> Range<PieceId> {
        self.first..self.first + (self.plain + self.pieces.len()) as u32
    }
}

/// The parts of a large section; its pieces are the same as if it was not cut.
#[cold]
pub fn cuts(bytes: &[u8], division: Division) -> Vec<Range<u32>> {
    let unit_size = division.unit_size as usize;
    // With offsets by value, each part has an entry for each of its values.
    let values = if counts_by_value(division) { 1 << (8 * unit_size) } else { 0 };
    let step = (PART as usize).max(64 * values).next_multiple_of(unit_size);
    let mut parts = Vec::new();
    let mut start = 0;
    for from in (step..bytes.len()).step_by(step) {
        let limit = bytes.len().min(from + step);
        if let Some(end) = cut_between(&bytes[..limit], from, unit_size, division.is_strings) {
            parts.push(start..end as u32);
            start = end as u32;
        }
    }
    parts.push(start..bytes.len() as u32);
    parts
}

/// The first offset from `from` on at which a character begins and which lies inside no string and
/// no run of zeros. Each byte is read once, however long a string is.
fn cut_between(bytes: &[u8], from: usize, unit_size: usize, is_strings: bool) -> Option<usize> {
    if !is_strings {
        return (from < bytes.len()).then_some(from);
    }
    let behind = match unit_size {
        1 => memchr::memchr(0, &bytes[from..])?,
        2 | 4 => wide_length(&bytes[from..], unit_size)? - unit_size,
        _ => return None,
    };
    let zeroes = bytes[from + behind..].iter().position(|&byte| byte != 0)?;
    let end = from + behind + zeroes;
    Some(end - end % unit_size)
}

/// Whether output offsets are kept by value: the section has at least as many pieces as there are
/// values.
fn counts_by_value(division: Division) -> bool {
    let size = division.unit_size as usize;
    !division.is_strings && size <= VALUE_BYTES && division.size >= (size as u64) << (8 * size)
}

/// Cuts `parts` into runs of members, for tasks of about equal length.
pub fn tasks(parts: &[Part]) -> Vec<Range<usize>> {
    let size = |part: &Part| u64::from(part.bytes.end - part.bytes.start);
    let total: u64 = parts.iter().map(size).sum();
    let share = total / (TASKS * skald_core::par::threads() as u64);
    let least = share.clamp(TASK.start, TASK.end);
    let mut tasks = Vec::new();
    let (mut first, mut bytes) = (0, 0);
    for (at, part) in parts.iter().enumerate() {
        bytes += size(part);
        if bytes >= least || at + 1 == parts.len() {
            tasks.push(first..at + 1);
            (first, bytes) = (at + 1, 0);
        }
    }
    tasks
}

/// The results of a task that splits members.
#[derive(Default)]
pub struct Splits {
    /// Hashes of its entries.
    pub hashes: PieceHashes,
    /// Starts of the pieces of the member being split.
    starts: Vec<u32>,
    recent: Recent,
}

impl Splits {
    /// Splits a member into pieces; `bytes` are the section's, of which `part` has a range.
    ///
    /// # Errors
    /// The offset at which a string begins that has no terminator.
    pub fn add(
        &mut self,
        member: &mut Member,
        part: &mut Part,
        bytes: &'static [u8],
        division: Division,
        key: &HashKey,
    ) -> Result<(), u64> {
        part.first = self.hashes.next();
        if !division.is_strings {
            member.constant_size = u32::from(division.unit_size);
            member.constant_count = (part.bytes.end - part.bytes.start) / member.constant_size;
            if counts_by_value(division) {
                self.add_values(member, part, bytes, key);
                return Ok(());
            }
        } else {
            self.starts.clear();
            let blocks =
                part.bytes.end.div_ceil(BLOCK as u32) - part.bytes.start.div_ceil(BLOCK as u32);
            member.blocks = vec![0; blocks as usize];
        }
        let mut pieces = Pieces {
            bytes: &bytes[..part.bytes.end as usize],
            division,
            key,
            salt: salt(member),
            start: part.bytes.start as usize,
            first_block: (part.bytes.start as usize).div_ceil(BLOCK),
            blocks: std::mem::take(&mut member.blocks),
            starts: std::mem::take(&mut self.starts),
        };
        if member.used.is_some() || part.bytes.len() >= SAMPLED {
            self.enter_with_care(&mut pieces, member, part);
        } else {
            pieces.enter_all(&mut self.hashes);
        }
        part.plain = (self.hashes.next() - part.first) as usize - part.pieces.len();
        let is_whole = pieces.start == pieces.bytes.len();
        let end = pieces.start as u64;
        fill_up(&mut pieces.blocks);
        member.blocks = pieces.blocks;
        self.starts = pieces.starts;
        member.starts = if part.bytes.len() < SAMPLED {
            self.starts.as_slice().into()
        } else {
            // Moved without shrinking the vector.
            std::mem::take(&mut self.starts)
        };
        if is_whole { Ok(()) } else { Err(end) }
    }

    /// Enters the pieces of a large part, or of a part whose unreferenced pieces are dropped.
    #[cold]
    fn enter_with_care(&mut self, pieces: &mut Pieces, member: &mut Member, part: &mut Part) {
        let used = member.used.take();
        if used.is_none() {
            let (len, sample_end) = (part.bytes.len(), pieces.sample_end());
            let mut sample = Sample { splits: self, first: part.first, repeated: 0 };
            pieces.enter(sample_end, &mut sample);
            let repeated = sample.repeated;
            let count = (self.hashes.next() - part.first) as usize;
            // A little more than the sample suggests.
            let more = count * (len / SAMPLE) / 32 * 33;
            if !pieces.starts.is_empty() {
                reserve(&mut pieces.starts, more);
            }
            if repeated * REPEATING < count {
                return pieces.enter_all(&mut self.hashes);
            }
            reserve(&mut member.output_offsets, count + more);
            member.output_offsets.extend(0..count as u32);
        }
        let mut distinct = FirstPieces {
            splits: self,
            first: part.first,
            used: used.as_deref(),
            is_dropping: false,
            entries: &mut member.output_offsets,
            pieces: &mut part.pieces,
        };
        pieces.enter_all(&mut distinct);
        part.is_plain = false;
        if distinct.is_dropping {
            member.used = used;
        }
    }

    /// Enters the values that occur in a part of constants.
    #[cold]
    fn add_values(
        &mut self,
        member: &mut Member,
        part: &mut Part,
        bytes: &'static [u8],
        key: &HashKey,
    ) {
        let size = member.constant_size as usize;
        let used = member.used.take();
        let mut is_dropping = false;
        let mut entries = vec![NO_ENTRY; 1 << (8 * size)];
        let range = part.bytes.wide();
        let starts = range.clone().step_by(size);
        for (piece, (start, constant)) in starts.zip(bytes[range].chunks_exact(size)).enumerate() {
            if let Some(used) = &used
                && !used.any(start as u32, (start + size) as u32)
            {
                is_dropping = true;
                continue;
            }
            let entry = &mut entries[value_of(constant)];
            if *entry == NO_ENTRY {
                *entry = part.pieces.len() as u32;
                part.pieces.push(piece as u32);
                self.hashes.push(key.hash(constant) ^ salt(member));
            }
        }
        if is_dropping {
            member.used = used;
        }
        part.is_plain = false;
        member.output_offsets = entries;
        member.by_value = Some(Box::new(ByValue { bytes, owned: Vec::new() }));
    }
}

/// Fills entries of blocks that begin inside a piece with the index of that piece.
fn fill_up(blocks: &mut [u32]) {
    let mut last = 0;
    for piece in blocks {
        last = last.max(*piece);
        *piece = last;
    }
}

/// Mixed into hashes, so that pieces of different groups are never equal.
fn salt(member: &Member) -> u128 {
    u128::from(member.group.number() + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c)
}

/// Receives pieces in their order.
trait Enter {
    /// Receives the piece from offset `start` to `end`.
    fn enter(&mut self, start: usize, end: usize, hash: Hash128);
}

impl Enter for PieceHashes {
    #[inline(always)]
    fn enter(&mut self, _: usize, _: usize, hash: Hash128) {
        self.push(hash);
    }
}

/// The entries of recent hashes, by a few bits of the hash.
#[derive(Default)]
struct Recent(Option<Box<[[u32; 2]; Recent::SETS]>>);

impl Recent {
    /// As many sets as stay in the cache beside the hashes.
    const SETS: usize = 1 << 11;

    /// The recent entries whose hash may be `hash`, each plus one, the most recent first; 0 for
    /// none.
    #[inline(always)]
    fn set(&mut self, hash: Hash128) -> &mut [u32; 2] {
        let sets = self.0.get_or_insert_with(|| Box::new([[0; 2]; Recent::SETS]));
        &mut sets[hash as usize % Recent::SETS]
    }
}

impl Splits {
    /// A recent entry with this `hash`, among those from `first` on. If there is none, the next
    /// entry is recorded for this hash.
    #[inline(always)]
    fn recent(&mut self, hash: Hash128, first: PieceId) -> Option<PieceId> {
        let [last, other] = self.recent.set(hash);
        if *last > first.number() && self.hashes.get(PieceId::new(*last - 1)) == hash {
            return Some(PieceId::new(*last - 1));
        }
        std::mem::swap(last, other);
        if *last > first.number() && self.hashes.get(PieceId::new(*last - 1)) == hash {
            return Some(PieceId::new(*last - 1));
        }
        *last = self.hashes.next().number() + 1;
        None
    }
}

/// Makes each piece an entry, and counts the repeats.
struct Sample<'a> {
    splits: &'a mut Splits,
    first: PieceId,
    repeated: usize,
}

impl Enter for Sample<'_> {
    #[inline(always)]
    fn enter(&mut self, _: usize, _: usize, hash: Hash128) {
        self.repeated += usize::from(self.splits.recent(hash, self.first).is_some());
        self.splits.hashes.push(hash);
    }
}

/// Makes pieces entries, except those without references and the repeats that the table finds.
struct FirstPieces<'a> {
    splits: &'a mut Splits,
    first: PieceId,
    used: Option<&'a UsedBytes>,
    /// A piece without references was dropped.
    is_dropping: bool,
    /// By piece, its entry or [`NO_ENTRY`].
    entries: &'a mut Vec<u32>,
    pieces: &'a mut Vec<u32>,
}

impl Enter for FirstPieces<'_> {
    #[inline(always)]
    fn enter(&mut self, start: usize, end: usize, hash: Hash128) {
        if let Some(used) = self.used
            && !used.any(start as u32, end as u32)
        {
            self.is_dropping = true;
            return self.entries.push(NO_ENTRY);
        }
        let entry = self.splits.recent(hash, self.first).unwrap_or_else(|| {
            self.pieces.push(self.entries.len() as u32);
            let entry = self.splits.hashes.next();
            self.splits.hashes.push(hash);
            entry
        });
        self.entries.push(entry - self.first);
    }
}

/// Finds the pieces of a part one after the other.
struct Pieces<'a> {
    /// Bytes of the section up to the end of the part.
    bytes: &'a [u8],
    division: Division,
    key: &'a HashKey,
    salt: u128,
    /// Offset of the next piece.
    start: usize,
    /// The first block of the section that begins in the part.
    first_block: usize,
    /// By block, the last piece that starts at its beginning or in the block before; 0 for blocks
    /// inside a piece.
    blocks: Vec<u32>,
    starts: Vec<u32>,
}

impl Pieces<'_> {
    /// Offset where the sample of a large part ends.
    fn sample_end(&self) -> usize {
        let unit_size = self.division.unit_size as usize;
        let from = self.start + SAMPLE.next_multiple_of(unit_size);
        let end = cut_between(self.bytes, from, unit_size, self.division.is_strings);
        end.unwrap_or(self.bytes.len())
    }

    /// Finds and hashes the remaining pieces; stops at a string without a terminator.
    fn enter_all(&mut self, entered: &mut impl Enter) {
        self.enter(self.bytes.len(), entered);
    }

    /// Finds and hashes the pieces up to `limit`.
    #[inline(always)]
    fn enter(&mut self, limit: usize, entered: &mut impl Enter) {
        let (bytes, unit_size) = (&self.bytes[..limit], self.division.unit_size as usize);
        if !self.division.is_strings {
            for start in (self.start..limit).step_by(unit_size) {
                let hash = self.key.hash(&bytes[start..start + unit_size]);
                entered.enter(start, start + unit_size, hash ^ self.salt);
            }
            self.start = limit;
            return;
        }
        let unit = unit_size.max(1 << self.division.align_log2);
        while let Some(run) = zero_runs::next(bytes, self.start, unit) {
            self.strings(&bytes[..run.start], entered);
            for start in run.step_by(zero_runs::PIECE) {
                let end = start + zero_runs::PIECE;
                self.push(end, self.key.hash(&bytes[start..end]), entered);
            }
        }
        self.strings(bytes, entered);
    }

    #[inline(always)]
    fn push(&mut self, end: usize, hash: Hash128, entered: &mut impl Enter) {
        // Later pieces of the block overwrite this, so the last one stays; a test for the last one
        // would be mispredicted.
        if let Some(last) = self.blocks.get_mut(self.start.div_ceil(BLOCK) - self.first_block) {
            *last = self.starts.len() as u32;
        }
        self.starts.push(self.start as u32);
        entered.enter(self.start, end, hash ^ self.salt);
        self.start = end;
    }

    /// Finds the strings up to the end of `bytes`.
    #[inline(always)]
    fn strings(&mut self, bytes: &[u8], entered: &mut impl Enter) {
        let unit_size = self.division.unit_size as usize;
        if unit_size == 1 {
            let (base, key) = (self.start, self.key);
            key.hash_strings(&bytes[base..], |end, hash| self.push(base + end, hash, entered));
            return;
        }
        while let Some(length) = wide_length(&bytes[self.start..], unit_size) {
            let end = self.start + length;
            self.push(end, self.key.hash(&bytes[self.start..end]), entered);
        }
    }
}

/// Length in bytes of the first string of characters of `unit_size` bytes, with its terminator.
fn wide_length(bytes: &[u8], unit_size: usize) -> Option<usize> {
    let end = bytes.chunks_exact(unit_size).position(|unit| unit.iter().all(|&b| b == 0))?;
    Some((end + 1) * unit_size)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_inside_a_piece_are_those_of_the_piece() {
        let mut blocks = [0, 2, 0, 0, 5, 0];
        fill_up(&mut blocks);
        assert_eq!(blocks, [0, 2, 2, 2, 5, 5]);
    }

    #[test]
    fn cuts_are_behind_the_zeroes_that_end_a_string() {
        let narrow = b"abc\0de\0\0\0f\0g";
        let cut = |from| cut_between(narrow, from, 1, true);
        assert_eq!([0, 3, 4, 6, 8, 10].map(cut), [4, 4, 9, 9, 9, 11].map(Some));
        // Nothing begins there, or the run of zeros may go on behind the bytes.
        assert_eq!(cut_between(&narrow[..3], 0, 1, true), None);
        assert_eq!(cut_between(&narrow[..9], 4, 1, true), None);
        // The first byte of a wide character may be zero.
        let wide = [1, 0, 0, 1, 0, 0, 0, 1, 2, 0];
        assert_eq!(cut_between(&wide, 0, 2, true), Some(6));
        assert_eq!(cut_between(&wide, 2, 2, true), Some(6));
        assert_eq!(cut_between(&wide, 6, 2, true), None);
        assert_eq!(cut_between(&wide, 0, 3, true), None);
        assert_eq!(cut_between(&wide, 4, 2, false), Some(4));
    }
}
