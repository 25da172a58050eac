//! `.rela.dyn`, `.relr.dyn` and `.rela.plt`: the relocations that the loader applies.
//!
//! `.rela.dyn` starts with the relative relocations, in address order (DT_RELACOUNT). Then come
//! those against symbols, sorted by symbol and address, and last IRELATIVE ones, whose resolvers
//! may need all others applied. Relative relocations of input sections are counted when sections
//! are scanned, and found again when the table is written; all others are few enough to be listed.

use super::dynamic_symbols::DynamicSymbols;
use super::eh_frame::EhFrameOutput;
use super::image::Image;
use super::reloc_form::RelocForm;
use super::slots::{GotWord, SlotOwner, SlotSet, SlotSetId, Slots, WordId};
use super::values::{self, Value};
use crate::format::elf::Rela;
use crate::machine::Machine;
use crate::machine::loader::{LoaderTypes, SignedWords, ThreadOffset};
use crate::read::object_file::{InputSection, SectionFlags};
use crate::read::{ObjectId, Objects};
use crate::resolve::definitions::{Definitions, SectionId, attr};
use crate::resolve::dynamic::OutputShape;
use crate::resolve::referent::PackedReferent;
use crate::select::liveness::Liveness;
use crate::select::scan::{RelocId, ScanOutput, SymbolView};
use skald_core::column::with_room;
use skald_core::ids::{IdSlice, OptionalId};
use skald_core::names::NameId;
use skald_core::par;
use skald_core::par::prelude::*;
use skald_core::perturb::shuffled;
use std::sync::atomic::{AtomicU32, Ordering};

/// The place that a dynamic relocation against a symbol applies to.
#[derive(Debug, Clone, Copy)]
enum Place {
    /// The field of an input section that this relocation relocates.
    Input(RelocId),
    /// A word of `.got`.
    Got(WordId),
    /// The copy of a library's variable.
    Copy(NameId),
}

/// A word of an input section that holds the address of an IFUNC.
#[derive(Debug)]
pub struct Resolved {
    /// The input section.
    pub section: SectionId,
    /// The name of the IFUNC.
    pub name: NameId,
    /// The relocation type that the loader is given: relative or IRELATIVE.
    pub r_type: u32,
    /// Address of the word.
    pub address: u64,
    /// `r_addend`: the loader adds the base address to it.
    pub addend: u64,
}

/// How many dynamic relocations there are, and from what each is made.
#[derive(Debug, Default)]
pub struct DynamicRelocs {
    /// Input sections with relative relocations, and the index in `.rela.dyn` of the first of each.
    pub sections: Vec<(SectionId, u32)>,
    /// How many relative relocations of input sections `.rela.dyn` has.
    pub section_relative: u32,
    /// Words of `.got` that get a relative relocation.
    got_relative: Vec<WordId>,
    /// Relocations against symbols, with the name, and relocations of other types, without one.
    others: Vec<(Place, OptionalId<NameId>)>,
    /// Words of `.got` that get an IRELATIVE relocation.
    resolved: Vec<WordId>,
    /// Relative relocations are in `.relr.dyn`.
    pub packed: bool,
    /// Words that `.relr.dyn` covers: input section and offset in it. Empty without `.relr.dyn`.
    packed_places: Vec<(SectionId, u64)>,
    /// Words that `.relr.auth.dyn` covers: input section and offset in it.
    pub signed_places: Vec<(SectionId, u64)>,
    /// How many entries `.rela.plt` has.
    pub plt_count: u32,
}

/// The tables that dynamic relocations are planned from.
pub struct RelocInput<'a> {
    /// For the types that the loader is given.
    pub machine: &'static Machine,
    /// The objects that are taken, by id.
    pub objects: &'a Objects,
    /// Section records, what each symbol refers to, and the definition of each name.
    pub definitions: &'a Definitions,
    /// Which sections are in the output.
    pub liveness: &'a Liveness,
    /// How many relative relocations scanning found in each input section.
    pub relative: &'a IdSlice<SectionId, AtomicU32>,
    /// What scanning found: needs of local symbols, and relocations for the loader.
    pub scan: &'a ScanOutput,
    /// GOT words and PLT entries of symbols.
    pub slots: &'a Slots,
    /// One name of each copied variable: a copy has one relocation.
    pub copied: &'a [NameId],
    /// Executable, PIE or shared, and whether there is a dynamic linker.
    pub shape: OutputShape,
    /// `-z pack-relative-relocs`.
    pub packed: bool,
    /// Likewise for signed pointers.
    pub packs_signed: bool,
}

