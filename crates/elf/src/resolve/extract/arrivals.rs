//! Interns the names of files that join the link: first the files of the command line, later the
//! libraries that taken files ask for.

use super::Extraction;
use super::parsing::{NumberedObject, NumberedObjects};
use crate::read::candidates::Candidates;
use crate::read::{ArchiveId, Libraries, ObjectFile};
use crate::resolve::names::library_names::{self, Offers};
use crate::resolve::names::own_names::{AskedNames, OwnNames};
use crate::resolve::names::references::ReferenceColumn;
use crate::resolve::names::symbol_names::{Interning, Role};
use skald_core::names::NameTable;
use skald_core::par::prelude::*;
use skald_linking::name_pools::NamePools;
use std::ops::Range;

/// Names of an archive index that one task interns.
const INDEX_CHUNK: usize = 8192;

/// How many names a member brings at most, as a rule, for each name in the archive's index; most
/// are names that it refers to.
const NAMES_AN_ENTRY: usize = 8;

/// Files, other than shared libraries, that join the link together.
pub struct Arrivals {
    /// Objects that are linked in any case.
    pub objects: NumberedObjects,
    /// Objects of `--start-lib`, which are linked only if a name that they define is wanted.
    pub lazy_objects: NumberedObjects,
    /// Archives, by id.
    pub archives: Range<ArchiveId>,
}

impl Extraction {
    /// Enters the libraries' definitions of names that are in the table. If objects spell versions,
    /// enters all that libraries define, because `foo@V` is also looked up as `foo`.
    pub fn take_offers(&mut self, shared: &mut Libraries, offers: &mut Offers, has_versions: bool) {
        let Extraction { names, refs, .. } = self;
        if has_versions {
            names.reserve(offers.count());
            refs.grow(names.id_limit(), names.capacity());
        }
        let interning = self.interning();
        if has_versions {
            interning.all(shared, offers)
        } else {
            interning.asked_for(shared, offers)
        }
    }

