//! Name interning: one shared open-addressing table from names to dense ids.
//!
//! A slot is 8 bytes: a 32-bit tag of the hash and the id plus one. Inserts are compare-and-swap;
//! probes are prefetched a fixed distance ahead, because the caller hands over whole batches.
//! Equality of names is equality of their 128-bit keyed hashes. The table never grows while
//! threads insert: callers reserve room for the next batch of files first.
//!
//! Ids depend on which thread came first, so they must never reach the output nor be sorted by.

use crate::column::{PopulatedPrefix, prefetch, zeroed};
use crate::hash::{Hash128, HashKey};
use crate::id;
use crate::ids::Column;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard};

/// Where a name's bytes are: a registered pool of strings, and a range in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NameRef {
    /// The pool: chosen by the caller, for example the id of a file.
    pub pool: u32,
    /// Byte offset of the name in its pool.
    pub pool_offset: u32,
    /// Length in bytes.
    pub len: u32,
}

id! {
    /// An interned name. Ids are given by order of arrival, which differs from run to run.
    NameId
}

/// A name that is about to be interned.
#[derive(Debug, Clone, Copy)]
pub struct HashedName {
    /// Hash of the bytes under the table's key.
    pub hash: Hash128,
    /// Where the bytes are.
    pub name: NameRef,
}

/// How many probes ahead the slot is prefetched.
const PREFETCH_DISTANCE: usize = 16;
/// Ids that a thread reserves at a time, so that threads do not contend for the counter.
const ID_BLOCK: u32 = 64;

/// Names by their hash: an open hash table that all threads fill, and columns by id.
#[derive(Debug)]
pub struct NameTable {
    key: HashKey,
    slots: Vec<AtomicU64>,
    hashes: Column<NameId, [AtomicU64; 2]>,
    names: Column<NameId, [AtomicU32; 3]>,
    /// How far the two columns by id are populated.
    populated: [PopulatedPrefix; 2],
    next_id: AtomicU32,
    /// One for each thread of the pool, and one for other threads. The next file uses the ids that
    /// a small one leaves of a block, so that there are hardly more ids than names.
    stocks: Vec<Mutex<IdStock>>,
}

/// Ids that a thread has reserved.
#[derive(Debug, Default)]
pub struct IdStock {
    next: u32,
    end: u32,
}

impl NameTable {
    /// A table with room for `names` names. The columns by id reserve address space for `likely`
    /// ids at once: the unused part costs no memory, while growing them would cost a copy.
    pub fn new(key: HashKey, names: usize, likely: usize) -> NameTable {
        let mut table = NameTable {
            key,
            slots: Vec::new(),
            hashes: Column::reserved(likely),
            names: Column::reserved(likely),
            populated: Default::default(),
            next_id: AtomicU32::new(0),
            stocks: (0..=crate::par::threads()).map(|_| Mutex::default()).collect(),
        };
        table.reserve(names);
        table
    }

    /// The key that names are hashed with.
    pub fn key(&self) -> &HashKey {
        &self.key
    }

    /// Upper bound of the ids given out so far; some below it may be unused.
    pub fn id_limit(&self) -> usize {
        self.next_id.load(Ordering::Relaxed) as usize
    }

    /// How many names there are. It walks through the whole table.
    pub fn count(&self) -> usize {
        self.slots.iter().filter(|slot| slot.load(Ordering::Relaxed) != 0).count()
    }

    /// Ids that fit before the next [`NameTable::reserve`].
    pub fn capacity(&self) -> usize {
        self.hashes.len()
    }

    /// How many more names fit without a larger table.
    pub fn room(&self) -> usize {
        (self.slots.len() * 4 / 7).saturating_sub(self.id_limit())
    }

    /// Prepares for ids below `limit`, of which most are about to be given out.
    pub fn expect(&self, limit: usize) {
        let [hashes, names] = &self.populated;
        hashes.extend(&self.hashes, limit);
        names.extend(&self.names, limit);
    }

