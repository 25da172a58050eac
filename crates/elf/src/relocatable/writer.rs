//! Filling one part of the file.

use super::frames::FrameRecord;
use super::groups::Groups;
use super::notes::Notes;
use super::parts::ObjectPart;
use super::relocations::Relocations;
use super::sections::Stretch;
use crate::format::elf::Ehdr;
use crate::layout::output_sections::OutputGroupId;
use crate::layout::segments::FileEnd;
use crate::layout::{Content, OutputSection, Synthetic};
use crate::machine::Machine;
use crate::machine::padding::Padding;
use crate::read::ObjectId;
use crate::read::object_file::{InputSection, SectionFlags};
use crate::resolve::definitions::SectionId;
use crate::synth::build_id::BuildIdNote;
use crate::write::headers;
use crate::write::unpack::Unpacker;
use object::elf::{
    ELFOSABI_GNU, ELFOSABI_NONE, ET_REL, SHF_EXECINSTR, SHF_GNU_MBIND, SHF_GNU_RETAIN,
};
use skald_core::ids::{Id, IdRange, IndexRange};
use skald_linking::spans::Part;
use std::ops::Range;

/// The tables that the content of the file is made from.
pub struct Writer<'a> {
    /// For padding between code and for `e_machine`.
    pub machine: &'static Machine,
    /// `EI_OSABI` of another system; `None` where the content decides.
    pub os_abi: Option<u8>,
    /// What rewrites relocations, with the tables of the link.
    pub relocations: &'a Relocations<'a>,
    /// Section groups, whose contents are lists of section header indices.
    pub groups: &'a Groups,
    /// `.note.gnu.property` and `.note.GNU-stack` of the output.
    pub notes: &'a Notes,
    /// `None` without `--build-id`.
    pub build_id: Option<BuildIdNote>,
    /// Bytes of `.llvm_addrsig`, if the output has one.
    pub addresses: &'a [u8],
    /// Decompresses sections of inputs.
    pub unpacker: &'a Unpacker,
    /// Where section headers, names and the file end.
    pub end: FileEnd,
}

