//! Writes relocatable files for tests.

use crate::loops::toy::E_MACHINE;
use object::elf::*;

/// A section of an object.
#[derive(Clone, Default)]
pub struct Section {
    pub name: &'static str,
    pub sh_type: u32,
    pub flags: u32,
    pub align: u64,
    pub bytes: Vec<u8>,
    pub relocs: Vec<Reloc>,
}

/// A relocation: place, type, symbol's name (that of a section for its section symbol), addend.
#[derive(Clone, Copy)]
pub struct Reloc(pub u64, pub u32, pub &'static str, pub i64);

/// A symbol in the section that `section` names.
#[derive(Clone, Copy)]
pub struct Symbol {
    pub name: &'static str,
    pub section: &'static str,
    pub value: u64,
    pub size: u64,
    pub is_global: bool,
}

impl Section {
    /// A section of code of the bytes 0, 1, 2, ... in four bytes each.
    pub fn code(name: &'static str, size: usize, relocs: Vec<Reloc>) -> Section {
        let bytes = (0..size as u32 / 4).flat_map(u32::to_le_bytes).collect();
        let (sh_type, flags) = (SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR);
        Section { name, sh_type, flags, align: 4, bytes, relocs }
    }

    fn header(&self, name: u32) -> Header {
        Header {
            name,
            sh_type: self.sh_type,
            flags: self.flags.into(),
            align: self.align,
            bytes: self.bytes.clone(),
            ..Header::default()
        }
    }

    /// A section of `size` zeros, loaded if `flags` say so.
    pub fn data(name: &'static str, flags: u32, size: usize, relocs: Vec<Reloc>) -> Section {
        Section { name, sh_type: SHT_PROGBITS, flags, align: 8, bytes: vec![0; size], relocs }
    }
}

/// A function at the start of a section.
pub fn function(name: &'static str, section: &'static str, size: u64) -> Symbol {
    Symbol { name, section, value: 0, size, is_global: true }
}

#[derive(Default)]
struct Strings(Vec<u8>);

impl Strings {
    fn add(&mut self, text: &str) -> u32 {
        if self.0.is_empty() {
            self.0.push(0);
        }
        let at = self.0.len() as u32;
        self.0.extend(text.bytes().chain([0]));
        at
    }
}

/// One section header.
#[derive(Default)]
struct Header {
    name: u32,
    sh_type: u32,
    flags: u64,
    link: u32,
    info: u32,
    align: u64,
    entsize: u64,
    bytes: Vec<u8>,
}

/// The bytes of an object with these sections and symbols.
pub fn object(sections: &[Section], symbols: &[Symbol]) -> Vec<u8> {
    let (mut names, mut strings) = (Strings::default(), Strings::default());
    let index_of = |name: &str| 1 + sections.iter().position(|s| s.name == name).expect("it is");
    let mut ordered: Vec<Symbol> = symbols.to_vec();
    ordered.sort_by_key(|symbol| symbol.is_global);
    let locals = 1 + sections.len() + ordered.iter().filter(|s| !s.is_global).count();
    let mut symtab = vec![0; 24];
    for index in 1..=sections.len() {
        symtab.extend(entry(0, STT_SECTION, index as u16, 0, 0));
    }
    for symbol in &ordered {
        let kind = (u8::from(symbol.is_global) << 4) | STT_FUNC;
        let shndx = if symbol.section.is_empty() { 0 } else { index_of(symbol.section) };
        symtab.extend(entry(
            strings.add(symbol.name),
            kind,
            shndx as u16,
            symbol.value,
            symbol.size,
        ));
    }
    let symbol_of = |name: &str| match ordered.iter().position(|s| s.name == name) {
        Some(at) => 1 + sections.len() + at,
        None if name.is_empty() => 0,
        None => index_of(name),
    };
    let mut headers = vec![Header::default()];
    let symtab_index = 1 + sections.len() as u32;
    headers.extend(sections.iter().map(|section| section.header(names.add(section.name))));
    headers.push(Header {
        name: names.add(".symtab"),
        sh_type: SHT_SYMTAB,
        link: symtab_index + 1,
        info: locals as u32,
        align: 8,
        entsize: 24,
        bytes: symtab,
        ..Header::default()
    });
    let (name, sh_type) = (names.add(".strtab"), SHT_STRTAB);
    headers.push(Header { name, sh_type, align: 1, bytes: strings.0, ..Header::default() });
    for (target, section) in (1..).zip(sections).filter(|(_, s)| !s.relocs.is_empty()) {
        let record = |&Reloc(offset, r_type, symbol, addend): &Reloc| {
            let info = (symbol_of(symbol) as u64) << 32 | u64::from(r_type);
            [offset, info, addend as u64].map(u64::to_le_bytes).as_flattened().to_vec()
        };
        headers.push(Header {
            name: names.add(&format!(".rela{}", section.name)),
            sh_type: SHT_RELA,
            flags: SHF_INFO_LINK.into(),
            link: symtab_index,
            info: target,
            align: 8,
            entsize: 24,
            bytes: section.relocs.iter().flat_map(record).collect(),
        });
    }
    let name = names.add(".shstrtab");
    let (sh_type, bytes) = (SHT_STRTAB, names.0);
    headers.push(Header { name, sh_type, align: 1, bytes, ..Header::default() });
    assemble(&headers)
}

fn entry(name: u32, info: u8, shndx: u16, value: u64, size: u64) -> Vec<u8> {
    let mut bytes = name.to_le_bytes().to_vec();
    bytes.extend([info, 0]);
    bytes.extend(shndx.to_le_bytes());
    bytes.extend(value.to_le_bytes());
    bytes.extend(size.to_le_bytes());
    bytes
}

fn assemble(headers: &[Header]) -> Vec<u8> {
    let mut file = vec![0; 64];
    let mut table: Vec<u8> = Vec::new();
    for header in headers {
        file.resize(file.len().next_multiple_of(16), 0);
        let Header { name, sh_type, flags, link, info, align, entsize, bytes } = header;
        table.extend([*name, *sh_type].map(u32::to_le_bytes).as_flattened());
        let numbers = [*flags, 0, file.len() as u64, bytes.len() as u64];
        table.extend(numbers.map(u64::to_le_bytes).as_flattened());
        table.extend([*link, *info].map(u32::to_le_bytes).as_flattened());
        table.extend([*align, *entsize].map(u64::to_le_bytes).as_flattened());
        file.extend(bytes);
    }
    file.resize(file.len().next_multiple_of(16), 0);
    let table_at = file.len() as u64;
    file.extend(table);
    file[..8].copy_from_slice(&[0x7f, b'E', b'L', b'F', ELFCLASS64, ELFDATA2LSB, 1, 0]);
    let halves: [(usize, u16); 6] = [
        (16, ET_REL),
        (18, E_MACHINE),
        (52, 64),
        (58, 64),
        (60, headers.len() as u16),
        (62, headers.len() as u16 - 1),
    ];
    for (at, half) in halves {
        file[at..at + 2].copy_from_slice(&half.to_le_bytes());
    }
    file[20..24].copy_from_slice(&1u32.to_le_bytes());
    file[40..48].copy_from_slice(&table_at.to_le_bytes());
    file
}