/// Counts and lists the dynamic relocations.
pub fn plan(input: &RelocInput<'_>) -> DynamicRelocs {
    let mut relocs = DynamicRelocs { packed: input.packed, ..DynamicRelocs::default() };
    let with_relative = par::select(input.relative.len(), |id: SectionId| {
        input.relative[id].load(Ordering::Relaxed) != 0
    });
    for id in with_relative {
        let count = input.relative[id].load(Ordering::Relaxed);
        let section = &input.definitions.sections[id];
        if input.packed && !section.flags.has(SectionFlags::EH_FRAME) {
            relocs.pack_section(input, id);
        } else {
            relocs.sections.push((id, relocs.section_relative));
            relocs.section_relative += count;
        }
    }
    for (word, &(kind, set)) in input.slots.got.with_ids() {
        relocs.plan_got_word(input, word, kind, set.get());
    }
    if input.packs_signed {
        relocs.split_signed(input);
    } else {
        relocs
            .others
            .extend(input.scan.symbolic.iter().map(|&(place, name)| (Place::Input(place), name)));
    }
    relocs.others.extend(input.copied.iter().map(|&name| (Place::Copy(name), name.into())));
    relocs.plt_count = input.slots.plt.len() as u32;
    relocs
}

/// Whether a relocation is for a word with the address of the GOT, which is a relative one in
/// position-independent output. It has no symbol.
#[inline(always)]
fn is_got_address(loader: &LoaderTypes, reloc: &Rela) -> bool {
    Some(reloc.r_type()) == loader.got_address
}

/// Whether a relocation becomes a relative one in position-independent output; `word` is the
/// relocation type of an address-sized word.
#[inline(always)]
pub fn is_relative(word: u32, section: &InputSection, reloc: &Rela, view: SymbolView) -> bool {
    reloc.r_type() == word && view.is_relative_word(section.flags.has(SectionFlags::WRITE))
}

/// Whether a word with a signed pointer is in `.relr.auth.dyn`, if there is one: its value is then
/// in its lower half. An addend that is not small may not fit.
pub fn is_packed_signed(section: &InputSection, reloc: &Rela, view: SymbolView) -> bool {
    const SMALL: u64 = 1 << 30;
    can_pack(section.align_log2, reloc.r_offset())
        && !section.flags.has(SectionFlags::EH_FRAME)
        && !view.is_imported()
        && !view.is_constant()
        && reloc.r_addend().unsigned_abs() < SMALL
}

impl DynamicRelocs {
    /// The relocations of input sections among those that are not relative words.
    pub fn input_places(&self) -> impl Iterator<Item = RelocId> {
        self.others.iter().filter_map(|&(place, _)| match place {
            Place::Input(place) => Some(place),
            _ => None,
        })
    }

    /// Divides relocations of input sections into words with signed pointers that are packed, and
    /// all others.
    fn split_signed(&mut self, input: &RelocInput<'_>) {
        let signed = input.machine.loader.signed.map(|signed| signed.word);
        for &(place, name) in &input.scan.symbolic {
            let section = &input.definitions.sections[place.section];
            let reloc = input.objects[section.object].reloc(section, place.index);
            let target = input.definitions.target_of(section.object, reloc.symbol());
            let view = SymbolView::new(input.definitions, target);
            if Some(reloc.r_type()) == signed && is_packed_signed(section, reloc, view) {
                self.signed_places.push((place.section, reloc.r_offset()));
            } else {
                self.others.push((Place::Input(place), name));
            }
        }
    }

    /// Addresses of the words that `.relr.auth.dyn` covers, ascending.
    pub fn signed_addresses(&self, address: impl Fn(SectionId) -> u64) -> Vec<u64> {
        let places = self.signed_places.iter();
        let mut all: Vec<u64> =
            places.map(|&(section, offset)| address(section).wrapping_add(offset)).collect();
        shuffled(&mut all).par_sort_unstable();
        all.dedup();
        all
    }