    /// Makes room for `names` more names.
    pub fn reserve(&mut self, names: usize) {
        let ids = self.id_limit() + names + self.stocks.len() * ID_BLOCK as usize;
        assert!(ids < u32::MAX as usize, "more names than ids");
        if ids > self.hashes.len() {
            let capacity = ids.max(self.hashes.len() + self.hashes.len() / 2);
            let used = self.id_limit();
            grow(&mut self.hashes, used, capacity);
            grow(&mut self.names, used, capacity);
            self.populated = [PopulatedPrefix::new(used), PopulatedPrefix::new(used)];
        }
        // At most 4/7 full, counting every name as new.
        let wanted = ((self.id_limit() + names) * 7 / 4).next_power_of_two().max(64);
        if wanted > self.slots.len() {
            self.rehash(wanted);
        }
    }

    fn rehash(&mut self, slot_count: usize) {
        let old = std::mem::replace(&mut self.slots, zeroed(slot_count));
        let mask = slot_count - 1;
        for slot in old {
            let value = slot.into_inner();
            if value == 0 {
                continue;
            }
            let id = NameId::new(value as u32 - 1);
            let mut at = self.stored_hash(id) as usize & mask;
            while *self.slots[at].get_mut() != 0 {
                at = (at + 1) & mask;
            }
            *self.slots[at].get_mut() = value;
        }
    }

    /// The stock of this thread, for [`NameTable::intern`] and [`NameTable::intern_batch`]. Nothing
    /// else may be interned by the thread while it is held.
    pub fn stock(&self) -> MutexGuard<'_, IdStock> {
        let own = rayon::current_thread_index().map_or(0, |index| index + 1);
        let stock = self.stocks.get(own).unwrap_or(&self.stocks[0]);
        stock.lock().unwrap_or_else(|e| e.into_inner())
    }

    /// Interns `batch`, writing one id a name to `ids`.
    pub fn intern_batch(&self, batch: &[HashedName], stock: &mut IdStock, ids: &mut [NameId]) {
        let mask = self.slots.len() - 1;
        for name in batch.iter().take(PREFETCH_DISTANCE) {
            prefetch(&self.slots, name.hash as usize & mask);
        }
        for (i, (name, id)) in batch.iter().zip(ids).enumerate() {
            if let Some(ahead) = batch.get(i + PREFETCH_DISTANCE) {
                prefetch(&self.slots, ahead.hash as usize & mask);
            }
            // The slot was prefetched; the stored hash of its name would be the second cache miss.
            if let Some(ahead) = batch.get(i + PREFETCH_DISTANCE / 2) {
                let value = self.slots[ahead.hash as usize & mask].load(Ordering::Relaxed);
                prefetch(&self.hashes, (value as u32).wrapping_sub(1) as usize);
            }
            *id = self.intern(*name, stock);
        }
    }

    /// Interns `name`: returns its id, a new one if it was not there.
    #[inline]
    pub fn intern(&self, name: HashedName, stock: &mut IdStock) -> NameId {
        let mask = self.slots.len() - 1;
        let tag = tag_of(name.hash);
        let mut at = name.hash as usize & mask;
        loop {
            let value = self.slots[at].load(Ordering::Acquire);
            if value == 0 {
                match self.claim(at, tag, name, stock) {
                    Some(id) => return id,
                    // Another thread took the slot, perhaps for the same name.
                    None => continue,
                }
            }
            if value >> 32 == tag && self.stored_hash(NameId::new(value as u32 - 1)) == name.hash {
                return NameId::new(value as u32 - 1);
            }
            at = (at + 1) & mask;
        }
    }

    fn claim(&self, at: usize, tag: u64, name: HashedName, stock: &mut IdStock) -> Option<NameId> {
        if stock.next == stock.end {
            stock.next = self.next_id.fetch_add(ID_BLOCK, Ordering::Relaxed);
            stock.end = stock.next + ID_BLOCK;
        }
        let id = NameId::new(stock.next);
        let [high, low] = &self.hashes[id];
        high.store((name.hash >> 64) as u64, Ordering::Relaxed);
        low.store(name.hash as u64, Ordering::Relaxed);
        let [pool, pool_offset, len] = &self.names[id];
        pool.store(name.name.pool, Ordering::Relaxed);
        pool_offset.store(name.name.pool_offset, Ordering::Relaxed);
        len.store(name.name.len, Ordering::Relaxed);
        let value = tag << 32 | u64::from(id + 1);
        self.slots[at].compare_exchange(0, value, Ordering::Release, Ordering::Relaxed).ok().map(
            |_| {
                stock.next += 1;
                id
            },
        )
    }

    /// The id of a name by its bytes, if it is there. Callers with many names find them by
    /// [`Self::find_batch`].
    pub fn find_text(&self, text: &[u8]) -> Option<NameId> {
        self.find(self.key.hash(text))
    }

    /// The id of a name, if it has been interned.
    pub fn find(&self, hash: Hash128) -> Option<NameId> {
        let mask = self.slots.len() - 1;
        let tag = tag_of(hash);
        let mut at = hash as usize & mask;
        loop {
            let value = self.slots[at].load(Ordering::Acquire);
            if value == 0 {
                return None;
            }
            if value >> 32 == tag && self.stored_hash(NameId::new(value as u32 - 1)) == hash {
                return Some(NameId::new(value as u32 - 1));
            }
            at = (at + 1) & mask;
        }
    }

    /// [`NameTable::find`] for many hashes.
    pub fn find_batch(&self, hashes: &[Hash128]) -> Vec<Option<NameId>> {
        let mask = self.slots.len() - 1;
        let find = |(at, hash): (usize, &Hash128)| {
            if let Some(&ahead) = hashes.get(at + PREFETCH_DISTANCE) {
                prefetch(&self.slots, ahead as usize & mask);
            }
            if let Some(&ahead) = hashes.get(at + PREFETCH_DISTANCE / 2) {
                let value = self.slots[ahead as usize & mask].load(Ordering::Relaxed);
                prefetch(&self.hashes, (value as u32).wrapping_sub(1) as usize);
            }
            self.find(*hash)
        };
        hashes.iter().enumerate().map(find).collect()
    }

    /// Where the bytes of the name `id` are.
    pub fn name(&self, id: NameId) -> NameRef {
        let [pool, pool_offset, len] = &self.names[id];
        NameRef {
            pool: pool.load(Ordering::Relaxed),
            pool_offset: pool_offset.load(Ordering::Relaxed),
            len: len.load(Ordering::Relaxed),
        }
    }

    #[inline(always)]
    fn stored_hash(&self, id: NameId) -> Hash128 {
        let [high, low] = &self.hashes[id];
        u128::from(high.load(Ordering::Relaxed)) << 64 | u128::from(low.load(Ordering::Relaxed))
    }
}

