//! The output as writers see it: all tables, frozen, and the addresses that follow from them.

use super::address_index::AddressIndex;
use super::listed_got;
use super::patch::{Failure, Patch};
use super::plt::Plt;
use super::shrinking::Shrinking;
use super::slots::{PltEntryId, SlotOwner, SlotSet, SlotSetId, Slots, WordId};
use super::values::{self, Value, Values};
use crate::args::CallNop;
use crate::args::processors::{CodeMemory, PlatformTypes};
use crate::format::elf::{Sym, SymbolId};
use crate::format::encoding::Encoding;
use crate::layout::deletions::Deletions;
use crate::layout::islands::ThunkIndex;
use crate::layout::output_sections::HeaderId;
use crate::layout::placed::AssignedPlace;
use crate::layout::{OutputSections, Segment, Synthetic};
use crate::machine::Machine;
use crate::machine::attribute_section::Described;
use crate::machine::description::PltInPlace;
use crate::read::rel_in_place::InPlace;
use crate::read::{Libraries, ObjectId, Objects};
use crate::resolve::definitions::{Definition, Definitions, SectionId, Strength, attr};
use crate::resolve::dynamic::OutputShape;
use crate::resolve::linker_symbols::originals::{Original, Originals};
use crate::resolve::names::references::{ReferenceColumn, ref_flags};
use crate::resolve::referent::PackedReferent;
use crate::script::section_names::OutputId;
use crate::select::copies::Copies;
use crate::select::eh_frame::EhFrames;
use crate::select::liveness::Liveness;
use crate::select::merge::MergedSections;
use crate::select::scan::SymbolView;
use object::elf::*;
use skald_core::ids::{IdSlice, OptionalId};
use skald_core::names::NameId;
use skald_core::unordered::UnorderedMap;
use skald_dwarf::dedup::RewrittenUnits;
use skald_linking::glob::Glob;
use std::sync::atomic::{AtomicU64, Ordering};

/// Addresses that follow from the layout alone.
#[derive(Debug, Clone, Copy, Default)]
pub struct Bases {
    /// Address of `.got`.
    pub got: u64,
    /// Bytes of a word of `.got`.
    pub got_word: u64,
    /// Address of the first word of `.got` that is a symbol's.
    pub got_words: u64,
    /// Value of `_GLOBAL_OFFSET_TABLE_`: address of `.got.plt`, or of `.got` if there is none
    /// or the machine defines it there.
    pub got_base: u64,
    /// Address of `.got.plt`.
    pub got_plt: u64,
    /// Address of the words that belong to the loader, at the start of `.got.plt` or of `.got`.
    pub loader_words: u64,
    /// Address of `.plt`.
    pub plt: u64,
    /// Address of `.plt.got`.
    pub direct_plt: u64,
    /// How the loader binds entries of `.plt`, if it writes into them.
    pub plt_in_place: Option<PltInPlace>,
    /// Address of PT_TLS, the initialization image of the TLS block.
    pub tls_start: u64,
    /// The thread pointer that would result if the image of PT_TLS itself were the TLS block.
    pub thread_pointer: u64,
}

impl Bases {
    /// The bases that follow from output sections and segments with addresses.
    pub fn new(
        machine: &Machine,
        shape: OutputShape,
        outputs: &OutputSections,
        segments: &[Segment],
    ) -> Bases {
        let mut bases = Bases {
            got: outputs.address_of(Synthetic::Got),
            got_word: machine.got_word,
            got_words: outputs.address_of(Synthetic::Got) + machine.got_word * outputs.got_front,
            got_plt: outputs.address_of(Synthetic::GotPlt),
            plt: outputs.address_of(Synthetic::Plt),
            direct_plt: outputs.address_of(Synthetic::PltGot),
            plt_in_place: machine.plt_in_place,
            ..Bases::default()
        };
        let in_got = bases.got_plt == 0 || machine.has_got_header();
        bases.got_base = if in_got { bases.got + machine.got_bias } else { bases.got_plt };
        let in_got_plt = machine.got_plt_reserved != 0;
        bases.loader_words = if in_got_plt { bases.got_plt } else { bases.got };
        if let Some((address, size, align)) = thread_local(outputs, segments) {
            bases.tls_start = address;
            let has_loader = shape.has_loader;
            bases.thread_pointer = machine.tls.thread_pointer(address, size, align, has_loader);
        }
        bases
    }
}

