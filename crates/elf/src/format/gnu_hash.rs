//! The GNU hash table of dynamic symbols: its hash function, and reading a library's table.
//!
//! A header (bucket count, index of the first hashed symbol, words of the bloom filter, bloom
//! shift), the filter, the buckets, and one word per hashed symbol: its hash, whose lowest bit ends
//! the chain. The hashed symbols come last in `.dynsym`.
//!
//! The format has no written standard; this follows glibc's `elf/dl-lookup.c` and
//! `elf/dl-setup_hash.c`, and what GNU ld and lld write.

use super::encoding::Encoding;
use skald_core::par::prelude::*;
use zerocopy::little_endian::U32;

/// With more bytes of names than this, hashing is spread over threads.
const PARALLEL_FROM: usize = 1 << 18;

/// Bytes of the header: `nbuckets`, `symndx`, `maskwords`, `shift2`.
pub const HEADER_SIZE: usize = 16;

/// The hash function: Bernstein's, times 33.
#[inline]
pub fn gnu_hash(name: &[u8]) -> u32 {
    // Eight steps at once: only one of the multiplications depends on the last result.
    const POWERS: [u32; 9] = {
        let mut powers = [1; 9];
        let mut at = 1;
        while at < powers.len() {
            powers[at] = 33_u32.wrapping_mul(powers[at - 1]);
            at += 1;
        }
        powers
    };
    let (words, rest) = name.as_chunks::<8>();
    let step = |hash: u32, word: &[u8; 8]| {
        let terms = word.iter().zip(POWERS[..8].iter().rev());
        let sum = terms.fold(0, |sum: u32, (&byte, power)| {
            sum.wrapping_add(u32::from(byte).wrapping_mul(*power))
        });
        hash.wrapping_mul(POWERS[8]).wrapping_add(sum)
    };
    let hash = words.iter().fold(5381, step);
    rest.iter().fold(hash, |hash, &byte| hash.wrapping_mul(33).wrapping_add(u32::from(byte)))
}

/// The hashes of `names`, in parallel if they are many or long.
pub fn hashes_of(names: &[&[u8]], hash: fn(&[u8]) -> u32) -> Vec<u32> {
    if names.iter().map(|name| name.len()).sum::<usize>() < PARALLEL_FROM {
        names.iter().map(|name| hash(name)).collect()
    } else {
        names.par_iter().with_min_len(64).map(|name| hash(name)).collect()
    }
}

/// The hashes of `names`.
pub fn gnu_hashes(names: &[&[u8]]) -> Vec<u32> {
    hashes_of(names, gnu_hash)
}

/// The hashes of the last of `symbol_count` dynamic symbols, from the table at `offset` of a file:
/// their lowest bit marks the end of a chain. `None` if there is no such table.
pub fn hashes(
    encoding: Encoding,
    data: &'static [u8],
    offset: u64,
    symbol_count: usize,
) -> Option<&'static [U32]> {
    const BUCKET: u64 = 4;
    let header: &[U32] = encoding.table(data, offset, 3)?;
    let [buckets, first_hashed, filter_words] = [0, 1, 2].map(|at| header[at].get());
    let count = symbol_count.checked_sub(first_hashed as usize)?;
    let filter = u64::from(filter_words) * encoding.word_size() as u64;
    let before = HEADER_SIZE as u64 + filter + u64::from(buckets) * BUCKET;
    encoding.table(data, offset.checked_add(before)?, count as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::encoding::ALL;

    fn table(encoding: Encoding, words: &[u32]) -> &'static [u8] {
        words.iter().flat_map(|&word| encoding.order.bytes(word)).collect::<Vec<u8>>().leak()
    }

    #[test]
    fn hashes_stand_behind_filter_and_buckets() {
        for encoding in ALL {
            let filter = vec![0; encoding.word_size() / 4];
            let words = [&[9, 2, 3, 1, 26][..], &filter, &[0, 0, 40, 51]].concat();
            let data = table(encoding, &words);
            let found = hashes(encoding, data, 4, 5).expect("a table");
            assert_eq!(found.iter().map(|hash| hash.get()).collect::<Vec<_>>(), [40, 51]);
            assert_eq!(hashes(encoding, data, 4, 3).map(<[U32]>::len), Some(0));
        }
    }

    #[test]
    fn tables_that_cannot_be_are_none() {
        let hashes = |data, offset, count| hashes(Encoding::NATIVE, data, offset, count);
        let table = |words: &[u32]| table(Encoding::NATIVE, words);
        let data = table(&[2, 3, 1, 26, 0, 0, 0, 0, 40, 51]);
        assert!(hashes(data, 0, 6).is_none(), "chains end outside");
        assert!(hashes(data, 0, 2).is_none(), "more symbols than there are");
        assert!(hashes(data, 36, 5).is_none(), "no header");
        assert!(hashes(data, u64::MAX, 5).is_none(), "no place");
        assert!(hashes(table(&[u32::MAX; 4]), 0, usize::MAX).is_none(), "sizes");
    }

    #[test]
    fn known_hashes() {
        let reference = |name: &[u8]| {
            name.iter()
                .fold(5381_u32, |hash, &byte| hash.wrapping_mul(33).wrapping_add(u32::from(byte)))
        };
        for name in [&b""[..], b"printf", b"exit", b"syscall", b"flapenguin.me", &[0xff; 67]] {
            assert_eq!(gnu_hash(name), reference(name));
        }
        assert_eq!(gnu_hash(b""), 0x1505);
        assert_eq!(gnu_hash(b"printf"), 0x156b_2bb8);
        assert_eq!(gnu_hash(b"exit"), 0x7c96_7e3f);
    }
}
