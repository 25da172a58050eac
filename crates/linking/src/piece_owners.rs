//! Finds the owner of each merged piece: the first of all equal pieces, which is stored.
//!
//! All pieces are entered in one open-addressing hash table of 8-byte slots, with prefetching; of
//! equal pieces the one with the lowest id is the owner. Equality is equality of the 128-bit keyed
//! hash.

use skald_core::column::{prefetch, release, zeroed};
use skald_core::hash::Hash128;
use skald_core::id;
use skald_core::ids::Column;
use skald_core::par::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering};

id! {
    /// A piece to be compared, in command-line order.
    PieceId
}

/// How many pieces a block has.
const BLOCK: usize = 1 << 12;
/// Least number of blocks in a task.
const MIN_BLOCKS: usize = 8;
/// How many probes ahead a slot is prefetched, and later the hash that it refers to.
const SLOT_DISTANCE: usize = 16;
const HASH_DISTANCE: usize = 8;

/// The hashes of all pieces, by piece.
///
/// They are in blocks, of which only the last one of a task is not full. So tasks hash the pieces
/// they split before the number of pieces is known, and no hash moves once it is written.
#[derive(Debug, Default)]
pub struct PieceHashes {
    blocks: Vec<Vec<Hash128>>,
}

impl PieceHashes {
    /// The id of the next piece.
    pub fn next(&self) -> PieceId {
        let last = self.blocks.last().map_or(BLOCK, Vec::len);
        PieceId::from_index(self.blocks.len() * BLOCK + last - BLOCK)
    }

    /// Adds a piece by its hash.
    #[inline]
    pub fn push(&mut self, hash: Hash128) {
        if let Some(block) = self.blocks.last_mut()
            && block.len() < BLOCK
        {
            return block.push(hash);
        }
        let mut block = Vec::with_capacity(BLOCK);
        block.push(hash);
        self.blocks.push(block);
    }

    /// Adds the pieces of another task; returns the number by which their ids grow.
    pub fn append(&mut self, mut others: PieceHashes) -> u32 {
        let base = (self.blocks.len() * BLOCK) as u32;
        self.blocks.append(&mut others.blocks);
        base
    }

    /// The hash of a piece.
    #[inline(always)]
    pub fn get(&self, piece: PieceId) -> Hash128 {
        let piece = piece.index();
        self.blocks[piece / BLOCK][piece % BLOCK]
    }

    #[inline(always)]
    fn prefetch(&self, piece: PieceId) {
        let piece = piece.index();
        if let Some(block) = self.blocks.get(piece / BLOCK) {
            prefetch(block, piece % BLOCK);
        }
    }

    /// The owner of every piece.
    pub fn owners(&self) -> Column<PieceId, PieceId> {
        let limit = self.blocks.len() * BLOCK;
        assert!(limit < u32::MAX as usize, "more than 2^32 mergeable pieces");
        let count: usize = self.blocks.iter().map(Vec::len).sum();
        // The table is nearly full only if no two pieces are equal.
        let slots: Vec<AtomicU64> = zeroed((count + count / 8).next_power_of_two().max(16));
        let mask = slots.len() - 1;
        let mut owners: Column<PieceId, PieceId> = Column::zeroed(limit);
        let tasks = owners.par_chunks_mut(BLOCK).zip(&self.blocks).enumerate();
        tasks.with_min_len(MIN_BLOCKS).for_each(|(at, (found, hashes))| {
            for (i, &hash) in hashes.iter().enumerate() {
                if let Some(&ahead) = hashes.get(i + SLOT_DISTANCE) {
                    prefetch(&slots, ahead as usize & mask);
                }
                if let Some(&ahead) = hashes.get(i + HASH_DISTANCE) {
                    let value = slots[ahead as usize & mask].load(Ordering::Relaxed);
                    self.prefetch(PieceId::new((value as u32).wrapping_sub(1)));
                }
                found[i] = PieceId::new(self.claim(&slots, hash, at * BLOCK + i));
            }
        });
        let tasks = owners.par_chunks_mut(BLOCK).zip(&self.blocks);
        tasks.with_min_len(MIN_BLOCKS).for_each(|(found, hashes)| {
            let found = &mut found[..hashes.len()];
            for i in 0..found.len() {
                if let Some(&ahead) = found.get(i + SLOT_DISTANCE) {
                    prefetch(&slots, ahead.index());
                }
                found[i] = PieceId::new(slots[found[i].index()].load(Ordering::Relaxed) as u32 - 1);
            }
        });
        release(slots);
        owners
    }

    /// Enters a piece in the table; returns its slot, which ends up with the lowest of equal
    /// pieces.
    #[inline(always)]
    fn claim(&self, slots: &[AtomicU64], hash: Hash128, piece: usize) -> u32 {
        let tag = (hash >> 96) as u64;
        let value = tag << 32 | (piece as u64 + 1);
        let mask = slots.len() - 1;
        let mut at = hash as usize & mask;
        loop {
            let current = slots[at].load(Ordering::Relaxed);
            if current == 0 {
                match slots[at].compare_exchange(0, value, Ordering::Relaxed, Ordering::Relaxed) {
                    Ok(_) => return at as u32,
                    Err(_) => continue,
                }
            }
            if current >> 32 == tag && self.get(PieceId::new(current as u32 - 1)) == hash {
                // Equal tags: the lower value is the lower piece.
                if current > value {
                    slots[at].fetch_min(value, Ordering::Relaxed);
                }
                return at as u32;
            }
            at = (at + 1) & mask;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_of_equal_pieces_owns() {
        let hash = |n: usize| (n as u128) << 96 | n as u128;
        let mut all = PieceHashes::default();
        let mut firsts = Vec::new();
        for _ in 0..3 {
            let mut task = PieceHashes::default();
            (0..BLOCK + 5).for_each(|n| task.push(hash(n % 700)));
            assert_eq!(task.next().index(), BLOCK + 5);
            firsts.push(all.append(task));
        }
        assert_eq!(firsts, [0, 2, 4].map(|n| n * BLOCK as u32));
        let owners = all.owners();
        for first in firsts {
            for n in 0..BLOCK + 5 {
                assert_eq!(owners[PieceId::new(first) + n as u32].index(), n % 700);
            }
        }
    }
}
