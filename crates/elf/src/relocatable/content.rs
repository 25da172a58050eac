//! The content that only a relocatable output has: section groups, a symbol table with offsets,
//! relocations against it.

use super::groups::Groups;
use super::relocations::Relocations;
use super::sections::Stretch;
use super::symbol_writer::SymbolWriter;
use crate::layout::output_sections::OutputGroupId;
use crate::layout::{Content, Synthetic};
use crate::machine::padding::Padding;
use crate::machine::{Machine, RelocKind};
use crate::read::ObjectId;
use crate::read::object_file::{InputSection, SectionFlags};
use crate::resolve::definitions::SectionId;
use crate::synth::emitted_relocs::RelocRun;
use crate::synth::image::Image;
use crate::synth::patch::Failure;
use crate::synth::sections::Plan;
use crate::write::content::OwnContent;
use crate::write::parts::PartContent;
use object::elf::{ELFOSABI_GNU, ELFOSABI_NONE, SHF_EXECINSTR, SHF_GNU_MBIND, SHF_GNU_RETAIN};
use skald_core::ids::{IdRange, IndexRange};

/// The tables that the own content of a relocatable output is made from.
pub struct JoinedContent<'a> {
    /// For padding between code, and fields of relocations.
    pub machine: &'static Machine,
    /// The view of writers: offsets of inputs.
    pub image: &'a Image<'a>,
    /// The plan of the sections that the linker makes.
    pub plan: &'a Plan,
    /// Rewrites relocations, with the tables of the link.
    pub relocations: &'a Relocations<'a>,
    /// Section groups, whose contents are lists of section header indices.
    pub groups: &'a Groups,
    /// Writes `.symtab` and `.strtab`.
    pub symbols: SymbolWriter<'a>,
    /// Bytes of `.llvm_addrsig`, if the output has one.
    pub addresses: &'a [u8],
}

impl OwnContent for JoinedContent<'_> {
    fn fill(&self, what: &PartContent, out: &mut [u8]) {
        let symbols = &self.symbols;
        match what {
            PartContent::Stretch { output, stretch, window } => {
                self.stretch(*output, *stretch as usize, window.start, out);
            }
            PartContent::EhFrameEnd => out.fill(0),
            PartContent::FirstSymbols => symbols.write_first(out),
            PartContent::SomeSymbols(run) => symbols.write_run(run, out),
            PartContent::LastSymbols => symbols.write_extra(out),
            PartContent::SomeStrings(run) => symbols.write_names_of_run(run, out),
            PartContent::LastStrings => symbols.write_extra_names(out),
            _ => unreachable!("filled by the writer, or of images"),
        }
    }

    fn whole(&self, which: Synthetic, out: &mut [u8]) {
        match which {
            Synthetic::Group(index) => self.group(index, out),
            Synthetic::SymTabShndx => self.symbols.write_indices(out),
            Synthetic::AddressTable => out.copy_from_slice(self.addresses),
            Synthetic::StackNote => out.fill(0),
            _ => unreachable!("filled by the writer, or of images"),
        }
    }

    fn symbols(&self, at: ObjectId, globals: bool, out: &mut [u8]) {
        self.symbols.write_object(globals, at, out);
    }

    fn names(&self, at: ObjectId, out: &mut [u8]) {
        self.symbols.write_names(at, out);
    }

    fn relocations(&self, run: &RelocRun, out: &mut [u8]) {
        self.relocations.write(run, out);
    }

    fn finish_inputs(&self, what: &PartContent, out: &mut [u8], failures: &mut Vec<Failure>) {
        if self.machine.reloc_kind != RelocKind::Rela {
            self.addends(what, out, failures);
        }
        self.end_no_lists(what, out);
    }
}

