//! The field of each relocation type: name, width, and the range of valid values.
//!
//! One row per type of the x86-64 psABI (version 1.0, table "Relocation Types"), indexed by the
//! type's number. The values are computed by the `match` of the apply loop, in the psABI's letters.
//! Where the tools disagree on a range, the row follows the more lenient of GNU ld and lld as long
//! as the field still holds the value without loss (`R_X86_64_8`, `_16` and `_SIZE32` accept both
//! signs).

use crate::machine::howto::{Howto, Range};
use object::elf::{
    R_X86_64_DTPOFF64, R_X86_64_GOTPC32_TLSDESC, R_X86_64_GOTTPOFF, R_X86_64_TLSDESC_CALL,
    R_X86_64_TLSGD, R_X86_64_TLSLD, R_X86_64_TPOFF32,
};

/// GOT load whose instruction starts 4 bytes before the field (REX2 prefix, or `movrs`).
pub const R_X86_64_CODE_4_GOTPCRELX: u32 = 43;
/// Initial-exec load whose instruction starts 4 bytes before the field.
pub const R_X86_64_CODE_4_GOTTPOFF: u32 = 44;
/// TLS descriptor `lea` whose instruction starts 4 bytes before the field.
pub const R_X86_64_CODE_4_GOTPC32_TLSDESC: u32 = 45;
/// GOT load whose instruction starts 5 bytes before the field (`movrs` with a REX prefix).
pub const R_X86_64_CODE_5_GOTPCRELX: u32 = 46;
/// Initial-exec load whose instruction starts 5 bytes before the field. Some releases of GNU
/// binutils have 47 and 48 the other way round, but write neither; these are the psABI's numbers.
pub const R_X86_64_CODE_5_GOTTPOFF: u32 = 47;
/// TLS descriptor reference 5 bytes into its instruction; no instruction has this form yet.
pub const R_X86_64_CODE_5_GOTPC32_TLSDESC: u32 = 48;
/// GOT load whose instruction starts 6 bytes before the field (EVEX prefix).
pub const R_X86_64_CODE_6_GOTPCRELX: u32 = 49;
/// Initial-exec load whose instruction starts 6 bytes before the field (EVEX prefix).
pub const R_X86_64_CODE_6_GOTTPOFF: u32 = 50;
/// TLS descriptor reference 6 bytes into its instruction; no instruction has this form yet.
pub const R_X86_64_CODE_6_GOTPC32_TLSDESC: u32 = 51;
/// `R_X86_64_PC32` in an instruction with a BND prefix; withdrawn with MPX, still in old objects.
pub const R_X86_64_PC32_BND: u32 = 39;
/// `R_X86_64_PLT32` in an instruction with a BND prefix; withdrawn with MPX, still in old objects.
pub const R_X86_64_PLT32_BND: u32 = 40;
/// GNU's C++ vtable garbage collection mark: the vtable's parent. Writes nothing.
pub const R_X86_64_GNU_VTINHERIT: u32 = 250;
/// GNU's C++ vtable garbage collection mark: a used entry. Writes nothing.
pub const R_X86_64_GNU_VTENTRY: u32 = 251;

/// The row of `r_type`, or `None` for a number the psABI does not define.
#[inline]
pub const fn howto(r_type: u32) -> Option<&'static Howto> {
    match r_type {
        R_X86_64_GNU_VTINHERIT => Some(&MARKS[0].1),
        R_X86_64_GNU_VTENTRY => Some(&MARKS[1].1),
        _ if (r_type as usize) < HOWTOS.len() => Some(&HOWTOS[r_type as usize]),
        _ => None,
    }
}

/// Whether `r_type` is one of thread-local storage that an object may contain.
#[inline]
pub const fn is_thread_local(r_type: u32) -> bool {
    matches!(
        r_type,
        R_X86_64_DTPOFF64
            ..=R_X86_64_TPOFF32
                | R_X86_64_GOTPC32_TLSDESC
                | R_X86_64_TLSDESC_CALL
                | R_X86_64_CODE_4_GOTTPOFF
                | R_X86_64_CODE_4_GOTPC32_TLSDESC
                | R_X86_64_CODE_5_GOTTPOFF
                | R_X86_64_CODE_5_GOTPC32_TLSDESC
                | R_X86_64_CODE_6_GOTTPOFF
                | R_X86_64_CODE_6_GOTPC32_TLSDESC
    )
}

