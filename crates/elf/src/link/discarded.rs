//! References to symbols of sections that are not in the output: another object provides the group,
//! or the section is marked as not to be copied.

use super::reports::{Tables, problem_key};
use crate::diagnose::messages::DiscardedReport;
use crate::diagnose::place::{Site, locate};
use crate::diagnose::undefined::MAX_LISTED;
use crate::resolve::definitions::{GLOBAL, Strength};
use crate::select::scan::RelocId;
use skald_core::perturb::shuffled;
use std::collections::BTreeMap;

/// A symbol of an object, by their indices.
type ObjectSymbol = (u32, u32);

impl Tables<'_> {
    /// One message for each symbol.
    pub(super) fn discarded(&self, mut places: Vec<RelocId>) {
        shuffled(&mut places).sort_unstable();
        let mut by_symbol: BTreeMap<ObjectSymbol, Vec<RelocId>> = BTreeMap::new();
        for place in places {
            by_symbol.entry(self.dropped_definition(place)).or_default().push(place);
        }
        let listed = |places: &Vec<RelocId>| places.len().min(MAX_LISTED);
        let sites = by_symbol.values().flat_map(|places| &places[..listed(places)]);
        let sites: Vec<Site<'_>> = sites.map(|&place| self.site(place)).collect();
        let mut located = locate(&sites, self.options.demangle).into_iter();
        for (symbol, places) in by_symbol {
            let report = DiscardedReport {
                referent: self.referent(places[0]),
                defined_in: self.object_name(symbol.0),
                group: self.group_of(symbol),
                references: located.by_ref().take(listed(&places)).collect(),
                total_references: places.len(),
            };
            match self.options.noinhibit_exec {
                true => self.diag.warn(problem_key(places[0]), report.render()),
                false => self.diag.error(problem_key(places[0]), report.render()),
            }
        }
    }

    /// The definition that `place` refers to: the referring object's own, if it has one.
    fn dropped_definition(&self, place: RelocId) -> ObjectSymbol {
        let section = &self.definitions.sections[place.section as usize];
        let object = &self.objects[section.object as usize];
        let symbol = object.relocs(section)[place.index as usize].r_sym.get();
        let target = self.definitions.target_of(section.object as usize, symbol);
        if target & GLOBAL != 0 && object.symbol_section(symbol as usize).is_none() {
            let rank = self.definitions.ranks[(target & !GLOBAL) as usize];
            if rank.strength() <= Strength::Weak {
                return (rank.file(), rank.symbol());
            }
        }
        (section.object, symbol)
    }

    /// Signature of the group that the symbol was in, and who provides it.
    fn group_of(&self, (object, symbol): ObjectSymbol) -> Option<(String, String)> {
        let object = &self.objects[object as usize];
        let shndx = object.symbol_section(symbol as usize).filter(|&s| object.is_killed(s))?;
        let of_group = object
            .groups
            .iter()
            .find(|group| object.group_members(group).iter().any(|member| member.get() == shndx));
        let of_linkonce = || object.linkonce.iter().find(|section| section.0 == shndx);
        let name = of_group.map(|group| group.name).or_else(|| of_linkonce().map(|s| s.1))?;
        let provider = self.extraction.refs.get(name).comdat_owner();
        let provider = self.candidates.display_name(crate::read::FileId(provider));
        Some((self.printed(self.name(name)), provider))
    }
}
