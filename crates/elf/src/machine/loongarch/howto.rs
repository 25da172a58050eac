//! What each relocation type writes ("ELF for the LoongArch Architecture", "Relocations"): the
//! name, the bytes of the field, the range of its value, and where in an instruction it is.

use crate::machine::howto::{Howto, Range, data, narrow, none};
use crate::machine::sums::{Step, SumPart, Width};
use object::elf::*;

pub use numbers::*;

/// Where the value of a type is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    /// Nowhere.
    None,
    /// In bytes of data.
    Data,
    /// In a number that data holds: see [`sum_part`].
    Sum,
    /// Bits 12 to 31, in 20 bits (format 1RI20).
    Upper,
    /// The same, rounded so that signed lower bits can be added.
    RoundedUpper,
    /// The lower 12 bits (format 2RI12).
    Low,
    /// Bits 32 to 51, in 20 bits.
    Higher,
    /// Bits 52 to 63, in 12 bits.
    Highest,
    /// A distance in words, in 16 bits (format 2RI16).
    Branch16,
    /// A distance in words, in 21 bits (format 1RI21).
    Branch21,
    /// A distance in words, in 26 bits (format I26).
    Branch26,
    /// A distance in words, in 20 bits, as PCADDI has it.
    Near,
    /// A distance in PCADDU18I and the JIRL behind it.
    Call36,
    /// A distance in PCADDU12I and the JIRL behind it.
    Call30,
    /// What the stack machine leaves: this many bits from a bit of the word on.
    Popped {
        /// How many bits.
        bits: u8,
        /// The lowest of them.
        at: u8,
    },
    /// Likewise a whole word.
    PoppedWord,
}

/// Branches, whose distance is that of the PLT entry if the symbol has one.
pub const BRANCHES: &[u32] =
    &[R_LARCH_B16, R_LARCH_B21, R_LARCH_B26, R_LARCH_CALL36, R_LARCH_CALL30];
/// Types whose field is computed when it is written, if the symbol is defined in this output and
/// not preemptible; in position-independent output too.
pub const COMPUTED: &[u32] = &[
    R_LARCH_B16,
    R_LARCH_B21,
    R_LARCH_B26,
    R_LARCH_CALL36,
    R_LARCH_CALL30,
    R_LARCH_PCALA_HI20,
    R_LARCH_PCALA_LO12,
    R_LARCH_PCALA64_LO20,
    R_LARCH_PCALA64_HI12,
    R_LARCH_PCREL20_S2,
    R_LARCH_PCADD_HI20,
    R_LARCH_32_PCREL,
    R_LARCH_64_PCREL,
    R_LARCH_ADD6,
    R_LARCH_ADD8,
    R_LARCH_ADD16,
    R_LARCH_ADD24,
    R_LARCH_ADD32,
    R_LARCH_ADD64,
    R_LARCH_SUB6,
    R_LARCH_SUB8,
    R_LARCH_SUB16,
    R_LARCH_SUB24,
    R_LARCH_SUB32,
    R_LARCH_SUB64,
    R_LARCH_ADD_ULEB128,
    R_LARCH_SUB_ULEB128,
];
/// Likewise, if the output is at fixed addresses.
pub const ABSOLUTE: &[u32] = &[
    R_LARCH_32,
    R_LARCH_64,
    R_LARCH_ABS_HI20,
    R_LARCH_ABS_LO12,
    R_LARCH_ABS64_LO20,
    R_LARCH_ABS64_HI12,
];
/// Types that say something of the code and refer to nothing.
pub const MARKS: &[u32] =
    &[R_LARCH_NONE, R_LARCH_MARK_LA, R_LARCH_MARK_PCREL, R_LARCH_RELAX, R_LARCH_ALIGN];
