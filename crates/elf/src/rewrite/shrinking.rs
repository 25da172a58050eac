//! Code that shrinks while the layout converges: finds the bytes that each section can lose with
//! the addresses of a round.
//!
//! Instructions only get shorter, and only if they will reach however alignment still changes the
//! distance ([`Slack`]). So nothing is ever undone, and the search terminates. A section's padding
//! for alignment depends only on what the section itself has lost, because sections are aligned to
//! the greatest alignment within them.

use crate::layout::deletions::{Deleted, Deletions};
use crate::layout::output_sections::OutputSection;
use crate::resolve::definitions::SectionId;
use crate::select::shrinkable::Shrinkable;
use crate::synth::image::Image;
use crate::synth::shrinking::{ShrinkSite, Shrinking, Slack};
use object::elf::{SHF_ALLOC, SHF_WRITE};
use skald_core::par::prelude::*;

/// Rounds after which no more instructions are shortened. Each round brings some targets into
/// reach; real code needs three or four.
const MAX_ROUNDS: usize = 16;

/// Boundaries of pages between two places of the layout without a script: of what is only read, of
/// code, of what becomes read-only, and of data.
const PAGE_BOUNDARIES: u64 = 4;

/// What bounds how addresses still move.
pub struct Movement {
    /// The page size.
    pub page: u64,
    /// The number of rounds before.
    pub round: usize,
    /// An option gives a part of the output its address.
    pub has_fixed: bool,
}

/// The deletions of each section with these addresses, in the order of sections.
pub fn find(
    shrinking: &Shrinking,
    image: &Image<'_>,
    shrinkable: &Shrinkable,
    movement: &Movement,
) -> Vec<Deleted> {
    let &Movement { page, round, .. } = movement;
    let across = across(image, shrinkable, movement);
    let of_data = of_data(image, page);
    let find = |&(section, _): &(SectionId, u64)| {
        let record = &image.definitions.sections[section];
        let output = image.outputs.of(record.output());
        let within = output.map_or(across, |output: &OutputSection| output.align);
        let site = ShrinkSite {
            section,
            relocs: image.objects[record.object].relocs(record),
            deleted: image.deletions.of(section).expect("it may shrink"),
            may_shorten: image.relax && round < MAX_ROUNDS,
            slack: Slack { within, across, of_data },
        };
        (shrinking.find)(image, &site)
    };
    shrinkable.sections.par_iter().with_min_len(64).map(find).collect()
}

/// By how much the distance between two places in data may grow. Nothing between them loses bytes,
/// but a script may align what it likes.
fn of_data(image: &Image<'_>, page: u64) -> u64 {
    let wanted = u64::from(SHF_ALLOC | SHF_WRITE);
    let outputs = image.outputs.sections.iter();
    let data = outputs.filter(|output| output.sh_flags & wanted == wanted);
    let align = data.map(|output| output.align).max().unwrap_or(1);
    if image.outputs.is_scripted { align.max(page) } else { align }
}

/// By how much the distance between two output sections may grow. Where each follows the one before
/// it, only gaps do; elsewhere one may stay while all that can still go moves the other.
fn across(image: &Image<'_>, shrinkable: &Shrinkable, movement: &Movement) -> u64 {
    let loaded = |output: &&OutputSection| output.sh_flags & u64::from(SHF_ALLOC) != 0;
    let outputs = image.outputs.sections.iter().filter(loaded);
    let align = outputs.map(|output| output.align).max().unwrap_or(1).max(movement.page);
    let rest = if image.outputs.is_scripted || movement.has_fixed {
        left(shrinkable, image.deletions)
    } else {
        movement.page.saturating_mul(PAGE_BOUNDARIES)
    };
    align.saturating_add(rest)
}

/// How many bytes may still be deleted.
fn left(shrinkable: &Shrinkable, deletions: &Deletions) -> u64 {
    let most = shrinkable.sections.iter().map(|&(_, most)| most);
    most.fold(0, u64::saturating_add).saturating_sub(deletions.total())
}
