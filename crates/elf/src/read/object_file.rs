//! Relocatable objects: section records, groups and the symbol table's place.
//!
//! Section headers are decoded once, here, into compact records; later stages never look at them
//! again on the good path. Everything that a file says of offsets, counts and indices is checked
//! here; afterwards it is trusted. Files are read in parallel, one task a file.

use super::FileId;
use super::section_names::{self, CUSTOM, known};
use super::section_table::section_table;
use super::symbol_checks::{MAX_ALIGN, MAX_MEMORY};
use crate::format::compressed::CompressedSection;
use crate::format::elf::{self, Rela, Shdr, Sym};
use object::elf::*;
use skald_core::diag::{Error, Result};
use zerocopy::little_endian::U32;
use zerocopy::{FromBytes, FromZeros};

/// Bits of [`InputSection::flags`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, FromZeros)]
#[repr(transparent)]
pub struct SectionFlags(pub u32);

#[allow(missing_docs)]
impl SectionFlags {
    pub const ALLOC: u32 = 1;
    pub const WRITE: u32 = 1 << 1;
    pub const EXEC: u32 = 1 << 2;
    pub const TLS: u32 = 1 << 3;
    pub const NOBITS: u32 = 1 << 4;
    /// Pieces are merged with equal ones.
    pub const MERGE: u32 = 1 << 5;
    /// The pieces are NUL-terminated strings.
    pub const STRINGS: u32 = 1 << 6;
    /// Lives and stands where the section that `sh_link` names does.
    pub const LINK_ORDER: u32 = 1 << 7;
    /// Member of a section group.
    pub const GROUP: u32 = 1 << 8;
    /// Killed: member of a group that another file provides.
    pub const DISCARDED: u32 = 1 << 9;
    /// A root of garbage collection.
    pub const KEEP: u32 = 1 << 10;
    /// Parsed into CIEs and FDEs.
    pub const EH_FRAME: u32 = 1 << 11;
    /// `InputSection::rel_offset` is an index of `ObjectFile::decoded_relocs`.
    pub const DECODED_RELOCS: u32 = 1 << 12;
    /// `InputSection::data_offset` is an index of `ObjectFile::decoded_data`.
    pub const DECODED_DATA: u32 = 1 << 13;
    /// Name is a C identifier: `__start_NAME` keeps it alive.
    pub const C_IDENT: u32 = 1 << 14;
    /// SHT_NOTE.
    pub const NOTE: u32 = 1 << 15;
    /// A slot for a common symbol, with no bytes in the file.
    pub const COMMON: u32 = 1 << 16;
    /// SHF_X86_64_LARGE.
    pub const LARGE: u32 = 1 << 17;
    /// `.ctors`/`.dtors` placed in `.init_array`/`.fini_array`: words and relocations were
    /// reversed when the object was read.
    pub const REVERSED: u32 = 1 << 18;
    /// SHF_GNU_RETAIN.
    pub const RETAIN: u32 = 1 << 19;
    /// Some other section of the object is linked to this one by SHF_LINK_ORDER.
    pub const HAS_DEPENDENTS: u32 = 1 << 20;

    #[inline(always)]
    pub fn has(self, bits: u32) -> bool {
        self.0 & bits != 0
    }

    #[inline(always)]
    pub fn set(&mut self, bits: u32) {
        self.0 |= bits;
    }
}

/// No index.
pub const NONE: u32 = u32::MAX;

/// One input section with content: the record that all stages share.
#[derive(Debug, Clone, Copy, FromZeros)]
#[repr(C)]
pub struct InputSection {
    /// The object, as an index in command-line order of the objects taken.
    pub object: u32,
    /// Section header index in the object.
    pub shndx: u32,
    /// File offset of the bytes in the object, or see [`SectionFlags::DECODED_DATA`].
    pub data_offset: u64,
    /// Bytes.
    pub size: u64,
    /// File offset of the relocations, or see [`SectionFlags::DECODED_RELOCS`].
    pub rel_offset: u64,
    /// Relocations.
    pub rel_count: u32,
    /// First FDE of the section's chain, or [`NONE`].
    pub fde_head: u32,
    /// Output section.
    pub out: u32,
    /// What it is.
    pub flags: SectionFlags,
    /// Alignment as a power of two.
    pub align_log2: u8,
    /// Entry size of mergeable sections.
    pub entsize: u16,
}
const _: () = assert!(size_of::<InputSection>() == 56);

