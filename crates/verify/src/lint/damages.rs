//! Tests each rule on a correct output that is damaged so that this rule gives a finding, and no
//! other.
//!
//! The correct outputs are a library and a relocatable file that GNU ld links. The damage is done
//! to the tables read from them, or to the bytes if a rule reads these itself.

use super::check;
use crate::output_file::{OutputFile, Relocation, Section, Segment, Symbol};
use object::elf;
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;
use std::sync::OnceLock;

const LIBRARY: &str = r#"
unsigned long strlen(const char *);
__thread int thread_value = 3, thread_zero;
int variable = 5, zero[100];
int *const pointer = &variable;
static void begin(void) { zero[1] = 1; }
__attribute__((section(".init_array"), used)) static void (*const start)(void) = begin;
int function(const char *text) { return strlen(text) + thread_value + thread_zero; }
int other(int at) { return zero[at] + *pointer; }
"#;

const VERSIONS: &str = "V1 { global: function; variable; other; thread_value; local: *; };\n";

const GROUPS: &str = "
.section .text.f, \"axG\", @progbits, f, comdat
f: ret
.section .data.g, \"awG\", @progbits, g, comdat
g: .quad f
";

/// The shared library that is damaged.
fn library() -> OutputFile {
    static READ: OnceLock<OutputFile> = OnceLock::new();
    let make = |directory: &Path| {
        std::fs::write(directory.join("lib.c"), LIBRARY).unwrap();
        std::fs::write(directory.join("versions"), VERSIONS).unwrap();
        let linking = "-Wl,--hash-style=both,--version-script=versions,-z,relro,--eh-frame-hdr";
        run(directory, &format!("gcc -shared -fPIC -O1 -Wa,--gsframe {linking} -o lib.so lib.c"));
        OutputFile::read(&directory.join("lib.so")).unwrap()
    };
    READ.get_or_init(|| in_directory("library", make)).clone()
}

/// The relocatable file that is damaged; it has two groups.
fn relocatable() -> OutputFile {
    static READ: OnceLock<OutputFile> = OnceLock::new();
    let make = |directory: &Path| {
        std::fs::write(directory.join("groups.s"), GROUPS).unwrap();
        run(directory, "gcc -c -o groups.o groups.s");
        run(directory, "gcc -r -nostdlib -o out.o groups.o");
        OutputFile::read(&directory.join("out.o")).unwrap()
    };
    READ.get_or_init(|| in_directory("relocatable", make)).clone()
}

fn in_directory(name: &str, make: impl FnOnce(&Path) -> OutputFile) -> OutputFile {
    let directory = std::env::temp_dir().join(format!("verify-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&directory).unwrap();
    let made = make(&directory);
    std::fs::remove_dir_all(&directory).unwrap();
    made
}

fn run(directory: &Path, line: &str) {
    let words: Vec<&str> = line.split(' ').collect();
    let status = Command::new(words[0]).args(&words[1..]).current_dir(directory).status();
    assert!(status.unwrap().success(), "{line}");
}

fn section<'a>(file: &'a mut OutputFile, name: &str) -> &'a mut Section {
    file.sections.iter_mut().find(|section| section.name == name).unwrap()
}

fn segment(file: &mut OutputFile, kind: u32) -> &mut Segment {
    file.segments.iter_mut().find(|segment| segment.kind == kind).unwrap()
}

/// The PT_LOAD with exactly these permissions.
fn load(file: &mut OutputFile, flags: u32) -> &mut Segment {
    let is_it = |segment: &&mut Segment| segment.kind == elf::PT_LOAD && segment.flags == flags;
    file.segments.iter_mut().find(is_it).unwrap()
}

/// A new, empty PT_LOAD behind the others in memory.
fn more_loaded(file: &mut OutputFile) -> &mut Segment {
    let mut new = load(file, elf::PF_R).clone();
    (new.file_offset, new.address) = (0, 0x10_0000);
    (new.file_size, new.memory_size) = (0, 0);
    file.segments.push(new);
    file.segments.last_mut().unwrap()
}

fn symbol<'a>(symbols: &'a mut [Symbol], name: &str) -> (usize, &'a mut Symbol) {
    symbols.iter_mut().enumerate().find(|(_, symbol)| symbol.name == name).unwrap()
}

fn relocation<'a>(file: &'a mut OutputFile, kind: &str) -> &'a mut Relocation {
    file.relocations.iter_mut().find(|relocation| relocation.kind == kind).unwrap()
}