/// Types that refer to a label within the code, of which they want the distance or the other half.
pub const LABELS: &[u32] = &[
    R_LARCH_PCADD_LO12,
    R_LARCH_GOT_PCADD_LO12,
    R_LARCH_TLS_IE_PCADD_LO12,
    R_LARCH_TLS_LD_PCADD_LO12,
    R_LARCH_TLS_GD_PCADD_LO12,
    R_LARCH_TLS_DESC_PCADD_LO12,
    R_LARCH_ALIGN,
    R_LARCH_ADD6,
    R_LARCH_ADD8,
    R_LARCH_ADD16,
    R_LARCH_ADD24,
    R_LARCH_ADD32,
    R_LARCH_ADD64,
    R_LARCH_SUB6,
    R_LARCH_SUB8,
    R_LARCH_SUB16,
    R_LARCH_SUB24,
    R_LARCH_SUB32,
    R_LARCH_SUB64,
    R_LARCH_ADD_ULEB128,
    R_LARCH_SUB_ULEB128,
];

/// The row of `r_type`, or `None` for a number that the psABI does not define.
#[inline]
pub fn howto(r_type: u32) -> Option<&'static Howto> {
    HOWTOS.get(r_type as usize).filter(|howto| howto.is_defined())
}

/// Where the value of a type is.
#[inline(always)]
pub const fn field(r_type: u32) -> Field {
    match r_type {
        R_LARCH_32
        | R_LARCH_64
        | R_LARCH_TLS_DTPREL32..=R_LARCH_TLS_TPREL64
        | R_LARCH_32_PCREL
        | R_LARCH_64_PCREL => Field::Data,
        R_LARCH_ADD8..=R_LARCH_SUB64
        | R_LARCH_ADD6
        | R_LARCH_SUB6
        | R_LARCH_ADD_ULEB128
        | R_LARCH_SUB_ULEB128 => Field::Sum,
        R_LARCH_B16 => Field::Branch16,
        R_LARCH_B21 => Field::Branch21,
        R_LARCH_B26 => Field::Branch26,
        R_LARCH_PCREL20_S2
        | R_LARCH_TLS_LD_PCREL20_S2
        | R_LARCH_TLS_GD_PCREL20_S2
        | R_LARCH_TLS_DESC_PCREL20_S2 => Field::Near,
        R_LARCH_CALL36 => Field::Call36,
        R_LARCH_CALL30 => Field::Call30,
        R_LARCH_SOP_POP_32_S_10_5 => Field::Popped { bits: 5, at: 10 },
        R_LARCH_SOP_POP_32_U_10_12 | R_LARCH_SOP_POP_32_S_10_12 => {
            Field::Popped { bits: 12, at: 10 }
        }
        R_LARCH_SOP_POP_32_S_10_16 => Field::Popped { bits: 16, at: 10 },
        R_LARCH_SOP_POP_32_S_5_20 => Field::Popped { bits: 20, at: 5 },
        R_LARCH_SOP_POP_32_S_10_16_S2 => Field::Branch16,
        R_LARCH_SOP_POP_32_S_0_5_10_16_S2 => Field::Branch21,
        R_LARCH_SOP_POP_32_S_0_10_10_16_S2 => Field::Branch26,
        R_LARCH_SOP_POP_32_U => Field::PoppedWord,
        _ => part_of_value(r_type),
    }
}

