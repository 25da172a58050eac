//! The symbol table entry for a symbol of an object, whose value is an offset in a section of the
//! output.
//!
//! The entry is made when symbols are selected, and again when they are written, so only the index
//! and the name length of a symbol have to be kept.

use super::frames::Frames;
use super::groups::Groups;
use super::sections::JoinedSections;
use crate::args::Options;
use crate::format::elf::{Sym, SymbolId};
use crate::read::object_file::SectionFlags;
use crate::read::{ObjectFile, ObjectId, Objects};
use crate::resolve::definitions::{Definitions, SectionId, Strength, attr};
use crate::resolve::extract::Extraction;
use crate::resolve::names::references::ref_flags;
use crate::resolve::referent::{Referent, ValueBase};
use crate::script::section_names::known;
use crate::select::liveness::Liveness;
use crate::synth::image::SymbolPlace;
use object::elf::*;
use skald_core::names::NameId;

/// A symbol table entry.
#[derive(Debug, Clone, Copy)]
pub struct SymbolEntry {
    /// The entry without `st_name` and, with `header`, without `st_shndx`.
    pub sym: Sym,
    /// Section header index in the output; 0 if `st_shndx` holds as it is (SHN_ABS and the like).
    pub header: u32,
}

impl SymbolEntry {
    /// The entry without `st_name`.
    pub fn finished(&self) -> Sym {
        let mut sym = self.sym;
        if self.header != 0 {
            sym.set_st_shndx(SymbolPlace::of(self.header).shndx());
        }
        sym
    }

    /// Whether it uses a GNU extension of the gABI.
    pub fn is_gnu(&self) -> bool {
        self.sym.bind() == STB_GNU_UNIQUE || self.sym.kind() == STT_GNU_IFUNC
    }
}

/// The tables that entries are made from.
#[derive(Clone, Copy)]
pub struct Entries<'a> {
    /// `-d`, `--wrap`, `-z common` and the like are read.
    pub options: &'a Options,
    /// Names, and the objects that refer to them.
    pub extraction: &'a Extraction,
    /// The objects that are taken, by id.
    pub objects: &'a Objects,
    /// Section records, and the definition of each name.
    pub definitions: &'a Definitions,
    /// Which sections are kept.
    pub live: &'a Liveness,
    /// Output sections and the offset of each input section in them.
    pub joined: &'a JoinedSections,
    /// The place in the output of each record of `.eh_frame`.
    pub frames: &'a Frames<'a>,
    /// Section groups, whose signatures are symbols.
    pub groups: &'a Groups,
}

