//! A host that is not known: what Rust's library can do everywhere, and nothing else.
//!
//! Files are read whole and outputs are written with ordinary calls; memory is never given back.
//! There are no limits that are known of, no handlers of faults, no processes that watch others,
//! and no plugins. A host of its own begins as a copy of this folder.

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

/// What this host has not.
fn unsupported() -> std::io::Error {
    std::io::ErrorKind::Unsupported.into()
}
