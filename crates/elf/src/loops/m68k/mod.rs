//! m68k: relocations and PLTs (System V ABI, Motorola 68000 Processor Family Supplement).
//!
//! Instructions hold distances as data does, after the operation word. Thread-local sequences are
//! not rewritten, as with GNU ld.

mod apply;
mod decide;
mod plt;
mod scan;

use crate::loops::table::Loops;
use crate::loops::{apply_loop, scan_loop};
use crate::machine::m68k;

/// The loops of m68k.
pub static LOOPS: Loops = Loops {
    machine: &m68k::MACHINE,
    scan: scan_loop::of_records::<scan::Types>(),
    apply: apply_loop::apply::<apply::Types>,
    apply_in_place: None,
    follow_rewrite: None,
    plt: plt::table,
    // Code for more than 32 KiB has distances of 32 bits.
    thunks: None,
    errata: None,
    shrinking: None,
    branches: None,
    landing_pads: None,
    split_stack: None,
    code_order: None,
    last_jumps: None,
};
