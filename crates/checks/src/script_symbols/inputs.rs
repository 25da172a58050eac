//! The files that all cells link: made once, by `as`, `ar` and GNU ld.

use crate::Result;
use skald_testkit::machine::Machine;
use std::fs;
use std::path::Path;

/// What defines the symbol besides assignments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Definer {
    /// No input defines the symbol.
    Nobody,
    /// An object before the script, as a number.
    AbsoluteBefore,
    /// An object behind the script, as a number.
    AbsoluteAfter,
    /// An object before the script, in a section.
    DataBefore,
    /// An object behind the script, in a section.
    DataAfter,
    /// An object as a function.
    Function,
    /// An object with hidden visibility.
    Hidden,
    /// A member of an archive.
    Member,
    /// A shared library defines the symbol.
    Library,
    /// An object as a common symbol.
    Common,
    /// An object as a weak symbol.
    Weak,
    /// An object that refers to it, weakly.
    WeakReference,
    /// The linker: a bound of a section.
    Bound,
    /// The linker: the global offset table.
    Got,
    /// The default layout of the linker.
    End,
}

impl Definer {
    /// All definers.
    pub const ALL: &'static [Definer] = &[
        Definer::Nobody,
        Definer::AbsoluteBefore,
        Definer::AbsoluteAfter,
        Definer::DataBefore,
        Definer::DataAfter,
        Definer::Function,
        Definer::Hidden,
        Definer::Member,
        Definer::Library,
        Definer::Common,
        Definer::Weak,
        Definer::WeakReference,
        Definer::Bound,
        Definer::Got,
        Definer::End,
    ];

    /// The symbol's name.
    pub fn symbol(self) -> &'static str {
        match self {
            Definer::Bound => "__start_early",
            Definer::Got => "_GLOBAL_OFFSET_TABLE_",
            Definer::End => "_end",
            _ => "key",
        }
    }

    /// The files before the script.
    pub fn before(self) -> &'static [&'static str] {
        match self {
            Definer::AbsoluteBefore => &["absolute.o"],
            Definer::DataBefore => &["data.o"],
            _ => &[],
        }
    }

    /// The files behind the script.
    pub fn after(self) -> &'static [&'static str] {
        match self {
            Definer::AbsoluteAfter => &["absolute.o"],
            Definer::DataAfter => &["data.o"],
            Definer::Function => &["function.o"],
            Definer::Hidden => &["hidden.o"],
            Definer::Member => &["member.a"],
            Definer::Library => &["library.so"],
            Definer::Common => &["common.o"],
            Definer::Weak => &["weak.o"],
            Definer::WeakReference => &["wants_weakly.o"],
            _ => &[],
        }
    }

    /// The object that refers to the symbol.
    pub fn wants(self) -> &'static str {
        match self {
            Definer::Bound => "wants_bound.o",
            Definer::Got => "wants_got.o",
            Definer::End => "wants_end.o",
            _ => "wants.o",
        }
    }
}

/// Name and source of each object.
#[rustfmt::skip]
const SOURCES: &[(&str, &str)] = &[
    ("main", ".globl _start\n_start: .zero 16\n .section early, \"aw\"\n .globl other\n\
        other: .quad 1\n .quad 2\n .data\n .quad 3\n .bss\n .zero 8\n\
        .section .sub, \"aw\"\n .byte 7\n"),
    ("absolute", ".globl key\nkey = 0x40000\n"),
    ("data", ".section early, \"aw\"\n .globl key\n.quad 4\nkey: .quad 5\n"),
    ("function", ".section early, \"aw\"\n .globl key\n .type key, @function\n.quad 4\nkey: .quad 5\n"),
    ("hidden", ".section early, \"aw\"\n .globl key\n .hidden key\n.quad 4\nkey: .quad 5\n"),
    ("weak", ".section early, \"aw\"\n .weak key\n.quad 4\nkey: .quad 5\n"),
    ("common", ".comm key, 8, 8\n"),
    ("wants_weakly", ".section early, \"aw\"\n .weak key\n .quad key\n"),
    ("wants", ".section early, \"aw\"\n .quad key\n"),
    ("wants_bound", ".section early, \"aw\"\n .quad __start_early\n"),
    ("wants_got", ".section early, \"aw\"\n .quad _GLOBAL_OFFSET_TABLE_\n"),
    ("wants_end", ".section early, \"aw\"\n .quad _end\n"),
    ("wants_e", ".section early, \"aw\"\n .quad computed\n"),
    ("library", ".data\n .globl key\n .type key, @object\n .size key, 8\nkey: .quad 6\n"),
];

/// Makes all files in `directory` for `machine`.
pub fn make(directory: &Path, machine: &Machine) -> Result<()> {
    let told = |e: std::io::Error| format!("{}: {e}", directory.display());
    fs::create_dir_all(directory).map_err(told)?;
    let run = |line: &str| {
        let finished = machine.command(line).run(directory)?;
        if finished.status.success() { Ok(()) } else { Err(format!("{line}: {}", finished.stderr)) }
    };
    for (name, source) in SOURCES {
        let path = directory.join(format!("{name}.s"));
        let narrow = source.replace(".quad", ".long");
        let source = if machine.has_narrow_addresses() { &narrow } else { *source };
        let text = format!("{source} .section .note.GNU-stack, \"\", @progbits\n");
        fs::write(&path, text).map_err(told)?;
        run(&format!("as {name}.s -o {name}.o"))?;
    }
    let _ = fs::remove_file(directory.join("member.a"));
    run("ar rc member.a data.o")?;
    run("ld.bfd -shared library.o -o library.so")
}
