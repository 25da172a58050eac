//! SuperH: relocations and PLTs, as GNU's tools have them.
//!
//! Code loads words from literal pools, and nearly all relocations are for such words.
//! Thread-local sequences are not rewritten.

mod apply;
mod plt;
mod scan;

use crate::loops::table::Loops;
use crate::loops::{apply_loop, scan_loop};
use crate::machine::sh;

/// The loops of SH.
pub static LOOPS: Loops = Loops {
    machine: &sh::MACHINE,
    scan: scan_loop::of_records::<scan::Types>(),
    apply: apply_loop::apply::<apply::Types>,
    apply_in_place: None,
    follow_rewrite: None,
    plt: plt::table,
    // Compilers branch within a function only.
    thunks: None,
    errata: None,
    shrinking: None,
    branches: None,
    landing_pads: None,
    split_stack: None,
    code_order: None,
    last_jumps: None,
};

/// The same, big-endian.
pub static BIG_ENDIAN: Loops =
    Loops { machine: &sh::BIG_ENDIAN, plt: plt::big_endian_table, ..LOOPS };
