//! Fills parts with the relocated content of input sections.

use super::copied_run::CopiedRun;
use super::parts::{Part, PartContent};
use super::unpack::Unpacker;
use crate::check::apply_failures;
use crate::format::elf::Rela;
use crate::layout::output_sections::{Content, OutputSection};
use crate::loops::thunks::Thunks;
use crate::machine::padding::Padding;
use crate::read::object_file::{InputSection, ObjectFile, SectionFlags};
use crate::read::rel_in_place::InPlace;
use crate::resolve::definitions::SectionId;
use crate::resolve::tables::Tables;
use crate::select::merge::{GroupId, Member};
use crate::synth::image::Image;
use crate::synth::patch::{Failure, Patch};
use crate::synth::shrinking::Shortened;
use crate::synth::unwind_index;
use skald_core::column::prefetch;
use skald_core::ids::IndexRange;
use skald_core::memory_limit;
use std::ops::Range;
use std::sync::Mutex;
use zerocopy::{FromZeros, IntoBytes};

/// The bytes of an input section are prefetched this many sections ahead of the loop.
const BYTES_AHEAD: usize = 4;
/// Sections whose ids differ by no more are, as a rule, near each other in one file.
const NEAR: u32 = 16;
/// How many pairs of neighbours in a part are sampled.
const SAMPLE: usize = 16;

/// Relocations of a debug section are read through a buffer if there are at least this many.
const READ_RELOCS_MIN: usize = 1 << 10;
/// How many relocations the buffer holds.
const READ_RELOCS: usize = 4 << 10;

/// Whether sections stand in another order than in their files, judged by a sample.
fn is_scattered(sections: &[SectionId]) -> bool {
    let pairs = sections.windows(2).step_by((sections.len() / SAMPLE).max(1));
    pairs.filter(|pair| pair[0].number().abs_diff(pair[1].number()) > NEAR).count() > SAMPLE / 2
}

/// The tables from which the content of input sections is made.
pub struct InputWriter<'a> {
    /// The frozen tables: sections have addresses. File offsets may still be missing.
    image: &'a Image<'a>,
    /// Whether relocations are applied; in a relocatable output they are kept.
    relocates: bool,
    /// Writes islands; sections that are not loaded have none.
    thunks: Option<&'static Thunks>,
    /// Decompresses sections of inputs.
    unpacker: Unpacker,
    /// Relocations of all parts so far that could not be applied.
    failures: Mutex<Vec<Failure>>,
}

impl<'a> InputWriter<'a> {
    /// A writer that has met no failure.
    pub fn new(image: &'a Image<'a>, thunks: Option<&'static Thunks>) -> InputWriter<'a> {
        let (unpacker, failures) = (Unpacker::default(), Mutex::default());
        InputWriter { image, relocates: true, thunks, unpacker, failures }
    }

    /// A writer that copies sections and applies no relocations.
    pub fn that_copies(image: &'a Image<'a>) -> InputWriter<'a> {
        InputWriter { relocates: false, ..InputWriter::new(image, None) }
    }

    /// Takes over the failures of one part.
    #[inline]
    pub fn note(&self, failures: &mut Vec<Failure>) {
        if !failures.is_empty() {
            self.append(failures);
        }
    }

    #[cold]
    fn append(&self, failures: &mut Vec<Failure>) {
        self.failures.lock().unwrap_or_else(|e| e.into_inner()).append(failures);
    }

    /// Reports sections that could not be decompressed or relocated.
    pub fn report(&self, tables: &Tables<'_>) {
        let failures = &mut *self.failures.lock().unwrap_or_else(|e| e.into_inner());
        let failures = std::mem::take(failures);
        self.unpacker.report(tables.objects, tables.definitions, tables.candidates, tables.diag);
        apply_failures::report(tables, self.image, failures);
    }

    /// Fills `out`, which has the size of the part, for a section that has no file offset yet.
    pub fn build(&self, part: &Part, out: &mut [u8]) {
        let mut failures = Vec::new();
        self.fill(&part.what, out, &mut failures);
        self.note(&mut failures);
    }

