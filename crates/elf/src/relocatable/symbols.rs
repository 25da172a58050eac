//! The symbol table: null, one section symbol for each output section with content, the locals of
//! each object, then the globals.
//!
//! A defined name is written by the object that defines it, an undefined one by the first object
//! that refers to it; an atomic minimum finds that object, so the order does not depend on threads.

use super::assigned::{self, AssignedSymbol};
use super::frames::Frames;
use super::groups::Groups;
use super::laid_out::LaidOut;
use super::sections::JoinedSections;
use super::symbol_list::{Symbol, SymbolList, short_index};
use crate::args::assignments::Assignment;
use crate::args::{Discard, Options, Strip};
use crate::check::assertions::Assertion;
use crate::format::elf::{Sym, SymbolId};
use crate::layout::{Content, OutputSections, Synthetic};
use crate::read::object_file::SectionFlags;
use crate::read::{ObjectFile, ObjectId, Objects};
use crate::resolve::definitions::{Definitions, SectionId, Strength, attr};
use crate::resolve::extract::Extraction;
use crate::resolve::names::references::ref_flags;
use crate::resolve::referent::{Home, Referent};
use crate::script::section_names::{OutputId, known};
use crate::select::liveness::Liveness;
use crate::select::used_symbols::UsedSymbols;
use crate::synth::local_numbering::{LocalNumbering, suffix};
use crate::synth::symtab::{SymbolPlaces, SymbolRun};
use object::elf::*;
use skald_core::column::zeroed;
use skald_core::diag::{Diag, Error};
use skald_core::ids::{Column, IdRange, IndexRange};
use skald_core::names::NameId;
use skald_core::par::prelude::*;
use skald_core::perturb::shuffled;
use skald_core::unordered::UnorderedSet;
use skald_linking::expr::Expr;
use std::sync::atomic::{AtomicU32, Ordering};
use zerocopy::IntoBytes;

/// Symbols that one part writes: as many entries as fill 256 KiB.
const RUN: usize = (256 << 10) / 24;

/// The symbols of one object that the output has, and where they go.
#[derive(Debug, Default)]
struct ObjectSymbols {
    locals: SymbolList,
    globals: SymbolList,
    first_local: u32,
    first_global: u32,
    strings: u64,
    /// Bytes of names in `.strtab` by run of [`RUN`]: of local symbols, and of globals.
    string_sizes: [Vec<u64>; 2],
    /// Some symbol has a GNU extension of the gABI: STB_GNU_UNIQUE or STT_GNU_IFUNC.
    has_gnu_symbols: bool,
}

/// The plan of `.symtab` and `.strtab`.
pub struct SymbolTable {
    objects: Column<ObjectId, ObjectSymbols>,
    /// Section header index of each STT_SECTION symbol's section.
    section_headers: Vec<u32>,
    /// Symbol table index of the STT_SECTION symbol of each output section.
    section_symbols: Column<OutputId, u32>,
    extra: SymbolList,
    extra_strings: u64,
    /// Symbol table index of each object's symbol, 0 for one that is left out; indexed as
    /// [`Definitions::target`].
    of_symbol: Vec<u32>,
    symbol_base: Column<ObjectId, u32>,
    /// Entries of `.symtab`, with the null one.
    pub count: u32,
    /// `sh_info` of `.symtab`: index of the first symbol that is not local.
    pub first_global: u32,
    /// Bytes of `.strtab`.
    pub string_size: u64,
    /// Some `st_shndx` does not fit 16 bits, so that there is an SHT_SYMTAB_SHNDX.
    pub has_extended_indices: bool,
}

