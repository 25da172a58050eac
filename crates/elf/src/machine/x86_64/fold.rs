//! The values from which fields of relocation types are computed, for `--icf`.

use super::howto::*;
use crate::machine::fold::FoldTypes;
use crate::machine::type_set::TypeSet;
use object::elf::*;

/// The types, by the terms in the psABI's formula for the field.
pub static TYPES: FoldTypes = FoldTypes {
    sums: TypeSet::of(&[
        R_X86_64_64,
        R_X86_64_32,
        R_X86_64_32S,
        R_X86_64_16,
        R_X86_64_8,
        R_X86_64_PC64,
        R_X86_64_PC32,
        R_X86_64_PC16,
        R_X86_64_PC8,
        R_X86_64_PC32_BND,
        R_X86_64_PLT32,
        R_X86_64_PLT32_BND,
    ]),
    sizes: TypeSet::of(&[R_X86_64_SIZE32, R_X86_64_SIZE64]),
    marks: TypeSet::of(&[]),
    calls: TypeSet::of(&[R_X86_64_PLT32, R_X86_64_PLT32_BND, R_X86_64_PLTOFF64, R_X86_64_NONE]),
    calls_in_code: TypeSet::of(&[]),
    is_call_at: None,
};
