//! The objects that all scripts link: made once, by `as`, of sections by chance.

use crate::Result;
use crate::random::Chance;
use skald_testkit::machine::Machine;
use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

/// How many objects there are.
pub const OBJECTS: usize = 20;

/// Names, flags and types of sections; `N` stands for the object.
const SECTIONS: &[(&str, &str, &str)] = &[
    (".text", "ax", "@progbits"),
    (".text.hot", "ax", "@progbits"),
    (".text.unlikely.a", "ax", "@progbits"),
    (".text.N", "ax", "@progbits"),
    (".init", "ax", "@progbits"),
    ("code_c", "ax", "@progbits"),
    (".odd.code", "ax", "@progbits"),
    (".rodata", "a", "@progbits"),
    (".rodata.x", "a", "@progbits"),
    (".rodata.N", "a", "@progbits"),
    (".odd.ro", "a", "@progbits"),
    ("const_c", "a", "@progbits"),
    (".data", "aw", "@progbits"),
    (".data.y", "aw", "@progbits"),
    (".data.N", "aw", "@progbits"),
    (".data.rel.ro", "aw", "@progbits"),
    (".init_array", "aw", "@init_array"),
    (".init_array.5", "aw", "@init_array"),
    (".ctors.00010", "aw", "@progbits"),
    ("data_c", "aw", "@progbits"),
    (".odd.rw", "aw", "@progbits"),
    (".bss", "aw", "@nobits"),
    (".bss.z", "aw", "@nobits"),
    (".bss.N", "aw", "@nobits"),
    ("bss_c", "aw", "@nobits"),
    (".odd.zero", "aw", "@nobits"),
    (".tdata", "awT", "@progbits"),
    (".tbss", "awT", "@nobits"),
    (".note.a", "a", "@note"),
    (".note.b", "a", "@note"),
    (".note.loose", "", "@note"),
    (".information", "", "@progbits"),
    (".other", "", "@progbits"),
];

/// Objects with kinds of sections that the random objects lack, numbered from [`OBJECTS`] on.
const SPECIAL: [&str; 5] = [
    // Sections with SHF_LINK_ORDER, which follow the order of the sections that they are linked to.
    " .section .text.p, \"ax\"\n .globl g20_0\ng20_0: .byte 1, 2, 3\n .section .text.q, \"ax\"\nq: .byte 4, 5\n\
     .section .order, \"ao\", @progbits, q\n .byte 9, 9\n .section .order, \"ao\", @progbits, g20_0, unique, 1\n .byte 8\n\
     .section .loose_order, \"o\", @progbits, g20_0\n .byte 7\n",
    // Common symbols, thread-local ones too.
    " .data\n .globl g21_0\ng21_0: .byte 1\n .comm c0, 24, 8\n .type c1, @tls_object\n .tls_common c1, 8, 4\n",
    // A group, of which another object may have a copy.
    " .section .text.copy, \"axG\", @progbits, copy, comdat\n .weak copy\ncopy: .byte 1, 2\n .data\n .globl g22_0\ng22_0: .byte 3\n",
    // The copy of the group, and a section with SHF_EXCLUDE.
    " .section .text.copy, \"axG\", @progbits, copy, comdat\n .weak copy\ncopy: .byte 1, 2\n .data\n .globl g23_0\ng23_0: .byte 5\n\
     .section .data.out, \"awe\"\n .byte 6\n",
    // Mergeable strings, and mergeable constants of fixed size.
    " .section .rodata.str1.1, \"aMS\", @progbits, 1\n .string \"one\"\n .string \"two\"\n .section .rodata.cst4, \"aM\", @progbits, 4\n\
     .long 7, 8, 7\n .section .rodata, \"a\"\n .globl g24_0\ng24_0: .byte 1\n",
];

/// How many objects there are with those of [`SPECIAL`].
pub const ALL: usize = OBJECTS + SPECIAL.len();

/// An archive of one member, which defines `m0` in `.data` and `m1` in `.text`.
pub const ARCHIVE: &str = "members.a";
const MEMBER: &str = " .data\n .globl m0\nm0: .byte 1, 2\n .text\n .globl m1\nm1: .byte 3\n\
     .section .note.GNU-stack, \"\", @progbits\n";

/// File name of an object.
pub fn name(object: usize) -> String {
    format!("o{object}.o")
}

/// A global symbol that an object defines.
pub fn symbol(object: usize) -> String {
    format!("g{object}_0")
}

/// Assembles all objects in `directory`, unless they are there.
pub fn make(directory: &Path, machine: &Machine) -> Result<()> {
    let told = |e: std::io::Error| format!("{}: {e}", directory.display());
    fs::create_dir_all(directory).map_err(told)?;
    for object in 0..ALL {
        assemble(directory, machine, &format!("o{object}"), &source(object))?;
    }
    if assemble(directory, machine, "member", MEMBER)? || !directory.join(ARCHIVE).is_file() {
        let mut archiver = machine.tool("ar");
        archiver.args(["rcs", ARCHIVE, "member.o"]).current_dir(directory);
        succeed(&mut archiver)?;
    }
    Ok(())
}

