//! What the fields of relocation types are computed from, for `--icf`.

use super::howto::{ABSOLUTE, COMPUTED, LABELS};
use crate::machine::fold::FoldTypes;
use crate::machine::type_set::TypeSet;
use object::elf::*;

/// The types, by what the psABI's formula for the field uses. Lower parts refer to the instruction
/// with the upper part, at an offset of the section itself.
pub static TYPES: FoldTypes = FoldTypes {
    sums: TypeSet::of(COMPUTED).and(ABSOLUTE).and(LABELS),
    sizes: TypeSet::of(&[]),
    marks: TypeSet::of(&[R_RISCV_RELAX]),
    calls: TypeSet::of(LABELS).and(&[
        R_RISCV_NONE,
        R_RISCV_BRANCH,
        R_RISCV_JAL,
        R_RISCV_CALL,
        R_RISCV_CALL_PLT,
        R_RISCV_RVC_BRANCH,
        R_RISCV_RVC_JUMP,
        R_RISCV_PLT32,
    ]),
    calls_in_code: TypeSet::of(&[]),
    is_call_at: None,
};