    fn pack_section(&mut self, input: &RelocInput<'_>, id: SectionId) {
        let section = &input.definitions.sections[id];
        let object = &input.objects[section.object];
        let word = input.machine.loader.word;
        let mut odd = 0;
        for reloc in object.relocs(section) {
            let target = input.definitions.target_of(section.object, reloc.symbol());
            let view = SymbolView::new(input.definitions, target);
            if !is_got_address(input.machine.loader, reloc)
                && !is_relative(word, section, reloc, view)
            {
                continue;
            }
            let offset = reloc.r_offset();
            // Where a word of code that shrinks will be is not known yet.
            let is_fixed = !section.flags.has(SectionFlags::SHRINKS);
            if is_fixed && can_pack(section.align_log2, offset) {
                self.packed_places.push((id, offset));
            } else {
                odd += 1;
            }
        }
        if odd != 0 {
            self.sections.push((id, self.section_relative));
            self.section_relative += odd;
        }
    }

    fn plan_got_word(
        &mut self,
        input: &RelocInput<'_>,
        word: WordId,
        kind: GotWord,
        set: Option<SlotSetId>,
    ) {
        let shape = input.shape;
        if kind == GotWord::OwnModule {
            if shape.is_shared {
                self.others.push((Place::Got(word), OptionalId::NONE));
            }
            return;
        }
        // The second word of [`GotWord::OwnModule`] belongs to no set.
        let Some(set) = set else { return };
        let owner = input.slots.sets[set].owner;
        let (name, view) = match owner {
            SlotOwner::Name(name) => (name.into(), named_view(input.definitions, name)),
            SlotOwner::Local(object, symbol) => {
                let target = input.definitions.target_of(object, symbol);
                (OptionalId::NONE, SymbolView::new(input.definitions, target))
            }
        };
        let symbol = if view.is_imported() { name } else { OptionalId::NONE };
        match kind {
            GotWord::Address if input.machine.listed_got.is_some() => {}
            GotWord::Resolved => self.resolved.push(word),
            GotWord::Address if view.is_imported() => self.others.push((Place::Got(word), symbol)),
            GotWord::Address => {
                if shape.is_pic && !view.is_constant() {
                    self.got_relative.push(word);
                }
            }
            GotWord::ThreadOffset | GotWord::NegativeThreadOffset | GotWord::Module => {
                if shape.is_shared || view.is_imported() {
                    self.others.push((Place::Got(word), symbol));
                }
            }
            GotWord::BlockOffset => {
                if view.is_imported() {
                    self.others.push((Place::Got(word), symbol));
                }
            }
            GotWord::ModuleOffset => {
                let first = input.slots.word_before(word);
                if first == GotWord::Module && view.is_imported() {
                    self.others.push((Place::Got(word), symbol));
                }
            }
            GotWord::Descriptor | GotWord::SignedDescriptor => {
                self.others.push((Place::Got(word), symbol));
            }
            GotWord::SignedAddress => {
                if !view.is_nothing() {
                    self.others.push((Place::Got(word), symbol));
                }
            }
            GotWord::OwnModule | GotWord::Dynamic | GotWord::Loader | GotWord::Placed => {}
        }
    }

    /// How many entries `.rela.dyn` has.
    pub fn rela_count(&self) -> u32 {
        let got = if self.packed { 0 } else { self.got_relative.len() };
        self.section_relative + (got + self.others.len() + self.resolved.len()) as u32
    }

    /// DT_RELACOUNT: how many relative relocations `.rela.dyn` begins with.
    pub fn relative_count(&self) -> u32 {
        self.section_relative + if self.packed { 0 } else { self.got_relative.len() as u32 }
    }

    /// How many IRELATIVE entries `.rela.dyn` ends with.
    pub fn resolved_count(&self) -> u32 {
        self.resolved.len() as u32
    }

    /// Whether `.relr.dyn` covers any word.
    pub fn has_packed(&self) -> bool {
        self.packed && (!self.packed_places.is_empty() || !self.got_relative.is_empty())
    }

    /// Addresses of the words that `.relr.dyn` covers, ascending.
    pub fn packed_addresses(
        &self,
        address: impl Fn(SectionId) -> u64,
        got_word: impl Fn(WordId) -> u64,
    ) -> Vec<u64> {
        let mut all: Vec<u64> = self
            .packed_places
            .iter()
            .map(|&(section, offset)| address(section).wrapping_add(offset))
            .chain(self.got_relative.iter().map(|&word| got_word(word)))
            .collect();
        shuffled(&mut all).par_sort_unstable();
        all.dedup();
        all
    }

