//! Messages about objects that real compilers made.
//!
//! Every case compiles its source with each compiler that is installed and each way to write debug
//! information, and expects the same answer. Without a compiler there is nothing to test.

use std::fs;
use std::process::{Command, Stdio};

use object::{Object, ObjectSection, ObjectSymbol};
use proptest::prelude::*;
use skald_dwarf::object_dwarf::ObjectDwarf;
use skald_elf::diagnose::location::{Site, locate};
use skald_elf::diagnose::messages::{Definition, DuplicateReport, Visibility};
use skald_elf::diagnose::object_view::ObjectView;
use skald_elf::diagnose::undefined::{Referrer, SearchPath, UndefinedSymbol, find_sites, render};
use skald_elf::format::encoding::Encoding;
use skald_linking::near_names::{DefinedName, Reach};

const COMPILERS: [&str; 3] = ["gcc", "clang", "clang-19"];

/// Ways to write debug information; one that a compiler lacks is left out.
const DEBUG: [&[&str]; 11] = [
    &["-gdwarf-2"],
    &["-gdwarf-3"],
    &["-gdwarf-4"],
    &["-gdwarf-5"],
    &["-gdwarf-5", "-gz=zlib"],
    &["-gdwarf-4", "-gz=zstd"],
    &["-gdwarf-5", "-ffunction-sections", "-fdata-sections"],
    &["-gdwarf-4", "-fdebug-types-section"],
    &["-gdwarf-5", "-fdebug-types-section"],
    &["-gdwarf-5", "-gdwarf64"],
    &["-gdwarf-5", "-m32"],
];

/// Ways to write line numbers and perhaps nothing else.
const LINES: [&[&str]; 4] =
    [&["-g", "-gsplit-dwarf"], &["-g1"], &["-gdwarf-5", "-O2"], &["-g", "-gz=zlib-gnu"]];

const SOURCE: &str = r#"
namespace ns { int gone(int); extern int lost; }
extern "C" int missing(int);
struct Shape { virtual int area(); int side; };
namespace ns { int kept = 7; }
struct Holder { static int held; };
int Holder::held = 3;
int plain = 5;
int caller(int x) {
  int sum = ns::gone(x);
  sum +=
    missing(2);
  return sum + ns::gone(3);
}
int *table[2] = { &plain, &ns::lost };
int other(int x) { return ns::gone(x) + ns::lost; }
"#;

/// Compiles `source` as C++; `None` if the compiler is missing or does not know an option.
fn compile(compiler: &str, options: &[&str], source: &str) -> Option<Vec<u8>> {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let output = directory.path().join("a.o");
    fs::write(directory.path().join("a.cc"), source).expect("the source is written");
    let status = Command::new(compiler)
        .args(["-x", "c++", "-fno-pie", "-c", "a.cc", "-o", "a.o"])
        .args(options)
        .current_dir(directory.path())
        .stderr(Stdio::null())
        .status();
    status.ok().filter(|status| status.success())?;
    Some(fs::read(&output).expect("the compiler has written its output"))
}

/// All objects that can be made of [`SOURCE`], with what they were made by.
fn objects(options: &[&'static [&'static str]]) -> Vec<(String, Vec<u8>)> {
    let mut all = Vec::new();
    for compiler in COMPILERS {
        for options in options {
            if let Some(object) = compile(compiler, options, SOURCE) {
                all.push((format!("{compiler} {}", options.join(" ")), object));
            }
        }
    }
    all
}

/// Section and offset of a symbol's definition.
fn definition(object: &[u8], name: &str) -> (u32, u64) {
    let file = object::File::parse(object).expect("a compiler's object");
    let symbol = file.symbol_by_name(name).expect("the symbol is defined");
    (symbol.section_index().expect("in a section").0 as u32, symbol.address())
}

