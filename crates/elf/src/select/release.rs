//! Giving memory back: objects of which hardly anything reaches the output.
//!
//! Where most sections are dead, what was mapped to read symbols and section headers is most of the
//! memory of a link. Their pages are counted as memory of the process although the page cache holds
//! them in any case.

use super::liveness::Liveness;
use crate::read::ObjectFile;
use crate::read::object_file::SectionFlags;
use crate::resolve::definitions::Definitions;
use rayon::prelude::*;
use skald_core::input::ReleasedParts;

/// Smaller objects are not worth the system calls.
const LEAST: usize = 128 << 10;
/// Nothing is given back of an object of which a larger part is alive: pages that are read again
/// would have to be mapped again.
const ALIVE: u64 = 8;

/// The memory of objects that are mostly dead, but for their symbol tables.
pub fn dead_objects(
    objects: &[ObjectFile],
    definitions: &Definitions,
    live: &Liveness,
) -> ReleasedParts {
    let add = |mut released: ReleasedParts, (at, object): (usize, &ObjectFile)| {
        if object.data.len() >= LEAST && is_mostly_dead(at, object, definitions, live) {
            object.release_around_symbols(&mut released);
        }
        released
    };
    objects.par_iter().enumerate().fold(ReleasedParts::default, add).reduce(
        ReleasedParts::default,
        |mut all, more| {
            all.append(more);
            all
        },
    )
}

fn is_mostly_dead(
    at: usize,
    object: &ObjectFile,
    definitions: &Definitions,
    live: &Liveness,
) -> bool {
    let sections = definitions.sections_of(at).filter(|&section| live.is_live(section as u32));
    let alive: u64 = sections
        .map(|section| &definitions.sections[section])
        .filter(|section| !section.flags.has(SectionFlags::NOBITS))
        .map(|section| section.size + 24 * u64::from(section.rel_count))
        .sum();
    alive < object.data.len() as u64 / ALIVE
}
