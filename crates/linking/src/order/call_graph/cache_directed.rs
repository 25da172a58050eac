//! Cache-directed sort: chains of sections are joined while that improves the layout, always the
//! pair with the greatest gain.
//!
//! The model is that of Andy Newell and Sergey Pupyrev ("Improved Basic Block Reordering", IEEE
//! Transactions on Computers 2020), applied to functions. A layout is good if calls are short (each
//! is worth its count divided by a root of its distance) and if hot sections are dense, so that a
//! cache of a few lines has few misses. The gain of joining two chains is divided by the size of
//! the smaller one, so that short chains are joined first. There is an edge for every two chains
//! with calls between them; a queue holds the edges with a positive gain, the best first. Ties are
//! broken by the first sections of the chains, so the result is deterministic.

use super::{Calls, Nodes};
use crate::ids::SectionId;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// Number of lines of the modelled cache.
const CACHE_LINES: i32 = 16;
/// Size of a line in bytes.
const LINE_SIZE: f64 = 2048.0;
/// Most sections in a chain.
const MAX_SECTIONS: usize = 128;
/// A call is worth its count divided by this power of its distance.
const DISTANCE_POWER: f64 = 0.25;
/// Weight of density compared to distance.
const DENSITY_SCALE: f64 = 0.25;
/// Gains that differ by less than this are equal.
const EPSILON: f64 = 1e-8;

/// The order of the sections that `calls` mention; `size_of` is the size of a section.
pub fn sort(calls: &Calls, size_of: impl Fn(SectionId) -> u64) -> Vec<SectionId> {
    let mut nodes = Nodes::default();
    let mut jumps = Vec::new();
    for call in calls.calls.iter().filter(|call| call.count > 0) {
        let (from, to) = (nodes.number(call.from), nodes.number(call.to));
        if from != to {
            jumps.push(Jump { from, to, count: call.count });
        }
    }
    let sizes: Vec<u64> = nodes.sections.iter().map(|&id| size_of(id)).collect();
    let mut graph = Graph::new(&sizes, jumps);
    graph.join_all();
    graph.order().into_iter().map(|node| nodes.sections[node]).collect()
}

/// Calls from one section to another.
#[derive(Debug, Clone, Copy)]
struct Jump {
    from: usize,
    to: usize,
    count: u64,
}

#[derive(Debug)]
struct Chain {
    /// The sections of the chain, in order; empty once it is part of another one.
    members: Vec<usize>,
    size: u64,
    count: u64,
    /// Edges, by the chain at the other end.
    edges: BTreeMap<usize, usize>,
}

/// The calls between two chains, and the gain of joining them.
#[derive(Debug)]
struct Edge {
    /// The calling chain at first; after joining there may be calls both ways.
    from: usize,
    to: usize,
    /// Indices of the calls among all jumps.
    jumps: Vec<usize>,
    /// The gain of joining the two chains.
    gain: f64,
    /// The layout is better with `to` in front.
    reversed: bool,
}

/// An edge in the queue: greatest gain first, then by the first sections of its chains. Positive
/// numbers are ordered like their bits.
type Queued = (Reverse<u64>, usize, usize, usize);

#[derive(Debug)]
struct Graph {
    /// Sizes by section, in bytes.
    sizes: Vec<u64>,
    /// By section, its middle: the offset at which its calls are assumed to be. A call goes to the
    /// start of the callee.
    middles: Vec<u64>,
    jumps: Vec<Jump>,
    chains: Vec<Chain>,
    edges: Vec<Edge>,
    /// All calls, and the size of all called sections.
    total_count: f64,
    total_size: u64,
    /// By section, its chain, and its offset in the chain.
    chain_of: Vec<usize>,
    places: Vec<u64>,
}

impl Graph {
    fn new(sizes: &[u64], jumps: Vec<Jump>) -> Graph {
        let mut called = vec![0u64; sizes.len()];
        let mut calling = vec![0u64; sizes.len()];
        for jump in &jumps {
            called[jump.to] = called[jump.to].saturating_add(jump.count);
            calling[jump.from] = calling[jump.from].saturating_add(jump.count);
        }
        let middles = sizes.iter().map(|size| size.div_ceil(2)).collect();
        let sizes: Vec<u64> = sizes.iter().map(|&size| size.max(1)).collect();
        let hot = (0..sizes.len()).filter(|&node| called[node] > 0);
        let total_size = hot.fold(0u64, |sum, node| sum.saturating_add(sizes[node]));
        let alone = |node: usize| Chain {
            members: vec![node],
            size: sizes[node],
            count: called[node].max(calling[node]),
            edges: BTreeMap::new(),
        };
        let mut graph = Graph {
            middles,
            chains: (0..sizes.len()).map(alone).collect(),
            edges: Vec::new(),
            total_count: called.iter().map(|&count| count as f64).sum(),
            total_size,
            chain_of: (0..sizes.len()).collect(),
            places: vec![0; sizes.len()],
            sizes,
            jumps,
        };
        graph.connect();
        graph
    }

