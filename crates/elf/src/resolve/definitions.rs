//! The definition of every name, and dense ids for sections and symbols.
//!
//! Members of groups that another file provides are dropped first ([`super::comdat`]). Then there
//! are two parallel passes over the objects, one task for each file. The first decodes the sections
//! that are left into one flat column, and fills `target`: what each symbol of each file refers to.
//! Defined globals compete for their name by an atomic minimum of (strength, command-line
//! position), so the winner is the same in any order. The second lets each winner write its
//! definition and each strong loser report a duplicate.

use super::comdat::{self, kept_copies};
use super::commons::common_sizes::{self, Common};
use super::extract::Extraction;
use super::names::references::ref_flags;
pub use super::rank::{Rank, Strength};
use super::referent::{self, PackedReferent, ValueBase};
use crate::format::elf::{Sym, SymbolId};
use crate::machine::Machine;
use crate::read::candidates::Candidates;
use crate::read::object_file::{InputSection, ReadRules, SectionFlags};
use crate::read::{Libraries, ObjectFile, ObjectId, Objects, RecordId, section_records};
use crate::script::section_names::{NameClass, known};
use object::elf::*;
use skald_core::column::{populate, split_mut, zeroed};
use skald_core::diag::{Diag, Error};
use skald_core::ids::{Column, IdRange, IdSlice, IndexRange, OptionalId};
use skald_core::names::NameId;
use skald_core::par::prelude::*;
use skald_core::perturb::shuffled;
pub use skald_linking::ids::SectionId;
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use zerocopy::FromZeros;

/// All input sections of the link.
pub type Sections = IdSlice<SectionId, InputSection>;

/// Bits of [`Definition::attributes`].
#[allow(missing_docs)]
pub mod attr {
    /// Defined by an object or the linker.
    pub const DEFINED: u32 = 1;
    /// Defined by a shared object.
    pub const SHARED: u32 = 1 << 1;
    pub const WEAK: u32 = 1 << 2;
    pub const ABSOLUTE: u32 = 1 << 3;
    pub const TLS: u32 = 1 << 4;
    pub const FUNC: u32 = 1 << 5;
    pub const IFUNC: u32 = 1 << 6;
    pub const OBJECT: u32 = 1 << 7;
    pub const UNIQUE: u32 = 1 << 8;
    /// Bound by the dynamic linker: references need GOT, PLT or dynamic relocations.
    pub const IMPORTED: u32 = 1 << 9;
    /// A definition in the dynamic symbol table.
    pub const EXPORTED: u32 = 1 << 10;
    /// Not visible outside: STV_HIDDEN or STV_INTERNAL, or made local by a version script.
    pub const LOCAL: u32 = 1 << 11;
    pub const PROTECTED: u32 = 1 << 12;
    /// Defined by the linker: the value is known after layout.
    pub const SYNTHETIC: u32 = 1 << 13;
    /// Undefined, and all references are weak.
    pub const UNDEF_WEAK: u32 = 1 << 14;
    /// Undefined, with a strong reference: an error or an import.
    pub const UNDEFINED: u32 = 1 << 15;
    pub const COMMON: u32 = 1 << 16;
    /// `__start_NAME` or `__stop_NAME` of an output section that exists.
    pub const START_STOP: u32 = 1 << 17;
    /// Defined by a shared object with `st_size` 0.
    pub const EMPTY: u32 = 1 << 18;
    /// Defined in a section that a script discards.
    pub const DISCARDED: u32 = 1 << 19;
    /// Any of these: references are to the definition inside the output, or to nothing.
    pub const OWN: u32 = LOCAL | PROTECTED;
    /// The type of a symbol that an alias takes over; an IFUNC's alias is a function.
    pub const TYPE: u32 = FUNC | OBJECT | TLS;
    /// Any of these: nothing of the link defines it.
    pub const NO_DEFINITION: u32 = UNDEFINED | UNDEF_WEAK;
    /// Any of these: a reference may need more than the address of the definition.
    pub const NOT_PLAIN: u32 = IMPORTED | IFUNC | UNDEFINED | UNDEF_WEAK | SYNTHETIC | DISCARDED;
}

