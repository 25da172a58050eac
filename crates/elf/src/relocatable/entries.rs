//! The symbol table entry for a symbol of an object, whose value is an offset in a section of the
//! output.
//!
//! Selection only asks whether a symbol can have an entry. The entry is made when it is written, so
//! only the index and the name length of a symbol have to be kept.

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
}

/// Whether an entry uses a GNU extension of the gABI.
#[inline]
fn is_gnu(sym: &Sym) -> bool {
    sym.bind() == STB_GNU_UNIQUE || sym.kind() == STT_GNU_IFUNC
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

/// Where the output has a symbol.
#[derive(Clone, Copy)]
enum Site {
    Undefined,
    /// As in the object: SHN_ABS and the like.
    Unchanged,
    /// A common symbol that is not allocated: the record with its size and alignment.
    Common(SectionId),
    /// In a section: its section header index in the output, and the input section.
    Input(u32, SectionId),
    /// In the section of a group, by its section header index.
    Group(u32),
}

impl Entries<'_> {
    /// Where the output has a symbol; `None` for a symbol that it cannot have, or that another
    /// object writes.
    #[inline(always)]
    fn site(&self, at: ObjectId, index: SymbolId) -> Option<Site> {
        let Some(name) = self.objects[at].name_of(index) else {
            return self.site_of_local(at, index);
        };
        let rank = self.definitions.ranks[name];
        if rank.strength() > Strength::Weak {
            return Some(Site::Undefined);
        }
        if !rank.is_of_object(at, index) {
            return None;
        }
        let definition = self.definitions.globals[name];
        if definition.value_base == ValueBase::ABSOLUTE {
            return Some(Site::Unchanged);
        }
        let section = definition.value_base.section()?;
        if definition.has(attr::COMMON) && !self.options.define_common {
            return Some(Site::Common(section));
        }
        Some(Site::Input(self.header(section)?, section))
    }

    #[inline(always)]
    fn site_of_local(&self, at: ObjectId, index: SymbolId) -> Option<Site> {
        if self.objects[at].mapped.symbols[index].kind() == STT_SECTION {
            return None;
        }
        match self.definitions.targets_of(at)[index].get() {
            Referent::Absolute => Some(Site::Unchanged),
            Referent::Nowhere => {
                Some(Site::Group(self.group_header(at, &self.objects[at], index)?))
            }
            Referent::Section(section) => Some(Site::Input(self.header(section)?, section)),
            Referent::Global(_) => None,
        }
    }

    /// Whether the output can have a symbol, which no other object writes.
    #[inline(always)]
    pub fn has(&self, at: ObjectId, index: SymbolId) -> bool {
        self.site(at, index).is_some()
    }

    /// Whether the entry of a symbol uses a GNU extension of the gABI.
    #[inline]
    pub fn is_gnu(&self, at: ObjectId, index: SymbolId) -> bool {
        // An entry uses one only if that of the object does.
        is_gnu(&self.objects[at].mapped.symbols[index]) && self.stays_gnu(at, index)
    }

    #[cold]
    fn stays_gnu(&self, at: ObjectId, index: SymbolId) -> bool {
        self.of(at, index).is_some_and(|entry| is_gnu(&entry.sym))
    }

    /// Section header index of a symbol that the output has; 0 if it is in no section.
    #[inline(always)]
    pub fn header_of(&self, at: ObjectId, index: SymbolId) -> u32 {
        match self.site(at, index) {
            Some(Site::Input(header, _) | Site::Group(header)) => header,
            _ => 0,
        }
    }

    /// The entry of a symbol; `None` if [`Self::has`] does not hold.
    #[inline(always)]
    pub fn of(&self, at: ObjectId, index: SymbolId) -> Option<SymbolEntry> {
        let site = self.site(at, index)?;
        let object = &self.objects[at];
        let mut entry = SymbolEntry { sym: object.mapped.symbols[index], header: 0 };
        let name = object.name_of(index);
        match site {
            Site::Undefined => self.leave_undefined(name?, &mut entry),
            Site::Unchanged => {}
            Site::Common(section) => self.leave_common(section, &mut entry),
            Site::Input(header, section) => {
                if name.is_some_and(|name| self.definitions.globals[name].has(attr::COMMON)) {
                    self.allocate_common(section, &mut entry);
                }
                entry.header = header;
                entry.sym.set_st_value(self.offset(section, entry.sym.st_value()));
            }
            Site::Group(header) => entry.header = header,
        }
        if let Some(name) = name {
            self.finish_global(name, &mut entry);
        }
        Some(entry)
    }

    /// Section header index of the group that a symbol is the signature of: such a local symbol is
    /// defined in the group's own section.
    fn group_header(&self, at: ObjectId, object: &ObjectFile, index: SymbolId) -> Option<u32> {
        let shndx = object.symbol_section(index)?;
        self.groups.of_header.get(&(at, shndx)).map(|&group| group.number() + 1)
    }

    #[cold]
    fn leave_common(&self, section: SectionId, entry: &mut SymbolEntry) {
        let slot = &self.definitions.sections[section];
        let large = slot.flags.has(SectionFlags::LARGE);
        let shndx = if large { self.options.machine.large_common() } else { SHN_COMMON };
        entry.sym.set_st_size(slot.size);
        entry.sym.set_st_shndx(shndx);
        entry.sym.set_st_value(1 << slot.align_log2);
        // The type of a thread-local symbol stays, because it says more.
        if let Some(is_common) = self.options.z.stt_common
            && entry.sym.kind() != STT_TLS
        {
            let kind = if is_common { STT_COMMON } else { STT_OBJECT };
            entry.sym.set_st_info(entry.sym.st_info() & 0xf0 | kind);
        }
    }

    #[cold]
    fn allocate_common(&self, section: SectionId, entry: &mut SymbolEntry) {
        entry.sym.set_st_size(self.definitions.sections[section].size);
        entry.sym.set_st_value(0);
        if entry.sym.kind() == STT_COMMON {
            entry.sym.set_st_info(entry.sym.st_info() & 0xf0 | STT_OBJECT);
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
        Some((self.header(section)?, self.offset(section, section_offset)))
    }

    /// Section header index of the output section of an input section; `None` if that is not in the
    /// output.
    #[inline(always)]
    fn header(&self, section: SectionId) -> Option<u32> {
        let out = self.joined.output_of.get(section)?.get()?;
        let header = self.joined.outputs.symbol_header(out).get()?;
        self.live.is_live(section).then(|| header.number())
    }

    /// Offset in its output section of a byte of an input section that has one.
    #[inline]
    fn offset(&self, section: SectionId, section_offset: u64) -> u64 {
        if self.joined.output_of[section].get() == Some(known::EH_FRAME) {
            return self.frames.output_offset(section, section_offset);
        }
        self.joined.offset(section).wrapping_add(section_offset)
    }

    /// The name that the output has for a symbol.
    #[inline(always)]
    pub fn name(&self, at: ObjectId, index: SymbolId) -> &'static [u8] {
        self.renamed(at, index).unwrap_or_else(|| self.objects[at].symbol_name(index))
    }

    /// The name that the output has for an undefined symbol, if `--wrap` makes it another name than
    /// that of the object.
    #[inline]
    pub fn renamed(&self, at: ObjectId, index: SymbolId) -> Option<&'static [u8]> {
        if self.options.wrap.is_empty() {
            return None;
        }
        let name = self.objects[at].name_of(index)?;
        let is_undefined = self.definitions.ranks[name].strength() > Strength::Weak;
        is_undefined.then(|| self.extraction.pools.name(&self.extraction.names, name))
    }
}
