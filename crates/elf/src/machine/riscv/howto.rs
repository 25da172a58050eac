//! What each relocation type writes ("RISC-V ABIs Specification", "Relocations"): the name, the
//! bytes of the field, the range of its value, and where in an instruction it is.

use crate::machine::howto::{Howto, Range, data, narrow, none};
use crate::machine::sums::{Step, SumPart, Width};
use object::elf::*;

/// Where the value of a type is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    /// Nowhere.
    None,
    /// In bytes of data, in the file's order.
    Data,
    /// In a number that data holds: see [`sum_part`].
    Sum,
    /// The upper 20 bits of a word (U type), rounded so that signed lower bits can be added.
    Upper,
    /// The lower 12 bits in a load or an addition (I type).
    LowLoad,
    /// The lower 12 bits in a store (S type).
    LowStore,
    /// The distance of a conditional branch (B type).
    Branch,
    /// The distance of a jump (J type).
    Jump,
    /// A distance in AUIPC and the JALR behind it.
    Call,
    /// The distance of a conditional branch of two bytes (CB type).
    ShortBranch,
    /// The distance of a jump of two bytes (CJ type).
    ShortJump,
    /// The upper bits in an instruction of two bytes, `c.lui`.
    ShortUpper,
}

/// Types whose field is computed when it is written, if the symbol is defined in this output and
/// not preemptible; in position-independent output too.
pub const COMPUTED: &[u32] = &[
    R_RISCV_BRANCH,
    R_RISCV_JAL,
    R_RISCV_CALL,
    R_RISCV_CALL_PLT,
    R_RISCV_PCREL_HI20,
    R_RISCV_PCREL_LO12_I,
    R_RISCV_PCREL_LO12_S,
    R_RISCV_ADD8,
    R_RISCV_ADD16,
    R_RISCV_ADD32,
    R_RISCV_ADD64,
    R_RISCV_SUB8,
    R_RISCV_SUB16,
    R_RISCV_SUB32,
    R_RISCV_SUB64,
    R_RISCV_RVC_BRANCH,
    R_RISCV_RVC_JUMP,
    R_RISCV_SUB6,
    R_RISCV_SET6,
    R_RISCV_SET8,
    R_RISCV_SET16,
    R_RISCV_SET32,
    R_RISCV_32_PCREL,
    R_RISCV_PLT32,
    R_RISCV_SET_ULEB128,
    R_RISCV_SUB_ULEB128,
];
/// Likewise, if the output is at fixed addresses.
pub const ABSOLUTE: &[u32] =
    &[R_RISCV_32, R_RISCV_64, R_RISCV_HI20, R_RISCV_LO12_I, R_RISCV_LO12_S];
/// Types that say something of the code and refer to nothing.
pub const MARKS: &[u32] = &[R_RISCV_NONE, R_RISCV_RELAX, R_RISCV_ALIGN];
/// Types that refer to a label within the code, of which they want the distance or the other half.
pub const LABELS: &[u32] = &[
    R_RISCV_PCREL_LO12_I,
    R_RISCV_PCREL_LO12_S,
    R_RISCV_TLSDESC_LOAD_LO12,
    R_RISCV_TLSDESC_ADD_LO12,
    R_RISCV_TLSDESC_CALL,
    R_RISCV_ADD8,
    R_RISCV_ADD16,
    R_RISCV_ADD32,
    R_RISCV_ADD64,
    R_RISCV_SUB8,
    R_RISCV_SUB16,
    R_RISCV_SUB32,
    R_RISCV_SUB64,
    R_RISCV_SUB6,
    R_RISCV_SET6,
    R_RISCV_SET8,
    R_RISCV_SET16,
    R_RISCV_SET32,
    R_RISCV_SET_ULEB128,
    R_RISCV_SUB_ULEB128,
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
        R_RISCV_32 | R_RISCV_64 | R_RISCV_TLS_DTPREL32 | R_RISCV_TLS_DTPREL64
        | R_RISCV_TLS_TPREL32 | R_RISCV_TLS_TPREL64 | R_RISCV_32_PCREL | R_RISCV_PLT32
        | R_RISCV_GOT32_PCREL => Field::Data,
        R_RISCV_ADD8..=R_RISCV_SUB64
        | R_RISCV_SUB6..=R_RISCV_SET32
        | R_RISCV_SET_ULEB128
        | R_RISCV_SUB_ULEB128 => Field::Sum,
        R_RISCV_GOT_HI20 | R_RISCV_TLS_GOT_HI20 | R_RISCV_TLS_GD_HI20 | R_RISCV_PCREL_HI20
        | R_RISCV_HI20 | R_RISCV_TPREL_HI20 | R_RISCV_TLSDESC_HI20 => Field::Upper,
        R_RISCV_PCREL_LO12_I
        | R_RISCV_LO12_I
        | R_RISCV_TPREL_LO12_I
        | R_RISCV_GPREL_I
        | R_RISCV_TPREL_I
        | R_RISCV_TLSDESC_LOAD_LO12
        | R_RISCV_TLSDESC_ADD_LO12 => Field::LowLoad,
        R_RISCV_PCREL_LO12_S | R_RISCV_LO12_S | R_RISCV_TPREL_LO12_S | R_RISCV_GPREL_S
        | R_RISCV_TPREL_S => Field::LowStore,
        R_RISCV_BRANCH => Field::Branch,
        R_RISCV_JAL => Field::Jump,
        R_RISCV_CALL | R_RISCV_CALL_PLT => Field::Call,
        R_RISCV_RVC_BRANCH => Field::ShortBranch,
        R_RISCV_RVC_JUMP => Field::ShortJump,
        R_RISCV_RVC_LUI => Field::ShortUpper,
        _ => Field::None,
    }
}

