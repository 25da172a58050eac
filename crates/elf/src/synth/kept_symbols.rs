//! Entries and names of the symbols that an output keeps of an object: the loops that images and
//! relocatable outputs share.

use super::local_numbering::{NamesakeId, suffix};
use crate::format::elf::{Sym, SymbolId};
use crate::read::ObjectFile;
use skald_core::column::prefetch;
use skald_core::ids::OptionalId;

/// Symbols ahead of the loop for which something is prefetched.
pub const AHEAD: usize = 8;
/// Bytes of a cache line.
const CACHE_LINE: usize = 64;

/// A symbol of an object that `.symtab` keeps.
#[derive(Debug, Clone, Copy)]
pub struct KeptSymbol {
    /// Index in the object's symbol table.
    pub symbol: SymbolId,
    /// Bytes of its name, without the NUL.
    pub name_len: u32,
}

/// Writes the names of `all`, each with its number if it has one, and a NUL. If all empty names
/// share one (`SHARES_EMPTY`), nothing is written for an empty name. `name` gives a symbol's name
/// without its number, given its length.
pub fn copy_names<const SHARES_EMPTY: bool>(
    object: &ObjectFile,
    all: &[KeptSymbol],
    numbers: &[OptionalId<NamesakeId>],
    out: &mut [u8],
    name: impl Fn(&KeptSymbol, usize) -> &'static [u8],
) {
    let mut cursor = 0;
    for (i, kept) in all.iter().enumerate() {
        if let Some(ahead) = all.get(i + AHEAD) {
            let start = name_start(object, ahead);
            prefetch(object.mapped.strtab, start);
            prefetch(object.mapped.strtab, start + CACHE_LINE);
        }
        if SHARES_EMPTY && kept.name_len == 0 {
            continue;
        }
        let end = cursor + kept.name_len as usize;
        let mut len = kept.name_len as usize;
        if let Some(&number) = numbers.get(i) {
            let suffix = suffix(number);
            len -= suffix.len();
            out[cursor + len..end].copy_from_slice(suffix.as_bytes());
        }
        // A name outside of the string table counts as empty, and its offset is not used.
        if len != 0 {
            out[cursor..cursor + len].copy_from_slice(name(kept, len));
        }
        out[end] = 0;
        cursor = end + 1;
    }
}

#[inline(always)]
fn name_start(object: &ObjectFile, kept: &KeptSymbol) -> usize {
    object.mapped.symbols[kept.symbol].st_name() as usize
}

/// The name that a symbol has in its object, of `len` bytes.
#[inline(always)]
pub fn own_name(object: &ObjectFile, kept: &KeptSymbol, len: usize) -> &'static [u8] {
    let start = name_start(object, kept);
    &object.mapped.strtab[start..start + len]
}

/// Writes symbols of an object, whose names begin at `strings`: the result of `entry` with
/// `st_name` set. If all empty names share one (`SHARES_EMPTY`), an empty name has no place of its
/// own.
#[inline(always)]
pub fn write_kept<const SHARES_EMPTY: bool>(
    object: &ObjectFile,
    all: &[KeptSymbol],
    mut strings: u32,
    slots: &mut [Sym],
    entry: impl Fn(&KeptSymbol) -> Sym,
) {
    for (at, (kept, slot)) in all.iter().zip(slots).enumerate() {
        if let Some(ahead) = all.get(at + AHEAD) {
            object.mapped.symbols.prefetch(ahead.symbol);
        }
        let mut sym = entry(kept);
        if SHARES_EMPTY && kept.name_len == 0 {
            sym.set_st_name(0);
        } else {
            sym.set_st_name(strings);
            strings += kept.name_len + 1;
        }
        *slot = sym;
    }
}