/// A COMDAT group of one object.
#[derive(Debug, Clone, Copy)]
pub struct ComdatGroup {
    /// Section header index of the SHT_GROUP section.
    pub shndx: u32,
    /// Symbol table index of the signature.
    pub signature: u32,
    /// The signature's name id; filled when names are interned.
    pub name: u32,
}

/// A relocatable object that takes part in the link.
#[derive(Debug, Default)]
pub struct ObjectFile {
    /// Its place in the command line.
    pub file: Option<FileId>,
    /// The file's bytes.
    pub data: &'static [u8],
    /// Section headers.
    pub shdrs: &'static [Shdr],
    /// Section names.
    pub shstrtab: &'static [u8],
    /// The symbol table.
    pub symbols: &'static [Sym],
    /// Symbol names; empty or NUL-terminated.
    pub strtab: &'static [u8],
    /// SHT_SYMTAB_SHNDX, empty if there is none.
    pub symtab_shndx: &'static [U32],
    /// Index of the first global symbol.
    pub first_global: u32,
    /// Name id of each global symbol.
    pub globals: Vec<u32>,
    /// Content sections in file order.
    pub sections: Vec<InputSection>,
    /// Section header index to index in `sections`, or [`NONE`].
    pub section_index: Vec<u32>,
    /// Groups with GRP_COMDAT.
    pub groups: Vec<ComdatGroup>,
    /// Groups without it: their members live and die together.
    pub plain_groups: Vec<ComdatGroup>,
    /// See [`SectionFlags::DECODED_RELOCS`].
    pub decoded_relocs: Vec<&'static [Rela]>,
    /// See [`SectionFlags::DECODED_DATA`].
    pub decoded_data: Vec<&'static [u8]>,
    /// `.note.gnu.property` contents.
    pub properties: Vec<&'static [u8]>,
    /// `.gnu.linkonce.` sections: index in `sections`, and the id of their names, of which one
    /// section each is kept. The id is filled when names are interned.
    pub linkonce: Vec<(u32, u32)>,
    /// `(section, dependent)` of SHF_LINK_ORDER, as indices in `sections`, sorted.
    pub dependents: Vec<(u32, u32)>,
    /// Common symbols defined.
    pub common_count: u32,
    /// `.note.GNU-stack`: absent, present, or present and executable.
    pub stack_note: StackNote,
    /// Section header index of SHT_LLVM_ADDRSIG, 0 for none.
    pub addrsig: u32,
    /// Some symbol name has an `@`.
    pub has_versioned_names: bool,
    /// `(text, symbol)` of `.gnu.warning.SYMBOL` sections, as section header indices.
    pub warnings: Vec<u32>,
    /// Some section's name is not in [`section_names::KNOWN`].
    pub has_custom_sections: bool,
    /// The object holds GCC's or LLVM's intermediate code.
    pub is_lto: bool,
}

/// `.note.GNU-stack` of an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum StackNote {
    /// No such section.
    #[default]
    Missing,
    /// Without SHF_EXECINSTR.
    NoExec,
    /// With SHF_EXECINSTR.
    Exec,
}

/// What of the options matters when an object is read.
#[derive(Debug, Clone, Copy, Default)]
pub struct ReadRules<'a> {
    /// `--discard-section`: names of sections that are dropped.
    pub discard: &'a [String],
    /// Debug sections are dropped.
    pub strip_debug: bool,
    /// `-z keep-text-section-prefix`.
    pub keep_text_prefix: bool,
    /// `-r`: sections keep their names, SHF_EXCLUDE is kept.
    pub relocatable: bool,
    /// Sections of `--discard-section`-like effect are none.
    pub no_merge: bool,
}