/// Which part of an address or an offset a type has.
const fn part_of_value(r_type: u32) -> Field {
    match r_type {
        R_LARCH_ABS_HI20
        | R_LARCH_PCALA_HI20
        | R_LARCH_GOT_PC_HI20
        | R_LARCH_GOT_HI20
        | R_LARCH_TLS_LE_HI20
        | R_LARCH_TLS_IE_PC_HI20
        | R_LARCH_TLS_IE_HI20
        | R_LARCH_TLS_LD_PC_HI20..=R_LARCH_TLS_GD_HI20
        | R_LARCH_TLS_DESC_PC_HI20
        | R_LARCH_TLS_DESC_HI20 => Field::Upper,
        R_LARCH_TLS_LE_HI20_R
        | R_LARCH_PCADD_HI20
        | R_LARCH_GOT_PCADD_HI20
        | R_LARCH_TLS_IE_PCADD_HI20
        | R_LARCH_TLS_LD_PCADD_HI20
        | R_LARCH_TLS_GD_PCADD_HI20
        | R_LARCH_TLS_DESC_PCADD_HI20 => Field::RoundedUpper,
        R_LARCH_ABS_LO12
        | R_LARCH_PCALA_LO12
        | R_LARCH_GOT_PC_LO12
        | R_LARCH_GOT_LO12
        | R_LARCH_TLS_LE_LO12
        | R_LARCH_TLS_IE_PC_LO12
        | R_LARCH_TLS_IE_LO12
        | R_LARCH_TLS_DESC_PC_LO12
        | R_LARCH_TLS_DESC_LO12
        | R_LARCH_TLS_LE_LO12_R
        | R_LARCH_PCADD_LO12
        | R_LARCH_GOT_PCADD_LO12
        | R_LARCH_TLS_IE_PCADD_LO12
        | R_LARCH_TLS_LD_PCADD_LO12
        | R_LARCH_TLS_GD_PCADD_LO12
        | R_LARCH_TLS_DESC_PCADD_LO12 => Field::Low,
        R_LARCH_ABS64_LO20
        | R_LARCH_PCALA64_LO20
        | R_LARCH_GOT64_PC_LO20
        | R_LARCH_GOT64_LO20
        | R_LARCH_TLS_LE64_LO20
        | R_LARCH_TLS_IE64_PC_LO20
        | R_LARCH_TLS_IE64_LO20
        | R_LARCH_TLS_DESC64_PC_LO20
        | R_LARCH_TLS_DESC64_LO20 => Field::Higher,
        R_LARCH_ABS64_HI12
        | R_LARCH_PCALA64_HI12
        | R_LARCH_GOT64_PC_HI12
        | R_LARCH_GOT64_HI12
        | R_LARCH_TLS_LE64_HI12
        | R_LARCH_TLS_IE64_PC_HI12
        | R_LARCH_TLS_IE64_HI12
        | R_LARCH_TLS_DESC64_PC_HI12
        | R_LARCH_TLS_DESC64_HI12 => Field::Highest,
        _ => Field::None,
    }
}

/// For the type of an upper part of 20 bits: the type of the instruction that adds bits 32 to 51,
/// if the address has 64 bits (the extreme code model).
pub const fn higher_part(r_type: u32) -> Option<u32> {
    Some(match r_type {
        R_LARCH_ABS_HI20 => R_LARCH_ABS64_LO20,
        R_LARCH_PCALA_HI20 => R_LARCH_PCALA64_LO20,
        // Both words of a variable, and any word, have one lower part.
        R_LARCH_GOT_PC_HI20 | R_LARCH_TLS_GD_PC_HI20 | R_LARCH_TLS_LD_PC_HI20 => {
            R_LARCH_GOT64_PC_LO20
        }
        R_LARCH_GOT_HI20 | R_LARCH_TLS_GD_HI20 | R_LARCH_TLS_LD_HI20 => R_LARCH_GOT64_LO20,
        R_LARCH_TLS_LE_HI20 => R_LARCH_TLS_LE64_LO20,
        R_LARCH_TLS_IE_PC_HI20 => R_LARCH_TLS_IE64_PC_LO20,
        R_LARCH_TLS_IE_HI20 => R_LARCH_TLS_IE64_LO20,
        R_LARCH_TLS_DESC_PC_HI20 => R_LARCH_TLS_DESC64_PC_LO20,
        R_LARCH_TLS_DESC_HI20 => R_LARCH_TLS_DESC64_LO20,
        _ => return None,
    })
}

