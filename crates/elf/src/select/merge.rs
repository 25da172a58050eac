//! Merging of equal pieces: strings and constants of SHF_MERGE sections (gABI, `sh_flags`).
//!
//! Live sections are split and hashed once, in parallel; equal pieces then find their owner
//! ([`owners`]). Output offsets are prefix sums over the owners in command-line order, so they do
//! not depend on threads. Sections of the same output section, kind, entry size and alignment form
//! one [`MergedGroup`].

mod owners;
mod used;
mod zero_runs;

use super::fault::SectionFault;
use crate::args::Options;
use crate::read::ObjectFile;
use crate::read::object_file::{InputSection, SectionFlags};
use crate::resolve::definitions::{Definitions, SectionId};
use crate::select::liveness::Liveness;
use owners::PieceHashes;
use rayon::prelude::*;
use skald_core::align::align_up;
use skald_core::column::{prefetch, split_mut, zeroed};
use skald_core::hash::HashKey;
use skald_core::par;
use skald_core::unordered::UnorderedMap;
use std::ops::Range;
use used::{UsedBytes, UsedPieces};

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
    /// Pieces that nothing refers to and that have no place, ascending; what refers to one after
    /// all, from debug information, is led to the end of what the member owns.
    dropped: Vec<u32>,
}

/// Input bytes a block index entry covers.
const BLOCK: usize = 128;

/// Pieces that a search within a block steps over at once.
const STRIDE: usize = 4;

/// All merged content.
#[derive(Debug, Default)]
pub struct MergedSections {
    /// Groups in the order of their first member.
    pub groups: Vec<MergedGroup>,
    /// Members in command-line order.
    pub members: Vec<Member>,
    /// Index in `members` plus one, by section; 0 for sections that are not merged.
    pub member_of: Vec<u32>,
    /// Objects of which some pieces are dropped, ascending.
    pub thinned: Vec<u32>,
    /// Sections that cannot be merged.
    pub faults: Vec<SectionFault>,
}

impl Member {
    /// Offset in the group's output of the byte at `section_offset` of the section.
    #[inline]
    pub fn output_offset(&self, section_offset: u64) -> u64 {
        let pieces = &self.piece_offsets[..];
        let mut at = match self.blocks.get(section_offset as usize / BLOCK) {
            Some(&first) => first as usize,
            None => pieces.len().saturating_sub(1),
        };
        // A block of short strings has dozens of pieces, too few for a search by halves.
        for step in [STRIDE, 1] {
            while pieces.get(at + step).is_some_and(|&start| u64::from(start) <= section_offset) {
                at += step;
            }
        }
        match (pieces.get(at), self.output_offsets.get(at)) {
            (Some(&start), Some(&output)) => {
                section_offset.wrapping_sub(u64::from(start)).wrapping_add(u64::from(output))
            }
            _ => section_offset,
        }
    }

    /// Whether nothing refers to the piece that holds `section_offset`, so that it has no place.
    pub fn is_dropped(&self, section_offset: u64) -> bool {
        let starts = &self.piece_offsets;
        !self.dropped.is_empty() && {
            let behind = starts.partition_point(|&start| u64::from(start) <= section_offset);
            self.dropped.binary_search(&(behind as u32).wrapping_sub(1)).is_ok()
        }
    }

