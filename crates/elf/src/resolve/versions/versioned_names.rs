//! Names that objects spell with a version: `foo@V` and `foo@@V` (from `.symver`).
//!
//! A default definition `foo@@V` is what the plain name `foo` means and has its id; every other
//! spelling is a name of its own in the name table. Some of these are the same symbol after all,
//! and here, before definitions compete, they get one id:
//! - `foo@V` where an object defines `foo@@V`, whoever refers to it or defines it again;
//! - `foo@@V` as a reference, which means `foo@V`;
//! - `foo` where an object has `foo@V` at the same place, which is what `.symver foo, foo@V` leaves
//!   behind: the plain name was only a handle for the versioned one. Where `foo@@V` is there as
//!   well, the plain name is what all three mean.
//!
//! Options and scripts may use any of the spellings.
//!
//! Names that are still undefined then may be defined by a library: see
//! [`super::library_versions`]. Few links have such names, so all of this is serial except for one
//! pass over all objects, for the last rule.

use crate::format::elf::SymbolId;
use crate::read::{ObjectFile, ObjectId, Objects};
use crate::resolve::definitions::{Definitions, Rank, Strength, attr};
use crate::resolve::extract::Extraction;
use crate::resolve::names::references::ref_flags;
use crate::resolve::names::versioned_spelling::{Spelled, VersionedSymbol, versioned_symbols};
use object::elf::{SHN_UNDEF, STB_WEAK};
use skald_core::hash::Hash128;
use skald_core::names::NameId;
use skald_core::par::prelude::*;
use skald_core::perturb::shuffled;
use skald_core::unordered::UnorderedMap;

/// Names that were united with others.
#[derive(Debug, Default)]
pub struct Handles {
    /// Plain names that were handles of versioned ones, and the versioned names.
    of_versions: Vec<(NameId, NameId)>,
    /// Spellings that no symbol has any more, and the names that they are united with.
    left: Vec<(NameId, NameId)>,
}

