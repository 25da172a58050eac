//! Copy relocations: code at a fixed address refers to a shared object's variables as if they were
//! the program's own. So the program has a copy of such a variable, which an R_COPY relocation
//! fills and the library uses, too.
//!
//! Each copy is a zero-filled section with a record like that of an input section. Sources: x86-64
//! psABI, "Relocation Types"; GNU ld for copies in RELRO.

use crate::args::Options;
use crate::read::object_file::{InputSection, SectionFlags};
use crate::read::{Libraries, LibraryId, ObjectId};
use crate::resolve::definitions::{Definitions, SectionId, Strength};
use crate::resolve::extract::Extraction;
use crate::resolve::name_order;
use crate::script::section_names::{NameClass, OutputId};
use crate::select::liveness::Liveness;
use crate::select::marker::LIVE;
use crate::select::scan::{Needs, need};
use object::elf::STT_TLS;
use skald_core::ids::OptionalId;
use skald_core::names::NameId;
use skald_core::par;
use skald_core::unordered::{UnorderedMap, UnorderedSet};
use std::sync::atomic::{AtomicU8, Ordering};

/// The copied variables of a link.
#[derive(Debug, Default)]
pub struct Copies {
    /// Names and the sections of their copies: first the names that code refers to, then other
    /// names of the same variables.
    pub places: Vec<(NameId, SectionId)>,
    /// One name of each copied variable, in order.
    pub variables: Vec<NameId>,
    /// All names of copied variables, in order.
    pub names: Vec<NameId>,
    copied: UnorderedSet<NameId>,
}

impl Copies {
    /// Whether a name refers to a copy in this output.
    pub fn contain(&self, name: NameId) -> bool {
        self.copied.contains(&name)
    }
}

/// The tables that decide which variables are copied.
pub struct CopyInput<'a> {
    /// For `-z relro` and the sections of copies.
    pub options: &'a Options,
    /// Names, and what files say of them.
    pub extraction: &'a Extraction,
    /// The shared objects of the link.
    pub shared: &'a Libraries,
    /// By name, what references need: [`need`](super::scan::need).
    pub needs: &'a Needs,
    /// Output ids of copies: of writable variables, and of read-only ones.
    pub outputs: [OutputId; 2],
}

/// Appends a zero-filled section record for each copied variable.
pub fn add(input: &CopyInput<'_>, definitions: &mut Definitions, live: &mut Liveness) -> Copies {
    let CopyInput { options, extraction, shared, needs, outputs } = *input;
    let is_needed = |name: NameId| needs[name].load(Ordering::Relaxed) & need::COPY != 0;
    let mut copies = Copies::default();
    if shared.is_empty() {
        return copies;
    }
    let mut needed: Vec<NameId> = par::select(needs.len(), is_needed);
    name_order::sort(definitions, extraction, &mut needed);
    // A variable may have several names (`environ`, `__environ`), which must all refer to the copy.
    let mut place_of: UnorderedMap<(LibraryId, u64), SectionId> = UnorderedMap::new();
    for &name in &needed {
        let rank = definitions.ranks[name];
        let file = &shared[rank.library()];
        let symbol = &file.symbols[rank.symbol()];
        let address = symbol.st_value();
        let section = *place_of.entry((rank.library(), address)).or_insert_with(|| {
            copies.variables.push(name);
            let is_protected = file.is_read_only(address) && options.z.relro;
            let align_log2 = file.symbol_align_log2(rank.symbol());
            live.live.push(AtomicU8::new(LIVE));
            let out = outputs[usize::from(is_protected)];
            definitions.sections.push(record(symbol.st_size(), align_log2, out))
        });
        if let Some(&(size, align_log2)) = definitions.copy_wishes.get(&name) {
            let copy = &mut definitions.sections[section];
            copy.size = copy.size.max(size);
            copy.align_log2 = copy.align_log2.max(align_log2);
        }
        copies.places.push((name, section));
    }
    copies.places.extend(aliases(definitions, shared, &place_of, &needed));
    copies.names = copies.places.iter().map(|place| place.0).collect();
    name_order::sort(definitions, extraction, &mut copies.names);
    copies.copied = copies.names.iter().copied().collect();
    copies
}

/// The section record of a copy.
fn record(size: u64, align_log2: u8, out: OutputId) -> InputSection {
    InputSection {
        object: ObjectId::default(),
        shndx: 0,
        data_offset: 0,
        size,
        rel_offset: 0,
        rel_count: 0,
        fde_head: OptionalId::NONE,
        out: out.into(),
        class: NameClass::CUSTOM,
        flags: SectionFlags(
            SectionFlags::ALLOC | SectionFlags::WRITE | SectionFlags::NOBITS | SectionFlags::COMMON,
        ),
        align_log2,
        entsize: 0,
    }
}

/// The other names of copied variables. `place_of` has the copies by library and address; the
/// result is in that order, and then in the order of the library's symbols.
fn aliases(
    definitions: &Definitions,
    shared: &Libraries,
    place_of: &UnorderedMap<(LibraryId, u64), SectionId>,
    copied: &[NameId],
) -> Vec<(NameId, SectionId)> {
    let mut seen: UnorderedSet<NameId> = copied.iter().copied().collect();
    let mut files: Vec<LibraryId> = place_of.sorted().iter().map(|((file, _), _)| *file).collect();
    files.dedup();
    let mut found = Vec::new();
    for file in files {
        let library = &shared[file];
        for &(symbol, name) in &library.exports {
            let entry = &library.symbols[symbol];
            let place = (file, entry.st_value());
            let Some(&section) = place_of.get(&place) else { continue };
            let rank = definitions.ranks[name];
            if rank.strength() == Strength::Shared
                && (rank.library(), rank.symbol()) == (file, symbol)
                && entry.kind() != STT_TLS
                && seen.insert(name)
            {
                found.push((place, name, section));
            }
        }
    }
    found.sort_by_key(|&(place, ..)| place);
    found.into_iter().map(|(_, name, section)| (name, section)).collect()
}
