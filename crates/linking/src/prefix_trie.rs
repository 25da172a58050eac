//! A trie of byte strings with values: finds the values of all prefixes of a name.
//!
//! Patterns are stored by their literal prefix, so that a name is compared only with patterns whose
//! prefix it has; most names leave the trie after a byte or two.

/// Longer prefixes are stored by their first bytes: deeper levels would cost memory and exclude
/// little.
pub const MAX_DEPTH: usize = 32;

/// A trie over bytes.
#[derive(Debug, Clone)]
pub struct PrefixTrie<T> {
    /// The nodes; the first is the root.
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
    /// Adds a value, behind others of the same prefix.
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

    /// Calls `see` with the values of each prefix of `name`, the shortest first, in the order in
    /// which they were added. Only the first [`MAX_DEPTH`] bytes of a prefix have been compared.
    /// This is a loop and not an iterator for speed, because each name of a link may be looked up.
    #[inline(always)]
    pub fn visit(&self, name: &[u8], see: impl FnMut(&[T])) {
        self.visit_bytes(name.iter(), see);
    }

    /// [`PrefixTrie::visit`] with the name read from its end: the values of suffixes that were
    /// added backwards.
    #[inline(always)]
    pub fn visit_backwards(&self, name: &[u8], see: impl FnMut(&[T])) {
        self.visit_bytes(name.iter().rev(), see);
    }

    #[inline(always)]
    fn visit_bytes<'a>(&self, mut bytes: impl Iterator<Item = &'a u8>, mut see: impl FnMut(&[T])) {
        let mut node = &self.nodes[0];
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