/// Gives spellings of one symbol one id in the `globals` of all objects. `keep_handles` skips the
/// last rule: an object that will be linked again (`-r`) keeps all its symbols.
pub fn unite(extraction: &Extraction, objects: &mut Objects, keep_handles: bool) -> Handles {
    if !objects.iter().any(|object| object.has_versioned_names) {
        return Handles::default();
    }
    let defaults = default_versions(objects);
    let mut handles = Handles::default();
    if !keep_handles {
        handles.of_versions = unite_handles(extraction, objects, &defaults);
    }
    for object in objects.iter_mut() {
        let first = object.first_global;
        let symbols = versioned_symbols(object).filter(|s| !s.is_default || !s.is_defined);
        let spelled = symbols.filter_map(|symbol| {
            let slot = (symbol.index - first) as usize;
            // The symbol's name id may be another one because of `--wrap`.
            let text = extraction.pools.name(&extraction.names, object.globals[slot]);
            Some((slot, Spelled::new(text)?))
        });
        let spelled: Vec<(usize, Spelled<'_>)> = spelled.collect();
        // Without default versions no plain name stands for a versioned one.
        let plain = if defaults.0.is_empty() {
            vec![None; spelled.len()]
        } else {
            plain_names(extraction, spelled.iter().map(|(_, spelled)| spelled.base))
        };
        for ((slot, spelled), plain) in spelled.into_iter().zip(plain) {
            let own = object.globals[slot];
            let other = match plain.filter(|&plain| defaults.has(plain, &spelled)) {
                Some(plain) => Some(plain),
                None if !spelled.is_default => None,
                None => find(extraction, &[spelled.base, b"@", spelled.version]),
            };
            if let Some(other) = other.filter(|&other| other != own) {
                give_flags(extraction, own, other, OF_FILES);
                object.globals[slot] = other;
                handles.left.push((own, other));
            }
        }
    }
    for &own in &extraction.own_names.ids {
        let spelled = Spelled::new(extraction.pools.name(&extraction.names, own));
        if let Some(other) = spelled.and_then(|spelled| defaults.of(extraction, &spelled)) {
            give_flags(extraction, own, other, OF_FILES | ref_flags::ROOT);
            handles.left.push((own, other));
        }
    }
    handles
}

impl Handles {
    /// Applies the unions to definitions. A handle has no definition of its own any more, and gets
    /// that of its versioned name, as options and expressions may spell the plain name. Of several
    /// symbols at one place the versioned one is the definition: symbol tables show it.
    pub fn settle(&self, definitions: &mut Definitions, objects: &Objects) {
        for (at, object) in objects.with_ids() {
            for symbol in versioned_symbols(object).filter(|s| s.is_defined) {
                let name = object.global(symbol.index);
                let rank = definitions.ranks[name];
                let winner = rank.symbol();
                if rank.strength() <= Strength::Weak
                    && rank.object() == at
                    && !object.symbol_name(winner).contains(&b'@')
                    && place(object, winner) == place(object, symbol.index)
                {
                    definitions.ranks[name] = Rank::of_object(rank.strength(), at, symbol.index);
                }
            }
        }
        definitions.handles.clone_from(&self.of_versions);
        for &(name, other) in &self.left {
            definitions.forget(name);
            if definitions.ranks[other].strength() <= Strength::Weak {
                definitions.handles.push((name, other));
            }
        }
        for &(handle, name) in &definitions.handles {
            definitions.ranks[handle] = definitions.ranks[name];
            definitions.globals[handle] = definitions.globals[name];
            definitions.globals[handle].attributes |= attr::LOCAL;
        }
    }
}

/// Where a symbol is (section, `st_shndx` and `st_value`), and whether it is weak.
fn place(object: &ObjectFile, index: SymbolId) -> (Option<u32>, u16, u64, bool) {
    let symbol = &object.mapped.symbols[index];
    let is_weak = symbol.bind() == STB_WEAK;
    (object.symbol_section(index), symbol.st_shndx(), symbol.st_value(), is_weak)
}

/// The ids of plain names, for those that exist.
pub(super) fn plain_names<'s>(
    extraction: &Extraction,
    names: impl Iterator<Item = &'s [u8]>,
) -> Vec<Option<NameId>> {
    let key = extraction.names.key();
    let hashes: Vec<Hash128> = names.map(|name| key.hash(name)).collect();
    extraction.names.find_batch(&hashes)
}

fn find(extraction: &Extraction, parts: &[&[u8]]) -> Option<NameId> {
    extraction.names.find_text(&parts.concat())
}

/// Reference bits that come from files.
const OF_FILES: u32 = ref_flags::UNDEF_STRONG
    | ref_flags::UNDEF_WEAK
    | ref_flags::DEFINED_BY_ROOT
    | ref_flags::DEFINED
    | ref_flags::COMMON
    | ref_flags::HIDDEN
    | ref_flags::INTERNAL
    | ref_flags::PROTECTED
    | ref_flags::EXCLUDED;

/// Gives the name `to` those bits of `flags` that the name `from` has.
fn give_flags(extraction: &Extraction, from: NameId, to: NameId, flags: u32) {
    extraction.refs.get(to).add(extraction.refs.get(from).flags() & flags);
}

/// The definition of a default version.
struct DefaultVersion {
    version: &'static [u8],
    object: ObjectId,
}

/// Default definitions `foo@@V`, by the id of `foo`.
struct DefaultVersions(UnorderedMap<NameId, DefaultVersion>);

impl DefaultVersions {
    /// The id of `foo` if `spelled` is its default version.
    fn of(&self, extraction: &Extraction, spelled: &Spelled<'_>) -> Option<NameId> {
        // Without default versions no plain name stands for a versioned one.
        if self.0.is_empty() {
            return None;
        }
        find(extraction, &[spelled.base]).filter(|&plain| self.has(plain, spelled))
    }

    /// Whether `spelled` is the default version of the name `plain`.
    fn has(&self, plain: NameId, spelled: &Spelled<'_>) -> bool {
        self.0.get(&plain).is_some_and(|found| found.version == spelled.version)
    }

