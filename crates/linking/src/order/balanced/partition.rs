//! Recursive graph bisection: Laxman Dhulipala et al., "Compressing Graphs and Indexes with
//! Recursive Graph Bisection", KDD 2016.
//!
//! The nodes are divided into halves, initially by their order. Then pairs of nodes are exchanged
//! while that lowers the cost, an estimate of the bits needed to list the nodes of each utility.
//! Some moves are skipped at random, so that the search does not end in a local optimum. Each half
//! is then divided in the same way, in parallel if it is large; the order of the leaves is the
//! result. The random numbers depend only on the position in the tree, so the result is
//! deterministic.

use crate::sequence::Sequence;
use skald_core::id;
use skald_core::ids::{Column, IdSlice};
use skald_core::perturb::shuffled;
use std::cmp::Ordering;

/// Levels of the tree; nodes of a leaf keep their order.
const MAX_DEPTH: u32 = 18;
/// Rounds of exchanges for each cut.
const MAX_ROUNDS: usize = 40;
/// One of this many moves is skipped at random.
const LEFT_OUT: u64 = 10;
/// The halves of more nodes than this are ordered in parallel.
const TASK_SIZE: usize = 256;

id! {
    /// A property that several nodes have: see [`super`].
    UtilityId
}

/// A node to be ordered.
#[derive(Debug, Clone, Default)]
pub struct Node {
    /// The caller's number for the node.
    pub id: u32,
    /// The properties of the node, without repeats.
    pub utilities: Vec<UtilityId>,
}

#[derive(Debug)]
struct PlacedNode {
    node: Node,
    /// Index of the node in the input.
    place: u32,
    is_right: bool,
}

/// How many nodes of a utility are in either half, and how much moving one of them lowers the cost.
#[derive(Debug, Clone, Copy, Default)]
struct Split {
    left: u32,
    right: u32,
    gain_to_right: f32,
    gain_to_left: f32,
    is_stale: bool,
}

/// The ids of `nodes` in the order found. The result depends on the order of `nodes`; utilities are
/// below `utility_count`.
pub fn order(nodes: Vec<Node>, utility_count: usize) -> Vec<u32> {
    let mut placed: Vec<PlacedNode> =
        (0..).zip(nodes).map(|(place, node)| PlacedNode { node, place, is_right: false }).collect();
    bisect(&mut placed, utility_count, 0, 1);
    placed.iter().map(|placed| placed.node.id).collect()
}

/// Orders `nodes`, which are in input order. `branch` is the number of this position in the tree.
fn bisect(nodes: &mut [PlacedNode], utility_count: usize, depth: u32, branch: u64) {
    if nodes.len() <= 1 || depth == MAX_DEPTH {
        return;
    }
    let middle = nodes.len().div_ceil(2);
    for (at, node) in nodes.iter_mut().enumerate() {
        node.is_right = at >= middle;
    }
    let utility_count = renumber(nodes, utility_count);
    exchange(nodes, utility_count, branch);
    shuffled(nodes).sort_unstable_by_key(|node| (node.is_right, node.place));
    let middle = nodes.partition_point(|node| !node.is_right);
    let (left, right) = nodes.split_at_mut(middle);
    let left_task = |left| bisect(left, utility_count, depth + 1, 2 * branch);
    let right_task = |right| bisect(right, utility_count, depth + 1, 2 * branch + 1);
    if left.len() + right.len() > TASK_SIZE {
        skald_core::par::join(|| left_task(left), || right_task(right));
    } else {
        left_task(left);
        right_task(right);
    }
}

/// Removes the utilities that only one node or all nodes have, as these do not matter for the cut,
/// and renumbers the others densely. Returns how many remain.
fn renumber(nodes: &mut [PlacedNode], utility_count: usize) -> usize {
    let mut counts: Column<UtilityId, u32> = Column::filled(0, utility_count);
    for utility in nodes.iter().flat_map(|node| &node.node.utilities) {
        counts[*utility] += 1;
    }
    const DROPPED: u32 = u32::MAX;
    let mut next = 0;
    for count in &mut counts {
        if *count <= 1 || *count as usize == nodes.len() {
            *count = DROPPED;
        } else {
            *count = next;
            next += 1;
        }
    }
    for node in nodes.iter_mut() {
        node.node.utilities.retain_mut(|utility| {
            let number = counts[*utility];
            *utility = UtilityId::new(number);
            number != DROPPED
        });
    }
    next as usize
}