/// The relative relocation of the first word of `.init_array`.
fn start(file: &mut OutputFile) -> &mut Relocation {
    let place = section(file, ".init_array").address;
    file.relocations.iter_mut().find(|relocation| relocation.place == place).unwrap()
}

fn set(file: &mut OutputFile, tag: &str, change: impl FnOnce(&mut u64)) {
    change(&mut file.dynamic.iter_mut().find(|entry| entry.tag == tag).unwrap().value);
}

/// A new entry of .dynamic, before the others.
fn add(file: &mut OutputFile, tag: &str, text: Option<&str>) {
    let mut entry = file.dynamic[0].clone();
    (entry.tag, entry.value, entry.text) = (tag.to_owned(), 0, text.map(str::to_owned));
    file.dynamic.insert(0, entry);
}

/// File offset of a section.
fn offset(file: &mut OutputFile, name: &str) -> usize {
    section(file, name).file_offset as usize
}

/// Writes `bytes` at offset `at` of a section.
fn put(file: &mut OutputFile, name: &str, at: usize, bytes: &[u8]) {
    let start = offset(file, name) + at;
    file.data[start..start + bytes.len()].copy_from_slice(bytes);
}

fn word(file: &mut OutputFile, name: &str, at: usize) -> u32 {
    let start = offset(file, name) + at;
    u32::from_le_bytes(file.data[start..start + 4].try_into().unwrap())
}

/// Offset in .gnu.hash of the first bucket.
fn gnu_buckets(file: &mut OutputFile) -> usize {
    16 + 8 * word(file, ".gnu.hash", 8) as usize
}

/// Removes .eh_frame_hdr and its segment.
fn without_search_table(file: &mut OutputFile) {
    section(file, ".eh_frame_hdr").name = "none".to_owned();
    file.segments.retain(|segment| segment.kind != elf::PT_GNU_EH_FRAME);
}