/// What a type does to a number that data holds.
pub fn sum_part(r_type: u32) -> Option<SumPart> {
    use Step::{Add, Subtract};
    use Width::{Bits6, Bytes, Uleb};
    let (step, width) = match r_type {
        R_LARCH_ADD6 => (Add, Bits6),
        R_LARCH_ADD8 => (Add, Bytes(1)),
        R_LARCH_ADD16 => (Add, Bytes(2)),
        R_LARCH_ADD24 => (Add, Bytes(3)),
        R_LARCH_ADD32 => (Add, Bytes(4)),
        R_LARCH_ADD64 => (Add, Bytes(8)),
        R_LARCH_SUB6 => (Subtract, Bits6),
        R_LARCH_SUB8 => (Subtract, Bytes(1)),
        R_LARCH_SUB16 => (Subtract, Bytes(2)),
        R_LARCH_SUB24 => (Subtract, Bytes(3)),
        R_LARCH_SUB32 => (Subtract, Bytes(4)),
        R_LARCH_SUB64 => (Subtract, Bytes(8)),
        R_LARCH_ADD_ULEB128 => (Add, Uleb),
        R_LARCH_SUB_ULEB128 => (Subtract, Uleb),
        _ => return None,
    };
    Some(SumPart { step, width })
}

/// Whether a type is one of the stack machine, with which objects of the first psABI compute
/// fields.
#[inline]
pub const fn is_stack(r_type: u32) -> bool {
    matches!(r_type, R_LARCH_SOP_PUSH_PCREL..=R_LARCH_SOP_POP_32_U)
}

/// Whether `r_type` is one of thread-local storage that an object may contain, and refers to the
/// variable.
#[inline]
pub const fn is_thread_local(r_type: u32) -> bool {
    matches!(
        r_type,
        R_LARCH_TLS_DTPREL32..=R_LARCH_TLS_TPREL64
            | R_LARCH_SOP_PUSH_TLS_TPREL..=R_LARCH_SOP_PUSH_TLS_GD
            | R_LARCH_TLS_LE_HI20..=R_LARCH_TLS_GD_HI20
            | R_LARCH_TLS_DESC_PC_HI20..=R_LARCH_TLS_DESC_PCREL20_S2
            | R_LARCH_TLS_IE_PCADD_HI20
            | R_LARCH_TLS_LD_PCADD_HI20
            | R_LARCH_TLS_GD_PCADD_HI20
            | R_LARCH_TLS_DESC_PCADD_HI20
    )
}

/// The instructions that a TLS type must be used in, for a message.
pub const fn required_tls_sequence(r_type: u32) -> &'static str {
    match r_type {
        R_LARCH_TLS_IE_PC_HI20 | R_LARCH_TLS_IE_PC_LO12 => {
            "must be used in pcalau12i, and in a load of the word"
        }
        _ => "must be used in pcalau12i, followed by an addition, a load and a call",
    }
}

/// An upper part, which has all of the value above the lower 12 bits if no higher part follows.
const fn upper(name: &'static str) -> Howto {
    Howto { name, size: 4, range: Range::Signed(32) }
}

/// Another part, which holds some bits of the value.
const fn part(name: &'static str) -> Howto {
    Howto { name, size: 4, range: Range::Any }
}

