//! `.gnu.linkonce.TYPE.KEY` sections compete with COMDAT groups: objects of old compilers have the
//! former, those of new compilers the latter.
//!
//! As in GNU ld, such a section and a one-section group with the signature KEY replace each other
//! if both define the same symbols, and the earlier one is kept. `.gnu.linkonce.r.KEY` is dropped
//! where another file has `.gnu.linkonce.t.KEY` before it. The winner's file becomes the owner of
//! the loser's name, so that the loser is killed like any other copy.

use crate::format::elf::SymbolId;
use crate::read::{FileId, ObjectId, Objects};
use crate::resolve::extract::Extraction;
use crate::script::section_names::LINKONCE;
use object::elf::{SHT_CREL, SHT_REL, SHT_RELA, STT_SECTION};
use skald_core::names::NameId;
use skald_core::unordered::UnorderedMap;

/// An input section: its object, and section header index.
type Place = (ObjectId, u32);

/// Decides which `.gnu.linkonce` sections and groups are kept. Few links have `.gnu.linkonce`
/// sections.
pub fn compete(extraction: &Extraction, objects: &Objects) {
    if objects.iter().all(|object| object.linkonce.is_empty()) {
        return;
    }
    let mut contest =
        Contest { extraction, objects, groups: UnorderedMap::new(), symbols: UnorderedMap::new() };
    contest.find_groups();
    let mut losers = Vec::new();
    for (at, object) in objects.with_ids() {
        for &(shndx, name) in &object.linkonce {
            contest.enter((at, shndx), name, &mut losers);
        }
    }
    // Only after the loop: within it, owners are those of the first section or group of each name.
    for (name, winner) in losers {
        extraction.refs.get(name).offer_comdat(winner);
    }
}

struct Contest<'a> {
    extraction: &'a Extraction,
    objects: &'a Objects,
    /// By signature: the section of each taken one-section group.
    groups: UnorderedMap<NameId, Place>,
    /// Symbols of an object, sorted by section: `(section, symbol)`.
    symbols: UnorderedMap<ObjectId, Vec<(u32, SymbolId)>>,
}

impl Contest<'_> {
    fn owner(&self, name: NameId) -> FileId {
        self.extraction.refs.get(name).comdat_owner()
    }

    fn file(&self, object: ObjectId) -> FileId {
        self.objects[object].file.expect("numbered when taken")
    }

    fn find(&self, name: &[u8]) -> Option<NameId> {
        self.extraction.names.find_text(name)
    }

    fn find_groups(&mut self) {
        for (at, object) in self.objects.with_ids() {
            for group in object.groups.iter().filter(|group| group.content_count == 1) {
                if self.owner(group.name) != self.file(at) {
                    continue;
                }
                let type_of = |member: u32| object.header(member).sh_type();
                let all = object.group_members(group).iter().map(|member| member.get());
                let mut sections =
                    all.filter(|&m| !matches!(type_of(m), SHT_RELA | SHT_REL | SHT_CREL));
                if let (Some(member), None) = (sections.next(), sections.next()) {
                    self.groups.insert(group.name, (at, member));
                }
            }
        }
    }

    /// Lets the section compete if it is the first of its name. If a name loses, adds it to
    /// `losers` with the winner's file.
    fn enter(&mut self, place: Place, name: NameId, losers: &mut Vec<(NameId, FileId)>) {
        let (at, shndx) = place;
        let file = self.file(at);
        let text = self.objects[at].section_name(shndx);
        let tail = text.strip_prefix(LINKONCE).unwrap_or_default();
        let Some(dot) = tail.iter().position(|&byte| byte == b'.') else { return };
        if self.owner(name) != file {
            return;
        }
        let (kind, key) = (&tail[..dot], &tail[dot + 1..]);
        if let Some(group) = self.find(key)
            && let Some(&member) = self.groups.get(&group)
            && member.0 != at
            && self.define_the_same(place, member)
        {
            let other = self.file(member.0);
            losers.push(if other < file { (name, other) } else { (group, file) });
        }
        if kind == b"r"
            && let Some(code) = self.find(&[LINKONCE, b"t.", key].concat())
            && self.owner(code) < file
        {
            losers.push((name, self.owner(code)));
        }
    }

    /// Whether two sections have one type and define the same symbols, at least one.
    fn define_the_same(&mut self, one: Place, other: Place) -> bool {
        let type_of = |(at, shndx): Place| self.objects[at].header(shndx).sh_type();
        if type_of(one) != type_of(other) {
            return false;
        }
        let defined = self.defined(one);
        !defined.is_empty() && defined == self.defined(other)
    }

    /// Names, `st_info` and `st_other` of the symbols that a section defines, sorted.
    fn defined(&mut self, (at, shndx): Place) -> Vec<(&'static [u8], u8, u8)> {
        let object = &self.objects[at];
        let symbols = self.symbols.entry(at).or_insert_with(|| {
            let of = |index| Some((object.symbol_section(index)?, index));
            let mut symbols: Vec<(u32, SymbolId)> =
                object.mapped.symbols.ids().filter_map(of).collect();
            symbols.sort();
            symbols
        });
        let first = symbols.partition_point(|symbol| symbol.0 < shndx);
        let own = symbols[first..].iter().take_while(|symbol| symbol.0 == shndx);
        let mut defined: Vec<_> = own
            .map(|&(_, index)| (index, &object.mapped.symbols[index]))
            .filter(|(_, symbol)| symbol.kind() != STT_SECTION)
            .map(|(index, symbol)| (object.symbol_name(index), symbol.st_info(), symbol.st_other()))
            .collect();
        defined.sort();
        defined
    }
}
