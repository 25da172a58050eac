//! The statements of a script, as they are written.

use skald_base::expr::Expr;
use std::borrow::Cow;
use std::sync::Arc;

/// Where something is written, for messages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The script.
    pub script: Arc<str>,
    /// The line, from 1.
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
    /// An assignment; of the location counter if it is to `.`.
    Assign(Assign),
    /// `ASSERT(expr, message)`.
    Assert(Assertion),
    /// `ENTRY(symbol)`.
    Entry(Vec<u8>),
    /// An output section.
    Output(Arc<OutputStatement>),
}

/// `name = expr;` and its relatives.
#[derive(Debug, Clone)]
pub struct Assign {
    /// The symbol, or `.`.
    pub name: Vec<u8>,
    /// Its value; for `name += e` and so on the whole of `name + e`.
    pub expr: Expr,
    /// `PROVIDE` or `PROVIDE_HIDDEN`.
    pub provide: bool,
    /// `HIDDEN` or `PROVIDE_HIDDEN`.
    pub hidden: bool,
}

impl Assign {
    /// Whether it moves the location counter.
    pub fn is_dot(&self) -> bool {
        self.name == b"."
    }
}

/// `ASSERT`.
#[derive(Debug, Clone)]
pub struct Assertion {
    /// What must not be zero.
    pub expr: Expr,
    /// What is said otherwise.
    pub message: Vec<u8>,
    /// Where it stands.
    pub place: Place,
}

/// An output section.
#[derive(Debug, Clone)]
pub struct OutputStatement {
    /// Its name; `/DISCARD/` drops what it takes.
    pub name: Vec<u8>,
    /// Where it stands.
    pub place: Place,
    /// The address before the colon.
    pub address: Option<Expr>,
    /// The word in parentheses before the colon.
    pub kind: SectionKind,
    /// `TYPE = expr` in these parentheses.
    pub sh_type: Option<Expr>,
    /// `AT(expr)`.
    pub load_address: Option<Expr>,
    /// `ALIGN(expr)`.
    pub align: Option<Expr>,
    /// `SUBALIGN(expr)`.
    pub subalign: Option<Expr>,
    /// `ALIGN_WITH_INPUT`.
    pub aligns_with_input: bool,
    /// `ONLY_IF_RO` or `ONLY_IF_RW`.
    pub constraint: Option<Constraint>,
    /// `ONLY_IF(...)` of an automatic layout: the section stands here only if it is like this, or
    /// else with those that no statement names.
    pub only_if: Condition,
    /// What is between the braces.
    pub body: Vec<BodyStatement>,
    /// `>region`.
    pub region: Option<Vec<u8>>,
    /// `AT>region`.
    pub load_region: Option<Vec<u8>>,
    /// `:phdr`, in order.
    pub segments: Vec<Vec<u8>>,
    /// `:zone` of an automatic layout.
    pub zone: Option<Zone>,
    /// `=fill`.
    pub fill: Option<Fill>,
}

impl OutputStatement {
    /// One of which nothing but the name is said.
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
        }
    }

    /// Whether it stands for the sections of an automatic layout that no statement names.
    pub fn is_rest(&self) -> bool {
        self.name == b"*"
    }

    /// Whether what it takes is dropped.
    pub fn discards(&self) -> bool {
        self.name == b"/DISCARD/"
    }
}

/// Coarse place of a section in memory: what stands in one shares a segment if it has the same
/// permissions, and what stands in some of them has segments of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Zone {
    /// What the kernel and tools look for in the first page: the interpreter's name and notes.
    Head,
    /// Large-model code.
    LargeCode,
    /// Large-model read-only data.
    LargeReadOnly,
    /// Read-only.
    ReadOnly,
    /// Executable.
    Code,
    /// Read-only data in a segment of its own (`-Trodata-segment`).
    LateReadOnly,
    /// Writable until relocated.
    Relro,
    /// Writable.
    Data,
    /// Large-model data.
    LargeData,
    /// Not loaded.
    Unloaded,
}

/// The words behind the colon.
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

/// What `ONLY_IF` asks of an output section.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Condition {
    /// SHF_* that it must have.
    pub with_flags: u64,
    /// And those that it must not have.
    pub without_flags: u64,
    /// SHT_* of which it must have one, as [`section_types::bit`] of each; 0 for any.
    pub types: u32,
    /// And those that it must not have.
    pub without_types: u32,
    /// Whether it is one that small code does not reach.
    pub is_large: Option<bool>,
    /// Its alignment in bytes at least.
    pub least_align: u64,
}

impl Condition {
    /// Nothing.
    pub const ANY: Condition = Condition {
        with_flags: 0,
        without_flags: 0,
        types: 0,
        without_types: 0,
        is_large: None,
        least_align: 1,
    };
}

/// Types of sections as a set: those that the gABI numbers below 32.
pub mod section_types {
    use object::elf::*;

    /// The bit of a type; none for those with great numbers.
    pub const fn bit(sh_type: u32) -> u32 {
        if sh_type < u32::BITS { 1 << sh_type } else { 0 }
    }

    /// Zeros.
    pub const NOBITS: u32 = bit(SHT_NOBITS);
    /// Notes.
    pub const NOTE: u32 = bit(SHT_NOTE);
    /// Tables of functions that the loader calls.
    pub const ARRAYS: u32 = bit(SHT_INIT_ARRAY) | bit(SHT_FINI_ARRAY) | bit(SHT_PREINIT_ARRAY);

    /// Their names, for scripts.
    pub const NAMES: [(&str, u32); 6] = [
        ("SHT_PROGBITS", bit(SHT_PROGBITS)),
        ("SHT_NOTE", NOTE),
        ("SHT_NOBITS", NOBITS),
        ("SHT_INIT_ARRAY", bit(SHT_INIT_ARRAY)),
        ("SHT_FINI_ARRAY", bit(SHT_FINI_ARRAY)),
        ("SHT_PREINIT_ARRAY", bit(SHT_PREINIT_ARRAY)),
    ];
}

