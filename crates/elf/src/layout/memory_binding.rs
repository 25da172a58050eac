//! SHF_GNU_MBIND: sections that ask for a certain kind of memory, as GNU ld lays them out.
//!
//! `sh_info` is the number of the kind. Sections whose names have no place in the default layout
//! are joined by what they hold and by kind, whatever they are called; each output section starts a
//! page and has a program header PT_GNU_MBIND_LO + kind of its own, by which a run-time library
//! binds its pages. No specification says more than what GNU ld does.

use super::output_sections::{OutputSection, OutputSections};
use super::segments::{AddressRules, Segment, permissions};
use crate::format::elf::Shdr;
use object::elf::*;
use skald_core::diag::Diag;

/// The first of the types of program headers, one for each kind.
const PT_GNU_MBIND_LO: u32 = 0x6474_e555;
/// How many kinds there are.
const KINDS: u32 = 4096;

/// What must be equal in sections that are joined: the name of their output section, whether they
/// hold code, and the kind.
pub type Binding = (&'static [u8], bool, u32);

/// Where a section with this header goes, if it asks for a kind of memory.
#[inline]
pub fn binding(header: &Shdr) -> Option<Binding> {
    let flags = header.sh_flags.get();
    let has = |flag: u32| flags & u64::from(flag) != 0;
    if !has(SHF_GNU_MBIND) || !has(SHF_ALLOC) {
        return None;
    }
    let name: &[u8] = match (has(SHF_WRITE), has(SHF_EXECINSTR)) {
        _ if header.sh_type.get() == SHT_NOBITS => b".mbind.bss",
        (true, _) => b".mbind.data",
        (false, false) => b".mbind.rodata",
        (false, true) => b".mbind.text",
    };
    Some((name, has(SHF_EXECINSTR), header.sh_info.get()))
}

/// Whether the pages of an output section are to be bound.
pub fn is_bound(section: &OutputSection) -> bool {
    section.sh_flags & u64::from(SHF_GNU_MBIND) != 0
}

/// Lets each start a page, where there are pages.
pub fn align(outputs: &mut OutputSections, rules: &AddressRules, common_page: u64) {
    if rules.omagic || rules.nmagic {
        return;
    }
    let page = common_page.clamp(1, rules.page);
    for section in outputs.sections.iter_mut().filter(|s| is_bound(s)) {
        section.align = section.align.max(page);
    }
}

/// Their program headers; `sections` are those that are loaded.
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

/// Warns of kinds that no program header can name.
pub fn check(outputs: &OutputSections, diag: &Diag) {
    for section in outputs.sections.iter().filter(|s| is_bound(s) && s.info >= KINDS) {
        let name = String::from_utf8_lossy(&section.name);
        let text = format!("GNU_MBIND section {name} has invalid sh_info field: {}", section.info);
        diag.warn((0, 0), text);
    }
}
