//! A filter of the names in the name table, by the hash of DT_GNU_HASH.
//!
//! To look a name up in the table, its own hash must be computed. Libraries contain the DT_GNU_HASH
//! hashes of their names, and that function is much cheaper. So if libraries export many more names
//! than the table has, the names of the table are hashed with that function instead. Of a library's
//! names only those are read whose hash occurs among these.

use crate::format::gnu_hash::gnu_hash;
use skald_core::column::zeroed;
use skald_core::names::{NameId, NameTable};
use skald_core::par::prelude::*;
use skald_linking::name_pools::NamePools;
use std::sync::atomic::{AtomicU64, Ordering};

/// Bits of the filter for each name: one in this many other names passes.
const BITS_PER_NAME: usize = 16;

/// A bit array in which each name's hash sets a bit.
pub struct NameFilter {
    words: Vec<AtomicU64>,
}

impl NameFilter {
    /// The filter of all names in the table.
    pub fn new(names: &NameTable, pools: &NamePools) -> NameFilter {
        let count = names.id_limit();
        let words = (count * BITS_PER_NAME / 64).next_power_of_two();
        let filter = NameFilter { words: zeroed(words) };
        (0..count).into_par_iter().with_min_len(1 << 10).for_each(|at| {
            let id = NameId::from_index(at);
            let (word, bit) = filter.place(gnu_hash(pools.name(names, id)));
            filter.words[word].fetch_or(bit, Ordering::Relaxed);
        });
        filter
    }

    /// Whether a name with this hash may be in the table; the lowest bit of `hash` is ignored.
    #[inline]
    pub fn may_have(&self, hash: u32) -> bool {
        let (word, bit) = self.place(hash);
        self.words[word].load(Ordering::Relaxed) & bit != 0
    }

    #[inline]
    fn place(&self, hash: u32) -> (usize, u64) {
        let hash = hash as usize >> 1;
        ((hash / 64) & (self.words.len() - 1), 1 << (hash % 64))
    }
}
