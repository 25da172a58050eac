//! Seed inputs of the targets, valid or nearly so, which [`super::mutate`] changes.

use crate::{Result, random_scripts};
use skald_testkit::hostile::walk;
use skald_testkit::machine::Machine;
use skald_testkit::output_file::{OutputFile, Section};
use std::path::Path;
use xtask::root;

/// The inputs of one target.
#[derive(Debug)]
pub struct Corpus {
    /// At least one for x86-64.
    pub inputs: Vec<Vec<u8>>,
    /// Words of the language, for targets whose inputs are texts; empty for all others.
    pub words: &'static [&'static str],
}

/// Objects and the like that the hostile links are made of, or that [`make`] adds.
const OBJECTS: [&str; 11] = [
    "rich.o",
    "defs.o",
    "user.o",
    "rel.o",
    "crel.o",
    "zlib.o",
    "zstd.o",
    "zdebug.o",
    "extended.o",
    "sframe.o",
    "sframe3.o",
];
/// Number of command lines, of which the first byte of a link's input chooses one.
const CHOICES: u8 = 10;

/// A table of version 3 of `.sframe`, which assemblers of binutils before 2.46 do not make.
const SFRAME_3: &str = "
f: ret
g: ret
.section .sframe, \"a\", @0x6ffffff4
.short 0xdee2
.byte 3, 4, 3, 0, 0xf8, 0
.long 2, 3, 23, 0, 32
.quad f - .
.long 1, 0
.quad g - .
.long 1, 8
.byte 1, 0, 0, 0, 0, 0, 3, 8
.byte 2, 0, 0x81, 1, 0, 0, 0, 4, 0x39, 8, 1, 0, 0x23, 16, 0
";

/// Makes the files that inputs are taken from.
pub fn make(directory: &Path, machine: &Machine) -> Result<()> {
    walk::make(directory, machine)?;
    std::fs::write(directory.join("zeros.s"), ".section .debug_str\n.zero 3000\n.zero 3000, 7\n")
        .map_err(|e| e.to_string())?;
    std::fs::write(directory.join("dwarf.cc"), DWARF_SOURCE).map_err(|e| e.to_string())?;
    std::fs::write(directory.join("sframe3.s"), SFRAME_3).map_err(|e| e.to_string())?;
    for line in [
        "as --gsframe -o sframe.o rich.s",
        "as -o sframe3.o sframe3.s",
        "as -o zeros.o zeros.s",
        "objcopy --compress-debug-sections=zlib-gabi zeros.o zeros-zlib.o",
        "objcopy --compress-debug-sections=zstd zeros.o zeros-zstd.o",
        "objcopy --compress-debug-sections=zstd rich.o zstd.o",
        "objcopy --compress-debug-sections=zlib-gnu rich.o zdebug.o",
        "ld.bfd -shared --hash-style=sysv -o sysv.so libsource.o --version-script=exports",
        "ld.bfd -r -o joined.o sframe.o defs.o",
        "g++ -g -gdwarf-5 -ffreestanding -fPIC -shared -nostdlib -o dwarf5.so dwarf.cc",
        "g++ -g -gdwarf-4 -ffreestanding -fdebug-types-section -ggnu-pubnames -ffunction-sections \
         -fPIC -shared -nostdlib -o dwarf4.so dwarf.cc",
        "g++ -g -gdwarf64 -ffreestanding -gsplit-dwarf -fPIC -shared -nostdlib -o split.so dwarf.cc",
    ] {
        let finished = machine.command(line).run(directory)?;
        // Not every machine has such a format.
        if !finished.status.success() && machine.is_native() {
            return Err(format!("{line}: {}", finished.stderr));
        }
    }
    Ok(())
}

