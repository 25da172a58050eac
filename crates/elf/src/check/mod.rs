//! Checks of the tables of a link. They find ids, of which [`reports`] makes messages.

pub(crate) mod address_checks;
pub(crate) mod array_bounds;
pub(crate) mod assertions;
pub(crate) mod discarded;
pub(crate) mod laid_out;
pub(crate) mod library_imports;
pub(crate) mod linked_sections;
pub(crate) mod no_cross_references;
pub(crate) mod odr;
pub(crate) mod overflow_hint;
pub(crate) mod reports;
pub mod tls_mismatches;
pub(crate) mod transitive;
pub(crate) mod undefined;
pub(crate) mod warned_symbols;
pub(crate) mod warnings;
pub(crate) mod written_files;
