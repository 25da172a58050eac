//! GOT words and PLT entries: which symbol has which, in an order that does not depend on threads.
//!
//! Names come in the order of their definitions (undefined ones by spelling), then local symbols
//! by object and index. Sources: x86-64 psABI 5.2 for GOT and PLT; Drepper, "ELF Handling For
//! Thread-Local Storage", for the TLS slots.

use super::listed_got;
use crate::format::elf::SymbolId;
use crate::read::ObjectId;
use crate::resolve::definitions::{Definitions, attr};
use crate::resolve::dynamic::OutputShape;
use crate::resolve::extract::Extraction;
use crate::resolve::name_order;
use crate::resolve::referent::PackedReferent;
use crate::resolve::tables::Tables;
use crate::script::section_names::OutputId;
use crate::select::scan::{Needs, ScanOutput, SymbolView, need};
use skald_core::column::with_room;
use skald_core::ids::{Column, OptionalId};
use skald_core::names::NameId;
use skald_core::unordered::UnorderedMap;
use skald_core::{id, par};
use std::sync::atomic::Ordering;

id! {
    /// The GOT words and PLT entries of one symbol; ids ascend in output order.
    SlotSetId
}

id! {
    /// A word of `.got`, counted from the first of symbols.
    WordId
}

id! {
    /// An entry of `.plt`, or of `.plt.got`.
    PltEntryId
}

/// The symbol that slots belong to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SlotOwner {
    /// A global name.
    Name(NameId),
    /// A local symbol of an object.
    Local(ObjectId, SymbolId),
}

impl SlotOwner {
    /// The symbol's name.
    pub fn name(self, tables: &Tables<'_>) -> &'static [u8] {
        match self {
            SlotOwner::Name(name) => tables.name(name),
            SlotOwner::Local(object, symbol) => tables.objects[object].symbol_name(symbol),
        }
    }

    /// The name, if it is a global symbol.
    pub fn global(self) -> Option<NameId> {
        match self {
            SlotOwner::Name(name) => Some(name),
            SlotOwner::Local(..) => None,
        }
    }
}

/// GOT words and PLT entries of one symbol.
#[derive(Debug, Clone, Copy)]
pub struct SlotSet {
    /// The symbol that owns the slots.
    pub owner: SlotOwner,
    /// The word of `.got` that holds the symbol's address.
    pub got: OptionalId<WordId>,
    /// The word of `.got` that holds the offset from the thread pointer (initial-exec).
    pub gottp: OptionalId<WordId>,
    /// The word of `.got` with the negative of that offset.
    pub negative_gottp: OptionalId<WordId>,
    /// The word of `.got` that holds the offset in the module's TLS block.
    pub gotdtp: OptionalId<WordId>,
    /// The first of the two words whose address `__tls_get_addr` is given (general-dynamic).
    pub tlsgd: OptionalId<WordId>,
    /// First of the two words of a TLS descriptor.
    pub tlsdesc: OptionalId<WordId>,
    /// The word of `.got` with the symbol's address as a signed pointer.
    pub signed_got: OptionalId<WordId>,
    /// First of the two words of a TLS descriptor of signed pointers.
    pub signed_tlsdesc: OptionalId<WordId>,
    /// Entry of `.plt`. Its number is also the index in `.rela.plt` and, after three words, in
    /// `.got.plt`.
    pub plt: OptionalId<PltEntryId>,
    /// Entry of `.plt.got`, which jumps through the word `jump`.
    pub direct_plt: OptionalId<PltEntryId>,
    /// The word of `.got` that the entry of `.plt.got` jumps through; none if the set has an entry
    /// of `.plt` too, and jumps through the same word of `.got.plt`.
    pub jump: OptionalId<WordId>,
    /// The PLT entry is the address of the function for the whole program.
    pub is_canonical: bool,
}

impl GotWord {
    /// Whether it is one of the header of machines that have one.
    pub fn is_header(self) -> bool {
        matches!(self, GotWord::Dynamic | GotWord::Loader)
    }
}

/// What a word of `.got` holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GotWord {
    /// The address of `.dynamic`: the header of machines that have one.
    Dynamic,
    /// What the loader leaves there for the code that binds functions.
    Loader,
    /// The address of a symbol.
    Address,
    /// The sum of a symbol and an addend.
    Placed,
    /// The address that an IFUNC resolver returns.
    Resolved,
    /// Offset from the thread pointer.
    ThreadOffset,
    /// The negative of [`GotWord::ThreadOffset`].
    NegativeThreadOffset,
    /// Offset in the module's TLS block.
    BlockOffset,
    /// TLS module number; the next word is the offset in the module's block.
    Module,
    /// Second word of a pair (offset in the TLS block, or that of a descriptor), written with the
    /// first.
    ModuleOffset,
    /// TLS descriptor, first of two words.
    Descriptor,
    /// The address of a symbol, signed.
    SignedAddress,
    /// TLS descriptor of signed pointers, first of two words.
    SignedDescriptor,
    /// This module's TLS module number, for local-dynamic accesses.
    OwnModule,
}