/// Rows with numbers far above the others.
pub static MARKS: [(u32, Howto); 2] = [
    (R_X86_64_GNU_VTINHERIT, row("R_X86_64_GNU_VTINHERIT", 0, Range::Any)),
    (R_X86_64_GNU_VTENTRY, row("R_X86_64_GNU_VTENTRY", 0, Range::Any)),
];

const fn row(name: &'static str, size: u8, range: Range) -> Howto {
    Howto { name, size, range }
}

const S32: Range = Range::Signed(32);

/// Rows by number; `rows_stand_at_their_numbers` below checks the order.
pub static HOWTOS: [Howto; 52] = [
    row("R_X86_64_NONE", 0, Range::Any),
    row("R_X86_64_64", 8, Range::Any),
    row("R_X86_64_PC32", 4, S32),
    row("R_X86_64_GOT32", 4, S32),
    row("R_X86_64_PLT32", 4, S32),
    row("R_X86_64_COPY", 0, Range::Any),
    row("R_X86_64_GLOB_DAT", 8, Range::Any),
    row("R_X86_64_JUMP_SLOT", 8, Range::Any),
    row("R_X86_64_RELATIVE", 8, Range::Any),
    row("R_X86_64_GOTPCREL", 4, S32),
    row("R_X86_64_32", 4, Range::Unsigned(32)),
    row("R_X86_64_32S", 4, S32),
    row("R_X86_64_16", 2, Range::Either(16)),
    row("R_X86_64_PC16", 2, Range::Signed(16)),
    row("R_X86_64_8", 1, Range::Either(8)),
    row("R_X86_64_PC8", 1, Range::Signed(8)),
    row("R_X86_64_DTPMOD64", 8, Range::Any),
    row("R_X86_64_DTPOFF64", 8, Range::Any),
    row("R_X86_64_TPOFF64", 8, Range::Any),
    row("R_X86_64_TLSGD", 4, S32),
    row("R_X86_64_TLSLD", 4, S32),
    row("R_X86_64_DTPOFF32", 4, S32),
    row("R_X86_64_GOTTPOFF", 4, S32),
    row("R_X86_64_TPOFF32", 4, S32),
    row("R_X86_64_PC64", 8, Range::Any),
    row("R_X86_64_GOTOFF64", 8, Range::Any),
    row("R_X86_64_GOTPC32", 4, S32),
    row("R_X86_64_GOT64", 8, Range::Any),
    row("R_X86_64_GOTPCREL64", 8, Range::Any),
    row("R_X86_64_GOTPC64", 8, Range::Any),
    row("R_X86_64_GOTPLT64", 8, Range::Any),
    row("R_X86_64_PLTOFF64", 8, Range::Any),
    row("R_X86_64_SIZE32", 4, Range::Either(32)),
    row("R_X86_64_SIZE64", 8, Range::Any),
    row("R_X86_64_GOTPC32_TLSDESC", 4, S32),
    row("R_X86_64_TLSDESC_CALL", 0, Range::Any),
    row("R_X86_64_TLSDESC", 16, Range::Any),
    row("R_X86_64_IRELATIVE", 8, Range::Any),
    row("R_X86_64_RELATIVE64", 8, Range::Any),
    row("R_X86_64_PC32_BND", 4, S32),
    row("R_X86_64_PLT32_BND", 4, S32),
    row("R_X86_64_GOTPCRELX", 4, S32),
    row("R_X86_64_REX_GOTPCRELX", 4, S32),
    row("R_X86_64_CODE_4_GOTPCRELX", 4, S32),
    row("R_X86_64_CODE_4_GOTTPOFF", 4, S32),
    row("R_X86_64_CODE_4_GOTPC32_TLSDESC", 4, S32),
    row("R_X86_64_CODE_5_GOTPCRELX", 4, S32),
    row("R_X86_64_CODE_5_GOTTPOFF", 4, S32),
    row("R_X86_64_CODE_5_GOTPC32_TLSDESC", 4, S32),
    row("R_X86_64_CODE_6_GOTPCRELX", 4, S32),
    row("R_X86_64_CODE_6_GOTTPOFF", 4, S32),
    row("R_X86_64_CODE_6_GOTPC32_TLSDESC", 4, S32),
];

