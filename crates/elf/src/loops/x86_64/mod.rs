//! x86-64: relocations, relaxations and PLTs (x86-64 psABI).

mod apply;
mod apply_any;
mod branch;
mod decide;
mod fall_through;
mod instruction;
mod landing_pad;
mod plt;
mod plt_frames;
mod relax;
mod scan;
mod split_prologue;
mod thunk;
mod tls;
mod tls_x32;

pub use fall_through::LAST_JUMPS;

use crate::loops::table::Loops;
use crate::machine::x86_64::{MACHINE, X32 as X32_MACHINE};
use crate::select::marker::ScanLoops;

/// The loops of x86-64.
pub static LOOPS: Loops = Loops {
    machine: &MACHINE,
    scan: ScanLoops {
        follow: scan::follow::<false>,
        all: scan::scan_range::<false>,
        in_place: None,
    },
    apply: apply::apply,
    apply_in_place: None,
    follow_rewrite: Some(decide::follow_rewrite),
    plt: plt::table,
    thunks: Some(&thunk::THUNKS),
    errata: None,
    shrinking: None,
    branches: Some(&branch::BRANCHES),
    landing_pads: Some(&landing_pad::LANDING_PADS),
    split_stack: Some(&split_prologue::SPLIT_STACK),
    code_order: None,
    last_jumps: Some(&LAST_JUMPS),
};

/// The loops of x32, whose words have 32 bits.
pub static X32: Loops = Loops {
    machine: &X32_MACHINE,
    scan: ScanLoops { follow: scan::follow::<true>, all: scan::scan_range::<true>, in_place: None },
    ..LOOPS
};
