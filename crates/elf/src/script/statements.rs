//! The statements of a script, as it is parsed, before any expression is evaluated.

use skald_linking::expr::Expr;
use std::borrow::Cow;
use std::sync::Arc;

/// Where a statement stands in a script, for messages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// Name of the script.
    pub script: Arc<str>,
    /// Line number, from 1.
    pub line: u32,
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.script, self.line)
    }
}

/// A statement of `SECTIONS`.
#[derive(Debug, Clone)]
pub enum Statement {
    /// An assignment to a symbol, or to the location counter if the name is `.`.
    Assign(Assign),
    /// `ASSERT(expr, message)`.
    Assert(Assertion),
    /// `ENTRY(symbol)`.
    Entry(Vec<u8>),
    /// An output section.
    Output(Arc<OutputStatement>),
    /// `NOCROSSREFS` of an `OVERLAY`.
    NoCrossReferences(NoCrossReferences),
    /// `CLASS(name) { ... }`: defines a class of input sections.
    Class(Arc<ClassStatement>),
}

/// `CLASS(name) { ... }`, a definition in lld's language: input sections that output sections refer
/// to by one name.
#[derive(Debug, Clone)]
pub struct ClassStatement {
    /// The name that output sections refer to.
    pub name: Vec<u8>,
    /// Where the definition stands.
    pub place: Place,
    /// The sections of the class.
    pub inputs: Vec<InputStatement>,
}

/// `CLASS(name)` in an output section, which places the sections of the class there.
#[derive(Debug, Clone)]
pub struct ClassReference {
    /// Name of the class.
    pub name: Vec<u8>,
    /// Where the reference stands.
    pub place: Place,
    /// `KEEP` around it.
    pub keep: bool,
    /// `INPUT_SECTION_FLAGS` before it: SHF_* that a section must have, and must not have.
    pub flags: (u64, u64),
}

/// `name = expr;`, `name += expr;` and the like, with or without `PROVIDE` and `HIDDEN`.
#[derive(Debug, Clone)]
pub struct Assign {
    /// Name of the symbol, or `.`.
    pub name: Vec<u8>,
    /// The value; for `name += e` and the like the whole of `name + e`.
    pub expr: Expr,
    /// `PROVIDE` or `PROVIDE_HIDDEN`: holds only if the symbol is referenced and not defined.
    pub provide: bool,
    /// `HIDDEN` or `PROVIDE_HIDDEN`: the symbol has hidden visibility.
    pub hidden: bool,
    /// It ends an `OVERLAY`: when orphans are placed it belongs to the section before it.
    pub ends_overlay: bool,
}

impl Assign {
    /// Whether it assigns to the location counter.
    pub fn is_dot(&self) -> bool {
        self.name == b"."
    }
}

/// `ASSERT(expr, message)`.
#[derive(Debug, Clone)]
pub struct Assertion {
    /// The condition, which fails if it is zero.
    pub expr: Expr,
    /// The error if the condition fails.
    pub message: Vec<u8>,
    /// Where the assertion stands.
    pub place: Place,
}

/// An output section of `SECTIONS`, as written.
#[derive(Debug, Clone)]
pub struct OutputStatement {
    /// Name of the output section; inputs of `/DISCARD/` are dropped.
    pub name: Vec<u8>,
    /// Where the statement stands.
    pub place: Place,
    /// The address expression before the colon; `None` for the location counter.
    pub address: Option<Expr>,
    /// The keyword in parentheses before the colon.
    pub kind: SectionKind,
    /// `TYPE = expr` in the same parentheses: the `sh_type` of bytes that the script gives.
    pub sh_type: Option<u32>,
    /// `AT(expr)`: the load address (LMA).
    pub load_address: Option<Expr>,
    /// `ALIGN(expr)`: the least alignment of the output section.
    pub align: Option<Expr>,
    /// `SUBALIGN(expr)`: alignment of inputs instead of their own.
    pub subalign: Option<Expr>,
    /// `ALIGN_WITH_INPUT`: address and load address keep their distance when aligned.
    pub aligns_with_input: bool,
    /// `ONLY_IF_RO` or `ONLY_IF_RW`; `None` for neither.
    pub constraint: Option<Constraint>,
    /// `ONLY_IF(...)` of an automatic layout: a section that does not satisfy it is placed with
    /// those that no statement names.
    pub only_if: Condition,
    /// The statements between the braces, in order.
    pub body: Vec<BodyStatement>,
    /// `>region`: memory region of its address.
    pub region: Option<Vec<u8>>,
    /// `AT>region`: memory region of its load address.
    pub load_region: Option<Vec<u8>>,
    /// `:phdr`: names of its program headers, in order; empty means those of the section before.
    pub segments: Vec<Vec<u8>>,
    /// `:zone` of an automatic layout; `None` in other layouts.
    pub zone: Option<Zone>,
    /// `=fill`: what fills its gaps; `None` for the default.
    pub fill: Option<Fill>,
    /// It is in an `OVERLAY`: other sections have the same address.
    pub is_overlay: bool,
}