impl ObjectFile {
    /// Decodes the headers and sections of `data`. The message of an error lacks the file name.
    pub fn parse(data: &'static [u8], rules: ReadRules<'_>) -> Result<ObjectFile> {
        let (shdrs, shstrtab) = section_table(data)?;
        let mut object = ObjectFile { data, shdrs, shstrtab, ..ObjectFile::default() };
        object.read_symbol_table()?;
        object.read_sections(rules)?;
        if object.is_lto && object.has_symbol(b"__gnu_lto_slim") {
            return Err(bad("holds GCC's intermediate code only, which needs a compiler plugin"));
        }
        Ok(object)
    }

    fn has_symbol(&self, name: &[u8]) -> bool {
        (1..self.symbols.len()).any(|index| self.symbol_name(index) == name)
    }

    fn read_symbol_table(&mut self) -> Result<()> {
        let Some(at) = self.shdrs.iter().position(|s| s.sh_type.get() == SHT_SYMTAB) else {
            return Ok(());
        };
        let header = &self.shdrs[at];
        let size = header.sh_size.get();
        if !size.is_multiple_of(size_of::<Sym>() as u64) {
            return Err(bad("symbol table size is not a multiple of 24"));
        }
        let count = size / size_of::<Sym>() as u64;
        self.symbols = elf::table(self.data, header.sh_offset.get(), count)
            .ok_or_else(|| bad("symbol table lies outside the file"))?;
        self.first_global = header.sh_info.get();
        if u64::from(self.first_global) > count || (count > 0 && self.first_global == 0) {
            return Err(bad(format!(
                "invalid sh_info in symbol table: {} of {count} symbols",
                self.first_global
            )));
        }
        let strtab = self
            .shdrs
            .get(header.sh_link.get() as usize)
            .filter(|s| s.sh_type.get() == SHT_STRTAB)
            .ok_or_else(|| bad("symbol table has no string table"))?;
        self.strtab = elf::range(self.data, strtab.sh_offset.get(), strtab.sh_size.get())
            .ok_or_else(|| bad("string table lies outside the file"))?;
        if self.strtab.last().is_some_and(|&b| b != 0) {
            return Err(bad("string table is not null-terminated"));
        }
        if let Some(xindex) = self
            .shdrs
            .iter()
            .find(|s| s.sh_type.get() == SHT_SYMTAB_SHNDX && s.sh_link.get() as usize == at)
        {
            self.symtab_shndx = elf::table(self.data, xindex.sh_offset.get(), count)
                .filter(|_| xindex.sh_size.get() / 4 >= count)
                .ok_or_else(|| bad("extended section indices lie outside the file"))?;
        }
        Ok(())
    }

