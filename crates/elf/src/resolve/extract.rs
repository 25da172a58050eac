//! Taking files: the command line's objects, then archive members by a worklist in rounds.
//!
//! A member is taken when an object that is taken refers to one of its names by a non-weak
//! undefined symbol, no object that is taken by then defines the name, and no shared object before
//! both the member and the reference does. What is taken in a round depends on the rounds before as
//! a whole and not on the order within one, so the set is the same for any number of threads. Each
//! round reads its files in parallel, makes room in the name table, then interns in parallel;
//! members that nobody needs are never touched.

use super::commons::{self, Commons};
use super::contested::{self, Contested};
use super::default_members::DefaultMembers;
use super::libraries_in_archives::{self, LibrariesInArchives};
use super::library_names::{self, Offers};
use super::own_names::{AskedNames, OwnNames};
use super::references::{ReferenceColumn, ref_flags};
use super::symbol_names::{Interning, Role};
use crate::args::Options;
use crate::read::candidates::{Candidate, Candidates, Taking};
use crate::read::object_file::ReadRules;
use crate::read::{FileId, Libraries, ObjectFile, ObjectId, identify, read_ahead};
use skald_base::name_pools::NamePools;
use skald_base::pattern_set::{Order, PatternSet};
use skald_core::diag::Diag;
use skald_core::ids::{Column, IdSlice};
use skald_core::input::ReleasedParts;
use skald_core::names::{NameId, NameTable};
use skald_core::par::prelude::*;
use skald_core::perturb::shuffled;
use skald_core::time::Timer;
use skald_core::unordered::UnorderedMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

/// Names of an archive index that one task interns.
const INDEX_CHUNK: usize = 8192;

/// Names that members bring for each name that an index lists, at most as a rule: those that they
/// refer to.
const NAMES_AN_ENTRY: usize = 8;

