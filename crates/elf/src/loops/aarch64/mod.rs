//! AArch64: relocations, relaxations and PLTs ("ELF for the Arm 64-bit Architecture").

mod apply;
mod apply_any;
mod decide;
mod errata;
mod instruction;
mod plt;
mod relax;
mod scan;
mod sequence;
mod thunk;
mod tls;

use crate::loops::table::Loops;
use crate::machine::aarch64;
use crate::select::marker::ScanLoops;

/// The loops of AArch64.
pub static LOOPS: Loops = Loops {
    machine: &aarch64::MACHINE,
    scan: ScanLoops { follow: scan::follow, all: scan::scan_range, in_place: None },
    apply: apply::apply,
    apply_in_place: None,
    follow_rewrite: Some(decide::follow_rewrite),
    plt: plt::table,
    thunks: Some(&thunk::THUNKS),
    errata: Some(&errata::ERRATA),
    shrinking: None,
    branches: None,
    landing_pads: None,
    split_stack: None,
    code_order: None,
    last_jumps: None,
};

/// The same loops for big-endian data.
pub static BIG_ENDIAN: Loops =
    Loops { machine: &aarch64::BIG_ENDIAN, plt: plt::big_endian, ..LOOPS };
