//! The content that only an image has: tables for the loader, PLT and GOT, the symbol table with
//! addresses.

use super::content::OwnContent;
use super::inputs::repeat;
use super::parts::PartContent;
use crate::format::elf::Rela;
use crate::layout::output_sections::StatedId;
use crate::layout::{Synthetic, memory_binding};
use crate::read::ObjectId;
use crate::resolve::definitions::{Definition, attr};
use crate::synth::eh_frame_hdr::{EhFrameHdr, Rows};
use crate::synth::emitted_relocs::{Emitter, RelocRun};
use crate::synth::image::Image;
use crate::synth::patch::Failure;
use crate::synth::relr::Relr;
use crate::synth::sections::Plan;
use crate::synth::{dynamic_section, got_plt, symtab_shndx};
use skald_core::diag::{AFTER_FILES, Diag};
use skald_core::ids::{IdSlice, IndexRange};
use skald_core::names::NameId;

/// The tables that an image's own content is made from.
pub struct ImageContent<'a> {
    /// The frozen tables of the link: addresses, values, slots.
    pub image: &'a Image<'a>,
    /// The plan of every section that the linker makes.
    pub plan: &'a Plan,
    /// Content of `.dynamic`: `d_tag` and `d_un` of each entry.
    pub dynamic: &'a [(u64, u64)],
    /// The relocations of `.rela.dyn` behind the relative ones.
    pub other_relocs: &'a [Rela],
    /// `-z mark-plt`: relocations of `.rela.plt` have addresses of PLT entries as addends.
    pub marks_plt: bool,
    /// Addresses that `.relr.dyn` covers, ascending.
    pub packed: &'a [u64],
    /// Addresses that `.relr.auth.dyn` covers, ascending.
    pub packed_signed: &'a [u64],
    /// Writes relocations for `--emit-relocs`.
    pub emitter: Emitter<'a>,
    /// Dynamic relocations in another form than an array of Rela; empty for an array of Rela.
    pub reloc_table: &'a [u8],
    /// Content of `.memtag.globals.dynamic`.
    pub tagged_table: &'a [u8],
    /// Content of `BYTE`, `LONG` and the like in a script.
    pub stated: &'a IdSlice<StatedId, Vec<u8>>,
    /// Receives errors that are found while writing.
    pub diag: &'a Diag,
}

impl OwnContent for ImageContent<'_> {
    fn fill(&self, what: &PartContent, out: &mut [u8]) {
        let image = self.image;
        match what {
            PartContent::RelativeRelocs(range) => {
                let range = range.wide();
                let Plan { relocs, eh_frame, reloc_form, .. } = self.plan;
                relocs.write_sections(image, eh_frame, range, *reloc_form, out);
            }
            PartContent::OtherRelocs => {
                let entries = self.other_relocs.iter().copied();
                self.plan.reloc_form.write_entries(image.encoding(), entries, out);
            }
            PartContent::EhFrameEnd => {
                let address = image.outputs.address_of(Synthetic::EhFrame);
                self.report(self.plan.eh_frame.write_end(image, address, out));
            }
            _ => self.own_symbols(what, out),
        }
    }

    fn whole(&self, which: Synthetic, out: &mut [u8]) {
        let image = self.image;
        let plan = self.plan;
        let symbols = &plan.symbols;
        let encoding = image.encoding();
        match which {
            Synthetic::Interp => out.copy_from_slice(plan.interp.as_deref().unwrap_or_default()),
            Synthetic::Package => {
                plan.package.iter().for_each(|note| note.write(encoding.order, out));
            }
            Synthetic::Memtag => {
                plan.memtag.iter().for_each(|note| note.write(encoding.order, out))
            }
            Synthetic::MemtagGlobals => out.copy_from_slice(self.tagged_table),
            Synthetic::Hash => {
                symbols.sysv_hash.iter().for_each(|hash| hash.write(out));
            }
            Synthetic::GnuHash => {
                symbols.gnu_hash.iter().for_each(|hash| hash.write(out, symbols.first_hashed));
            }
            Synthetic::DynSym => symbols.write(image, out),
            Synthetic::DynStr => symbols.strings.write(out),
            Synthetic::Versym => symbols.versym.iter().for_each(|v| v.write(encoding, out)),
            Synthetic::Verdef => {
                symbols.verdef.iter().for_each(|v| v.write(encoding, out));
            }
            Synthetic::Verneed => {
                symbols.verneed.iter().for_each(|v| v.write(encoding, out));
            }
            Synthetic::RelrDyn => Relr::new(encoding, self.packed).write(out),
            Synthetic::SignedRelrDyn => Relr::new(encoding, self.packed_signed).write(out),
            Synthetic::RelaPlt => {
                let entries = plan.relocs.plt(image, symbols, self.marks_plt);
                plan.reloc_form.write_entries(encoding, entries, out);
            }
            Synthetic::RelaDyn => out.copy_from_slice(self.reloc_table),
            Synthetic::Plt => self.report(got_plt::write_plt(image, out)),
            Synthetic::PltGot => self.report(got_plt::write_direct_plt(image, out)),
            Synthetic::Got => got_plt::write_got(image, out),
            Synthetic::GotPlt => got_plt::write_got_plt(image, out),
            Synthetic::Dynamic => dynamic_section::write(encoding, self.dynamic, out),
            Synthetic::EhFrameHdr => self.eh_frame_hdr(out),
            Synthetic::SFrame => {
                plan.sframe.iter().for_each(|sframe| self.report(sframe.write(image, out)));
            }
            Synthetic::SymTabShndx => {
                plan.symtab.iter().for_each(|symtab| symtab_shndx::write(symtab, image, out));
            }
            Synthetic::Stated(stated) => {
                let nop = image.machine.nop;
                let content = &self.stated[stated];
                // A gap in code has whole instructions, which end where it does.
                if nop.is_of_words() && *content == nop.pattern() {
                    nop.fill(out, true);
                } else {
                    repeat(content, out);
                }
            }
            Synthetic::RelroPadding => unreachable!("takes no space in the file"),
            Synthetic::GdbIndex | Synthetic::DebugNames => {
                unreachable!("appended when all else is written")
            }
            _ => unreachable!("filled by the writer, or of relocatable outputs"),
        }
    }

    fn symbols(&self, at: ObjectId, globals: bool, out: &mut [u8]) {
        let Some(symtab) = &self.plan.symtab else { return };
        if globals {
            symtab.write_globals(self.image, at, out);
        } else {
            symtab.write_locals(self.image, at, out);
        }
    }

    fn names(&self, at: ObjectId, out: &mut [u8]) {
        self.plan.symtab.iter().for_each(|symtab| symtab.write_strings(self.image, at, out));
    }

    fn relocations(&self, run: &RelocRun, out: &mut [u8]) {
        self.emitter.write(run, out);
    }

    fn finish_inputs(&self, _: &PartContent, _: &mut [u8], _: &mut Vec<Failure>) {}
}