/// The requirement of a TLS relocation that could not be relaxed, to follow the relocation's name
/// in a message: "R_X86_64_GOTTPOFF must be used in MOVQ or ADDQ instructions only".
pub const fn required_tls_sequence(r_type: u32) -> &'static str {
    match r_type {
        R_X86_64_TLSGD | R_X86_64_TLSLD => {
            "must be used in LEAQ to %rdi followed by a call of __tls_get_addr with \
             R_X86_64_PLT32, R_X86_64_GOTPCRELX or R_X86_64_PLTOFF64"
        }
        R_X86_64_GOTTPOFF | R_X86_64_CODE_4_GOTTPOFF => {
            "must be used in MOVQ or ADDQ instructions only"
        }
        R_X86_64_CODE_5_GOTTPOFF => "must be used in MOVRS instructions only",
        R_X86_64_CODE_6_GOTTPOFF => "must be used in ADDQ or MOVRS instructions only",
        R_X86_64_GOTPC32_TLSDESC | R_X86_64_CODE_4_GOTPC32_TLSDESC => {
            "must be used in leaq x@tlsdesc(%rip), %REG"
        }
        R_X86_64_TLSDESC_CALL => "must be used in call *x@tlsdesc(%rax)",
        _ => "cannot be relaxed",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use object::elf::*;
    use proptest::prelude::*;
    use skald_linking::byte_order::ByteOrder::Little;

    macro_rules! named {
        ($($r_type:ident)*) => { [$((stringify!($r_type), $r_type)),*] };
    }

    #[test]
    fn rows_stand_at_their_numbers() {
        let all = named! {
            R_X86_64_NONE R_X86_64_64 R_X86_64_PC32 R_X86_64_GOT32 R_X86_64_PLT32 R_X86_64_COPY
            R_X86_64_GLOB_DAT R_X86_64_JUMP_SLOT R_X86_64_RELATIVE R_X86_64_GOTPCREL R_X86_64_32
            R_X86_64_32S R_X86_64_16 R_X86_64_PC16 R_X86_64_8 R_X86_64_PC8 R_X86_64_DTPMOD64
            R_X86_64_DTPOFF64 R_X86_64_TPOFF64 R_X86_64_TLSGD R_X86_64_TLSLD R_X86_64_DTPOFF32
            R_X86_64_GOTTPOFF R_X86_64_TPOFF32 R_X86_64_PC64 R_X86_64_GOTOFF64 R_X86_64_GOTPC32
            R_X86_64_GOT64 R_X86_64_GOTPCREL64 R_X86_64_GOTPC64 R_X86_64_GOTPLT64
            R_X86_64_PLTOFF64 R_X86_64_SIZE32 R_X86_64_SIZE64 R_X86_64_GOTPC32_TLSDESC
            R_X86_64_TLSDESC_CALL R_X86_64_TLSDESC R_X86_64_IRELATIVE R_X86_64_RELATIVE64
            R_X86_64_PC32_BND R_X86_64_PLT32_BND R_X86_64_GOTPCRELX R_X86_64_REX_GOTPCRELX
            R_X86_64_CODE_4_GOTPCRELX R_X86_64_CODE_4_GOTTPOFF R_X86_64_CODE_4_GOTPC32_TLSDESC
            R_X86_64_CODE_5_GOTPCRELX R_X86_64_CODE_5_GOTTPOFF R_X86_64_CODE_5_GOTPC32_TLSDESC
            R_X86_64_CODE_6_GOTPCRELX R_X86_64_CODE_6_GOTTPOFF R_X86_64_CODE_6_GOTPC32_TLSDESC
            R_X86_64_GNU_VTINHERIT R_X86_64_GNU_VTENTRY
        };
        assert_eq!(all.len(), HOWTOS.len() + 2);
        for (name, r_type) in all {
            assert_eq!(howto(r_type).map(|howto| howto.name), Some(name));
            let in_objects = !matches!(name, "R_X86_64_TLSDESC" | "R_X86_64_DTPMOD64");
            let tls = ["TLS", "TPOFF", "DTP"].iter().any(|part| name.contains(part));
            assert_eq!(is_thread_local(r_type), tls && in_objects, "{name}");
        }
        assert_eq!(howto(52), None);
        assert_eq!(howto(249), None);
        assert_eq!(howto(u32::MAX), None);
    }

    #[test]
    fn requirements_read_as_the_end_of_a_sentence() {
        assert_eq!(
            required_tls_sequence(R_X86_64_GOTTPOFF),
            "must be used in MOVQ or ADDQ instructions only"
        );
        assert_eq!(
            required_tls_sequence(R_X86_64_GOTPC32_TLSDESC),
            "must be used in leaq x@tlsdesc(%rip), %REG"
        );
        assert!(!required_tls_sequence(R_X86_64_TLSLD).contains('\n'));
    }

    #[test]
    fn names_are_the_abi_spelling() {
        for (r_type, name) in [
            (0, "R_X86_64_NONE"),
            (2, "R_X86_64_PC32"),
            (42, "R_X86_64_REX_GOTPCRELX"),
            (51, "R_X86_64_CODE_6_GOTPC32_TLSDESC"),
            (251, "R_X86_64_GNU_VTENTRY"),
            (52, "unknown (52)"),
            (u32::MAX, "unknown (4294967295)"),
        ] {
            assert_eq!(crate::machine::x86_64::MACHINE.relocation_name(r_type).to_string(), name);
        }
    }

    #[test]
    fn ranges_end_where_the_field_does() {
        for (range, low, high) in [
            (Range::Signed(8), -0x80, 0x7f),
            (Range::Signed(16), -0x8000, 0x7fff),
            (Range::Signed(32), -0x8000_0000, 0x7fff_ffff),
            (Range::Unsigned(32), 0, 0xffff_ffff),
            (Range::Either(8), -0x80, 0xff),
            (Range::Either(16), -0x8000, 0xffff),
            (Range::Either(32), -0x8000_0000, 0xffff_ffff),
        ] {
            assert!(range.contains(low) && range.contains(high), "{range:?}");
            assert!(!range.contains(low - 1) && !range.contains(high + 1), "{range:?}");
        }
        assert!(Range::Any.contains(i64::MIN) && Range::Any.contains(i64::MAX));
    }

    #[test]
    fn fields_are_written_in_place() {
        let mut section = [0xaa; 10];
        howto(R_X86_64_PC32).unwrap().write(Little, &mut section, 1, -2).unwrap();
        howto(R_X86_64_8).unwrap().write(Little, &mut section, 9, 0x1ff).unwrap();
        assert_eq!(section, [0xaa, 0xfe, 0xff, 0xff, 0xff, 0xaa, 0xaa, 0xaa, 0xaa, 0xff]);
        assert_eq!(howto(R_X86_64_PC32).unwrap().write(Little, &mut section, 7, 0), None);
        assert_eq!(howto(R_X86_64_64).unwrap().write(Little, &mut section, usize::MAX, 0), None);
        assert_eq!(howto(R_X86_64_NONE).unwrap().write(Little, &mut section, 0, 0), None);
        assert_eq!(howto(R_X86_64_TLSDESC).unwrap().write(Little, &mut section, 0, 0), None);
    }

    proptest! {
        #[test]
        fn write_never_panics_and_keeps_to_its_field(
            r_type in 0u32..60, len in 0usize..40, offset in any::<usize>(), near in 0usize..48,
            value in any::<i64>(), far in any::<bool>(),
        ) {
            let offset = if far { offset } else { near };
            let mut section = vec![0x5a; len];
            if let Some(howto) = howto(r_type) {
                let written = howto.write(Little, &mut section, offset, value).is_some();
                for (i, &byte) in section.iter().enumerate() {
                    let inside = written && i >= offset && i - offset < howto.size as usize;
                    prop_assert!(inside || byte == 0x5a);
                }
            }
        }
    }
}
