//! Reads an output back, with no table of the link that made it, and checks what must hold of it.
//!
//! [`output_file`] reads it through the `object` crate into plain tables, [`encoding`] says how it
//! is stored, and [`lint`] is the rules.
//! `skald --verify` tells users, and the test runner asks it of every output that it makes.

pub mod elf_names;
pub mod encoding;
pub mod lint;
pub mod output_file;
pub mod relocation_types;

/// The error says why a file cannot be read.
pub type Result<T> = std::result::Result<T, String>;
