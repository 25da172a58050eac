//! What the fields of relocation types are computed from, for `--icf`.

use crate::machine::fold::FoldTypes;
use crate::machine::type_set::TypeSet;
use object::elf::*;

/// The types, by what the psABI's formula for the field uses.
pub static TYPES: FoldTypes = FoldTypes {
    sums: TypeSet::of(&[
        R_386_32,
        R_386_16,
        R_386_8,
        R_386_PC32,
        R_386_PC16,
        R_386_PC8,
        R_386_PLT32,
        R_386_GOTOFF,
    ]),
    sizes: TypeSet::of(&[R_386_SIZE32]),
    marks: TypeSet::of(&[]),
    calls: TypeSet::of(&[R_386_PLT32, R_386_NONE]),
    // No other instruction has the distance of a symbol.
    calls_in_code: TypeSet::of(&[R_386_PC32]),
    is_call_at: None,
};
