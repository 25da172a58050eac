//! What each relocation type writes, as GNU's tools have it: the name, the bytes of the field, and
//! the range. Words have their addends in the fields of objects.

use crate::machine::howto::{Howto, Range, data, narrow, none};
use object::elf::*;

/// An absolute half-word.
pub const R_SH_DIR16: u32 = 33;
/// An absolute byte.
pub const R_SH_DIR8: u32 = 34;
/// The offset of a GOT word, which a PLT entry may share.
pub const R_SH_GOTPLT32: u32 = 168;
/// The offset of a GOT word in `movi20`.
pub const R_SH_GOT20: u32 = 201;
/// A distance from the GOT in `movi20`.
pub const R_SH_GOTOFF20: u32 = 202;

/// Types whose field is computed when it is written, if the symbol is defined in this output and
/// not preemptible; in position-independent output too.
pub const COMPUTED: &[u32] =
    &[R_SH_REL32, R_SH_PLT32, R_SH_DIR8WPN, R_SH_IND12W, R_SH_DIR8WPL, R_SH_DIR8WPZ];
/// Likewise, if the output is at fixed addresses.
pub const ABSOLUTE: &[u32] = &[R_SH_DIR32, R_SH_DIR16, R_SH_DIR8];
/// Types that say something of the code, for a linker that makes it shorter, and refer to nothing.
pub const MARKS: &[u32] = &[
    R_SH_NONE,
    GNU_VTINHERIT,
    GNU_VTENTRY,
    SWITCH8,
    R_SH_SWITCH16,
    R_SH_SWITCH32,
    R_SH_USES,
    R_SH_COUNT,
    R_SH_ALIGN,
    R_SH_CODE,
    R_SH_DATA,
    R_SH_LABEL,
];
const GNU_VTINHERIT: u32 = 22;
const GNU_VTENTRY: u32 = 23;
const SWITCH8: u32 = 24;

/// The row of `r_type`, or `None` for a number that is not defined.
#[inline]
pub fn howto(r_type: u32) -> Option<&'static Howto> {
    let more = || MORE_HOWTOS.iter().find(|(number, _)| *number == r_type).map(|(_, row)| row);
    HOWTOS.get(r_type as usize).filter(|howto| howto.is_defined()).or_else(more)
}

/// Whether a type is one of [`MARKS`].
#[inline(always)]
pub const fn is_mark(r_type: u32) -> bool {
    matches!(r_type, R_SH_NONE | GNU_VTINHERIT..=R_SH_LABEL)
}

/// Whether `r_type` is one of thread-local storage that an object may contain.
#[inline]
pub const fn is_thread_local(r_type: u32) -> bool {
    matches!(r_type, R_SH_TLS_GD_32..=R_SH_TLS_LE_32)
}

const fn word(name: &'static str) -> Howto {
    data(name, 4)
}

/// Rows by number; `rows_stand_at_their_numbers` below checks the order.
pub static HOWTOS: [Howto; 54] = [
    none("R_SH_NONE"),
    word("R_SH_DIR32"),
    word("R_SH_REL32"),
    narrow("R_SH_DIR8WPN", 2, Range::Signed(9)),
    narrow("R_SH_IND12W", 2, Range::Signed(13)),
    narrow("R_SH_DIR8WPL", 2, Range::Unsigned(10)),
    narrow("R_SH_DIR8WPZ", 2, Range::Unsigned(9)),
    none("R_SH_DIR8BP"),
    none("R_SH_DIR8W"),
    none("R_SH_DIR8L"),
    none("R_SH_LOOP_START"),
    none("R_SH_LOOP_END"),
    Howto::UNDEFINED,
    Howto::UNDEFINED,
    Howto::UNDEFINED,
    Howto::UNDEFINED,
    Howto::UNDEFINED,
    Howto::UNDEFINED,
    Howto::UNDEFINED,
    Howto::UNDEFINED,
    Howto::UNDEFINED,
    Howto::UNDEFINED,
    none("R_SH_GNU_VTINHERIT"),
    none("R_SH_GNU_VTENTRY"),
    none("R_SH_SWITCH8"),
    none("R_SH_SWITCH16"),
    none("R_SH_SWITCH32"),
    none("R_SH_USES"),
    none("R_SH_COUNT"),
    none("R_SH_ALIGN"),
    none("R_SH_CODE"),
    none("R_SH_DATA"),
    none("R_SH_LABEL"),
    narrow("R_SH_DIR16", 2, Range::Either(16)),
    narrow("R_SH_DIR8", 1, Range::Either(8)),
    none("R_SH_DIR8UL"),
    none("R_SH_DIR8UW"),
    none("R_SH_DIR8U"),
    none("R_SH_DIR8SW"),
    none("R_SH_DIR8S"),
    none("R_SH_DIR4UL"),
    none("R_SH_DIR4UW"),
    none("R_SH_DIR4U"),
    none("R_SH_PSHA"),
    none("R_SH_PSHL"),
    none("R_SH_DIR5U"),
    none("R_SH_DIR6U"),
    none("R_SH_DIR6S"),
    none("R_SH_DIR10S"),
    none("R_SH_DIR10SW"),
    none("R_SH_DIR10SL"),
    none("R_SH_DIR10SQ"),
    Howto::UNDEFINED,
    none("R_SH_DIR16S"),
];

