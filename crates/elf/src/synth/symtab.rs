//! `.symtab` and `.strtab`.
//!
//! Each object's kept symbols are listed once, with their name lengths. Prefix sums then give every
//! object its part of the local symbols, of the global ones and of the strings, so that all parts
//! are written in parallel and in command-line order.

use super::image::{Image, SymbolPlace};
use super::kept_symbols::{AHEAD, KeptSymbol, copy_names, own_name, write_kept};
use super::local_numbering::{LocalNumbering, NamesakeId, suffix};
use super::values::{self, Value};
use super::veneers::Veneers;
use crate::args::{Discard, Options, Strip};
use crate::format::elf::{Sym, SymbolId};
use crate::format::encoding::Encoding;
use crate::read::object_file::SectionFlags;
use crate::read::{ObjectId, Objects};
use crate::resolve::definitions::{Definition, Definitions, SectionId, attr};
use crate::resolve::names::references::ref_flags;
use crate::resolve::referent::{PackedReferent, ValueBase};
use crate::script::section_names::OutputId;
use crate::select::liveness::Liveness;
use crate::select::merge::MergedSections;
use object::elf::*;
use skald_core::column::{prefetch, with_room};
use skald_core::ids::{Column, OptionalId};
use skald_core::names::{NameId, NameTable};
use skald_core::par::prelude::*;
use skald_core::unordered::UnorderedSet;
use std::ops::Range;

/// The symbols of one object that `.symtab` keeps, and where they go.
#[derive(Debug, Default)]
pub struct ObjectSymbols {
    /// Symbols that are local in the output.
    pub locals: Vec<KeptSymbol>,
    /// `-z unique-symbol`: the number behind the name of each of `locals`; empty without it.
    pub numbers: Vec<OptionalId<NamesakeId>>,
    /// Symbols that are global or weak in the output, sorted as in the object.
    pub globals: Vec<KeptSymbol>,
    /// Index in `.symtab` of the first of `locals`.
    pub first_local: u32,
    /// Index in `.symtab` of the first of `globals`.
    pub first_global: u32,
    /// Offset in `.strtab` of the names: those of `locals`, then of `globals`.
    pub strings: u32,
    /// Bytes of the names of `locals`, each with its NUL.
    pub local_string_size: u32,
    /// Bytes of all names, each with its NUL.
    pub string_size: u32,
}

/// A symbol of `.symtab` that is not copied from an object: one of the linker's own, an import, a
/// copied variable.
#[derive(Debug, Clone)]
pub struct ExtraSymbol {
    /// The name whose value it has.
    pub name: NameId,
    /// The bytes of its name in `.strtab`.
    pub text: &'static [u8],
    /// If nothing defines the symbol: `st_info` type and `st_other` visibility that references give
    /// it.
    pub reference: (u8, u8),
}

/// The plan of `.symtab` and `.strtab`.
#[derive(Debug, Default)]
pub struct SymTab {
    /// How the output stores its tables.
    pub encoding: Encoding,
    /// Kept symbols of each object.
    pub objects: Column<ObjectId, ObjectSymbols>,
    /// Output sections that have an STT_SECTION symbol (`--emit-relocs`), in symbol order.
    pub section_symbols: Vec<OutputId>,
    /// Names that the linker defines and that are local in the output.
    pub extra_locals: Vec<ExtraSymbol>,
    /// Names that the linker defines and that are global, and imports.
    pub extra_globals: Vec<ExtraSymbol>,
    /// Symbols of thunks, local and behind the linker's others.
    pub veneers: Veneers,
    /// Offset in `.strtab` of the names of extra symbols.
    pub extra_strings: u32,
    /// Entries of `.symtab`, with the null one.
    pub count: u32,
    /// `sh_info`: index of the first symbol that is not local.
    pub first_global: u32,
    /// Count of entries behind the global symbols of objects.
    pub last: u32,
    /// Bytes of `.strtab`.
    pub string_size: u64,
}

