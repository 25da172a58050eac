//! Thunks for calls that do not reach: found by a rehearsal of applying relocations, which alone
//! knows what each of them comes to.

use crate::layout::islands::{self, Island};
use crate::layout::output_sections::Content;
use crate::layout::{OutputSection, OutputSections};
use crate::loops::code::Thunks;
use crate::resolve::definitions::{SectionId, Sections};
use crate::synth::image::Image;
use crate::synth::patch::{Failure, Fault, Patch};
use object::elf::{SHF_ALLOC, SHF_EXECINSTR};
use skald_core::ids::IdSlice;
use skald_core::par::prelude::*;
use skald_core::perturb::shuffled;
use std::sync::atomic::{AtomicU64, Ordering};

/// Thunks move code, and moved code may need more of them. Islands only grow, so this ends; real
/// links need two rounds. A branch that does not reach after so many is reported as out of range.
pub const MAX_ROUNDS: usize = 16;

/// Position of the output section, number of the island, and destination of the thunk.
pub type MissingThunk = (usize, usize, u64);

/// Whether some code is farther from other code than a call reaches.
pub fn are_needed(thunks: &Thunks, outputs: &OutputSections) -> bool {
    code_span(outputs) >= thunks.reach
}

/// Decides where islands of thunks may stand; `addresses` are those of `inputs`.
pub fn plan_islands(
    thunks: &Thunks,
    outputs: &mut OutputSections,
    inputs: &Sections,
    addresses: &IdSlice<SectionId, AtomicU64>,
) {
    for output in outputs.sections.iter_mut().filter(|output| is_code(output)) {
        if let Content::Inputs { sections, islands, .. } = &mut output.content {
            let address = |id: SectionId| addresses[id].load(Ordering::Relaxed);
            *islands = islands::plan(sections, inputs, thunks.align, address);
        }
    }
}

/// Empties the islands, which keep their size.
pub fn clear(outputs: &mut OutputSections) {
    all_islands(outputs).for_each(|island| island.destinations.clear());
}

fn is_code(output: &OutputSection) -> bool {
    let wanted = u64::from(SHF_ALLOC | SHF_EXECINSTR);
    output.sh_flags & wanted == wanted
}

/// Bytes from the first output section of code to the end of the last.
fn code_span(outputs: &OutputSections) -> u64 {
    let code = || outputs.sections.iter().filter(|output| is_code(output) && output.size != 0);
    let start = code().map(|output| output.address).min().unwrap_or(0);
    let end = code().map(|output| output.address.saturating_add(output.size)).max().unwrap_or(0);
    end - start
}

fn all_islands(outputs: &mut OutputSections) -> impl Iterator<Item = &mut Island> {
    outputs.sections.iter_mut().flat_map(|output| match &mut output.content {
        Content::Inputs { islands, .. } => islands.as_mut_slice(),
        Content::Synthetic(_) => &mut [],
    })
}

/// Gives islands their thunks; returns whether one has to grow.
pub fn enter(thunks: &Thunks, outputs: &mut OutputSections, mut wanted: Vec<MissingThunk>) -> bool {
    shuffled(&mut wanted).sort_unstable();
    wanted.dedup();
    for (position, island, destination) in wanted {
        if let Content::Inputs { islands, .. } = &mut outputs.sections[position].content {
            islands[island].destinations.push(destination);
        }
    }
    let mut has_grown = false;
    for island in all_islands(outputs) {
        let needed = (island.destinations.len() * thunks.size) as u64;
        has_grown |= needed > island.room;
        island.room = island.room.max(needed);
    }
    has_grown
}

/// Branches that do not reach their destination, each with the island for its thunk.
pub fn out_of_reach(thunks: &Thunks, image: &Image<'_>) -> Vec<MissingThunk> {
    let code = image.outputs.sections.iter().enumerate().filter(|(_, output)| is_code(output));
    code.flat_map(|(position, output)| match &output.content {
        Content::Inputs { sections, islands, .. } => {
            let found = sections.par_iter().with_min_len(64).map_init(Vec::new, |copy, &id| {
                let place = image.address(id) - output.address;
                // The island behind the section is nearer than the one after that.
                let island = islands.partition_point(|island| island.offset < place);
                let island = island.min(islands.len() - 1);
                rehearse(thunks, image, id, copy)
                    .map(|to| (position, island, to))
                    .collect::<Vec<_>>()
            });
            found.flatten_iter().collect::<Vec<_>>()
        }
        Content::Synthetic(_) => Vec::new(),
    })
    .collect()
}

/// Destinations of the branches of a section that do not reach; `copy` is a buffer for its bytes.
fn rehearse(
    thunks: &Thunks,
    image: &Image<'_>,
    id: SectionId,
    copy: &mut Vec<u8>,
) -> impl Iterator<Item = u64> {
    let section = &image.definitions.sections[id];
    let object = &image.objects[section.object];
    let relocs = object.relocs(section);
    let offset_of = move |failure: &Failure| relocs[failure.reloc as usize].r_offset();
    let mut failures = Vec::new();
    let address = image.address(id);
    if !relocs.is_empty() {
        let original = object.bytes(section);
        copy.clear();
        copy.extend_from_slice(original);
        let patch = Patch { id, section, original, section_offset: 0, address, relocs, first: 0 };
        (image.apply)(image, &patch, copy, &mut failures);
        failures.retain(|failure| (thunks.is_branch)(original, offset_of(failure) as usize));
    }
    failures.into_iter().filter_map(move |failure| {
        let Fault::OutOfRange(distance) = failure.what else { return None };
        let next = address.wrapping_add(offset_of(&failure) + 4);
        Some(next.wrapping_add_signed(distance))
    })
}
