//! Where the addends of relocations are: in the tables, or in the fields that are relocated (gABI,
//! "Relocation"). Nearly every psABI has one of them for objects and for the loader.

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
    /// SHT_RELA, whose addends are for the loader. Objects have those of words in the fields.
    RelaInFields,
}

impl RelocKind {
    /// `sh_type`.
    pub const fn sh_type(self) -> u32 {
        match self {
            RelocKind::Rela | RelocKind::RelaInFields => SHT_RELA,
            RelocKind::Rel => SHT_REL,
        }
    }

    /// Bytes of an entry, `sh_entsize`.
    pub const fn entry_size(self, class: Class) -> u64 {
        let words = match self {
            RelocKind::Rela | RelocKind::RelaInFields => 3,
            RelocKind::Rel => 2,
        };
        words * class.word_size() as u64
    }

    /// What the name of a table begins with, before that of the section that it is for.
    pub const fn prefix(self) -> &'static [u8] {
        match self {
            RelocKind::Rela | RelocKind::RelaInFields => b".rela",
            RelocKind::Rel => b".rel",
        }
    }

    /// Whether the addends of a type whose field has `size` bytes are in the fields of objects.
    pub const fn is_in_field(self, size: u8) -> bool {
        match self {
            RelocKind::Rela => false,
            RelocKind::Rel => size != 0,
            RelocKind::RelaInFields => size == 4,
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
        assert_eq!(RelocKind::RelaInFields.name_of(b".text"), b".rela.text");
    }

    #[test]
    fn places_of_addends() {
        let of = |kind: RelocKind| [0, 2, 4].map(|size| kind.is_in_field(size));
        assert_eq!(of(RelocKind::Rela), [false; 3]);
        assert_eq!(of(RelocKind::Rel), [false, true, true]);
        assert_eq!(of(RelocKind::RelaInFields), [false, false, true]);
    }
}
