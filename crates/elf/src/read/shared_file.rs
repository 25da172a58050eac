//! Shared objects: exported and undefined dynamic symbols, and their versions.
//!
//! Version definitions follow the Solaris/GNU symbol versioning specification: `.gnu.version`
//! holds one index a symbol, `.gnu.version_d` names the indices, bit 15 hides a non-default
//! version from plain references.

use super::FileId;
use super::section_table::section_table;
use crate::format::elf::{self, Dyn, Phdr, Shdr, Sym};
use object::elf::*;
use skald_core::diag::{Error, Result};
use zerocopy::FromBytes;
use zerocopy::little_endian::U16;

/// A shared object on the command line.
#[derive(Debug, Default)]
pub struct SharedFile {
    /// Its place in the command line.
    pub file: Option<FileId>,
    /// The file's bytes.
    pub data: &'static [u8],
    /// DT_SONAME, or else the name it was given by.
    pub soname: Vec<u8>,
    /// Dynamic symbols.
    pub symbols: &'static [Sym],
    /// Their names.
    pub strtab: &'static [u8],
    /// `.gnu.version`, empty if there is none.
    pub versym: &'static [U16],
    /// Version names by index; index 0 and 1 are empty.
    pub version_names: Vec<&'static [u8]>,
    /// DT_NEEDED.
    pub needed: Vec<&'static [u8]>,
    /// DT_AUDIT.
    pub audit: Option<&'static [u8]>,
    /// DT_RUNPATH or else DT_RPATH.
    pub runpath: Option<&'static [u8]>,
    /// Section headers, for what is read-only.
    pub shdrs: &'static [Shdr],
    /// Program headers.
    pub phdrs: &'static [Phdr],
    /// `(index in symbols, name id)` of every exported definition that plain names can bind to.
    pub exports: Vec<(u32, u32)>,
    /// `(index in symbols, name id)` of every undefined symbol.
    pub imports: Vec<(u32, u32)>,
    /// The first symbol that is for others by its binding, and local by its version.
    pub local_export: Option<u32>,
    /// `--as-needed` was in force at every mention.
    pub as_needed: bool,
    /// `--copy-dt-needed-entries` was in force at a mention.
    pub copies_needed: bool,
}

const DT_AUDIT: u32 = 0x6fff_fefc;

/// Bit of a version index that hides it from plain references.
pub const VERSYM_HIDDEN: u16 = 0x8000;

impl SharedFile {
    /// Symbols and texts of `.gnu.warning.SYMBOL` sections.
    pub fn warnings(&self) -> impl Iterator<Item = (&'static [u8], &'static [u8])> {
        let names = section_table(self.data).map_or(&[][..], |(_, names)| names);
        self.shdrs.iter().filter_map(move |header| {
            let name = elf::string(names, header.sh_name.get())?;
            let symbol = name.strip_prefix(b".gnu.warning.")?;
            Some((symbol, elf::range(self.data, header.sh_offset.get(), header.sh_size.get())?))
        })
    }

    /// Decodes the dynamic symbols of `data`. The message of an error lacks the file name.
    pub fn parse(data: &'static [u8], given_name: &[u8]) -> Result<SharedFile> {
        let (shdrs, _) = section_table(data)?;
        let mut shared = SharedFile { data, shdrs, ..SharedFile::default() };
        shared.soname = given_name.to_vec();
        shared.read_program_headers()?;
        if let Some(dynamic) = shdrs.iter().find(|s| s.sh_type.get() == SHT_DYNAMIC) {
            shared.read_dynamic(dynamic)?;
        }
        let Some(at) = shdrs.iter().position(|s| s.sh_type.get() == SHT_DYNSYM) else {
            return Ok(shared);
        };
        let header = &shdrs[at];
        let count = header.sh_size.get() / size_of::<Sym>() as u64;
        shared.symbols = elf::table(data, header.sh_offset.get(), count)
            .ok_or_else(|| bad("dynamic symbol table lies outside the file"))?;
        shared.strtab = shared.linked_strings(header)?;
        for (index, symbol) in shared.symbols.iter().enumerate() {
            if symbol.st_name.get() as usize >= shared.strtab.len().max(1) {
                return Err(bad(format!("dynamic symbol {index} has an invalid name")));
            }
        }
        if let Some(versym) = shdrs.iter().find(|s| s.sh_type.get() == SHT_GNU_VERSYM) {
            shared.versym = elf::table(data, versym.sh_offset.get(), count)
                .filter(|_| versym.sh_size.get() / 2 >= count)
                .ok_or_else(|| bad(".gnu.version lies outside the file"))?;
        }
        if let Some(verdef) = shdrs.iter().find(|s| s.sh_type.get() == SHT_GNU_VERDEF) {
            shared.read_version_definitions(verdef)?;
        }
        Ok(shared)
    }