impl Corpus {
    /// The inputs of the target `name`.
    pub fn read(name: &str, directory: &Path, machine: &Machine) -> Result<Corpus> {
        let file =
            |name: &str| std::fs::read(directory.join(name)).map_err(|e| format!("{name}: {e}"));
        // Some are made for x86-64 alone.
        let is_made = |name: &&&str| machine.is_native() || directory.join(name).is_file();
        let files = |names: &[&str]| {
            names.iter().filter(is_made).map(|name| file(name)).collect::<Result<Vec<_>>>()
        };
        let sections = |names: &[&str], is_wanted: fn(&Section) -> bool| -> Result<Vec<Vec<u8>>> {
            let mut found = Vec::new();
            for name in names.iter().filter(is_made) {
                found.extend(sections_of(&directory.join(name), is_wanted)?);
            }
            Ok(found)
        };
        let texts = |names: &[&str], more: &[&str]| -> Result<Vec<Vec<u8>>> {
            let mut all = files(names)?;
            all.extend(more.iter().map(|text| text.as_bytes().to_vec()));
            Ok(all)
        };
        let (inputs, words) = match name {
            "archive" => (files(&["lib.a", "plain.a", "thin.a"])?, NO_WORDS),
            "compressed" => {
                let names = ["zlib.o", "zstd.o", "zdebug.o", "zeros-zlib.o", "zeros-zstd.o"];
                let is_packed = |s: &Section| s.flags & 0x800 != 0 || s.name.starts_with(".zdebug");
                (sections(&names, is_packed)?, NO_WORDS)
            }
            "crel" => (sections(&["crel.o"], |s| s.kind == 0x4000_0014)?, NO_WORDS),
            "eh_frame" => {
                (sections(&["rich.o", "defs.o", "lib.so"], |s| s.name == ".eh_frame")?, NO_WORDS)
            }
            "sframe" => {
                let names = ["sframe.o", "joined.o", "sframe3.o"];
                (sections(&names, |s| s.name == ".sframe")?, NO_WORDS)
            }
            "debug_index" | "debug_dedup" => {
                let programs = ["dwarf4.so", "dwarf5.so", "split.so"];
                let all = programs.iter().filter(is_made);
                let all = all.map(|name| debug_sections(&directory.join(name)));
                (all.collect::<Result<_>>()?, NO_WORDS)
            }
            "object_file" => (files(&OBJECTS)?, NO_WORDS),
            "shared_file" => (files(&["lib.so", "sysv.so"])?, NO_WORDS),
            "link" => {
                (links(&files(&OBJECTS)?, &files(&["lib.a", "plain.a", "lib.so"])?), NO_WORDS)
            }
            "defsym" => (texts(&[], EXPRESSIONS)?, SCRIPT_WORDS),
            "demangle" => (texts(&[], MANGLED)?, MANGLED_WORDS),
            "dynamic_list" => (texts(&["list"], LISTS)?, LIST_WORDS),
            "version_script" => (texts(&["versions", "exports"], LISTS)?, LIST_WORDS),
            "text_script" => (texts(&["script", "commands"], EXPRESSIONS)?, SCRIPT_WORDS),
            "mri_script" => {
                (texts(&["mri"], &["LOAD a.o,b.o\nPUBLIC x = y + 2 * 3\n"])?, MRI_WORDS)
            }
            "response_file" => {
                (texts(&["response"], &["-a \"b \\\" c\" 'd' \\e\r\n"])?, QUOTING_WORDS)
            }
            "scripted_link" => (scripts()?, SCRIPT_WORDS),
            "section_list" => (texts(&["sections", "order"], SECTION_LISTS)?, LIST_WORDS),
            _ => return Err(format!("no inputs for '{name}'")),
        };
        if inputs.is_empty() && machine.is_native() {
            Err(format!("no inputs for '{name}'"))
        } else {
            Ok(Corpus { inputs, words })
        }
    }
}

fn sections_of(path: &Path, is_wanted: fn(&Section) -> bool) -> Result<Vec<Vec<u8>>> {
    let file = OutputFile::read(path)?;
    let bytes = |section: &Section| {
        let start = section.file_offset as usize;
        file.data.get(start..start + section.size as usize).map(<[u8]>::to_vec)
    };
    Ok(file.sections.iter().filter(|s| is_wanted(s)).filter_map(bytes).collect())
}

