//! Scripts that systems install, one row per command, and scripts that are refused. Checked against
//! GNU ld 2.40 and lld 19; rows say where they differ.

use super::*;
use crate::args::version_script::Assignment;
use proptest::prelude::*;
use skald_linking::expr::{Constant, Environment, SectionAddress, Value};
use std::path::PathBuf;

fn parse(text: &str) -> Vec<(u32, Command)> {
    Script::parse("libx.so", text.as_bytes(), &nothing)
        .unwrap_or_else(|e| panic!("{text}: {e}"))
        .commands
}

fn error(text: &str) -> String {
    let Error(text) = Script::parse("libx.so", text.as_bytes(), &nothing).expect_err(text);
    text.lines().next().unwrap_or_default().to_owned()
}

/// Files as `group?` and then names, `?` behind those of AS_NEEDED and `^` before sysroot paths.
fn files(command: &Command) -> Vec<String> {
    let Command::Input { files, is_group } = command else {
        panic!("{command:?} is no list of inputs");
    };
    let kind = if *is_group { "GROUP" } else { "INPUT" };
    let mut shown = vec![kind.to_owned()];
    for file in files {
        let name = match &file.name {
            ScriptName::Library(name) => format!("-l{name}"),
            ScriptName::Path(file) => {
                format!("{}{}", if file.in_sysroot { "^" } else { "" }, file.path.display())
            }
        };
        shown.push(name + if file.as_needed { "?" } else { "" });
    }
    shown
}

#[test]
fn lists_of_inputs() {
    let rows: [(&str, &[&str]); 12] = [
        (
            "/* GNU ld script\n   Use the shared library. */\nOUTPUT_FORMAT(elf64-x86-64)\n\
             GROUP ( /lib/x86_64-linux-gnu/libc.so.6 /usr/lib/x86_64-linux-gnu/libc_nonshared.a  \
             AS_NEEDED ( /lib64/ld-linux-x86-64.so.2 ) )\n",
            &[
                "GROUP",
                "/lib/x86_64-linux-gnu/libc.so.6",
                "/usr/lib/x86_64-linux-gnu/libc_nonshared.a",
                "/lib64/ld-linux-x86-64.so.2?",
            ],
        ),
        ("INPUT(libncurses.so.6 -ltinfo)", &["INPUT", "libncurses.so.6", "-ltinfo"]),
        ("GROUP ( libgcc_s.so.1 -lgcc )", &["GROUP", "libgcc_s.so.1", "-lgcc"]),
        ("INPUT(a.o, b.o,c.o)", &["INPUT", "a.o", "b.o", "c.o"]),
        ("INPUT(-l:libx.a AS_NEEDED(-la -lb) c.o)", &["INPUT", "-l:libx.a", "-la?", "-lb?", "c.o"]),
        ("INPUT(AS_NEEDED(a.o AS_NEEDED(b.o) c.o) d.o)", &["INPUT", "a.o?", "b.o?", "c.o?", "d.o"]),
        ("INPUT(=/a.o =b.o $SYSROOT/c.o)", &["INPUT", "^/a.o", "^b.o", "^/c.o"]),
        ("INPUT($SYSROOTED/a.o ./=b)", &["INPUT", "$SYSROOTED/a.o", "./=b"]),
        (
            "INPUT(\"a b.o\" \"c,d\" libc++.so.1 x-1~2.a)",
            &["INPUT", "a b.o", "c,d", "libc++.so.1", "x-1~2.a"],
        ),
        // GNU ld: a syntax error.
        ("INPUT()", &["INPUT"]),
        ("# a comment\nINPUT(a.o)", &["INPUT", "a.o"]),
        ("INPUT(AS_NEEDED)", &["INPUT", "AS_NEEDED"]),
    ];
    for (text, expected) in rows {
        let commands = parse(text);
        assert_eq!(files(&commands.last().unwrap().1), expected, "{text}");
    }
}

