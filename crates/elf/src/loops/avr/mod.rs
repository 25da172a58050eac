//! AVR: relocations, as GNU's tools and LLVM have them. Code is not made shorter, so distances that
//! the assembler has written stay true.

mod apply;
mod instruction;
mod scan;

use crate::loops::table::Loops;
use crate::loops::{apply_loop, scan_loop};
use crate::machine::avr;
use crate::synth::plt::Plt;

/// The loops of AVR.
pub static LOOPS: Loops = Loops {
    machine: &avr::MACHINE,
    scan: scan_loop::of_records::<scan::Types>(),
    apply: apply_loop::apply::<apply::Types>,
    apply_in_place: None,
    follow_rewrite: None,
    plt: |_, _, _| {
        static NONE: Plt = Plt::NONE;
        &NONE
    },
    thunks: None,
    errata: None,
    shrinking: None,
    branches: None,
    landing_pads: None,
    split_stack: None,
    code_order: None,
    last_jumps: None,
};
