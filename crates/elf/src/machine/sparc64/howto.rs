//! What each relocation type writes (SPARC Compliance Definition 2.4, "Relocation"; "System V ABI,
//! SPARC Version 9 Processor Supplement"): the name, the bytes of the field, the range of its
//! value, and which bits of an instruction it is in.

use crate::machine::howto::{Howto, Range, narrow, none};
use object::elf::*;

/// The bits of `r_info` that say the type. Above them is the second addend of `R_SPARC_OLO10`.
pub const TYPE_BITS: u32 = 0xff;

/// Where the value of a type is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    /// Nowhere.
    None,
    /// In bytes of data.
    Data,
    /// Bits of the value from the first number on, as many as the second, at the end of the
    /// instruction.
    Bits(u8, u8),
    /// Likewise of the complement, for an instruction whose partner sets all higher bits.
    Inverted(u8, u8),
    /// The ten lowest bits of a number whose higher bits the partner set inverted: all bits above
    /// are set, to turn them back.
    LowInverted,
    /// The distance of a branch in two parts, with 16 bits and with 10.
    Branch16,
    /// See [`Field::Branch16`].
    Branch10,
    /// The ten lowest bits, to which the second addend is added.
    LowAndMore,
}

/// Types whose field is computed when it is written, if the symbol is defined in this output and
/// not preemptible; in position-independent output too.
pub const COMPUTED: &[u32] = &[
    R_SPARC_DISP8,
    R_SPARC_DISP16,
    R_SPARC_DISP32,
    R_SPARC_WDISP30,
    R_SPARC_WDISP22,
    R_SPARC_PC10,
    R_SPARC_PC22,
    R_SPARC_WPLT30,
    R_SPARC_PCPLT32,
    R_SPARC_PCPLT22,
    R_SPARC_PCPLT10,
    R_SPARC_PC_HH22,
    R_SPARC_PC_HM10,
    R_SPARC_PC_LM22,
    R_SPARC_WDISP16,
    R_SPARC_WDISP19,
    R_SPARC_DISP64,
    R_SPARC_WDISP10,
];
/// Likewise, if the output is at fixed addresses.
pub const ABSOLUTE: &[u32] = &[
    R_SPARC_8,
    R_SPARC_16,
    R_SPARC_32,
    R_SPARC_HI22,
    R_SPARC_22,
    R_SPARC_13,
    R_SPARC_LO10,
    R_SPARC_UA32,
    R_SPARC_PLT32,
    R_SPARC_HIPLT22,
    R_SPARC_LOPLT10,
    R_SPARC_10,
    R_SPARC_11,
    R_SPARC_64,
    R_SPARC_HH22,
    R_SPARC_HM10,
    R_SPARC_LM22,
    R_SPARC_7,
    R_SPARC_5,
    R_SPARC_6,
    R_SPARC_PLT64,
    R_SPARC_HIX22,
    R_SPARC_LOX10,
    R_SPARC_H44,
    R_SPARC_M44,
    R_SPARC_L44,
    R_SPARC_REGISTER,
    R_SPARC_UA64,
    R_SPARC_UA16,
    R_SPARC_H34,
];

/// Types whose field is the symbol's size.
pub const SIZES: &[u32] = &[R_SPARC_SIZE32, R_SPARC_SIZE64];

/// The row of `r_type`, or `None` for a number that has none.
#[inline]
pub fn howto(r_type: u32) -> Option<&'static Howto> {
    HOWTOS.get(r_type as usize).filter(|howto| howto.is_defined())
}

