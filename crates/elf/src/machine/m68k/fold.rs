//! What the fields of relocation types are computed from, for `--icf`.

use super::howto::{ABSOLUTE, COMPUTED};
use crate::machine::fold::FoldTypes;
use crate::machine::type_set::TypeSet;
use object::elf::*;

/// The types, by what the psABI's formula for the field uses. Code that is not
/// position-independent calls by R_68K_32, which other instructions have, too.
pub static TYPES: FoldTypes = FoldTypes {
    sums: TypeSet::of(COMPUTED).and(ABSOLUTE),
    sizes: TypeSet::of(&[]),
    calls: TypeSet::of(&[R_68K_NONE, R_68K_PLT32, R_68K_PLT16, R_68K_PLT8]),
    calls_in_code: TypeSet::of(&[R_68K_32]),
    is_call_at: Some(is_call_at),
    marks: TypeSet::of(&[]),
};

/// Whether the address at an offset of code is that of a call or a jump.
fn is_call_at(code: &[u8], at: usize) -> bool {
    // jsr and jmp with an absolute address of 32 bits
    let operation = at.checked_sub(2).and_then(|start| code.get(start..at));
    matches!(operation, Some([0x4e, 0xb9 | 0xf9]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_are_told_from_other_uses() {
        let code = [0x4e, 0xb9, 0, 0, 0, 0, 0x48, 0x79, 0, 0, 0, 0, 0x4e, 0xf9, 0, 0, 0, 0];
        assert_eq!(
            [2, 8, 14, 0, 1].map(|at| is_call_at(&code, at)),
            [true, false, true, false, false]
        );
    }
}
