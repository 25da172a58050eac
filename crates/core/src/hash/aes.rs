//! Two lanes take blocks of 16 bytes in turn, with two AES rounds per block. Ends of strings are
//! searched for in two blocks at once.
//!
//! One round is not enough: it spreads a difference in one byte of a block to only four bytes,
//! which a difference in the lane's next block could cancel too easily. Two rounds spread it to all
//! 16. The last block is padded with zeroes; the length goes in at the end.

use super::Hash128;
use std::arch::x86_64::*;

/// Proof that the processor has AES-NI and AVX2.
#[derive(Debug, Clone, Copy)]
pub struct Available(());

/// Bytes of a block.
const BLOCK: usize = 16;

/// 16 bytes of ones, then of zeroes: the mask for `n` bytes starts at `16 - n`.
static MASKS: [u8; 2 * BLOCK] = {
    let mut masks = [0; 2 * BLOCK];
    let mut at = 0;
    while at < BLOCK {
        masks[at] = 0xff;
        at += 1;
    }
    masks
};

impl Available {
    pub fn detect() -> Option<Available> {
        let are_there = is_x86_feature_detected!("aes") && is_x86_feature_detected!("avx2");
        are_there.then_some(Available(()))
    }

    #[inline]
    pub fn hash(self, key: &[u64; 4], bytes: &[u8]) -> Hash128 {
        // SAFETY: the value exists only where the processor has the instructions.
        unsafe { hash(key, bytes) }
    }

    #[inline]
    pub fn hash_until<const A: u8, const B: u8>(
        self,
        key: &[u64; 4],
        bytes: &[u8],
    ) -> (usize, Hash128) {
        // SAFETY: the value exists only where the processor has the instructions.
        unsafe { hash_until::<A, B>(key, bytes) }
    }

    #[inline]
    pub fn hash_strings(
        self,
        key: &[u64; 4],
        bytes: &[u8],
        found: impl FnMut(usize, Hash128),
    ) -> usize {
        // SAFETY: the value exists only where the processor has the instructions.
        unsafe { hash_strings(key, bytes, found) }
    }
}

/// The state of each lane, and the round keys.
struct Lanes {
    even: __m128i,
    odd: __m128i,
    keys: [__m128i; 2],
}

impl Lanes {
    #[inline]
    #[target_feature(enable = "aes,avx2")]
    fn new(key: &[u64; 4]) -> Lanes {
        let keys = [
            _mm_set_epi64x(key[0] as i64, key[1] as i64),
            _mm_set_epi64x(key[2] as i64, key[3] as i64),
        ];
        Lanes { even: keys[0], odd: keys[1], keys }
    }

    /// Takes the next two blocks.
    #[inline]
    #[target_feature(enable = "aes,avx2")]
    fn pair(&mut self, first: __m128i, second: __m128i) {
        let even = _mm_aesenc_si128(_mm_xor_si128(self.even, first), self.keys[1]);
        let odd = _mm_aesenc_si128(_mm_xor_si128(self.odd, second), self.keys[0]);
        self.even = _mm_aesenc_si128(even, self.keys[0]);
        self.odd = _mm_aesenc_si128(odd, self.keys[1]);
    }

    /// Takes the last block, the first of a pair.
    #[inline]
    #[target_feature(enable = "aes,avx2")]
    fn single(&mut self, block: __m128i) {
        let even = _mm_aesenc_si128(_mm_xor_si128(self.even, block), self.keys[1]);
        self.even = _mm_aesenc_si128(even, self.keys[0]);
    }

    #[inline]
    #[target_feature(enable = "aes,avx2")]
    fn finish(&self, len: usize) -> Hash128 {
        let length = _mm_set_epi64x(0, len as i64);
        let mixed = _mm_aesenc_si128(_mm_xor_si128(self.even, length), self.odd);
        let mixed = _mm_aesenc_si128(mixed, self.keys[0]);
        let mixed = _mm_aesenc_si128(mixed, self.keys[1]);
        let low = _mm_cvtsi128_si64(mixed) as u64;
        let high = _mm_cvtsi128_si64(_mm_unpackhi_epi64(mixed, mixed)) as u64;
        u128::from(high) << 64 | u128::from(low)
    }
}

/// The block at `at`, which lies inside `bytes`.
#[inline]
#[target_feature(enable = "aes,avx2")]
fn block(bytes: &[u8], at: usize) -> __m128i {
    let chunk: &[u8; BLOCK] = bytes[at..at + BLOCK].try_into().expect("as long");
    // SAFETY: the array has 16 bytes; the load needs no alignment.
    unsafe { _mm_loadu_si128(chunk.as_ptr().cast()) }
}

/// The pair of blocks at `at`, which lies inside `bytes`: as one vector for the search, and as two
/// blocks.
#[inline]
#[target_feature(enable = "aes,avx2")]
fn pair(bytes: &[u8], at: usize) -> (__m256i, __m128i, __m128i) {
    let chunk: &[u8; 2 * BLOCK] = bytes[at..at + 2 * BLOCK].try_into().expect("as long");
    // SAFETY: the array has 32 bytes; the load needs no alignment.
    let both = unsafe { _mm256_loadu_si256(chunk.as_ptr().cast()) };
    (both, _mm256_castsi256_si128(both), _mm256_extracti128_si256::<1>(both))
}

