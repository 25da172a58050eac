//! Marks the sections of a relocatable output: all, or with `--gc-sections` those that are reached
//! from the roots that options and scripts name.
//!
//! Relocations need nothing here, so a visit only follows them. `__start_` and `__stop_` symbols,
//! which the final link defines, keep their sets if they are referred to.

use crate::args::Options;
use crate::read::Objects;
use crate::read::object_file::SectionFlags;
use crate::resolve::definitions::{Definitions, SectionId};
use crate::resolve::extract::Extraction;
use crate::resolve::linker_symbols::originals::Originals;
use crate::resolve::names::references::ref_flags;
use crate::script::section_names::OutputId;
use crate::select::eh_frame::EhFrames;
use crate::select::group_rings::GroupRings;
use crate::select::liveness::{Liveness, StartStop, is_bound};
use crate::select::references::{EdgeTarget, ReferenceGraph};
use crate::select::roots;
use skald_core::diag::{Diag, WHOLE_LINK};
use skald_core::ids::Column;
use skald_core::par;
use skald_core::par::prelude::*;
use skald_core::perturb::shuffled;
use skald_core::unordered::UnorderedMap;
use std::sync::atomic::Ordering;

/// The tables that marking reads.
pub struct Marking<'a> {
    /// The objects that are taken, by id.
    pub objects: &'a Objects,
    /// Section records, and which definition each symbol refers to.
    pub definitions: &'a Definitions,
    /// Names that objects and the command line refer to.
    pub extraction: &'a Extraction,
    /// CIEs and FDEs of all inputs, with the sections that the FDEs describe.
    pub frames: &'a EhFrames,
    /// Sections that are kept or dropped together: members of one section group.
    pub rings: &'a GroupRings,
    /// A script lays out the output, and may have `KEEP`.
    pub is_laid_out: bool,
}

impl Marking<'_> {
    /// Marks sections, and the CIEs that live FDEs use.
    pub fn run(&self, options: &Options, diag: &Diag) -> Liveness {
        let live = Liveness {
            live: Column::zeroed(self.definitions.sections.len()),
            live_cies: Column::zeroed(self.frames.cies.len()),
            has_folded: false,
        };
        if options.gc_sections {
            self.follow(&live, options, diag);
        } else {
            self.keep(&live, |_, _| true);
        }
        self.frames.fdes.par_iter().with_min_len(1 << 12).for_each(|fde| {
            if live.is_live(fde.section) {
                let leader = self.frames.cies[fde.cie].leader;
                live.live_cies[leader].store(1, Ordering::Relaxed);
            }
        });
        live
    }

    fn keep(&self, live: &Liveness, wanted: impl Fn(SectionId, SectionFlags) -> bool + Sync) {
        let sections = self.definitions.sections.par_with_ids().with_min_len(1 << 14);
        sections.zip(live.live.par_iter()).for_each(|((id, section), live)| {
            if !section.flags.has(SectionFlags::DISCARDED) && wanted(id, section.flags) {
                live.store(1, Ordering::Relaxed);
            }
        });
    }

    fn follow(&self, live: &Liveness, options: &Options, diag: &Diag) {
        // Sections on which others depend (SHF_LINK_ORDER, FDEs) are visited, like roots.
        const VISITED: u32 = SectionFlags::HAS_DEPENDENTS | SectionFlags::RETAIN;
        let is_unbound = |id: SectionId, flags: SectionFlags| {
            !flags.has(SectionFlags::ALLOC) && !is_bound(flags, self.rings, id)
        };
        self.keep(live, |id, flags| {
            flags.has(SectionFlags::EH_FRAME) || is_unbound(id, flags) && !flags.has(VISITED)
        });
        let sections = &self.definitions.sections;
        let claim = |id: SectionId| {
            let live = &live.live[id];
            live.load(Ordering::Relaxed) == 0
                && !sections[id].flags.has(SectionFlags::DISCARDED)
                && live.swap(1, Ordering::Relaxed) == 0
        };
        let none = Originals::default();
        let mut seeds = roots::roots(self.definitions, self.extraction, options, &[], &none)
            .expect("--gc-sections is given");
        let is_kept_by_script = self.is_laid_out && !seeds.is_empty();
        if !is_kept_by_script && !options.gc_keep_exported && !self.names_a_root() {
            let text = "--gc-sections with -r needs a root: give -e, -u or --gc-keep-exported";
            diag.error(WHOLE_LINK, text);
            return;
        }
        seeds.extend(self.kept_by_name());
        seeds.extend(par::select(sections.len(), |id: SectionId| {
            let flags = sections[id].flags;
            flags.has(SectionFlags::HAS_DEPENDENTS) && is_unbound(id, flags)
        }));
        seeds.retain(|&id| claim(id));
        let start_stop = self.bounded_sections(options);
        let references = ReferenceGraph {
            objects: self.objects,
            definitions: self.definitions,
            frames: self.frames,
            start_stop: &start_stop,
            rings: self.rings,
        };
        par::worklist(
            seeds,
            || (),
            |_, _| (),
            |(), id, stack| {
                references.of(id, &mut |target| match target {
                    EdgeTarget::Section(section) if claim(section) => stack.push(section),
                    _ => {}
                });
            },
        );
    }

    /// Whether an option or a script names a root: `-e`, `-u`, `ENTRY`, `EXTERN`, assignments.
    fn names_a_root(&self) -> bool {
        let Extraction { names, refs, .. } = self.extraction;
        let all = refs.below(names.id_limit()).par_iter().with_min_len(1 << 14);
        all.any(|record| record.flags() & ref_flags::ROOT != 0)
    }

    /// Sections whose `__start_` or `__stop_` symbols are referred to.
    fn bounded_sections(&self, options: &Options) -> StartStop {
        let mut all = StartStop::default();
        if options.start_stop_gc {
            return all;
        }
        let names = &self.extraction.names;
        let mut sets: UnorderedMap<&[u8], Option<OutputId>> = UnorderedMap::new();
        let mut next = OutputId::default();
        for (id, section) in self.definitions.sections.with_ids() {
            let flags = section.flags;
            if !flags.has(SectionFlags::C_IDENT) || flags.has(SectionFlags::LINK_ORDER) {
                continue;
            }
            let text = self.objects[section.object].section_name(section.shndx);
            let set = *sets.entry(text).or_insert_with(|| {
                let bound = |prefix: &[u8]| names.find_text(&[prefix, text].concat());
                let bounds = [bound(b"__start_"), bound(b"__stop_")];
                let set = next;
                for name in bounds.iter().flatten() {
                    all.outputs.insert(*name, set);
                }
                next = set + 1;
                bounds.iter().any(Option::is_some).then_some(set)
            });
            all.sections.extend(set.map(|set| (set, id)));
        }
        shuffled(&mut all.sections).sort_unstable();
        all
    }

    /// Sections that the final link calls or finds by name.
    fn kept_by_name(&self) -> Vec<SectionId> {
        let keeps = |name: &[u8]| {
            matches!(name, b".init" | b".fini" | b".jcr" | b".ctors" | b".dtors")
                || name.starts_with(b".ctors.")
                || name.starts_with(b".dtors.")
        };
        let sections = self.definitions.sections.par_iter().enumerate();
        sections
            .filter(|(_, section)| {
                let flags = section.flags;
                if !flags.has(SectionFlags::ALLOC) || flags.has(SectionFlags::COMMON) {
                    return false;
                }
                keeps(self.objects[section.object].section_name(section.shndx))
            })
            .map(|(id, _)| SectionId::from_index(id))
            .collect()
    }
}