    /// The tables that interning reads and writes.
    pub fn interning(&self) -> Interning<'_> {
        let Extraction { names, refs, pools, own_names } = self;
        let register_symbols = own_names.register_symbols;
        Interning { names, refs, pools, wraps: &own_names.wraps, register_symbols }
    }

    /// Interns every name that the files of the command line bring.
    pub fn begin(
        candidates: &mut Candidates,
        wanted: &AskedNames<'_>,
        arrivals: Arrivals,
        offers: &mut Offers,
    ) -> (Extraction, NumberedObjects) {
        let Arrivals { mut objects, mut lazy_objects, archives } = arrivals;
        let has_versions = have_versions(&objects);
        let mut pools = NamePools::default();
        pools.grow(candidates.files.len(), candidates.archives.len());
        let index_names: usize = candidates.archives.iter().map(|a| a.index.len()).sum();
        let shared_names = library_names::certain_count(&candidates.shared);
        let object_names = global_count(&objects);
        let lazy_names = global_count(&lazy_objects);
        let (first_objects, other_objects) =
            split_at_names(&mut objects, (object_names / SLICES).max(SLICE));
        let first_names = global_count(first_objects);
        // Members bring about as many names again as the indexes list.
        let expected = first_names + lazy_names + 2 * index_names + shared_names + wanted.count();
        let likely = object_names + lazy_names + NAMES_AN_ENTRY * index_names;
        let names = NameTable::new(candidates.key, expected, likely);
        let mut refs = ReferenceColumn::default();
        refs.grow(0, names.capacity());
        let seen = first_names + lazy_names + index_names + shared_names;
        names.expect(seen);
        refs.expect(seen);
        let own_names = OwnNames::intern(&names, &refs, &pools, wanted);
        let mut extraction = Extraction { names, refs, pools, own_names };
        extraction.enter(candidates, first_objects, &mut lazy_objects, archives, offers);
        extraction.enter_slices(other_objects, seen);
        extraction.take_offers(&mut candidates.shared, offers, has_versions);
        (extraction, objects)
    }

    /// Interns every name of the files that joined since.
    pub fn add(
        &mut self,
        candidates: &mut Candidates,
        arrivals: Arrivals,
        offers: &mut Offers,
        has_versions: bool,
    ) -> NumberedObjects {
        let Arrivals { mut objects, mut lazy_objects, archives } = arrivals;
        let Extraction { names, refs, pools, .. } = self;
        pools.grow(candidates.files.len(), candidates.archives.len());
        let index_names: usize =
            candidates.archives[archives.clone()].iter().map(|a| a.index.len()).sum();
        let shared_names = library_names::certain_count(&candidates.shared);
        names.reserve(
            global_count(&objects) + global_count(&lazy_objects) + index_names + shared_names,
        );
        refs.grow(names.id_limit(), names.capacity());
        self.enter(candidates, &mut objects, &mut lazy_objects, archives, offers);
        self.take_offers(&mut candidates.shared, offers, has_versions);
        objects
    }

    /// Interns the names of objects, archives and of libraries that are not in `offers` yet.
    fn enter(
        &self,
        candidates: &mut Candidates,
        objects: &mut [NumberedObject],
        lazy_objects: &mut [NumberedObject],
        archives: Range<ArchiveId>,
        offers: &mut Offers,
    ) {
        let interning = self.interning();
        let pools = &self.pools;
        skald_core::par::scope(|scope| {
            let interning = &interning;
            for (file, object) in objects {
                scope.spawn(|_| interning.object(object, *file, Role::Root, |_, _| {}));
            }
            for (file, object) in lazy_objects {
                scope.spawn(|_| interning.lazy_object(object, *file));
            }
            for (at, archive) in candidates.archives.part(archives) {
                let pool = pools.of_archive(at.index());
                pools.set(pool, archive.data);
                for chunk in archive.index.chunks(INDEX_CHUNK) {
                    scope.spawn(move |_| interning.archive_index(pool, archive, chunk));
                }
            }
            interning.libraries(scope, &mut candidates.shared, offers);
        });
    }

    /// Interns the names of command-line `objects`, slice by slice, after `seen` names of other
    /// files.
    fn enter_slices(&mut self, mut objects: &mut [NumberedObject], mut seen: usize) {
        while !objects.is_empty() {
            let Extraction { names, refs, .. } = &mut *self;
            let slice;
            let left = global_count(objects);
            let are_nearly_all_new = seen > 0 && names.id_limit() * NEARLY >= seen * (NEARLY - 1);
            let size = if are_nearly_all_new { left } else { slice_len(names.room(), left) };
            (slice, objects) = split_at_names(objects, size);
            let count = global_count(slice);
            names.reserve(count);
            refs.grow(names.id_limit(), names.capacity());
            // The limit assumes that the slice has the same share of new names as the names so far.
            let limit = names.id_limit() + count * names.id_limit() / seen.max(1);
            names.expect(limit);
            refs.expect(limit);
            seen += count;
            let interning = self.interning();
            slice.par_iter_mut().with_max_len(1).for_each(|(file, object)| {
                interning.object(object, *file, Role::Root, |_, _| {});
            });
        }
    }
}

/// Whether a symbol name of these objects has a version (`foo@V`).
pub fn have_versions(objects: &[NumberedObject]) -> bool {
    objects.iter().any(|(_, object)| object.has_versioned_names)
}

/// The objects of the command line are interned in at least so many slices. The table of names gets
/// room for a slice as if all its names were new; most are not, so a table for all objects at once
/// would be many times too large.
const SLICES: usize = 4;
/// Least number of names in a slice.
const SLICE: usize = 1 << 14;

/// A slice that fits into the table's free room may be smaller, since a few more slices cost less
/// than growing the table. It has at least this part of the names left, and at least this many
/// names.
const SMALL_SLICES: usize = 16;
const SMALL_SLICE: usize = 1 << 12;

/// If all names so far but one in this many were new, all remaining names form one slice. The table
/// has to grow for them anyway, and each time that it grows threads wait.
const NEARLY: usize = 8;

/// How many names the next slice has, when the table has room for `room` more and `left` names
/// remain.
fn slice_len(room: usize, left: usize) -> usize {
    if room >= SMALL_SLICE.max(left / SMALL_SLICES) {
        return room;
    }
    SLICE.max(left / SLICES)
}

/// Splits objects so that the first part has about `count` names, and at least one object.
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

/// How many names objects bring, each counted as often as it occurs.
pub fn global_count(objects: &[NumberedObject]) -> usize {
    let count = |o: &ObjectFile| {
        o.mapped.symbols.len() - o.first_global.index() + o.groups.len() + o.linkonce.len()
    };
    objects.iter().map(|(_, object)| count(object)).sum()
}
