//! How sections whose code shrinks are written.
//!
//! The machine says which bytes can go and how the instructions before them become shorter. The
//! machine's apply loop then sees such a section as if it had been compiled that way: without the
//! deleted bytes, and with its relocations at their new offsets.

use super::image::Image;
use crate::format::elf::Rela;
use crate::layout::deletions::{Deleted, Deletion};
use crate::resolve::definitions::SectionId;
use crate::select::shrinkable::MostLost;

/// How code of a machine shrinks.
pub struct Shrinking {
    /// Which sections may lose bytes.
    pub most_lost: MostLost,
    /// Finds all bytes that a section can lose, given the current addresses. An instruction that
    /// was made short stays short; padding for alignment may come back.
    pub find: fn(&Image<'_>, &ShrinkSite<'_>) -> Deleted,
    /// Makes the instruction at a deletion short, and its relocation that of the short form, in a
    /// copy of the whole section that still has the deleted bytes. Offsets and number of
    /// relocations stay.
    pub shorten: fn(&mut [u8], &mut [Rela], Deletion),
}

/// A section that is to lose bytes.
pub struct ShrinkSite<'a> {
    /// The section.
    pub section: SectionId,
    /// Its relocations as the object has them.
    pub relocs: &'a [Rela],
    /// The bytes that it has lost so far.
    pub deleted: &'a Deleted,
    /// Whether more instructions may become short.
    pub may_shorten: bool,
    /// By how much distances may still grow.
    pub slack: Slack,
}

/// By how much distances may still grow while code shrinks. Deletions between two places bring the
/// places together. But a section aligned to N bytes moves in steps of N, so the gap before it can
/// grow, by up to N-1 bytes less what the other place allows. If several alignments are between,
/// only the greatest counts, because the others divide it.
#[derive(Debug, Clone, Copy)]
pub struct Slack {
    /// Between places in one output section.
    pub within: u64,
    /// Between output sections: one may stay where it is while the other moves by all the bytes
    /// that can go.
    pub across: u64,
    /// Between places behind all code that may still lose bytes.
    pub of_data: u64,
}

impl ShrinkSite<'_> {
    /// The longest distance that a branch of the section may ever have to its target. The distance
    /// is `distance` now; `home` is the target's section.
    pub fn farthest(&self, image: &Image<'_>, home: Option<SectionId>, distance: i64) -> u64 {
        let sections = &image.definitions.sections;
        let own = sections[self.section].output();
        let slack = match home {
            Some(home) if sections[home].output() == own => self.slack.within,
            _ => self.slack.across,
        };
        distance.unsigned_abs().saturating_add(slack)
    }
}

/// A section as it would be if compiled without the deleted bytes.
#[derive(Debug, Default)]
pub struct Shortened {
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// Its relocations, as many as the object has.
    pub relocs: Vec<Rela>,
}

impl Shortened {
    /// Loads a section that may lose bytes. The buffers are reused from section to section.
    pub fn take(&mut self, image: &Image<'_>, id: SectionId) {
        let section = &image.definitions.sections[id];
        let object = &image.objects[section.object];
        self.bytes.clear();
        self.bytes.extend_from_slice(object.bytes(section));
        self.relocs.clear();
        self.relocs.extend_from_slice(object.relocs(section));
        let (Some(shrinking), Some(deleted)) = (image.shrinking, image.deletions.of(id)) else {
            return;
        };
        for deletion in deleted.iter() {
            (shrinking.shorten)(&mut self.bytes, &mut self.relocs, deletion);
        }
        deleted.remove_from(&mut self.bytes);
        for reloc in &mut self.relocs {
            reloc.set_r_offset(deleted.moved(reloc.r_offset()));
        }
    }
}
