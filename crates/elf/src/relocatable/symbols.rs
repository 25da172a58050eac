//! The symbol table: null, one section symbol for each output section with content, the locals of
//! each object, then the globals.
//!
//! A defined name is written by the object that defines it, an undefined one by the first object
//! that refers to it. An atomic minimum finds that object, so the order does not depend on threads.
//! The tables of kept symbols, from which indices and names follow, are those of an image
//! ([`crate::synth::symtab`]).

use super::assigned::{self, AssignedSymbol};
use super::entries::Entries;
use super::laid_out::LaidOut;
use crate::args::assignments::Assignment;
use crate::args::{Discard, Strip};
use crate::check::assertions::Assertion;
use crate::format::elf::SymbolId;
use crate::layout::{Content, OutputSections, Synthetic};
use crate::read::ObjectId;
use crate::resolve::definitions::Strength;
use crate::script::section_names::{OutputId, known};
use crate::select::used_symbols::UsedSymbols;
use crate::synth::kept_symbols::KeptSymbol;
use crate::synth::symtab::{ObjectSymbols, SymTab, number_locals};
use object::elf::*;
use skald_core::column::{with_room, zeroed};
use skald_core::diag::{Diag, Error, WHOLE_LINK};
use skald_core::ids::{Column, IdRange};
use skald_core::names::NameId;
use skald_core::par::prelude::*;
use skald_core::perturb::shuffled;
use skald_core::unordered::UnorderedSet;
use skald_linking::expr::Expr;
use std::sync::atomic::{AtomicU32, Ordering};

/// Symbols of no object, and the index of each symbol in `.symtab`.
pub struct SymbolTable {
    /// Section header index of each STT_SECTION symbol's section.
    pub section_headers: Vec<u32>,
    /// Symbol table index of the STT_SECTION symbol of each output section.
    section_symbols: Column<OutputId, u32>,
    /// Symbols of no object: assigned, or named by the command line.
    pub extra: Vec<AssignedSymbol>,
    /// Symbol table index of each object's symbol, 0 for one that is left out; indexed as
    /// [`Definitions::target`](crate::resolve::definitions::Definitions::target).
    of_symbol: Vec<u32>,
    symbol_base: Column<ObjectId, u32>,
    /// Some symbol uses a GNU extension of the gABI, STB_GNU_UNIQUE or STT_GNU_IFUNC: then
    /// `EI_OSABI` is ELFOSABI_GNU.
    pub has_gnu_symbols: bool,
    /// Some `st_shndx` does not fit 16 bits, so that there is an SHT_SYMTAB_SHNDX.
    pub has_extended_indices: bool,
}

/// The tables that the symbol table is made from.
pub struct SymbolInput<'a> {
    /// Makes the entry for each symbol, if it is kept.
    pub entries: Entries<'a>,
    /// Symbols that a relocation refers to: no option removes them.
    pub used: &'a UsedSymbols,
    /// `--defsym` and assignments of scripts.
    pub assigned: &'a [Assignment],
    /// Values of `assigned` that a script's layout gives; `None` without one.
    pub laid_out: Option<&'a LaidOut>,
    /// `ASSERT` of scripts, with messages.
    pub assertions: &'a [Assertion<'a>],
    /// The names in the file of `--retain-symbols-file`; `None` without the option.
    pub retain: Option<&'a UnorderedSet<Vec<u8>>>,
    /// Called with each expression of `assigned` that has no value here, and why.
    pub bad_expression: &'a (dyn Fn(&Expr, &Error) + Sync),
    /// Receives errors of `ASSERT`, and of a `.strtab` of more than 4 GiB.
    pub diag: &'a Diag,
}

impl SymbolTable {
    /// Decides which symbols `.symtab` has and gives each its index.
    pub fn plan(input: &SymbolInput<'_>) -> (SymTab, SymbolTable) {
        let Entries { options, objects, definitions, joined, .. } = input.entries;
        let mut extra = assigned::evaluate(input);
        let owners = Owners::find(input, &extra);
        let select = |at| Selector { input, owners: &owners, at }.select();
        let selected: Vec<(ObjectSymbols, bool)> =
            objects.par_ids().with_max_len(16).map(select).collect();
        let has_gnu_symbols = selected.iter().any(|(_, has_gnu)| *has_gnu);
        let mut own: Column<ObjectId, ObjectSymbols> =
            selected.into_iter().map(|(own, _)| own).collect();
        if options.z.unique_symbol {
            number_locals(objects, &mut own);
        }
        extra.extend(assigned::undefined_roots(input, &owners));
        let mut table = SymbolTable {
            section_headers: Vec::new(),
            section_symbols: Column::filled(0, joined.outputs.names.len()),
            extra,
            of_symbol: Vec::new(),
            symbol_base: definitions.symbol_base.clone(),
            has_gnu_symbols,
            has_extended_indices: joined.symbol_headers() > usize::from(SHN_LORESERVE),
        };
        table.add_section_symbols(&joined.outputs);
        let first = 1 + table.section_headers.len() as u32;
        let names = table.extra.iter().map(|extra| extra.text.len() as u64 + 1).sum();
        let numbered = SymTab::numbered(own, first, table.extra.len() as u32, names);
        let symtab = SymTab { encoding: joined.outputs.encoding(), ..numbered };
        table.index_symbols(input, &owners, &symtab);
        if symtab.string_size > u64::from(u32::MAX) {
            input.diag.error(WHOLE_LINK, ".strtab would exceed 4 GiB");
        }
        (symtab, table)
    }

