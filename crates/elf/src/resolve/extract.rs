//! Taking files: the command line's objects, then archive members by a worklist in rounds.
//!
//! A member is taken when an object that is taken refers to one of its names by a non-weak
//! undefined symbol, and no object that is taken by then defines the name. Nor may a shared object
//! before both the member and the reference define it. A round depends only on the completed rounds
//! before it, not on the order of files within a round, so the set is the same for any number of
//! threads. Each round reads its files in parallel, makes room in the name table, then interns in
//! parallel; members that nobody needs are never touched.

pub mod arrivals;
pub mod common_members;
mod compiled;
pub mod contested;
pub mod default_members;
pub mod late_definitions;
pub mod libraries_in_archives;
pub mod parsing;

use super::names::library_names::Offers;
use super::names::own_names::{AskedNames, OwnNames};
use super::names::references::{ReferenceColumn, ref_flags};
use super::names::symbol_names::{Interning, Role};
use crate::args::Options;
use crate::read::candidates::Candidates;
use crate::read::claimed_files::Compiled;
use crate::read::{ArchiveId, FileId, Libraries, ObjectFile, ObjectId};
use arrivals::{Arrivals, global_count, have_versions};
use common_members::Commons;
use contested::Contested;
use default_members::DefaultMembers;
use late_definitions::{Asked, LateDefinitions};
use libraries_in_archives::LibrariesInArchives;
use parsing::{NumberedObject, NumberedObjects, Parsing};
use skald_core::ids::{Column, IdSlice};
use skald_core::input::ReleasedParts;
use skald_core::names::{NameId, NameTable};
use skald_core::par::prelude::*;
use skald_core::perturb::shuffled;
use skald_core::unordered::UnorderedMap;
use skald_linking::candidates::{Candidate, ExtractionRule};
use skald_linking::name_pools::NamePools;
use skald_linking::pattern_set::{Order, PatternSet};
use skald_linking::read_ahead;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

/// The name table, with what files say of each name.
pub struct Extraction {
    /// The name table: from text to id.
    pub names: NameTable,
    /// By name, what files say of it: bits and the lazy file that offers it.
    pub refs: ReferenceColumn,
    /// The mapped files that the texts of names are in.
    pub pools: NamePools,
    /// Ids of the names that options and the linker itself look for, by text.
    pub own_names: OwnNames,
}

impl Extraction {
    /// The id of a name that an option or the linker itself interned.
    pub fn own_name(&self, text: &[u8]) -> Option<NameId> {
        let id = self.names.find_text(text);
        id.filter(|&id| self.own_names.has(id))
    }
}

/// The names, and the objects that are linked, in order.
pub type Taken = (Extraction, Column<ObjectId, ObjectFile>);

/// Extraction that can be resumed. When taken files ask for libraries, these come behind all known
/// files, and what is known of names stays.
pub struct Extractor<'a> {
    options: &'a Options,
    wanted: AskedNames<'a>,
    parsing: Parsing<'a>,
    left_out: &'a mut LibrariesInArchives,
    worklist: Worklist,
}

impl<'a> Extractor<'a> {
    /// Takes the needed files of the command line. Members that are shared objects are added to
    /// `left_out`.
    pub fn start(
        candidates: &mut Candidates,
        options: &'a Options,
        wanted: AskedNames<'a>,
        parsing: Parsing<'a>,
        left_out: &'a mut LibrariesInArchives,
    ) -> Extractor<'a> {
        let worklist = Worklist::begin(candidates, &wanted, &parsing);
        let mut extractor = Extractor { options, wanted, parsing, left_out, worklist };
        extractor.run(candidates);
        extractor
    }

    /// Resumes with the files that were added to `candidates` since.
    pub fn go_on(&mut self, candidates: &mut Candidates) {
        self.worklist.add(candidates, &self.parsing);
        self.run(candidates);
    }

    /// Takes files until no more are wanted, or until a taken member proves to be a shared object.
    fn run(&mut self, candidates: &mut Candidates) {
        loop {
            self.worklist.run(candidates, self.options, &self.parsing);
            let Parsing { rules, diag, .. } = self.parsing;
            let mut unfit = self.parsing.take_unfit();
            if unfit.is_empty() || diag.has_failed() {
                return;
            }
            // Other files may have to define the names that such members seem to define.
            self.left_out.leave_out(rules.machine, &mut unfit, candidates, diag);
            self.worklist = Worklist::begin(candidates, &self.wanted, &self.parsing);
        }
    }

    /// The objects that are taken so far.
    pub fn taken(&self) -> impl Iterator<Item = &NumberedObject> {
        self.worklist.taken.iter().flatten()
    }

    /// The names so far.
    pub fn extraction(&mut self) -> &mut Extraction {
        &mut self.worklist.extraction
    }

    /// Copies of the objects that are taken so far, in order, to settle definitions on trial.
    pub fn copied(&self) -> Column<ObjectId, ObjectFile> {
        let mut all: Vec<&NumberedObject> = self.taken().collect();
        shuffled(&mut all).sort_unstable_by_key(|(file, _)| *file);
        all.into_par_iter().map(|(_, object)| (**object).clone()).collect()
    }

    /// Ends extraction: returns names, and the objects in order.
    pub fn finish(self, candidates: &mut Candidates) -> Taken {
        let Worklist { extraction, taken, .. } = self.worklist;
        self.left_out.warn(candidates, &extraction, self.parsing.diag);
        if !self.options.reports.warn_backrefs {
            forget_indexes(candidates);
        }
        (extraction, in_order(taken, &candidates.compiled))
    }
}