/// The definition of a name, as marking and scanning need it.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct Definition {
    /// What the value is relative to: an input section, or nothing.
    pub value_base: ValueBase,
    /// Bits of [`attr`].
    pub attributes: u32,
}
const _: () = assert!(size_of::<Definition>() == 8);

impl Definition {
    /// The definition as one word; 0 is no definition.
    fn pack(self) -> u64 {
        u64::from(self.attributes) << 32 | u64::from(self.value_base.word())
    }

    fn unpack(word: u64) -> Definition {
        if word == 0 {
            return Definition { value_base: ValueBase::NOWHERE, attributes: 0 };
        }
        Definition {
            value_base: ValueBase::from_word(word as u32),
            attributes: (word >> 32) as u32,
        }
    }

    /// Whether any of `bits` is set.
    #[inline(always)]
    pub fn has(&self, bits: u32) -> bool {
        self.attributes & bits != 0
    }
}

/// Adds an object's record index to the id of the object's first section.
impl std::ops::Add<RecordId> for SectionId {
    type Output = SectionId;

    #[inline(always)]
    fn add(self, record: RecordId) -> SectionId {
        self + record.number()
    }
}

/// A name defined twice.
#[derive(Debug, Clone, Copy)]
pub struct Duplicate {
    /// The name that is defined twice.
    pub name: NameId,
    /// The object whose definition lost.
    pub object: ObjectId,
    /// The losing symbol of that object.
    pub symbol: SymbolId,
}

/// Dense tables of sections, symbols and names, with the definition of each name.
#[derive(Debug, Default)]
pub struct Definitions {
    /// All sections of all objects, in command-line order; records for common symbols follow each
    /// object's.
    pub sections: Column<SectionId, InputSection>,
    /// By object, the id of its first section; one more entry is the total count.
    pub section_base: Column<ObjectId, SectionId>,
    /// By object, the index in `target` of its first symbol; one more entry is the total count.
    pub symbol_base: Column<ObjectId, u32>,
    /// What every symbol of every object refers to, object by object.
    pub target: Vec<PackedReferent>,
    /// By name: strength, file and symbol of the winning definition.
    pub ranks: Column<NameId, Rank>,
    /// By name: the winning definition.
    pub globals: Column<NameId, Definition>,
    /// Plain names that stand for a versioned name, and the versioned names: see
    /// [`super::versions::versioned_names`].
    pub handles: Vec<(NameId, NameId)>,
    /// Common symbols that an assignment replaces, with the section records that the symbols would
    /// have had.
    pub assigned_commons: Vec<(NameId, SectionId)>,
    /// Sizes and alignments that common symbols ask of a variable that a library defines.
    pub copy_wishes: common_sizes::CommonNeeds,
    /// Definitions that lost, though they are strong as the winner is.
    pub duplicates: Vec<Duplicate>,
    /// Definitions that lost, and are thread-local where the winner is not, or the reverse.
    pub tls_mismatches: Vec<Duplicate>,
    /// Symbols that cannot be valid: `(object, symbol)`, sorted.
    pub bad_symbols: Vec<(ObjectId, SymbolId)>,
    /// The function that relocations call without naming it (`Machine::implied_call`).
    pub implied_call: OptionalId<NameId>,
    /// Local STT_GNU_IFUNC symbols: `(object, symbol)`, sorted.
    pub local_ifuncs: Vec<(ObjectId, SymbolId)>,
}

impl Definitions {
    /// Finds size, alignment and definition of common symbols, all of them by name.
    fn settle_commons(
        &mut self,
        mut commons: Vec<Common>,
        extraction: &Extraction,
        objects: &Objects,
        shared: &Libraries,
    ) {
        let ranks = &mut self.ranks;
        self.copy_wishes =
            common_sizes::join_libraries(&mut commons, ranks, extraction, objects, shared);
        common_sizes::settle(&commons, ranks, &mut self.sections);
    }

    /// What symbol `symbol` of object `object` refers to.
    #[inline(always)]
    pub fn target_of(&self, object: ObjectId, symbol: SymbolId) -> PackedReferent {
        let range = self.symbol_base.range_of(object);
        let at = range.start as usize + symbol.index();
        if at < range.end as usize { self.target[at] } else { PackedReferent::NOWHERE }
    }

