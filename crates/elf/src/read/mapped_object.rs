//! The parts of an object that are mapped from its file: its tables, which can be found again from
//! the headers alone, and its decoded parts. The rest of an object ([`super::ObjectFile`]) consists
//! of numbers, ids and offsets, which stay valid when the file is mapped again.

use super::Symbols;
use super::descriptors::SplitDescriptors;
#[cfg(doc)]
use super::object_file::SectionFlags;
use super::object_file::bad;
use super::rel_in_place::LateRelocs;
use super::section_table::section_table;
use crate::format::compressed::CompressedSection;
use crate::format::elf::{self, Ehdr, Rela, Shdr, Sym, SymbolId};
use crate::format::encoding::Encoding;
use object::elf::{SHT_STRTAB, SHT_SYMTAB, SHT_SYMTAB_SHNDX};
use skald_core::diag::Result;
use skald_core::input::{InputBytes, InputFile};
use skald_core::memory_limit::Resident;
use zerocopy::little_endian::U32;

/// The mapped tables of an object.
#[derive(Debug, Default, Clone)]
pub struct MappedObject {
    /// How the object stores its tables, which are decoded if that is not the native encoding.
    pub encoding: Encoding,
    /// All bytes of the object: a file or an archive member.
    pub data: &'static [u8],
    /// The open file that they are in; `None` for objects made in memory.
    pub input: Option<InputFile>,
    /// Bytes of the section of an object made around a file ([`super::made_object`]), which are not
    /// copied into it; `None` for other objects.
    pub content: Option<&'static [u8]>,
    /// The section header table.
    pub shdrs: &'static [Shdr],
    /// The section name string table (`e_shstrndx`).
    pub shstrtab: &'static [u8],
    /// The symbol table (SHT_SYMTAB); empty without one.
    pub symbols: &'static Symbols,
    /// The bytes of the symbol table in the file.
    pub symbol_bytes: &'static [u8],
    /// The symbol table's string table; empty, or its last byte is NUL.
    pub strtab: &'static [u8],
    /// SHT_SYMTAB_SHNDX: section indices too large for `st_shndx`; empty without one.
    pub symtab_shndx: &'static [U32],
    /// Relocations of sections with [`SectionFlags::DECODED_RELOCS`].
    pub decoded_relocs: Vec<&'static [Rela]>,
    /// Records for sections with [`SectionFlags::REL_IN_PLACE`]; `None` without such sections.
    pub late_relocs: Option<Box<LateRelocs>>,
    /// The words of groups, by section header index, ascending; empty where the file has them as
    /// they are used.
    pub decoded_groups: Vec<(u32, &'static [U32])>,
    /// Bytes of sections with [`SectionFlags::DECODED_DATA`].
    pub decoded_data: Vec<&'static [u8]>,
    /// Sections with [`SectionFlags::COMPRESSED`] by section header index, ascending.
    pub compressed: Vec<(u32, CompressedSection<'static>)>,
    /// The function descriptors, if they are read as sections of their own.
    pub descriptors: Option<Box<SplitDescriptors>>,
    /// Counts how much of the object is in memory, if there is a memory limit.
    pub resident: Option<&'static Resident>,
}

impl MappedObject {
    /// Finds and checks the tables of an object, and its first global symbol. The message of an
    /// error lacks the file name.
    pub fn map(encoding: Encoding, input: InputBytes) -> Result<(MappedObject, SymbolId)> {
        let InputBytes { bytes: data, file: input, content } = input;
        let (shdrs, shstrtab) = section_table(encoding, data)?;
        let mapped = MappedObject { encoding, data, input, content, ..MappedObject::default() };
        let mut mapped = MappedObject { shdrs, shstrtab, ..mapped };
        let first_global = mapped.map_symbols()?;
        Ok((mapped, first_global))
    }

    /// The place in the file of an offset in a section: its section header index and its offset.
    pub fn place_in_file(&self, shndx: u32, section_offset: u64) -> (u32, u64) {
        match &self.descriptors {
            Some(descriptors) => descriptors.place_in_file(shndx, section_offset),
            None => (shndx, section_offset),
        }
    }

    /// The place in the file of what a symbol with this section and value is for: of a function its
    /// code, not its descriptor.
    pub fn place_of_symbol(&self, shndx: u32, value: u64) -> (u32, u64) {
        let descriptors = self.descriptors.as_ref();
        descriptors.and_then(|all| all.code_of(shndx)).unwrap_or((shndx, value))
    }

    /// `e_flags`.
    pub fn header_flags(&self) -> u32 {
        self.encoding.read::<Ehdr>(self.data).map_or(0, |header| header.e_flags())
    }

    /// Finds the symbol table, its string table and extended section indices.
    fn map_symbols(&mut self) -> Result<SymbolId> {
        let Some(at) = self.shdrs.iter().position(|s| s.sh_type() == SHT_SYMTAB) else {
            return Ok(SymbolId::default());
        };
        let header = &self.shdrs[at];
        let (size, entry) = (header.sh_size(), self.encoding.size::<Sym>() as u64);
        if !size.is_multiple_of(entry) {
            return Err(bad(format!("symbol table size is not a multiple of {entry}")));
        }
        let count = size / entry;
        self.symbol_bytes = elf::range(self.data, header.sh_offset(), size)
            .ok_or_else(|| bad("symbol table lies outside the file"))?;
        self.symbols =
            self.encoding.kept(self.symbol_bytes).map(Symbols::new).expect("a whole number");
        let first_global = SymbolId::new(header.sh_info());
        if u64::from(first_global) > count || (count > 0 && first_global.index() == 0) {
            return Err(bad(format!(
                "invalid sh_info in symbol table: {first_global} of {count} symbols"
            )));
        }
        let strtab = self
            .shdrs
            .get(header.sh_link() as usize)
            .filter(|s| s.sh_type() == SHT_STRTAB)
            .ok_or_else(|| {
                let link = header.sh_link();
                bad(format!("symbol table has no string table: section {link} (sh_link) is none"))
            })?;
        self.strtab = elf::range(self.data, strtab.sh_offset(), strtab.sh_size())
            .ok_or_else(|| bad("string table lies outside the file"))?;
        if self.strtab.last().is_some_and(|&b| b != 0) {
            return Err(bad("string table is not null-terminated"));
        }
        if let Some(xindex) = self
            .shdrs
            .iter()
            .find(|s| s.sh_type() == SHT_SYMTAB_SHNDX && s.sh_link() as usize == at)
        {
            self.symtab_shndx = self
                .encoding
                .table(self.data, xindex.sh_offset(), count)
                .filter(|_| xindex.sh_size() / 4 >= count)
                .ok_or_else(|| bad("extended section indices lie outside the file"))?;
        }
        Ok(first_global)
    }
}