/// Address, size and alignment of the template of thread-local storage. The program headers of a
/// script may have no PT_TLS for it, or several.
fn thread_local(outputs: &OutputSections, segments: &[Segment]) -> Option<(u64, u64, u64)> {
    let is_template = |s: &&Segment| s.p_type == PT_TLS && s.memory_size != 0;
    let segments = segments.iter().filter(is_template);
    let mut all = segments.map(|s| (s.address, s.memory_size, s.align));
    let Some(first) = all.next() else { return outputs.thread_local() };
    let others = all.next().is_some();
    if others { outputs.thread_local() } else { Some(first) }
}

/// The apply loop of a machine: applies the relocations of a section, or of a part of one, to the
/// output's copy.
pub type ApplyLoop = fn(&Image<'_>, &Patch<'_>, &mut [u8], &mut Vec<Failure>);

/// The same for relocations that stay in their file: those of the patch are not looked at.
pub type ApplyInPlace = fn(&Image<'_>, &Patch<'_>, InPlace<'_>, &mut [u8], &mut Vec<Failure>);

/// Turns the instructions of an input section around.
pub type TurnCode = fn(&Image<'_>, SectionId, &mut [u8]);

/// The frozen tables of a link.
pub struct Image<'a> {
    /// For padding, relocation types and words of `.got.plt`.
    pub machine: &'static Machine,
    /// The machine's loop that applies relocations.
    pub apply: ApplyLoop,
    /// The same for relocations that stay in their file.
    pub apply_in_place: Option<ApplyInPlace>,
    /// The objects that are taken, by id.
    pub objects: &'a Objects,
    /// Section records, what each symbol refers to, and the definition of each name.
    pub definitions: &'a Definitions,
    /// Which sections are in the output, and which are folded into others.
    pub liveness: &'a Liveness,
    /// Merged sections, with the output offset of each piece.
    pub merged: &'a MergedSections,
    /// CIEs and FDEs of all inputs.
    pub frames: &'a EhFrames,
    /// Output sections, with address and file offset.
    pub outputs: &'a OutputSections,
    /// Program headers, with their addresses.
    pub segments: &'a [Segment],
    /// GOT words and PLT entries of symbols.
    pub slots: &'a Slots,
    /// Variables of libraries that the output holds (copy relocations).
    pub copies: &'a Copies,
    /// The value of every symbol and name.
    pub values: Values,
    /// Address of every input section; of the group's output for a merged one.
    pub addresses: &'a IdSlice<SectionId, AtomicU64>,
    /// Where each thunk is.
    pub thunks: ThunkIndex,
    /// The bytes that each section has lost.
    pub deletions: &'a Deletions,
    /// How code shrinks, if it does.
    pub shrinking: Option<&'static Shrinking>,
    /// Executable, PIE or shared, and whether there is a dynamic linker.
    pub shape: OutputShape,
    /// Code cannot be read (`--execute-only`).
    pub execute_only: bool,
    /// Instructions may be rewritten (`--relax`).
    pub relax: bool,
    /// Code of inputs has instructions that only newer processors have.
    pub has_new_instructions: bool,
    /// What types mean whose meaning the platform decides.
    pub platform_types: PlatformTypes,
    /// What the attributes of all objects mean.
    pub described: Described,
    /// How code gets the other byte order than data (`--be8`), if it does.
    pub turn_code: Option<TurnCode>,
    /// Returns by BX become moves (`--fix-v4bx`).
    pub replaces_bx: bool,
    /// Thunks do not depend on where the output is loaded (`--pic-veneer`).
    pub pic_thunks: bool,
    /// Equal entries of a table for unwinding stay (`--no-merge-exidx-entries`).
    pub keeps_unwind_entries: bool,
    /// The memory that code of AVR is in.
    pub code_memory: CodeMemory,
    /// Words with signed pointers have their address in them, for `.relr.auth.dyn`.
    pub packs_signed: bool,
    /// Sections, and symbols of which no load from the GOT in that section is rewritten; in order.
    pub kept_loads: &'a [(SectionId, SymbolId)],
    /// `-z dead-reloc-in-nonalloc`: patterns of input section names, and the value written for
    /// references to discarded sections.
    pub dead_values: Vec<(Glob, u64)>,
    /// `-z call-nop`: how a shortened call is padded.
    pub call_nop: CallNop,
    /// The code of the PLT that options and properties ask for.
    pub plt: &'static Plt,
    /// Addresses that follow from the layout alone.
    pub bases: Bases,
    /// [`Bases::got_base`], here for the apply loop.
    pub got_base: u64,
    /// Value of the machine's global pointer, from which code reaches small data; 0 without one.
    pub global_pointer: u64,
    /// Code may be rewritten so that it counts from the global pointer (`--relax-gp`).
    pub relaxes_gp: bool,
    /// The pages of which words of `.got` have the addresses, ascending.
    pub got_pages: Vec<u64>,
    /// [`Bases::thread_pointer`], here for the apply loop.
    pub thread_pointer: u64,
    /// [`Bases::tls_start`], here for the apply loop.
    pub tls_start: u64,
    /// `--no-gnu-unique`: STB_GNU_UNIQUE is written as STB_GLOBAL.
    pub no_unique: bool,
    /// `EI_OSABI` of another system; `None` where the content decides.
    pub os_abi: Option<u8>,
    /// Shared libraries: `st_size` of imports is theirs.
    pub shared: &'a Libraries,
    /// How files refer to each name: strongly, weakly, with which visibility.
    pub refs: &'a ReferenceColumn,
    /// Finds the output section at an address.
    pub address_index: AddressIndex,
    /// The definitions that assignments replace: `st_size` of assigned symbols is theirs.
    pub originals: &'a Originals,
    /// Names that a layout script assigns, and the section that each belongs to.
    pub assigned_in: UnorderedMap<NameId, AssignedPlace>,
    /// Where the units of debug information are, if the sections were rewritten.
    pub rewritten_units: Option<&'a RewrittenUnits>,
}

/// What the symbols of one object refer to, and their values.
#[derive(Clone, Copy)]
pub struct SymbolColumns<'a> {
    /// Indexed like the part of [`Definitions::target`] that is the object's.
    pub targets: &'a IdSlice<SymbolId, PackedReferent>,
    /// Indexed like the part of [`Values::of_symbol`] that is the object's.
    pub values: &'a IdSlice<SymbolId, u64>,
}

