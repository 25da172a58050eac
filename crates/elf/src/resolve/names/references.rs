//! Bits that ELF adds to the words of [`skald_linking::name_references`]: visibility (gABI,
//! `st_other`) and versions.

pub use skald_linking::name_references::{NameReferences, ReferenceColumn};

/// Bits of [`NameReferences::flags`].
#[allow(missing_docs)]
pub mod ref_flags {
    use object::elf::{
        STT_COMMON, STT_FUNC, STT_GNU_IFUNC, STT_NOTYPE, STT_OBJECT, STT_TLS, STV_DEFAULT,
        STV_HIDDEN, STV_INTERNAL, STV_PROTECTED,
    };
    pub use skald_linking::name_references::ref_flags::*;

    pub const HIDDEN: u32 = 1 << 5;
    pub const INTERNAL: u32 = 1 << 6;
    pub const PROTECTED: u32 = 1 << 7;
    const _: () = assert!(HIDDEN | INTERNAL | PROTECTED == OWN);
    /// The name is `foo@V`, and no library defines this version.
    pub const VERSION_NOWHERE: u32 = 1 << 9;
    /// A shared object refers to the name without a version.
    pub const SHARED_REF_PLAIN: u32 = 1 << 17;
    /// All libraries that refer to the name mean a hidden version in another library, to which
    /// plain names do not bind.
    pub const IMPORTED_ELSEWHERE: u32 = 1 << 18;

    /// An undefined symbol of an object has this type.
    pub const UNDEF_FUNC: u32 = 1 << 21;
    pub const UNDEF_OBJECT: u32 = 1 << 22;
    pub const UNDEF_TLS: u32 = 1 << 23;
    /// The bit that an undefined symbol of this type (`STT_*`) adds. Assemblers give few undefined
    /// symbols a type.
    #[cold]
    pub const fn of_undefined(st_type: u8) -> u32 {
        match st_type {
            STT_FUNC | STT_GNU_IFUNC => UNDEF_FUNC,
            STT_OBJECT | STT_COMMON => UNDEF_OBJECT,
            STT_TLS => UNDEF_TLS,
            _ => 0,
        }
    }

    /// The type that objects give to a name which nothing defines.
    pub fn undefined_type(flags: u32) -> u8 {
        if flags & UNDEF_TLS != 0 {
            STT_TLS
        } else if flags & UNDEF_FUNC != 0 {
            STT_FUNC
        } else if flags & UNDEF_OBJECT != 0 {
            STT_OBJECT
        } else {
            STT_NOTYPE
        }
    }

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

    const TYPES: u32 = UNDEF_FUNC | UNDEF_OBJECT | UNDEF_TLS;
    const _: () =
        assert!(VERSION_NOWHERE | SHARED_REF_PLAIN | IMPORTED_ELSEWHERE | TYPES == OF_FORMAT);
}
