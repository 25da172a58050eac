//! The value of every symbol, in dense columns that the apply loops read.
//!
//! One pass in file order makes the columns once addresses are known; a relocation then costs one
//! load of its symbol's value. Values that need more than an addition carry a tag from the
//! non-canonical range of addresses.

use super::slots::Slots;
use crate::format::elf::{Sym, SymbolId};
use crate::layout::deletions::Deletions;
use crate::read::object_file::SectionFlags;
use crate::read::{ObjectId, Objects};
use crate::resolve::definitions::{Definitions, SectionId, attr};
use crate::resolve::linker_symbols::originals::{Original, Originals};
use crate::resolve::referent::{Referent, ValueBase};
use crate::select::liveness::Liveness;
use crate::select::merge::MergedSections;
use crate::synth::slots::SlotSetId;
use object::elf::STT_SECTION;
use skald_core::column::zeroed;
use skald_core::ids::{Column, IdSlice};
use skald_core::names::NameId;
use skald_core::par::prelude::*;
use skald_core::unordered::UnorderedMap;
use std::sync::atomic::{AtomicU64, Ordering};

/// A tagged value: top 16 bits, then a kind from 1 on in 16 bits, then 32 bits of payload. As
/// signed numbers tagged values are the lowest, so one comparison tells them apart.
const TAG: u64 = 0x8000 << 48;
const FIRST_UNTAGGED: i64 = 0x8001_u64.wrapping_shl(48) as i64;

/// STT_SECTION symbol of a section whose bytes do not move together; the payload is the section's
/// id.
const MERGED: u64 = TAG | 1 << 32;
/// The symbol's section is not in the output.
pub const DEAD: u64 = TAG | 2 << 32;
/// Only the loader knows the address: imported, or a local IFUNC without a canonical PLT entry.
const INDIRECT: u64 = TAG | 3 << 32;
/// As [`INDIRECT`], with a PLT entry; the payload is the entry's distance from [`ValueInput::plt`].
const CALLED: u64 = TAG | 4 << 32;

/// A symbol's value as the apply loop sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Value {
    /// The address, or the absolute value.
    Plain(u64),
    /// A place in a merged section, or in one that loses bytes. It depends on the addend:
    /// [`Image::place_in`](super::image::Image::place_in).
    Merged(SectionId),
    /// The symbol's section is not in the output.
    Dead,
    /// Reached through the GOT, or not at all.
    Indirect,
    /// Reached through the GOT or the PLT entry, which is this far from [`ValueInput::plt`].
    Called(i32),
}

/// Whether a value is used as it is; `false` also for some absolute values that look tagged but
/// have no known tag: [`decode`] tells them apart.
#[inline(always)]
pub fn is_plain(value: u64) -> bool {
    value as i64 >= FIRST_UNTAGGED
}

/// The meaning of a value, tagged or not.
#[inline]
pub fn decode(value: u64) -> Value {
    if is_plain(value) {
        return Value::Plain(value);
    }
    match value >> 32 << 32 {
        MERGED => Value::Merged(SectionId::new(value as u32)),
        DEAD => Value::Dead,
        INDIRECT => Value::Indirect,
        CALLED => Value::Called(value as i32),
        _ => Value::Plain(value),
    }
}

/// The address or absolute value, if the value is [`Value::Plain`].
pub fn plain(value: u64) -> Option<u64> {
    match decode(value) {
        Value::Plain(value) => Some(value),
        _ => None,
    }
}

/// Symbols of a larger object are computed by several threads.
const RUN: usize = 1 << 14;

/// Values of all symbols and names; some are tagged: see [`decode`].
#[derive(Debug, Default)]
pub struct Values {
    /// Values of the symbols of all objects, indexed as [`Definitions::target`].
    pub of_symbol: Vec<u64>,
    /// Values of the global names.
    pub of_name: Column<NameId, u64>,
    /// Values that assigned names have before the assignment, where an object defines them.
    pub originals: UnorderedMap<NameId, u64>,
}

