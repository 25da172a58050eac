//! The command line: what was typed, and what it means.

pub mod dynamic_list;
pub mod expr;
pub mod glob;
pub mod lexer;
pub mod options;
pub mod pattern_set;
pub mod version_script;

pub use options::*;
