//! An ELF file as plain tables, which tests query for the properties of a linker's output.
//!
//! The file is read with the `object` crate. Everything is copied out as native integers and
//! strings, since outputs of tests are small. An error means that the file cannot be read at all;
//! files that are readable but wrong are the task of [`crate::lint`].

use crate::encoding::Encoding;
use crate::{Result, elf_names, relocation_types};
use object::elf::{self, FileHeader32, FileHeader64};
use object::read::elf::{
    Dyn as _, FileHeader, ProgramHeader as _, Rel as _, Rela as _, SectionHeader as _,
    SectionTable, Sym as _, VersionTable,
};
use object::{Endianness, SymbolIndex};
use std::path::Path;

/// The file header of either class, which determines all other record types of the `object` crate.
trait Header: FileHeader<Endian = Endianness> {}

impl<H: FileHeader<Endian = Endianness>> Header for H {}

/// A section header, decoded.
#[derive(Debug, Clone)]
#[allow(missing_docs, reason = "the fields of Elf64_Shdr")]
pub struct Section {
    pub name: String,
    pub kind: u32,
    pub flags: u64,
    pub address: u64,
    pub file_offset: u64,
    pub size: u64,
    pub link: u32,
    pub info: u32,
    pub align: u64,
    pub entry_size: u64,
}

impl Section {
    /// Address one past its last byte.
    pub fn end(&self) -> u64 {
        self.address.wrapping_add(self.size)
    }

    /// Whether the section is in memory when the program runs: SHF_ALLOC.
    pub fn is_alloc(&self) -> bool {
        self.flags & u64::from(elf::SHF_ALLOC) != 0
    }

    /// Whether its bytes are in the file: not SHT_NOBITS.
    pub fn is_in_file(&self) -> bool {
        self.kind != elf::SHT_NOBITS && self.kind != elf::SHT_NULL
    }

    /// `.tbss` and the like: takes no room in the address space.
    pub fn is_tls_nobits(&self) -> bool {
        self.kind == elf::SHT_NOBITS && self.flags & u64::from(elf::SHF_TLS) != 0
    }
}

/// A program header, decoded.
#[derive(Debug, Clone)]
#[allow(missing_docs, reason = "the fields of Elf64_Phdr")]
pub struct Segment {
    pub kind: u32,
    pub flags: u32,
    pub file_offset: u64,
    pub address: u64,
    pub physical_address: u64,
    pub file_size: u64,
    pub memory_size: u64,
    pub align: u64,
}

impl Segment {
    /// Address one past its last byte.
    pub fn end(&self) -> u64 {
        self.address.wrapping_add(self.memory_size)
    }

    /// Whether this segment and `other` share their addresses because they hold sections of an
    /// overlay, which are loaded elsewhere and copied to the addresses at which they run.
    pub fn takes_turns_with(&self, other: &Segment) -> bool {
        let apart = |a: &Segment, b: &Segment| {
            a.physical_address
                .checked_add(a.memory_size)
                .is_some_and(|end| end <= b.physical_address)
        };
        let is_moved = |s: &Segment| s.physical_address != s.address;
        let is_one_place = self.address == other.address;
        is_one_place
            && (is_moved(self) || is_moved(other))
            && (apart(self, other) || apart(other, self))
    }

    /// Whether this segment loads the bytes of `section`.
    pub fn loads(&self, section: &Section) -> bool {
        let from = section.file_offset.wrapping_sub(self.file_offset);
        self.holds(section.address, section.size)
            && (!section.is_in_file() || from == section.address.wrapping_sub(self.address))
    }

    /// Whether `[address, address + size)` lies inside the segment.
    pub fn holds(&self, address: u64, size: u64) -> bool {
        // The segment may end at the end of the address space, which a `u64` cannot represent.
        let end = address.checked_sub(self.address).and_then(|start| start.checked_add(size));
        end.is_some_and(|end| end <= self.memory_size)
    }
}

