//! `--zero-to-bss`: writable input sections of nothing but zeros become zero-filled memory, which
//! takes no space in the file. Those of `.data` move to `.bss`; a section with a name of its own
//! keeps it, and takes no space if all of its inputs are zeros.

use crate::read::object_file::{InputSection, SectionFlags};
use crate::read::{ObjectFile, Objects};
use crate::resolve::definitions::Definitions;
use crate::script::section_names::known;
use skald_core::column::split_mut;
use skald_core::ids::IdRange;
use skald_core::par::prelude::*;

/// Marks sections of nothing but zeros as zero-filled.
pub fn mark(objects: &Objects, definitions: &mut Definitions) {
    let ranges = definitions.section_base.ranges().map(IdRange::indices);
    let parts = split_mut(&mut definitions.sections, ranges);
    objects.par_iter().zip(parts).with_max_len(2).for_each(|(object, sections)| {
        for section in sections.iter_mut().filter(|section| is_zero(object, section)) {
            section.flags.0 |= SectionFlags::NOBITS;
            if section.out == known::DATA.into() {
                section.out = known::BSS.into();
            }
        }
    });
}

fn is_zero(object: &ObjectFile, section: &InputSection) -> bool {
    let needed = SectionFlags::ALLOC | SectionFlags::WRITE;
    let wrong = SectionFlags::EXEC
        | SectionFlags::TLS
        | SectionFlags::NOBITS
        | SectionFlags::MERGE
        | SectionFlags::DISCARDED;
    let may_lie_in_bss = section.output() == known::DATA || !section.output().is_known();
    section.flags.0 & needed == needed
        && !section.flags.has(wrong)
        && may_lie_in_bss
        && section.rel_count == 0
        && section.size != 0
        && object.bytes(section).iter().all(|&byte| byte == 0)
}
