//! The names of a link: how each file's names come into the name table, and what is noted of each.

pub mod library_names;
pub mod name_filter;
pub mod own_names;
pub mod references;
pub mod symbol_names;
pub mod versioned_spelling;
