//! Writes relocatable ELF objects of the 64-bit class with as little ceremony as a generator needs.
//!
//! Layout of a file: header, contents, symbol table, string tables, section headers. Headers are
//! in the order of compilers: a group, its sections, each with its relocations behind it. See the
//! System V ABI, chapter 4, and the x86-64 psABI for the relocation types.

use std::collections::HashMap;

/// A call; `R_X86_64_PLT32`.
pub const PLT32: u32 = 4;
/// Relative to the place; `R_X86_64_PC32`.
pub const PC32: u32 = 2;
/// An address; `R_X86_64_64`.
pub const ABS64: u32 = 1;
/// An offset in a debug section; `R_X86_64_32`.
pub const ABS32: u32 = 10;
/// Through the GOT, relaxable; `R_X86_64_REX_GOTPCRELX`.
pub const REX_GOTPCRELX: u32 = 42;

/// Relative to the entry of the GOT that has a variable's offset in thread-local storage;
/// `R_X86_64_GOTTPOFF`.
pub const GOTTPOFF: u32 = 22;

/// A call on AArch64; `R_AARCH64_CALL26`.
pub const CALL26: u32 = 283;

/// `EM_X86_64`
pub const X86_64: u16 = 62;
/// `EM_AARCH64`
pub const AARCH64: u16 = 183;

/// `SHT_PROGBITS`
pub const PROGBITS: u32 = 1;
/// `SHT_NOTE`
pub const NOTE: u32 = 7;
/// `SHT_NOBITS`
pub const NOBITS: u32 = 8;
/// `SHT_INIT_ARRAY`
pub const INIT_ARRAY: u32 = 14;
const SHT_SYMTAB: u32 = 2;
const SHT_STRTAB: u32 = 3;
const SHT_RELA: u32 = 4;
const SHT_GROUP: u32 = 17;

/// `SHF_WRITE`
pub const WRITE: u64 = 1;
/// `SHF_ALLOC`
pub const ALLOC: u64 = 2;
/// `SHF_EXECINSTR`
pub const EXEC: u64 = 4;
/// `SHF_MERGE | SHF_STRINGS`
pub const STRINGS: u64 = 0x30;
/// `SHF_MERGE`
pub const MERGE: u64 = 0x10;
/// `SHF_TLS`
pub const THREAD_LOCAL: u64 = 0x400;
const INFO_LINK: u64 = 0x40;
const GROUP: u64 = 0x200;

const BIND_GLOBAL: u8 = 1;
const BIND_WEAK: u8 = 2;
const TYPE_SECTION: u8 = 3;

/// `STT_FUNC`
pub const FUNCTION: u8 = 2;
/// `STT_OBJECT`
pub const DATUM: u8 = 1;
/// `STT_TLS`
pub const THREAD_LOCAL_DATUM: u8 = 6;
/// `STT_GNU_IFUNC`
pub const RESOLVED_FUNCTION: u8 = 10;

/// Section indices from here on have another meaning (`SHN_LORESERVE`).
const RESERVED: usize = 0xff00;
/// `SHN_COMMON`
const COMMON: u16 = 0xfff2;

/// A section of the object being made.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct SectionId(usize);

/// What a relocation refers to.
#[derive(Clone, Copy)]
pub enum Target {
    /// The start of a section.
    Section(SectionId),
    /// A local symbol, by what [`Object::local`] returned.
    Local(usize),
    /// A global symbol, by what [`Object::global`] returned.
    Global(usize),
}

struct Section {
    name: String,
    kind: u32,
    flags: u64,
    align: u64,
    data: Vec<u8>,
    relocations: Vec<(u64, u32, Target, i64)>,
    group: Option<usize>,
}

struct Global {
    name: String,
    definition: Definition,
    kind: u8,
    weak: bool,
}

/// How a global symbol is defined.
#[derive(Clone, Copy)]
enum Definition {
    Undefined,
    /// Value and size.
    At(SectionId, u64, u64),
    /// A common symbol of this size.
    Common(u64),
}

/// An object file in the making.
pub struct Object {
    machine: u16,
    sections: Vec<Section>,
    globals: Vec<Global>,
    by_name: HashMap<String, usize>,
    locals: Vec<(String, SectionId, u64)>,
    /// Signatures of COMDAT groups, as globals.
    groups: Vec<usize>,
}

/// An object for x86-64.
impl Default for Object {
    fn default() -> Self {
        Self::new(X86_64)
    }
}

