//! The test runner: cases are source files whose `//#` comments say how they are compiled,
//! linked and run, and what the output must look like.
//!
//! [`suite::run`] finds the cases, runs them on a few threads and prints the results in the order
//! of their names. A case passes through [`case`] (parse), [`artifact`] (compile, archive, link),
//! [`run_case`] (the order of steps), [`check`] (what the directives claim about the output) and
//! [`lint`] (what must be true of every output). Outputs are read through the `object` crate into
//! the plain tables of [`output_file`]; [`record`] gives all those tables one query syntax.
//!
//! A case is for one [`machine`], or for any: [`generic`] says which of those are for each.
//!
//! [`against_peers::run`] links the cases with other linkers as well and compares the outputs by
//! their [`structure`].
//!
//! [`repetition::run`] links them again in many ways, which must give the same bytes.
//!
//! The directives are documented in `tests/README.md`.

pub mod against_peers;
pub mod artifact;
pub mod case;
pub mod check;
pub mod command;
pub mod corrupt;
pub mod directives;
pub mod generic;
pub mod hostile;
pub mod linker;
pub mod machine;
pub mod portable;
pub mod programs;
pub mod record;
pub mod repetition;
pub mod run_case;
pub mod structure;
pub mod suite;
pub mod words;

pub use skald_verify::{elf_names, encoding, lint, output_file};

/// An error of a test is a message for a person.
pub type Result<T> = std::result::Result<T, String>;
