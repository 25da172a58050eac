//! Objects and libraries are the same in every class and byte order, once they are read.

use super::identify::{FileKind, identify};
use super::object_file::{InputSection, ReadRules, Recorded, SectionFlags};
use super::section_records;
use super::{ObjectFile, ObjectId, SharedFile};
use crate::format::elf::{Dyn, Ehdr, Phdr, Rel, Rela, Shdr, Sym};
use crate::format::encoding::{ALL, Encoding, Record, Word};
use crate::machine::{MACHINES, Machine};
use crate::script::default_layout::LayoutOptions;
use crate::script::name_classes::NameClasses;
use object::elf::*;
use skald_core::ids::IdSlice;
use skald_core::input::InputBytes;
use zerocopy::{FromZeros, IntoBytes};

/// A file that is made in memory.
struct Made {
    encoding: Encoding,
    bytes: Vec<u8>,
    headers: Vec<Shdr>,
    names: Vec<u8>,
}

impl Made {
    fn new(encoding: Encoding) -> Made {
        let bytes = vec![0; encoding.size::<Ehdr>()];
        Made { encoding, bytes, headers: vec![Shdr::default()], names: vec![0] }
    }

    /// Adds a section with this content, and returns its header.
    fn add(&mut self, name: &str, sh_type: u32, content: &[u8]) -> &mut Shdr {
        let mut header = Shdr::default();
        header.set_sh_name(self.names.len() as u32);
        header.set_sh_type(sh_type);
        header.set_sh_offset(self.bytes.len() as u64);
        header.set_sh_size(content.len() as u64);
        header.set_sh_addralign(1);
        self.names.extend([name.as_bytes(), b"\0"].concat());
        self.bytes.extend(content);
        self.headers.push(header);
        self.headers.last_mut().expect("one was added")
    }

    fn records<R: Record>(&mut self, name: &str, sh_type: u32, records: &[R]) -> &mut Shdr {
        let content = self.encoding.bytes(records).into_owned();
        self.add(name, sh_type, &content)
    }

    /// The bytes of 4-byte words.
    fn words(&self, words: &[u32]) -> Vec<u8> {
        words.iter().flat_map(|&word| self.encoding.order.bytes(word)).collect()
    }

    /// The bytes of addresses.
    fn addresses(&self, addresses: &[u64]) -> Vec<u8> {
        let words: Vec<Word> = addresses.iter().map(|&address| Word::new(address)).collect();
        self.encoding.bytes(&words).into_owned()
    }

    fn finish(mut self, e_type: u16, segments: &[Phdr]) -> &'static [u8] {
        let names = self.names.clone();
        self.add("", SHT_STRTAB, &names);
        let machine = machine(self.encoding);
        let mut header = Ehdr::of_machine(machine, e_type, 0);
        header.set_e_phoff(self.bytes.len() as u64);
        header.set_e_phentsize(self.encoding.size::<Phdr>() as u16);
        header.set_e_phnum(segments.len() as u16);
        self.bytes.extend(&*self.encoding.bytes(segments));
        header.set_e_shoff(self.bytes.len() as u64);
        header.set_e_shentsize(self.encoding.size::<Shdr>() as u16);
        header.set_e_shnum(self.headers.len() as u16);
        header.set_e_shstrndx(self.headers.len() as u16 - 1);
        self.bytes.extend(&*self.encoding.bytes(&self.headers));
        let size = self.encoding.size::<Ehdr>();
        self.encoding.write(&header, &mut self.bytes[..size]);
        self.bytes.leak()
    }
}

fn machine(encoding: Encoding) -> &'static Machine {
    Machine::like_x86_64(encoding.class, encoding.order)
}

fn symbol(name: u32, bind: u8, shndx: u16, value: u64) -> Sym {
    let mut symbol = Sym::with_info(bind, STT_OBJECT);
    symbol.set_st_name(name);
    symbol.set_st_shndx(shndx);
    symbol.set_st_value(value);
    symbol.set_st_size(4);
    symbol
}

