//! What is tried with bytes that may be anything: one function a parser, and one for a whole link.
//!
//! Each may refuse its bytes and may not panic, hang or take memory without end. libFuzzer calls
//! them (`fuzz_targets/`), and so does `cargo xtask fuzz`, which needs neither a nightly compiler
//! nor libFuzzer.

use skald_core::demangle;
use skald_core::diag::{Diag, Style};
use skald_core::ids::IdSlice;
use skald_core::input::InputBytes;
use skald_core::unordered::UnorderedSet;
use skald_dwarf::dedup::{DedupInput, Level};
use skald_dwarf::gdb_index::{GdbIndex, IndexInput, ListedNames};
use skald_dwarf::inline_names::inline_names;
use skald_dwarf::name_index::input_tables::InputTables;
use skald_dwarf::name_index::{NameIndex, NameInput};
use skald_dwarf::sections::{Contribution, Sections};
use skald_dwarf::split_files::{SplitFile, SplitFiles};
use skald_elf::args::dynamic_list::DynamicList;
use skald_elf::args::section_list::SectionList;
use skald_elf::args::version_script::VersionScript;
use skald_elf::args::{Action, prepare};
use skald_elf::format::compressed::CompressedSection;
use skald_elf::format::crel::Crel;
use skald_elf::format::eh_frame::{Cie, EhFrame, RecordKind};
use skald_elf::format::encoding::Encoding;
use skald_elf::format::sframe as sframe_format;
use skald_elf::read::object_file::{InputSection, ReadRules, Recorded, SectionFlags};
use skald_elf::read::{ObjectFile, ObjectId, SharedFile, mri_script, section_records};
use skald_elf::script::text_script::{self as scripts, Script};
use skald_linking::archive::Archive;
use skald_linking::byte_order::ByteOrder;
use skald_linking::expr::Expr;
use skald_linking::glob::Glob;
use skald_linking::response::{self, Quoting};
use std::borrow::Cow;
use std::ffi::OsString;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};
use xtask::corpus::synthetic::code::Code;
use xtask::corpus::synthetic::object::{
    ALLOC, EXEC, INIT_ARRAY, NOBITS, NOTE, THREAD_LOCAL, WRITE,
};
use zerocopy::FromZeros;

/// A function that tries bytes.
pub type Target = fn(&[u8]);

/// All of them by name.
pub const TARGETS: &[(&str, Target)] = &[
    ("archive", archive),
    ("compressed", compressed),
    ("crel", crel),
    ("debug_dedup", debug_dedup),
    ("debug_index", debug_index),
    ("defsym", defsym),
    ("demangle", demangle),
    ("dynamic_list", dynamic_list),
    ("eh_frame", eh_frame),
    ("link", link),
    ("mri_script", mri_script),
    ("object_file", object_file),
    ("response_file", response_file),
    ("scripted_link", scripted_link),
    ("section_list", section_list),
    ("sframe", sframe),
    ("shared_file", shared_file),
    ("text_script", text_script),
    ("version_script", version_script),
];

/// Any bytes as an archive: its index and all members.
pub fn archive(data: &[u8]) {
    let Ok(archive) = Archive::parse(data) else { return };
    for symbol in archive.index().iter().flatten() {
        let Ok(symbol) = symbol else { break };
        let _ = archive.member_at(symbol.member_offset);
    }
    for member in archive.members() {
        if member.is_err() {
            break;
        }
    }
}

/// Any bytes as a compressed section.
pub fn compressed(data: &[u8]) {
    const LIMIT: u64 = 16 << 20;
    if let Ok(section) = CompressedSection::parse(Encoding::NATIVE, data) {
        let _ = section.decompress(LIMIT);
    }
    if let Some(section) = CompressedSection::parse_zdebug(data) {
        let _ = section.decompress(LIMIT);
    }
}

/// Any bytes as an SHT_CREL section.
pub fn crel(data: &[u8]) {
    if let Ok(crel) = Crel::parse(data) {
        assert!(crel.into_iter().count() <= data.len() + 1);
    }
}

/// Any text as an expression of `--defsym`.
pub fn defsym(data: &[u8]) {
    let _ = Expr::parse_text("--defsym", data);
}

/// Any name, demangled.
pub fn demangle(data: &[u8]) {
    let _ = demangle::demangle(data);
    let _ = demangle::demangle_cxx(data);
}

/// Any text as a dynamic list.
pub fn dynamic_list(data: &[u8]) {
    let mut list = DynamicList::default();
    if list.add_file("list", data).is_ok() {
        list.matches(b"some_name", |_| None);
    }
}

/// Any bytes as an `.eh_frame` section.
pub fn eh_frame(data: &[u8]) {
    for record in EhFrame::new(ByteOrder::Little, data) {
        let Ok(record) = record else { break };
        if matches!(record.kind, RecordKind::Cie) {
            let _ = Cie::parse(data, &record, 8);
        }
    }
}

