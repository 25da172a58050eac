//! What each relocation type writes, as LLVM has it: the name, the bytes of the field, and the
//! range. Addresses have 16 bits.

use crate::machine::howto::{Howto, Range, data, narrow, none};
use object::elf::{R_MSP430_16_BYTE, R_MSP430_32};

/// Nothing.
pub const R_MSP430_NONE: u32 = 0;
/// The distance of a jump, in ten bits.
pub const R_MSP430_10_PCREL: u32 = 2;
/// An address that is even.
pub const R_MSP430_16: u32 = 3;
/// A distance that is even.
pub const R_MSP430_16_PCREL: u32 = 4;
/// A distance.
pub const R_MSP430_16_PCREL_BYTE: u32 = 6;
/// A byte.
pub const R_MSP430_8: u32 = 9;

/// Types that write the distance or the address of a symbol.
pub const COMPUTED: &[u32] = &[
    R_MSP430_32,
    R_MSP430_10_PCREL,
    R_MSP430_16,
    R_MSP430_16_PCREL,
    R_MSP430_16_BYTE,
    R_MSP430_16_PCREL_BYTE,
    R_MSP430_8,
];
/// Types that refer to nothing.
pub const MARKS: &[u32] = &[R_MSP430_NONE];

/// The row of `r_type`, or `None` for a number that is not defined.
#[inline]
pub fn howto(r_type: u32) -> Option<&'static Howto> {
    HOWTOS.get(r_type as usize)
}

/// Rows by number; `rows_stand_at_their_numbers` below checks the order. lld and this linker know
/// the names alone of those without a field.
pub static HOWTOS: [Howto; 11] = [
    none("R_MSP430_NONE"),
    data("R_MSP430_32", 4),
    narrow("R_MSP430_10_PCREL", 2, Range::Signed(11)),
    narrow("R_MSP430_16", 2, Range::Either(16)),
    narrow("R_MSP430_16_PCREL", 2, Range::Either(16)),
    narrow("R_MSP430_16_BYTE", 2, Range::Either(16)),
    narrow("R_MSP430_16_PCREL_BYTE", 2, Range::Either(16)),
    none("R_MSP430_2X_PCREL"),
    none("R_MSP430_RL_PCREL"),
    narrow("R_MSP430_8", 1, Range::Either(8)),
    none("R_MSP430_SYM_DIFF"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_stand_at_their_numbers() {
        for (number, name) in [
            (R_MSP430_NONE, "R_MSP430_NONE"),
            (R_MSP430_10_PCREL, "R_MSP430_10_PCREL"),
            (R_MSP430_16_BYTE, "R_MSP430_16_BYTE"),
            (R_MSP430_16_PCREL_BYTE, "R_MSP430_16_PCREL_BYTE"),
            (R_MSP430_8, "R_MSP430_8"),
            (10, "R_MSP430_SYM_DIFF"),
        ] {
            assert_eq!(howto(number).map(|howto| howto.name), Some(name));
        }
        assert!([11, u32::MAX].into_iter().all(|number| howto(number).is_none()));
    }
}
