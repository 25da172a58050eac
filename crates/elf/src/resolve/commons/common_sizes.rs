//! Size and alignment of common symbols: the maxima over all common symbols of a name and the
//! libraries that define it.
//!
//! As in GNU ld, the largest size and the greatest alignment hold. If a library defines an
//! initialised variable of the name, that is the definition, and the common symbol is a reference
//! to it. A program's copy of the variable has the larger size and the greater alignment
//! ([`CommonNeeds`]). Otherwise the common symbol is the definition, which the library uses too, so
//! it must be as large and as aligned as the library expects.
//!
//! The common symbol stays also where an object has a weak definition. The weak definition wins if
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

/// A common symbol of an object. [`by_name`] joins those of one name.
#[derive(Debug, Clone, Copy)]
pub struct Common {
    /// The name of the symbol.
    pub name: NameId,
    /// The symbol's object and index; after [`by_name`], those of the first among the largest.
    pub rank: Rank,
    /// The section record of the space that the symbol takes if it is the definition.
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

/// Raises sizes to those of shared objects' definitions, once all objects are entered. Returns the
/// size and alignment that common symbols ask of the library variables that define them. `commons`
/// are the names of common symbols, ascending.
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
            // An object does not make an `--as-needed` library before it needed.
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
        // The output itself defines the name in any case.
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

/// By name: size in bytes and alignment (log2) that common symbols ask of the library variable that
/// defines them. A copy of the variable in this output has at least these.
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

/// A common symbol that a library's variable defines.
struct Replaced {
    name: NameId,
    /// The first common symbol of the name.
    common: Rank,
}

/// Raises size and alignment of the common symbol of a name to those of a library's definition.
fn grow(commons: &mut [Common], name: NameId, library: &SharedFile, symbol: SymbolId) {
    if let Some(common) = of_name(commons, name) {
        let align = 1 << library.symbol_align_log2(symbol);
        common.size = common.size.max(library.symbols[symbol].st_size());
        common.align = common.align.max(align);
    }
}

/// The first weak definition that objects have of each name, all of which lost against a common
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

/// Makes the largest common symbol of each name its definition, which maps and the order of
/// sections use.
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
