//! What the fields of relocation types are computed from, for `--icf`.

use super::howto::{ABSOLUTE, COMPUTED};
use crate::machine::fold::FoldTypes;
use crate::machine::type_set::TypeSet;
use object::elf::*;

/// The types, by what the psABI's formula for the field uses. Code that is not
/// position-independent calls by R_68K_32, which is the address of any other use, too.
pub static TYPES: FoldTypes = FoldTypes {
    sums: TypeSet::of(COMPUTED).and(ABSOLUTE),
    sizes: TypeSet::of(&[]),
    calls: TypeSet::of(&[R_68K_NONE, R_68K_PLT32, R_68K_PLT16, R_68K_PLT8]),
    calls_in_code: TypeSet::of(&[]),
    is_call_at: None,
    marks: TypeSet::of(&[]),
};
