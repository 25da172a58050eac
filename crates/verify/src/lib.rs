//! Reads an output back, without any table of the link that made it, and checks rules that every
//! output must obey.
//!
//! [`output_file`] reads the file with the `object` crate into plain tables, [`encoding`] has its
//! class and byte order, and [`lint`] has the rules. `skald --verify` shows the findings to users,
//! and the test runner checks every output of the tests.

pub mod elf_names;
pub mod encoding;
pub mod lint;
pub mod output_file;
pub mod relocation_types;

/// The error is the reason why a file cannot be read.
pub type Result<T> = std::result::Result<T, String>;
