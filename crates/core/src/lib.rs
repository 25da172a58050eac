//! Mechanisms of a linker that know no object format.
//!
//! Files, memory, hashing, threads, name interning, output and diagnostics. This is the only
//! crate that may hold `unsafe`; what it offers is safe to call with any argument.
//!
//! Invariant: nothing here knows what ELF, COFF or Mach-O is.

mod activity;
pub mod align;
pub mod alloc;
mod code_pages;
pub mod column;
pub mod demangle;
pub mod detach;
pub mod diag;
pub mod digest;
pub mod disk_space;
pub mod errno;
pub mod field;
pub mod guard;
pub mod hash;
pub mod huge_pages;
pub mod ids;
pub mod in_order;
pub mod input;
pub mod internal_error;
pub mod jobs;
pub mod leave;
pub mod memory_limit;
pub mod names;
pub mod output;
mod pages;
pub mod par;
mod patience;
pub mod perturb;
pub mod plugin;
pub mod signals;
pub mod sort;
mod standard_streams;
pub mod start;
pub mod supervise;
pub mod tar;
pub mod time;
pub mod unordered;
pub mod zstd_frame;