/// All GOT words and PLT entries of the output.
#[derive(Debug, Default)]
pub struct Slots {
    /// Names with needs, and names that may become dynamic symbols, in output order. They are
    /// sorted once for both uses, since either may be nearly all names that libraries define.
    pub ordered: Vec<NameId>,
    /// In output order.
    pub sets: Column<SlotSetId, SlotSet>,
    /// By name: the number of its set plus one, 0 for none.
    of_name: Column<NameId, u32>,
    of_local: UnorderedMap<(ObjectId, SymbolId), SlotSetId>,
    /// Words of `.got`: what each holds, and the slot set that it belongs to; none for
    /// [`GotWord::OwnModule`] and those of the header.
    pub got: Column<WordId, (GotWord, OptionalId<SlotSetId>)>,
    /// The first of the two words for local-dynamic accesses.
    pub own_module: OptionalId<WordId>,
    /// What words with a symbol and an addend hold, in order; they follow each other.
    pub placed: Vec<(ObjectId, SymbolId, i64)>,
    /// The first of these words.
    pub first_placed: OptionalId<WordId>,
    /// How many words the loader adds the base address to, of those of symbols.
    pub local_words: u32,
    /// The names whose addresses are in the words behind these, which the loader fills.
    pub listed: Vec<NameId>,
    /// Output sections of which there is a word for each page.
    pub paged: Vec<OutputId>,
    /// The set of each entry of `.plt`.
    pub plt: Column<PltEntryId, SlotSetId>,
    /// The set of each entry of `.plt.got`.
    pub direct_plt: Column<PltEntryId, SlotSetId>,
    /// See [`SlotRules::has_lazy_entries`].
    has_lazy_entries: bool,
}

impl Slots {
    /// The slots of a name, if it has any.
    #[inline]
    pub fn of_name(&self, name: NameId) -> Option<&SlotSet> {
        match *self.of_name.get(name)? {
            0 => None,
            at => Some(&self.sets[SlotSetId::new(at - 1)]),
        }
    }

    /// The slot set of a name, if it has one.
    pub fn set_of_name(&self, name: NameId) -> Option<SlotSetId> {
        self.of_name.get(name)?.checked_sub(1).map(SlotSetId::new)
    }

    /// The kind of the word of `.got` before `word`.
    pub fn word_before(&self, word: WordId) -> GotWord {
        self.got[WordId::new(word.number() - 1)].0
    }

    /// The symbol that `word` belongs to; not for [`GotWord::OwnModule`].
    pub fn owner_of_word(&self, word: WordId) -> SlotOwner {
        self.sets[self.got[word].1.expect("a word of a symbol")].owner
    }

    /// The slots of a local symbol, if it has any.
    pub fn of_local(&self, object: ObjectId, symbol: SymbolId) -> Option<&SlotSet> {
        self.of_local.get(&(object, symbol)).map(|&at| &self.sets[at])
    }
}

/// What decides over words and entries besides needs.
#[derive(Debug, Clone, Copy)]
pub struct SlotRules {
    /// Executable, PIE or shared, and whether there is a dynamic linker.
    pub shape: OutputShape,
    /// Functions are bound when they are called first.
    pub lazy: bool,
    /// Words at the start of `.got`, the first of which has the address of `.dynamic`.
    pub header: u64,
    /// The address of the GOT is used.
    pub needs_base: bool,
    /// The address of an imported function is not its entry of `.plt`.
    pub has_lazy_entries: bool,
    /// The loader fills words by their order.
    pub is_listed: bool,
}

