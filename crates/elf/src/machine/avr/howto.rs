//! What each relocation type writes, as GNU's tools and LLVM have it: the name, the bytes of the
//! field, and the range. Instructions are half-words; addresses of code count bytes in files and
//! half-words in instructions.

use crate::machine::howto::{Howto, Range, data, narrow, none};
use object::elf::*;

/// Types that write the distance or the address of a symbol, in all or in a part of a field.
pub const COMPUTED: &[u32] = &[
    R_AVR_32,
    R_AVR_7_PCREL,
    R_AVR_13_PCREL,
    R_AVR_16,
    R_AVR_16_PM,
    R_AVR_LO8_LDI,
    R_AVR_HI8_LDI,
    R_AVR_HH8_LDI,
    R_AVR_LO8_LDI_NEG,
    R_AVR_HI8_LDI_NEG,
    R_AVR_HH8_LDI_NEG,
    R_AVR_LO8_LDI_PM,
    R_AVR_HI8_LDI_PM,
    R_AVR_HH8_LDI_PM,
    R_AVR_LO8_LDI_PM_NEG,
    R_AVR_HI8_LDI_PM_NEG,
    R_AVR_HH8_LDI_PM_NEG,
    R_AVR_CALL,
    R_AVR_LDI,
    R_AVR_6,
    R_AVR_6_ADIW,
    R_AVR_MS8_LDI,
    R_AVR_MS8_LDI_NEG,
    R_AVR_LO8_LDI_GS,
    R_AVR_HI8_LDI_GS,
    R_AVR_8,
    R_AVR_8_LO8,
    R_AVR_8_HI8,
    R_AVR_8_HLO8,
    R_AVR_LDS_STS_16,
    R_AVR_PORT6,
    R_AVR_PORT5,
    R_AVR_32_PCREL,
];
/// Types that refer to nothing: distances that the assembler has written, for a linker that makes
/// code shorter.
pub const MARKS: &[u32] = &[R_AVR_NONE, R_AVR_DIFF8, R_AVR_DIFF16, R_AVR_DIFF32];

/// The row of `r_type`, or `None` for a number that is not defined.
#[inline]
pub fn howto(r_type: u32) -> Option<&'static Howto> {
    HOWTOS.get(r_type as usize)
}

/// A part of an address, in the immediate of an instruction.
const fn part(name: &'static str) -> Howto {
    data(name, 2)
}

/// Rows by number; `rows_stand_at_their_numbers` below checks the order.
pub static HOWTOS: [Howto; 37] = [
    none("R_AVR_NONE"),
    data("R_AVR_32", 4),
    narrow("R_AVR_7_PCREL", 2, Range::Signed(8)),
    narrow("R_AVR_13_PCREL", 2, Range::Signed(13)),
    data("R_AVR_16", 2),
    narrow("R_AVR_16_PM", 2, Range::Unsigned(17)),
    part("R_AVR_LO8_LDI"),
    part("R_AVR_HI8_LDI"),
    part("R_AVR_HH8_LDI"),
    part("R_AVR_LO8_LDI_NEG"),
    part("R_AVR_HI8_LDI_NEG"),
    part("R_AVR_HH8_LDI_NEG"),
    part("R_AVR_LO8_LDI_PM"),
    part("R_AVR_HI8_LDI_PM"),
    part("R_AVR_HH8_LDI_PM"),
    part("R_AVR_LO8_LDI_PM_NEG"),
    part("R_AVR_HI8_LDI_PM_NEG"),
    part("R_AVR_HH8_LDI_PM_NEG"),
    narrow("R_AVR_CALL", 4, Range::Unsigned(23)),
    narrow("R_AVR_LDI", 2, Range::Either(8)),
    narrow("R_AVR_6", 2, Range::Unsigned(6)),
    narrow("R_AVR_6_ADIW", 2, Range::Unsigned(6)),
    part("R_AVR_MS8_LDI"),
    part("R_AVR_MS8_LDI_NEG"),
    narrow("R_AVR_LO8_LDI_GS", 2, Range::Unsigned(17)),
    narrow("R_AVR_HI8_LDI_GS", 2, Range::Unsigned(17)),
    narrow("R_AVR_8", 1, Range::Either(8)),
    data("R_AVR_8_LO8", 1),
    data("R_AVR_8_HI8", 1),
    data("R_AVR_8_HLO8", 1),
    data("R_AVR_DIFF8", 1),
    data("R_AVR_DIFF16", 2),
    data("R_AVR_DIFF32", 4),
    // What is checked counts from 0x40, where the memory begins that the instruction reaches.
    narrow("R_AVR_LDS_STS_16", 2, Range::Unsigned(7)),
    narrow("R_AVR_PORT6", 2, Range::Unsigned(6)),
    narrow("R_AVR_PORT5", 2, Range::Unsigned(5)),
    data("R_AVR_32_PCREL", 4),
];

/// What the value of a type's field must be a multiple of.
pub fn field_align(r_type: u32) -> u64 {
    match r_type {
        R_AVR_7_PCREL | R_AVR_13_PCREL | R_AVR_16_PM | R_AVR_CALL => 2,
        R_AVR_LO8_LDI_PM..=R_AVR_HH8_LDI_PM_NEG | R_AVR_LO8_LDI_GS | R_AVR_HI8_LDI_GS => 2,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_stand_at_their_numbers() {
        for (number, name) in [
            (R_AVR_NONE, "R_AVR_NONE"),
            (R_AVR_13_PCREL, "R_AVR_13_PCREL"),
            (R_AVR_LO8_LDI, "R_AVR_LO8_LDI"),
            (R_AVR_HH8_LDI_PM_NEG, "R_AVR_HH8_LDI_PM_NEG"),
            (R_AVR_CALL, "R_AVR_CALL"),
            (R_AVR_MS8_LDI_NEG, "R_AVR_MS8_LDI_NEG"),
            (R_AVR_HI8_LDI_GS, "R_AVR_HI8_LDI_GS"),
            (R_AVR_8_HLO8, "R_AVR_8_HLO8"),
            (R_AVR_DIFF32, "R_AVR_DIFF32"),
            (R_AVR_PORT5, "R_AVR_PORT5"),
            (R_AVR_32_PCREL, "R_AVR_32_PCREL"),
        ] {
            assert_eq!(howto(number).map(|howto| howto.name), Some(name));
        }
        assert!([37, u32::MAX].into_iter().all(|number| howto(number).is_none()));
    }
}