/// Section and offset of each relocation against `name` in a loaded section.
fn references(object: &[u8], name: &str) -> Vec<(u32, u64)> {
    let mut found = Vec::new();
    let object = ObjectView::parse(object).expect("a compiler's object");
    object.visit_references(|section, offset, symbol| {
        if symbol == name.as_bytes() {
            found.push((section, offset));
        }
        true
    });
    found
}

/// The 1-based line of [`SOURCE`] that has `text`.
fn line_of(text: &str) -> u64 {
    let index = SOURCE.lines().position(|line| line.contains(text)).expect("a line of the source");
    index as u64 + 1
}

fn dwarf_of(object: &[u8]) -> ObjectDwarf<'_> {
    let view = ObjectView::parse(object).expect("a compiler's object");
    view.dwarf().expect("debug information")
}

#[test]
fn calls_have_lines() {
    for (made_by, object) in objects(&DEBUG).into_iter().chain(objects(&LINES)) {
        let dwarf = dwarf_of(&object);
        let lines = |name: &str| -> Vec<Option<u64>> {
            let line = |(section, offset)| dwarf.source_line(section, offset).map(|at| at.line);
            references(&object, name).into_iter().map(line).collect()
        };
        let gone = ["int sum", "ns::gone(3)", "int other"].map(|text| Some(line_of(text)));
        assert_eq!(lines("_ZN2ns4goneEi"), gone, "{made_by}");
        assert_eq!(lines("missing"), [Some(line_of("missing(2)"))], "{made_by}");
    }
}

#[test]
fn paths_are_absolute() {
    for (made_by, object) in objects(&DEBUG) {
        let (section, offset) = references(&object, "missing")[0];
        let path = dwarf_of(&object).source_line(section, offset).expect("a line").path;
        assert!(path.starts_with('/') && path.ends_with("/a.cc"), "{made_by}: {path}");
        assert!(!path.contains("//"), "{made_by}: {path}");
    }
}

#[test]
fn variables_have_lines() {
    for (made_by, object) in objects(&DEBUG) {
        let dwarf = dwarf_of(&object);
        let line = |name: &str| dwarf.variable_line(name.as_bytes()).map(|found| found.line);
        assert_eq!(line("plain"), Some(line_of("int plain")), "{made_by}");
        assert_eq!(line("table"), Some(line_of("int *table")), "{made_by}");
        assert_eq!(line("_ZN2ns4keptE"), Some(line_of("int kept")), "{made_by}");
        // gcc describes the definition, clang refers to the declaration.
        let held = ["Holder::held", "static int held"].map(|text| Some(line_of(text)));
        assert!(held.contains(&line("_ZN6Holder4heldE")), "{made_by}");
        assert_eq!(line("_ZN2ns5wrongE"), None, "{made_by}");
        assert_eq!(line("sum"), None, "{made_by}: a local variable is no symbol");
    }
}

#[test]
fn places_outside_of_code_have_no_line() {
    for (made_by, object) in objects(&DEBUG) {
        let dwarf = dwarf_of(&object);
        let (data, offset) = definition(&object, "plain");
        assert_eq!(dwarf.source_line(data, offset), None, "{made_by}");
        let (text, _) = definition(&object, "_Z6calleri");
        assert_eq!(dwarf.source_line(text, 1 << 20), None, "{made_by}");
        assert_eq!(dwarf.source_line(u32::MAX, 0), None, "{made_by}");
    }
}

#[test]
fn symbols_enclose_places() {
    for (made_by, object) in objects(&DEBUG) {
        let view = ObjectView::parse(&object).expect("a compiler's object");
        let (section, offset) = references(&object, "missing")[0];
        let function = view.enclosing_symbol(section, offset).expect("a function");
        assert_eq!((function.name, function.is_function), (&b"_Z6calleri"[..], true), "{made_by}");
        let (section, offset) = definition(&object, "table");
        let variable = view.enclosing_symbol(section, offset + 5).expect("a variable");
        assert_eq!((variable.name, variable.is_function), (&b"table"[..], false), "{made_by}");
    }
}