    /// Writes the relative relocations of `self.sections[range]`; `out` has their size.
    pub fn write_sections(
        &self,
        image: &Image<'_>,
        frames: &EhFrameOutput,
        range: std::ops::Range<usize>,
        form: RelocForm,
        out: &mut [u8],
    ) {
        form.fill(image.encoding(), out, |entries| {
            self.write_relative(image, frames, &self.sections[range], entries);
        });
    }

    /// Writes the relative relocations of `sections`; `out` has room for exactly these.
    pub fn write_relative(
        &self,
        image: &Image<'_>,
        frames: &EhFrameOutput,
        sections: &[(SectionId, u32)],
        entries: &mut [Rela],
    ) {
        let mut free = entries.iter_mut();
        for &(id, _) in sections {
            let section = &image.definitions.sections[id];
            let relocs = image.objects[section.object].relocs(section);
            if section.flags.has(SectionFlags::SHRINKS) {
                let moved = moved(image, id, relocs);
                self.write_run(image, section, &moved, image.address(id), &mut free);
                continue;
            }
            if !section.flags.has(SectionFlags::EH_FRAME) {
                self.write_run(image, section, relocs, image.address(id), &mut free);
                continue;
            }
            for run in frames.scanned_relocs(image, id) {
                self.write_run(image, section, &relocs[run.relocs], run.address, &mut free);
            }
        }
        assert!(free.next().is_none(), "more were counted when the sections were scanned");
    }

