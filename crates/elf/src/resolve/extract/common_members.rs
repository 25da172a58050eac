//! Archive members that replace common symbols.
//!
//! A common symbol is a definition, but gives way to a variable with a value; GNU ld searches
//! archives behind the common symbol for such a variable (`--no-fortran-common` turns that off).
//! Functions and weak definitions do not count, nor does a member behind a shared library that
//! defines the variable. The archive's index does not show the kind of a definition, so the few
//! members in question are read.

use super::parsing::{NumberedObject, Parsing};
use crate::format::elf::{Sym, SymbolId};
use crate::read::candidates::Candidates;
use crate::read::{FileId, LibraryId, ObjectFile};
use crate::resolve::names::references::ReferenceColumn;
use object::elf::*;
use skald_core::ids::IdRange;
use skald_core::names::{NameId, NameTable};
use skald_core::perturb::shuffled;
use skald_core::unordered::{UnorderedMap, UnorderedSet};
use skald_linking::candidates::Candidate;
use std::collections::BTreeMap;

/// Whether a definition is stronger than a common symbol of the same name.
fn is_strong_definition(object: &ObjectFile, symbol: &Sym) -> bool {
    symbol.st_shndx() != SHN_UNDEF && !object.is_common(symbol) && symbol.bind() != STB_WEAK
}

fn is_function(symbol: &Sym) -> bool {
    matches!(symbol.kind(), STT_FUNC | STT_GNU_IFUNC)
}

/// The tables that replacements are looked for in.
pub struct Tables<'a> {
    /// All files, taken or not.
    pub candidates: &'a Candidates,
    /// The name table.
    pub names: &'a NameTable,
    /// What files say of each name, and which lazy file offers it.
    pub refs: &'a ReferenceColumn,
    /// How objects are read.
    pub parsing: &'a Parsing<'a>,
}

/// A name for which the taken objects have only common symbols.
struct Common {
    /// The first file that has a common symbol of the name.
    file: FileId,
    /// Lazy files that would define the name, in order.
    offers: Vec<FileId>,
}

/// What is known so far of common symbols and of definitions stronger than them.
#[derive(Default)]
pub struct Commons {
    /// How many rounds of objects have had their common symbols collected.
    seen_rounds: usize,
    /// The first file that has a common symbol of a name that lazy files offer.
    files: UnorderedMap<NameId, FileId>,
    /// How many rounds of objects have had their definitions added to `strong`, which few links
    /// need.
    strong_rounds: usize,
    strong: UnorderedSet<NameId>,
}

impl Commons {
    /// Lazy files that define a name for which the objects in `taken` have only common symbols.
    /// Each round's common symbols are looked up once, since the offers of lazy files do not
    /// change.
    pub fn replacements(
        &mut self,
        taken: &[Vec<NumberedObject>],
        is_lazy: impl Fn(FileId) -> bool,
        tables: &Tables<'_>,
    ) -> Vec<FileId> {
        let mut wanted = self.wanted_names(taken, tables);
        if wanted.is_empty() {
            return Vec::new();
        }
        gather_offers(&mut wanted, tables);
        for common in wanted.values_mut() {
            let file = common.file;
            common.offers.retain(|&offer| is_lazy(offer) && tables.is_behind(offer, file));
            shuffled(&mut common.offers).sort_unstable();
            common.offers.dedup();
        }
        let replacing = tables.replacing(&wanted);
        let first = |(&name, common): (&NameId, &Common)| {
            let mut offers = common.offers.iter().map(|&file| (name, file));
            offers.find(|offer| replacing.contains(offer))
        };
        let found: Vec<(NameId, FileId)> = wanted.iter().filter_map(first).collect();
        let initialised = tables.initialised_before(&found);
        let wins = found.into_iter().filter(|offer| !initialised.contains(offer));
        let mut files: Vec<FileId> = wins.map(|(_, file)| file).collect();
        shuffled(&mut files).sort_unstable();
        files.dedup();
        files
    }

