//! A set of patterns with values, to look the value of a name up.
//!
//! A pattern without a wildcard is *exact* and beats every wildcard. Among wildcards, and among
//! equal exact names, the [`Order`] given when the set is made decides.
//!
//! A look-up happens once per symbol of a link. Exact names are in a hash table behind a filter of
//! lengths; wildcards are in a trie by their literal prefix. A look-up allocates nothing and a set
//! is shared by all threads.

use super::glob::Glob;
use super::prefix_trie::{self, PrefixTrie};
use skald_core::id;
use skald_core::ids::Column;
use skald_core::unordered::UnorderedMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

/// Which of several matching patterns gives the value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// The one inserted first.
    FirstWins,
    /// The one inserted last.
    LastWins,
}

id! {
    /// A pattern with a wildcard, in the order of insertion.
    WildcardId
}

/// Patterns and their values.
#[derive(Debug, Clone)]
pub struct PatternSet<T> {
    order: Order,
    exact: UnorderedMap<Arc<[u8]>, T>,
    /// Bit `length % 64` is set for each exact name's length.
    exact_lengths: u64,
    wildcards: Column<WildcardId, Wildcard<T>>,
    /// Wildcards by their literal prefixes; those of one prefix ascend.
    trie: PrefixTrie<WildcardId>,
}

#[derive(Debug, Clone)]
struct Wildcard<T> {
    glob: Glob,
    /// A name that has the literal prefix matches: the pattern is a prefix and a star.
    is_prefix: bool,
    value: T,
}

impl<T: Copy> PatternSet<T> {
    /// An empty set.
    pub fn new(order: Order) -> PatternSet<T> {
        PatternSet {
            order,
            exact: UnorderedMap::new(),
            exact_lengths: 0,
            wildcards: Column::new(),
            trie: PrefixTrie::default(),
        }
    }

    /// Adds a pattern of [`Glob`] syntax; without a wildcard it is an exact name.
    pub fn insert(&mut self, pattern: &[u8], value: T) {
        let glob = Glob::new(pattern);
        match glob.as_literal() {
            Some(name) => self.insert_exact(name, value),
            None => self.insert_wildcard(glob, value),
        }
    }

    /// Reserves room for `additional` exact names.
    pub fn reserve_exact(&mut self, additional: usize) {
        self.exact.reserve(additional);
    }

    /// Adds a name without wildcards, whatever bytes it has.
    pub fn insert_exact(&mut self, name: impl Into<Arc<[u8]>>, value: T) {
        let name = name.into();
        self.exact_lengths |= length_bit(&name);
        match self.exact.entry(name) {
            Entry::Vacant(entry) => {
                entry.insert(value);
            }
            Entry::Occupied(mut entry) => {
                if self.order == Order::LastWins {
                    entry.insert(value);
                }
            }
        }
    }

    /// Adds a compiled pattern as a wildcard, even if it matches one name only.
    pub fn insert_wildcard(&mut self, glob: Glob, value: T) {
        let prefix = glob.literal_prefix();
        let is_prefix = glob.is_prefix() && prefix.len() <= prefix_trie::MAX_DEPTH;
        let id = self.wildcards.push(Wildcard { glob, is_prefix, value });
        self.trie.insert(&prefix, id);
    }

    /// The value of `name`: that of its exact entry, or else of the wildcard that wins.
    pub fn get(&self, name: &[u8]) -> Option<T> {
        self.get_exact(name).or_else(|| self.get_wildcard(name))
    }

    /// The value of the exact entry `name`.
    pub fn get_exact(&self, name: &[u8]) -> Option<T> {
        if self.exact_lengths & length_bit(name) == 0 {
            return None;
        }
        self.exact.get(name).copied()
    }

    /// The value of the wildcard that matches `name` and wins by the order of the set.
    pub fn get_wildcard(&self, name: &[u8]) -> Option<T> {
        let mut best = None;
        self.trie.visit(name, |wildcards| best = self.better(wildcards, name, best));
        best.map(|index| self.wildcards[index].value)
    }