impl ImageContent<'_> {
    /// `EI_OSABI`: that of the target system, if it has its own. Otherwise, as with GNU ld, it is
    /// ELFOSABI_GNU if a symbol or section needs an extension of the gABI: STB_GNU_UNIQUE,
    /// STT_GNU_IFUNC or SHF_GNU_MBIND.
    pub fn os_abi(&self) -> u8 {
        if let Some(os_abi) = self.image.os_abi {
            return os_abi;
        }
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
            || self.lists_gnu_symbols()
        {
            object::elf::ELFOSABI_GNU
        } else {
            object::elf::ELFOSABI_NONE
        }
    }

    /// Whether `.symtab` has an STT_GNU_IFUNC or STB_GNU_UNIQUE symbol, even if nothing refers to
    /// it.
    fn lists_gnu_symbols(&self) -> bool {
        let Some(symtab) = &self.plan.symtab else { return false };
        let (definitions, live) = (self.image.definitions, self.image.liveness);
        let has_symbols = |section| live.has_symbols(&definitions.sections, section);
        let is_listed = |global: &Definition| {
            let is_unique =
                global.has(attr::UNIQUE) && !self.image.no_unique && !global.has(attr::LOCAL);
            global.has(attr::DEFINED)
                && (global.has(attr::IFUNC) || is_unique)
                && global.value_base.section().is_some_and(has_symbols)
        };
        symtab.objects.iter().any(|own| !own.locals.is_empty() || !own.globals.is_empty())
            && definitions.globals.iter().any(is_listed)
    }

    /// Fills a part of the symbol table with symbols that are not of an object.
    fn own_symbols(&self, what: &PartContent, out: &mut [u8]) {
        let Some(symtab) = &self.plan.symtab else { return };
        let image = self.image;
        match what {
            PartContent::FirstSymbols => symtab.write_first(image, out),
            PartContent::LastSymbols => symtab.write_last(image, out),
            PartContent::LastStrings => symtab.write_extra_strings(out),
            _ => unreachable!("all other parts are filled by `fill`"),
        }
    }

    fn report<E: std::fmt::Display>(&self, outcome: Result<(), E>) {
        if let Err(error) = outcome {
            self.diag.error(AFTER_FILES, error.to_string());
        }
    }

    fn eh_frame_hdr(&self, out: &mut [u8]) {
        let image = self.image;
        let frames = image.outputs.address_of(Synthetic::EhFrame);
        let rows = Rows::new(image.outputs.address_of(Synthetic::EhFrameHdr), image.machine.class);
        let mut table = self.plan.eh_frame.search_table(image, frames, &rows);
        let header = EhFrameHdr::new(self.plan.eh_frame.fde_count() as usize);
        self.report(header.write(out, frames, &rows, &mut table, image.machine.byte_order));
    }
}