/// The files that are taken, by the rounds in which they were.
struct Worklist {
    extraction: Extraction,
    offers: Offers,
    /// By file, whether it is taken or about to be.
    requested: Column<FileId, AtomicBool>,
    /// The objects of each round.
    taken: Vec<NumberedObjects>,
    /// Archives with lower ids have their names interned.
    archives: ArchiveId,
    places: Places,
    /// Whether a symbol name of any object has a version.
    has_versions: bool,
}

impl Worklist {
    /// Takes the files that are linked in any case; interns every name of the first files.
    fn begin(
        candidates: &mut Candidates,
        wanted: &AskedNames<'_>,
        parsing: &Parsing<'_>,
    ) -> Worklist {
        let (mut requested, mut offers) = (Column::new(), Offers::default());
        let arrivals = arrivals(candidates, &mut requested, ArchiveId::default(), parsing);
        let has_versions = have_versions(&arrivals.objects);
        let archives = arrivals.archives.end;
        let (extraction, objects) = Extraction::begin(candidates, wanted, arrivals, &mut offers);
        let (taken, places) = (vec![objects], Places::default());
        Worklist { extraction, offers, requested, taken, archives, places, has_versions }
    }

    /// Takes those of the new files that are linked in any case, and interns their names.
    fn add(&mut self, candidates: &mut Candidates, parsing: &Parsing<'_>) {
        let arrivals = arrivals(candidates, &mut self.requested, self.archives, parsing);
        self.archives = arrivals.archives.end;
        self.has_versions |= have_versions(&arrivals.objects);
        let objects =
            self.extraction.add(candidates, arrivals, &mut self.offers, self.has_versions);
        self.taken.push(objects);
    }

    /// Takes wanted files, round by round, until none is wanted.
    fn run(&mut self, candidates: &mut Candidates, options: &Options, parsing: &Parsing<'_>) {
        let Worklist { extraction, requested, taken, places, .. } = self;
        // There may be as many rounds as members, and finding out takes a look at each archive: so
        // it is done once.
        let reads_ahead = read_ahead::has_members(&candidates.archives);
        ask_for_globs(extraction, &options.undefined_glob);
        let first = taken.len();
        let (mut default_members, mut commons) = (DefaultMembers::default(), Commons::default());
        let mut late = LateDefinitions::default();
        let mut asked = Vec::new();
        let mut round =
            wanted_now(extraction, requested, taken, places, &candidates.shared, &mut asked);
        loop {
            let Extraction { names, refs, pools, own_names } = &*extraction;
            let tables = common_members::Tables { candidates, names, refs, parsing };
            for (file, place) in late.overtaken(&asked, taken, places, &tables) {
                places.lower(file, place);
                if !requested[file].swap(true, Ordering::Relaxed) {
                    round.push(file);
                }
            }
            if round.is_empty() {
                let is_lazy = |file: FileId| !requested[file].load(Ordering::Relaxed);
                let own = || own_names.ids.iter().map(|&name| (name, pools.name(names, name)));
                round = default_members.wanted(taken, own, is_lazy, &tables);
                if round.is_empty() && !options.no_fortran_common {
                    round = commons.replacements(taken, is_lazy, &tables);
                }
                round.retain(|&file| !requested[file].swap(true, Ordering::Relaxed));
            }
            if round.is_empty() {
                break;
            }
            shuffled(&mut round).sort_unstable();
            if reads_ahead {
                read_ahead::members(&candidates.files, &candidates.archives, &round);
            }
            let mut objects = parsing.all(candidates, &round, true);
            let Extraction { names, refs, .. } = &mut *extraction;
            names.reserve(global_count(&objects));
            refs.grow(names.id_limit(), names.capacity());
            (round, asked) = intern_round(&extraction.interning(), &mut objects, requested, places);
            taken.push(objects);
        }
        let extracted = &taken[first..];
        if !extracted.is_empty() {
            let has_versions = extracted.iter().any(|objects| have_versions(objects));
            self.has_versions |= has_versions;
            extraction.take_offers(&mut candidates.shared, &mut self.offers, has_versions);
        }
    }
}

