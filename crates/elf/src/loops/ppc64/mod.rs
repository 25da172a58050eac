//! PowerPC with 64 bits: relocations, rewriting and PLTs ("64-Bit ELF V2 ABI Specification").
//!
//! A function has a global entry, which computes the TOC's address from its own, and a local one
//! for callers with the same TOC ([`target`]). Calls that leave the module, and those between code
//! with and without a TOC, go through thunks ([`stub`]). The linker makes the functions that save
//! and restore registers.

mod apply;
mod descriptor_plt;
mod descriptors;
pub mod instruction;
pub mod plt;
mod scan;
mod stub;
pub mod target;
mod tls;
mod toc;

use crate::loops::table::Loops;
use crate::loops::{apply_loop, scan_loop};
use crate::machine::{Machine, ppc64};

/// The loops of PowerPC, little-endian.
pub static LOOPS: Loops = Loops {
    machine: &ppc64::MACHINE,
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

/// The same with function descriptors.
pub static ELFV1: Loops = Loops { machine: &ppc64::ELFV1, plt: descriptor_plt::table, ..LOOPS };

/// Whether functions have descriptors.
fn has_descriptors(machine: &Machine) -> bool {
    std::ptr::eq(machine, &ppc64::ELFV1)
}