    /// Writes those of `relocs` that become relative relocations; `section` is at `address`.
    fn write_run<'o>(
        &self,
        image: &Image<'_>,
        section: &InputSection,
        relocs: &[Rela],
        address: u64,
        free: &mut impl Iterator<Item = &'o mut Rela>,
    ) {
        let &LoaderTypes { word, relative, .. } = image.machine.loader;
        let columns = image.columns(section.object);
        let packs = self.packed && !section.flags.has(SectionFlags::EH_FRAME);
        for reloc in relocs {
            if reloc.r_type() != word {
                if is_got_address(image.machine.loader, reloc) {
                    let offset = reloc.r_offset();
                    if packs && can_pack(section.align_log2, offset) {
                        continue;
                    }
                    let value = image.got_base.wrapping_add_signed(reloc.r_addend());
                    let place = free.next().expect("counted when the section was scanned");
                    *place = entry(address.wrapping_add(offset), relative, 0, value);
                }
                continue;
            }
            let Some((target, value)) = columns.get(reloc.symbol()) else { continue };
            let view = SymbolView::new(image.definitions, target);
            let offset = reloc.r_offset();
            if !is_relative(word, section, reloc, view)
                || packs && can_pack(section.align_log2, offset)
            {
                continue;
            }
            let value = if values::is_plain(value) {
                value.wrapping_add_signed(reloc.r_addend())
            } else {
                target_address(image, value, reloc)
            };
            let place = free.next().expect("counted when the section was scanned");
            *place = entry(address.wrapping_add(offset), relative, 0, value);
        }
    }

    /// The entries of `.rela.dyn` behind the relative relocations of input sections, in order.
    pub fn rest(
        &self,
        image: &Image<'_>,
        symbols: &DynamicSymbols,
        frames: &EhFrameOutput,
    ) -> Vec<Rela> {
        let loader = image.machine.loader;
        let of_got = if self.packed { &[] } else { &self.got_relative[..] };
        let mut all = with_room(of_got.len() + self.others.len() + self.resolved.len());
        for &word in of_got {
            let owner = image.slots.owner_of_word(word);
            let value = image.owner_value(owner);
            all.push(entry(image.got_word(word.into()), loader.relative, 0, value));
        }
        let of = |&(place, name): &(Place, OptionalId<NameId>)| {
            other(image, symbols, frames, place, name.get())
        };
        let each = self.others.par_iter().with_min_len(1 << 12);
        let mut others: Vec<(u32, u64, u32, u64)> = each.map(of).collect();
        shuffled(&mut others).par_sort_unstable();
        for are_irelative in [false, true] {
            let part = others.iter().filter(|one| loader.is_irelative(one.2) == are_irelative);
            all.extend(
                part.map(|&(sym, address, r_type, addend)| entry(address, r_type, sym, addend)),
            );
        }
        for &word in &self.resolved {
            let owner = image.slots.owner_of_word(word);
            let resolver = resolver_address(image, owner);
            all.push(entry(image.got_word(word.into()), loader.irelative, 0, resolver));
        }
        all
    }

    /// Whether a word of some input section gets the address of an IFUNC of this output.
    pub fn resolves_in_sections(&self, definitions: &Definitions) -> bool {
        self.others.iter().any(|&(place, name)| {
            let is_ifunc = |name| named_view(definitions, name).is_local_ifunc();
            matches!(place, Place::Input(_)) && name.get().is_some_and(is_ifunc)
        })
    }

    /// Words of input sections with the address of an IFUNC of this output.
    pub fn resolved_in_sections(&self, image: &Image<'_>) -> Vec<Resolved> {
        let mut found = Vec::new();
        for &(place, name) in &self.others {
            let Place::Input(RelocId { section, index }) = place else { continue };
            let is_ifunc = |name: &NameId| named_view(image.definitions, *name).is_local_ifunc();
            let Some(name) = name.get().filter(is_ifunc) else { continue };
            let record = &image.definitions.sections[section];
            let reloc = image.objects[record.object].reloc(record, index);
            let offset = image.moved(section, reloc.r_offset());
            let address = image.address(section).wrapping_add(offset);
            let (_, address, r_type, addend) =
                ifunc_word(image, name, address, reloc.r_addend() as u64);
            found.push(Resolved { section, name, r_type, address, addend });
        }
        found
    }

    /// Words of `.got` whose relocation has no symbol and is relative or IRELATIVE: owner, type,
    /// address and addend.
    pub fn of_got<'a>(
        &'a self,
        image: &'a Image<'_>,
    ) -> impl Iterator<Item = (SlotOwner, u32, u64, u64)> + 'a {
        let loader = image.machine.loader;
        let owner_of = |word: WordId| image.slots.owner_of_word(word);
        let relative = self.got_relative.iter().map(move |&word| {
            let owner = owner_of(word);
            (owner, loader.relative, image.got_word(word.into()), image.owner_value(owner))
        });
        let resolved = self.resolved.iter().map(move |&word| {
            let owner = owner_of(word);
            (owner, loader.irelative, image.got_word(word.into()), resolver_address(image, owner))
        });
        relative.chain(resolved)
    }

    /// The entries of `.rela.plt`; if `marked`, with addresses of PLT entries as addends.
    pub fn plt<'a>(
        &self,
        image: &'a Image<'_>,
        symbols: &'a DynamicSymbols,
        marked: bool,
    ) -> impl Iterator<Item = Rela> + 'a {
        let loader = image.machine.loader;
        image.slots.plt.with_ids().map(move |(at, &set)| {
            let word = image.got_plt_word(at);
            let sym = match image.slots.sets[set].owner {
                SlotOwner::Name(name) => symbols.index_of[name],
                SlotOwner::Local(..) => 0,
            };
            let code = image.plt_entry(set);
            // A word that the loader fills with a distance, less the place that it counts from.
            let is_distance =
                image.machine.plt_in_place.is_some() && code.is_some_and(|code| code != word);
            let addend = match code {
                Some(code) if is_distance => (image.plt.initial_got_entry)(0, code),
                Some(code) if marked => code,
                _ => 0,
            };
            entry(word, loader.jump_slot, sym, addend)
        })
    }
}

/// The address of an IFUNC's resolver.
pub fn resolver_address(image: &Image<'_>, owner: SlotOwner) -> u64 {
    let SlotOwner::Name(name) = owner else { return 0 };
    // The value of a canonical IFUNC is the address of its PLT entry, so the resolver's address is
    // computed from the definition.
    let global = image.definitions.globals[name];
    if global.has(attr::SYNTHETIC) {
        // The name is an alias of an IFUNC.
        return match values::decode(image.values.of_name[name]) {
            Value::Plain(address) => address,
            _ => 0,
        };
    }
    let rank = image.definitions.ranks[name];
    let object = &image.objects[rank.object()];
    let st_value = object.mapped.symbols[rank.symbol()].st_value();
    match global.value_base.section() {
        Some(section) => image.address(section).wrapping_add(image.moved(section, st_value)),
        None => st_value,
    }
}

