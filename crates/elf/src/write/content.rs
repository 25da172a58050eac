//! Filling one part of the output.

use super::copied_run::CopiedRun;
use super::headers;
use super::packed::Packed;
use super::parts::{Part, PartContent};
use super::unpack::Unpacker;
use crate::arch::padding::Padding;
use crate::arch::patch::{Failure, Patch};
use crate::format::elf::Rela;
use crate::layout::output_sections::{CompressedId, Content};
use crate::layout::{Synthetic, memory_binding, statements};
use crate::read::ObjectId;
use crate::read::object_file::{InputSection, ObjectFile, SectionFlags};
use crate::resolve::definitions::{SectionId, attr};
use crate::rewrite::words::{self, Word};
use crate::select::merge::{GroupId, Member};
use crate::synth::eh_frame_hdr::{EhFrameHdr, Rows};
use crate::synth::emitted_relocs::{Emitter, RelocRun, SymbolIndices};
use crate::synth::image::Image;
use crate::synth::relr::Relr;
use crate::synth::sections::Plan;
use crate::synth::{dynamic_section, got_plt, symtab_shndx};
use skald_core::column::prefetch;
use skald_core::diag::Diag;
use skald_core::ids::{IdRange, IdSlice, IndexRange};
use skald_core::names::NameId;
use std::ops::Range;
use std::sync::Mutex;
use zerocopy::{FromZeros, IntoBytes};

/// So many sections before its turn the bytes of a section are brought.
const BYTES_AHEAD: usize = 4;
/// Sections whose numbers differ by no more are near each other in their file, as a rule.
const NEAR: u32 = 16;
/// Pairs of a part's sections that are looked at.
const SAMPLE: usize = 16;

/// So many relocations of a debug section are read through a buffer,
const READ_RELOCS_MIN: usize = 1 << 10;
/// so many at a time.
const READ_RELOCS: usize = 4 << 10;

/// Whether sections stand in another order than in their files, by a sample.
fn is_scattered(sections: &[SectionId]) -> bool {
    let pairs = sections.windows(2).step_by((sections.len() / SAMPLE).max(1));
    pairs.filter(|pair| pair[0].number().abs_diff(pair[1].number()) > NEAR).count() > SAMPLE / 2
}

/// What the file's content is made from.
pub struct Writer<'a> {
    /// The output.
    pub image: &'a Image<'a>,
    /// What the linker adds.
    pub plan: &'a Plan,
    /// `e_type`.
    pub file_type: u16,
    /// `e_entry`.
    pub entry: u64,
    /// Offset of the section headers.
    pub section_headers: u64,
    /// Offsets of section names in `.shstrtab`.
    pub section_names: &'a [u32],
    /// `.shstrtab`.
    pub shstrtab: &'a skald_base::string_table::StringTable,
    /// `.dynamic`.
    pub dynamic: &'a [(u64, u64)],
    /// `.rela.dyn` after the relative relocations.
    pub other_relocs: &'a [[u8; 24]],
    /// Relocations of `.rela.plt` have the addresses of PLT entries as addends.
    pub marks_plt: bool,
    /// `.relr.dyn` places.
    pub packed: &'a [u64],
    /// The sections that are compressed.
    pub compressed: &'a IdSlice<CompressedId, Packed>,
    /// Sections of inputs that are compressed.
    pub unpacker: &'a Unpacker,
    /// Where symbols are in `.symtab`, for `--emit-relocs`.
    pub symbol_indices: &'a SymbolIndices,
    /// Relocations that could not be applied.
    pub failures: &'a Mutex<Vec<Failure>>,
    /// Dynamic relocations, if they are not an array of Elf64_Rela.
    pub reloc_table: &'a [u8],
    /// Fields to write over the rest, sorted.
    pub words: &'a [Word],
    /// Other errors.
    pub diag: &'a Diag,
}

