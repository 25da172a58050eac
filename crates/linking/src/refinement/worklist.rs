//! Refinement of a partition when little changes: only members that refer to a section whose class
//! number has changed are processed again.
//!
//! A long chain of functions, each of which calls the next, is split by one function per round. To
//! process all of them in each round would be quadratic. Here the largest part of a split class
//! keeps the number. So a section is renumbered only when its class shrinks to at most half, and
//! each edge is processed a logarithmic number of times. The algorithm is that of Hopcroft, "An n
//! log n algorithm for minimizing states in a finite automaton".
//!
//! It runs on one thread, because it begins when rounds change hardly anything.

use super::{ALONE, Member, MemberPlace, Splitter, set};
use crate::ids::SectionId;
use skald_core::id;
use skald_core::ids::{Column, IdRange, IdSlice, IndexRange};
use skald_core::perturb::shuffled;
use std::ops::Range;
use std::sync::atomic::Ordering;

id! {
    /// A class, by its number.
    ClassId
}

/// A partition, and by section the members that refer to it.
pub struct Worklist<'a> {
    splitter: &'a Splitter<'a>,
    members: &'a mut IdSlice<MemberPlace, Member>,
    /// By number of a class, the places of its members.
    ranges: Column<ClassId, Range<MemberPlace>>,
    /// By section, its place among the members.
    places: Column<SectionId, MemberPlace>,
    /// Members that refer to a section: `referrers[starts[section]..starts[section + 1]]`.
    referrers: Vec<SectionId>,
    starts: Column<SectionId, u32>,
    numbers: Vec<u32>,
}