impl SymTab {
    /// Numbers the symbols of objects. `first` entries stand before them, with the null symbol, and
    /// `last` behind them; the names of these entries have `extra_names` bytes, NULs included.
    pub fn numbered(
        mut objects: Column<ObjectId, ObjectSymbols>,
        first: u32,
        last: u32,
        extra_names: u64,
    ) -> SymTab {
        let mut symbol = first;
        let mut string = 1u64;
        for object in &mut objects {
            object.first_local = symbol;
            symbol += object.locals.len() as u32;
            object.strings = string as u32;
            string += u64::from(object.string_size);
        }
        let first_global = symbol;
        for object in &mut objects {
            object.first_global = symbol;
            symbol += object.globals.len() as u32;
        }
        SymTab {
            objects,
            extra_strings: string as u32,
            count: symbol + last,
            first_global,
            last,
            string_size: string + extra_names,
            ..SymTab::default()
        }
    }

    /// Gives thunks their symbols, in the place of earlier ones; returns whether a size or number
    /// has changed.
    pub fn set_veneers(&mut self, veneers: Veneers) -> bool {
        let counts = |v: &Veneers| (v.symbols.len() as u32, v.names.len() as u64);
        let (old, new) = (counts(&self.veneers), counts(&veneers));
        self.veneers = veneers;
        let moved = |index: u32| index - old.0 + new.0;
        for object in &mut self.objects {
            object.first_local = moved(object.first_local);
            object.first_global = moved(object.first_global);
        }
        self.first_global = moved(self.first_global);
        self.count = moved(self.count);
        self.string_size = self.string_size - old.1 + new.1;
        old != new
    }

    /// Bytes of `.symtab`.
    pub fn size(&self) -> u64 {
        self.entry_size() * u64::from(self.count)
    }

    /// Bytes of a symbol.
    pub fn entry_size(&self) -> u64 {
        self.encoding.size::<Sym>() as u64
    }

    /// The kept local or global symbols of an object.
    pub fn list(&self, globals: bool, at: ObjectId) -> &[KeptSymbol] {
        let own = &self.objects[at];
        if globals { &own.globals } else { &own.locals }
    }

    /// Where the symbols and names of each object begin.
    pub fn places(&self) -> SymbolPlaces {
        let mut places = SymbolPlaces {
            locals: self.objects.iter().map(|own| own.first_local).collect(),
            globals: self.objects.iter().map(|own| own.first_global).collect(),
            strings: self.objects.iter().map(|own| u64::from(own.strings)).collect(),
            count: self.count,
        };
        places.locals.push(self.first_global);
        places.globals.push(self.count - self.last);
        places.strings.push(u64::from(self.extra_strings));
        places
    }
}

/// Where the symbols and names of each object begin.
#[derive(Debug)]
pub struct SymbolPlaces {
    /// Index in `.symtab` of each object's first local symbol; one more entry is their end.
    pub locals: Column<ObjectId, u32>,
    /// The same for global symbols.
    pub globals: Column<ObjectId, u32>,
    /// Offset in `.strtab` of each object's names; one more entry is their end.
    pub strings: Column<ObjectId, u64>,
    /// Entries of `.symtab`, with the null one.
    pub count: u32,
}

/// A run of local or of global symbols of an object, which one part writes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SymbolRun {
    /// The object whose symbols `entries` counts.
    pub object: ObjectId,
    /// `entries` counts its globals, not its locals.
    pub globals: bool,
    /// In the object's list of locals or of globals.
    pub entries: Range<u32>,
    /// Symbol table index of the first one.
    pub first: u32,
    /// Offset in `.strtab` where their names begin.
    pub strings: u64,
    /// Bytes of their names, NULs included.
    pub string_size: u64,
}

/// The tables that decide which symbols are kept.
pub struct SymTabInput<'a> {
    /// `-s`, `-x`, `-X`, `--discard-section` and the like are read.
    pub options: &'a Options,
    /// Which labels are left out: `Options::discarded_symbols`, which is not asked for each label.
    pub discard: Discard,
    /// The objects that are taken, by id.
    pub objects: &'a Objects,
    /// Section records, what each symbol refers to, and the definition of each name.
    pub definitions: &'a Definitions,
    /// Which sections are in the output.
    pub liveness: &'a Liveness,
    /// Merged sections: local symbols in dropped pieces are dropped.
    pub merged: &'a MergedSections,
    /// The name table, which knows the length of each name.
    pub names: &'a NameTable,
    /// The names in the file of `--retain-symbols-file`; `None` without the option.
    pub retain: Option<&'a UnorderedSet<Vec<u8>>>,
}

