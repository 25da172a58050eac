//! Orders sections so that equal runs of bytes are close together, within the window of a
//! compressor: compressed packages get smaller.
//!
//! Utilities are the distinct runs of 4 bytes in a section that occur in more than one section, but
//! in at most half of them. Sections with the same frequent runs are almost equal: only the first
//! one is a node, and the others are placed behind it.

use super::partition::{self, Node, UtilityId};
use crate::ids::SectionId;
use skald_core::par::prelude::*;
use skald_core::perturb::shuffled;
use skald_core::unordered::UnorderedMap;

/// Length of a run in bytes.
const RUN: usize = 4;
/// A run that occurs in more sections than this is frequent.
const FREQUENT: u32 = 5;

/// The order of `sections`, which are in command-line order; `bytes_of` is a section's content.
pub fn sort(
    sections: &[SectionId],
    bytes_of: impl Fn(SectionId) -> &'static [u8] + Sync,
) -> Vec<SectionId> {
    let runs: Vec<Vec<u32>> =
        sections.par_iter().map(|&section| distinct_runs(bytes_of(section))).collect();
    let counts = count(runs.iter());
    // By index of the first section with some set of frequent runs: the other sections with that
    // set.
    let mut followers: UnorderedMap<usize, Vec<usize>> = UnorderedMap::new();
    let mut first_with: UnorderedMap<Vec<u32>, usize> = UnorderedMap::new();
    let mut leaders = Vec::new();
    for (at, runs) in runs.iter().enumerate() {
        let frequent: Vec<u32> = runs.iter().copied().filter(|r| counts[r] > FREQUENT).collect();
        let first =
            if frequent.is_empty() { at } else { *first_with.entry(frequent).or_insert(at) };
        if first == at {
            leaders.push(at);
        } else {
            followers.entry(first).or_default().push(at);
        }
    }
    let (nodes, utility_count) = nodes(&leaders, &runs);
    let order = partition::order(nodes, utility_count);
    let with_followers = order.into_iter().flat_map(|at| {
        let at = at as usize;
        let others = followers.get(&at).map(Vec::as_slice).unwrap_or_default();
        std::iter::once(at).chain(others.iter().copied())
    });
    with_followers.map(|at| sections[at]).collect()
}

/// A node for each of `leaders`, and how many utilities there are.
fn nodes(leaders: &[usize], runs: &[Vec<u32>]) -> (Vec<Node>, usize) {
    let counts = count(leaders.iter().map(|&at| &runs[at]));
    let telling: Vec<u32> = counts
        .into_sorted()
        .into_iter()
        .filter(|&(_, count)| count > 1 && count as usize * 2 <= leaders.len())
        .map(|(run, _)| run)
        .collect();
    let node = |&at: &usize| {
        let utilities = runs[at].iter().filter_map(|run| telling.binary_search(run).ok());
        Node { id: at as u32, utilities: utilities.map(UtilityId::from_index).collect() }
    };
    (leaders.par_iter().map(node).collect(), telling.len())
}

/// By run, in how many sections it occurs.
fn count<'a>(sections: impl Iterator<Item = &'a Vec<u32>>) -> UnorderedMap<u32, u32> {
    let mut counts = UnorderedMap::new();
    for &run in sections.flatten() {
        *counts.entry(run).or_insert(0) += 1;
    }
    counts
}

fn distinct_runs(bytes: &[u8]) -> Vec<u32> {
    let mut runs: Vec<u32> = bytes
        .windows(RUN)
        .map(|run| u32::from_le_bytes(run.try_into().expect("as long as a word")))
        .collect();
    shuffled(&mut runs).sort_unstable();
    runs.dedup();
    runs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn alike_stands_by_alike() {
        let texts: [&[u8]; 4] = [
            b"the quick brown fox jumps over the lazy dog",
            b"pack my box with five dozen liquor jugs, please",
            b"sphinx of black quartz, judge my vow and tell me",
            b"how vexingly quick daft zebras jump across rivers",
        ];
        let ids: Vec<SectionId> = (0..32).map(SectionId::new).collect();
        let order = sort(&ids, |id| &texts[id.index() % 4][id.index() / 4 % 3..]);
        let changes = order.windows(2).filter(|w| w[0].index() % 4 != w[1].index() % 4).count();
        assert!(changes <= 6, "{order:?}");
        let mut sorted = order;
        sorted.sort_unstable();
        assert_eq!(sorted, ids);
    }

    #[test]
    fn short_sections_stay() {
        let ids = [4, 5, 6].map(SectionId::new);
        assert_eq!(sort(&ids, |_| b"ab"), ids);
        assert_eq!(sort(&[], |_| b""), []);
    }
}