/// Content, relocations with and without addends, a list of constructors and a group.
fn object(encoding: Encoding) -> &'static [u8] {
    let mut made = Made::new(encoding);
    let data = made.words(&[0, 7, u32::MAX, 0]);
    made.add(".data.a", SHT_PROGBITS, &data).set_sh_flags(u64::from(SHF_ALLOC | SHF_WRITE));
    made.records(".rela", SHT_RELA, &[Rela::new(12, R_X86_64_32, 2, -2)]).set_sh_info(1);
    made.add(".data.b", SHT_PROGBITS, &data).set_sh_flags(u64::from(SHF_ALLOC | SHF_WRITE));
    let mut rels = [Rel::default(); 2];
    for (rel, offset) in rels.iter_mut().zip([4, 8]) {
        rel.set_r_offset(offset);
        rel.set_r_type(R_X86_64_32);
        rel.set_r_sym(1);
    }
    made.records(".rel", SHT_REL, &rels).set_sh_info(3);
    let constructors = made.addresses(&[0x11, 0x22, 0x33]);
    let section = made.add(".ctors", SHT_PROGBITS, &constructors);
    section.set_sh_flags(u64::from(SHF_ALLOC | SHF_WRITE));
    let last = 2 * encoding.word_size() as u64;
    made.records(".rela", SHT_RELA, &[Rela::new(last, R_X86_64_64, 1, 5)]).set_sh_info(5);
    let members = made.words(&[GRP_COMDAT, 8]);
    let group = made.add(".group", SHT_GROUP, &members);
    group.set_sh_info(2);
    group.set_sh_entsize(4);
    made.add(".data.c", SHT_PROGBITS, b"grouped").set_sh_flags(u64::from(SHF_ALLOC | SHF_GROUP));
    let symbols = [Sym::default(), symbol(1, STB_LOCAL, 1, 4), symbol(3, STB_GLOBAL, 3, 8)];
    let symtab = made.records(".symtab", SHT_SYMTAB, &symbols);
    symtab.set_sh_link(10);
    symtab.set_sh_info(2);
    made.add(".strtab", SHT_STRTAB, b"\0a\0b\0");
    made.finish(ET_REL, &[])
}

/// The results of reading an object: symbols, relocations, the words of `.ctors`, groups.
fn contents(encoding: Encoding) -> (Vec<u8>, Vec<Vec<u8>>, Vec<u64>, Vec<u32>) {
    let names = NameClasses::new(&LayoutOptions::default());
    let rules =
        ReadRules { machine: machine(encoding), names: Some(&names), ..ReadRules::default() };
    let input = InputBytes { bytes: object(encoding), file: None, content: None };
    let mut object = ObjectFile::parse(input, rules).expect("an object");
    object.recorded = vec![Recorded::NOT; object.mapped.shdrs.len()];
    let mut records = vec![InputSection::new_zeroed(); object.content_count as usize];
    let sections = IdSlice::new_mut(&mut records);
    section_records::decode(&mut object, ObjectId::default(), sections, rules).expect("sections");
    let relocs = records.iter().map(|section| {
        let mut relocs = object.relocs(section).to_vec();
        if section.shndx == 5 {
            // It is the same word, at an offset that depends on the size of words.
            let word = relocs[0].r_offset() / encoding.word_size() as u64;
            relocs[0].set_r_offset(word);
        }
        relocs.as_bytes().to_vec()
    });
    let relocs = relocs.collect();
    let constructors = records.iter().find(|section| section.shndx == 5).expect("a record");
    let words = object.bytes(constructors).chunks(encoding.word_size());
    let words = words.map(|word| encoding.word(word)).collect();
    let members = object.group_members(&object.groups[0]);
    let members = members.iter().map(|member| member.get());
    let members = [object.group_flags(&object.groups[0])].into_iter().chain(members).collect();
    (object.mapped.symbols.items().as_bytes().to_vec(), relocs, words, members)
}

#[test]
fn objects_are_the_same_in_every_encoding() {
    let native = contents(Encoding::NATIVE);
    let (symbols, relocs, words, members) = &native;
    assert_eq!(symbols.len(), 3 * size_of::<Sym>());
    let first = Rela::new(12, R_X86_64_32, 2, -2);
    let implicit = [Rela::new(4, R_X86_64_32, 1, 7), Rela::new(8, R_X86_64_32, 1, -1)];
    assert_eq!(relocs[0], first.as_bytes());
    assert_eq!(relocs[1], implicit.as_bytes());
    assert_eq!(relocs[2], Rela::new(0, R_X86_64_64, 1, 5).as_bytes(), "the last word is the first");
    assert_eq!(*words, [0x33, 0x22, 0x11]);
    assert_eq!(*members, [GRP_COMDAT, 8]);
    for encoding in ALL {
        assert_eq!(contents(encoding), native, "{encoding:?}");
    }
}