/// The tag is from the high bits of the hash, the slot's index from the low ones. A used slot is
/// never zero, because the id is stored plus one.
#[inline(always)]
fn tag_of(hash: Hash128) -> u64 {
    (hash >> 96) as u64
}

fn grow<const N: usize, T>(column: &mut Column<NameId, [T; N]>, used: usize, capacity: usize)
where
    T: crate::column::ZeroValid,
{
    let old = std::mem::replace(column, Column::reserved(capacity));
    for (new, old) in column.iter_mut().zip(old).take(used) {
        *new = old;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::par::prelude::*;

    fn hashed(table: &NameTable, n: u32) -> HashedName {
        let text = format!("name{n}");
        let name = NameRef { pool: 0, pool_offset: n, len: text.len() as u32 };
        HashedName { hash: table.key().hash(text.as_bytes()), name }
    }

    #[test]
    fn threads_agree_on_ids() {
        let mut table = NameTable::new(HashKey::random(), 1000, 4000);
        for round in 1..4u32 {
            let count = round * if cfg!(miri) { 15 } else { 5000 };
            table.reserve(count as usize * 8);
            let ids: Vec<Vec<NameId>> = (0..8)
                .into_par_iter()
                .map(|_| {
                    let batch: Vec<_> = (0..count).map(|n| hashed(&table, n)).collect();
                    let mut ids = vec![NameId::default(); batch.len()];
                    table.intern_batch(&batch, &mut table.stock(), &mut ids);
                    ids
                })
                .collect();
            assert!(ids.iter().all(|other| *other == ids[0]));
            for (n, &id) in ids[0].iter().enumerate() {
                assert_eq!(table.name(id).pool_offset as usize, n);
                assert_eq!(table.find(hashed(&table, n as u32).hash), Some(id));
            }
        }
        assert_eq!(table.find(hashed(&table, 99_999_999).hash), None);
    }
}
