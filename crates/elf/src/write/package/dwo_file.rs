//! A `.dwo` file: an ELF file whose sections `.debug_*.dwo` the program does not need. It may be
//! the object itself (`-gsplit-dwarf=single`), whose other sections are ignored. It may be a
//! package of several `.dwo` files.

use crate::format::compressed::{CompressedSection, DecompressError, Reader};
use crate::format::elf::{self, Ehdr};
use crate::format::encoding::Encoding;
use crate::machine::Machine;
use crate::read::section_table::section_table;
use object::elf::{SHF_COMPRESSED, SHT_NOBITS};
use skald_core::diag::{Error, Result};
use skald_core::hash::HashKey;
use skald_core::input::{self, InputFile, ReleasedParts};
use skald_dwarf::package::rows::{Contributions, Rows};
use skald_dwarf::package::split_units::{self, DwoTables};
use skald_dwarf::package::string_tables::StringTables;
use skald_dwarf::package::strings::{self, HashedStrings};
use skald_dwarf::package::{Form, Kind, Sizes, layout};
use skald_linking::byte_order::ByteOrder;
use skald_linking::cursor::Malformed;
use std::borrow::Cow;
use std::fmt::Display;
use std::path::Path;

/// No section of a package may be larger, in bytes.
const MAX: u64 = u32::MAX as u64;

/// Bytes of a compressed section that are processed at a time.
const WINDOW: usize = 64 << 10;

/// The tables of a package.
const TABLES: [&str; 2] = [".debug_cu_index", ".debug_tu_index"];

/// An open `.dwo` file.
pub struct DwoFile {
    order: ByteOrder,
    file: InputFile,
    sections: Vec<DwoSection>,
    /// The tables of its units, if it is a package: `.debug_cu_index`, and `.debug_tu_index`.
    tables: [Option<&'static [u8]>; 2],
    /// Width in bytes of an offset in its units.
    offset_size: u8,
}

/// A section that goes to the package.
pub struct DwoSection {
    /// What kind of content it has.
    pub kind: Kind,
    /// Its bytes in the file.
    pub bytes: &'static [u8],
    /// The compressed content, if the section is compressed.
    compressed: Option<CompressedSection<'static>>,
}

impl DwoFile {
    /// Opens a file, finds its sections, and checks that compressed ones can be decompressed.
    pub fn open(path: &Path, machine: &Machine) -> Result<DwoFile> {
        let file = input::open(path)?;
        let bad = |what: &str| Err(Error(format!("{}: {what}", path.display())));
        let wrong = |Error(what): Error| Error(format!("{}: {what}", path.display()));
        let is_own = |header: &Ehdr| machine.has_files(&header.e_ident(), header.e_machine());
        let encoding = Encoding::of(machine);
        match encoding.read::<Ehdr>(file.data) {
            Some(header) if !header.e_ident().starts_with(&object::elf::ELFMAG) => {
                return bad("not an ELF file");
            }
            Some(header) if is_own(&header) => {}
            Some(_) => return bad("is for another machine than the program"),
            None => return bad("not an ELF file"),
        }
        let (headers, names) = section_table(encoding, file.data).map_err(wrong)?;
        let (order, sections, tables) = (encoding.order, Vec::new(), [None; 2]);
        let mut dwo = DwoFile { order, file, sections, tables, offset_size: 4 };
        for header in headers {
            let name = elf::string(names, header.sh_name()).unwrap_or_default();
            if let Some(at) = TABLES.iter().position(|table| table.as_bytes() == name) {
                let place = elf::range(file.data, header.sh_offset(), header.sh_size());
                let is_packed = header.sh_flags() & u64::from(SHF_COMPRESSED) != 0;
                match place.filter(|_| !is_packed && header.sh_type() != SHT_NOBITS) {
                    Some(bytes) => dwo.tables[at] = Some(bytes),
                    None => return bad(&format!("section {}: has no table", TABLES[at])),
                }
                continue;
            }
            let Some(kind) = Kind::of_name(name) else { continue };
            if header.sh_type() == SHT_NOBITS || header.sh_size() == 0 {
                continue;
            }
            let place = elf::range(file.data, header.sh_offset(), header.sh_size());
            let bytes = place.ok_or_else(|| dwo.fault(kind, "lies outside the file"))?;
            let is_compressed = header.sh_flags() & u64::from(SHF_COMPRESSED) != 0;
            let parse = || {
                CompressedSection::parse(encoding, bytes).map_err(|fault| dwo.fault(kind, fault))
            };
            let compressed = is_compressed.then(parse).transpose()?;
            let section = DwoSection { kind, bytes, compressed };
            if section.len() > MAX {
                return Err(dwo.fault(kind, "has more than 4 GiB, which is what packages hold"));
            }
            section.check().map_err(|fault| dwo.fault(kind, fault))?;
            dwo.sections.push(section);
        }
        dwo.check_counts()?;
        Ok(dwo)
    }