#[test]
fn objects_of_another_encoding_are_foreign() {
    for encoding in ALL.into_iter().filter(|encoding| !encoding.is_native()) {
        let native = Encoding::NATIVE;
        let kind = |ours, theirs| identify(machine(ours), object(theirs));
        assert_eq!([kind(native, native), kind(encoding, encoding)], [FileKind::Object; 2]);
        assert_eq!([kind(native, encoding), kind(encoding, native)], [FileKind::ForeignElf; 2]);
    }
}

/// A library that defines `f@@V` and `g`, and needs `libx.so`.
fn library(encoding: Encoding) -> &'static [u8] {
    let mut made = Made::new(encoding);
    let strings = b"\0f\0g\0V\0lib.so\0libx.so\0";
    made.add(".dynstr", SHT_STRTAB, strings);
    let symbols = [Sym::default(), symbol(1, STB_GLOBAL, 3, 0x1010), symbol(3, STB_WEAK, 3, 0x20)];
    made.records(".dynsym", SHT_DYNSYM, &symbols).set_sh_link(1);
    let mut entries = [Dyn::default(); 3];
    for (entry, (tag, value)) in entries.iter_mut().zip([(DT_SONAME, 7), (DT_NEEDED, 14)]) {
        entry.set_d_tag(tag.into());
        entry.set_d_val(value);
    }
    made.records(".dynamic", SHT_DYNAMIC, &entries).set_sh_link(1);
    let versions: Vec<u8> =
        [0, 2, 1].into_iter().flat_map(|v| encoding.order.bytes(v as u16)).collect();
    made.add(".gnu.version", SHT_GNU_VERSYM, &versions);
    let mut definition = made.words(&[0, 0, 0, 20, 0, 5, 0]);
    encoding.order.put(&mut definition, 0, 1u16);
    encoding.order.put(&mut definition, 4, 2u16);
    encoding.order.put(&mut definition, 6, 1u16);
    let definitions = made.add(".gnu.version_d", SHT_GNU_VERDEF, &definition);
    definitions.set_sh_link(1);
    definitions.set_sh_info(1);
    let filter = vec![0; encoding.word_size() / 4];
    let table = made.words(&[&[1, 1, 1, 6][..], &filter, &[1, 0x10, 0x21]].concat());
    made.add(".gnu.hash", SHT_GNU_HASH, &table);
    let mut segment = Phdr::default();
    segment.set_p_type(PT_LOAD);
    segment.set_p_flags(PF_R);
    segment.set_p_vaddr(0x1000);
    segment.set_p_memsz(0x100);
    made.finish(ET_DYN, &[segment])
}

#[test]
fn libraries_are_the_same_in_every_encoding() {
    for encoding in ALL {
        let shared = SharedFile::parse(encoding, library(encoding), b"given").expect("a library");
        assert_eq!(
            (&shared.soname[..], &shared.needed[..]),
            (&b"lib.so"[..], &[&b"libx.so"[..]][..])
        );
        let [_, f, g] = [0, 1, 2].map(crate::format::elf::SymbolId::new);
        assert_eq!((shared.symbol_name(f), shared.symbol_name(g)), (&b"f"[..], &b"g"[..]));
        assert_eq!((shared.version_name(f), shared.version_name(g)), (Some(&b"V"[..]), None));
        assert_eq!(shared.symbols[f].st_value(), 0x1010);
        assert!(shared.is_read_only(0x1010) && !shared.is_read_only(0x20));
        let hashes: Vec<u32> = shared.hashes.iter().map(|hash| hash.get()).collect();
        assert_eq!(hashes, [0x10, 0x21]);
    }
}

#[test]
fn section_flags_of_machines_have_their_place_in_records() {
    let known = [0, SectionFlags::LARGE, SectionFlags::PURE_CODE];
    for machine in MACHINES {
        assert!(known.contains(&(machine.own_section_flags() >> SectionFlags::OF_MACHINE)));
    }
}
