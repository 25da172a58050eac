//! What a linker of any object format needs, and that knows of none: archives and their indexes,
//! the patterns, expressions and words of scripts and options.
//!
//! Files are bytes here and names are bytes; what a section or a symbol is, is said by the crate of
//! a format.

pub mod archive;
pub mod archive_index;
pub mod cursor;
pub mod expr;
pub mod glob;
pub mod lexer;
pub mod pattern_set;
pub mod response;
