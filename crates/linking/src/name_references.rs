//! References and definitions of a name in all files together, before one definition is chosen.
//!
//! The records are written concurrently while files are read: 16 bytes per name, initially zero.
//! Every field only ever grows, so the result does not depend on the order of the writes.
//!
//! Bits with a meaning in one object format only, such as visibility, are named by the crate of
//! that format. Here [`ref_flags::OWN`] means only that the output must define the name itself, and
//! [`ref_flags::OF_FORMAT`] has no meaning.

use crate::ids::FileId;
use skald_core::column::PopulatedPrefix;
use skald_core::ids::{Column, IdSlice, OptionalId};
use skald_core::names::NameId;
use std::sync::atomic::{AtomicU32, Ordering};
use zerocopy::FromZeros;

/// Bits of [`NameReferences::flags`].
#[allow(missing_docs)]
pub mod ref_flags {
    /// An object refers to it with a non-weak undefined symbol.
    pub const UNDEF_STRONG: u32 = 1;
    pub const UNDEF_WEAK: u32 = 1 << 1;
    /// An object that is linked in any case defines it.
    pub const DEFINED_BY_ROOT: u32 = 1 << 2;
    /// A shared object refers to it.
    pub const SHARED_REF: u32 = 1 << 3;
    /// A shared object defines it.
    pub const SHARED_DEF: u32 = 1 << 4;
    /// Bits of a format, any of which says that it must be defined inside the output.
    pub const OWN: u32 = 1 << 5 | 1 << 6 | 1 << 7;
    /// An option refers to it (`-u`, `-e`, `--require-defined`, ...): a root.
    pub const ROOT: u32 = 1 << 8;
    /// `--wrap` redirects undefined references to it.
    pub const WRAPPED: u32 = 1 << 10;
    /// An object defines it as a common symbol.
    pub const COMMON: u32 = 1 << 11;
    /// A shared object refers to it by a symbol that is not weak.
    pub const SHARED_REF_STRONG: u32 = 1 << 12;
    /// An archive that `--exclude-libs` names defines it.
    pub const EXCLUDED: u32 = 1 << 13;
    /// An object defines it, whether linked or not when this was noted.
    pub const DEFINED: u32 = 1 << 14;
    /// A shared object defines it as a function, or refers to it as to a function with a version.
    pub const SHARED_FUNC: u32 = 1 << 15;
    /// A shared object defines it as a variable, or refers to it as to a variable with a version.
    pub const SHARED_DATA: u32 = 1 << 16;
    /// An expression of a script takes its value.
    pub const MENTIONED: u32 = 1 << 19;
    /// A file that is linked because a name of it was wanted defines it.
    pub const DEFINED_BY_MEMBER: u32 = 1 << 20;
    /// Any of these: it must be defined, so archive members are taken for it.
    pub const REFERRED_TO_STRONGLY: u32 = UNDEF_STRONG | ROOT | SHARED_REF_STRONG;
    /// Further bits whose meaning an object format defines.
    pub const OF_FORMAT: u32 = 1 << 9 | 1 << 17 | 1 << 18 | 7 << 21;
}

/// The references and definitions of one name in all files. File ids are stored inverted, so that 0
/// means none and the greatest value is the earliest file.
#[derive(Debug, FromZeros)]
#[repr(C)]
pub struct NameReferences {
    flags: AtomicU32,
    lazy: AtomicU32,
    shared: AtomicU32,
    comdat: AtomicU32,
}
const _: () = assert!(size_of::<NameReferences>() == 16);

impl NameReferences {
    /// All bits that were added.
    #[inline(always)]
    pub fn flags(&self) -> u32 {
        self.flags.load(Ordering::Relaxed)
    }

    /// Adds bits; only a load if they are set already.
    #[inline(always)]
    pub fn add(&self, bits: u32) {
        if self.flags() & bits != bits {
            self.flags.fetch_or(bits, Ordering::Relaxed);
        }
    }

    /// Removes bits that do not hold any more.
    pub fn remove(&self, bits: u32) {
        self.flags.fetch_and(!bits, Ordering::Relaxed);
    }

    /// Notes that the archive member or lazy object `file` would define the name.
    #[inline]
    pub fn offer_lazy(&self, file: FileId) {
        earliest(&self.lazy, file);
    }

    /// Notes that the shared object `file` defines the name.
    #[inline]
    pub fn offer_shared(&self, file: FileId) {
        earliest(&self.shared, file);
    }