    fn read_sections(&mut self, rules: ReadRules<'_>) -> Result<()> {
        self.section_index = vec![NONE; self.shdrs.len()];
        // Of objects with a section a function, half the headers are relocations and groups.
        self.sections.reserve(self.shdrs.len() / 2);
        let mut linked = Vec::new();
        let mut early_relocations = Vec::new();
        let mut total = 0u64;
        for shndx in 1..self.shdrs.len() {
            let header = &self.shdrs[shndx];
            if !matches!(header.sh_type.get(), SHT_NOBITS | SHT_NULL) {
                total = total.saturating_add(header.sh_size.get());
            }
            match header.sh_type.get() {
                SHT_RELA | SHT_REL | SHT_CREL => {
                    // Nearly always behind its target, whose record is still near.
                    if (header.sh_info.get() as usize) < shndx {
                        self.attach_relocations(shndx)?;
                    } else {
                        early_relocations.push(shndx);
                    }
                }
                SHT_NULL | SHT_SYMTAB | SHT_STRTAB | SHT_SYMTAB_SHNDX => {}
                SHT_GROUP => self.read_group(shndx as u32)?,
                // Symbol numbers change, and without the table nothing is folded.
                SHT_LLVM_ADDRSIG => self.addrsig = shndx as u32,
                // Hints and annotations for linkers, with no place in a final output.
                SHT_LLVM_LINKER_OPTIONS
                | SHT_LLVM_DEPENDENT_LIBRARIES
                | SHT_LLVM_CALL_GRAPH_PROFILE
                    if !rules.relocatable => {}
                _ => self.read_section(shndx as u32, rules)?,
            }
            if header.sh_flags.get() & u64::from(SHF_LINK_ORDER) != 0 {
                linked.push((header.sh_link.get(), shndx));
            }
        }
        for shndx in early_relocations {
            self.attach_relocations(shndx)?;
        }
        // A small file must not become a huge output.
        if total / 2 > self.data.len() as u64 {
            return Err(bad(format!("sections overlap: they hold {total:#x} bytes")));
        }
        for (target, shndx) in linked {
            let dependent = self.section_index[shndx];
            if target as usize >= self.shdrs.len() {
                let what = "is linked to a section that is not there";
                return Err(bad(format!("section {shndx} {what}")));
            }
            if let Some(&index) = self.section_index.get(target as usize)
                && index != NONE
                && dependent != NONE
            {
                self.sections[index as usize].flags.set(SectionFlags::HAS_DEPENDENTS);
                self.dependents.push((index, dependent));
            }
        }
        self.dependents.sort_unstable();
        Ok(())
    }

    fn read_group(&mut self, shndx: u32) -> Result<()> {
        let words = self.group_words(shndx)?;
        let Some((flags, members)) = words.split_first() else { return Ok(()) };
        if let Some(member) = members.iter().find(|m| m.get() as usize >= self.shdrs.len()) {
            return Err(bad(format!("section group {shndx} has an invalid member: {member}")));
        }
        if flags.get() & GRP_COMDAT == 0 {
            self.plain_groups.push(ComdatGroup { shndx, signature: 0, name: NONE });
            return Ok(());
        }
        let signature = self.shdrs[shndx as usize].sh_info.get();
        if signature as usize >= self.symbols.len() {
            return Err(bad(format!("section group {shndx} has an invalid signature")));
        }
        self.groups.push(ComdatGroup { shndx, signature, name: NONE });
        Ok(())
    }

