//! Symbols that wait to be written: 36 bytes each, because a large object has many of them.
//!
//! Names stay where the object has them. As the place of a name in the output is a running sum,
//! `st_name` is free to say where in the object that is.

use crate::format::elf::{Sym, SymbolId};
use object::elf::{SHN_LORESERVE, SHN_XINDEX};
use skald_core::column::with_room;
use std::ops::Range;
use zerocopy::IntoBytes;

/// A symbol of the output, before it is known where in `.strtab` its name will be.
#[derive(Debug, Clone, Copy)]
pub struct Symbol {
    /// As it is written, except `st_name`, which is the offset in the object's string table.
    pub sym: Sym,
    /// Section header index in the output; 0 if `st_shndx` is right as it is (SHN_ABS and the
    /// like).
    pub shndx: u32,
    /// Index in the object's symbol table; 0 for symbols of no object.
    pub index: SymbolId,
    /// The name that the output has for it.
    pub text: &'static [u8],
    /// `text` is not the name in the object: `st_name` is of no use.
    pub is_renamed: bool,
}

impl Symbol {
    /// Bytes in `.strtab`, with the NUL; none for the empty name.
    pub fn string_size(&self) -> u64 {
        if self.text.is_empty() { 0 } else { self.text.len() as u64 + 1 }
    }
}

/// A symbol as [`SymbolList`] keeps it.
#[derive(Debug, Clone, Copy)]
struct Entry {
    /// `st_name` is the offset of the name in the list's string table or, if the symbol was
    /// renamed, its number among those.
    sym: Sym,
    shndx: u32,
    /// Index in the object's symbol table, and [`RENAMED`].
    index: u32,
    /// Bytes of the name without the NUL.
    text_size: u32,
}
const _: () = assert!(size_of::<Entry>() == 36);

/// A bit that no symbol index reaches: a symbol takes 24 bytes, so a file has fewer of them.
const RENAMED: u32 = 1 << 31;

impl Entry {
    fn string_size(&self) -> u64 {
        if self.text_size == 0 { 0 } else { u64::from(self.text_size) + 1 }
    }
}

/// Symbols in the order of the output, all of one object or all of none.
#[derive(Debug, Default)]
pub struct SymbolList {
    entries: Vec<Entry>,
    /// String table of the object; empty if there is none.
    strtab: &'static [u8],
    renamed: Vec<&'static [u8]>,
}

impl SymbolList {
    /// An empty list for symbols of the object that has this string table; nearly `len` will come.
    pub fn new(len: usize, strtab: &'static [u8]) -> SymbolList {
        SymbolList { entries: with_room(len), strtab, renamed: Vec::new() }
    }

    /// How many symbols the list has: one past the last `at`.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Appends a symbol: the order of calls is that of the output.
    #[inline]
    pub fn push(&mut self, symbol: &Symbol) {
        let &Symbol { sym, shndx, index, text, is_renamed } = symbol;
        let mut entry = Entry { sym, shndx, index: index.number(), text_size: text.len() as u32 };
        if is_renamed {
            self.set_text(&mut entry, text);
        }
        self.entries.push(entry);
    }

    #[cold]
    fn set_text(&mut self, entry: &mut Entry, text: &'static [u8]) {
        entry.sym.set_st_name(self.renamed.len() as u32);
        entry.index |= RENAMED;
        entry.text_size = text.len() as u32;
        self.renamed.push(text);
    }

    /// Gives the symbol at `at` another name.
    pub fn rename(&mut self, at: usize, text: &'static [u8]) {
        let mut entry = self.entries[at];
        self.set_text(&mut entry, text);
        self.entries[at] = entry;
    }

    /// The symbol at `at`; its `st_name` is not an offset in the output.
    pub fn sym(&self, at: usize) -> &Sym {
        &self.entries[at].sym
    }

    /// Bytes in `.strtab` of the name of the symbol at `at`.
    pub fn string_size(&self, at: usize) -> u64 {
        self.entries[at].string_size()
    }

