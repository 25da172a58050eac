//! The input of the apply loops (a section and its relocations), and their failures.

use crate::format::elf::Rela;
use crate::read::object_file::InputSection;
use crate::resolve::definitions::SectionId;

/// A relocation that could not be applied, by its index among the section's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Failure {
    /// The input section.
    pub section: SectionId,
    /// Index among the section's relocations.
    pub reloc: u32,
    /// Why it could not be applied.
    pub what: Fault,
}

/// What is wrong with a relocation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// The value does not fit the field.
    OutOfRange(i64),
    /// The value is not a multiple of what the instruction counts in.
    Misaligned(u64),
    /// The field is not within the section.
    BadPlace,
    /// The symbol is not in the symbol table.
    BadSymbol,
    /// What is behind a call has to restore a register, and there is no room for that.
    NoRestore,
    /// The type has no use for an addend, or the upper part of the address does not fit it.
    Addend(i64),
    /// No relocation has the upper part of the address.
    Unpaired,
    /// Padding for alignment does not have the bytes that it needs.
    ShortPadding {
        /// Bytes up to the alignment.
        needed: u64,
        /// Bytes of padding.
        has: u64,
    },
    /// The type is unknown, or one that only the loader applies.
    Unsupported,
}

/// An input section, or a part of one, with the relocations to apply to it.
pub struct Patch<'a> {
    /// The input section.
    pub id: SectionId,
    /// Its record: object, flags, section header index.
    pub section: &'a InputSection,
    /// Its bytes as the object has them, all of them.
    pub original: &'a [u8],
    /// Offset in the section where the part starts.
    pub section_offset: u64,
    /// Address of the first byte of the part.
    pub address: u64,
    /// Relocations of the fields in the part.
    pub relocs: &'a [Rela],
    /// Index of the first of `relocs` among the section's.
    pub first: u32,
}
