//! The symbols of a map: global symbols of objects by section, and the linker's symbols by output
//! section.

use super::MapInput;
use super::columns::{self, Columns};
use crate::args::options::Options;
use crate::format::elf;
use crate::format::elf::SymbolId;
use crate::layout::OutputSection;
use crate::read::object_file::SectionFlags;
use crate::read::{ObjectId, Objects};
use crate::resolve::definitions::{Definitions, SectionId, Strength};
use crate::resolve::linker_symbols::Mark;
use crate::resolve::tables::Tables;
use crate::select::liveness::Liveness;
use crate::select::selected::Selected;
use crate::tell::cross_references::spelled;
use skald_core::names::NameId;
use skald_core::par::prelude::*;
use skald_core::perturb::shuffled;
use skald_core::unordered::{UnorderedMap, UnorderedSet};
use skald_core::{column, par};
use std::sync::atomic::Ordering;

/// A symbol of a section: section, address, object, index, `st_name`.
type Placement = (SectionId, u64, ObjectId, SymbolId, u32);

/// Position of a part of the output, and whether the line stands before or behind it.
type PartPosition = (usize, bool);

/// The name of a symbol is prefetched this many symbols ahead: names lie far apart.
const AHEAD: usize = 8;

/// Global symbols that objects define, by section and address.
pub struct Placements<'a> {
    objects: &'a Objects,
    all: Vec<Placement>,
    demangled: bool,
    columns: Columns,
}

/// All symbols of a map, with the line that each is shown in.
pub struct Symbols<'a> {
    /// Symbols defined by objects, in sections that have an address.
    placed: Placements<'a>,
    /// Copied variables: section of the copy, and name, sorted.
    copies: Vec<(SectionId, &'a [u8])>,
    /// Symbols of the linker by output section, sorted by address: address and the text of the
    /// line.
    own: Vec<Vec<(u64, Vec<u8>)>>,
    /// Lines of a script's assignments, in order, by the part of the output next to them.
    scripted: UnorderedMap<PartPosition, Vec<(u64, Vec<u8>)>>,
    /// Absolute symbols of assignments in command-line order: value and the text of the line.
    assigned: Vec<(u64, Vec<u8>)>,
}

impl<'a> Symbols<'a> {
    pub fn find(input: &'a MapInput<'_>) -> Symbols<'a> {
        let (placed, sources) = (input.placed, &input.tables);
        let name_of = |name: NameId| sources.extraction.pools.name(&sources.extraction.names, name);
        let mut copies: Vec<(SectionId, &[u8])> = input
            .selected
            .copies
            .places
            .iter()
            .map(|&(name, section)| (section, name_of(name)))
            .collect();
        copies.sort();
        let mut symbols = Symbols {
            placed: placements(input),
            copies,
            own: vec![Vec::new(); placed.outputs.sections.len()],
            scripted: UnorderedMap::new(),
            assigned: Vec::new(),
        };
        let shown = symbols.add_scripted(input);
        symbols.add_own(input, &shown);
        symbols
    }

    /// See [`Placements::write`].
    pub fn write(&self, section: SectionId, near: &mut usize, out: &mut Vec<u8>) {
        self.placed.write(section, near, out);
    }

    /// Appends the lines of absolute symbols.
    pub fn write_assigned(&self, out: &mut Vec<u8>) {
        for (value, text) in &self.assigned {
            self.placed.columns.symbol(out, *value, text);
        }
    }

    /// Appends the lines of a script's assignments before or behind a part of the output.
    pub fn write_scripted(&self, beside: PartPosition, out: &mut Vec<u8>) {
        for (value, text) in self.scripted.get(&beside).into_iter().flatten() {
            self.placed.columns.symbol(out, *value, text);
        }
    }

    /// Adds the assignments of a script; returns the names.
    fn add_scripted(&mut self, input: &MapInput<'_>) -> UnorderedSet<NameId> {
        let (sources, placed) = (&input.tables, input.placed);
        let mut names = UnorderedSet::new();
        for shown in &placed.shown.assignments {
            let name = input.claimed.assigned.get(shown.number).copied().flatten();
            let value = placed.assigned.get(shown.number).copied().flatten();
            let Some((name, value)) = name.zip(value) else { continue };
            let text = sources.extraction.pools.name(&sources.extraction.names, name);
            let text = assignment(text, value.address, sources.options.demangle_lists);
            let lines = self.scripted.entry((shown.position, shown.is_before)).or_default();
            lines.push((value.address, text));
            names.insert(name);
        }
        names
    }

    /// Appends the lines of variables that are copied to `section`.
    pub fn write_copies(&self, section: SectionId, address: u64, out: &mut Vec<u8>) {
        let first = self.copies.partition_point(|copy| copy.0 < section);
        for (_, name) in self.copies[first..].iter().take_while(|copy| copy.0 == section) {
            self.placed.columns.symbol(out, address, name);
        }
    }

    /// Appends the lines of the linker's symbols in an output section.
    pub fn write_own(&self, position: usize, out: &mut Vec<u8>) {
        for (address, text) in &self.own[position] {
            self.placed.columns.symbol(out, *address, text);
        }
    }

    fn add_own(&mut self, input: &MapInput<'_>, shown: &UnorderedSet<NameId>) {
        let (placed, sources) = (input.placed, &input.tables);
        let sections = &placed.outputs.sections;
        let by_name = placed.outputs.positions_by_name();
        let starts = Starts::new(sections);
        for (symbol, (id, value)) in input.claimed.symbols.iter().zip(input.values.iter().copied())
        {
            let name = sources.extraction.pools.name(&sources.extraction.names, id);
            let mut text = spelled(name, sources.options.demangle_lists).into_owned();
            let home = match &symbol.mark {
                Mark::Expression if shown.contains(&id) => continue,
                Mark::Expression => {
                    let text = assignment(name, value, sources.options.demangle_lists);
                    self.assigned.push((value, text));
                    continue;
                }
                Mark::Version => continue,
                Mark::Got | Mark::Dynamic | Mark::EhFrameHdr => starts.holder(value),
                Mark::SectionStart(of) | Mark::SectionEnd(of) => {
                    text.extend_from_slice(b" = .");
                    by_name.get(of.as_slice()).copied()
                }
                _ => {
                    text.extend_from_slice(b" = .");
                    starts.holder(value)
                }
            };
            match home {
                Some(position) => self.own[position].push((value, text)),
                None => self.assigned.push((value, text)),
            }
        }
        self.own.iter_mut().for_each(|list| list.sort());
    }
}