impl Object {
    /// An empty object for a machine, [`X86_64`] or [`AARCH64`].
    pub fn new(machine: u16) -> Self {
        Self {
            machine,
            sections: Vec::new(),
            globals: Vec::new(),
            by_name: HashMap::new(),
            locals: Vec::new(),
            groups: Vec::new(),
        }
    }

    /// Adds a section.
    pub fn section(&mut self, name: &str, flags: u64, align: u64) -> SectionId {
        self.section_of(PROGBITS, name, flags, align)
    }

    /// Adds a section of a type.
    pub fn section_of(&mut self, kind: u32, name: &str, flags: u64, align: u64) -> SectionId {
        let (name, data, relocations) = (name.to_owned(), Vec::new(), Vec::new());
        self.sections.push(Section { name, kind, flags, align, data, relocations, group: None });
        SectionId(self.sections.len() - 1)
    }

    /// Gives a section another name.
    pub fn rename(&mut self, section: SectionId, name: &str) {
        self.sections[section.0].name = name.to_owned();
    }

    /// Puts a section into a COMDAT group of its own, whose signature is `signature`.
    pub fn comdat(&mut self, section: SectionId, signature: usize) {
        self.sections[section.0].group = Some(self.groups.len());
        self.groups.push(signature);
    }

    /// The content of a section.
    pub fn data(&mut self, section: SectionId) -> &mut Vec<u8> {
        &mut self.sections[section.0].data
    }

    /// A relocation at `place` (an offset in `section`).
    pub fn relocate(
        &mut self,
        section: SectionId,
        place: usize,
        kind: u32,
        target: Target,
        addend: i64,
    ) {
        self.sections[section.0].relocations.push((place as u64, kind, target, addend));
    }

    /// The global symbol of that name, undefined until [`Object::define`].
    pub fn global(&mut self, name: &str) -> usize {
        if let Some(&index) = self.by_name.get(name) {
            return index;
        }
        let index = self.globals.len();
        self.by_name.insert(name.to_owned(), index);
        let (name, definition) = (name.to_owned(), Definition::Undefined);
        self.globals.push(Global { name, definition, kind: 0, weak: false });
        index
    }

    /// Defines a function (or an object, if `is_data`) as the whole of a section.
    pub fn define(&mut self, global: usize, section: SectionId, weak: bool, is_data: bool) {
        let size = self.sections[section.0].data.len() as u64;
        self.define_at(global, section, 0, size, if is_data { DATUM } else { FUNCTION });
        self.globals[global].weak = weak;
    }

    /// Defines a symbol of a type at `value`, an offset in a section.
    pub fn define_at(
        &mut self,
        global: usize,
        section: SectionId,
        value: u64,
        size: u64,
        kind: u8,
    ) {
        let global = &mut self.globals[global];
        global.definition = Definition::At(section, value, size);
        global.kind = kind;
    }

    /// Makes a symbol a common one.
    pub fn common(&mut self, global: usize, size: u64) {
        let global = &mut self.globals[global];
        global.definition = Definition::Common(size);
        global.kind = DATUM;
    }

    /// Makes a symbol weak, defined or not.
    pub fn weaken(&mut self, global: usize) {
        self.globals[global].weak = true;
    }

    /// The names of what is defined, for the index of an archive.
    pub fn defined_names(&self) -> impl Iterator<Item = &str> {
        let defined = |global: &&Global| !matches!(global.definition, Definition::Undefined);
        self.globals.iter().filter(defined).map(|global| global.name.as_str())
    }

    /// Adds a local symbol at `value`, an offset in `section`.
    pub fn local(&mut self, name: &str, section: SectionId, value: u64) -> usize {
        self.locals.push((name.to_owned(), section, value));
        self.locals.len() - 1
    }

    /// The file's bytes.
    pub fn write(&self) -> Vec<u8> {
        Writer::new(self).finish()
    }
}

/// One section header, as the fields of `Elf64_Shdr` that differ.
#[derive(Default)]
struct Header {
    name: u32,
    kind: u32,
    flags: u64,
    file_offset: u64,
    size: u64,
    link: u32,
    info: u32,
    align: u64,
    entry_size: u64,
}

struct Writer<'a> {
    object: &'a Object,
    bytes: Vec<u8>,
    names: Vec<u8>,
    headers: Vec<Header>,
    /// Header index of each section.
    index_of: Vec<u32>,
    /// Symbol index of the first global.
    first_global: u32,
    symtab_index: u32,
}

