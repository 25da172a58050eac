//! Hash tables that cannot be iterated in their own order.
//!
//! An output that depends on how a table is laid out would differ from run to run. So these tables
//! offer look-up, counting, and their contents sorted by key, but no iteration in table order. Tidy
//! rejects the hash tables of the standard library.
//!
//! Keys are hashed by foldhash, keyed at random per process and table, so that no input can be made
//! of keys that collide; it takes a fourth of the time of the standard library's SipHash.

use foldhash::fast::RandomState;
use rayon::iter::{FromParallelIterator, IntoParallelIterator};
use std::borrow::Borrow;
use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::fmt;
use std::hash::{BuildHasher, Hash};
use std::ops::Index;

/// A hash map that shows no order: it has no iterator.
#[derive(Clone)]
pub struct UnorderedMap<K, V, S = RandomState>(HashMap<K, V, S>);

/// A hash set that shows no order: it has no iterator.
#[derive(Clone)]
pub struct UnorderedSet<K, S = RandomState>(HashSet<K, S>);

impl<K, V> UnorderedMap<K, V> {
    /// A map without keys, with a random hash key.
    pub fn new() -> Self {
        Self(HashMap::default())
    }

    /// An empty map with room for `capacity` keys.
    pub fn with_capacity(capacity: usize) -> Self {
        Self(HashMap::with_capacity_and_hasher(capacity, RandomState::default()))
    }
}

impl<K, V, S> UnorderedMap<K, V, S> {
    /// An empty map that hashes by `hasher`.
    pub const fn with_hasher(hasher: S) -> Self {
        Self(HashMap::with_hasher(hasher))
    }

    /// Makes room for `additional` more keys.
    pub fn reserve(&mut self, additional: usize)
    where
        K: Eq + Hash,
        S: BuildHasher,
    {
        self.0.reserve(additional);
    }

    /// How many keys have a value.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is no key.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether `is_wanted` accepts any key and value.
    pub fn any(&self, mut is_wanted: impl FnMut(&K, &V) -> bool) -> bool {
        self.0.iter().any(|(key, value)| is_wanted(key, value))
    }
}

impl<K: Eq + Hash, V, S: BuildHasher> UnorderedMap<K, V, S> {
    /// The value of `key`.
    pub fn get<Q: Eq + Hash + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        self.0.get(key)
    }

    /// The value of `key`, to be changed.
    pub fn get_mut<Q: Eq + Hash + ?Sized>(&mut self, key: &Q) -> Option<&mut V>
    where
        K: Borrow<Q>,
    {
        self.0.get_mut(key)
    }

    /// Whether `key` has a value.
    pub fn contains_key<Q: Eq + Hash + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.0.contains_key(key)
    }

    /// Gives `key` a value; returns the one it had.
    pub fn insert(&mut self, key: K, value: V) -> Option<V> {
        self.0.insert(key, value)
    }

    /// Takes `key` out; returns its value.
    pub fn remove<Q: Eq + Hash + ?Sized>(&mut self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        self.0.remove(key)
    }

    /// The entry of `key`, with or without a value.
    pub fn entry(&mut self, key: K) -> Entry<'_, K, V> {
        self.0.entry(key)
    }

    /// Keeps the values that are `wanted`.
    pub fn retain(&mut self, wanted: impl FnMut(&K, &mut V) -> bool) {
        self.0.retain(wanted);
    }
}

impl<K: Ord, V, S> UnorderedMap<K, V, S> {
    /// Keys and values, sorted by key.
    pub fn sorted(&self) -> Vec<(&K, &V)> {
        let mut all: Vec<_> = self.0.iter().collect();
        all.sort_by_key(|&(key, _)| key);
        all
    }

    /// Keys and values, sorted by key.
    pub fn into_sorted(self) -> Vec<(K, V)> {
        let mut all: Vec<_> = self.0.into_iter().collect();
        all.sort_by(|a, b| a.0.cmp(&b.0));
        all
    }
}

impl<K> UnorderedSet<K> {
    /// A set without keys, with a random hash key.
    pub fn new() -> Self {
        Self(HashSet::default())
    }