/// The tables that values are computed from.
pub struct ValueInput<'a> {
    /// The objects that are taken, by id.
    pub objects: &'a Objects,
    /// Section records, what each symbol refers to, and the definition of each name.
    pub definitions: &'a Definitions,
    /// Which sections are in the output.
    pub liveness: &'a Liveness,
    /// Merged sections, with the output offset of each piece.
    pub merged: &'a MergedSections,
    /// Address of every input section.
    pub addresses: &'a IdSlice<SectionId, AtomicU64>,
    /// The bytes that sections have lost.
    pub deletions: &'a Deletions,
    /// GOT words and PLT entries of symbols.
    pub slots: &'a Slots,
    /// Address of the PLT entry of a slot set, if it has one.
    pub plt_address: &'a (dyn Fn(SlotSetId) -> Option<u64> + Sync),
    /// Address of `.plt`.
    pub plt: u64,
    /// Address of a place in an input `.eh_frame`, by section and offset in it.
    pub frame_address: &'a (dyn Fn(SectionId, u64) -> Option<u64> + Sync),
    /// Values of names that the linker defines (bounds, `--defsym`, assignments).
    pub synthetic: &'a [(NameId, u64)],
    /// Copied variables: name, and address of the copy.
    pub copies: &'a [(NameId, u64)],
    /// The definitions that assignments replace.
    pub originals: &'a Originals,
}

/// Computes the values of all symbols.
pub fn compute(input: &ValueInput<'_>) -> Values {
    if input.deletions.is_empty() { compute_of::<false>(input) } else { compute_of::<true>(input) }
}

/// Computes the values. `SHRINKS`: sections may have lost bytes; without it the loops do not look.
fn compute_of<const SHRINKS: bool>(input: &ValueInput<'_>) -> Values {
    let definitions = input.definitions;
    let names: Column<NameId, AtomicU64> = Column::zeroed(definitions.globals.len());
    input.objects.par_ids().with_max_len(2).for_each(|at| {
        input.winners::<SHRINKS>(at, &names);
    });
    for &(object, symbol) in &definitions.local_ifuncs {
        let target = definitions.target_of(object, symbol);
        let name = target.name().expect("named when it was found");
        let st_value = input.objects[object].mapped.symbols[symbol].st_value();
        let value = input.place::<SHRINKS>(definitions.globals[name].value_base, st_value);
        names[name].store(value, Ordering::Relaxed);
    }
    for &(name, value) in input.synthetic.iter().chain(input.copies) {
        names[name].store(value, Ordering::Relaxed);
    }
    // An assignment to a spelling that stands for another name (`foo` for `foo@@V`) holds for that
    // spelling alone.
    let is_assigned = |name: NameId| definitions.globals[name].has(attr::SYNTHETIC);
    for &(handle, name) in definitions.handles.iter().filter(|(handle, _)| !is_assigned(*handle)) {
        let value = names[name].load(Ordering::Relaxed);
        names[handle].store(value, Ordering::Relaxed);
    }
    input.indirect_names(&names);
    let of_name: Column<NameId, u64> = names.into_iter().map(AtomicU64::into_inner).collect();
    let mut of_symbol: Vec<u64> = zeroed(definitions.target.len());
    let parts = definitions.symbol_parts(&mut of_symbol);
    parts.into_par_iter().enumerate().with_max_len(2).for_each(|(at, part)| {
        input.symbols::<SHRINKS>(ObjectId::from_index(at), &of_name, part);
    });
    Values { of_symbol, of_name, originals: input.originals::<SHRINKS>() }
}