/// Reads the files behind those that `requested` covers, and notes which are taken.
fn arrivals(
    candidates: &Candidates,
    requested: &mut Column<FileId, AtomicBool>,
    first_archive: ArchiveId,
    parsing: &Parsing<'_>,
) -> Arrivals {
    let (roots, lazies) = roots_and_lazies(candidates, requested.end());
    requested.as_vec().resize_with(candidates.files.len(), AtomicBool::default);
    for &file in &roots {
        *requested[file].get_mut() = true;
    }
    let reads_ahead = read_ahead::has_members(&candidates.archives);
    let read = |files: &[FileId]| {
        if reads_ahead {
            read_ahead::members(&candidates.files, &candidates.archives, files);
        }
        parsing.read(candidates, files)
    };
    let (objects, lazy_objects) = skald_core::par::join(|| read(&roots), || read(&lazies));
    let objects = parsing.claim(candidates, objects, true);
    let lazy_objects = parsing.claim(candidates, lazy_objects, false);
    Arrivals { objects, lazy_objects, archives: first_archive..candidates.archives.end() }
}

/// Gives the memory of archive indexes back to the system. Names in them can still be read from the
/// file, but few will be: a name that took an object is in the object too.
fn forget_indexes(candidates: &mut Candidates) {
    let mut released = ReleasedParts::default();
    for archive in &mut candidates.archives {
        archive.index = Vec::new();
        let end = archive.archive.members_offset().min(archive.file.data.len());
        released.add(&archive.file, &archive.file.data[..end]);
    }
    released.give_back_meanwhile();
}

/// Of the files from `first` on, those that are linked in any case, and lazy objects
/// (`--start-lib`), which must be read for their names.
fn roots_and_lazies(candidates: &Candidates, first: FileId) -> (Vec<FileId>, Vec<FileId>) {
    let mut roots = Vec::new();
    let mut lazies = Vec::new();
    for (file, candidate) in candidates.files.part(first..candidates.files.end()) {
        match candidate {
            Candidate::Object { lazy: false, .. }
            | Candidate::Member { rule: ExtractionRule::Whole, .. } => roots.push(file),
            Candidate::Object { lazy: true, .. }
            | Candidate::Member { rule: ExtractionRule::BySymbols, .. } => lazies.push(file),
            _ => {}
        }
    }
    (roots, lazies)
}

/// Interns the objects of a round in parallel. Returns the lazy files that these objects want,
/// without those for names that objects of this or an earlier round define. Also returns the wanted
/// names that only objects of the command line define.
fn intern_round(
    interning: &Interning<'_>,
    objects: &mut [NumberedObject],
    requested: &IdSlice<FileId, AtomicBool>,
    places: &mut Places,
) -> (Vec<FileId>, Vec<Asked>) {
    let asked = Mutex::new(Vec::new());
    let intern = |(file, object): &mut NumberedObject| {
        let mut found = Vec::new();
        let place = places.of(*file);
        interning.object(object, *file, Role::Extracted { place }, |name, wanted| {
            if !requested[wanted].load(Ordering::Relaxed) {
                found.push((name, wanted, place));
            }
        });
        if !found.is_empty() {
            asked.lock().expect("no task panics").append(&mut found);
        }
    };
    match objects {
        [one] => intern(one),
        objects => objects.par_iter_mut().with_max_len(2).for_each(intern),
    }
    // Definitions of the round are complete only after all its objects are interned.
    let (mut next, mut late) = (Vec::new(), Vec::new());
    for (name, wanted, place) in asked.into_inner().expect("no task panics") {
        let flags = interning.refs.get(name).flags();
        if is_of_root_alone(flags) {
            late.push(Asked { name, place: Some(place) });
            continue;
        }
        if flags & ref_flags::DEFINED != 0 {
            continue;
        }
        places.lower(wanted, place);
        if !requested[wanted].swap(true, Ordering::Relaxed) {
            next.push(wanted);
        }
    }
    (next, late)
}