#[inline(always)]
fn named_view(definitions: &Definitions, name: NameId) -> SymbolView {
    SymbolView::new(definitions, PackedReferent::global(name))
}

fn can_pack(align_log2: u8, offset: u64) -> bool {
    align_log2 >= 1 && offset.is_multiple_of(2)
}

/// S + A of a relative relocation against a symbol with the tagged `value`.
fn target_address(image: &Image<'_>, value: u64, reloc: &Rela) -> u64 {
    let addend = reloc.r_addend();
    match values::decode(value) {
        Value::Plain(value) => value.wrapping_add_signed(addend),
        Value::Merged(section) => image.place_or_zero(section, addend as u64),
        Value::Dead | Value::Indirect | Value::Called(_) => addend as u64,
    }
}

/// Type and addend for a word with the address of an IFUNC of this output: that of its PLT entry if
/// the IFUNC is canonical, or else what the resolver returns.
fn ifunc_word(image: &Image<'_>, name: NameId, address: u64, addend: u64) -> (u32, u64, u32, u64) {
    let loader = image.machine.loader;
    if image.slots.of_name(name).is_some_and(|set| set.is_canonical) {
        let value = image.values.of_name[name];
        return (0, address, loader.relative, value.wrapping_add(addend));
    }
    let resolver = resolver_address(image, SlotOwner::Name(name));
    (0, address, loader.irelative, resolver.wrapping_add(addend))
}

fn other(
    image: &Image<'_>,
    symbols: &DynamicSymbols,
    frames: &EhFrameOutput,
    place: Place,
    name: Option<NameId>,
) -> (u32, u64, u32, u64) {
    let loader = image.machine.loader;
    let sym = name.map_or(0, |name| symbols.index_of[name]);
    match place {
        Place::Copy(name) => (sym, image.values.of_name[name], loader.copy, 0),
        Place::Input(place) => of_input(image, frames, place, sym, name),
        Place::Got(word) => {
            let (kind, set) = image.slots.got[word];
            let address = image.got_word(word.into());
            let own = || set.get().map_or(0, |set| tls_offset(image, image.slots.sets[set].owner));
            match kind {
                GotWord::Address => (sym, address, loader.glob_dat, 0),
                GotWord::ThreadOffset if sym != 0 => (sym, address, loader.thread_offset, 0),
                GotWord::ThreadOffset => (0, address, loader.thread_offset, own()),
                GotWord::NegativeThreadOffset => {
                    let r_type = loader
                        .negative_thread_offset
                        .expect("only machines with such offsets ask for such words");
                    let own = if sym != 0 { 0 } else { own().wrapping_neg() };
                    (sym, address, r_type, own)
                }
                GotWord::Module | GotWord::OwnModule => (sym, address, loader.module, 0),
                GotWord::ModuleOffset | GotWord::BlockOffset => {
                    (sym, address, loader.module_offset, 0)
                }
                GotWord::Descriptor => {
                    let r_type = loader
                        .descriptor
                        .expect("only machines with descriptors ask for such words");
                    (sym, address, r_type, if sym != 0 { 0 } else { own() })
                }
                GotWord::SignedAddress | GotWord::SignedDescriptor if sym != 0 => {
                    let signed = signed_types(image);
                    let is_address = kind == GotWord::SignedAddress;
                    let r_type = if is_address { signed.glob_dat } else { signed.descriptor };
                    (sym, address, r_type, 0)
                }
                GotWord::SignedDescriptor => (0, address, signed_types(image).descriptor, own()),
                GotWord::SignedAddress => {
                    let set = set.get().expect("a word of a symbol");
                    let (r_type, addend) = signed_address(image, set);
                    (0, address, r_type, addend)
                }
                GotWord::Resolved => (0, address, loader.irelative, 0),
                GotWord::Dynamic | GotWord::Loader | GotWord::Placed => {
                    unreachable!("no relocation is for it")
                }
            }
        }
    }
}

fn signed_types(image: &Image<'_>) -> SignedWords {
    image.machine.loader.signed.expect("only machines with signed pointers ask for such words")
}