/// The debug sections of a program, each behind its length.
fn debug_sections(path: &Path) -> Result<Vec<u8>> {
    const NAMES: [&str; 15] = [
        "info",
        "types",
        "gnu_pubnames",
        "abbrev",
        "str",
        "line_str",
        "str_offsets",
        "addr",
        "ranges",
        "rnglists",
        "aranges",
        "loc",
        "loclists",
        "names",
        "line",
    ];
    let file = OutputFile::read(path)?;
    let mut all = Vec::new();
    for name in NAMES {
        let named = |section: &&Section| section.name.strip_prefix(".debug_") == Some(name);
        let bytes = file.sections.iter().find(named).and_then(|section| {
            let start = section.file_offset as usize;
            file.data.get(start..start + section.size as usize)
        });
        let bytes = bytes.unwrap_or_default();
        all.extend((bytes.len() as u32).to_le_bytes());
        all.extend(bytes);
    }
    Ok(all)
}

/// A program with names of many kinds.
const DWARF_SOURCE: &str = "
template <class T> struct Box { T value; Box *next; T get() const { return value; } };
namespace outer { namespace { int hidden = 3; } enum class Color { red, green };
struct Base { virtual int f(long unsigned) = 0; struct Inner { Color color; }; static int count; };
int Base::count; inline int twice(int x) { return 2 * x; } }
static Box<const short *> box; enum { one, two }; typedef union { int i; float f; } either;
extern \"C\" int entry(either e) { outer::Base::Inner in = { outer::Color::red };
    return outer::twice(e.i) + outer::hidden + (int)in.color + (box.get() != 0) + two; }
";

/// How many scripts are made by chance.
const RANDOM_SCRIPTS: u64 = 200;

/// Scripts of the cases and scripts made by chance, each behind the number of a command line.
fn scripts() -> Result<Vec<Vec<u8>>> {
    let cases = root::directory().join("tests/elf/scripts");
    let files = std::fs::read_dir(&cases).map_err(|e| format!("{}: {e}", cases.display()))?;
    let mut paths: Vec<_> = files.filter_map(|file| Some(file.ok()?.path())).collect();
    paths.sort();
    let mut texts = Vec::new();
    for path in paths {
        let text =
            std::fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
        let files = text.split("//# file: ").skip(1);
        let files = files.filter_map(|file| Some(file.split_once('\n')?.1.to_owned()));
        texts.extend(files.filter(|file| file.contains("SECTIONS") || file.contains(" = ")));
    }
    texts.extend((0..RANDOM_SCRIPTS).map(random_scripts::text));
    let choices = (0..CHOICES).cycle();
    Ok(texts.iter().zip(choices).map(|(text, n)| [&[n][..], text.as_bytes()].concat()).collect())
}

/// Each file with each command line.
fn links(objects: &[Vec<u8>], others: &[Vec<u8>]) -> Vec<Vec<u8>> {
    let files = objects.iter().chain(others);
    files
        .flat_map(|file| (0..CHOICES).map(move |choice| [&[choice], file.as_slice()].concat()))
        .collect()
}