/// The outcome: objects in command-line order, and every name with what is said of it.
pub struct Extraction {
    /// Objects taken, ascending by file.
    pub objects: Column<ObjectId, ObjectFile>,
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

/// Takes files to a fixed point.
pub fn extract(
    candidates: &mut Candidates,
    options: &Options,
    wanted: &AskedNames<'_>,
    rules: ReadRules<'_>,
    timer: &Timer,
    diag: &Diag,
) -> Extraction {
    let mut left_out = LibrariesInArchives::default();
    loop {
        let parsing = Parsing { rules, timer, diag, unfit: Mutex::default() };
        let extraction = extract_once(candidates, options, wanted, &parsing);
        let mut unfit = parsing.unfit.into_inner().expect("no task panics");
        if unfit.is_empty() || diag.has_failed() {
            left_out.warn(candidates, &extraction, diag);
            if !options.reports.warn_backrefs {
                forget_indexes(candidates);
            }
            return extraction;
        }
        left_out.leave_out(rules.target, &mut unfit, candidates, diag);
    }
}

/// Takes files to a fixed point, as far as they are fit for it.
fn extract_once(
    candidates: &mut Candidates,
    options: &Options,
    wanted: &AskedNames<'_>,
    parsing: &Parsing<'_>,
) -> Extraction {
    let rules = parsing.rules;
    let reads_ahead = read_ahead::has_members(candidates);
    let parse = |candidates: &Candidates, files: &[FileId]| {
        if reads_ahead {
            read_ahead::members(candidates, files);
        }
        parsing.all(candidates, files)
    };
    let file_count = candidates.files.len();
    let mut taken: Vec<NumberedObjects> = Vec::new();
    let requested: Column<FileId, AtomicBool> =
        (0..file_count).map(|_| AtomicBool::new(false)).collect();
    let (roots, lazies) = roots_and_lazies(candidates);
    for &file in &roots {
        requested[file].store(true, Ordering::Relaxed);
    }
    let (objects, lazy_objects) =
        skald_core::par::join(|| parse(candidates, &roots), || parse(candidates, &lazies));
    let (mut extraction, objects, mut offers) =
        intern_first(candidates, wanted, objects, lazy_objects);
    taken.push(objects);
    let Extraction { names, refs, pools, own_names, .. } = &mut extraction;

    ask_for_globs(names, refs, pools, &options.undefined_glob);
    let mut places = Places::default();
    let (mut default_members, mut commons) = (DefaultMembers::default(), Commons::default());
    let mut round = wanted_by_roots(names, refs, &requested, &taken[0], &candidates.shared);
    loop {
        if round.is_empty() {
            let is_lazy = |file: FileId| !requested[file].load(Ordering::Relaxed);
            let tables = commons::Tables { candidates, names, refs, rules };
            let own = || own_names.ids.iter().map(|&name| (name, pools.name(names, name)));
            round = default_members.wanted(&taken, own, is_lazy, &tables);
            if round.is_empty() && !options.no_fortran_common {
                round = commons.replacements(&taken, is_lazy, &tables);
            }
            round.retain(|&file| !requested[file].swap(true, Ordering::Relaxed));
        }
        if round.is_empty() {
            break;
        }
        shuffled(&mut round).sort_unstable();
        let mut objects = parse(candidates, &round);
        names.reserve(global_count(&objects));
        refs.grow(names.id_limit(), names.capacity());
        let interning = Interning { names, refs, pools, wraps: &own_names.wraps };
        round = intern_round(&interning, &mut objects, &requested, &mut places);
        taken.push(objects);
    }
    if let [_, extracted @ ..] = &taken[..]
        && !extracted.is_empty()
    {
        let has_versions = extracted.iter().any(|objects| have_versions(objects));
        take_offers(&mut extraction, &mut candidates.shared, &mut offers, has_versions);
    }
    extraction.objects = in_order(taken);
    extraction
}

fn have_versions(objects: &[NumberedObject]) -> bool {
    objects.iter().any(|(_, object)| object.has_versioned_names)
}

/// Gives names what libraries define for them, now that they are there; if objects spell versions,
/// all that libraries define, because `foo@V` is looked for by `foo`, too.
fn take_offers(
    extraction: &mut Extraction,
    shared: &mut Libraries,
    offers: &mut Offers,
    has_versions: bool,
) {
    let Extraction { names, refs, pools, own_names, .. } = extraction;
    if has_versions {
        names.reserve(offers.count());
        refs.grow(names.id_limit(), names.capacity());
    }
    let interning = Interning { names, refs, pools, wraps: &own_names.wraps };
    match has_versions {
        true => interning.all(shared, offers),
        false => interning.asked_for(shared, offers),
    }
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

/// Files that are taken in any case, and files whose names are only offered but must be read.
fn roots_and_lazies(candidates: &Candidates) -> (Vec<FileId>, Vec<FileId>) {
    let mut roots = Vec::new();
    let mut lazies = Vec::new();
    for (file, candidate) in candidates.files.iter().enumerate() {
        let file = FileId::new(file as u32);
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

type NumberedObjects = Vec<NumberedObject>;
/// An object with its place in the command line.
pub type NumberedObject = (FileId, Box<ObjectFile>);

/// Interns what the command line brings: objects, archive indexes, shared objects.
fn intern_first(
    candidates: &mut Candidates,
    wanted: &AskedNames<'_>,
    mut objects: NumberedObjects,
    mut lazy_objects: NumberedObjects,
) -> (Extraction, NumberedObjects, Offers) {
    let pools = NamePools::new(candidates.files.len(), candidates.archives.len());
    let index_names: usize = candidates.archives.iter().map(|a| a.index.len()).sum();
    let shared_names = library_names::certain_count(&candidates.shared);
    let mut offers = Offers::new(candidates.shared.len());
    let object_names = global_count(&objects);
    let lazy_names = global_count(&lazy_objects);
    let (first_objects, other_objects) =
        split_at_names(&mut objects, (object_names / SLICES).max(SLICE));
    // Members bring about as many names again as the indexes list.
    let expected =
        global_count(first_objects) + lazy_names + 2 * index_names + shared_names + wanted.count();
    let likely = object_names + lazy_names + NAMES_AN_ENTRY * index_names;
    let mut names = NameTable::new(candidates.key, expected, likely);
    let mut refs = ReferenceColumn::default();
    refs.grow(0, names.capacity());
    let seen = global_count(first_objects) + lazy_names + index_names + shared_names;
    names.expect(seen);
    refs.expect(seen);
    let own_names = OwnNames::intern(&names, &refs, &pools, wanted);
    let interning =
        Interning { names: &names, refs: &refs, pools: &pools, wraps: &own_names.wraps };
    skald_core::par::scope(|scope| {
        for (file, object) in first_objects {
            scope.spawn(|_| interning.object(object, *file, Role::Root, |_, _| {}));
        }
        for (file, object) in &mut lazy_objects {
            scope.spawn(|_| interning.lazy_object(object, *file));
        }
        for (at, archive) in candidates.archives.iter().enumerate() {
            let pool = pools.of_archive(at);
            pools.set(pool, archive.data);
            for chunk in archive.index.chunks(INDEX_CHUNK) {
                let interning = &interning;
                scope.spawn(move |_| interning.archive_index(pool, archive, chunk));
            }
        }
        interning.libraries(scope, &mut candidates.shared, &mut offers);
    });
    intern_slices(other_objects, seen, &mut names, &mut refs, &pools, &own_names.wraps);
    let mut extraction = Extraction { objects: Column::new(), names, refs, pools, own_names };
    take_offers(&mut extraction, &mut candidates.shared, &mut offers, have_versions(&objects));
    (extraction, objects, offers)
}

/// Interns `objects` of the command line, slice by slice, after `seen` other names.
fn intern_slices(
    mut objects: &mut [NumberedObject],
    mut seen: usize,
    names: &mut NameTable,
    refs: &mut ReferenceColumn,
    pools: &NamePools,
    wraps: &[(NameId, NameId)],
) {
    while !objects.is_empty() {
        let slice;
        let left = global_count(objects);
        let are_nearly_all_new = seen > 0 && names.id_limit() * NEARLY >= seen * (NEARLY - 1);
        let size = if are_nearly_all_new { left } else { slice_len(names.room(), left) };
        (slice, objects) = split_at_names(objects, size);
        let count = global_count(slice);
        names.reserve(count);
        refs.grow(names.id_limit(), names.capacity());
        // As many of the slice's names are new as were before.
        let limit = names.id_limit() + count * names.id_limit() / seen.max(1);
        names.expect(limit);
        refs.expect(limit);
        seen += count;
        let interning = Interning { names, refs, pools, wraps };
        slice.par_iter_mut().with_max_len(1).for_each(|(file, object)| {
            interning.object(object, *file, Role::Root, |_, _| {});
        });
    }
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

/// How files are read.
struct Parsing<'a> {
    rules: ReadRules<'a>,
    timer: &'a Timer,
    diag: &'a Diag,
    /// Members that are shared objects: libraries put into an archive, which cannot be joined.
    unfit: Mutex<Vec<FileId>>,
}

impl Parsing<'_> {
    fn all(&self, candidates: &Candidates, files: &[FileId]) -> NumberedObjects {
        // A chain of members is as many rounds: to hand each to other threads would cost more.
        if let &[file] = files {
            return self.one(candidates, file).into_iter().collect();
        }
        let parsed =
            files.par_iter().with_max_len(2).filter_map(|&file| self.one(candidates, file));
        parsed.collect()
    }

    fn one(&self, candidates: &Candidates, file: FileId) -> Option<NumberedObject> {
        let _event = self.timer.event("parse", || candidates.display_name(file));
        let parsed = candidates.input(file).and_then(|input| {
            identify::check_object(self.rules.target, input.bytes)?;
            ObjectFile::parse(input, self.rules).map(Box::new)
        });
        match parsed {
            Ok(mut object) => {
                object.file = Some(file);
                if let Some(queue) = &candidates.release_early {
                    object.release_headers(queue);
                }
                Some((file, object))
            }
            Err(error) => {
                if candidates.is_lazy_member(file)
                    && libraries_in_archives::is_library(self.rules.target, candidates, file)
                {
                    self.unfit.lock().expect("no task panics").push(file);
                    return None;
                }
                let name = candidates.display_name(file);
                self.diag.error((u64::from(file.number()), 0), format!("{name}: {error}"));
                None
            }
        }
    }
}

/// The objects of the command line are interned in at least so many slices. The table of names has
/// room for what a slice would bring if all its names were new; most are not, and a table for all
/// of them would be many times too large.
const SLICES: usize = 4;
/// Names of a slice at least.
const SLICE: usize = 1 << 14;

/// A slice that fits into the table is taken though it is smaller, down to this part of what is
/// left, and this many names: what a larger table costs is more than a few more slices do.
const SMALL_SLICES: usize = 16;
const SMALL_SLICE: usize = 1 << 12;

/// If all names so far but one of so many were new, all that is left is one slice: the table has to
/// grow for them anyway, and each time that it does threads wait.
const NEARLY: usize = 8;

/// Names of the next slice, when the table has room for `room` and `left` are left.
fn slice_len(room: usize, left: usize) -> usize {
    if room >= SMALL_SLICE.max(left / SMALL_SLICES) {
        return room;
    }
    SLICE.max(left / SLICES)
}

/// Splits where about `count` names come first; not before the first object.
fn split_at_names(
    objects: &mut [NumberedObject],
    count: usize,
) -> (&mut [NumberedObject], &mut [NumberedObject]) {
    let mut left = count;
    let exceeds = |numbered| {
        let own = global_count(std::slice::from_ref(numbered));
        left.checked_sub(own).map(|rest| left = rest).is_none()
    };
    let fitting = objects.iter().position(exceeds).unwrap_or(objects.len());
    objects.split_at_mut(fitting.max(1).min(objects.len()))
}

fn global_count(objects: &[NumberedObject]) -> usize {
    let count = |o: &ObjectFile| {
        o.symbols.len() - o.first_global.index() + o.groups.len() + o.linkonce.len()
    };
    objects.iter().map(|(_, object)| count(object)).sum()
}

/// The objects of all rounds, ascending by file.
fn in_order(taken: Vec<NumberedObjects>) -> Column<ObjectId, ObjectFile> {
    let mut all: NumberedObjects = taken.into_iter().flatten().collect();
    shuffled(&mut all).sort_unstable_by_key(|(file, _)| *file);
    all.into_par_iter().map(|(_, object)| *object).collect()
}

/// `--undefined-glob`: names that match are asked for as by `-u`, if a file may define them.
fn ask_for_globs(
    names: &NameTable,
    refs: &ReferenceColumn,
    pools: &NamePools,
    patterns: &[String],
) {
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

/// What the references of the command line's files take.
fn wanted_by_roots(
    names: &NameTable,
    refs: &ReferenceColumn,
    requested: &IdSlice<FileId, AtomicBool>,
    objects: &[NumberedObject],
    shared: &Libraries,
) -> Vec<FileId> {
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
            if refs.flags() & ref_flags::REFERRED_TO_STRONGLY == 0 {
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
    let won = contested::before_library(contested, objects, shared);
    wanted.extend(won.into_iter().filter_map(take));
    wanted
}