/// What a type does to a number that data holds.
pub fn sum_part(r_type: u32) -> Option<SumPart> {
    use Step::{Add, Set, Subtract};
    use Width::{Bits6, Bytes, Uleb};
    let (step, width) = match r_type {
        R_RISCV_ADD8 => (Add, Bytes(1)),
        R_RISCV_ADD16 => (Add, Bytes(2)),
        R_RISCV_ADD32 => (Add, Bytes(4)),
        R_RISCV_ADD64 => (Add, Bytes(8)),
        R_RISCV_SUB8 => (Subtract, Bytes(1)),
        R_RISCV_SUB16 => (Subtract, Bytes(2)),
        R_RISCV_SUB32 => (Subtract, Bytes(4)),
        R_RISCV_SUB64 => (Subtract, Bytes(8)),
        R_RISCV_SUB6 => (Subtract, Bits6),
        R_RISCV_SET6 => (Set, Bits6),
        R_RISCV_SET8 => (Set, Bytes(1)),
        R_RISCV_SET16 => (Set, Bytes(2)),
        R_RISCV_SET32 => (Set, Bytes(4)),
        R_RISCV_SET_ULEB128 => (Set, Uleb),
        R_RISCV_SUB_ULEB128 => (Subtract, Uleb),
        _ => return None,
    };
    Some(SumPart { step, width })
}

/// Whether `r_type` is one of thread-local storage that an object may contain.
#[inline]
pub const fn is_thread_local(r_type: u32) -> bool {
    matches!(
        r_type,
        R_RISCV_TLS_DTPREL32..=R_RISCV_TLS_TPREL64
            | R_RISCV_TLS_GOT_HI20
            | R_RISCV_TLS_GD_HI20
            | R_RISCV_TPREL_HI20..=R_RISCV_TPREL_ADD
            | R_RISCV_TPREL_I
            | R_RISCV_TPREL_S
            | R_RISCV_TLSDESC_HI20
    )
}

/// The instructions that a TLS type must be used in, for a message.
pub const fn required_tls_sequence(_: u32) -> &'static str {
    "must be used in auipc, followed by a load, an addition and a call of the descriptor"
}

/// An upper part, which reaches as far as 32 bits less what the lower part adds.
const fn upper(name: &'static str) -> Howto {
    Howto { name, size: 4, range: Range::Signed(32) }
}

/// A lower part, which holds what the upper one leaves.
const fn low(name: &'static str) -> Howto {
    Howto { name, size: 4, range: Range::Any }
}

