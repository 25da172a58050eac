//! Binds symbols to versions of shared libraries to which plain names do not bind.
//!
//! The name table has the libraries' definitions of plain names. Versions of libraries matter only
//! to few names, which are collected first:
//!
//! references `foo@V` of objects that no object satisfies; definitions `foo@V` of objects, to which
//! a library may refer; and names that libraries seem to refer to while they mean another library's
//! `foo@V`.
//!
//! Then one pass over each library looks these up.

use crate::format::elf::SymbolId;
use crate::read::candidates::Candidates;
use crate::read::shared_file::VERSYM_HIDDEN;
use crate::read::{Libraries, LibraryId, ObjectFile, Objects};
use crate::resolve::definitions::{Definition, Definitions, Rank, Strength, shared_bits};
use crate::resolve::extract::Extraction;
use crate::resolve::names::references::ref_flags;
use crate::resolve::names::versioned_spelling::{Spelled, VersionedSymbol, versioned_symbols};
use crate::resolve::referent::{PackedReferent, ValueBase};
use skald_core::names::NameId;
use skald_core::unordered::{UnorderedMap, UnorderedSet};

/// Plain name `foo` and version `V` of `foo@V`.
type Versioned = (&'static [u8], &'static [u8]);

/// The first library that defines a version of a name, and whether libraries refer to it.
#[derive(Debug, Default)]
struct VersionProvider {
    definition: Option<(LibraryId, SymbolId)>,
    /// Its version is hidden (bit 15 in `.gnu.version`): plain names do not bind to it.
    is_hidden: bool,
    is_imported: bool,
}

/// Binds references to libraries' versions, and notes which definitions libraries refer to.
pub fn bind(
    definitions: &mut Definitions,
    extraction: &Extraction,
    objects: &mut Objects,
    candidates: &Candidates,
) {
    let shared = &candidates.shared;
    let elsewhere = imports_of_versions(definitions, extraction, shared);
    let mut found: UnorderedMap<Versioned, VersionProvider> = UnorderedMap::new();
    // Definitions of objects matter only if there are libraries that may refer to them.
    let counts = |symbol: &VersionedSymbol| !symbol.is_defined || !shared.is_empty();
    for object in objects.iter() {
        for symbol in versioned_symbols(object).filter(counts) {
            found.entry(meant(extraction, object, &symbol)).or_default();
        }
    }
    let own = own_undefined(definitions, extraction);
    for &(_, wanted) in &own {
        found.entry(wanted).or_default();
    }
    for (_, wanted) in &elsewhere {
        found.entry(*wanted).or_default();
    }
    if found.is_empty() {
        return;
    }
    look_up(&mut found, shared);
    let is_mine = |wanted| found[wanted].definition.is_none() || !found[wanted].is_hidden;
    let mut mine: UnorderedSet<NameId> =
        elsewhere.iter().filter(|(_, wanted)| is_mine(wanted)).map(|&(name, _)| name).collect();
    for (at, object) in objects.with_ids_mut() {
        let symbols: Vec<VersionedSymbol> = versioned_symbols(object).filter(counts).collect();
        for symbol in symbols {
            let wanted = meant(extraction, object, &symbol);
            let library = &found[&wanted];
            let slot = (symbol.index - object.first_global) as usize;
            let name = object.globals[slot];
            if symbol.is_defined {
                // Libraries that refer to the version refer to `foo@@V` of an object.
                if library.is_imported {
                    mine.insert(name);
                }
                if library.is_imported || library.is_hidden {
                    extraction.refs.get(name).add(ref_flags::SHARED_REF);
                }
            } else if definitions.ranks[name].strength() == Strength::Undefined {
                let binding = Binding { extraction, shared, name, wanted, library };
                if let Some(other) = binding.bind(definitions) {
                    object.globals[slot] = other;
                    *definitions.target_mut(at, symbol.index) = PackedReferent::global(other);
                }
            }
        }
    }
    for (name, wanted) in own {
        if let Some((file, index)) = found[&wanted].definition {
            take_from_library(definitions, shared, name, Rank::of_library(file, index));
        }
    }
    // Libraries do not refer to a name if all that seem to do so mean another library's version.
    for (name, _) in elsewhere.iter().filter(|(name, _)| !mine.contains(name)) {
        extraction.refs.get(*name).add(ref_flags::IMPORTED_ELSEWHERE);
    }
}