    /// Whether the name `versioned` is the default version of `plain`.
    fn means(&self, extraction: &Extraction, versioned: NameId, plain: NameId) -> bool {
        let spelled = Spelled::new(extraction.pools.name(&extraction.names, versioned));
        spelled.and_then(|spelled| self.of(extraction, &spelled)) == Some(plain)
    }
}

fn default_versions(objects: &Objects) -> DefaultVersions {
    let mut versions = UnorderedMap::new();
    for (at, object) in objects.with_ids() {
        // Most names have one default version.
        versions.reserve(object.versioned.iter().filter(|name| name.marks > 1).count());
        for symbol in versioned_symbols(object).filter(|s| s.is_default && s.is_defined) {
            let name = object.global(symbol.index);
            let default = DefaultVersion { version: symbol.version, object: at };
            versions.entry(name).or_insert(default);
        }
    }
    DefaultVersions(versions)
}

/// Finds plain names that are handles of versioned ones and gives them the versioned names' ids,
/// everywhere. Where the same object has a default version too, which is what other files mean by
/// the plain name, only the object's own symbol changes.
fn unite_handles(
    extraction: &Extraction,
    objects: &mut Objects,
    defaults: &DefaultVersions,
) -> Vec<(NameId, NameId)> {
    let mut everywhere: UnorderedMap<NameId, NameId> = UnorderedMap::new();
    let mut order = Vec::new();
    for (at, object) in objects.with_ids_mut() {
        for (slot, versioned) in handles_of(extraction, object) {
            let plain = object.globals[slot];
            match defaults.0.get(&plain) {
                // Another object defines the default version, so this plain definition is a
                // duplicate.
                Some(default) if default.object != at => {}
                // `foo` means `foo@@V`, so `foo@V` is united with `foo`, and not `foo` with
                // `foo@V`.
                Some(_) if defaults.means(extraction, versioned, plain) => {}
                Some(_) => object.globals[slot] = versioned,
                None if everywhere.contains_key(&plain) => {}
                None => {
                    everywhere.insert(plain, versioned);
                    order.push((plain, versioned));
                }
            }
        }
    }
    // References of libraries and options to the plain name are also references to the versioned
    // one.
    for &(plain, versioned) in &order {
        extraction.refs.get(versioned).add(extraction.refs.get(plain).flags());
    }
    if !order.is_empty() {
        objects.par_iter_mut().with_max_len(8).for_each(|object| {
            for name in &mut object.globals {
                if let Some(&versioned) = everywhere.get(name) {
                    *name = versioned;
                }
            }
        });
    }
    order
}

/// Plain definitions at the place of a definition `foo@V` of the same object: their index among the
/// globals, and the id of `foo@V`.
fn handles_of(extraction: &Extraction, object: &ObjectFile) -> Vec<(usize, NameId)> {
    let first = object.first_global;
    let all: Vec<VersionedSymbol> = versioned_symbols(object).collect();
    let hidden = || all.iter().filter(|s| s.is_defined && !s.is_default);
    let plain = plain_names(extraction, hidden().map(|symbol| symbol.base));
    let versions = hidden().zip(plain).filter_map(|(symbol, plain)| Some((plain?, symbol.index)));
    let mut versions: Vec<(NameId, SymbolId)> = versions.collect();
    if versions.is_empty() {
        return Vec::new();
    }
    shuffled(&mut versions).sort_unstable();
    let mut versioned = all.iter().map(|symbol| symbol.index).peekable();
    let mut handles = Vec::new();
    for (slot, &name) in object.globals.iter().enumerate() {
        let index = first + slot as u32;
        if versioned.next_if_eq(&index).is_some()
            || object.mapped.symbols[index].st_shndx() == SHN_UNDEF
        {
            continue;
        }
        let from = versions.partition_point(|one| one.0 < name);
        let candidates = versions[from..].iter().take_while(|one| one.0 == name);
        let is_same = |&other: &SymbolId| place(object, other) == place(object, index);
        if let Some(other) = candidates.map(|one| one.1).find(is_same) {
            handles.push((slot, object.global(other)));
        }
    }
    handles
}