impl SymbolColumns<'_> {
    /// What a symbol refers to, and its value; `None` for an index that is too large.
    #[inline(always)]
    pub fn get(&self, symbol: SymbolId) -> Option<(PackedReferent, u64)> {
        Some((*self.targets.get(symbol)?, *self.values.get(symbol)?))
    }
}

impl Image<'_> {
    /// How the output stores its tables.
    #[inline(always)]
    pub fn encoding(&self) -> Encoding {
        Encoding::of(self.machine)
    }

    /// Whether the code of the output section at a position may have to do without reading itself.
    pub fn is_pure_code(&self, position: u32) -> bool {
        let pure = u64::from(self.machine.pure_code);
        self.execute_only || self.outputs.at(position).sh_flags & pure != 0
    }

    /// Address of an input section; of the merged group for a merged one.
    #[inline(always)]
    pub fn address(&self, section: SectionId) -> u64 {
        self.addresses[section].load(Ordering::Relaxed)
    }

    /// Address of what is at `offset` of an input section whose bytes move apart: one that is
    /// merged, or loses some.
    #[inline(always)]
    pub fn place_in(&self, section: SectionId, offset: u64) -> Option<u64> {
        let Some(member) = self.merged.member(section) else {
            return self.place_in_shrunk(section, offset);
        };
        Some(self.address(section).wrapping_add(member.output_offset(offset)))
    }

    /// The same, or zero for what is neither.
    #[inline(always)]
    pub fn place_or_zero(&self, section: SectionId, offset: u64) -> u64 {
        match self.merged.member(section) {
            Some(member) => self.address(section).wrapping_add(member.output_offset(offset)),
            None => self.place_in_shrunk(section, offset).unwrap_or(0),
        }
    }

    #[cold]
    fn place_in_shrunk(&self, section: SectionId, offset: u64) -> Option<u64> {
        let moved = self.deletions.of(section)?.moved(offset);
        Some(self.address(section).wrapping_add(moved))
    }

    /// Offset in the output section's copy of a place in an input section that is not merged.
    #[inline]
    pub fn moved(&self, section: SectionId, offset: u64) -> u64 {
        self.deletions.of(section).map_or(offset, |deleted| deleted.moved(offset))
    }

    /// Size in the output of a symbol in a section, after deletions.
    #[inline]
    pub fn size_in(&self, section: Option<SectionId>, symbol: &Sym) -> u64 {
        let deleted = section.and_then(|section| self.deletions.of(section));
        let (value, size) = (symbol.st_value(), symbol.st_size());
        deleted.map_or(size, |deleted| deleted.size_of(value, size))
    }

    /// `st_shndx` for a symbol in the output section with id `out`.
    #[inline]
    pub fn header_index_of(&self, out: OutputId) -> SymbolPlace {
        SymbolPlace(self.outputs.symbol_header(out))
    }

    /// `st_shndx` of a symbol that the linker defines: the section in which a script assigned it,
    /// or the one at its address.
    pub fn place_of_made(&self, name: NameId, address: u64, global: Definition) -> SymbolPlace {
        match self.assigned_in.get(&name) {
            None => self.section_of_address(address, global),
            Some(AssignedPlace::Section(header)) => SymbolPlace::of(*header),
            Some(AssignedPlace::Absolute) => SymbolPlace::ABSOLUTE,
            Some(AssignedPlace::Address) => {
                let attributes = global.attributes & !attr::ABSOLUTE;
                self.section_of_address(address, Definition { attributes, ..global })
            }
        }
    }

    /// `st_shndx` for a symbol that marks an address: the section that holds the address, or ends
    /// there, or else the nearest one before it, or the first of all. The symbol moves with the
    /// output, so it cannot be SHN_ABS, which the loader would not relocate.
    pub fn section_of_address(&self, address: u64, global: Definition) -> SymbolPlace {
        if global.has(attr::ABSOLUTE) {
            return SymbolPlace::ABSOLUTE;
        }
        let index = &self.address_index;
        let of_thread = global.has(attr::TLS).then(|| index.thread_local(address)).flatten();
        let found = of_thread.or_else(|| index.position(address));
        let found = found.or_else(|| index.nearest(address));
        found.map_or(SymbolPlace::ABSOLUTE, |at| SymbolPlace::of(self.outputs.header_index(at)))
    }

    /// Whether a name is copied from a shared object.
    pub fn is_copy(&self, name: NameId) -> bool {
        self.copies.contain(name)
    }

    /// Whether all references to an import are weak. A copied variable is weak if the library's
    /// variable is, whoever refers to it.
    pub fn is_weak_import(&self, name: NameId) -> bool {
        if self.is_copy(name)
            && let Some(copied) = self.shared_symbol(name)
        {
            return copied.bind() == STB_WEAK;
        }
        self.refs.get(name).flags() & ref_flags::UNDEF_STRONG == 0
    }

    /// `st_size` of the definition in a shared library.
    pub fn shared_size(&self, name: NameId) -> u64 {
        self.shared_symbol(name).map_or(0, |symbol| symbol.st_size())
    }

    /// `st_size` of a name that no object defines in the end: that of the library's definition, or
    /// of the definition that an assignment replaces, as in GNU ld. A copy relocation has this
    /// size.
    pub fn extra_size(&self, name: NameId) -> u64 {
        let commons = &self.definitions.assigned_commons;
        let section = match self.originals.get(name) {
            Some(Original::Object(rank, definition)) => {
                if definition.has(attr::COMMON) {
                    definition.value_base.section()
                } else {
                    let object = &self.objects[rank.object()];
                    return object.mapped.symbols[rank.symbol()].st_size();
                }
            }
            _ => commons.iter().find(|common| common.0 == name).map(|common| common.1),
        };
        match section {
            Some(section) => self.definitions.sections[section].size,
            None => {
                let asked = self.definitions.copy_wishes.get(&name).filter(|_| self.is_copy(name));
                self.shared_size(name).max(asked.map_or(0, |asked| asked.0))
            }
        }
    }

    /// The `.dynsym` entry of the shared library that defines a name.
    pub fn shared_symbol(&self, name: NameId) -> Option<&'static Sym> {
        let rank = self.definitions.ranks[name];
        let is_shared = rank.strength() == Strength::Shared;
        is_shared.then(|| &self.shared[rank.library()].symbols[rank.symbol()])
    }

    /// Address of a word of `.got`; 0 for none.
    #[inline]
    pub fn got_word(&self, word: OptionalId<WordId>) -> u64 {
        word.get().map_or(0, |word| self.bases.got_words + self.bases.got_word * u64::from(word))
    }

    /// Address of the word of `.got` with the page of an address; `None` if there is none.
    pub fn page_word(&self, address: u64) -> Option<u64> {
        let at = self.got_pages.binary_search(&listed_got::page_of(address)).ok()?;
        let reserved = self.machine.listed_got.map_or(0, |got| got.reserved);
        Some(self.bases.got + self.bases.got_word * (reserved + at as u64))
    }

    /// The value of a symbol of an object, plus an addend; 0 if it is not in the output.
    pub fn sum(&self, object: ObjectId, symbol: SymbolId, addend: i64) -> u64 {
        match values::decode(self.value(object, symbol)) {
            Value::Plain(value) => value.wrapping_add_signed(addend),
            Value::Merged(section) => self.place_or_zero(section, addend as u64),
            Value::Dead | Value::Indirect | Value::Called(_) => 0,
        }
    }

    /// Address of the word of `.got.plt` that an entry of `.plt` jumps through, or of what else the
    /// loader writes to bind it.
    #[inline]
    pub fn got_plt_word(&self, entry: PltEntryId) -> u64 {
        if let Some(in_place) = self.bases.plt_in_place {
            return self.bases.plt + place_in_plt(in_place, self.slots, entry, self.plt).1;
        }
        let words = self.machine.got_plt_words * u64::from(entry);
        let words = self.machine.got_plt_reserved + words;
        self.bases.got_plt + self.bases.got_word * words
    }

    /// Address of an entry of `.plt`.
    pub fn lazy_entry(&self, entry: PltEntryId) -> u64 {
        let offset = self.plt.header_size + entry.index() * self.plt.entry_size;
        self.bases.plt + offset as u64
    }

    /// Address of the word that the PLT entry of a slot set jumps through, if it has an entry.
    pub fn jump_word(&self, set: SlotSetId) -> Option<u64> {
        let set = &self.slots.sets[set];
        match (set.jump.is_some(), set.plt.get()) {
            (true, _) => Some(self.got_word(set.jump)),
            (false, entry) => entry.map(|entry| self.got_plt_word(entry)),
        }
    }

    /// Address of the PLT entry of a slot set, if it has one.
    pub fn plt_entry(&self, set: SlotSetId) -> Option<u64> {
        plt_entry_address(self.slots, set, self.plt, &self.bases)
    }

    /// The symbol of an object as scan and apply decide by it: referent and attributes.
    #[inline]
    pub fn view(&self, object: ObjectId, symbol: SymbolId) -> SymbolView {
        let target = self.definitions.target_of(object, symbol);
        SymbolView::new(self.definitions, target)
    }

    /// GOT words and PLT entries of a symbol of an object.
    pub fn slots_of(&self, object: ObjectId, symbol: SymbolId) -> Option<&SlotSet> {
        match self.view(object, symbol).name() {
            Some(name) => self.slots.of_name(name),
            None => self.slots.of_local(object, symbol),
        }
    }

    /// The values of an object's symbols, tagged as in [`super::values`].
    #[inline]
    pub fn values_of(&self, object: ObjectId) -> &IdSlice<SymbolId, u64> {
        self.definitions.symbols_of(&self.values.of_symbol, object)
    }

    /// The symbols of one object, for loops over relocations.
    #[inline]
    pub fn columns(&self, object: ObjectId) -> SymbolColumns<'_> {
        SymbolColumns {
            targets: self.definitions.targets_of(object),
            values: self.values_of(object),
        }
    }

    /// The value of a symbol of an object, tagged as in [`super::values`].
    #[inline]
    pub fn value(&self, object: ObjectId, symbol: SymbolId) -> u64 {
        let base = self.definitions.symbol_base[object] as usize;
        self.values.of_symbol.get(base + symbol.index()).copied().unwrap_or(0)
    }

    /// The symbol that slots belong to, as scan and apply decide by it.
    pub fn owner_view(&self, owner: SlotOwner) -> SymbolView {
        match owner {
            SlotOwner::Name(name) => {
                SymbolView::new(self.definitions, PackedReferent::global(name))
            }
            SlotOwner::Local(object, symbol) => self.view(object, symbol),
        }
    }

    /// Whether the symbol that slots belong to is a function.
    pub fn is_function(&self, owner: SlotOwner) -> bool {
        match owner {
            SlotOwner::Name(name) => self.definitions.globals[name].has(attr::FUNC),
            SlotOwner::Local(object, symbol) => {
                self.objects[object].mapped.symbols[symbol].kind() == STT_FUNC
            }
        }
    }

    /// The value of the symbol that slots belong to.
    pub fn owner_value(&self, owner: SlotOwner) -> u64 {
        match owner {
            SlotOwner::Name(name) => self.values.of_name[name],
            SlotOwner::Local(object, symbol) => self.value(object, symbol),
        }
    }

    /// The value of `owner` as an offset from `start` (of the TLS block); 0 for a variable that
    /// nothing defines.
    pub fn owner_offset(&self, owner: SlotOwner, start: u64) -> u64 {
        match self.owner_attributes(owner) & attr::NO_DEFINITION {
            0 => self.owner_value(owner).wrapping_sub(start),
            _ => 0,
        }
    }

    /// Attributes (`attr::*`) of the symbol that slots belong to.
    pub fn owner_attributes(&self, owner: SlotOwner) -> u32 {
        match owner {
            SlotOwner::Name(name) => self.definitions.globals[name].attributes,
            SlotOwner::Local(..) => attr::DEFINED,
        }
    }

    /// `st_size` of the definition that a symbol of an object refers to.
    pub fn symbol_size(&self, object: ObjectId, symbol: SymbolId) -> u64 {
        let target = self.definitions.target_of(object, symbol);
        let Some(name) = target.name() else {
            let symbols = self.objects[object].mapped.symbols;
            return symbols.get(symbol).map_or(0, |own| self.size_in(target.section(), own));
        };
        let global = self.definitions.globals[name];
        let rank = self.definitions.ranks[name];
        if rank.strength() > Strength::Weak {
            return 0;
        }
        if global.has(attr::COMMON) {
            let section = global.value_base.section().expect("common symbols have sections");
            return self.definitions.sections[section].size;
        }
        let own = &self.objects[rank.object()].mapped.symbols[rank.symbol()];
        self.size_in(global.value_base.section(), own)
    }
}

