//! Early ends of the process: signals, faults, and errors that are fatal at once.
//!
//! Unfinished outputs are removed and jobs are given back to make, whatever ends the process.

pub use crate::system::faults::{
    claim, discard_outputs, end, end_with, fail, install, mappings, outlive, print, program,
    program_name, report_file_size_limit, say, say_more, use_own_stack,
};

/// The exit status of an internal error (EX_SOFTWARE of `sysexits.h`).
pub const INTERNAL_ERROR: i32 = 70;

/// Ends the process because of a processor fault (SIGSEGV and the like). The argument names the
/// fault, as the end of a line.
pub type OnFault = fn(&'static [u8]) -> !;