/// `text` with the temporary directory replaced by `...`.
fn without_directories(text: &str) -> String {
    let shorten = |line: &str| match (line.find(" (/"), line.rfind("/a.cc:")) {
        (Some(start), Some(end)) => format!("{} (/...{}", &line[..start], &line[end..]),
        _ => line.to_owned(),
    };
    text.lines().map(shorten).collect::<Vec<_>>().join("\n")
}

#[test]
fn undefined_symbols_are_reported() {
    for (made_by, object) in objects(&DEBUG) {
        let names: [&[u8]; 3] = [b"_ZN2ns4goneEi", b"_ZN2ns4lostE", b"missing"];
        let mut symbols = names.map(|name| UndefinedSymbol::new(name, Visibility::Default));
        for file_name in ["a.o", "libx.a(a.o)"] {
            let is_live = |_| true;
            find_sites(&mut symbols, &Referrer { file_name, object: &object, is_live: &is_live });
        }
        let defined = DefinedName {
            name: b"_Z7missingi",
            version: b"",
            in_library: false,
            file: 3,
            reach: Reach::Global,
        };
        let path = SearchPath {
            directories: &[],
            linked: &[],
            only_archives: false,
            encoding: Encoding::NATIVE,
        };
        let name = |file| format!("{file}.o");
        let texts = render(&symbols, &[], [defined].into_iter(), &name, &path, true);
        assert_eq!(
            without_directories(&texts[0]),
            "undefined symbol: ns::gone(int)\n\
             >>> referenced by a.cc:10 (/.../a.cc:10)\n\
             >>>               a.o:(caller(int))\n\
             >>> referenced by a.cc:13 (/.../a.cc:13)\n\
             >>>               a.o:(caller(int))\n\
             >>> referenced by a.cc:16 (/.../a.cc:16)\n\
             >>>               a.o:(other(int))\n\
             >>> referenced 3 more times",
            "{made_by}"
        );
        let lost = without_directories(&texts[1]);
        for line in [
            "undefined symbol: ns::lost\n",
            "\n>>> referenced by a.cc:15 (/.../a.cc:15)\n>>>               a.o:(table)\n",
            "\n>>> referenced by a.cc:16 (/.../a.cc:16)\n>>>               a.o:(other(int))\n",
            " in archive libx.a\n",
        ] {
            assert!(lost.contains(line), "{made_by}: {lost}");
        }
        assert!(lost.ends_with("\n>>> referenced 1 more times"), "{made_by}: {lost}");
        let hint =
            "\n>>> did you mean to declare missing(int) as extern \"C\"?\n>>> defined in: 3.o";
        assert!(texts[2].ends_with(hint), "{made_by}: {}", texts[2]);
    }
}

#[test]
fn dead_sections_do_not_refer() {
    for (made_by, object) in objects(&[&["-g", "-ffunction-sections"]]) {
        let mut symbols = [UndefinedSymbol::new(b"_ZN2ns4goneEi", Visibility::Default)];
        let (dead, _) = definition(&object, "_Z6calleri");
        let is_live = |section| section != dead;
        let referrer = Referrer { file_name: "a.o", object: &object, is_live: &is_live };
        find_sites(&mut symbols, &referrer);
        assert_eq!(symbols[0].total_references, 1, "{made_by}");
        assert_ne!(symbols[0].sites[0].section_index, dead, "{made_by}");
    }
}

