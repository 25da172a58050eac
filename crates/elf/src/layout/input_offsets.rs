//! Offsets of input sections in their output sections, then addresses.
//!
//! Output sections are independent, so each is one task; within one, each offset depends on the
//! input before.

use super::deletions::Deletions;
use super::islands::Island;
use super::order::padding::{Gaps, Padding};
use super::output_sections::{Content, MergedPart, OutputSection, OutputSections};
use crate::resolve::definitions::{Definitions, SectionId};
use crate::select::fold::Folds;
use crate::select::merge::MergedSections;
use skald_core::align::align_up;
use skald_core::ids::IdSlice;
use skald_core::par::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering};

/// Gives every section its offset (in `addresses`, by section id) and every output section its
/// size, as if the output section started where it started in the last round.
pub fn place_sections(outputs: &mut OutputSections, inputs: Inputs<'_>, padding: Option<&Padding>) {
    outputs.sections.par_iter_mut().with_max_len(1).enumerate().for_each(|(position, output)| {
        let gaps = padding.map(|padding| padding.of(position, output));
        place_in(output, inputs, gaps);
    });
}

/// The inputs of output sections.
#[derive(Clone, Copy)]
pub struct Inputs<'a> {
    /// Sizes and alignments of sections.
    pub definitions: &'a Definitions,
    /// Merged groups.
    pub merged: &'a MergedSections,
    /// Bytes that sections have lost.
    pub deletions: &'a Deletions,
    /// By section id: receives the offsets.
    pub addresses: &'a IdSlice<SectionId, AtomicU64>,
}

/// Places the inputs of parts while the location counter walks through a layout.
pub struct PartPlacing<'a> {
    /// The inputs of all parts.
    pub inputs: Inputs<'a>,
    /// Output sections of one part have placed inputs already: their offsets do not depend on where
    /// the section starts.
    pub keeps_whole: bool,
}

impl PartPlacing<'_> {
    /// Places the inputs of the part at a position again, if the part does not start where it
    /// started last or its inputs get another alignment (SUBALIGN; `None`: their own). Sets the
    /// part's size.
    pub fn place(
        &self,
        outputs: &mut OutputSections,
        at: usize,
        address: u64,
        subalign: Option<u64>,
    ) {
        if self.keeps_whole && outputs.is_whole(at) {
            return;
        }
        let output = &mut outputs.sections[at];
        let align = subalign.map(|align| align.max(1));
        let remainder = address % align.unwrap_or(output.align).max(1);
        let Content::Inputs { start, .. } = &mut output.content else { return };
        if (start.remainder, start.align) != (remainder, align) {
            (start.remainder, start.align) = (remainder, align);
            place_in(output, self.inputs, None);
        }
    }
}

fn place_in(output: &mut OutputSection, inputs: Inputs<'_>, gaps: Option<Gaps>) {
    let Content::Inputs { start, .. } = &mut output.content else { return };
    start.base = 0;
    let is_plain = (start.remainder, start.align) == (0, None);
    match (is_plain, inputs.deletions.is_empty()) {
        (true, true) => place_from::<true, false>(output, inputs, gaps),
        (false, true) => place_from::<false, false>(output, inputs, gaps),
        (true, false) => place_from::<true, true>(output, inputs, gaps),
        (false, false) => place_from::<false, true>(output, inputs, gaps),
    }
}