/// Assembles an object, unless it is there; returns whether it was not.
fn assemble(directory: &Path, machine: &Machine, name: &str, source: &str) -> Result<bool> {
    let own = source.replace(".quad", ".long");
    let source = if machine.has_narrow_addresses() { &own } else { source };
    let path = directory.join(format!("{name}.s"));
    let is_there = directory.join(format!("{name}.o")).is_file();
    if is_there && fs::read_to_string(&path).is_ok_and(|old| old == source) {
        return Ok(false);
    }
    fs::write(&path, source).map_err(|e| format!("{}: {e}", path.display()))?;
    let mut assembler = machine.tool("as");
    assembler.arg(format!("{name}.s")).args(["-o", &format!("{name}.o")]).current_dir(directory);
    succeed(&mut assembler)?;
    Ok(true)
}

fn succeed(command: &mut Command) -> Result<()> {
    let status = command.stdin(Stdio::null()).status().map_err(|e| format!("{command:?}: {e}"))?;
    if status.success() { Ok(()) } else { Err(format!("{command:?}: {status}")) }
}

/// The source of an object.
pub fn source(object: usize) -> String {
    if let Some(special) = object.checked_sub(OBJECTS) {
        return format!("{} .section .note.GNU-stack, \"\", @progbits\n", SPECIAL[special]);
    }
    let mut chance = Chance::new(0x0b1ec7 + object as u64);
    // Code and data that all objects have, so that most scripts link some of each.
    let mut wanted: Vec<usize> = (0..SECTIONS.len()).filter(|_| chance.happens(22)).collect();
    let usual = [0, 7, 12, 21];
    wanted.extend(usual.into_iter().filter(|_| chance.happens(60)));
    if wanted.is_empty() {
        wanted.push(0);
    }
    wanted.sort_unstable();
    wanted.dedup();
    let mut text = String::new();
    let globals = wanted.len();
    for (at, &which) in wanted.iter().enumerate() {
        text += &section(&mut chance, object, at, which, globals);
    }
    // Only one name, because GNU ld puts several into the output in the order of its hash table.
    if chance.happens(40) {
        let (size, align) = (chance.below(60) + 1, chance.one_of(&[1, 4, 8, 16, 32]));
        let _ = writeln!(text, " .comm c0, {size}, {align}");
    }
    text + " .section .note.GNU-stack, \"\", @progbits\n"
}

fn section(chance: &mut Chance, object: usize, at: usize, which: usize, globals: usize) -> String {
    let (name, flags, sh_type) = SECTIONS[which];
    let name = name.replace('N', &format!("o{object}"));
    let mut text = format!(" .section {name}, \"{flags}\", {sh_type}\n");
    let is_note = sh_type == "@note";
    let align = if is_note { 4 } else { chance.one_of(&[1, 1, 2, 4, 8, 8, 16, 16, 32, 64, 256]) };
    let size = match chance.below(10) {
        0 => 1,
        _ if is_note => chance.below(6) * 4,
        1..5 => chance.below(24),
        _ => chance.below(200),
    };
    let kind = if flags.contains('T') { "@tls_object" } else { "@object" };
    let _ =
        writeln!(text, " .balign {align}\n.globl g{object}_{at}\n .type g{object}_{at}, {kind}");
    let bind = chance.one_of(&["", "", "", " .hidden NAME\n", " .protected NAME\n"]);
    text += &bind.replace("NAME", &format!("g{object}_{at}"));
    let _ = writeln!(text, "g{object}_{at}:");
    if is_note {
        let zeros = size;
        let _ = writeln!(text, " .long 4, {zeros}, {at}\n .ascii \"Abc\\0\"\n .zero {zeros}");
        return text;
    }
    if sh_type == "@nobits" {
        let _ = writeln!(text, " .zero {size}\nl{object}_{at}:");
        return text;
    }
    // No byte of an input looks like a trap instruction, which is the padding of code.
    let bytes: Vec<String> = (0..size).map(|_| (chance.below(100) + 1).to_string()).collect();
    for line in bytes.chunks(24) {
        let _ = writeln!(text, " .byte {}", line.join(","));
    }
    let _ = writeln!(text, "l{object}_{at}:");
    if flags.starts_with("aw") && !flags.contains('T') && chance.happens(60) {
        text += &references(chance, object, globals, &text);
    }
    text
}

/// Words that refer to symbols: of the object itself, of scripts, bounds and commons.
fn references(chance: &mut Chance, object: usize, globals: usize, before: &str) -> String {
    let mut text = String::new();
    for _ in 0..chance.below(3) + 1 {
        let name = match chance.below(6) {
            0 | 1 => format!("g{object}_{}", chance.below(globals)),
            2 | 3 => format!("s{}", chance.below(12)),
            4 => format!("p{}", chance.below(4)),
            _ => {
                let section = chance.one_of(&["code_c", "const_c", "data_c", "bss_c"]);
                let bound = chance.one_of(&["start", "stop"]);
                // GNU ld defines these of sections that an input has.
                if before.contains(&format!(".section {section}")) {
                    format!("__{bound}_{section}")
                } else {
                    "p0".to_owned()
                }
            }
        };
        if !name.starts_with('g') {
            let _ = writeln!(text, " .weak {name}");
        }
        let _ = writeln!(text, " .quad {name}");
    }
    text
}
