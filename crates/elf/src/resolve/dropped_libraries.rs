//! Libraries under `--as-needed` that the output does not need, and the weak references to them.
//!
//! A weak reference does not make a library needed, and the dynamic linker does not load a library
//! that is not needed. Such a reference binds to another library's definition, or to nothing.
//! Scanning must know which: a PLT entry or a copy relocation for a symbol that nobody defines at
//! run time would look like a definition. lld does the same; GNU ld undoes all that it had read of
//! the library.
//!
//! A library is also needed if a needed library refers to its symbols without naming it in
//! DT_NEEDED.
//!
//! With `--gc-sections` only references of live sections make a library needed, and liveness is
//! known after marking; if names change then, marking runs once more.

use super::definitions::{Definition, Definitions, Rank, Strength, attr, shared_bits};
use super::extract::Extraction;
use super::names::references::ref_flags;
use super::referent::ValueBase;
use crate::format::elf::SymbolId;
use crate::read::{Libraries, LibraryId, Objects};
use object::elf::STB_WEAK;
use skald_core::ids::{Column, IdSlice};
use skald_core::names::NameId;
use skald_core::par;
use skald_core::par::prelude::*;
use skald_core::unordered::{UnorderedMap, UnorderedSet};
use std::sync::atomic::{AtomicBool, Ordering};

/// The tables that dropping libraries reads.
#[derive(Clone, Copy)]
pub struct DroppedInput<'a> {
    /// Names, and what files say of them.
    pub extraction: &'a Extraction,
    /// The objects that are linked.
    pub objects: &'a Objects,
    /// The shared objects of the link.
    pub shared: &'a Libraries,
    /// Attributes of a weak reference that no library satisfies.
    pub undefined: u32,
}

/// Rebinds weak references to libraries that are not needed, to other libraries or to nothing.
/// `is_live` says whether a kept section refers to a name. Returns whether anything changed.
pub fn leave(
    definitions: &mut Definitions,
    input: &DroppedInput<'_>,
    is_live: impl Fn(NameId) -> bool + Sync,
) -> bool {
    if !input.has_suspects(definitions, &is_live) {
        return false;
    }
    let dropped = input.dropped(definitions, is_live);
    let names = par::select(definitions.ranks.len(), |name: NameId| {
        let rank = definitions.ranks[name];
        rank.strength() == Strength::Shared
            && dropped[rank.library()]
            && input.flags(name) & ref_flags::UNDEF_WEAK != 0
    });
    let providers = input.providers(&names, &dropped);
    for &name in &names {
        let provider = providers.get(&name).copied();
        let kept = definitions.globals[name].attributes & attr::LOCAL;
        let attributes = match provider {
            Some(rank) => {
                let file = &input.shared[rank.library()];
                shared_bits(&file.symbols[rank.symbol()])
            }
            None => input.undefined,
        };
        definitions.ranks[name] = provider.unwrap_or(Rank::NONE);
        definitions.globals[name] =
            Definition { value_base: ValueBase::NOWHERE, attributes: kept | attributes };
    }
    !names.is_empty()
}

/// The library that objects' references to `name` make needed.
pub fn library_needed_for(
    definitions: &Definitions,
    extraction: &Extraction,
    name: NameId,
) -> Option<LibraryId> {
    let rank = definitions.ranks[name];
    let is_needed =
        rank.strength() == Strength::Shared && is_wanted(extraction.refs.get(name).flags());
    is_needed.then(|| rank.library())
}

/// Whether objects refer to a name by a strong reference, or weakly while an option such as `-u`
/// asks for it.
fn is_wanted(flags: u32) -> bool {
    let optional = ref_flags::ROOT | ref_flags::UNDEF_WEAK;
    flags & ref_flags::UNDEF_STRONG != 0 || flags & optional == optional
}

/// The libraries that get DT_NEEDED: those that are used, those without `--as-needed`, and those
/// that needed libraries use without naming them. Of several with one soname it is the first.
pub fn needed_libraries(
    shared: &Libraries,
    definitions: &Definitions,
    extraction: &Extraction,
    is_used: impl Fn(LibraryId) -> bool,
) -> Vec<LibraryId> {
    let mut is_needed: Column<LibraryId, bool> =
        shared.with_ids().map(|(at, file)| !file.as_needed || is_used(at)).collect();
    add_used_by_libraries(shared, definitions, extraction, &mut is_needed);
    let mut sonames = UnorderedSet::new();
    let needed = shared.with_ids().filter(|&(at, _)| is_needed[at]);
    needed.filter(|(_, file)| sonames.insert(&file.soname[..])).map(|(at, _)| at).collect()
}

