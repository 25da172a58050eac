//! Finds one definition for each name, and decides which archive members and groups are taken.
//!
//! In order: [`extract`] takes the files that are needed, [`definitions`] lets definitions compete
//! and numbers sections and symbols, [`dynamic`] decides what is imported and exported.

pub mod arrivals;
pub mod bounds_names;
pub mod common_sizes;
pub mod commons;
pub mod contested;
pub mod default_members;
pub mod definitions;
pub mod dropped_libraries;
pub mod dynamic;
pub mod expressions;
pub mod extract;
mod kept_copies;
pub mod late_definitions;
pub mod libraries_in_archives;
pub mod library_names;
pub mod library_versions;
pub mod linker_symbols;
pub mod linkonce;
pub mod local_ifuncs;
pub mod name_filter;
pub mod name_order;
pub mod originals;
pub mod output_names;
pub mod own_names;
pub mod parsing;
pub mod prevailing;
pub mod rank;
pub mod references;
pub mod referent;
pub mod scripted;
pub mod spills;
pub mod supplementary;
pub mod symbol_names;
pub mod symbol_versions;
pub mod undefined_commons;
pub mod versioned_names;
pub mod wanted;
pub mod zeros;

pub use definitions::{Definitions, SectionId};
pub use references::{NameReferences, ref_flags};
