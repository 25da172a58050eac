//! What the fields of relocation types are computed from, for `--icf`.

use super::howto::COMPUTED;
use crate::machine::fold::FoldTypes;
use crate::machine::type_set::TypeSet;
use object::elf::*;

/// The types. Branches have types of their own; CALL is that of `call` and `jmp`.
pub static TYPES: FoldTypes = FoldTypes {
    sums: TypeSet::of(COMPUTED),
    sizes: TypeSet::of(&[]),
    calls: TypeSet::of(&[R_AVR_NONE, R_AVR_7_PCREL, R_AVR_13_PCREL, R_AVR_CALL]),
    calls_in_code: TypeSet::of(&[]),
    is_call_at: None,
    marks: TypeSet::of(&[]),
};
