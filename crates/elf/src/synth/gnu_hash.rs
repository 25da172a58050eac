//! `.gnu.hash`: the hash table of the exported symbols of `.dynsym`.
//!
//! The format is described in [`crate::format::gnu_hash`]. The exported symbols come last in
//! `.dynsym`, sorted by bucket, so that a bucket is the index of its first symbol.
//! [`GnuHash::plan`] gives that order; within a bucket it is the caller's.
//!
//! Sizes: one bucket for four symbols, as lld: chains of four fit half a cache line and buckets
//! cost a byte per symbol. The filter has 12 bits per symbol, rounded up to a power of two words as
//! the loader demands: with two bits set for each symbol, 1-3 % of the lookups of missing names
//! pass it. Without symbols there is one bucket, empty, and one filter word, 0, which rejects every
//! name: glibc's and musl's loaders divide by the bucket count and mask with the filter size.

use crate::format::encoding::{Encoding, Word};
use crate::format::gnu_hash::HEADER_SIZE;
use skald_core::id;
use skald_core::ids::IdSlice;
use zerocopy::little_endian::U32;

const SYMBOLS_PER_BUCKET: usize = 4;
const BLOOM_BITS_PER_SYMBOL: usize = 12;
/// How far the hash is shifted for the second bit of the Bloom filter. Any bits would do except the
/// lowest 6, which give the first.
const BLOOM_SHIFT: u32 = 26;

id! {
    /// An exported symbol, in the order in which hashes are given to [`GnuHash::plan`].
    ExportId
}

/// The plan of `.gnu.hash`.
#[derive(Debug, Clone)]
pub struct GnuHash {
    encoding: Encoding,
    /// Hashes of the exported symbols, in `.dynsym` order.
    hashes: Vec<u32>,
    /// By bucket: index in `hashes` of its first symbol; one more entry is their number.
    bucket_starts: Vec<u32>,
    bloom_words: usize,
}

impl GnuHash {
    /// Lays out the table for exported symbols with `hashes`. The second result is the order that
    /// `.dynsym` must have: entry `i` says which of the given symbols is the `i`th hashed one.
    pub fn plan(encoding: Encoding, hashes: &IdSlice<ExportId, u32>) -> (GnuHash, Vec<ExportId>) {
        let count = hashes.len();
        let bucket_count = (count / SYMBOLS_PER_BUCKET).max(1);
        let bucket_of = |hash: u32| hash as usize % bucket_count;
        // A counting sort: stable, and linear.
        let mut bucket_starts = vec![0u32; bucket_count + 1];
        for &hash in hashes {
            bucket_starts[bucket_of(hash) + 1] += 1;
        }
        for bucket in 0..bucket_count {
            bucket_starts[bucket + 1] += bucket_starts[bucket];
        }
        let mut next = bucket_starts.clone();
        let mut order = vec![ExportId::default(); count];
        for (symbol, &hash) in hashes.with_ids() {
            let at = &mut next[bucket_of(hash)];
            order[*at as usize] = symbol;
            *at += 1;
        }
        let hashes = order.iter().map(|&symbol| hashes[symbol]).collect();
        let word_bits = 8 * encoding.word_size();
        let bloom_words = (count * BLOOM_BITS_PER_SYMBOL / word_bits).next_power_of_two();
        (GnuHash { encoding, hashes, bucket_starts, bloom_words }, order)
    }

    /// Bytes of the section.
    pub fn size(&self) -> u64 {
        let words = self.bucket_count() + self.hashes.len();
        (HEADER_SIZE + self.encoding.word_size() * self.bloom_words + 4 * words) as u64
    }

    fn bucket_count(&self) -> usize {
        self.bucket_starts.len() - 1
    }

    /// Fills `out`, which has [`GnuHash::size`] bytes. `first_symbol` is the `.dynsym` index of the
    /// first hashed symbol; if there is none, the number of symbols.
    pub fn write(&self, out: &mut [u8], first_symbol: u32) {
        assert_eq!(out.len() as u64, self.size());
        let (header, rest) = out.split_at_mut(HEADER_SIZE);
        let (bloom, rest) = rest.split_at_mut(self.encoding.word_size() * self.bloom_words);
        let (buckets, chains) = rest.split_at_mut(4 * self.bucket_count());
        let fields =
            [self.bucket_count() as u32, first_symbol, self.bloom_words as u32, BLOOM_SHIFT];
        self.encoding.write_all(&fields.map(U32::new), header);
        self.write_bloom(bloom);
        self.encoding.fill(buckets, |buckets: &mut [U32]| {
            self.encoding.fill(chains, |chains: &mut [U32]| {
                self.write_chains(buckets, chains, first_symbol);
            });
        });
    }

