//! Finds one definition for each name, and decides which archive members and groups are taken.
//!
//! In order: [`extract`] takes the files that are needed, [`definitions`] lets definitions compete
//! and numbers sections and symbols, [`dynamic`] decides what is imported and exported.

pub mod comdat;
pub mod commons;
pub mod definitions;
pub mod dropped_libraries;
pub mod dynamic;
pub mod extract;
pub mod linker_symbols;
pub mod local_ifuncs;
pub mod name_order;
pub mod names;
pub mod outputs;
pub mod prevailing;
pub mod rank;
pub mod referent;
pub mod supplementary;
pub mod tables;
pub mod versions;
pub mod wanted;

pub use definitions::{Definitions, SectionId};
pub use names::references::{NameReferences, ref_flags};
