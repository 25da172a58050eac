//! What the fields of relocation types are computed from, for `--icf`.

use super::howto::{COMPUTED, R_MSP430_10_PCREL, R_MSP430_NONE};
use crate::machine::fold::FoldTypes;
use crate::machine::type_set::TypeSet;
use object::elf::R_MSP430_16_BYTE;

/// The types. Calls have the address of the function, as other instructions do.
pub static TYPES: FoldTypes = FoldTypes {
    sums: TypeSet::of(COMPUTED),
    sizes: TypeSet::of(&[]),
    calls: TypeSet::of(&[R_MSP430_NONE, R_MSP430_10_PCREL]),
    calls_in_code: TypeSet::of(&[R_MSP430_16_BYTE]),
    is_call_at: Some(is_call_at),
    marks: TypeSet::of(&[]),
};

/// Whether the address at an offset of code is that of `call #function`.
fn is_call_at(code: &[u8], at: usize) -> bool {
    let operation = at.checked_sub(2).and_then(|start| code.get(start..at));
    operation == Some(&[0xb0, 0x12])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_are_told_from_other_uses() {
        // call #0; mov #0, r4
        let code = [0xb0, 0x12, 0, 0, 0x34, 0x40, 0, 0];
        assert_eq!([2, 6, 0, 1].map(|at| is_call_at(&code, at)), [true, false, false, false]);
    }
}
