//! `-z unique-symbol`: local symbols that share a name get a number behind it, so that what names
//! functions by their symbols (live patches of kernels) can tell them apart. As GNU ld does, each
//! one is numbered, the first too, in the order of the files: `foo.0`, `foo.1`, in hexadecimal.

use crate::format::elf::Sym;
use object::elf::{STT_FILE, STT_SECTION};
use skald_core::id;
use skald_core::ids::OptionalId;
use skald_core::unordered::UnorderedMap;

id! {
    /// Number of a local symbol among those of the same name (`-z unique-symbol`).
    NamesakeId
}

/// How often each name of a local symbol has come.
#[derive(Debug, Default)]
pub struct LocalNumbering {
    met: UnorderedMap<&'static [u8], NamesakeId>,
}

impl LocalNumbering {
    /// The number of the next local symbol; none for one that keeps its name as it is.
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

/// What is written behind a name that has this number.
pub fn suffix(number: OptionalId<NamesakeId>) -> String {
    number.get().map_or_else(String::new, |number| format!(".{:x}", number.number()))
}