/// Rows by number; `rows_stand_at_their_numbers` below checks the order.
pub static HOWTOS: [Howto; 140] = [
    none("R_LARCH_NONE"),
    narrow("R_LARCH_32", 4, Range::Either(32)),
    data("R_LARCH_64", 8),
    data("R_LARCH_RELATIVE", 8),
    none("R_LARCH_COPY"),
    data("R_LARCH_JUMP_SLOT", 8),
    data("R_LARCH_TLS_DTPMOD32", 4),
    data("R_LARCH_TLS_DTPMOD64", 8),
    data("R_LARCH_TLS_DTPREL32", 4),
    data("R_LARCH_TLS_DTPREL64", 8),
    data("R_LARCH_TLS_TPREL32", 4),
    data("R_LARCH_TLS_TPREL64", 8),
    data("R_LARCH_IRELATIVE", 8),
    data("R_LARCH_TLS_DESC32", 8),
    data("R_LARCH_TLS_DESC64", 16),
    Howto::UNDEFINED,
    Howto::UNDEFINED,
    Howto::UNDEFINED,
    Howto::UNDEFINED,
    Howto::UNDEFINED,
    none("R_LARCH_MARK_LA"),
    none("R_LARCH_MARK_PCREL"),
    none("R_LARCH_SOP_PUSH_PCREL"),
    none("R_LARCH_SOP_PUSH_ABSOLUTE"),
    none("R_LARCH_SOP_PUSH_DUP"),
    none("R_LARCH_SOP_PUSH_GPREL"),
    none("R_LARCH_SOP_PUSH_TLS_TPREL"),
    none("R_LARCH_SOP_PUSH_TLS_GOT"),
    none("R_LARCH_SOP_PUSH_TLS_GD"),
    none("R_LARCH_SOP_PUSH_PLT_PCREL"),
    none("R_LARCH_SOP_ASSERT"),
    none("R_LARCH_SOP_NOT"),
    none("R_LARCH_SOP_SUB"),
    none("R_LARCH_SOP_SL"),
    none("R_LARCH_SOP_SR"),
    none("R_LARCH_SOP_ADD"),
    none("R_LARCH_SOP_AND"),
    none("R_LARCH_SOP_IF_ELSE"),
    narrow("R_LARCH_SOP_POP_32_S_10_5", 4, Range::Signed(5)),
    narrow("R_LARCH_SOP_POP_32_U_10_12", 4, Range::Unsigned(12)),
    narrow("R_LARCH_SOP_POP_32_S_10_12", 4, Range::Signed(12)),
    narrow("R_LARCH_SOP_POP_32_S_10_16", 4, Range::Signed(16)),
    narrow("R_LARCH_SOP_POP_32_S_10_16_S2", 4, Range::Signed(18)),
    narrow("R_LARCH_SOP_POP_32_S_5_20", 4, Range::Signed(20)),
    narrow("R_LARCH_SOP_POP_32_S_0_5_10_16_S2", 4, Range::Signed(23)),
    narrow("R_LARCH_SOP_POP_32_S_0_10_10_16_S2", 4, Range::Signed(28)),
    narrow("R_LARCH_SOP_POP_32_U", 4, Range::Unsigned(32)),
    data("R_LARCH_ADD8", 1),
    data("R_LARCH_ADD16", 2),
    data("R_LARCH_ADD24", 3),
    data("R_LARCH_ADD32", 4),
    data("R_LARCH_ADD64", 8),
    data("R_LARCH_SUB8", 1),
    data("R_LARCH_SUB16", 2),
    data("R_LARCH_SUB24", 3),
    data("R_LARCH_SUB32", 4),
    data("R_LARCH_SUB64", 8),
    none("R_LARCH_GNU_VTINHERIT"),
    none("R_LARCH_GNU_VTENTRY"),
    Howto::UNDEFINED,
    Howto::UNDEFINED,
    Howto::UNDEFINED,
    Howto::UNDEFINED,
    Howto::UNDEFINED,
    narrow("R_LARCH_B16", 4, Range::Signed(18)),
    narrow("R_LARCH_B21", 4, Range::Signed(23)),
    narrow("R_LARCH_B26", 4, Range::Signed(28)),
    upper("R_LARCH_ABS_HI20"),
    part("R_LARCH_ABS_LO12"),
    part("R_LARCH_ABS64_LO20"),
    part("R_LARCH_ABS64_HI12"),
    upper("R_LARCH_PCALA_HI20"),
    part("R_LARCH_PCALA_LO12"),
    part("R_LARCH_PCALA64_LO20"),
    part("R_LARCH_PCALA64_HI12"),
    upper("R_LARCH_GOT_PC_HI20"),
    part("R_LARCH_GOT_PC_LO12"),
    part("R_LARCH_GOT64_PC_LO20"),
    part("R_LARCH_GOT64_PC_HI12"),
    upper("R_LARCH_GOT_HI20"),
    part("R_LARCH_GOT_LO12"),
    part("R_LARCH_GOT64_LO20"),
    part("R_LARCH_GOT64_HI12"),
    upper("R_LARCH_TLS_LE_HI20"),
    part("R_LARCH_TLS_LE_LO12"),
    part("R_LARCH_TLS_LE64_LO20"),
    part("R_LARCH_TLS_LE64_HI12"),
    upper("R_LARCH_TLS_IE_PC_HI20"),
    part("R_LARCH_TLS_IE_PC_LO12"),
    part("R_LARCH_TLS_IE64_PC_LO20"),
    part("R_LARCH_TLS_IE64_PC_HI12"),
    upper("R_LARCH_TLS_IE_HI20"),
    part("R_LARCH_TLS_IE_LO12"),
    part("R_LARCH_TLS_IE64_LO20"),
    part("R_LARCH_TLS_IE64_HI12"),
    upper("R_LARCH_TLS_LD_PC_HI20"),
    upper("R_LARCH_TLS_LD_HI20"),
    upper("R_LARCH_TLS_GD_PC_HI20"),
    upper("R_LARCH_TLS_GD_HI20"),
    narrow("R_LARCH_32_PCREL", 4, Range::Signed(32)),
    none("R_LARCH_RELAX"),
    Howto::UNDEFINED,
    none("R_LARCH_ALIGN"),
    narrow("R_LARCH_PCREL20_S2", 4, Range::Signed(22)),
    Howto::UNDEFINED,
    data("R_LARCH_ADD6", 1),
    data("R_LARCH_SUB6", 1),
    none("R_LARCH_ADD_ULEB128"),
    none("R_LARCH_SUB_ULEB128"),
    data("R_LARCH_64_PCREL", 8),
    narrow("R_LARCH_CALL36", 8, Range::Signed(38)),
    upper("R_LARCH_TLS_DESC_PC_HI20"),
    part("R_LARCH_TLS_DESC_PC_LO12"),
    part("R_LARCH_TLS_DESC64_PC_LO20"),
    part("R_LARCH_TLS_DESC64_PC_HI12"),
    upper("R_LARCH_TLS_DESC_HI20"),
    part("R_LARCH_TLS_DESC_LO12"),
    part("R_LARCH_TLS_DESC64_LO20"),
    part("R_LARCH_TLS_DESC64_HI12"),
    none("R_LARCH_TLS_DESC_LD"),
    none("R_LARCH_TLS_DESC_CALL"),
    upper("R_LARCH_TLS_LE_HI20_R"),
    none("R_LARCH_TLS_LE_ADD_R"),
    part("R_LARCH_TLS_LE_LO12_R"),
    narrow("R_LARCH_TLS_LD_PCREL20_S2", 4, Range::Signed(22)),
    narrow("R_LARCH_TLS_GD_PCREL20_S2", 4, Range::Signed(22)),
    narrow("R_LARCH_TLS_DESC_PCREL20_S2", 4, Range::Signed(22)),
    narrow("R_LARCH_CALL30", 8, Range::Signed(32)),
    upper("R_LARCH_PCADD_HI20"),
    part("R_LARCH_PCADD_LO12"),
    upper("R_LARCH_GOT_PCADD_HI20"),
    part("R_LARCH_GOT_PCADD_LO12"),
    upper("R_LARCH_TLS_IE_PCADD_HI20"),
    part("R_LARCH_TLS_IE_PCADD_LO12"),
    upper("R_LARCH_TLS_LD_PCADD_HI20"),
    part("R_LARCH_TLS_LD_PCADD_LO12"),
    upper("R_LARCH_TLS_GD_PCADD_HI20"),
    part("R_LARCH_TLS_GD_PCADD_LO12"),
    upper("R_LARCH_TLS_DESC_PCADD_HI20"),
    part("R_LARCH_TLS_DESC_PCADD_LO12"),
];

