//! References that name a version: `foo@V` (from `.symver`).
//!
//! Such a name is one of its own in the name table. Here it is bound: to the shared object's
//! definition of `foo` with that version, hidden ones included, or to an object's default
//! definition `foo@@V`. Few links have any, so this is serial. A definition `foo@V` beside a default
//! definition `foo@@V` is found here too: it is the second of one name and version.

use super::definitions::{
    Definition, Definitions, Duplicate, GLOBAL, NOWHERE, Rank, Strength, shared_bits,
};
use super::extract::Extraction;
use crate::read::ObjectFile;
use crate::read::candidates::Candidates;
use object::elf::SHN_UNDEF;
use skald_core::unordered::UnorderedMap;

/// Binds all versioned references.
pub fn bind(
    definitions: &mut Definitions,
    extraction: &Extraction,
    objects: &mut [ObjectFile],
    candidates: &Candidates,
) {
    let defaults = default_versions(objects);
    for (at, object) in objects.iter_mut().enumerate() {
        if !object.has_versioned_names {
            continue;
        }
        let first = object.first_global as usize;
        for index in first..object.symbols.len() {
            let text = object.symbol_name(index);
            let is_undefined = object.symbols[index].st_shndx.get() == SHN_UNDEF;
            let Some(mark) = memchr::memchr(b'@', text) else { continue };
            let base = &text[..mark];
            let version = &text[mark..];
            let version = &version[version.iter().take_while(|&&b| b == b'@').count()..];
            let name = object.globals[index - first];
            if !is_undefined {
                let plain = extraction.names.find(extraction.names.key().hash(base));
                let default = plain.filter(|plain| defaults.get(plain) == Some(&version));
                definitions
                    .duplicates
                    .extend(default.and_then(|plain| repeated_version(definitions, name, plain)));
                continue;
            }
            let is_open = definitions.ranks[name as usize].strength() == Strength::Undefined;
            if !is_open {
                continue;
            }
            // The default version of an object's own definition.
            let key = extraction.names.key().hash(base);
            let plain = extraction.names.find(key);
            if let Some(plain) = plain
                && defaults.get(&plain) == Some(&version)
            {
                object.globals[index - first] = plain;
                let slot = definitions.symbol_base[at] as usize + index;
                definitions.target[slot] = GLOBAL | plain;
                continue;
            }
            let found = candidates.shared.iter().enumerate().find_map(|(file, shared)| {
                shared.find_versioned(base, version).map(|symbol| (file as u32, symbol))
            });
            if let Some((file, symbol)) = found {
                let entry = &candidates.shared[file as usize].symbols[symbol as usize];
                definitions.ranks[name as usize] = Rank::new(Strength::Shared, file, symbol);
                definitions.globals[name as usize] =
                    Definition { section: NOWHERE, attributes: shared_bits(entry) };
            }
        }
    }
}

/// `foo@V`, whose id is `name`, and `foo@@V`, which is the default and has the id of `foo`, are both
/// defined.
fn repeated_version(definitions: &Definitions, name: u32, plain: u32) -> Option<Duplicate> {
    let is_strong = |name: u32| definitions.ranks[name as usize].strength() == Strength::Strong;
    let default = definitions.ranks[plain as usize];
    (name != plain && is_strong(name) && is_strong(plain)).then(|| Duplicate {
        name,
        object: default.file(),
        symbol: default.symbol(),
    })
}

/// Versions of default definitions `foo@@V`, by the id of `foo`.
fn default_versions(objects: &[ObjectFile]) -> UnorderedMap<u32, &'static [u8]> {
    let mut versions = UnorderedMap::new();
    for object in objects.iter().filter(|o| o.has_versioned_names) {
        let first = object.first_global as usize;
        for (index, &name) in (first..).zip(&object.globals) {
            let text = object.symbol_name(index);
            if object.symbols[index].st_shndx.get() != SHN_UNDEF
                && let Some(mark) = memchr::memmem::find(text, b"@@")
            {
                versions.insert(name, &text[mark + 2..]);
            }
        }
    }
    versions
}