    /// The flag word and the members of an SHT_GROUP section.
    fn group_words(&self, shndx: u32) -> Result<&'static [U32]> {
        let header = &self.shdrs[shndx as usize];
        elf::table(self.data, header.sh_offset.get(), header.sh_size.get() / 4)
            .ok_or_else(|| bad(format!("section group {shndx} lies outside the file")))
    }

    /// Section header indices of a group's members. Groups were checked when they were read.
    pub fn group_members(&self, group: &ComdatGroup) -> &'static [U32] {
        self.group_words(group.shndx).ok().and_then(|w| w.get(1..)).unwrap_or_default()
    }

    /// The flag word of a group.
    pub fn group_flags(&self, group: &ComdatGroup) -> u32 {
        self.group_words(group.shndx).ok().and_then(<[U32]>::first).map_or(0, |w| w.get())
    }

    /// Name of a section, empty when its name offset is bad.
    #[inline]
    pub fn section_name(&self, shndx: u32) -> &'static [u8] {
        let at = self.shdrs[shndx as usize].sh_name.get();
        elf::string(self.shstrtab, at).unwrap_or_default()
    }

    fn read_section(&mut self, shndx: u32, rules: ReadRules<'_>) -> Result<()> {
        if let Some(section) = self.plain_function(shndx, rules) {
            self.section_index[shndx as usize] = self.sections.len() as u32;
            self.sections.push(section);
            return Ok(());
        }
        let header = &self.shdrs[shndx as usize];
        let name = elf::string(self.shstrtab, header.sh_name.get())
            .ok_or_else(|| bad(format!("section {shndx} has an invalid name")))?;
        let sh_flags = header.sh_flags.get();
        if sh_flags & u64::from(SHF_ALLOC) == 0 && !self.wants_unloaded(shndx, name, rules) {
            return Ok(());
        }
        if rules.discard.iter().any(|discarded| discarded.as_bytes() == name) {
            return Ok(());
        }
        if sh_flags & u64::from(SHF_EXCLUDE) != 0 && !rules.relocatable {
            if name.starts_with(b".gnu.lto_") {
                self.is_lto = true;
                self.refuse_slim(header, name)?;
            }
            return Ok(());
        }
        if name == b".note.gnu.property" && !rules.relocatable {
            let bytes = elf::range(self.data, header.sh_offset.get(), header.sh_size.get())
                .ok_or_else(|| bad("section .note.gnu.property lies outside the file"))?;
            self.properties.push(bytes);
            return Ok(());
        }
        if header.sh_type.get() >= SHT_LOUSER && sh_flags & u64::from(SHF_ALLOC) != 0 {
            return Err(bad(format!(
                "section {} has an unsupported section type: {:#x}",
                String::from_utf8_lossy(name),
                header.sh_type.get()
            )));
        }
        let section = self.decode_section(shndx, name, rules)?;
        self.has_custom_sections |= section.out == CUSTOM;
        let index = self.sections.len() as u32;
        if name.starts_with(b".gnu.linkonce.") && !rules.relocatable {
            self.linkonce.push((index, NONE));
        }
        self.section_index[shndx as usize] = index;
        self.sections.push(section);
        Ok(())
    }

    /// The record of a `.text.NAME` section, which is most of what large programs consist of and
    /// needs nothing else looked at; `None` for anything that is not plainly one.
    #[inline]
    fn plain_function(&self, shndx: u32, rules: ReadRules<'_>) -> Option<InputSection> {
        let header = &self.shdrs[shndx as usize];
        let sh_flags = header.sh_flags.get();
        let wanted = u64::from(SHF_ALLOC | SHF_EXECINSTR);
        let is_plain = header.sh_type.get() == SHT_PROGBITS
            && sh_flags & !u64::from(SHF_GROUP) == wanted
            && !rules.relocatable
            && !rules.keep_text_prefix
            && rules.discard.is_empty();
        let name = self.shstrtab.get(header.sh_name.get() as usize..)?;
        if !is_plain || !name.starts_with(b".text.") {
            return None;
        }
        let align = header.sh_addralign.get().max(1);
        elf::range(self.data, header.sh_offset.get(), header.sh_size.get())?;
        (align.is_power_of_two() && align <= MAX_ALIGN).then_some(InputSection {
            object: NONE,
            shndx,
            data_offset: header.sh_offset.get(),
            size: header.sh_size.get(),
            rel_offset: 0,
            rel_count: 0,
            fde_head: NONE,
            out: known::TEXT,
            flags: section_flags(SHT_PROGBITS, sh_flags),
            align_log2: align.trailing_zeros() as u8,
            entsize: 0,
        })
    }

    /// An object with nothing but GCC's intermediate code would link to a program without it. GCC
    /// says so in `struct lto_section`, the content of `.gnu.lto_.lto.HASH` (`lto-streamer.h`):
    /// two 16-bit version numbers, then a byte that is not zero.
    fn refuse_slim(&self, header: &Shdr, name: &[u8]) -> Result<()> {
        let bytes = elf::range(self.data, header.sh_offset.get(), header.sh_size.get());
        let slim = bytes.and_then(|b| b.get(4)).is_some_and(|&b| b != 0);
        if slim && name.starts_with(b".gnu.lto_.lto.") {
            return Err(bad(
                "is GCC's intermediate code alone, which needs link-time optimization; that is \
                 not supported yet",
            ));
        }
        Ok(())
    }

    /// Whether a section that is not loaded reaches the output; takes note of those that only
    /// tell the linker something.
    fn wants_unloaded(&mut self, shndx: u32, name: &[u8], rules: ReadRules<'_>) -> bool {
        if name == b".note.GNU-stack" {
            let exec = self.shdrs[shndx as usize].sh_flags.get() & u64::from(SHF_EXECINSTR) != 0;
            self.stack_note = if exec { StackNote::Exec } else { StackNote::NoExec };
            return rules.relocatable;
        }
        if name.starts_with(b".gnu.warning.") {
            self.warnings.push(shndx);
            return rules.relocatable;
        }
        if rules.strip_debug
            && (name.starts_with(b".debug")
                || name.starts_with(b".zdebug")
                || name.starts_with(b".stab")
                || name == b".gdb_index")
        {
            return false;
        }
        true
    }

    fn decode_section(
        &mut self,
        shndx: u32,
        name: &'static [u8],
        rules: ReadRules<'_>,
    ) -> Result<InputSection> {
        let header = &self.shdrs[shndx as usize];
        let sh_flags = header.sh_flags.get();
        let sh_type = header.sh_type.get();
        let align = header.sh_addralign.get().max(1);
        if !align.is_power_of_two() || align > MAX_ALIGN {
            let what = if align > MAX_ALIGN { "too great" } else { "not a power of two" };
            return Err(bad(format!(
                "section {} has an alignment that is {what}: {align:#x}",
                String::from_utf8_lossy(name)
            )));
        }
        let mut section = InputSection {
            object: NONE,
            shndx,
            data_offset: header.sh_offset.get(),
            size: header.sh_size.get(),
            rel_offset: 0,
            rel_count: 0,
            fde_head: NONE,
            out: if rules.relocatable {
                CUSTOM
            } else {
                section_names::output_name(name, rules.keep_text_prefix)
            },
            flags: section_flags(sh_type, sh_flags),
            align_log2: align.trailing_zeros() as u8,
            entsize: 0,
        };
        if !section.flags.has(SectionFlags::NOBITS) {
            let bytes = elf::range(self.data, section.data_offset, section.size)
                .ok_or_else(|| outside(name))?;
            self.decompress(&mut section, name, bytes)?;
        } else if section.size > MAX_MEMORY {
            return Err(bad(format!(
                "section {} is absurdly large",
                String::from_utf8_lossy(name)
            )));
        }
        if matches!(section.out, known::INIT_ARRAY | known::FINI_ARRAY | known::PREINIT_ARRAY) {
            // The loader relocates the tables, whatever the input's flags say.
            section.flags.set(SectionFlags::WRITE);
        }
        self.classify(&mut section, name, rules);
        self.reverse_old_array(&mut section);
        Ok(section)
    }

    /// `.ctors` and `.dtors` run from the last word to the first; as part of `.init_array` and
    /// `.fini_array` their words are in reverse. GNU ld's default script does so, too.
    fn reverse_old_array(&mut self, section: &mut InputSection) {
        let array = match section.out {
            known::CTORS => known::INIT_ARRAY,
            known::DTORS => known::FINI_ARRAY,
            _ => return,
        };
        let unfit = SectionFlags::NOBITS | SectionFlags::DECODED_DATA;
        if section.flags.has(unfit) || !section.size.is_multiple_of(8) {
            return;
        }
        section.out = array;
        section.flags.set(SectionFlags::REVERSED | SectionFlags::DECODED_DATA);
        let start = section.data_offset as usize;
        let words = self.data[start..start + section.size as usize].as_chunks::<8>().0;
        let reversed: Vec<u8> = words.iter().rev().flatten().copied().collect();
        section.data_offset = self.decoded_data.len() as u64;
        self.decoded_data.push(Box::leak(reversed.into_boxed_slice()));
    }

    /// Moves the relocations of a section that was reversed along with its words.
    pub(super) fn reverse_relocations(&mut self, index: usize) {
        let section = self.sections[index];
        let mut relocs = self.relocs(&section).to_vec();
        for reloc in &mut relocs {
            let at = reloc.r_offset.get();
            // Counted from the word that holds the place; one outside stays outside.
            let mirrored = section.size.wrapping_sub(8).wrapping_sub(at & !7).wrapping_add(at & 7);
            reloc.r_offset.set(mirrored);
        }
        relocs.reverse();
        let section = &mut self.sections[index];
        section.rel_offset = self.decoded_relocs.len() as u64;
        section.flags.set(SectionFlags::DECODED_RELOCS);
        self.decoded_relocs.push(Box::leak(relocs.into_boxed_slice()));
    }

    fn decompress(
        &mut self,
        section: &mut InputSection,
        name: &'static [u8],
        bytes: &'static [u8],
    ) -> Result<()> {
        let header = &self.shdrs[section.shndx as usize];
        let is_standard = header.sh_flags.get() & u64::from(SHF_COMPRESSED) != 0;
        let is_legacy = name.starts_with(b".zdebug_");
        if !is_standard && !is_legacy {
            return Ok(());
        }
        let wrong = |e: &dyn std::fmt::Display| {
            bad(format!("section {}: {e}", String::from_utf8_lossy(name)))
        };
        let compressed = if is_standard {
            CompressedSection::parse(bytes).map_err(|e| wrong(&e))?
        } else {
            section.out = known_debug_name(&name[b".zdebug_".len()..]);
            // Without the magic it is not compressed, whatever the name says.
            let Some(compressed) = CompressedSection::parse_zdebug(bytes) else { return Ok(()) };
            compressed
        };
        if let Some(align) = compressed.alignment {
            if align > MAX_ALIGN {
                return Err(wrong(&"ch_addralign is too great"));
            }
            section.align_log2 = align.trailing_zeros() as u8;
        }
        let decoded = compressed.decompress(MAX_DECOMPRESSED).map_err(|e| wrong(&e))?;
        section.size = decoded.len() as u64;
        section.data_offset = self.decoded_data.len() as u64;
        section.flags.set(SectionFlags::DECODED_DATA);
        self.decoded_data.push(Box::leak(decoded.into_boxed_slice()));
        Ok(())
    }

    /// Flags that depend on the name, and merging.
    fn classify(&self, section: &mut InputSection, name: &[u8], rules: ReadRules<'_>) {
        let header = &self.shdrs[section.shndx as usize];
        let flags = &mut section.flags;
        if section.out == known::EH_FRAME && flags.has(SectionFlags::ALLOC) && !rules.relocatable {
            flags.set(SectionFlags::EH_FRAME);
        }
        let is_root = match section.out {
            known::INIT_ARRAY
            | known::FINI_ARRAY
            | known::PREINIT_ARRAY
            | known::INIT
            | known::FINI
            | known::CTORS
            | known::DTORS => true,
            CUSTOM => {
                if section_names::is_c_identifier(name) {
                    flags.set(SectionFlags::C_IDENT);
                }
                name == b".jcr"
            }
            _ => false,
        };
        let in_group = flags.has(SectionFlags::GROUP);
        if is_root
            || flags.has(SectionFlags::RETAIN)
            || (flags.has(SectionFlags::NOTE) && !in_group)
        {
            flags.set(SectionFlags::KEEP);
        }
        let entsize = header.sh_entsize.get();
        let mergeable = header.sh_flags.get() & u64::from(SHF_MERGE) != 0
            && !rules.no_merge
            && !rules.relocatable
            && entsize != 0
            && entsize <= 0xffff
            && section.size.is_multiple_of(entsize)
            && section.size <= u64::from(u32::MAX)
            && !flags.has(SectionFlags::WRITE | SectionFlags::NOBITS)
            && (!flags.has(SectionFlags::STRINGS) || entsize <= 4);
        if mergeable {
            flags.set(SectionFlags::MERGE);
            section.entsize = entsize as u16;
        }
    }

    /// The bytes of a section; empty for NOBITS.
    #[inline]
    pub fn bytes(&self, section: &InputSection) -> &'static [u8] {
        if section.flags.has(SectionFlags::NOBITS | SectionFlags::COMMON) {
            return &[];
        }
        if section.flags.has(SectionFlags::DECODED_DATA) {
            return self.decoded_data[section.data_offset as usize];
        }
        section_bytes(self.data, section)
    }

    /// The relocations of a section.
    #[inline]
    pub fn relocs(&self, section: &InputSection) -> &'static [Rela] {
        if section.flags.has(SectionFlags::DECODED_RELOCS) {
            return self.decoded_relocs[section.rel_offset as usize];
        }
        if section.rel_count == 0 {
            return &[];
        }
        let start = section.rel_offset as usize;
        let bytes = &self.data[start..start + section.rel_count as usize * size_of::<Rela>()];
        <[Rela]>::ref_from_bytes(bytes).expect("checked when the file was read")
    }

    /// Section header index of a symbol, or `None` for an undefined, absolute or common one.
    #[inline]
    pub fn symbol_section(&self, index: usize) -> Option<u32> {
        match self.symbols[index].st_shndx.get() {
            SHN_UNDEF => None,
            SHN_XINDEX => self.symtab_shndx.get(index).map(|x| x.get()),
            n if n >= SHN_LORESERVE => None,
            n => Some(u32::from(n)),
        }
    }

    /// Name of a symbol, empty when its name offset is bad.
    #[inline]
    pub fn symbol_name(&self, index: usize) -> &'static [u8] {
        elf::string(self.strtab, self.symbols[index].st_name.get()).unwrap_or_default()
    }
}

