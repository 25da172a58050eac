//! Rounding offsets up to an alignment.

/// The next offset with an alignment. What would exceed 64 bits stops there: who gives addresses
/// out reports it.
#[inline(always)]
pub fn align_up(offset: u64, align_log2: u8) -> u64 {
    let mask = (1u64 << align_log2) - 1;
    offset.saturating_add(mask) & !mask
}