/// Decides which symbols `.symtab` keeps and gives each its index. With `-s` the table exists for
/// `--emit-relocs` only, and no symbol of an object is kept.
pub fn plan(
    input: &SymTabInput<'_>,
    section_symbols: Vec<OutputId>,
    extra_locals: Vec<ExtraSymbol>,
    extra_globals: Vec<ExtraSymbol>,
) -> SymTab {
    let mut objects: Column<ObjectId, ObjectSymbols> =
        input.objects.par_ids().with_max_len(2).map(|at| input.select(at)).collect();
    if input.options.z.unique_symbol {
        number_locals(input.objects, &mut objects);
    }
    let first = 1 + section_symbols.len() as u32 + extra_locals.len() as u32;
    let extra = extra_locals.iter().chain(&extra_globals);
    let names = extra.map(|extra| extra.text.len() as u64 + 1).sum();
    let last = extra_globals.len() as u32;
    SymTab {
        encoding: Encoding::of(input.options.machine),
        section_symbols,
        extra_locals,
        extra_globals,
        ..SymTab::numbered(objects, first, last, names)
    }
}

/// `-z unique-symbol`: gives local symbols that share a name numbers.
pub fn number_locals(objects: &Objects, kept: &mut [ObjectSymbols]) {
    let mut numbering = LocalNumbering::default();
    for (object, own) in objects.iter().zip(kept) {
        for local in &mut own.locals {
            // A hidden global that became local is the only symbol of its name, and gets no number.
            let number = if local.symbol < object.first_global {
                let name = object.symbol_name(local.symbol);
                numbering.next(&object.mapped.symbols[local.symbol], name)
            } else {
                OptionalId::NONE
            };
            let longer = suffix(number).len() as u32;
            local.name_len += longer;
            own.local_string_size = own.local_string_size.saturating_add(longer);
            own.string_size = own.string_size.saturating_add(longer);
            own.numbers.push(number);
        }
    }
}

/// From this many symbols of an object on, they are counted first, to allocate once.
const MANY: usize = 1 << 13;

