//! What each relocation type writes (psABI, "Relocation Types"; U. Drepper, "ELF Handling For
//! Thread-Local Storage", for m68k in glibc): the name, the bytes of the field, and the range.

use crate::machine::howto::{Howto, Range, narrow, none};
use object::elf::*;

/// GNU's C++ vtable garbage collection mark: the vtable's parent. Writes nothing.
pub const R_68K_GNU_VTINHERIT: u32 = 23;
/// GNU's C++ vtable garbage collection mark: a used entry. Writes nothing.
pub const R_68K_GNU_VTENTRY: u32 = 24;

/// Types whose field is computed when it is written, if the symbol is defined in this output and
/// not preemptible; in position-independent output too.
pub const COMPUTED: &[u32] =
    &[R_68K_PC32, R_68K_PC16, R_68K_PC8, R_68K_PLT32, R_68K_PLT16, R_68K_PLT8];
/// Likewise, if the output is at fixed addresses.
pub const ABSOLUTE: &[u32] = &[R_68K_32, R_68K_16, R_68K_8];
/// Types that say something of the object and refer to nothing.
pub const MARKS: &[u32] = &[R_68K_NONE, R_68K_GNU_VTINHERIT, R_68K_GNU_VTENTRY];

/// The row of `r_type`, or `None` for a number that the psABI does not define.
#[inline]
pub fn howto(r_type: u32) -> Option<&'static Howto> {
    HOWTOS.get(r_type as usize)
}

/// Whether `r_type` is one of thread-local storage that an object may contain.
#[inline]
pub const fn is_thread_local(r_type: u32) -> bool {
    matches!(r_type, R_68K_TLS_GD32..=R_68K_TLS_LE8)
}

const fn word(name: &'static str) -> Howto {
    Howto { name, size: 4, range: Range::Any }
}

/// A distance or an offset of 16 or 8 bits, which the processor extends by its sign.
const fn signed(name: &'static str, size: u8) -> Howto {
    narrow(name, size, Range::Signed(8 * size))
}

/// Rows by number; `rows_stand_at_their_numbers` below checks the order.
pub static HOWTOS: [Howto; 43] = [
    none("R_68K_NONE"),
    word("R_68K_32"),
    narrow("R_68K_16", 2, Range::Either(16)),
    narrow("R_68K_8", 1, Range::Either(8)),
    word("R_68K_PC32"),
    signed("R_68K_PC16", 2),
    signed("R_68K_PC8", 1),
    word("R_68K_GOT32"),
    signed("R_68K_GOT16", 2),
    signed("R_68K_GOT8", 1),
    word("R_68K_GOT32O"),
    signed("R_68K_GOT16O", 2),
    signed("R_68K_GOT8O", 1),
    word("R_68K_PLT32"),
    signed("R_68K_PLT16", 2),
    signed("R_68K_PLT8", 1),
    word("R_68K_PLT32O"),
    signed("R_68K_PLT16O", 2),
    signed("R_68K_PLT8O", 1),
    none("R_68K_COPY"),
    word("R_68K_GLOB_DAT"),
    word("R_68K_JMP_SLOT"),
    word("R_68K_RELATIVE"),
    none("R_68K_GNU_VTINHERIT"),
    none("R_68K_GNU_VTENTRY"),
    word("R_68K_TLS_GD32"),
    signed("R_68K_TLS_GD16", 2),
    signed("R_68K_TLS_GD8", 1),
    word("R_68K_TLS_LDM32"),
    signed("R_68K_TLS_LDM16", 2),
    signed("R_68K_TLS_LDM8", 1),
    word("R_68K_TLS_LDO32"),
    signed("R_68K_TLS_LDO16", 2),
    signed("R_68K_TLS_LDO8", 1),
    word("R_68K_TLS_IE32"),
    signed("R_68K_TLS_IE16", 2),
    signed("R_68K_TLS_IE8", 1),
    word("R_68K_TLS_LE32"),
    signed("R_68K_TLS_LE16", 2),
    signed("R_68K_TLS_LE8", 1),
    word("R_68K_TLS_DTPMOD32"),
    word("R_68K_TLS_DTPREL32"),
    word("R_68K_TLS_TPREL32"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_stand_at_their_numbers() {
        for (number, name) in [
            (R_68K_NONE, "R_68K_NONE"),
            (R_68K_PC32, "R_68K_PC32"),
            (R_68K_GOT8, "R_68K_GOT8"),
            (R_68K_GOT32O, "R_68K_GOT32O"),
            (R_68K_PLT32, "R_68K_PLT32"),
            (R_68K_PLT8O, "R_68K_PLT8O"),
            (R_68K_RELATIVE, "R_68K_RELATIVE"),
            (R_68K_GNU_VTENTRY, "R_68K_GNU_VTENTRY"),
            (R_68K_TLS_GD32, "R_68K_TLS_GD32"),
            (R_68K_TLS_LDO8, "R_68K_TLS_LDO8"),
            (R_68K_TLS_LE8, "R_68K_TLS_LE8"),
            (R_68K_TLS_TPREL32, "R_68K_TLS_TPREL32"),
        ] {
            assert_eq!(howto(number).map(|howto| howto.name), Some(name));
        }
        assert!([43, u32::MAX].into_iter().all(|number| howto(number).is_none()));
    }
}