    /// Fills `out`, which has the size of the part `what` of an output section made of inputs.
    pub fn fill(&self, what: &PartContent, out: &mut [u8], failures: &mut Vec<Failure>) {
        match what {
            PartContent::Inputs { output, range } => {
                self.inputs(*output, range.clone(), out, failures);
            }
            PartContent::Window { section, window, relocs } => {
                self.window(*section, window.clone(), relocs.clone(), out, failures);
            }
            PartContent::Rewritten { output } => {
                let keeps_equal = self.image.keeps_unwind_entries;
                unwind_index::write(self.image, *output as usize, keeps_equal, out, failures);
            }
            PartContent::Island { output, island } => self.island(*output, *island, out),
            PartContent::Merged { group, range } => self.merged(*group, range.clone(), out),
            PartContent::MergedWindow { member, pieces, start } => {
                let member = &self.image.merged.members[*member];
                let pieces = pieces.wide();
                member.write(pieces, self.member_bytes(member), *start, out);
            }
            PartContent::MergedTails { group, range } => {
                self.merged_tails(*group, range.clone(), out)
            }
            PartContent::AddedStrings(group) => {
                out.copy_from_slice(&self.image.merged.groups[*group].added);
            }
            _ => unreachable!("all other parts are the linker's own"),
        }
    }

    fn inputs(&self, output: u32, range: Range<u32>, out: &mut [u8], failures: &mut Vec<Failure>) {
        let output = &self.image.outputs.at(output);
        let Content::Inputs { out: id, sections, .. } = &output.content else { return };
        let is_code = output.sh_flags & u64::from(object::elf::SHF_EXECINSTR) != 0;
        let machine = self.image.machine;
        let padding = if !is_code {
            Padding::ZERO
        } else if id.runs_through() || self.image.outputs.runs_through {
            machine.nop
        } else {
            machine.trap
        };
        let behind = |section: &InputSection| {
            if section.flags.has(SectionFlags::FALLS_THROUGH) { machine.nop } else { padding }
        };
        let sections = &sections[range.wide()];
        let Some(&first) = sections.first() else { return };
        if sections.len() == 1 && !memory_limit::is_held() {
            return self.only(first, padding, out, failures);
        }
        let start = self.image.address(first);
        // The processor's own prefetching covers sections that are read in file order.
        let scattered = is_scattered(sections);
        let mut cursor = 0usize;
        let mut padding = padding;
        let has_words = padding.is_of_words() || machine.nop.is_of_words();
        let mut copied = CopiedRun::new();
        let records = &self.image.definitions.sections;
        for (i, &id) in sections.iter().enumerate() {
            if let Some(&ahead) = sections.get(i + 2 * BYTES_AHEAD) {
                prefetch(&self.image.definitions.sections, ahead.index());
            }
            if scattered && let Some(&ahead) = sections.get(i + BYTES_AHEAD) {
                self.prefetch(ahead);
            }
            let section = &self.image.definitions.sections[id];
            let at = (self.image.address(id) - start) as usize;
            if cursor != at {
                padding.fill(&mut out[cursor..at], has_words);
            }
            cursor = at + section.size as usize;
            padding = behind(section);
            let out = &mut out[at..cursor];
            if let Some(copied) = &mut copied {
                let following = sections[i..].iter().map(|&id| &records[id]);
                copied.advance(&self.image.objects[section.object], section, following);
                if self.copied(id, section, copied, out, failures) {
                    continue;
                }
                self.image.objects[section.object].at_work();
            }
            self.section(id, section, out, failures);
        }
        padding.fill(&mut out[cursor..], has_words);
    }

    /// Fills a part that has one input section, with `padding` behind it.
    #[inline(never)]
    fn only(&self, id: SectionId, padding: Padding, out: &mut [u8], failures: &mut Vec<Failure>) {
        let section = &self.image.definitions.sections[id];
        let (own, gap) = out.split_at_mut(section.size as usize);
        self.section(id, section, own, failures);
        if !gap.is_empty() {
            let falls_through = section.flags.has(SectionFlags::FALLS_THROUGH);
            let padding = if falls_through { self.image.machine.nop } else { padding };
            padding.fill(gap, true);
        }
    }

    /// Fills a gap between parts with the pattern of a script or, in code, with no-operation
    /// instructions: code before the gap may fall through.
    pub fn hole(&self, output: u32, out: &mut [u8]) {
        let OutputSection { fill, .. } = self.image.outputs.at(output);
        if fill.is_empty() { self.image.machine.nop.fill(out, true) } else { repeat(fill, out) }
    }

    /// Turns the code of a part around (`--be8`).
    #[cold]
    pub fn turn_code(&self, what: &PartContent, out: &mut [u8]) {
        let (PartContent::Inputs { output, range }, Some(turn)) = (what, self.image.turn_code)
        else {
            return;
        };
        let Content::Inputs { sections, .. } = &self.image.outputs.at(*output).content else {
            return;
        };
        let sections = &sections[range.wide()];
        let start = sections.first().map_or(0, |&first| self.image.address(first));
        for &id in sections {
            let section = &self.image.definitions.sections[id];
            let at = (self.image.address(id) - start) as usize;
            if section.flags.has(SectionFlags::EXEC) {
                let end = at + section.size as usize;
                turn(self.image, id, &mut out[at..end]);
            }
        }
    }