/// The file that sections of the linker are in, for patterns of file names.
pub const INTERNAL: &str = "<internal>";

/// What the word in parentheses says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SectionKind {
    /// Nothing.
    #[default]
    Plain,
    /// `NOLOAD`: memory that no file fills.
    NoLoad,
    /// `COPY`, `INFO`, `DSECT` and `OVERLAY`: no memory at all.
    Unallocated,
    /// `READONLY`.
    ReadOnly,
}

/// When an output section is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Constraint {
    /// If all inputs are read-only.
    OnlyIfReadOnly,
    /// If any is not.
    OnlyIfWritable,
}

/// A statement of an output section.
#[derive(Debug, Clone)]
pub enum BodyStatement {
    /// An assignment.
    Assign(Assign),
    /// `ASSERT`.
    Assert(Assertion),
    /// Input sections.
    Inputs(Box<InputStatement>),
    /// `BYTE(expr)` and its relatives: so many bytes.
    Number {
        /// 1, 2, 4 or 8.
        width: u8,
        /// The value.
        expr: Expr,
    },
    /// `ASCIZ "text"`, with its NUL.
    Text(Vec<u8>),
    /// `FILL(expr)`: for what follows.
    Fill(Fill),
}

/// What gaps are filled with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fill {
    /// These bytes, again and again: a number that is written in hexadecimal digits.
    Bytes(Vec<u8>),
    /// The four bytes of a value, the highest first.
    Value(u32),
}

/// Which input sections go somewhere.
#[derive(Debug, Clone)]
pub struct InputStatement {
    /// Where it stands.
    pub place: Place,
    /// Whose sections.
    pub file: FilePattern,
    /// `KEEP`.
    pub keep: bool,
    /// Which sections; none for a file's all.
    pub sections: Vec<SectionPattern>,
    /// `INPUT_SECTION_FLAGS`: those that it must have.
    pub with_flags: u64,
    /// And those that it must not have.
    pub without_flags: u64,
}

/// Files, by name.
#[derive(Debug, Clone, Default)]
pub struct FilePattern {
    /// The file, or the archive's member; `*` for any.
    pub name: Cow<'static, [u8]>,
    /// Whether it is in an archive, and in which.
    pub archive: ArchivePattern,
    /// `EXCLUDE_FILE` outside of the parentheses.
    pub excluded: Vec<FileName>,
    /// `SORT_BY_NAME` around it.
    pub is_sorted: bool,
}

/// Whether a file is in an archive.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum ArchivePattern {
    /// No colon: either.
    #[default]
    Any,
    /// `:file`: not in an archive.
    None,
    /// `archive:` or `archive:member`.
    Named(Vec<u8>),
}

/// A name in `EXCLUDE_FILE`.
#[derive(Debug, Clone)]
pub struct FileName {
    /// The file, or the archive's member.
    pub name: Vec<u8>,
    /// The archive.
    pub archive: ArchivePattern,
}

/// Sections, by name.
#[derive(Debug, Clone)]
pub struct SectionPattern {
    /// The pattern.
    pub name: Cow<'static, [u8]>,
    /// `EXCLUDE_FILE` before it.
    pub excluded: Vec<FileName>,
    /// How what it takes is sorted, the outer word first.
    pub sort: [Sort; 2],
    /// `REVERSE`.
    pub is_reversed: bool,
}

/// A word around a pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Sort {
    /// As `--sort-section` says, or as the inputs come.
    #[default]
    Default,
    /// `SORT_NONE`: as the inputs come.
    None,
    /// `SORT_BY_NAME` and `SORT`.
    Name,
    /// `SORT_BY_ALIGNMENT`, the greatest first.
    Alignment,
    /// `SORT_BY_INIT_PRIORITY`.
    InitPriority,
}

/// A region of `MEMORY`.
#[derive(Debug, Clone)]
pub struct Region {
    /// Its names: its own, then those of `REGION_ALIAS`.
    pub names: Vec<Vec<u8>>,
    /// Where it stands.
    pub place: Place,
    /// Flags that a section must have one of, to go there without being told; 0 for none.
    pub with_flags: u32,
    /// And must have none of.
    pub without_flags: u32,
    /// `ORIGIN`.
    pub origin: Expr,
    /// `LENGTH`.
    pub length: Expr,
}

/// The letters of a region's attributes.
pub mod region_flags {
    /// `r`
    pub const READ_ONLY: u32 = 1;
    /// `w`
    pub const WRITE: u32 = 2;
    /// `x`
    pub const EXEC: u32 = 4;
    /// `a`
    pub const ALLOC: u32 = 8;
    /// `i` and `l`
    pub const LOAD: u32 = 16;
}

/// A program header of `PHDRS`.
#[derive(Debug, Clone)]
pub struct ProgramHeader {
    /// Its name.
    pub name: Vec<u8>,
    /// Where it stands.
    pub place: Place,
    /// PT_*.
    pub p_type: Expr,
    /// `FILEHDR`.
    pub has_file_header: bool,
    /// `PHDRS`.
    pub has_program_headers: bool,
    /// `AT(expr)`.
    pub load_address: Option<Expr>,
    /// `FLAGS(expr)`.
    pub flags: Option<Expr>,
}

/// `NOCROSSREFS` or `NOCROSSREFS_TO`.
#[derive(Debug, Clone)]
pub struct NoCrossReferences {
    /// Output sections.
    pub sections: Vec<Vec<u8>>,
    /// Only references to the first are refused.
    pub only_to_first: bool,
}
