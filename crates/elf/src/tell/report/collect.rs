//! From the tables of a link to a [`Report`]: sections and symbols by object, in parallel, and then
//! their numbering, in command-line order.

use super::{Input, gone, graph, libraries};
use crate::args::{Icf, OutputKind};
use crate::format::elf::SymbolId;
use crate::layout::{Content, Synthetic};
use crate::read::object_file::SectionFlags;
use crate::read::{FileId, ObjectFile, ObjectId};
use crate::resolve::definitions::{SectionId, Strength};
use object::elf::*;
use skald_core::ids::{Column, IdRange};
use skald_core::par::prelude::*;
use skald_core::unordered::UnorderedMap;
use skald_linking::candidates::Candidate;
use skald_report::data::{Library, NONE, Object, Output, OutputRow, Report, Section, Symbol};
use std::path::Path;
use std::sync::atomic::Ordering;

/// Makes the tables of a report from the tables of the link.
pub fn collect(input: &Input<'_>) -> Report {
    let phase = input.timer.phase("report");
    let mut report = Report { output: output(input), ..Report::default() };
    objects(input, &mut report);
    outputs(input, &mut report);
    let mut rows = Rows::place(input);
    let mut parts: Vec<Part> =
        input.tables.objects.par_ids().map(|at| Part::collect(input, &rows, at)).collect();
    rows.number(input, &parts, &mut report);
    parts.par_iter_mut().for_each(|part| rows.number_symbols(&mut part.symbols));
    report.symbols = parts.into_iter().map(|part| part.symbols).collect();
    copied_symbols(input, &rows, &mut report);
    let import_of = libraries::collect(input, &mut report);
    graph::collect(input, &rows, &import_of, &mut report);
    gone::collect(input, &rows, &mut report);
    drop(phase);
    report.timeline = input.timer.spans();
    report.elapsed = input.timer.elapsed();
    report
}

fn output(input: &Input<'_>) -> Output {
    let kind = match input.tables.options.kind {
        OutputKind::Shared => "shared library",
        OutputKind::PieExecutable if input.shape.has_loader => "position-independent executable",
        OutputKind::PieExecutable => "static position-independent executable",
        OutputKind::Executable if input.shape.is_dynamic => "executable",
        OutputKind::Executable => "static executable",
        OutputKind::Relocatable => "relocatable object",
    };
    Output {
        path: input.tables.options.output.display().to_string(),
        kind,
        file_size: input.placed.end.size,
        collects_garbage: input.tables.options.gc_sections,
        folds: input.tables.options.icf != Icf::None,
    }
}

fn outputs(input: &Input<'_>, report: &mut Report) {
    let sections = &input.placed.outputs.sections;
    report.output_sections = sections
        .iter()
        .map(|section| OutputRow {
            name: section.name.clone(),
            address: section.address,
            size: section.size,
            in_file: section.sh_type != SHT_NOBITS,
            is_loaded: section.is_loaded(),
            is_made: matches!(section.content, Content::Synthetic(_)),
        })
        .collect();
}

fn objects(input: &Input<'_>, report: &mut Report) {
    let mut numbers: UnorderedMap<Library, u32> = UnorderedMap::default();
    let duplicates: Vec<(u32, u64)> = input.tables.objects.par_iter().map(duplicates).collect();
    for (object, (duplicate_sections, duplicate_bytes)) in
        input.tables.objects.iter().zip(duplicates)
    {
        let (library, name) = match object.file {
            Some(file) => place(input, file),
            None => (Library { name: ".".to_owned(), is_archive: false }, "?".to_owned()),
        };
        let next = numbers.len() as u32;
        let library = *numbers.entry(library).or_insert_with_key(|library| {
            report.libraries.push(library.clone());
            next
        });
        report.objects.push(Object { name, library, duplicate_sections, duplicate_bytes });
    }
}

