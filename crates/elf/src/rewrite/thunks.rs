//! Finds the thunks for calls that do not reach, by applying relocations on trial: only the apply
//! loop knows the value of each.

use crate::layout::islands::{self, Island, Thunk};
use crate::layout::output_sections::Content;
use crate::layout::placed::PlacedOutput;
use crate::layout::{OutputSection, OutputSections};
use crate::loops::thunks::{Branch, Thunks};
use crate::read::object_file::SectionFlags;
use crate::resolve::definitions::{SectionId, Sections};
use crate::synth::image::Image;
use crate::synth::patch::{Failure, Fault, Patch};
use crate::synth::shrinking::Shortened;
use object::elf::{SHF_ALLOC, SHF_EXECINSTR};
use skald_core::par::prelude::*;
use skald_core::perturb::shuffled;
use std::sync::atomic::Ordering;

/// Thunks move code, and moved code may need more of them. Islands only grow, so this terminates;
/// real links need two rounds. A branch that does not reach after this many is reported as out of
/// range.
pub const MAX_ROUNDS: usize = 16;

/// A thunk that a branch needs, and the place for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct MissingThunk {
    /// Position of the output section.
    position: usize,
    /// Number of the island in it.
    island: usize,
    thunk: Thunk,
}

/// Whether some code is farther apart than a call reaches.
pub fn are_needed(thunks: &Thunks, outputs: &OutputSections) -> bool {
    code_span(outputs) >= thunks.span
}

/// Decides where islands of thunks may stand.
pub fn plan_islands(thunks: &Thunks, placed: &mut PlacedOutput, inputs: &Sections) {
    let (spacing, align) = (thunks.spacing(), thunks.align());
    let PlacedOutput { outputs, addresses, deletions, .. } = placed;
    for output in outputs.sections.iter_mut().filter(|output| is_code(output)) {
        if let Content::Inputs { sections, islands, .. } = &mut output.content {
            let address = |id: SectionId| addresses[id].load(Ordering::Relaxed);
            *islands = islands::plan(sections, inputs, deletions, spacing, align, address);
        }
    }
}

/// Empties the islands, which keep their size.
pub fn clear(outputs: &mut OutputSections) {
    all_islands(outputs).for_each(|island| island.thunks.clear());
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

/// Adds thunks to the islands; returns whether an island has to grow.
pub fn enter(thunks: &Thunks, outputs: &mut OutputSections, mut wanted: Vec<MissingThunk>) -> bool {
    shuffled(&mut wanted).sort_unstable();
    wanted.dedup();
    for MissingThunk { position, island, thunk } in wanted {
        if let Content::Inputs { islands, .. } = &mut outputs.sections[position].content {
            islands[island].thunks.push(thunk);
        }
    }
    let mut has_grown = false;
    for output in &mut outputs.sections {
        let Content::Inputs { islands, .. } = &mut output.content else { continue };
        for island in islands {
            let needed = island.needed(thunks.kinds);
            if needed > island.room {
                has_grown = true;
                island.room = needed;
                output.align = output.align.max(island.align);
            }
        }
    }
    has_grown
}

/// Branches that do not reach their destination, each with the island for its thunk.
pub fn out_of_reach(thunks: &Thunks, image: &Image<'_>) -> Vec<MissingThunk> {
    let code = image.outputs.sections.iter().enumerate().filter(|(_, output)| is_code(output));
    code.flat_map(|(position, output)| match &output.content {
        Content::Inputs { sections, islands, .. } => {
            let found =
                sections.par_iter().with_min_len(64).map_init(Buffers::default, |to, &id| {
                    let missing = rehearse(thunks, image, id, to);
                    let missing = missing.into_iter().filter_map(|missing| {
                        let island = nearest(islands, output.address, image.address(id), &missing)?;
                        let Missing { branch, destination } = missing;
                        let thunk = thunks.thunk_for(image, branch, destination);
                        Some(MissingThunk { position, island, thunk })
                    });
                    missing.collect::<Vec<_>>()
                });
            found.flatten_iter().collect::<Vec<_>>()
        }
        Content::Synthetic(_) => Vec::new(),
    })
    .collect()
}

/// A branch that does not reach its destination.
struct Missing {
    branch: Branch,
    destination: u64,
}

/// The island for a branch of the section at `section`: the one behind the section, or the one
/// before it if only that is in reach.
fn nearest(
    islands: &[Island],
    output_address: u64,
    section: u64,
    Missing { branch, .. }: &Missing,
) -> Option<usize> {
    let behind = islands.partition_point(|island| island.offset < section - output_address);
    let behind = behind.min(islands.len() - 1);
    let is_near = |&at: &usize| {
        let start = output_address + islands[at].offset;
        let end = start + islands[at].room;
        [start, end].into_iter().all(|address| branch.reach.covers(branch.place, address))
    };
    [Some(behind), behind.checked_sub(1)].into_iter().flatten().find(is_near)
}

/// Buffers in which a task applies the relocations of sections.
#[derive(Default)]
struct Buffers {
    copy: Vec<u8>,
    shortened: Shortened,
}

/// The branches of a section that do not reach.
fn rehearse(
    thunks: &Thunks,
    image: &Image<'_>,
    id: SectionId,
    Buffers { copy, shortened }: &mut Buffers,
) -> Vec<Missing> {
    let section = &image.definitions.sections[id];
    let object = &image.objects[section.object];
    let (original, relocs) = if section.flags.has(SectionFlags::SHRINKS) {
        shortened.take(image, id);
        (&shortened.bytes[..], &shortened.relocs[..])
    } else {
        (object.bytes(section), object.relocs(section))
    };
    if relocs.is_empty() {
        return Vec::new();
    }
    let address = image.address(id);
    let mut failures = Vec::new();
    copy.clear();
    copy.extend_from_slice(original);
    let patch = Patch { id, section, original, section_offset: 0, address, relocs, first: 0 };
    (image.apply)(image, &patch, copy, &mut failures);
    let missing = |failure: &Failure| {
        let Fault::OutOfRange(distance) = failure.what else { return None };
        let reloc = relocs[failure.reloc as usize];
        let reach = (thunks.reach_of)(original, &reloc)?;
        let branch = Branch { reloc, place: address.wrapping_add(reloc.r_offset()), reach };
        let origin = branch.place.wrapping_add(reach.origin);
        Some(Missing { branch, destination: origin.wrapping_add_signed(distance) })
    };
    failures.iter().filter_map(missing).collect()
}
