//! Sections that say what each object was compiled for, which the output has joined:
//! `.riscv.attributes`, `.ARM.attributes`.

use skald_linking::byte_order::ByteOrder;

/// Such a section of a machine.
pub struct AttributeSection {
    /// Its name.
    pub name: &'static str,
    /// SHT_*
    pub sh_type: u32,
    /// PT_* of a segment that covers it.
    pub p_type: u32,
    /// Joins the sections of all objects.
    pub join: fn(ByteOrder, &[&[u8]]) -> Joined,
    /// What the joined section means for the output; without one it has no bytes.
    pub describe: fn(ByteOrder, &[u8]) -> Described,
}

/// What the attributes of all objects mean for the output.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Described {
    /// Bits of `e_flags` of programs and libraries.
    pub header_flags: u32,
    /// What processors the code is for, in the machine's words.
    pub processor: u32,
}

/// What options silence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Doubt {
    /// Sizes of `wchar_t` (`--no-wchar-size-warning`).
    WideCharacters,
    /// Sizes of enumerations (`--no-enum-size-warning`).
    Enumerations,
    /// Nothing silences it.
    Other,
}

/// The attributes of several objects.
#[derive(Debug, Default)]
pub struct Joined {
    /// The section; empty if nothing is said.
    pub bytes: Vec<u8>,
    /// Sections that are broken, by index, and what is wrong.
    pub faults: Vec<(usize, String)>,
    /// Two sections that do not fit together, by index, and why.
    pub conflicts: Vec<(usize, usize, String)>,
    /// Two that may not fit together.
    pub doubts: Vec<(usize, usize, String, Doubt)>,
}