impl<'a> Writer<'a> {
    fn new(object: &'a Object) -> Self {
        let mut index_of = Vec::new();
        let mut next = 1;
        for section in &object.sections {
            next += u32::from(section.group.is_some());
            index_of.push(next);
            next += 1 + u32::from(!section.relocations.is_empty());
        }
        assert!((next as usize) + 3 < RESERVED, "an object has too many sections");
        let first_global = 1 + (object.sections.len() + object.locals.len()) as u32;
        let headers = vec![Header::default()];
        let (bytes, names) = (vec![0; 64], vec![0]);
        Self { object, bytes, names, headers, index_of, first_global, symtab_index: next }
    }

    fn finish(mut self) -> Vec<u8> {
        for at in 0..self.object.sections.len() {
            self.section(at);
        }
        self.symbols();
        let names_index = self.headers.len() as u16;
        let name = self.name(".shstrtab");
        let names = std::mem::take(&mut self.names);
        self.push(Header { name, kind: SHT_STRTAB, align: 1, ..Header::default() }, &names);
        self.headers_and_identification(names_index);
        self.bytes
    }

    fn section(&mut self, at: usize) {
        let section = &self.object.sections[at];
        let relocations = &section.relocations;
        let in_group = if section.group.is_some() { GROUP } else { 0 };
        if let Some(group) = section.group {
            let mut members = vec![1, self.index_of[at]];
            members.extend((!relocations.is_empty()).then_some(self.index_of[at] + 1));
            let content: Vec<u8> = members.iter().flat_map(|word| word.to_le_bytes()).collect();
            let info = self.first_global + self.object.groups[group] as u32;
            let name = self.name(".group");
            let (kind, link) = (SHT_GROUP, self.symtab_index);
            let header =
                Header { name, kind, link, info, align: 4, entry_size: 4, ..Header::default() };
            self.push(header, &content);
        }
        let name = self.name(&section.name);
        let entry_size = match section.flags & STRINGS {
            0 => 0,
            MERGE => section.align,
            _ => 1,
        };
        let (flags, align, kind) = (section.flags | in_group, section.align, section.kind);
        let header = Header { name, kind, flags, align, entry_size, ..Header::default() };
        self.push(header, &section.data);
        if relocations.is_empty() {
            return;
        }
        let mut content = Vec::with_capacity(relocations.len() * 24);
        for &(place, kind, target, addend) in relocations {
            let symbol = match target {
                Target::Section(SectionId(section)) => 1 + section as u32,
                Target::Local(local) => (1 + self.object.sections.len() + local) as u32,
                Target::Global(global) => self.first_global + global as u32,
            };
            content.extend(place.to_le_bytes());
            content.extend((u64::from(symbol) << 32 | u64::from(kind)).to_le_bytes());
            content.extend(addend.to_le_bytes());
        }
        let name = self.name(&format!(".rela{}", section.name));
        let (link, info, flags) = (self.symtab_index, self.index_of[at], INFO_LINK | in_group);
        let kind = SHT_RELA;
        let header =
            Header { name, kind, flags, link, info, align: 8, entry_size: 24, ..Header::default() };
        self.push(header, &content);
    }

    fn symbols(&mut self) {
        let object = self.object;
        let (mut table, mut strings) = (vec![0; 24], vec![0]);
        let mut entry = |name: &str, info: u8, section: u16, value: u64, size: u64| {
            let at = if name.is_empty() { 0 } else { strings.len() as u32 };
            if !name.is_empty() {
                strings.extend(name.as_bytes());
                strings.push(0);
            }
            table.extend(at.to_le_bytes());
            table.extend([info, 0]);
            table.extend(section.to_le_bytes());
            table.extend(value.to_le_bytes());
            table.extend(size.to_le_bytes());
        };
        for &index in &self.index_of {
            entry("", TYPE_SECTION, index as u16, 0, 0);
        }
        for (name, section, value) in &object.locals {
            entry(name, 0, self.index_of[section.0] as u16, *value, 0);
        }
        for global in &object.globals {
            let bind = if global.weak { BIND_WEAK } else { BIND_GLOBAL };
            let info = bind << 4 | global.kind;
            match global.definition {
                Definition::At(section, value, size) => {
                    entry(&global.name, info, self.index_of[section.0] as u16, value, size);
                }
                // The value of a common symbol is its alignment.
                Definition::Common(size) => entry(&global.name, info, COMMON, 8, size),
                Definition::Undefined => entry(&global.name, info, 0, 0, 0),
            }
        }
        let (name, link) = (self.name(".symtab"), self.symtab_index + 1);
        let (kind, info) = (SHT_SYMTAB, self.first_global);
        let header =
            Header { name, kind, link, info, align: 8, entry_size: 24, ..Header::default() };
        self.push(header, &table);
        let name = self.name(".strtab");
        self.push(Header { name, kind: SHT_STRTAB, align: 1, ..Header::default() }, &strings);
    }

