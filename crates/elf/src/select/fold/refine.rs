//! Classes of equal sections, by refinement of a partition.
//!
//! Candidates of equal outline are in one class at first; then those whose bytes and descriptions
//! have the same hash; then, in rounds, those that refer to the same classes, until a round splits
//! no class; when rounds come to little, by a list of what is left to look at
//! ([`super::worklist`]). A class has a number, which is the place of its first member among all
//! members, so that splitting it leaves the number to one part. At last the members of each class
//! are compared with its leader; what differs, its hash notwithstanding, leaves the class, and
//! rounds go on.

use super::candidates::Seen;
use super::description::{Describer, Description};
use super::worklist::Worklist;
use super::{FoldInput, Folded};
use crate::resolve::definitions::SectionId;
use skald_core::column::split_mut;
use skald_core::hash::HashKey;
use skald_core::id;
use skald_core::ids::{Column, IdRange, IdSlice};
use skald_core::par::prelude::*;
use skald_core::perturb::shuffled;
use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering};
use zerocopy::IntoBytes;

/// Sections that one task describes.
const CHUNK: usize = 1024;
/// Classes that one task splits.
const CLASSES: usize = 512;
/// After so many rounds it matters how little a round changes.
const ROUNDS: usize = 24;
/// Of so many members one has changed at most in a round that changes little.
const FEW: usize = 16;
/// In the number of a class of one member: the member's id is added.
pub(super) const ALONE: u32 = 1 << 31;

/// A section that is not known to be unlike all others.
#[derive(Debug, Clone, Copy)]
pub(super) struct Member {
    pub(super) section: SectionId,
    /// Its edges among all.
    pub(super) first_edge: u32,
    pub(super) edge_count: u32,
}

id! {
    /// A place among the members, where those of a class are together.
    MemberPlace
}

/// Classes with more than one member.
struct Classes<'a> {
    describer: Describer<'a>,
    key: HashKey,
    /// Those of a class are together, ascending.
    members: Column<MemberPlace, Member>,
    /// Where each class is among the members.
    ranges: Vec<Range<MemberPlace>>,
    /// Sections referred to, of all members.
    edges: Vec<SectionId>,
}

/// Finds equal sections; ascending by those that go.
pub fn folded(input: &FoldInput<'_>, candidates: &[(SectionId, u64)]) -> Vec<Folded> {
    let column: Column<SectionId, AtomicU32> = Column::zeroed(input.definitions.sections.len());
    candidates.par_iter().with_min_len(1 << 13).for_each(|&(id, outline)| {
        column[id].store(outline as u32 & !ALONE | 1, Ordering::Relaxed);
    });
    let mut classes = Classes::new(Describer { input, classes: &column }, candidates);
    loop {
        classes.refine();
        let folded = classes.folded();
        let different = classes.different(&folded);
        if different.is_empty() {
            return folded;
        }
        classes.separate(&different);
    }
}

/// What a task found out about candidates.
#[derive(Default)]
struct Hashed {
    members: Vec<(u64, Member)>,
    edges: Vec<SectionId>,
}

/// Hashes the bytes of candidates; returns those whose hash is not unlike all others'.
fn hash_bytes(
    describer: &Describer<'_>,
    key: &HashKey,
    candidates: &[(SectionId, u64)],
) -> Vec<(SectionId, u64)> {
    let seen = Seen::new(candidates.len());
    let hash = |&(section, outline): &(SectionId, u64)| {
        let hash = outline.rotate_left(32) ^ describer.hash_bytes(section, key);
        seen.add(hash);
        (section, hash)
    };
    let mut all: Vec<(SectionId, u64)> =
        candidates.par_iter().with_min_len(CHUNK).map(hash).collect();
    all.retain(|&(section, hash)| stays(describer.classes, &seen, section, hash));
    all
}

/// Describes candidates; keeps those whose hash is not unlike all others'.
fn hash_descriptions(
    describer: &Describer<'_>,
    key: &HashKey,
    candidates: &[(SectionId, u64)],
) -> Vec<Hashed> {
    let seen = Seen::new(candidates.len());
    let hash_chunk = |chunk: &[(SectionId, u64)]| {
        let mut text = Description::default();
        let hash = |&(section, bytes): &(SectionId, u64)| {
            let first_edge = text.edges.len() as u32;
            let hash = bytes.rotate_left(32) ^ describer.hash(section, key, &mut text);
            seen.add(hash);
            let edge_count = text.edges.len() as u32 - first_edge;
            (hash, Member { section, first_edge, edge_count })
        };
        let members = chunk.iter().map(hash).collect();
        Hashed { members, edges: text.edges }
    };
    let mut chunks: Vec<Hashed> = candidates.par_chunks(CHUNK).map(hash_chunk).collect();
    chunks.par_iter_mut().for_each(|chunk| {
        chunk
            .members
            .retain(|&(hash, member)| stays(describer.classes, &seen, member.section, hash));
    });
    chunks
}