/// A symbol of `.symtab` or `.dynsym`.
#[derive(Debug, Clone)]
pub struct Symbol {
    /// Name in the string table, without a version.
    pub name: String,
    /// `st_value`: an address, or in a relocatable file an offset in the section.
    pub value: u64,
    /// `st_size` in bytes.
    pub size: u64,
    /// `STT_*`: the lower half of `st_info`.
    pub kind: u8,
    /// `STB_*`: the upper half of `st_info`.
    pub binding: u8,
    /// `st_other`: the visibility is in its two lowest bits.
    pub other: u8,
    /// `st_shndx` or, for `SHN_XINDEX`, the index itself.
    pub section_index: u32,
    /// Name of the section, or `UND`, `ABS`, `COM`.
    pub section: String,
    /// Version in .gnu.version, with `@` (hidden or needed) or `@@` (default) before it.
    pub version: String,
}

impl Symbol {
    /// Whether it has a section, or is absolute or common.
    pub fn is_defined(&self) -> bool {
        self.section_index != u32::from(elf::SHN_UNDEF)
    }

    /// Whether it is `STB_LOCAL`.
    pub fn is_local(&self) -> bool {
        self.binding == elf::STB_LOCAL
    }
}

/// An entry of .dynamic.
#[derive(Debug, Clone)]
pub struct Dynamic {
    /// Name of `d_tag` without `DT_`.
    pub tag: String,
    /// `d_val` or `d_ptr`.
    pub value: u64,
    /// The string at offset `d_val` of `.dynstr`, or names of the flags in `d_val`.
    pub text: Option<String>,
}

/// A relocation of any table of the file.
#[derive(Debug, Clone)]
pub struct Relocation {
    /// Type, whole; `RELR` for an address packed in a RELR table.
    pub kind: String,
    /// `r_offset`: an address, or in a relocatable file an offset in the section.
    pub place: u64,
    /// Index in the linked symbol table.
    pub symbol_index: u32,
    /// Name of that symbol, or of its section for a section symbol.
    pub symbol: String,
    /// `r_addend`; in a table without addends, the value at the place, if it is known.
    pub addend: i64,
    /// Name of the section that holds the relocation.
    pub table: String,
    /// Name of the section that the place is in.
    pub section: String,
}

/// A version of .gnu.version_d or .gnu.version_r.
#[derive(Debug, Clone)]
pub struct Version {
    /// The name in .dynstr.
    pub name: String,
    /// `def` for .gnu.version_d, `need` for .gnu.version_r.
    pub kind: &'static str,
    /// For a needed version, the name of the library.
    pub file: String,
    /// `vd_flags` or `vna_flags`: VER_FLG_*.
    pub flags: u16,
    /// The index of this version in .gnu.version.
    pub index: u16,
    /// For a defined version, the one it inherits from.
    pub parent: String,
}

/// A note of an SHT_NOTE section.
#[derive(Debug, Clone)]
pub struct Note {
    /// Owner, usually `GNU`.
    pub owner: String,
    /// `n_type`, whose meaning depends on the owner.
    pub kind: u32,
    /// The descriptor: `n_descsz` bytes.
    pub description: Vec<u8>,
    /// Section that holds it.
    pub section: String,
}

/// An entry of a table of relocations.
struct Entry {
    place: u64,
    symbol: u32,
    kind: u32,
    /// `None` in a table without addends.
    addend: Option<i64>,
}

/// A whole output file, decoded.
#[derive(Debug, Clone, Default)]
#[allow(missing_docs, reason = "one table each")]
pub struct OutputFile {
    pub data: Vec<u8>,
    pub encoding: Encoding,
    pub file_type: u16,
    pub machine: u16,
    pub os_abi: u8,
    pub entry: u64,
    pub flags: u32,
    pub sections: Vec<Section>,
    pub segments: Vec<Segment>,
    pub symbols: Vec<Symbol>,
    pub dynamic_symbols: Vec<Symbol>,
    pub dynamic: Vec<Dynamic>,
    pub relocations: Vec<Relocation>,
    pub versions: Vec<Version>,
    pub notes: Vec<Note>,
}

