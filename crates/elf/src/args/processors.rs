//! What options say of processors and their memory: repaired errata, tagged memory.

/// When a wrong tag of memory stops the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TagChecks {
    /// At some later time.
    Asynchronous,
    /// At the access.
    Synchronous,
}

/// What is tagged, and how tags are checked.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct MemoryTagging {
    /// `--android-memtag-mode`, `-z memtag-mode`; `None` if nothing is tagged.
    pub checks: Option<TagChecks>,
    /// `--android-memtag-heap`, `-z memtag-heap`.
    pub heap: bool,
    /// `--android-memtag-stack`, `-z memtag-stack`.
    pub stack: bool,
    /// An Android option asks for it: the output has Android's note.
    pub has_note: bool,
}

/// How code with the erratum 843419 of Cortex-A53 is changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Repair843419 {
    /// ADRP becomes ADR if that reaches, or else another instruction is moved.
    Full,
    /// ADRP becomes ADR, or the link fails.
    Adr,
    /// An instruction is moved.
    Adrp,
}

/// What a relocation type means that platforms use for references to types of exceptions.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Target2 {
    /// The distance of the symbol.
    Relative,
    /// Its address.
    Absolute,
    /// The distance of its word in the GOT.
    #[default]
    GotRelative,
}

/// What relocation types mean whose meaning the platform decides.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PlatformTypes {
    /// Words in tables of constructors are distances (`--target1-rel`).
    pub target1_is_relative: bool,
    /// `--target2`
    pub target2: Target2,
}

/// Code that stays as compilers wrote it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct KeptCode {
    /// `--no-toc-optimize`
    pub toc: bool,
    /// `--no-pcrel-optimize`
    pub pc_relative: bool,
    /// `--no-tls-optimize`
    pub thread_local: bool,
}

impl KeptCode {
    /// Whether any stays.
    pub fn is_any(self) -> bool {
        self != KeptCode::default()
    }
}

/// What options say of the processor and of the platform.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Processors {
    /// `--target1-rel`
    pub target1_is_relative: bool,
    /// `--target2`; `None` for what the platform has.
    pub target2: Option<Target2>,
    /// `--fix-v4bx`: BX, which version 4 of ARM does not have, becomes a move.
    pub replaces_bx: bool,
    /// `--pic-veneer`
    pub pic_thunks: bool,
    /// `--no-wchar-size-warning`
    pub silences_wchar: bool,
    /// `--no-enum-size-warning`
    pub silences_enums: bool,
    /// `--no-merge-exidx-entries`
    pub keeps_unwind_entries: bool,
    /// Code of PowerPC that stays. If any does, all does.
    pub kept_code: KeptCode,
    /// `--save-restore-funcs`; `None` for what the kind of output has.
    pub makes_functions: Option<bool>,
    /// `--s390-pgste`
    pub pgste: bool,
    /// The memory that code of AVR is in.
    pub code_memory: CodeMemory,
}

/// What is known of the memory that code of AVR is in.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CodeMemory {
    /// `--pmem-wrap-around`: the program counter has no more bits than this many bytes need. It is
    /// a power of two.
    pub wraps_at: Option<u64>,
    /// `--no-stubs`: pointers of two bytes to functions have the low bits of the address.
    pub pointers_are_cut: bool,
}

/// The errata of Cortex-A53 that are repaired.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Repairs {
    /// How 843419 is repaired, if it is.
    pub of_843419: Option<Repair843419>,
    /// 835769 is repaired.
    pub of_835769: bool,
}