    /// The id that wins among `best` and those of `wildcards` that match.
    fn better(
        &self,
        wildcards: &[WildcardId],
        name: &[u8],
        best: Option<WildcardId>,
    ) -> Option<WildcardId> {
        let fits = |&&index: &&WildcardId| {
            let wildcard = &self.wildcards[index];
            wildcard.is_prefix || wildcard.glob.matches(name)
        };
        let found = match self.order {
            Order::FirstWins => wildcards
                .iter()
                .take_while(|&&index| best.is_none_or(|best| index < best))
                .find(fits),
            Order::LastWins => wildcards
                .iter()
                .rev()
                .take_while(|&&index| best.is_none_or(|best| index > best))
                .find(fits),
        };
        found.copied().or(best)
    }

    /// Whether no pattern was added.
    pub fn is_empty(&self) -> bool {
        self.exact.is_empty() && self.wildcards.is_empty()
    }
}

fn length_bit(name: &[u8]) -> u64 {
    1 << (name.len() % 64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn set(order: Order, patterns: &[&str]) -> PatternSet<usize> {
        let mut set = PatternSet::new(order);
        for (value, pattern) in patterns.iter().enumerate() {
            set.insert(pattern.as_bytes(), value);
        }
        set
    }

    #[test]
    fn exact_beats_wildcards_and_order_decides() {
        let patterns = ["*", "f*", "foo", "fo*", "*o", "bar", "bar", "b\\*"];
        let first = set(Order::FirstWins, &patterns);
        let last = set(Order::LastWins, &patterns);
        let rows: [(&str, usize, usize); 6] =
            [("foo", 2, 2), ("foz", 0, 3), ("fx", 0, 1), ("fao", 0, 4), ("bar", 5, 6), ("", 0, 0)];
        for (name, with_first, with_last) in rows {
            assert_eq!(first.get(name.as_bytes()), Some(with_first), "{name}");
            assert_eq!(last.get(name.as_bytes()), Some(with_last), "{name}");
        }
        assert_eq!(first.get_exact(b"b*"), Some(7));
        assert_eq!(first.get_exact(b"bx"), None);
        assert_eq!(first.get_wildcard(b"foo"), Some(0));
    }

    #[test]
    fn no_match_is_none() {
        let set = set(Order::FirstWins, &["foo", "b*"]);
        assert_eq!(set.get(b"fo"), None);
        assert_eq!(set.get(b"x"), None);
        assert!(!set.is_empty());
        assert!(PatternSet::<()>::new(Order::FirstWins).is_empty());
    }

    #[test]
    fn long_prefixes_are_told_apart() {
        let long = "x".repeat(100);
        let patterns = [format!("{long}a*"), format!("{long}b*")];
        let set = set(Order::FirstWins, &[&patterns[0], &patterns[1]]);
        assert_eq!(set.get(format!("{long}bcd").as_bytes()), Some(1));
        assert_eq!(set.get(long.as_bytes()), None);
    }

    proptest! {
        #[test]
        fn agrees_with_a_scan(
            patterns in prop::collection::vec("[ab*?]{0,5}", 0..12),
            name in "[ab]{0,6}",
        ) {
            let refs: Vec<&str> = patterns.iter().map(String::as_str).collect();
            let name = name.as_bytes();
            let fits = |pattern: &&String| Glob::new(pattern.as_bytes()).matches(name);
            let is_exact =
                |pattern: &&String| Glob::new(pattern.as_bytes()).as_literal().is_some();
            let exact = patterns.iter().filter(is_exact).position(|p| p.as_bytes() == name);
            for order in [Order::FirstWins, Order::LastWins] {
                let set = set(order, &refs);
                prop_assert_eq!(set.get_exact(name).is_some(), exact.is_some());
                let matching: Vec<usize> = (0..patterns.len())
                    .filter(|&i| fits(&&patterns[i]) && !is_exact(&&patterns[i]))
                    .collect();
                let expected = match order {
                    Order::FirstWins => matching.first(),
                    Order::LastWins => matching.last(),
                };
                prop_assert_eq!(set.get_wildcard(name), expected.copied());
            }
        }
    }
}
