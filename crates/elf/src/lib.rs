//! The ELF linker. The folders are the stages of the pipeline, in the order in which [`link`]
//! runs them.

pub mod arch;
pub mod args;
pub mod check;
pub mod diagnose;
pub mod format;
pub mod layout;
pub mod link;
pub mod lto;
pub mod read;
pub mod relocatable;
pub mod resolve;
pub mod rewrite;
pub mod script;
pub mod select;
pub mod synth;
pub(crate) mod tell;
pub mod write;
