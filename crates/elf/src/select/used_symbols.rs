//! Finds symbols that relocations of the output refer to, when it keeps relocations (`-r`,
//! `--emit-relocs`): these symbols are kept whatever options drop.

use crate::format::elf::SymbolId;
use crate::read::candidates::Candidates;
use crate::read::object_file::SectionFlags;
use crate::read::{ObjectId, Objects};
use crate::resolve::definitions::Definitions;
use crate::select::liveness::Liveness;
use skald_core::column::zeroed;
use skald_core::diag::Diag;
use skald_core::ids::{Column, IdRange};
use skald_core::names::NameId;
use skald_core::par::prelude::*;
use std::sync::atomic::{AtomicU8, Ordering};

/// Marks of used symbols and names.
pub struct UsedSymbols {
    /// By symbol, laid out like [`Definitions::target`]; not zero if used.
    pub symbols: Vec<u8>,
    /// By name id; not zero if used.
    pub names: Column<NameId, AtomicU8>,
}

/// Marks the used symbols and names, and checks that every relocation refers to a symbol of its
/// file.
pub fn find(
    objects: &Objects,
    definitions: &Definitions,
    live: &Liveness,
    candidates: &Candidates,
    diag: &Diag,
) -> UsedSymbols {
    let mut symbols: Vec<u8> = zeroed(definitions.target.len());
    let names: Column<NameId, AtomicU8> = Column::zeroed(definitions.globals.len());
    let parts = definitions.symbol_parts(&mut symbols);
    objects.par_iter().with_max_len(8).zip(parts).enumerate().for_each(|(at, (object, part))| {
        let at = ObjectId::from_index(at);
        let targets = definitions.targets_of(at);
        for id in definitions.sections_of(at).ids() {
            let section = &definitions.sections[id];
            if section.flags.has(SectionFlags::COMMON) || !live.is_live(id) {
                continue;
            }
            for reloc in object.relocs(section) {
                let symbol = reloc.symbol();
                let Some(slot) = part.get_mut(symbol) else {
                    if symbol == SymbolId::default() {
                        continue;
                    }
                    let file = object.file.map(|f| candidates.display_name(f));
                    let text = format!(
                        "{}: relocation in section {} refers to symbol {symbol}, which is not in \
                         the symbol table",
                        file.unwrap_or_default(),
                        String::from_utf8_lossy(object.section_name(section.shndx)),
                    );
                    diag.error((at.into(), u64::from(section.shndx)), text);
                    break;
                };
                *slot = 1;
                let target = targets[symbol];
                if let Some(name) = target.name() {
                    let name = &names[name];
                    if name.load(Ordering::Relaxed) == 0 {
                        name.store(1, Ordering::Relaxed);
                    }
                }
            }
        }
    });
    UsedSymbols { symbols, names }
}