type Damage = (&'static str, fn(&mut OutputFile));

const OF_LIBRARIES: &[Damage] = &[
    ("section-outside-file", |f| section(f, ".shstrtab").size = 1 << 40),
    ("section-align", |f| section(f, ".comment").align = 3),
    ("section-align", |f| section(f, ".text").align = 1 << 20),
    ("section-entsize", |f| section(f, ".dynsym").entry_size = 23),
    ("section-entsize", |f| section(f, ".symtab").size -= 8),
    ("section-link", |f| section(f, ".symtab").link = 1000),
    ("section-link", |f| section(f, ".gnu.hash").link = 1),
    ("section-info", |f| section(f, ".rela.plt").info = 0),
    ("section-file-overlap", |f| section(f, ".comment").file_offset -= 4),
    ("section-address-overlap", |f| {
        let bss = section(f, ".bss").clone();
        f.sections.push(bss);
    }),
    ("symbol-first-global", |f| section(f, ".dynsym").info += 1),
    ("symbol-local-after-global", |f| f.symbols.last_mut().unwrap().binding = elf::STB_LOCAL),
    ("symbol-section", |f| symbol(&mut f.symbols, "function").1.section_index = 1000),
    ("symbol-outside-section", |f| symbol(&mut f.symbols, "function").1.size = 1 << 20),
    ("load-size", |f| load(f, elf::PF_R).file_size += 1),
    ("load-outside-file", |f| {
        let new = more_loaded(f);
        (new.file_offset, new.file_size, new.memory_size) = (1 << 40, 1, 1);
    }),
    ("load-align", |f| load(f, elf::PF_R).align = 3),
    ("load-congruence", |f| more_loaded(f).file_offset = 1),
    ("load-order", |f| more_loaded(f).address = 0),
    ("segment-offset", |f| segment(f, elf::PT_NOTE).file_offset += 4),
    ("segment-outside-load", |f| segment(f, elf::PT_NOTE).address = 0x10_0000),
    ("segment-twice", |f| {
        let stack = segment(f, elf::PT_GNU_STACK).clone();
        f.segments.push(stack);
    }),
    ("section-outside-load", |f| {
        let comment = section(f, ".comment");
        (comment.flags, comment.address) = (u64::from(elf::SHF_ALLOC), 0x10_0000);
    }),
    ("section-offset", |f| section(f, ".note.gnu.build-id").file_offset += 4),
    ("section-past-file-size", |f| load(f, elf::PF_R).file_size -= 1),
    ("nobits-in-file", |f| load(f, elf::PF_R | elf::PF_W).file_size += 0x20),
    ("section-permission", |f| section(f, ".text").flags |= u64::from(elf::SHF_WRITE)),
    ("tls-segment", |f| f.segments.retain(|segment| segment.kind != elf::PT_TLS)),
    ("tls-segment", |f| section(f, ".tbss").address += 0x100),
    ("tls-segment", |f| segment(f, elf::PT_TLS).align = 1),
    ("tls-segment", |f| segment(f, elf::PT_TLS).file_size = 0),
    ("relro-protects", |f| {
        let relro = segment(f, elf::PT_GNU_RELRO);
        (relro.address, relro.file_offset) = (relro.address + 8, relro.file_offset + 8);
        (relro.file_size, relro.memory_size) = (relro.file_size - 8, relro.memory_size - 8);
    }),
    ("entry-not-executable", |f| f.entry = section(f, ".eh_frame").address),
    ("dynamic-null", |f| f.dynamic.retain(|entry| entry.tag != "NULL")),
    ("dynamic-repeated", |f| f.dynamic.insert(0, f.dynamic[f.dynamic.len() / 2].clone())),
    ("dynamic-address", |f| set(f, "SYMTAB", |value| *value += 8)),
    ("dynamic-address", |f| set(f, "STRSZ", |value| *value += 1)),
    ("dynamic-address", |f| f.dynamic.retain(|entry| entry.tag != "GNU_HASH")),
    ("dynamic-address", |f| section(f, ".fini_array").kind = elf::SHT_PROGBITS),
    ("dynamic-address", |f| set(f, "PLTRELSZ", |value| *value += 1)),
    ("dynamic-relacount", |f| set(f, "RELACOUNT", |value| *value += 1)),
    ("dynamic-segment", |f| segment(f, elf::PT_DYNAMIC).memory_size += 8),
    ("relocation-symbol", |f| relocation(f, "R_X86_64_GLOB_DAT").symbol_index = 1000),
    ("relocation-twice", |f| f.relocations.push(f.relocations.last().unwrap().clone())),
    ("relocation-read-only", |f| {
        relocation(f, "R_X86_64_GLOB_DAT").place = section(f, ".text").address;
    }),
    ("relocation-outside", |f| relocation(f, "R_X86_64_GLOB_DAT").place = 0x10_0000),
    ("gnu-hash", |f| put(f, ".gnu.hash", 12, &[40])),
    ("gnu-hash", |f| put(f, ".gnu.hash", 16, &[0; 8])),
    ("gnu-hash", |f| {
        let at = gnu_buckets(f);
        put(f, ".gnu.hash", at, &[0xe8, 3, 0, 0]);
    }),
    ("hash", |f| put(f, ".hash", 4, &[1, 0, 0, 0])),
    ("hash", |f| {
        let buckets = word(f, ".hash", 0) as usize;
        put(f, ".hash", 8, &vec![0; 4 * buckets]);
    }),
    ("versym-size", |f| section(f, ".gnu.version").size -= 2),
    ("version-index", |f| f.versions.push(f.versions[0].clone())),
    ("version-index", |f| {
        section(f, ".gnu.version").kind = elf::SHT_PROGBITS;
        f.dynamic.retain(|entry| entry.tag != "VERSYM");
    }),
    // A symbol with an undefined version index, and an import with a version that the library
    // defines.
    ("version-index", |f| {
        let at = symbol(&mut f.dynamic_symbols, "function").0;
        put(f, ".gnu.version", 2 * at, &[77, 0]);
    }),
    ("version-index", |f| {
        let defined = f.versions.iter().find(|version| version.kind == "def" && version.index > 1);
        let index = defined.unwrap().index as u8;
        let at = symbol(&mut f.dynamic_symbols, "strlen").0;
        put(f, ".gnu.version", 2 * at, &[index, 0]);
    }),
    // A word of .init_array without relocation, and one that is relocated to data.
    ("startup", |f| {
        put(f, ".init_array", 0, &[1]);
        let elsewhere = section(f, ".bss").address;
        start(f).place = elsewhere;
    }),
    ("startup", |f| start(f).addend = section(f, ".data").address as i64),
    // A CIE with an unknown version, and an FDE for a function outside of code.
    ("eh-frame", |f| put(f, ".eh_frame", 8, &[99])),
    ("eh-frame", |f| {
        without_search_table(f);
        let first = 4 + word(f, ".eh_frame", 0) as usize;
        put(f, ".eh_frame", first + 8, &[0, 0, 0, 0x10]);
    }),
    ("eh-frame-hdr", |f| {
        let table = segment(f, elf::PT_GNU_EH_FRAME);
        (table.address, table.file_offset) = (table.address + 4, table.file_offset + 4);
    }),
    // The address of .eh_frame, the number of entries, their order, and the FDE of one.
    ("eh-frame-hdr", |f| put(f, ".eh_frame_hdr", 4, &[1])),
    ("eh-frame-hdr", |f| {
        let count = word(f, ".eh_frame_hdr", 8) - 1;
        put(f, ".eh_frame_hdr", 8, &count.to_le_bytes());
    }),
    ("eh-frame-hdr", |f| {
        let (first, second) = (offset(f, ".eh_frame_hdr") + 12, offset(f, ".eh_frame_hdr") + 20);
        f.data[first..second + 8].rotate_left(8);
    }),
    ("eh-frame-hdr", |f| {
        let other = word(f, ".eh_frame_hdr", 24);
        put(f, ".eh_frame_hdr", 16, &other.to_le_bytes());
    }),
    // The name, the version, the start of the first function, and the order of two.
    ("sframe", |f| section(f, ".sframe").name = ".frames".to_owned()),
    ("sframe", |f| put(f, ".sframe", 2, &[9])),
    ("sframe", |f| put(f, ".sframe", 28, &[0, 0, 0, 0x80])),
    ("sframe", |f| {
        let first = offset(f, ".sframe") + 28;
        f.data[first..first + 2 * 17].rotate_left(17);
    }),
    ("writable-code", |f| load(f, elf::PF_R | elf::PF_X).flags |= elf::PF_W),
    ("executable-stack", |f| segment(f, elf::PT_GNU_STACK).flags |= elf::PF_X),
    ("relocated-code", |f| add(f, "TEXTREL", None)),
    ("relocated-code", |f| add(f, "FLAGS", Some("BIND_NOW TEXTREL"))),
    ("open-runpath", |f| add(f, "RUNPATH", Some("/usr/lib:lib"))),
    ("open-runpath", |f| add(f, "RPATH", Some(""))),
];

const OF_RELOCATABLE_FILES: &[Damage] = &[
    ("group", |f| section(f, ".group").info = 0),
    ("group", |f| section(f, ".text.f").flags &= !u64::from(elf::SHF_GROUP)),
    ("group", |f| section(f, ".text").flags |= u64::from(elf::SHF_GROUP)),
    // A member of one group that replaces a member of the other group, or is added to it.
    ("group", |f| {
        let (first, member) = (offset(f, ".group"), 4);
        let second = f.sections.iter().rfind(|s| s.kind == elf::SHT_GROUP).unwrap().file_offset;
        f.data.copy_within(first + member..first + member + 4, second as usize + member);
    }),
    ("section-link", |f| section(f, ".group").link = 0),
    ("section-info", |f| section(f, ".rela.data.g").info = 0),
];

fn rules(findings: &[String]) -> BTreeSet<&str> {
    findings.iter().filter_map(|finding| finding.split(':').next()).collect()
}

#[test]
fn each_damage_is_found_by_its_rule_alone() {
    for (right, damages) in [(library(), OF_LIBRARIES), (relocatable(), OF_RELOCATABLE_FILES)] {
        assert_eq!(check(&right, &[]), [""; 0], "as it was linked");
        for (number, (rule, damage)) in damages.iter().enumerate() {
            let mut file = right.clone();
            damage(&mut file);
            let findings = check(&file, &[]);
            assert_eq!(rules(&findings), BTreeSet::from([*rule]), "damage {number}: {findings:?}");
            assert_eq!(check(&file, &[(*rule).to_owned()]), [""; 0], "it can be allowed");
        }
    }
}

#[test]
fn each_rule_has_a_damage() {
    let sources = [
        include_str!("dynamic.rs"),
        include_str!("groups.rs"),
        include_str!("hardening.rs"),
        include_str!("hash_tables.rs"),
        include_str!("sections.rs"),
        include_str!("segments.rs"),
        include_str!("sframe.rs"),
        include_str!("startup.rs"),
        include_str!("symbols.rs"),
        include_str!("unwind.rs"),
        include_str!("versions.rs"),
    ];
    let mut named = BTreeSet::new();
    for (source, call) in sources
        .iter()
        .flat_map(|source| ["expect(", "add(", "overlaps(file, "].map(|call| (source, call)))
    {
        for (at, _) in source.match_indices(call) {
            let argument = source[at + call.len()..].trim_start().strip_prefix('"');
            named.extend(argument.and_then(|text| text.split('"').next()));
        }
    }
    let damaged: BTreeSet<&str> =
        OF_LIBRARIES.iter().chain(OF_RELOCATABLE_FILES).map(|(rule, _)| *rule).collect();
    assert_eq!(named, damaged);
    assert!(named.len() > 40, "as many as there are");
}
