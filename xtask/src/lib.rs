//! Demonstrates and measures the linker: the demonstration, the benchmark, and the links of both.
//! Its correctness is checked by the program `checks`, which uses these links, too.

pub mod bench;
pub mod corpus;
pub mod crates_io;
pub mod debian;
pub mod demo;
pub mod dist;
pub mod root;
pub mod scratch;

/// The result of a command: an error is a message for the user.
pub type Result<T> = std::result::Result<T, String>;
