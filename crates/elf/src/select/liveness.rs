//! Marks live sections and scans their relocations, in one visit of each section.
//!
//! With `--gc-sections` a parallel worklist starts from the roots (entry, exported names, what the
//! command line asks for, sections that must stay) and follows relocations; without it every
//! section is a root. A live section keeps its FDEs' language-specific data and personality
//! routine, the other members of its group, and sections linked to it by SHF_LINK_ORDER. Semantics
//! are lld's.

use super::eh_frame::EhFrames;
use super::group_rings::GroupRings;
use super::marker::{AllLive, FOLDED, Follow, LIVE, Marker, NEVER, ScanLoops, claim};
use super::references::{EdgeTarget, ReferenceGraph};
use super::release;
use super::scan::{ScanInput, ScanOutput};
use crate::read::object_file::{InputSection, SectionFlags};
use crate::resolve::definitions::{SectionId, Sections};
use crate::script::section_names::OutputId;
use crate::select::eh_frame::CieId;
use skald_core::column::prefetch;
use skald_core::ids::Column;
use skald_core::memory_limit::{self, Order};
use skald_core::names::NameId;
use skald_core::par::prelude::*;
use skald_core::par::{self, Step};
use skald_core::perturb::shuffled;
use skald_core::unordered::UnorderedMap;
use std::sync::atomic::{AtomicU8, Ordering};

/// Which sections and CIEs reach the output.
#[derive(Debug, Default)]
pub struct Liveness {
    /// By section: 0 for dead, [`LIVE`], [`FOLDED`] or [`NEVER`].
    pub live: Column<SectionId, AtomicU8>,
    /// By CIE, whether a live FDE uses it or an equal one.
    pub live_cies: Column<CieId, AtomicU8>,
    /// A section is folded, so that not every symbol's section is live.
    pub has_folded: bool,
}

impl Liveness {
    /// Whether a section reaches the output.
    #[inline(always)]
    pub fn is_live(&self, section: SectionId) -> bool {
        self.live[section].load(Ordering::Relaxed) == LIVE
    }

    /// Whether an equal section reaches the output in its place.
    #[inline(always)]
    pub fn is_folded(&self, section: SectionId) -> bool {
        self.live[section].load(Ordering::Relaxed) == FOLDED
    }

    /// Whether a section has an address, its own or that of its leader.
    #[inline(always)]
    pub fn has_address(&self, section: SectionId) -> bool {
        self.live[section].load(Ordering::Relaxed) & (LIVE | FOLDED) != 0
    }

    /// Whether a symbol in a section has an address in the output: the section has one, or its
    /// records are copied one by one, as those of `.eh_frame` are.
    #[inline(always)]
    pub fn has_symbols(&self, sections: &Sections, section: SectionId) -> bool {
        self.has_address(section) || is_of_records(&sections[section])
    }
}

#[cold]
fn is_of_records(section: &InputSection) -> bool {
    section.flags.has(SectionFlags::EH_FRAME) && !section.flags.has(SectionFlags::DISCARDED)
}

/// Sections kept alive by `__start_NAME` and `__stop_NAME`.
#[derive(Default)]
pub struct StartStop {
    /// By name id of a bound: output id of the section that it bounds.
    pub outputs: UnorderedMap<NameId, OutputId>,
    /// Output ids and the input sections that go there, sorted.
    pub sections: Vec<(OutputId, SectionId)>,
}

impl StartStop {
    /// The sections that a reference to a bound keeps.
    pub fn bounded_by(&self, name: NameId) -> impl Iterator<Item = SectionId> {
        let sections = self.outputs.get(&name).map_or(&[][..], |&out| {
            let from = self.sections.partition_point(|one| one.0 < out);
            &self.sections[from..]
        });
        let out = sections.first().map_or(OutputId::default(), |first| first.0);
        let own = sections.iter().take_while(move |one| one.0 == out);
        own.map(|one| one.1)
    }

    /// Whether the bound has any section.
    pub fn bounds(&self, name: NameId) -> bool {
        self.bounded_by(name).next().is_some()
    }
}