/// Whether the section's hash was seen more than once; else it is alone in its class.
fn stays(
    classes: &IdSlice<SectionId, AtomicU32>,
    seen: &Seen,
    section: SectionId,
    hash: u64,
) -> bool {
    let is_repeated = seen.is_repeated(hash);
    if !is_repeated {
        set(classes, section, ALONE | section.number());
    }
    is_repeated
}

pub(super) fn set(classes: &IdSlice<SectionId, AtomicU32>, section: SectionId, number: u32) {
    classes[section].store(number, Ordering::Relaxed);
}

impl<'a> Classes<'a> {
    fn new(describer: Describer<'a>, candidates: &[(SectionId, u64)]) -> Classes<'a> {
        let key = HashKey::random();
        let mut edges = Vec::new();
        let mut all = Vec::new();
        let candidates = hash_bytes(&describer, &key, candidates);
        let described = hash_descriptions(&describer, &key, &candidates);
        for Hashed { members, edges: own } in described {
            let base = u32::try_from(edges.len()).expect("fewer references than 2^32");
            let moved = |(hash, member): (u64, Member)| {
                (hash, Member { first_edge: base + member.first_edge, ..member })
            };
            all.extend(members.into_iter().map(moved));
            edges.extend(own);
        }
        shuffled(&mut all).par_sort_unstable_by_key(|(hash, member)| (*hash, member.section));
        let mut ranges = Vec::new();
        let mut start = MemberPlace::default();
        for class in all.chunk_by(|a, b| a.0 == b.0) {
            let range = start..start + class.len() as u32;
            start = range.end;
            number(describer.classes, &range, class.iter().map(|(_, member)| member));
            if range.size() > 1 {
                ranges.push(range);
            }
        }
        let members = all.into_iter().map(|(_, member)| member).collect();
        Classes { describer, key, members, ranges, edges }
    }

    /// Splits classes until the members of each refer to the same classes.
    fn refine(&mut self) {
        let has_edges = |range: &Range<MemberPlace>| self.members[range.start].edge_count != 0;
        let (mut active, done): (Vec<_>, Vec<_>) =
            std::mem::take(&mut self.ranges).into_iter().partition(has_edges);
        self.ranges = done;
        for round in 0.. {
            let split = self.split(&active);
            let is_stable = split.iter().all(|parts| parts.new.is_empty());
            for range in split.iter().flat_map(|parts| &parts.new) {
                let part = &self.members[range.clone()];
                number(self.describer.classes, range, part);
            }
            let moved: usize = split.iter().map(|parts| parts.moved).sum();
            let new: Vec<Range<MemberPlace>> =
                split.iter().flat_map(|parts| &parts.new).cloned().collect();
            active = split.into_iter().flat_map(|parts| parts.all).collect();
            if is_stable {
                break;
            }
            if round >= ROUNDS && moved * FEW < members_of(&active) {
                active = self.refine_few(&active, &new);
                break;
            }
        }
        self.ranges.append(&mut active);
    }

    /// The same for classes of which hardly any is split in a round: `new` are the parts of those
    /// that the last round split.
    fn refine_few(
        &mut self,
        active: &[Range<MemberPlace>],
        new: &[Range<MemberPlace>],
    ) -> Vec<Range<MemberPlace>> {
        let changed = new.iter().flat_map(|range| &self.members[range.clone()]);
        let changed: Vec<SectionId> = changed.map(|member| member.section).collect();
        let classes = self.describer.classes;
        let splitter = Splitter { classes, edges: &self.edges, key: &self.key };
        let ranges = Worklist::new(&splitter, &mut self.members, active).run(changed);
        ranges.iter().for_each(|range| number(classes, range, &self.members[range.clone()]));
        ranges
    }

    /// Splits each of `active` by the classes that its members refer to.
    fn split(&mut self, active: &[Range<MemberPlace>]) -> Vec<Parts> {
        let tasks: Vec<&[Range<MemberPlace>]> = active.chunks(CLASSES).collect();
        let covers = tasks.iter().map(|ranges| {
            let (first, last) = (&ranges[0], &ranges[ranges.len() - 1]);
            first.start.index()..last.end.index()
        });
        let parts = split_mut(&mut self.members, covers);
        let classes = self.describer.classes;
        let splitter = Splitter { classes, edges: &self.edges, key: &self.key };
        let run = |(ranges, members): (&&[Range<MemberPlace>], &mut [Member])| {
            splitter.run(ranges, members)
        };
        tasks.par_iter().zip(parts).with_max_len(1).map(run).collect()
    }

    /// All members but the first of each class, which stands for them.
    fn folded(&self) -> Vec<Folded> {
        let of_class = |range: &Range<MemberPlace>| {
            let class = &self.members[range.clone()];
            let leader = class[0].section;
            class[1..].iter().map(move |member| Folded { section: member.section, leader })
        };
        let mut all: Vec<Folded> = self.ranges.iter().flat_map(of_class).collect();
        shuffled(&mut all).par_sort_unstable();
        all
    }

    /// Those of `folded` that are unlike what stands for them. They are in the order of the input,
    /// where neighbours are near each other.
    fn different(&self, folded: &[Folded]) -> Vec<SectionId> {
        let describer = self.describer;
        let differs = |folded: &&Folded| !describer.equal(folded.leader, folded.section);
        let different = folded.par_iter().with_min_len(CHUNK).filter(differs);
        different.map(|folded| folded.section).collect()
    }

    /// Takes `different` out of their classes.
    fn separate(&mut self, different: &[SectionId]) {
        let classes = self.describer.classes;
        different.iter().for_each(|&id| set(classes, id, ALONE | id.number()));
        let is_alone =
            |member: &Member| classes[member.section].load(Ordering::Relaxed) & ALONE != 0;
        for range in &mut self.ranges {
            let class = &mut self.members[range.clone()];
            class.sort_by_key(is_alone);
            range.end = range.start + class.partition_point(|m| !is_alone(m)) as u32;
        }
        self.ranges.retain(|range| range.size() > 1);
        shuffled(&mut self.ranges).sort_unstable_by_key(|range| range.start);
    }
}

/// How many members classes have.
fn members_of(ranges: &[Range<MemberPlace>]) -> usize {
    ranges.iter().map(|range| range.size()).sum()
}

/// Numbers a class, whose members have the places `range`.
fn number<'m>(
    classes: &IdSlice<SectionId, AtomicU32>,
    range: &Range<MemberPlace>,
    members: impl IntoIterator<Item = &'m Member>,
) {
    for member in members {
        let number = if range.size() == 1 {
            ALONE | member.section.number()
        } else {
            range.start.number() + 1
        };
        set(classes, member.section, number);
    }
}

