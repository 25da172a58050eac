//! Taking files: the command line's objects, then archive members by a worklist in rounds.
//!
//! A member is taken when an object that is taken refers to one of its names by a non-weak
//! undefined symbol, no object that is taken by then defines the name, and no shared object before
//! both the member and the reference does. What is taken in a round depends on the rounds before as
//! a whole and not on the order within one, so the set is the same for any number of threads. Each
//! round reads its files in parallel, makes room in the name table, then interns in parallel;
//! members that nobody needs are never touched.

use super::arrivals::{Arrivals, global_count, have_versions};
use super::commons::{self, Commons};
use super::contested::{self, Contested};
use super::default_members::DefaultMembers;
use super::libraries_in_archives::LibrariesInArchives;
use super::library_names::Offers;
use super::own_names::{AskedNames, OwnNames};
use super::parsing::{NumberedObject, NumberedObjects, Parsing};
use super::references::{ReferenceColumn, ref_flags};
use super::symbol_names::{Interning, Role};
use crate::args::Options;
use crate::read::candidates::Candidates;
use crate::read::{ArchiveId, FileId, Libraries, ObjectFile, ObjectId};
use skald_base::candidates::{Candidate, Taking};
use skald_base::name_pools::NamePools;
use skald_base::pattern_set::{Order, PatternSet};
use skald_base::read_ahead;
use skald_core::ids::{Column, IdSlice};
use skald_core::input::ReleasedParts;
use skald_core::names::{NameId, NameTable};
use skald_core::par::prelude::*;
use skald_core::perturb::shuffled;
use skald_core::unordered::UnorderedMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

/// Every name, with what is said of it.
pub struct Extraction {
    /// Names.
    pub names: NameTable,
    /// What files say of them.
    pub refs: ReferenceColumn,
    /// Where names live.
    pub pools: NamePools,
    /// Ids of names that the linker itself looks for, by text.
    pub own_names: OwnNames,
}

impl Extraction {
    /// The id of a name that the command line or the linker itself brought.
    pub fn own_name(&self, text: &[u8]) -> Option<NameId> {
        let id = self.names.find(self.names.key().hash(text));
        id.filter(|&id| self.own_names.has(id))
    }
}

/// Names, and the objects that are taken, in order.
pub type Taken = (Extraction, Column<ObjectId, ObjectFile>);

/// Taking that can go on: when files that are taken ask for others, these come behind all that are
/// known, and what is known of names stays.
pub struct Extractor<'a> {
    options: &'a Options,
    wanted: AskedNames<'a>,
    parsing: Parsing<'a>,
    left_out: &'a mut LibrariesInArchives,
    worklist: Worklist,
}

impl<'a> Extractor<'a> {
    /// Takes what is needed of all files of the command line. What is left out for being a library
    /// is added to `left_out`.
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

    /// Takes what has come to `candidates` since, and what is needed of all files now.
    pub fn go_on(&mut self, candidates: &mut Candidates) {
        self.worklist.add(candidates, &self.parsing);
        self.run(candidates);
    }

    /// Takes files to a fixed point, as far as they are fit for it.
    fn run(&mut self, candidates: &mut Candidates) {
        loop {
            self.worklist.run(candidates, self.options, &self.parsing);
            let Parsing { rules, diag, .. } = self.parsing;
            let mut unfit = self.parsing.take_unfit();
            if unfit.is_empty() || diag.has_failed() {
                return;
            }
            // What they seemed to define comes from elsewhere.
            self.left_out.leave_out(rules.target, &mut unfit, candidates, diag);
            self.worklist = Worklist::begin(candidates, &self.wanted, &self.parsing);
        }
    }

    /// The objects that are taken so far.
    pub fn taken(&self) -> impl Iterator<Item = &NumberedObject> {
        self.worklist.taken.iter().flatten()
    }

    /// No files come any more: names, and the objects in order.
    pub fn finish(self, candidates: &mut Candidates) -> Taken {
        let Worklist { extraction, taken, .. } = self.worklist;
        self.left_out.warn(candidates, &extraction, self.parsing.diag);
        if !self.options.reports.warn_backrefs {
            forget_indexes(candidates);
        }
        (extraction, in_order(taken))
    }
}

/// Files that are taken, and what these ask for.
struct Worklist {
    extraction: Extraction,
    offers: Offers,
    /// Whether a file is taken, of all that are known.
    requested: Column<FileId, AtomicBool>,
    /// Objects by rounds.
    taken: Vec<NumberedObjects>,
    /// Archives whose names are entered.
    archives: ArchiveId,
    places: Places,
    /// Whether objects spell versions.
    has_versions: bool,
}

impl Worklist {
    /// Takes what is taken in any case; every name that the first files bring is entered.
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

    /// Takes what is taken in any case of the files that have come since, and enters their names.
    fn add(&mut self, candidates: &mut Candidates, parsing: &Parsing<'_>) {
        let arrivals = arrivals(candidates, &mut self.requested, self.archives, parsing);
        self.archives = arrivals.archives.end;
        self.has_versions |= have_versions(&arrivals.objects);
        let objects =
            self.extraction.add(candidates, arrivals, &mut self.offers, self.has_versions);
        self.taken.push(objects);
    }

