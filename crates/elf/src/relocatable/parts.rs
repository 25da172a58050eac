//! The parts of a relocatable output, in order of file offset. They are those of an image
//! ([`crate::write::parts`]), with two exceptions. Input sections can be cut anywhere, because no
//! relocation is applied. Symbols, relocations and unwind records of a large object are divided
//! into several parts.

use super::content::is_list_of_ranges;
use super::sections::JoinedSections;
use super::symbols::string_size;
use crate::format::elf::{Ehdr, Rela, Sym};
use crate::layout::segments::FileEnd;
use crate::layout::{Content, OutputSection};
use crate::machine::RelocKind;
use crate::read::ObjectId;
use crate::read::object_file::SectionFlags;
use crate::resolve::definitions::SectionId;
use crate::script::section_names::OutputId;
use crate::synth::image::Image;
use crate::synth::sections::Plan;
use crate::synth::symtab::{SymTab, SymbolRun};
use crate::write::parts::{Lister, PART_SIZE, Part, PartContent};
use crate::write::unpack::IN_ORDER_MIN;
use object::elf::SHT_NOBITS;
use skald_core::ids::{IdRange, IndexRange};
use std::ops::Range;

/// Larger parts are cut, if possible.
const LARGE: u64 = 2 * PART_SIZE;
/// Compressed input sections that are larger than this are cut into windows.
const LARGE_PACKED: u64 = 2 << 20;
/// Size of such a window in bytes. Each window costs a search for the decompressor nearest to it.
const PACKED_WINDOW: u64 = 1 << 20;
/// How many symbols of one large object a part has.
const SYMBOLS: usize = PART_SIZE as usize / size_of::<Sym>();
/// How many relocations of one large section a part has.
const RELOCS: u64 = PART_SIZE / size_of::<Rela>() as u64;

/// The tables that parts are listed from.
#[derive(Clone, Copy)]
pub struct PartInput<'a> {
    /// Inputs have offsets in their output sections instead of addresses.
    pub image: &'a Image<'a>,
    /// The plan of the sections that the linker makes.
    pub plan: &'a Plan,
    /// The output sections.
    pub joined: &'a JoinedSections,
}

/// Lists the parts of the whole file.
pub fn list(input: PartInput<'_>, end: FileEnd) -> Vec<Part> {
    let mut lister = JoinedLister::new(input);
    // As a rule each section is one part.
    lister.list.parts.reserve(input.joined.outputs.sections.len() + 16);
    let header = input.joined.outputs.encoding().size::<Ehdr>() as u64;
    lister.list.push(0, header, PartContent::FileHeaders);
    for (at, section) in input.joined.outputs.sections.iter().enumerate() {
        if section.sh_type != SHT_NOBITS && section.size != 0 {
            lister.section(at as u32, section);
        }
    }
    let headers = end.section_headers;
    lister.list.push(headers, end.size - headers, PartContent::SectionHeaders);
    lister.list.parts
}

/// The parts of the output section at `position`.
pub fn of_section(input: PartInput<'_>, position: usize) -> Vec<Part> {
    let mut lister = JoinedLister::new(input);
    lister.section(position as u32, &input.joined.outputs.sections[position]);
    lister.list.parts
}

struct JoinedLister<'a> {
    input: PartInput<'a>,
    list: Lister<'a>,
}

