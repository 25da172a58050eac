//! A relocatable object parsed again for a message.
//!
//! The bytes are as untrusted as on the first reading and are parsed with the `object` crate's
//! checked readers. None of the link's own tables of the file are used, so messages can be made for
//! any file at any stage. The work is linear in the size of the file, except for symbol names that
//! share bytes.

use std::borrow::Cow;
use std::io::Read;

use super::enclosing::{self, Enclosing, Extent};
use crate::machine::sums::SumPart;
use crate::machine::{Machine, RelocKind};
use object::read::elf::{ElfFile, FileHeader};
use object::{
    CompressionFormat, File, Object, ObjectSection, ObjectSymbol, Relocation, RelocationFlags,
    RelocationKind, RelocationTarget, SectionFlags, SectionIndex, SymbolIndex, SymbolKind,
    SymbolSection, elf,
};
use skald_core::unordered::UnorderedMap;
use skald_dwarf::object_dwarf::{ObjectDwarf, SectionRange};
use skald_linking::byte_order::ByteOrder;

/// Most bytes that one compressed section may expand to. The largest known `.debug_info` of a
/// single object has 300 MiB.
const MAX_DECOMPRESSED: u64 = 1 << 29;

/// One ELF object and its bytes.
#[derive(Debug)]
pub struct ObjectView<'a> {
    file: File<'a>,
    /// Most relocations that the file can hold: the smallest, an `Elf32_Rel`, has 8 bytes. Tables
    /// of a crafted file could share their bytes and be larger together.
    max_relocations: usize,
    /// `None` for a file of a machine that is not known.
    machine: Option<&'static Machine>,
}

impl<'a> ObjectView<'a> {
    /// Reads the headers of the object in `data`: a whole file or an archive member.
    pub fn parse(data: &'a [u8]) -> Option<ObjectView<'a>> {
        // `File::parse` would accept other formats if a dependency's features enabled them.
        let file = match *data.get(4)? {
            elf::ELFCLASS32 => File::Elf32(ElfFile::parse(data).ok()?),
            elf::ELFCLASS64 => File::Elf64(ElfFile::parse(data).ok()?),
            _ => return None,
        };
        let machine = Machine::of_file(data);
        Some(ObjectView { file, max_relocations: data.len() / 8, machine })
    }

    /// The name of a section, which need not be UTF-8.
    pub fn section_name(&self, section_index: u32) -> Option<&'a [u8]> {
        let section = self.file.section_by_index(SectionIndex(section_index as usize)).ok()?;
        section.name_bytes().ok()
    }

