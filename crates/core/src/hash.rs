//! A fast keyed 128-bit hash for names and mergeable pieces.
//!
//! The key is random per process, so that neither the output nor an attacker can depend on it.
//! Equality of all 128 bits is taken as equality of the bytes: for 24 million names the chance of a
//! clash is about 1e-24. Where the processor has AES instructions, two lanes of two AES rounds take
//! a block of 16 bytes each; elsewhere two multiply-fold lanes take 16 bytes a step. Hashes are
//! valid within one process only.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};

#[cfg(target_arch = "x86_64")]
mod aes;
mod fold;

/// A keyed hash of a string: equal hashes are taken for equal strings.
pub type Hash128 = u128;

/// The random key of this process.
#[derive(Debug, Clone, Copy)]
pub struct HashKey {
    words: [u64; 4],
    #[cfg(target_arch = "x86_64")]
    aes: Option<aes::Available>,
}

impl HashKey {
    /// A key that differs on every run.
    pub fn random() -> HashKey {
        let word = |i: u64| {
            let mut hasher = RandomState::new().build_hasher();
            hasher.write_u64(i);
            // Odd, so that no lane multiplies by zero.
            hasher.finish() | 1
        };
        HashKey {
            words: [word(0), word(1), word(2), word(3)],
            #[cfg(target_arch = "x86_64")]
            aes: aes::Available::detect(),
        }
    }

    /// The hash of `bytes` under this key.
    #[inline]
    pub fn hash(&self, bytes: &[u8]) -> Hash128 {
        #[cfg(target_arch = "x86_64")]
        if let Some(aes) = self.aes {
            return aes.hash(&self.words, bytes);
        }
        fold::hash(&self.words, bytes)
    }

    /// Length and hash of the bytes before the first `A` or `B`, or of all `bytes`.
    #[inline]
    pub fn hash_until<const A: u8, const B: u8>(&self, bytes: &[u8]) -> (usize, Hash128) {
        #[cfg(target_arch = "x86_64")]
        if let Some(aes) = self.aes {
            return aes.hash_until::<A, B>(&self.words, bytes);
        }
        let len = memchr::memchr2(A, B, bytes).unwrap_or(bytes.len());
        (len, fold::hash(&self.words, &bytes[..len]))
    }

    /// Splits `bytes` behind each NUL; calls `found` with the end of each string, NUL included, and
    /// the hash of the string with its NUL. Returns where the last string without a NUL starts.
    #[inline]
    pub fn hash_strings(&self, bytes: &[u8], mut found: impl FnMut(usize, Hash128)) -> usize {
        #[cfg(target_arch = "x86_64")]
        if let Some(aes) = self.aes {
            return aes.hash_strings(&self.words, bytes, found);
        }
        let mut start = 0;
        while let Some(at) = memchr::memchr(0, &bytes[start..]) {
            let end = start + at + 1;
            found(end, fold::hash(&self.words, &bytes[start..end]));
            start = end;
        }
        start
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    fn keys() -> Vec<HashKey> {
        let key = HashKey::random();
        #[cfg(target_arch = "x86_64")]
        return vec![key, HashKey { aes: None, ..key }];
        #[cfg(not(target_arch = "x86_64"))]
        vec![key]
    }

    /// The numbers below `end`; only some of them under Miri, which is slow.
    fn some(end: usize) -> impl Iterator<Item = usize> {
        (0..end).step_by(if cfg!(miri) { 9 } else { 1 })
    }

    #[test]
    fn hashing_until_a_stop_is_hashing_what_is_before() {
        for key in keys() {
            for len in some(100) {
                for rest in some(70) {
                    let mut bytes: Vec<u8> = (0..len).map(|i| b'a' + (i % 20) as u8).collect();
                    let expected = (len, key.hash(&bytes));
                    assert_eq!(key.hash_until::<0, b'@'>(&bytes), expected);
                    bytes.push(if rest % 2 == 0 { 0 } else { b'@' });
                    bytes.extend((0..rest).map(|i| [b'x', 0, b'@'][i % 3]));
                    assert_eq!(key.hash_until::<0, b'@'>(&bytes), expected, "{len} {rest}");
                }
            }
        }
    }

    #[test]
    fn different_strings_differ() {
        for key in keys() {
            let mut seen = HashSet::new();
            for n in 0..if cfg!(miri) { 100 } else { 100_000 } {
                assert!(seen.insert(key.hash(format!("_ZN4name{n}E").as_bytes())));
            }
            for len in some(200) {
                assert!(seen.insert(key.hash(&vec![0u8; len])));
            }
            // A single bit that differs anywhere in a longer string.
            for bit in some(8 * 100) {
                let mut bytes = [b'x'; 100];
                bytes[bit / 8] ^= 1 << (bit % 8);
                assert!(seen.insert(key.hash(&bytes)));
            }
        }
    }

    #[test]
    fn equal_strings_agree() {
        for key in keys() {
            for len in some(100) {
                let text = vec![b'a'; len];
                let moved = [b"xyz", &text[..]].concat();
                assert_eq!(key.hash(&text), key.hash(&moved[3..]));
            }
        }
    }

    #[test]
    fn strings_are_hashed_where_they_end() {
        for key in keys() {
            let mut bytes = Vec::new();
            let mut ends = Vec::new();
            for len in (0..70).chain([500, 0, 31, 32]) {
                bytes.extend(std::iter::repeat_n(b'a' + len as u8 % 20, len));
                bytes.push(0);
                ends.push(bytes.len());
            }
            for tail in ["", "open"] {
                let bytes = [&bytes[..], tail.as_bytes()].concat();
                let mut found = Vec::new();
                let rest = key.hash_strings(&bytes, |end, hash| found.push((end, hash)));
                assert_eq!(rest, *ends.last().expect("not empty"));
                let mut start = 0;
                for (&end, (at, hash)) in ends.iter().zip(found) {
                    assert_eq!((at, hash), (end, key.hash(&bytes[start..end])), "{start}");
                    start = end;
                }
            }
        }
    }
}
