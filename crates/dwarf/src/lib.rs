//! DWARF as it stands in a linked file, read fast and without trust: units, abbreviations, the
//! entries that have names, and the addresses that a unit covers.
//!
//! DWARF 2 to 5, 32 and 64 bits, of both byte orders. What `gimli` offers for messages
//! ([`crate::object_dwarf`]) is general; this is the loop of an index, which visits each entry of
//! a program: skipping one costs a table look-up and few additions ([`abbreviations`]).
//!
//! Nothing here panics on any bytes, and no number of theirs is trusted with an allocation.

// Constants are called what the standard calls them.
#![allow(non_upper_case_globals)]

pub mod abbreviations;
pub mod addresses;
pub mod canonical;
pub mod dedup;
pub mod entries;
pub mod gdb_index;
pub mod inline_names;
pub mod language;
pub mod line_unit;
pub mod location_lists;
pub mod name_index;
pub mod names;
pub mod object_dwarf;
pub mod package;
pub mod program;
pub mod sections;
pub mod split_files;
#[cfg(test)]
mod test_sections;
pub mod units;
pub mod values;