/// Assigns symbols the words and entries that scanning found them to need.
pub fn assign(
    definitions: &Definitions,
    extraction: &Extraction,
    needs: &Needs,
    scan: &ScanOutput,
    rules: SlotRules,
) -> Slots {
    let SlotRules { shape, lazy, header, needs_base, has_lazy_entries, is_listed } = rules;
    let of_name = Column::zeroed(needs.len());
    let mut slots = Slots { of_name, has_lazy_entries, ..Slots::default() };
    if is_listed {
        slots.paged = listed_got::paged_outputs(definitions, &scan.paged);
    }
    let ordered = ordered_names(definitions, extraction, needs);
    let bits_of = |name: NameId| needs[name].load(Ordering::Relaxed);
    let counted =
        |bits: need::Bits| ordered.iter().filter(|&&name| bits_of(name) & bits != 0).count();
    let sets = counted(!(need::COPY | need::REFERENCED));
    slots.sets = Column::from(with_room(sets));
    slots.got = Column::from(with_room(counted(need::GOT)));
    let is_used = sets != 0 || !scan.local_needs.is_empty() || scan.needs_tlsld;
    if needs_base || is_used {
        for at in 0..header {
            let word = if at == 0 { GotWord::Dynamic } else { GotWord::Loader };
            slots.push_got(word, None);
        }
    }
    for &name in &ordered {
        let bits = bits_of(name);
        if bits & !(need::COPY | need::REFERENCED) == 0 {
            continue;
        }
        let attributes = definitions.globals[name].attributes;
        let is_ifunc = attributes & (attr::IFUNC | attr::IMPORTED) == attr::IFUNC;
        let is_lazy = lazy || shape.is_dynamic;
        slots.add(SlotOwner::Name(name), bits, is_ifunc, is_lazy);
        slots.of_name[name] = slots.sets.len() as u32;
    }
    slots.ordered = ordered;
    let mut locals: Vec<(ObjectId, SymbolId, need::Bits)> = Vec::new();
    for &(object, symbol, bits) in &scan.local_needs {
        match locals.last_mut() {
            Some(last) if (last.0, last.1) == (object, symbol) => last.2 |= bits,
            _ => locals.push((object, symbol, bits)),
        }
    }
    for (object, symbol, bits) in locals {
        slots.of_local.insert((object, symbol), slots.sets.end());
        slots.add(SlotOwner::Local(object, symbol), bits, false, false);
    }
    if scan.needs_tlsld {
        slots.own_module = slots.push_got(GotWord::OwnModule, None);
        slots.push_got(GotWord::ModuleOffset, None);
    }
    if is_listed {
        slots.placed.clone_from(&scan.placed);
        for _ in &scan.placed {
            slots.push_got(GotWord::Placed, None);
        }
        slots.list(definitions, shape);
    }
    slots
}

impl Slots {
    /// Puts words in the order that the loader fills them by: those that it adds the base address
    /// to, those whose symbols it looks up, and all others.
    fn list(&mut self, definitions: &Definitions, shape: OutputShape) {
        let view = |owner: SlotOwner| match owner {
            SlotOwner::Name(name) => SymbolView::new(definitions, PackedReferent::global(name)),
            SlotOwner::Local(object, symbol) => {
                SymbolView::new(definitions, definitions.target_of(object, symbol))
            }
        };
        let mut parts: [Vec<WordId>; 3] = Default::default();
        for (word, &(kind, set)) in self.got.with_ids() {
            let part = match kind {
                GotWord::Placed => 0,
                GotWord::Address => {
                    let owner = self.sets[set.get().expect("it is a symbol's")].owner;
                    let (view, name) = (view(owner), owner.global());
                    match name.filter(|_| view.is_imported()) {
                        Some(name) => {
                            self.listed.push(name);
                            1
                        }
                        // The base address must not be added to what does not move.
                        None if shape.is_pic && view.is_constant() => 2,
                        None => 0,
                    }
                }
                _ => 2,
            };
            parts[part].push(word);
        }
        self.local_words = parts[0].len() as u32;
        let order = parts.concat();
        let mut moved: Column<WordId, OptionalId<WordId>> =
            Column::filled(OptionalId::NONE, order.len());
        let mut got: Column<WordId, _> = Column::from(with_room(order.len()));
        for &word in &order {
            moved[word] = got.push(self.got[word]).into();
        }
        self.got = got;
        let renumber = |word: &mut OptionalId<WordId>| {
            *word = word.get().map_or(OptionalId::NONE, |word| moved[word]);
        };
        for set in self.sets.iter_mut() {
            let SlotSet { got, gottp, negative_gottp, tlsgd, tlsdesc, jump, .. } = set;
            [got, gottp, negative_gottp, tlsgd, tlsdesc, jump].into_iter().for_each(renumber);
        }
        renumber(&mut self.own_module);
        let is_placed = |word: &GotWord| *word == GotWord::Placed;
        let mut words = self.got.with_ids();
        self.first_placed = words.find(|(_, (kind, _))| is_placed(kind)).map(|(id, _)| id).into();
    }

    /// The word with the sum of a symbol and an addend.
    pub fn placed_word(
        &self,
        object: ObjectId,
        symbol: SymbolId,
        addend: i64,
    ) -> OptionalId<WordId> {
        let at = self.placed.binary_search(&(object, symbol, addend)).ok();
        let first = self.first_placed.get();
        at.zip(first).map(|(at, first)| WordId::new(first.number() + at as u32)).into()
    }