    fn linked_strings(&self, header: &Shdr) -> Result<&'static [u8]> {
        self.shdrs
            .get(header.sh_link.get() as usize)
            .and_then(|s| elf::range(self.data, s.sh_offset.get(), s.sh_size.get()))
            .filter(|s| s.last().is_none_or(|&b| b == 0))
            .ok_or_else(|| bad("dynamic string table is missing or not null-terminated"))
    }

    fn read_program_headers(&mut self) -> Result<()> {
        let (header, _) =
            elf::Ehdr::ref_from_prefix(self.data).map_err(|_| bad("file is too short"))?;
        if header.e_phnum.get() != 0 && header.e_phentsize.get() as usize == size_of::<Phdr>() {
            self.phdrs =
                elf::table(self.data, header.e_phoff.get(), u64::from(header.e_phnum.get()))
                    .ok_or_else(|| bad("program header table lies outside the file"))?;
        }
        Ok(())
    }

    fn read_dynamic(&mut self, header: &Shdr) -> Result<()> {
        let count = header.sh_size.get() / size_of::<Dyn>() as u64;
        let entries: &[Dyn] = elf::table(self.data, header.sh_offset.get(), count)
            .ok_or_else(|| bad("dynamic section lies outside the file"))?;
        let strings = self.linked_strings(header)?;
        for entry in entries {
            let text = || elf::string(strings, entry.d_val.get() as u32).unwrap_or_default();
            match entry.d_tag.get() as u32 {
                DT_NULL => break,
                DT_SONAME => self.soname = text().to_vec(),
                DT_NEEDED => self.needed.push(text()),
                DT_AUDIT => self.audit = Some(text()),
                DT_RUNPATH => self.runpath = Some(text()),
                DT_RPATH if self.runpath.is_none() => self.runpath = Some(text()),
                _ => {}
            }
        }
        Ok(())
    }

    fn read_version_definitions(&mut self, header: &Shdr) -> Result<()> {
        let broken = || bad(".gnu.version_d is malformed");
        let bytes = elf::range(self.data, header.sh_offset.get(), header.sh_size.get())
            .ok_or_else(broken)?;
        let strings = self.linked_strings(header)?;
        let half = |at: usize| {
            bytes.get(at..at + 2).map(|b| u16::from_le_bytes([b[0], b[1]])).ok_or_else(broken)
        };
        let word = |at: usize| {
            let field = bytes.get(at..at + 4).ok_or_else(broken)?;
            Ok::<u32, Error>(u32::from_le_bytes(field.try_into().expect("four bytes")))
        };
        let mut at = 0usize;
        // Each step moves forward, so the loop ends inside the section.
        for _ in 0..header.sh_info.get() {
            let index = usize::from(half(at + 4)? & !VERSYM_HIDDEN);
            let aux = at + word(at + 12)? as usize;
            let name = elf::string(strings, word(aux)?).ok_or_else(broken)?;
            if self.version_names.len() <= index {
                self.version_names.resize(index + 1, &[]);
            }
            self.version_names[index] = name;
            match word(at + 16)? as usize {
                0 => break,
                next => at += next,
            }
        }
        Ok(())
    }

    /// The version index of a symbol with the hidden bit.
    pub fn version(&self, symbol: u32) -> u16 {
        self.versym.get(symbol as usize).map_or(VER_NDX_GLOBAL, |v| v.get())
    }

    /// The version name of a symbol; `None` for an unversioned one.
    pub fn version_name(&self, symbol: u32) -> Option<&'static [u8]> {
        let index = usize::from(self.version(symbol) & !VERSYM_HIDDEN);
        if index <= usize::from(VER_NDX_GLOBAL) {
            return None;
        }
        self.version_names.get(index).copied().filter(|n| !n.is_empty())
    }

    /// Name of a symbol, empty when its name offset is bad.
    pub fn symbol_name(&self, symbol: u32) -> &'static [u8] {
        elf::string(self.strtab, self.symbols[symbol as usize].st_name.get()).unwrap_or_default()
    }

    /// Whether a symbol is defined and visible to others.
    pub fn is_export(&self, symbol: u32) -> bool {
        self.is_visible_definition(symbol) && self.version(symbol) & !VERSYM_HIDDEN != VER_NDX_LOCAL
    }

    /// Whether a symbol is defined and visible to others, whatever its version says.
    pub fn is_visible_definition(&self, symbol: u32) -> bool {
        let entry = &self.symbols[symbol as usize];
        entry.st_shndx.get() != SHN_UNDEF
            && entry.bind() != STB_LOCAL
            && matches!(entry.visibility(), STV_DEFAULT | STV_PROTECTED)
    }

    /// The exported definition of `name` with version `version`, hidden ones included.
    pub fn find_versioned(&self, name: &[u8], version: &[u8]) -> Option<u32> {
        (1..self.symbols.len() as u32).find(|&i| {
            self.is_export(i)
                && self.version_name(i) == Some(version)
                && self.symbol_name(i) == name
        })
    }

    /// Whether the page that `address` lies on cannot be written when the library runs: a copy of
    /// a variable there belongs in read-only memory too.
    pub fn is_read_only(&self, address: u64) -> bool {
        let contains = |p: &Phdr| {
            let start = p.p_vaddr.get();
            address >= start && address - start < p.p_memsz.get()
        };
        self.phdrs.iter().any(|p| match p.p_type.get() {
            PT_LOAD => contains(p) && p.p_flags.get() & PF_W == 0,
            PT_GNU_RELRO => contains(p),
            _ => false,
        })
    }

    /// Whether a symbol is a variable that common symbols of the name may share.
    pub fn is_variable(&self, symbol: u32) -> bool {
        let entry = &self.symbols[symbol as usize];
        matches!(entry.kind(), STT_NOTYPE | STT_OBJECT | STT_COMMON)
            && usize::from(entry.st_shndx.get()) < self.shdrs.len()
    }

    /// Whether a symbol is a variable with a value of its own, and not a weak one: what GNU ld
    /// prefers to a common symbol. What is zero at first may have been a common symbol itself.
    pub fn initialises(&self, symbol: u32) -> bool {
        let entry = &self.symbols[symbol as usize];
        if !self.is_variable(symbol) || entry.bind() == STB_WEAK {
            return false;
        }
        let section = &self.shdrs[usize::from(entry.st_shndx.get())];
        section.sh_type.get() != SHT_NOBITS || entry.st_size.get() == 0
    }

    /// Alignment, as a power of two, that a copy of the symbol needs: that of its section, as far
    /// as its address keeps it.
    pub fn symbol_align_log2(&self, symbol: u32) -> u8 {
        let entry = &self.symbols[symbol as usize];
        let by_address = entry.st_value.get().trailing_zeros().min(12) as u8;
        let section = self.shdrs.get(usize::from(entry.st_shndx.get()));
        let by_section = section
            .map_or(by_address, |s| s.sh_addralign.get().max(1).trailing_zeros().min(12) as u8);
        by_address.min(by_section)
    }
}

fn bad(what: impl Into<String>) -> Error {
    Error(what.into())
}