/// Where the value of a type is.
#[inline(always)]
pub const fn field(r_type: u32) -> Field {
    match r_type {
        R_SPARC_8 | R_SPARC_16 | R_SPARC_32 | R_SPARC_64 | R_SPARC_DISP8 | R_SPARC_DISP16
        | R_SPARC_DISP32 | R_SPARC_DISP64 | R_SPARC_UA16 | R_SPARC_UA32 | R_SPARC_UA64
        | R_SPARC_PLT32 | R_SPARC_PLT64 | R_SPARC_PCPLT32 | R_SPARC_REGISTER
        | R_SPARC_TLS_DTPOFF32 | R_SPARC_TLS_DTPOFF64 | R_SPARC_SIZE32 | R_SPARC_SIZE64 => {
            Field::Data
        }
        R_SPARC_WDISP30 | R_SPARC_WPLT30 | R_SPARC_TLS_GD_CALL | R_SPARC_TLS_LDM_CALL => {
            Field::Bits(2, 30)
        }
        R_SPARC_WDISP22 => Field::Bits(2, 22),
        R_SPARC_WDISP19 => Field::Bits(2, 19),
        R_SPARC_WDISP16 => Field::Branch16,
        R_SPARC_WDISP10 => Field::Branch10,
        R_SPARC_HI22
        | R_SPARC_GOT22
        | R_SPARC_PC22
        | R_SPARC_HIPLT22
        | R_SPARC_PCPLT22
        | R_SPARC_LM22
        | R_SPARC_PC_LM22
        | R_SPARC_TLS_GD_HI22
        | R_SPARC_TLS_LDM_HI22
        | R_SPARC_TLS_LDO_HIX22
        | R_SPARC_TLS_IE_HI22 => Field::Bits(10, 22),
        R_SPARC_LO10
        | R_SPARC_GOT10
        | R_SPARC_PC10
        | R_SPARC_LOPLT10
        | R_SPARC_PCPLT10
        | R_SPARC_10
        | R_SPARC_TLS_GD_LO10
        | R_SPARC_TLS_LDM_LO10
        | R_SPARC_TLS_LDO_LOX10
        | R_SPARC_TLS_IE_LO10 => Field::Bits(0, 10),
        R_SPARC_22 => Field::Bits(0, 22),
        R_SPARC_13 | R_SPARC_GOT13 => Field::Bits(0, 13),
        R_SPARC_11 => Field::Bits(0, 11),
        R_SPARC_7 => Field::Bits(0, 7),
        R_SPARC_6 => Field::Bits(0, 6),
        R_SPARC_5 => Field::Bits(0, 5),
        R_SPARC_HH22 | R_SPARC_PC_HH22 => Field::Bits(42, 22),
        R_SPARC_HM10 | R_SPARC_PC_HM10 => Field::Bits(32, 10),
        R_SPARC_H44 => Field::Bits(22, 22),
        R_SPARC_M44 => Field::Bits(12, 10),
        R_SPARC_L44 => Field::Bits(0, 12),
        R_SPARC_H34 => Field::Bits(12, 22),
        R_SPARC_HIX22 | R_SPARC_TLS_LE_HIX22 => Field::Inverted(10, 22),
        R_SPARC_LOX10 | R_SPARC_TLS_LE_LOX10 => Field::LowInverted,
        R_SPARC_OLO10 => Field::LowAndMore,
        _ => Field::None,
    }
}

/// What the value of a type must be a multiple of: distances of branches count in instructions.
pub fn field_align(r_type: u32) -> u64 {
    match field(r_type) {
        Field::Bits(2, _) | Field::Branch16 | Field::Branch10 => 4,
        _ => 1,
    }
}

/// Whether `r_type` is one of thread-local storage that an object may contain.
#[inline]
pub const fn is_thread_local(r_type: u32) -> bool {
    matches!(
        r_type,
        R_SPARC_TLS_GD_HI22..=R_SPARC_TLS_LE_LOX10 | R_SPARC_TLS_DTPOFF32 | R_SPARC_TLS_DTPOFF64
    )
}

/// The instructions that a TLS type must be used in, for a message.
pub const fn required_tls_sequence(r_type: u32) -> &'static str {
    match r_type {
        R_SPARC_TLS_GD_CALL | R_SPARC_TLS_LDM_CALL => "must be used in call __tls_get_addr",
        R_SPARC_TLS_IE_LD | R_SPARC_TLS_IE_LDX => "must be used in a load from two registers",
        R_SPARC_TLS_LDO_ADD => "must be used with the sum of two registers",
        R_SPARC_TLS_GD_LO10 | R_SPARC_TLS_IE_LO10 => "must be used in add with an immediate",
        _ => "must be used in add of two registers",
    }
}

