//! Marking what is alive and scanning it, in one visit a section.
//!
//! With `--gc-sections` a parallel worklist starts from the roots (entry, exported names, what the
//! command line asks for, sections that must stay) and follows relocations; without it every
//! section is a root. A section brings its FDEs' language-specific data and personality, the other
//! members of its group, and sections linked to it by SHF_LINK_ORDER. Semantics are lld's.

use super::eh_frame::EhFrames;
use super::scan::{ScanInput, ScanOutput};
use crate::arch::x86_64::scan::{scan_range, scan_section};
use crate::read::object_file::{NONE, SectionFlags};
use crate::resolve::definitions::SectionId;
use rayon::prelude::*;
use skald_core::column::{prefetch, zeroed};
use skald_core::par;
use std::collections::HashMap;
use std::sync::atomic::{AtomicU8, Ordering};

/// What is alive.
#[derive(Debug, Default)]
pub struct Liveness {
    /// By section: reaches the output.
    pub live: Vec<AtomicU8>,
    /// By CIE: some live FDE uses it (or one equal to it).
    pub live_cies: Vec<AtomicU8>,
}

impl Liveness {
    /// Whether a section reaches the output.
    #[inline(always)]
    pub fn is_live(&self, section: SectionId) -> bool {
        self.live[section as usize].load(Ordering::Relaxed) != 0
    }
}

/// Sections kept alive by `__start_NAME` and `__stop_NAME`, by those symbols' name ids.
pub type StartStop = HashMap<u32, Vec<SectionId>>;

/// Everything that marking reads.
pub struct Marking<'a> {
    /// What relocations are scanned with.
    pub scan: ScanInput<'a>,
    /// Exception frames.
    pub frames: &'a EhFrames,
    /// See [`StartStop`].
    pub start_stop: &'a StartStop,
    /// Next member of a section's group (a ring), 0 for none; by section.
    pub group_next: &'a [u32],
}

/// Marks and scans. `roots` is `None` when everything is kept.
pub fn mark(marking: &Marking<'_>, roots: Option<Vec<SectionId>>) -> (Liveness, ScanOutput) {
    let liveness = Liveness {
        live: zeroed(marking.scan.definitions.sections.len()),
        live_cies: zeroed(marking.frames.cies.len()),
    };
    let outputs = match roots {
        None => marking.keep_all(&liveness),
        Some(roots) => marking.follow(&liveness, roots),
    };
    let mut joined = ScanOutput::default();
    for output in outputs {
        joined.absorb(output);
    }
    joined.local_needs.sort_unstable();
    joined.symbolic.sort_unstable();
    joined.problems.sort_unstable();
    (liveness, joined)
}

/// Sections that one task of an exhaustive scan visits.
const CHUNK: usize = 2048;

impl Marking<'_> {
    fn keep_all(&self, liveness: &Liveness) -> Vec<ScanOutput> {
        let sections = &self.scan.definitions.sections;
        sections
            .par_chunks(CHUNK)
            .enumerate()
            .map(|(chunk, records)| {
                let mut out = ScanOutput::default();
                for (id, section) in (chunk * CHUNK..).zip(records) {
                    if section.flags.has(SectionFlags::DISCARDED) {
                        continue;
                    }
                    // Exception frames live by the sections that they describe.
                    if section.flags.has(SectionFlags::EH_FRAME) {
                        continue;
                    }
                    liveness.live[id].store(1, Ordering::Relaxed);
                    if section.flags.has(SectionFlags::ALLOC) {
                        self.visit(liveness, &mut out, id as u32, |_| {});
                    }
                }
                out
            })
            .collect()
    }

    fn follow(&self, liveness: &Liveness, roots: Vec<SectionId>) -> Vec<ScanOutput> {
        let sections = &self.scan.definitions.sections;
        self.keep_unloaded(liveness);
        let unmarked = SectionFlags::DISCARDED | SectionFlags::EH_FRAME;
        let claim = |id: SectionId| {
            let live = &liveness.live[id as usize];
            live.load(Ordering::Relaxed) == 0
                && !sections[id as usize].flags.has(unmarked)
                && live.swap(1, Ordering::Relaxed) == 0
        };
        let seeds: Vec<SectionId> = roots.into_iter().filter(|&id| claim(id)).collect();
        par::worklist(seeds, ScanOutput::default, |out, id, stack| {
            if let Some(&next) = stack.last() {
                prefetch(sections, next as usize);
            }
            self.visit(liveness, out, id, |target| {
                if claim(target) {
                    stack.push(target);
                }
            });
        })
    }

    /// Sections that are not loaded stay, unless they belong to something that may go.
    fn keep_unloaded(&self, liveness: &Liveness) {
        let bound = SectionFlags::ALLOC
            | SectionFlags::DISCARDED
            | SectionFlags::GROUP
            | SectionFlags::LINK_ORDER;
        let sections = &self.scan.definitions.sections;
        sections.par_iter().with_min_len(1 << 14).zip(&liveness.live).for_each(
            |(section, live)| {
                let flags = section.flags;
                if !flags.has(bound) {
                    live.store(1, Ordering::Relaxed);
                }
            },
        );
    }

    fn visit(
        &self,
        liveness: &Liveness,
        out: &mut ScanOutput,
        id: SectionId,
        mut mark: impl FnMut(SectionId),
    ) {
        let section = self.scan.section(id);
        if section.flags.has(SectionFlags::ALLOC) {
            scan_section(&self.scan, id, out, &mut mark);
        }
        let mut next = section.fde_head;
        while next != NONE {
            let fde = &self.frames.fdes[next as usize];
            next = fde.next;
            self.visit_fde(liveness, out, fde, &mut mark);
        }
        if section.flags.has(SectionFlags::GROUP) {
            let other = self.group_next.get(id as usize).copied().unwrap_or(0);
            if other != 0 {
                mark(other);
            }
        }
        if section.flags.has(SectionFlags::HAS_DEPENDENTS) {
            let object = &self.scan.objects[section.object as usize];
            let base = self.scan.definitions.section_base[section.object as usize];
            let own = id - base;
            let first = object.dependents.partition_point(|d| d.0 < own);
            for dependent in object.dependents[first..].iter().take_while(|d| d.0 == own) {
                mark(base + dependent.1);
            }
        }
        for name in std::mem::take(&mut out.started) {
            for &section in self.start_stop.get(&name).into_iter().flatten() {
                mark(section);
            }
        }
    }

    fn visit_fde(
        &self,
        liveness: &Liveness,
        out: &mut ScanOutput,
        fde: &super::eh_frame::Fde,
        mark: &mut impl FnMut(SectionId),
    ) {
        let input = self.scan.section(fde.input);
        let object = &self.scan.objects[input.object as usize];
        // The first relocation is the address of the section that is being visited.
        let relocs = &self.frames.fde_relocs(object, input, fde)[1..];
        scan_range(&self.scan, fde.input, relocs, fde.first_reloc + 1, out, &mut *mark);
        let leader = self.frames.cies[fde.cie as usize].leader;
        let live = &liveness.live_cies[leader as usize];
        if live.load(Ordering::Relaxed) != 0 || live.swap(1, Ordering::Relaxed) != 0 {
            return;
        }
        let cie = &self.frames.cies[leader as usize];
        let input = self.scan.section(cie.input);
        let object = &self.scan.objects[input.object as usize];
        let relocs = self.frames.cie_relocs(object, input, cie);
        scan_range(&self.scan, cie.input, relocs, cie.first_reloc, out, &mut *mark);
    }
}