    /// The function or object that contains an offset in a section. See [`super::enclosing`].
    pub fn enclosing_symbol(
        &self,
        section_index: u32,
        section_offset: u64,
    ) -> Option<Enclosing<'a>> {
        self.enclosing_symbols(&[(section_index, section_offset)]).pop().flatten()
    }

    /// [`Self::enclosing_symbol`] for many places: section indices and offsets.
    pub fn enclosing_symbols(&self, places: &[(u32, u64)]) -> Vec<Option<Enclosing<'a>>> {
        let mut sections: Vec<u32> = places.iter().map(|place| place.0).collect();
        sections.sort();
        sections.dedup();
        let mut extents = Vec::new();
        let descriptors = self.descriptors();
        for symbol in self.file.symbols() {
            let Some(section) = symbol.section_index() else { continue };
            let own = (section.0, symbol.address());
            let (section, start) = descriptors.get(&own).copied().unwrap_or(own);
            let section = u32::try_from(section).ok();
            let Some(section) = section.filter(|own| sections.binary_search(own).is_ok()) else {
                continue;
            };
            // `Label` is an untyped symbol of a code or data section.
            let is_function = match symbol.kind() {
                SymbolKind::Text => true,
                SymbolKind::Data | SymbolKind::Tls | SymbolKind::Label | SymbolKind::Unknown => {
                    false
                }
                _ => continue,
            };
            let Some(name) = symbol.name_bytes().ok().filter(|name| !name.is_empty()) else {
                continue;
            };
            let size = symbol.size();
            extents.push(Extent { section, start, size, symbol: Enclosing { name, is_function } });
        }
        enclosing::find(extents, places)
    }

    /// The source file that the compiler noted in the symbol table (`STT_FILE`).
    pub fn source_file(&self) -> Option<&'a [u8]> {
        let file = self.file.symbols().find(|symbol| symbol.kind() == SymbolKind::File)?;
        file.name_bytes().ok().filter(|name| !name.is_empty())
    }

    /// Names of the local functions and variables.
    pub fn local_names(&self) -> Vec<&'a [u8]> {
        let is_own = |symbol: &object::read::Symbol<'_, '_, &'a [u8]>| {
            let is_kind = matches!(symbol.kind(), SymbolKind::Text | SymbolKind::Data);
            is_kind && symbol.is_local() && symbol.is_definition()
        };
        let own = self.file.symbols().filter(is_own);
        own.filter_map(|symbol| symbol.name_bytes().ok()).collect()
    }

    /// The version that a shared library needs with one of its dynamic symbols, and the library
    /// that should define it.
    pub fn needed_version(&self, symbol: u32) -> Option<(&'a [u8], &'a [u8])> {
        match &self.file {
            File::Elf32(file) => needed_version(file, symbol),
            File::Elf64(file) => needed_version(file, symbol),
            _ => None,
        }
    }

    /// Calls `visit(section_index, section_offset, symbol_name)` for every relocation against a
    /// named undefined symbol in the sections that are loaded at run time, in the order of the
    /// file. Ends early when `visit` returns `false`.
    pub fn visit_references(&self, mut visit: impl FnMut(u32, u64, &'a [u8]) -> bool) {
        let mut left = self.max_relocations;
        for section in self.file.sections() {
            let Ok(index) = u32::try_from(section.index().0) else { return };
            if !is_alloc(section.flags()) {
                continue;
            }
            for (section_offset, relocation) in section.relocations() {
                let Some(fewer) = left.checked_sub(1) else { return };
                left = fewer;
                if self.is_remark(&relocation) {
                    continue;
                }
                let RelocationTarget::Symbol(symbol) = relocation.target() else { continue };
                let Ok(symbol) = self.file.symbol_by_index(symbol) else { continue };
                if symbol.section() != SymbolSection::Undefined {
                    continue;
                }
                let Ok(name) = symbol.name_bytes() else { continue };
                if !visit(index, section_offset, name) {
                    return;
                }
            }
        }
    }

    /// The debug information: sections are decompressed and relocated. `None` without any.
    pub fn dwarf(&self) -> Option<ObjectDwarf<'a>> {
        let bases = self.section_bases();
        let section = |name: &str| {
            self.relocated_section(name, &bases).or_else(|| {
                // GNU's compression, older than the gABI's, renames the section.
                let old = name.replacen(".debug", ".zdebug", 1);
                self.relocated_section(&old, &bases)
            })
        };
        let address_size = if self.is_64() { 8 } else { 4 };
        ObjectDwarf::load(section, bases.clone(), self.order(), address_size)
    }

    /// The order of bytes in the object's numbers.
    fn order(&self) -> ByteOrder {
        if self.file.is_little_endian() { ByteOrder::Little } else { ByteOrder::Big }
    }

    /// Whether addresses have 64 bits.
    fn is_64(&self) -> bool {
        self.file.is_64()
    }

    /// Base addresses that make every section's address range disjoint, by section index. In a
    /// relocatable object all sections start at 0; DWARF knows addresses only, so each section gets
    /// a range of its own, and an address identifies section and offset. Sections that are not
    /// loaded, and so are never addressed, are at 0.
    fn section_bases(&self) -> Vec<SectionRange> {
        let mut bases = Vec::new();
        // Far from 0, which unresolved relocations leave behind.
        let (mut free, end) = if self.file.is_64() {
            (1 << 32, u64::MAX >> 1)
        } else {
            (1 << 16, u64::from(u32::MAX >> 1))
        };
        for section in self.file.sections() {
            let index = section.index().0;
            // The sections are in order of their index; index 0 has no section.
            if bases.len() <= index {
                bases.resize(index + 1, SectionRange::default());
            }
            let size = section.size();
            let after = size.checked_add(free).and_then(|after| after.checked_add(GAP));
            if let Some(after) = after.filter(|&after| is_alloc(section.flags()) && after < end) {
                bases[index] = SectionRange { base_address: free, size };
                free = after;
            }
        }
        bases
    }

    /// The contents of the section called `name`, decompressed, with its relocations applied as if
    /// every section were at its base in `bases`. `None` if there is no such section or it is
    /// broken. A member of a group is skipped: it contains a type unit, not the debug information
    /// of the object.
    fn relocated_section(&self, name: &str, bases: &[SectionRange]) -> Option<Cow<'a, [u8]>> {
        let section = self.file.sections().find(|section| {
            section.name_bytes() == Ok(name.as_bytes()) && !is_in_group(section.flags())
        })?;
        let compressed = section.compressed_data().ok()?;
        let mut data = match compressed.format {
            CompressionFormat::None => Cow::Borrowed(compressed.data),
            format => {
                Cow::Owned(decompress(format, compressed.data, compressed.uncompressed_size)?)
            }
        };
        for (section_offset, relocation) in section.relocations().take(self.max_relocations) {
            let part = self.sum_part(&relocation);
            if part.is_none() && relocation.kind() != RelocationKind::Absolute {
                continue;
            }
            let Some(value) = self.relocation_target(&relocation, bases) else { continue };
            match part.zip(usize::try_from(section_offset).ok()) {
                None => {
                    let kind = self.machine.map_or(RelocKind::Rela, |machine| machine.reloc_kind);
                    let sum = Sum { value, kind };
                    store(data.to_mut(), section_offset, &relocation, sum, self.order());
                }
                // A number outside of the section stays as it is.
                Some((part, at)) => {
                    let _ = part.apply(self.order(), data.to_mut(), at, value);
                }
            }
        }
        Some(data)
    }

    /// The descriptors of functions, by section index and offset: those of the function's code.
    fn descriptors(&self) -> UnorderedMap<(usize, u64), (usize, u64)> {
        let Some(descriptors) = self.machine.and_then(|machine| machine.descriptors) else {
            return UnorderedMap::default();
        };
        let named = self
            .file
            .sections()
            .filter(|section| section.name_bytes() == Ok(descriptors.section.as_bytes()));
        let relocations = named.flat_map(|section| {
            let index = section.index().0;
            section.relocations().map(move |(offset, relocation)| ((index, offset), relocation))
        });
        let code = relocations.take(self.max_relocations).filter_map(|(place, relocation)| {
            let RelocationTarget::Symbol(symbol) = relocation.target() else { return None };
            let symbol = self.file.symbol_by_index(symbol).ok()?;
            let start = symbol.address().wrapping_add_signed(relocation.addend());
            Some((place, (symbol.section_index()?.0, start)))
        });
        code.collect()
    }

    /// Whether a relocation has no field: it says something of another reference to its symbol.
    fn is_remark(&self, relocation: &Relocation) -> bool {
        let RelocationFlags::Elf { r_type } = relocation.flags() else { return false };
        let howto = self.machine.and_then(|machine| machine.howto(r_type));
        r_type != 0 && howto.is_some_and(|howto| howto.size == 0)
    }

    /// What a relocation does to a number, where distances are sums of several.
    fn sum_part(&self, relocation: &Relocation) -> Option<SumPart> {
        let RelocationFlags::Elf { r_type } = relocation.flags() else { return None };
        self.machine.and_then(|machine| (machine.sum_part)(r_type))
    }

    /// S + A (symbol and addend) of a relocation in a debug section.
    fn relocation_target(&self, relocation: &Relocation, bases: &[SectionRange]) -> Option<u64> {
        let RelocationTarget::Symbol(SymbolIndex(symbol)) = relocation.target() else {
            return None;
        };
        let symbol = self.file.symbol_by_index(SymbolIndex(symbol)).ok()?;
        let base_address = bases.get(symbol.section_index()?.0)?.base_address;
        let symbol_address = base_address.wrapping_add(symbol.address());
        Some(symbol_address.wrapping_add_signed(relocation.addend()))
    }
}