const fn word(name: &'static str) -> Howto {
    Howto { name, size: 8, range: Range::Any }
}

/// A part of a number, or one that may be cut, in an instruction.
const fn part(name: &'static str) -> Howto {
    Howto { name, size: 4, range: Range::Any }
}

/// A field in an instruction for a value of that many bits.
const fn signed(name: &'static str, bits: u8) -> Howto {
    Howto { name, size: 4, range: Range::Signed(bits) }
}

const fn unsigned(name: &'static str, bits: u8) -> Howto {
    Howto { name, size: 4, range: Range::Unsigned(bits) }
}

const fn either(name: &'static str, bits: u8) -> Howto {
    Howto { name, size: 4, range: Range::Either(bits) }
}

/// Rows by number; `rows_stand_at_their_numbers` below checks the order.
pub static HOWTOS: [Howto; 89] = [
    none("R_SPARC_NONE"),
    narrow("R_SPARC_8", 1, Range::Either(8)),
    narrow("R_SPARC_16", 2, Range::Either(16)),
    narrow("R_SPARC_32", 4, Range::Either(32)),
    narrow("R_SPARC_DISP8", 1, Range::Signed(8)),
    narrow("R_SPARC_DISP16", 2, Range::Signed(16)),
    narrow("R_SPARC_DISP32", 4, Range::Signed(32)),
    signed("R_SPARC_WDISP30", 32),
    signed("R_SPARC_WDISP22", 24),
    unsigned("R_SPARC_HI22", 32),
    either("R_SPARC_22", 22),
    either("R_SPARC_13", 13),
    part("R_SPARC_LO10"),
    part("R_SPARC_GOT10"),
    signed("R_SPARC_GOT13", 13),
    unsigned("R_SPARC_GOT22", 32),
    part("R_SPARC_PC10"),
    either("R_SPARC_PC22", 32),
    signed("R_SPARC_WPLT30", 32),
    none("R_SPARC_COPY"),
    word("R_SPARC_GLOB_DAT"),
    // The loader writes instructions.
    none("R_SPARC_JMP_SLOT"),
    word("R_SPARC_RELATIVE"),
    narrow("R_SPARC_UA32", 4, Range::Either(32)),
    narrow("R_SPARC_PLT32", 4, Range::Either(32)),
    unsigned("R_SPARC_HIPLT22", 32),
    part("R_SPARC_LOPLT10"),
    narrow("R_SPARC_PCPLT32", 4, Range::Signed(32)),
    either("R_SPARC_PCPLT22", 32),
    part("R_SPARC_PCPLT10"),
    either("R_SPARC_10", 10),
    either("R_SPARC_11", 11),
    word("R_SPARC_64"),
    signed("R_SPARC_OLO10", 13),
    part("R_SPARC_HH22"),
    part("R_SPARC_HM10"),
    part("R_SPARC_LM22"),
    part("R_SPARC_PC_HH22"),
    part("R_SPARC_PC_HM10"),
    part("R_SPARC_PC_LM22"),
    signed("R_SPARC_WDISP16", 18),
    signed("R_SPARC_WDISP19", 21),
    none("R_SPARC_GLOB_JMP"),
    either("R_SPARC_7", 7),
    either("R_SPARC_5", 5),
    either("R_SPARC_6", 6),
    word("R_SPARC_DISP64"),
    word("R_SPARC_PLT64"),
    either("R_SPARC_HIX22", 33),
    part("R_SPARC_LOX10"),
    unsigned("R_SPARC_H44", 44),
    part("R_SPARC_M44"),
    part("R_SPARC_L44"),
    word("R_SPARC_REGISTER"),
    word("R_SPARC_UA64"),
    narrow("R_SPARC_UA16", 2, Range::Either(16)),
    unsigned("R_SPARC_TLS_GD_HI22", 32),
    part("R_SPARC_TLS_GD_LO10"),
    none("R_SPARC_TLS_GD_ADD"),
    signed("R_SPARC_TLS_GD_CALL", 32),
    unsigned("R_SPARC_TLS_LDM_HI22", 32),
    part("R_SPARC_TLS_LDM_LO10"),
    none("R_SPARC_TLS_LDM_ADD"),
    signed("R_SPARC_TLS_LDM_CALL", 32),
    unsigned("R_SPARC_TLS_LDO_HIX22", 32),
    part("R_SPARC_TLS_LDO_LOX10"),
    none("R_SPARC_TLS_LDO_ADD"),
    unsigned("R_SPARC_TLS_IE_HI22", 32),
    part("R_SPARC_TLS_IE_LO10"),
    none("R_SPARC_TLS_IE_LD"),
    none("R_SPARC_TLS_IE_LDX"),
    none("R_SPARC_TLS_IE_ADD"),
    either("R_SPARC_TLS_LE_HIX22", 33),
    part("R_SPARC_TLS_LE_LOX10"),
    narrow("R_SPARC_TLS_DTPMOD32", 4, Range::Any),
    word("R_SPARC_TLS_DTPMOD64"),
    narrow("R_SPARC_TLS_DTPOFF32", 4, Range::Signed(32)),
    word("R_SPARC_TLS_DTPOFF64"),
    narrow("R_SPARC_TLS_TPOFF32", 4, Range::Any),
    word("R_SPARC_TLS_TPOFF64"),
    either("R_SPARC_GOTDATA_HIX22", 33),
    part("R_SPARC_GOTDATA_LOX10"),
    either("R_SPARC_GOTDATA_OP_HIX22", 33),
    part("R_SPARC_GOTDATA_OP_LOX10"),
    none("R_SPARC_GOTDATA_OP"),
    unsigned("R_SPARC_H34", 34),
    narrow("R_SPARC_SIZE32", 4, Range::Either(32)),
    word("R_SPARC_SIZE64"),
    signed("R_SPARC_WDISP10", 12),
];