impl OutputFile {
    /// Reads the file at `path`.
    pub fn read(path: &Path) -> Result<OutputFile> {
        let data = std::fs::read(path).map_err(|e| format!("{}: {e}", path.display()))?;
        OutputFile::parse(data).map_err(|e| format!("{}: {e}", path.display()))
    }

    /// Decodes `data`, the bytes of a file; fails if a table lies outside of it.
    pub fn parse(data: Vec<u8>) -> Result<OutputFile> {
        let mut file = OutputFile::default();
        let decoded = match data.get(4) {
            Some(&elf::ELFCLASS32) => file.decode::<FileHeader32<Endianness>>(&data),
            _ => file.decode::<FileHeader64<Endianness>>(&data),
        };
        decoded.map_err(|e| e.to_string())?;
        file.data = data;
        Ok(file)
    }

    /// Whether an address is that of a function's descriptor, which functions of PowerPC's ELFv1
    /// have: symbols of functions are theirs.
    pub fn is_descriptor(&self, address: u64) -> bool {
        let is_of_descriptors = |name: &str| name == ".opd" || name.starts_with(".opd.");
        self.machine == elf::EM_PPC64
            && self.sections.iter().filter(|section| is_of_descriptors(&section.name)).any(
                |section| {
                    address.checked_sub(section.address).is_some_and(|offset| offset < section.size)
                },
            )
    }

    /// The first section called `name`.
    pub fn section(&self, name: &str) -> Option<&Section> {
        self.sections.iter().find(|s| s.name == name)
    }

    /// The bytes of `section` in the file; empty if it has none or they are outside the file.
    pub fn section_bytes(&self, section: &Section) -> &[u8] {
        if !section.is_in_file() {
            return &[];
        }
        self.bytes(section.file_offset, section.size)
    }

    /// `size` bytes at `file_offset`; empty if they are outside the file.
    pub fn bytes(&self, file_offset: u64, size: u64) -> &[u8] {
        let start = usize::try_from(file_offset).unwrap_or(usize::MAX);
        let end = start.saturating_add(usize::try_from(size).unwrap_or(usize::MAX));
        self.data.get(start..end).unwrap_or_default()
    }

    /// The bytes from `address` to the end of the file contents of its PT_LOAD.
    pub fn bytes_at_address(&self, address: u64) -> &[u8] {
        let loads = self.segments.iter().filter(|s| s.kind == elf::PT_LOAD);
        for load in loads {
            if address >= load.address && address - load.address < load.file_size {
                let skip = address - load.address;
                return self.bytes(load.file_offset.wrapping_add(skip), load.file_size - skip);
            }
        }
        &[]
    }

    /// The value of the first entry with `tag`.
    pub fn dynamic_value(&self, tag: &str) -> Option<u64> {
        self.dynamic.iter().find(|d| d.tag == tag).map(|d| d.value)
    }

    fn decode<H: Header>(&mut self, data: &[u8]) -> object::Result<()> {
        let header = H::parse(data)?;
        let endian = header.endian()?;
        self.encoding = Encoding { is_64: header.is_type_64(), order: endian };
        self.file_type = header.e_type(endian);
        self.machine = header.e_machine(endian);
        self.os_abi = header.e_ident().os_abi;
        self.entry = header.e_entry(endian).into();
        self.flags = header.e_flags(endian);
        for segment in header.program_headers(endian, data)? {
            self.segments.push(Segment {
                kind: segment.p_type(endian),
                flags: segment.p_flags(endian),
                file_offset: segment.p_offset(endian).into(),
                address: segment.p_vaddr(endian).into(),
                physical_address: segment.p_paddr(endian).into(),
                file_size: segment.p_filesz(endian).into(),
                memory_size: segment.p_memsz(endian).into(),
                align: segment.p_align(endian).into(),
            });
        }
        let table = header.sections(endian, data)?;
        for section in table.iter() {
            self.sections.push(Section {
                name: text(table.section_name(endian, section)?),
                kind: section.sh_type(endian),
                flags: section.sh_flags(endian).into(),
                address: section.sh_addr(endian).into(),
                file_offset: section.sh_offset(endian).into(),
                size: section.sh_size(endian).into(),
                link: section.sh_link(endian),
                info: section.sh_info(endian),
                align: section.sh_addralign(endian).into(),
                entry_size: section.sh_entsize(endian).into(),
            });
        }
        let versions = table.versions(endian, data)?;
        self.symbols = self.decode_symbols(endian, data, &table, elf::SHT_SYMTAB, None)?;
        self.dynamic_symbols =
            self.decode_symbols(endian, data, &table, elf::SHT_DYNSYM, versions.as_ref())?;
        self.decode_dynamic(endian, data, &table)?;
        self.decode_relocations(endian, data, &table)?;
        self.decode_relr(data);
        self.decode_versions(endian, data, &table)?;
        self.decode_notes(endian, data, &table)
    }