/// Unused addresses between two sections, so that the end of one is not the start of the next.
const GAP: u64 = 16;

fn is_alloc(flags: SectionFlags) -> bool {
    matches!(flags, SectionFlags::Elf { sh_flags } if sh_flags & u64::from(elf::SHF_ALLOC) != 0)
}

fn is_in_group(flags: SectionFlags) -> bool {
    matches!(flags, SectionFlags::Elf { sh_flags } if sh_flags & u64::from(elf::SHF_GROUP) != 0)
}

/// S + A, and where objects of the machine have A.
struct Sum {
    value: u64,
    kind: RelocKind,
}

/// Writes `value` to the relocated field; fields outside of `data` are left alone.
fn store(data: &mut [u8], at: u64, relocation: &Relocation, value: Sum, order: ByteOrder) {
    let width = match relocation.size() {
        32 => 4,
        64 => 8,
        _ => return,
    };
    let Sum { value, kind } = value;
    let is_in_field = relocation.has_implicit_addend()
        || kind == RelocKind::RelaInFields && kind.is_in_field(width as u8);
    let Ok(at) = usize::try_from(at) else { return };
    let Some(field) = at.checked_add(width).and_then(|end| data.get_mut(at..end)) else { return };
    let implicit = if is_in_field { order.unsigned(field) } else { 0 };
    order.put_low(field, value.wrapping_add(implicit));
}

/// Expands a section (gABI, "Compressed Sections", and the older `.zdebug`). Memory grows with the
/// data that is really decompressed, and is never allocated by the size in the header.
fn decompress(format: CompressionFormat, data: &[u8], size: u64) -> Option<Vec<u8>> {
    if size > MAX_DECOMPRESSED {
        return None;
    }
    let mut out = Vec::new();
    match format {
        CompressionFormat::Zlib => {
            flate2::read::ZlibDecoder::new(data).take(size).read_to_end(&mut out).ok()?;
        }
        CompressionFormat::Zstandard => {
            let decoder = zstd::stream::read::Decoder::with_buffer(data).ok()?;
            decoder.take(size).read_to_end(&mut out).ok()?;
        }
        _ => return None,
    }
    (out.len() as u64 == size).then_some(out)
}

/// [`ObjectView::needed_version`] of a file of either class.
fn needed_version<'a, Class: FileHeader>(
    file: &ElfFile<'a, Class>,
    symbol: u32,
) -> Option<(&'a [u8], &'a [u8])> {
    let versions = file.elf_section_table().versions(file.endian(), file.data()).ok()??;
    let index = versions.version_index(file.endian(), SymbolIndex(symbol as usize));
    let version = versions.version(index).ok()??;
    Some((version.name(), version.file()?))
}
