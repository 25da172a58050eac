//! Offsets of input sections in their output sections, then addresses.
//!
//! Output sections are independent, so each is one task; within one the offsets follow from the
//! one before.

use super::islands::Island;
use super::order::padding::{Gaps, Padding};
use super::output_sections::{Content, OutputSection, OutputSections};
use crate::resolve::definitions::{Definitions, SectionId};
use crate::select::fold::Folds;
use crate::select::merge::MergedSections;
use skald_core::align::align_up;
use skald_core::ids::IdSlice;
use skald_core::par::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering};

/// Gives every section its offset (in `addresses`, by section id) and every output section its
/// size.
pub fn place_sections(
    outputs: &mut OutputSections,
    definitions: &Definitions,
    merged: &MergedSections,
    padding: Option<&Padding>,
    addresses: &IdSlice<SectionId, AtomicU64>,
) {
    outputs.sections.par_iter_mut().with_max_len(1).enumerate().for_each(|(position, output)| {
        let gaps = padding.map(|padding| padding.of(position, output));
        place_in(output, definitions, merged, gaps, addresses);
    });
}

/// Places what is in one part of an output section that starts at an address, each input aligned
/// as it asks, or all as they are told; returns the size.
pub fn place_part(
    output: &mut OutputSection,
    definitions: &Definitions,
    merged: &MergedSections,
    addresses: &IdSlice<SectionId, AtomicU64>,
    (start, align): (u64, Option<u64>),
) -> u64 {
    let Content::Inputs { groups, sections, islands, .. } = &mut output.content else {
        return output.size;
    };
    let align_log2 = align.map(|align| align.max(1).ilog2() as u8);
    let align_up = |end: u64, own: u8| align_up(end, align_log2.unwrap_or(own));
    let mut islands = islands.iter_mut().peekable();
    let mut end = start;
    for (group, offset) in groups {
        let group = &merged.groups[*group];
        end = align_up(end, group.align_log2);
        *offset = end - start;
        for &member in &group.members {
            addresses[merged.members[member].section].store(*offset, Ordering::Relaxed);
        }
        end = end.saturating_add(group.size);
    }
    for (i, &id) in sections.iter().enumerate() {
        if let Some(island) = islands.next_if(|island| island.before == i) {
            end = start + place_island(island, end - start);
        }
        let section = &definitions.sections[id];
        end = align_up(end, section.align_log2);
        addresses[id].store(end - start, Ordering::Relaxed);
        end = end.saturating_add(section.size);
    }
    if let Some(island) = islands.next() {
        end = start + place_island(island, end - start);
    }
    end - start
}

fn place_in(
    output: &mut OutputSection,
    definitions: &Definitions,
    merged: &MergedSections,
    mut gaps: Option<Gaps>,
    addresses: &IdSlice<SectionId, AtomicU64>,
) {
    let Content::Inputs { groups, sections, islands, .. } = &mut output.content else { return };
    let mut islands = islands.iter_mut().peekable();
    let mut end = gaps.as_ref().map_or(0, |gaps| gaps.start);
    for (group, start) in groups {
        let group = &merged.groups[*group];
        *start = align_up(end, group.align_log2);
        for &member in &group.members {
            let section = merged.members[member].section;
            addresses[section].store(*start, Ordering::Relaxed);
        }
        end = start.saturating_add(group.size);
    }
    for (i, &id) in sections.iter().enumerate() {
        if let Some(&ahead) = sections.get(i + 8) {
            skald_core::column::prefetch(&definitions.sections, ahead.index());
        }
        if let Some(island) = islands.next_if(|island| island.before == i) {
            end = place_island(island, end);
        }
        let section = &definitions.sections[id];
        if let Some(gaps) = &mut gaps {
            end = end.saturating_add(gaps.before(1 << section.align_log2));
        }
        end = align_up(end, section.align_log2);
        addresses[id].store(end, Ordering::Relaxed);
        end = end.saturating_add(section.size);
    }
    if let Some(island) = islands.next() {
        end = place_island(island, end);
    }
    output.size = end;
}

/// Places an island behind `end`; returns its own. One without room has a place too: whoever looks
/// for the nearest has to know where it is.
#[cold]
fn place_island(island: &mut Island, end: u64) -> u64 {
    if island.room == 0 {
        island.offset = end;
        return end;
    }
    island.offset = end.next_multiple_of(island.align);
    island.offset.saturating_add(island.room)
}

/// Turns offsets into addresses, once output sections have theirs.
pub fn add_output_addresses(
    outputs: &OutputSections,
    merged: &MergedSections,
    addresses: &IdSlice<SectionId, AtomicU64>,
) {
    let shift = |id: SectionId, by: u64| {
        let slot = &addresses[id];
        slot.store(slot.load(Ordering::Relaxed) + by, Ordering::Relaxed);
    };
    for output in &outputs.sections {
        let Content::Inputs { groups, sections, .. } = &output.content else { continue };
        if output.address == 0 {
            continue;
        }
        sections.par_iter().with_min_len(1 << 13).for_each(|&id| shift(id, output.address));
        for &(group, _) in groups {
            for &member in &merged.groups[group].members {
                shift(merged.members[member].section, output.address);
            }
        }
    }
}

/// Gives folded sections the addresses of those that stand for them.
pub fn copy_addresses(folds: &Folds, addresses: &IdSlice<SectionId, AtomicU64>) {
    for part in [&folds.folded, &folds.dependents] {
        part.par_iter().with_min_len(1 << 13).for_each(|folded| {
            let address = addresses[folded.leader].load(Ordering::Relaxed);
            addresses[folded.section].store(address, Ordering::Relaxed);
        });
    }
}