/// Name and version that a symbol refers to; `--wrap` may have replaced its name.
fn meant(extraction: &Extraction, object: &ObjectFile, symbol: &VersionedSymbol) -> Versioned {
    let name = object.global(symbol.index);
    let text = extraction.pools.name(&extraction.names, name);
    match Spelled::new(text).filter(|_| !symbol.is_defined) {
        Some(spelled) => (spelled.base, spelled.version),
        None => (symbol.base, symbol.version),
    }
}

/// Names with versions that options and scripts ask for and no object defines.
fn own_undefined(definitions: &Definitions, extraction: &Extraction) -> Vec<(NameId, Versioned)> {
    let is_undefined = |&name: &NameId| {
        extraction.refs.get(name).flags() & ref_flags::ROOT != 0
            && definitions.ranks[name].strength() == Strength::Undefined
    };
    let names = extraction.own_names.ids.iter().copied().filter(is_undefined);
    names
        .filter_map(|name| {
            let spelled = Spelled::new(extraction.pools.name(&extraction.names, name))?;
            Some((name, (spelled.base, spelled.version)))
        })
        .collect()
}

fn take_from_library(definitions: &mut Definitions, shared: &Libraries, name: NameId, rank: Rank) {
    let entry = &shared[rank.library()].symbols[rank.symbol()];
    definitions.ranks[name] = rank;
    definitions.globals[name] =
        Definition { value_base: ValueBase::NOWHERE, attributes: shared_bits(entry) };
}

/// Imports of libraries that name a version, where an object defines the plain name and no library
/// does. Names that a library also imports without a version are left out.
fn imports_of_versions(
    definitions: &Definitions,
    extraction: &Extraction,
    shared: &Libraries,
) -> Vec<(NameId, Versioned)> {
    let mut imports = Vec::new();
    let mut without_version = UnorderedSet::new();
    for library in shared {
        for &(symbol, name) in &library.imports {
            if definitions.ranks[name].strength() > Strength::Weak
                || extraction.refs.get(name).flags() & ref_flags::SHARED_DEF != 0
            {
                continue;
            }
            match library.needed_version(symbol) {
                Some(version) => imports.push((name, (library.symbol_name(symbol), version))),
                None => {
                    without_version.insert(name);
                }
            }
        }
    }
    imports.retain(|(name, _)| !without_version.contains(name));
    imports
}

/// Looks the versions up in all libraries.
fn look_up(found: &mut UnorderedMap<Versioned, VersionProvider>, shared: &Libraries) {
    for (at, library) in shared.with_ids() {
        for symbol in library.symbols.ids().skip(1) {
            let is_export = library.is_export(symbol);
            let version = if is_export {
                library.version_name(symbol)
            } else {
                library.needed_version(symbol)
            };
            let name = library.symbol_name(symbol);
            let Some(entry) = found.get_mut(&(name, version.unwrap_or_default())) else { continue };
            if !is_export {
                entry.is_imported |= version.is_some();
            } else if entry.definition.is_none() {
                entry.definition = Some((at, symbol));
                entry.is_hidden = library.version(symbol) & VERSYM_HIDDEN != 0;
            }
        }
    }
}

/// A reference to `foo@V`, whose name id is `name`, that no object satisfies.
struct Binding<'a> {
    extraction: &'a Extraction,
    shared: &'a Libraries,
    name: NameId,
    wanted: Versioned,
    library: &'a VersionProvider,
}

impl Binding<'_> {
    /// Binds the reference to the library that defines the version; returns the name that has that
    /// definition.
    fn bind(&self, definitions: &mut Definitions) -> Option<NameId> {
        let (base, version) = self.wanted;
        let flags = self.extraction.refs.get(self.name).flags();
        let plain = self.extraction.names.find_text(base);
        let is_inner = flags & ref_flags::OWN != 0;
        let Some((file, index)) = self.library.definition.filter(|_| !is_inner) else {
            // `foo@` names the base version: a symbol without a version.
            if !version.is_empty() {
                self.extraction.refs.get(self.name).add(ref_flags::VERSION_NOWHERE);
            }
            return None;
        };
        let rank = Rank::of_library(file, index);
        if let Some(plain) = plain
            && definitions.ranks[plain] == rank
        {
            let strength = flags & (ref_flags::UNDEF_STRONG | ref_flags::UNDEF_WEAK);
            self.extraction.refs.get(plain).add(strength);
            definitions.forget(self.name);
            return Some(plain);
        }
        take_from_library(definitions, self.shared, self.name, rank);
        None
    }
}
