//! RISC-V: relocations, relaxation and PLTs ("RISC-V ABIs Specification").
//!
//! The lower half of an address refers to the instruction with the upper half, by a label
//! (`loops/upper_part`). Relaxation deletes instructions, and makes others shorter ([`shrink`]).

mod apply;
mod instruction;
mod plt;
mod scan;
mod shrink;

use crate::loops::table::Loops;
use crate::loops::{apply_loop, scan_loop};
use crate::machine::riscv;

/// The loops of RISC-V with 64 bits.
pub static LOOPS: Loops = Loops {
    machine: &riscv::MACHINE,
    scan: scan_loop::of_records::<scan::Types<false>>(),
    apply: apply_loop::apply::<apply::Types>,
    apply_in_place: None,
    follow_rewrite: Some(apply::follow_rewrite),
    plt: plt::table,
    // AUIPC and JALR reach 2 GiB.
    thunks: None,
    errata: None,
    shrinking: Some(&shrink::SHRINKING),
    branches: None,
    landing_pads: None,
    split_stack: None,
    code_order: None,
    last_jumps: None,
};

/// The same with big-endian data.
pub static BIG_ENDIAN: Loops = Loops { machine: &riscv::BIG_ENDIAN, ..LOOPS };

/// The loops of RISC-V with 32 bits.
pub static RV32: Loops = Loops {
    machine: &riscv::RV32,
    scan: scan_loop::of_records::<scan::Types<true>>(),
    plt: plt::table_32,
    ..LOOPS
};

/// The same with big-endian data.
pub static RV32_BIG_ENDIAN: Loops = Loops { machine: &riscv::RV32_BIG_ENDIAN, ..RV32 };