    fn decode_symbols<H: Header>(
        &self,
        endian: Endianness,
        data: &[u8],
        table: &SectionTable<'_, H>,
        kind: u32,
        versions: Option<&VersionTable<'_, H>>,
    ) -> object::Result<Vec<Symbol>> {
        let symbols = table.symbols(endian, data, kind)?;
        let mut decoded = Vec::with_capacity(symbols.len());
        for (index, symbol) in symbols.iter().enumerate() {
            let index = SymbolIndex(index);
            let section_index = match symbol.st_shndx(endian) {
                elf::SHN_XINDEX => symbols.shndx(endian, index).unwrap_or(u32::MAX),
                index => u32::from(index),
            };
            let section = match u16::try_from(section_index) {
                Ok(elf::SHN_UNDEF) => "UND".to_owned(),
                Ok(elf::SHN_ABS) => "ABS".to_owned(),
                Ok(elf::SHN_COMMON) => "COM".to_owned(),
                _ => self.section_name(section_index),
            };
            let version = match versions {
                Some(versions) => {
                    version_text(endian, versions, index, symbol.is_undefined(endian))?
                }
                None => String::new(),
            };
            decoded.push(Symbol {
                name: text(symbols.symbol_name(endian, symbol)?),
                value: symbol.st_value(endian).into(),
                size: symbol.st_size(endian).into(),
                kind: symbol.st_type(),
                binding: symbol.st_bind(),
                other: symbol.st_other(),
                section_index,
                section,
                version,
            });
        }
        Ok(decoded)
    }

    fn section_name(&self, index: u32) -> String {
        self.sections.get(index as usize).map_or_else(|| format!("#{index}"), |s| s.name.clone())
    }

    fn decode_dynamic<H: Header>(
        &mut self,
        endian: Endianness,
        data: &[u8],
        table: &SectionTable<'_, H>,
    ) -> object::Result<()> {
        let Some((entries, link)) = table.dynamic(endian, data)? else { return Ok(()) };
        let strings = table.strings(endian, data, link)?;
        for entry in entries {
            let value: u64 = entry.d_val(endian).into();
            let tag = u32::try_from(entry.d_tag(endian).into()).unwrap_or(u32::MAX);
            let name = elf_names::dynamic_tag(self.machine, tag);
            let text = match name.as_str() {
                "NEEDED" | "SONAME" | "RPATH" | "RUNPATH" | "AUXILIARY" | "FILTER" | "AUDIT"
                | "DEPAUDIT" => Some(text(entry.string(endian, strings)?)),
                "FLAGS" | "FLAGS_1" => Some(elf_names::dynamic_flags(&name, value)),
                _ => None,
            };
            self.dynamic.push(Dynamic { tag: name, value, text });
        }
        Ok(())
    }

    /// Whether `r_info` of 64-bit relocations is a symbol and four bytes, of which the last is the
    /// lowest part of the type, and not a number.
    fn has_info_in_bytes(&self) -> bool {
        let is_little = self.encoding.order == Endianness::Little;
        self.machine == object::elf::EM_MIPS && self.encoding.is_64 && is_little
    }

    /// Symbol and type of a relocation without addend, from the halves of `r_info`.
    fn part_of_info(&self, upper: u32, lower: u32) -> (u32, u32) {
        if self.has_info_in_bytes() { (lower, upper.swap_bytes()) } else { (upper, lower) }
    }

