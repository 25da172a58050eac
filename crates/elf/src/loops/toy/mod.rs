//! A machine for unit tests, with short branches and code that shrinks, to test how stages handle
//! these. In everything else it is x86-64.
//!
//! Its relocations write plain numbers, so that tests read the output without an assembler.

mod apply;
mod scan;
mod shrink;
pub mod thunk;

use super::table::Loops;
use super::x86_64;
use crate::machine::howto::{Howto, Range};
use crate::machine::{self, Machine};
use crate::select::marker::ScanLoops;

/// Relocation types.
#[allow(missing_docs)]
pub mod types {
    pub const NONE: u32 = 0;
    /// S + A in 64 bits.
    pub const WORD: u32 = 1;
    /// S + A - P in 32 bits.
    pub const DISTANCE: u32 = 2;
    /// A branch: S + A - P in a field of 32 bits, of which 11 count, so it reaches 1 KiB.
    pub const SHORT_BRANCH: u32 = 3;
    /// A branch over up to 32 KiB.
    pub const BRANCH: u32 = 4;
    /// A call of two instructions that reaches 32 bits; the second one is deleted if a short branch
    /// reaches.
    pub const CALL: u32 = 5;
    /// Padding for alignment to the next power of two; the addend is the number of bytes.
    pub const ALIGN: u32 = 6;
    /// S + A is added to a field of 32 bits.
    pub const ADD32: u32 = 7;
    /// S + A is subtracted from a field of 32 bits.
    pub const SUB32: u32 = 8;
    /// S + A is added to a field of one byte.
    pub const ADD8: u32 = 9;
    pub const SUB8: u32 = 10;
}

const HOWTOS: [Howto; 11] = [
    Howto { name: "R_TOY_NONE", size: 0, range: Range::Any },
    Howto { name: "R_TOY_WORD", size: 8, range: Range::Any },
    Howto { name: "R_TOY_DISTANCE", size: 4, range: Range::Signed(32) },
    Howto { name: "R_TOY_SHORT_BRANCH", size: 4, range: Range::Signed(11) },
    Howto { name: "R_TOY_BRANCH", size: 4, range: Range::Signed(16) },
    Howto { name: "R_TOY_CALL", size: 4, range: Range::Signed(32) },
    Howto { name: "R_TOY_ALIGN", size: 0, range: Range::Any },
    Howto { name: "R_TOY_ADD32", size: 4, range: Range::Any },
    Howto { name: "R_TOY_SUB32", size: 4, range: Range::Any },
    Howto { name: "R_TOY_ADD8", size: 1, range: Range::Any },
    Howto { name: "R_TOY_SUB8", size: 1, range: Range::Any },
];

/// `e_machine` of its files, which no psABI has.
pub const E_MACHINE: u16 = 0x5454;

/// The facts of the machine.
pub static MACHINE: Machine = Machine {
    emulation: "elf_toy",
    format: "elf64-toy",
    e_machine: E_MACHINE,
    function_bit: 0,
    unwind_index: None,
    howtos: &HOWTOS,
    more_howtos: &[],
    ..machine::x86_64::MACHINE
};

/// Its loops.
pub static LOOPS: Loops = Loops {
    machine: &MACHINE,
    scan: ScanLoops { follow: scan::follow, all: scan::scan, in_place: None },
    apply: apply::apply,
    apply_in_place: None,
    follow_rewrite: None,
    plt: x86_64::LOOPS.plt,
    thunks: Some(&thunk::THUNKS),
    errata: None,
    shrinking: Some(&shrink::SHRINKING),
    branches: None,
    landing_pads: None,
    split_stack: None,
    code_order: None,
    last_jumps: None,
};
