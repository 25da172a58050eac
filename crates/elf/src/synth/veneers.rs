//! Symbols of `.symtab` for code that the linker puts between inputs: thunks and moved
//! instructions. They are known only when the layout is, so they stand behind the linker's other
//! local symbols, and their names at the end of `.strtab`.

use crate::format::elf::Sym;
use crate::layout::OutputSections;
use crate::synth::image::SymbolPlace;
use object::elf::STB_LOCAL;

/// A symbol of such code.
#[derive(Debug, Clone, Copy)]
pub struct Veneer {
    /// Offset of the name in [`Veneers::names`].
    pub name: u32,
    /// STT_*.
    pub kind: u8,
    /// Position of the output section.
    pub position: u32,
    /// `st_value`.
    pub address: u64,
    /// `st_size`.
    pub size: u64,
}

/// All symbols of such code, in the order of output sections and addresses.
#[derive(Debug, Default)]
pub struct Veneers {
    /// The symbols.
    pub symbols: Vec<Veneer>,
    /// Their names, each with a NUL.
    pub names: Vec<u8>,
}

impl Veneers {
    /// Adds a name that consists of `parts`; returns its offset.
    pub fn name(&mut self, parts: &[&[u8]]) -> u32 {
        let at = self.names.len() as u32;
        parts.iter().for_each(|part| self.names.extend_from_slice(part));
        self.names.push(0);
        at
    }

    /// Writes the symbols; their names begin at `strings` of `.strtab`.
    pub fn write(&self, outputs: &OutputSections, strings: u32, entries: &mut [Sym]) {
        for (veneer, entry) in self.symbols.iter().zip(entries) {
            let mut sym = Sym::with_info(STB_LOCAL, veneer.kind);
            sym.set_st_name(strings + veneer.name);
            sym.set_st_shndx(veneer.place(outputs).shndx());
            sym.set_st_value(veneer.address);
            sym.set_st_size(veneer.size);
            *entry = sym;
        }
    }
}

impl Veneer {
    /// Its section.
    pub fn place(&self, outputs: &OutputSections) -> SymbolPlace {
        SymbolPlace::of(outputs.head_of.get(self.position as usize).copied().unwrap_or_default())
    }
}