    fn add_section_symbols(&mut self, outputs: &OutputSections) {
        for (header, section) in (1..).zip(&outputs.sections) {
            let out = match section.content {
                Content::Synthetic(Synthetic::Group(_) | Synthetic::EmitRelocs(_)) => continue,
                Content::Synthetic(Synthetic::EhFrame) => Some(known::EH_FRAME),
                Content::Synthetic(_) => None,
                Content::Inputs { out, .. } => Some(out),
            };
            self.section_headers.push(header);
            if let Some(out) = out {
                self.section_symbols[out] = self.section_headers.len() as u32;
            }
        }
    }

    fn index_symbols(&mut self, input: &SymbolInput<'_>, owners: &Owners, symtab: &SymTab) {
        let Entries { objects, definitions, joined, .. } = input.entries;
        let first_extra = symtab.count - symtab.last;
        for (index, symbol) in (first_extra..).zip(&self.extra) {
            owners.index[symbol.name].store(index, Ordering::Relaxed);
        }
        symtab.objects.par_with_ids().with_max_len(16).for_each(|(at, own)| {
            let object = &objects[at];
            for (index, symbol) in (own.first_global..).zip(&own.globals) {
                let name = object.global(symbol.symbol);
                owners.index[name].store(index, Ordering::Relaxed);
            }
        });
        let mut of_symbol: Vec<u32> = zeroed(definitions.target.len());
        let parts = definitions.symbol_parts(&mut of_symbol);
        symtab.objects.par_iter().with_max_len(16).zip(parts).enumerate().for_each(
            |(at, (own, part))| {
                for (index, symbol) in (own.first_local..).zip(&own.locals) {
                    part[symbol.symbol] = index;
                }
                let at = ObjectId::from_index(at);
                let targets = definitions.targets_of(at);
                for (slot, &target) in part.iter_mut().zip(targets) {
                    if let Some(name) = target.name() {
                        *slot = owners.index[name].load(Ordering::Relaxed);
                    }
                }
                // The signature of a group may be an STT_SECTION symbol.
                let object = &objects[at];
                for (index, symbol) in object.mapped.symbols.with_ids() {
                    if symbol.kind() == STT_SECTION
                        && let Some(section) = targets[index].section()
                        && let Some(out) = joined.output_of.get(section)
                        && let Some(out) = out.get()
                    {
                        part[index] = self.section_symbols[out];
                    }
                }
            },
        );
        self.of_symbol = of_symbol;
    }

    /// Symbol table index in the output of an object's symbol, 0 if it is left out.
    #[inline]
    pub fn index(&self, object: ObjectId, symbol: SymbolId) -> u32 {
        let at = self.symbol_base[object] as usize + symbol.index();
        if at < self.symbol_base[object + 1] as usize { self.of_symbol[at] } else { 0 }
    }

    /// Symbol table index of the STT_SECTION symbol of an output section; 0 if it has none.
    pub fn section_symbol(&self, output: OutputId) -> u32 {
        self.section_symbols[output]
    }
}

/// Bytes of a symbol's name in `.strtab`, with the NUL; none for the empty name.
pub fn string_size(kept: &KeptSymbol) -> u32 {
    if kept.name_len == 0 { 0 } else { kept.name_len + 1 }
}

/// In [`Owners::referrer`]: the name is assigned. Assignments come before all objects.
const ASSIGNED: u32 = u32::MAX;

fn referrer_of(object: ObjectId) -> u32 {
    !(object.number() + 1)
}

/// Which object writes the symbol table entry of a global name: the first that refers to it.
pub struct Owners {
    /// By name: [`referrer_of`] the first object that refers to it, 0 for none; or [`ASSIGNED`].
    referrer: Column<NameId, AtomicU32>,
    /// By name: symbol table index in the output.
    index: Column<NameId, AtomicU32>,
}

impl Owners {
    fn find(input: &SymbolInput<'_>, assigned: &[AssignedSymbol]) -> Owners {
        let Entries { objects, definitions, .. } = input.entries;
        let referrer: Column<NameId, AtomicU32> = Column::zeroed(definitions.globals.len());
        for symbol in assigned {
            referrer[symbol.name].store(ASSIGNED, Ordering::Relaxed);
        }
        objects.par_with_ids().with_max_len(16).for_each(|(at, object)| {
            for &name in &object.globals {
                if definitions.ranks[name].strength() > Strength::Weak {
                    referrer[name].fetch_max(referrer_of(at), Ordering::Relaxed);
                }
            }
        });
        Owners { referrer, index: Column::zeroed(definitions.globals.len()) }
    }

