//! The parts of the output file, in order of file offset.
//!
//! A part is filled by one call: a run of input sections, a window of a large one, or a piece of a
//! synthetic section. Together with the gaps between them, parts cover every byte once.

use super::headers;
use super::unpack::IN_ORDER_MIN;
use crate::format::elf::{Ehdr, Phdr, Sym};
use crate::layout::output_sections::{CompressedId, Content};
use crate::layout::segments::FileEnd;
use crate::layout::{OutputSection, Synthetic};
use crate::read::object_file::InputSection;
use crate::read::{ObjectId, SectionFlags};
use crate::resolve::definitions::SectionId;
use crate::script::section_names::OutputId;
use crate::select::merge::{GroupId, MemberId};
use crate::synth::eh_frame::FdeRun;
use crate::synth::image::Image;
use crate::synth::sections::Plan;
use crate::synth::symtab::{SymbolPlaces, SymbolRun};
use object::elf::SHT_NOBITS;
use skald_core::column::prefetch;
use skald_core::ids::{Column, IdSlice};
use skald_core::par::prelude::*;
use skald_linking::packed::Packed;
use skald_linking::spans;
use std::ops::Range;

/// The content of a part of the file. A `range` is one of indices in the list that the variant
/// names.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum PartContent {
    /// File header, and program headers behind it.
    FileHeaders,
    /// Program headers that do not follow the file header.
    ProgramHeaders,
    /// Section header table.
    SectionHeaders,
    /// Bytes that are known already.
    Bytes(Vec<u8>),
    /// `sections[range]` of the output section at `output`.
    Inputs { output: u32, range: Range<u32> },
    /// A table that is made of all inputs of the output section at `output`.
    Rewritten { output: u32 },
    /// A gap between parts of the output section at `output`, which a script lays out.
    Hole { output: u32 },
    /// Bytes `window` of one large input section, with the relocations that apply to them.
    Window { section: SectionId, window: Range<u64>, relocs: Range<u32> },
    /// Thunks: island number `island` of the output section at `output`.
    Island { output: u32, island: u32 },
    /// Pieces that belong to `members[range]` of a merged group: each equal piece belongs to one
    /// member.
    Merged { group: GroupId, range: Range<u32> },
    /// The pieces among `pieces` that belong to a large member; `start` is their offset in the
    /// output of the group.
    MergedWindow { member: MemberId, pieces: Range<u32>, start: u64 },
    /// The strings that were added to a merged group.
    AddedStrings(GroupId),
    /// `tails[range]` of a merged group: strings that contain others as their ends.
    MergedTails { group: GroupId, range: Range<u32> },
    /// All bytes of a synthetic section.
    Whole(Synthetic),
    /// One piece of a compressed section: header, shard or trailer.
    Packed { section: CompressedId, piece: u32 },
    /// Relative relocations of `relocs.sections[range]`.
    RelativeRelocs(Range<u32>),
    /// `.rela.dyn` behind the relative relocations.
    OtherRelocs,
    /// Kept CIEs of `.eh_frame`.
    Cies(Range<usize>),
    /// FDEs of these objects that are kept.
    Fdes(Range<ObjectId>),
    /// Some of the many FDEs of one object.
    SomeFdes(FdeRun),
    /// The terminator of `.eh_frame`.
    EhFrameEnd,
    /// Relocations of `sections[range]` of the output section with id `out`, which stay in the file
    /// (`--emit-relocs`, `-r`).
    EmittedRelocs { out: OutputId, range: Range<u32> },
    /// Some of the many relocations of one input section.
    SomeEmittedRelocs { section: SectionId, relocs: Range<u32> },
    /// Relocations of the CIEs of `.eh_frame`.
    EmittedCieRelocs,
    /// Relocations of the FDEs of these objects.
    EmittedFdeRelocs(Range<ObjectId>),
    /// Relocations of some of the many FDEs of one object.
    SomeEmittedFdeRelocs(FdeRun),
    /// Null symbol, STT_SECTION symbols and the linker's local symbols.
    FirstSymbols,
    /// Local symbols of objects.
    LocalSymbols(Range<ObjectId>),
    /// Global symbols of objects.
    GlobalSymbols(Range<ObjectId>),
    /// Some of the many local or global symbols of one object.
    SomeSymbols(SymbolRun),
    /// The linker's global symbols and imports.
    LastSymbols,
    /// The NUL that starts `.strtab`.
    FirstString,
    /// Names of objects' symbols.
    Strings(Range<ObjectId>),
    /// Names of some of the many symbols of one object.
    SomeStrings(SymbolRun),
    /// Names of the linker's symbols.
    LastStrings,
    /// Bytes `window` of a stretch between inputs, which a script fills, in the output section at
    /// `output` of a relocatable output; `stretch` is its position among the section's stretches.
    Stretch { output: u32, stretch: u32, window: Range<u64> },
}

