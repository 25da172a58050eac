//! Finds sections that may be folded and share their outline (cheap properties such as the size)
//! with another section.

use super::FoldInput;
use super::significance::Significance;
use crate::machine::Machine;
use crate::machine::fold::Dependence;
use crate::read::object_file::{InputSection, SectionFlags};
use crate::resolve::definitions::SectionId;
use crate::script::section_names::known;
use crate::select::eh_frame::Fde;
use skald_core::column::zeroed;
use skald_core::par::prelude::*;
use std::sync::atomic::{AtomicU8, Ordering};

/// Sections in one task.
const CHUNK: usize = 1 << 14;

/// Tells keys that occur once from those that occur more often. It counts keys by their lowest
/// bits, so some that occur once are taken for repeated.
pub struct Seen {
    counts: Vec<AtomicU8>,
}

impl Seen {
    /// A table for about this many keys.
    pub fn new(keys: usize) -> Seen {
        Seen { counts: zeroed((keys * 4).next_power_of_two().max(64)) }
    }

    /// Counts one more member with `key`.
    #[inline]
    pub fn add(&self, key: u64) {
        let count = &self.counts[key as usize & (self.counts.len() - 1)];
        if count.load(Ordering::Relaxed) < 2 {
            // Two tasks may add at once; the count is then too large, which does no harm.
            count.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Whether `key` was counted more than once.
    #[inline]
    pub fn is_repeated(&self, key: u64) -> bool {
        self.counts[key as usize & (self.counts.len() - 1)].load(Ordering::Relaxed) > 1
    }
}

/// Sections that may be folded and whose outline occurs more than once, ascending, each with a hash
/// of its outline.
pub fn select(input: &FoldInput<'_>, significance: &Significance) -> Vec<(SectionId, u64)> {
    let sections = &input.definitions.sections;
    let seen = Seen::new(sections.len() / 4);
    let mut chunks: Vec<Vec<(SectionId, u64)>> = sections
        .par_parts(CHUNK)
        .map(|(first, records)| {
            let mut found = Vec::new();
            for (id, section) in first.onward().zip(records) {
                if input.live.is_live(id)
                    && can_fold(input, section)
                    && significance.may_fold(input, id, section)
                {
                    let outline = outline(input, section);
                    seen.add(outline);
                    found.push((id, outline));
                }
            }
            found
        })
        .collect();
    chunks.par_iter_mut().for_each(|found| found.retain(|&(_, outline)| seen.is_repeated(outline)));
    chunks.concat()
}

/// Whether a section is of a kind that can be folded. Three kinds cannot: writable data changes at
/// run time, sections whose names are C identifiers are enumerated through `__start_NAME`, and
/// sections that are always kept have users without references.
fn can_fold(input: &FoldInput<'_>, section: &InputSection) -> bool {
    const PASSED_OVER: u32 = SectionFlags::EH_FRAME
        | SectionFlags::DISCARDED
        | SectionFlags::MERGE
        | SectionFlags::NOBITS
        | SectionFlags::COMMON
        | SectionFlags::TLS
        | SectionFlags::KEEP
        | SectionFlags::NOTE
        | SectionFlags::C_IDENT;
    const RARE: u32 = SectionFlags::WRITE | SectionFlags::LINK_ORDER | SectionFlags::HAS_DEPENDENTS;
    let flags = section.flags;
    if flags.has(PASSED_OVER) || !flags.has(SectionFlags::ALLOC) || section.size == 0 {
        return false;
    }
    if flags.has(RARE) {
        // Read-only after relocation.
        let is_constant = section.class.is(known::DATA_REL_RO) && !flags.has(SectionFlags::EXEC);
        if flags.has(SectionFlags::WRITE) && !is_constant {
            return false;
        }
        // Other sections with SHF_LINK_ORDER are folded with the section they are linked to.
        if flags.has(SectionFlags::LINK_ORDER) && !section.class.is(known::GCC_EXCEPT_TABLE) {
            return false;
        }
    }
    input.frames.of_section(section).all(|fde| has_plain_table(input, fde))
}

/// Whether the exception table (LSDA) that an FDE refers to is in this output, so that the distance
/// to it is fixed and needs no dynamic relocation.
fn has_plain_table(input: &FoldInput<'_>, fde: &Fde) -> bool {
    if fde.reloc_count < 2 {
        return true;
    }
    let section = &input.definitions.sections[fde.input];
    let object = &input.objects[section.object];
    let direct = input.definitions.symbols_of(input.direct, section.object);
    let Machine { fold, loader, .. } = input.machine;
    input.frames.fde_relocs(object, section, fde)[1..].iter().all(|reloc| {
        let r_type = reloc.r_type();
        direct.get(reloc.symbol()).is_some_and(|direct| direct.section().is_some())
            && fold.dependence(r_type) == Dependence::Sum
            && !(input.shape.is_pic && r_type == loader.word)
    })
}

/// A hash of properties that equal sections share and that are cheap to read.
fn outline(input: &FoldInput<'_>, section: &InputSection) -> u64 {
    let mut hash = section.size;
    let mut mix = |value: u64| {
        hash = (hash ^ value).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        hash ^= hash >> 29;
    };
    mix(u64::from(section.rel_count) << 32 | u64::from(section.output()));
    for fde in input.frames.of_section(section) {
        mix(input.frames.cies[fde.cie].leader.into());
    }
    hash
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seen_tells_once_from_twice() {
        let seen = Seen::new(100);
        for key in [1, 2, 3, 2, 2, 2] {
            seen.add(key);
        }
        assert_eq!([1, 2, 3, 4].map(|key| seen.is_repeated(key)), [false, true, false, false]);
    }
}