/// Rows by number; `rows_stand_at_their_numbers` below checks the order.
pub static HOWTOS: [Howto; 66] = [
    none("R_RISCV_NONE"),
    narrow("R_RISCV_32", 4, Range::Either(32)),
    data("R_RISCV_64", 8),
    data("R_RISCV_RELATIVE", 8),
    none("R_RISCV_COPY"),
    data("R_RISCV_JUMP_SLOT", 8),
    data("R_RISCV_TLS_DTPMOD32", 4),
    data("R_RISCV_TLS_DTPMOD64", 8),
    data("R_RISCV_TLS_DTPREL32", 4),
    data("R_RISCV_TLS_DTPREL64", 8),
    data("R_RISCV_TLS_TPREL32", 4),
    data("R_RISCV_TLS_TPREL64", 8),
    // The two words of a descriptor, which only the loader writes.
    data("R_RISCV_TLSDESC", 16),
    Howto::UNDEFINED,
    Howto::UNDEFINED,
    Howto::UNDEFINED,
    narrow("R_RISCV_BRANCH", 4, Range::Signed(13)),
    narrow("R_RISCV_JAL", 4, Range::Signed(21)),
    narrow("R_RISCV_CALL", 8, Range::Signed(32)),
    narrow("R_RISCV_CALL_PLT", 8, Range::Signed(32)),
    upper("R_RISCV_GOT_HI20"),
    upper("R_RISCV_TLS_GOT_HI20"),
    upper("R_RISCV_TLS_GD_HI20"),
    upper("R_RISCV_PCREL_HI20"),
    low("R_RISCV_PCREL_LO12_I"),
    low("R_RISCV_PCREL_LO12_S"),
    upper("R_RISCV_HI20"),
    low("R_RISCV_LO12_I"),
    low("R_RISCV_LO12_S"),
    upper("R_RISCV_TPREL_HI20"),
    low("R_RISCV_TPREL_LO12_I"),
    low("R_RISCV_TPREL_LO12_S"),
    none("R_RISCV_TPREL_ADD"),
    data("R_RISCV_ADD8", 1),
    data("R_RISCV_ADD16", 2),
    data("R_RISCV_ADD32", 4),
    data("R_RISCV_ADD64", 8),
    data("R_RISCV_SUB8", 1),
    data("R_RISCV_SUB16", 2),
    data("R_RISCV_SUB32", 4),
    data("R_RISCV_SUB64", 8),
    narrow("R_RISCV_GOT32_PCREL", 4, Range::Signed(32)),
    Howto::UNDEFINED,
    none("R_RISCV_ALIGN"),
    narrow("R_RISCV_RVC_BRANCH", 2, Range::Signed(9)),
    narrow("R_RISCV_RVC_JUMP", 2, Range::Signed(12)),
    narrow("R_RISCV_RVC_LUI", 2, Range::Signed(18)),
    narrow("R_RISCV_GPREL_I", 4, Range::Signed(12)),
    narrow("R_RISCV_GPREL_S", 4, Range::Signed(12)),
    narrow("R_RISCV_TPREL_I", 4, Range::Signed(12)),
    narrow("R_RISCV_TPREL_S", 4, Range::Signed(12)),
    none("R_RISCV_RELAX"),
    data("R_RISCV_SUB6", 1),
    data("R_RISCV_SET6", 1),
    data("R_RISCV_SET8", 1),
    data("R_RISCV_SET16", 2),
    data("R_RISCV_SET32", 4),
    narrow("R_RISCV_32_PCREL", 4, Range::Signed(32)),
    data("R_RISCV_IRELATIVE", 8),
    narrow("R_RISCV_PLT32", 4, Range::Signed(32)),
    none("R_RISCV_SET_ULEB128"),
    none("R_RISCV_SUB_ULEB128"),
    upper("R_RISCV_TLSDESC_HI20"),
    low("R_RISCV_TLSDESC_LOAD_LO12"),
    low("R_RISCV_TLSDESC_ADD_LO12"),
    none("R_RISCV_TLSDESC_CALL"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_stand_at_their_numbers() {
        for (number, name) in [
            (R_RISCV_NONE, "R_RISCV_NONE"),
            (R_RISCV_TLSDESC, "R_RISCV_TLSDESC"),
            (R_RISCV_BRANCH, "R_RISCV_BRANCH"),
            (R_RISCV_PCREL_HI20, "R_RISCV_PCREL_HI20"),
            (R_RISCV_TPREL_ADD, "R_RISCV_TPREL_ADD"),
            (R_RISCV_SUB64, "R_RISCV_SUB64"),
            (R_RISCV_GOT32_PCREL, "R_RISCV_GOT32_PCREL"),
            (R_RISCV_ALIGN, "R_RISCV_ALIGN"),
            (R_RISCV_RVC_LUI, "R_RISCV_RVC_LUI"),
            (R_RISCV_RELAX, "R_RISCV_RELAX"),
            (R_RISCV_32_PCREL, "R_RISCV_32_PCREL"),
            (R_RISCV_IRELATIVE, "R_RISCV_IRELATIVE"),
            (R_RISCV_SUB_ULEB128, "R_RISCV_SUB_ULEB128"),
            (R_RISCV_TLSDESC_CALL, "R_RISCV_TLSDESC_CALL"),
        ] {
            assert_eq!(howto(number).map(|howto| howto.name), Some(name));
        }
        assert!([13, 15, 42, 66, u32::MAX].into_iter().all(|number| howto(number).is_none()));
    }
}