    fn decode_relocations<H: Header>(
        &mut self,
        endian: Endianness,
        data: &[u8],
        table: &SectionTable<'_, H>,
    ) -> object::Result<()> {
        for (index, section) in table.iter().enumerate() {
            let mut entries = Vec::new();
            let link;
            if let Some((with_addends, linked)) = section.rela(endian, data)? {
                link = linked;
                let in_bytes = self.has_info_in_bytes();
                entries.extend(with_addends.iter().map(|entry| Entry {
                    place: entry.r_offset(endian).into(),
                    symbol: entry.symbol(endian, in_bytes).map_or(0, |s| s.0 as u32),
                    kind: entry.r_type(endian, in_bytes),
                    addend: Some(entry.r_addend(endian).into()),
                }));
            } else if let Some((without, linked)) = section.rel(endian, data)? {
                link = linked;
                entries.extend(without.iter().map(|entry| {
                    Entry {
                        place: entry.r_offset(endian).into(),
                        symbol: self
                            .part_of_info(
                                entry.symbol(endian).map_or(0, |s| s.0 as u32),
                                entry.r_type(endian),
                            )
                            .0,
                        kind: self
                            .part_of_info(
                                entry.symbol(endian).map_or(0, |s| s.0 as u32),
                                entry.r_type(endian),
                            )
                            .1,
                        addend: None,
                    }
                }));
            } else {
                continue;
            }
            let in_dynamic =
                self.sections.get(link.0).is_some_and(|s| s.kind == elf::SHT_DYNSYM || link.0 == 0);
            let target = section.sh_info(endian);
            for entry in entries {
                let symbols = if in_dynamic { &self.dynamic_symbols } else { &self.symbols };
                let symbol = symbols.get(entry.symbol as usize);
                let relocation = Relocation {
                    kind: relocation_types::relocation(self.machine, entry.kind),
                    place: entry.place,
                    symbol_index: entry.symbol,
                    symbol: symbol.map_or_else(String::new, |s| match s.kind {
                        elf::STT_SECTION => s.section.clone(),
                        _ => s.name.clone(),
                    }),
                    addend: match entry.addend {
                        Some(addend) => addend,
                        None => self.addend_in_place(data, &entry, target),
                    },
                    table: self.section_name(index as u32),
                    section: match self.file_type {
                        elf::ET_REL => self.section_name(target),
                        _ => self.section_at(entry.place),
                    },
                };
                self.relocations.push(relocation);
            }
        }
        Ok(())
    }

    /// The addend of a REL relocation: the value at its place, in section `target` of a relocatable
    /// file. 0 if the place has no bytes in the file.
    fn addend_in_place(&self, data: &[u8], entry: &Entry, target: u32) -> i64 {
        let Some(addend) = relocation_types::addend_in_place(self.machine, entry.kind) else {
            return 0;
        };
        let at = entry.place.wrapping_add(addend.distance);
        let file_offset = match self.file_type {
            elf::ET_REL => {
                let section = self.sections.get(target as usize).filter(|s| s.is_in_file());
                section.map(|s| s.file_offset.wrapping_add(at))
            }
            _ => {
                let mut loads = self.segments.iter().filter(|s| s.kind == elf::PT_LOAD);
                let load = loads
                    .find(|s| at.checked_sub(s.address).is_some_and(|from| from < s.file_size));
                load.map(|s| s.file_offset.wrapping_add(at - s.address))
            }
        };
        let start = file_offset.and_then(|offset| usize::try_from(offset).ok());
        let bytes = start.and_then(|start| data.get(start..)?.get(..addend.size as usize));
        let unused = 64 - 8 * addend.size as u32;
        bytes.map_or(0, |bytes| (self.encoding.number(bytes) << unused) as i64 >> unused)
    }

    /// Name of the section in memory that holds `address`.
    fn section_at(&self, address: u64) -> String {
        let holds = |s: &&Section| {
            s.is_alloc() && !s.is_tls_nobits() && s.address <= address && address < s.end()
        };
        self.sections.iter().find(holds).map_or_else(String::new, |s| s.name.clone())
    }

