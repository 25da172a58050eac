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

/// The errata of Cortex-A53 that are repaired.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Repairs {
    /// How 843419 is repaired, if it is.
    pub of_843419: Option<Repair843419>,
    /// 835769 is repaired.
    pub of_835769: bool,
}
