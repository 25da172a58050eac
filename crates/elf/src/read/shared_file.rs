//! Shared objects: exported and undefined dynamic symbols, and their versions.
//!
//! Version definitions follow the Solaris/GNU symbol versioning specification: `.gnu.version` holds
//! one index for each symbol, `.gnu.version_d` names the indices, bit 15 hides a non-default
//! version from plain references.

use super::FileId;
use super::section_table::section_table;
use crate::format::elf::{self, Dyn, Phdr, Shdr, Sym, SymbolId};
use crate::format::encoding::Encoding;
use crate::format::gnu_hash;
use crate::read::Symbols;
use object::elf::*;
use skald_core::diag::{Error, Result};
use skald_core::ids::IdSlice;
use skald_core::names::NameId;
use skald_linking::byte_order::ByteOrder;
use zerocopy::little_endian::{U16, U32};

/// A shared object of the link.
#[derive(Debug, Default)]
pub struct SharedFile {
    /// Its position on the command line; `None` until it has an id.
    pub file: Option<FileId>,
    /// How the file stores its tables.
    pub encoding: Encoding,
    /// All bytes of the file.
    pub data: &'static [u8],
    /// DT_SONAME, or the name by which it was given: its name in DT_NEEDED.
    pub soname: Vec<u8>,
    /// Entries of `.dynsym`.
    pub symbols: &'static Symbols,
    /// Type of those that name nothing (`Machine::register_symbols`).
    pub register_symbols: Option<u8>,
    /// String table of the dynamic symbols (`.dynstr`).
    pub strtab: &'static [u8],
    /// How many dynamic symbols define functions.
    pub function_count: usize,
    /// Version index of each dynamic symbol (`.gnu.version`); empty if there is none.
    pub versym: &'static IdSlice<SymbolId, U16>,
    /// Hashes of `.gnu.hash`, for the dynamic symbols at the end of the table; the lowest bit is
    /// not part of the hash. Not checked against the names.
    pub hashes: &'static [U32],
    /// Version names by index (`.gnu.version_d`); index 0 and 1 are empty.
    pub version_names: Vec<&'static [u8]>,
    /// Names of versions of other libraries by index (`.gnu.version_r`); other indices are empty.
    pub needed_versions: Vec<&'static [u8]>,
    /// DT_NEEDED names, in order.
    pub needed: Vec<&'static [u8]>,
    /// DT_AUDIT; `None` without.
    pub audit: Option<&'static [u8]>,
    /// DT_RUNPATH, or DT_RPATH without that.
    pub runpath: Option<&'static [u8]>,
    /// It uses its own definitions even if others preempt them (DF_SYMBOLIC).
    pub is_symbolic: bool,
    /// Section headers, which show whether variables are read-only; may be empty.
    pub shdrs: &'static [Shdr],
    /// Program headers, which show that too.
    pub phdrs: &'static [Phdr],
    /// `(symbol, name id)` of every exported definition that plain names can bind to; filled when
    /// names are interned.
    pub exports: Vec<(SymbolId, NameId)>,
    /// `(symbol, name id)` of every undefined symbol; filled when names are interned.
    pub imports: Vec<(SymbolId, NameId)>,
    /// The first symbol that is global by its binding, but local by its version index.
    pub local_export: Option<SymbolId>,
    /// `--as-needed` was in force each time that it was named.
    pub as_needed: bool,
    /// `--copy-dt-needed-entries` was in force at least once when it was named.
    pub copies_needed: bool,
}

const DT_AUDIT: u32 = 0x6fff_fefc;

/// Bit 15 of a version index in `.gnu.version`: plain references do not bind to the symbol.
pub const VERSYM_HIDDEN: u16 = 0x8000;

impl SharedFile {
    /// Symbol and text of each `.gnu.warning.SYMBOL` section.
    pub fn warnings(&self) -> impl Iterator<Item = (&'static [u8], &'static [u8])> {
        let names = section_table(self.encoding, self.data).map_or(&[][..], |(_, names)| names);
        self.shdrs.iter().filter_map(move |header| {
            let name = elf::string(names, header.sh_name())?;
            let symbol = name.strip_prefix(b".gnu.warning.")?;
            Some((symbol, elf::range(self.data, header.sh_offset(), header.sh_size())?))
        })
    }

