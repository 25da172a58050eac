//! A layout that a script gives.
//!
//! [`arrange`] puts the parts of output sections in the order of the script: each statement of
//! input sections, each section of the linker and each run of stated bytes is a part of its own
//! (an [`OutputSection`](super::OutputSection)), and a heading of [`items`](super::items) says
//! which of them stand under one section header. [`segments`] finds the program headers and the
//! places in the file.

mod arrange;
mod orphans;
pub mod segments;

pub use arrange::{arrange, drop_empty};
