//! Finds classes of equal sections by refinement of a partition.
//!
//! Initially, members with equal contents of their own are in one class. Each round then splits
//! classes so that the members of a class refer to the same classes, until a round splits none.
//! When rounds change little, a worklist takes over ([`worklist`]). The number of a class is the
//! place of its first member among all members, so that one part keeps the number when the class is
//! split.

mod worklist;

use crate::ids::SectionId;
use skald_core::column::split_mut;
use skald_core::hash::HashKey;
use skald_core::id;
use skald_core::ids::{Column, IdRange, IdSlice};
use skald_core::par::prelude::*;
use skald_core::perturb::shuffled;
use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering};
use worklist::Worklist;
use zerocopy::IntoBytes;

/// How many classes a task splits.
const CLASSES: usize = 512;
/// After this many rounds, each round is checked for whether it changed little.
const ROUNDS: usize = 24;
/// A round changed little if at most one in this many members was moved to another class.
const FEW: usize = 16;
/// Bit set in the number of a class of one member, which is the member's id.
const ALONE: u32 = 1 << 31;

/// A section that may be equal to others.
#[derive(Debug, Clone, Copy)]
pub struct Member {
    /// The input section.
    pub section: SectionId,
    /// Index of its first edge among all edges.
    pub first_edge: u32,
    /// How many edges it has.
    pub edge_count: u32,
}

id! {
    /// A place in the list of members, in which the members of a class are together.
    MemberPlace
}

/// By section, the number of its class. For a class of one member it is the member's id with bit 31
/// set.
pub type ClassNumbers = IdSlice<SectionId, AtomicU32>;

/// Sets a section's first class, from a hash of its content's outline.
pub fn begin(classes: &ClassNumbers, section: SectionId, outline: u64) {
    set(classes, section, outline as u32 & !ALONE | 1);
}

/// Notes that no other section is equal to this one.
pub fn set_alone(classes: &ClassNumbers, section: SectionId) {
    set(classes, section, ALONE | section.number());
}

/// The classes with more than one member.
pub struct Partition {
    key: HashKey,
    /// The members; those of a class are together, ascending.
    members: Column<MemberPlace, Member>,
    /// By class, the places of its members.
    ranges: Vec<Range<MemberPlace>>,
    /// The sections that members refer to, member by member.
    edges: Vec<SectionId>,
}

impl Partition {
    /// The partition into classes of equal hash.
    pub fn new(
        classes: &ClassNumbers,
        mut all: Vec<(u64, Member)>,
        edges: Vec<SectionId>,
        key: HashKey,
    ) -> Partition {
        shuffled(&mut all).par_sort_unstable_by_key(|(hash, member)| (*hash, member.section));
        let mut ranges = Vec::new();
        let mut start = MemberPlace::default();
        for class in all.chunk_by(|a, b| a.0 == b.0) {
            let range = start..start + class.len() as u32;
            start = range.end;
            number(classes, &range, class.iter().map(|(_, member)| member));
            if range.size() > 1 {
                ranges.push(range);
            }
        }
        let members = all.into_iter().map(|(_, member)| member).collect();
        Partition { key, members, ranges, edges }
    }

    /// The members of each class.
    pub fn classes(&self) -> impl Iterator<Item = &[Member]> {
        self.ranges.iter().map(|range| &self.members[range.clone()])
    }

    /// Splits classes until the members of each refer to the same classes.
    pub fn refine(&mut self, classes: &ClassNumbers) {
        let has_edges = |range: &Range<MemberPlace>| self.members[range.start].edge_count != 0;
        let (mut active, done): (Vec<_>, Vec<_>) =
            std::mem::take(&mut self.ranges).into_iter().partition(has_edges);
        self.ranges = done;
        for round in 0.. {
            let split = self.split(classes, &active);
            let is_stable = split.iter().all(|parts| parts.new.is_empty());
            for range in split.iter().flat_map(|parts| &parts.new) {
                let part = &self.members[range.clone()];
                number(classes, range, part);
            }
            let moved: usize = split.iter().map(|parts| parts.moved).sum();
            let new: Vec<Range<MemberPlace>> =
                split.iter().flat_map(|parts| &parts.new).cloned().collect();
            active = split.into_iter().flat_map(|parts| parts.all).collect();
            if is_stable {
                break;
            }
            if round >= ROUNDS && moved * FEW < members_of(&active) {
                active = self.refine_few(classes, &active, &new);
                break;
            }
        }
        self.ranges.append(&mut active);
    }

