//! References to symbols of sections that are not in the output: another object owns the group, or
//! the section has SHF_EXCLUDE.

use super::relocations;
use crate::diagnose::location::{Site, locate};
use crate::diagnose::messages::DiscardedReport;
use crate::diagnose::undefined::MAX_LISTED;
use crate::format::elf::SymbolId;
use crate::read::object_file::{InputSection, SectionFlags};
use crate::read::{ObjectFile, ObjectId};
use crate::resolve::definitions::{Strength, attr};
use crate::resolve::tables::Tables;
use crate::select::liveness::Liveness;
use crate::select::scan::RelocId;
use crate::select::used_symbols::UsedSymbols;
use skald_core::ids::IdRange;
use skald_core::names::NameId;
use skald_core::par::prelude::*;
use skald_core::perturb::shuffled;
use skald_core::unordered::UnorderedMap;
use std::collections::BTreeMap;

/// Tables of all functions of an object: their entries for dropped functions do no harm. Names are
/// compared exactly, as in GNU ld: the table of a single function is dropped with the function.
const UNWIND_TABLES: [&[u8]; 3] = [b".eh_frame", b".gcc_except_table", b".sframe"];

/// An object and the index of a symbol of it.
type ObjectSymbol = (ObjectId, SymbolId);

/// Reports relocations that refer to discarded sections: one message for each symbol.
pub fn report(tables: &Tables<'_>, places: Vec<RelocId>) {
    list_discarded(tables, places, tables.options.noinhibit_exec);
}

/// Reports such relocations for `-r`, which makes them ineffective (R_*_NONE). lld warns of them,
/// as the field may never be used; in unwind tables and debug information they are expected.
///
/// A reference to a section that a script discards is an error, as in any other link (GNU ld): the
/// final link would not know that anything is missing.
pub fn check_in_part(tables: &Tables<'_>, live: &Liveness, used: &UsedSymbols) {
    let list = |is_gone: &(dyn Fn(ObjectId, &ObjectFile, SymbolId) -> bool + Sync)| {
        let of_object = |(at, object): (ObjectId, &ObjectFile)| {
            let is_gone = |symbol| is_gone(at, object, symbol);
            dropped(tables, at, object, live, used, &is_gone)
        };
        tables.objects.par_with_ids().flat_map_iter(of_object).collect()
    };
    let by_group = |_, object: &ObjectFile, symbol: SymbolId| {
        symbol < object.first_global
            && object.symbol_section(symbol).is_some_and(|s| object.is_killed(s))
    };
    list_discarded(tables, list(&by_group), true);
    // A common symbol that is not allocated is left to the next link, whichever statement takes it
    // here.
    let has_room = tables.options.define_common;
    let is_discarded = |section: &InputSection| {
        let is_common = section.flags.has(SectionFlags::COMMON);
        section.flags.has(SectionFlags::DISCARDED) && (has_room || !is_common)
    };
    if tables.candidates.script_commands.is_empty()
        || !tables.definitions.sections.iter().any(is_discarded)
    {
        return;
    }
    let by_script = |at: ObjectId, object: &ObjectFile, symbol: SymbolId| {
        if symbol >= object.first_global {
            let name = object.global(symbol);
            let global = tables.definitions.globals[name];
            let home = global.value_base.section().map(|id| &tables.definitions.sections[id]);
            return global.has(attr::DISCARDED) && home.is_some_and(is_discarded);
        }
        let index = object.symbol_section(symbol).and_then(|s| object.record_index(s));
        let id = index.map(|index| tables.definitions.section_base[at] + index);
        id.is_some_and(|id| is_discarded(&tables.definitions.sections[id]))
    };
    list_discarded(tables, list(&by_script), tables.options.noinhibit_exec);
}

/// Relocations of an object's code and data that refer to a symbol which `is_gone`.
fn dropped(
    tables: &Tables<'_>,
    at: ObjectId,
    object: &ObjectFile,
    live: &Liveness,
    used: &UsedSymbols,
    is_gone: &dyn Fn(SymbolId) -> bool,
) -> Vec<RelocId> {
    let used = tables.definitions.symbols_of(&used.symbols, at);
    if !used.ids().any(|symbol| used[symbol] != 0 && is_gone(symbol)) {
        return Vec::new();
    }
    let mut places = Vec::new();
    for id in tables.definitions.sections_of(at).ids() {
        let section = &tables.definitions.sections[id];
        let is_code_or_data = section.flags.has(SectionFlags::ALLOC)
            && !section.flags.has(SectionFlags::EH_FRAME | SectionFlags::COMMON);
        if !is_code_or_data
            || !live.is_live(id)
            || UNWIND_TABLES.contains(&object.section_name(section.shndx))
        {
            continue;
        }
        for (index, reloc) in (0..).zip(object.relocs(section)) {
            if is_gone(reloc.symbol()) {
                places.push(RelocId { section: id, index });
            }
        }
    }
    places
}

