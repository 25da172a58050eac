//! The digests that a build id is made of: a two-level tree of xxh3-128.
//!
//! The worker that made a span of the output hashes it while it is in its cache
//! ([`span_digest`]); the list of span digests, in file order, is hashed again
//! ([`tree_digest`]). The result depends on the bytes and on where the output was cut, never on
//! which thread did what. A cryptographic hash costs ten to fifty times as much and buys nothing:
//! a build id names a build, it does not authenticate it.
//!
//! `span_digest` equals XXH3_128bits of the xxHash 0.8 specification. The crate that implements it
//! picks its vector width at compile time, and a portable x86-64 build gets SSE2; the loop over
//! long inputs is therefore written here for AVX2 and chosen at run time. Hot in cache, per GB:
//! SSE2 44 ms, AVX2 29 ms on a busy machine; the tests compare it with the crate for every length
//! class.

use std::fmt;
use xxhash_rust::xxh3::{Xxh3, xxh3_128_with_seed};

/// The XXH3-128 digest of `bytes`, seed 0.
pub fn span_digest(bytes: &[u8]) -> u128 {
    let mut digest = SpanDigest::new();
    digest.update(bytes);
    digest.finish()
}

/// [`span_digest`] of bytes that are given piece by piece.
pub struct SpanDigest(State);

enum State {
    #[cfg(target_arch = "x86_64")]
    Avx2(Box<avx2::State>),
    Portable(Box<Xxh3>),
}

impl SpanDigest {
    /// The digest of no bytes so far.
    pub fn new() -> SpanDigest {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") {
            return SpanDigest(State::Avx2(Box::new(avx2::State::new())));
        }
        SpanDigest(State::Portable(Box::default()))
    }

    /// Adds the bytes that follow.
    pub fn update(&mut self, bytes: &[u8]) {
        match &mut self.0 {
            // SAFETY: the processor has AVX2, or there were no such state.
            #[cfg(target_arch = "x86_64")]
            State::Avx2(state) => unsafe { state.update(bytes) },
            State::Portable(state) => state.update(bytes),
        }
    }

    /// The digest of all bytes that were added.
    pub fn finish(self) -> u128 {
        match self.0 {
            // SAFETY: the processor has AVX2, or there were no such state.
            #[cfg(target_arch = "x86_64")]
            State::Avx2(state) => unsafe { state.finish() },
            State::Portable(state) => state.digest128(),
        }
    }
}

impl fmt::Debug for SpanDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SpanDigest")
    }
}

impl Default for SpanDigest {
    fn default() -> Self {
        SpanDigest::new()
    }
}

/// Digest of `size` bytes over the digests of all spans in file order.
///
/// Block `k` of 16 bytes is XXH3-128, seed `k`, of the span digests as little-endian 16-byte
/// words, stored big-endian (the canonical form of xxHash); the last block is cut. A shorter
/// digest is thus a prefix of a longer one. Any `size` is served; build ids use 8, 16, 20 and 32.
pub fn tree_digest(spans: &[u128], size: usize) -> Vec<u8> {
    let list: Vec<u8> = spans.iter().flat_map(|digest| digest.to_le_bytes()).collect();
    let blocks = size.div_ceil(16) as u64;
    let mut digest: Vec<u8> =
        (0..blocks).flat_map(|seed| xxh3_128_with_seed(&list, seed).to_be_bytes()).collect();
    digest.truncate(size);
    digest
}

/// XXH3-128 with vectors of 256 bits.
#[cfg(target_arch = "x86_64")]
mod avx2 {
    use std::arch::x86_64::{
        __m256i, _mm256_add_epi64, _mm256_loadu_si256, _mm256_mul_epu32, _mm256_set1_epi64x,
        _mm256_shuffle_epi32, _mm256_slli_epi64, _mm256_srli_epi64, _mm256_storeu_si256,
        _mm256_xor_si256,
    };
    use xxhash_rust::xxh3::xxh3_128;

    /// Inputs up to this long take other paths of the specification, left to the crate.
    const SHORT_MAX: u64 = 240;

    const PRIME32_1: u64 = 0x9E37_79B1;
    const PRIME32_2: u64 = 0x85EB_CA77;
    const PRIME32_3: u64 = 0xC2B2_AE3D;
    const PRIME64_1: u64 = 0x9E37_79B1_85EB_CA87;
    const PRIME64_2: u64 = 0xC2B2_AE3D_27D4_EB4F;
    const PRIME64_3: u64 = 0x1656_67B1_9E37_79F9;
    const PRIME64_4: u64 = 0x85EB_CA77_C2B2_AE63;
    const PRIME64_5: u64 = 0x27D4_EB2F_1656_67C5;