#[test]
fn duplicates_are_reported() {
    for (made_by, object) in objects(&[&["-gdwarf-4"], &["-gdwarf-5"]]) {
        let site = |name| {
            let (section_index, section_offset) = definition(&object, name);
            Site { file_name: "a.o".to_owned(), object: &object, section_index, section_offset }
        };
        let places = locate(&[site("_Z6calleri"), site("plain")], true);
        let [first, second] = places.try_into().expect("as many places as sites");
        let (first, second) = (Definition::At(first), Definition::At(second));
        let report = DuplicateReport { name: "x".to_owned(), first, second, hint: None };
        assert_eq!(
            without_directories(&report.render()),
            "duplicate symbol: x\n\
             >>> defined at a.cc:9 (/.../a.cc:9)\n\
             >>>            a.o:(caller(int))\n\
             >>> defined at a.cc:8 (/.../a.cc:8)\n\
             >>>            a.o:(plain)",
            "{made_by}"
        );
    }
}

#[test]
fn without_debug_information_the_file_is_named() {
    for (made_by, object) in objects(&[&["-g0"]]) {
        let (section_index, section_offset) = references(&object, "missing")[0];
        let file_name = "a.o".to_owned();
        let site = Site { file_name, object: &object, section_index, section_offset };
        let places = locate(&[site], false);
        assert_eq!(places[0].source.as_deref(), Some("a.cc"), "{made_by}");
        assert_eq!(places[0].object_and_symbol(), "a.o:(_Z6calleri)", "{made_by}");
    }
}

/// Asks everything there is to ask of `object`; any answer is fine, a panic is not.
fn interrogate(object: &[u8]) {
    let Some(view) = ObjectView::parse(object) else { return };
    view.source_file();
    let dwarf = view.dwarf();
    for section in 0..40 {
        view.section_name(section);
        for offset in [0, 0x20, u64::MAX] {
            view.enclosing_symbol(section, offset);
            if let Some(dwarf) = &dwarf {
                dwarf.source_line(section, offset);
            }
        }
    }
    if let Some(dwarf) = &dwarf {
        dwarf.variable_line(b"plain");
    }
    view.visit_references(|_, _, _| true);
}

/// Objects to damage, with debug sections compressed and not.
fn victims() -> Vec<Vec<u8>> {
    objects(&DEBUG[2..6]).into_iter().map(|(_, object)| object).collect()
}

#[test]
fn truncated_objects_are_survived() {
    for object in victims() {
        for length in (0..object.len()).step_by(37) {
            interrogate(&object[..length]);
        }
    }
}

/// File offset and size of the debug sections, which random positions would mostly miss.
fn debug_ranges(object: &[u8]) -> Vec<(usize, usize)> {
    let file = object::File::parse(object).expect("a compiler's object");
    let mut ranges = Vec::new();
    for section in file.sections() {
        if section.name().is_ok_and(|name| name.starts_with(".debug"))
            && let Some((start, size)) = section.file_range()
            && size > 0
        {
            ranges.push((start as usize, size as usize));
        }
    }
    ranges
}

#[test]
fn damaged_objects_are_survived() {
    let victims = victims();
    let ranges: Vec<_> = victims.iter().map(|object| debug_ranges(object)).collect();
    let damage = proptest::collection::vec((any::<u32>(), any::<u32>(), any::<u8>()), 1..24);
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let survive = |damage: Vec<(u32, u32, u8)>| {
        for (object, ranges) in victims.iter().zip(&ranges) {
            let mut object = object.clone();
            for &(range, at, byte) in &damage {
                // One in four goes anywhere, headers and symbols included.
                let (start, size) = match range % 4 {
                    0 => (0, object.len()),
                    _ => ranges[range as usize / 4 % ranges.len()],
                };
                object[start + at as usize % size] = byte;
            }
            interrogate(&object);
        }
        Ok(())
    };
    runner.run(&damage, survive).expect("no panic");
}

#[test]
fn garbage_is_survived() {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let survive = |tail: Vec<u8>| {
        interrogate(&tail);
        interrogate(&[b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x01\0>\0", tail.as_slice()].concat());
        Ok(())
    };
    runner.run(&proptest::collection::vec(any::<u8>(), 0..512), survive).expect("no panic");
}