    fn name(&mut self, name: &str) -> u32 {
        let at = self.names.len() as u32;
        self.names.extend(name.as_bytes());
        self.names.push(0);
        at
    }

    fn push(&mut self, mut header: Header, content: &[u8]) {
        let aligned = self.bytes.len().next_multiple_of(header.align.max(1) as usize);
        self.bytes.resize(aligned, 0);
        header.file_offset = aligned as u64;
        header.size = content.len() as u64;
        if header.kind != NOBITS {
            self.bytes.extend(content);
        }
        self.headers.push(header);
    }

    fn headers_and_identification(&mut self, names_index: u16) {
        self.bytes.resize(self.bytes.len().next_multiple_of(8), 0);
        let table_offset = self.bytes.len() as u64;
        for header in &self.headers {
            self.bytes.extend(header.name.to_le_bytes());
            self.bytes.extend(header.kind.to_le_bytes());
            for field in [header.flags, 0, header.file_offset, header.size] {
                self.bytes.extend(field.to_le_bytes());
            }
            self.bytes.extend(header.link.to_le_bytes());
            self.bytes.extend(header.info.to_le_bytes());
            for field in [header.align, header.entry_size] {
                self.bytes.extend(field.to_le_bytes());
            }
        }
        let mut start = vec![0x7f, b'E', b'L', b'F', 2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0];
        start.extend([1, 0]); // ET_REL
        start.extend(self.object.machine.to_le_bytes());
        start.extend([1, 0, 0, 0]); // EV_CURRENT
        start.extend([0; 16]);
        start.extend(table_offset.to_le_bytes());
        start.extend([0, 0, 0, 0, 64, 0, 0, 0, 0, 0, 64, 0]);
        start.extend((self.headers.len() as u16).to_le_bytes());
        start.extend(names_index.to_le_bytes());
        self.bytes[..64].copy_from_slice(&start);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use object::LittleEndian;
    use object::elf::FileHeader64;
    use object::read::elf::{FileHeader, Rela, SectionHeader, Sym};

    #[test]
    fn what_is_written_is_read_back() {
        let mut object = Object::default();
        let text = object.section(".text.f", ALLOC | EXEC, 16);
        object.data(text).extend([0xe8, 0, 0, 0, 0, 0xc3]);
        let (f, g) = (object.global("f"), object.global("g"));
        assert_eq!(object.global("g"), g);
        object.define(f, text, true, false);
        object.comdat(text, f);
        object.relocate(text, 1, PLT32, Target::Global(g), -4);
        let strings = object.section(".rodata.str1.1", ALLOC | STRINGS, 1);
        object.data(strings).extend(b"text\0");
        object.local("here", strings, 2);
        let bytes = object.write();

        let (endian, data) = (LittleEndian, bytes.as_slice());
        let header = FileHeader64::<LittleEndian>::parse(data).unwrap();
        let sections = header.sections(endian, data).unwrap();
        let names: Vec<_> = sections
            .iter()
            .map(|section| String::from_utf8_lossy(sections.section_name(endian, section).unwrap()))
            .collect();
        let expected = [
            "",
            ".group",
            ".text.f",
            ".rela.text.f",
            ".rodata.str1.1",
            ".symtab",
            ".strtab",
            ".shstrtab",
        ];
        assert_eq!(names, expected);
        let symbols = sections.symbols(endian, data, SHT_SYMTAB).unwrap();
        let (_, relocations, _) = sections
            .iter()
            .nth(3)
            .and_then(|s| s.rela(endian, data).unwrap().map(|(r, l)| (0, r, l)))
            .unwrap();
        let symbol = symbols.symbol(relocations[0].symbol(endian, false).unwrap()).unwrap();
        assert_eq!(symbol.name(endian, symbols.strings()).unwrap(), b"g");
        let group = sections.iter().nth(1).unwrap();
        let (flag, members) = group.group(endian, data).unwrap().unwrap();
        assert_eq!(
            (flag, members.iter().map(|m| m.get(endian)).collect::<Vec<_>>()),
            (1, vec![2, 3])
        );
        let signature =
            symbols.symbol(object::SymbolIndex(group.sh_info(endian) as usize)).unwrap();
        assert_eq!(signature.name(endian, symbols.strings()).unwrap(), b"f");
    }
}
