//! The parts of the file, in order of file offset.

use super::frames::FdeRun;
use super::symbols::SymbolRun;
use super::writer::{Writer, is_list_of_ranges};
use crate::layout::output_sections::CompressedId;
use crate::layout::{Content, OutputSection, Synthetic};
use crate::read::ObjectId;
use crate::read::object_file::SectionFlags;
use crate::resolve::definitions::SectionId;
use crate::script::section_names::OutputId;
use crate::write::unpack::IN_ORDER_MIN;
use object::elf::SHT_NOBITS;
use skald_core::ids::{IdRange, IndexRange};
use skald_linking::spans::Part;
use std::ops::Range;

/// What fills a part of the file. A range counts in the list that the variant names.
#[derive(Debug, Clone)]
#[allow(missing_docs)]
pub enum ObjectPart {
    FileHeader,
    SectionHeaders,
    /// All bytes of a section of the linker.
    Whole(Synthetic),
    /// One piece of a compressed output section: header, shard or trailer.
    Packed {
        section: CompressedId,
        piece: u32,
    },
    /// `range` of the input sections that make up an output section.
    Inputs {
        output: u32,
        range: Range<u32>,
    },
    /// Bytes `window` of what a script puts between inputs, by position among the section's
    /// stretches.
    Stretch {
        output: u32,
        stretch: usize,
        window: Range<u64>,
    },
    /// Bytes `window` of one large input section.
    Window {
        section: SectionId,
        window: Range<u64>,
    },
    /// Relocations of `range` of the input sections that make up an output section.
    Relocations {
        out: OutputId,
        range: Range<u32>,
    },
    /// Some of the relocations of one input section.
    SomeRelocations {
        section: SectionId,
        relocs: Range<u64>,
    },
    Cies(Range<usize>),
    Fdes(Range<ObjectId>),
    /// A run of FDEs of one object.
    SomeFdes(FdeRun),
    FramesEnd,
    CieRelocations,
    FdeRelocations(Range<ObjectId>),
    SomeFdeRelocations(FdeRun),
    /// The null symbol and the STT_SECTION symbols.
    FirstSymbols,
    LocalSymbols(Range<ObjectId>),
    GlobalSymbols(Range<ObjectId>),
    /// A run of local or global symbols of one object.
    SomeSymbols(SymbolRun),
    /// Symbols of no object: assigned, or asked for by the command line.
    LastSymbols,
    FirstString,
    /// Names of objects' symbols, in `.strtab`.
    Strings(Range<ObjectId>),
    SomeStrings(SymbolRun),
    LastStrings,
}

/// Parts aim at this size, so that a few make a span.
const PART_SIZE: u64 = 256 << 10;
/// What is larger than this is cut, as far as it can be: a buffer has to hold a part.
const LARGE: u64 = 2 * PART_SIZE;
/// Compressed input sections that are larger than this are cut into windows.
const LARGE_PACKED: u64 = 2 << 20;
/// Bytes of such a window. Each one costs a search for the decompressor that has come closest to
/// it.
const PACKED_WINDOW: u64 = 1 << 20;

/// Lists the parts of the whole file.
pub fn list(writer: &Writer<'_>) -> Vec<Part<ObjectPart>> {
    let outputs = &writer.relocations.joined.outputs;
    let mut lister = Lister { writer, parts: Vec::new() };
    lister.push(0, 64, ObjectPart::FileHeader);
    for (at, section) in outputs.sections.iter().enumerate() {
        if section.sh_type != SHT_NOBITS && section.size != 0 {
            lister.section(at as u32, section);
        }
    }
    let headers = writer.end.section_headers;
    lister.push(headers, writer.end.size - headers, ObjectPart::SectionHeaders);
    lister.parts
}

/// The parts of the output section at `position`.
pub fn of_section(writer: &Writer<'_>, position: u32) -> Vec<Part<ObjectPart>> {
    let mut lister = Lister { writer, parts: Vec::new() };
    lister.section(position, writer.relocations.joined.outputs.at(position));
    lister.parts
}