static DIRECTORY: LazyLock<tempfile::TempDir> =
    LazyLock::new(|| tempfile::tempdir().expect("a temporary directory"));

const OPTIONS: &[&str] = &[
    "-static --unresolved-symbols=ignore-all",
    "-pie --eh-frame-hdr --unresolved-symbols=ignore-all",
    "-shared -O2 -z notext",
    "-static --gc-sections --unresolved-symbols=ignore-all",
    "-r",
    "-shared --emit-relocs",
    "-static --start-lib",
    "-shared -z notext --icf=all --gc-sections --pack-dyn-relocs=relr",
    "-r --gc-sections --gc-keep-exported --force-group-allocation",
    "-static --whole-archive --compress-debug-sections=zlib --unresolved-symbols=ignore-all",
];

/// A whole link of one object (or anything else) made of any bytes. The first byte chooses among a
/// few command lines.
pub fn link(data: &[u8]) {
    let Some((&choice, data)) = data.split_first() else { return };
    // Another file each time: of one that is written or made again, the links before would be told
    // that it has changed, or that it is their input.
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let input = DIRECTORY.path().join(format!("input-{number}"));
    std::fs::write(&input, data).expect("the directory can be written");
    let mut argv: Vec<OsString> = vec!["skald".into(), "--threads=1".into(), "-o".into()];
    argv.push(DIRECTORY.path().join("out").into());
    let options = OPTIONS[usize::from(choice) % OPTIONS.len()];
    argv.extend(options.split(' ').map(OsString::from));
    argv.push(input.into());
    if let Ok(Action::Link { options, .. }) = prepare(&argv) {
        let diag = Diag::new(Style { no_warnings: true, ..Style::default() });
        let _ = skald_elf::link::link(&options, &diag);
    }
}

/// Any text as a script of MRI's linker.
pub fn mri_script(data: &[u8]) {
    let _ = mri_script::parse("script", data);
}

/// Any bytes as a relocatable object: symbols, and then sections as if no other file had its
/// groups.
pub fn object_file(data: &[u8]) {
    let rules = ReadRules::default();
    let input = InputBytes { bytes: data.to_vec().leak(), file: None, content: None };
    let Ok(mut object) = ObjectFile::parse(input, rules) else { return };
    for index in object.mapped.symbols.ids() {
        let _ = (object.symbol_name(index), object.symbol_fault(index));
    }
    object.recorded = vec![Recorded::NOT; object.mapped.shdrs.len()];
    let mut records = vec![InputSection::new_zeroed(); object.content_count as usize];
    if section_records::decode(
        &mut object,
        ObjectId::default(),
        IdSlice::new_mut(&mut records),
        rules,
    )
    .is_err()
    {
        return;
    }
    for section in &records {
        if !section.flags.has(SectionFlags::DISCARDED) {
            let _ = (object.bytes(section), object.relocs(section));
        }
    }
}

/// Any text as a response file.
pub fn response_file(data: &[u8]) {
    for quoting in [Quoting::Posix, Quoting::Windows] {
        let _ = response::split(data, quoting);
    }
}

/// Command lines of [`scripted_link`].
const SCRIPTED_OPTIONS: &[&str] = &[
    "-static",
    "-static --gc-sections --print-memory-usage",
    "-pie --emit-relocs",
    "-shared",
    "-r",
    "-static --orphan-handling=discard -z norelro",
    "-static -N",
    "-static -z separate-code -Tdata=0x8000 --section-start=.own=0x9001",
];

/// The names of sections that scripts speak of, with type and flags.
const SECTIONS: &[(&str, u32, u64)] = &[
    (".text.f", 1, ALLOC | EXEC),
    (".rodata", 1, ALLOC),
    (".rodata.x", 1, ALLOC),
    (".data", 1, ALLOC | WRITE),
    (".data.x", 1, ALLOC | WRITE),
    (".bss", NOBITS, ALLOC | WRITE),
    (".own", 1, ALLOC | WRITE),
    (".tdata", 1, ALLOC | WRITE | THREAD_LOCAL),
    (".tbss", NOBITS, ALLOC | WRITE | THREAD_LOCAL),
    (".init_array", INIT_ARRAY, ALLOC | WRITE),
    (".note.a", NOTE, ALLOC),
    (".information", 1, 0),
];

/// An object with some of these sections.
fn scripted_object(number: usize) -> Vec<u8> {
    let mut code = if number == 0 { Code::starting() } else { Code::new() };
    for (at, &(name, kind, flags)) in SECTIONS.iter().enumerate() {
        if (at + number) % 3 == 2 {
            continue;
        }
        let section = code.object.section_of(kind, name, flags, 1 << (at % 5));
        code.object.data(section).extend([0; 24]);
        let symbol = code.object.global(&format!("s{number}_{at}"));
        code.object.define(symbol, section, false, true);
        code.point_at(&format!("s{number}_{at}"));
    }
    let common = code.object.global("common");
    code.object.common(common, 40);
    code.object.write()
}