    fn write_chains(&self, buckets: &mut [U32], chains: &mut [U32], first_symbol: u32) {
        for (field, range) in buckets.iter_mut().zip(self.bucket_starts.windows(2)) {
            let (start, end) = (range[0] as usize, range[1] as usize);
            let is_empty = start == end;
            *field = if is_empty { 0 } else { first_symbol + range[0] }.into();
            for (chain, hash) in chains[start..end].iter_mut().zip(&self.hashes[start..end]) {
                *chain = (hash & !1).into();
            }
            if !is_empty {
                chains[end - 1] |= U32::new(1);
            }
        }
    }

    fn write_bloom(&self, out: &mut [u8]) {
        let bits = 8 * self.encoding.word_size() as u32;
        let mut words = vec![0u64; self.bloom_words];
        for &hash in &self.hashes {
            let word = &mut words[(hash / bits) as usize & (self.bloom_words - 1)];
            *word |= 1 << (hash % bits) | 1 << ((hash >> BLOOM_SHIFT) % bits);
        }
        self.encoding.fill(out, |fields: &mut [Word]| {
            for (field, word) in fields.iter_mut().zip(words) {
                *field = Word::new(word);
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::encoding::ALL;
    use crate::format::gnu_hash::{gnu_hash, gnu_hashes};
    use crate::synth::blank;
    use skald_core::ids::Column;

    fn written(table: &GnuHash, first_symbol: u32) -> Vec<u8> {
        let mut out = blank(table.size());
        table.write(&mut out, first_symbol);
        out
    }

    /// Looks `name` up as glibc's loader does; returns its `.dynsym` index.
    fn lookup(table: &[u8], dynsym: &[&[u8]], name: &[u8]) -> Option<usize> {
        lookup_in(Encoding::NATIVE, table, dynsym, name)
    }

    fn lookup_in(encoding: Encoding, table: &[u8], dynsym: &[&[u8]], name: &[u8]) -> Option<usize> {
        let word = |at: usize| encoding.order.get::<u32>(table, at).unwrap();
        let (size, bits) = (encoding.word_size(), 8 * encoding.word_size() as u32);
        let (buckets, first, bloom_words) = (word(0), word(4), word(8) as usize);
        assert!(bloom_words.is_power_of_two());
        let hash = gnu_hash(name);
        let at = 16 + size * ((hash / bits) as usize & (bloom_words - 1));
        let bloom = encoding.word(&table[at..at + size]);
        if bloom >> (hash % bits) & bloom >> ((hash >> word(12)) % bits) & 1 == 0 {
            return None;
        }
        let buckets_at = 16 + size * bloom_words;
        let chains_at = buckets_at + 4 * buckets as usize;
        let mut index = word(buckets_at + 4 * (hash % buckets) as usize) as usize;
        if index == 0 {
            return None;
        }
        loop {
            let chain = word(chains_at + 4 * (index - first as usize));
            if chain | 1 == hash | 1 && dynsym[index] == name {
                return Some(index);
            }
            if chain & 1 != 0 {
                return None;
            }
            index += 1;
        }
    }

    /// The bytes are those that `ld.lld-19` writes for a library without symbols.
    #[test]
    fn empty() {
        let (table, order) = GnuHash::plan(Encoding::NATIVE, IdSlice::new(&[]));
        let mut expected = vec![1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 26, 0, 0, 0];
        expected.extend([0; 12]);
        assert_eq!(written(&table, 1), expected);
        assert!(order.is_empty());
        assert_eq!(lookup(&expected, &[b""], b"printf"), None);
    }

    #[test]
    fn write_fills_exactly_size_and_the_loader_finds_every_name() {
        for count in [1, 2, 3, 4, 7, 8, 100, 1000] {
            let names: Vec<String> = (0..count).map(|i| format!("name_{}", i * i)).collect();
            let names: Vec<&[u8]> = names.iter().map(|name| name.as_bytes()).collect();
            for encoding in ALL {
                let hashes = gnu_hashes(&names);
                let (table, order) = GnuHash::plan(encoding, IdSlice::new(&hashes));
                let mut dynsym: Vec<&[u8]> = vec![b"", b"undefined_1", b"undefined_2"];
                dynsym.extend(order.iter().map(|&symbol| names[symbol.index()]));
                let bytes = written(&table, 3);
                for (index, name) in dynsym.iter().enumerate() {
                    let found = lookup_in(encoding, &bytes, &dynsym, name);
                    assert_eq!(found, (index >= 3).then_some(index));
                }
            }
        }
    }

    #[test]
    fn the_order_within_a_bucket_is_the_given_one() {
        let hashes: Column<ExportId, u32> =
            (0..1000u32).map(|i| i.wrapping_mul(2654435761) >> 7).collect();
        let (table, order) = GnuHash::plan(Encoding::NATIVE, &hashes);
        let buckets = table.bucket_count() as u32;
        let keys: Vec<(u32, ExportId)> =
            order.iter().map(|&symbol| (hashes[symbol] % buckets, symbol)).collect();
        assert!(keys.is_sorted());
        assert_eq!(buckets, 250);
        assert_eq!(table.bloom_words, 256);
    }
}
