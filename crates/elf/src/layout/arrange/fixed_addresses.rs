//! Output sections to which an option gives an address (`--section-start`) and that no statement
//! names. They are placed apart from all others and move none, as in GNU ld.

use super::Arranging;
use crate::layout::items::{BodyPart, Heading, Item};
use crate::layout::orphans;
use crate::layout::output_sections::OutputSection;
use crate::layout::segments::AddressRules;
use object::elf::SHF_TLS;
use skald_core::unordered::UnorderedSet;

impl Arranging<'_> {
    /// Puts output sections that have an address only from an option behind all of the script,
    /// where they move no other section.
    pub(super) fn given_addresses(&mut self, starts: &[(String, u64)]) {
        let headings = self.layout.headings.iter();
        let mut named: UnorderedSet<Vec<u8>> =
            headings.map(|heading| heading.statement.name.clone()).collect();
        for name in starts.iter().map(|(name, _)| name.as_bytes()) {
            if !named.insert(name.to_vec()) {
                continue;
            }
            let mut heading = Heading::new(orphans::statement(name.to_vec(), true));
            heading.is_apart = true;
            heading.nature.add_assignment(name);
            self.layout.items.push(Item::Heading(self.layout.headings.len()));
            self.layout.headings.push(heading);
        }
    }

    /// Puts sections of an automatic layout that no statement names and to which an option gives an
    /// address behind all others, where they move none of them, as in GNU ld. Thread-local sections
    /// stay in the TLS template.
    pub(super) fn set_apart(&mut self, starts: &[(String, u64)]) {
        let names: UnorderedSet<&[u8]> = starts.iter().map(|(name, _)| name.as_bytes()).collect();
        if names.is_empty() {
            return;
        }
        let mut known = self.scripted.script.outputs().filter(|output| !output.is_rest());
        let known: UnorderedSet<&[u8]> = known.by_ref().map(|output| &output.name[..]).collect();
        let is_apart = |item: &Item| {
            let Item::Heading(at) = item else { return false };
            let heading = &self.layout.headings[*at];
            let name = &heading.statement.name[..];
            let is_movable = |part: &BodyPart| {
                let BodyPart::Part(at) = part else { return false };
                let part = &self.sorted[*at];
                part.is_loaded() && part.sh_flags & u64::from(SHF_TLS) == 0
            };
            names.contains(name) && !known.contains(name) && heading.body.iter().all(is_movable)
        };
        let items = std::mem::take(&mut self.layout.items);
        let (apart, rest): (Vec<Item>, Vec<Item>) = items.into_iter().partition(is_apart);
        for item in &apart {
            let Item::Heading(at) = item else { continue };
            for part in &self.layout.headings[*at].body {
                if let BodyPart::Part(at) = part {
                    self.sorted[*at].is_apart = true;
                }
            }
        }
        self.layout.items = rest;
        self.layout.items.extend(apart);
    }
}

impl AddressRules {
    /// The address that an option or a statement gives a section.
    pub(in crate::layout) fn fixed_address(&self, section: &OutputSection) -> Option<u64> {
        self.fixed.get(&section.name).copied()
    }

    /// Where an option places a section below all others, the headers are on the page before it, as
    /// in GNU ld: kernels before Linux 5.18 and QEMU look for them in the lowest segment. All other
    /// sections keep their place.
    pub(in crate::layout) fn fix_image(&mut self, sections: &[OutputSection]) {
        if self.is_base_given || self.omagic || self.nmagic {
            return;
        }
        let (base, lowest) = (self.base_beside(sections), self.lowest_apart(sections));
        if let Some(first) = sections.first()
            && lowest.is_some_and(|lowest| (self.page..base).contains(&lowest))
        {
            self.fixed.entry(first.name.clone()).or_insert(base);
        }
    }

    /// The lowest address of a section that an option places apart from all others.
    pub(in crate::layout) fn lowest_apart(&self, sections: &[OutputSection]) -> Option<u64> {
        let apart = sections.iter().filter(|section| section.is_apart);
        apart.filter_map(|section| self.fixed_address(section)).min()
    }

    /// Where the image begins: behind sections that an option places apart on the page of the
    /// headers. An address that is given stays.
    pub(in crate::layout) fn base_beside(&self, sections: &[OutputSection]) -> u64 {
        if self.is_base_given {
            return self.image_base;
        }
        let range = |section: &OutputSection| {
            let start = self.fixed_address(section)?;
            Some((start, start.saturating_add(section.size)))
        };
        let mut apart: Vec<(u64, u64)> =
            sections.iter().filter(|section| section.is_apart).filter_map(range).collect();
        apart.sort();
        apart.into_iter().fold(self.image_base, |base, (start, end)| {
            let is_beside = end <= base || start >= base.saturating_add(self.page);
            if is_beside { base } else { end.checked_next_multiple_of(self.page).unwrap_or(base) }
        })
    }
}