impl JoinedContent<'_> {
    /// Writes the addends of a part's relocations to their fields.
    fn addends(&self, what: &PartContent, out: &mut [u8], failures: &mut Vec<Failure>) {
        let (joined, frames) = (self.relocations.joined, &self.plan.eh_frame);
        let image = self.image;
        let whole = |section: SectionId| RelocRun {
            section,
            relocs: 0..image.definitions.sections[section].rel_count as usize,
            address: joined.offset(section),
        };
        let (start, runs): (u64, Vec<RelocRun>) = match what {
            PartContent::Inputs { output, range } => {
                let Content::Inputs { sections, .. } = &joined.outputs.at(*output).content else {
                    return;
                };
                let sections = &sections[range.wide()];
                let Some(&first) = sections.first() else { return };
                (joined.offset(first), sections.iter().map(|&section| whole(section)).collect())
            }
            PartContent::Window { section, window, .. } => {
                (joined.offset(*section) + window.start, vec![whole(*section)])
            }
            PartContent::Cies(cies) => (frames.cie_start(cies.start), frames.cie_relocs(image, 0)),
            PartContent::Fdes(objects) => {
                let of_object = |at| frames.fde_relocs(image, at, 0);
                let runs = objects.clone().ids().flat_map(of_object).collect();
                (frames.object_offsets[objects.start], runs)
            }
            PartContent::SomeFdes(run) => (run.output_offset, frames.relocs_of_run(image, run, 0)),
            _ => return,
        };
        for run in runs {
            self.relocations.write_addends(self.machine, &run, start, out, failures);
        }
    }

    /// Two zero words end a list of `.debug_ranges` and `.debug_loc`, so the range of a dropped
    /// section is filled with ones.
    fn end_no_lists(&self, what: &PartContent, out: &mut [u8]) {
        let PartContent::Inputs { output, range } = what else { return };
        let joined = self.relocations.joined;
        let output = joined.outputs.at(*output);
        // Without a script all inputs have the flags of their section.
        if output.is_loaded() && joined.of_script.is_empty() {
            return;
        }
        let Content::Inputs { sections, .. } = &output.content else { return };
        let sections = &sections[range.wide()];
        let Some(&first) = sections.first() else { return };
        let start = joined.offset(first);
        for &id in sections {
            let section = &self.relocations.definitions.sections[id];
            if !section.flags.has(SectionFlags::ALLOC | SectionFlags::COMMON) {
                let (at, size) = ((joined.offset(id) - start) as usize, section.size as usize);
                self.end_no_list(section, &mut out[at..][..size]);
            }
        }
    }

    /// `EI_OSABI`: ELFOSABI_GNU if a symbol or section needs an extension of the gABI.
    pub fn os_abi(&self) -> u8 {
        let gnu_flags = u64::from(SHF_GNU_RETAIN | SHF_GNU_MBIND);
        let sections = &self.relocations.joined.outputs.sections;
        let has_gnu = self.relocations.symbols.has_gnu_symbols
            || sections.iter().any(|section| section.sh_flags & gnu_flags != 0);
        if has_gnu { ELFOSABI_GNU } else { ELFOSABI_NONE }
    }

    fn group(&self, index: OutputGroupId, out: &mut [u8]) {
        let group = &self.groups.list[index];
        let joined = self.relocations.joined;
        let headers = group.members.iter().flat_map(|&member| joined.headers_of(member));
        let words = std::iter::once(group.flags).chain(headers);
        for (slot, word) in out.chunks_exact_mut(4).zip(words) {
            joined.outputs.encoding().order.put(slot, 0, word);
        }
    }

    /// Fills `out` with the bytes of a stretch of an output section, from offset `start` in it.
    fn stretch(&self, output: u32, number: usize, start: u64, out: &mut [u8]) {
        let joined = self.relocations.joined;
        let output = joined.outputs.at(output);
        let Content::Inputs { out: id, .. } = &output.content else { return };
        let stretch: &Stretch = &joined.stretches[id][number];
        if stretch.pattern.is_empty() {
            let is_code = output.sh_flags & u64::from(SHF_EXECINSTR) != 0;
            let padding = if is_code { self.machine.nop } else { Padding::ZERO };
            return padding.fill(out, true);
        }
        let phase = start % stretch.pattern.len() as u64;
        let pattern = stretch.pattern.iter().cycle().skip(phase as usize);
        out.iter_mut().zip(pattern).for_each(|(byte, own)| *byte = *own);
    }

    fn end_no_list(&self, section: &InputSection, out: &mut [u8]) {
        let object = &self.relocations.objects[section.object];
        if !is_list_of_ranges(object.section_name(section.shndx)) {
            return;
        }
        let encoding = object.mapped.encoding;
        for reloc in object.relocs(section) {
            if self.relocations.is_gone(section.object, reloc) {
                let at = reloc.r_offset() as usize;
                if let Some(field) = out.get_mut(at..at.saturating_add(encoding.word_size())) {
                    encoding.put_word(field, 1);
                }
            }
        }
    }
}

/// Whether two zero words end a list in the section called `name`.
pub(super) fn is_list_of_ranges(name: &[u8]) -> bool {
    matches!(name, b".debug_ranges" | b".debug_loc")
}
