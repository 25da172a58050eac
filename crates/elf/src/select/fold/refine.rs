//! Finds equal sections. Candidates of equal outline are put into classes, then by hashes of bytes
//! and descriptions; classes are refined by the classes they refer to
//! ([`skald_linking::refinement`]). At last the members of each class are compared with its leader.
//! A member that differs although its hash agrees leaves the class, and refinement goes on.

use super::candidates::Seen;
use super::description::{Describer, Description};
use super::{FoldInput, Folded};
use crate::resolve::definitions::SectionId;
use skald_core::hash::HashKey;
use skald_core::ids::Column;
use skald_core::par::prelude::*;
use skald_core::perturb::shuffled;
use skald_linking::refinement::{self, ClassNumbers, Member, Partition};
use std::sync::atomic::AtomicU32;

/// Sections that one task describes.
const CHUNK: usize = 1024;
/// Classes with more than one member.
struct Classes<'a> {
    describer: Describer<'a>,
    partition: Partition,
}

/// Finds equal sections; returns those that are dropped, ascending, with their leaders.
pub fn folded(input: &FoldInput<'_>, candidates: &[(SectionId, u64)]) -> Vec<Folded> {
    let column: Column<SectionId, AtomicU32> = Column::zeroed(input.definitions.sections.len());
    candidates.par_iter().with_min_len(1 << 13).for_each(|&(id, outline)| {
        refinement::begin(&column, id, outline);
    });
    let mut classes = Classes::new(Describer { input, classes: &column }, candidates);
    loop {
        classes.partition.refine(&column);
        let folded = classes.folded();
        let different = classes.different(&folded);
        if different.is_empty() {
            return folded;
        }
        classes.partition.separate(&column, &different);
    }
}

/// Results of a task that hashes candidates.
#[derive(Default)]
struct Hashed {
    members: Vec<(u64, Member)>,
    edges: Vec<SectionId>,
}

/// Hashes the bytes of candidates; returns those whose hash occurs more than once.
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

/// Hashes the descriptions of candidates; keeps those whose hash occurs more than once.
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

/// Whether the section's hash was seen more than once; if not, it is alone in its class.
fn stays(classes: &ClassNumbers, seen: &Seen, section: SectionId, hash: u64) -> bool {
    let is_repeated = seen.is_repeated(hash);
    if !is_repeated {
        refinement::set_alone(classes, section);
    }
    is_repeated
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
        let partition = Partition::new(describer.classes, all, edges, key);
        Classes { describer, partition }
    }

    /// All members of each class except the first, which is the leader.
    fn folded(&self) -> Vec<Folded> {
        let classes = self.partition.classes();
        let of_class = classes.flat_map(|class| {
            let leader = class[0].section;
            class[1..].iter().map(move |member| Folded { section: member.section, leader })
        });
        let mut all: Vec<Folded> = of_class.collect();
        shuffled(&mut all).par_sort_unstable();
        all
    }

    /// Those of `folded` that differ from their leader. `folded` is in input order, so that
    /// neighbours in memory are compared together.
    fn different(&self, folded: &[Folded]) -> Vec<SectionId> {
        let describer = self.describer;
        let differs = |folded: &&Folded| !describer.equal(folded.leader, folded.section);
        let different = folded.par_iter().with_min_len(CHUNK).filter(differs);
        different.map(|folded| folded.section).collect()
    }
}
