//! Values at prefixes: which of them stand on the way along a name?
//!
//! Patterns hang at their literal prefix, so that a name meets only those whose prefix it has, and
//! most names leave the trie after a byte or two.

/// Longer prefixes hang at their first bytes: deeper levels would cost memory and tell little.
pub const MAX_DEPTH: usize = 32;

/// A trie over bytes.
#[derive(Debug, Clone)]
pub struct PrefixTrie<T> {
    /// The first one is the root.
    nodes: Vec<Node<T>>,
}

#[derive(Debug, Clone)]
struct Node<T> {
    edges: Vec<(u8, u32)>,
    values: Vec<T>,
}

impl<T> Node<T> {
    fn next(&self, byte: u8) -> Option<usize> {
        self.edges.iter().find(|edge| edge.0 == byte).map(|edge| edge.1 as usize)
    }
}

impl<T> Default for Node<T> {
    fn default() -> Node<T> {
        Node { edges: Vec::new(), values: Vec::new() }
    }
}

impl<T> Default for PrefixTrie<T> {
    fn default() -> PrefixTrie<T> {
        PrefixTrie { nodes: vec![Node::default()] }
    }
}

impl<T> PrefixTrie<T> {
    /// Adds a value, behind those that have the same prefix.
    pub fn insert(&mut self, prefix: &[u8], value: T) {
        let mut node = 0;
        for &byte in prefix.iter().take(MAX_DEPTH) {
            node = match self.nodes[node].next(byte) {
                Some(next) => next,
                None => {
                    let next = self.nodes.len();
                    self.nodes.push(Node::default());
                    self.nodes[node].edges.push((byte, next as u32));
                    next
                }
            };
        }
        self.nodes[node].values.push(value);
    }

    /// Shows the values of each prefix of `name` that has any, the shortest first, in the order in
    /// which they were added. Only the first [`MAX_DEPTH`] bytes of a prefix are sure to be those
    /// of the name. A loop and no iterator: each name of a link may be asked for.
    #[inline(always)]
    pub fn visit(&self, name: &[u8], mut see: impl FnMut(&[T])) {
        let mut node = &self.nodes[0];
        let mut bytes = name.iter();
        loop {
            if !node.values.is_empty() {
                see(&node.values);
            }
            match bytes.next().and_then(|&byte| node.next(byte)) {
                Some(next) => node = &self.nodes[next],
                None => return,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn met(trie: &PrefixTrie<usize>, name: &[u8]) -> Vec<usize> {
        let mut met = Vec::new();
        trie.visit(name, |values| met.extend_from_slice(values));
        met
    }

    #[test]
    fn a_name_meets_its_prefixes() {
        let mut trie = PrefixTrie::default();
        for (at, prefix) in ["", "ab", "a", "ab", "abc"].iter().enumerate() {
            trie.insert(prefix.as_bytes(), at);
        }
        assert_eq!(met(&trie, b""), [0]);
        assert_eq!(met(&trie, b"abd"), [0, 2, 1, 3]);
        assert_eq!(met(&trie, b"abcd"), [0, 2, 1, 3, 4]);
        assert_eq!(met(&trie, b"xab"), [0]);
    }

    #[test]
    fn a_long_prefix_hangs_at_its_first_bytes() {
        let mut trie = PrefixTrie::default();
        trie.insert(&[b'x'; 2 * MAX_DEPTH], 1);
        assert!(met(&trie, &[b'x'; MAX_DEPTH - 1]).is_empty());
        assert_eq!(met(&trie, &[b'x'; MAX_DEPTH]), [1]);
    }
}
