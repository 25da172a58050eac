//! What symbols in dropped copies of debug information refer to: the same offset in the kept copy.
//!
//! Compilers put debug information that many files share into COMDAT groups (`.debug_macro` of a
//! header, a type unit). The rest of the file refers to a group's section by offset, through a
//! section symbol. Which file's copy is kept makes no difference to the meaning. So, as in GNU ld,
//! such a symbol refers to the section of the kept group, provided that the sections have the same
//! size: then offsets mean the same in both. Code and data are different: the debug information of
//! a dropped function does not describe the kept function.
//!
//! Only objects that lose such groups cost time; objects are examined in parallel.

use crate::format::compressed::CompressedSection;
use crate::format::elf::{self, SymbolId};
use crate::read::{ObjectFile, ObjectId, Objects};
use crate::resolve::definitions::{Definitions, SectionId};
use crate::resolve::extract::Extraction;
use crate::resolve::referent::{PackedReferent, ValueBase};
use object::elf::SHF_COMPRESSED;
use skald_core::names::NameId;
use skald_core::par::prelude::*;
use skald_core::unordered::{UnorderedMap, UnorderedSet};

/// An object, its local symbols in dropped sections that are not loaded, and for each the header
/// index of the section.
pub(in crate::resolve) type LostSymbols = (ObjectId, Vec<(SymbolId, u32)>);

/// Finds the symbols of an object that [`redirect`] changes.
#[cold]
pub(in crate::resolve) fn lost_symbols(object: &ObjectFile) -> Vec<(SymbolId, u32)> {
    let locals = SymbolId::default().onward().take(object.first_global.index());
    locals.filter_map(|at| Some((at, object.lost_unloaded_section(at)?))).collect()
}

/// Makes symbols in dropped sections that are not loaded refer to the kept copies.
pub(in crate::resolve) fn redirect(
    definitions: &mut Definitions,
    extraction: &Extraction,
    objects: &Objects,
    lost: Vec<LostSymbols>,
) {
    if lost.is_empty() {
        return;
    }
    let input = Input { definitions, extraction, objects };
    let copies: Vec<UnorderedMap<u32, Copy>> =
        lost.par_iter().map(|(at, _)| copies_of(&objects[*at], |_| true)).collect();
    let wanted: UnorderedSet<NameId> = lost
        .iter()
        .zip(&copies)
        .flat_map(|((_, lost), copies)| lost.iter().filter_map(|(_, shndx)| copies.get(shndx)))
        .map(|copy| copy.group)
        .collect();
    let kept = input.kept(&wanted);
    let targets: Vec<(ObjectId, SymbolId, SectionId)> = lost
        .par_iter()
        .zip(&copies)
        .flat_map_iter(|((at, lost), copies)| {
            let (input, kept) = (&input, &kept);
            lost.iter().filter_map(move |&(symbol, shndx)| {
                let copy = copies.get(&shndx)?;
                let (keeper, kept) = *kept.get(copy)?;
                Some((*at, symbol, input.same_place(*at, shndx, keeper, kept)?))
            })
        })
        .collect();
    for (at, symbol, section) in targets {
        *definitions.target_mut(at, symbol) = PackedReferent::from(ValueBase::from(section));
    }
}

/// Identifies a section of a COMDAT group or a `.gnu.linkonce` section: what it has in common with
/// its copies in other files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Copy {
    group: NameId,
    name: &'static [u8],
    /// Its index among the group's sections of this name.
    nth: u32,
}

/// The sections of an object's groups that `is_wanted`, by section header index.
fn copies_of(object: &ObjectFile, is_wanted: impl Fn(NameId) -> bool) -> UnorderedMap<u32, Copy> {
    let mut copies = UnorderedMap::new();
    for group in object.groups.iter().filter(|group| is_wanted(group.name)) {
        let mut met: UnorderedMap<&[u8], u32> = UnorderedMap::new();
        for member in object.group_members(group) {
            let name = object.section_name(member.get());
            let next = met.entry(name).or_default();
            copies.insert(member.get(), Copy { group: group.name, name, nth: *next });
            *next += 1;
        }
    }
    for &(shndx, group) in object.linkonce.iter().filter(|(_, group)| is_wanted(*group)) {
        copies.insert(shndx, Copy { group, name: object.section_name(shndx), nth: 0 });
    }
    copies
}

struct Input<'a> {
    definitions: &'a Definitions,
    extraction: &'a Extraction,
    objects: &'a Objects,
}

impl Input<'_> {
    /// Where the kept sections of the wanted groups are.
    fn kept(&self, wanted: &UnorderedSet<NameId>) -> UnorderedMap<Copy, (ObjectId, u32)> {
        let of_object = |(at, object): (ObjectId, &ObjectFile)| {
            let is_kept = |name: NameId| {
                let owner = self.extraction.refs.get(name).comdat_owner();
                wanted.contains(&name) && object.file == Some(owner)
            };
            let copies = copies_of(object, is_kept).into_sorted();
            copies.into_iter().map(move |(shndx, copy)| (copy, (at, shndx))).collect::<Vec<_>>()
        };
        let found: Vec<Vec<_>> = self.objects.par_with_ids().map(of_object).collect();
        found.into_iter().flatten().collect()
    }

    /// The kept section that stands for a dropped one, if it has the same size.
    fn same_place(
        &self,
        at: ObjectId,
        shndx: u32,
        keeper: ObjectId,
        kept: u32,
    ) -> Option<SectionId> {
        let section =
            self.definitions.section_base[keeper] + self.objects[keeper].record_index(kept)?;
        let size = size(&self.objects[at], shndx);
        (self.definitions.sections[section].size == size).then_some(section)
    }
}

/// Uncompressed size of a dropped section in bytes: dropped sections have no record with the size.
fn size(object: &ObjectFile, shndx: u32) -> u64 {
    let header = object.header(shndx);
    let is_standard = header.sh_flags() & u64::from(SHF_COMPRESSED) != 0;
    let is_legacy = object.section_name(shndx).starts_with(b".zdebug_");
    let bytes = (is_standard || is_legacy)
        .then(|| elf::range(object.mapped.data, header.sh_offset(), header.sh_size()))
        .flatten();
    let compressed = if is_standard {
        bytes.and_then(|bytes| CompressedSection::parse(object.mapped.encoding, bytes).ok())
    } else {
        bytes.and_then(CompressedSection::parse_zdebug)
    };
    compressed.map_or(header.sh_size(), |compressed| compressed.size)
}