    /// What the symbols of an object refer to.
    #[inline(always)]
    pub fn targets_of(&self, object: ObjectId) -> &IdSlice<SymbolId, PackedReferent> {
        self.symbols_of(&self.target, object)
    }

    /// An object's part of a column by symbol, which is laid out like [`Definitions::target`].
    #[inline(always)]
    pub fn symbols_of<'a, T>(&self, column: &'a [T], object: ObjectId) -> &'a IdSlice<SymbolId, T> {
        let range = self.symbol_base.range_of(object);
        IdSlice::new(&column[range.wide()])
    }

    /// The parts of a column by symbol, one for each object.
    pub fn symbol_parts<'a, T>(&self, column: &'a mut [T]) -> Vec<&'a mut IdSlice<SymbolId, T>> {
        let parts = split_mut(column, self.symbol_base.ranges().map(|range| range.wide()));
        parts.into_iter().map(IdSlice::new_mut).collect()
    }

    /// An object's part of a column by symbol, to be changed.
    pub fn symbols_of_mut<'a, T>(
        &self,
        column: &'a mut [T],
        object: ObjectId,
    ) -> &'a mut IdSlice<SymbolId, T> {
        IdSlice::new_mut(&mut column[self.symbol_base.range_of(object).wide()])
    }

    /// What a symbol of an object refers to, to be changed.
    pub(super) fn target_mut(&mut self, object: ObjectId, symbol: SymbolId) -> &mut PackedReferent {
        let at = self.symbol_base[object] as usize + symbol.index();
        &mut self.target[at]
    }

    /// Whether a referent is defined in this output and needs no more than its address.
    #[inline(always)]
    pub fn is_plain(&self, target: PackedReferent) -> bool {
        let Some(name) = target.name() else { return target.section().is_some() };
        let global = self.globals[name];
        !global.has(attr::NOT_PLAIN) && global.value_base.section().is_some()
    }

    /// What the value of the referent is relative to.
    #[inline(always)]
    pub fn value_base_of(&self, target: PackedReferent) -> ValueBase {
        match target.name() {
            Some(name) => self.globals[name].value_base,
            None => target.value_base().unwrap_or(ValueBase::NOWHERE),
        }
    }

    /// The input section that the referent's definition is in, if any.
    #[inline(always)]
    pub fn section_of(&self, target: PackedReferent) -> Option<SectionId> {
        self.value_base_of(target).section()
    }

    /// Removes a name that no symbol has any more: it is not undefined either.
    pub(super) fn forget(&mut self, name: NameId) {
        self.globals[name] = Definition { value_base: ValueBase::NOWHERE, attributes: 0 };
    }

    /// The sections whose SHF_LINK_ORDER names a section of `object`.
    #[inline]
    pub fn linked_to<'o>(
        &self,
        id: SectionId,
        object: &'o ObjectFile,
    ) -> impl Iterator<Item = SectionId> + use<'o> {
        let section = &self.sections[id];
        let base = self.section_base[section.object];
        let all = if section.flags.has(SectionFlags::HAS_DEPENDENTS) {
            object.dependents.as_slice()
        } else {
            &[]
        };
        let own = RecordId::new(id - base);
        let first = all.partition_point(|pair| pair.0 < own);
        all[first..].iter().take_while(move |pair| pair.0 == own).map(move |pair| base + pair.1)
    }

    /// Ids of an object's sections.
    pub fn sections_of(&self, object: ObjectId) -> Range<SectionId> {
        self.section_base[object]..self.section_base[object + 1]
    }
}

struct Contest<'a> {
    extraction: &'a Extraction,
    ranks: Column<NameId, AtomicU64>,
    /// Common symbols that objects have, in any order.
    commons: Mutex<Vec<Common>>,
    rules: ReadRules<'a>,
    /// Objects whose sections cannot be decoded, with the error.
    faults: Mutex<Vec<(ObjectId, Error)>>,
    /// See [`Definitions::bad_symbols`].
    bad_symbols: Mutex<Vec<(ObjectId, SymbolId)>>,
    /// See [`Definitions::local_ifuncs`].
    local_ifuncs: Mutex<Vec<(ObjectId, SymbolId)>>,
    /// Local symbols in sections that other files provide and that are not loaded.
    lost: Mutex<Vec<kept_copies::LostSymbols>>,
}