impl SymTabInput<'_> {
    fn select(&self, at: ObjectId) -> ObjectSymbols {
        let object = &self.objects[at];
        object.at_work();
        let mut kept = ObjectSymbols::default();
        if self.options.strip == Strip::All {
            return kept;
        }
        let first = object.first_global;
        if self.options.discard != Discard::All {
            let targets = self.definitions.targets_of(at).items().get(1..).unwrap_or_default();
            let symbols = object.mapped.symbols.items().get(1..first.index()).unwrap_or_default();
            let mut ahead = symbols.get(AHEAD..).unwrap_or_default().iter();
            let ids = SymbolId::new(1).onward();
            for (index, (symbol, &target)) in ids.zip(symbols.iter().zip(targets)) {
                if let Some(ahead) = ahead.next() {
                    prefetch(object.mapped.strtab, ahead.st_name() as usize);
                }
                if let Some(len) = self.local(at, index, symbol, target) {
                    kept.local_string_size = kept.local_string_size.saturating_add(len + 1);
                    kept.locals.push(KeptSymbol { symbol: index, name_len: len });
                }
            }
            if self.merged.thinned.binary_search(&at).is_ok() {
                self.forget_dropped(at, &mut kept);
            }
        }
        // If so, the name of a symbol is the text of its name id, whose length is known.
        let has_plain_names =
            !object.has_versioned_names && object.mapped.strtab.last() == Some(&0);
        // Many symbols may share one long name, so overflow is checked once, in the total.
        let mut global_strings = 0u32;
        let symbols = object.mapped.symbols.items().get(first.index()..).unwrap_or_default();
        if symbols.len() >= MANY {
            let is_defined = |symbol: &&Sym| symbol.st_shndx() != SHN_UNDEF;
            kept.globals = with_room(symbols.iter().filter(is_defined).count());
        }
        for (index, (symbol, &name)) in first.onward().zip(symbols.iter().zip(&object.globals)) {
            if symbol.st_shndx() == SHN_UNDEF {
                continue;
            }
            let Some(is_local) = self.global(at, index, name) else { continue };
            let len = if has_plain_names {
                self.names.name(name).len
            } else {
                object.symbol_name(index).len() as u32
            };
            if self.retain.is_some() && !self.retains(object.symbol_name(index)) {
                continue;
            }
            let symbol = KeptSymbol { symbol: index, name_len: len };
            if is_local {
                kept.local_string_size = kept.local_string_size.saturating_add(len + 1);
                kept.locals.push(symbol);
            } else {
                global_strings = global_strings.saturating_add(len + 1);
                kept.globals.push(symbol);
            }
        }
        kept.string_size = kept.local_string_size.saturating_add(global_strings);
        kept
    }

    /// Drops local symbols in pieces of merged sections that nothing refers to.
    #[cold]
    fn forget_dropped(&self, at: ObjectId, kept: &mut ObjectSymbols) {
        kept.locals.retain(|local| {
            let target = self.definitions.target_of(at, local.symbol);
            let value = self.objects[at].mapped.symbols[local.symbol].st_value();
            let member = target.section().and_then(|section| self.merged.member(section));
            !member.is_some_and(|member| member.is_dropped(value))
        });
        let sizes = kept.locals.iter().map(|local| local.name_len + 1);
        kept.local_string_size = sizes.fold(0, u32::saturating_add);
    }

    fn retains(&self, name: &[u8]) -> bool {
        self.retain.is_none_or(|set| set.contains(name))
    }

    /// Length of the name of a local symbol; `None` if the symbol is not kept.
    #[inline(always)]
    fn local(
        &self,
        at: ObjectId,
        index: SymbolId,
        symbol: &Sym,
        target: PackedReferent,
    ) -> Option<u32> {
        if symbol.kind() == STT_SECTION || symbol.st_name() == 0 {
            return None;
        }
        // A local IFUNC has a name id, as a global has.
        let value_base = self.definitions.value_base_of(target);
        let section = value_base.section();
        let sections = &self.definitions.sections;
        // One in a dropped copy of debug information means the kept copy, and is not
        // there.
        let is_kept =
            |id: SectionId| self.liveness.has_symbols(sections, id) && sections[id].object == at;
        if value_base == ValueBase::NOWHERE || section.is_some_and(|section| !is_kept(section)) {
            return None;
        }
        let object = &self.objects[at];
        // String sections have many such symbols, so their names are not measured.
        let name = object.mapped.strtab.get(symbol.st_name() as usize..).unwrap_or_default();
        if name.starts_with(b".L") {
            let merged =
                section.is_some_and(|section| sections[section].flags.has(SectionFlags::MERGE));
            match self.discard {
                Discard::Locals => return None,
                Discard::Default if merged => return None,
                _ => {}
            }
        }
        let name = object.symbol_name(index);
        self.retains(name).then_some(name.len() as u32)
    }

    /// Whether a symbol is defined in a section that `--discard-section` drops.
    #[cold]
    fn is_discarded(&self, at: ObjectId, index: SymbolId) -> bool {
        let object = &self.objects[at];
        let section = object.symbol_section(index);
        let names = &self.options.arrangement.discard_sections;
        !self.options.no_strip_discarded
            && section.is_some_and(|shndx| {
                let name = object.section_name(shndx);
                names.iter().any(|discarded| discarded.as_bytes() == name)
            })
    }

    /// Whether a global of an object is local in the output; `None` if the symbol is not kept.
    #[inline(always)]
    fn global(&self, at: ObjectId, index: SymbolId, name: NameId) -> Option<bool> {
        if !self.definitions.ranks[name].is_of_object(at, index) {
            return None;
        }
        let global = self.definitions.globals[name];
        if let Some(section) = global.value_base.section()
            && !self.liveness.has_symbols(&self.definitions.sections, section)
        {
            return None;
        }
        if global.value_base == ValueBase::NOWHERE && self.is_discarded(at, index) {
            return None;
        }
        Some(global.has(attr::LOCAL))
    }
}

impl SymTab {
    /// Writes the locals of an object; `out` has the size of their part of `.symtab`.
    pub fn write_locals(&self, image: &Image<'_>, at: ObjectId, out: &mut [u8]) {
        let object = &self.objects[at];
        let write = writer_of(image);
        self.encoding.fill(out, |entries| {
            write(image, at, &object.locals, object.strings, entries);
        });
    }

    /// Writes the globals of an object; `out` has the size of their part of `.symtab`.
    pub fn write_globals(&self, image: &Image<'_>, at: ObjectId, out: &mut [u8]) {
        let object = &self.objects[at];
        let strings = object.strings + object.local_string_size;
        let write = writer_of(image);
        self.encoding.fill(out, |entries| {
            write(image, at, &object.globals, strings, entries);
        });
    }