/// A section that claims to be larger than this when decompressed is not believed.
const MAX_DECOMPRESSED: u64 = 16 << 30;

fn section_bytes(data: &'static [u8], section: &InputSection) -> &'static [u8] {
    if section.flags.has(SectionFlags::NOBITS) {
        return &[];
    }
    let start = section.data_offset as usize;
    &data[start..start + section.size as usize]
}

fn known_debug_name(tail: &[u8]) -> u32 {
    let mut name = b".debug_".to_vec();
    name.extend_from_slice(tail);
    section_names::output_name(&name, false)
}

/// Moves each SHF_* bit to its place in [`SectionFlags`], without branches: this runs for every
/// section of every object.
#[inline]
fn section_flags(sh_type: u32, sh_flags: u64) -> SectionFlags {
    let moved = |bit: u32, flag: u32| {
        ((sh_flags as u32 >> bit.trailing_zeros()) & 1) << flag.trailing_zeros()
    };
    let mut flags = SectionFlags(
        moved(SHF_ALLOC, SectionFlags::ALLOC)
            | moved(SHF_WRITE, SectionFlags::WRITE)
            | moved(SHF_EXECINSTR, SectionFlags::EXEC)
            | moved(SHF_TLS, SectionFlags::TLS)
            | moved(SHF_STRINGS, SectionFlags::STRINGS)
            | moved(SHF_LINK_ORDER, SectionFlags::LINK_ORDER)
            | moved(SHF_GROUP, SectionFlags::GROUP)
            | moved(SHF_GNU_RETAIN, SectionFlags::RETAIN)
            | moved(SHF_X86_64_LARGE, SectionFlags::LARGE),
    );
    match sh_type {
        SHT_NOBITS => flags.set(SectionFlags::NOBITS),
        SHT_NOTE => flags.set(SectionFlags::NOTE),
        SHT_INIT_ARRAY | SHT_FINI_ARRAY | SHT_PREINIT_ARRAY => flags.set(SectionFlags::KEEP),
        _ => {}
    }
    flags
}

const SHF_X86_64_LARGE: u32 = 1 << 28;
const SHT_LLVM_LINKER_OPTIONS: u32 = 0x6fff_4c01;
const SHT_LLVM_ADDRSIG: u32 = 0x6fff_4c03;
const SHT_LLVM_DEPENDENT_LIBRARIES: u32 = 0x6fff_4c04;
const SHT_LLVM_CALL_GRAPH_PROFILE: u32 = 0x6fff_4c09;

fn outside(name: &[u8]) -> Error {
    bad(format!("section {} lies outside the file", String::from_utf8_lossy(name)))
}

pub(super) fn bad(what: impl Into<String>) -> Error {
    Error(what.into())
}