    /// The name of the symbol at `at`.
    pub fn text(&self, at: usize) -> &'static [u8] {
        self.text_of(&self.entries[at])
    }

    fn text_of(&self, entry: &Entry) -> &'static [u8] {
        let name = entry.sym.st_name() as usize;
        match entry.index & RENAMED {
            _ if entry.text_size == 0 => &[],
            0 => &self.strtab[name..name + entry.text_size as usize],
            _ => self.renamed[name],
        }
    }

    /// Indices of the symbols in the object's symbol table.
    pub fn indices(&self) -> impl Iterator<Item = SymbolId> {
        self.entries.iter().map(|entry| SymbolId::new(entry.index & !RENAMED))
    }

    /// Section header indices of the symbols in the output, 0 where `st_shndx` is right as it is.
    pub fn headers(&self) -> impl Iterator<Item = u32> {
        self.entries.iter().map(|entry| entry.shndx)
    }

    /// Writes the symbols that `range` counts; their names begin at `strings` in `.strtab`.
    pub fn write(&self, range: Range<usize>, mut strings: u64, out: &mut [u8]) {
        let (slots, _) = out.as_chunks_mut::<24>();
        for (entry, slot) in self.entries[range].iter().zip(slots) {
            let mut sym = entry.sym;
            let size = entry.string_size();
            sym.set_st_name(if size == 0 { 0 } else { strings as u32 });
            strings += size;
            if entry.shndx != 0 {
                sym.set_st_shndx(short_index(entry.shndx));
            }
            slot.copy_from_slice(sym.as_bytes());
        }
    }

    /// Writes the names of the symbols that `range` counts; returns how many bytes that were.
    pub fn write_names(&self, range: Range<usize>, out: &mut [u8]) -> usize {
        let mut cursor = 0;
        for entry in self.entries[range].iter().filter(|entry| entry.text_size != 0) {
            let end = cursor + entry.text_size as usize;
            out[cursor..end].copy_from_slice(self.text_of(entry));
            out[end] = 0;
            cursor = end + 1;
        }
        cursor
    }
}

/// `st_shndx` for a section header index: SHN_XINDEX if it does not fit.
pub fn short_index(header: u32) -> u16 {
    u16::try_from(header).ok().filter(|&h| h < SHN_LORESERVE).unwrap_or(SHN_XINDEX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_the_object_or_given_ones() {
        let mut list = SymbolList::new(3, b"\0first\0second\0");
        let mut symbol = Symbol {
            sym: Sym::default(),
            shndx: 0,
            index: SymbolId::new(1),
            text: b"first",
            is_renamed: false,
        };
        symbol.sym.set_st_name(1);
        list.push(&symbol);
        list.push(&Symbol { index: SymbolId::new(2), text: b"", ..symbol });
        list.push(&Symbol {
            index: SymbolId::new(3),
            text: b"third",
            is_renamed: true,
            shndx: 0x1_0000,
            ..symbol
        });
        assert_eq!([0, 1, 2].map(|at| list.text(at)), [&b"first"[..], b"", b"third"]);
        list.rename(0, b"first.1");
        assert_eq!([0, 1, 2].map(|at| list.string_size(at)), [8, 0, 6]);
        assert!(list.indices().eq([1, 2, 3].map(SymbolId::new)));
        let mut names = [0xff; 14];
        assert_eq!(list.write_names(0..3, &mut names), 14);
        assert_eq!(&names, b"first.1\0third\0");
        let mut symbols = [0; 72];
        list.write(0..3, 100, &mut symbols);
        let field = |at: usize| u32::from_le_bytes(symbols[at * 24..][..4].try_into().unwrap());
        assert_eq!([0, 1, 2].map(field), [100, 0, 108]);
        assert_eq!(symbols[48 + 6..][..2], SHN_XINDEX.to_le_bytes());
    }
}
