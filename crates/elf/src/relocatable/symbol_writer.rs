//! Writes the symbol table: the null symbol, section symbols, symbols of objects, and symbols of no
//! object.

use super::entries::Entries;
use super::symbols::SymbolTable;
use crate::format::elf::Sym;
use crate::read::ObjectId;
use crate::synth::image::SymbolPlace;
use crate::synth::kept_symbols::{KeptSymbol, copy_names, own_name, write_kept};
use crate::synth::symtab::{SymTab, SymbolRun, copy_texts};
use crate::synth::symtab_shndx;
use object::elf::STT_SECTION;
use skald_core::ids::IndexRange;
use std::ops::Range;

/// The tables that symbols are written from.
#[derive(Clone, Copy)]
pub struct SymbolWriter<'a> {
    /// The symbols of objects, and the index of each.
    pub symtab: &'a SymTab,
    /// Symbols of no object.
    pub symbols: &'a SymbolTable,
    /// Makes the entry for each symbol of an object.
    pub entries: Entries<'a>,
}

impl SymbolWriter<'_> {
    /// Writes the null symbol and the STT_SECTION symbols.
    pub fn write_first(&self, out: &mut [u8]) {
        let headers = &self.symbols.section_headers;
        self.symtab.encoding.fill(out, |slots: &mut [Sym]| {
            for (at, slot) in slots.iter_mut().enumerate() {
                *slot = Sym::default();
                if let Some(&header) = at.checked_sub(1).and_then(|at| headers.get(at)) {
                    slot.set_st_info(STT_SECTION);
                    slot.set_st_shndx(SymbolPlace::of(header).shndx());
                }
            }
        });
    }

    /// Writes the locals or globals of one object.
    pub fn write_object(&self, globals: bool, at: ObjectId, out: &mut [u8]) {
        let own = &self.symtab.objects[at];
        let strings = own.strings + if globals { own.local_string_size } else { 0 };
        self.write_some(at, self.symtab.list(globals, at), strings, out);
    }

    /// Writes the symbols of a run.
    pub fn write_run(&self, run: &SymbolRun, out: &mut [u8]) {
        let kept = &self.symtab.list(run.globals, run.object)[run.entries.wide()];
        self.write_some(run.object, kept, run.strings as u32, out);
    }

    fn write_some(&self, at: ObjectId, kept: &[KeptSymbol], strings: u32, out: &mut [u8]) {
        self.symtab.encoding.fill(out, |slots| {
            write_kept::<true>(&self.entries.objects[at], kept, strings, slots, |kept| {
                self.entries.of(at, kept.symbol).expect("kept, so it has an entry").finished()
            });
        });
    }

    /// Writes the names of a run.
    pub fn write_names_of_run(&self, run: &SymbolRun, out: &mut [u8]) {
        self.write_names_of(run.object, run.globals, run.entries.wide(), out);
    }

    /// Writes the names of an object's symbols.
    pub fn write_names(&self, at: ObjectId, out: &mut [u8]) {
        let own = &self.symtab.objects[at];
        let (locals, globals) = out.split_at_mut(own.local_string_size as usize);
        self.write_names_of(at, false, 0..own.locals.len(), locals);
        self.write_names_of(at, true, 0..own.globals.len(), globals);
    }

    fn write_names_of(&self, at: ObjectId, globals: bool, range: Range<usize>, out: &mut [u8]) {
        let object = &self.entries.objects[at];
        let numbers = if globals { &[][..] } else { &self.symtab.objects[at].numbers };
        let numbers = numbers.get(range.clone()).unwrap_or_default();
        let kept = &self.symtab.list(globals, at)[range];
        let name = |kept: &KeptSymbol, len: usize| {
            let renamed = self.entries.renamed(at, kept.symbol);
            renamed.unwrap_or_else(|| own_name(object, kept, len))
        };
        copy_names::<true>(object, kept, numbers, out, name);
    }

    /// Writes the symbols of no object.
    pub fn write_extra(&self, out: &mut [u8]) {
        self.symtab.encoding.fill(out, |slots: &mut [Sym]| {
            let mut strings = self.symtab.extra_strings;
            for (extra, slot) in self.symbols.extra.iter().zip(slots) {
                *slot = extra.entry().finished();
                slot.set_st_name(strings);
                strings += extra.text.len() as u32 + 1;
            }
        });
    }

    /// Writes the names of the symbols of no object.
    pub fn write_extra_names(&self, out: &mut [u8]) {
        copy_texts(self.symbols.extra.iter().map(|extra| extra.text), out);
    }

    /// Writes `.symtab_shndx`: 32-bit section header indices, 0 where `st_shndx` has the index.
    pub fn write_indices(&self, out: &mut [u8]) {
        let mut headers = Vec::with_capacity(self.symtab.count as usize);
        headers.push(0);
        headers.extend(&self.symbols.section_headers);
        for globals in [false, true] {
            for at in self.symtab.objects.ids() {
                let header = |kept: &KeptSymbol| self.entries.header_of(at, kept.symbol);
                headers.extend(self.symtab.list(globals, at).iter().map(header));
            }
        }
        headers.extend(self.symbols.extra.iter().map(|extra| extra.shndx));
        let places = headers.into_iter().map(|header| Some(SymbolPlace::of(header)));
        symtab_shndx::write_places(self.symtab.encoding, places, out);
    }
}