/// Spare capacity behind the sections for records of copied variables, which are added after
/// resolving, so that the column need not be moved.
const COPY_ROOM: usize = 1 << 12;

/// See [`Definitions::implied_call`].
fn implied_call(extraction: &Extraction, machine: &Machine) -> OptionalId<NameId> {
    let name = machine.implied_call;
    name.and_then(|name| extraction.names.find_text(name.as_bytes())).into()
}

/// Runs both passes.
pub fn define(
    extraction: &Extraction,
    objects: &mut Objects,
    candidates: &Candidates,
    rules: ReadRules<'_>,
    diag: &Diag,
) -> Definitions {
    let name_limit = extraction.names.id_limit();
    comdat::drop_copies(extraction, objects, rules);
    let mut tables = Definitions {
        section_base: prefix_sums(objects.iter().map(|o| o.content_count + o.common_count))
            .into_iter()
            .map(SectionId::new)
            .collect(),
        implied_call: implied_call(extraction, rules.machine),
        symbol_base: prefix_sums(objects.iter().map(|o| o.mapped.symbols.len() as u32)).into(),
        ..Definitions::default()
    };
    let total_sections = (tables.section_base.last().expect("ends with the total")).index();
    let total_symbols = *tables.symbol_base.last().expect("ends with the total") as usize;
    tables.sections = InputSection::new_vec_zeroed(total_sections + COPY_ROOM)
        .expect("memory for sections")
        .into();
    populate(&tables.sections);
    tables.sections.truncate(total_sections);
    tables.target = zeroed(total_symbols);
    let contest = Contest {
        extraction,
        ranks: Column::zeroed(name_limit),
        commons: Mutex::default(),
        rules,
        faults: Mutex::default(),
        bad_symbols: Mutex::default(),
        local_ifuncs: Mutex::default(),
        lost: Mutex::default(),
    };
    contest.enter_shared(&candidates.shared);

    let bases = &tables.section_base;
    let targets =
        split_mut(&mut tables.target, tables.symbol_base.ranges().map(|range| range.wide()));
    let records = split_mut(&mut tables.sections, bases.ranges().map(IdRange::indices));
    objects.par_iter_mut().with_max_len(2).zip(targets).zip(records).enumerate().for_each(
        |(at, ((object, target), records))| {
            let at = ObjectId::from_index(at);
            contest.enter_object(at, object, bases[at], target, records);
            if let Some(queue) = &candidates.release_early {
                object.release_headers(queue);
            }
        },
    );
    tables.ranks = contest.ranks.into_iter().map(|r| Rank(!r.into_inner())).collect();
    for (at, error) in contest.faults.into_inner().expect("no task panics") {
        let file = objects[at].file.expect("numbered when taken");
        diag.error(
            (u64::from(file.number()), 0),
            format!("{}: {error}", candidates.display_name(file)),
        );
    }
    tables.bad_symbols = sorted(contest.bad_symbols);
    tables.local_ifuncs = sorted(contest.local_ifuncs);
    kept_copies::redirect(&mut tables, extraction, objects, sorted(contest.lost));
    let commons = common_sizes::by_name(contest.commons.into_inner().expect("no task panics"));
    tables.settle_commons(commons, extraction, objects, &candidates.shared);
    tables.fill_winners(extraction, objects);
    tables.describe_others(extraction, &candidates.shared);
    tables
}

/// What all tasks found, in order.
fn sorted<T: Ord>(found: Mutex<Vec<T>>) -> Vec<T> {
    let mut found = found.into_inner().expect("no task panics");
    shuffled(&mut found).sort_unstable();
    found
}

fn prefix_sums(counts: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut sums = vec![0];
    let mut total = 0u32;
    for count in counts {
        total = total
            .checked_add(count)
            .filter(|&t| t < referent::LIMIT)
            .expect("more than 2^31 entities");
        sums.push(total);
    }
    sums
}

