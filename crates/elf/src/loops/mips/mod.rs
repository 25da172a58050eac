//! MIPS: relocations and PLTs (MIPS supplement of the System V ABI).
//!
//! Code reaches data and functions through the GOT, whose words it counts from the global pointer.
//! What kind of word a reference uses is decided in [`words`], for scanning and applying alike.

mod apply;
mod formula;
mod hint;
mod plt;
mod scan;
mod words;

use crate::loops::table::Loops;
use crate::loops::{apply_loop, scan_loop};
use crate::machine::mips;

/// The loops of the n64 ABI.
pub static LOOPS: Loops = Loops {
    machine: &mips::MACHINE,
    scan: scan_loop::of_records::<scan::Types<{ scan::N64 }>>(),
    apply: apply_loop::apply::<apply::Types<false>>,
    apply_in_place: None,
    follow_rewrite: None,
    plt: plt::table_64,
    thunks: None,
    errata: None,
    shrinking: None,
    branches: None,
    landing_pads: None,
    split_stack: None,
    code_order: None,
    last_jumps: None,
};

/// The same with big-endian data.
pub static N64_BIG_ENDIAN: Loops =
    Loops { machine: &mips::N64_BIG_ENDIAN, plt: plt::big_table_64, ..LOOPS };

/// The loops of the n32 ABI.
pub static N32: Loops = Loops {
    machine: &mips::N32,
    scan: scan_loop::of_records::<scan::Types<{ scan::N32 }>>(),
    apply: apply_loop::apply::<apply::Types<true>>,
    plt: plt::table_n32,
    ..LOOPS
};

/// The same with big-endian data.
pub static N32_BIG_ENDIAN: Loops =
    Loops { machine: &mips::N32_BIG_ENDIAN, plt: plt::big_table_n32, ..N32 };

/// The loops of the o32 ABI.
pub static O32: Loops = Loops {
    machine: &mips::O32,
    scan: scan_loop::of_records::<scan::Types<{ scan::O32 }>>(),
    plt: plt::table_32,
    ..LOOPS
};

/// The same with big-endian data.
pub static O32_BIG_ENDIAN: Loops =
    Loops { machine: &mips::O32_BIG_ENDIAN, plt: plt::big_table_32, ..O32 };