    /// Bytes of piece `piece` of a section of `size` bytes.
    #[inline(always)]
    pub fn piece_range(&self, piece: usize, size: u64) -> Range<usize> {
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

/// What options say of merging.
#[derive(Debug, Clone, Copy)]
pub struct MergeRules {
    /// `-O2`: a string that ends another one is stored inside it.
    pub tails: bool,
    /// `--gc-sections`: pieces that nothing refers to are dropped.
    pub drop_unused: bool,
}

impl From<&Options> for MergeRules {
    fn from(options: &Options) -> MergeRules {
        MergeRules { tails: options.optimize >= 2, drop_unused: options.gc_sections }
    }
}

/// Splits, deduplicates and places all live mergeable sections.
pub fn merge(
    objects: &[ObjectFile],
    definitions: &Definitions,
    liveness: &Liveness,
    rules: MergeRules,
) -> MergedSections {
    let mut merged = collect(definitions, liveness);
    if merged.members.is_empty() {
        return merged;
    }
    let used = match rules.drop_unused {
        true => used::find(&merged.members, objects, definitions, liveness),
        false => UsedPieces::default(),
    };
    let key = HashKey::random();
    let tasks = split_tasks(&merged.members, definitions);
    let splits: Vec<Splits> = split_mut(&mut merged.members, tasks)
        .into_par_iter()
        .with_max_len(1)
        .map(|members| {
            let mut splits = Splits::default();
            for member in members {
                let section = &definitions.sections[member.section as usize];
                splits.add(member, section, &objects[section.object as usize], &key);
                if let Some(used) = used.of(member.section) {
                    splits.drop_unused(member, section.size, used, &key);
                }
            }
            splits
        })
        .collect();
    let mut hashes = PieceHashes::default();
    let mut firsts = Vec::with_capacity(merged.members.len());
    let mut dropped = Vec::new();
    for splits in splits {
        let base = hashes.append(splits.hashes);
        dropped.extend(splits.dropped.iter().map(|piece| base + piece));
        firsts.extend(splits.firsts.iter().map(|first| base + first));
        merged.faults.extend(splits.faults);
    }
    if !merged.faults.is_empty() {
        return merged;
    }
    let mut owners = hashes.owners();
    drop(hashes);
    let thinned = merged.members.iter().filter(|member| !member.dropped.is_empty());
    merged.thinned = thinned.map(|m| definitions.sections[m.section as usize].object).collect();
    merged.thinned.dedup();
    // Owned by none, and not by themselves.
    let nobody = owners.len() as u32;
    dropped.into_iter().for_each(|piece: usize| owners[piece] = nobody);
    place(&mut merged, &owners, &firsts, definitions);
    if rules.tails && merged.faults.is_empty() {
        super::tail_merge::share_tails(&mut merged, objects, definitions);
    }
    merged
}

fn collect(definitions: &Definitions, liveness: &Liveness) -> MergedSections {
    let mut merged =
        MergedSections { member_of: zeroed(definitions.sections.len()), ..Default::default() };
    let mut groups: UnorderedMap<(u32, bool, u16, u8), u32> = UnorderedMap::new();
    let sections = par::select(definitions.sections.len(), |id| {
        liveness.is_live(id) && definitions.sections[id as usize].flags.has(SectionFlags::MERGE)
    });
    for id in sections {
        let section = &definitions.sections[id as usize];
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
        merged.members.push(Member { section: id, group, ..Member::default() });
        merged.member_of[id as usize] = index + 1;
    }
    merged
}

/// Input bytes that a task splits at least, if there are few and if there are many.
const TASK: Range<u64> = 64 << 10..2 << 20;
/// Pieces of a large member, whose starts are not copied.
const MANY: usize = 1 << 17;
/// Tasks for each thread, so that all end at about the same time.
const TASKS: u64 = 8;
/// Members that a task places: some are a thousand times as large as others.
const PLACED: usize = 2;

/// Cuts `members` into runs for tasks that take about as long each.
fn split_tasks(members: &[Member], definitions: &Definitions) -> Vec<Range<usize>> {
    let size = |member: &Member| definitions.sections[member.section as usize].size;
    let total: u64 = members.iter().map(size).sum();
    let share = total / (TASKS * rayon::current_num_threads() as u64);
    let least = share.clamp(TASK.start, TASK.end);
    let mut tasks = Vec::new();
    let (mut first, mut bytes) = (0, 0);
    for (at, member) in members.iter().enumerate() {
        bytes += size(member);
        if bytes >= least || at + 1 == members.len() {
            tasks.push(first..at + 1);
            (first, bytes) = (at + 1, 0);
        }
    }
    tasks
}

/// What a task splits.
#[derive(Default)]
struct Splits {
    hashes: PieceHashes,
    /// The first piece of each member.
    firsts: Vec<usize>,
    faults: Vec<SectionFault>,
    /// Pieces that are dropped.
    dropped: Vec<usize>,
    /// Starts of the pieces of one member.
    starts: Vec<u32>,
}

impl Splits {
    fn add(
        &mut self,
        member: &mut Member,
        section: &InputSection,
        object: &ObjectFile,
        key: &HashKey,
    ) {
        let bytes = object.bytes(section);
        self.firsts.push(self.hashes.next());
        self.starts.clear();
        member.blocks.reserve_exact(bytes.len() / BLOCK + 1);
        let mut splitter = Splitter {
            blocks: &mut member.blocks,
            starts: &mut self.starts,
            hashes: &mut self.hashes,
            salt: u128::from(member.group + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c),
            start: 0,
        };
        if !splitter.run(bytes, section, key) {
            self.faults.push(SectionFault {
                object: section.object,
                shndx: section.shndx,
                section_offset: splitter.start as u64,
                what: "string is not null terminated",
            });
        }
        member.piece_offsets = match self.starts.len() < MANY {
            true => self.starts.as_slice().into(),
            // What a large block has too much is no memory.
            false => std::mem::take(&mut self.starts),
        };
    }

    /// Takes the pieces of the member added last that are not `used` out of what is compared.
    #[cold]
    fn drop_unused(&mut self, member: &mut Member, size: u64, used: &UsedBytes, key: &HashKey) {
        let first = *self.firsts.last().expect("a member was added");
        for piece in 0..member.piece_offsets.len() {
            let range = member.piece_range(piece, size);
            if used.any(range.start as u32, range.end as u32) {
                continue;
            }
            // A value that no other piece has: it must not own an equal one.
            let place = u64::from(member.section) << 32 | range.start as u64;
            self.hashes.set(first + piece, !key.hash(&place.to_le_bytes()));
            self.dropped.push(first + piece);
            member.dropped.push(piece as u32);
        }
    }
}

/// The pieces of a section while they are found.
struct Splitter<'a> {
    blocks: &'a mut Vec<u32>,
    starts: &'a mut Vec<u32>,
    hashes: &'a mut PieceHashes,
    /// Mixed in, so that pieces of different groups are never equal.
    salt: u128,
    /// Where the piece to come starts.
    start: usize,
}

impl Splitter<'_> {
    #[inline(always)]
    fn push(&mut self, end: usize, hash: u128) {
        let piece = self.starts.len() as u32;
        self.starts.push(self.start as u32);
        self.hashes.push(hash ^ self.salt);
        self.start = end;
        while self.blocks.len() * BLOCK < end {
            self.blocks.push(piece);
        }
    }

