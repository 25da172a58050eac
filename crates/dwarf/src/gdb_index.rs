//! `.gdb_index`: where gdb finds the units of names and addresses (gdb's manual, "Index Section
//! Format"), of versions 7 to 9.
//!
//! Names are those of tables that compilers made (`.debug_gnu_pubnames`) where there are any, and
//! of the entries of a unit where there are none; of those in its `.dwo` file if it is a
//! skeleton. Threads take units one after the other, each
//! with a table of its own; [`table`] joins these, so that nothing depends on who took which.

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
    /// Offset in `.debug_info` of the unit that they are of.
    pub unit: u64,
    /// What stands behind the header of the list: offset, kind and name each, up to offset 0.
    pub entries: &'a [u8],
    /// Bytes of an offset: 4 or 8.
    pub offset_size: u8,
}

/// What an index is made of.
pub struct IndexInput<'i, 'a> {
    /// The sections of the program.
    pub sections: Sections<'a>,
    /// The parts of `.debug_info`, then those of `.debug_types`, each in order.
    pub contributions: &'i [Contribution],
    /// Names that compilers listed, ascending by unit.
    pub listed: &'i [ListedNames<'i>],
    /// The files of units that were split off, of which no names are listed.
    pub split_files: &'i dyn SplitFiles,
    /// Addresses that the program has: what is elsewhere was dropped from it.
    pub addresses: Range<u64>,
    /// 7, 8 or 9.
    pub version: u32,
}

/// An index, of which only the texts of names are not written yet.
pub struct GdbIndex<'a> {
    /// Header, units, addresses, table of symbols, vectors of units.
    pub head: Vec<u8>,
    /// The names; their texts stand behind `head`.
    pub symbols: SymbolTable<'a>,
    /// What is wrong in which contribution: at most the first fault of each unit.
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

/// Addresses and the number of the unit that covers them, ascending, without overlaps.
fn areas(
    input: &IndexInput<'_, '_>,
    units: &[FoundUnit],
    collected: &mut Collected,
) -> Vec<(Range<u64>, u32)> {
    let mut areas = std::mem::take(&mut collected.areas);
    // Units that say nothing of addresses: what the list of ranges has.
    let mut silent = std::mem::take(&mut collected.silent);
    shuffled(&mut silent).sort_unstable();
    if !silent.is_empty() {
        let starts: Vec<(u64, u32)> =
            silent.iter().map(|&unit| (units[unit as usize].unit.start, unit)).collect();
        for (unit, range) in address_ranges(input.sections.address_ranges) {
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

/// All that stands before the texts of names.
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
