//! The implementation for Linux.

pub mod activity;
pub mod code_pages;
mod counter;
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
mod patience;
pub mod processes;
mod standard_streams;
pub mod start;
pub mod subprocess;
pub mod supervise;
pub mod threads;
pub mod times;
