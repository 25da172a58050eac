//! Symbols of `.symtab` that are not copied from an object's table: the linker's own, imports,
//! names of `-u`, and with `--emit-relocs` symbols that relocations refer to.

use super::sections::Plan;
use super::slots::Slots;
use super::symtab::ExtraSymbol;
use crate::args::Options;
use crate::read::Objects;
use crate::resolve::definitions::{Definitions, attr};
use crate::resolve::extract::Extraction;
use crate::resolve::linker_symbols::{ClaimedSymbols, Mark};
use crate::resolve::ref_flags;
use crate::select::copies::Copies;
use crate::select::used_symbols::UsedSymbols;
use object::elf::STT_NOTYPE;
use skald_core::names::NameId;
use skald_core::unordered::UnorderedSet;
use std::sync::atomic::Ordering;

/// The tables that such symbols are found in.
pub struct ExtraInput<'a> {
    /// The names of `-u` are read.
    pub options: &'a Options,
    /// Names, and how files refer to each.
    pub extraction: &'a Extraction,
    /// The objects that are taken, by id.
    pub objects: &'a Objects,
    /// The definition of each name.
    pub definitions: &'a Definitions,
    /// Names that the linker defines (bounds, `--defsym`, assignments).
    pub claimed: &'a ClaimedSymbols,
    /// Variables of libraries that the output holds.
    pub copies: &'a Copies,
    /// GOT words and PLT entries: without any, `_GLOBAL_OFFSET_TABLE_` is left out.
    pub slots: &'a Slots,
    /// Plans of the sections that the linker makes: dynamic symbols are among them.
    pub plan: &'a Plan,
    /// Symbols that relocations refer to; `None` without `--emit-relocs`.
    pub used: Option<&'a UsedSymbols>,
}

impl ExtraInput<'_> {
    /// The extra symbols: those that are local in the output, and those that are global.
    pub fn find(&self) -> (Vec<ExtraSymbol>, Vec<ExtraSymbol>) {
        let mut locals = Vec::new();
        let mut globals = Vec::new();
        let slots = self.slots;
        let has_got = self.plan.needs_got_base || !slots.got.is_empty() || !slots.plt.is_empty();
        for symbol in &self.claimed.symbols {
            if matches!(symbol.mark, Mark::Got) && !has_got {
                continue;
            }
            let global = self.definitions.globals[symbol.name];
            let list = if global.has(attr::LOCAL) { &mut locals } else { &mut globals };
            list.push(self.symbol(symbol.name));
        }
        globals.extend(self.undefined_roots().into_iter().map(|name| self.symbol(name)));
        if let Some(used) = self.used {
            self.add_used(used, &mut globals);
        }
        let copied: UnorderedSet<NameId> =
            self.copies.places.iter().map(|&(name, _)| name).collect();
        globals.reserve(self.plan.symbols.names.len());
        for &name in &self.plan.symbols.names {
            if !self.definitions.globals[name].has(attr::DEFINED) || copied.contains(&name) {
                globals.push(self.symbol(name));
            }
        }
        (locals, globals)
    }

    fn symbol(&self, name: NameId) -> ExtraSymbol {
        let text = self.extraction.pools.name(&self.extraction.names, name);
        let visibility = ref_flags::visibility(self.extraction.refs.get(name).flags());
        ExtraSymbol { name, text, reference: (STT_NOTYPE, visibility) }
    }

    /// Names of `-u` that nothing defines: as with GNU ld they are undefined symbols.
    fn undefined_roots(&self) -> Vec<NameId> {
        let mut names: Vec<NameId> = Vec::new();
        let mut seen = UnorderedSet::new();
        for text in &self.options.undefined {
            let Some(name) = self.extraction.own_name(text.as_bytes()) else { continue };
            let is_listed = self.plan.symbols.index_of.get(name).is_some_and(|&at| at != 0);
            let is_defined = self.definitions.globals[name].has(attr::DEFINED);
            if !is_listed && !is_defined && seen.insert(name) {
                names.push(name);
            }
        }
        names
    }

    /// Adds names that emitted relocations refer to and that are not among the objects' symbols.
    fn add_used(&self, used: &UsedSymbols, globals: &mut Vec<ExtraSymbol>) {
        let mut known: UnorderedSet<NameId> = globals.iter().map(|extra| extra.name).collect();
        known.extend(self.plan.symbols.names.iter().copied());
        for (_, symbol, name) in self.objects.iter().flat_map(|object| object.globals()) {
            let is_used = used.names[name].load(Ordering::Relaxed) != 0;
            let is_defined = self.definitions.globals[name].has(attr::DEFINED);
            if is_used && !is_defined && known.insert(name) {
                let mut extra = self.symbol(name);
                extra.reference.0 = symbol.kind();
                globals.push(extra);
            }
        }
    }
}
