//! Reads the DWARF of a linked file fast and without trusting it: units, abbreviations, the entries
//! that have names, and the addresses that a unit covers.
//!
//! DWARF 2 to 5, 32 and 64 bits, of both byte orders. Messages use the general reader of `gimli`
//! ([`crate::object_dwarf`]). An index visits each entry of a program, so it has a reader of its
//! own: skipping an entry costs a table look-up and few additions ([`abbreviations`]).
//!
//! No input makes this code panic, and no size that is read from the input is allocated unchecked.

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
