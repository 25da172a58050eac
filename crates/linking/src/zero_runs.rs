//! Long runs of zeros in sections of strings, which would otherwise be millions of empty strings,
//! each of them a piece.
//!
//! Instead, each page of zeros is one piece. A reference into such a piece still finds an empty
//! string at the same offset, and all such pieces are equal. Shorter runs are not changed: they
//! align strings.

use std::ops::Range;

/// Size of a piece of zeros in bytes.
pub const PIECE: usize = 4096;

/// The next run of zeros from `from` on, an offset at which a string begins. The range begins where
/// a string begins, at a multiple of `unit`, a power of two; its length is a multiple of [`PIECE`].
#[inline]
pub fn next(bytes: &[u8], from: usize, unit: usize) -> Option<Range<usize>> {
    if bytes.len() - from < PIECE || unit > PIECE {
        return None;
    }
    find(bytes, from, unit)
}

/// Searches for a run. It must contain a multiple of half a piece that is followed by half a piece
/// of zeros, so only these offsets are tried.
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