    fn check_counts(&self) -> Result<()> {
        for kind in Kind::ALL.into_iter().filter(|kind| !kind.may_be_repeated()) {
            if self.all(kind).count() > 1 {
                return Err(self.fault(kind, "stands twice in the file"));
            }
        }
        match self.all(Kind::Info).next() {
            Some(_) => Ok(()),
            None => Err(self.fault(Kind::Info, "is missing")),
        }
    }

    /// The path that it was opened by.
    pub fn path(&self) -> &'static Path {
        self.file.path
    }

    /// The order of bytes in its numbers.
    pub fn order(&self) -> ByteOrder {
        self.order
    }

    /// The opened file.
    pub fn file(&self) -> &InputFile {
        &self.file
    }

    /// The sections of a kind.
    pub fn all(&self, kind: Kind) -> impl Iterator<Item = &DwoSection> {
        self.sections.iter().filter(move |section| section.kind == kind)
    }

    fn fault(&self, kind: Kind, fault: impl Display) -> Error {
        Error(format!("{}: section {}: {fault}", self.path().display(), kind.section_name()))
    }

    /// The bytes of the only section of a kind, or none.
    pub fn content(&self, kind: Kind) -> Result<Cow<'static, [u8]>> {
        let content = self.all(kind).next().map(DwoSection::content).transpose();
        content.map(Option::unwrap_or_default).map_err(|fault| self.fault(kind, fault))
    }

    /// The bytes of each section of a kind.
    pub fn contents(&self, kind: Kind) -> Result<Vec<Cow<'static, [u8]>>> {
        let contents = self.all(kind).map(DwoSection::content);
        let contents: std::result::Result<Vec<_>, _> = contents.collect();
        contents.map_err(|fault| self.fault(kind, fault))
    }

    /// Gives back the memory of the sections of a kind.
    pub fn release(&self, kind: Kind) {
        let mut parts = ReleasedParts::default();
        self.all(kind).for_each(|section| parts.add(&self.file, section.bytes));
        parts.give_back();
    }

    /// Reads the list of its units.
    pub fn units(&mut self) -> Result<layout::DwoFile> {
        let abbreviations = self.content(Kind::Abbreviations)?;
        let rows = self.rows()?;
        let (order, rows_of) = (self.order, rows.as_ref());
        let tables = DwoTables { order, abbreviations: &abbreviations, rows: rows_of };
        let mut sizes = Sizes::default();
        let mut units = Vec::new();
        for (kind, is_in_types) in [(Kind::Info, false), (Kind::Types, true)] {
            for (section, position) in self.all(kind).zip(0..) {
                let content = section.content().map_err(|fault| self.fault(kind, fault))?;
                let read = split_units::read(&content, is_in_types, position, tables);
                units.extend(read.map_err(|fault| self.fault(kind, fault))?);
            }
            self.release(kind);
        }
        if units.first().is_some_and(|unit| Form::of_version(unit.version) == Form::Gnu) {
            self.leave_out_macros();
        }
        for section in &self.sections {
            *sizes.get_mut(section.kind) += section.len();
        }
        self.offset_size = units.first().map_or(4, |unit| unit.offset_size);
        let rows = rows.as_ref().map(Rows::contributions).unwrap_or_default();
        self.check_rows(&rows)?;
        Ok(layout::DwoFile { units, sizes, rows })
    }

    /// The tables of a package; `None` for other files.
    fn rows(&self) -> Result<Option<Rows>> {
        let mut rows = None;
        for (at, table) in self.tables.iter().enumerate() {
            let Some(table) = table else { continue };
            let added = rows.get_or_insert_with(Rows::default).add(table, at == 1, self.order);
            added.map_err(|fault| {
                Error(format!("{}: section {}: {fault}", self.path().display(), TABLES[at]))
            })?;
        }
        Ok(rows)
    }

    /// Refuses tables that refer to bytes beyond their sections.
    fn check_rows(&self, rows: &[Contributions]) -> Result<()> {
        for kind in Kind::ALL.into_iter().filter(|&kind| kind != Kind::Strings) {
            let size: u64 = self.all(kind).map(DwoSection::len).sum();
            let is_outside = |(starts, sizes): &Contributions| {
                sizes.get(kind) != 0 && starts.get(kind) + sizes.get(kind) > size
            };
            if rows.iter().any(is_outside) {
                return Err(self.fault(kind, "is shorter than the tables of the package say"));
            }
        }
        Ok(())
    }

    /// Drops macros if there are several sections of them: GCC makes one for each set that files
    /// have in common (`-g3`). In a `.dwo` file of DWARF 4 they cannot be read: references from one
    /// section to another are 0, and numbers of strings stand where offsets are expected. gdb
    /// rejects the whole program then, but works without macros.
    fn leave_out_macros(&mut self) {
        if self.all(Kind::Macros).count() > 1 {
            self.sections.retain(|section| section.kind != Kind::Macros);
        }
    }

    /// Calls `act` with the tables of string offsets and the strings.
    pub fn with_strings<T>(
        &self,
        form: Form,
        act: impl FnOnce(&StringTables<'_>, &[u8]) -> Result<T>,
    ) -> Result<T> {
        let offsets = self.content(Kind::StringOffsets)?;
        let strings = self.content(Kind::Strings)?;
        let tables = StringTables::parse(&offsets, form, self.offset_size, self.order);
        let outcome = act(&tables.map_err(|e| self.fault(Kind::StringOffsets, e))?, &strings);
        self.release(Kind::StringOffsets);
        self.release(Kind::Strings);
        outcome
    }

    /// Hashes its strings.
    pub fn hash(&self, key: &HashKey, form: Form) -> Result<HashedStrings> {
        let fault = |fault: Malformed| self.fault(Kind::Strings, fault);
        self.with_strings(form, |tables, strings| {
            strings::hash(key, tables, strings).map_err(fault)
        })
    }
}

