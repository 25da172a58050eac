//! Huffman codes of limited length (RFC 1951, 3.2.2).

use skald_core::perturb::shuffled;

/// Code lengths and codes of `N` symbols; a symbol that does not occur has length 0.
#[derive(Debug, Clone, Copy)]
pub(super) struct Codes<const N: usize> {
    pub lengths: [u8; N],
    /// The bits of each code, the first one lowest.
    pub bits: [u16; N],
}

impl<const N: usize> Codes<N> {
    /// The codes for symbols that occur as often as `counts` says, none longer than `longest` bits.
    /// At least two symbols get codes, because some decoders reject a code for only one.
    pub fn of(counts: &[u32; N], longest: u8) -> Codes<N> {
        let lengths = lengths_of(counts, longest);
        Codes { lengths, bits: canonical(&lengths) }
    }
}

/// Length by symbol. The tree is built in the array of counts (Moffat and Katajainen, "In-place
/// calculation of minimum-redundancy codes", 1995).
fn lengths_of<const N: usize>(counts: &[u32; N], longest: u8) -> [u8; N] {
    let mut lengths = [0; N];
    // Count in the high bits and symbol in the low ones, so that symbols with equal counts have a
    // definite order.
    let mut sorted = [0u64; N];
    let mut len = 0;
    for (symbol, &count) in (0u64..).zip(counts) {
        sorted[len] = u64::from(count) << 16 | symbol;
        len += usize::from(count != 0);
    }
    if len < 2 {
        let only = sorted[0] as u16 as usize;
        let used = if len == 1 { only } else { 0 };
        lengths[used] = 1;
        lengths[usize::from(used == 0)] = 1;
        return lengths;
    }
    let sorted = &mut sorted[..len];
    shuffled(sorted).sort_unstable();
    let mut weights = [0u32; N];
    for (weight, &entry) in weights.iter_mut().zip(&*sorted) {
        *weight = (entry >> 16) as u32;
    }
    let per_length = count_lengths(&mut weights[..len], longest);
    let mut symbols = sorted.iter().map(|&entry| entry as u16 as usize);
    for (length, &count) in per_length.iter().enumerate().rev() {
        for symbol in symbols.by_ref().take(count as usize) {
            lengths[symbol] = length as u8;
        }
    }
    lengths
}

/// The number of codes of each length, for at least two weights in ascending order.
fn count_lengths(weights: &mut [u32], longest: u8) -> [u32; 16] {
    make_parents(weights);
    make_depths(weights);
    // Counts the inner nodes at each depth, from the root on; all other nodes of that depth are
    // leaves.
    let inner = &weights[..weights.len() - 1];
    let mut per_length = [0u32; 16];
    let mut open = 1;
    let mut rest = inner.iter().rev().peekable();
    for depth in 0u32.. {
        let mut nodes = 0;
        while rest.next_if(|&&of| of == depth).is_some() {
            nodes += 1;
        }
        let leaves = open - nodes;
        let length = depth.min(u32::from(longest)) as usize;
        per_length[length] += leaves;
        open = 2 * nodes;
        if open == 0 {
            break;
        }
    }
    limit(&mut per_length, longest);
    per_length
}

/// Replaces the weights, which ascend, by the index of the parent of each inner node; the last
/// inner node is the root.
fn make_parents(weights: &mut [u32]) {
    let len = weights.len();
    let (mut leaf, mut root) = (0, 0);
    for next in 0..len - 1 {
        let mut sum = 0;
        for _ in 0..2 {
            if leaf >= len || root < next && weights[root] < weights[leaf] {
                sum += weights[root];
                weights[root] = next as u32;
                root += 1;
            } else {
                sum += weights[leaf];
                leaf += 1;
            }
        }
        weights[next] = sum;
    }
}

/// Replaces the parent of each inner node by its depth.
fn make_depths(nodes: &mut [u32]) {
    let root = nodes.len() - 2;
    nodes[root] = 0;
    for node in (0..root).rev() {
        let parent = nodes[node] as usize;
        nodes[node] = nodes[parent] + 1;
    }
}

/// Repairs the counts after long codes were shortened to the limit, which breaks Kraft's
/// inequality: lengthens shorter codes until it holds.
fn limit(per_length: &mut [u32; 16], longest: u8) {
    let longest = usize::from(longest);
    let used = |per_length: &[u32; 16]| -> u32 {
        (1..=longest).map(|length| per_length[length] << (longest - length)).sum()
    };
    let mut excess = used(per_length).saturating_sub(1 << longest);
    while excess > 0 {
        // The deepest leaf above the last level moves one level down, and a leaf of the last level
        // becomes its sibling.
        let above = (1..longest).rev().find(|&length| per_length[length] != 0);
        let above = above.expect("fewer symbols than codes of the greatest length");
        per_length[above] -= 1;
        per_length[above + 1] += 2;
        per_length[longest] -= 1;
        excess -= 1;
    }
}

/// The canonical codes of these lengths: ascending by length, then by symbol.
fn canonical<const N: usize>(lengths: &[u8; N]) -> [u16; N] {
    let mut per_length = [0u16; 16];
    for &length in lengths {
        per_length[usize::from(length)] += 1;
    }
    per_length[0] = 0;
    let mut next = [0u16; 16];
    for length in 1..16 {
        next[length] = (next[length - 1] + per_length[length - 1]) << 1;
    }
    let mut bits = [0; N];
    for (bits, &length) in bits.iter_mut().zip(lengths) {
        if length != 0 {
            let code = &mut next[usize::from(length)];
            *bits = code.reverse_bits() >> (16 - length);
            *code = code.wrapping_add(1);
        }
    }
    bits
}
