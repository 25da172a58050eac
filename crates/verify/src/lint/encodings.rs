//! Tests the rules on generated files of all four encodings. In each encoding a correct library and
//! relocatable file have no finding, and each damage gives one finding.

use super::check;
use crate::encoding::Encoding;
use crate::output_file::OutputFile;
use object::{Endianness, elf};

const PT_GNU_SFRAME: u32 = 0x6474_e554;

/// An encoding, with a machine that has it and its relative relocation.
#[derive(Clone, Copy)]
struct Target {
    encoding: Encoding,
    machine: u16,
    relative: u32,
}

const fn target(is_64: bool, order: Endianness, machine: u16, relative: u32) -> Target {
    Target { encoding: Encoding { is_64, order }, machine, relative }
}

impl Target {
    /// Whether the machine uses REL: addends are in the relocated fields.
    fn has_fields(self) -> bool {
        self.machine == elf::EM_386
    }

    /// Name and type of the relocation table, and the size of an entry.
    fn table(self) -> (&'static str, u32, u64) {
        if self.has_fields() {
            (".rel.dyn", elf::SHT_REL, self.encoding.rel_size())
        } else {
            (".rela.dyn", elf::SHT_RELA, self.encoding.rela_size())
        }
    }
}

const TARGETS: [Target; 4] = [
    target(true, Endianness::Little, elf::EM_X86_64, elf::R_X86_64_RELATIVE),
    target(false, Endianness::Little, elf::EM_386, elf::R_386_RELATIVE),
    target(true, Endianness::Big, elf::EM_PPC64, elf::R_PPC64_RELATIVE),
    target(false, Endianness::Big, elf::EM_PPC, elf::R_PPC_RELATIVE),
];

/// A buffer to which numbers are appended.
struct Bytes {
    encoding: Encoding,
    data: Vec<u8>,
}

impl Bytes {
    fn of(target: Target) -> Bytes {
        Bytes { encoding: target.encoding, data: Vec::new() }
    }

    fn number(&mut self, size: usize, number: u64) -> &mut Bytes {
        match self.encoding.order {
            Endianness::Little => self.data.extend_from_slice(&number.to_le_bytes()[..size]),
            Endianness::Big => self.data.extend_from_slice(&number.to_be_bytes()[8 - size..]),
        }
        self
    }

    fn bytes(&mut self, bytes: &[u8]) -> &mut Bytes {
        self.data.extend_from_slice(bytes);
        self
    }

    fn half(&mut self, number: u16) -> &mut Bytes {
        self.number(2, u64::from(number))
    }

    fn word(&mut self, number: u32) -> &mut Bytes {
        self.number(4, u64::from(number))
    }

    fn address(&mut self, number: u64) -> &mut Bytes {
        self.number(if self.encoding.is_64 { 8 } else { 4 }, number)
    }

    /// The distance from `from` to `to`, in 4 bytes.
    fn distance(&mut self, from: u64, to: u64) -> &mut Bytes {
        self.word(to.wrapping_sub(from) as u32)
    }

    /// The symbol `f`, whose name is at 1 in its string table.
    fn symbol(&mut self, value: u64, section: u16) -> &mut Bytes {
        let info = elf::STB_GLOBAL << 4 | elf::STT_FUNC;
        self.word(1);
        if self.encoding.is_64 {
            self.bytes(&[info, 0]).half(section).address(value).address(4)
        } else {
            self.address(value).address(4).bytes(&[info, 0]).half(section)
        }
    }

    fn take(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.data)
    }
}

/// A section of a generated file. Each takes 256 bytes of the file, in order.
#[derive(Default)]
struct Made {
    name: &'static str,
    kind: u32,
    flags: u32,
    link: u32,
    info: u32,
    align: u64,
    entry_size: u64,
    bytes: Vec<u8>,
}

/// A segment of a generated file.
struct MadeSegment {
    kind: u32,
    flags: u32,
    /// Index of its first section; 0 if the segment begins with the file header.
    first: usize,
    /// Index of its last section.
    last: usize,
}

