//! `-z unique-symbol`: appends a number to local symbols that share a name, so that tools which
//! name functions by their symbols (live patches of kernels) can tell them apart. As in GNU ld
//! every one of them gets a number, in the order of the files: `foo.0`, `foo.1`, in hexadecimal.

use crate::format::elf::Sym;
use object::elf::{STT_FILE, STT_SECTION};
use skald_core::id;
use skald_core::ids::OptionalId;
use skald_core::unordered::UnorderedMap;

id! {
    /// Number of a local symbol among those of the same name (`-z unique-symbol`).
    NamesakeId
}

/// How often each name of a local symbol has occurred.
#[derive(Debug, Default)]
pub struct LocalNumbering {
    met: UnorderedMap<&'static [u8], NamesakeId>,
}

impl LocalNumbering {
    /// The number of the next local symbol; none for a symbol that keeps its name.
    pub fn next(&mut self, symbol: &Sym, name: &'static [u8]) -> OptionalId<NamesakeId> {
        if name.is_empty() || matches!(symbol.kind(), STT_FILE | STT_SECTION) {
            return OptionalId::NONE;
        }
        let next = self.met.entry(name).or_default();
        let own = *next;
        *next = own + 1;
        own.into()
    }
}

/// The suffix for a name with this number.
pub fn suffix(number: OptionalId<NamesakeId>) -> String {
    number.get().map_or_else(String::new, |number| format!(".{:x}", number.number()))
}