/// What a task made of its classes.
#[derive(Default)]
struct Parts {
    /// Classes of more than one member.
    all: Vec<Range<MemberPlace>>,
    /// Parts of classes that were split, single members included.
    new: Vec<Range<MemberPlace>>,
    /// Members of classes that were split, but for the largest part of each.
    moved: usize,
}

/// Splits classes by what their members refer to.
pub(super) struct Splitter<'a> {
    /// The number of the class of each section.
    pub(super) classes: &'a IdSlice<SectionId, AtomicU32>,
    /// See [`Classes::edges`].
    pub(super) edges: &'a [SectionId],
    /// Of this process.
    pub(super) key: &'a HashKey,
}

impl Splitter<'_> {
    /// The sections that a member refers to.
    pub(super) fn edges_of(&self, member: &Member) -> &[SectionId] {
        let first = member.first_edge as usize;
        &self.edges[first..first + member.edge_count as usize]
    }

    /// Splits `ranges`, which `members` cover.
    fn run(&self, ranges: &[Range<MemberPlace>], members: &mut [Member]) -> Parts {
        let mut parts = Parts::default();
        let mut signed: Vec<(u64, Member)> = Vec::new();
        let mut numbers = Vec::new();
        let base = ranges[0].start;
        for range in ranges {
            let class = &mut members[(range.start - base) as usize..][..range.size()];
            signed.clear();
            let sign = |member: &Member| (self.signature(member, &mut numbers), *member);
            signed.extend(class.iter().map(sign));
            if signed.iter().all(|member| member.0 == signed[0].0) {
                parts.all.push(range.clone());
                continue;
            }
            shuffled(&mut signed)
                .sort_unstable_by_key(|(signature, member)| (*signature, member.section));
            let mut start = range.start;
            let mut largest = 0;
            for part in signed.chunk_by(|a, b| a.0 == b.0) {
                let own = start..start + part.len() as u32;
                start = own.end;
                largest = largest.max(own.size());
                if own.size() > 1 {
                    parts.all.push(own.clone());
                }
                parts.new.push(own);
            }
            parts.moved += signed.len() - largest;
            for (slot, (_, member)) in class.iter_mut().zip(&signed) {
                *slot = *member;
            }
        }
        parts
    }

    /// A hash of the classes that a member refers to.
    pub(super) fn signature(&self, member: &Member, numbers: &mut Vec<u32>) -> u64 {
        let edges = self.edges_of(member);
        numbers.clear();
        let class = |&to: &SectionId| self.classes[to].load(Ordering::Relaxed);
        numbers.extend(edges.iter().map(class));
        self.key.hash(numbers.as_bytes()) as u64
    }
}
