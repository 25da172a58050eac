//! Rounding offsets up to an alignment.

/// `offset` rounded up to two to `align_log2`. It stops below 2^64: whoever gives out addresses
/// reports that.
#[inline(always)]
pub fn align_up(offset: u64, align_log2: u8) -> u64 {
    let mask = (1u64 << align_log2) - 1;
    offset.saturating_add(mask) & !mask
}
