//! What marking does with a section that a live one refers to, while relocations are scanned.

use super::scan::{ScanInput, ScanOutput};
use crate::format::elf::Rela;
#[cfg(doc)]
use crate::machine::Machine;
use crate::read::object_file::InputSection;
use crate::read::rel_in_place::InPlace;
use crate::resolve::definitions::SectionId;
use skald_core::ids::IdSlice;
use std::sync::atomic::{AtomicU8, Ordering};

/// The section reaches the output.
pub const LIVE: u8 = 1;
/// An equal section is in the output instead (`--icf`), and has this one's symbols.
pub const FOLDED: u8 = 2;
/// The section is not marked as a whole: it is discarded, or kept record by record (`.eh_frame`).
pub const NEVER: u8 = 4;

/// A machine's scan loop for a marker: scans the relocations of a section from an index on.
pub type ScanLoop<M> =
    fn(&ScanInput<'_>, SectionId, &InputSection, &[Rela], u32, &mut ScanOutput, &mut M);

/// The same for relocations that stay in their file. All of a section are scanned.
pub type ScanInPlace<M> =
    fn(&ScanInput<'_>, SectionId, &InputSection, InPlace<'_>, &mut ScanOutput, &mut M);

/// The scan loops of a machine, one for each marker.
#[derive(Debug, Clone, Copy)]
pub struct ScanLoops {
    /// With `--gc-sections`: references are followed.
    pub follow: for<'f> fn(
        &ScanInput<'_>,
        SectionId,
        &InputSection,
        &[Rela],
        u32,
        &mut ScanOutput,
        &mut Follow<'f>,
    ),
    /// Without `--gc-sections`: everything is live.
    pub all: ScanLoop<AllLive>,
    /// For relocations that stay in their file; `None` where none do
    /// ([`Machine::has_rel_in_place`]).
    pub in_place: Option<ScanLoopsInPlace>,
}

/// The scan loops for relocations that stay in their file.
#[derive(Debug, Clone, Copy)]
pub struct ScanLoopsInPlace {
    /// With `--gc-sections`.
    pub follow: for<'f> fn(
        &ScanInput<'_>,
        SectionId,
        &InputSection,
        InPlace<'_>,
        &mut ScanOutput,
        &mut Follow<'f>,
    ),
    /// Without `--gc-sections`.
    pub all: ScanInPlace<AllLive>,
}

/// Receives each section that a scanned relocation refers to.
pub trait Marker: Sized {
    /// A live section refers to `section`.
    fn mark(&mut self, section: SectionId);

    /// The machine's scan loop compiled for this marker.
    fn scan_loop(loops: &ScanLoops) -> ScanLoop<Self>;

    /// The same for relocations that stay in their file.
    fn scan_in_place(loops: &ScanLoopsInPlace) -> ScanInPlace<Self>;
}

/// Marks sections that were not live before, and adds them to the worklist.
pub struct Follow<'a> {
    /// By section: 0 if it is not known to be live.
    pub live: &'a IdSlice<SectionId, AtomicU8>,
    /// The worklist: sections to be visited.
    pub stack: &'a mut Vec<SectionId>,
}

impl Marker for Follow<'_> {
    #[inline(always)]
    fn mark(&mut self, section: SectionId) {
        if claim(self.live, section) {
            self.stack.push(section);
        }
    }

    fn scan_loop(loops: &ScanLoops) -> ScanLoop<Self> {
        loops.follow
    }

    fn scan_in_place(loops: &ScanLoopsInPlace) -> ScanInPlace<Self> {
        loops.follow
    }
}

/// Does nothing: every section is visited in any case.
pub struct AllLive;

impl Marker for AllLive {
    #[inline(always)]
    fn mark(&mut self, _: SectionId) {}

    fn scan_loop(loops: &ScanLoops) -> ScanLoop<Self> {
        loops.all
    }

    fn scan_in_place(loops: &ScanLoopsInPlace) -> ScanInPlace<Self> {
        loops.all
    }
}

/// Marks `section`; returns whether it was not live before. The section's record is not read here:
/// it is rarely in the cache, and is prefetched while other sections are visited.
#[inline(always)]
pub fn claim(live: &IdSlice<SectionId, AtomicU8>, section: SectionId) -> bool {
    let flag = &live[section];
    flag.load(Ordering::Relaxed) == 0 && flag.swap(LIVE, Ordering::Relaxed) == 0
}