/// Whether the command line defines a name and no extracted file does.
fn is_of_root_alone(flags: u32) -> bool {
    flags & (ref_flags::DEFINED_BY_ROOT | ref_flags::DEFINED_BY_MEMBER)
        == ref_flags::DEFINED_BY_ROOT
}

/// By taken member whose own position on the command line is earlier than that of the file that
/// took it: the position of that file.
#[derive(Debug, Default)]
pub struct Places(UnorderedMap<FileId, FileId>);

impl Places {
    /// The position of a taken member, as a file's number: its own, or that of what took it.
    pub fn of(&self, file: FileId) -> FileId {
        self.0.get(&file).copied().unwrap_or(file)
    }

    /// Notes that a reference at `place`, the earliest of the round, takes a member.
    fn lower(&mut self, file: FileId, place: FileId) {
        if place > file {
            let least = self.0.entry(file).or_insert(place);
            *least = place.min(*least);
        }
    }
}

/// The objects of all rounds, in the order of their files; compiled objects replace the claimed
/// files.
fn in_order(taken: Vec<NumberedObjects>, compiled: &Compiled) -> Column<ObjectId, ObjectFile> {
    let mut all: NumberedObjects = taken.into_iter().flatten().collect();
    all.retain(|(file, _)| !compiled.claimed.contains(file));
    let place = |file: FileId| match &compiled.place {
        Some((files, first)) if files.contains(&file) => (*first, file),
        _ => (file, file),
    };
    shuffled(&mut all).sort_unstable_by_key(|&(file, _)| place(file));
    all.into_par_iter().map(|(_, object)| *object).collect()
}

/// `--undefined-glob`: names that match and that a lazy file may define become wanted, as by `-u`.
fn ask_for_globs(extraction: &Extraction, patterns: &[String]) {
    let Extraction { names, refs, pools, .. } = extraction;
    if patterns.is_empty() {
        return;
    }
    let mut wanted = PatternSet::new(Order::FirstWins);
    for pattern in patterns {
        wanted.insert(pattern.as_bytes(), ());
    }
    refs.below(names.id_limit()).par_with_ids().with_min_len(1 << 12).for_each(|(id, record)| {
        if record.lazy().is_none() && record.flags() & ref_flags::DEFINED == 0 {
            return;
        }
        let text = pools.name(names, id);
        if wanted.get(text).is_some() {
            record.add(ref_flags::ROOT);
        }
    });
}

/// The lazy files that are taken for the names wanted so far. Names that the command line defines
/// are added to `asked` if lazy files offer them too.
fn wanted_now(
    extraction: &Extraction,
    requested: &IdSlice<FileId, AtomicBool>,
    taken: &[NumberedObjects],
    places: &Places,
    shared: &Libraries,
    asked: &mut Vec<Asked>,
) -> Vec<FileId> {
    let Extraction { names, refs, .. } = extraction;
    let take = |file: FileId| {
        let is_new = !requested[file].swap(true, Ordering::Relaxed);
        is_new.then_some(file)
    };
    let contested = Mutex::new(Vec::new());
    let late = Mutex::new(Vec::new());
    let mut wanted: Vec<FileId> = refs
        .below(names.id_limit())
        .par_with_ids()
        .with_min_len(1 << 14)
        .filter_map(|(name, refs)| {
            let flags = refs.flags();
            if flags & ref_flags::REFERRED_TO_STRONGLY == 0 {
                return None;
            }
            if is_of_root_alone(flags) {
                if refs.lazy().is_some_and(|lazy| !requested[lazy].load(Ordering::Relaxed)) {
                    late.lock().expect("no task panics").push(Asked { name, place: None });
                }
                return None;
            }
            if flags & ref_flags::DEFINED != 0 {
                return None;
            }
            let file = refs.wanted_lazy(FileId::default())?;
            if let Some(library) = refs.shared()
                && !refs.is_inside()
                && refs.flags() & ref_flags::ROOT == 0
            {
                let contest = Contested { name, file, library };
                contested.lock().expect("no task panics").push(contest);
                return None;
            }
            take(file)
        })
        .collect();
    asked.append(&mut late.into_inner().expect("no task panics"));
    let mut contested = contested.into_inner().expect("no task panics");
    shuffled(&mut contested).sort_unstable();
    let objects = || taken.iter().flatten().map(|(file, object)| (places.of(*file), &**object));
    let won = contested::before_library(contested, objects, shared);
    wanted.extend(won.into_iter().filter_map(take));
    wanted
}
