//! Names with a version as they are spelled: `foo@V` and `foo@@V`.

use crate::format::elf::SymbolId;
use crate::read::ObjectFile;
use crate::read::object_file::VersionedName;
use object::elf::SHN_UNDEF;
use skald_core::ids::IdRange;

/// A name `base@VERSION`, split.
pub struct Spelled<'a> {
    /// The part before the `@`.
    pub base: &'a [u8],
    /// The part behind the `@`; empty for the base version.
    pub version: &'a [u8],
    /// The name is spelled with `@@` (default version).
    pub is_default: bool,
}

impl<'a> Spelled<'a> {
    /// Splits a name; `None` without an `@`.
    pub fn new(text: &'a [u8]) -> Option<Spelled<'a>> {
        let mark = memchr::memchr(b'@', text)?;
        let behind = &text[mark..];
        // `@@@` in an object of another assembler is a default version, as `@@` is.
        let marks = behind.iter().take_while(|&&byte| byte == b'@').count();
        Some(Spelled { base: &text[..mark], version: &behind[marks..], is_default: marks > 1 })
    }
}

/// A symbol of an object whose name has a version.
pub struct VersionedSymbol {
    /// Index in the object's symbol table.
    pub index: SymbolId,
    /// The part of the name before the `@`.
    pub base: &'static [u8],
    /// The part behind the `@`; empty for the base version.
    pub version: &'static [u8],
    /// The name is spelled with `@@` (default version).
    pub is_default: bool,
    /// The symbol is a definition, not a reference.
    pub is_defined: bool,
}

/// The global symbols of an object that have versions, in order.
pub fn versioned_symbols(object: &ObjectFile) -> impl Iterator<Item = VersionedSymbol> + use<'_> {
    object.versioned.iter().map(|name| {
        let index = name.index;
        let symbol = &object.mapped.symbols[index];
        let text = &object.mapped.strtab[symbol.st_name() as usize..][..name.len as usize];
        VersionedSymbol {
            index,
            base: &text[..name.base_len as usize],
            version: &text[(name.base_len + name.marks) as usize..],
            is_default: name.marks > 1,
            is_defined: symbol.st_shndx() != SHN_UNDEF,
        }
    })
}

/// Finds the versioned names of an object whose names are not interned; otherwise interning does
/// this.
pub fn find_versioned(object: &mut ObjectFile) {
    let versioned = object.global_ids().ids().filter_map(|index| {
        let text = object.symbol_name(index);
        Some(VersionedName::new(index, text, memchr::memchr(b'@', text)?))
    });
    object.versioned = versioned.collect();
    object.has_versioned_names = !object.versioned.is_empty();
}
