//! The ELF linker. The folders are the stages of the pipeline, which [`link`] runs, and the facts
//! and loops of machines.

pub mod args;
pub mod check;
pub mod diagnose;
pub mod format;
pub mod layout;
pub mod link;
pub mod loops;
pub mod lto;
pub mod machine;
pub mod read;
pub mod relocatable;
pub mod resolve;
pub mod rewrite;
pub mod script;
pub mod select;
pub mod synth;
pub(crate) mod tell;
pub mod write;
