//! Gives memory back: parts of objects that later stages read hardly or not at all.
//!
//! Where most sections are dead or owned by other files, the mapped pages of symbols and section
//! headers are most of the memory of a link. They count as memory of the process although they are
//! in the page cache in any case. Pages that are read again must be mapped again, so only parts
//! that hardly anything needs are given back.

use super::liveness::Liveness;
use crate::format::elf::Rela;
use crate::read::object_file::{InputSection, SectionFlags};
use crate::read::{ObjectFile, ObjectId, Objects};
use crate::resolve::definitions::{Definitions, SectionId};
use skald_core::input::ReleasedParts;
use skald_core::par::prelude::*;

/// Smaller objects are skipped, in bytes.
const LEAST: usize = 48 << 10;
/// Symbol tables are kept if more than one in this many of their symbols is wanted.
const WANTED_TABLES: u64 = 3;
/// Objects are kept if more than one part in this many of them is live.
const ALIVE: u64 = 8;

/// Called after sections are decoded. Gives back section headers, their names, and the relocations
/// of sections that other files own, unless there are many others.
pub fn decoded_tables(objects: &Objects, definitions: &Definitions) -> ReleasedParts {
    collect(objects, |at, object, released| {
        let behind = object.behind_symbols();
        let relocs = |(_, section)| relocs(object, section);
        let wanted: u64 = own(definitions, at).map(relocs).sum();
        if wanted < behind.len() as u64 / WANTED_TABLES && !object.has_custom_sections {
            object.release(behind, released);
        }
    })
}

/// Called after marking. Gives back objects that are mostly dead, except for their symbol tables.
pub fn dead_objects(
    objects: &Objects,
    definitions: &Definitions,
    live: &Liveness,
) -> ReleasedParts {
    collect(objects, |at, object, released| {
        let live = own(definitions, at).filter(|&(id, _)| live.is_live(id));
        let bytes: u64 = live.map(|(_, section)| content(section) + relocs(object, section)).sum();
        if bytes < object.mapped.data.len() as u64 / ALIVE {
            object.release(object.before_symbols(), released);
            object.release(object.behind_symbols(), released);
        }
    })
}

/// Size in bytes of a section's content in its object.
fn content(section: &InputSection) -> u64 {
    if section.flags.has(SectionFlags::NOBITS) { 0 } else { section.size }
}

/// Size in bytes of a section's relocations.
fn relocs(object: &ObjectFile, section: &InputSection) -> u64 {
    u64::from(section.rel_count) * object.mapped.encoding.size::<Rela>() as u64
}

/// The section records of an object.
fn own(
    definitions: &Definitions,
    object: ObjectId,
) -> impl Iterator<Item = (SectionId, &InputSection)> {
    definitions.sections.part(definitions.sections_of(object))
}

fn collect(
    objects: &Objects,
    add: impl Fn(ObjectId, &ObjectFile, &mut ReleasedParts) + Sync,
) -> ReleasedParts {
    let add = |mut released, (at, object): (ObjectId, &ObjectFile)| {
        if object.mapped.data.len() >= LEAST {
            add(at, object, &mut released);
        }
        released
    };
    objects.par_with_ids().fold(ReleasedParts::default, add).reduce(
        ReleasedParts::default,
        |mut all, more| {
            all.append(more);
            all
        },
    )
}