/// Moves nodes between the halves while that lowers the cost.
fn exchange(nodes: &mut [PlacedNode], utility_count: usize, branch: u64) {
    let mut splits = Column::filled(Split { is_stale: true, ..Split::default() }, utility_count);
    for node in nodes.iter() {
        for &utility in &node.node.utilities {
            let split = &mut splits[utility];
            *(if node.is_right { &mut split.right } else { &mut split.left }) += 1;
        }
    }
    let mut sequence = Sequence(branch);
    for _ in 0..MAX_ROUNDS {
        if exchange_once(nodes, &mut splits, &mut sequence) == 0 {
            break;
        }
    }
}

/// One round of moves; returns how many there were.
fn exchange_once(
    nodes: &mut [PlacedNode],
    splits: &mut IdSlice<UtilityId, Split>,
    sequence: &mut Sequence,
) -> usize {
    for split in splits.iter_mut().filter(|split| split.is_stale) {
        split.weigh();
    }
    let gain = |node: &PlacedNode| -> f32 {
        let gains = node.node.utilities.iter().map(|&utility| {
            let split = &splits[utility];
            if node.is_right { split.gain_to_left } else { split.gain_to_right }
        });
        gains.sum()
    };
    let side = |is_right: bool| {
        let on_side = (0..nodes.len()).filter(|&at| nodes[at].is_right == is_right);
        let mut gains: Vec<(f32, usize)> = on_side.map(|at| (gain(&nodes[at]), at)).collect();
        gains.sort_by(|a, b| b.0.partial_cmp(&a.0).unwrap_or(Ordering::Equal));
        gains
    };
    let (left, right) = (side(false), side(true));
    let mut moves = 0;
    for (&(left_gain, left), &(right_gain, right)) in left.iter().zip(&right) {
        // NaN counts as no gain, too.
        if left_gain + right_gain <= 0.0 || (left_gain + right_gain).is_nan() {
            break;
        }
        for at in [left, right] {
            if sequence.below(LEFT_OUT) != 0 {
                nodes[at].cross(splits);
                moves += 1;
            }
        }
    }
    moves
}

impl PlacedNode {
    fn cross(&mut self, splits: &mut IdSlice<UtilityId, Split>) {
        for &utility in &self.node.utilities {
            let split = &mut splits[utility];
            let Split { left, right, .. } = split;
            let (from, to) = if self.is_right { (right, left) } else { (left, right) };
            *from -= 1;
            *to += 1;
            split.is_stale = true;
        }
        self.is_right = !self.is_right;
    }
}

impl Split {
    fn weigh(&mut self) {
        let Split { left, right, .. } = *self;
        let now = cost(left, right);
        self.gain_to_right = if left > 0 { now - cost(left - 1, right + 1) } else { 0.0 };
        self.gain_to_left = if right > 0 { now - cost(left + 1, right - 1) } else { 0.0 };
        self.is_stale = false;
    }
}

/// The cost of a utility with these numbers of nodes in the halves: least if all are in one half.
/// The logarithm of the C library is not used: another version may round differently, which would
/// change the order.
fn cost(left: u32, right: u32) -> f32 {
    let half = |count: u32| count as f32 * libm::log2f(count as f32 + 1.0);
    -(half(left) + half(right))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_belongs_together_comes_together() {
        // Four kinds of nodes, mixed; each kind shares utilities.
        let node = |id: u32| {
            let kind = id * 7 % 4;
            Node { id, utilities: (0..5).map(|u| UtilityId::new(kind * 5 + u)).collect() }
        };
        let order = order((0..64).map(node).collect(), 20);
        let changes = order.windows(2).filter(|w| w[0] * 7 % 4 != w[1] * 7 % 4).count();
        assert!(changes <= 8, "{changes} changes in {order:?}");
        let mut sorted = order;
        sorted.sort_unstable();
        assert_eq!(sorted, (0..64).collect::<Vec<_>>());
    }

    #[test]
    fn one_result_with_any_number_of_threads() {
        let node = |id: u32| Node {
            id,
            utilities: (0..9).filter(|u| id >> u & 1 != 0).map(UtilityId::new).collect(),
        };
        let nodes: Vec<Node> = (0..1000).map(node).collect();
        let alone = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
        let first = alone.install(|| order(nodes.clone(), 9));
        assert_eq!(first, order(nodes, 9));
    }

    #[test]
    fn nothing_in_common_keeps_the_order() {
        let nodes = (0..9).map(|id| Node { id, utilities: vec![UtilityId::new(id)] }).collect();
        assert_eq!(order(nodes, 9), (0..9).collect::<Vec<_>>());
        assert_eq!(order(Vec::new(), 0), []);
    }
}
