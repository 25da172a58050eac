//! `-z unique-symbol`: local symbols that share a name get a number behind it, so that what names
//! functions by their symbols (live patches of kernels) can tell them apart. As GNU ld does, each
//! one is numbered, the first too, in the order of the files: `foo.0`, `foo.1`, in hexadecimal.

use crate::format::elf::Sym;
use object::elf::{STT_FILE, STT_SECTION};
use skald_core::unordered::UnorderedMap;

/// Stands for a symbol that keeps its name.
pub const NO_NUMBER: u32 = u32::MAX;

/// How often each name was met.
#[derive(Debug, Default)]
pub struct LocalNumbering {
    met: UnorderedMap<&'static [u8], u32>,
}

impl LocalNumbering {
    /// The number of the next local symbol.
    pub fn next(&mut self, symbol: &Sym, name: &'static [u8]) -> u32 {
        if name.is_empty() || matches!(symbol.kind(), STT_FILE | STT_SECTION) {
            return NO_NUMBER;
        }
        let count = self.met.entry(name).or_insert(0);
        *count += 1;
        *count - 1
    }
}

/// What is written behind a name.
pub fn suffix(number: u32) -> String {
    match number {
        NO_NUMBER => String::new(),
        number => format!(".{number:x}"),
    }
}