impl Writer<'_> {
    /// Fills `out`, which is exactly the part.
    pub fn fill(&self, part: &Part, out: &mut [u8]) {
        let mut failures = Vec::new();
        match &part.what {
            PartContent::FileHeaders => headers::write_file_headers(
                out,
                self.image.target.file_header(self.file_type, self.os_abi()),
                self.image.segments,
                self.image.outputs,
                self.entry,
                self.section_headers,
            ),
            PartContent::ProgramHeaders => headers::write_program_headers(out, self.image.segments),
            PartContent::SectionHeaders => {
                headers::write_section_headers(out, self.image.outputs, self.section_names);
            }
            PartContent::Inputs { output, range } => {
                self.inputs(*output, range.clone(), out, &mut failures);
            }
            PartContent::Window { section, window, relocs } => {
                self.window(*section, window.clone(), relocs.clone(), out, &mut failures);
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
            PartContent::Whole(which) => self.whole(*which, out),
            PartContent::Packed { section, piece } => {
                out.copy_from_slice(self.compressed[*section].piece(*piece));
            }
            PartContent::RelativeRelocs(range) => {
                let range = range.wide();
                self.plan.relocs.write_sections(self.image, &self.plan.eh_frame, range, out);
            }
            PartContent::OtherRelocs => out.copy_from_slice(self.other_relocs.as_flattened()),
            PartContent::Cies(cies) => {
                let address = self.image.outputs.address_of(Synthetic::EhFrame);
                let cies = cies.clone();
                self.plan.eh_frame.write_cies(self.image, cies, address, out, &mut failures);
            }
            PartContent::Fdes(objects) => self.fdes(objects.clone(), out, &mut failures),
            PartContent::EhFrameEnd => {
                let address = self.image.outputs.address_of(Synthetic::EhFrame);
                self.report(self.plan.eh_frame.write_end(self.image, address, out));
            }
            PartContent::EmittedRelocs { .. }
            | PartContent::EmittedCieRelocs
            | PartContent::EmittedFdeRelocs(_) => {
                self.emitted_relocs(&part.what, out);
            }
            _ => self.symbols(&part.what, out),
        }
        if !self.words.is_empty() {
            words::put(self.words, part.file_offset, out);
        }
        if !failures.is_empty() {
            self.failures.lock().unwrap_or_else(|e| e.into_inner()).append(&mut failures);
        }
    }

    /// GNU's, as for GNU ld, where a symbol asks the loader for more than the gABI has:
    /// STB_GNU_UNIQUE, STT_GNU_IFUNC and SHF_GNU_MBIND.
    fn os_abi(&self) -> u8 {
        let is_special = |&name: &NameId| {
            let global = self.image.definitions.globals[name];
            let is_unique = global.has(attr::UNIQUE) && !self.image.no_unique;
            global.has(attr::DEFINED) && (is_unique || global.has(attr::IFUNC))
        };
        let relocs = &self.plan.relocs;
        let is_bound = self.image.outputs.sections.iter().any(memory_binding::is_bound);
        if relocs.resolved_count() != 0
            || is_bound
            || self.plan.symbols.names.iter().any(is_special)
            || relocs.resolves_in_sections(self.image.definitions)
        {
            object::elf::ELFOSABI_GNU
        } else {
            object::elf::ELFOSABI_NONE
        }
    }

    /// `--emit-relocs`.
    fn emitted_relocs(&self, what: &PartContent, out: &mut [u8]) {
        let image = self.image;
        // A walk over all sections, which most parts need not make.
        let frames = || image.outputs.address_of(Synthetic::EhFrame);
        let runs: Vec<RelocRun> = match what {
            PartContent::EmittedRelocs { out, range } => {
                let sections = self.plan.emitted.inputs_of(*out).unwrap_or_default();
                sections[range.wide()]
                    .iter()
                    .map(|&section| RelocRun {
                        section,
                        relocs: 0..image.definitions.sections[section].rel_count as usize,
                        address: image.address(section),
                    })
                    .collect()
            }
            PartContent::EmittedCieRelocs => self.plan.eh_frame.cie_relocs(image, frames()),
            PartContent::EmittedFdeRelocs(objects) => {
                let frames = frames();
                let of_object = |at| self.plan.eh_frame.fde_relocs(image, at, frames);
                objects.clone().ids().flat_map(of_object).collect()
            }
            _ => unreachable!("all other parts are filled by `fill`"),
        };
        let emitter = Emitter { image, indices: self.symbol_indices };
        let mut rest = out;
        for run in runs {
            let (own, tail) = std::mem::take(&mut rest).split_at_mut(24 * run.relocs.len());
            emitter.write(&run, own);
            rest = tail;
        }
    }

    fn symbols(&self, what: &PartContent, out: &mut [u8]) {
        let Some(symtab) = &self.plan.symtab else { return };
        let image = self.image;
        let each = |objects: &Range<ObjectId>,
                    out: &mut [u8],
                    size: &dyn Fn(ObjectId) -> usize,
                    write: &dyn Fn(ObjectId, &mut [u8])| {
            let mut rest = out;
            for at in objects.clone().ids() {
                image.objects[at].at_work();
                let (own, tail) = std::mem::take(&mut rest).split_at_mut(size(at));
                write(at, own);
                rest = tail;
            }
        };
        match what {
            PartContent::FirstSymbols => {
                symtab.write_first(image, out);
            }
            PartContent::LocalSymbols(objects) => {
                each(objects, out, &|at| 24 * symtab.objects[at].locals.len(), &|at, out| {
                    symtab.write_locals(image, at, out)
                })
            }
            PartContent::GlobalSymbols(objects) => {
                each(objects, out, &|at| 24 * symtab.objects[at].globals.len(), &|at, out| {
                    symtab.write_globals(image, at, out)
                })
            }
            PartContent::LastSymbols => {
                let locals: usize = symtab.extra_locals.iter().map(|e| e.text.len() + 1).sum();
                let strings = symtab.extra_strings + locals as u32;
                symtab.write_extra(image, &symtab.extra_globals, strings, out);
            }
            PartContent::FirstString => out.fill(0),
            PartContent::Strings(objects) => {
                each(objects, out, &|at| symtab.objects[at].string_size as usize, &|at, out| {
                    symtab.write_strings(image, at, out)
                })
            }
            PartContent::LastStrings => symtab.write_extra_strings(out),
            _ => unreachable!("all other parts are filled by `fill`"),
        }
    }

    fn inputs(&self, output: u32, range: Range<u32>, out: &mut [u8], failures: &mut Vec<Failure>) {
        let output = &self.image.outputs.at(output);
        let Content::Inputs { out: id, sections, .. } = &output.content else { return };
        let is_code = output.sh_flags & u64::from(object::elf::SHF_EXECINSTR) != 0;
        let target = self.image.target;
        let padding = match is_code {
            true if statements::runs_through(*id) => target.nop,
            true => target.trap,
            false => Padding::ZERO,
        };
        let behind = |section: &InputSection| match section.flags.has(SectionFlags::FALLS_THROUGH) {
            true => target.nop,
            false => padding,
        };
        let sections = &sections[range.wide()];
        let Some(&first) = sections.first() else { return };
        let start = self.image.address(first);
        // What is read in its order the processor brings by itself.
        let scattered = is_scattered(sections);
        let mut cursor = 0usize;
        let mut padding = padding;
        let has_words = padding.is_of_words() || target.nop.is_of_words();
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

    /// Brings the beginning of what will be read of a section whose record is near.
    #[inline(never)]
    fn prefetch(&self, id: SectionId) {
        let section = &self.image.definitions.sections[id];
        self.image.objects[section.object].prefetch(section);
        self.image.addresses.prefetch(id);
    }

    fn island(&self, output: u32, island: u32, out: &mut [u8]) {
        let output = &self.image.outputs.at(output);
        if let Content::Inputs { islands, .. } = &output.content {
            let island = &islands[island as usize];
            (self.image.target.thunks.write)(
                out,
                output.address + island.offset,
                &island.destinations,
            );
        }
    }

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
        if !section.flags.has(SectionFlags::NOBITS | SectionFlags::COMPRESSED) {
            object.copy(original, out);
        } else if section.flags.has(SectionFlags::NOBITS) {
            return out.fill(0);
        } else {
            self.unpacker.copy(object, id, section, 0, out);
        }
        let relocs = object.relocs(section);
        if !relocs.is_empty() {
            let patch = self.patch(id, section, original, relocs);
            if section.flags.has(SectionFlags::ALLOC) || relocs.len() < READ_RELOCS_MIN {
                (self.image.target.apply)(self.image, &patch, out, failures);
            } else {
                self.apply_read(object, &patch, relocs, out, failures);
            }
        }
    }

    /// All of a section.
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

    /// A section that was copied before. Returns whether it was.
    #[inline(never)]
    fn copied(
        &self,
        id: SectionId,
        section: &InputSection,
        copied: &CopiedRun,
        out: &mut [u8],
        failures: &mut Vec<Failure>,
    ) -> bool {
        let Some((bytes, relocs)) = copied.bytes(section).zip(copied.relocs(section)) else {
            return false;
        };
        self.image.objects[section.object].at_work_apart();
        out.copy_from_slice(bytes);
        if !relocs.is_empty() {
            (self.image.target.apply)(
                self.image,
                &self.patch(id, section, bytes, relocs),
                out,
                failures,
            );
        }
        true
    }

    /// Applies the many relocations of a section of debug information. Nothing else reads them, so
    /// they come through a buffer that stays in cache instead of pages that would be mapped.
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
            (self.image.target.apply)(
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
            relocs: &object.relocs(section)[relocs.wide()],
            first: relocs.start,
        };
        (self.image.target.apply)(self.image, &patch, out, failures);
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

    /// The bytes of a member's section.
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

    fn whole(&self, which: Synthetic, out: &mut [u8]) {
        let image = self.image;
        let plan = self.plan;
        let symbols = &plan.symbols;
        match which {
            Synthetic::Interp => out.copy_from_slice(plan.interp.as_deref().unwrap_or_default()),
            Synthetic::BuildId => plan.build_id.iter().for_each(|note| note.write(out)),
            Synthetic::Property => plan.property.iter().for_each(|note| note.write(out)),
            Synthetic::Package => plan.package.iter().for_each(|note| note.write(out)),
            Synthetic::Hash => symbols.sysv_hash.iter().for_each(|hash| hash.write(out)),
            Synthetic::GnuHash => {
                symbols.gnu_hash.iter().for_each(|hash| hash.write(out, symbols.first_hashed));
            }
            Synthetic::DynSym => symbols.write(image, out),
            Synthetic::DynStr => symbols.strings.write(out),
            Synthetic::Versym => symbols.versym.iter().for_each(|v| v.write(out)),
            Synthetic::Verdef => {
                symbols.verdef.iter().for_each(|v| v.write(out));
            }
            Synthetic::Verneed => {
                symbols.verneed.iter().for_each(|v| v.write(out));
            }
            Synthetic::RelrDyn => Relr::new(self.packed).write(out),
            Synthetic::RelaPlt => {
                let entries = plan.relocs.plt(image, symbols, self.marks_plt);
                plan.reloc_form.write_plt(entries, out);
            }
            Synthetic::RelaDyn => out.copy_from_slice(self.reloc_table),
            Synthetic::Plt => self.report(got_plt::write_plt(image, out)),
            Synthetic::PltGot => self.report(got_plt::write_direct_plt(image, out)),
            Synthetic::Got => got_plt::write_got(image, out),
            Synthetic::GotPlt => got_plt::write_got_plt(image, out),
            Synthetic::Dynamic => dynamic_section::write(self.dynamic, out),
            Synthetic::EhFrameHdr => self.eh_frame_hdr(out),
            Synthetic::SFrame => {
                plan.sframe.iter().for_each(|sframe| self.report(sframe.write(image, out)));
            }
            Synthetic::SymTabShndx => {
                plan.symtab.iter().for_each(|symtab| symtab_shndx::write(symtab, image, out));
            }
            Synthetic::ShStrTab => self.shstrtab.write(out),
            Synthetic::RelroPadding => unreachable!("takes no space in the file"),
            Synthetic::EhFrame
            | Synthetic::SymTab
            | Synthetic::StrTab
            | Synthetic::Compressed(_)
            | Synthetic::EmitRelocs(_) => unreachable!("written in parts"),
        }
    }

    fn report<E: std::fmt::Display>(&self, outcome: Result<(), E>) {
        if let Err(error) = outcome {
            self.diag.error((u64::MAX, 0), error.to_string());
        }
    }

    fn eh_frame_hdr(&self, out: &mut [u8]) {
        let image = self.image;
        let frames = image.outputs.address_of(Synthetic::EhFrame);
        let rows = Rows::new(image.outputs.address_of(Synthetic::EhFrameHdr));
        let mut table = self.plan.eh_frame.search_table(image, frames, &rows);
        let header = EhFrameHdr::new(self.plan.eh_frame.fde_count() as usize);
        self.report(header.write(out, frames, &rows, &mut table));
    }
}