    /// Writes the names of an object; `out` has the size of their part of `.strtab`.
    pub fn write_strings(&self, image: &Image<'_>, at: ObjectId, out: &mut [u8]) {
        let object = &image.objects[at];
        let own = &self.objects[at];
        let numbers = own.numbers.split_at(own.locals.len().min(own.numbers.len()));
        let (locals, globals) = out.split_at_mut(own.local_string_size as usize);
        let name = |kept: &KeptSymbol, len| own_name(object, kept, len);
        copy_names::<false>(object, &own.locals, numbers.0, locals, name);
        copy_names::<false>(object, &own.globals, numbers.1, globals, name);
    }

    /// Entries of `.symtab` before those of objects: null, STT_SECTION, the linker's locals.
    pub fn first_count(&self) -> usize {
        1 + self.section_symbols.len() + self.extra_locals.len() + self.veneers.symbols.len()
    }

    /// Writes the null symbol, the STT_SECTION symbols and the linker's locals.
    pub fn write_first(&self, image: &Image<'_>, out: &mut [u8]) {
        self.encoding.fill(out, |entries| {
            let (null, rest) = entries.split_at_mut(1);
            null[0] = Sym::default();
            let (sections, rest) = rest.split_at_mut(self.section_symbols.len());
            self.write_sections(image, sections);
            let (extra, veneers) = rest.split_at_mut(self.extra_locals.len());
            self.write_extra(image, &self.extra_locals, self.extra_strings, extra);
            let strings = self.string_size - self.veneers.names.len() as u64;
            self.veneers.write(image.outputs, strings as u32, veneers);
        });
    }

    fn write_sections(&self, image: &Image<'_>, entries: &mut [Sym]) {
        for (&section, entry) in self.section_symbols.iter().zip(entries) {
            let mut sym = Sym::with_info(STB_LOCAL, STT_SECTION);
            match image.outputs.position_of(section) {
                Some(position) => {
                    sym.set_st_shndx(image.header_index_of(section).shndx());
                    // A header may join several parts that each have a symbol; all have the same
                    // value.
                    sym.set_st_value(image.outputs.extent(position).0);
                }
                // An output section of a script that turned out to be empty; nothing refers to its
                // symbol.
                None => sym.set_st_shndx(object::elf::SHN_ABS),
            }
            *entry = sym;
        }
    }

    /// Writes the linker's globals and imports, which come last.
    pub fn write_last(&self, image: &Image<'_>, out: &mut [u8]) {
        let locals: usize = self.extra_locals.iter().map(|e| e.text.len() + 1).sum();
        let strings = self.extra_strings + locals as u32;
        self.encoding.fill(out, |entries| {
            self.write_extra(image, &self.extra_globals, strings, entries);
        });
    }

    /// Writes extra symbols; their names start at `strings`.
    fn write_extra(
        &self,
        image: &Image<'_>,
        extra: &[ExtraSymbol],
        mut strings: u32,
        entries: &mut [Sym],
    ) {
        for (symbol, entry) in extra.iter().zip(entries) {
            let global = image.definitions.globals[symbol.name];
            let mut sym = Sym::default();
            sym.set_st_name(strings);
            strings += symbol.text.len() as u32 + 1;
            let place = place_of_extra(image, symbol.name);
            // An undefined symbol cannot be local, whatever its visibility.
            let is_undefined = place.is_none();
            let bind = if global.has(attr::LOCAL) && !is_undefined {
                STB_LOCAL
            } else if global.has(attr::UNDEF_WEAK | attr::WEAK)
                || global.has(attr::IMPORTED)
                    && !global.has(attr::DEFINED)
                    && image.is_weak_import(symbol.name)
            {
                STB_WEAK
            } else {
                STB_GLOBAL
            };
            sym.set_st_info(bind << 4 | kind_of(global.attributes));
            if global.has(attr::SYNTHETIC) {
                sym.set_st_other(synthetic_visibility(global.attributes));
            } else if is_undefined && !global.has(attr::SHARED) {
                let (kind, visibility) = symbol.reference;
                sym.set_st_info(bind << 4 | kind);
                sym.set_st_other(visibility);
            }
            let value = image.values.of_name[symbol.name];
            if let Value::Plain(value) = values::decode(value) {
                sym.set_st_value(made_value(image, global, value));
            }
            if let Some(place) = place {
                sym.set_st_shndx(place.shndx());
                sym.set_st_size(image.extra_size(symbol.name));
            }
            *entry = sym;
        }
    }