    /// Whether an object or an assignment writes the name.
    pub fn has_owner(&self, name: NameId) -> bool {
        self.referrer[name].load(Ordering::Relaxed) != 0
    }

    fn is_assigned(&self, name: NameId) -> bool {
        self.referrer[name].load(Ordering::Relaxed) == ASSIGNED
    }
}

struct Selector<'a> {
    input: &'a SymbolInput<'a>,
    owners: &'a Owners,
    at: ObjectId,
}

impl Selector<'_> {
    /// The symbols that are kept, and whether one of them uses a GNU extension of the gABI.
    fn select(&self) -> (ObjectSymbols, bool) {
        let object = &self.input.entries.objects[self.at];
        // Reserved for all symbols: as a rule most are kept.
        let mut own = ObjectSymbols {
            locals: with_room(object.first_global.index()),
            globals: with_room(object.globals.len()),
            ..ObjectSymbols::default()
        };
        let mut has_gnu = false;
        let mut kept = |symbol: SymbolId, name: &[u8]| {
            has_gnu |= self.input.entries.is_gnu(self.at, symbol);
            KeptSymbol { symbol, name_len: name.len() as u32 }
        };
        for index in (SymbolId::new(1)..object.first_global).ids() {
            if let Some(name) = self.local(index) {
                let kept = kept(index, name);
                own.local_string_size = own.local_string_size.saturating_add(string_size(&kept));
                own.locals.push(kept);
            }
        }
        own.string_size = own.local_string_size;
        let mut seen = has_repeats(&object.globals).then(UnorderedSet::new);
        for (index, &name) in object.first_global.onward().zip(&object.globals) {
            if let Some(text) = self.global(index, name)
                && seen.as_mut().is_none_or(|seen| seen.insert(name))
            {
                let kept = kept(index, text);
                own.string_size = own.string_size.saturating_add(string_size(&kept));
                own.globals.push(kept);
            }
        }
        (own, has_gnu)
    }

    fn is_used(&self, index: SymbolId) -> bool {
        let definitions = self.input.entries.definitions;
        let used = definitions.symbols_of(&self.input.used.symbols, self.at);
        used[index] != 0 || self.is_signature(index)
    }

    fn is_signature(&self, index: SymbolId) -> bool {
        let Entries { objects, groups, .. } = self.input.entries;
        let object = &objects[self.at];
        let mut all = object.groups.iter().chain(&object.plain_groups);
        all.any(|group| {
            object.header(group.shndx).sh_info() == index.number()
                && groups.of_header.contains_key(&(self.at, group.shndx))
        })
    }

    /// The name of a local symbol, if it is kept.
    fn local(&self, index: SymbolId) -> Option<&'static [u8]> {
        let Entries { definitions, .. } = self.input.entries;
        if !self.input.entries.has(self.at, index) {
            return None;
        }
        // A symbol in a dropped copy of debug information refers to the kept copy.
        let home = definitions.targets_of(self.at)[index].section();
        let is_own = home.is_none_or(|id| definitions.sections[id].object == self.at);
        let text = self.input.entries.name(self.at, index);
        (is_own && self.keeps_local(text) || self.is_used(index)).then_some(text)
    }

    fn keeps_local(&self, name: &[u8]) -> bool {
        let options = self.input.entries.options;
        let by_kind = match options.discarded_symbols() {
            Discard::All => false,
            Discard::Locals => !name.starts_with(b".L"),
            Discard::Default | Discard::None => true,
        };
        by_kind && options.strip != Strip::All && self.retains(name)
    }

    fn retains(&self, name: &[u8]) -> bool {
        self.input.retain.is_none_or(|set| set.contains(name))
    }

    /// The name of a global symbol, if it is kept and this object writes it.
    fn global(&self, index: SymbolId, name: NameId) -> Option<&'static [u8]> {
        let Entries { options, definitions, .. } = self.input.entries;
        if self.owners.is_assigned(name) {
            return None;
        }
        if definitions.ranks[name].strength() > Strength::Weak {
            // If several symbols of an object have the same name, the caller takes the first.
            let first = self.owners.referrer[name].load(Ordering::Relaxed);
            if first != referrer_of(self.at) {
                return None;
            }
            if options.gc_sections && !self.is_name_used(name) && !self.is_signature(index) {
                return None;
            }
        }
        if !self.input.entries.has(self.at, index) {
            return None;
        }
        let text = self.input.entries.name(self.at, index);
        let wanted = self.retains(text);
        (wanted || self.is_name_used(name) || self.is_signature(index)).then_some(text)
    }

    fn is_name_used(&self, name: NameId) -> bool {
        self.input.used.names[name].load(Ordering::Relaxed) != 0
    }
}

/// Whether several symbols of an object have the same name. Ids mostly ascend, which makes sorting
/// cheap.
fn has_repeats(names: &[NameId]) -> bool {
    if names.is_sorted_by(|a, b| a < b) {
        return false;
    }
    let mut names = names.to_vec();
    shuffled(&mut names).sort_unstable();
    !names.is_sorted_by(|a, b| a < b)
}