impl Contest<'_> {
    #[inline]
    fn compete(&self, name: NameId, rank: Rank) {
        // Ranks are stored inverted, for an atomic maximum: 0 is no definition, and the greatest
        // value wins.
        let value = !rank.0;
        let slot = &self.ranks[name];
        if slot.load(Ordering::Relaxed) < value {
            slot.fetch_max(value, Ordering::Relaxed);
        }
    }

    fn enter_shared(&self, shared: &Libraries) {
        shared.par_with_ids().for_each(|(at, file)| {
            for &(symbol, name) in &file.exports {
                // A symbol of other than default visibility cannot be defined by a library.
                let flags = self.extraction.refs.get(name).flags();
                if flags & ref_flags::OWN == 0 {
                    self.compete(name, Rank::of_library(at, symbol));
                }
            }
        });
    }

    /// First pass over one object: its section records go to their part of the flat column.
    fn enter_object(
        &self,
        at: ObjectId,
        object: &mut ObjectFile,
        base: SectionId,
        target: &mut [PackedReferent],
        records: &mut [InputSection],
    ) {
        object.at_work();
        let (records, commons) = records.split_at_mut(object.content_count as usize);
        if let Err(error) =
            section_records::decode(object, at, IdSlice::new_mut(records), self.rules)
        {
            self.faults.lock().expect("no task panics").push((at, error));
        }
        let mut commons = (base + object.content_count).onward().zip(commons);
        let mut own_commons = Vec::new();
        let first = object.first_global;
        let (locals, globals) = target.split_at_mut(first.index());
        for (index, slot) in SymbolId::default().onward().zip(locals) {
            if !object.is_sound(index, &object.mapped.symbols[index]) {
                self.note_bad_symbol(at, index);
            }
            *slot = local_value_base(object, base, index).into();
            if object.mapped.symbols[index].kind() == STT_GNU_IFUNC && slot.section().is_some() {
                self.local_ifuncs.lock().expect("no task panics").push((at, index));
            }
        }
        for (index, slot) in first.onward().zip(globals) {
            let name = object.global(index);
            *slot = PackedReferent::global(name);
            let symbol = &object.mapped.symbols[index];
            if symbol.bind() == STB_LOCAL || !object.is_sound(index, symbol) {
                self.note_bad_symbol(at, index);
            }
            let strength = match symbol.st_shndx() {
                SHN_UNDEF => continue,
                _ if object.is_common(symbol) => {
                    let (section, slot) = commons.next().expect("counted when names were interned");
                    *slot = common_section(at, index, symbol);
                    own_commons.push(Common {
                        name,
                        rank: Rank::of_object(Strength::Common, at, index),
                        section,
                        size: symbol.st_size(),
                        align: symbol.st_value(),
                    });
                    Strength::Common
                }
                SHN_ABS => strength_of(symbol),
                _ => match object.symbol_section(index) {
                    // Sections that are not kept (notes to the linker) keep their symbols.
                    Some(shndx) if object.is_no_definition(shndx) => continue,
                    _ => strength_of(symbol),
                },
            };
            self.compete(name, Rank::of_object(strength, at, index));
        }
        if object.loses_unloaded {
            let lost = kept_copies::lost_symbols(object);
            self.lost.lock().expect("no task panics").push((at, lost));
        }
        if !own_commons.is_empty() {
            self.commons.lock().expect("no task panics").append(&mut own_commons);
        }
    }

    #[cold]
    fn note_bad_symbol(&self, at: ObjectId, index: SymbolId) {
        self.bad_symbols.lock().expect("no task panics").push((at, index));
    }
}

#[inline(always)]
fn strength_of(symbol: &Sym) -> Strength {
    if symbol.bind() == STB_WEAK { Strength::Weak } else { Strength::Strong }
}

#[inline]
fn local_value_base(object: &ObjectFile, base: SectionId, index: SymbolId) -> ValueBase {
    // Symbol 0 is no symbol: its value is zero.
    if index.index() == 0 || object.mapped.symbols[index].st_shndx() == SHN_ABS {
        return ValueBase::ABSOLUTE;
    }
    let record = object.symbol_section(index).and_then(|shndx| object.record_index(shndx));
    record.map_or(ValueBase::NOWHERE, |record| ValueBase::from(base + record))
}