/// Rows with numbers far above the others, ascending.
pub static MORE_HOWTOS: [(u32, Howto); 25] = [
    (R_SH_TLS_GD_32, word("R_SH_TLS_GD_32")),
    (R_SH_TLS_LD_32, word("R_SH_TLS_LD_32")),
    (R_SH_TLS_LDO_32, word("R_SH_TLS_LDO_32")),
    (R_SH_TLS_IE_32, word("R_SH_TLS_IE_32")),
    (R_SH_TLS_LE_32, word("R_SH_TLS_LE_32")),
    (R_SH_TLS_DTPMOD32, word("R_SH_TLS_DTPMOD32")),
    (R_SH_TLS_DTPOFF32, word("R_SH_TLS_DTPOFF32")),
    (R_SH_TLS_TPOFF32, word("R_SH_TLS_TPOFF32")),
    (R_SH_GOT32, word("R_SH_GOT32")),
    (R_SH_PLT32, word("R_SH_PLT32")),
    (R_SH_COPY, none("R_SH_COPY")),
    (R_SH_GLOB_DAT, word("R_SH_GLOB_DAT")),
    (R_SH_JMP_SLOT, word("R_SH_JMP_SLOT")),
    (R_SH_RELATIVE, word("R_SH_RELATIVE")),
    (R_SH_GOTOFF, word("R_SH_GOTOFF")),
    (R_SH_GOTPC, word("R_SH_GOTPC")),
    (R_SH_GOTPLT32, word("R_SH_GOTPLT32")),
    (R_SH_GOT20, narrow("R_SH_GOT20", 0, Range::Signed(20))),
    (R_SH_GOTOFF20, narrow("R_SH_GOTOFF20", 0, Range::Signed(20))),
    (203, none("R_SH_GOTFUNCDESC")),
    (204, none("R_SH_GOTFUNCDESC20")),
    (205, none("R_SH_GOTOFFFUNCDESC")),
    (206, none("R_SH_GOTOFFFUNCDESC20")),
    (207, none("R_SH_FUNCDESC")),
    (208, none("R_SH_FUNCDESC_VALUE")),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_stand_at_their_numbers() {
        for (number, name) in [
            (R_SH_NONE, "R_SH_NONE"),
            (R_SH_REL32, "R_SH_REL32"),
            (R_SH_DIR8WPZ, "R_SH_DIR8WPZ"),
            (R_SH_DIR8L, "R_SH_DIR8L"),
            (GNU_VTENTRY, "R_SH_GNU_VTENTRY"),
            (R_SH_USES, "R_SH_USES"),
            (R_SH_LABEL, "R_SH_LABEL"),
            (R_SH_DIR16, "R_SH_DIR16"),
            (R_SH_DIR8, "R_SH_DIR8"),
            (53, "R_SH_DIR16S"),
            (R_SH_TLS_LE_32, "R_SH_TLS_LE_32"),
            (R_SH_GOTPC, "R_SH_GOTPC"),
        ] {
            assert_eq!(howto(number).map(|howto| howto.name), Some(name));
        }
        assert!([12, 21, 52, 54, 143, u32::MAX].into_iter().all(|number| howto(number).is_none()));
        assert!(MORE_HOWTOS.is_sorted_by_key(|row| row.0));
        assert!(MARKS.iter().all(|&mark| is_mark(mark)));
    }
}
