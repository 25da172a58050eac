//! What scan and apply must decide alike.

use crate::format::elf::{Rela, SymbolId};
use crate::read::object_file::{ObjectFile, SectionFlags};
use crate::resolve::definitions::attr;
use crate::resolve::dynamic::OutputShape;
use crate::select::scan::SymbolView;

/// Whether a symbol is the GOT itself. Code asks for its distance with the types for that of a word
/// in it.
pub fn is_got(object: &ObjectFile, symbol: SymbolId) -> bool {
    object.symbol_name(symbol) == b"_GLOBAL_OFFSET_TABLE_"
}

/// Whether an address in code at fixed addresses is that which `jsr` or `jmp` goes to, so that an
/// imported function needs no address of its own for it.
pub fn is_call(
    shape: OutputShape,
    view: SymbolView,
    flags: SectionFlags,
    section: &[u8],
    reloc: &Rela,
) -> bool {
    let field = reloc.r_offset() as usize;
    let opcode = field.checked_sub(2).and_then(|start| section.get(start..field));
    !shape.is_pic
        && flags.has(SectionFlags::EXEC)
        && view.attributes & attr::FUNC != 0
        && matches!(opcode, Some([0x4e, 0xb9 | 0xf9]))
}
