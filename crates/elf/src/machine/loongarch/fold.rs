//! What the fields of relocation types are computed from, for `--icf`.

use super::howto::*;
use crate::machine::fold::FoldTypes;
use crate::machine::type_set::TypeSet;
use object::elf::R_LARCH_RELAX;

/// The types, by what the psABI's formula for the field uses. Lower parts of PCADDU12I refer to the
/// instruction with the upper part, and padding to its own section, at an offset of the section
/// itself.
pub static TYPES: FoldTypes = FoldTypes {
    sums: TypeSet::of(COMPUTED).and(ABSOLUTE).and(LABELS),
    sizes: TypeSet::of(&[]),
    marks: TypeSet::of(&[R_LARCH_RELAX]),
    calls: TypeSet::of(LABELS).and(MARKS).and(BRANCHES),
    calls_in_code: TypeSet::of(&[]),
    is_call_at: None,
};