    const STRIPE: usize = 64;
    const LANES: usize = STRIPE / 8;
    /// The secret advances by 8 bytes per stripe; a block ends where it is used up.
    const STRIPES_PER_BLOCK: usize = (SECRET.len() - STRIPE) / 8;
    const BLOCK: usize = STRIPE * STRIPES_PER_BLOCK;

    /// `kSecret` of the specification.
    const SECRET: [u8; 192] = [
        0xb8, 0xfe, 0x6c, 0x39, 0x23, 0xa4, 0x4b, 0xbe, 0x7c, 0x01, 0x81, 0x2c, 0xf7, 0x21, 0xad,
        0x1c, 0xde, 0xd4, 0x6d, 0xe9, 0x83, 0x90, 0x97, 0xdb, 0x72, 0x40, 0xa4, 0xa4, 0xb7, 0xb3,
        0x67, 0x1f, 0xcb, 0x79, 0xe6, 0x4e, 0xcc, 0xc0, 0xe5, 0x78, 0x82, 0x5a, 0xd0, 0x7d, 0xcc,
        0xff, 0x72, 0x21, 0xb8, 0x08, 0x46, 0x74, 0xf7, 0x43, 0x24, 0x8e, 0xe0, 0x35, 0x90, 0xe6,
        0x81, 0x3a, 0x26, 0x4c, 0x3c, 0x28, 0x52, 0xbb, 0x91, 0xc3, 0x00, 0xcb, 0x88, 0xd0, 0x65,
        0x8b, 0x1b, 0x53, 0x2e, 0xa3, 0x71, 0x64, 0x48, 0x97, 0xa2, 0x0d, 0xf9, 0x4e, 0x38, 0x19,
        0xef, 0x46, 0xa9, 0xde, 0xac, 0xd8, 0xa8, 0xfa, 0x76, 0x3f, 0xe3, 0x9c, 0x34, 0x3f, 0xf9,
        0xdc, 0xbb, 0xc7, 0xc7, 0x0b, 0x4f, 0x1d, 0x8a, 0x51, 0xe0, 0x4b, 0xcd, 0xb4, 0x59, 0x31,
        0xc8, 0x9f, 0x7e, 0xc9, 0xd9, 0x78, 0x73, 0x64, 0xea, 0xc5, 0xac, 0x83, 0x34, 0xd3, 0xeb,
        0xc3, 0xc5, 0x81, 0xa0, 0xff, 0xfa, 0x13, 0x63, 0xeb, 0x17, 0x0d, 0xdd, 0x51, 0xb7, 0xf0,
        0xda, 0x49, 0xd3, 0x16, 0x55, 0x26, 0x29, 0xd4, 0x68, 0x9e, 0x2b, 0x16, 0xbe, 0x58, 0x7d,
        0x47, 0xa1, 0xfc, 0x8f, 0xf8, 0xb8, 0xd1, 0x7a, 0xd0, 0x31, 0xce, 0x45, 0xcb, 0x3a, 0x8f,
        0x95, 0x16, 0x04, 0x28, 0xaf, 0xd7, 0xfb, 0xca, 0xbb, 0x4b, 0x40, 0x7e,
    ];

    type Lanes = [u64; LANES];
    /// The lanes as two vectors.
    type Vectors = [__m256i; 2];

    /// The digest's state after some bytes.
    #[derive(Debug)]
    pub(super) struct State {
        acc: Lanes,
        /// The last stripe of the bytes in `acc`, followed by `held` bytes that are not in `acc`
        /// yet. After the first byte `held` is not 0, since the last bytes of all are treated
        /// differently, even if they fill a block.
        end: [u8; STRIPE + BLOCK],
        held: usize,
        len: u64,
    }

    impl State {
        pub(super) fn new() -> State {
            let acc = [
                PRIME32_3, PRIME64_1, PRIME64_2, PRIME64_3, PRIME64_4, PRIME32_2, PRIME64_5,
                PRIME32_1,
            ];
            State { acc, end: [0; STRIPE + BLOCK], held: 0, len: 0 }
        }