    /// The symbol and the addend whose sum a word has.
    pub fn placed_in(&self, word: WordId) -> (ObjectId, SymbolId, i64) {
        let first = self.first_placed.get().expect("there is a first of such words");
        self.placed[word.index() - first.index()]
    }

    fn push_got(&mut self, word: GotWord, set: impl Into<Option<SlotSetId>>) -> OptionalId<WordId> {
        self.got.push((word, set.into().into())).into()
    }

    fn add(&mut self, owner: SlotOwner, bits: need::Bits, is_ifunc: bool, is_lazy: bool) {
        let at = self.sets.end();
        let has = |bit: need::Bits| bits & bit != 0;
        let mut set = SlotSet {
            owner,
            got: OptionalId::NONE,
            gottp: OptionalId::NONE,
            negative_gottp: OptionalId::NONE,
            gotdtp: OptionalId::NONE,
            tlsgd: OptionalId::NONE,
            tlsdesc: OptionalId::NONE,
            signed_got: OptionalId::NONE,
            signed_tlsdesc: OptionalId::NONE,
            plt: OptionalId::NONE,
            direct_plt: OptionalId::NONE,
            jump: OptionalId::NONE,
            is_canonical: has(need::CANONICAL),
        };
        if is_ifunc {
            // All references must see one address of an IFUNC: that of the PLT entry if any
            // reference needs a link-time constant, otherwise the resolver's result.
            if has(need::PLT) {
                set.jump = self.push_got(GotWord::Resolved, at);
                set.direct_plt = self.direct_plt.push(at).into();
            }
            if has(need::GOT) {
                set.got = match (set.is_canonical, set.jump.is_some()) {
                    (false, false) => self.push_got(GotWord::Resolved, at),
                    (false, true) => set.jump,
                    (true, _) => self.push_got(GotWord::Address, at),
                };
            }
        } else {
            if has(need::GOT) {
                set.got = self.push_got(GotWord::Address, at);
            }
            if has(need::PLT) {
                // If there is a GOT word that the loader fills at load time anyway, lazy binding
                // gains nothing. The GOT word of a canonical entry would hold the entry's own
                // address.
                if (has(need::GOT) && !set.is_canonical) || !is_lazy {
                    set.jump = if set.got.is_some() {
                        set.got
                    } else {
                        self.push_got(GotWord::Address, at)
                    };
                    set.direct_plt = self.direct_plt.push(at).into();
                } else {
                    set.plt = self.plt.push(at).into();
                    if set.is_canonical && self.has_lazy_entries {
                        set.direct_plt = self.direct_plt.push(at).into();
                    }
                }
            }
        }
        self.add_other_words(&mut set, at, bits);
        self.sets.push(set);
    }

    /// Adds words for thread-local variables, and words with signed pointers.
    fn add_other_words(&mut self, set: &mut SlotSet, at: SlotSetId, bits: need::Bits) {
        let has = |bit: need::Bits| bits & bit != 0;
        if has(need::GOTTP) {
            set.gottp = self.push_got(GotWord::ThreadOffset, at);
        }
        if has(need::NEGATIVE_GOTTP) {
            set.negative_gottp = self.push_got(GotWord::NegativeThreadOffset, at);
        }
        if has(need::GOTDTP) {
            set.gotdtp = self.push_got(GotWord::BlockOffset, at);
        }
        if has(need::TLSGD) {
            set.tlsgd = self.push_got(GotWord::Module, at);
            self.push_got(GotWord::ModuleOffset, at);
        }
        if has(need::TLSDESC) {
            set.tlsdesc = self.push_got(GotWord::Descriptor, at);
            self.push_got(GotWord::ModuleOffset, at);
        }
        if has(need::SIGNED_GOT) {
            set.signed_got = self.push_got(GotWord::SignedAddress, at);
        }
        if has(need::SIGNED_TLSDESC) {
            set.signed_tlsdesc = self.push_got(GotWord::SignedDescriptor, at);
            self.push_got(GotWord::ModuleOffset, at);
        }
    }
}

/// Names with needs and names that are exported or imported, in an order that the inputs alone
/// decide.
fn ordered_names(definitions: &Definitions, extraction: &Extraction, needs: &Needs) -> Vec<NameId> {
    let mut names = par::select(needs.len(), |name: NameId| {
        let bits = needs[name].load(Ordering::Relaxed);
        let global = definitions.globals[name];
        bits & !need::REFERENCED != 0
            || global.has(attr::EXPORTED)
            || bits != 0 && global.has(attr::IMPORTED)
    });
    name_order::sort(definitions, extraction, &mut names);
    names
}
