//! What the apply loops are given, and what they say.

use crate::format::elf::Rela;
use crate::read::object_file::InputSection;
use crate::resolve::definitions::SectionId;

/// A relocation that could not be applied, by its index among the section's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Failure {
    /// The section.
    pub section: SectionId,
    /// Index of the relocation.
    pub reloc: u32,
    /// What is wrong.
    pub what: Fault,
}

/// What is wrong with a relocation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// The value does not fit the field.
    OutOfRange(i64),
    /// The place is not in the section.
    BadPlace,
    /// The symbol is not in the symbol table.
    BadSymbol,
    /// Not one that can be applied here.
    Unsupported,
}

/// A section, or a part of one, on its way to the output.
pub struct Patch<'a> {
    /// Its id.
    pub id: SectionId,
    /// Its record.
    pub section: &'a InputSection,
    /// The original bytes of the whole section.
    pub original: &'a [u8],
    /// Where the part starts in the section.
    pub section_offset: u64,
    /// Address of the first byte of the part.
    pub address: u64,
    /// Relocations that lie in the part.
    pub relocs: &'a [Rela],
    /// Index of the first of them among the section's.
    pub first: u32,
}