    /// Contents of its `.note.gnu.property`.
    pub fn property_notes(&self) -> impl Iterator<Item = &'static [u8]> {
        let notes = self.phdrs.iter().filter(|header| header.p_type() == PT_GNU_PROPERTY);
        notes.filter_map(|note| elf::range(self.data, note.p_offset(), note.p_filesz()))
    }

    /// Decodes the dynamic symbols of `data`. The message of an error lacks the file name.
    pub fn parse(encoding: Encoding, data: &'static [u8], given_name: &[u8]) -> Result<SharedFile> {
        let (shdrs, _) = section_table(encoding, data)?;
        let mut shared = SharedFile { encoding, data, shdrs, ..SharedFile::default() };
        shared.soname = given_name.to_vec();
        shared.read_program_headers()?;
        if let Some(dynamic) = shdrs.iter().find(|s| s.sh_type() == SHT_DYNAMIC) {
            shared.read_dynamic(dynamic)?;
        }
        let Some(at) = shdrs.iter().position(|s| s.sh_type() == SHT_DYNSYM) else {
            return Ok(shared);
        };
        let header = &shdrs[at];
        let count = header.sh_size() / encoding.size::<Sym>() as u64;
        shared.symbols = encoding
            .table(data, header.sh_offset(), count)
            .map(Symbols::new)
            .ok_or_else(|| bad("dynamic symbol table lies outside the file"))?;
        shared.strtab = shared.linked_strings(header)?;
        for (index, symbol) in shared.symbols.with_ids() {
            shared.function_count += usize::from(is_function(symbol));
            if symbol.st_name() as usize >= shared.strtab.len().max(1) {
                return Err(bad(format!("dynamic symbol {index} has an invalid name")));
            }
        }
        if let Some(versym) = shdrs.iter().find(|s| s.sh_type() == SHT_GNU_VERSYM) {
            shared.versym = encoding
                .table(data, versym.sh_offset(), count)
                .map(IdSlice::new)
                .filter(|_| versym.sh_size() / 2 >= count)
                .ok_or_else(|| bad(".gnu.version lies outside the file"))?;
        }
        if let Some(table) = shdrs.iter().find(|s| s.sh_type() == SHT_GNU_HASH) {
            let offset = table.sh_offset();
            shared.hashes =
                gnu_hash::hashes(encoding, data, offset, shared.symbols.len()).unwrap_or_default();
        }
        if let Some(verdef) = shdrs.iter().find(|s| s.sh_type() == SHT_GNU_VERDEF) {
            shared.read_version_definitions(verdef)?;
        }
        if let Some(verneed) = shdrs.iter().find(|s| s.sh_type() == SHT_GNU_VERNEED) {
            shared.read_version_needs(verneed)?;
        }
        shared.check_versions()?;
        Ok(shared)
    }

    fn linked_strings(&self, header: &Shdr) -> Result<&'static [u8]> {
        self.shdrs
            .get(header.sh_link() as usize)
            .and_then(|s| elf::range(self.data, s.sh_offset(), s.sh_size()))
            .filter(|s| s.last().is_none_or(|&b| b == 0))
            .ok_or_else(|| bad("dynamic string table is missing or not null-terminated"))
    }

    fn read_program_headers(&mut self) -> Result<()> {
        let SharedFile { encoding, data, .. } = *self;
        let header: elf::Ehdr = encoding.read(data).ok_or_else(|| bad("file is too short"))?;
        if header.e_phnum() != 0 && usize::from(header.e_phentsize()) == encoding.size::<Phdr>() {
            self.phdrs = encoding
                .table(data, header.e_phoff(), u64::from(header.e_phnum()))
                .ok_or_else(|| bad("program header table lies outside the file"))?;
        }
        Ok(())
    }

    fn read_dynamic(&mut self, header: &Shdr) -> Result<()> {
        let count = header.sh_size() / self.encoding.size::<Dyn>() as u64;
        let entries: &[Dyn] = self
            .encoding
            .table(self.data, header.sh_offset(), count)
            .ok_or_else(|| bad("dynamic section lies outside the file"))?;
        let strings = self.linked_strings(header)?;
        for entry in entries {
            let text = || elf::string(strings, entry.d_val() as u32).unwrap_or_default();
            match entry.d_tag() as u32 {
                DT_NULL => break,
                DT_SONAME => self.soname = text().to_vec(),
                DT_NEEDED => self.needed.push(text()),
                DT_AUDIT => self.audit = Some(text()),
                DT_RUNPATH => self.runpath = Some(text()),
                DT_SYMBOLIC => self.is_symbolic = true,
                DT_FLAGS => self.is_symbolic |= entry.d_val() & u64::from(DF_SYMBOLIC) != 0,
                DT_RPATH if self.runpath.is_none() => self.runpath = Some(text()),
                _ => {}
            }
        }
        Ok(())
    }

    fn read_version_definitions(&mut self, header: &Shdr) -> Result<()> {
        let table = VersionTable::new(self, header, ".gnu.version_d")?;
        let mut at = 0usize;
        // Each step moves forward, so the loop ends within the section.
        for _ in 0..header.sh_info() {
            let index = table.half(at + 4)? & !VERSYM_HIDDEN;
            let aux = at + table.word(at + 12)? as usize;
            set_name(&mut self.version_names, index, table.name(aux)?);
            match table.word(at + 16)? as usize {
                0 => break,
                next => at += next,
            }
        }
        Ok(())
    }

    fn read_version_needs(&mut self, header: &Shdr) -> Result<()> {
        let table = VersionTable::new(self, header, ".gnu.version_r")?;
        let mut at = 0usize;
        // `vn_aux` of several entries may point to the same place: all versions together cannot be
        // more than the section has room for.
        let mut room = table.bytes.len() / VERNAUX_SIZE;
        for _ in 0..header.sh_info() {
            table.name(at + 4)?;
            let count = usize::from(table.half(at + 2)?);
            room = room.checked_sub(count).ok_or_else(|| table.broken())?;
            let mut aux = at + table.word(at + 8)? as usize;
            for _ in 0..count {
                let index = table.half(aux + 6)? & !VERSYM_HIDDEN;
                set_name(&mut self.needed_versions, index, table.name(aux + 8)?);
                match table.word(aux + 12)? as usize {
                    0 => break,
                    next => aux += next,
                }
            }
            match table.word(at + 12)? as usize {
                0 => break,
                next => at += next,
            }
        }
        Ok(())
    }

    /// Checks that every symbol's version index names a version.
    fn check_versions(&self) -> Result<()> {
        let (needed, defined) = (self.needed_versions.len(), self.version_names.len());
        for (at, (symbol, version)) in self.symbols.iter().zip(self.versym).enumerate() {
            let index = version.get() & !VERSYM_HIDDEN;
            let (count, what) = match symbol.st_shndx() {
                SHN_UNDEF => (needed, "needs"),
                _ => (defined, "definition"),
            };
            let is_there = usize::from(index) < count || index <= VER_NDX_GLOBAL;
            if !is_there && symbol.bind() != STB_LOCAL {
                let name = String::from_utf8_lossy(self.symbol_name(SymbolId::from_index(at)));
                return Err(bad(format!(
                    "version {what} index {index} for {name} is out of range"
                )));
            }
        }
        Ok(())
    }

    /// Version index of a symbol, with the hidden bit.
    pub fn version(&self, symbol: SymbolId) -> u16 {
        self.versym.get(symbol).map_or(VER_NDX_GLOBAL, |v| v.get())
    }

    /// Version name of a symbol; `None` if it has no version.
    pub fn version_name(&self, symbol: SymbolId) -> Option<&'static [u8]> {
        let index = usize::from(self.version(symbol) & !VERSYM_HIDDEN);
        if index <= usize::from(VER_NDX_GLOBAL) {
            return None;
        }
        self.version_names.get(index).copied().filter(|n| !n.is_empty())
    }

    /// Version of another library that an undefined symbol needs; `None` without.
    pub fn needed_version(&self, symbol: SymbolId) -> Option<&'static [u8]> {
        if self.symbols[symbol].st_shndx() != SHN_UNDEF {
            return None;
        }
        let index = usize::from(self.version(symbol) & !VERSYM_HIDDEN);
        self.needed_versions.get(index).copied().filter(|name| !name.is_empty())
    }

    /// Name of a symbol; empty if `st_name` is out of range.
    pub fn symbol_name(&self, symbol: SymbolId) -> &'static [u8] {
        elf::string(self.strtab, self.symbols[symbol].st_name()).unwrap_or_default()
    }

    /// Whether a symbol is defined and other files can bind to it.
    pub fn is_export(&self, symbol: SymbolId) -> bool {
        self.is_visible_definition(symbol) && self.version(symbol) & !VERSYM_HIDDEN != VER_NDX_LOCAL
    }

    /// Whether a symbol is defined and visible by its binding and visibility, whatever its version.
    pub fn is_visible_definition(&self, symbol: SymbolId) -> bool {
        let entry = &self.symbols[symbol];
        entry.st_shndx() != SHN_UNDEF
            && entry.bind() != STB_LOCAL
            && matches!(entry.visibility(), STV_DEFAULT | STV_PROTECTED)
    }

    /// Whether the page that contains `address` is read-only at run time. Then a copy of a variable
    /// there belongs in read-only memory, too.
    pub fn is_read_only(&self, address: u64) -> bool {
        let contains = |p: &Phdr| {
            let start = p.p_vaddr();
            address >= start && address - start < p.p_memsz()
        };
        self.phdrs.iter().any(|p| match p.p_type() {
            PT_LOAD => contains(p) && p.p_flags() & PF_W == 0,
            PT_GNU_RELRO => contains(p),
            _ => false,
        })
    }

    /// Whether a symbol is a variable that common symbols of the name, thread-local or not, may
    /// share memory with.
    pub fn is_variable(&self, symbol: SymbolId, is_thread_local: bool) -> bool {
        let entry = &self.symbols[symbol];
        let is_kind = if is_thread_local {
            entry.kind() == STT_TLS
        } else {
            matches!(entry.kind(), STT_NOTYPE | STT_OBJECT | STT_COMMON)
        };
        is_kind && usize::from(entry.st_shndx()) < self.shdrs.len()
    }

    /// Whether the library itself uses a program's copy of the variable.
    pub fn uses_copy(&self, symbol: SymbolId) -> bool {
        let entry = &self.symbols[symbol];
        entry.visibility() != STV_PROTECTED && entry.kind() != STT_TLS && !self.is_symbolic
    }

    /// Whether a symbol is a non-weak variable with an initial value, which GNU ld prefers to a
    /// common symbol. A zero-initialised variable may have been a common symbol itself.
    pub fn initialises(&self, symbol: SymbolId, is_thread_local: bool) -> bool {
        let entry = &self.symbols[symbol];
        if !self.is_variable(symbol, is_thread_local) || entry.bind() == STB_WEAK {
            return false;
        }
        let section = &self.shdrs[usize::from(entry.st_shndx())];
        section.sh_type() != SHT_NOBITS || entry.st_size() == 0
    }

    /// Alignment, as a power of two, that a copy of the symbol needs: that of its section, if its
    /// address is a multiple of it.
    pub fn symbol_align_log2(&self, symbol: SymbolId) -> u8 {
        let entry = &self.symbols[symbol];
        let by_address = entry.st_value().trailing_zeros().min(12) as u8;
        let section = self.shdrs.get(usize::from(entry.st_shndx()));
        let by_section =
            section.map_or(by_address, |s| s.sh_addralign().max(1).trailing_zeros().min(12) as u8);
        by_address.min(by_section)
    }
}

