//! What the fields of relocation types are computed from, for `--icf`.

use super::howto::{ABSOLUTE, COMPUTED};
use super::numbers::*;
use crate::machine::fold::FoldTypes;
use crate::machine::type_set::TypeSet;
use object::elf::*;

/// The types, by what the ABI's formula for the field uses.
pub static TYPES: FoldTypes = FoldTypes {
    sums: TypeSet::of(COMPUTED).and(ABSOLUTE),
    sizes: TypeSet::of(&[]),
    marks: TypeSet::of(&[]),
    calls: TypeSet::of(&[
        R_MIPS_NONE,
        R_MIPS_26,
        R_MIPS_PC16,
        R_MIPS_CALL16,
        R_MIPS_CALL_HI16,
        R_MIPS_CALL_LO16,
        R_MIPS_JALR,
        R_MIPS_PC21_S2,
        R_MIPS_PC26_S2,
        R_MICROMIPS_26_S1,
        R_MICROMIPS_PC7_S1,
        R_MICROMIPS_PC10_S1,
        R_MICROMIPS_PC16_S1,
        R_MICROMIPS_CALL16,
        R_MICROMIPS_CALL_HI16,
        R_MICROMIPS_CALL_LO16,
        R_MICROMIPS_JALR,
        R_MICROMIPS_PC21_S1,
        R_MICROMIPS_PC26_S1,
    ]),
    calls_in_code: TypeSet::of(&[]),
    is_call_at: None,
};