/// The archive or directory of an object, and the object's name in it.
fn place(input: &Input<'_>, file: FileId) -> (Library, String) {
    let candidates = input.tables.candidates;
    let path = candidates.path(file);
    if let Candidate::Member { archive, header_offset, .. } = &candidates.files[file] {
        let archive = &candidates.archives[*archive];
        let member = archive.archive.member_at(*header_offset).map(|member| member.name);
        let name = String::from_utf8_lossy(member.unwrap_or(b"?")).into_owned();
        return (Library { name: path.display().to_string(), is_archive: true }, name);
    }
    let directory = path.parent().filter(|parent| *parent != Path::new(""));
    let name = directory.unwrap_or(Path::new(".")).display().to_string();
    let file = path.file_name().map(|name| name.to_string_lossy().into_owned());
    (Library { name, is_archive: false }, file.unwrap_or_default())
}

/// Number and bytes of an object's COMDAT sections that were dropped because another object's copy
/// is kept.
fn duplicates(object: &ObjectFile) -> (u32, u64) {
    let killed = object.mapped.shdrs.iter().zip(0..).filter(|(header, shndx)| {
        header.sh_flags() & u64::from(SHF_ALLOC) != 0 && object.is_killed(*shndx)
    });
    killed.fold((0, 0), |(count, bytes), (header, _)| {
        (count + 1, header.sh_size().saturating_add(bytes))
    })
}

/// Where sections of inputs are in the report.
pub struct Rows {
    /// Row of the output section that each input section is in, or [`NONE`].
    output: Column<SectionId, u32>,
    /// Row of the report by section, that of its leader for a folded one, or [`NONE`].
    pub row: Column<SectionId, u32>,
    /// The section of each row.
    pub section: Vec<SectionId>,
}

impl Rows {
    /// Finds the output section of each input section.
    fn place(input: &Input<'_>) -> Rows {
        let definitions = input.tables.definitions;
        let mut output = Column::filled(NONE, definitions.sections.len());
        let merged = &input.selected.merged;
        for (section, position) in input.placed.outputs.sections.iter().zip(0..) {
            match &section.content {
                Content::Inputs { groups, sections, .. } => {
                    let members = groups
                        .iter()
                        .flat_map(|part| &merged.groups[part.group].members)
                        .map(|&member| merged.members[member].section);
                    members.chain(sections.iter().copied()).for_each(|id| {
                        output[id] = position;
                    });
                }
                Content::Synthetic(Synthetic::EhFrame) => {
                    let frames = input.selected.frames.fdes.iter();
                    for fde in frames.filter(|fde| input.selected.live.is_live(fde.section)) {
                        output[fde.input] = position;
                    }
                }
                Content::Synthetic(_) => {}
            }
        }
        Rows { row: Column::new(), section: Vec::new(), output }
    }

    /// Numbers the sections and their names, in the order of the command line.
    fn number(&mut self, input: &Input<'_>, parts: &[Part], report: &mut Report) {
        self.row = Column::filled(NONE, self.output.len());
        let count = parts.iter().map(|part| part.sections.len()).sum();
        report.sections.reserve(count);
        self.section.reserve(count);
        let mut numbers: UnorderedMap<SectionName, u32> = UnorderedMap::default();
        for part in parts {
            let first = report.sections.len() as u32;
            let number = |&name: &SectionName| {
                let next = report.section_names.len() as u32;
                *numbers.entry(name).or_insert_with(|| {
                    report.section_names.push(name.shown());
                    next
                })
            };
            let names: Vec<u32> = part.names.iter().map(number).collect();
            for (&id, row) in part.ids.iter().zip(first..) {
                self.row[id] = row;
            }
            self.section.extend_from_slice(&part.ids);
            let sections = part.sections.iter();
            let named =
                |section: &Section| Section { name: names[section.name as usize], ..*section };
            report.sections.extend(sections.map(named));
            report.merged.extend(part.merged.iter().map(|&(row, size)| (first + row, size)));
        }
        self.measure_frames(input, report);
        self.add_copies(input, report);
        for part in [&input.selected.folds.folded, &input.selected.folds.dependents] {
            for folded in part {
                self.row[folded.section] = self.row[folded.leader];
            }
        }
    }

