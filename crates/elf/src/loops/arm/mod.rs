//! ARM with 32 bits: relocations, PLTs and thunks ("ELF for the Arm Architecture").
//!
//! Code is of two kinds, A32 and Thumb. The address of a function of Thumb is odd, so it is in the
//! value of the symbol, and in what data holds; a branch to the other kind is BLX, or goes through
//! a thunk.
//!
//! Relocations have no addends in their tables. Those of instructions are in the instructions
//! ([`crate::machine::arm::code_addend`]).

mod apply;
mod branch;
mod code_order;
mod plt;
mod scan;
mod thunk;
mod tls;

use crate::loops::table::Loops;
use crate::loops::{apply_loop, scan_loop};
use crate::machine::arm;

/// The loops of ARM.
pub static LOOPS: Loops = Loops {
    machine: &arm::MACHINE,
    scan: scan_loop::of_entries::<scan::Types>(),
    apply: apply_loop::apply::<apply::Types>,
    apply_in_place: Some(apply_loop::apply_in_place::<apply::Types>),
    follow_rewrite: None,
    plt: plt::table,
    thunks: Some(&thunk::THUNKS),
    errata: None,
    shrinking: None,
    branches: None,
    landing_pads: None,
    split_stack: None,
    code_order: Some(&code_order::CODE_ORDER),
    last_jumps: None,
};

/// The same with big-endian data.
pub static BIG_ENDIAN: Loops = Loops { machine: &arm::BIG_ENDIAN, plt: plt::big_endian, ..LOOPS };
