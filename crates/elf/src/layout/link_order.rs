//! The order of sections with SHF_LINK_ORDER by the addresses of the sections that they are linked
//! to (gABI, "SHF_LINK_ORDER"). [`super::collect`] sorts by the order of the statements, but a
//! script may give addresses in another order. As in GNU ld the load address decides, and sections
//! are sorted within their statement.

use super::collect::link_target;
use super::output_sections::{Content, OutputSections};
use crate::read::Objects;
use crate::read::object_file::SectionFlags;
use crate::resolve::definitions::{Definitions, SectionId};
use crate::script::section_names::OutputId;
use skald_core::ids::IdSlice;
use std::sync::atomic::{AtomicU64, Ordering};

/// The tables that decide the order.
pub struct LinkOrder<'a> {
    /// Section records.
    pub definitions: &'a Definitions,
    /// The objects that are linked.
    pub objects: &'a Objects,
    /// Addresses of input sections.
    pub addresses: &'a IdSlice<SectionId, AtomicU64>,
}

impl LinkOrder<'_> {
    /// Sorts linked sections by the addresses of the last round; returns whether any moved, so that
    /// offsets have to be computed again.
    pub fn restore(&self, outputs: &mut OutputSections) -> bool {
        let mut moved = false;
        for out in std::mem::take(&mut outputs.linked) {
            if let Some(position) = outputs.position_of(out)
                && let Some(sorted) = self.sorted(outputs, position)
                && let Content::Inputs { sections, .. } = &mut outputs.sections[position].content
            {
                *sections = sorted;
                moved = true;
            }
            outputs.linked.push(out);
        }
        moved
    }

    /// The inputs of an output section in link order, if that is not their current order.
    fn sorted(&self, outputs: &OutputSections, position: usize) -> Option<Vec<SectionId>> {
        let Content::Inputs { sections, .. } = &outputs.sections[position].content else {
            return None;
        };
        let flags = |id: SectionId| self.definitions.sections[id].flags;
        // Code that falls through into the next section stays before it.
        if sections.iter().any(|&id| flags(id).has(SectionFlags::FALLS_THROUGH)) {
            return None;
        }
        let is_linked = |id: SectionId| flags(id).has(SectionFlags::LINK_ORDER);
        let places = (0..sections.len()).filter(|&at| is_linked(sections[at]));
        let places: Vec<usize> = places.collect();
        let key = |&at: &usize| self.place_of_target(outputs, sections[at]);
        let keys: Vec<(bool, u64)> = places.iter().map(key).collect();
        if keys.is_sorted() {
            return None;
        }
        let mut order: Vec<usize> = (0..places.len()).collect();
        order.sort_by_key(|&at| keys[at]);
        let mut sorted = sections.clone();
        for (&place, from) in places.iter().zip(order) {
            sorted[place] = sections[places[from]];
        }
        Some(sorted)
    }

    /// The load address of the section that a section is linked to. Sections without such a target
    /// come last.
    fn place_of_target(&self, outputs: &OutputSections, id: SectionId) -> (bool, u64) {
        let target = link_target(self.definitions, self.objects, id);
        let Some(target) = target else { return (true, u64::MAX) };
        let address = self.addresses[target].load(Ordering::Relaxed);
        let out: OutputId = self.definitions.sections[target].output();
        let head = outputs.head_of(out).filter(|_| outputs.is_scripted);
        let to_load = head.map_or(0, |head| head.load_address.wrapping_sub(head.address));
        (false, address.wrapping_add(to_load))
    }
}
