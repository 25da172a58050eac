//! `.debug_names`: where debuggers find the entries of names (DWARF 5, section 6.1.1), of all units
//! of a program in one table.
//!
//! Names are the plain ones, and those that linkers know; which entries are in it is what the
//! standard says, and what LLVM's verifier asks for. Units of DWARF 2 to 4 in `.debug_info` are in
//! it too: readers look at no other place for the names of a unit that is listed. Skeletons of split
//! DWARF are not, nor is `.debug_types`, which the table has no way to mean.
//!
//! Threads take units one after the other ([`collect`]); [`table`] joins what they find, so that
//! nothing depends on who took which.

pub mod added;
mod collect;
pub mod folding;
mod locations;
mod table;

use super::program::find_units;
use super::sections::{Contribution, Sections};
use crate::cursor::Malformed;
use added::AddedTexts;
use skald_core::perturb::shuffled;

/// What a table is made of.
pub struct NameInput<'i, 'a> {
    /// The sections of the program.
    pub sections: Sections<'a>,
    /// The parts of `.debug_info`, in order.
    pub contributions: &'i [Contribution],
    /// Texts that were added to `.debug_str` for the table, with a NUL each, and where the first
    /// one stands there.
    pub added: (&'i [u8], u64),
}

/// A table of names.
pub struct NameIndex {
    /// The section; empty if it would have no name. `None` if something does not fit its 32 bits.
    pub bytes: Option<Vec<u8>>,
    /// How many names are not in it because they stand in no `.debug_str`.
    pub left_out: u64,
    /// What is wrong in which contribution: at most the first fault of each unit.
    pub faults: Vec<(usize, Malformed)>,
}

impl NameIndex {
    /// Makes the table of a program.
    pub fn new(input: &NameInput<'_, '_>) -> NameIndex {
        let (units, mut faults) = find_units(&input.sections, input.contributions);
        let (texts, start) = input.added;
        let added = AddedTexts::new(texts, start);
        let mut collected = collect::collect(input, &units, &added);
        faults.append(&mut collected.faults);
        shuffled(&mut faults)
            .sort_unstable_by_key(|&(contribution, fault)| (contribution, fault.offset));
        let left_out = collected.left_out;
        NameIndex { bytes: table::write(&input.sections, &units, collected), left_out, faults }
    }
}
