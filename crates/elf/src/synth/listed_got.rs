//! A GOT that the loader fills by the order of its words ([`ListedGot`]): the words in front of
//! those of symbols, and the value of the global pointer.
//!
//! Code finds local data by two instructions: a word of the GOT has the address of the data rounded
//! to a multiple of 64 KiB, and the second instruction adds the rest. Such pages are known when
//! addresses are, so there is room for as many as the sections can touch.

use crate::layout::output_sections::Content;
use crate::layout::{OutputSection, OutputSections, Synthetic};
use crate::machine::Machine;
use crate::machine::listed_got::ListedGot;
use crate::resolve::definitions::{Definitions, SectionId};
use crate::script::section_names::OutputId;
use crate::select::merge::MergedSections;
use object::elf::SHF_ALLOC;
use skald_core::perturb::shuffled;

/// Bytes of which one word has the address.
const PAGE: u64 = 1 << 16;

/// The multiple of the page size that a signed offset of 16 bits leads to an address from.
#[inline(always)]
pub const fn page_of(address: u64) -> u64 {
    address.wrapping_add(PAGE / 2) & !(PAGE - 1)
}

/// The output sections that code finds by pages, from the input sections that scanning found.
pub fn paged_outputs(definitions: &Definitions, paged: &[SectionId]) -> Vec<OutputId> {
    let mut outputs: Vec<OutputId> =
        paged.iter().filter_map(|&section| definitions.sections[section].out.get()).collect();
    shuffled(&mut outputs).sort_unstable();
    outputs.dedup();
    outputs
}

/// How many pages the output sections may touch, whatever addresses they get.
pub fn most_pages(
    outputs: &OutputSections,
    definitions: &Definitions,
    merged: &MergedSections,
    paged: &[OutputId],
) -> u64 {
    let size = |section: &OutputSection| {
        let Content::Inputs { out, sections, groups, .. } = &section.content else { return None };
        if paged.binary_search(out).is_err() {
            return None;
        }
        let inputs = sections.iter().map(|&id| {
            let input = &definitions.sections[id];
            input.size + (1 << input.align_log2)
        });
        let groups = groups.iter().map(|part| merged.groups[part.group].size + section.align);
        Some(inputs.chain(groups).sum::<u64>())
    };
    // Both ends may be inside of a page, and code may point half a page beyond them.
    outputs.sections.iter().filter_map(size).map(|size| size / PAGE + 3).sum()
}

/// The pages, ascending.
pub fn pages(outputs: &OutputSections, paged: &[OutputId]) -> Vec<u64> {
    let mut pages = Vec::new();
    for section in paged.iter().filter_map(|&out| outputs.of(out)) {
        let (start, end) = (section.address, section.address + section.size);
        let last = page_of(end.saturating_add(PAGE / 2 - 1));
        let mut page = page_of(start.saturating_sub(PAGE / 2));
        while page <= last {
            pages.push(page);
            page += PAGE;
        }
    }
    shuffled(&mut pages).sort_unstable();
    pages.dedup();
    pages
}

/// Words in front of those of symbols; 0 for machines without such a GOT.
pub fn words_in_front(machine: &Machine, pages: u64) -> u64 {
    machine.listed_got.map_or(0, |got| got.reserved + pages)
}

/// The value of the global pointer, if no script sets it: code reaches `.got`, or else the first
/// section of small data.
pub fn pointer(got: &ListedGot, outputs: &OutputSections) -> u64 {
    let flag = u64::from(got.section_flag);
    let start = outputs.synthetic(Synthetic::Got).map(|section| section.address).or_else(|| {
        let is_near = |section: &&OutputSection| {
            section.sh_flags & flag != 0 && section.sh_flags & u64::from(SHF_ALLOC) != 0
        };
        outputs.sections.iter().filter(is_near).map(|section| section.address).min()
    });
    start.map_or(0, |start| start + got.pointer)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_rounded() {
        assert_eq!(page_of(0x1_7fff), 0x1_0000);
        assert_eq!(page_of(0x1_8000), 0x2_0000);
        assert_eq!(page_of(u64::MAX), 0);
    }
}