/// File offset of section `index`, behind the headers.
const fn offset(index: usize) -> u64 {
    0x100 * (index as u64 + 1)
}

/// Address of section `index`: writable sections are on a page of their own.
const fn address(index: usize) -> u64 {
    if index < INIT_ARRAY { offset(index) } else { offset(index) + 0x1000 }
}

/// The bytes of a file with `sections`, and the section name table behind them.
fn made(target: Target, kind: u16, sections: &[Made], segments: &[MadeSegment]) -> Vec<u8> {
    let mut out = Bytes::of(target);
    let is_64 = target.encoding.is_64;
    let class = if is_64 { elf::ELFCLASS64 } else { elf::ELFCLASS32 };
    let order = match target.encoding.order {
        Endianness::Little => elf::ELFDATA2LSB,
        Endianness::Big => elf::ELFDATA2MSB,
    };
    let [header_size, segment_size, section_size] = if is_64 { [64, 56, 64] } else { [52, 32, 40] };
    let names_index = sections.len() + 1;
    out.bytes(&elf::ELFMAG).bytes(&[class, order, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    out.half(kind).half(target.machine).word(1).address(0);
    out.address(if segments.is_empty() { 0 } else { u64::from(header_size) });
    out.address(offset(names_index + 1)).word(0).half(header_size).half(segment_size);
    out.half(segments.len() as u16).half(section_size);
    out.half(names_index as u16 + 1).half(names_index as u16);
    for &MadeSegment { kind, flags, first, last } in segments {
        let (start, at) = if first == 0 { (0, 0) } else { (offset(first), address(first)) };
        let size = offset(last) + sections[last - 1].bytes.len() as u64 - start;
        out.word(kind);
        if is_64 {
            out.word(flags);
        }
        out.address(start).address(at).address(at).address(size).address(size);
        if !is_64 {
            out.word(flags);
        }
        out.address(if kind == elf::PT_LOAD { 0x1000 } else { 4 });
    }
    let mut names = vec![0];
    let mut headers = Bytes::of(target);
    headers.bytes(&vec![0; usize::from(section_size)]);
    let mut header = |index: usize, name: u64, section: &Made, size: u64| {
        let is_alloc = section.flags & elf::SHF_ALLOC != 0 && kind != elf::ET_REL;
        headers.number(4, name).word(section.kind).address(u64::from(section.flags));
        headers.address(if is_alloc { address(index) } else { 0 });
        headers.address(offset(index)).address(size).word(section.link).word(section.info);
        headers.address(section.align.max(1)).address(section.entry_size);
    };
    for (index, section) in (1..).zip(sections) {
        out.data.resize(offset(index) as usize, 0);
        out.bytes(&section.bytes);
        header(index, names.len() as u64, section, section.bytes.len() as u64);
        names.extend_from_slice(section.name.as_bytes());
        names.push(0);
    }
    let table = Made { kind: elf::SHT_STRTAB, ..Made::default() };
    header(names_index, 0, &table, names.len() as u64);
    out.data.resize(offset(names_index) as usize, 0);
    out.bytes(&names);
    out.data.resize(offset(names_index + 1) as usize, 0);
    out.bytes(&headers.data);
    out.take()
}

/// Values in the tables of the generated files; each test changes one of them.
struct Facts {
    /// Bits of the bloom filter besides those of `f`.
    bloom_without: u64,
    /// First symbol of the bucket in .hash.
    bucket: u32,
    relative_count: u64,
    /// The address to which the first word of .init_array is relocated, and the content of the
    /// third word.
    starts: [u64; 2],
    /// The RELR bitmap behind an address: the following words that are relocated, too.
    bitmap: u64,
    /// Start of the function of .eh_frame, and that of .sframe.
    functions: [u64; 2],
    /// Added to the size of an entry of .dynsym.
    entry_size_more: u64,
    /// Added to DT_RELASZ.
    relocations_more: u64,
    /// Member of the group.
    member: u32,
}

impl Default for Facts {
    fn default() -> Facts {
        let text = address(TEXT);
        Facts {
            bloom_without: 0,
            bucket: 1,
            relative_count: 1,
            starts: [text, text],
            bitmap: 3,
            functions: [text, text],
            entry_size_more: 0,
            relocations_more: 0,
            member: 2,
        }
    }
}

const DYNSYM: usize = 1;
const DYNSTR: usize = 2;
const GNU_HASH: usize = 3;
const HASH: usize = 4;
const VERSYM: usize = 5;
const RELA: usize = 6;
const RELR: usize = 7;
const TEXT: usize = 8;
const HEADER: usize = 9;
const FRAME: usize = 10;
const SFRAME: usize = 11;
const INIT_ARRAY: usize = 12;
const DYNAMIC: usize = 13;

const fn segment(kind: u32, flags: u32, first: usize, last: usize) -> MadeSegment {
    MadeSegment { kind, flags, first, last }
}

const SEGMENTS: [MadeSegment; 5] = [
    segment(elf::PT_LOAD, elf::PF_R | elf::PF_X, 0, SFRAME),
    segment(elf::PT_LOAD, elf::PF_R | elf::PF_W, INIT_ARRAY, DYNAMIC),
    segment(elf::PT_DYNAMIC, elf::PF_R | elf::PF_W, DYNAMIC, DYNAMIC),
    segment(elf::PT_GNU_EH_FRAME, elf::PF_R, HEADER, HEADER),
    segment(PT_GNU_SFRAME, elf::PF_R, SFRAME, SFRAME),
];

/// A CIE and an FDE of `function`, with pc-relative pointers.
fn unwind(out: &mut Bytes, function: u64) -> Vec<u8> {
    out.word(16).word(0).bytes(b"\x01zR\0\x01\x7c\x08\x01\x1b\0\0\0");
    out.word(16).word(24).distance(address(FRAME) + 28, function).word(4).bytes(&[0; 4]);
    out.word(0).take()
}

/// .eh_frame_hdr for the FDE that `unwind` writes.
fn search(out: &mut Bytes, function: u64) -> Vec<u8> {
    let start = address(HEADER);
    out.bytes(&[1, 0x1b, 3, 0x3b]).distance(start + 4, address(FRAME)).word(1);
    out.distance(start, function).distance(start, address(FRAME) + 20).take()
}

/// A table of version 2 with one function.
fn sframe(out: &mut Bytes, function: u64) -> Vec<u8> {
    out.half(0xdee2).bytes(&[2, 1, 0, 0, 0, 0]).word(1).word(0).word(0).word(0).word(20);
    out.distance(address(SFRAME), function).word(4).word(0).word(0).word(0).take()
}

fn dynamic(target: Target, out: &mut Bytes, facts: &Facts) -> Vec<u8> {
    let word = out.encoding.word_size();
    let (rel, table) = (target.has_fields(), target.table());
    let tag = |rela: u32, of_rel: u32| if rel { of_rel } else { rela };
    // `object` has no names for DT_RELR and DT_RELRSZ.
    let (relr, relr_size) = (36, 35);
    for (tag, value) in [
        (elf::DT_HASH, address(HASH)),
        (elf::DT_GNU_HASH, address(GNU_HASH)),
        (elf::DT_STRTAB, address(DYNSTR)),
        (elf::DT_STRSZ, 3),
        (elf::DT_SYMTAB, address(DYNSYM)),
        (elf::DT_VERSYM, address(VERSYM)),
        (tag(elf::DT_RELA, elf::DT_REL), address(RELA)),
        (tag(elf::DT_RELASZ, elf::DT_RELSZ), table.2 + facts.relocations_more),
        (tag(elf::DT_RELACOUNT, elf::DT_RELCOUNT), facts.relative_count),
        (relr, address(RELR)),
        (relr_size, 2 * word),
        (elf::DT_INIT_ARRAY, address(INIT_ARRAY)),
        (elf::DT_INIT_ARRAYSZ, 3 * word),
        (elf::DT_NULL, 0),
    ] {
        out.address(u64::from(tag)).address(value);
    }
    out.take()
}

/// A library with one function, `f`, that is in each table, and that each word of .init_array
/// refers to.
fn library(target: Target, facts: &Facts) -> Vec<u8> {
    let word = target.encoding.word_size();
    let hash = 5381 * 33 + u64::from(b'f');
    let bloom = 1 << (hash % (8 * word)) | 1 << ((hash >> 6) % (8 * word));
    let out = &mut Bytes::of(target);
    let (alloc, write) = (elf::SHF_ALLOC, elf::SHF_ALLOC | elf::SHF_WRITE);
    let section = |name, kind, flags, bytes| {
        let (entry_size, link) = match kind {
            elf::SHT_DYNSYM => (target.encoding.symbol_size() + facts.entry_size_more, DYNSTR),
            elf::SHT_DYNAMIC => (2 * word, DYNSTR),
            elf::SHT_RELA => (3 * word, DYNSYM),
            elf::SHT_REL => (2 * word, DYNSYM),
            elf::SHT_RELR => (word, 0),
            elf::SHT_GNU_VERSYM => (2, DYNSYM),
            elf::SHT_GNU_HASH | elf::SHT_HASH => (0, DYNSYM),
            _ => (0, 0),
        };
        let info = u32::from(kind == elf::SHT_DYNSYM);
        Made { name, kind, flags, link: link as u32, info, align: 4, entry_size, bytes }
    };
    let symbols = [
        Vec::from_iter((0..target.encoding.symbol_size()).map(|_| 0)),
        out.symbol(address(TEXT), TEXT as u16).take(),
    ];
    out.word(1).word(1).word(1).word(6).address(bloom & !facts.bloom_without);
    let gnu_hash = out.word(1).word(hash as u32 | 1).take();
    let sysv_hash = out.word(1).word(2).word(facts.bucket).word(0).word(0).take();
    let start = address(INIT_ARRAY);
    let relative = u64::from(target.relative);
    let sections = [
        section(".dynsym", elf::SHT_DYNSYM, alloc, symbols.concat()),
        section(".dynstr", elf::SHT_STRTAB, alloc, b"\0f\0".to_vec()),
        section(".gnu.hash", elf::SHT_GNU_HASH, alloc, gnu_hash),
        section(".hash", elf::SHT_HASH, alloc, sysv_hash),
        section(
            ".gnu.version",
            elf::SHT_GNU_VERSYM,
            alloc,
            out.half(0).half(elf::VER_NDX_GLOBAL).take(),
        ),
        section(target.table().0, target.table().1, alloc, {
            out.address(start).address(relative);
            if !target.has_fields() {
                out.address(facts.starts[0]);
            }
            out.take()
        }),
        section(".relr.dyn", elf::SHT_RELR, alloc, {
            out.address(start + word).address(facts.bitmap).take()
        }),
        section(".text", elf::SHT_PROGBITS, alloc | elf::SHF_EXECINSTR, vec![0; 4]),
        section(".eh_frame_hdr", elf::SHT_PROGBITS, alloc, search(out, facts.functions[0])),
        section(".eh_frame", elf::SHT_PROGBITS, alloc, unwind(out, facts.functions[0])),
        section(".sframe", elf::SHT_PROGBITS, alloc, sframe(out, facts.functions[1])),
        section(".init_array", elf::SHT_INIT_ARRAY, write, {
            let first = if target.has_fields() { facts.starts[0] } else { 0 };
            out.address(first).address(address(TEXT)).address(facts.starts[1]).take()
        }),
        section(".dynamic", elf::SHT_DYNAMIC, write, dynamic(target, out, facts)),
    ];
    made(target, elf::ET_DYN, &sections, &SEGMENTS)
}

/// A relocatable file with a group.
fn relocatable(target: Target, facts: &Facts) -> Vec<u8> {
    let out = &mut Bytes::of(target);
    let symbol_size = target.encoding.symbol_size();
    let flags = elf::SHF_ALLOC | elf::SHF_EXECINSTR | elf::SHF_GROUP;
    let null = Vec::from_iter((0..symbol_size).map(|_| 0));
    let symbols = [null, out.symbol(0, 2).take()].concat();
    let members = out.word(elf::GRP_COMDAT).word(facts.member).take();
    let group = Made { kind: elf::SHT_GROUP, link: 3, info: 1, ..Made::default() };
    let table = Made { kind: elf::SHT_SYMTAB, link: 4, info: 1, ..Made::default() };
    let sections = [
        Made { name: ".group", align: 4, bytes: members, ..group },
        Made {
            name: ".text.f",
            kind: elf::SHT_PROGBITS,
            flags,
            bytes: vec![0; 4],
            ..Made::default()
        },
        Made { name: ".symtab", entry_size: symbol_size, bytes: symbols, ..table },
        Made {
            name: ".strtab",
            kind: elf::SHT_STRTAB,
            bytes: b"\0f\0".to_vec(),
            ..Made::default()
        },
    ];
    made(target, elf::ET_REL, &sections, &[])
}

fn findings(data: Vec<u8>) -> Vec<String> {
    check(&OutputFile::parse(data).unwrap(), &[])
}

#[test]
fn right_files_of_each_encoding_have_no_findings() {
    for target in TARGETS {
        let facts = Facts::default();
        let library = OutputFile::parse(library(target, &facts)).unwrap();
        assert_eq!(library.encoding, target.encoding);
        assert_eq!(check(&library, &[]), [""; 0], "machine {}", target.machine);
        let word = target.encoding.word_size();
        let places: Vec<u64> = library.relocations.iter().map(|r| r.place).collect();
        assert_eq!(places, [0, 1, 2].map(|at| address(INIT_ARRAY) + at * word));
        assert_eq!(findings(relocatable(target, &facts)), [""; 0], "machine {}", target.machine);
    }
}

#[test]
fn a_damage_is_found_in_each_encoding() {
    type Damage = (fn(&mut Facts), &'static str);
    let damages: [Damage; 8] = [
        (|f| f.bloom_without = u64::MAX, "gnu-hash: f is not found"),
        (|f| f.bucket = 0, "hash: f is not found"),
        (|f| f.relative_count = 2, "dynamic-relacount: DT_COUNT is 2, 1 come first"),
        (|f| f.starts[0] = address(DYNAMIC), "startup: .init_array: 0x1e00 at 0x1d00 is no code"),
        (|f| f.starts[1] = address(DYNAMIC), "startup: .init_array: 0x1e00 at PLACE is no code"),
        (|f| f.bitmap = 1, "startup: .init_array: the word at PLACE is not relocated"),
        (|f| f.functions[0] = address(DYNAMIC), "eh-frame: FDE 0xb14 for 0x1e00"),
        (|f| f.functions[1] = address(DYNAMIC), "sframe: 0x1e00 is no code"),
    ];
    for target in TARGETS {
        for (damage, expected) in damages {
            let mut facts = Facts::default();
            damage(&mut facts);
            let third = address(INIT_ARRAY) + 2 * target.encoding.word_size();
            let expected = expected.replace("PLACE", &format!("{third:#x}"));
            let count = if target.has_fields() { "RELCOUNT" } else { "RELACOUNT" };
            let expected = expected.replace("COUNT", count);
            assert_eq!(findings(library(target, &facts)), [expected], "machine {}", target.machine);
        }
        let facts = Facts { member: 1, ..Facts::default() };
        let expected = [
            "group: section 1 is no member".to_owned(),
            "group: .text.f is a member of no group".to_owned(),
        ];
        assert_eq!(findings(relocatable(target, &facts)), expected);
    }
}

#[test]
fn sizes_of_entries_are_those_of_the_class() {
    for target in TARGETS {
        let size = target.encoding.symbol_size();
        let facts = Facts { entry_size_more: 8, ..Facts::default() };
        let expected = format!("section-entsize: .dynsym: {} and not {size}", size + 8);
        assert_eq!(findings(library(target, &facts)), [expected]);
        let facts = Facts { relocations_more: 4, ..Facts::default() };
        let size = target.table().2 + 4;
        let tag = if target.has_fields() { "RELSZ" } else { "RELASZ" };
        assert_eq!(
            findings(library(target, &facts)),
            [format!("dynamic-address: {tag} {size:#x}")]
        );
    }
}
