//! What each relocation type writes (s390x psABI, "Relocation"): the name, the bytes of the field,
//! the range of its value, and which bits of them it has.

use crate::machine::howto::{Howto, Range, narrow, none};
use object::elf::*;

/// (S + A - P) / 2 of the branch that an instruction predicts.
pub const R_390_PC12DBL: u32 = 62;
/// (L + A - P) / 2 of the branch that an instruction predicts.
pub const R_390_PLT12DBL: u32 = 63;
/// (S + A - P) / 2 of the predicted branch's target.
pub const R_390_PC24DBL: u32 = 64;
/// (L + A - P) / 2 of the predicted branch's target.
pub const R_390_PLT24DBL: u32 = 65;
/// GNU's mark of a vtable's parent.
pub const R_390_GNU_VTINHERIT: u32 = 250;
/// GNU's mark of a used entry of a vtable.
pub const R_390_GNU_VTENTRY: u32 = 251;

/// Where the value of a type is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    /// Nowhere.
    None,
    /// In all bits of the field.
    Whole,
    /// In all bits, halved: instructions count in halfwords.
    Half,
    /// In the lower 12 bits of two bytes, behind a register.
    Low12,
    /// Likewise, halved.
    HalfLow12,
    /// In the 20 bits of a long displacement: 12 behind a register, and then the upper 8.
    Long,
}

/// Types whose field is computed when it is written, if the symbol is defined in this output and
/// not preemptible; in position-independent output too.
pub const COMPUTED: &[u32] = &[
    R_390_PC12DBL,
    R_390_PC16,
    R_390_PC16DBL,
    R_390_PC24DBL,
    R_390_PC32,
    R_390_PC32DBL,
    R_390_PC64,
    R_390_PLT12DBL,
    R_390_PLT16DBL,
    R_390_PLT24DBL,
    R_390_PLT32,
    R_390_PLT32DBL,
    R_390_PLT64,
];
/// Likewise, if the output is at fixed addresses.
pub const ABSOLUTE: &[u32] = &[R_390_8, R_390_12, R_390_16, R_390_20, R_390_32, R_390_64];

/// The row of `r_type`, or `None` for a number that has no field.
#[inline]
pub fn howto(r_type: u32) -> Option<&'static Howto> {
    HOWTOS.get(r_type as usize).filter(|howto| howto.is_defined())
}

/// Where the value of a type is.
#[inline(always)]
pub const fn field(r_type: u32) -> Field {
    match r_type {
        R_390_NONE | R_390_COPY | R_390_TLS_LOAD | R_390_TLS_GDCALL | R_390_TLS_LDCALL
        | R_390_GNU_VTINHERIT | R_390_GNU_VTENTRY => Field::None,
        R_390_12 | R_390_GOT12 | R_390_GOTPLT12 | R_390_TLS_GOTIE12 => Field::Low12,
        R_390_20 | R_390_GOT20 | R_390_GOTPLT20 | R_390_TLS_GOTIE20 => Field::Long,
        R_390_PC12DBL | R_390_PLT12DBL => Field::HalfLow12,
        R_390_PC16DBL | R_390_PLT16DBL | R_390_PC24DBL | R_390_PLT24DBL | R_390_PC32DBL
        | R_390_PLT32DBL | R_390_GOTPCDBL | R_390_GOTENT | R_390_GOTPLTENT | R_390_TLS_IEENT => {
            Field::Half
        }
        _ => Field::Whole,
    }
}

/// Whether a type's field counts in halfwords.
pub const fn is_halved(r_type: u32) -> bool {
    matches!(field(r_type), Field::Half | Field::HalfLow12)
}

/// Whether `r_type` is one of thread-local storage that an object may contain.
#[inline]
pub const fn is_thread_local(r_type: u32) -> bool {
    matches!(r_type, R_390_TLS_LOAD..=R_390_TLS_LDO64 | R_390_TLS_GOTIE20)
}

/// The instructions that a TLS type must be used in, for a message.
pub const fn required_tls_sequence(r_type: u32) -> &'static str {
    match r_type {
        R_390_TLS_LOAD => "must be used in lg %rX,0(%rY), with %r12 as the other register or none",
        _ => "must be used in brasl %r14,__tls_get_offset@PLT, behind the relocation of the call",
    }
}

const fn word(name: &'static str) -> Howto {
    Howto { name, size: 8, range: Range::Any }
}

/// A field of that many bits, which counts in halfwords.
const fn halved(name: &'static str, size: u8, bits: u8) -> Howto {
    Howto { name, size, range: Range::Signed(bits + 1) }
}

