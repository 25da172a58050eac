//! The value of every symbol, in dense columns that relocating reads.
//!
//! Made in one pass in file order once addresses are known; a relocation then costs one load of
//! its symbol's value. Values that need more than an addition carry a tag in the non-canonical
//! hole of the address space.

use super::slots::Slots;
use crate::format::elf::{Sym, SymbolId};
use crate::read::object_file::SectionFlags;
use crate::read::{ObjectId, Objects};
use crate::resolve::definitions::{Definitions, SectionId, attr};
use crate::resolve::referent::{Home, Referent};
use crate::select::liveness::Liveness;
use crate::select::merge::MergedSections;
use crate::synth::slots::SlotSetId;
use object::elf::STT_SECTION;
use skald_core::column::zeroed;
use skald_core::ids::{Column, IdSlice};
use skald_core::names::NameId;
use skald_core::par::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering};

/// A tagged value: top 16 bits, then a kind from 1 on in 16 bits, then 32 bits of payload. Tagged
/// values are the lowest of all as signed numbers, which takes one comparison to see.
const TAG: u64 = 0x8000 << 48;
const FIRST_UNTAGGED: i64 = 0x8001_u64.wrapping_shl(48) as i64;

/// Section symbol of a merged section; the payload is the section.
const MERGED: u64 = TAG | 1 << 32;
/// In no output section.
pub const DEAD: u64 = TAG | 2 << 32;
/// Imported, or a local IFUNC without an address of its own.
const INDIRECT: u64 = TAG | 3 << 32;
/// The same with a PLT entry; the payload is the entry's distance from [`ValueInput::plt`].
const CALLED: u64 = TAG | 4 << 32;

/// A symbol's value as relocating sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Value {
    /// The address, or the absolute value.
    Plain(u64),
    /// A place in a merged section that the addend decides.
    Merged(SectionId),
    /// What it refers to is not in the output.
    Dead,
    /// Reached through the GOT only, if at all.
    Indirect,
    /// Reached through GOT or PLT; the PLT entry is that far from [`ValueInput::plt`].
    Called(i32),
}

/// Whether a value needs no more than an addition; `false` for some absolute values that are
/// nobody's address, which [`decode`] knows.
#[inline(always)]
pub fn is_plain(value: u64) -> bool {
    value as i64 >= FIRST_UNTAGGED
}

/// Takes a value apart.
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

/// The address that `value` is, if it is one.
pub fn plain(value: u64) -> Option<u64> {
    match decode(value) {
        Value::Plain(value) => Some(value),
        _ => None,
    }
}

/// Symbols of an object beyond which threads share them.
const RUN: usize = 1 << 14;

/// The columns.
#[derive(Debug, Default)]
pub struct Values {
    /// By symbol of each object, as [`Definitions::target`].
    pub of_symbol: Vec<u64>,
    /// By name.
    pub of_name: Column<NameId, u64>,
}

/// What values are computed from.
pub struct ValueInput<'a> {
    /// Objects.
    pub objects: &'a Objects,
    /// Definitions.
    pub definitions: &'a Definitions,
    /// Liveness.
    pub liveness: &'a Liveness,
    /// Merged sections.
    pub merged: &'a MergedSections,
    /// Address of every section.
    pub addresses: &'a IdSlice<SectionId, AtomicU64>,
    /// Slots.
    pub slots: &'a Slots,
    /// Address of a PLT entry, by position of its set.
    pub plt_address: &'a (dyn Fn(SlotSetId) -> Option<u64> + Sync),
    /// Address of `.plt`.
    pub plt: u64,
    /// Address of a place in an input `.eh_frame`, by section and offset in it.
    pub frame_address: &'a (dyn Fn(SectionId, u64) -> Option<u64> + Sync),
    /// Values of names that the linker defines.
    pub synthetic: &'a [(NameId, u64)],
    /// Copies: name and address.
    pub copies: &'a [(NameId, u64)],
}

