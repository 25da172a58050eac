//! Rounding offsets up to an alignment.

/// `offset` rounded up to a multiple of `1 << align_log2`. On overflow it saturates below 2^64; the
/// caller that assigns addresses reports that.
#[inline(always)]
pub fn align_up(offset: u64, align_log2: u8) -> u64 {
    let mask = (1u64 << align_log2) - 1;
    offset.saturating_add(mask) & !mask
}