/// A run of bytes of the output file, and what fills it.
pub type Part = spans::Part<PartContent>;

/// The intended size of a part, so that a few make a span.
pub const PART_SIZE: u64 = 256 << 10;
/// Loaded sections larger than this are cut into windows.
const WINDOW_THRESHOLD: u64 = 512 << 10;
/// Sections that are not loaded are cut if they are larger than this. Finding places for a cut maps
/// their relocations, which would otherwise only be copied.
const DEBUG_WINDOW_THRESHOLD: u64 = 2 << 20;
/// Approximate size of a window in bytes.
const WINDOW: u64 = 256 << 10;
/// No relocation may lie this close before or behind a cut, because rewriting looks at
/// instructions around a field.
const CUT_MARGIN: u64 = 64;

/// How many input sections ahead of the loop their records are prefetched.
const AHEAD: usize = 12;

/// Whether an input section is cut into windows.
fn is_large(section: &InputSection) -> bool {
    let threshold = if section.flags.has(SectionFlags::ALLOC) {
        WINDOW_THRESHOLD
    } else {
        DEBUG_WINDOW_THRESHOLD
    };
    section.size > threshold && !section.flags.has(SectionFlags::SHRINKS)
}

/// Lists the parts of the whole file.
pub fn list(
    image: &Image<'_>,
    plan: &Plan,
    packed: &IdSlice<CompressedId, Packed>,
    end: FileEnd,
) -> Vec<Part> {
    let sections: Vec<Vec<Part>> = (0..image.outputs.sections.len())
        .into_par_iter()
        .with_max_len(1)
        .map(|at| of_section(image, plan, packed, at))
        .collect();
    let mut lister = Lister { image, plan, packed, parts: sections.concat() };
    let encoding = image.encoding();
    let own = encoding.size::<Ehdr>() as u64;
    let header_size = (encoding.size::<Phdr>() * image.segments.len()) as u64;
    match headers::program_headers_offset(encoding, image.segments) {
        offset if offset == own => lister.push(0, own + header_size, PartContent::FileHeaders),
        elsewhere => {
            lister.push(0, own, PartContent::FileHeaders);
            lister.push(elsewhere, header_size, PartContent::ProgramHeaders);
        }
    }
    if end.section_headers != 0 {
        let size = end.size - end.section_headers;
        lister.push(end.section_headers, size, PartContent::SectionHeaders);
    }
    lister.parts.sort_by_key(|part| part.file_offset);
    lister.parts
}

/// The parts of one output section.
pub fn of_section(
    image: &Image<'_>,
    plan: &Plan,
    packed: &IdSlice<CompressedId, Packed>,
    at: usize,
) -> Vec<Part> {
    let mut lister = Lister { image, plan, packed, parts: Vec::new() };
    let output = &image.outputs.sections[at];
    if output.sh_type != SHT_NOBITS && output.size != 0 {
        lister.output(at, output);
    }
    lister.parts.sort_by_key(|part| part.file_offset);
    if image.outputs.is_scripted {
        lister.holes(at, output);
    }
    lister.parts
}