    /// Writes the names of the extra symbols, locals first.
    pub fn write_extra_strings(&self, out: &mut [u8]) {
        let extra = self.extra_locals.iter().chain(&self.extra_globals);
        let (own, veneers) = out.split_at_mut(out.len() - self.veneers.names.len());
        copy_texts(extra.map(|extra| extra.text), own);
        veneers.copy_from_slice(&self.veneers.names);
    }
}

/// Writes names of symbols of no object, each with a NUL.
pub fn copy_texts(texts: impl Iterator<Item = &'static [u8]>, out: &mut [u8]) {
    let mut cursor = 0;
    for text in texts {
        let end = cursor + text.len();
        out[cursor..end].copy_from_slice(text);
        out[end] = 0;
        cursor = end + 1;
    }
}

/// The section of a name that the linker defines or copies; `None` if it is undefined.
pub(super) fn place_of_extra(image: &Image<'_>, name: NameId) -> Option<SymbolPlace> {
    let global = image.definitions.globals[name];
    if !global.has(attr::DEFINED) && !image.is_copy(name) {
        return None;
    }
    match values::decode(image.values.of_name[name]) {
        Value::Plain(value) => Some(image.place_of_made(name, value, global)),
        _ => None,
    }
}

/// The section of an object's symbol, if that is in the output.
pub(super) fn place_of_symbol(image: &Image<'_>, at: ObjectId, symbol: SymbolId) -> SymbolPlace {
    let object = &image.objects[at];
    let target = match object.name_of(symbol) {
        Some(name) => PackedReferent::global(name),
        None => image.definitions.target_of(at, symbol),
    };
    let Some(name) = target.name() else { return place_of(image, target.section()) };
    let global = image.definitions.globals[name];
    match values::decode(image.values.of_name[name]) {
        Value::Plain(value) if is_canonical_ifunc(image, name, &object.mapped.symbols[symbol]) => {
            image.section_of_address(value, global)
        }
        _ => place_of(image, global.value_base.section()),
    }
}

/// Whether the address of an IFUNC is that of a PLT entry.
fn is_canonical_ifunc(image: &Image<'_>, name: NameId, sym: &Sym) -> bool {
    sym.kind() == STT_GNU_IFUNC && image.slots.of_name(name).is_some_and(|s| s.is_canonical)
}

/// `st_other` visibility of a name that the linker defines.
fn synthetic_visibility(attributes: u32) -> u8 {
    if attributes & attr::LOCAL != 0 {
        STV_HIDDEN
    } else if attributes & attr::PROTECTED != 0 {
        STV_PROTECTED
    } else {
        STV_DEFAULT
    }
}

fn kind_of(attributes: u32) -> u8 {
    if attributes & attr::TLS != 0 {
        STT_TLS
    } else if attributes & (attr::IFUNC | attr::SYNTHETIC) == attr::IFUNC | attr::SYNTHETIC {
        STT_GNU_IFUNC
    } else if attributes & attr::FUNC != 0 {
        STT_FUNC
    } else if attributes & attr::OBJECT != 0 {
        STT_OBJECT
    } else {
        STT_NOTYPE
    }
}

