//! Mechanisms of a linker that know no object format and no operating system.
//!
//! Ids and columns, the name table, hashes, threads, diagnostics, time; and on top of `host`:
//! mapped inputs, the output, a limit on memory, internal errors, the allocator.
//!
//! Invariants: nothing here knows what ELF, COFF or Mach-O is, and nothing calls the system but
//! through `host`. `unsafe` is in the files that tidy lists; their safe functions are sound with
//! any argument.

pub mod align;
pub mod alloc;
pub mod column;
pub mod demangle;
pub mod diag;
pub mod digest;
pub mod field;
pub mod hash;
pub mod huge_pages;
pub mod ids;
pub mod in_order;
pub mod input;
pub mod internal_error;
pub mod memory_limit;
pub mod names;
mod out_of_memory;
pub mod output;
pub mod par;
pub mod perturb;
pub mod process_exit;
mod shares;
pub mod sort;
pub mod tar;
pub mod time;
pub mod unordered;
pub mod zstd_frame;