/// Adds libraries whose definitions a needed library refers to strongly, while no needed library
/// names them in DT_NEEDED: without them the program would not start. GNU ld adds those that come
/// behind the reference, and reports an error for others.
fn add_used_by_libraries(
    shared: &Libraries,
    definitions: &Definitions,
    extraction: &Extraction,
    is_needed: &mut IdSlice<LibraryId, bool>,
) {
    let is_definition = |at: LibraryId, name: NameId| {
        let rank = definitions.ranks[name];
        rank.strength() == Strength::Shared && rank.library() == at
    };
    // Few links have such a library, so only these look at the references of all libraries.
    let is_asked_for = |&at: &LibraryId| {
        shared[at].exports.iter().any(|&(_, name)| {
            extraction.refs.get(name).flags() & ref_flags::SHARED_REF_STRONG != 0
                && is_definition(at, name)
        })
    };
    loop {
        let given: UnorderedSet<&[u8]> = {
            let needed = shared.with_ids().filter(|&(at, _)| is_needed[at]);
            needed
                .flat_map(|(_, file)| file.needed.iter().copied().chain([&file.soname[..]]))
                .collect()
        };
        let is_missing =
            |&at: &LibraryId| !is_needed[at] && !given.contains(&shared[at].soname[..]);
        let missing: Vec<LibraryId> =
            shared.ids().filter(is_missing).filter(is_asked_for).collect();
        if missing.is_empty() {
            return;
        }
        let refers_to = |library: LibraryId| {
            let needed = shared.with_ids().filter(|&(at, _)| is_needed[at]);
            needed.into_iter().any(|(_, file)| {
                let is_strong = |symbol: SymbolId| file.symbols[symbol].bind() != STB_WEAK;
                file.imports
                    .iter()
                    .any(|&(symbol, name)| is_definition(library, name) && is_strong(symbol))
            })
        };
        let Some(&found) = missing.iter().find(|&&library| refers_to(library)) else { return };
        is_needed[found] = true;
    }
}

impl DroppedInput<'_> {
    fn flags(&self, name: NameId) -> u32 {
        self.extraction.refs.get(name).flags()
    }

    /// By library: whether the output gets no DT_NEEDED for it.
    fn dropped(
        &self,
        definitions: &Definitions,
        is_live: impl Fn(NameId) -> bool + Sync,
    ) -> Column<LibraryId, bool> {
        let used: Column<LibraryId, AtomicBool> =
            self.shared.iter().map(|_| AtomicBool::new(false)).collect();
        definitions.ranks.par_ids().with_min_len(1 << 14).for_each(|name| {
            let library = library_needed_for(definitions, self.extraction, name);
            if let Some(library) = library.filter(|_| is_live(name)) {
                used[library].store(true, Ordering::Relaxed);
            }
        });
        let is_used = |at: LibraryId| used[at].load(Ordering::Relaxed);
        // The same library may be given by two file names.
        let soname = |at: LibraryId| &self.shared[at].soname[..];
        let loaded: UnorderedSet<&[u8]> =
            needed_libraries(self.shared, definitions, self.extraction, is_used)
                .into_iter()
                .map(soname)
                .collect();
        self.shared.iter().map(|file| !loaded.contains(&file.soname[..])).collect()
    }

    /// Whether any library with references may turn out not to be needed, judged by the bindings of
    /// plain names. In most links there is none, which saves a look at every name.
    fn has_suspects(
        &self,
        definitions: &Definitions,
        is_live: &(impl Fn(NameId) -> bool + Sync),
    ) -> bool {
        let has_versioned = self.objects.iter().any(|object| object.has_versioned_names);
        let is_suspect = |at: LibraryId| {
            let file = &self.shared[at];
            if !file.as_needed {
                return false;
            }
            let mut is_weakly_used = has_versioned;
            for &(_, name) in &file.exports {
                let flags = self.flags(name);
                if flags & (ref_flags::UNDEF_STRONG | ref_flags::UNDEF_WEAK) == 0 {
                    continue;
                }
                let rank = definitions.ranks[name];
                if rank.strength() == Strength::Shared && rank.library() == at {
                    if is_wanted(flags) && is_live(name) {
                        return false;
                    }
                    is_weakly_used |= flags & ref_flags::UNDEF_WEAK != 0;
                }
            }
            is_weakly_used
        };
        self.shared.par_ids().any(is_suspect)
    }

    /// The first definitions of `names` by libraries that are not dropped.
    fn providers(
        &self,
        names: &[NameId],
        dropped: &IdSlice<LibraryId, bool>,
    ) -> UnorderedMap<NameId, Rank> {
        let mut providers = UnorderedMap::new();
        let wanted: UnorderedSet<NameId> = names.iter().copied().collect();
        for (at, file) in self.shared.with_ids().filter(|&(at, _)| !dropped[at]) {
            for &(symbol, name) in &file.exports {
                if wanted.contains(&name) && !providers.contains_key(&name) {
                    providers.insert(name, Rank::of_library(at, symbol));
                }
            }
        }
        providers
    }
}
