//! s390x: relocations and PLTs ("ELF Application Binary Interface, s390x Supplement").
//!
//! Offsets of thread-local variables are in literals of data, and the code that uses them is
//! marked: what becomes of either follows from the symbol alone ([`decide`]).

mod apply;
mod decide;
mod instruction;
mod plt;
mod scan;

use crate::loops::table::Loops;
use crate::loops::{apply_loop, scan_loop};
use crate::machine::s390x;

/// The loops of s390x.
pub static LOOPS: Loops = Loops {
    machine: &s390x::MACHINE,
    scan: scan_loop::of_records::<scan::Types>(),
    apply: apply_loop::apply::<apply::Types>,
    apply_in_place: None,
    follow_rewrite: Some(decide::follow_rewrite),
    plt: plt::table,
    // BRASL reaches 4 GiB.
    thunks: None,
    errata: None,
    shrinking: None,
    branches: None,
    landing_pads: None,
    split_stack: None,
    code_order: None,
    last_jumps: None,
};
