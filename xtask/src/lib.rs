//! What shows the linker and measures it: the demonstration, the benchmark, and the links that both
//! are made of. What holds it right is the program `checks`, which takes these links, too.

pub mod bench;
pub mod corpus;
pub mod crates_io;
pub mod debian;
pub mod demo;
pub mod dist;
pub mod root;
pub mod scratch;

/// What a command answers: an error is a message for a person.
pub type Result<T> = std::result::Result<T, String>;
