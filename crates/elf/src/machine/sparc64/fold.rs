//! What the fields of relocation types are computed from, for `--icf`.

use super::howto::{ABSOLUTE, COMPUTED, SIZES};
use crate::machine::fold::FoldTypes;
use crate::machine::type_set::TypeSet;
use object::elf::*;

/// The types, by what the formula for the field uses. Loads from the GOT have no addend, and local
/// symbols no word there.
pub static TYPES: FoldTypes = FoldTypes {
    sums: TypeSet::of(COMPUTED).and(ABSOLUTE).and(&[
        R_SPARC_GOTDATA_HIX22,
        R_SPARC_GOTDATA_LOX10,
        R_SPARC_GOTDATA_OP_HIX22,
        R_SPARC_GOTDATA_OP_LOX10,
        R_SPARC_GOTDATA_OP,
    ]),
    sizes: TypeSet::of(SIZES),
    calls: TypeSet::of(&[
        R_SPARC_NONE,
        R_SPARC_WDISP30,
        R_SPARC_WPLT30,
        R_SPARC_WDISP22,
        R_SPARC_WDISP19,
        R_SPARC_WDISP16,
        R_SPARC_WDISP10,
        R_SPARC_TLS_GD_CALL,
        R_SPARC_TLS_LDM_CALL,
    ]),
    calls_in_code: TypeSet::of(&[]),
    is_call_at: None,
    marks: TypeSet::of(&[]),
};