    /// Unpacks RELR tables: an even entry is an address, an odd one a bitmap of the 63 words
    /// after the last, or of 31 in a 32-bit file (generic ABI, "Relative relocation table").
    fn decode_relr(&mut self, data: &[u8]) {
        let size = self.encoding.word_size();
        let bits = 8 * size;
        let tables: Vec<Section> =
            self.sections.iter().filter(|s| s.kind == elf::SHT_RELR).cloned().collect();
        for table in tables {
            let start = usize::try_from(table.file_offset).unwrap_or(usize::MAX);
            let end = start.saturating_add(usize::try_from(table.size).unwrap_or(usize::MAX));
            let mut next = 0u64;
            for word in data.get(start..end).unwrap_or_default().chunks_exact(size as usize) {
                let word = self.encoding.number(word);
                let mut places = Vec::new();
                if word & 1 == 0 {
                    places.push(word);
                    next = word.wrapping_add(size);
                } else {
                    let set = (1..bits).filter(|bit| word >> bit & 1 == 1);
                    places.extend(set.map(|bit| next.wrapping_add(size * (bit - 1))));
                    next = next.wrapping_add(size * (bits - 1));
                }
                for place in places {
                    let section = self.section_at(place);
                    self.relocations.push(Relocation {
                        kind: "RELR".to_owned(),
                        place,
                        symbol_index: 0,
                        symbol: String::new(),
                        addend: 0,
                        table: table.name.clone(),
                        section,
                    });
                }
            }
        }
    }

    fn decode_versions<H: Header>(
        &mut self,
        endian: Endianness,
        data: &[u8],
        table: &SectionTable<'_, H>,
    ) -> object::Result<()> {
        if let Some((mut definitions, link)) = table.gnu_verdef(endian, data)? {
            let strings = table.strings(endian, data, link)?;
            while let Some((definition, mut names)) = definitions.next()? {
                let mut names_found = Vec::new();
                while let Some(name) = names.next()? {
                    names_found.push(text(name.name(endian, strings)?));
                }
                let mut names_found = names_found.into_iter();
                self.versions.push(Version {
                    name: names_found.next().unwrap_or_default(),
                    kind: "def",
                    file: String::new(),
                    flags: definition.vd_flags.get(endian),
                    index: definition.vd_ndx.get(endian),
                    parent: names_found.next().unwrap_or_default(),
                });
            }
        }
        if let Some((mut needs, link)) = table.gnu_verneed(endian, data)? {
            let strings = table.strings(endian, data, link)?;
            while let Some((need, mut names)) = needs.next()? {
                let file = text(need.file(endian, strings)?);
                while let Some(name) = names.next()? {
                    self.versions.push(Version {
                        name: text(name.name(endian, strings)?),
                        kind: "need",
                        file: file.clone(),
                        flags: name.vna_flags.get(endian),
                        index: name.vna_other.get(endian),
                        parent: String::new(),
                    });
                }
            }
        }
        Ok(())
    }

    fn decode_notes<H: Header>(
        &mut self,
        endian: Endianness,
        data: &[u8],
        table: &SectionTable<'_, H>,
    ) -> object::Result<()> {
        for (index, section) in table.iter().enumerate() {
            let Some(mut notes) = section.notes(endian, data)? else { continue };
            while let Some(note) = notes.next()? {
                self.notes.push(Note {
                    owner: text(note.name()),
                    kind: note.n_type(endian),
                    description: note.desc().to_vec(),
                    section: self.section_name(index as u32),
                });
            }
        }
        Ok(())
    }
}

fn version_text<H: Header>(
    endian: Endianness,
    versions: &VersionTable<'_, H>,
    index: SymbolIndex,
    is_undefined: bool,
) -> object::Result<String> {
    let version_index = versions.version_index(endian, index);
    let Some(version) = versions.version(version_index)? else { return Ok(String::new()) };
    let at = if is_undefined || version_index.is_hidden() { "@" } else { "@@" };
    Ok(format!("{at}{}", text(version.name())))
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
