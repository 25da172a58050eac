//! SHF_GNU_MBIND: sections that ask for a certain kind of memory, as GNU ld lays them out.
//!
//! `sh_info` is the number of the kind. Sections whose names have no place in the default layout
//! are joined by content (code or data) and kind, whatever their names
//! (`resolve/outputs/output_names`). Each output section starts a page and has a program header
//! PT_GNU_MBIND_LO + kind of its own, with which a run-time library binds its pages. GNU ld's
//! behaviour is the only specification.

use super::output_sections::{OutputSection, OutputSections};
use super::segments::{AddressRules, Segment, permissions};
use object::elf::*;
use skald_core::diag::{Diag, WHOLE_LINK};

/// First of the 4096 types of program headers, one for each memory kind.
const PT_GNU_MBIND_LO: u32 = 0x6474_e555;
/// How many memory kinds there are.
const KINDS: u32 = 4096;

/// Whether an output section has SHF_GNU_MBIND.
pub fn is_bound(section: &OutputSection) -> bool {
    section.sh_flags & u64::from(SHF_GNU_MBIND) != 0
}

/// Makes each section with SHF_GNU_MBIND start a page, in outputs that have pages.
pub fn align(outputs: &mut OutputSections, rules: &AddressRules, common_page: u64) {
    if rules.omagic || rules.nmagic {
        return;
    }
    let page = common_page.clamp(1, rules.page);
    for section in outputs.sections.iter_mut().filter(|s| is_bound(s)) {
        section.align = section.align.max(page);
    }
}

/// The PT_GNU_MBIND headers; `sections` are those that are loaded.
pub(super) fn plan(sections: &[OutputSection], rules: &AddressRules) -> Vec<Segment> {
    let bound = |section: &OutputSection| is_bound(section) && section.info < KINDS;
    if rules.omagic || rules.nmagic {
        return Vec::new();
    }
    let all = sections.iter().enumerate().filter(|(_, section)| bound(section));
    all.map(|(at, section)| {
        let p_type = PT_GNU_MBIND_LO + section.info;
        Segment::new(p_type, permissions(rules, section), at..at + 1)
    })
    .collect()
}

/// Warns of memory kinds that have no program header type.
pub fn check(outputs: &OutputSections, diag: &Diag) {
    for section in outputs.sections.iter().filter(|s| is_bound(s) && s.info >= KINDS) {
        let name = String::from_utf8_lossy(&section.name);
        let text = format!("GNU_MBIND section {name} has invalid sh_info field: {}", section.info);
        diag.warn(WHOLE_LINK, text);
    }
}