const NO_WORDS: &[&str] = &[];
const EXPRESSIONS: &[&str] = &[
    "a = 1 + 2 * (b - 3) / 4 % 5 << 6 >> 7 & 8 | 9 ^ ~10;",
    "x=a ? b : !c && d || e == f != g <= h >= i < j > k",
    "MAX(1, MIN(2, 0x3)) + ALIGN(., 0x10) + ADDR(.text) - SIZEOF(.data) * DEFINED(x) + ABSOLUTE(y)",
    "16M + 0x10K + $ff + 0b1 + 017 + CONSTANT(MAXPAGESIZE) + LOG2CEIL(8) + NEXT(8)",
    "ASSERT(a == b, \"message\") PROVIDE(x = 1); HIDDEN(y = 2); x += 3; x <<= 4; x &= ~5;",
    "GROUP(libc.so.6 -lgcc AS_NEEDED(ld.so)) INPUT(a.o, b.o) OUTPUT_ARCH(i386:x86-64) \
     ENTRY(_start)",
    "VERSION { A { global: *; local: f; }; } MEMORY { m : ORIGIN = 0, LENGTH = 1 } SECTIONS { \
     .text : { *(.text) } }",
    "INCLUDE other NOCROSSREFS(.a .b) EXTERN(x y) SEARCH_DIR(\"=/lib\") STARTUP(crt.o) INSERT \
     AFTER .text;",
];
const SCRIPT_WORDS: &[&str] = &[
    "(",
    ")",
    "{",
    "}",
    ";",
    ",",
    "=",
    "?",
    ":",
    "+",
    "-",
    "*",
    "/",
    "%",
    "<<",
    ">>",
    "&",
    "|",
    "^",
    "~",
    "!",
    "&&",
    "||",
    "==",
    "!=",
    "<=",
    ">=",
    "<",
    ">",
    "+=",
    "<<=",
    "/=",
    "\"",
    "/*",
    "*/",
    "#",
    ".",
    "\n",
    " ",
    "0",
    "1",
    "0x",
    "08",
    "0xffffffffffffffff",
    "18446744073709551616",
    "9223372036854775807",
    "1K",
    "$",
    "ALIGN(",
    "MAX(",
    "LOG2CEIL(",
    "DEFINED(",
    "SIZEOF(",
    "ADDR(",
    "ASSERT(",
    "PROVIDE(",
    "PROVIDE_HIDDEN(",
    "HIDDEN(",
    "INPUT(",
    "GROUP(",
    "AS_NEEDED(",
    "INCLUDE ",
    "ENTRY(",
    "EXTERN(",
    "VERSION {",
    "OUTPUT_FORMAT(",
    "OUTPUT_ARCH(",
    "SEARCH_DIR(",
    "NOCROSSREFS_TO(",
    "SECTIONS {",
    "INSERT AFTER ",
    "LD_FEATURE(",
    "x",
    "\0",
    "\u{ff}",
];
const LISTS: &[&str] = &[
    "{ global: a; b*; local: *; };",
    "V1 { global: extern \"C++\" { \"f(int)\"; ns::*; }; [a-z]?x; local: *; }; V2 { g; } V1;",
    "{ a; \"b c\"; extern \"C\" { d; extern \"Java\" { e; }; }; };",
    "VERS_1 { # comment\n global: a; /* another */ b; }; VERS_2 { c; } VERS_1 VERS_3;",
];
const LIST_WORDS: &[&str] = &[
    "{",
    "}",
    ";",
    ":",
    "*",
    "?",
    "[",
    "]",
    "[!a-z]",
    "[^",
    "\\",
    "\"",
    "/*",
    "*/",
    "#",
    "\n",
    " ",
    ".",
    "::",
    "global:",
    "local:",
    "extern \"C++\" {",
    "extern \"C\" {",
    "extern",
    "V1",
    "V2",
    "a",
    "b*",
    "**",
    "*a*b*c*",
    "};",
    "};\n",
    "(",
    ")",
    "<",
    "\0",
    "\u{ff}",
    "EXCLUDE_FILE(",
    "KEEP(",
    "SORT(",
    ".text : { *(",
];
const SECTION_LISTS: &[&str] = &[
    ".text : { *(.text.a .text.b) a.o(.text) }\n.data : { EXCLUDE_FILE(*x.o) *(.data*) \
     lib.a:m.o(.data) }\n",
    "*a*b[c-e]?\nxxaxxbdz\n[!a]*\\*\nb*\n*a*a*a*a*b\naaaaaaaaaaaaaaaaaaaa\n",
];
const MRI_WORDS: &[&str] = &[
    "LOAD ",
    "load ",
    "NAME ",
    "FORMAT S\n",
    "LIST\n",
    "START ",
    "PUBLIC ",
    "EXTERN ",
    "INCLUDE ",
    "ABSOLUTE ",
    "ALIGN ",
    "SECT ",
    "ORDER ",
    "BASE ",
    "END\n",
    "CHIP 68000\n",
    "a.o",
    ",",
    "=",
    "\n",
    "*",
    ";",
    "#",
    "\"",
    " ",
    "\\\n",
    "0x10",
    "x + 1",
    "\0",
    "\u{ff}",
];
const QUOTING_WORDS: &[&str] = &[
    "\"",
    "'",
    "\\",
    "\\\\",
    "\\\"",
    " ",
    "\t",
    "\n",
    "\r\n",
    "\\\n",
    "@response",
    "-o",
    "\0",
    "a",
    "\u{ff}",
];
const MANGLED: &[&str] = &[
    "_ZN4llvm12DenseMapBaseINS_8DenseMapIPKNS_5ValueEjNS_12DenseMapInfoIS4_vEENS_6detail12DenseMapPairIS4_jEEEES4_jS6_S9_E4growEj",
    "_ZNSt6vectorIiSaIiEE9push_backERKi",
    "_ZNKSt8functionIFvRKSsEEclES1_",
    "_ZTIN10__cxxabiv117__class_type_infoE",
    "_ZZN1A1fEvE1x_0",
    "_ZN1AIXadL_Z1fvEEE1gEv",
    "_Z1fIJidcEEvDpT_",
    "_ZGVZ1fvE1x",
    "_ZThn16_N1B1fEv",
    "_ZN3fooIXplLi1ELi2EEE3barEv",
    "_ZZNK3$_0clEvENKUlvE_clEv",
    "_Z1fDTcl1gfp_EE",
    "_ZlsRSoRK1A",
    "_ZN1A1BC2ERKS0_",
    "_Z1fIiEvT_z",
    "_ZNDv4_f1fEv",
    "_Z1fPFvU3barE",
    "_RNvCs1234_7mycrate3foo",
    "_RINvNtCs1_3std3mem4swapjE",
    "_RNvMs_C1aINtB2_1SpE1f",
    "_RNCNvC1a1f0B3_",
    "_RNvXs2_C1aINtB5_1SKj1_KRe616263_ENtB5_1T1f",
    "_RNvYNtC1a1SNtB4_1T1f",
    "_RINvC1a1fDNtNtC4core3fmt5DebugEL_E",
    "_RINvC1a1fFUKCjEuE",
    "_RNvC7u8wnu_1f",
    "_ZN4core3fmt9Formatter9write_str17h0123456789abcdefE",
    "_ZN3std2io5stdio6_print17h1234567890abcdefE$LT$T$GT$",
    "_D3std5stdio7writelnFZv",
    "not_mangled",
    "foo@@VERSION_1",
    "_Z3foov.part.0.constprop.1",
    "__Z3foov",
];
const MANGLED_WORDS: &[&str] = &[
    "_Z",
    "N",
    "E",
    "I",
    "S_",
    "S0_",
    "St",
    "Sa",
    "T_",
    "T0_",
    "Dp",
    "Dt",
    "DT",
    "X",
    "L",
    "Li1E",
    "J",
    "Z",
    "_R",
    "Nv",
    "C1a",
    "B_",
    "B2_",
    "K",
    "P",
    "R",
    "O",
    "F",
    "M",
    "A1_",
    "i",
    "v",
    "z",
    "U",
    "Ul",
    "Ut_",
    "cl",
    "fp_",
    "sr",
    "ad",
    "pl",
    "cv",
    "on",
    "C1",
    "D0",
    "1a",
    "3foo",
    "99999999999",
    "Dn",
    "Ds",
    "Gv",
    "TI",
    "Tv",
    "u",
    "p",
    "j",
    "c",
    "h0_",
    "17h0123456789abcdefE",
    "$LT$",
    "..",
    "IE",
    "KRe",
    "\0",
    "\u{ff}",
];
