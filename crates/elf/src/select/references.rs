//! The references of a section: the edges that marking follows, for reports of why a section is
//! live. Marking itself walks them while it scans ([`super::liveness`]), with loops that know the
//! machine; this is the same graph without the scanning.

use super::eh_frame::EhFrames;
use super::group_rings::GroupRings;
use super::liveness::StartStop;
use crate::format::elf::Rela;
use crate::read::object_file::{InputSection, SectionFlags};
use crate::read::{ObjectId, Objects};
use crate::resolve::definitions::{Definitions, SectionId};
use skald_core::ids::Column;
use skald_core::names::NameId;
use std::collections::VecDeque;

/// A section with any of these keeps what it refers to even if it is not loaded.
pub const KEEPING: u32 = SectionFlags::RETAIN | SectionFlags::GROUP | SectionFlags::LINK_ORDER;

/// The target of an edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EdgeTarget {
    /// An input section.
    Section(SectionId),
    /// A name, by id. If it is defined in this output, its section follows as an edge of its own.
    Name(NameId),
}

/// The tables that edges are read from.
#[derive(Clone, Copy)]
pub struct ReferenceGraph<'a> {
    /// The objects that are linked.
    pub objects: &'a Objects,
    /// Section records, what each symbol refers to, and the definition of each name.
    pub definitions: &'a Definitions,
    /// FDEs, which refer to exception tables and personality routines.
    pub frames: &'a EhFrames,
    /// Sections that `__start_NAME` and `__stop_NAME` keep.
    pub start_stop: &'a StartStop,
    /// Members of section groups.
    pub rings: &'a GroupRings,
}

impl ReferenceGraph<'_> {
    /// Calls `found` with every edge of a section, in the order in which marking follows them;
    /// targets with several references come several times.
    pub fn of(&self, id: SectionId, found: &mut impl FnMut(EdgeTarget)) {
        let section = &self.definitions.sections[id];
        let Some(object) = self.objects.get(section.object) else { return };
        // FDEs are followed from the sections that they describe.
        if section.flags.has(SectionFlags::COMMON | SectionFlags::EH_FRAME) {
            return;
        }
        if section.flags.has(SectionFlags::ALLOC) {
            self.relocations(section.object, object.relocs(section), found);
        } else {
            self.of_unloaded(section, found);
        }
        for fde in self.frames.of_section(section) {
            let input = &self.definitions.sections[fde.input];
            let owner = &self.objects[input.object];
            let skipped = self.frames.first_scanned(fde).min(fde.reloc_count) as usize;
            let relocs = &self.frames.fde_relocs(owner, input, fde)[skipped..];
            self.relocations(input.object, relocs, found);
            let leader = self.frames.cies[fde.cie].leader;
            let cie = &self.frames.cies[leader];
            let input = &self.definitions.sections[cie.input];
            let owner = &self.objects[input.object];
            self.relocations(input.object, self.frames.cie_relocs(owner, input, cie), found);
        }
        self.bound_to(id, section, &mut |section| found(EdgeTarget::Section(section)));
    }

    /// Calls `found` with sections that are kept together with a section: the next member of its
    /// group, and sections that are linked to it by SHF_LINK_ORDER.
    #[inline(always)]
    pub fn bound_to(
        &self,
        id: SectionId,
        section: &InputSection,
        found: &mut impl FnMut(SectionId),
    ) {
        if section.flags.has(SectionFlags::GROUP)
            && let Some(other) = self.rings.next(id)
        {
            found(other);
        }
        if section.flags.has(SectionFlags::HAS_DEPENDENTS) {
            let object = &self.objects[section.object];
            self.definitions.linked_to(id, object).for_each(found);
        }
    }

    /// Calls `found` with the sections that a section which is not loaded keeps. Debug information
    /// and the like keep nothing. Sections with SHF_GNU_RETAIN, or bound to loaded sections, do, as
    /// in lld and GNU ld.
    pub fn of_unloaded(&self, section: &InputSection, found: &mut impl FnMut(EdgeTarget)) {
        if section.flags.has(KEEPING) {
            let object = &self.objects[section.object];
            self.relocations(section.object, object.relocs(section), found);
        }
    }

    fn relocations(&self, object: ObjectId, relocs: &[Rela], found: &mut impl FnMut(EdgeTarget)) {
        let targets = self.definitions.targets_of(object);
        for reloc in relocs {
            let Some(&target) = targets.get(reloc.symbol()) else { continue };
            if let Some(name) = target.name() {
                found(EdgeTarget::Name(name));
                let bounded = self.start_stop.bounded_by(name);
                bounded.for_each(|section| found(EdgeTarget::Section(section)));
            }
            if let Some(section) = self.definitions.section_of(target) {
                found(EdgeTarget::Section(section));
            }
        }
    }

    /// By section that is reached from `roots`: its predecessor on a shortest path; a root is its
    /// own predecessor.
    pub fn parents(&self, roots: &[SectionId]) -> Column<SectionId, Option<SectionId>> {
        let sections = &self.definitions.sections;
        let unmarked = SectionFlags::DISCARDED | SectionFlags::EH_FRAME;
        let mut parents = Column::filled(None, sections.len());
        let mut queue = VecDeque::new();
        let mut reach = |queue: &mut VecDeque<SectionId>, section: SectionId, from: SectionId| {
            let parent = &mut parents[section];
            if parent.is_none() && !sections[section].flags.has(unmarked) {
                *parent = Some(from);
                queue.push_back(section);
            }
        };
        roots.iter().for_each(|&root| reach(&mut queue, root, root));
        while let Some(current) = queue.pop_front() {
            self.of(current, &mut |target| {
                if let EdgeTarget::Section(section) = target {
                    reach(&mut queue, section, current);
                }
            });
        }
        parents
    }
}