impl OutputStatement {
    /// Makes its statements of input sections take inputs before all others.
    pub fn take_first(&mut self) {
        for statement in &mut self.body {
            if let BodyStatement::Inputs(inputs) = statement {
                inputs.turn = FIRST_TURN;
            }
        }
    }

    /// An output section with this name and no attributes.
    pub fn new(name: Vec<u8>, place: Place) -> OutputStatement {
        OutputStatement {
            name,
            place,
            address: None,
            kind: SectionKind::Plain,
            sh_type: None,
            load_address: None,
            align: None,
            subalign: None,
            aligns_with_input: false,
            constraint: None,
            only_if: Condition::ANY,
            body: Vec::new(),
            region: None,
            load_region: None,
            segments: Vec::new(),
            zone: None,
            fill: None,
            is_overlay: false,
        }
    }

    /// Whether it is the `*` of an automatic layout: takes sections that no statement names.
    pub fn is_rest(&self) -> bool {
        self.name == b"*"
    }

    /// Whether it is `/DISCARD/`.
    pub fn discards(&self) -> bool {
        self.name == b"/DISCARD/"
    }
}

/// Coarse place of a section in memory. Sections of one zone share a segment if they have the same
/// permissions; some zones have segments of their own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Zone {
    /// First page: `.interp` and notes, which the kernel and tools look for there.
    Head,
    /// Large-model code.
    LargeCode,
    /// Large-model read-only data.
    LargeReadOnly,
    /// Read-only data.
    ReadOnly,
    /// Executable code.
    Code,
    /// Read-only data in a segment of its own (`-Trodata-segment`).
    LateReadOnly,
    /// Writable until relocations are applied.
    Relro,
    /// Writable data.
    Data,
    /// Large-model data.
    LargeData,
    /// Sections that are not loaded.
    Unloaded,
}

/// Names of zones, as written behind the colon.
pub const ZONES: [(&str, Zone); 10] = [
    ("head", Zone::Head),
    ("large_code", Zone::LargeCode),
    ("large_rodata", Zone::LargeReadOnly),
    ("rodata", Zone::ReadOnly),
    ("code", Zone::Code),
    ("late_rodata", Zone::LateReadOnly),
    ("relro", Zone::Relro),
    ("data", Zone::Data),
    ("large_data", Zone::LargeData),
    ("unloaded", Zone::Unloaded),
];

/// The condition of `ONLY_IF`: all of its parts must hold for an output section.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Condition {
    /// SHF_* that the section must have.
    pub with_flags: u64,
    /// SHF_* that the section must not have.
    pub without_flags: u64,
    /// Allowed SHT_* as a set of [`section_types::bit`]; 0 for any.
    pub types: u32,
    /// SHT_* that the section must not have, as such a set.
    pub without_types: u32,
    /// Whether it must be out of small-model code's reach; `None` if either will do.
    pub is_large: Option<bool>,
    /// Least alignment, in bytes.
    pub least_align: u64,
}

impl Condition {
    /// The condition that every section satisfies.
    pub const ANY: Condition = Condition {
        with_flags: 0,
        without_flags: 0,
        types: 0,
        without_types: 0,
        is_large: None,
        least_align: 1,
    };
}

/// Sets of section types: one bit for each that the gABI numbers below 32.
pub mod section_types {
    use object::elf::*;

