//! Ranks of definitions, as numbers that compete for a name.

use crate::format::elf::SymbolId;
use crate::read::{LibraryId, ObjectId};

/// The definition of a name: strength, file and symbol, packed so that the smallest value wins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Rank(pub u64);

/// Strength of a definition; lower wins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Strength {
    /// Non-weak definition of an object.
    Strong,
    /// Common symbol of an object.
    Common,
    /// Weak definition of an object.
    Weak,
    /// Definition of a shared object.
    Shared,
    /// There is no definition.
    Undefined = 7,
}

impl Rank {
    /// The rank of a name without definition.
    pub const NONE: Rank = Rank(u64::MAX);

    /// The rank of a symbol of an object.
    #[inline(always)]
    pub fn of_object(strength: Strength, object: ObjectId, symbol: SymbolId) -> Rank {
        Rank((strength as u64) << 60 | u64::from(object) << 32 | u64::from(symbol))
    }

    /// The rank of a symbol of a shared object.
    #[inline(always)]
    pub fn of_library(library: LibraryId, symbol: SymbolId) -> Rank {
        Rank((Strength::Shared as u64) << 60 | u64::from(library) << 32 | u64::from(symbol))
    }

    /// The strength of the definition.
    #[inline(always)]
    pub fn strength(self) -> Strength {
        match self.0 >> 60 {
            0 => Strength::Strong,
            1 => Strength::Common,
            2 => Strength::Weak,
            3 => Strength::Shared,
            _ => Strength::Undefined,
        }
    }

    /// Whether symbol `symbol` of `object` defines the name.
    #[inline(always)]
    pub fn is_of_object(self, object: ObjectId, symbol: SymbolId) -> bool {
        let place = Rank::of_object(Strength::Strong, object, symbol);
        self.0 << 4 == place.0 << 4 && self.0 >> 60 <= Strength::Weak as u64
    }

    /// The object that defines the name, if one does.
    #[inline(always)]
    pub fn object(self) -> ObjectId {
        ObjectId::new(self.file())
    }

    /// The shared object that defines the name, if one does.
    #[inline(always)]
    pub fn library(self) -> LibraryId {
        LibraryId::new(self.file())
    }

    #[inline(always)]
    fn file(self) -> u32 {
        (self.0 >> 32) as u32 & 0x0fff_ffff
    }

    /// Index of the definition in its file's symbol table.
    #[inline(always)]
    pub fn symbol(self) -> SymbolId {
        SymbolId::new(self.0 as u32)
    }
}