/// The section of an output symbol, by its section header index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SymbolPlace(OptionalId<HeaderId>);

impl SymbolPlace {
    /// No section: SHN_ABS.
    pub const ABSOLUTE: SymbolPlace = SymbolPlace(OptionalId::NONE);

    /// The section with this section header index.
    pub fn of(header: u32) -> SymbolPlace {
        SymbolPlace(HeaderId::new(header).into())
    }

    /// `st_shndx`. An index that does not fit is in `.symtab_shndx` (gABI chapter 4, "Symbol
    /// Table"). `.dynsym` has no such table, but its readers only ask whether a symbol is defined,
    /// and whether it is absolute.
    #[inline]
    pub fn shndx(self) -> u16 {
        match self.0.get().map(HeaderId::number) {
            None => SHN_ABS,
            Some(index) if index >= u32::from(SHN_LORESERVE) => SHN_XINDEX,
            Some(index) => index as u16,
        }
    }

    /// The word of `.symtab_shndx`: the index if `st_shndx` is SHN_XINDEX, else 0.
    pub fn extended(self) -> u32 {
        if self.shndx() == SHN_XINDEX { self.0.word() } else { 0 }
    }
}

/// Offsets in a `.plt` that the loader writes into: of an entry, and of what it writes to bind it.
#[cold]
fn place_in_plt(in_place: PltInPlace, slots: &Slots, entry: PltEntryId, plt: &Plt) -> (u64, u64) {
    let size = plt.entry_size as u64;
    let in_header = plt.header_size as u64 / size;
    let count = in_header + slots.plt.len() as u64;
    in_place.place(size, in_header + u64::from(entry), count)
}

/// Address of the PLT entry of a slot set, if it has one.
#[inline]
pub fn plt_entry_address(slots: &Slots, set: SlotSetId, plt: &Plt, bases: &Bases) -> Option<u64> {
    let set = &slots.sets[set];
    let direct = |entry: PltEntryId| u64::from(entry) * plt.direct_entry_size as u64;
    if let Some(entry) = set.direct_plt.get() {
        return Some(bases.direct_plt + direct(entry));
    }
    set.plt.get().map(|entry| {
        let offset = match bases.plt_in_place {
            None => (plt.header_size + entry.index() * plt.entry_size) as u64,
            Some(in_place) => place_in_plt(in_place, slots, entry, plt).0,
        };
        bases.plt + offset
    })
}