struct Lister<'a> {
    writer: &'a Writer<'a>,
    parts: Vec<Part<ObjectPart>>,
}

impl Lister<'_> {
    fn push(&mut self, file_offset: u64, size: u64, what: ObjectPart) {
        if size != 0 {
            self.parts.push(Part { file_offset, size, what, continues: false });
        }
    }

    /// Groups objects into parts of about [`PART_SIZE`]; `sum` gives the bytes before each object.
    fn by_objects(
        &mut self,
        start: u64,
        sum: impl Fn(ObjectId) -> u64,
        what: impl Fn(Range<ObjectId>) -> ObjectPart,
    ) {
        let sum = |at| sum(ObjectId::from_index(at));
        let what = |run: Range<usize>| {
            what(ObjectId::from_index(run.start)..ObjectId::from_index(run.end))
        };
        self.runs(start, self.writer.relocations.objects.len(), sum, what);
    }

    /// Cuts `count` items into parts of about [`PART_SIZE`]; `sum` gives the bytes before each
    /// item.
    fn runs(
        &mut self,
        start: u64,
        count: usize,
        sum: impl Fn(usize) -> u64,
        what: impl Fn(Range<usize>) -> ObjectPart,
    ) {
        let mut first = 0;
        for next in 1..=count {
            let bytes = sum(next) - sum(first);
            if bytes >= PART_SIZE || next == count {
                self.push(start + sum(first), bytes, what(first..next));
                first = next;
            }
        }
    }

    fn section(&mut self, position: u32, section: &OutputSection) {
        let start = section.file_offset;
        let writer = self.writer;
        let relocations = writer.relocations;
        let which = match &section.content {
            Content::Inputs { out, sections, .. } => {
                return self.inputs_and_stretches(position, section, *out, sections);
            }
            Content::Synthetic(which) => *which,
        };
        match which {
            Synthetic::Compressed(id) => {
                for (piece, range) in relocations.joined.compressed[id].pieces() {
                    let what = ObjectPart::Packed { section: id, piece };
                    self.push(start + range.start, range.end - range.start, what);
                }
            }
            Synthetic::EmitRelocs(target) => self.relocations(start, target),
            Synthetic::EhFrame => {
                let frames = relocations.frames;
                let count = relocations.objects.len();
                self.runs(start, frames.cie_count(), |at| frames.cie_start(at), ObjectPart::Cies);
                let first = self.parts.len();
                self.by_objects(start, |at| frames.object_offset(at), ObjectPart::Fdes);
                self.cut_large(first, |part, list| {
                    let ObjectPart::Fdes(objects) = &part.what else { return };
                    let mut start = part.file_offset;
                    for run in objects.clone().ids().flat_map(|at| frames.runs(at).iter().cloned())
                    {
                        let size = run.size;
                        list.push(start, size, ObjectPart::SomeFdes(run));
                        start += size;
                    }
                });
                let end = frames.object_offset(ObjectId::from_index(count));
                self.push(start + end, section.size - end, ObjectPart::FramesEnd);
            }
            Synthetic::SymTab => self.symbols(start),
            Synthetic::StrTab => {
                let symbols = relocations.symbols;
                self.push(start, 1, ObjectPart::FirstString);
                let count = symbols.object_count();
                let first = self.parts.len();
                self.by_objects(start, |at| symbols.strings_of(at), ObjectPart::Strings);
                self.cut_large(first, |part, list| {
                    let ObjectPart::Strings(objects) = &part.what else { return };
                    for run in objects.clone().ids().flat_map(|at| symbols.runs_of(at)) {
                        let size = run.string_size;
                        list.push(start + run.strings, size, ObjectPart::SomeStrings(run));
                    }
                });
                let end = symbols.strings_of(ObjectId::from_index(count));
                self.push(start + end, section.size - end, ObjectPart::LastStrings);
            }
            which => self.push(start, section.size, ObjectPart::Whole(which)),
        }
    }

    fn inputs_and_stretches(
        &mut self,
        position: u32,
        section: &OutputSection,
        out: OutputId,
        inputs: &[SectionId],
    ) {
        let mut next = 0;
        let stretches = self.writer.relocations.joined.stretches.get(&out);
        for (number, stretch) in stretches.into_iter().flatten().enumerate() {
            self.inputs(position, section, inputs, (next..stretch.before, stretch.start));
            next = stretch.before;
            for start in (0..stretch.size).step_by(PART_SIZE as usize) {
                let window = start..stretch.size.min(start + PART_SIZE);
                let (at, size) = (stretch.start + start, window.end - window.start);
                let what = ObjectPart::Stretch { output: position, stretch: number, window };
                self.push(section.file_offset + at, size, what);
            }
        }
        self.inputs(position, section, inputs, (next..inputs.len(), section.size));
    }

    /// Those of the inputs that `run` counts, which end at the offset `end`.
    fn inputs(
        &mut self,
        position: u32,
        section: &OutputSection,
        inputs: &[SectionId],
        (run, end): (Range<usize>, u64),
    ) {
        let start = section.file_offset;
        let relocations = self.writer.relocations;
        let offsets = &relocations.joined.offsets;
        let sum = |at: usize| {
            let at = run.start + at;
            if at == run.end { end } else { offsets[inputs[at]] }
        };
        let first = self.parts.len();
        self.runs(start, run.len(), sum, |range| ObjectPart::Inputs {
            output: position,
            range: narrow(run.start + range.start..run.start + range.end),
        });
        // The gap before a section of great alignment belongs to no part.
        for part in &mut self.parts[first..] {
            let ObjectPart::Inputs { range, .. } = &part.what else { continue };
            let Some(&last) = inputs.get(range.end as usize - 1) else { continue };
            let size = relocations.definitions.sections[last].size;
            let end = start + offsets[last] + size;
            if part.file_offset + part.size - end > PART_SIZE {
                part.size = end - part.file_offset;
            }
        }
        let is_long = |part: &Part<ObjectPart>| part.size > LARGE;
        if self.parts[first..].iter().any(is_long) {
            for part in self.parts.split_off(first) {
                self.cut_long(part, inputs);
            }
        }
    }

    /// Cuts the large section at the end of a part into windows.
    fn cut_long(&mut self, part: Part<ObjectPart>, inputs: &[SectionId]) {
        let relocations = self.writer.relocations;
        let ObjectPart::Inputs { output, range } = part.what else { return };
        let last = inputs[range.end as usize - 1];
        let record = &relocations.definitions.sections[last];
        let object = &relocations.objects[record.object];
        // Neither code nor lists of ranges are cut: more is written there than the input's bytes.
        let is_plain = !record.flags.has(SectionFlags::EXEC)
            && !is_list_of_ranges(object.section_name(record.shndx));
        let is_packed = record.flags.has(SectionFlags::COMPRESSED);
        let (large, window) = match is_packed {
            true => (LARGE_PACKED, PACKED_WINDOW),
            false => (LARGE, PART_SIZE),
        };
        if record.size <= large || !is_plain {
            return self.push(part.file_offset, part.size, ObjectPart::Inputs { output, range });
        }
        let offsets = &relocations.joined.offsets;
        let first = inputs[range.wide().start];
        let before = match range.len() {
            1 => 0,
            _ => offsets[last] - offsets[first],
        };
        if before != 0 {
            let others = range.start..range.end - 1;
            self.push(part.file_offset, before, ObjectPart::Inputs { output, range: others });
        }
        let is_stream = is_packed && record.size > IN_ORDER_MIN;
        let mut start = 0;
        while start < record.size {
            let end = (start + window).min(record.size);
            self.parts.push(Part {
                file_offset: part.file_offset + before + start,
                size: end - start,
                what: ObjectPart::Window { section: last, window: start..end },
                continues: is_stream && start != 0,
            });
            start = end;
        }
    }

    fn relocations(&mut self, start: u64, target: OutputId) {
        let relocations = self.writer.relocations;
        match relocations.joined.emitted.inputs_of(target) {
            Some(inputs) => {
                let mut sums = Vec::with_capacity(inputs.len() + 1);
                let mut total = 0u64;
                sums.push(0);
                for &id in inputs {
                    let section = &relocations.definitions.sections[id];
                    total += 24 * u64::from(section.rel_count);
                    sums.push(total);
                }
                let first = self.parts.len();
                self.runs(
                    start,
                    inputs.len(),
                    |at| sums[at],
                    |range| ObjectPart::Relocations { out: target, range: narrow(range) },
                );
                self.split_relocations(first, inputs);
            }
            None => {
                let frames = relocations.frames;
                let sum = |at: ObjectId| 24 * frames.object_relocs(at);
                self.push(start, sum(ObjectId::default()), ObjectPart::CieRelocations);
                let first = self.parts.len();
                self.by_objects(start, sum, ObjectPart::FdeRelocations);
                self.cut_large(first, |part, list| {
                    let ObjectPart::FdeRelocations(objects) = &part.what else { return };
                    let mut start = part.file_offset;
                    for run in objects.clone().ids().flat_map(|at| frames.runs(at).iter().cloned())
                    {
                        let size = 24 * run.reloc_count;
                        list.push(start, size, ObjectPart::SomeFdeRelocations(run));
                        start += size;
                    }
                });
            }
        }
    }

    /// Replaces those of the parts from `first` on that are much too large, as those of a large
    /// object are, by the parts that `cut` makes of them.
    fn cut_large(&mut self, first: usize, cut: impl Fn(&Part<ObjectPart>, &mut Self)) {
        if self.parts[first..].iter().all(|part| part.size <= LARGE) {
            return;
        }
        for part in self.parts.split_off(first) {
            match part.size <= LARGE {
                true => self.parts.push(part),
                false => cut(&part, self),
            }
        }
    }

    /// Cuts parts from `first` on that are the relocations of one input each, and many of them, so
    /// that threads share them.
    fn split_relocations(&mut self, first: usize, inputs: &[SectionId]) {
        const PIECE: u64 = PART_SIZE / 24;
        for part in self.parts.split_off(first) {
            let count = part.size / 24;
            let only = match &part.what {
                ObjectPart::Relocations { range, .. } if range.len() == 1 && count >= 2 * PIECE => {
                    inputs[range.wide().start]
                }
                _ => {
                    self.parts.push(part);
                    continue;
                }
            };
            for start in (0..count).step_by(PIECE as usize) {
                let relocs = start..count.min(start + PIECE);
                let size = 24 * (relocs.end - relocs.start);
                let what = ObjectPart::SomeRelocations { section: only, relocs };
                self.push(part.file_offset + 24 * start, size, what);
            }
        }
    }

    fn symbols(&mut self, start: u64) {
        let symbols = self.writer.relocations.symbols;
        let count = symbols.object_count();
        let first = 24 * u64::from(symbols.first_of(false, ObjectId::default()));
        self.push(start, first, ObjectPart::FirstSymbols);
        let sum = |globals: bool, at: ObjectId| 24 * u64::from(symbols.first_of(globals, at));
        let first = self.parts.len();
        self.by_objects(start, |at| sum(false, at), ObjectPart::LocalSymbols);
        self.by_objects(start, |at| sum(true, at), ObjectPart::GlobalSymbols);
        self.cut_large(first, |part, list| {
            let (ObjectPart::LocalSymbols(objects) | ObjectPart::GlobalSymbols(objects)) =
                &part.what
            else {
                return;
            };
            let globals = matches!(part.what, ObjectPart::GlobalSymbols(_));
            for run in objects.clone().ids().flat_map(|at| symbols.runs_of(at)) {
                if run.globals == globals {
                    let at = start + 24 * u64::from(run.first);
                    list.push(at, 24 * run.entries.len() as u64, ObjectPart::SomeSymbols(run));
                }
            }
        });
        let end = sum(true, ObjectId::from_index(count));
        self.push(start + end, 24 * u64::from(symbols.count) - end, ObjectPart::LastSymbols);
    }
}

/// The range in the 32 bits that parts keep.
fn narrow(range: Range<usize>) -> Range<u32> {
    range.start as u32..range.end as u32
}
