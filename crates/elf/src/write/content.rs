//! Filling one part of the output.

use super::headers;
use super::inputs::InputWriter;
use super::parts::{Part, PartContent};
use crate::format::elf::Ehdr;
use crate::layout::Synthetic;
use crate::layout::output_sections::CompressedId;
use crate::read::{ObjectId, Objects};
use crate::resolve::definitions::SectionId;
use crate::rewrite::words::{self, Word};
use crate::synth::emitted_relocs::RelocRun;
use crate::synth::image::Image;
use crate::synth::patch::Failure;
use crate::synth::section_names::SectionNames;
use crate::synth::sections::Plan;
use crate::synth::{attributes, header_flags};
use object::elf::ET_REL;
use skald_core::ids::{IdRange, IdSlice, IndexRange};
use skald_linking::packed::Packed;
use std::ops::Range;

/// The content that differs between an image and a relocatable output: `ImageContent` and
/// `JoinedContent` implement it.
pub trait OwnContent: Sync {
    /// Fills a part of the symbol table with symbols that are not of an object, or a part of a
    /// table that only this kind of output has.
    fn fill(&self, what: &PartContent, out: &mut [u8]);

    /// Fills a section of the linker that is a single part.
    fn whole(&self, which: Synthetic, out: &mut [u8]);

    /// Writes the kept local or global symbols of an object.
    fn symbols(&self, at: ObjectId, globals: bool, out: &mut [u8]);

    /// Writes the names of an object's symbols.
    fn names(&self, at: ObjectId, out: &mut [u8]);

    /// Writes relocations that stay in the file to `out`, which has exactly their size.
    fn relocations(&self, run: &RelocRun, out: &mut [u8]);

    /// Processes a part of input sections once their bytes are in place.
    fn finish_inputs(&self, what: &PartContent, out: &mut [u8], failures: &mut Vec<Failure>);
}

/// The tables that the content of the file is made from.
pub struct Writer<'a> {
    /// The frozen tables of the link: addresses, values, slots.
    pub image: &'a Image<'a>,
    /// Copies and relocates input sections.
    pub inputs: &'a InputWriter<'a>,
    /// The plan of every section that the linker makes.
    pub plan: &'a Plan,
    /// `e_type`: ET_EXEC, ET_DYN or ET_REL.
    pub file_type: u16,
    /// `EI_OSABI`.
    pub os_abi: u8,
    /// `e_entry`: the address of the entry symbol, 0 if there is none.
    pub entry: u64,
    /// `e_shoff`: file offset of the section header table.
    pub section_headers: u64,
    /// Names in section headers.
    pub names: &'a SectionNames,
    /// The compressed form of each output section that has one.
    pub compressed: &'a IdSlice<CompressedId, Packed>,
    /// Words that are written over all other content, by address.
    pub words: &'a [Word],
    /// Fills content that depends on the kind of output.
    pub own: &'a dyn OwnContent,
}