impl Entries<'_> {
    /// The entry of a symbol; `None` for a symbol that the output cannot have, or that another
    /// object writes.
    pub fn of(&self, at: ObjectId, index: SymbolId) -> Option<SymbolEntry> {
        let object = &self.objects[at];
        let mut entry = SymbolEntry { sym: object.mapped.symbols[index], header: 0 };
        let Some(name) = object.name_of(index) else {
            return self.local(at, index, entry);
        };
        let rank = self.definitions.ranks[name];
        if rank.strength() > Strength::Weak {
            self.leave_undefined(name, &mut entry);
        } else if rank.is_of_object(at, index) {
            self.define(name, &mut entry)?;
        } else {
            return None;
        }
        self.finish_global(name, &mut entry);
        Some(entry)
    }

    fn local(&self, at: ObjectId, index: SymbolId, mut entry: SymbolEntry) -> Option<SymbolEntry> {
        if entry.sym.kind() == STT_SECTION {
            return None;
        }
        match self.definitions.targets_of(at)[index].get() {
            Referent::Absolute => {}
            Referent::Nowhere => {
                entry.header = self.group_header(at, &self.objects[at], index)?;
            }
            Referent::Section(section) => self.set_place(section, &mut entry)?,
            Referent::Global(_) => return None,
        }
        Some(entry)
    }

    /// Section header index of the group that a symbol is the signature of: such a local symbol is
    /// defined in the group's own section.
    fn group_header(&self, at: ObjectId, object: &ObjectFile, index: SymbolId) -> Option<u32> {
        let shndx = object.symbol_section(index)?;
        self.groups.of_header.get(&(at, shndx)).map(|&group| group.number() + 1)
    }

    /// Sets `st_value` and section; `None` if the section is not in the output.
    fn set_place(&self, section: SectionId, entry: &mut SymbolEntry) -> Option<()> {
        let (header, value) = self.place(section, entry.sym.st_value())?;
        entry.header = header;
        entry.sym.set_st_value(value);
        Some(())
    }

    fn define(&self, name: NameId, entry: &mut SymbolEntry) -> Option<()> {
        let definition = self.definitions.globals[name];
        if definition.has(attr::COMMON) {
            let section = definition.value_base.section()?;
            let slot = &self.definitions.sections[section];
            entry.sym.set_st_size(slot.size);
            if !self.options.define_common {
                let large = slot.flags.has(SectionFlags::LARGE);
                entry.sym.set_st_shndx(if large {
                    self.options.machine.large_common()
                } else {
                    SHN_COMMON
                });
                entry.sym.set_st_value(1 << slot.align_log2);
                // The type of a thread-local symbol stays, because it says more.
                if let Some(is_common) = self.options.z.stt_common
                    && entry.sym.kind() != STT_TLS
                {
                    let kind = if is_common { STT_COMMON } else { STT_OBJECT };
                    entry.sym.set_st_info(entry.sym.st_info() & 0xf0 | kind);
                }
                return Some(());
            }
            entry.sym.set_st_value(0);
            if entry.sym.kind() == STT_COMMON {
                entry.sym.set_st_info(entry.sym.st_info() & 0xf0 | STT_OBJECT);
            }
        }
        match definition.value_base {
            ValueBase::ABSOLUTE => Some(()),
            value_base => self.set_place(value_base.section()?, entry),
        }
    }

    fn leave_undefined(&self, name: NameId, entry: &mut SymbolEntry) {
        let flags = self.extraction.refs.get(name).flags();
        // An object that defines the symbol in a dropped copy of a group refers to the kept copy.
        let is_dropped = entry.sym.st_shndx() != SHN_UNDEF && entry.sym.bind() != STB_WEAK;
        let bind = match flags & (ref_flags::UNDEF_STRONG | ref_flags::ROOT) {
            0 if !is_dropped => STB_WEAK,
            _ => STB_GLOBAL,
        };
        entry.sym.set_st_info(bind << 4 | entry.sym.kind());
        entry.sym.set_st_shndx(SHN_UNDEF);
        entry.sym.set_st_value(0);
        entry.sym.set_st_size(0);
    }

    fn finish_global(&self, name: NameId, entry: &mut SymbolEntry) {
        let flags = self.extraction.refs.get(name).flags();
        let visibility = ref_flags::visibility(flags);
        entry.sym.set_st_other(entry.sym.st_other() & !3 | visibility);
        if entry.sym.bind() == STB_GNU_UNIQUE && self.options.no_gnu_unique {
            entry.sym.set_st_info(STB_GLOBAL << 4 | entry.sym.kind());
        }
    }

    /// Section header index, and offset in that section, of a byte of an input section; `None` if
    /// it is not in the output.
    pub fn place(&self, section: SectionId, section_offset: u64) -> Option<(u32, u64)> {
        let out = self.joined.output_of.get(section)?.get()?;
        if !self.live.is_live(section) {
            return None;
        }
        let value = if out == known::EH_FRAME {
            self.frames.output_offset(section, section_offset)
        } else {
            self.joined.offset(section).wrapping_add(section_offset)
        };
        Some((self.joined.outputs.header_index_of_id(out), value))
    }

    /// With `--wrap` the output refers to another name than the object.
    fn renamed_undefined(&self, name: NameId) -> Option<&'static [u8]> {
        let flags = self.extraction.refs.get(name).flags();
        let is_renamed = flags & ref_flags::WRAPPED != 0 || !self.options.wrap.is_empty();
        is_renamed.then(|| self.extraction.pools.name(&self.extraction.names, name))
    }

    /// The name that the output has for a symbol.
    pub fn name(&self, at: ObjectId, index: SymbolId) -> &'static [u8] {
        self.renamed(at, index).unwrap_or_else(|| self.objects[at].symbol_name(index))
    }

    /// The name that the output has for an undefined symbol, if that is not the object's.
    pub fn renamed(&self, at: ObjectId, index: SymbolId) -> Option<&'static [u8]> {
        let name = self.objects[at].name_of(index)?;
        let is_undefined = self.definitions.ranks[name].strength() > Strength::Weak;
        is_undefined.then(|| self.renamed_undefined(name)).flatten()
    }
}
