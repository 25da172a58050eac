//! What the fields of relocation types are computed from, for `--icf`.

use super::howto::{ABSOLUTE, COMPUTED};
use crate::machine::fold::FoldTypes;
use crate::machine::type_set::TypeSet;
use object::elf::*;

/// The types, by what the psABI's formula for the field uses. Calls of 32 bits have the types of
/// addresses that code takes, with `@PLT` and without.
pub static TYPES: FoldTypes = FoldTypes {
    sums: TypeSet::of(COMPUTED).and(ABSOLUTE),
    sizes: TypeSet::of(&[]),
    calls: TypeSet::of(&[
        R_390_NONE,
        super::howto::R_390_PLT12DBL,
        R_390_PLT16DBL,
        super::howto::R_390_PLT24DBL,
        R_390_TLS_GDCALL,
        R_390_TLS_LDCALL,
    ]),
    calls_in_code: TypeSet::of(&[R_390_PC32DBL, R_390_PLT32DBL]),
    is_call_at: Some(is_call_at),
    marks: TypeSet::of(&[]),
};

/// BRASL and BRCL, which are branches, where LARL takes an address.
fn is_call_at(code: &[u8], field: usize) -> bool {
    let start = field.checked_sub(2).and_then(|start| code.get(start..field));
    matches!(start, Some([0xc0, second]) if matches!(second & 0xf, 4 | 5))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn branches_are_told_from_addresses() {
        // brasl %r14, jg, larl %r1
        for (code, expected) in [([0xc0, 0xe5], true), ([0xc0, 0xf4], true), ([0xc0, 0x10], false)]
        {
            assert_eq!(is_call_at(&[code[0], code[1], 0, 0, 0, 0], 2), expected);
        }
        assert!(!is_call_at(&[0xc0], 1));
        assert!(!is_call_at(&[0xc0, 0xe5], 9));
    }
}