/// The first `len` bytes of a block, the others zero.
#[inline]
#[target_feature(enable = "aes,avx2")]
fn head(block: __m128i, len: usize) -> __m128i {
    _mm_and_si128(block, self::block(&MASKS, BLOCK - len))
}

/// The 0 to 15 bytes from `at` to the end, padded with zeroes.
#[inline]
#[target_feature(enable = "aes,avx2")]
fn last_block(bytes: &[u8], at: usize) -> __m128i {
    let len = bytes.len() - at;
    let word = match bytes.last_chunk::<BLOCK>() {
        // The last 16 bytes, shifted down: cheaper than a copy of variable length.
        Some(whole) => {
            let before = 8 * (BLOCK - len) as u32;
            u128::from_le_bytes(*whole).checked_shr(before).unwrap_or(0)
        }
        None => {
            let mut padded = [0; BLOCK];
            padded[..len].copy_from_slice(&bytes[at..]);
            u128::from_le_bytes(padded)
        }
    };
    _mm_set_epi64x((word >> 64) as i64, word as i64)
}

#[target_feature(enable = "aes,avx2")]
fn hash(key: &[u64; 4], bytes: &[u8]) -> Hash128 {
    let mut lanes = Lanes::new(key);
    let mut at = 0;
    while bytes.len() - at >= 2 * BLOCK {
        lanes.pair(block(bytes, at), block(bytes, at + BLOCK));
        at += 2 * BLOCK;
    }
    if bytes.len() - at >= BLOCK {
        lanes.pair(block(bytes, at), last_block(bytes, at + BLOCK));
    } else {
        lanes.single(last_block(bytes, at));
    }
    lanes.finish(bytes.len())
}

/// Length and hash of the bytes before the first `A` or `B`, or of all.
#[target_feature(enable = "aes,avx2")]
fn hash_until<const A: u8, const B: u8>(key: &[u64; 4], bytes: &[u8]) -> (usize, Hash128) {
    let mut lanes = Lanes::new(key);
    let [one, other] = [A, B].map(|stop| _mm256_set1_epi8(stop as i8));
    let mut at = 0;
    while at + 2 * BLOCK <= bytes.len() {
        let (both, first, second) = pair(bytes, at);
        let found = _mm256_or_si256(_mm256_cmpeq_epi8(both, one), _mm256_cmpeq_epi8(both, other));
        let found = _mm256_movemask_epi8(found) as u32;
        if found == 0 {
            lanes.pair(first, second);
            at += 2 * BLOCK;
            continue;
        }
        let len = found.trailing_zeros() as usize;
        if len < BLOCK {
            lanes.single(head(first, len));
        } else {
            lanes.pair(first, head(second, len - BLOCK));
        }
        return (at + len, lanes.finish(at + len));
    }
    let len = memchr::memchr2(A, B, bytes).unwrap_or(bytes.len());
    (len, hash(key, &bytes[..len]))
}

#[target_feature(enable = "aes,avx2")]
fn hash_strings(key: &[u64; 4], bytes: &[u8], mut found: impl FnMut(usize, Hash128)) -> usize {
    let mut start = 0;
    loop {
        // Two blocks are read at a time, also behind the end of a string.
        let string =
            if start + 2 * BLOCK <= bytes.len() { string_at(key, bytes, start) } else { None };
        let (end, hash) = match string {
            Some(string) => string,
            None => {
                let Some(at) = memchr::memchr(0, &bytes[start..]) else { return start };
                let end = start + at + 1;
                (end, hash(key, &bytes[start..end]))
            }
        };
        // Called in one place only, so that it is inlined into the loop.
        found(end, hash);
        start = end;
    }
}

/// End and hash of the string at `start`; `None` if less than two blocks follow its start or the
/// block pair that holds its end.
#[inline]
#[target_feature(enable = "aes,avx2")]
fn string_at(key: &[u64; 4], bytes: &[u8], start: usize) -> Option<(usize, Hash128)> {
    let mut lanes = Lanes::new(key);
    let mut at = start;
    while at + 2 * BLOCK <= bytes.len() {
        let (both, first, second) = pair(bytes, at);
        let ends = _mm256_movemask_epi8(_mm256_cmpeq_epi8(both, _mm256_setzero_si256())) as u32;
        if ends == 0 {
            lanes.pair(first, second);
            at += 2 * BLOCK;
            continue;
        }
        // The length counts the NUL.
        let len = ends.trailing_zeros() as usize + 1;
        if len < BLOCK {
            lanes.single(head(first, len));
        } else {
            lanes.pair(first, head(second, len - BLOCK));
        }
        let end = at + len;
        // A string of whole pairs ends with an empty block, as any other end does.
        if len == 2 * BLOCK {
            lanes.single(_mm_setzero_si128());
        }
        return Some((end, lanes.finish(end - start)));
    }
    None
}