    /// Fills the gaps between sections of a part with the pattern of a script (`=FILL`, `FILL`), if
    /// there is one. This is a pass of its own because the loop over sections has no register to
    /// spare.
    #[cold]
    pub fn fill_gaps(&self, what: &PartContent, out: &mut [u8]) {
        let PartContent::Inputs { output, range } = what else { return };
        let OutputSection { fill, content, .. } = self.image.outputs.at(*output);
        let Content::Inputs { sections, .. } = content else { return };
        if fill.is_empty() {
            return;
        }
        let sections = &sections[range.wide()];
        let start = sections.first().map_or(0, |&first| self.image.address(first));
        let mut cursor = 0;
        for &id in sections {
            let at = (self.image.address(id) - start) as usize;
            repeat(fill, &mut out[cursor..at]);
            cursor = at + self.image.definitions.sections[id].size as usize;
        }
        repeat(fill, &mut out[cursor..]);
    }

    /// Prefetches the first bytes and relocations of a section whose record is already in cache.
    #[inline(never)]
    fn prefetch(&self, id: SectionId) {
        let section = &self.image.definitions.sections[id];
        self.image.objects[section.object].prefetch(section);
        self.image.addresses.prefetch(id);
    }

    fn island(&self, output: u32, island: u32, out: &mut [u8]) {
        let output = &self.image.outputs.at(output);
        if let (Some(thunks), Content::Inputs { islands, .. }) = (self.thunks, &output.content) {
            let island = &islands[island as usize];
            thunks.write_island(self.image, island, output.address + island.offset, out);
        }
    }

    #[inline(always)]
    fn section(
        &self,
        id: SectionId,
        section: &InputSection,
        out: &mut [u8],
        failures: &mut Vec<Failure>,
    ) {
        let object = &self.image.objects[section.object];
        object.at_work_apart();
        let original = object.bytes(section);
        const OTHERS: u32 = SectionFlags::NOBITS | SectionFlags::COMPRESSED | SectionFlags::SHRINKS;
        if !section.flags.has(OTHERS) {
            object.copy(original, out);
        } else if section.flags.has(SectionFlags::NOBITS) {
            return out.fill(0);
        } else if section.flags.has(SectionFlags::SHRINKS) {
            return self.shortened(id, section, out, failures);
        } else {
            self.unpacker.copy(object, id, section, 0, out);
        }
        if section.flags.has(SectionFlags::REL_IN_PLACE) {
            let relocs = object.rel_in_place(section);
            return self.in_place(&self.patch(id, section, original, &[]), relocs, out, failures);
        }
        let relocs = object.relocs(section);
        if self.relocates && !relocs.is_empty() {
            let patch = self.patch(id, section, original, relocs);
            if section.flags.has(SectionFlags::ALLOC) || relocs.len() < READ_RELOCS_MIN {
                (self.image.apply)(self.image, &patch, out, failures);
            } else {
                self.apply_read(object, &patch, relocs, out, failures);
            }
        }
    }

    /// Applies relocations that stay in their file.
    #[inline(never)]
    fn in_place(
        &self,
        patch: &Patch<'_>,
        relocs: InPlace<'_>,
        out: &mut [u8],
        failures: &mut Vec<Failure>,
    ) {
        if self.relocates {
            let apply = self.image.apply_in_place;
            let apply = apply.expect("a machine with such relocations has it");
            apply(self.image, patch, relocs, out, failures);
        }
    }

    /// Writes a section that may lose bytes.
    #[cold]
    #[inline(never)]
    fn shortened(
        &self,
        id: SectionId,
        section: &InputSection,
        out: &mut [u8],
        failures: &mut Vec<Failure>,
    ) {
        let mut shortened = Shortened::default();
        shortened.take(self.image, id);
        let Shortened { bytes, relocs } = &shortened;
        out.copy_from_slice(bytes);
        let address = self.image.address(id);
        let patch =
            Patch { id, section, original: bytes, section_offset: 0, address, relocs, first: 0 };
        (self.image.apply)(self.image, &patch, out, failures);
    }

