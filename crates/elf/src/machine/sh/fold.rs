//! What the fields of relocation types are computed from, for `--icf`.

use super::howto::{ABSOLUTE, COMPUTED};
use crate::machine::fold::FoldTypes;
use crate::machine::type_set::TypeSet;
use object::elf::*;

/// The types, by what the formula for the field uses. Calls load an address that may have any other
/// use, but for those by a distance.
pub static TYPES: FoldTypes = FoldTypes {
    sums: TypeSet::of(COMPUTED).and(ABSOLUTE).and(&[R_SH_GOTOFF]),
    sizes: TypeSet::of(&[]),
    calls: TypeSet::of(&[R_SH_NONE, R_SH_PLT32, R_SH_IND12W, R_SH_DIR8WPN]),
    calls_in_code: TypeSet::of(&[]),
    is_call_at: None,
    marks: TypeSet::of(&[]),
};