/// The tables that marking reads.
pub struct Marking<'a> {
    /// The tables for scanning relocations.
    pub scan: ScanInput<'a>,
    /// The machine's loops that scan them.
    pub loops: ScanLoops,
    /// FDEs, which are visited with the sections that they describe.
    pub frames: &'a EhFrames,
    /// Sections that `__start_` and `__stop_` symbols keep.
    pub start_stop: &'a StartStop,
    /// Members of section groups.
    pub rings: &'a GroupRings,
}

/// Marks and scans. `roots` is `None` if all sections are kept.
pub fn mark(marking: &Marking<'_>, roots: Option<Vec<SectionId>>) -> (Liveness, ScanOutput) {
    let liveness = Liveness {
        live: Column::zeroed(marking.scan.definitions.sections.len()),
        live_cies: Column::zeroed(marking.frames.cies.len()),
        has_folded: false,
    };
    let outputs = match roots {
        None => marking.keep_all(&liveness),
        Some(roots) => {
            memory_limit::visit(Order::Any);
            let outputs = marking.follow(&liveness, roots);
            memory_limit::visit(Order::Same);
            outputs
        }
    };
    release::dead_objects(marking.scan.objects, marking.scan.definitions, &liveness)
        .give_back_meanwhile();
    let mut joined = ScanOutput::default();
    for output in outputs {
        joined.absorb(output);
    }
    joined.settle_sizes(&marking.scan);
    joined.settle_weak_fields(&marking.scan);
    joined.settle_listed_words(&marking.scan);
    shuffled(&mut joined.local_needs).sort_unstable();
    shuffled(&mut joined.paged).sort_unstable();
    joined.paged.dedup();
    shuffled(&mut joined.placed).sort_unstable();
    joined.placed.dedup();
    shuffled(&mut joined.symbolic).sort_unstable();
    shuffled(&mut joined.kept_loads).sort_unstable();
    shuffled(&mut joined.problems).sort_unstable();
    (liveness, joined)
}

/// Whether a section that is not loaded is kept or dropped with another one.
pub fn is_bound(flags: SectionFlags, rings: &GroupRings, id: SectionId) -> bool {
    flags.has(SectionFlags::LINK_ORDER)
        || flags.has(SectionFlags::GROUP) && rings.next(id).is_some()
}

/// Size of a cache line in bytes.
const CACHE_LINE: usize = 64;

/// Sections in one task of a scan of all sections.
const CHUNK: usize = 2048;