    /// The bit of a type; 0 for types from 32 on.
    pub const fn bit(sh_type: u32) -> u32 {
        if sh_type < u32::BITS { 1 << sh_type } else { 0 }
    }

    /// SHT_NOBITS.
    pub const NOBITS: u32 = bit(SHT_NOBITS);
    /// SHT_NOTE.
    pub const NOTE: u32 = bit(SHT_NOTE);
    /// Tables of functions that are called at start and end.
    pub const ARRAYS: u32 = bit(SHT_INIT_ARRAY) | bit(SHT_FINI_ARRAY) | bit(SHT_PREINIT_ARRAY);

    /// Names of these sets in scripts.
    pub const NAMES: [(&str, u32); 6] = [
        ("SHT_PROGBITS", bit(SHT_PROGBITS)),
        ("SHT_NOTE", NOTE),
        ("SHT_NOBITS", NOBITS),
        ("SHT_INIT_ARRAY", bit(SHT_INIT_ARRAY)),
        ("SHT_FINI_ARRAY", bit(SHT_FINI_ARRAY)),
        ("SHT_PREINIT_ARRAY", bit(SHT_PREINIT_ARRAY)),
    ];
}

/// File name of synthetic sections, for file patterns.
pub const INTERNAL: &str = "<internal>";

/// The keyword in parentheses before an output section's colon.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SectionKind {
    /// No keyword stands before the parenthesis.
    #[default]
    Plain,
    /// `NOLOAD`: memory that the loader does not fill from the file.
    NoLoad,
    /// `COPY`, `INFO`, `DSECT` or `OVERLAY`: not allocated, takes no memory.
    Unallocated,
    /// `READONLY`: without SHF_WRITE.
    ReadOnly,
}

/// Condition on inputs for an output section to be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Constraint {
    /// `ONLY_IF_RO`: all inputs are read-only.
    OnlyIfReadOnly,
    /// `ONLY_IF_RW`: an input is writable.
    OnlyIfWritable,
}

/// A statement in the body of an output section.
#[derive(Debug, Clone)]
pub enum BodyStatement {
    /// An assignment to a symbol or the location counter.
    Assign(Assign),
    /// `ASSERT(expr, message)`.
    Assert(Assertion),
    /// A statement of input sections.
    Inputs(Box<InputStatement>),
    /// `CLASS(name)`, which is replaced once the whole script is read.
    Class(Box<ClassReference>),
    /// `BYTE`, `SHORT`, `LONG` or `QUAD(expr)`: a number in the output.
    Number {
        /// Width in bytes: 1, 2, 4 or 8.
        width: u8,
        /// The number's value.
        expr: Expr,
    },
    /// `ASCIZ "text"`, with its NUL.
    Text(Vec<u8>),
    /// `FILL(expr)`: fills the gaps that follow.
    Fill(Fill),
}

/// The pattern that fills gaps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fill {
    /// These bytes, repeated: from a number that is written in hexadecimal digits.
    Bytes(Vec<u8>),
    /// The four bytes of an expression's value, highest first, repeated.
    Value(u32),
}

/// A statement of input sections: `file(section section ...)`.
#[derive(Debug, Clone)]
pub struct InputStatement {
    /// Where the statement stands.
    pub place: Place,
    /// Pattern of the files whose sections it takes.
    pub file: FilePattern,
    /// `KEEP`: its sections survive `--gc-sections`.
    pub keep: bool,
    /// Patterns of section names; empty for all sections of the files.
    pub sections: Vec<SectionPattern>,
    /// `INPUT_SECTION_FLAGS`: SHF_* that a section must have.
    pub with_flags: u64,
    /// SHF_* that a section must not have.
    pub without_flags: u64,
    /// Statements with a lower turn take sections before those with a higher one; within a turn,
    /// earlier statements do.
    pub turn: u32,
    /// The number of the class for which it takes sections, if it stands for one of several
    /// references (`CLASS`).
    pub class: Option<u32>,
}

/// [`InputStatement::turn`] of `OVERWRITE_SECTIONS`.
pub const FIRST_TURN: u32 = 0;
/// The least [`InputStatement::turn`] of all other statements.
pub const OTHER_TURN: u32 = 1;

