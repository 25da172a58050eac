//! The implementation for unknown hosts: it uses nothing but Rust's standard library.
//!
//! Files are read whole and outputs are written with ordinary calls; memory is never given back. No
//! limits are known, and there are no fault handlers, no supervised processes, and no plugins.
//! Support for a new host begins as a copy of this folder.

pub mod activity;
pub mod code_pages;
pub mod detach;
pub mod errors;
pub mod faults;
pub mod files;
pub mod guard;
pub mod input;
pub mod jobs;
pub mod memory;
pub mod output;
pub(crate) mod pages;
pub mod paths;
pub mod processes;
pub mod start;
pub mod subprocess;
pub mod supervise;
pub mod threads;
pub mod times;

/// The error for operations that this host lacks.
fn unsupported() -> std::io::Error {
    std::io::ErrorKind::Unsupported.into()
}
