//! i386: relocations, relaxations and PLTs (i386 psABI).
//!
//! Relocations have no addends in their tables. The frequent ways of the loops read entries of the
//! file, and addends in the fields; all other code gets records with addends. Sums wrap around at
//! 4 GiB, so a field of 32 bits is in range whatever it holds.

mod apply;
mod apply_any;
mod branch;
mod decide;
mod landing_pad;
mod plt;
mod plt_frames;
mod relax;
mod scan;
mod split_prologue;
mod tls;

use super::x86_64::LAST_JUMPS;
use crate::loops::table::Loops;
use crate::machine::i386::MACHINE;
use crate::select::marker::{ScanLoops, ScanLoopsInPlace};

/// The loops of i386.
pub static LOOPS: Loops = Loops {
    machine: &MACHINE,
    scan: ScanLoops {
        follow: scan::follow,
        all: scan::scan_range,
        in_place: Some(ScanLoopsInPlace {
            follow: scan::follow_in_place,
            all: scan::scan_in_place,
        }),
    },
    apply: apply::apply,
    apply_in_place: Some(apply::apply_in_place),
    follow_rewrite: Some(decide::follow_rewrite),
    plt: plt::table,
    // Every branch reaches all of the address space.
    thunks: None,
    errata: None,
    shrinking: None,
    branches: Some(&branch::BRANCHES),
    landing_pads: Some(&landing_pad::LANDING_PADS),
    split_stack: Some(&split_prologue::SPLIT_STACK),
    // Jumps are encoded as for x86-64, and their relocation types have the same numbers.
    code_order: None,
    last_jumps: Some(&LAST_JUMPS),
};
