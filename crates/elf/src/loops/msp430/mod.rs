//! MSP430: relocations, as LLVM has them.

mod apply;
mod scan;

use crate::loops::table::Loops;
use crate::loops::{apply_loop, scan_loop};
use crate::machine::msp430;
use crate::synth::plt::Plt;

/// The loops of MSP430.
pub static LOOPS: Loops = Loops {
    machine: &msp430::MACHINE,
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