    /// Makes an edge for every two sections with calls between them.
    fn connect(&mut self) {
        let mut by_caller: Vec<usize> = (0..self.jumps.len()).collect();
        by_caller.sort_by_key(|&at| self.jumps[at].from);
        for at in by_caller {
            let Jump { from, to, .. } = self.jumps[at];
            if let Some(&edge) = self.chains[from].edges.get(&to) {
                self.edges[edge].jumps.push(at);
                continue;
            }
            let edge = self.edges.len();
            self.edges.push(Edge { from, to, jumps: vec![at], gain: 0.0, reversed: false });
            self.chains[from].edges.insert(to, edge);
            self.chains[to].edges.insert(from, edge);
        }
    }

    /// Joins chains while some pair has a gain.
    fn join_all(&mut self) {
        let mut queue: BTreeSet<Queued> = BTreeSet::new();
        for edge in 0..self.edges.len() {
            self.weigh(edge);
            queue.extend(self.queued(edge));
        }
        while let Some((_, _, _, best)) = queue.pop_first() {
            let Edge { from, to, reversed, .. } = self.edges[best];
            for chain in [from, to] {
                for &edge in self.chains[chain].edges.values() {
                    if let Some(queued) = self.queued(edge) {
                        queue.remove(&queued);
                    }
                }
            }
            self.join(from, to, reversed);
            let edges: Vec<usize> = self.chains[from].edges.values().copied().collect();
            for edge in edges {
                self.weigh(edge);
                queue.extend(self.queued(edge));
            }
        }
    }

    fn queued(&self, at: usize) -> Option<Queued> {
        let edge = &self.edges[at];
        let first = |chain: usize| self.chains[chain].members[0];
        (edge.gain > EPSILON)
            .then(|| (Reverse(edge.gain.to_bits()), first(edge.from), first(edge.to), at))
    }

    /// Computes the gain of joining the chains of an edge, and which of them goes in front.
    fn weigh(&mut self, at: usize) {
        let (from, to) = (self.edges[at].from, self.edges[at].to);
        let [a, b] = [&self.chains[from], &self.chains[to]];
        let (mut gain, mut reversed) = (-1.0, false);
        if a.members.len() + b.members.len() <= MAX_SECTIONS {
            let density_gain = DENSITY_SCALE * self.density_gain(a, b);
            for (backwards, front, back) in [(false, from, to), (true, to, from)] {
                let mut candidate = self.distance_gain(at, front, back) + density_gain;
                if candidate >= 0.0 {
                    candidate /= a.size.min(b.size) as f64;
                }
                // If both orders gain the same, the input order wins.
                let is_tie = (candidate - gain).abs() < EPSILON;
                let keeps_order = self.chains[front].members[0] < self.chains[back].members[0];
                if if is_tie { keeps_order } else { candidate > gain } {
                    (gain, reversed) = (candidate, backwards);
                }
            }
        }
        (self.edges[at].gain, self.edges[at].reversed) = (gain, reversed);
    }

    /// How many fewer cache misses two chains cause if they are joined.
    fn density_gain(&self, a: &Chain, b: &Chain) -> f64 {
        let misses = |count: f64, size: f64| {
            let in_line = count / size * LINE_SIZE;
            let share = in_line / self.total_count;
            if in_line >= self.total_count { 0.0 } else { count * (1.0 - share).powi(CACHE_LINES) }
        };
        let alone = |chain: &Chain| misses(chain.count as f64, chain.size as f64);
        let count = a.count.saturating_add(b.count) as f64;
        alone(a) + alone(b) - misses(count, a.size.saturating_add(b.size) as f64)
    }

