//! Where the addends of relocations are: in the tables, or in the fields that are relocated (gABI,
//! "Relocation"). A psABI has one of them for objects and for the loader.

use super::class::Class;
use object::elf::{SHT_REL, SHT_RELA};
use std::borrow::Cow;

/// The kind of a machine's relocation tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum RelocKind {
    /// SHT_RELA: an entry has an addend.
    #[default]
    Rela,
    /// SHT_REL: the addend is what the field holds.
    Rel,
}

impl RelocKind {
    /// `sh_type`.
    pub const fn sh_type(self) -> u32 {
        match self {
            RelocKind::Rela => SHT_RELA,
            RelocKind::Rel => SHT_REL,
        }
    }

    /// Bytes of an entry, `sh_entsize`.
    pub const fn entry_size(self, class: Class) -> u64 {
        let words = match self {
            RelocKind::Rela => 3,
            RelocKind::Rel => 2,
        };
        words * class.word_size() as u64
    }

    /// What the name of a table begins with, before that of the section that it is for.
    pub const fn prefix(self) -> &'static [u8] {
        match self {
            RelocKind::Rela => b".rela",
            RelocKind::Rel => b".rel",
        }
    }

    /// A name of a table as machines with addends have it, which begins with `.rela`, and any other
    /// name.
    pub fn renamed(self, name: &[u8]) -> Cow<'_, [u8]> {
        match name.strip_prefix(RelocKind::Rela.prefix()) {
            Some(section) if self == RelocKind::Rel => Cow::Owned(self.name_of(section)),
            _ => Cow::Borrowed(name),
        }
    }

    /// The name of the table for a section.
    pub fn name_of(self, section: &[u8]) -> Vec<u8> {
        [self.prefix(), section].concat()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_tables() {
        assert_eq!(&*RelocKind::Rel.renamed(b".rela.dyn"), b".rel.dyn");
        assert_eq!(&*RelocKind::Rela.renamed(b".rela.dyn"), b".rela.dyn");
        assert_eq!(&*RelocKind::Rel.renamed(b".relr.dyn"), b".relr.dyn");
        assert_eq!(RelocKind::Rel.name_of(b".text"), b".rel.text");
    }
}