    /// Makes rows of the section ids of symbols; drops symbols of sections that have no row.
    fn number_symbols(&self, symbols: &mut Vec<Symbol>) {
        symbols.retain_mut(|symbol| {
            symbol.section = self.row[SectionId::new(symbol.section)];
            symbol.section != NONE
        });
    }

    /// Replaces the sizes of `.eh_frame` sections by those of the FDEs of live functions.
    fn measure_frames(&self, input: &Input<'_>, report: &mut Report) {
        for fde in &input.selected.frames.fdes {
            let at = self.row[fde.input];
            if at != NONE && input.selected.live.is_live(fde.section) {
                report.sections[at as usize].size += u64::from(fde.size);
            }
        }
    }

    /// Adds a section for the copied variables of shared libraries, which are in no object.
    fn add_copies(&mut self, input: &Input<'_>, report: &mut Report) {
        let sections = &input.tables.definitions.sections;
        let of_objects = input.tables.definitions.section_base.last().copied().unwrap_or_default();
        let name = report.section_names.len() as u32;
        for id in (of_objects..sections.end()).ids() {
            let output = self.output[id];
            if output == NONE {
                continue;
            }
            if report.section_names.len() as u32 == name {
                report.section_names.push(b"COPY".to_vec());
            }
            let start = input.placed.outputs.at(output).address;
            let address = input.placed.addresses[id].load(Ordering::Relaxed);
            self.row[id] = report.sections.len() as u32;
            self.section.push(id);
            report.sections.push(Section {
                name,
                object: NONE,
                output,
                output_offset: address.wrapping_sub(start),
                size: sections[id].size,
            });
        }
    }
}

/// The name of a section, which may end in the name of the section's first symbol.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct SectionName {
    text: &'static [u8],
    is_stem: bool,
}

impl SectionName {
    fn new(name: &'static [u8], first_symbol: &[u8]) -> SectionName {
        let stem = name.strip_suffix(first_symbol).filter(|stem| stem.ends_with(b"."));
        match stem.filter(|_| !first_symbol.is_empty()) {
            Some(stem) => SectionName { text: stem, is_stem: true },
            None => SectionName { text: name, is_stem: false },
        }
    }

    /// The name as the report has it.
    fn shown(self) -> Vec<u8> {
        [self.text, if self.is_stem { b"\0" } else { b"" }].concat()
    }
}

/// The data of one object in the output.
#[derive(Default)]
struct Part {
    /// Names of sections, each once.
    names: Vec<SectionName>,
    ids: Vec<SectionId>,
    /// A row for each of `ids`. The field `name` is an index of `names` for now.
    sections: Vec<Section>,
    /// Merged sections: index in `sections`, and bytes in the input.
    merged: Vec<(u32, u64)>,
    /// A row for each symbol. The field `section` is a [`SectionId`] for now.
    symbols: Vec<Symbol>,
}

impl Part {
    fn collect(input: &Input<'_>, rows: &Rows, at: ObjectId) -> Part {
        let object = &input.tables.objects[at];
        let row = |(section, section_offset, index): Place| {
            let symbol = &object.mapped.symbols[index];
            let (name, size) = (object.symbol_name(index), symbol.st_size());
            Symbol { name, section: section.number(), section_offset, size, kind: kind(symbol) }
        };
        let symbols = symbol_places(input, at).into_iter().map(row).collect();
        let mut part = Part { symbols, ..Part::default() };
        part.add_sections(input, rows, at);
        part
    }

