//! `.gdb_index`, versions 7 to 9: the index by which gdb finds the units of names and addresses
//! (gdb's manual, "Index Section Format"). Its numbers are little-endian on all machines.
//!
//! Names of a unit come from the table that its compiler made (`.debug_gnu_pubnames`). Without such
//! a table they come from the unit's entries, or for a skeleton from the entries in its `.dwo`
//! file. Threads take units one after the other, each with a table of its own. [`table`] joins
//! these tables, so that the result does not depend on which thread took which unit.

mod collect;
mod table;

use super::addresses::address_ranges;
use super::program::{FoundUnit, find_units};
use super::sections::{Contribution, Sections};
use super::split_files::SplitFiles;
use super::units::UnitKind;
use collect::Collected;
use skald_core::perturb::shuffled;
use skald_linking::cursor::Malformed;
use std::ops::Range;
pub use table::SymbolTable;

/// Names of a unit that a compiler listed.
#[derive(Debug, Clone, Copy)]
pub struct ListedNames<'a> {
    /// Offset in `.debug_info` of the unit with these names.
    pub unit: u64,
    /// The list behind its header: offset, kind and name for each entry, up to offset 0.
    pub entries: &'a [u8],
    /// Bytes of an offset: 4 or 8.
    pub offset_size: u8,
}

/// The input of an index.
pub struct IndexInput<'i, 'a> {
    /// The sections of the program.
    pub sections: Sections<'a>,
    /// The parts of `.debug_info`, then those of `.debug_types`, each in order.
    pub contributions: &'i [Contribution],
    /// Names that compilers listed, ascending by unit.
    pub listed: &'i [ListedNames<'i>],
    /// The `.dwo` files of skeletons for which compilers listed no names.
    pub split_files: &'i dyn SplitFiles,
    /// Addresses of the program: ranges elsewhere belong to dropped sections.
    pub addresses: Range<u64>,
    /// 7, 8 or 9.
    pub version: u32,
}

/// An index, complete but for the texts of names.
pub struct GdbIndex<'a> {
    /// Header, units, addresses, table of symbols, vectors of units.
    pub head: Vec<u8>,
    /// The names; their texts stand behind `head`.
    pub symbols: SymbolTable<'a>,
    /// Faults by the position of the contribution: at most the first fault of each unit.
    pub faults: Vec<(usize, Malformed)>,
}

impl<'a> GdbIndex<'a> {
    /// Bytes of the section.
    pub fn size(&self) -> u64 {
        self.head.len() as u64 + self.symbols.text_size()
    }

    /// Makes the index of a program.
    pub fn new(input: &IndexInput<'_, 'a>) -> GdbIndex<'a> {
        let (units, mut faults) = find_units(&input.sections, input.contributions);
        let compile_units = units.iter().filter(|found| !found.is_type_unit()).count();
        let mut collected = collect::collect(input, &units, compile_units);
        faults.append(&mut collected.faults);
        shuffled(&mut faults)
            .sort_unstable_by_key(|&(contribution, fault)| (contribution, fault.offset));
        let areas = areas(input, &units, &mut collected);
        let symbols = SymbolTable::new(input, collected);
        let head = head(input, &units, &areas, &symbols);
        GdbIndex { head, symbols, faults }
    }
}

/// Address ranges with the number of the unit that covers them, ascending, without overlaps.
fn areas(
    input: &IndexInput<'_, '_>,
    units: &[FoundUnit],
    collected: &mut Collected,
) -> Vec<(Range<u64>, u32)> {
    let mut areas = std::mem::take(&mut collected.areas);
    // Units that state no addresses get those of `.debug_aranges`.
    let mut silent = std::mem::take(&mut collected.silent);
    shuffled(&mut silent).sort_unstable();
    if !silent.is_empty() {
        let starts: Vec<(u64, u32)> =
            silent.iter().map(|&unit| (units[unit as usize].unit.start, unit)).collect();
        let order = input.sections.order;
        for (unit, range) in address_ranges(input.sections.address_ranges, order) {
            if let Ok(at) = starts.binary_search_by_key(&unit, |&(start, _)| start) {
                areas.push((range, starts[at].1));
            }
        }
    }
    areas.retain(|(range, _)| !range.is_empty() && input.addresses.contains(&range.start));
    shuffled(&mut areas).sort_unstable_by_key(|(range, unit)| (range.start, range.end, *unit));
    let mut apart: Vec<(Range<u64>, u32)> = Vec::with_capacity(areas.len());
    for (range, unit) in areas {
        let end = range.end.min(input.addresses.end);
        match apart.last_mut() {
            Some((last, same)) if *same == unit && range.start <= last.end => {
                last.end = last.end.max(end);
            }
            Some((last, _)) => {
                let start = range.start.max(last.end);
                if start < end {
                    apart.push((start..end, unit));
                }
            }
            None => apart.push((range.start..end, unit)),
        }
    }
    apart
}

