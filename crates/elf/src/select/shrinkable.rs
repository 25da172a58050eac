//! Sections that may lose bytes when addresses are known. They get a flag; sections without it are
//! handled as on machines whose code does not shrink.

use super::fold::Folds;
use super::liveness::Liveness;
use crate::format::elf::Rela;
use crate::read::Objects;
use crate::read::object_file::{InputSection, SectionFlags};
use crate::resolve::definitions::{Definitions, SectionId};
use skald_core::par::prelude::*;

/// Upper bound of the bytes that a section with these relocations can lose; 0 if it cannot shrink.
pub type MostLost = fn(&[Rela]) -> u64;

/// The sections that may lose bytes, ascending.
#[derive(Debug, Default)]
pub struct Shrinkable {
    /// Each section with an upper bound of the bytes that it can lose.
    pub sections: Vec<(SectionId, u64)>,
}

/// Finds the sections that may shrink, and flags them and the sections folded into them.
pub fn mark(
    most_lost: MostLost,
    objects: &Objects,
    definitions: &mut Definitions,
    live: &Liveness,
    folds: &Folds,
) -> Shrinkable {
    const WANTED: u32 = SectionFlags::ALLOC | SectionFlags::EXEC;
    const OTHERS: u32 = SectionFlags::WRITE
        | SectionFlags::NOBITS
        | SectionFlags::COMPRESSED
        | SectionFlags::MERGE
        | SectionFlags::DISCARDED;
    let is_code = |section: &InputSection| section.flags.0 & (WANTED | OTHERS) == WANTED;
    let sections = definitions.sections.par_with_ids().with_min_len(1 << 10);
    let sections: Vec<(SectionId, u64)> = sections
        .filter(|(id, section)| section.rel_count != 0 && is_code(section) && live.is_live(*id))
        .map(|(id, section)| (id, most_lost(objects[section.object].relocs(section))))
        .filter(|&(_, most)| most != 0)
        .collect();
    for &(id, _) in &sections {
        definitions.sections[id].flags.set(SectionFlags::SHRINKS);
    }
    for folded in &folds.folded {
        if definitions.sections[folded.leader].flags.has(SectionFlags::SHRINKS) {
            definitions.sections[folded.section].flags.set(SectionFlags::SHRINKS);
        }
    }
    Shrinkable { sections }
}
