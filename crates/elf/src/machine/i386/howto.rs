//! What each relocation type writes: the name, the width of the field, and the range its value must
//! lie in.
//!
//! One row per type of the i386 psABI (version 1.1, table "Relocation Types"), with GNU's types of
//! 8 and 16 bits and the TLS types of Sun's dialect, indexed by the type's number. Fields of 32
//! bits hold any value: an address space of 4 GiB wraps around. A distance of 16 bits does so
//! within 64 KiB, as code in real mode jumps, so it may lie in either half, as in GNU ld and lld.

use crate::machine::howto::{Howto, Range, narrow};
use object::elf::{
    R_386_TLS_DESC_CALL, R_386_TLS_GD, R_386_TLS_GOTDESC, R_386_TLS_GOTIE, R_386_TLS_IE,
    R_386_TLS_IE_32, R_386_TLS_LDM, R_386_TLS_LDO_32, R_386_TLS_LE, R_386_TLS_LE_32,
};

/// GNU's C++ vtable garbage collection mark: the vtable's parent. Writes nothing.
pub const R_386_GNU_VTINHERIT: u32 = 250;
/// GNU's C++ vtable garbage collection mark: a used entry. Writes nothing.
pub const R_386_GNU_VTENTRY: u32 = 251;

/// The row of `r_type`, or `None` for a number the psABI does not define.
#[inline]
pub fn howto(r_type: u32) -> Option<&'static Howto> {
    HOWTOS.get(r_type as usize).filter(|howto| howto.is_defined())
}

/// Whether `r_type` is one of thread-local storage that an object may contain.
#[inline]
pub const fn is_thread_local(r_type: u32) -> bool {
    matches!(
        r_type,
        R_386_TLS_IE
            | R_386_TLS_GOTIE
            | R_386_TLS_LE
            | R_386_TLS_GD
            | R_386_TLS_LDM
            | R_386_TLS_LDO_32
            | R_386_TLS_IE_32
            | R_386_TLS_LE_32
            | R_386_TLS_GOTDESC
            | R_386_TLS_DESC_CALL
    )
}

/// The instructions that a TLS type must stand in, as a message has it.
pub const fn required_tls_sequence(r_type: u32) -> &'static str {
    match r_type {
        R_386_TLS_GD | R_386_TLS_LDM => {
            "must be used in LEAL to %eax followed by a call of ___tls_get_addr"
        }
        R_386_TLS_GOTDESC => "must be used in leal x@tlsdesc(%REG), %REG",
        R_386_TLS_DESC_CALL => "must be used in call *x@tlscall(%eax)",
        _ => "must be used in MOVL, ADDL or SUBL instructions only",
    }
}

/// Rows with numbers far above the others.
pub static MARKS: [(u32, Howto); 2] = [
    (R_386_GNU_VTINHERIT, row("R_386_GNU_VTINHERIT", 0)),
    (R_386_GNU_VTENTRY, row("R_386_GNU_VTENTRY", 0)),
];

const fn row(name: &'static str, size: u8) -> Howto {
    Howto { name, size, range: Range::Any }
}

/// Rows by number; `rows_stand_at_their_numbers` below checks the order.
pub static HOWTOS: [Howto; 44] = [
    row("R_386_NONE", 0),
    row("R_386_32", 4),
    row("R_386_PC32", 4),
    row("R_386_GOT32", 4),
    row("R_386_PLT32", 4),
    row("R_386_COPY", 0),
    row("R_386_GLOB_DAT", 4),
    row("R_386_JUMP_SLOT", 4),
    row("R_386_RELATIVE", 4),
    row("R_386_GOTOFF", 4),
    row("R_386_GOTPC", 4),
    row("R_386_32PLT", 4),
    Howto::UNDEFINED,
    Howto::UNDEFINED,
    row("R_386_TLS_TPOFF", 4),
    row("R_386_TLS_IE", 4),
    row("R_386_TLS_GOTIE", 4),
    row("R_386_TLS_LE", 4),
    row("R_386_TLS_GD", 4),
    row("R_386_TLS_LDM", 4),
    narrow("R_386_16", 2, Range::Either(16)),
    narrow("R_386_PC16", 2, Range::Signed(17)),
    narrow("R_386_8", 1, Range::Either(8)),
    narrow("R_386_PC8", 1, Range::Signed(8)),
    row("R_386_TLS_GD_32", 4),
    row("R_386_TLS_GD_PUSH", 0),
    row("R_386_TLS_GD_CALL", 4),
    row("R_386_TLS_GD_POP", 0),
    row("R_386_TLS_LDM_32", 4),
    row("R_386_TLS_LDM_PUSH", 0),
    row("R_386_TLS_LDM_CALL", 4),
    row("R_386_TLS_LDM_POP", 0),
    row("R_386_TLS_LDO_32", 4),
    row("R_386_TLS_IE_32", 4),
    row("R_386_TLS_LE_32", 4),
    row("R_386_TLS_DTPMOD32", 4),
    row("R_386_TLS_DTPOFF32", 4),
    row("R_386_TLS_TPOFF32", 4),
    row("R_386_SIZE32", 4),
    row("R_386_TLS_GOTDESC", 4),
    row("R_386_TLS_DESC_CALL", 0),
    // The two words of a descriptor, which only the loader writes.
    row("R_386_TLS_DESC", 16),
    row("R_386_IRELATIVE", 4),
    row("R_386_GOT32X", 4),
];

#[cfg(test)]
mod tests {
    use super::*;
    use object::elf::*;

    #[test]
    fn rows_stand_at_their_numbers() {
        for (number, name) in [
            (R_386_NONE, "R_386_NONE"),
            (R_386_32, "R_386_32"),
            (R_386_JMP_SLOT, "R_386_JUMP_SLOT"),
            (R_386_GOTPC, "R_386_GOTPC"),
            (R_386_TLS_TPOFF, "R_386_TLS_TPOFF"),
            (R_386_TLS_LDM, "R_386_TLS_LDM"),
            (R_386_PC8, "R_386_PC8"),
            (R_386_TLS_GD_32, "R_386_TLS_GD_32"),
            (R_386_TLS_LDM_POP, "R_386_TLS_LDM_POP"),
            (R_386_TLS_LDO_32, "R_386_TLS_LDO_32"),
            (R_386_TLS_TPOFF32, "R_386_TLS_TPOFF32"),
            (R_386_SIZE32, "R_386_SIZE32"),
            (R_386_TLS_DESC, "R_386_TLS_DESC"),
            (R_386_IRELATIVE, "R_386_IRELATIVE"),
            (R_386_GOT32X, "R_386_GOT32X"),
        ] {
            assert_eq!(howto(number).map(|howto| howto.name), Some(name));
        }
        assert!([12, 13, 44, u32::MAX].into_iter().all(|number| howto(number).is_none()));
    }

    #[test]
    fn distances_of_16_bits_wrap_around() {
        let fits = |r_type, value| howto(r_type).is_some_and(|howto| howto.range.contains(value));
        assert!(fits(R_386_PC16, -0x1_0000) && fits(R_386_PC16, 0xffff));
        assert!(!fits(R_386_PC16, -0x1_0001) && !fits(R_386_PC16, 0x1_0000));
        assert!(fits(R_386_16, -0x8000) && fits(R_386_16, 0xffff) && !fits(R_386_16, 0x1_0000));
        assert!(fits(R_386_8, 0xff) && !fits(R_386_8, 0x100));
        assert!(fits(R_386_PC8, 0x7f) && !fits(R_386_PC8, 0x80));
    }
}