/// Rows by number; `rows_stand_at_their_numbers` below checks the order.
pub static HOWTOS: [Howto; 66] = [
    none("R_390_NONE"),
    narrow("R_390_8", 1, Range::Either(8)),
    narrow("R_390_12", 2, Range::Unsigned(12)),
    narrow("R_390_16", 2, Range::Either(16)),
    narrow("R_390_32", 4, Range::Either(32)),
    narrow("R_390_PC32", 4, Range::Signed(32)),
    narrow("R_390_GOT12", 2, Range::Unsigned(12)),
    narrow("R_390_GOT32", 4, Range::Unsigned(32)),
    narrow("R_390_PLT32", 4, Range::Signed(32)),
    none("R_390_COPY"),
    word("R_390_GLOB_DAT"),
    word("R_390_JMP_SLOT"),
    word("R_390_RELATIVE"),
    narrow("R_390_GOTOFF32", 4, Range::Signed(32)),
    word("R_390_GOTPC"),
    narrow("R_390_GOT16", 2, Range::Unsigned(16)),
    narrow("R_390_PC16", 2, Range::Signed(16)),
    halved("R_390_PC16DBL", 2, 16),
    halved("R_390_PLT16DBL", 2, 16),
    halved("R_390_PC32DBL", 4, 32),
    halved("R_390_PLT32DBL", 4, 32),
    halved("R_390_GOTPCDBL", 4, 32),
    word("R_390_64"),
    word("R_390_PC64"),
    word("R_390_GOT64"),
    word("R_390_PLT64"),
    halved("R_390_GOTENT", 4, 32),
    narrow("R_390_GOTOFF16", 2, Range::Signed(16)),
    word("R_390_GOTOFF64"),
    narrow("R_390_GOTPLT12", 2, Range::Unsigned(12)),
    narrow("R_390_GOTPLT16", 2, Range::Unsigned(16)),
    narrow("R_390_GOTPLT32", 4, Range::Unsigned(32)),
    word("R_390_GOTPLT64"),
    halved("R_390_GOTPLTENT", 4, 32),
    narrow("R_390_PLTOFF16", 2, Range::Signed(16)),
    narrow("R_390_PLTOFF32", 4, Range::Signed(32)),
    word("R_390_PLTOFF64"),
    none("R_390_TLS_LOAD"),
    none("R_390_TLS_GDCALL"),
    none("R_390_TLS_LDCALL"),
    narrow("R_390_TLS_GD32", 4, Range::Signed(32)),
    word("R_390_TLS_GD64"),
    narrow("R_390_TLS_GOTIE12", 2, Range::Unsigned(12)),
    narrow("R_390_TLS_GOTIE32", 4, Range::Signed(32)),
    word("R_390_TLS_GOTIE64"),
    narrow("R_390_TLS_LDM32", 4, Range::Signed(32)),
    word("R_390_TLS_LDM64"),
    narrow("R_390_TLS_IE32", 4, Range::Either(32)),
    word("R_390_TLS_IE64"),
    halved("R_390_TLS_IEENT", 4, 32),
    narrow("R_390_TLS_LE32", 4, Range::Signed(32)),
    word("R_390_TLS_LE64"),
    narrow("R_390_TLS_LDO32", 4, Range::Signed(32)),
    word("R_390_TLS_LDO64"),
    word("R_390_TLS_DTPMOD"),
    word("R_390_TLS_DTPOFF"),
    word("R_390_TLS_TPOFF"),
    narrow("R_390_20", 4, Range::Signed(20)),
    narrow("R_390_GOT20", 4, Range::Signed(20)),
    narrow("R_390_GOTPLT20", 4, Range::Signed(20)),
    narrow("R_390_TLS_GOTIE20", 4, Range::Signed(20)),
    word("R_390_IRELATIVE"),
    halved("R_390_PC12DBL", 2, 12),
    halved("R_390_PLT12DBL", 2, 12),
    halved("R_390_PC24DBL", 3, 24),
    halved("R_390_PLT24DBL", 3, 24),
];

/// Rows of numbers that are far behind the others.
pub static VTABLES: [(u32, Howto); 2] = [
    (R_390_GNU_VTINHERIT, none("R_390_GNU_VTINHERIT")),
    (R_390_GNU_VTENTRY, none("R_390_GNU_VTENTRY")),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_stand_at_their_numbers() {
        for (number, name) in [
            (R_390_NONE, "R_390_NONE"),
            (R_390_COPY, "R_390_COPY"),
            (R_390_PC32DBL, "R_390_PC32DBL"),
            (R_390_GOTENT, "R_390_GOTENT"),
            (R_390_PLTOFF64, "R_390_PLTOFF64"),
            (R_390_TLS_GD64, "R_390_TLS_GD64"),
            (R_390_TLS_LDO64, "R_390_TLS_LDO64"),
            (R_390_20, "R_390_20"),
            (R_390_IRELATIVE, "R_390_IRELATIVE"),
            (R_390_PLT24DBL, "R_390_PLT24DBL"),
        ] {
            assert_eq!(howto(number).map(|howto| howto.name), Some(name));
        }
        assert!(HOWTOS.iter().all(|howto| howto.is_defined()));
    }

    #[test]
    fn halved_fields_reach_twice_as_far() {
        for (number, row) in HOWTOS.iter().enumerate() {
            let bits = match row.range {
                Range::Signed(bits) => bits,
                _ => 0,
            };
            let is_wider = bits % 4 == 1;
            assert_eq!(is_halved(number as u32), is_wider, "{}", row.name);
        }
    }
}