/// The tables that the symbol table is made from.
pub struct SymbolInput<'a> {
    /// `-x`, `-X`, `-s`, `-z unique-symbol` and the like are read.
    pub options: &'a Options,
    /// Names, and the objects that refer to them.
    pub extraction: &'a Extraction,
    /// The objects that are taken, by id.
    pub objects: &'a Objects,
    /// Section records, and the definition of each name.
    pub definitions: &'a Definitions,
    /// Which sections are kept.
    pub live: &'a Liveness,
    /// Symbols that a relocation refers to: no option removes them.
    pub used: &'a UsedSymbols,
    /// Output sections and the offset of each input section in them.
    pub joined: &'a JoinedSections,
    /// Where each record of `.eh_frame` went.
    pub frames: &'a Frames<'a>,
    /// Section groups, whose signatures are symbols.
    pub groups: &'a Groups,
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
    /// Takes errors of `ASSERT`, and of a `.strtab` of more than 4 GiB.
    pub diag: &'a Diag,
}

impl SymbolTable {
    /// Decides which symbols the table has and gives each its index.
    pub fn plan(input: &SymbolInput<'_>) -> SymbolTable {
        let mut assigned = assigned::evaluate(input);
        let mut table = SymbolTable {
            objects: Column::new(),
            section_headers: Vec::new(),
            section_symbols: Column::filled(0, input.joined.outputs.names.len()),
            extra: SymbolList::default(),
            extra_strings: 0,
            of_symbol: Vec::new(),
            symbol_base: input.definitions.symbol_base.clone(),
            count: 0,
            first_global: 0,
            string_size: 0,
            has_extended_indices: input.joined.symbol_headers() > usize::from(SHN_LORESERVE),
        };
        table.add_section_symbols(&input.joined.outputs);
        let owners = Owners::find(input, &assigned);
        table.objects = input
            .objects
            .par_ids()
            .with_max_len(16)
            .map(|at| Selector { input, owners: &owners, at }.select())
            .collect();
        if input.options.z.unique_symbol {
            table.number_locals();
        }
        assigned.extend(assigned::undefined_roots(input, &owners));
        let firsts = table.number(&mut assigned);
        table.index_symbols(input, &owners, &assigned, firsts);
        assigned.iter().for_each(|symbol| table.extra.push(&symbol.symbol()));
        if table.string_size > u64::from(u32::MAX) {
            input.diag.error((0, 0), ".strtab would exceed 4 GiB");
        }
        table
    }