#[test]
fn commands_and_their_lines() {
    let commands = parse(
        "OUTPUT_FORMAT(\"elf64-x86-64\", elf64-big, elf64-little)\nOUTPUT_ARCH(i386:x86-64)\n\
         SEARCH_DIR(\"=/usr/lib\"); TARGET(elf64-x86-64)\nENTRY(_start) EXTERN(a b, \"c d\")\n\
         OUTPUT(out) INCLUDE sub/x.ld\nSTARTUP(crt0.o) FORCE_COMMON_ALLOCATION;\n\
         INHIBIT_COMMON_ALLOCATION FORCE_GROUP_ALLOCATION LD_FEATURE(\"SANE_EXPR\")",
    );
    let shown: Vec<String> =
        commands.iter().map(|(line, command)| format!("{line} {}", show(command))).collect();
    assert_eq!(
        shown,
        [
            "1 format elf64-x86-64 elf64-big/elf64-little",
            "2 arch i386:x86-64",
            "3 search ^/usr/lib",
            "3 target elf64-x86-64",
            "4 entry _start",
            "4 extern a|b|c d",
            "5 output out",
            "5 include sub/x.ld",
            "6 startup crt0.o",
            "6 common true",
            "7 common false",
            "7 groups",
            "7 sane",
        ]
    );
}

fn show(command: &Command) -> String {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let file = |path: &PathBuf| path.display().to_string();
    match command {
        Command::OutputFormat { default, big_and_little } => {
            let (big, little) = big_and_little.clone().unwrap_or_default();
            format!("format {} {}/{}", text(default), text(&big), text(&little))
        }
        Command::OutputArch(arch) => format!("arch {}", text(arch)),
        Command::SearchDir(ScriptPath { path, in_sysroot }) => {
            format!("search {}{}", if *in_sysroot { "^" } else { "" }, path.display())
        }
        Command::Target(format) => format!("target {}", text(format)),
        Command::Entry(symbol) => format!("entry {}", text(symbol)),
        Command::Extern(symbols) => {
            format!("extern {}", symbols.iter().map(|s| text(s)).collect::<Vec<_>>().join("|"))
        }
        Command::Output(path) => format!("output {}", file(path)),
        Command::Include(path) => format!("include {}", file(path)),
        Command::Startup(path) => format!("startup {}", file(path)),
        Command::DefineCommon(define) => format!("common {define}"),
        Command::ForceGroupAllocation => "groups".to_owned(),
        Command::SaneExpressions => "sane".to_owned(),
        Command::AutomaticLayout => "automatic".to_owned(),
        other => format!("{other:?}"),
    }
}

/// An environment of symbols in which `a` is 100 and nothing else is defined.
struct OnlyA;

impl Environment for OnlyA {
    fn symbol(&self, name: &[u8]) -> Option<Value> {
        (name == b"a").then_some(Value::absolute(100))
    }
    fn section(&self, _: &[u8]) -> Option<SectionAddress> {
        None
    }
    fn segment_start(&self, _: &[u8]) -> Option<u64> {
        None
    }
    fn constant(&self, _: Constant) -> u64 {
        0x1000
    }
    fn sizeof_headers(&self) -> u64 {
        0
    }
    fn dot(&self) -> Option<Value> {
        None
    }
}