/// Rows of numbers that are far behind the others.
pub static LAST: [(u32, Howto); 5] = [
    (R_SPARC_JMP_IREL, none("R_SPARC_JMP_IREL")),
    (R_SPARC_IRELATIVE, word("R_SPARC_IRELATIVE")),
    (R_SPARC_GNU_VTINHERIT, none("R_SPARC_GNU_VTINHERIT")),
    (R_SPARC_GNU_VTENTRY, none("R_SPARC_GNU_VTENTRY")),
    (R_SPARC_REV32, none("R_SPARC_REV32")),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_stand_at_their_numbers() {
        for (number, name) in [
            (R_SPARC_NONE, "R_SPARC_NONE"),
            (R_SPARC_COPY, "R_SPARC_COPY"),
            (R_SPARC_64, "R_SPARC_64"),
            (R_SPARC_WDISP19, "R_SPARC_WDISP19"),
            (R_SPARC_HIX22, "R_SPARC_HIX22"),
            (R_SPARC_UA16, "R_SPARC_UA16"),
            (R_SPARC_TLS_LE_LOX10, "R_SPARC_TLS_LE_LOX10"),
            (R_SPARC_GOTDATA_OP, "R_SPARC_GOTDATA_OP"),
            (R_SPARC_WDISP10, "R_SPARC_WDISP10"),
        ] {
            assert_eq!(howto(number).map(|howto| howto.name), Some(name));
        }
        assert!(HOWTOS.iter().all(|howto| howto.is_defined()));
    }

    #[test]
    fn distances_reach_as_far_as_their_fields() {
        for (number, row) in HOWTOS.iter().enumerate() {
            if let (Field::Bits(2, bits), Range::Signed(range)) = (field(number as u32), row.range)
            {
                assert_eq!(bits + 2, range, "{}", row.name);
            }
        }
    }
}