    /// An empty set with room for `capacity` keys.
    pub fn with_capacity(capacity: usize) -> Self {
        Self(HashSet::with_capacity_and_hasher(capacity, RandomState::default()))
    }
}

impl<K, S> UnorderedSet<K, S> {
    /// How many keys there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is no key.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<K: Eq + Hash, S: BuildHasher> UnorderedSet<K, S> {
    /// Whether `key` is in it.
    pub fn contains<Q: Eq + Hash + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.0.contains(key)
    }

    /// Puts `key` in; returns whether it was not there.
    pub fn insert(&mut self, key: K) -> bool {
        self.0.insert(key)
    }

    /// Takes `key` out; returns whether it was there.
    pub fn remove<Q: Eq + Hash + ?Sized>(&mut self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.0.remove(key)
    }
}

impl<K: Ord, S> UnorderedSet<K, S> {
    /// The keys, sorted.
    pub fn into_sorted(self) -> Vec<K> {
        let mut all: Vec<_> = self.0.into_iter().collect();
        all.sort();
        all
    }
}

impl<K, V, S: Default> Default for UnorderedMap<K, V, S> {
    fn default() -> Self {
        Self(HashMap::default())
    }
}

impl<K, S: Default> Default for UnorderedSet<K, S> {
    fn default() -> Self {
        Self(HashSet::default())
    }
}

impl<K, V, S> fmt::Debug for UnorderedMap<K, V, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "UnorderedMap({} keys)", self.0.len())
    }
}

impl<K, S> fmt::Debug for UnorderedSet<K, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "UnorderedSet({} keys)", self.0.len())
    }
}

impl<K: Eq + Hash, V: PartialEq, S: BuildHasher> PartialEq for UnorderedMap<K, V, S> {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

impl<K: Eq + Hash, S: BuildHasher> PartialEq for UnorderedSet<K, S> {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

impl<K, V, S, Q> Index<&Q> for UnorderedMap<K, V, S>
where
    K: Eq + Hash + Borrow<Q>,
    S: BuildHasher,
    Q: Eq + Hash + ?Sized,
{
    type Output = V;

    fn index(&self, key: &Q) -> &V {
        &self.0[key]
    }
}

impl<K: Eq + Hash, V, S: BuildHasher + Default> FromIterator<(K, V)> for UnorderedMap<K, V, S> {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(pairs: I) -> Self {
        Self(HashMap::from_iter(pairs))
    }
}

impl<K: Eq + Hash, S: BuildHasher + Default> FromIterator<K> for UnorderedSet<K, S> {
    fn from_iter<I: IntoIterator<Item = K>>(keys: I) -> Self {
        Self(HashSet::from_iter(keys))
    }
}

impl<K: Eq + Hash, V, S: BuildHasher> Extend<(K, V)> for UnorderedMap<K, V, S> {
    fn extend<I: IntoIterator<Item = (K, V)>>(&mut self, pairs: I) {
        self.0.extend(pairs);
    }
}

impl<K: Eq + Hash, S: BuildHasher> Extend<K> for UnorderedSet<K, S> {
    fn extend<I: IntoIterator<Item = K>>(&mut self, keys: I) {
        self.0.extend(keys);
    }
}

impl<K: Eq + Hash + Send> FromParallelIterator<K> for UnorderedSet<K> {
    fn from_par_iter<I: IntoParallelIterator<Item = K>>(keys: I) -> Self {
        Self(HashSet::from_par_iter(keys))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_comes_out_sorted() {
        let map: UnorderedMap<u32, char> = [(3, 'c'), (1, 'a'), (2, 'b')].into_iter().collect();
        assert_eq!(map.sorted(), [(&1, &'a'), (&2, &'b'), (&3, &'c')]);
        assert_eq!(map.into_sorted(), [(1, 'a'), (2, 'b'), (3, 'c')]);
        let set: UnorderedSet<u32> = (0..100).rev().collect();
        assert_eq!(set.into_sorted(), (0..100).collect::<Vec<_>>());
    }
}
