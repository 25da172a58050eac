//! What the fields of relocation types are computed from, for `--icf`.

use super::howto::*;
use crate::machine::fold::FoldTypes;
use crate::machine::type_set::TypeSet;

/// The types, by what the ABI's formula for the field uses. Where the sum also has the bit for
/// Thumb, that is one of S.
pub static TYPES: FoldTypes = FoldTypes {
    sums: TypeSet::of(COMPUTED).and(ABSOLUTE).and(&[R_ARM_TARGET1, R_ARM_GOTOFF32]),
    sizes: TypeSet::of(&[]),
    marks: TypeSet::of(&[R_ARM_V4BX]),
    calls: TypeSet::of(&[
        R_ARM_NONE,
        R_ARM_PC24,
        R_ARM_PLT32,
        R_ARM_CALL,
        R_ARM_JUMP24,
        R_ARM_THM_CALL,
        R_ARM_THM_JUMP24,
        R_ARM_THM_JUMP19,
        R_ARM_THM_JUMP11,
        R_ARM_THM_JUMP8,
        R_ARM_THM_JUMP6,
    ]),
    calls_in_code: TypeSet::of(&[]),
    is_call_at: None,
};