/// Lists parts.
pub struct Lister<'a> {
    /// The frozen tables of the link.
    pub image: &'a Image<'a>,
    /// The plan of every section that the linker makes.
    pub plan: &'a Plan,
    /// The compressed form of each output section that has one.
    pub packed: &'a IdSlice<CompressedId, Packed>,
    /// The parts so far.
    pub parts: Vec<Part>,
}

impl Lister<'_> {
    /// Adds a part, unless it has no bytes.
    pub fn push(&mut self, file_offset: u64, size: u64, what: PartContent) {
        if size != 0 {
            self.parts.push(Part { file_offset, size, what, continues: false });
        }
    }

    /// Adds parts for the gaps between the parts of a script's section, unless they are filled with
    /// zeros.
    fn holes(&mut self, at: usize, output: &OutputSection) {
        let is_code = output.sh_flags & u64::from(object::elf::SHF_EXECINSTR) != 0;
        if output.fill.is_empty() && !is_code {
            return;
        }
        let mut end = output.file_offset;
        let mut holes = Vec::new();
        for part in &self.parts {
            if part.file_offset > end {
                holes.push((end, part.file_offset - end));
            }
            end = end.max(part.file_offset + part.size);
        }
        for (start, size) in holes {
            self.push(start, size, PartContent::Hole { output: at as u32 });
        }
        self.parts.sort_by_key(|part| part.file_offset);
    }

    fn output(&mut self, at: usize, output: &OutputSection) {
        match &output.content {
            Content::Inputs { .. } if output.rewritten.is_some() => {
                let what = PartContent::Rewritten { output: at as u32 };
                self.push(output.file_offset, output.size, what);
            }
            Content::Inputs { groups, sections, islands, .. } => {
                for (number, island) in islands.iter().enumerate() {
                    let what = PartContent::Island { output: at as u32, island: number as u32 };
                    self.push(output.file_offset + island.offset, island.room, what);
                }
                for part in groups {
                    self.merged(output.file_offset + part.offset, part.group);
                }
                let rooms = islands.iter().filter(|island| island.room != 0);
                let mut between: Vec<usize> = rooms.map(|island| island.before).collect();
                between.extend(groups.iter().map(|part| part.before));
                between.sort();
                self.inputs(at, output, sections, &between);
            }
            Content::Synthetic(which) => self.synthetic(output, *which),
        }
    }

    fn inputs(
        &mut self,
        at: usize,
        output: &OutputSection,
        sections: &[SectionId],
        between: &[usize],
    ) {
        let offset_of = |id: SectionId| self.image.address(id) - output.address;
        // Code that falls through into a gap needs instructions there (no-ops), so the gap counts
        // as part of the section before.
        let extent = |i: usize, id: SectionId| {
            let section = &self.image.definitions.sections[id];
            let falls_through = section.flags.has(SectionFlags::FALLS_THROUGH)
                && between.binary_search(&(i + 1)).is_err();
            let next = sections.get(i + 1).filter(|_| falls_through);
            next.map_or(section.size, |&next| offset_of(next) - offset_of(id))
        };
        let mut first = 0usize;
        let mut cut = Vec::new();
        let mut start = sections.first().map_or(0, |&id| offset_of(id));
        let mut before = start;
        let mut rooms = between.iter().copied();
        let mut next_room = rooms.next();
        for (i, &id) in sections.iter().enumerate() {
            if let Some(&ahead) = sections.get(i + AHEAD) {
                prefetch(&self.image.definitions.sections, ahead.index());
            }
            let size = extent(i, id);
            let offset = offset_of(id);
            // The gap before a section of great alignment is in no part; islands of thunks and
            // merged content, in `between`, are parts of their own.
            while next_room.is_some_and(|before| before < i) {
                next_room = rooms.next();
            }
            let is_island = next_room == Some(i);
            if first < i && (offset - before > PART_SIZE || is_island) {
                cut.push((start, before - start, first..i, None));
                first = i;
                start = offset;
            }
            before = offset + size;
            // Code that is turned around is so as a whole.
            let is_whole = self.image.turn_code.is_some();
            if !is_whole && is_large(&self.image.definitions.sections[id]) {
                if first < i {
                    let end = offset_of(sections[i - 1]) + extent(i - 1, sections[i - 1]);
                    cut.push((start, end - start, first..i, None));
                }
                cut.push((offset, size, i..i + 1, Some(id)));
                first = i + 1;
                start = sections.get(i + 1).map_or(0, |&id| offset_of(id));
            } else if offset + size - start >= PART_SIZE || i + 1 == sections.len() {
                cut.push((start, offset + size - start, first..i + 1, None));
                first = i + 1;
                start = sections.get(i + 1).map_or(0, |&id| offset_of(id));
            }
        }
        for (offset, size, range, large) in cut {
            let file_offset = output.file_offset + offset;
            match large {
                Some(id) => self.windows(file_offset, id),
                None => {
                    let range = range.start as u32..range.end as u32;
                    self.push(file_offset, size, PartContent::Inputs { output: at as u32, range });
                }
            }
        }
    }

    /// Cuts a large input section between relocations. It is not cut if the relocations are not
    /// sorted.
    fn windows(&mut self, file_offset: u64, section: SectionId) {
        let record = &self.image.definitions.sections[section];
        let object = &self.image.objects[record.object];
        let relocs = object.relocs(record);
        let size = record.size;
        if !relocs.is_sorted_by_key(|r| r.r_offset()) {
            let what =
                PartContent::Window { section, window: 0..size, relocs: 0..relocs.len() as u32 };
            return self.push(file_offset, size, what);
        }
        let is_stream = record.flags.has(SectionFlags::COMPRESSED) && size > IN_ORDER_MIN;
        let mut start = 0u64;
        let mut first = 0usize;
        while start < size {
            let mut end = (start + WINDOW).min(size);
            let mut next = first + relocs[first..].partition_point(|r| r.r_offset() < end);
            // Move the cut forward to where no relocation is near.
            while end < size {
                let before = next.checked_sub(1).map(|i| relocs[i].r_offset());
                let after = relocs.get(next).map(|r| r.r_offset());
                let clear_before = before.is_none_or(|b| b + CUT_MARGIN <= end);
                let clear_after = after.is_none_or(|a| a >= end + CUT_MARGIN);
                let dense = end - start > 2 * WINDOW;
                // Debug sections have a relocation every few bytes and no instructions.
                let touches = before.is_some_and(|b| b + 8 > end);
                let is_code = record.flags.has(SectionFlags::EXEC);
                if (clear_before && clear_after) || (!is_code && !touches) || (dense && !touches) {
                    break;
                }
                end = after.map_or(size, |a| a.saturating_add(8).min(size));
                // Few steps each time, unless relocations are dense everywhere: then this goes to
                // the end.
                next += relocs[next..].iter().take_while(|r| r.r_offset() < end).count();
            }
            // Relocations behind the end are errors, which applying reports.
            if end == size {
                next = relocs.len();
            }
            let what = PartContent::Window {
                section,
                window: start..end,
                relocs: first as u32..next as u32,
            };
            self.push(file_offset + start, end - start, what);
            if let Some(part) = self.parts.last_mut().filter(|_| is_stream && start != 0) {
                part.continues = true;
            }
            start = end;
            first = next;
        }
    }

    fn merged(&mut self, file_offset: u64, group: GroupId) {
        let merged = &self.image.merged.groups[group];
        let (own, added) = (merged.own_size(), merged.added.len() as u64);
        self.push(file_offset + own, added, PartContent::AddedStrings(group));
        if !merged.tails.is_empty() {
            return self.merged_tails(file_offset, group);
        }
        let windows: Vec<_> =
            merged.members.par_iter().map(|&at| self.member_windows(at)).collect();
        let mut first = 0u32;
        let mut start = 0u64;
        let mut end = 0u64;
        for ((next, &at), windows) in (1u32..).zip(&merged.members).zip(windows) {
            let member = &self.image.merged.members[at];
            let is_large = !windows.is_empty();
            if is_large {
                let range = first..next - 1;
                self.push(file_offset + start, end - start, PartContent::Merged { group, range });
            }
            for (start, size, what) in windows {
                self.push(file_offset + start, size, what);
            }
            end = member.owned_start + member.owned_size;
            if is_large {
                (first, start) = (next, end);
            } else if end - start >= PART_SIZE {
                let range = first..next;
                self.push(file_offset + start, end - start, PartContent::Merged { group, range });
                (first, start) = (next, end);
            }
        }
        let range = first..merged.members.len() as u32;
        self.push(file_offset + start, end - start, PartContent::Merged { group, range });
    }

    /// Cuts the pieces that belong to a large member into parts: offset in the group, size and
    /// content of each. Pieces that other members own are left out.
    fn member_windows(&self, at: MemberId) -> Vec<(u64, u64, PartContent)> {
        let member = &self.image.merged.members[at];
        if member.owned_size <= WINDOW_THRESHOLD {
            return Vec::new();
        }
        let section_size = self.image.definitions.sections[member.section].size;
        let windows = member.windows(WINDOW, section_size);
        let last = (member.piece_count() as u32, member.owned_start + member.owned_size);
        let ends = windows.iter().skip(1).chain([&last]);
        let window = |(&(first, start), &(next, end)): (&(u32, u64), &(u32, u64))| {
            (
                start,
                end - start,
                PartContent::MergedWindow { member: at, pieces: first..next, start },
            )
        };
        windows.iter().zip(ends).map(window).collect()
    }

    fn merged_tails(&mut self, file_offset: u64, group: GroupId) {
        let merged = &self.image.merged.groups[group];
        let mut first = 0;
        let offset_of =
            |at: usize| merged.tails.get(at).map_or(merged.own_size(), |t| u64::from(t.0));
        for next in 1..=merged.tails.len() {
            let size = offset_of(next) - offset_of(first);
            if size >= PART_SIZE || next == merged.tails.len() {
                let range = first as u32..next as u32;
                let what = PartContent::MergedTails { group, range };
                self.push(file_offset + offset_of(first), size, what);
                first = next;
            }
        }
    }

    /// Adds the parts of a section of the linker.
    pub fn synthetic(&mut self, output: &OutputSection, which: Synthetic) {
        let start = output.file_offset;
        match which {
            Synthetic::RelaDyn if self.plan.reloc_form.is_array() => {
                self.rela_dyn(start, output.size);
            }
            Synthetic::EhFrame => self.eh_frame(start, output.size),
            Synthetic::SymTab => self.symtab(start),
            Synthetic::StrTab => self.strtab(start, output.size),
            Synthetic::EmitRelocs(out) => self.emitted_relocs(start, out),
            Synthetic::Compressed(section) => {
                for (piece, range) in self.packed[section].pieces() {
                    let size = range.end - range.start;
                    self.push(start + range.start, size, PartContent::Packed { section, piece });
                }
            }
            which => self.push(start, output.size, PartContent::Whole(which)),
        }
    }

    fn rela_dyn(&mut self, start: u64, size: u64) {
        let relocs = &self.plan.relocs;
        let entry = self.plan.reloc_form.header(self.image.encoding()).2;
        let sections = relocs.sections.clone();
        let mut first = 0u32;
        let total = relocs.section_relative;
        let index = |at: usize| sections.get(at).map_or(total, |s| s.1);
        for next in 1..=sections.len() {
            let bytes = u64::from(index(next) - index(first as usize)) * entry;
            if bytes >= PART_SIZE || next == sections.len() {
                let at = start + u64::from(index(first as usize)) * entry;
                self.push(at, bytes, PartContent::RelativeRelocs(first..next as u32));
                first = next as u32;
            }
        }
        let done = u64::from(total) * entry;
        self.push(start + done, size - done, PartContent::OtherRelocs);
    }

    /// Groups objects into parts of about [`PART_SIZE`]; `sum` gives the bytes before each object.
    fn by_objects(
        &mut self,
        start: u64,
        sum: impl Fn(ObjectId) -> u64,
        what: impl Fn(Range<ObjectId>) -> PartContent,
    ) {
        let sum = |at| sum(ObjectId::from_index(at));
        let what = |run: Range<usize>| {
            what(ObjectId::from_index(run.start)..ObjectId::from_index(run.end))
        };
        self.runs(start, self.image.objects.len(), sum, what);
    }

    /// Cuts `count` items into parts of about [`PART_SIZE`]; `sum` gives the bytes before each
    /// item.
    pub fn runs(
        &mut self,
        start: u64,
        count: usize,
        sum: impl Fn(usize) -> u64,
        what: impl Fn(Range<usize>) -> PartContent,
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

    fn eh_frame(&mut self, start: u64, size: u64) {
        let plan = &self.plan.eh_frame;
        let offsets = plan.object_offsets.clone();
        self.runs(start, plan.cies.len(), |at| plan.cie_start(at), PartContent::Cies);
        self.by_objects(start, |at| offsets[at], PartContent::Fdes);
        let end = *offsets.last().expect("ends with the total");
        self.push(start + end, size - end, PartContent::EhFrameEnd);
    }

    fn emitted_relocs(&mut self, start: u64, out: OutputId) {
        let entry = self.image.machine.reloc_kind.entry_size(self.image.machine.class);
        let Some(inputs) = self.plan.emitted.inputs_of(out) else {
            let counts = &self.plan.emitted.frame_counts;
            self.push(start, entry * counts[ObjectId::default()], PartContent::EmittedCieRelocs);
            return self.by_objects(start, |at| entry * counts[at], PartContent::EmittedFdeRelocs);
        };
        let (mut first, mut offset, mut end) = (0, 0, 0);
        for (next, &id) in (1u32..).zip(inputs) {
            end += entry * u64::from(self.image.definitions.sections[id].rel_count);
            if end - offset >= PART_SIZE || next as usize == inputs.len() {
                let what = PartContent::EmittedRelocs { out, range: first..next };
                self.push(start + offset, end - offset, what);
                (first, offset) = (next, end);
            }
        }
    }

    fn symtab(&mut self, start: u64) {
        if let Some(symtab) = &self.plan.symtab {
            self.symbols(start, &symtab.places());
        }
    }

    fn strtab(&mut self, start: u64, size: u64) {
        if let Some(symtab) = &self.plan.symtab {
            self.names(start, size, &symtab.places());
        }
    }

    /// Adds the parts of `.symtab`.
    fn symbols(&mut self, start: u64, places: &SymbolPlaces) {
        let entry = self.image.encoding().size::<Sym>() as u64;
        let index = |places: &Column<ObjectId, u32>, at: ObjectId| entry * u64::from(places[at]);
        let first = index(&places.locals, ObjectId::default());
        self.push(start, first, PartContent::FirstSymbols);
        self.by_objects(start, |at| index(&places.locals, at), PartContent::LocalSymbols);
        self.by_objects(start, |at| index(&places.globals, at), PartContent::GlobalSymbols);
        let end = index(&places.globals, self.image.objects.end());
        let size = entry * u64::from(places.count);
        self.push(start + end, size - end, PartContent::LastSymbols);
    }

    /// Adds the parts of `.strtab`, which has `size` bytes.
    fn names(&mut self, start: u64, size: u64, places: &SymbolPlaces) {
        self.push(start, 1, PartContent::FirstString);
        self.by_objects(start, |at| places.strings[at], PartContent::Strings);
        let end = places.strings[self.image.objects.end()];
        self.push(start + end, size - end, PartContent::LastStrings);
    }

    /// Replaces those parts from `first` on that have more than `most` bytes (those of a large
    /// object do) by the parts into which `cut` divides them.
    pub fn cut_large(&mut self, first: usize, most: u64, cut: impl Fn(&Part, &mut Self)) {
        if self.parts[first..].iter().all(|part| part.size <= most) {
            return;
        }
        for part in self.parts.split_off(first) {
            if part.size <= most {
                self.parts.push(part);
            } else {
                cut(&part, self);
            }
        }
    }
}
