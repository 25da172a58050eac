//! Who hears of the sections that live ones refer to, while they are scanned.

use super::liveness::LIVE;
use super::scan::{ScanInput, ScanOutput};
use crate::arch::Target;
use crate::format::elf::Rela;
use crate::read::object_file::InputSection;
use crate::resolve::definitions::SectionId;
use skald_core::ids::IdSlice;
use std::sync::atomic::{AtomicU8, Ordering};

/// A machine's scan loop with a marker: it scans relocations of a section, which are those from an
/// index on.
pub type ScanLoop<M> =
    fn(&ScanInput<'_>, SectionId, &InputSection, &[Rela], u32, &mut ScanOutput, &mut M);

/// Who hears of it.
pub trait Marker: Sized {
    /// A live section refers to `section`.
    fn mark(&mut self, section: SectionId);

    /// The scan loop with this marker.
    fn scan_loop(target: &Target) -> ScanLoop<Self>;
}

/// Adds to the worklist what was not live before.
pub struct Follow<'a> {
    /// By section: 0 for what is not known to live.
    pub live: &'a IdSlice<SectionId, AtomicU8>,
    /// Sections to visit.
    pub stack: &'a mut Vec<SectionId>,
}

impl Marker for Follow<'_> {
    #[inline(always)]
    fn mark(&mut self, section: SectionId) {
        if claim(self.live, section) {
            self.stack.push(section);
        }
    }

    fn scan_loop(target: &Target) -> ScanLoop<Self> {
        target.scan
    }
}

/// Nothing to do: every section is visited in any case.
pub struct AllLive;

impl Marker for AllLive {
    #[inline(always)]
    fn mark(&mut self, _: SectionId) {}

    fn scan_loop(target: &Target) -> ScanLoop<Self> {
        target.scan_all
    }
}

/// Whether `section` has just become live. Its record is not looked at: it is far away, and comes
/// while others are visited.
#[inline(always)]
pub fn claim(live: &IdSlice<SectionId, AtomicU8>, section: SectionId) -> bool {
    let flag = &live[section];
    flag.load(Ordering::Relaxed) == 0 && flag.swap(LIVE, Ordering::Relaxed) == 0
}