/// Places inputs from a start. `PLAIN`: the section starts at a multiple of its alignment and
/// inputs have their own alignment, as in every link without a script; its loop tests nothing else.
/// `SHRINKS`: inputs may have lost bytes. None is inlined: each has registers of its own.
#[inline(never)]
fn place_from<const PLAIN: bool, const SHRINKS: bool>(
    output: &mut OutputSection,
    Inputs { definitions, merged, deletions, addresses }: Inputs<'_>,
    mut gaps: Option<Gaps>,
) {
    let Content::Inputs { groups, sections, islands, start, .. } = &mut output.content else {
        return;
    };
    let first = if PLAIN { 0 } else { start.remainder };
    let told = start.align.filter(|_| !PLAIN).map(|align| align.ilog2() as u8);
    let align_up = |end: u64, own: u8| align_up(end, told.unwrap_or(own));
    let mut islands = islands.iter_mut().peekable();
    let mut end = first + gaps.as_ref().map_or(0, |gaps| gaps.start);
    let place_group = |end: u64, part: &mut MergedPart| {
        let group = &merged.groups[part.group];
        let start = align_up(end, group.align_log2);
        part.offset = start - first;
        for &member in &group.members {
            let section = merged.members[member].section;
            addresses[section].store(part.offset, Ordering::Relaxed);
        }
        start.saturating_add(group.size)
    };
    let mut groups = groups.iter_mut().peekable();
    let mut from = 0;
    while from < sections.len() || groups.peek().is_some() {
        let group_at = groups.peek().map_or(usize::MAX, |part| part.before);
        let island_at = islands.peek().map_or(usize::MAX, |island| island.before);
        let to = group_at.min(island_at).min(sections.len());
        // The loop over sections without islands.
        for (i, &id) in sections[from..to].iter().enumerate() {
            if let Some(&ahead) = sections.get(from + i + 8) {
                skald_core::column::prefetch(&definitions.sections, ahead.index());
            }
            let section = &definitions.sections[id];
            if let Some(gaps) = &mut gaps {
                end = end.saturating_add(gaps.before(1 << section.align_log2));
            }
            end = align_up(end, section.align_log2);
            addresses[id].store(end - first, Ordering::Relaxed);
            let size = if SHRINKS { deletions.size(id, section.size) } else { section.size };
            end = end.saturating_add(size);
        }
        if to < sections.len() {
            while let Some(island) = islands.next_if(|island| island.before == to) {
                end = first + place_island(island, end - first);
            }
        }
        while let Some(part) = groups.next_if(|part| part.before.min(sections.len()) == to) {
            end = place_group(end, part);
        }
        from = to;
    }
    if let Some(island) = islands.next() {
        end = first + place_island(island, end - first);
    }
    output.size = output.rewritten.unwrap_or(end - first);
}

/// Places an island at or behind `end`; returns the island's end. An island without room gets a
/// place too, because callers look for the nearest one.
#[cold]
fn place_island(island: &mut Island, end: u64) -> u64 {
    if island.room == 0 {
        island.offset = end;
        return end;
    }
    island.offset = end.next_multiple_of(island.align);
    island.offset.saturating_add(island.room)
}

/// Turns offsets of inputs into addresses, once output sections have theirs. Where an output
/// section has moved since, its inputs are moved along.
pub fn add_output_addresses(
    outputs: &mut OutputSections,
    merged: &MergedSections,
    addresses: &IdSlice<SectionId, AtomicU64>,
) {
    for output in &mut outputs.sections {
        let Content::Inputs { groups, sections, start, .. } = &mut output.content else { continue };
        let by = output.address.wrapping_sub(start.base);
        start.base = output.address;
        if by == 0 {
            continue;
        }
        let shift = |id: SectionId| {
            let slot = &addresses[id];
            slot.store(slot.load(Ordering::Relaxed).wrapping_add(by), Ordering::Relaxed);
        };
        sections.par_iter().with_min_len(1 << 13).for_each(|&id| shift(id));
        for part in groups.iter() {
            for &member in &merged.groups[part.group].members {
                shift(merged.members[member].section);
            }
        }
    }
}

/// Gives folded sections the addresses of their leaders.
pub fn copy_addresses(folds: &Folds, addresses: &IdSlice<SectionId, AtomicU64>) {
    for part in [&folds.folded, &folds.dependents] {
        part.par_iter().with_min_len(1 << 13).for_each(|folded| {
            let address = addresses[folded.leader].load(Ordering::Relaxed);
            addresses[folded.section].store(address, Ordering::Relaxed);
        });
    }
}
