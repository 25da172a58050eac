//! What the fields of relocation types are computed from, for `--icf`.

use super::howto::{CALLS, SUMS};
use crate::machine::fold::FoldTypes;
use crate::machine::type_set::TypeSet;

/// The types, by what the psABI's formula for the field uses.
pub static TYPES: FoldTypes = FoldTypes {
    sums: SUMS,
    sizes: TypeSet::of(&[]),
    marks: TypeSet::of(&[]),
    calls: CALLS,
    calls_in_code: TypeSet::of(&[]),
    is_call_at: None,
};