    /// `-z unique-symbol`: local symbols of one name get numbers behind it.
    fn number_locals(&mut self) {
        let mut numbering = LocalNumbering::default();
        for object in &mut self.objects {
            let locals = &mut object.locals;
            for at in 0..locals.len() {
                let number = numbering.next(locals.sym(at), locals.text(at));
                if number.is_some() {
                    let text = [locals.text(at), suffix(number).as_bytes()].concat();
                    object.string_sizes[0][at / RUN] -= locals.string_size(at);
                    locals.rename(at, Box::leak(text.into_boxed_slice()));
                    object.string_sizes[0][at / RUN] += locals.string_size(at);
                }
            }
        }
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

    /// Gives indices and offsets of names; returns the index of the first symbol of no object.
    fn number(&mut self, extra: &mut [AssignedSymbol]) -> u32 {
        let mut symbol = 1 + self.section_headers.len() as u32;
        let mut string = 1u64;
        for object in &mut self.objects {
            object.first_local = symbol;
            symbol += object.locals.len() as u32;
            object.strings = string;
            string += object.string_sizes.iter().flatten().sum::<u64>();
        }
        self.first_global = symbol;
        for object in &mut self.objects {
            object.first_global = symbol;
            symbol += object.globals.len() as u32;
        }
        self.extra_strings = string;
        string += extra.iter().map(|e| e.text.len() as u64 + 1).sum::<u64>();
        self.count = symbol + extra.len() as u32;
        self.string_size = string;
        symbol
    }

    fn index_symbols(
        &mut self,
        input: &SymbolInput<'_>,
        owners: &Owners,
        extra: &[AssignedSymbol],
        first_extra: u32,
    ) {
        for (index, symbol) in (first_extra..).zip(extra) {
            owners.index[symbol.name].store(index, Ordering::Relaxed);
        }
        self.objects.par_with_ids().with_max_len(16).for_each(|(at, own)| {
            let object = &input.objects[at];
            for (index, symbol) in (own.first_global..).zip(own.globals.indices()) {
                let name = object.global(symbol);
                owners.index[name].store(index, Ordering::Relaxed);
            }
        });
        let mut of_symbol: Vec<u32> = zeroed(input.definitions.target.len());
        let parts = input.definitions.symbol_parts(&mut of_symbol);
        self.objects.par_iter().with_max_len(16).zip(parts).enumerate().for_each(
            |(at, (own, part))| {
                for (index, symbol) in (own.first_local..).zip(own.locals.indices()) {
                    part[symbol] = index;
                }
                let at = ObjectId::from_index(at);
                let targets = input.definitions.targets_of(at);
                for (slot, &target) in part.iter_mut().zip(targets) {
                    if let Some(name) = target.name() {
                        *slot = owners.index[name].load(Ordering::Relaxed);
                    }
                }
                // The signature of a group may be an STT_SECTION symbol.
                let object = &input.objects[at];
                for (index, symbol) in object.mapped.symbols.with_ids() {
                    if symbol.kind() == STT_SECTION
                        && let Some(section) = targets[index].section()
                        && let Some(out) = input.joined.output_of.get(section)
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

    /// Whether a symbol has a GNU extension of the gABI, STB_GNU_UNIQUE or STT_GNU_IFUNC: then
    /// `EI_OSABI` is ELFOSABI_GNU.
    pub fn has_gnu_symbols(&self) -> bool {
        self.objects.iter().any(|own| own.has_gnu_symbols)
    }

    /// Where the symbols and names of each object begin.
    pub fn places(&self) -> SymbolPlaces {
        let objects = || self.objects.ids().chain([self.objects.end()]);
        SymbolPlaces {
            locals: objects().map(|at| self.first_of(false, at)).collect(),
            globals: objects().map(|at| self.first_of(true, at)).collect(),
            strings: objects().map(|at| self.strings_of(at)).collect(),
            count: self.count,
        }
    }

    /// Symbol table index of an object's first local or global symbol; the end of them for one past
    /// the last object.
    pub fn first_of(&self, globals: bool, object: ObjectId) -> u32 {
        match (self.objects.get(object), globals) {
            (Some(own), true) => own.first_global,
            (Some(own), false) => own.first_local,
            (None, true) => self.count - self.extra.len() as u32,
            (None, false) => self.first_global,
        }
    }

    /// Offset in `.strtab` of an object's names; the end of them for one past the last object.
    pub fn strings_of(&self, object: ObjectId) -> u64 {
        self.objects.get(object).map_or(self.extra_strings, |own| own.strings)
    }

    /// Writes the null symbol and the STT_SECTION symbols.
    pub fn write_first(&self, out: &mut [u8]) {
        let (entries, _) = out.as_chunks_mut::<24>();
        for (at, entry) in entries.iter_mut().enumerate() {
            let mut sym = Sym::default();
            if let Some(&header) = at.checked_sub(1).and_then(|at| self.section_headers.get(at)) {
                sym.set_st_info(STT_SECTION);
                sym.set_st_shndx(short_index(header));
            }
            entry.copy_from_slice(sym.as_bytes());
        }
    }

    /// Writes the locals or globals of one object.
    pub fn write_object(&self, globals: bool, object: ObjectId, out: &mut [u8]) {
        let own = &self.objects[object];
        let (list, strings) = match globals {
            true => (&own.globals, own.strings + own.string_sizes[0].iter().sum::<u64>()),
            false => (&own.locals, own.strings),
        };
        list.write(0..list.len(), strings, out);
    }

    /// The symbols of an object in runs of [`RUN`], in the order of their names.
    pub fn runs_of(&self, object: ObjectId) -> Vec<SymbolRun> {
        let own = &self.objects[object];
        let mut strings = own.strings;
        let mut runs = Vec::new();
        for (globals, list) in [(false, &own.locals), (true, &own.globals)] {
            let mut first = if globals { own.first_global } else { own.first_local };
            let starts = (0..list.len()).step_by(RUN);
            for (start, &string_size) in starts.zip(&own.string_sizes[usize::from(globals)]) {
                let entries = start as u32..list.len().min(start + RUN) as u32;
                runs.push(SymbolRun { object, globals, entries, first, strings, string_size });
                strings += string_size;
                first += RUN as u32;
            }
        }
        runs
    }

    fn list_of(&self, run: &SymbolRun) -> &SymbolList {
        let own = &self.objects[run.object];
        if run.globals { &own.globals } else { &own.locals }
    }

    /// Writes the symbols of a run.
    pub fn write_run(&self, run: &SymbolRun, out: &mut [u8]) {
        self.list_of(run).write(run.entries.wide(), run.strings, out);
    }

    /// Writes the names of a run.
    pub fn write_strings_of_run(&self, run: &SymbolRun, out: &mut [u8]) {
        self.list_of(run).write_names(run.entries.wide(), out);
    }

    /// Writes the symbols of no object: assigned, or asked for by the command line.
    pub fn write_extra(&self, out: &mut [u8]) {
        self.extra.write(0..self.extra.len(), self.extra_strings, out);
    }

    /// Writes the names of an object's symbols.
    pub fn write_strings(&self, object: ObjectId, out: &mut [u8]) {
        let own = &self.objects[object];
        let written = own.locals.write_names(0..own.locals.len(), out);
        own.globals.write_names(0..own.globals.len(), &mut out[written..]);
    }

    /// Writes the names of the symbols of no object.
    pub fn write_extra_strings(&self, out: &mut [u8]) {
        self.extra.write_names(0..self.extra.len(), out);
    }

    /// Writes `.symtab_shndx`: 32-bit section header indices, 0 where `st_shndx` says it.
    pub fn write_indices(&self, out: &mut [u8]) {
        out.fill(0);
        let (words, _) = out.as_chunks_mut::<4>();
        let mut put = |index: u32, header: u32| {
            if header >= u32::from(SHN_LORESERVE) {
                words[index as usize] = header.to_le_bytes();
            }
        };
        for (index, &header) in (1..).zip(&self.section_headers) {
            put(index, header);
        }
        for own in &self.objects {
            for (index, header) in (own.first_local..).zip(own.locals.headers()) {
                put(index, header);
            }
            for (index, header) in (own.first_global..).zip(own.globals.headers()) {
                put(index, header);
            }
        }
        let first_extra = self.count - self.extra.len() as u32;
        for (index, header) in (first_extra..).zip(self.extra.headers()) {
            put(index, header);
        }
    }
}

/// In [`Owners::referrer`]: the name is assigned. It comes before all objects.
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
        let referrer: Column<NameId, AtomicU32> = Column::zeroed(input.definitions.globals.len());
        for symbol in assigned {
            referrer[symbol.name].store(ASSIGNED, Ordering::Relaxed);
        }
        input.objects.par_with_ids().with_max_len(16).for_each(|(at, object)| {
            for &name in &object.globals {
                if input.definitions.ranks[name].strength() > Strength::Weak {
                    referrer[name].fetch_max(referrer_of(at), Ordering::Relaxed);
                }
            }
        });
        Owners { referrer, index: Column::zeroed(input.definitions.globals.len()) }
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
    fn select(&self) -> ObjectSymbols {
        let object = &self.input.objects[self.at];
        // Room for all: as a rule most symbols are kept.
        let mut own = ObjectSymbols {
            locals: SymbolList::new(object.first_global.index(), object.mapped.strtab),
            globals: SymbolList::new(object.globals.len(), object.mapped.strtab),
            ..ObjectSymbols::default()
        };
        let ObjectSymbols { locals, globals, string_sizes, has_gnu_symbols, .. } = &mut own;
        let mut count = |entry: &Symbol, at: usize, side: usize| {
            if at.is_multiple_of(RUN) {
                string_sizes[side].push(0);
            }
            string_sizes[side][at / RUN] += entry.string_size();
            *has_gnu_symbols |=
                entry.sym.bind() == STB_GNU_UNIQUE || entry.sym.kind() == STT_GNU_IFUNC;
        };
        for index in (SymbolId::new(1)..object.first_global).ids() {
            if let Some(entry) = self.local(object, index) {
                count(&entry, locals.len(), 0);
                locals.push(&entry);
            }
        }
        let mut seen = has_repeats(&object.globals).then(UnorderedSet::new);
        for (index, &name) in object.first_global.onward().zip(&object.globals) {
            if let Some(entry) = self.global(object, index, name)
                && seen.as_mut().is_none_or(|seen| seen.insert(name))
            {
                count(&entry, globals.len(), 1);
                globals.push(&entry);
            }
        }
        own
    }

    fn is_used(&self, index: SymbolId) -> bool {
        let used = self.input.definitions.symbols_of(&self.input.used.symbols, self.at);
        used[index] != 0 || self.is_signature(index)
    }

    fn is_signature(&self, index: SymbolId) -> bool {
        let object = &self.input.objects[self.at];
        let mut groups = object.groups.iter().chain(&object.plain_groups);
        groups.any(|group| {
            object.header(group.shndx).sh_info() == index.number()
                && self.input.groups.of_header.contains_key(&(self.at, group.shndx))
        })
    }

    fn local(&self, object: &ObjectFile, index: SymbolId) -> Option<Symbol> {
        let symbol = object.mapped.symbols[index];
        if symbol.kind() == STT_SECTION {
            return None;
        }
        let text = object.symbol_name(index);
        let mut entry = Symbol { sym: symbol, shndx: 0, index, text, is_renamed: false };
        match self.input.definitions.targets_of(self.at)[index].get() {
            Referent::Absolute => {}
            Referent::Nowhere => entry.shndx = self.group_header(object, index)?,
            Referent::Section(section) => self.place(section, &mut entry)?,
            Referent::Global(_) => return None,
        }
        // A symbol in a dropped copy of debug information stands for the kept one.
        let home = self.input.definitions.targets_of(self.at)[index].section();
        let is_own = home.is_none_or(|id| self.input.definitions.sections[id].object == self.at);
        (is_own && self.keeps_local(entry.text) || self.is_used(index)).then_some(entry)
    }

    fn keeps_local(&self, name: &[u8]) -> bool {
        let options = self.input.options;
        let by_kind = match options.discard {
            Discard::All => false,
            Discard::Locals => !name.starts_with(b".L"),
            Discard::Default | Discard::None => true,
        };
        by_kind && options.strip != Strip::All && self.retains(name)
    }

    fn retains(&self, name: &[u8]) -> bool {
        self.input.retain.is_none_or(|set| set.contains(name))
    }

    /// Section header index of the group that a symbol is the signature of: such a local symbol is
    /// defined in the group's own section.
    fn group_header(&self, object: &ObjectFile, index: SymbolId) -> Option<u32> {
        let shndx = object.symbol_section(index)?;
        self.input.groups.of_header.get(&(self.at, shndx)).map(|&group| group.number() + 1)
    }

    /// Sets `st_value` and section; `None` if the section is not in the output.
    fn place(&self, section: SectionId, entry: &mut Symbol) -> Option<()> {
        let (header, value) = self.input.place(section, entry.sym.st_value())?;
        entry.shndx = header;
        entry.sym.set_st_value(value);
        Some(())
    }

    fn global(&self, object: &ObjectFile, index: SymbolId, name: NameId) -> Option<Symbol> {
        let input = self.input;
        if self.owners.is_assigned(name) {
            return None;
        }
        let rank = input.definitions.ranks[name];
        let symbol = object.mapped.symbols[index];
        let text = object.symbol_name(index);
        let mut entry = Symbol { sym: symbol, shndx: 0, index, text, is_renamed: false };
        if rank.strength() <= Strength::Weak {
            if rank.object() != self.at || rank.symbol() != index {
                return None;
            }
            self.define(name, &mut entry)?;
        } else {
            // If several symbols of an object have one name, the caller takes the first.
            let first = self.owners.referrer[name].load(Ordering::Relaxed);
            if first != referrer_of(self.at) {
                return None;
            }
            if input.options.gc_sections && !self.is_name_used(name) && !self.is_signature(index) {
                return None;
            }
            self.leave_undefined(name, &mut entry);
        }
        self.finish_global(name, &mut entry);
        let wanted = self.retains(entry.text);
        (wanted || self.is_name_used(name) || self.is_signature(index)).then_some(entry)
    }

    fn is_name_used(&self, name: NameId) -> bool {
        self.input.used.names[name].load(Ordering::Relaxed) != 0
    }

    fn define(&self, name: NameId, entry: &mut Symbol) -> Option<()> {
        let input = self.input;
        let definition = input.definitions.globals[name];
        if definition.has(attr::COMMON) {
            let section = definition.home.section()?;
            let slot = &input.definitions.sections[section];
            entry.sym.set_st_size(slot.size);
            if !input.options.define_common {
                let large = slot.flags.has(SectionFlags::LARGE);
                entry.sym.set_st_shndx(if large {
                    input.options.machine.large_common()
                } else {
                    SHN_COMMON
                });
                entry.sym.set_st_value(1 << slot.align_log2);
                // A thread-local one has a type that says more.
                if let Some(is_common) = input.options.z.stt_common
                    && entry.sym.kind() != STT_TLS
                {
                    let kind = if is_common { STT_COMMON } else { STT_OBJECT };
                    entry.sym.set_st_info(entry.sym.st_info() & 0xf0 | kind);
                }
                return Some(());
            }
            entry.sym.set_st_value(0);
            if entry.sym.kind() == STT_COMMON {
                entry.sym.set_st_info(entry.sym.st_info() & 0xf0 | STT_OBJECT);
            }
        }
        match definition.home {
            Home::ABSOLUTE => Some(()),
            home => self.place(home.section()?, entry),
        }
    }

    fn leave_undefined(&self, name: NameId, entry: &mut Symbol) {
        let flags = self.input.extraction.refs.get(name).flags();
        // Whoever defines it in a dropped copy of a group refers to what the kept one has.
        let is_dropped = entry.sym.st_shndx() != SHN_UNDEF && entry.sym.bind() != STB_WEAK;
        let bind = match flags & (ref_flags::UNDEF_STRONG | ref_flags::ROOT) {
            0 if !is_dropped => STB_WEAK,
            _ => STB_GLOBAL,
        };
        entry.sym.set_st_info(bind << 4 | entry.sym.kind());
        entry.sym.set_st_shndx(SHN_UNDEF);
        entry.sym.set_st_value(0);
        entry.sym.set_st_size(0);
        if flags & ref_flags::WRAPPED != 0 || !self.input.options.wrap.is_empty() {
            // With `--wrap` the output refers to another name than the object does.
            entry.text = self.input.extraction.pools.name(&self.input.extraction.names, name);
            entry.is_renamed = true;
        }
    }

    fn finish_global(&self, name: NameId, entry: &mut Symbol) {
        let flags = self.input.extraction.refs.get(name).flags();
        let visibility = ref_flags::visibility(flags);
        entry.sym.set_st_other(entry.sym.st_other() & !3 | visibility);
        if entry.sym.bind() == STB_GNU_UNIQUE && self.input.options.no_gnu_unique {
            entry.sym.set_st_info(STB_GLOBAL << 4 | entry.sym.kind());
        }
    }
}

impl SymbolInput<'_> {
    /// Section header index, and offset in that section, of a byte of an input section; `None` if
    /// it is not in the output.
    pub fn place(&self, section: SectionId, section_offset: u64) -> Option<(u32, u64)> {
        let out = self.joined.output_of.get(section)?.get()?;
        if !self.live.is_live(section) {
            return None;
        }
        let value = if out == known::EH_FRAME {
            self.frames.output_offset(section, section_offset)
        } else {
            self.joined.offset(section).wrapping_add(section_offset)
        };
        Some((self.joined.outputs.header_index_of_id(out), value))
    }
}

/// Whether several symbols of an object have one name. Ids ascend as a rule, which makes sorting
/// cheap.
fn has_repeats(names: &[NameId]) -> bool {
    if names.is_sorted_by(|a, b| a < b) {
        return false;
    }
    let mut names = names.to_vec();
    shuffled(&mut names).sort_unstable();
    !names.is_sorted_by(|a, b| a < b)
}
