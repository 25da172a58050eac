//! Which word of the GOT a reference uses.

use crate::format::elf::{Rela, SymbolId};
use crate::machine::mips::numbers::*;
use crate::read::{ObjectId, Objects};
use crate::resolve::definitions::attr;
use crate::select::scan::SymbolView;
use object::elf::*;

/// The word that a load uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Word {
    /// That of the symbol, which the loader may bind to another one.
    Symbol,
    /// That of the sum of symbol and addend.
    Sum,
    /// That of the page of the sum; another instruction adds the rest.
    Page,
}

/// The word for a type that loads from the GOT.
pub fn word_of(r_type: u32, view: SymbolView, addend: i64) -> Word {
    let is_local = view.name().is_none();
    let is_page = match r_type {
        R_MIPS_GOT_PAGE | R_MICROMIPS_GOT_PAGE => has_page(view),
        // A second instruction adds the rest only if the assembler saw a local symbol.
        R_MIPS_GOT16 | R_MICROMIPS_GOT16 => is_local,
        _ => false,
    };
    if is_page {
        Word::Page
    } else if view.is_imported() || !is_local && addend == 0 {
        Word::Symbol
    } else {
        Word::Sum
    }
}

/// Whether the symbol's address is found by its page; `R_MIPS_GOT_OFST` is then the rest, and
/// otherwise just the addend.
pub fn has_page(view: SymbolView) -> bool {
    !view.is_imported() && view.value_base.section().is_some()
}

/// Whether the symbol has a definition in this output, whatever preempts it.
pub fn is_here(view: SymbolView) -> bool {
    view.attributes & (attr::DEFINED | attr::SHARED) == attr::DEFINED
}

/// Whether a symbol is `_gp_disp`, which stands for the distance from the instruction to the global
/// pointer.
pub fn is_pointer_distance(
    objects: &Objects,
    object: ObjectId,
    symbol: SymbolId,
    view: SymbolView,
) -> bool {
    view.attributes & attr::SYNTHETIC != 0 && objects[object].symbol_name(symbol) == b"_gp_disp"
}

/// Whether a relocation does a further step on the result of the one before, which is at the same
/// place (n32).
pub fn continues(before: &Rela, reloc: &Rela) -> bool {
    before.r_offset() == reloc.r_offset() && reloc.r_sym() == 0
}
