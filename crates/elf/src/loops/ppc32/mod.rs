//! PowerPC with 32 bits: relocations, rewriting and PLTs ("Power Architecture 32-bit Application
//! Binary Interface Supplement").
//!
//! Instructions are those of 64 bits. Calls that leave the module go through thunks ([`stub`]),
//! which find the word of the PLT by a register that position-independent code has set for that.

mod apply;
mod plt;
mod scan;
mod stub;
mod tls;

use crate::loops::table::Loops;
use crate::loops::{apply_loop, scan_loop};
use crate::machine::ppc32;

/// The loops of PowerPC, big-endian.
pub static LOOPS: Loops = Loops {
    machine: &ppc32::MACHINE,
    scan: scan_loop::of_records::<scan::Types>(),
    apply: apply_loop::apply::<apply::Types>,
    apply_in_place: None,
    follow_rewrite: Some(apply::follow_rewrite),
    plt: plt::table,
    thunks: Some(&stub::THUNKS),
    errata: None,
    shrinking: None,
    branches: None,
    landing_pads: None,
    split_stack: None,
    code_order: None,
    last_jumps: None,
};

/// The same, little-endian.
pub static LITTLE_ENDIAN: Loops =
    Loops { machine: &ppc32::LITTLE_ENDIAN, plt: plt::little_endian, ..LOOPS };