    /// Notes that `file` has a COMDAT group with this signature.
    #[inline]
    pub fn offer_comdat(&self, file: FileId) {
        earliest(&self.comdat, file);
    }

    /// Forgets which files have a COMDAT group with this signature.
    #[inline]
    pub fn forget_comdat(&self) {
        self.comdat.store(0, Ordering::Relaxed);
    }

    /// Whether no file has a COMDAT group with this signature.
    #[inline]
    pub fn has_no_comdat(&self) -> bool {
        self.comdat.load(Ordering::Relaxed) == 0
    }

    /// The file whose group with this signature is kept.
    #[inline(always)]
    pub fn comdat_owner(&self) -> FileId {
        FileId::new(!self.comdat.load(Ordering::Relaxed))
    }

    /// The earliest lazy file that would define the name.
    #[inline]
    pub fn lazy(&self) -> Option<FileId> {
        OptionalId::from_word(!self.lazy.load(Ordering::Relaxed)).get()
    }

    /// The lazy file that a strong reference at position `place` takes: no object of the command
    /// line defines the name, and no shared object does before both the file and the reference.
    /// `None` if it takes none.
    #[inline]
    pub fn wanted_lazy(&self, place: FileId) -> Option<FileId> {
        if self.flags() & ref_flags::DEFINED_BY_ROOT != 0 {
            return None;
        }
        self.first_lazy(place)
    }

    /// The same, even if an object of the command line defines the name.
    #[inline]
    pub fn first_lazy(&self, place: FileId) -> Option<FileId> {
        let lazy = self.lazy.load(Ordering::Relaxed);
        if lazy == 0 {
            return None;
        }
        let is_first = lazy.min(!place.number()) > self.shared.load(Ordering::Relaxed);
        (is_first || self.is_inside()).then_some(FileId::new(!lazy))
    }

    /// Whether the name would have taken the lazy file `file` first if it offered the name.
    #[inline]
    pub fn would_take(&self, file: FileId) -> bool {
        let is_before = |other: FileId| file < other;
        self.flags() & ref_flags::DEFINED_BY_ROOT == 0
            && self.lazy().is_none_or(is_before)
            && (self.shared().is_none_or(is_before) || self.is_inside())
    }

    /// Whether the name must be defined inside the output.
    #[inline]
    pub fn is_inside(&self) -> bool {
        self.flags() & ref_flags::OWN != 0
    }

    /// The earliest shared object that defines the name.
    #[inline]
    pub fn shared(&self) -> Option<FileId> {
        OptionalId::from_word(!self.shared.load(Ordering::Relaxed)).get()
    }
}

#[inline]
fn earliest(column: &AtomicU32, file: FileId) {
    let value = !file.number();
    if column.load(Ordering::Relaxed) < value {
        column.fetch_max(value, Ordering::Relaxed);
    }
}

/// The records of all names, by name id; the table grows with the name table.
#[derive(Debug, Default)]
pub struct ReferenceColumn {
    records: Column<NameId, NameReferences>,
    populated: PopulatedPrefix,
}

impl ReferenceColumn {
    /// Makes sure that ids below `limit` have a record; those below `used` may hold data.
    pub fn grow(&mut self, used: usize, limit: usize) {
        if limit > self.records.len() {
            // Zero pages from the system: records that stay unused are never touched.
            let new = NameReferences::new_vec_zeroed(limit).expect("memory for references");
            let old = std::mem::replace(&mut self.records, new.into());
            for (new, old) in self.records.iter_mut().zip(old).take(used) {
                *new = old;
            }
            self.populated = PopulatedPrefix::new(used);
        }
    }

    /// Maps memory for the records below `limit`, most of which are about to be used.
    pub fn expect(&self, limit: usize) {
        self.populated.extend(&self.records, limit);
    }

    /// The record of a name.
    #[inline(always)]
    pub fn get(&self, id: NameId) -> &NameReferences {
        &self.records[id]
    }

    /// The records of the ids below `limit`.
    #[inline]
    pub fn below(&self, limit: usize) -> &IdSlice<NameId, NameReferences> {
        IdSlice::new(&self.records.items()[..limit])
    }

    /// Prefetches the record of a name.
    #[inline(always)]
    pub fn prefetch(&self, id: NameId) {
        self.records.prefetch(id);
    }
}
