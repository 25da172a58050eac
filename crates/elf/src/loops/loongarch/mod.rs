//! LoongArch: relocations, relaxation and PLTs ("ELF for the LoongArch Architecture").
//!
//! The lowest bits of an address are absolute, and PCALAU12I counts pages from that of the code.
//! Relaxation deletes instructions, and makes others of two ([`shrink`]).

mod apply;
mod decide;
mod instruction;
mod plt;
mod scan;
mod sequence;
mod shrink;
mod stack;
mod tls;

use crate::loops::table::Loops;
use crate::loops::{apply_loop, scan_loop};
use crate::machine::loongarch;

/// The loops of LoongArch with 64 bits.
pub static LOOPS: Loops = Loops {
    machine: &loongarch::MACHINE,
    scan: scan_loop::of_records::<scan::Types<false>>(),
    apply: apply_loop::apply::<apply::Types>,
    apply_in_place: None,
    follow_rewrite: Some(decide::follow_rewrite),
    plt: plt::table,
    // As with GNU ld and lld, B and BL reach 128 MiB or are an error: code for farther calls has
    // the two instructions of `R_LARCH_CALL36`.
    thunks: None,
    errata: None,
    code_order: None,
    shrinking: Some(&shrink::SHRINKING),
    branches: None,
    landing_pads: None,
    split_stack: None,
    last_jumps: None,
};

/// The loops of LoongArch with 32 bits.
pub static LA32: Loops = Loops {
    machine: &loongarch::LA32,
    scan: scan_loop::of_records::<scan::Types<true>>(),
    plt: plt::table_32,
    ..LOOPS
};