/// The record of the space that a common symbol takes if it is the definition.
fn common_section(object: ObjectId, symbol: SymbolId, entry: &Sym) -> InputSection {
    let is_tls = entry.kind() == STT_TLS;
    let is_large = entry.st_shndx() != SHN_COMMON;
    let mut flags = SectionFlags(
        SectionFlags::ALLOC | SectionFlags::WRITE | SectionFlags::NOBITS | SectionFlags::COMMON,
    );
    if is_tls {
        flags.set(SectionFlags::TLS);
    }
    if is_large {
        flags.set(SectionFlags::LARGE);
    }
    InputSection {
        object,
        shndx: symbol.number(),
        data_offset: 0,
        size: 0,
        rel_offset: 0,
        rel_count: 0,
        fde_head: OptionalId::NONE,
        out: match (is_tls, is_large) {
            (true, _) => known::TBSS,
            (_, true) => known::LBSS,
            _ => known::BSS,
        }
        .into(),
        class: NameClass::CUSTOM,
        flags,
        align_log2: 0,
        entsize: 0,
    }
}

impl Definitions {
    /// Second pass over all objects: each winner writes its definition, and each losing strong one
    /// is noted as a duplicate.
    fn fill_winners(&mut self, extraction: &Extraction, objects: &Objects) {
        let packed: Column<NameId, AtomicU64> = Column::zeroed(extraction.names.id_limit());
        let ranks = &self.ranks;
        let bases = &self.section_base;
        let parts = split_mut(&mut self.sections, bases.ranges().map(IdRange::indices));
        let conflicts: Vec<Conflicts> = objects
            .par_iter()
            .with_max_len(2)
            .zip(parts)
            .enumerate()
            .map(|(at, (object, sections))| {
                let won = &packed;
                let at = ObjectId::from_index(at);
                WinnerPass { at, objects, object, base: bases[at], ranks, won }.run(sections)
            })
            .collect();
        for mut found in conflicts {
            self.duplicates.append(&mut found.duplicates);
            self.tls_mismatches.append(&mut found.tls_mismatches);
        }
        self.globals = packed
            .into_vec()
            .into_par_iter()
            .with_min_len(1 << 14)
            .map(|word| Definition::unpack(word.into_inner()))
            .collect();
    }

    /// Fills names that shared objects define, and names without any definition.
    fn describe_others(&mut self, extraction: &Extraction, shared: &Libraries) {
        let ranks = &self.ranks;
        let refs = &extraction.refs;
        self.globals.par_with_ids_mut().with_min_len(1 << 14).for_each(|(name, global)| {
            let flags = refs.get(name).flags();
            let rank = ranks[name];
            match rank.strength() {
                Strength::Shared => {
                    let symbol = &shared[rank.library()].symbols[rank.symbol()];
                    global.attributes = shared_bits(symbol);
                }
                Strength::Undefined => {
                    global.attributes |= undefined_bits(flags);
                }
                _ => {}
            }
            if flags & ref_flags::OWN != 0 {
                global.attributes |= visibility_attributes(flags);
            }
        });
    }
}

/// Attributes of a name without a definition; `flags` are those of its references.
pub fn undefined_bits(flags: u32) -> u32 {
    if flags & (ref_flags::UNDEF_STRONG | ref_flags::ROOT) != 0 {
        attr::UNDEFINED
    } else if flags & ref_flags::UNDEF_WEAK != 0 {
        attr::UNDEF_WEAK
    } else {
        0
    }
}

/// Attributes that follow from the visibilities that files give a name.
#[inline]
pub fn visibility_attributes(flags: u32) -> u32 {
    let mut bits = 0;
    if flags & (ref_flags::HIDDEN | ref_flags::INTERNAL) != 0 {
        bits |= attr::LOCAL;
    }
    if flags & ref_flags::PROTECTED != 0 {
        bits |= attr::PROTECTED;
    }
    bits
}

/// The definitions that lose against the winner of their name and cannot stand beside it.
#[derive(Default)]
struct Conflicts {
    duplicates: Vec<Duplicate>,
    tls_mismatches: Vec<Duplicate>,
}

