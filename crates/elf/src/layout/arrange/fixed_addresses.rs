//! Output sections to which an option gives an address (`--section-start`) and that no statement
//! names. They are placed apart from all others and move none, as in GNU ld.

use super::Arranging;
use crate::layout::items::{BodyPart, Heading, Item};
use crate::layout::orphans;
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
        self.layout.items = rest;
        self.layout.items.extend(apart);
    }
}
