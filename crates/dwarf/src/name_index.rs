//! `.debug_names`: the table by which debuggers find entries by name (DWARF 5, section 6.1.1), one
//! for all units of a program.
//!
//! The table has source names and linkage names. Its entries are those that the standard and LLVM's
//! verifier require. It covers units of DWARF 2 to 4 in `.debug_info`, too, because readers look
//! nowhere else for the names of a listed unit. It does not cover `.debug_types`, which the format
//! cannot express. For skeletons of split DWARF it takes the names from the tables of the inputs
//! ([`input_tables`]). A skeleton without names there is not listed, so that debuggers read its
//! `.dwo` file.
//!
//! Threads take units one after the other ([`collect`]); [`table`] joins their names, so that the
//! result does not depend on which thread took which unit.

pub mod added_strings;
mod collect;
pub mod folding;
pub mod input_tables;
mod locations;
mod table;

use super::program::find_units;
use super::sections::{Contribution, Sections};
use added_strings::AddedTexts;
use input_tables::InputTables;
use skald_core::perturb::shuffled;
use skald_linking::cursor::Malformed;

/// The input of the table.
pub struct NameInput<'i, 'a> {
    /// The sections of the program.
    pub sections: Sections<'a>,
    /// The parts of `.debug_info`, in order.
    pub contributions: &'i [Contribution],
    /// The number of the input that each contribution comes from.
    pub inputs: &'i [u32],
    /// Inputs that have tables of names.
    pub tables: &'i [&'i dyn InputTables],
    /// Texts that were added to `.debug_str` for the table, each with its NUL, and the offset of
    /// the first one.
    pub added: (&'i [u8], u64),
}

/// A table of names.
pub struct NameIndex {
    /// The section; empty if there are no names. `None` if an offset does not fit 32 bits.
    pub bytes: Option<Vec<u8>>,
    /// Number of names that are left out because they are not in `.debug_str`.
    pub left_out: u64,
    /// Faults by the position of the contribution: at most the first fault of each unit.
    pub faults: Vec<(usize, Malformed)>,
    /// The first fault in the tables of each input, by position in [`NameInput::tables`], with the
    /// offset there. The broken table and the ones behind it are ignored.
    pub table_faults: Vec<(usize, Malformed)>,
}