    /// How much the calls of an edge gain with chain `back` behind `front`, compared to calls over
    /// a distance of all called code.
    fn distance_gain(&self, edge: usize, front: usize, back: usize) -> f64 {
        let value = |distance: u64, count: u64| {
            let distance = if distance == 0 { 0.1 } else { distance as f64 };
            // The power function of the C library is not used: another version may round
            // differently.
            count as f64 * libm::pow(distance, -DISTANCE_POWER)
        };
        let front_size = self.chains[front].size;
        let place = |node: usize| {
            let start = if self.chain_of[node] == back { front_size } else { 0 };
            start.saturating_add(self.places[node])
        };
        let (mut before, mut after) = (0.0, 0.0);
        for &jump in &self.edges[edge].jumps {
            let Jump { from, to, count } = self.jumps[jump];
            let start = place(from).saturating_add(self.middles[from]);
            after += value(start.abs_diff(place(to)), count);
            before += value(self.total_size, count);
        }
        after - before
    }

    /// Joins two chains: `gone` is appended to `into`, or put in front of it if `reversed`.
    fn join(&mut self, into: usize, gone: usize, reversed: bool) {
        let Chain { members, size, count, edges } = std::mem::replace(
            &mut self.chains[gone],
            Chain { members: Vec::new(), size: 0, count: 0, edges: BTreeMap::new() },
        );
        let chain = &mut self.chains[into];
        let before = std::mem::take(&mut chain.members);
        chain.members = if reversed { [members, before] } else { [before, members] }.concat();
        chain.size = chain.size.saturating_add(size);
        chain.count = chain.count.saturating_add(count);
        chain.edges.remove(&gone);
        let mut end = 0u64;
        for &node in &chain.members {
            self.places[node] = end;
            self.chain_of[node] = into;
            end = end.saturating_add(self.sizes[node]);
        }
        for (other, edge) in edges.into_iter().filter(|&(other, _)| other != into) {
            self.chains[other].edges.remove(&gone);
            if let Some(&kept) = self.chains[into].edges.get(&other) {
                let jumps = std::mem::take(&mut self.edges[edge].jumps);
                self.edges[kept].jumps.extend(jumps);
                continue;
            }
            let ends = &mut self.edges[edge];
            let end = if ends.from == gone { &mut ends.from } else { &mut ends.to };
            *end = into;
            self.chains[into].edges.insert(other, edge);
            self.chains[other].edges.insert(into, edge);
        }
    }

    /// The sections, chain by chain, the densest chain first.
    fn order(&self) -> Vec<usize> {
        let density = |chain: &Chain| chain.count as f64 / chain.size as f64;
        let mut kept: Vec<&Chain> =
            self.chains.iter().filter(|chain| !chain.members.is_empty()).collect();
        kept.sort_by(|a, b| {
            density(b).total_cmp(&density(a)).then_with(|| a.members[0].cmp(&b.members[0]))
        });
        kept.into_iter().flat_map(|chain| &chain.members).copied().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sorted(calls: &[(u32, u32, u64)], size: u64) -> Vec<u32> {
        let mut all = Calls::default();
        for &(from, to, count) in calls {
            all.add(SectionId::new(from), SectionId::new(to), count);
        }
        sort(&all, |_| size).into_iter().map(SectionId::number).collect()
    }

    #[test]
    fn the_likelier_callee_is_nearer() {
        assert_eq!(sorted(&[(0, 1, 10), (0, 2, 90)], 9), [0, 2, 1]);
        // A hot chain stays together.
        let calls = [(0, 1, 7), (1, 2, 7), (0, 3, 15), (3, 4, 15), (4, 4, 31), (4, 2, 15)];
        let order = sorted(&calls, 9);
        let place = |id: u32| order.iter().position(|&other| other == id).expect("sorted");
        assert_eq!(place(3), place(0) + 1);
        assert_eq!(place(4), place(0) + 2);
        assert_eq!(place(2), place(0) + 3);
    }

    #[test]
    fn every_section_stands_once() {
        let calls: Vec<_> =
            (0..400).map(|i| (i * 7 % 101, i * 13 % 97, u64::from(i % 9))).collect();
        let mut order = sorted(&calls, 0);
        let count = order.len();
        order.sort_unstable();
        order.dedup();
        assert_eq!(order.len(), count);
    }

    #[test]
    fn absurd_numbers_are_no_trouble() {
        let calls = [(0, 1, u64::MAX), (1, 2, u64::MAX), (2, 0, u64::MAX), (3, 3, 1)];
        assert_eq!(sorted(&calls, u64::MAX).len(), 4);
        assert_eq!(sorted(&[], 1), []);
    }
}
