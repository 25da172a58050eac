//! Finds the thunks for branches that do not reach, and the island for each.
//!
//! The machine lists such branches, section by section and in parallel. Each can use islands
//! between two addresses. A thunk stands in the last island that serves the branch that reaches
//! least far, and serves all others that reach it: no other choice of islands needs fewer thunks.

use crate::layout::islands::{self, Island, Origin, Spacing, Thunk};
use crate::layout::output_sections::Content;
use crate::layout::placed::PlacedOutput;
use crate::layout::{OutputSection, OutputSections};
use crate::loops::thunks::{FarBranch, Thunks};
use crate::read::object_file::SectionFlags;
use crate::resolve::definitions::{SectionId, Sections};
use crate::synth::image::Image;
use crate::synth::patch::Patch;
use crate::synth::shrinking::Shortened;
use object::elf::{SHF_ALLOC, SHF_EXECINSTR, SHF_TLS, SHT_PROGBITS};
use skald_core::par::prelude::*;
use skald_core::perturb::shuffled;
use std::sync::atomic::Ordering;

/// Thunks move code, and moved code may need more of them. After [`FREE_ROUNDS`] islands only grow,
/// so this terminates; real links need two or three rounds. A branch that does not reach after this
/// many is reported as out of range.
pub const MAX_ROUNDS: usize = 16;

/// Rounds in which islands may become smaller again.
const FREE_ROUNDS: usize = 6;

/// A thunk that some branches need, and the addresses where it serves them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Wanted {
    /// Position of the output section for it.
    position: u32,
    thunk: Thunk,
    /// The last address in reach.
    high: u64,
    /// The first.
    low: u64,
    origin: Origin,
}

impl Wanted {
    fn is_for_same(&self, other: &Wanted) -> bool {
        (self.position, self.thunk) == (other.position, other.thunk)
    }
}

/// Whether some code is farther from what it calls than a call reaches.
pub fn are_needed(thunks: &Thunks, outputs: &OutputSections) -> bool {
    span(outputs, is_code) >= thunks.span
        || thunks.leads_to_data && span(outputs, |output| may_hold(thunks, output)) >= thunks.span
}

/// Decides where islands of thunks may stand.
pub fn plan_islands(thunks: &Thunks, placed: &mut PlacedOutput, inputs: &Sections) {
    let (distance, align) = (thunks.spacing, thunks.align());
    let PlacedOutput { outputs, addresses, deletions, .. } = placed;
    for output in outputs.sections.iter_mut().filter(|output| may_hold(thunks, output)) {
        if let Content::Inputs { sections, islands, .. } = &mut output.content {
            let address = |id: SectionId| addresses[id].load(Ordering::Relaxed);
            let spacing = Spacing { distance, align, base: output.address };
            *islands = islands::plan(sections, inputs, deletions, spacing, address);
        }
    }
}

/// Empties the islands, which keep their size.
pub fn clear(outputs: &mut OutputSections) {
    all_islands(outputs).for_each(Island::clear);
}

/// Whether an output section is code in memory.
pub fn is_code(output: &OutputSection) -> bool {
    let wanted = u64::from(SHF_ALLOC | SHF_EXECINSTR);
    output.sh_flags & wanted == wanted
}

/// Whether an output section may hold functions that are called, and thunks near them.
fn may_hold(thunks: &Thunks, output: &OutputSection) -> bool {
    let is_data = thunks.leads_to_data
        && output.sh_type == SHT_PROGBITS
        && output.sh_flags & u64::from(SHF_ALLOC | SHF_TLS) == u64::from(SHF_ALLOC);
    is_code(output) || is_data
}

/// Bytes from the first output section that is meant to the end of the last.
fn span(outputs: &OutputSections, is_meant: impl Fn(&OutputSection) -> bool) -> u64 {
    let code = || outputs.sections.iter().filter(|output| is_meant(output) && output.size != 0);
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

/// Adds thunks to the islands.
pub fn enter(outputs: &mut OutputSections, mut wanted: Vec<Wanted>) {
    shuffled(&mut wanted).par_sort_unstable();
    let of_output = |own: &[Wanted]| {
        let position = own[0].position;
        let output = outputs.at(position);
        let Content::Inputs { islands, .. } = &output.content else {
            return (position, Vec::new());
        };
        let edges: Vec<Edges> = islands.iter().map(|i| Edges::of(i, output.address)).collect();
        let assigned = own.chunk_by(Wanted::is_for_same).flat_map(|same| assign(&edges, same));
        (position, assigned.collect::<Vec<_>>())
    };
    let of_outputs: Vec<(u32, Vec<Assigned>)> =
        wanted.chunk_by(|a, b| a.position == b.position).map(of_output).collect();
    for (position, mut assigned) in of_outputs {
        let output = outputs.sections.get_mut(position as usize).expect("it is one of them");
        let Content::Inputs { islands, .. } = &mut output.content else { continue };
        shuffled(&mut assigned).par_sort_unstable();
        for Assigned { island, thunk, origin } in assigned {
            islands[island].thunks.push(thunk);
            islands[island].origins.push(origin);
        }
    }
}

/// Rounds after which islands with moved instructions keep positions in pages behind them.
const LOOSE_ROUNDS: usize = 3;

/// Gives islands the room that they need; returns whether one gets another size. `round` counts
/// from 1. Which instructions are moved depends on positions in pages of `page` bytes, and moves
/// code itself: after some rounds islands with such instructions are whole pages.
pub fn resize(thunks: &Thunks, outputs: &mut OutputSections, round: usize, page: u64) -> bool {
    let mut has_changed = false;
    for output in &mut outputs.sections {
        let Content::Inputs { islands, .. } = &mut output.content else { continue };
        for island in islands {
            let mut needed = island.needed(thunks.kinds);
            if round > LOOSE_ROUNDS && !island.patches.is_empty() {
                needed = needed.next_multiple_of(page);
            }
            if needed > island.room || (needed < island.room && round <= FREE_ROUNDS) {
                has_changed = true;
                island.room = needed;
                output.align = output.align.max(island.align);
            }
        }
    }
    has_changed
}

/// First address and end of an island.
#[derive(Clone, Copy)]
struct Edges {
    start: u64,
    end: u64,
}

impl Edges {
    fn of(island: &Island, output: u64) -> Edges {
        let start = output.saturating_add(island.offset);
        Edges { start, end: start.saturating_add(island.room) }
    }
}

/// A thunk in the island that is chosen for it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Assigned {
    island: usize,
    thunk: Thunk,
    origin: Origin,
}