impl<'a> Worklist<'a> {
    /// A worklist for the classes `active`, whose numbers are the places of their first members
    /// plus one.
    pub fn new(
        splitter: &'a Splitter<'a>,
        members: &'a mut IdSlice<MemberPlace, Member>,
        active: &[Range<MemberPlace>],
    ) -> Worklist<'a> {
        let sections = splitter.classes.len();
        let none = MemberPlace::default()..MemberPlace::default();
        let mut ranges: Column<ClassId, Range<MemberPlace>> =
            Column::filled(none, members.len() + 1);
        let mut places = Column::filled(MemberPlace::default(), sections);
        let mut starts: Column<SectionId, u32> = Column::filled(0, sections + 1);
        for range in active {
            ranges[ClassId::new(range.start.number() + 1)] = range.clone();
            for place in range.clone().ids() {
                let member = &members[place];
                places[member.section] = place;
                splitter.edges_of(member).iter().for_each(|&to| starts[to + 1] += 1);
            }
        }
        let mut sum = 0;
        for start in &mut starts {
            sum += *start;
            *start = sum;
        }
        let mut next = starts.clone();
        let mut referrers = vec![SectionId::default(); sum as usize];
        for member in active.iter().flat_map(|r| &members[r.clone()]) {
            for &to in splitter.edges_of(member) {
                referrers[next[to] as usize] = member.section;
                next[to] += 1;
            }
        }
        let numbers = Vec::new();
        Worklist { splitter, members, ranges, places, referrers, starts, numbers }
    }

    /// Splits classes until nothing changes. `changed` are sections whose numbers differ from those
    /// by which classes were split. Returns the places of classes of more than one member.
    pub fn run(mut self, mut changed: Vec<SectionId>) -> Vec<Range<MemberPlace>> {
        while !changed.is_empty() {
            let affected = self.referring(&changed);
            changed.clear();
            for class in affected.chunk_by(|a, b| a.0 == b.0) {
                self.split(class, &mut changed);
            }
        }
        let mut ranges = self.ranges.into_vec();
        ranges.retain(|range| range.size() > 1);
        shuffled(&mut ranges).sort_unstable_by_key(|range| range.start);
        for range in &ranges {
            let class = &mut self.members[range.clone()];
            shuffled(class).sort_unstable_by_key(|member| member.section);
        }
        ranges
    }

    /// The members that refer to `changed`, each with the number of its class; by class and place.
    fn referring(&self, changed: &[SectionId]) -> Vec<(ClassId, MemberPlace)> {
        let mut affected = Vec::new();
        for &section in changed {
            let referrers = self.starts[section]..self.starts[section + 1];
            for &member in &self.referrers[referrers.wide()] {
                let number = self.splitter.classes[member].load(Ordering::Relaxed);
                if number & ALONE == 0 {
                    affected.push((ClassId::new(number), self.places[member]));
                }
            }
        }
        shuffled(&mut affected).sort_unstable();
        affected.dedup();
        affected
    }

    /// Splits the class that contains all of `affected`. Its other members refer to unchanged
    /// classes, and so stay together.
    fn split(&mut self, affected: &[(ClassId, MemberPlace)], changed: &mut Vec<SectionId>) {
        let number = affected[0].0;
        let range = self.ranges[number].clone();
        let others_end = range.start + (range.end - range.start - affected.len() as u32);
        // From the end, so that no member is overwritten before it was moved.
        for (&(_, place), to) in affected.iter().rev().zip((others_end..range.end).ids().rev()) {
            self.members.swap(place.index(), to.index());
            self.places[self.members[place].section] = place;
        }
        let (splitter, numbers) = (self.splitter, &mut self.numbers);
        let mut signature = |member: &Member| splitter.signature(member, numbers);
        let others = (others_end > range.start).then(|| signature(&self.members[range.start]));
        let moved = &mut self.members[others_end..range.end];
        let mut signed: Vec<(bool, u64, Member)> = moved
            .iter()
            .map(|member| (signature(member), *member))
            .map(|(signature, member)| (Some(signature) != others, signature, member))
            .collect();
        shuffled(&mut signed).sort_unstable_by_key(|&(differs, signature, member)| {
            (differs, signature, member.section)
        });
        for (place, (slot, (_, _, member))) in
            others_end.onward().zip(moved.iter_mut().zip(&signed))
        {
            *slot = *member;
            self.places[member.section] = place;
        }
        let mut parts = Vec::new();
        let mut start = range.start;
        let mut end =
            others_end + signed.iter().take_while(|(differs, ..)| !differs).count() as u32;
        if end > start {
            parts.push(start..end);
        }
        for part in signed[(end - others_end) as usize..].chunk_by(|a, b| a.1 == b.1) {
            start = end;
            end = end + part.len() as u32;
            parts.push(start..end);
        }
        self.number(number, parts, changed);
    }

    /// Gives numbers to `parts`: the largest keeps `number`, the others get new ones.
    fn number(
        &mut self,
        number: ClassId,
        parts: Vec<Range<MemberPlace>>,
        changed: &mut Vec<SectionId>,
    ) {
        let largest = parts.iter().map(|part| part.size()).max().unwrap_or(0);
        let mut is_kept = false;
        for part in parts {
            let size = part.size();
            let is_alone = size == 1;
            if size == largest && !is_kept && !is_alone {
                is_kept = true;
                self.ranges[number] = part;
                continue;
            }
            let own = self.ranges.end().number();
            for member in &self.members[part.clone()] {
                let section = member.section;
                set(
                    self.splitter.classes,
                    section,
                    if is_alone { ALONE | section.number() } else { own },
                );
                changed.push(section);
            }
            if !is_alone {
                self.ranges.push(part);
            }
        }
        if !is_kept {
            self.ranges[number] = MemberPlace::default()..MemberPlace::default();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use skald_core::hash::HashKey;
    use std::sync::atomic::AtomicU32;

    /// Sections of one class, section `i` of which refers to `to(i)`.
    fn refine(count: u32, to: impl Fn(u32) -> u32) -> Vec<Vec<u32>> {
        let classes: Column<SectionId, AtomicU32> =
            (0..=count).map(|_| AtomicU32::new(1)).collect();
        // The last section is not in the class; it is the only one that differs initially.
        let last = SectionId::new(count);
        set(&classes, last, ALONE | count);
        let edges: Vec<SectionId> = (0..count).map(to).map(SectionId::new).collect();
        let member = |at| Member { section: SectionId::new(at), first_edge: at, edge_count: 1 };
        let mut members: Column<MemberPlace, Member> = (0..count).map(member).collect();
        let key = HashKey::random();
        let splitter = Splitter { classes: &classes, edges: &edges, key: &key };
        let ranges = Worklist::new(
            &splitter,
            &mut members,
            std::slice::from_ref(&(MemberPlace::new(0)..MemberPlace::new(count))),
        )
        .run(vec![last]);
        let class = |range: Range<MemberPlace>| {
            let members = &members[range.clone()];
            members.iter().map(|member| member.section.number()).collect()
        };
        let mut all: Vec<Vec<u32>> = ranges.into_iter().map(class).collect();
        all.sort();
        all
    }

    #[test]
    fn a_chain_falls_apart() {
        assert!(refine(5000, |section| section + 1).is_empty());
    }

    #[test]
    fn circles_stay_together() {
        // Two circles, of 3 and of 4, and what leads to the end: as far from it, as equal.
        let to = |section: u32| match section {
            0..3 => (section + 1) % 3,
            3..7 => 3 + (section - 2) % 4,
            7 | 8 => 11,
            9 => 7,
            _ => 8,
        };
        assert_eq!(refine(11, to), [vec![0, 1, 2, 3, 4, 5, 6], vec![7, 8], vec![9, 10]]);
    }
}