/// Whether a dynamic symbol defines a function.
pub fn is_function(symbol: &Sym) -> bool {
    symbol.st_shndx() != SHN_UNDEF && matches!(symbol.kind(), STT_FUNC | STT_GNU_IFUNC)
}

/// Least size in bytes of an entry for a needed version (`Elf64_Vernaux`, or `Elf32_Vernaux`).
const VERNAUX_SIZE: usize = 16;

/// A section of version definitions or needs, with its strings.
struct VersionTable {
    order: ByteOrder,
    section: &'static str,
    bytes: &'static [u8],
    strings: &'static [u8],
}

impl VersionTable {
    fn new(shared: &SharedFile, header: &Shdr, section: &'static str) -> Result<VersionTable> {
        let bytes = elf::range(shared.data, header.sh_offset(), header.sh_size());
        let (order, strings) = (shared.encoding.order, shared.linked_strings(header)?);
        let table = VersionTable { order, section, bytes: &[], strings };
        Ok(VersionTable { bytes: bytes.ok_or_else(|| table.broken())?, ..table })
    }

    fn broken(&self) -> Error {
        bad(format!("{} is malformed", self.section))
    }

    fn half(&self, at: usize) -> Result<u16> {
        self.order.get(self.bytes, at).ok_or_else(|| self.broken())
    }

    fn word(&self, at: usize) -> Result<u32> {
        self.order.get(self.bytes, at).ok_or_else(|| self.broken())
    }

    /// The string whose string table offset is at `at`.
    fn name(&self, at: usize) -> Result<&'static [u8]> {
        elf::string(self.strings, self.word(at)?).ok_or_else(|| self.broken())
    }
}

fn set_name(names: &mut Vec<&'static [u8]>, index: u16, name: &'static [u8]) {
    if names.len() <= usize::from(index) {
        names.resize(usize::from(index) + 1, &[]);
    }
    names[usize::from(index)] = name;
}

fn bad(what: impl Into<String>) -> Error {
    Error(what.into())
}