/// The objects that scripts lay out.
static SCRIPTED_OBJECTS: LazyLock<Vec<OsString>> = LazyLock::new(|| {
    let write = |number: usize| {
        let path = DIRECTORY.path().join(format!("object-{number}.o"));
        std::fs::write(&path, scripted_object(number)).expect("the directory can be written");
        path.into()
    };
    (0..2).map(write).collect()
});

/// A link that any text lays out. The first byte chooses among a few command lines.
pub fn scripted_link(data: &[u8]) {
    let Some((&choice, data)) = data.split_first() else { return };
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let script = DIRECTORY.path().join(format!("script-{number}"));
    std::fs::write(&script, data).expect("the directory can be written");
    let output = DIRECTORY.path().join("scripted");
    let _ = std::fs::remove_file(&output);
    let mut argv: Vec<OsString> = vec!["skald".into(), "--threads=1".into()];
    let options = SCRIPTED_OPTIONS[usize::from(choice) % SCRIPTED_OPTIONS.len()];
    argv.extend(options.split(' ').map(OsString::from));
    argv.extend(SCRIPTED_OBJECTS.iter().cloned());
    argv.extend(["-T".into(), script.into(), "-o".into(), output.clone().into()]);
    if let Ok(Action::Link { options, .. }) = prepare(&argv) {
        let diag = Diag::new(Style { no_warnings: true, ..Style::default() });
        let result = skald_elf::link::link(&options, &diag);
        let is_good = result.is_ok() && !diag.has_failed();
        assert_eq!(is_good, output.exists(), "an output, or an error");
    }
}

/// Any text as a list of sections, and each of its lines as a pattern for another one.
pub fn section_list(data: &[u8]) {
    let _ = SectionList::parse("list", data);
    let mut lines = data.split(|&byte| byte == b'\n').take(8);
    while let (Some(pattern), Some(name)) = (lines.next(), lines.next()) {
        if Glob::fault(pattern).is_none() {
            let _ = Glob::new(pattern).matches(name);
        }
    }
}

/// Any bytes as an `.sframe` section; its functions, written again, are no larger than it.
pub fn sframe(data: &[u8]) {
    for table in sframe_format::tables(ByteOrder::Little, data).unwrap_or_default() {
        let mut written = 0;
        for fde in table.fdes().unwrap_or_default() {
            let mut tail = [0; 4];
            tail[..fde.tail.len()].copy_from_slice(fde.tail);
            let mut attributes = vec![0; table.header.attributes_size()];
            let order = ByteOrder::Little;
            table.header.write_attributes(order, &mut attributes, fde.row_count, &tail);
            assert!(attributes.is_empty() || data.windows(5).any(|there| there == attributes));
            written += attributes.len() + fde.rows.len();
        }
        assert!(written <= data.len(), "no two functions have the same rows");
    }
}

/// Tables of names in which all offsets are those of the program.
struct TablesAsWritten<'a>(&'a [u8]);

impl InputTables for TablesAsWritten<'_> {
    fn input(&self) -> u32 {
        0
    }

    fn bytes(&self) -> Cow<'_, [u8]> {
        Cow::Borrowed(self.0)
    }

    fn unit(&self, _field: usize, written: u64) -> Option<u64> {
        Some(written)
    }

    fn string(&self, _field: usize, written: u64) -> Option<u64> {
        Some(written)
    }
}

/// Takes a section behind its length off `data`.
fn next_section<'a>(data: &mut &'a [u8]) -> &'a [u8] {
    let Some((len, tail)) = data.split_first_chunk() else { return &[] };
    let len = (u32::from_le_bytes(*len) as usize).min(tail.len());
    let section;
    (section, *data) = tail.split_at(len);
    section
}

