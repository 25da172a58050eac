//! Symbol versions: spellings of names with a version, the versions of libraries, and those that
//! definitions have.

pub mod library_versions;
pub mod symbol_versions;
pub mod versioned_names;
