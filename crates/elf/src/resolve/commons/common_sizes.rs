//! Size and alignment of common symbols: what all of a name, and libraries that define it, need.
//!
//! As for GNU ld: the largest size and the greatest alignment hold. A library's variable with a
//! value is the definition, and the common symbol a reference to it; a program's copy of that
//! variable has the larger size and the greater alignment ([`CommonNeeds`]). Otherwise the common
//! symbol stays, and is what the library uses too, so it must be as large and as aligned as the
//! library thinks it is. It stays also where an object has a weak definition, which holds itself if
//! it is behind a common symbol that was a reference to the library's variable by then.

use crate::format::elf::SymbolId;
use crate::read::symbol_checks::MAX_ALIGN;
use crate::read::{Libraries, ObjectId, Objects, SharedFile};
use crate::resolve::SectionId;
use crate::resolve::definitions::Sections;
use crate::resolve::definitions::{Rank, Strength};
use crate::resolve::extract::Extraction;
use crate::resolve::names::references::ref_flags;
use object::elf::{SHN_UNDEF, STB_WEAK, STT_TLS};
use skald_core::ids::{IdRange, IdSlice};
use skald_core::names::NameId;
use skald_core::par::prelude::*;
use skald_core::perturb::shuffled;
use skald_core::unordered::{UnorderedMap, UnorderedSet};

/// A common symbol of an object; after [`by_name`], that of all objects with the name.
#[derive(Debug, Clone, Copy)]
pub struct Common {
    /// The name of the symbol.
    pub name: NameId,
    /// The symbol's object and index; after [`by_name`], of the first among the largest.
    pub rank: Rank,
    /// The record of the space that it takes if it stays a common symbol.
    pub section: SectionId,
    /// `st_size`, in bytes.
    pub size: u64,
    /// Alignment in bytes (`st_value` of SHN_COMMON).
    pub align: u64,
}

/// Joins the common symbols of each name to one, ascending by name.
pub fn by_name(mut all: Vec<Common>) -> Vec<Common> {
    shuffled(&mut all).par_sort_unstable_by_key(|common| (common.name, common.rank));
    all.dedup_by(|next, first| {
        if next.name != first.name {
            return false;
        }
        let align = first.align.max(next.align);
        if next.size > first.size {
            *first = *next;
        }
        first.align = align;
        true
    });
    all
}

/// Raises sizes to those of shared objects' definitions, once all objects are entered, and returns
/// what is asked for of the definitions that hold. `commons` are the names of common symbols,
/// ascending.
pub fn join_libraries(
    commons: &mut [Common],
    ranks: &mut IdSlice<NameId, Rank>,
    extraction: &Extraction,
    objects: &Objects,
    shared: &Libraries,
) -> CommonNeeds {
    if commons.is_empty() {
        return CommonNeeds::new();
    }
    let mut replaced: Vec<Replaced> = Vec::new();
    for (at, library) in shared.with_ids() {
        for &(symbol, name) in &library.exports {
            let rank = ranks[name];
            let refs = extraction.refs.get(name);
            if rank.strength() != Strength::Common || refs.is_inside() {
                continue;
            }
            let is_tls = is_thread_local(objects, rank);
            if !library.is_variable(symbol, is_tls) {
                continue;
            }
            // An `--as-needed` library is not needed for an object behind it.
            let is_before = library.as_needed && library.file < objects[rank.object()].file;
            if library.initialises(symbol, is_tls) && !is_before {
                ranks[name] = Rank::of_library(at, symbol);
                replaced.push(Replaced { name, common: rank });
            } else {
                grow(commons, name, library, symbol);
            }
        }
    }
    let weak = first_weak(&replaced, objects);
    let mut wishes = CommonNeeds::new();
    for Replaced { name, common } in replaced {
        let Some(&weak) = weak.get(&name) else {
            extraction.refs.get(name).add(ref_flags::UNDEF_STRONG);
            if let Some(common) = of_name(commons, name) {
                wishes.insert(name, (common.size, align_log2(common.align)));
            }
            continue;
        };
        // The output has a definition of its own in any case.
        let (library, symbol) = (ranks[name].library(), ranks[name].symbol());
        let is_first = shared[library].file < objects[common.object()].file;
        if is_first && common.object() < weak.object() {
            ranks[name] = weak;
        } else {
            ranks[name] = common;
            grow(commons, name, &shared[library], symbol);
        }
    }
    wishes
}

/// What common symbols ask for of which a library's variable is the definition, by name: size in
/// bytes and alignment as a power of two. A copy of the variable in this output has at least these.
pub type CommonNeeds = UnorderedMap<NameId, (u64, u8)>;

fn is_thread_local(objects: &Objects, rank: Rank) -> bool {
    objects[rank.object()].mapped.symbols[rank.symbol()].kind() == STT_TLS
}

fn align_log2(align: u64) -> u8 {
    align.clamp(1, MAX_ALIGN).next_power_of_two().trailing_zeros() as u8
}

fn of_name(commons: &mut [Common], name: NameId) -> Option<&mut Common> {
    let found = commons.binary_search_by_key(&name, |common| common.name).ok()?;
    Some(&mut commons[found])
}

/// A common symbol that a library's variable is the definition of.
struct Replaced {
    name: NameId,
    /// The first common symbol of the name.
    common: Rank,
}

/// Makes the common symbol of a name as large and as aligned as a library's.
fn grow(commons: &mut [Common], name: NameId, library: &SharedFile, symbol: SymbolId) {
    if let Some(common) = of_name(commons, name) {
        let align = 1 << library.symbol_align_log2(symbol);
        common.size = common.size.max(library.symbols[symbol].st_size());
        common.align = common.align.max(align);
    }
}

/// The first weak definition that objects have of each name, which has lost against a common
/// symbol.
fn first_weak(replaced: &[Replaced], objects: &Objects) -> UnorderedMap<NameId, Rank> {
    let names: UnorderedSet<NameId> = replaced.iter().map(|replaced| replaced.name).collect();
    let mut first = UnorderedMap::new();
    if names.is_empty() {
        return first;
    }
    let of_object = |at: ObjectId| {
        let object = &objects[at];
        let is_weak = |&(index, name): &(SymbolId, NameId)| {
            let symbol = &object.mapped.symbols[index];
            names.contains(&name)
                && symbol.bind() == STB_WEAK
                && symbol.st_shndx() != SHN_UNDEF
                && !object.symbol_section(index).is_some_and(|at| object.is_no_definition(at))
        };
        let globals = object.global_ids().ids().zip(object.globals.iter().copied());
        let weak = globals.filter(is_weak);
        weak.map(|(index, name)| (name, Rank::of_object(Strength::Weak, at, index))).collect()
    };
    let all: Vec<Vec<(NameId, Rank)>> = objects.par_ids().map(of_object).collect();
    for (name, rank) in all.into_iter().flatten() {
        first.entry(name).or_insert(rank);
    }
    first
}

/// Makes the largest common symbol of each name its definition, for maps and for where it stands.
pub fn settle(commons: &[Common], ranks: &mut IdSlice<NameId, Rank>, sections: &mut Sections) {
    for common in commons {
        let rank = &mut ranks[common.name];
        if rank.strength() == Strength::Common {
            *rank = common.rank;
            let section = &mut sections[common.section];
            section.size = common.size;
            section.align_log2 = align_log2(common.align);
        }
    }
}
