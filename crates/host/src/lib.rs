//! The interface of the linker to the operating system, with an implementation for each host.
//!
//! The code for a host is in a folder of its own (`linux/`), and no other crate uses system calls
//! directly. A host without a folder gets `none/`, which uses Rust's standard library, and returns
//! errors for everything that this library lacks. The operations are:
//!
//! | verb | module | what a host may lack |
//! |---|---|---|
//! | map, prefetch, read | [`input`] | mapping: files are read whole |
//! | create, write at, publish | [`output`] | overwriting, mapping |
//! | give back | [`pages`], [`code_pages`] | all: memory stays until the end |
//! | limits | [`memory`], [`threads`], [`files`] | all: there is no limit that is known of |
//! | processes | [`processes`], [`subprocess`], [`guard`], [`detach`], [`jobs`], [`activity`] | `--fork`, job servers, an end of what hangs |
//! | supervise | [`supervise`] | programs stay what they are |
//! | faults | [`faults`] | handlers: the system's own messages |
//! | the start, terminals | [`start`] | |
//! | time | [`times`] | processor time: it is zero |
//! | names | [`paths`], [`errors`] | |
//!
//! Invariant: safe functions of this crate are safe for any argument. Besides this crate, only
//! `core` (allocator, columns, loops over bytes) and `plugin` (a C interface) have `unsafe`.

#[cfg(all(target_os = "linux", not(feature = "none")))]
mod linux;
#[cfg(all(target_os = "linux", not(feature = "none")))]
use linux as system;
#[cfg(any(not(target_os = "linux"), feature = "none"))]
mod none;
#[cfg(any(not(target_os = "linux"), feature = "none"))]
use none as system;

pub mod errors;
pub mod faults;
pub mod input;
pub mod memory;
pub mod output;
pub mod pages;
pub mod times;

pub use system::{
    activity, code_pages, detach, files, guard, jobs, paths, processes, start, subprocess,
    supervise, threads,
};
