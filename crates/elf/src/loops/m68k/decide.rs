//! What scan and apply must decide alike.

use crate::format::elf::SymbolId;
use crate::read::object_file::ObjectFile;

/// Whether a symbol is the GOT itself. Code asks for its distance with the types for that of a word
/// in it.
pub fn is_got(object: &ObjectFile, symbol: SymbolId) -> bool {
    object.symbol_name(symbol) == b"_GLOBAL_OFFSET_TABLE_"
}