/// A pattern of file names.
#[derive(Debug, Clone, Default)]
pub struct FilePattern {
    /// Pattern of the name of a file or archive member; `*` for any.
    pub name: Cow<'static, [u8]>,
    /// Condition on the archive that the file is in.
    pub archive: ArchivePattern,
    /// `EXCLUDE_FILE` outside of the parentheses: files that it does not match.
    pub excluded: Vec<FileName>,
    /// `SORT_BY_NAME` around the file pattern.
    pub is_sorted: bool,
}

/// Condition on the archive that a file is in.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub enum ArchivePattern {
    /// Pattern without a colon: in an archive or not; the archive's own name may match, too.
    #[default]
    Any,
    /// The same, but the archive's own name does not match, as with wildcards outside of
    /// `EXCLUDE_FILE`.
    Unasked,
    /// `:file`: a file that is not in an archive.
    None,
    /// `archive:` or `archive:member`: pattern of the archive's name.
    Named(Vec<u8>),
}

/// A name in `EXCLUDE_FILE`.
#[derive(Debug, Clone)]
pub struct FileName {
    /// Pattern of the name of a file or archive member.
    pub name: Vec<u8>,
    /// Condition on the archive that the file is in.
    pub archive: ArchivePattern,
}

/// A pattern of section names.
#[derive(Debug, Clone)]
pub struct SectionPattern {
    /// Wildcard pattern of the section's name.
    pub name: Cow<'static, [u8]>,
    /// Files of `EXCLUDE_FILE` before the pattern.
    pub excluded: Vec<FileName>,
    /// Sort orders of the sections that it takes, the outer keyword first.
    pub sort: [Sort; 2],
    /// `REVERSE`: the sort order is descending.
    pub is_reversed: bool,
}

/// A sort order: the keyword around a section pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Sort {
    /// No keyword: `--sort-section`, or the order of inputs.
    #[default]
    Default,
    /// `SORT_NONE`: the order of inputs.
    None,
    /// `SORT_BY_NAME` and `SORT`.
    Name,
    /// `SORT_BY_ALIGNMENT`, the greatest first.
    Alignment,
    /// `SORT_BY_INIT_PRIORITY`: by the number at the end of the name.
    InitPriority,
}

/// A memory region of `MEMORY`.
#[derive(Debug, Clone)]
pub struct Region {
    /// Its own name, then those of `REGION_ALIAS`.
    pub names: Vec<Vec<u8>>,
    /// Where the region is defined.
    pub place: Place,
    /// [`region_flags`] of which a section without a named region must have one; 0 for none.
    pub with_flags: u32,
    /// [`region_flags`] of which such a section must have none.
    pub without_flags: u32,
    /// `ORIGIN`: first address.
    pub origin: Expr,
    /// `LENGTH` in bytes.
    pub length: Expr,
}

/// The attribute letters of a memory region, as bits.
pub mod region_flags {
    /// `r`: read-only sections.
    pub const READ_ONLY: u32 = 1;
    /// `w`: writable sections.
    pub const WRITE: u32 = 2;
    /// `x`: executable sections.
    pub const EXEC: u32 = 4;
    /// `a`: allocated sections.
    pub const ALLOC: u32 = 8;
    /// `i` and `l`: sections that are loaded from the file.
    pub const LOAD: u32 = 16;
}

/// A program header of `PHDRS`.
#[derive(Debug, Clone)]
pub struct ProgramHeader {
    /// The name that output sections refer to it by.
    pub name: Vec<u8>,
    /// Where the entry stands.
    pub place: Place,
    /// Expression of `p_type`: PT_*.
    pub p_type: Expr,
    /// `FILEHDR`: covers the file header.
    pub has_file_header: bool,
    /// `PHDRS`: covers the program headers.
    pub has_program_headers: bool,
    /// `AT(expr)`: `p_paddr`.
    pub load_address: Option<Expr>,
    /// `FLAGS(expr)`: `p_flags`.
    pub flags: Option<Expr>,
}

/// `NOCROSSREFS` or `NOCROSSREFS_TO`: output sections that must not refer to each other.
#[derive(Debug, Clone)]
pub struct NoCrossReferences {
    /// Names of the output sections.
    pub sections: Vec<Vec<u8>>,
    /// `NOCROSSREFS_TO`: only references to the first section are refused.
    pub only_to_first: bool,
}
