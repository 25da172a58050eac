//! SPARC with 64 bits: relocations and PLTs ("System V ABI, SPARC Version 9 Processor Supplement";
//! SPARC Compliance Definition 2.4).
//!
//! The loader binds functions by writing instructions into the PLT ([`plt`]). Loads from the GOT
//! are three marked instructions, and so are calls of `__tls_get_addr`: what becomes of each
//! follows from the symbol alone ([`decide`]).

mod apply;
mod decide;
mod instruction;
mod plt;
mod scan;

use crate::loops::table::Loops;
use crate::loops::{apply_loop, scan_loop};
use crate::machine::sparc64;

/// The loops of SPARC64.
pub static LOOPS: Loops = Loops {
    machine: &sparc64::MACHINE,
    scan: scan_loop::of_records::<scan::Types>(),
    apply: apply_loop::apply::<apply::Types>,
    apply_in_place: None,
    follow_rewrite: Some(decide::follow_rewrite),
    plt: plt::table,
    // CALL reaches 2 GiB.
    thunks: None,
    errata: None,
    shrinking: None,
    branches: None,
    landing_pads: None,
    split_stack: None,
    code_order: None,
    last_jumps: None,
};
