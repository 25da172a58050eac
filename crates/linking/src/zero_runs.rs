//! Long runs of zeros in sections of strings: without this they would be millions of empty strings,
//! each of them a piece.
//!
//! Each page of zeros is one piece instead. A reference into it finds an empty string at the same
//! distance, and all such pieces are equal. Shorter runs are left alone: they align strings.

use std::ops::Range;

/// Size of such a piece in bytes.
pub const PIECE: usize = 4096;

/// The next run of zeros from `from` on, which is where a string begins: a range whose length is a
/// multiple of [`PIECE`] and which begins where a string does, at a multiple of `unit`, a power of
/// two.
#[inline]
pub fn next(bytes: &[u8], from: usize, unit: usize) -> Option<Range<usize>> {
    if bytes.len() - from < PIECE || unit > PIECE {
        return None;
    }
    find(bytes, from, unit)
}

/// Searches such a run: it must contain a multiple of half a piece with half a piece of zeros
/// behind it.
fn find(bytes: &[u8], from: usize, unit: usize) -> Option<Range<usize>> {
    let zeroes = |bytes: &[u8]| bytes.iter().position(|&byte| byte != 0).unwrap_or(bytes.len());
    let mut at = from.next_multiple_of(PIECE / 2);
    while at < bytes.len() {
        let behind = zeroes(&bytes[at..]);
        if behind >= PIECE / 2 {
            let before = bytes[from..at].iter().rev().take_while(|&&byte| byte == 0).count();
            // The first characters may be the end of a string.
            let first = at - before;
            let start = if first == from { from } else { first + unit }.next_multiple_of(unit);
            let len = (at + behind).saturating_sub(start) / PIECE * PIECE;
            if len > 0 {
                return Some(start..start + len);
            }
        }
        at += behind.max(1).next_multiple_of(PIECE / 2);
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_begin_where_strings_do() {
        let mut bytes = vec![0; 5 * PIECE];
        assert_eq!(next(&bytes, 0, 1), Some(0..5 * PIECE));
        assert_eq!(next(&bytes, 1, 1), Some(1..1 + 4 * PIECE));
        assert_eq!(next(&bytes, 1, 8), Some(8..8 + 4 * PIECE));
        bytes[PIECE] = 1;
        assert_eq!(next(&bytes, 0, 1), Some(0..PIECE));
        assert_eq!(next(&bytes, PIECE, 1), Some(PIECE + 2..4 * PIECE + 2));
        assert_eq!(next(&bytes, PIECE, 4), Some(PIECE + 8..4 * PIECE + 8));
        assert_eq!(next(&bytes, 4 * PIECE + 8, 4), None);
    }

    #[test]
    fn every_run_is_found() {
        for start in (0..3 * PIECE).step_by(97) {
            let mut bytes = vec![1; 8 * PIECE];
            bytes[start..start + PIECE + 1].fill(0);
            let expected = if start == 0 { 0 } else { start + 1 };
            assert_eq!(next(&bytes, 0, 1), Some(expected..expected + PIECE), "{start}");
            bytes[start + PIECE / 2] = 1;
            assert_eq!(next(&bytes, 0, 1), None, "{start}");
        }
    }
}