    fn add_sections(&mut self, input: &Input<'_>, rows: &Rows, at: ObjectId) {
        let definitions = input.tables.definitions;
        let object = &input.tables.objects[at];
        let mut numbers: UnorderedMap<SectionName, u32> = UnorderedMap::default();
        // Neighbouring sections mostly have the same name.
        let mut last = None;
        let mut symbols = self.symbols.iter().peekable();
        for id in definitions.sections_of(at).ids() {
            let output = rows.output[id];
            if output == NONE {
                continue;
            }
            while symbols.next_if(|symbol| symbol.section < id.number()).is_some() {}
            let first = symbols.peek().filter(|symbol| symbol.section == id.number());
            let record = &definitions.sections[id];
            let name = if record.flags.has(SectionFlags::COMMON) {
                b"COMMON"
            } else {
                object.section_name(record.shndx)
            };
            let name = SectionName::new(name, first.map_or(&b""[..], |symbol| symbol.name));
            let number = match last {
                Some((of, number)) if of == name => number,
                _ => *numbers.entry(name).or_insert_with(|| {
                    self.names.push(name);
                    self.names.len() as u32 - 1
                }),
            };
            last = Some((name, number));
            let (size, output_offset) = match input.selected.merged.member(id) {
                _ if record.flags.has(SectionFlags::EH_FRAME) => (0, 0),
                Some(member) => {
                    self.merged.push((self.sections.len() as u32, record.size));
                    (member.owned_size, member.owned_start)
                }
                None => {
                    let address = input.placed.addresses[id].load(Ordering::Relaxed);
                    let start = input.placed.outputs.at(output).address;
                    (record.size, address.wrapping_sub(start))
                }
            };
            self.ids.push(id);
            let object = at.number();
            self.sections.push(Section { name: number, object, output, output_offset, size });
        }
    }
}

/// A symbol's section, offset in it, and index in its object.
type Place = (SectionId, u64, SymbolId);

/// The places of an object's symbols, sorted.
fn symbol_places(input: &Input<'_>, at: ObjectId) -> Vec<Place> {
    let definitions = input.tables.definitions;
    let object = &input.tables.objects[at];
    let mut places = Vec::new();
    let targets = definitions
        .targets_of(at)
        .iter()
        .zip(object.mapped.symbols)
        .zip(object.mapped.symbols.ids());
    for ((&target, symbol), index) in targets.skip(1) {
        if let Some(name) = target.name() {
            let rank = definitions.ranks[name];
            if rank.strength() >= Strength::Shared || !rank.is_of_object(at, index) {
                continue;
            }
        }
        let Some(section) = definitions.section_of(target) else { continue };
        let is_named = symbol.kind() != STT_SECTION && symbol.st_name() != 0;
        if is_named && input.selected.live.has_address(section) {
            // The value of a common symbol is its alignment.
            let common = definitions.sections[section].flags;
            let common = common.has(SectionFlags::COMMON);
            let value = if common { 0 } else { symbol.st_value() };
            places.push((section, value, index));
        }
    }
    places.sort();
    places
}

fn kind(symbol: &crate::format::elf::Sym) -> u8 {
    let letter = match symbol.kind() {
        STT_FUNC => b'f',
        STT_OBJECT | STT_COMMON => b'd',
        STT_TLS => b't',
        STT_GNU_IFUNC => b'i',
        _ => b'n',
    };
    if symbol.bind() == STB_LOCAL { letter } else { letter.to_ascii_uppercase() }
}

/// Copied variables of shared libraries.
fn copied_symbols(input: &Input<'_>, rows: &Rows, report: &mut Report) {
    let mut copies: Vec<(SectionId, &'static [u8])> = input
        .selected
        .copies
        .places
        .iter()
        .map(|&(name, section)| {
            (section, input.tables.extraction.pools.name(&input.tables.extraction.names, name))
        })
        .collect();
    copies.sort();
    let symbol = |(id, name): (SectionId, &'static [u8])| {
        let size = input.tables.definitions.sections[id].size;
        let section = rows.row[id];
        let symbol = Symbol { name, section, section_offset: 0, size, kind: b'D' };
        (section != NONE).then_some(symbol)
    };
    report.symbols.push(copies.into_iter().filter_map(symbol).collect());
}