    /// Finds and hashes the pieces; `false` if the last string has no end.
    fn run(&mut self, bytes: &[u8], section: &InputSection, key: &HashKey) -> bool {
        let entsize = section.entsize as usize;
        if !section.flags.has(SectionFlags::STRINGS) {
            for start in (0..bytes.len()).step_by(entsize) {
                self.push(start + entsize, key.hash(&bytes[start..start + entsize]));
            }
            return self.start == bytes.len();
        }
        let unit = entsize.max(1 << section.align_log2);
        while let Some(run) = zero_runs::next(bytes, self.start, unit) {
            self.strings(&bytes[..run.start], entsize, key);
            for start in run.step_by(zero_runs::PIECE) {
                let end = start + zero_runs::PIECE;
                self.push(end, key.hash(&bytes[start..end]));
            }
        }
        self.strings(bytes, entsize, key);
        self.start == bytes.len()
    }

    /// The strings up to the end of `bytes`.
    #[inline(always)]
    fn strings(&mut self, bytes: &[u8], entsize: usize, key: &HashKey) {
        if entsize == 1 {
            let base = self.start;
            key.hash_strings(&bytes[base..], |end, hash| self.push(base + end, hash));
            return;
        }
        while let Some(length) = wide_length(&bytes[self.start..], entsize) {
            let end = self.start + length;
            self.push(end, key.hash(&bytes[self.start..end]));
        }
    }
}