impl ValueInput<'_> {
    /// Address of `st_value` in the section that it is relative to; `st_value` itself if it is
    /// relative to none.
    #[inline(always)]
    fn place<const SHRINKS: bool>(&self, value_base: ValueBase, st_value: u64) -> u64 {
        if value_base == ValueBase::ABSOLUTE {
            return st_value;
        }
        let Some(section) = value_base.section() else { return DEAD };
        if !self.liveness.is_live(section) {
            return self.other_place(section, st_value);
        }
        let start = self.addresses[section].load(Ordering::Relaxed);
        match self.merged.member(section) {
            None => start.wrapping_add(self.offset::<SHRINKS>(section, st_value)),
            Some(member) => start.wrapping_add(member.output_offset(st_value)),
        }
    }

    /// Offset in the output's copy of a section of the byte at `offset` of the input section.
    #[inline(always)]
    fn offset<const SHRINKS: bool>(&self, section: SectionId, offset: u64) -> u64 {
        let deleted = if SHRINKS { self.deletions.of(section) } else { None };
        deleted.map_or(offset, |deleted| deleted.moved(offset))
    }

    /// Address in a section without bytes of its own in the output: a folded section has its
    /// leader's address, FDEs and CIEs have one each, and any other section that is not live has
    /// none.
    #[cold]
    fn other_place(&self, section: SectionId, st_value: u64) -> u64 {
        if self.liveness.is_folded(section) {
            let offset = self.offset::<true>(section, st_value);
            return self.addresses[section].load(Ordering::Relaxed).wrapping_add(offset);
        }
        let found = self
            .definitions
            .sections
            .get(section)
            .filter(|s| s.flags.has(SectionFlags::EH_FRAME))
            .filter(|s| !s.flags.has(SectionFlags::DISCARDED))
            .and_then(|_| (self.frame_address)(section, st_value));
        found.unwrap_or(DEAD)
    }

    /// Values of the definitions of objects that assignments replace.
    fn originals<const SHRINKS: bool>(&self) -> UnorderedMap<NameId, u64> {
        let of_object = |(name, original): &(NameId, Original)| {
            let Original::Object(rank, definition) = original else { return None };
            let symbol = &self.objects[rank.object()].mapped.symbols[rank.symbol()];
            let offset = if definition.has(attr::COMMON) { 0 } else { symbol.st_value() };
            Some((*name, self.place::<SHRINKS>(definition.value_base, offset)))
        };
        self.originals.iter().filter_map(of_object).collect()
    }

    fn winners<const SHRINKS: bool>(&self, at: ObjectId, names: &IdSlice<NameId, AtomicU64>) {
        let object = &self.objects[at];
        object.at_work();
        let globals = &object.globals[..];
        if globals.len() <= RUN {
            return self.winners_from::<SHRINKS>(at, object.first_global, globals, names);
        }
        globals.par_chunks(RUN).enumerate().for_each(|(run, globals)| {
            let first = object.first_global + (run * RUN) as u32;
            self.winners_from::<SHRINKS>(at, first, globals, names);
        });
    }

    /// Does this for globals of an object that start at its symbol `first`.
    #[inline(always)]
    fn winners_from<const SHRINKS: bool>(
        &self,
        at: ObjectId,
        first: SymbolId,
        globals: &[NameId],
        names: &IdSlice<NameId, AtomicU64>,
    ) {
        let symbols =
            self.objects[at].mapped.symbols.items().get(first.index()..).unwrap_or_default();
        for (index, (symbol, &name)) in first.onward().zip(symbols.iter().zip(globals)) {
            if symbol.st_shndx() == 0 || !self.definitions.ranks[name].is_of_object(at, index) {
                continue;
            }
            let global = self.definitions.globals[name];
            let offset = if global.has(attr::COMMON) { 0 } else { symbol.st_value() };
            names[name].store(self.place::<SHRINKS>(global.value_base, offset), Ordering::Relaxed);
        }
    }

    /// Sets the values of names that are reached through GOT or PLT.
    fn indirect_names(&self, names: &IdSlice<NameId, AtomicU64>) {
        let globals = &self.definitions.globals;
        globals.par_with_ids().with_min_len(1 << 14).for_each(|(name, global)| {
            let is_import = global.has(attr::IMPORTED);
            let is_ifunc = global.has(attr::IFUNC);
            if !is_import && !is_ifunc {
                return;
            }
            if let Some(position) = self.slots.set_of_name(name)
                && self.slots.sets[position].is_canonical
                && let Some(address) = (self.plt_address)(position)
            {
                names[name].store(address, Ordering::Relaxed);
                return;
            }
            if is_import && global.has(attr::SHARED) && names[name].load(Ordering::Relaxed) != 0 {
                return; // A copy.
            }
            if is_import && (global.has(attr::DEFINED) || is_ifunc) && !global.has(attr::SHARED) {
                // Preemptible names: tables of this output still need the address of the definition
                // here.
                return;
            }
            if is_import {
                names[name].store(self.indirect(name), Ordering::Relaxed);
            }
        });
    }

    /// The value of a name that is reached through GOT or PLT.
    fn indirect(&self, name: NameId) -> u64 {
        if self.definitions.globals[name].has(attr::UNDEF_WEAK) {
            // Calls go to the PLT entry, but the function's address may be another one in other
            // modules.
            return INDIRECT;
        }
        let entry = self.slots.set_of_name(name).and_then(|at| (self.plt_address)(at));
        match entry.map(|entry| i32::try_from(entry.wrapping_sub(self.plt) as i64)) {
            Some(Ok(distance)) => CALLED | u64::from(distance as u32),
            _ => INDIRECT,
        }
    }

    fn symbols<const SHRINKS: bool>(
        &self,
        at: ObjectId,
        of_name: &IdSlice<NameId, u64>,
        part: &mut [u64],
    ) {
        self.objects[at].at_work();
        if part.len() <= RUN {
            return self.symbols_from::<SHRINKS>(at, 0, of_name, part);
        }
        part.par_chunks_mut(RUN).enumerate().for_each(|(run, part)| {
            self.symbols_from::<SHRINKS>(at, run * RUN, of_name, part);
        });
    }

    /// Computes the values of symbols of an object, from `first` on.
    #[inline(always)]
    fn symbols_from<const SHRINKS: bool>(
        &self,
        at: ObjectId,
        first: usize,
        of_name: &IdSlice<NameId, u64>,
        part: &mut [u64],
    ) {
        let targets = self.definitions.targets_of(at).items().get(first..).unwrap_or_default();
        let symbols = self.objects[at].mapped.symbols.items().get(first..).unwrap_or_default();
        for ((slot, &target), symbol) in part.iter_mut().zip(targets).zip(symbols) {
            *slot = match target.get() {
                Referent::Global(name) => self.named(name, of_name),
                Referent::Section(section) => self.local::<SHRINKS>(section, symbol),
                Referent::Nowhere => DEAD,
                Referent::Absolute => symbol.st_value(),
            };
        }
    }

    /// Value of a symbol that refers to a name.
    #[inline(always)]
    fn named(&self, name: NameId, of_name: &IdSlice<NameId, u64>) -> u64 {
        let global = self.definitions.globals[name];
        if global.has(attr::IMPORTED | attr::IFUNC) {
            let is_preemptible = global.has(attr::IMPORTED) && global.has(attr::DEFINED);
            let is_resolved = !global.has(attr::IMPORTED)
                && !self.slots.of_name(name).is_some_and(|s| s.is_canonical);
            if is_preemptible || is_resolved {
                return self.indirect(name);
            }
        }
        of_name[name]
    }

    /// Value of a symbol that refers to a place in an input section.
    #[inline(always)]
    fn local<const SHRINKS: bool>(&self, section: SectionId, symbol: &Sym) -> u64 {
        if SHRINKS && self.is_apart(section, symbol) {
            return MERGED | u64::from(section);
        }
        if !self.liveness.is_live(section) {
            return self.other_place(section, symbol.st_value());
        }
        let start = self.addresses[section].load(Ordering::Relaxed);
        let offset = match self.merged.member(section) {
            None => self.offset::<SHRINKS>(section, symbol.st_value()),
            Some(_) if symbol.kind() == STT_SECTION => return MERGED | u64::from(section),
            Some(member) => member.output_offset(symbol.st_value()),
        };
        start.wrapping_add(offset)
    }

    /// Whether this is the section symbol of a section that loses bytes: the place depends on the
    /// addend.
    fn is_apart(&self, section: SectionId, symbol: &Sym) -> bool {
        symbol.kind() == STT_SECTION && self.deletions.of(section).is_some()
    }
}
