//! The command line: what was typed, and what it means.

pub mod options;

pub use options::*;