impl Writer<'_> {
    /// Fills `out`, which has the size of the part.
    pub fn fill(&self, part: &Part, out: &mut [u8]) {
        let mut failures = Vec::new();
        let encoding = self.image.encoding();
        match &part.what {
            PartContent::FileHeaders => self.file_header(out, self.section_headers),
            PartContent::Bytes(bytes) => out.copy_from_slice(bytes),
            PartContent::ProgramHeaders => {
                headers::write_program_headers(encoding, out, self.image.segments);
            }
            PartContent::SectionHeaders => {
                headers::write_section_headers(out, self.image.outputs, &self.names.offsets);
            }
            PartContent::Inputs { .. }
            | PartContent::Rewritten { .. }
            | PartContent::Window { .. }
            | PartContent::Island { .. }
            | PartContent::Merged { .. }
            | PartContent::MergedWindow { .. }
            | PartContent::MergedTails { .. }
            | PartContent::AddedStrings(_) => {
                self.inputs.fill(&part.what, out, &mut failures);
                self.own.finish_inputs(&part.what, out, &mut failures);
            }
            PartContent::Hole { output } => self.inputs.hole(*output, out),
            PartContent::Whole(which) => self.whole(*which, out),
            PartContent::Packed { section, piece } => {
                out.copy_from_slice(self.compressed[*section].piece(*piece));
            }
            PartContent::Cies(cies) => {
                let address = self.image.outputs.address_of(Synthetic::EhFrame);
                let cies = cies.clone();
                self.plan.eh_frame.write_cies(self.image, cies, address, out, &mut failures);
                self.own.finish_inputs(&part.what, out, &mut failures);
            }
            PartContent::Fdes(objects) => {
                self.fdes(objects.clone(), out, &mut failures);
                self.own.finish_inputs(&part.what, out, &mut failures);
            }
            PartContent::SomeFdes(run) => {
                let address = self.image.outputs.address_of(Synthetic::EhFrame);
                self.plan.eh_frame.write_run(self.image, run, address, out, &mut failures);
                self.own.finish_inputs(&part.what, out, &mut failures);
            }
            PartContent::EmittedRelocs { out: id, range } => {
                let sections = self.plan.emitted.inputs_of(*id).unwrap_or_default();
                self.relocations_of(&sections[range.wide()], out);
            }
            PartContent::SomeEmittedRelocs { .. }
            | PartContent::EmittedCieRelocs
            | PartContent::EmittedFdeRelocs(_)
            | PartContent::SomeEmittedFdeRelocs(_) => {
                self.emitted_relocs(&part.what, out);
            }
            PartContent::LocalSymbols(objects) => self.symbols(false, objects, out),
            PartContent::GlobalSymbols(objects) => self.symbols(true, objects, out),
            PartContent::FirstString => out.fill(0),
            PartContent::Strings(objects) => self.names(objects, out),
            _ => self.own.fill(&part.what, out),
        }
        if self.image.turn_code.is_some() {
            self.inputs.turn_code(&part.what, out);
        }
        if self.image.outputs.is_scripted {
            self.inputs.fill_gaps(&part.what, out);
        }
        if !self.words.is_empty() {
            words::put(self.words, part.file_offset, out);
        }
        self.inputs.note(&mut failures);
    }

    /// Fills the file header, and the program headers if `out` has room for them; `section_headers`
    /// is `e_shoff`.
    pub fn file_header(&self, out: &mut [u8], section_headers: u64) {
        let mut header = Ehdr::of_machine(self.image.machine, self.file_type, self.os_abi);
        let machine = self.image.machine;
        let mut joined = header_flags::joined(machine, self.image.objects);
        if self.file_type != ET_REL {
            joined &= !machine.linking_flags;
        }
        header.set_e_flags(joined | self.image.described.header_flags);
        headers::write_file_headers(
            out,
            header,
            self.image.segments,
            self.image.outputs,
            self.entry,
            section_headers,
        );
    }

    /// Writes the relocations of whole input sections, which stay in the file.
    fn relocations_of(&self, sections: &[SectionId], out: &mut [u8]) {
        let image = self.image;
        let size = image.machine.reloc_kind.entry_size(image.machine.class) as usize;
        let mut rest = out;
        for &section in sections {
            let count = image.definitions.sections[section].rel_count as usize;
            let (own, tail) = std::mem::take(&mut rest).split_at_mut(size * count);
            let run = RelocRun { section, relocs: 0..count, address: image.address(section) };
            self.own.relocations(&run, own);
            rest = tail;
        }
    }

    /// Writes relocations of a part of an input section, or of unwind records, which stay in the
    /// file.
    fn emitted_relocs(&self, what: &PartContent, out: &mut [u8]) {
        let image = self.image;
        // A closure, because it walks over all output sections: called only where it is needed.
        let frames = || image.outputs.address_of(Synthetic::EhFrame);
        let runs: Vec<RelocRun> = match what {
            PartContent::SomeEmittedRelocs { section, relocs } => {
                let (section, relocs) = (*section, relocs.wide());
                vec![RelocRun { section, relocs, address: image.address(section) }]
            }
            PartContent::EmittedCieRelocs => self.plan.eh_frame.cie_relocs(image, frames()),
            PartContent::EmittedFdeRelocs(objects) => {
                let frames = frames();
                let of_object = |at| self.plan.eh_frame.fde_relocs(image, at, frames);
                objects.clone().ids().flat_map(of_object).collect()
            }
            PartContent::SomeEmittedFdeRelocs(run) => {
                self.plan.eh_frame.relocs_of_run(image, run, frames())
            }
            _ => unreachable!("all other parts are filled by `fill`"),
        };
        let size = image.machine.reloc_kind.entry_size(image.machine.class) as usize;
        let mut rest = out;
        for run in runs {
            let (own, tail) = std::mem::take(&mut rest).split_at_mut(size * run.relocs.len());
            self.own.relocations(&run, own);
            rest = tail;
        }
    }

    fn fdes(&self, objects: Range<ObjectId>, out: &mut [u8], failures: &mut Vec<Failure>) {
        let plan = &self.plan.eh_frame;
        let address = self.image.outputs.address_of(Synthetic::EhFrame);
        let mut rest = out;
        for at in objects.clone().ids() {
            let size = (plan.object_offsets[at + 1] - plan.object_offsets[at]) as usize;
            let (own, tail) = std::mem::take(&mut rest).split_at_mut(size);
            plan.write_object(self.image, at, address, own, failures);
            rest = tail;
        }
    }

    fn symbols(&self, globals: bool, objects: &Range<ObjectId>, out: &mut [u8]) {
        let Some(symtab) = &self.plan.symtab else { return };
        let size = |at| symtab.entry_size() as usize * symtab.list(globals, at).len();
        let fill = |at, out: &mut [u8]| self.own.symbols(at, globals, out);
        each_object(self.image.objects, objects, out, size, fill);
    }

    fn names(&self, objects: &Range<ObjectId>, out: &mut [u8]) {
        let Some(symtab) = &self.plan.symtab else { return };
        let size = |at: ObjectId| symtab.objects[at].string_size as usize;
        each_object(self.image.objects, objects, out, size, |at, out| self.own.names(at, out));
    }

    fn whole(&self, which: Synthetic, out: &mut [u8]) {
        let plan = self.plan;
        match which {
            Synthetic::BuildId => {
                plan.build_id
                    .iter()
                    .for_each(|note| note.write(self.image.machine.byte_order, out));
            }
            Synthetic::Attributes => {
                out.copy_from_slice(plan.attributes.as_deref().unwrap_or_default());
            }
            Synthetic::Loaded0 | Synthetic::Loaded1 | Synthetic::Loaded2 => {
                let parts = plan.loaded_attributes.iter().filter(|part| part.kind == which);
                parts.for_each(|part| attributes::write_loaded(self.image, part, out));
            }
            Synthetic::DebugWord => out.fill(0),
            Synthetic::Property => plan.property.iter().for_each(|note| note.write(out)),
            Synthetic::ShStrTab => self.names.table.write(out),
            Synthetic::EhFrame
            | Synthetic::SymTab
            | Synthetic::StrTab
            | Synthetic::Compressed(_)
            | Synthetic::EmitRelocs(_) => unreachable!("written in parts"),
            which => self.own.whole(which, out),
        }
    }
}

/// Cuts `out` into pieces of the sizes that objects have, and fills each.
fn each_object(
    all: &Objects,
    objects: &Range<ObjectId>,
    out: &mut [u8],
    size: impl Fn(ObjectId) -> usize,
    fill: impl Fn(ObjectId, &mut [u8]),
) {
    let mut rest = out;
    for at in objects.clone().ids() {
        all[at].at_work();
        let (own, tail) = std::mem::take(&mut rest).split_at_mut(size(at));
        fill(at, own);
        rest = tail;
    }
}