/// Type and addend for a word with the signed address of a symbol of this output.
fn signed_address(image: &Image<'_>, set: SlotSetId) -> (u32, u64) {
    let SlotSet { owner, is_canonical, .. } = image.slots.sets[set];
    let signed = signed_types(image);
    let view = image.owner_view(owner);
    if view.is_local_ifunc() && !is_canonical {
        return (signed.irelative, resolver_address(image, owner));
    }
    let r_type = if view.is_constant() { signed.word } else { signed.relative };
    (r_type, image.owner_value(owner))
}

/// The relocations of a section that loses bytes, at their places in the output's copy.
#[cold]
fn moved(image: &Image<'_>, section: SectionId, relocs: &[Rela]) -> Vec<Rela> {
    let mut relocs = relocs.to_vec();
    for reloc in &mut relocs {
        reloc.set_r_offset(image.moved(section, reloc.r_offset()));
    }
    relocs
}

/// A relocation of a field of an input section.
fn of_input(
    image: &Image<'_>,
    frames: &EhFrameOutput,
    place: RelocId,
    sym: u32,
    name: Option<NameId>,
) -> (u32, u64, u32, u64) {
    let loader = image.machine.loader;
    let RelocId { section, index } = place;
    let record = &image.definitions.sections[section];
    let object = &image.objects[record.object];
    let reloc = object.reloc(record, index);
    let start = if record.flags.has(SectionFlags::EH_FRAME) {
        let runs = frames.scanned_relocs(image, section);
        let run = runs.iter().find(|run| run.relocs.contains(&(index as usize)));
        run.map_or(0, |run| run.address)
    } else {
        image.address(section)
    };
    let address = start.wrapping_add(image.moved(section, reloc.r_offset()));
    let addend = reloc.r_addend() as u64;
    if let Some(ThreadOffset { r_type, is_negative }) = loader.thread_offset_of(reloc.r_type()) {
        let own = if sym == 0 { local_tls_offset(image, record.object, reloc) } else { 0 };
        let own = if is_negative { own.wrapping_neg() } else { own };
        return (sym, address, r_type, addend.wrapping_add(own));
    }
    if Some(reloc.r_type()) == loader.thread_offset_place {
        let slots = image.slots_of(record.object, reloc.symbol());
        let word = slots.map_or(0, |set| image.got_word(set.gottp));
        return (0, address, loader.relative, word.wrapping_add(addend));
    }
    if let Some(name) = name
        && named_view(image.definitions, name).is_local_ifunc()
    {
        return ifunc_word(image, name, address, addend);
    }
    if let Some(other) = loader.other_word.filter(|_| name.is_none())
        && other.r_type == reloc.r_type()
    {
        let value = image.value(record.object, reloc.symbol());
        let target = target_address(image, value, reloc);
        return (0, address, other.relative, target);
    }
    if name.is_none()
        && let Some(signed) = loader.signed.filter(|signed| signed.word == reloc.r_type())
    {
        let value = image.value(record.object, reloc.symbol());
        return (0, address, signed.relative, target_address(image, value, reloc));
    }
    if loader.same_words.contains(&reloc.r_type()) {
        if name.is_some() {
            return (sym, address, loader.word, addend);
        }
        let value = image.value(record.object, reloc.symbol());
        return (0, address, loader.relative, target_address(image, value, reloc));
    }
    // A word with an address, or a size (`R_*_SIZE`).
    let listed = image.machine.listed_got.filter(|_| reloc.r_type() == loader.word);
    (sym, address, listed.map_or(reloc.r_type(), |listed| listed.word), addend)
}

/// Offset of a variable in this module's TLS block.
pub fn tls_offset(image: &Image<'_>, owner: SlotOwner) -> u64 {
    image.owner_offset(owner, image.tls_start)
}

fn local_tls_offset(image: &Image<'_>, object: ObjectId, reloc: &Rela) -> u64 {
    if image.view(object, reloc.symbol()).attributes & attr::NO_DEFINITION != 0 {
        return 0;
    }
    image.value(object, reloc.symbol()).wrapping_sub(image.tls_start)
}

#[inline(always)]
fn entry(r_offset: u64, r_type: u32, r_sym: u32, addend: u64) -> Rela {
    Rela::new(r_offset, r_type, r_sym, addend as i64)
}