/// Writes the `.symtab` entries of some symbols of an object, whose names begin at an offset.
type WriteSymbols = fn(&Image<'_>, ObjectId, &[KeptSymbol], u32, &mut [Sym]);

/// Links that delete no bytes have a loop of their own, since most are of that kind.
fn writer_of(image: &Image<'_>) -> WriteSymbols {
    if image.deletions.is_empty() { write_symbols::<false> } else { write_symbols::<true> }
}

fn write_symbols<const SHRINKS: bool>(
    image: &Image<'_>,
    at: ObjectId,
    all: &[KeptSymbol],
    strings: u32,
    slots: &mut [Sym],
) {
    let object = &image.objects[at];
    write_kept::<false>(object, all, strings, slots, |kept| {
        let mut sym = object.mapped.symbols[kept.symbol];
        if let Some(name) = object.name_of(kept.symbol) {
            finish_global::<SHRINKS>(image, name, &mut sym);
            return sym;
        }
        let target = image.definitions.target_of(at, kept.symbol);
        match target.name() {
            Some(name) => finish_global::<SHRINKS>(image, name, &mut sym),
            None => {
                place::<SHRINKS>(image, target.section(), image.value(at, kept.symbol), &mut sym)
            }
        }
        sym
    });
}

fn finish_global<const SHRINKS: bool>(image: &Image<'_>, name: NameId, sym: &mut Sym) {
    let global = image.definitions.globals[name];
    place::<SHRINKS>(image, global.value_base.section(), image.values.of_name[name], sym);
    if global.has(attr::LOCAL) {
        sym.set_st_info(STB_LOCAL << 4 | sym.kind());
    } else if sym.bind() == STB_GNU_UNIQUE && image.no_unique {
        sym.set_st_info(STB_GLOBAL << 4 | sym.kind());
    }
    if global.has(attr::PROTECTED) && sym.visibility() == STV_DEFAULT {
        sym.set_st_other(sym.st_other() & !3 | STV_PROTECTED);
    }
    if global.has(attr::COMMON) {
        if sym.kind() == STT_COMMON {
            sym.set_st_info(sym.st_info() & 0xf0 | STT_OBJECT);
        }
        // Another object may have asked for a greater alignment, which the section record has.
        let section = global.value_base.section().expect("common symbols have sections");
        sym.set_st_size(image.definitions.sections[section].size);
    }
    if is_canonical_ifunc(image, name, sym) {
        sym.set_st_info(sym.st_info() & 0xf0 | STT_FUNC);
        sym.set_st_shndx(image.section_of_address(sym.st_value(), global).shndx());
        sym.set_st_size(0);
    }
}

/// The output section of an input section, or none.
#[inline]
fn place_of(image: &Image<'_>, section: Option<SectionId>) -> SymbolPlace {
    match section {
        Some(section) => image.header_index_of(image.definitions.sections[section].output()),
        None => SymbolPlace::ABSOLUTE,
    }
}

/// Sets `st_value` and `st_shndx`, and what is left of the size if sections lose bytes (`SHRINKS`).
#[inline(always)]
fn place<const SHRINKS: bool>(
    image: &Image<'_>,
    section: Option<SectionId>,
    value: u64,
    sym: &mut Sym,
) {
    let mut value = match values::decode(value) {
        Value::Plain(value) => value,
        Value::Merged(section) => image.address(section),
        _ => 0,
    };
    let shndx = place_of(image, section).shndx();
    if SHRINKS {
        sym.set_st_size(image.size_in(section, sym));
    }
    if sym.kind() == STT_TLS {
        value = value.wrapping_sub(image.tls_start);
    }
    sym.set_st_value(value);
    sym.set_st_shndx(shndx);
}

/// `st_value` of a symbol at `address` that no object defines: an alias of a thread-local variable
/// has the variable's offset in the TLS block.
fn made_value(image: &Image<'_>, global: Definition, address: u64) -> u64 {
    let is_alias = global.has(attr::TLS) && global.has(attr::SYNTHETIC);
    if is_alias { address.wrapping_sub(image.tls_start) } else { address }
}

/// The `.dynsym` entry of a name.
pub fn dynamic_entry(image: &Image<'_>, name: NameId, st_name: u32, is_copy: bool) -> Sym {
    let global = image.definitions.globals[name];
    let rank = image.definitions.ranks[name];
    let mut sym = Sym::default();
    if global.has(attr::DEFINED) && !global.has(attr::SYNTHETIC) {
        sym = image.objects[rank.object()].mapped.symbols[rank.symbol()];
        finish_global::<true>(image, name, &mut sym);
    } else {
        // A name that the linker or `--defsym` defines is not weak, even if all references are.
        let is_weak = !global.has(attr::DEFINED) && image.is_weak_import(name);
        let bind = if global.has(attr::UNDEF_WEAK) || is_weak { STB_WEAK } else { STB_GLOBAL };
        let kind = if global.has(attr::NO_DEFINITION) {
            ref_flags::undefined_type(image.refs.get(name).flags())
        } else {
            kind_of(global.attributes)
        };
        sym.set_st_info(bind << 4 | kind);
        if global.has(attr::SYNTHETIC) {
            sym.set_st_other(synthetic_visibility(global.attributes));
        }
        let value = image.values.of_name[name];
        if let Value::Plain(value) = values::decode(value) {
            // An undefined function whose address is that of its canonical PLT entry.
            sym.set_st_value(made_value(image, global, value));
            if is_copy || global.has(attr::SYNTHETIC) {
                sym.set_st_shndx(image.place_of_made(name, value, global).shndx());
                sym.set_st_size(image.extra_size(name));
            }
        }
    }
    sym.set_st_name(st_name);
    sym
}