/// Any bytes as the debug sections of a program in which all units are twice, as for
/// [`debug_index`], with `.debug_line` behind them: what is there twice is kept once, twice over.
pub fn debug_dedup(data: &[u8]) {
    let mut rest = data;
    let mut next = || next_section(&mut rest);
    let [info, types, _, abbreviations, strings, line_strings] = std::array::from_fn(|_| next());
    let [string_offsets, addresses, _, _, address_ranges] = std::array::from_fn(|_| next());
    let [locations, location_lists, _, lines] = std::array::from_fn(|_| next());
    let part = |is_types, start, size| Contribution { is_types, start, size };
    let (size, twice) = (info.len() as u64, [info, info].concat());
    let (of_types, types_twice) = (types.len() as u64, [types, types].concat());
    let contributions = [
        part(false, 0, size),
        part(false, size, size),
        part(true, 0, of_types),
        part(true, of_types, of_types),
    ];
    let others = Sections {
        abbreviations,
        strings,
        line_strings,
        string_offsets,
        addresses,
        locations,
        location_lists,
        address_ranges,
        ..Sections::default()
    };
    for level in [Level::Units, Level::All] {
        let (info, types) = (&twice[..], &types_twice[..]);
        let shares_lines = true;
        let input = DedupInput {
            info,
            types,
            lines,
            shares_lines,
            others,
            contributions: &contributions,
            level,
        };
        let Some(dedup) = input.dedup().dedup else { continue };
        let others = Sections {
            abbreviations: &dedup.abbreviations,
            locations: dedup.locations.as_deref().unwrap_or(locations),
            location_lists: dedup.location_lists.as_deref().unwrap_or(location_lists),
            ..others
        };
        let again = DedupInput {
            info: &dedup.info,
            types: &dedup.types,
            lines: dedup.lines.as_deref().unwrap_or(lines),
            others,
            contributions: &dedup.units.contributions,
            ..input
        };
        let _ = again.dedup();
    }
}

/// Any bytes as the debug sections of a program, each behind its length: an index of them.
pub fn debug_index(data: &[u8]) {
    let mut rest = data;
    let mut next = || next_section(&mut rest);
    let [info, types, listed, abbreviations, strings, line_strings] =
        std::array::from_fn(|_| next());
    let [string_offsets, addresses, ranges, range_lists, address_ranges] =
        std::array::from_fn(|_| next());
    let [locations, location_lists, names] = std::array::from_fn(|_| next());
    let sections = Sections {
        order: ByteOrder::Little,
        info: &info,
        types: &types,
        abbreviations,
        strings,
        line_strings,
        string_offsets,
        addresses,
        ranges,
        range_lists,
        locations,
        location_lists,
        address_ranges,
    };
    let part = |is_types, start, size| Contribution { is_types, start, size };
    let (size, half) = (info.len() as u64, info.len() as u64 / 2);
    let whole = [part(false, 0, size), part(true, 0, types.len() as u64)];
    let halves = [part(false, 0, half), part(false, half, size - half)];
    let _ = NameIndex::new(&NameInput {
        sections,
        contributions: &whole[..1],
        inputs: &[0],
        tables: &[&TablesAsWritten(names)],
        added: (b"(anonymous namespace)\0std\0", 0),
    });
    let mut names = UnorderedSet::new();
    inline_names(info, abbreviations, ByteOrder::Little, |unit| unit.abbreviations, &mut names);
    for version in 7..=9 {
        let contributions = if version == 9 { halves } else { whole };
        let listed = [ListedNames { unit: 0, entries: listed, offset_size: 4 }];
        let index = GdbIndex::new(&IndexInput {
            sections,
            contributions: &contributions,
            listed: if version == 7 { &listed } else { &[] },
            split_files: &ItsOwn { info, abbreviations, strings, string_offsets },
            addresses: 1..u64::MAX,
            version,
        });
        for (names, bytes) in index.symbols.runs(100) {
            let mut out = vec![0; (bytes.end - bytes.start) as usize];
            index.symbols.write_texts(names, &mut out);
        }
    }
}

/// A program whose units are their own `.dwo` files.
struct ItsOwn<'a> {
    info: &'a [u8],
    abbreviations: &'a [u8],
    strings: &'a [u8],
    string_offsets: &'a [u8],
}

impl SplitFiles for ItsOwn<'_> {
    fn open(&self, _directory: &[u8], _name: &[u8]) -> Option<SplitFile> {
        Some(SplitFile {
            order: ByteOrder::Little,
            units: vec![self.info.to_vec().into()],
            abbreviations: self.abbreviations.to_vec().into(),
            strings: self.strings.to_vec().into(),
            string_offsets: self.string_offsets.to_vec().into(),
        })
    }
}

/// Any bytes as a shared object.
pub fn shared_file(data: &[u8]) {
    let Ok(shared) = SharedFile::parse(Encoding::NATIVE, data.to_vec().leak(), b"lib.so") else {
        return;
    };
    for symbol in shared.symbols.ids() {
        let _ = (shared.symbol_name(symbol), shared.version_name(symbol));
        let _ = (shared.is_export(symbol), shared.symbol_align_log2(symbol));
    }
}

/// Any text as a linker script.
pub fn text_script(data: &[u8]) {
    let _ = Script::parse("script", data, &scripts::nothing);
}

/// Any text as a version script.
pub fn version_script(data: &[u8]) {
    if let Ok(script) = VersionScript::parse("script", data) {
        let _ = script.find(b"some_name", |_| None);
    }
}