impl NameIndex {
    /// Makes the table of a program.
    pub fn new(input: &NameInput<'_, '_>) -> NameIndex {
        let (units, mut faults) = find_units(&input.sections, input.contributions);
        let (texts, start) = input.added;
        let added = AddedTexts::new(texts, start);
        let mut collected = collect::collect(input, &units, &added);
        let mut table_faults = std::mem::take(&mut collected.table_faults);
        shuffled(&mut table_faults).sort_unstable_by_key(|&(input, _)| input);
        faults.append(&mut collected.faults);
        shuffled(&mut faults)
            .sort_unstable_by_key(|&(contribution, fault)| (contribution, fault.offset));
        let left_out = collected.left_out;
        let bytes = table::write(&input.sections, &units, collected);
        NameIndex { bytes, left_out, faults, table_faults }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inline_names::inline_names;
    use crate::test_sections::{self, Numbers};
    use skald_core::unordered::UnorderedSet;
    use skald_linking::byte_order::ByteOrder;

    const ABBREVIATIONS: [u8; 45] = [
        1, 0x11, 1, 0, 0, // unit
        2, 0x39, 1, 0x03, 0x08, 0, 0, // namespace
        3, 0x24, 0, 0x03, 0x0e, 0, 0, // base type
        4, 0x13, 0, 0x03, 0x08, 0x3c, 0x19, 0, 0, // declared structure
        5, 0x39, 1, 0, 0, // namespace without a name
        6, 0x34, 0, 0x03, 0x08, 0x02, 0x18, 0, 0, // variable
        0, 0, 0,
    ];

    /// A unit with `ns` (at 13), in it `int` (17); `de`, declared; and, in a namespace without a
    /// name (27), `v` (28), which has an address, and `w`, which has none.
    fn info(numbers: Numbers) -> Vec<u8> {
        let size = numbers.address_size;
        numbers.unit(&[
            &[1],
            // Namespace and base type.
            &[2, b'n', b's', 0, 3],
            &numbers.number(1_u32),
            &[0],
            // Structure.
            &[4, b'd', b'e', 0],
            // Variables.
            &[5, 6, b'v', 0, 1 + size, 3],
            &numbers.address(0x1000),
            &[6, b'w', 0, 2, 0x91, 0, 0, 0],
        ])
    }

    fn index(order: ByteOrder, info: &[u8]) -> NameIndex {
        let mut names = UnorderedSet::new();
        inline_names(info, &ABBREVIATIONS, order, |unit| unit.abbreviations, &mut names);
        let names = names.into_sorted();
        let texts: Vec<u8> = names.iter().flat_map(|name| [&name[..], &[0]].concat()).collect();
        let strings = [b"\0int\0", &texts[..]].concat();
        let sections = Sections {
            order,
            info: &info,
            abbreviations: &ABBREVIATIONS,
            strings: &strings,
            ..Sections::default()
        };
        let size = info.len() as u64;
        let contributions = [Contribution { is_types: false, start: 0, size }];
        NameIndex::new(&NameInput {
            sections,
            contributions: &contributions,
            inputs: &[0],
            tables: &[],
            added: (&texts, 5),
        })
    }

    #[test]
    fn names_have_their_entries_and_these_their_parents() {
        test_sections::ALL.into_iter().for_each(has_entries_and_parents);
    }

    fn has_entries_and_parents(numbers: Numbers) {
        let NameIndex { bytes, left_out, faults, .. } = index(numbers.order, &info(numbers));
        let bytes = bytes.expect("it is small");
        assert_eq!((left_out, faults.len()), (0, 0));
        let word = |at: usize| numbers.order.get::<u32>(&bytes, at).expect("four");
        assert_eq!(word(0) as usize, bytes.len() - 4);
        assert_eq!(bytes[4..8], [numbers.number(5_u16), vec![0; 2]].concat());
        let counts = [8, 12, 16, 20, 24].map(word);
        assert_eq!(counts, [1, 0, 0, 4, 4]);
        let (hashes, starts, abbreviations) = (48 + 16, 48 + 48, 48 + 64);
        let pool = abbreviations + word(28) as usize;
        let entry = |name: &[u8]| {
            let at = (0..4).find(|at| word(hashes + 4 * at) == folding::hash(name));
            word(starts + 4 * at.expect("it is in the table"))
        };
        let is = |name: &[u8], code: u8, expected: &[u32]| {
            let at = pool + entry(name) as usize;
            let words = expected.iter().flat_map(|&word| numbers.number(word));
            let expected: Vec<u8> = [code].into_iter().chain(words).collect();
            assert_eq!(bytes[at..at + expected.len()], expected, "{name:?}");
        };
        let [space, nameless] = [b"ns" as &[u8], added_strings::ANONYMOUS].map(entry);
        is(b"ns", 3, &[13]);
        is(b"int", 1, &[17, space]);
        is(added_strings::ANONYMOUS, 3, &[27]);
        is(b"v", 2, &[28, nameless]);
    }

    #[test]
    fn broken_units_are_left_out() {
        test_sections::ALL.into_iter().for_each(breaks);
    }

    fn breaks(numbers: Numbers) {
        let whole = info(numbers);
        let mut broken = whole.clone();
        broken[27] = 77;
        let NameIndex { bytes, faults, .. } = index(numbers.order, &broken);
        assert_eq!(bytes.as_deref(), Some(&[] as &[u8]));
        assert_eq!(faults[0].1, Malformed::new("broken entry", 28));
        for len in 0..whole.len() {
            index(numbers.order, &whole[..len]);
        }
        for at in 0..whole.len() {
            let mut info = whole.clone();
            info[at] = info[at].wrapping_add(0x55);
            index(numbers.order, &info);
        }
    }
}