        #[target_feature(enable = "avx2")]
        pub(super) fn update(&mut self, mut bytes: &[u8]) {
            self.len += bytes.len() as u64;
            if self.held + bytes.len() > BLOCK {
                if self.held != 0 {
                    let (first, rest) = bytes.split_at(BLOCK - self.held);
                    self.hold(first);
                    bytes = rest;
                    self.acc = take_blocks(self.acc, &self.end[STRIPE..]);
                    self.end.copy_within(BLOCK.., 0);
                    self.held = 0;
                }
                let whole = (bytes.len() - 1) / BLOCK * BLOCK;
                if whole != 0 {
                    self.acc = take_blocks(self.acc, &bytes[..whole]);
                    self.end[..STRIPE].copy_from_slice(&bytes[whole - STRIPE..whole]);
                    bytes = &bytes[whole..];
                }
            }
            self.hold(bytes);
        }

        fn hold(&mut self, bytes: &[u8]) {
            self.end[STRIPE + self.held..][..bytes.len()].copy_from_slice(bytes);
            self.held += bytes.len();
        }

        #[target_feature(enable = "avx2")]
        pub(super) fn finish(self) -> u128 {
            let rest = &self.end[STRIPE..][..self.held];
            if self.len <= SHORT_MAX {
                return xxh3_128(rest);
            }
            let mut acc = load(self.acc.map(u64::to_ne_bytes).as_flattened());
            let stripes = (rest.len() - 1) / STRIPE;
            for (n, stripe) in rest[..stripes * STRIPE].chunks_exact(STRIPE).enumerate() {
                acc = accumulate(acc, stripe, &SECRET[8 * n..]);
            }
            let last = &self.end[self.held..];
            acc = accumulate(acc, last, &SECRET[SECRET.len() - STRIPE - 7..]);
            let (acc, len) = (lanes(acc), self.len);
            let low = merge(&acc, &SECRET[11..], len.wrapping_mul(PRIME64_1));
            let high =
                merge(&acc, &SECRET[SECRET.len() - STRIPE - 11..], !len.wrapping_mul(PRIME64_2));
            (high as u128) << 64 | low as u128
        }
    }

    /// Adds whole blocks to the accumulators.
    #[target_feature(enable = "avx2")]
    fn take_blocks(acc: Lanes, bytes: &[u8]) -> Lanes {
        let mut acc = load(acc.map(u64::to_ne_bytes).as_flattened());
        // Blocks of a constant length, so that no bound is checked in the loop.
        for block in bytes.as_chunks::<BLOCK>().0 {
            for n in 0..STRIPES_PER_BLOCK {
                acc = accumulate(acc, &block[STRIPE * n..][..STRIPE], &SECRET[8 * n..][..STRIPE]);
            }
            acc = scramble(acc, &SECRET[SECRET.len() - STRIPE..]);
        }
        lanes(acc)
    }

    /// acc[i] += low half * high half of (data ^ secret)[i]; acc[i ^ 1] += data[i].
    #[target_feature(enable = "avx2")]
    fn accumulate(acc: Vectors, stripe: &[u8], secret: &[u8]) -> Vectors {
        let (data, secret) = (load(stripe), load(secret));
        std::array::from_fn(|i| {
            let keyed = _mm256_xor_si256(data[i], secret[i]);
            let product = _mm256_mul_epu32(keyed, _mm256_srli_epi64::<32>(keyed));
            let swapped = _mm256_shuffle_epi32::<0b01_00_11_10>(data[i]);
            _mm256_add_epi64(product, _mm256_add_epi64(acc[i], swapped))
        })
    }

    /// acc[i] = (acc[i] ^ acc[i] >> 47 ^ secret[i]) * PRIME32_1.
    #[target_feature(enable = "avx2")]
    fn scramble(acc: Vectors, secret: &[u8]) -> Vectors {
        let secret = load(secret);
        let prime = _mm256_set1_epi64x(PRIME32_1 as i64);
        std::array::from_fn(|i| {
            let shifted = _mm256_xor_si256(acc[i], _mm256_srli_epi64::<47>(acc[i]));
            let keyed = _mm256_xor_si256(shifted, secret[i]);
            // 64 x 32 bits: the low product whole, and the high one moved up.
            let low = _mm256_mul_epu32(keyed, prime);
            let high = _mm256_mul_epu32(_mm256_srli_epi64::<32>(keyed), prime);
            _mm256_add_epi64(low, _mm256_slli_epi64::<32>(high))
        })
    }

    #[target_feature(enable = "avx2")]
    fn load(bytes: &[u8]) -> Vectors {
        let start = bytes[..STRIPE].as_ptr().cast::<__m256i>();
        // SAFETY: the slice has 64 bytes, which two unaligned loads of 32 read.
        unsafe { [_mm256_loadu_si256(start), _mm256_loadu_si256(start.add(1))] }
    }

