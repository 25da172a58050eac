//! Bits that ELF adds to the words of [`skald_base::name_references`]: visibility (gABI,
//! `st_other`) and versions.

pub use skald_base::name_references::{NameReferences, ReferenceColumn};

/// Bits of [`NameReferences::flags`].
#[allow(missing_docs)]
pub mod ref_flags {
    use object::elf::{STV_DEFAULT, STV_HIDDEN, STV_INTERNAL, STV_PROTECTED};
    pub use skald_base::name_references::ref_flags::*;

    pub const HIDDEN: u32 = 1 << 5;
    pub const INTERNAL: u32 = 1 << 6;
    pub const PROTECTED: u32 = 1 << 7;
    const _: () = assert!(HIDDEN | INTERNAL | PROTECTED == OWN);
    /// The name is `foo@V`, and no library defines this version.
    pub const VERSION_NOWHERE: u32 = 1 << 9;
    /// A shared object refers to the name without a version.
    pub const SHARED_REF_PLAIN: u32 = 1 << 17;
    /// All libraries that refer to the name mean versions of other libraries, hidden from plain
    /// names.
    pub const IMPORTED_ELSEWHERE: u32 = 1 << 18;

    /// The `st_other` visibility that files give a name: the strictest one.
    pub fn visibility(flags: u32) -> u8 {
        if flags & INTERNAL != 0 {
            STV_INTERNAL
        } else if flags & HIDDEN != 0 {
            STV_HIDDEN
        } else if flags & PROTECTED != 0 {
            STV_PROTECTED
        } else {
            STV_DEFAULT
        }
    }

    const _: () = assert!(VERSION_NOWHERE | SHARED_REF_PLAIN | IMPORTED_ELSEWHERE == OF_FORMAT);
}