// The numbers are the psABI's; `object` 0.37 has no name for them.
#[allow(missing_docs)]
mod numbers {
    pub const R_LARCH_TLS_DESC32: u32 = 13;
    pub const R_LARCH_TLS_DESC64: u32 = 14;
    pub const R_LARCH_CALL30: u32 = 127;
    pub const R_LARCH_PCADD_HI20: u32 = 128;
    pub const R_LARCH_PCADD_LO12: u32 = 129;
    pub const R_LARCH_GOT_PCADD_HI20: u32 = 130;
    pub const R_LARCH_GOT_PCADD_LO12: u32 = 131;
    pub const R_LARCH_TLS_IE_PCADD_HI20: u32 = 132;
    pub const R_LARCH_TLS_IE_PCADD_LO12: u32 = 133;
    pub const R_LARCH_TLS_LD_PCADD_HI20: u32 = 134;
    pub const R_LARCH_TLS_LD_PCADD_LO12: u32 = 135;
    pub const R_LARCH_TLS_GD_PCADD_HI20: u32 = 136;
    pub const R_LARCH_TLS_GD_PCADD_LO12: u32 = 137;
    pub const R_LARCH_TLS_DESC_PCADD_HI20: u32 = 138;
    pub const R_LARCH_TLS_DESC_PCADD_LO12: u32 = 139;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_stand_at_their_numbers() {
        for (number, name) in [
            (R_LARCH_NONE, "R_LARCH_NONE"),
            (R_LARCH_TLS_DESC64, "R_LARCH_TLS_DESC64"),
            (R_LARCH_MARK_LA, "R_LARCH_MARK_LA"),
            (R_LARCH_SOP_POP_32_U, "R_LARCH_SOP_POP_32_U"),
            (R_LARCH_GNU_VTENTRY, "R_LARCH_GNU_VTENTRY"),
            (R_LARCH_B16, "R_LARCH_B16"),
            (R_LARCH_PCALA_HI20, "R_LARCH_PCALA_HI20"),
            (R_LARCH_GOT64_HI12, "R_LARCH_GOT64_HI12"),
            (R_LARCH_TLS_GD_HI20, "R_LARCH_TLS_GD_HI20"),
            (R_LARCH_RELAX, "R_LARCH_RELAX"),
            (R_LARCH_ALIGN, "R_LARCH_ALIGN"),
            (R_LARCH_ADD6, "R_LARCH_ADD6"),
            (R_LARCH_CALL36, "R_LARCH_CALL36"),
            (R_LARCH_TLS_DESC_CALL, "R_LARCH_TLS_DESC_CALL"),
            (R_LARCH_TLS_DESC_PCREL20_S2, "R_LARCH_TLS_DESC_PCREL20_S2"),
            (R_LARCH_CALL30, "R_LARCH_CALL30"),
            (R_LARCH_TLS_DESC_PCADD_LO12, "R_LARCH_TLS_DESC_PCADD_LO12"),
        ] {
            assert_eq!(howto(number).map(|howto| howto.name), Some(name));
        }
        // Types that the psABI took back.
        assert_eq!([howto(R_LARCH_DELETE), howto(R_LARCH_CFA)], [None, None]);
    }

    #[test]
    fn each_field_has_its_bytes() {
        for (number, howto) in (0..).zip(&HOWTOS).filter(|(_, howto)| howto.is_defined()) {
            let bytes: &[u8] = match field(number) {
                Field::None => continue,
                Field::Sum => &[0, 1, 2, 3, 4, 8],
                Field::Data => &[4, 8],
                Field::Call36 | Field::Call30 => &[8],
                _ => &[4],
            };
            assert!(bytes.contains(&howto.size), "{}", howto.name);
        }
    }

    #[test]
    fn addresses_of_64_bits_have_four_parts() {
        for (number, _) in (0..).zip(&HOWTOS).filter(|(_, howto)| howto.is_defined()) {
            let Some(higher) = higher_part(number) else { continue };
            assert_eq!([field(number), field(higher)], [Field::Upper, Field::Higher]);
            assert_eq!(field(higher + 1), Field::Highest);
        }
    }
}