/// Bytes of the first string of characters of `entsize` bytes, with its terminator.
fn wide_length(bytes: &[u8], entsize: usize) -> Option<usize> {
    let end = bytes.chunks_exact(entsize).position(|unit| unit.iter().all(|&b| b == 0))?;
    Some((end + 1) * entsize)
}

/// Pieces ahead whose owner's offset is prefetched.
const OWNER_DISTANCE: usize = 16;

/// Gives owners their place, then every piece its owner's. `firsts` has the first piece of every
/// member.
fn place(merged: &mut MergedSections, owners: &[u32], firsts: &[usize], definitions: &Definitions) {
    let pieces = |member: &Member, first: usize| {
        let section = &definitions.sections[member.section as usize];
        Pieces {
            first,
            owners: &owners[first..first + member.piece_offsets.len()],
            section_size: section.size,
            align_log2: section.align_log2,
        }
    };
    merged.members.par_iter_mut().zip(firsts).with_max_len(PLACED).for_each(|(member, &first)| {
        let pieces = pieces(member, first);
        let end = pieces.place_owned(member, |_, _| ());
        member.owned_size = align_up(end, pieces.align_log2);
    });
    place_members(merged, definitions);
    if !merged.faults.is_empty() {
        return;
    }
    // The owners' offsets in one column, so that duplicates find them by piece.
    let mut offsets: Vec<u32> = zeroed(owners.len() + 1);
    let ranges = merged.members.iter().zip(firsts);
    let ranges = ranges.map(|(member, &first)| first..first + member.piece_offsets.len());
    let parts = split_mut(&mut offsets, ranges);
    merged.members.par_iter().zip(firsts).zip(parts).with_max_len(PLACED).for_each(
        |((member, &first), offsets)| {
            pieces(member, first).place_owned(member, |piece, offset| {
                offsets[piece] = (member.owned_start + offset) as u32;
            });
        },
    );
    merged.members.par_iter_mut().zip(firsts).with_max_len(PLACED).for_each(|(member, &first)| {
        let own = &owners[first..first + member.piece_offsets.len()];
        let place = |(piece, &owner): (usize, &u32)| {
            if let Some(&ahead) = own.get(piece + OWNER_DISTANCE) {
                prefetch(&offsets, ahead as usize);
            }
            offsets[owner as usize]
        };
        member.output_offsets = own.iter().enumerate().map(place).collect();
        for &piece in &member.dropped {
            let end = member.owned_start + member.owned_size;
            member.output_offsets[piece as usize] = end as u32;
        }
    });
}

/// The pieces of a member while they are placed.
struct Pieces<'a> {
    first: usize,
    owners: &'a [u32],
    section_size: u64,
    align_log2: u8,
}

impl Pieces<'_> {
    /// Calls `placed` with each piece that owns its content, and with the offset that it gets in
    /// what the member owns; returns their end.
    #[inline(always)]
    fn place_owned(&self, member: &Member, mut placed: impl FnMut(usize, u64)) -> u64 {
        let mut end = 0;
        for (piece, &owner) in self.owners.iter().enumerate() {
            if owner as usize == self.first + piece {
                end = align_up(end, self.align_log2);
                placed(piece, end);
                end += member.piece_range(piece, self.section_size).len() as u64;
            }
        }
        end
    }
}

/// Gives each member its place in the output of its group.
fn place_members(merged: &mut MergedSections, definitions: &Definitions) {
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
}

impl Member {
    /// Cuts what it owns into windows of `window` bytes or a little more: the first piece of each
    /// and where it starts in the group's output.
    pub fn windows(&self, window: u64, section_size: u64) -> Vec<(u32, u64)> {
        let mut windows = vec![(0, self.owned_start)];
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
        // Owners that follow each other in the input are copied together.
        let mut run = 0..0;
        let mut run_start = 0;
        let mut end = 0;
        for (piece, &offset) in pieces.clone().zip(&self.output_offsets[pieces]) {
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
