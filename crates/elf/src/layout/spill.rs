//! Finds sections that do not fit into their memory region and that another statement can take.
//!
//! GNU ld puts a section into the first output section with room for it while it assigns addresses.
//! Here, if an output section goes past the end of its region, its last inputs are removed until
//! the others fit, which has the same result. As with lld, inputs that can move do so in place of
//! those that cannot.

use super::items::{BodyPart, Layout};
use super::output_sections::{Content, OutputSections};
use super::walk::Walk;
use crate::read::Objects;
use crate::resolve::definitions::{Definitions, SectionId};
use crate::resolve::outputs::spills::SpillRules;
use crate::script::section_names::OutputId;
use crate::select::merge::{GroupId, MergedSections};
use skald_core::ids::IdSlice;
use std::sync::atomic::{AtomicU64, Ordering};

/// An input that moves to another statement.
#[derive(Debug, Clone, Copy)]
pub enum Spilled {
    /// An input section.
    Section(SectionId),
    /// The sections of a merged group.
    Group(GroupId),
}

/// A section or group, with the output id of the statement that takes it now.
pub type Spill = (Spilled, OutputId);

/// The tables that spilled sections are found in.
pub struct SpillInput<'a> {
    /// The last walk through the layout.
    pub walk: &'a Walk,
    /// The layout that was walked through.
    pub layout: &'a Layout,
    /// The output sections.
    pub outputs: &'a OutputSections,
    /// Sizes of sections.
    pub definitions: &'a Definitions,
    /// Merged groups.
    pub merged: &'a MergedSections,
    /// Addresses of input sections.
    pub addresses: &'a IdSlice<SectionId, AtomicU64>,
    /// Where the statements of the script allow a section to go.
    pub rules: &'a SpillRules<'a>,
    /// The objects that contain the sections.
    pub objects: &'a Objects,
}

/// An input of an output section, at offsets from its start.
struct Placed {
    what: Spilled,
    /// The input section whose patterns decide where it may go.
    section: SectionId,
    start: u64,
    end: u64,
}

impl SpillInput<'_> {
    /// The inputs that have to leave the first region that is too small; none if all regions have
    /// room, or nothing can move.
    pub fn find(&self) -> Vec<Spill> {
        let mut spills = Vec::new();
        let fills = self.walk.overflow();
        let Some(mut excess) = fills.first().map(|fill| fill.excess) else { return spills };
        for fill in fills {
            let parts = self.layout.headings[fill.heading].body.iter().rev();
            for part in parts {
                let BodyPart::Part(part) = part else { continue };
                self.take_out(*part, &mut excess, &mut spills);
                if excess == 0 {
                    return spills;
                }
            }
        }
        spills
    }

    /// Removes the last inputs of a part until it is no longer in excess.
    fn take_out(&self, part: usize, excess: &mut u64, spills: &mut Vec<Spill>) {
        let inputs = self.inputs(part);
        let mut is_last = true;
        for (at, input) in inputs.iter().enumerate().rev() {
            let size = input.end - input.start;
            if size == 0 {
                continue;
            }
            let next = self.rules.next(self.objects, self.definitions, input.section);
            let Some(to) = next else {
                is_last = false;
                continue;
            };
            spills.push((input.what, to));
            // The gap before the last input goes with it.
            let before = at.checked_sub(1).map_or(0, |before| inputs[before].end);
            let freed = if is_last { input.end.saturating_sub(before) } else { size };
            *excess = excess.saturating_sub(freed);
            if *excess == 0 {
                return;
            }
        }
    }

    fn inputs(&self, part: usize) -> Vec<Placed> {
        let output = &self.outputs.sections[part];
        let Content::Inputs { groups, sections, .. } = &output.content else { return Vec::new() };
        let groups = groups.iter().filter_map(|part| {
            let (id, start) = (part.group, part.offset);
            let group = &self.merged.groups[id];
            let &first = group.members.first()?;
            let section = self.merged.members[first].section;
            let end = start.saturating_add(group.size);
            Some(Placed { what: Spilled::Group(id), section, start, end })
        });
        let sections = sections.iter().map(|&section| {
            let address = self.addresses[section].load(Ordering::Relaxed);
            let start = address.wrapping_sub(output.address);
            let end = start.saturating_add(self.definitions.sections[section].size);
            Placed { what: Spilled::Section(section), section, start, end }
        });
        let mut all: Vec<Placed> = groups.chain(sections).collect();
        // Merged content may stand between sections.
        all.sort_by_key(|placed| placed.start);
        all
    }
}