    #[target_feature(enable = "avx2")]
    fn lanes(acc: Vectors) -> Lanes {
        let mut lanes = [0; LANES];
        let start = lanes.as_mut_ptr().cast::<__m256i>();
        // SAFETY: the array has 64 bytes, which two unaligned stores of 32 fill.
        unsafe {
            _mm256_storeu_si256(start, acc[0]);
            _mm256_storeu_si256(start.add(1), acc[1]);
        }
        lanes
    }

    fn word(bytes: &[u8], at: usize) -> u64 {
        let mut word = [0; 8];
        word.copy_from_slice(&bytes[at..at + 8]);
        u64::from_le_bytes(word)
    }

    fn merge(acc: &Lanes, secret: &[u8], start: u64) -> u64 {
        let folded = (0..LANES).step_by(2).fold(start, |sum, i| {
            let left = acc[i] ^ word(secret, 8 * i);
            let right = acc[i + 1] ^ word(secret, 8 * i + 8);
            let product = left as u128 * right as u128;
            sum.wrapping_add(product as u64 ^ (product >> 64) as u64)
        });
        let mixed = (folded ^ folded >> 37).wrapping_mul(0x1656_6791_9E37_79F9);
        mixed ^ mixed >> 32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use xxhash_rust::xxh3::xxh3_128;

    fn bytes(len: usize) -> Vec<u8> {
        let mut state = 0x1234_5678_9abc_def1u64;
        let mut next = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state as u8
        };
        (0..len).map(|_| next()).collect()
    }

    #[test]
    fn agrees_with_the_specification_at_every_length_class() {
        let data = bytes(1 << 16);
        let step = if cfg!(miri) { 61 } else { 1 };
        let lengths = (0..2200).step_by(step).chain([4095, 4096, 4097, 32768, 65535, 65536]);
        for len in lengths {
            assert_eq!(span_digest(&data[..len]), xxh3_128(&data[..len]), "length {len}");
        }
    }

    #[test]
    fn pieces_have_the_digest_of_the_whole() {
        let data = bytes(9000);
        let lengths =
            [0, 1, 60, 64, 240, 241, 1000, 1023, 1024, 1025, 1090, 2048, 2049, 4000, 9000];
        for len in lengths {
            for step in [1, 7, 64, 1000, 1024, 1025, 3000] {
                let mut digest = SpanDigest::new();
                data[..len].chunks(step).for_each(|piece| digest.update(piece));
                assert_eq!(digest.finish(), xxh3_128(&data[..len]), "{len} bytes by {step}");
            }
        }
    }

    #[test]
    fn tree_digest_has_the_size_asked_for_and_depends_on_order_and_count() {
        for size in [0, 1, 8, 16, 20, 32, 50] {
            assert_eq!(tree_digest(&[1, 2, 3], size).len(), size);
        }
        let digest = tree_digest(&[1, 2, 3], 32);
        assert_eq!(digest[..20], tree_digest(&[1, 2, 3], 20)[..]);
        assert_ne!(digest[..16], digest[16..]);
        assert_ne!(digest, tree_digest(&[2, 1, 3], 32));
        assert_ne!(digest, tree_digest(&[1, 2, 3, 0], 32));
        assert_ne!(tree_digest(&[], 16), tree_digest(&[0], 16));
    }

    /// The bytes are part of the format: the same inputs must give the same build id for ever.
    #[test]
    fn tree_digest_is_pinned() {
        let hex: String =
            tree_digest(&[span_digest(b"skald")], 20).iter().map(|b| format!("{b:02x}")).collect();
        assert_eq!(hex, "efd1409df5a39ed22089b1df7ac450454bba51c3");
    }

    /// `cargo test --release -p skald-core digest_speed -- --ignored --nocapture`
    #[test]
    #[ignore = "a measurement"]
    fn digest_speed() {
        let data = bytes(1 << 18);
        let time = |name: &str, digest: &dyn Fn(&[u8]) -> u128| {
            let once = || {
                let start = std::time::Instant::now();
                std::hint::black_box(digest(std::hint::black_box(&data)));
                start.elapsed()
            };
            let best = (0..1000).map(|_| once()).min().unwrap_or_default();
            println!("{name}: {:.1} ms per GB", best.as_secs_f64() * 4e6 / 1.048_576);
        };
        time("crate", &xxh3_128);
        time("chosen", &span_digest);
    }
}
