//! What symbols stand for: how it is packed in a word is known here alone.
//!
//! There is a word for every symbol of every object, and the loops over relocations look at little
//! else, so the order of the numbers matters: sections come first, so that one comparison tells
//! what has a place in one from all else.

use super::definitions::SectionId;
use skald_core::names::NameId;
use zerocopy::FromZeros;

/// What a symbol stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Referent {
    /// What defines a name, wherever that is.
    Global(NameId),
    /// A place in an input section.
    Section(SectionId),
    /// A constant.
    Absolute,
    /// No place: it is undefined, or in a discarded section.
    Nowhere,
}

/// Set in the word of a [`Referent::Global`].
const GLOBAL: u32 = 1 << 31;
const ABSOLUTE: u32 = GLOBAL - 1;
const NOWHERE: u32 = GLOBAL - 2;

/// No more sections and symbols than this can be told apart.
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

    /// What defines `name`.
    #[inline(always)]
    pub fn global(name: NameId) -> PackedReferent {
        PackedReferent(GLOBAL | name.number())
    }

    /// What it is.
    #[inline(always)]
    pub fn get(self) -> Referent {
        match self.0 {
            word if word & GLOBAL != 0 => Referent::Global(NameId::new(word & !GLOBAL)),
            // Nearly all that are no names.
            section if section < NOWHERE => Referent::Section(SectionId::new(section)),
            NOWHERE => Referent::Nowhere,
            _ => Referent::Absolute,
        }
    }

    /// The name that it stands for.
    #[inline(always)]
    pub fn name(self) -> Option<NameId> {
        self.is_global().then_some(NameId::new(self.0 & !GLOBAL))
    }

    /// Whether it stands for a name.
    #[inline(always)]
    pub fn is_global(self) -> bool {
        self.0 & GLOBAL != 0
    }

    /// The section that it has a place in, if that is known without a name.
    #[inline(always)]
    pub fn section(self) -> Option<SectionId> {
        Home(self.0).section()
    }

    /// Where it is, if that is known without a name.
    #[inline(always)]
    pub fn home(self) -> Option<Home> {
        (!self.is_global()).then_some(Home(self.0))
    }

    /// A number that nothing else has which is not the same.
    #[inline(always)]
    pub fn number(self) -> u32 {
        self.0
    }
}

impl From<Home> for PackedReferent {
    #[inline(always)]
    fn from(home: Home) -> PackedReferent {
        PackedReferent(home.0)
    }
}

/// Where a definition is: in an input section, nowhere, or it is absolute.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(transparent)]
pub struct Home(u32);

impl Home {
    /// See [`Referent::Absolute`].
    pub const ABSOLUTE: Home = Home(ABSOLUTE);
    /// See [`Referent::Nowhere`].
    pub const NOWHERE: Home = Home(NOWHERE);

    /// The section.
    #[inline(always)]
    pub fn section(self) -> Option<SectionId> {
        (self.0 < NOWHERE).then_some(SectionId::new(self.0))
    }

    /// As a number, for [`Home::from_word`].
    #[inline(always)]
    pub(super) fn word(self) -> u32 {
        self.0
    }

    /// What [`Home::word`] gave.
    #[inline(always)]
    pub(super) fn from_word(word: u32) -> Home {
        Home(word)
    }
}

impl From<SectionId> for Home {
    #[inline(always)]
    fn from(section: SectionId) -> Home {
        Home(section.number())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_packed_is_had_again() {
        let section = Home::from(SectionId::new(7));
        assert_eq!(PackedReferent::from(section).get(), Referent::Section(SectionId::new(7)));
        assert_eq!(PackedReferent::from(section).section(), Some(SectionId::new(7)));
        assert_eq!(PackedReferent::from(section).home(), Some(section));
        assert_eq!(PackedReferent::global(NameId::new(7)).get(), Referent::Global(NameId::new(7)));
        assert_eq!(PackedReferent::global(NameId::new(7)).name(), Some(NameId::new(7)));
        assert_eq!(PackedReferent::global(NameId::new(7)).section(), None);
        assert_eq!(PackedReferent::global(NameId::new(7)).home(), None);
        for (home, referent) in
            [(Home::ABSOLUTE, Referent::Absolute), (Home::NOWHERE, Referent::Nowhere)]
        {
            let packed = PackedReferent::from(home);
            assert_eq!((packed.get(), packed.section(), packed.name()), (referent, None, None));
        }
    }
}