#[test]
fn assignments() {
    let rows: [(&str, &str, u64, bool, bool); 19] = [
        ("zz = 3;", "zz", 3, false, false),
        ("zz=1K;", "zz", 1024, false, false),
        ("\"z z\" = a-1;", "z z", 99, false, false),
        ("z.b = a/2;", "z.b", 50, false, false),
        ("PROVIDE(zz = 3)", "zz", 3, true, false),
        ("PROVIDE_HIDDEN(zz=a);", "zz", 100, true, true),
        ("HIDDEN(zz = 3);", "zz", 3, false, true),
        ("a += 1 * 2;", "a", 102, false, false),
        ("a -= 1;", "a", 99, false, false),
        ("a *= 1 + 1;", "a", 200, false, false),
        ("a /= 3;", "a", 33, false, false),
        ("a <<= 1;", "a", 200, false, false),
        ("a >>= 2;", "a", 25, false, false),
        ("a &= 96;", "a", 96, false, false),
        ("a |= 3;", "a", 103, false, false),
        ("a ^= 1;", "a", 101, false, false),
        // Words of commands are names where a value is assigned to them.
        ("INPUT = 1;", "INPUT", 1, false, false),
        (". = 5;", ".", 5, false, false),
        (";; zz = DEFINED(nope) ? nope : 7;", "zz", 7, false, false),
    ];
    for (text, expected, value, is_provide, is_hidden) in rows {
        match &parse(text)[0].1 {
            Command::Assign { name, expr, provide, hidden } => {
                assert_eq!(name, expected.as_bytes(), "{text}");
                assert_eq!(expr.eval(&OnlyA).unwrap().address, value, "{text}");
                assert_eq!((*provide, *hidden), (is_provide, is_hidden), "{text}");
            }
            other => panic!("{text} is no {other:?}"),
        }
    }
    assert_eq!(parse("zz = 1, yy = 2;").len(), 2);
}