    /// [`Self::refine`] when a round splits hardly any class: `new` are the parts of the classes
    /// that the last round split.
    fn refine_few(
        &mut self,
        classes: &ClassNumbers,
        active: &[Range<MemberPlace>],
        new: &[Range<MemberPlace>],
    ) -> Vec<Range<MemberPlace>> {
        let changed = new.iter().flat_map(|range| &self.members[range.clone()]);
        let changed: Vec<SectionId> = changed.map(|member| member.section).collect();
        let splitter = Splitter { classes, edges: &self.edges, key: &self.key };
        let ranges = Worklist::new(&splitter, &mut self.members, active).run(changed);
        ranges.iter().for_each(|range| number(classes, range, &self.members[range.clone()]));
        ranges
    }

    /// Splits each of the classes `active` by the classes that its members refer to.
    fn split(&mut self, classes: &ClassNumbers, active: &[Range<MemberPlace>]) -> Vec<Parts> {
        let tasks: Vec<&[Range<MemberPlace>]> = active.chunks(CLASSES).collect();
        let covers = tasks.iter().map(|ranges| {
            let (first, last) = (&ranges[0], &ranges[ranges.len() - 1]);
            first.start.index()..last.end.index()
        });
        let parts = split_mut(&mut self.members, covers);
        let splitter = Splitter { classes, edges: &self.edges, key: &self.key };
        let run = |(ranges, members): (&&[Range<MemberPlace>], &mut [Member])| {
            splitter.run(ranges, members)
        };
        tasks.par_iter().zip(parts).with_max_len(1).map(run).collect()
    }

    /// Takes the sections `different` out of their classes.
    pub fn separate(&mut self, classes: &ClassNumbers, different: &[SectionId]) {
        different.iter().for_each(|&id| set_alone(classes, id));
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

fn set(classes: &IdSlice<SectionId, AtomicU32>, section: SectionId, number: u32) {
    classes[section].store(number, Ordering::Relaxed);
}

/// How many members these classes have.
fn members_of(ranges: &[Range<MemberPlace>]) -> usize {
    ranges.iter().map(|range| range.size()).sum()
}

/// Gives a number to the class whose members have the places `range`.
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

/// The results of a task that splits classes.
#[derive(Default)]
struct Parts {
    /// Classes of more than one member.
    all: Vec<Range<MemberPlace>>,
    /// Parts of classes that were split, single members included.
    new: Vec<Range<MemberPlace>>,
    /// How many members the split classes have, without the largest part of each class.
    moved: usize,
}

/// Splits classes by the classes their members refer to.
struct Splitter<'a> {
    /// By section, the number of its class.
    classes: &'a IdSlice<SectionId, AtomicU32>,
    /// The sections that members refer to: [`Partition::edges`].
    edges: &'a [SectionId],
    /// A hash key of this process.
    key: &'a HashKey,
}

impl Splitter<'_> {
    /// The sections that a member refers to.
    fn edges_of(&self, member: &Member) -> &[SectionId] {
        let first = member.first_edge as usize;
        &self.edges[first..first + member.edge_count as usize]
    }

    /// Splits the classes at `ranges`, which together cover `members`.
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
    fn signature(&self, member: &Member, numbers: &mut Vec<u32>) -> u64 {
        let edges = self.edges_of(member);
        numbers.clear();
        let class = |&to: &SectionId| self.classes[to].load(Ordering::Relaxed);
        numbers.extend(edges.iter().map(class));
        self.key.hash(numbers.as_bytes()) as u64
    }
}