/// Fills both columns.
pub fn compute(input: &ValueInput<'_>) -> Values {
    let definitions = input.definitions;
    let names: Column<NameId, AtomicU64> = Column::zeroed(definitions.globals.len());
    input.objects.par_ids().with_max_len(2).for_each(|at| {
        input.winners(at, &names);
    });
    for &(object, symbol) in &definitions.local_ifuncs {
        let target = definitions.target_of(object, symbol);
        let name = target.name().expect("named when it was found");
        let st_value = input.objects[object].mapped.symbols[symbol].st_value();
        let value = input.place(definitions.globals[name].home, st_value);
        names[name].store(value, Ordering::Relaxed);
    }
    for &(name, value) in input.synthetic.iter().chain(input.copies) {
        names[name].store(value, Ordering::Relaxed);
    }
    // What is assigned to a handle is not what the other name means any more.
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
        input.symbols(ObjectId::from_index(at), &of_name, part);
    });
    Values { of_symbol, of_name }
}

impl ValueInput<'_> {
    /// Address of `st_value` in what `home` says.
    #[inline(always)]
    fn place(&self, home: Home, st_value: u64) -> u64 {
        if home == Home::ABSOLUTE {
            return st_value;
        }
        let Some(section) = home.section() else { return DEAD };
        if !self.liveness.is_live(section) {
            return self.other_place(section, st_value);
        }
        let start = self.addresses[section].load(Ordering::Relaxed);
        match self.merged.member(section) {
            None => start.wrapping_add(st_value),
            Some(member) => start.wrapping_add(member.output_offset(st_value)),
        }
    }

    /// A folded section has its leader's address; exception frames are in the output record by
    /// record; everything else that is not live is nowhere.
    #[cold]
    fn other_place(&self, section: SectionId, st_value: u64) -> u64 {
        if self.liveness.is_folded(section) {
            return self.addresses[section].load(Ordering::Relaxed).wrapping_add(st_value);
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

    fn winners(&self, at: ObjectId, names: &IdSlice<NameId, AtomicU64>) {
        let object = &self.objects[at];
        object.at_work();
        let globals = &object.globals[..];
        if globals.len() <= RUN {
            return self.winners_from(at, object.first_global, globals, names);
        }
        globals.par_chunks(RUN).enumerate().for_each(|(run, globals)| {
            let first = object.first_global + (run * RUN) as u32;
            self.winners_from(at, first, globals, names);
        });
    }

    /// The same for some globals of an object, the first of which is its symbol `first`.
    #[inline(always)]
    fn winners_from(
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
            names[name].store(self.place(global.home, offset), Ordering::Relaxed);
        }
    }

    /// Names whose address, if they have one here, is that of a PLT entry.
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
                // Preemptible: this output's own address is still needed for tables.
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
            // Calls go to the entry, but it is not what an address taken otherwise may be.
            return INDIRECT;
        }
        let entry = self.slots.set_of_name(name).and_then(|at| (self.plt_address)(at));
        match entry.map(|entry| i32::try_from(entry.wrapping_sub(self.plt) as i64)) {
            Some(Ok(distance)) => CALLED | u64::from(distance as u32),
            _ => INDIRECT,
        }
    }

    fn symbols(&self, at: ObjectId, of_name: &IdSlice<NameId, u64>, part: &mut [u64]) {
        self.objects[at].at_work();
        if part.len() <= RUN {
            return self.symbols_from(at, 0, of_name, part);
        }
        part.par_chunks_mut(RUN).enumerate().for_each(|(run, part)| {
            self.symbols_from(at, run * RUN, of_name, part);
        });
    }

    /// The same for some symbols of an object, from `first` on.
    #[inline(always)]
    fn symbols_from(
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
                Referent::Section(section) => self.local(section, symbol),
                Referent::Nowhere => DEAD,
                Referent::Absolute => symbol.st_value(),
            };
        }
    }

    /// Value of a symbol that stands for a name.
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

    /// Value of a symbol that stands for a place in a section.
    #[inline(always)]
    fn local(&self, section: SectionId, symbol: &Sym) -> u64 {
        if !self.liveness.is_live(section) {
            return self.other_place(section, symbol.st_value());
        }
        let start = self.addresses[section].load(Ordering::Relaxed);
        let offset = match self.merged.member(section) {
            None => symbol.st_value(),
            Some(_) if symbol.kind() == STT_SECTION => return MERGED | u64::from(section),
            Some(member) => member.output_offset(symbol.st_value()),
        };
        start.wrapping_add(offset)
    }
}