/// All parts before the texts of names.
fn head(
    input: &IndexInput<'_, '_>,
    units: &[FoundUnit],
    areas: &[(Range<u64>, u32)],
    symbols: &SymbolTable<'_>,
) -> Vec<u8> {
    let words = if input.version >= 9 { 7 } else { 6 };
    let compile_units = units.iter().filter(|found| !found.is_type_unit());
    let mut lists = Vec::new();
    let mut starts = Vec::new();
    let mut begin = |lists: &Vec<u8>| starts.push((4 * words + lists.len()) as u32);
    begin(&lists);
    for FoundUnit { unit, .. } in compile_units {
        lists.extend(unit.start.to_le_bytes());
        lists.extend(unit.len.to_le_bytes());
    }
    begin(&lists);
    for FoundUnit { unit, .. } in units {
        if let UnitKind::Type { signature, type_offset } = unit.kind {
            lists.extend(unit.start.to_le_bytes());
            lists.extend(type_offset.to_le_bytes());
            lists.extend(signature.to_le_bytes());
        }
    }
    begin(&lists);
    for (range, unit) in areas {
        lists.extend(range.start.to_le_bytes());
        lists.extend(range.end.to_le_bytes());
        lists.extend(unit.to_le_bytes());
    }
    begin(&lists);
    symbols.write_slots(&mut lists);
    if input.version >= 9 {
        begin(&lists);
        symbols.write_main(&mut lists);
    }
    begin(&lists);
    symbols.write_vectors(&mut lists);
    let mut head = Vec::with_capacity(4 * words + lists.len());
    head.extend(input.version.to_le_bytes());
    starts.iter().for_each(|start| head.extend(start.to_le_bytes()));
    head.extend(lists);
    head
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::split_files::SplitFile;
    use crate::test_sections::{self, Numbers};
    use gimli::constants::*;
    use skald_linking::byte_order::ByteOrder;

    const ABBREVIATIONS: [u8; 36] = [
        1, 0x11, 1, 0x72, 0x17, 0x73, 0x17, 0x13, 0x05, 0x11, 0x1b, 0x55, 0x17, 0, 0, // unit
        2, 0x2e, 0, 0x03, 0x26, 0x3f, 0x19, 0, 0, // function
        3, 0x24, 0, 0x03, 0x0e, 0, 0, // base type
        0, 0, 0, 0, 0,
    ];

    struct NoFiles;

    impl SplitFiles for NoFiles {
        fn open(&self, _: &[u8], _: &[u8]) -> Option<SplitFile> {
            None
        }
    }

    /// The index of a C++ unit with `main` and `int`, and a list of two ranges: the bytes before
    /// the texts, and the size of the texts.
    fn index(numbers: Numbers) -> (Vec<u8>, u64) {
        let size = numbers.address_size;
        let info = numbers.unit(&[
            &[1],
            &numbers.number(8_u32),
            &numbers.number(8_u32),
            &numbers.number(0x21_u16),
            &[0],
            &numbers.number(12_u32),
            &[2],
            &numbers.number(1_u16),
            &[3],
            &numbers.number(5_u32),
            &[0],
        ]);
        let offsets = [numbers.number(5_u32), numbers.number(0_u32)].concat();
        let lists =
            [&[DW_RLE_start_length.0][..], &numbers.address(0x1000), &[0x20, 3, 0, 0x10, 0]];
        let sections = Sections {
            order: numbers.order,
            info: &&info[..],
            abbreviations: &ABBREVIATIONS,
            strings: b"main\0int\0",
            string_offsets: &numbers.part(&[&[0; 2], &offsets]),
            addresses: &numbers.part(&[&[size, 0], &numbers.address(0x2000)]),
            range_lists: &numbers.part(&[&[size, 0, 0, 0, 0, 0], &lists.concat()]),
            ..Sections::default()
        };
        let whole = Contribution { is_types: false, start: 0, size: info.len() as u64 };
        let index = GdbIndex::new(&IndexInput {
            sections,
            contributions: &[whole],
            listed: &[],
            split_files: &NoFiles,
            addresses: 0x1000..0x3000,
            version: 8,
        });
        assert_eq!(index.faults, []);
        let text_size = index.symbols.text_size();
        (index.head, text_size)
    }

    #[test]
    fn all_programs_have_the_same_index() {
        let [(head, text_size), others @ ..] = test_sections::ALL.map(index);
        let word = |at| ByteOrder::Little.get::<u32>(&head, at).expect("four") as usize;
        let areas = &head[word(12)..word(16)];
        let number = |number: u64| number.to_le_bytes();
        let [first, second] = [[0x1000, 0x1020], [0x2000, 0x2010]];
        let area = |range: [u64; 2]| [&range.map(number).concat()[..], &[0; 4]].concat();
        assert_eq!(areas, [area(first), area(second)].concat());
        assert_eq!(text_size, 9);
        for other in others {
            assert_eq!(other, (head.clone(), text_size));
        }
    }
}