struct WinnerPass<'a> {
    at: ObjectId,
    objects: &'a Objects,
    object: &'a ObjectFile,
    base: SectionId,
    ranks: &'a IdSlice<NameId, Rank>,
    /// By name: the winner's definition. Only one winner writes each.
    won: &'a IdSlice<NameId, AtomicU64>,
}

impl WinnerPass<'_> {
    fn run(&self, sections: &mut [InputSection]) -> Conflicts {
        let first = self.object.first_global;
        let mut conflicts = Conflicts::default();
        let common_count = self.object.common_count as usize;
        let mut common_slot = sections.len() - common_count;
        for (index, &name) in first.onward().zip(&self.object.globals) {
            let symbol = &self.object.mapped.symbols[index];
            let shndx = symbol.st_shndx();
            if shndx == SHN_UNDEF {
                continue;
            }
            let rank = self.ranks[name];
            let is_winner = rank.object() == self.at
                && rank.symbol() == index
                && rank.strength() <= Strength::Weak;
            let mut definition = Definition {
                value_base: ValueBase::NOWHERE,
                attributes: attr::DEFINED | kind_bits(symbol) | bind_bits(symbol),
            };
            if self.object.is_common(symbol) {
                let slot = &mut sections[common_slot];
                definition.value_base = ValueBase::from(self.base + common_slot as u32);
                definition.attributes |= attr::COMMON;
                common_slot += 1;
                if !is_winner {
                    slot.flags.set(SectionFlags::DISCARDED);
                }
            } else if shndx == SHN_ABS {
                definition.value_base = ValueBase::ABSOLUTE;
                definition.attributes |= attr::ABSOLUTE;
            } else if let Some(shndx) = self.object.symbol_section(index) {
                if self.object.is_no_definition(shndx) {
                    continue;
                }
                let record = self.object.record_index(shndx);
                definition.value_base =
                    record.map_or(ValueBase::NOWHERE, |record| ValueBase::from(self.base + record));
            }
            if is_winner {
                self.won[name].store(definition.pack(), Ordering::Relaxed);
            } else {
                self.note_conflict(
                    Duplicate { name, object: self.at, symbol: index },
                    &mut conflicts,
                );
            }
        }
        conflicts
    }

    #[cold]
    fn note_conflict(&self, loser: Duplicate, conflicts: &mut Conflicts) {
        let symbol = &self.object.mapped.symbols[loser.symbol];
        let rank = self.ranks[loser.name];
        let is_common = self.object.is_common(symbol);
        if strength_of(symbol) == Strength::Strong
            && rank.strength() == Strength::Strong
            && !is_common
        {
            conflicts.duplicates.push(loser);
        } else if rank.strength() <= Strength::Weak {
            let winner = &self.objects[rank.object()].mapped.symbols[rank.symbol()];
            if (winner.kind() == STT_TLS) != (symbol.kind() == STT_TLS) {
                conflicts.tls_mismatches.push(loser);
            }
        }
    }
}

/// Attribute bits of a symbol's type.
#[inline]
pub fn kind_bits(symbol: &Sym) -> u32 {
    match symbol.kind() {
        STT_FUNC => attr::FUNC,
        STT_OBJECT | STT_COMMON => attr::OBJECT,
        STT_TLS => attr::TLS,
        STT_GNU_IFUNC => attr::IFUNC | attr::FUNC,
        _ => 0,
    }
}

/// Attribute bits of a name that a shared object defines with `symbol`.
#[inline]
pub fn shared_bits(symbol: &Sym) -> u32 {
    let mut bits = attr::SHARED | attr::IMPORTED | kind_bits(symbol);
    if symbol.visibility() == STV_PROTECTED {
        bits |= attr::PROTECTED;
    }
    if symbol.st_size() == 0 {
        bits |= attr::EMPTY;
    }
    bits
}

#[inline]
fn bind_bits(symbol: &Sym) -> u32 {
    match symbol.bind() {
        STB_WEAK => attr::WEAK,
        STB_GNU_UNIQUE => attr::UNIQUE,
        _ => 0,
    }
}
