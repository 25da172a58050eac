//! What a symbol refers to, packed in a word; only this file knows the packing.
//!
//! There is a word for every symbol of every object, and the loops over relocations read little
//! else. Sections have the lowest numbers, so that one comparison tells symbols in sections from
//! all others.

use super::definitions::SectionId;
use skald_core::names::NameId;
use zerocopy::FromZeros;

/// What a symbol of an object refers to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Referent {
    /// The definition of a global name, whichever file it is in.
    Global(NameId),
    /// An address in an input section.
    Section(SectionId),
    /// An absolute value (SHN_ABS).
    Absolute,
    /// No address: undefined, or in a discarded section.
    Nowhere,
}

/// Set in the word of a [`Referent::Global`].
const GLOBAL: u32 = 1 << 31;
const ABSOLUTE: u32 = GLOBAL - 1;
const NOWHERE: u32 = GLOBAL - 2;

/// Sections and names must have fewer ids than this.
pub const LIMIT: u32 = NOWHERE;

/// A [`Referent`] in four bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, FromZeros)]
#[repr(transparent)]
pub struct PackedReferent(u32);

impl PackedReferent {
    /// See [`Referent::Absolute`].
    pub const ABSOLUTE: PackedReferent = PackedReferent(ABSOLUTE);
    /// See [`Referent::Nowhere`].
    pub const NOWHERE: PackedReferent = PackedReferent(NOWHERE);

    /// The referent of a symbol with this global name.
    #[inline(always)]
    pub fn global(name: NameId) -> PackedReferent {
        PackedReferent(GLOBAL | name.number())
    }

    /// The referent, unpacked.
    #[inline(always)]
    pub fn get(self) -> Referent {
        match self.0 {
            word if word & GLOBAL != 0 => Referent::Global(NameId::new(word & !GLOBAL)),
            // Nearly all symbols that are not global are in sections.
            section if section < NOWHERE => Referent::Section(SectionId::new(section)),
            NOWHERE => Referent::Nowhere,
            _ => Referent::Absolute,
        }
    }

    /// The name, if it is a global one.
    #[inline(always)]
    pub fn name(self) -> Option<NameId> {
        self.is_global().then_some(NameId::new(self.0 & !GLOBAL))
    }

    /// Whether it is a global name.
    #[inline(always)]
    pub fn is_global(self) -> bool {
        self.0 & GLOBAL != 0
    }

    /// The section of a local symbol.
    #[inline(always)]
    pub fn section(self) -> Option<SectionId> {
        ValueBase(self.0).section()
    }

    /// What the value of a symbol that is not global is relative to; `None` for a global one.
    #[inline(always)]
    pub fn value_base(self) -> Option<ValueBase> {
        (!self.is_global()).then_some(ValueBase(self.0))
    }

    /// The packed word. Different referents have different words.
    #[inline(always)]
    pub fn number(self) -> u32 {
        self.0
    }
}

impl From<ValueBase> for PackedReferent {
    #[inline(always)]
    fn from(value_base: ValueBase) -> PackedReferent {
        PackedReferent(value_base.0)
    }
}

/// What the value of a definition is relative to: an input section or, if it is absolute, nothing.
/// An undefined symbol has neither.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(transparent)]
pub struct ValueBase(u32);

impl ValueBase {
    /// See [`Referent::Absolute`].
    pub const ABSOLUTE: ValueBase = ValueBase(ABSOLUTE);
    /// See [`Referent::Nowhere`].
    pub const NOWHERE: ValueBase = ValueBase(NOWHERE);

    /// The input section of the definition, if it is in one.
    #[inline(always)]
    pub fn section(self) -> Option<SectionId> {
        (self.0 < NOWHERE).then_some(SectionId::new(self.0))
    }

    /// The word that [`ValueBase::from_word`] takes.
    #[inline(always)]
    pub(super) fn word(self) -> u32 {
        self.0
    }

    /// What [`ValueBase::word`] gave.
    #[inline(always)]
    pub(super) fn from_word(word: u32) -> ValueBase {
        ValueBase(word)
    }
}

impl From<SectionId> for ValueBase {
    #[inline(always)]
    fn from(section: SectionId) -> ValueBase {
        ValueBase(section.number())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_packed_is_had_again() {
        let section = ValueBase::from(SectionId::new(7));
        assert_eq!(PackedReferent::from(section).get(), Referent::Section(SectionId::new(7)));
        assert_eq!(PackedReferent::from(section).section(), Some(SectionId::new(7)));
        assert_eq!(PackedReferent::from(section).value_base(), Some(section));
        assert_eq!(PackedReferent::global(NameId::new(7)).get(), Referent::Global(NameId::new(7)));
        assert_eq!(PackedReferent::global(NameId::new(7)).name(), Some(NameId::new(7)));
        assert_eq!(PackedReferent::global(NameId::new(7)).section(), None);
        assert_eq!(PackedReferent::global(NameId::new(7)).value_base(), None);
        for (value_base, referent) in
            [(ValueBase::ABSOLUTE, Referent::Absolute), (ValueBase::NOWHERE, Referent::Nowhere)]
        {
            let packed = PackedReferent::from(value_base);
            assert_eq!((packed.get(), packed.section(), packed.name()), (referent, None, None));
        }
    }
}