impl<'a> JoinedLister<'a> {
    fn new(input: PartInput<'a>) -> JoinedLister<'a> {
        let PartInput { image, plan, joined, .. } = input;
        let list = Lister { image, plan, packed: &joined.compressed, parts: Vec::new() };
        JoinedLister { input, list }
    }

    fn section(&mut self, position: u32, section: &OutputSection) {
        let (start, first) = (section.file_offset, self.list.parts.len());
        let PartInput { image, plan, .. } = self.input;
        let encoding = image.encoding();
        let entry = encoding.size::<Sym>() as u64;
        let rela = image.machine.reloc_kind.entry_size(encoding.class);
        let symbols = |at| plan.symtab.iter().flat_map(move |symtab| symbol_runs(symtab, at));
        match &section.content {
            Content::Inputs { out, sections, .. } => {
                self.inputs_and_stretches(position, section, *out, sections);
            }
            Content::Synthetic(which) => {
                self.list.synthetic(section, *which);
                if section.size < LARGE.min(2 * rela * RELOCS) {
                    return;
                }
                self.list.cut_large(first, 2 * rela * RELOCS - 1, |part, list| match &part.what {
                    PartContent::EmittedRelocs { out, range } if range.len() == 1 => {
                        let inputs = plan.emitted.inputs_of(*out).unwrap_or_default();
                        cut_relocations(list, part, inputs[range.wide().start], rela);
                    }
                    _ => list.parts.push(part.clone()),
                });
                self.list.cut_large(first, LARGE, |part, list| match &part.what {
                    PartContent::LocalSymbols(objects) | PartContent::GlobalSymbols(objects) => {
                        let globals = matches!(part.what, PartContent::GlobalSymbols(_));
                        let runs = objects.clone().ids().flat_map(symbols);
                        for run in runs.filter(|run| run.globals == globals) {
                            let (at, size) = (u64::from(run.first), run.entries.len() as u64);
                            let what = PartContent::SomeSymbols(run);
                            list.push(start + entry * at, entry * size, what);
                        }
                    }
                    PartContent::Strings(objects) => {
                        for run in objects.clone().ids().flat_map(symbols) {
                            let (at, size) = (start + run.strings, run.string_size);
                            list.push(at, size, PartContent::SomeStrings(run));
                        }
                    }
                    PartContent::Fdes(objects) | PartContent::EmittedFdeRelocs(objects) => {
                        let is_of_records = matches!(part.what, PartContent::Fdes(_));
                        let mut at = part.file_offset;
                        let runs = |at| plan.eh_frame.runs(image.frames, image.liveness, at);
                        for run in objects.clone().ids().flat_map(runs) {
                            let (size, what) = if is_of_records {
                                (run.size, PartContent::SomeFdes(run))
                            } else {
                                let size = rela * run.reloc_count;
                                (size, PartContent::SomeEmittedFdeRelocs(run))
                            };
                            list.push(at, size, what);
                            at += size;
                        }
                    }
                    _ => list.parts.push(part.clone()),
                });
            }
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
        let stretches = self.input.joined.stretches.get(&out);
        for (number, stretch) in stretches.into_iter().flatten().enumerate() {
            self.inputs(position, section, inputs, next..stretch.before, stretch.start);
            next = stretch.before;
            for start in (0..stretch.size).step_by(PART_SIZE as usize) {
                let window = start..stretch.size.min(start + PART_SIZE);
                let at = section.file_offset + stretch.start + start;
                let (size, stretch) = (window.end - window.start, number as u32);
                let what = PartContent::Stretch { output: position, stretch, window };
                self.list.push(at, size, what);
            }
        }
        self.inputs(position, section, inputs, next..inputs.len(), section.size);
    }

    /// Adds the parts of the inputs in `run`, which end at the offset `end`.
    fn inputs(
        &mut self,
        position: u32,
        section: &OutputSection,
        inputs: &[SectionId],
        run: Range<usize>,
        end: u64,
    ) {
        let start = section.file_offset;
        let image = self.input.image;
        let sum = |at: usize| {
            let at = run.start + at;
            if at == run.end { end } else { image.address(inputs[at]) }
        };
        if run.is_empty() {
            return;
        }
        let before = image.address(inputs[run.start]);
        if end - before < PART_SIZE {
            let range = run.start as u32..run.end as u32;
            let what = PartContent::Inputs { output: position, range };
            return self.list.push(start + before, end - before, what);
        }
        let first = self.list.parts.len();
        self.list.runs(start, run.len(), sum, |range| PartContent::Inputs {
            output: position,
            range: (run.start + range.start) as u32..(run.start + range.end) as u32,
        });
        // The gap before a section of great alignment is in no part.
        for part in &mut self.list.parts[first..] {
            let PartContent::Inputs { range, .. } = &part.what else { continue };
            let Some(&last) = inputs.get(range.end as usize - 1) else { continue };
            let size = image.definitions.sections[last].size;
            let end = start + image.address(last) + size;
            if part.file_offset + part.size - end > PART_SIZE {
                part.size = end - part.file_offset;
            }
        }
        self.list.cut_large(first, LARGE, |part, list| cut_inputs(list, part, inputs));
    }
}

/// Cuts the large section at the end of a part into windows.
fn cut_inputs(list: &mut Lister<'_>, part: &Part, inputs: &[SectionId]) {
    let image = list.image;
    let PartContent::Inputs { output, range } = &part.what else { return };
    let last = inputs[range.end as usize - 1];
    let record = &image.definitions.sections[last];
    let object = &image.objects[record.object];
    // Code, lists of ranges and sections with addends are not cut, because more than the input's
    // bytes is written there.
    let has_addends = image.machine.reloc_kind != RelocKind::Rela && record.rel_count != 0;
    let is_plain = !record.flags.has(SectionFlags::EXEC)
        && !has_addends
        && !is_list_of_ranges(object.section_name(record.shndx));
    let is_packed = record.flags.has(SectionFlags::COMPRESSED);
    let (large, window) =
        if is_packed { (LARGE_PACKED, PACKED_WINDOW) } else { (LARGE, PART_SIZE) };
    if record.size <= large || !is_plain {
        return list.parts.push(part.clone());
    }
    let before = image.address(last) - image.address(inputs[range.wide().start]);
    if before != 0 {
        let what = PartContent::Inputs { output: *output, range: range.start..range.end - 1 };
        list.push(part.file_offset, before, what);
    }
    let is_stream = is_packed && record.size > IN_ORDER_MIN;
    for start in (0..record.size).step_by(window as usize) {
        let window = start..(start + window).min(record.size);
        list.parts.push(Part {
            file_offset: part.file_offset + before + start,
            size: window.end - window.start,
            what: PartContent::Window { section: last, window, relocs: 0..0 },
            continues: is_stream && start != 0,
        });
    }
}

/// Cuts the many relocations of one input section, each of `rela` bytes, so that threads share the
/// work.
fn cut_relocations(list: &mut Lister<'_>, part: &Part, section: SectionId, rela: u64) {
    let count = part.size / rela;
    for start in (0..count).step_by(RELOCS as usize) {
        let relocs = start as u32..count.min(start + RELOCS) as u32;
        let size = rela * relocs.len() as u64;
        let what = PartContent::SomeEmittedRelocs { section, relocs };
        list.push(part.file_offset + rela * start, size, what);
    }
}

/// The symbols of an object in runs of [`SYMBOLS`], in the order of their names.
fn symbol_runs(symtab: &SymTab, object: ObjectId) -> Vec<SymbolRun> {
    let own = &symtab.objects[object];
    let mut strings = u64::from(own.strings);
    let mut runs = Vec::new();
    for globals in [false, true] {
        let mut first = if globals { own.first_global } else { own.first_local };
        for kept in symtab.list(globals, object).chunks(SYMBOLS) {
            let start = first - if globals { own.first_global } else { own.first_local };
            let entries = start..start + kept.len() as u32;
            let string_size = kept.iter().map(|kept| u64::from(string_size(kept))).sum();
            runs.push(SymbolRun { object, globals, entries, first, strings, string_size });
            strings += string_size;
            first += kept.len() as u32;
        }
    }
    runs
}