fn list_discarded(tables: &Tables<'_>, mut places: Vec<RelocId>, is_warning: bool) {
    shuffled(&mut places).sort_unstable();
    let mut by_symbol: BTreeMap<ObjectSymbol, Vec<RelocId>> = BTreeMap::new();
    let excluded =
        if places.is_empty() { UnorderedMap::new() } else { excluded_definitions(tables) };
    for place in places {
        by_symbol.entry(dropped_definition(tables, place, &excluded)).or_default().push(place);
    }
    let listed = |places: &Vec<RelocId>| places.len().min(MAX_LISTED);
    let sites = by_symbol.values().flat_map(|places| &places[..listed(places)]);
    let sites: Vec<Site<'_>> = sites.map(|&place| relocations::site(tables, place)).collect();
    let mut located = locate(&sites, tables.options.demangle).into_iter();
    let mut signatures = Signatures::default();
    for (symbol, places) in by_symbol {
        let report = DiscardedReport {
            referent: relocations::referent(tables, places[0]),
            defined_in: tables.object_name(symbol.0),
            group: group_of(tables, symbol, &mut signatures),
            references: located.by_ref().take(listed(&places)).collect(),
            total_references: places.len(),
        };
        if is_warning {
            tables.diag.warn(relocations::key(places[0]), report.render())
        } else {
            tables.diag.error(relocations::key(places[0]), report.render())
        }
    }
}

/// The definitions in sections with SHF_EXCLUDE, the first symbol of each name. They do not count,
/// but messages about references to the name say where they are.
pub(super) fn excluded_definitions(tables: &Tables<'_>) -> UnorderedMap<NameId, ObjectSymbol> {
    let mut found = UnorderedMap::new();
    for (at, object) in tables.objects.with_ids().filter(|(_, object)| object.drops_excluded) {
        for (index, _, name) in object.globals().filter(|&(index, ..)| object.is_excluded(index)) {
            found.entry(name).or_insert((at, index));
        }
    }
    found
}

/// The symbol in a discarded section that the relocation at `place` refers to; that of the
/// referring object, if it has one.
fn dropped_definition(
    tables: &Tables<'_>,
    place: RelocId,
    excluded: &UnorderedMap<NameId, ObjectSymbol>,
) -> ObjectSymbol {
    let section = &tables.definitions.sections[place.section];
    let object = &tables.objects[section.object];
    let symbol = object.reloc(section, place.index).symbol();
    let target = tables.definitions.target_of(section.object, symbol);
    if let Some(name) = target.name()
        && object.symbol_section(symbol).is_none()
    {
        let rank = tables.definitions.ranks[name];
        if rank.strength() <= Strength::Weak {
            return (rank.object(), rank.symbol());
        }
        if let Some(&definition) = excluded.get(&name) {
            return definition;
        }
    }
    (section.object, symbol)
}

/// The signature of the COMDAT group that the symbol was in, and the object whose copy is kept.
fn group_of(
    tables: &Tables<'_>,
    (at, symbol): ObjectSymbol,
    signatures: &mut Signatures,
) -> Option<(String, String)> {
    let object = &tables.objects[at];
    let shndx = object.symbol_section(symbol).filter(|&s| object.is_killed(s))?;
    let name = signatures.of(at, object, shndx)?;
    let provider = tables.extraction.refs.get(name).comdat_owner();
    let is_there = provider < tables.candidates.files.end();
    let provider = is_there.then(|| tables.candidates.display_name(provider))?;
    Some((tables.printed(tables.name(name)), provider))
}

/// Signatures of groups of one object by section header index; filled anew for each object.
#[derive(Default)]
struct Signatures {
    object: Option<ObjectId>,
    of_section: UnorderedMap<u32, NameId>,
}

impl Signatures {
    fn of(&mut self, at: ObjectId, object: &ObjectFile, shndx: u32) -> Option<NameId> {
        if self.object.replace(at) != Some(at) {
            let members = object.groups.iter().flat_map(|group| {
                object.group_members(group).iter().map(|member| (member.get(), group.name))
            });
            self.of_section = object.linkonce.iter().copied().chain(members).collect();
        }
        self.of_section.get(&shndx).copied()
    }
}