impl DwoSection {
    /// Bytes of the content.
    pub fn len(&self) -> u64 {
        self.compressed.as_ref().map_or(self.bytes.len() as u64, |packed| packed.size)
    }

    fn content(&self) -> std::result::Result<Cow<'static, [u8]>, DecompressError> {
        match &self.compressed {
            Some(packed) => packed.decompress(MAX).map(Cow::Owned),
            None => Ok(Cow::Borrowed(self.bytes)),
        }
    }

    /// Decompresses the content, piece by piece; `None` if it is not compressed.
    pub fn reader(&self) -> Option<std::result::Result<Reader<'static>, DecompressError>> {
        self.compressed.as_ref().map(CompressedSection::reader)
    }

    fn check(&self) -> std::result::Result<(), DecompressError> {
        let Some(packed) = &self.compressed else { return Ok(()) };
        packed.check(MAX)?;
        skip(&mut packed.reader()?, packed.size)
    }
}

/// Reads and discards `count` bytes.
pub fn skip(reader: &mut Reader<'_>, count: u64) -> std::result::Result<(), DecompressError> {
    let mut skipped = vec![0; WINDOW];
    let end = reader.position() + count;
    while reader.position() < end {
        let len = (end - reader.position()).min(WINDOW as u64) as usize;
        reader.fill(&mut skipped[..len])?;
    }
    Ok(())
}