impl<'a> Marking<'a> {
    /// The graph of references, without scanning.
    pub fn references(&self) -> ReferenceGraph<'a> {
        ReferenceGraph {
            objects: self.scan.objects,
            definitions: self.scan.definitions,
            frames: self.frames,
            start_stop: self.start_stop,
            rings: self.rings,
        }
    }

    fn keep_all(&self, liveness: &Liveness) -> Vec<ScanOutput> {
        let sections = &self.scan.definitions.sections;
        sections
            .par_parts(CHUNK)
            .map(|(first, records)| {
                let mut out = ScanOutput::default();
                for (id, section) in first.onward().zip(records) {
                    if section.flags.has(SectionFlags::DISCARDED) {
                        continue;
                    }
                    // `.eh_frame` is visited record by record, with the sections that FDEs
                    // describe.
                    if section.flags.has(SectionFlags::EH_FRAME) {
                        continue;
                    }
                    liveness.live[id].store(LIVE, Ordering::Relaxed);
                    if section.flags.has(SectionFlags::ALLOC) {
                        self.visit(liveness, &mut out, id, &mut AllLive);
                    }
                }
                out
            })
            .collect()
    }

    fn follow(&self, liveness: &Liveness, roots: Vec<SectionId>) -> Vec<ScanOutput> {
        let mut seeds = roots;
        seeds.extend(self.prepare(liveness));
        let seeds = seeds.into_par_iter().with_min_len(CHUNK);
        let seeds = seeds.filter(|&id| claim(&liveness.live, id)).collect();
        let approach = |&id: &SectionId, step| self.prefetch(id, step);
        par::worklist(seeds, ScanOutput::default, approach, |out, id, stack| {
            self.visit(liveness, out, id, &mut Follow { live: &liveness.live, stack });
        })
    }

    /// Prefetches the parts of a section that a visit reads first.
    #[inline(always)]
    fn prefetch(&self, id: SectionId, step: Step) {
        let sections = &self.scan.definitions.sections;
        if step == Step::First {
            return sections.prefetch(id);
        }
        let section = &sections[id];
        let data = self.scan.objects[section.object].mapped.data;
        prefetch(data, section.rel_offset as usize);
        prefetch(data, section.rel_offset as usize + CACHE_LINE);
        prefetch(data, section.data_offset as usize);
        prefetch(&self.frames.fdes, section.fde_head.word() as usize);
    }

    /// Marks sections that are never visited. Sections that are not loaded are marked live, unless
    /// they belong to a group or section that may be dropped. Returns those that keep other
    /// sections, which must be visited.
    fn prepare(&self, liveness: &Liveness) -> Vec<SectionId> {
        const UNMARKED: u32 = SectionFlags::DISCARDED | SectionFlags::EH_FRAME;
        const VISITED: u32 = SectionFlags::ALLOC | SectionFlags::RETAIN;
        let sections = &self.scan.definitions.sections;
        par::select(sections.len(), |id: SectionId| {
            let flags = sections[id].flags;
            if flags.has(UNMARKED) {
                liveness.live[id].store(NEVER, Ordering::Relaxed);
                return false;
            }
            if flags.has(VISITED) || is_bound(flags, self.rings, id) {
                return false;
            }
            if !flags.has(SectionFlags::HAS_DEPENDENTS) {
                liveness.live[id].store(LIVE, Ordering::Relaxed);
            }
            flags.has(SectionFlags::HAS_DEPENDENTS)
        })
    }

    fn visit<M: Marker>(
        &self,
        liveness: &Liveness,
        out: &mut ScanOutput,
        id: SectionId,
        marker: &mut M,
    ) {
        let section = self.scan.section(id);
        if section.flags.has(SectionFlags::ALLOC) {
            let object = &self.scan.objects[section.object];
            object.at_work();
            if section.flags.has(SectionFlags::REL_IN_PLACE) {
                let loops = self.loops.in_place.expect("a machine with such relocations has them");
                let scan = M::scan_in_place(&loops);
                scan(&self.scan, id, section, object.rel_in_place(section), out, marker);
            } else {
                let scan = M::scan_loop(&self.loops);
                scan(&self.scan, id, section, object.relocs(section), 0, out, marker);
            }
        } else {
            self.references().of_unloaded(section, &mut |target| {
                if let EdgeTarget::Section(target) = target {
                    marker.mark(target);
                }
            });
        }
        for fde in self.frames.of_section(section) {
            self.visit_fde(liveness, out, fde, marker);
        }
        self.references().bound_to(id, section, &mut |section| marker.mark(section));
        while let Some(name) = out.started.pop() {
            self.start_stop.bounded_by(name).for_each(|section| marker.mark(section));
        }
    }

    fn visit_fde<M: Marker>(
        &self,
        liveness: &Liveness,
        out: &mut ScanOutput,
        fde: &super::eh_frame::Fde,
        marker: &mut M,
    ) {
        let skipped = self.frames.first_scanned(fde);
        if fde.reloc_count > skipped {
            let input = self.scan.section(fde.input);
            let object = &self.scan.objects[input.object];
            let relocs = &self.frames.fde_relocs(object, input, fde)[skipped as usize..];
            let first = fde.first_reloc + skipped;
            let scan = M::scan_loop(&self.loops);
            scan(&self.scan, fde.input, input, relocs, first, out, marker);
        }
        let leader = self.frames.cies[fde.cie].leader;
        let live = &liveness.live_cies[leader];
        if live.load(Ordering::Relaxed) != 0 || live.swap(1, Ordering::Relaxed) != 0 {
            return;
        }
        let cie = &self.frames.cies[leader];
        let input = self.scan.section(cie.input);
        let object = &self.scan.objects[input.object];
        let relocs = self.frames.cie_relocs(object, input, cie);
        let scan = M::scan_loop(&self.loops);
        scan(&self.scan, cie.input, input, relocs, cie.first_reloc, out, marker);
    }
}
