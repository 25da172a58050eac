//! Repairs instruction sequences that some processors execute wrongly: finds them, gives moved
//! instructions a place in an island, and makes the words that are written over the code.
//!
//! Sections are searched in parallel; few instructions look like such a sequence, and these alone
//! are looked at again with their relocations applied. Moved instructions go to the last island in
//! reach, which is mostly behind all code of the output section, so that hardly any code moves.

use crate::args::Options;
use crate::layout::islands::{Island, PatchSite};
use crate::layout::output_sections::Content;
use crate::layout::placed::PlacedOutput;
use crate::layout::{OutputSection, OutputSections};
use crate::loops::errata::{Errata, Moved, Repair, SuspectSection};
use crate::loops::thunks::Thunks;
use crate::read::object_file::SectionFlags;
use crate::resolve::definitions::SectionId;
use crate::resolve::tables::Tables;
use crate::rewrite::thunks::is_code;
use crate::rewrite::words::Word;
use crate::synth::emitted_relocs::Repaired;
use crate::synth::image::Image;
use skald_core::diag::WHOLE_LINK;
use skald_core::par::prelude::*;
use skald_core::perturb::shuffled;
use std::sync::atomic::Ordering;

/// Sections with suspects, in output order.
pub type Suspects = Vec<SuspectSection>;

/// Finds instructions that look like a sequence, at the current addresses.
pub fn suspects(errata: &Errata, tables: &Tables<'_>, placed: &PlacedOutput) -> Suspects {
    let Tables { options, objects, definitions, .. } = *tables;
    let of_section = |&id: &SectionId| {
        let section = &definitions.sections[id];
        let mut found = Vec::new();
        if !section.flags.has(SectionFlags::NOBITS) {
            let address = placed.addresses[id].load(Ordering::Relaxed);
            let code = objects[section.object].bytes(section);
            (errata.suspect)(options, code, address, &mut found);
        }
        (!found.is_empty()).then_some((id, found))
    };
    let mut all = Suspects::new();
    for (position, output) in (0..).zip(&placed.outputs.sections).filter(|(_, o)| is_code(o)) {
        let Content::Inputs { sections, .. } = &output.content else { continue };
        let found: Vec<_> = sections.par_iter().with_min_len(64).filter_map(of_section).collect();
        let with_position = |(section, found)| SuspectSection { position, section, found };
        all.extend(found.into_iter().map(with_position));
    }
    all
}

/// The repairs of those suspects that need one, each with the position of its output section.
pub fn repairs(
    errata: &Errata,
    options: &Options,
    image: &Image<'_>,
    suspects: &Suspects,
) -> Vec<(u32, Repair)> {
    let object = |suspect: &SuspectSection| image.definitions.sections[suspect.section].object;
    let of_objects: Vec<&[SuspectSection]> =
        suspects.chunk_by(|a, b| object(a) == object(b)).collect();
    let confirm = |found: &&[SuspectSection]| (errata.confirm)(image, options, found);
    let mut repairs: Vec<_> = of_objects.par_iter().flat_map_iter(confirm).collect();
    // Two sequences may end with the same instruction.
    repairs.dedup();
    repairs
}

/// Gives moved instructions their places in islands, and keeps the other repairs in
/// `placed.repaired`. What cannot be repaired is kept in `placed.unrepaired`.
pub fn enter(errata: &Errata, placed: &mut PlacedOutput, repairs: Vec<(u32, Repair)>) {
    placed.repaired.clear();
    placed.unrepaired.clear();
    for (position, repair) in repairs {
        match repair {
            Repair::InPlace(site) => placed.repaired.push(site),
            Repair::Refused(site) => placed.unrepaired.push(site),
            Repair::Moved(site) => {
                let start = placed.addresses[site.section].load(Ordering::Relaxed);
                let output = placed.outputs.sections.get_mut(position as usize);
                let output = output.expect("it is one of them");
                match island_for(errata, output, start.wrapping_add(site.offset)) {
                    Some(island) => island.patches.push(site),
                    None => placed.unrepaired.push(site),
                }
            }
        }
    }
}

/// The last island in reach of `place`.
fn island_for<'a>(
    errata: &Errata,
    output: &'a mut OutputSection,
    place: u64,
) -> Option<&'a mut Island> {
    let at = place.wrapping_sub(output.address);
    let Content::Inputs { islands, .. } = &mut output.content else { return None };
    let end = at.saturating_add(errata.reach);
    let behind = islands.partition_point(|island| island.offset + island.room <= end);
    let last = behind.checked_sub(1)?;
    islands.get_mut(last).filter(|island| island.offset >= at.saturating_sub(errata.reach))
}

/// The words that repair the code, once addresses are final.
pub fn words(
    errata: &Errata,
    thunks: &Thunks,
    image: &Image<'_>,
    repaired: &[PatchSite],
) -> Vec<Word> {
    let place = |site: PatchSite| image.address(site.section).wrapping_add(site.offset);
    let mut words: Vec<Word> = repaired
        .iter()
        .filter_map(|&site| {
            let word = (errata.in_place)(image, site);
            Word::new(image.outputs, place(site), word.into(), 4)
        })
        .collect();
    for (address, site) in moved(thunks, image.outputs) {
        let Moved { branch, code: [own, back] } = (errata.moved)(image, site, address);
        let code = u64::from(own) | u64::from(back) << 32;
        words.extend(Word::new(image.outputs, place(site), branch.into(), 4));
        words.extend(Word::new(image.outputs, address, code, 8));
    }
    words
}

/// The places of moved instructions, each with its address.
pub fn moved<'a>(
    thunks: &'a Thunks,
    outputs: &'a OutputSections,
) -> impl Iterator<Item = (u64, PatchSite)> + 'a {
    outputs.sections.iter().flat_map(move |output| {
        let islands = match &output.content {
            Content::Inputs { islands, .. } => &islands[..],
            Content::Synthetic(_) => &[],
        };
        islands.iter().filter(|island| !island.patches.is_empty()).flat_map(move |island| {
            let start = output.address.wrapping_add(island.offset);
            island.patch_places(thunks.kinds).map(move |(at, site)| (start + at, site))
        })
    })
}

/// All places with a repair, ascending; `in_place` are those where an instruction just became
/// another one.
pub fn repaired(
    thunks: &Thunks,
    outputs: &OutputSections,
    in_place: &[PatchSite],
) -> Vec<Repaired> {
    let place = |site: &PatchSite, moved_to| Repaired {
        section: site.section,
        offset: site.offset,
        moved_to,
    };
    let moved = moved(thunks, outputs).map(|(address, site)| place(&site, Some(address)));
    let mut all: Vec<Repaired> = moved.chain(in_place.iter().map(|s| place(s, None))).collect();
    shuffled(&mut all).sort_unstable();
    all
}

/// Reports the places that could not be repaired.
pub fn report(errata: &Errata, tables: &Tables<'_>, unrepaired: &[PatchSite]) {
    for site in unrepaired {
        let section = &tables.definitions.sections[site.section];
        let object = &tables.objects[section.object];
        let name = String::from_utf8_lossy(object.section_name(section.shndx));
        let file = object.file.map(|file| tables.candidates.display_name(file)).unwrap_or_default();
        let (offset, number) = (site.offset, errata.names[usize::from(site.erratum)]);
        let text = format!(
            "{file}:({name}+{offset:#x}): erratum {number} cannot be repaired: what would is too far away"
        );
        tables.diag.error(WHOLE_LINK, text);
    }
}
