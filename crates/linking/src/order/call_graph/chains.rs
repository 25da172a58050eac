//! Call-chain clustering, known as C3 or hfsort: Guilherme Ottoni and Bertrand Maher, "Optimizing
//! Function Placement for Large-Scale Data-Center Applications", CGO 2017.
//!
//! From the densest section to the least dense, the section's chain is appended to the chain of the
//! section's most frequent caller. This is not done if that caller makes too few of the calls, if
//! the joined chain would be larger than 1 MiB, or if the caller's chain would lose too much of its
//! density. The limits are those of lld, so the order is the same.

use super::{Calls, Nodes};
use crate::ids::SectionId;

/// Callers of fewer than one in this many calls of a section are ignored.
const LIKELY: u64 = 10;
/// Joining may divide the density of a chain by at most this.
const MAX_DILUTION: f64 = 8.0;
/// Most bytes of a chain.
const MAX_SIZE: u64 = 1 << 20;

#[derive(Debug)]
struct Chain {
    /// The sections of the chain, in order; empty once it is part of another one.
    members: Vec<usize>,
    size: u64,
    /// How often its sections are called.
    weight: u64,
}

impl Chain {
    fn density(&self) -> f64 {
        if self.size == 0 { 0.0 } else { self.weight as f64 / self.size as f64 }
    }

    /// Whether appending `other` would lower the density too much.
    fn is_diluted_by(&self, other: &Chain) -> bool {
        let weight = self.weight.saturating_add(other.weight) as f64;
        let density = weight / self.size.saturating_add(other.size) as f64;
        density < self.density() / MAX_DILUTION
    }
}

/// The order of the sections that `calls` mention; `size_of` is the size of a section.
pub fn sort(calls: &Calls, size_of: impl Fn(SectionId) -> u64) -> Vec<SectionId> {
    let mut nodes = Nodes::default();
    let ends: Vec<(usize, usize)> =
        calls.calls.iter().map(|call| (nodes.number(call.from), nodes.number(call.to))).collect();
    let alone = |(number, &section): (usize, &SectionId)| Chain {
        members: vec![number],
        size: size_of(section),
        weight: 0,
    };
    let mut chains: Vec<Chain> = nodes.sections.iter().enumerate().map(alone).collect();
    // By section, its most frequent caller, with the number of calls; the first one of equal
    // callers.
    let mut best_caller: Vec<Option<(usize, u64)>> = vec![None; chains.len()];
    for (&(from, to), call) in ends.iter().zip(&calls.calls) {
        chains[to].weight = chains[to].weight.saturating_add(call.count);
        if from != to && best_caller[to].is_none_or(|(_, count)| count < call.count) {
            best_caller[to] = Some((from, call.count));
        }
    }
    let own_weight: Vec<u64> = chains.iter().map(|chain| chain.weight).collect();
    let mut chain_of: Vec<usize> = (0..chains.len()).collect();
    for callee in by_density(&chains) {
        // The callee's chain is not joined to another one yet, so the chain has the callee's
        // number.
        let Some((caller, count)) = best_caller[callee] else { continue };
        if count.saturating_mul(LIKELY) <= own_weight[callee] {
            continue;
        }
        let into = leader(&mut chain_of, caller);
        let fits = chains[callee].size.saturating_add(chains[into].size) <= MAX_SIZE;
        if into == callee || !fits || chains[into].is_diluted_by(&chains[callee]) {
            continue;
        }
        chain_of[callee] = into;
        let Chain { members, size, weight } = std::mem::replace(
            &mut chains[callee],
            Chain { members: Vec::new(), size: 0, weight: 0 },
        );
        let chain = &mut chains[into];
        chain.members.extend(members);
        chain.size += size;
        chain.weight = chain.weight.saturating_add(weight);
    }
    let kept = by_density(&chains).into_iter().filter(|&at| chains[at].size > 0);
    kept.flat_map(|at| &chains[at].members).map(|&number| nodes.sections[number]).collect()
}

/// Chains from the densest to the least dense; ties keep their order.
fn by_density(chains: &[Chain]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..chains.len()).collect();
    order.sort_by(|&a, &b| chains[b].density().total_cmp(&chains[a].density()));
    order
}

/// The chain that a section is part of (a disjoint-set find with path halving).
fn leader(chain_of: &mut [usize], mut at: usize) -> usize {
    while chain_of[at] != at {
        chain_of[at] = chain_of[chain_of[at]];
        at = chain_of[at];
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn callees_follow_their_likeliest_callers() {
        let mut calls = Calls::default();
        for (from, to, count) in [(1, 2, 100), (1, 3, 40), (2, 3, 30), (3, 4, 90), (9, 1, 5)] {
            calls.add(SectionId::new(from), SectionId::new(to), count);
        }
        assert_eq!(sort(&calls, |_| 10), [9, 1, 2, 3, 4].map(SectionId::new));
        // A function with many callers, none of them frequent, stays alone.
        let mut calls = Calls::default();
        for from in 0..20 {
            calls.add(SectionId::new(from), SectionId::new(50), 3);
        }
        let order = sort(&calls, |_| 10);
        assert_eq!(order[0], SectionId::new(50));
        assert_eq!(order.len(), 21);
    }

    #[test]
    fn empty_and_huge_sections_are_no_trouble() {
        let mut calls = Calls::default();
        for (from, to) in [(1, 2), (2, 1), (1, 1)] {
            calls.add(SectionId::new(from), SectionId::new(to), u64::MAX);
        }
        assert_eq!(sort(&calls, |_| 0), []);
        assert_eq!(sort(&calls, |_| u64::MAX).len(), 2);
    }
}