/// The islands for one thunk, which branches want at the places in `wanted`, ascending by `high`.
/// What no island serves is left out; its branches are reported when they are written.
fn assign(islands: &[Edges], wanted: &[Wanted]) -> Vec<Assigned> {
    let mut assigned: Vec<Assigned> = Vec::new();
    // The last island that got the thunk.
    let mut current: Option<usize> = None;
    for &Wanted { thunk, high, low, origin, .. } in wanted {
        if let (Some(island), Some(last)) = (current, assigned.last_mut())
            && islands[island].start >= low
        {
            last.origin = last.origin.min(origin);
            continue;
        }
        let behind = islands.partition_point(|island| island.end <= high);
        let Some(island) = behind.checked_sub(1).filter(|&at| islands[at].start >= low) else {
            continue;
        };
        if current != Some(island) {
            current = Some(island);
            assigned.push(Assigned { island, thunk, origin });
        }
    }
    assigned
}

/// The thunks that branches need.
pub fn out_of_reach(thunks: &Thunks, image: &Image<'_>) -> Vec<Wanted> {
    let code = (0..).zip(&image.outputs.sections).filter(|(_, output)| is_code(output));
    let mut wanted: Vec<Wanted> = Vec::new();
    for (position, output) in code {
        let Content::Inputs { sections, .. } = &output.content else { continue };
        let found = sections.par_iter().with_min_len(8).fold(Search::default, |mut search, &id| {
            search.section(thunks, image, position, id);
            search
        });
        let found: Vec<Search> = found.collect();
        found.iter().for_each(|search| wanted.extend(&search.wanted));
    }
    wanted.extend(second_thunks(thunks, &wanted));
    wanted
}

/// The thunks near destinations that other thunks lead to.
fn second_thunks(thunks: &Thunks, first: &[Wanted]) -> Vec<Wanted> {
    let second = |wanted: &Wanted| {
        let (thunk, reach) = (thunks.second)(wanted.thunk)?;
        let position = thunk.output?;
        let places = reach.places(thunk.destination);
        let (low, high) = (places.start, places.end);
        Some(Wanted { position, thunk, low, high, origin: wanted.origin })
    };
    first.iter().filter_map(second).collect()
}

/// Buffers of a task, and what it has found.
#[derive(Default)]
struct Search {
    wanted: Vec<Wanted>,
    copy: Vec<u8>,
    found: Vec<FarBranch>,
    shortened: Shortened,
}

impl Search {
    /// Adds the thunks for branches of a section that do not reach, in the output section at
    /// `position`.
    fn section(&mut self, thunks: &Thunks, image: &Image<'_>, position: u32, id: SectionId) {
        let Search { wanted, copy, found, shortened } = self;
        let section = &image.definitions.sections[id];
        let object = &image.objects[section.object];
        let (original, relocs) = if section.flags.has(SectionFlags::SHRINKS) {
            shortened.take(image, id);
            (&shortened.bytes[..], &shortened.relocs[..])
        } else {
            (object.bytes(section), object.relocs(section))
        };
        if relocs.is_empty() {
            return;
        }
        let address = image.address(id);
        let patch = Patch { id, section, original, section_offset: 0, address, relocs, first: 0 };
        found.clear();
        (thunks.find)(image, &patch, copy, found);
        let first = wanted.len();
        wanted.extend(found.iter().map(|FarBranch { branch, destination }| {
            let window = branch.reach.window(branch.place);
            let (low, high) = (window.start, window.end);
            let thunk = (thunks.thunk_for)(image, position, branch, *destination);
            let origin = Origin { object: branch.object, symbol: branch.reloc.symbol() };
            Wanted { position, thunk, low, high, origin }
        }));
        join_near(wanted, first, thunks.spacing);
    }
}

/// Joins the entries from `first` on that are for one thunk and whose branches are near each other.
fn join_near(wanted: &mut Vec<Wanted>, first: usize, distance: u64) {
    let own = &mut wanted[first..];
    own.sort();
    let mut kept = 0;
    for at in 1..own.len() {
        let next = own[at];
        let last = &mut own[kept];
        if last.is_for_same(&next) && next.low <= last.high && next.high - last.high <= distance {
            last.low = last.low.max(next.low);
            last.origin = last.origin.min(next.origin);
        } else {
            kept += 1;
            own[kept] = next;
        }
    }
    if !own.is_empty() {
        wanted.truncate(first + kept + 1);
    }
}