    /// The input of the machine's apply loop for a whole section.
    #[inline(always)]
    fn patch<'p>(
        &self,
        id: SectionId,
        section: &'p InputSection,
        original: &'p [u8],
        relocs: &'p [Rela],
    ) -> Patch<'p> {
        let address = self.image.address(id);
        Patch { id, section, original, section_offset: 0, address, relocs, first: 0 }
    }

    /// Writes a section from `copied` if that has its bytes; returns whether it had.
    #[inline(never)]
    fn copied(
        &self,
        id: SectionId,
        section: &InputSection,
        copied: &CopiedRun,
        out: &mut [u8],
        failures: &mut Vec<Failure>,
    ) -> bool {
        let copied = copied.bytes(section).zip(copied.relocs(section));
        let copied = copied.filter(|_| !section.flags.has(SectionFlags::SHRINKS));
        let Some((bytes, relocs)) = copied else { return false };
        self.image.objects[section.object].at_work_apart();
        out.copy_from_slice(bytes);
        if self.relocates && !relocs.is_empty() {
            (self.image.apply)(self.image, &self.patch(id, section, bytes, relocs), out, failures);
        }
        true
    }

    /// Applies the many relocations of a section of debug information. Nothing else reads them, so
    /// they are read through a buffer that stays in cache, instead of mapped pages.
    fn apply_read(
        &self,
        object: &ObjectFile,
        patch: &Patch<'_>,
        relocs: &'static [Rela],
        out: &mut [u8],
        failures: &mut Vec<Failure>,
    ) {
        let mut buffer = vec![Rela::new_zeroed(); READ_RELOCS.min(relocs.len())];
        let mut first = 0;
        for run in relocs.chunks(READ_RELOCS) {
            let buffer = &mut buffer[..run.len()];
            object.copy(run.as_bytes(), buffer.as_mut_bytes());
            (self.image.apply)(
                self.image,
                &Patch { relocs: buffer, first, ..*patch },
                out,
                failures,
            );
            first += run.len() as u32;
        }
    }

    fn window(
        &self,
        id: SectionId,
        window: Range<u64>,
        relocs: Range<u32>,
        out: &mut [u8],
        failures: &mut Vec<Failure>,
    ) {
        let section = &self.image.definitions.sections[id];
        let object = &self.image.objects[section.object];
        object.at_work();
        let original = object.bytes(section);
        if section.flags.has(SectionFlags::NOBITS) {
            return out.fill(0);
        }
        if section.flags.has(SectionFlags::COMPRESSED) {
            self.unpacker.copy(object, id, section, window.start, out);
        } else {
            object.copy(&original[window.wide()], out);
        }
        let patch = Patch {
            id,
            section,
            original,
            section_offset: window.start,
            address: self.image.address(id) + window.start,
            relocs: &[],
            first: relocs.start,
        };
        if section.flags.has(SectionFlags::REL_IN_PLACE) {
            let relocs = object.rel_in_place(section).part(relocs.wide());
            return self.in_place(&patch, relocs, out, failures);
        }
        let patch = Patch { relocs: &object.relocs(section)[relocs.wide()], ..patch };
        (self.image.apply)(self.image, &patch, out, failures);
    }

    fn merged(&self, group: GroupId, range: Range<u32>, out: &mut [u8]) {
        let merged = self.image.merged;
        let members = &merged.groups[group].members;
        let mut rest = out;
        for &at in &members[range.wide()] {
            let member = &merged.members[at];
            let (own, tail) = std::mem::take(&mut rest).split_at_mut(member.owned_size as usize);
            let pieces = 0..member.piece_count();
            member.write(pieces, self.member_bytes(member), member.owned_start, own);
            rest = tail;
        }
    }

    /// The bytes of the input section that became a member of a merged group.
    fn member_bytes(&self, member: &Member) -> &'static [u8] {
        let section = &self.image.definitions.sections[member.section];
        self.image.objects[section.object].bytes(section)
    }

    fn merged_tails(&self, group: GroupId, range: Range<u32>, out: &mut [u8]) {
        let merged = self.image.merged;
        out.fill(0);
        let tails = &merged.groups[group].tails[range.wide()];
        let start = tails.first().map_or(0, |tail| tail.0);
        for &(offset, member, piece) in tails {
            let member = &merged.members[member];
            let bytes = self.member_bytes(member);
            let piece = &bytes[member.piece_range(piece as usize, bytes.len() as u64)];
            let at = (offset - start) as usize;
            out[at..at + piece.len()].copy_from_slice(piece);
        }
    }
}

/// Fills a gap with a repeated pattern, or with zeros if the pattern is empty.
#[cold]
pub fn repeat(pattern: &[u8], gap: &mut [u8]) {
    if pattern.is_empty() {
        return gap.fill(0);
    }
    for chunk in gap.chunks_mut(pattern.len()) {
        chunk.copy_from_slice(&pattern[..chunk.len()]);
    }
}
