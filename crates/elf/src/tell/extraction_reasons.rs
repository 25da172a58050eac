//! Why optional files are linked: the name for which an archive member or an `--as-needed` library
//! was taken, and the file that refers to it. The first reference is reported, in the order of the
//! command line and then of extraction, independently of the order in which threads found it.

use crate::args::Options;
use crate::read::claimed_files::{Reason, Reasons, Requester};
use crate::read::{FileId, LibraryId, ObjectId};
use crate::resolve::definitions::{Definitions, Strength};
use crate::resolve::tables::Sources;
use object::elf::{SHN_UNDEF, STB_WEAK};
use skald_core::ids::Column;
use skald_core::names::NameId;
use skald_core::par::prelude::*;
use skald_core::unordered::UnorderedSet;
use skald_linking::candidates::{Candidate, ExtractionRule};
use std::collections::VecDeque;

impl Reasons {
    /// Examines the undefined names of all objects. Data recorded about claimed files comes first,
    /// because they were taken before the compiled files.
    pub fn find(sources: &Sources<'_>, definitions: &Definitions) -> Reasons {
        let mut reasons = sources.candidates.compiled.notes.reasons.clone();
        let requests = Requests::find(sources, definitions);
        let known: UnorderedSet<FileId> = reasons.members.iter().map(|&(file, _)| file).collect();
        let members = requests.members(sources, definitions);
        reasons.members.extend(members.into_iter().filter(|(file, _)| !known.contains(file)));
        let known: UnorderedSet<LibraryId> = reasons.libraries.iter().map(|&(at, _)| at).collect();
        let libraries = requests.libraries(sources);
        reasons.libraries.extend(libraries.into_iter().filter(|(at, _)| !known.contains(at)));
        reasons.libraries.sort_by_key(|&(library, _)| library);
        reasons
    }
}

/// An object that was taken for a name.
#[derive(Debug, Clone, Copy)]
struct TakenObject {
    object: ObjectId,
    reason: Reason,
}

/// Names to which an object refers and that others define: the defining object, and the first name
/// for which it is taken, in the order of the symbol table.
#[derive(Debug, Default)]
struct RequestedNames {
    objects: Vec<(ObjectId, NameId)>,
    libraries: Vec<(LibraryId, NameId)>,
}

/// Which names every object takes from which other object.
struct Requests {
    requested: Column<ObjectId, RequestedNames>,
    /// Whether each object is linked only if one of its names is referred to.
    lazy: Column<ObjectId, bool>,
}

impl Requests {
    /// Examines the undefined names of all objects.
    fn find(sources: &Sources<'_>, definitions: &Definitions) -> Requests {
        let Sources { candidates, objects, .. } = *sources;
        let is_lazy = |file: FileId| match candidates.files[file] {
            Candidate::Object { lazy, .. } => lazy,
            Candidate::Member { rule, .. } => rule != ExtractionRule::Whole,
            _ => false,
        };
        let lazy: Column<ObjectId, bool> =
            objects.iter().map(|o| o.file.is_some_and(is_lazy)).collect();
        let shared = &candidates.shared;
        let requested = objects.par_ids().with_max_len(16).map_init(
            || {
                (
                    Column::<ObjectId, _>::filled(None, objects.len()),
                    Column::<LibraryId, _>::filled(None, shared.len()),
                )
            },
            |(asked_objects, asked_libraries), at| {
                let object = &objects[at];
                let mut requested = RequestedNames::default();
                let first = object.first_global;
                for (index, &name) in first.onward().zip(&object.globals) {
                    let symbol = &object.mapped.symbols[index];
                    if symbol.st_shndx() != SHN_UNDEF || symbol.bind() == STB_WEAK {
                        continue;
                    }
                    let rank = definitions.ranks[name];
                    match rank.strength() {
                        Strength::Undefined => {}
                        Strength::Shared => {
                            let library = rank.library();
                            let is_new = asked_libraries[library].replace(at) != Some(at);
                            if is_new && shared[library].as_needed {
                                requested.libraries.push((library, name));
                            }
                        }
                        _ => {
                            let object = rank.object();
                            let is_new = asked_objects[object].replace(at) != Some(at);
                            if is_new && lazy[object] {
                                requested.objects.push((object, name));
                            }
                        }
                    }
                }
                requested
            },
        );
        Requests { requested: requested.collect(), lazy }
    }

    /// The objects that were taken for names, in the order in which they are reached from those
    /// that are linked in any case.
    fn members(&self, sources: &Sources<'_>, definitions: &Definitions) -> Vec<(FileId, Reason)> {
        let Sources { candidates, extraction, objects, options, .. } = *sources;
        let mut taken: Vec<TakenObject> = Vec::new();
        let mut is_told = Column::filled(false, objects.len());
        let mut tell =
            |taken: &mut Vec<TakenObject>, asker: Requester, object: ObjectId, name: NameId| {
                if !std::mem::replace(&mut is_told[object], true) {
                    taken.push(TakenObject { object, reason: Reason { asker, name } });
                }
            };
        let lazy_definer = |name: NameId| {
            let rank = definitions.ranks[name];
            let is_object = rank.strength() < Strength::Shared;
            (is_object && self.lazy[rank.object()]).then_some(rank.object())
        };
        for (option, names) in asked_by_options(options) {
            for name in names {
                if let Some(name) = extraction.own_name(name.as_bytes())
                    && let Some(object) = lazy_definer(name)
                {
                    tell(&mut taken, Requester::Option(option), object, name);
                }
            }
        }
        for shared in &candidates.shared {
            let Some(file) = shared.file else { continue };
            for &(_, name) in &shared.imports {
                if let Some(object) = lazy_definer(name) {
                    tell(&mut taken, Requester::File(file), object, name);
                }
            }
        }
        let mut queue: VecDeque<ObjectId> = objects.ids().filter(|&at| !self.lazy[at]).collect();
        queue.extend(taken.iter().map(|taken| taken.object));
        while let Some(at) = queue.pop_front() {
            let Some(file) = objects[at].file else { continue };
            let known = taken.len();
            for &(object, name) in &self.requested[at].objects {
                tell(&mut taken, Requester::File(file), object, name);
            }
            queue.extend(taken[known..].iter().map(|taken| taken.object));
        }
        let of_file = |taken: TakenObject| Some((objects[taken.object].file?, taken.reason));
        taken.into_iter().filter_map(of_file).collect()
    }

    /// The libraries of `--as-needed` that objects refer to, in command-line order.
    fn libraries(&self, sources: &Sources<'_>) -> Vec<(LibraryId, Reason)> {
        let mut first = Column::filled(None, sources.candidates.shared.len());
        for (object, requested) in sources.objects.iter().zip(&self.requested) {
            let Some(file) = object.file else { continue };
            for &(library, name) in &requested.libraries {
                first[library]
                    .get_or_insert((library, Reason { asker: Requester::File(file), name }));
            }
        }
        first.into_iter().flatten().collect()
    }
}

/// Names that options refer to, with lld's text for the option.
fn asked_by_options(options: &Options) -> [(&'static str, Vec<&str>); 2] {
    let undefined = options.undefined.iter().map(String::as_str).collect();
    [("--entry", options.entry.as_deref().into_iter().collect()), ("--undefined", undefined)]
}
