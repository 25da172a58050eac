//! Two independent multiply-fold lanes over 16 bytes a step.

use super::Hash128;

pub fn hash(key: &[u64; 4], bytes: &[u8]) -> Hash128 {
    let [k0, k1, k2, k3] = *key;
    let len = bytes.len();
    let mut a = k2 ^ len as u64;
    let mut b = k3.wrapping_add(len as u64);
    let mut rest = bytes;
    while rest.len() > 16 {
        let (chunk, tail) = rest.split_at(16);
        (a, b) = step(a, b, word(chunk, 0), word(chunk, 8), k0, k1);
        rest = tail;
    }
    let (x, y) = last_words(rest);
    (a, b) = step(a, b, x, y, k0, k1);
    let (a, b) = (fold(a ^ k1, b ^ k0), fold(b ^ k2, a ^ k3));
    (u128::from(a) << 64) | u128::from(b)
}

#[inline(always)]
fn step(a: u64, b: u64, x: u64, y: u64, k0: u64, k1: u64) -> (u64, u64) {
    (fold(a ^ x, y ^ k0).wrapping_add(b), fold(b ^ y, x ^ k1).wrapping_add(a))
}

#[inline(always)]
fn fold(x: u64, y: u64) -> u64 {
    let product = u128::from(x) * u128::from(y);
    (product as u64) ^ (product >> 64) as u64
}

/// The last 0 to 16 bytes as two words, which together with the length tell them apart.
#[inline(always)]
fn last_words(rest: &[u8]) -> (u64, u64) {
    let n = rest.len();
    if n >= 8 {
        (word(rest, 0), word(rest, n - 8))
    } else if n >= 4 {
        let four = |at: usize| {
            u64::from(u32::from_le_bytes(rest[at..at + 4].try_into().expect("four bytes")))
        };
        (four(0), four(n - 4))
    } else if n > 0 {
        let pick = |at: usize| u64::from(rest[at]);
        (pick(0) | pick(n / 2) << 8 | pick(n - 1) << 16, 0)
    } else {
        (0, 0)
    }
}

#[inline(always)]
fn word(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(bytes[at..at + 8].try_into().expect("eight bytes"))
}