    /// Takes what is asked for, until nothing is.
    fn run(&mut self, candidates: &mut Candidates, options: &Options, parsing: &Parsing<'_>) {
        let Worklist { extraction, requested, taken, places, .. } = self;
        let rules = parsing.rules;
        // Rounds may be as many as members, and to tell this takes a look at each archive.
        let reads_ahead = read_ahead::has_members(&candidates.archives);
        ask_for_globs(extraction, &options.undefined_glob);
        let first = taken.len();
        let (mut default_members, mut commons) = (DefaultMembers::default(), Commons::default());
        let mut round = wanted_now(extraction, requested, taken, places, &candidates.shared);
        loop {
            let Extraction { names, refs, pools, own_names } = &*extraction;
            if round.is_empty() {
                let is_lazy = |file: FileId| !requested[file].load(Ordering::Relaxed);
                let tables = commons::Tables { candidates, names, refs, rules };
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
            let mut objects = parsing.all(candidates, &round);
            let Extraction { names, refs, .. } = &mut *extraction;
            names.reserve(global_count(&objects));
            refs.grow(names.id_limit(), names.capacity());
            round = intern_round(&extraction.interning(), &mut objects, requested, places);
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

/// Reads what has come behind the files that `requested` knows of, and notes what of it is taken.
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
    let parse = |files: &[FileId]| {
        if reads_ahead {
            read_ahead::members(&candidates.files, &candidates.archives, files);
        }
        parsing.all(candidates, files)
    };
    let (objects, lazy_objects) = skald_core::par::join(|| parse(&roots), || parse(&lazies));
    Arrivals { objects, lazy_objects, archives: first_archive..candidates.archives.end() }
}

/// Gives the memory of archives' indexes back. Names in them are still there to be read, but few
/// will be: that an object was taken for a name says that the name is in the object too.
fn forget_indexes(candidates: &mut Candidates) {
    let mut released = ReleasedParts::default();
    for archive in &mut candidates.archives {
        archive.index = Vec::new();
        let end = archive.archive.members_offset().min(archive.file.data.len());
        released.add(&archive.file, &archive.file.data[..end]);
    }
    released.give_back_meanwhile();
}

/// Of the files from `first` on those that are taken in any case, and those whose names are only
/// offered but must be read.
fn roots_and_lazies(candidates: &Candidates, first: FileId) -> (Vec<FileId>, Vec<FileId>) {
    let mut roots = Vec::new();
    let mut lazies = Vec::new();
    for (file, candidate) in candidates.files.part(first..candidates.files.end()) {
        match candidate {
            Candidate::Object { lazy: false, .. }
            | Candidate::Member { taking: Taking::Whole, .. } => roots.push(file),
            Candidate::Object { lazy: true, .. }
            | Candidate::Member { taking: Taking::BySymbols, .. } => lazies.push(file),
            _ => {}
        }
    }
    (roots, lazies)
}

/// Interns the objects of a round in parallel; returns the files that they ask for: not those for
/// names that this round's or an earlier one's objects define.
fn intern_round(
    interning: &Interning<'_>,
    objects: &mut [NumberedObject],
    requested: &IdSlice<FileId, AtomicBool>,
    places: &mut Places,
) -> Vec<FileId> {
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
    // All of the round's definitions are known only now.
    let mut next = Vec::new();
    for (name, wanted, place) in asked.into_inner().expect("no task panics") {
        if interning.refs.get(name).flags() & ref_flags::DEFINED != 0 {
            continue;
        }
        places.lower(wanted, place);
        if !requested[wanted].swap(true, Ordering::Relaxed) {
            next.push(wanted);
        }
    }
    next
}

/// Where on the command line members are taken that stand before what takes them.
#[derive(Debug, Default)]
struct Places(UnorderedMap<FileId, FileId>);

impl Places {
    /// The place of a member that is taken, as a file's number: its own, or a later one.
    fn of(&self, file: FileId) -> FileId {
        self.0.get(&file).copied().unwrap_or(file)
    }

    /// A reference at `place`, the earliest of a round, takes a member.
    fn lower(&mut self, file: FileId, place: FileId) {
        if place > file {
            let least = self.0.entry(file).or_insert(place);
            *least = place.min(*least);
        }
    }
}

/// The objects of all rounds, ascending by file.
fn in_order(taken: Vec<NumberedObjects>) -> Column<ObjectId, ObjectFile> {
    let mut all: NumberedObjects = taken.into_iter().flatten().collect();
    shuffled(&mut all).sort_unstable_by_key(|(file, _)| *file);
    all.into_par_iter().map(|(_, object)| *object).collect()
}

/// `--undefined-glob`: names that match are asked for as by `-u`, if a file may define them.
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

/// What is asked for of the files that are there and not taken.
fn wanted_now(
    extraction: &Extraction,
    requested: &IdSlice<FileId, AtomicBool>,
    taken: &[NumberedObjects],
    places: &Places,
    shared: &Libraries,
) -> Vec<FileId> {
    let Extraction { names, refs, .. } = extraction;
    let take = |file: FileId| {
        let is_new = !requested[file].swap(true, Ordering::Relaxed);
        is_new.then_some(file)
    };
    let contested = Mutex::new(Vec::new());
    let mut wanted: Vec<FileId> = refs
        .below(names.id_limit())
        .par_with_ids()
        .with_min_len(1 << 14)
        .filter_map(|(name, refs)| {
            let flags = refs.flags() & (ref_flags::REFERRED_TO_STRONGLY | ref_flags::DEFINED);
            if flags == 0 || flags & ref_flags::DEFINED != 0 {
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
    let mut contested = contested.into_inner().expect("no task panics");
    shuffled(&mut contested).sort_unstable();
    let objects = || taken.iter().flatten().map(|(file, object)| (places.of(*file), &**object));
    let won = contested::before_library(contested, objects, shared);
    wanted.extend(won.into_iter().filter_map(take));
    wanted
}