impl Writer<'_> {
    /// Fills `out`, which has the size of the part.
    pub fn fill(&self, part: &Part<ObjectPart>, out: &mut [u8]) {
        let joined = self.relocations.joined;
        let symbols = self.relocations.symbols;
        let frames = self.relocations.frames;
        match &part.what {
            ObjectPart::FileHeader => self.file_header(out),
            ObjectPart::SectionHeaders => {
                headers::write_section_headers(out, &joined.outputs, &joined.names.offsets);
            }
            ObjectPart::Whole(which) => self.whole(*which, out),
            ObjectPart::Packed { section, piece } => {
                out.copy_from_slice(joined.compressed[*section].piece(*piece));
            }
            ObjectPart::Inputs { output, range } => self.inputs(*output, range.clone(), out),
            ObjectPart::Window { section, window } => {
                let record = &self.relocations.definitions.sections[*section];
                self.copy(*section, record, window.clone(), out);
            }
            ObjectPart::Stretch { output, stretch, window } => {
                self.stretch(*output, *stretch, window.start, out);
            }
            ObjectPart::SomeRelocations { section, relocs } => {
                let relocs = relocs.wide();
                self.relocations.write_some(*section, relocs, out);
            }
            ObjectPart::Relocations { out: target, range } => {
                let inputs = joined.emitted.inputs_of(*target).unwrap_or_default();
                self.input_relocations(&inputs[range.wide()], out);
            }
            ObjectPart::Cies(cies) => {
                let cies = cies.clone();
                self.records(frames.cies_among(cies), out);
            }
            ObjectPart::Fdes(objects) => {
                self.records(objects.clone().ids().flat_map(|at| frames.fdes(at)), out);
            }
            ObjectPart::SomeFdes(run) => self.records(frames.fdes_of_run(run), out),
            ObjectPart::FramesEnd | ObjectPart::FirstString => out.fill(0),
            ObjectPart::CieRelocations => self.record_relocations(frames.cies(), out),
            ObjectPart::FdeRelocations(objects) => {
                let records = objects.clone().ids().flat_map(|at| frames.fdes(at));
                self.record_relocations(records, out);
            }
            ObjectPart::SomeFdeRelocations(run) => {
                self.record_relocations(frames.fdes_of_run(run), out);
            }
            ObjectPart::FirstSymbols => symbols.write_first(out),
            ObjectPart::LocalSymbols(objects) => self.symbols(false, objects, out),
            ObjectPart::GlobalSymbols(objects) => self.symbols(true, objects, out),
            ObjectPart::SomeSymbols(run) => symbols.write_run(run, out),
            ObjectPart::LastSymbols => symbols.write_extra(out),
            ObjectPart::Strings(objects) => {
                let size = |at| symbols.strings_of(at + 1) - symbols.strings_of(at);
                each(objects.clone().ids(), out, size, |at, out| symbols.write_strings(at, out));
            }
            ObjectPart::SomeStrings(run) => symbols.write_strings_of_run(run, out),
            ObjectPart::LastStrings => symbols.write_extra_strings(out),
        }
    }

    fn file_header(&self, out: &mut [u8]) {
        let outputs = &self.relocations.joined.outputs;
        let gnu_flags = u64::from(SHF_GNU_RETAIN | SHF_GNU_MBIND);
        let has_gnu = self.relocations.symbols.has_gnu_symbols()
            || outputs.sections.iter().any(|section| section.sh_flags & gnu_flags != 0);
        let of_content = if has_gnu { ELFOSABI_GNU } else { ELFOSABI_NONE };
        let os_abi = self.os_abi.unwrap_or(of_content);
        let header = Ehdr::of_machine(self.machine, ET_REL, os_abi);
        let section_headers = self.end.section_headers;
        headers::write_file_headers(out, header, &[], outputs, 0, section_headers);
    }

    fn symbols(&self, globals: bool, objects: &Range<ObjectId>, out: &mut [u8]) {
        let symbols = self.relocations.symbols;
        let count = |at| symbols.first_of(globals, at + 1) - symbols.first_of(globals, at);
        let size = |at| 24 * u64::from(count(at));
        each(objects.clone().ids(), out, size, |at, out| symbols.write_object(globals, at, out));
    }

    fn whole(&self, which: Synthetic, out: &mut [u8]) {
        match which {
            Synthetic::Group(index) => self.group(index, out),
            Synthetic::BuildId => self.build_id.iter().for_each(|note| note.write(out)),
            Synthetic::Property => self.notes.property.iter().for_each(|note| note.write(out)),
            Synthetic::SymTabShndx => self.relocations.symbols.write_indices(out),
            Synthetic::ShStrTab => self.relocations.joined.names.table.write(out),
            Synthetic::AddressTable => out.copy_from_slice(self.addresses),
            Synthetic::StackNote => out.fill(0),
            _ => unreachable!("of images, or written in parts"),
        }
    }

    fn group(&self, index: OutputGroupId, out: &mut [u8]) {
        let group = &self.groups.list[index];
        let joined = self.relocations.joined;
        let headers = group.members.iter().flat_map(|&member| joined.headers_of(member));
        let words = std::iter::once(group.flags).chain(headers);
        for (slot, word) in out.chunks_exact_mut(4).zip(words) {
            slot.copy_from_slice(&word.to_le_bytes());
        }
    }

    /// Writes the input sections that `range` counts, with the padding between them.
    pub fn inputs(&self, output: u32, range: Range<u32>, out: &mut [u8]) {
        let joined = self.relocations.joined;
        let output = joined.outputs.at(output);
        let padding = self.padding(output);
        let Content::Inputs { sections, .. } = &output.content else { return };
        let ids = &sections[range.wide()];
        let Some(&first) = ids.first() else { return };
        // The first input section may ask for an alignment, but its offset is zero anyway.
        let start = joined.offsets[first];
        let mut cursor = 0;
        for &id in ids {
            let section = &self.relocations.definitions.sections[id];
            let at = (joined.offsets[id] - start) as usize;
            padding.fill(&mut out[cursor..at], true);
            cursor = at + section.size as usize;
            self.copy(id, section, 0..section.size, &mut out[at..cursor]);
            self.end_no_list(section, &mut out[at..cursor]);
        }
        padding.fill(&mut out[cursor..], true);
    }

    fn padding(&self, output: &OutputSection) -> Padding {
        let is_code = output.sh_flags & u64::from(SHF_EXECINSTR) != 0;
        if is_code { self.machine.nop } else { Padding::ZERO }
    }

    /// Fills `out` with the bytes of a stretch of an output section, from offset `start` in it.
    fn stretch(&self, output: u32, number: usize, start: u64, out: &mut [u8]) {
        let output = self.relocations.joined.outputs.at(output);
        let Content::Inputs { out: id, .. } = &output.content else { return };
        let stretch: &Stretch = &self.relocations.joined.stretches[id][number];
        if stretch.pattern.is_empty() {
            return self.padding(output).fill(out, true);
        }
        let phase = start % stretch.pattern.len() as u64;
        let pattern = stretch.pattern.iter().cycle().skip(phase as usize);
        out.iter_mut().zip(pattern).for_each(|(byte, own)| *byte = *own);
    }

    fn copy(&self, id: SectionId, section: &InputSection, window: Range<u64>, out: &mut [u8]) {
        if section.flags.has(SectionFlags::NOBITS | SectionFlags::COMMON) {
            return out.fill(0);
        }
        let object = &self.relocations.objects[section.object];
        object.at_work();
        if section.flags.has(SectionFlags::COMPRESSED) {
            return self.unpacker.copy(object, id, section, window.start, out);
        }
        let bytes = object.bytes(section);
        object.copy(&bytes[window.wide()], out);
    }

    /// Two zero words end a list of `.debug_ranges` and `.debug_loc`, so the range of a section
    /// that is left out is filled with ones.
    fn end_no_list(&self, section: &InputSection, out: &mut [u8]) {
        if section.flags.has(SectionFlags::ALLOC | SectionFlags::COMMON) {
            return;
        }
        let object = &self.relocations.objects[section.object];
        let name = object.section_name(section.shndx);
        if !is_list_of_ranges(name) {
            return;
        }
        for reloc in object.relocs(section) {
            if self.relocations.is_gone(section.object, reloc) {
                let at = reloc.r_offset() as usize;
                if let Some(field) = out.get_mut(at..at.saturating_add(8)) {
                    field.copy_from_slice(&1u64.to_le_bytes());
                }
            }
        }
    }

    fn input_relocations(&self, ids: &[SectionId], out: &mut [u8]) {
        let count =
            |id: SectionId| 24 * u64::from(self.relocations.definitions.sections[id].rel_count);
        each(ids.iter().copied(), out, count, |id, out| self.relocations.write_section(id, out));
    }

    fn records(&self, records: impl Iterator<Item = FrameRecord>, out: &mut [u8]) {
        let mut rest = out;
        for record in records {
            let (own, tail) = std::mem::take(&mut rest).split_at_mut(record.size as usize);
            self.relocations.frames.write(&record, own);
            rest = tail;
        }
    }

    fn record_relocations(&self, records: impl Iterator<Item = FrameRecord>, out: &mut [u8]) {
        let mut rest = out;
        for record in records {
            let (own, tail) = std::mem::take(&mut rest).split_at_mut(24 * record.relocs.len());
            self.relocations.write_record(&record, own);
            rest = tail;
        }
    }
}

/// Whether two zero words end a list in the section called `name`.
pub(super) fn is_list_of_ranges(name: &[u8]) -> bool {
    matches!(name, b".debug_ranges" | b".debug_loc")
}

/// Cuts `out` into pieces of the sizes that `ids` have, and writes each.
fn each<I: Id>(
    ids: impl Iterator<Item = I>,
    out: &mut [u8],
    size: impl Fn(I) -> u64,
    write: impl Fn(I, &mut [u8]),
) {
    let mut rest = out;
    for at in ids {
        let (own, tail) = std::mem::take(&mut rest).split_at_mut(size(at) as usize);
        write(at, own);
        rest = tail;
    }
}