    /// Names of common symbols of new objects that lazy files offer and no taken object defines
    /// otherwise.
    fn wanted_names(
        &mut self,
        taken: &[Vec<NumberedObject>],
        tables: &Tables<'_>,
    ) -> BTreeMap<NameId, Common> {
        let new = taken[self.seen_rounds..].iter().flatten();
        self.seen_rounds = taken.len();
        let mut wanted: BTreeMap<NameId, Common> = BTreeMap::new();
        for (file, object) in new.filter(|(_, object)| object.common_count != 0) {
            for (index, name) in globals(object) {
                if object.is_common(&object.mapped.symbols[index])
                    && let Some(lazy) = tables.refs.get(name).lazy()
                {
                    let first = self.files.entry(name).or_insert(*file);
                    *first = (*first).min(*file);
                    let new = || Common { file: *file, offers: vec![lazy] };
                    wanted.entry(name).or_insert_with(new).file = *first;
                }
            }
        }
        if !wanted.is_empty() {
            self.add_strong(taken);
            wanted.retain(|name, _| !self.strong.contains(name));
        }
        wanted
    }

    fn add_strong(&mut self, taken: &[Vec<NumberedObject>]) {
        for (_, object) in taken[self.strong_rounds..].iter().flatten() {
            let strong = globals(object)
                .filter(|&(index, _)| is_strong_definition(object, &object.mapped.symbols[index]));
            self.strong.extend(strong.map(|(_, name)| name));
        }
        self.strong_rounds = taken.len();
    }
}

/// Global symbols of an object with the ids of their names.
fn globals(object: &ObjectFile) -> impl Iterator<Item = (SymbolId, NameId)> {
    object.global_ids().ids().zip(object.globals.iter().copied())
}

/// Finds all lazy files that offer the `wanted` names, not only the first of each.
fn gather_offers(wanted: &mut BTreeMap<NameId, Common>, tables: &Tables<'_>) {
    for archive in &tables.candidates.archives {
        for entry in &archive.index {
            if let Some(name) = tables.names.find(entry.hash)
                && let Some(common) = wanted.get_mut(&name)
            {
                common.offers.push(archive.first_file + entry.member);
            }
        }
    }
}

impl Tables<'_> {
    /// Whether a linker that goes from left to right knows the common symbol when it sees `file`.
    fn is_behind(&self, file: FileId, common: FileId) -> bool {
        let archive = |file: FileId| match &self.candidates.files[file] {
            Candidate::Member { archive, .. } => Some(*archive),
            _ => None,
        };
        file > common || archive(file).is_some_and(|own| archive(common) == Some(own))
    }

    /// Names, each with a file that offers it and defines a variable of the name.
    fn replacing(&self, wanted: &BTreeMap<NameId, Common>) -> UnorderedSet<(NameId, FileId)> {
        let mut files: Vec<FileId> =
            wanted.values().flat_map(|common| &common.offers).copied().collect();
        shuffled(&mut files).sort_unstable();
        files.dedup();
        let mut replacing = UnorderedSet::new();
        for file in files {
            // An unreadable member is reported when it is taken.
            let Some(member) = self.parsing.look_at(self.candidates, file) else { continue };
            for index in member.global_ids().ids() {
                let symbol = &member.mapped.symbols[index];
                if is_strong_definition(&member, symbol)
                    && !is_function(symbol)
                    && let Some(name) = self.names.find_text(member.symbol_name(index))
                    && wanted.contains_key(&name)
                {
                    replacing.insert((name, file));
                }
            }
        }
        replacing
    }

    /// Those of the names `found`, each with a file, that a shared library before the file defines
    /// as initialised variables.
    fn initialised_before(&self, found: &[(NameId, FileId)]) -> UnorderedSet<(NameId, FileId)> {
        let mut of_library: BTreeMap<LibraryId, UnorderedMap<NameId, FileId>> = BTreeMap::new();
        for &(name, file) in found {
            let library = self.refs.get(name).shared().filter(|&library| library < file);
            if let Some(library) = library
                && let Candidate::Shared(at) = &self.candidates.files[library]
            {
                of_library.entry(*at).or_default().insert(name, file);
            }
        }
        let mut initialised = UnorderedSet::new();
        for (at, files) in of_library {
            let shared = &self.candidates.shared[at];
            for &(symbol, name) in &shared.exports {
                if let Some(&file) = files.get(&name)
                    && shared.initialises(symbol, shared.symbols[symbol].kind() == STT_TLS)
                {
                    initialised.insert((name, file));
                }
            }
        }
        initialised
    }
}
