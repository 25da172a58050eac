//! Gives local IFUNCs names of their own.
//!
//! All references to an IFUNC go through the address that its resolver returns, so a local one
//! needs a GOT word and a PLT entry, which only global names have. It gets a name that no file can
//! refer to. Few objects have any (C libraries do), so this is serial.

use super::definitions::{Definition, Definitions, Rank, Strength, attr};
use super::extract::Extraction;
use super::referent::{PackedReferent, ValueBase};
use crate::read::Objects;
use skald_core::names::{HashedName, NameRef};

/// Names every local IFUNC of `definitions`.
pub fn name_all(definitions: &mut Definitions, extraction: &mut Extraction, objects: &Objects) {
    if definitions.local_ifuncs.is_empty() {
        return;
    }
    extraction.names.reserve(definitions.local_ifuncs.len());
    extraction.refs.grow(extraction.names.id_limit(), extraction.names.capacity());
    let mut stock = extraction.names.stock();
    let mut named = Vec::new();
    for &(at, symbol) in &definitions.local_ifuncs {
        let object = &objects[at];
        let file = object.file.expect("numbered when taken");
        let text = object.symbol_name(symbol);
        let name = NameRef {
            pool: extraction.pools.of_file(file),
            pool_offset: object.mapped.symbols[symbol].st_name(),
            len: text.len() as u32,
        };
        // Symbol names in files hold no NUL, so this name is new.
        let unique =
            [text, b"\0", &at.number().to_le_bytes(), &symbol.number().to_le_bytes()].concat();
        let hash = extraction.names.key().hash(&unique);
        named.push((at, symbol, extraction.names.intern(HashedName { hash, name }, &mut stock)));
    }
    let limit = extraction.names.id_limit();
    let none = Definition { value_base: ValueBase::NOWHERE, attributes: 0 };
    definitions.globals.resize(limit, none);
    definitions.ranks.resize(limit, Rank::NONE);
    for (at, symbol, name) in named {
        let slot = definitions.target_mut(at, symbol);
        let target = std::mem::replace(slot, PackedReferent::global(name));
        definitions.globals[name] = Definition {
            value_base: target.value_base().expect("a local symbol"),
            attributes: attr::DEFINED | attr::IFUNC | attr::FUNC | attr::LOCAL,
        };
        definitions.ranks[name] = Rank::of_object(Strength::Strong, at, symbol);
    }
}
