//! Checks of the tables of a link. Each is a function that takes the tables that it reads and
//! reports errors.

pub(crate) mod address_checks;
pub(crate) mod apply_failures;
pub(crate) mod array_bounds;
pub(crate) mod assertions;
pub(crate) mod contested;
pub(crate) mod discarded;
pub(crate) mod duplicates;
pub(crate) mod known_names;
pub(crate) mod laid_out;
pub(crate) mod library_imports;
pub(crate) mod linked_sections;
pub(crate) mod no_cross_references;
pub(crate) mod odr;
pub(crate) mod overflow_hint;
pub(crate) mod relocations;
pub(crate) mod scan_problems;
pub(crate) mod section_faults;
pub(crate) mod signed_slots;
pub(crate) mod tls_references;
pub(crate) mod transitive;
pub(crate) mod undefined;
pub(crate) mod undefined_versions;
pub(crate) mod warned_symbols;
pub(crate) mod warnings;
pub(crate) mod written_files;