/// The text of the line for an assignment.
fn assignment(name: &[u8], value: u64, demangled: bool) -> Vec<u8> {
    let mut text = spelled(name, demangled).into_owned();
    text.extend_from_slice(b" = ");
    columns::number(&mut text, value, 0);
    text
}

/// Output sections in memory by address: address, and the last position among them so far.
struct Starts(Vec<(u64, usize)>);

impl Starts {
    fn new(sections: &[OutputSection]) -> Self {
        let in_memory = sections.iter().enumerate().filter(|(_, section)| section.is_loaded());
        let mut starts: Vec<(u64, usize)> =
            in_memory.map(|(position, section)| (section.address, position)).collect();
        starts.sort();
        let mut last = 0;
        for (_, position) in &mut starts {
            last = last.max(*position);
            *position = last;
        }
        Self(starts)
    }

    /// The last section in memory that starts at `address` or before it.
    fn holder(&self, address: u64) -> Option<usize> {
        let behind = self.0.partition_point(|&(start, _)| start <= address);
        behind.checked_sub(1).map(|at| self.0[at].1)
    }
}

/// The symbols of objects; those of a folded section are at the address of its leader.
fn placements<'a>(input: &'a MapInput<'_>) -> Placements<'a> {
    let MapInput { placed, selected: Selected { live, merged, folds, .. }, .. } = *input;
    let place = |section: SectionId, value: u64| {
        let start = placed.addresses[section].load(Ordering::Relaxed);
        let offset = merged.member(section).map_or(value, |member| member.output_offset(value));
        let leader = if live.has_folded { folds.leader(section) } else { section };
        (leader, start.wrapping_add(offset))
    };
    let Tables { options, objects, .. } = input.tables;
    Placements::find(options, objects, input.tables.definitions, live, place)
}

impl<'a> Placements<'a> {
    /// Finds the symbols of sections that are in the output. `place` maps a value in a section to a
    /// section and an address.
    pub fn find(
        options: &Options,
        objects: &'a Objects,
        definitions: &Definitions,
        live: &Liveness,
        place: impl Fn(SectionId, u64) -> (SectionId, u64) + Sync,
    ) -> Placements<'a> {
        let placement = |name: NameId| {
            let rank = definitions.ranks[name];
            let section = definitions.globals[name].value_base.section()?;
            let record = &definitions.sections[section];
            if rank.strength() >= Strength::Shared || !live.has_address(section) {
                return None;
            }
            let symbol = &objects[rank.object()].mapped.symbols[rank.symbol()];
            // The value of a common symbol is its alignment.
            let value = if record.flags.has(SectionFlags::COMMON) { 0 } else { symbol.st_value() };
            let (section, address) = place(section, value);
            Some((section, address, rank.object(), rank.symbol(), symbol.st_name()))
        };
        let names = par::select(definitions.ranks.len(), |name: NameId| {
            definitions.globals[name].value_base.section().is_some()
        });
        let mut all: Vec<Placement> =
            names.par_iter().filter_map(|&name| placement(name)).collect();
        shuffled(&mut all).par_sort_unstable();
        // A symbol with a version is listed under both names.
        all.dedup();
        let columns = Columns::new(options.machine.class);
        Placements { objects, all, demangled: options.demangle_lists, columns }
    }

    /// Appends the lines of the symbols in `section`. `near` is where the search begins: the end of
    /// the symbols of the previous section. It is advanced.
    pub fn write(&self, section: SectionId, near: &mut usize, out: &mut Vec<u8>) {
        // Sections mostly come in the order of their symbols.
        if self.all[..*near].last().is_some_and(|symbol| symbol.0 >= section) {
            *near = 0;
        }
        let rest = &self.all[*near..];
        let mut reach = 1;
        while rest.get(reach).is_some_and(|symbol| symbol.0 < section) {
            reach *= 2;
        }
        let reached = &rest[..rest.len().min(reach + 1)];
        *near += reached.partition_point(|symbol| symbol.0 < section);
        while let Some(&(of, address, object, _, name)) = self.all.get(*near)
            && of == section
        {
            if let Some(&(.., object, _, name)) = self.all.get(*near + AHEAD) {
                column::prefetch(self.objects[object].mapped.strtab, name as usize);
            }
            let name = elf::string(self.objects[object].mapped.strtab, name).unwrap_or_default();
            self.columns.symbol(out, address, &spelled(name, self.demangled));
            *near += 1;
        }
    }
}