#[test]
fn assertions_and_versions() {
    let commands = parse("ASSERT(a == 100, \"a is wrong\")\nVERSION { V1 { foo; local: *; }; }\n;");
    assert_eq!(commands.len(), 2);
    match &commands[0].1 {
        Command::Assert { expr, message } => {
            assert_eq!(message, b"a is wrong");
            assert_eq!(expr.eval(&OnlyA).unwrap().address, 1);
        }
        other => panic!("{other:?}"),
    }
    match &commands[1].1 {
        Command::Version(script) => {
            let of = |name: &[u8]| script.classify(name, |_| None);
            assert_eq!(of(b"foo"), Some(Assignment::Global(2)));
            assert_eq!(of(b"bar"), Some(Assignment::Local));
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_is_a_script() {
    let scripts = [
        "INPUT(a.o)",
        "\u{feff}GROUP ( a )",
        "/* a\nb */ # c\n OUTPUT_FORMAT(elf64-x86-64)",
        "a = 1;",
        "\"a\" += 1;",
        "SECTIONS { }",
        "VERSION { { local: *; }; }",
        "INCLUDE x",
        // GNU ld and lld take an empty file for a script without commands.
        "",
        "\n/* only */\n",
        ";",
    ];
    for text in scripts {
        assert!(looks_like_script(text.as_bytes()), "{text}");
    }
    let others: [&[u8]; 12] = [
        b"INCLUDE",
        b"hello world",
        b"INPUT a.o",
        b"input(a.o)",
        b"VERSION 1.2",
        b"a ? 3;",
        b"int main(void) { return 0; }",
        b"\x7fELF\x02\x01\x01\0",
        b"INPUT\0(a.o)",
        b"BC\xc0\xde",
        b"{ foo; };",
        b"a == 1",
    ];
    for bytes in others {
        let text = String::from_utf8_lossy(bytes);
        assert!(!looks_like_script(bytes), "{text}");
        let error = Script::parse("dir/x.o", bytes, &nothing).expect_err("no script").0;
        assert_eq!(error, "dir/x.o:1: unknown file type", "{text}");
    }
    assert!(parse("/* only */").is_empty());
}

#[test]
fn errors_name_file_and_line() {
    let rows = [
        ("INPUT(a.o)\nSECTIONS { .a : { KEEP(*(.b) } }", "2: expected ')', found '}'"),
        ("SECTIONS {", "1: expected output section, assignment or '}', found end of file"),
        ("MEMORY { ram : ORIGIN = 0 LENGTH }", "1: expected '=', found '}'"),
        ("PHDRS { text }", "1: expected expression, found '}'"),
        ("REGION_ALIAS(\"a\")", "1: expected ',', found ')'"),
        ("\nNOCROSSREFS(.a {)", "2: expected name of an output section or ')', found '{'"),
        ("INPUT(a.o) garbage", "1: expected linker script command, found 'garbage'"),
        ("GROUP(AS_NEEDED(a.o b", "1: expected file name or ')', found end of file"),
        ("INPUT(a.o;", "1: expected file name or ')', found ';'"),
        ("INPUT((a.o))", "1: expected file name or ')', found '('"),
        ("INPUT(-l a)", "1: '-l' names no library"),
        ("INPUT(\"\")", "1: empty file name"),
        ("zz = 3", "1: expected ';' after assignment, found end of file"),
        ("zz = ;", "1: expected expression, found ';'"),
        ("1 = 2;", "1: expected symbol name, found '1'"),
        ("PROVIDE(zz += 3)", "1: expected NAME = EXPRESSION"),
        ("PROVIDE(. = 3)", "1: expected NAME = EXPRESSION"),
        ("HIDDEN(zz = 3", "1: expected ')', found end of file"),
        ("ASSERT(1)", "1: expected ',', found ')'"),
        ("ASSERT(1, )", "1: expected message, found ')'"),
        ("OUTPUT_FORMAT(a, b)", "1: expected ',', found ')'"),
        ("LD_FEATURE(x)", "1: unknown feature 'x'"),
        ("ENTRY()", "1: expected symbol name, found ')'"),
        ("; ENTRY(a) INCLUDE", "1: expected file name, found end of file"),
        ("VERSION {\nV1 { foo bar; }; }", "2: expected ';' after 'foo', found 'bar'"),
        ("/* INPUT(a.o)", "1: unclosed comment"),
        ("VERSION { V1 { };", "1: expected '}', found end of file"),
    ];
    for (text, message) in rows {
        assert_eq!(error(text), format!("libx.so:{message}"), "{text}");
    }
}

/// Every word of the table has to reach its parser.
#[test]
fn the_table_of_commands_is_whole() {
    for (word, form) in COMMANDS {
        let text = match form {
            Form::Call => format!("{word}(a = 1, \"b\")"),
            Form::Block => format!("{word} {{ }}"),
            Form::Operand | Form::Bare => format!("{word} a"),
        };
        assert!(looks_like_script(text.as_bytes()), "{word}");
        let unknown = format!("libx.so:1: expected linker script command, found '{word}'");
        let result = Script::parse("libx.so", text.as_bytes(), &nothing);
        assert!(!result.is_err_and(|error| error.0.starts_with(&unknown)), "{word}");
    }
}

#[test]
fn deep_nesting() {
    let deep = format!("INPUT({}a.o{})", "AS_NEEDED(".repeat(100_000), ")".repeat(100_000));
    assert_eq!(files(&parse(&deep)[0].1), ["INPUT", "a.o?"]);
}

proptest! {
    #[test]
    fn no_input_panics(text: Vec<u8>) {
        let _ = Script::parse("f", &text, &nothing);
    }

    #[test]
    fn no_tokens_panic(
        first in prop::sample::select(vec!["INPUT(", "a =", "VERSION {", "PROVIDE(", "ASSERT("]),
        words in prop::collection::vec(
            prop::sample::select(vec![
                "INPUT", "GROUP", "AS_NEEDED", "(", ")", "{", "}", ";", ",", "=", "+=", "a", "-lx",
                "\"q\"", "1", "PROVIDE", "HIDDEN", "ASSERT", "VERSION", "ENTRY", "EXTERN", "local",
                ":", "*", "OUTPUT_FORMAT", "SEARCH_DIR", "INCLUDE", "/*", "*/", "#", "\n", ".",
            ]),
            0..20,
        ),
    ) {
        let _ = Script::parse("f", format!("{first} {}", words.join(" ")).as_bytes(), &nothing);
    }
}
