//! Adds names to `.debug_str` that debug information has inline in its entries, where
//! `.debug_names` needs them (`--debug-names`).
//!
//! gcc writes names of up to three bytes inline (DW_FORM_string), `std` and `int` among them. They
//! are added even if `.debug_str` has them already: that is cheaper than a search, and a C++
//! program has some hundreds.

use crate::format::elf::Rela;
use crate::read::object_file::{InputSection, SectionFlags};
use crate::read::{ObjectFile, Objects};
use crate::resolve::definitions::{Definitions, SectionId};
use crate::select::liveness::Liveness;
use crate::select::merge::MergedSections;
use skald_core::par;
use skald_core::par::prelude::*;
use skald_core::unordered::UnorderedSet;
use skald_dwarf::inline_names::inline_names;
use skald_dwarf::units::Unit;
use std::borrow::Cow;
use std::collections::BTreeSet;

/// The most bytes that a decompressed section may have.
const LIMIT: u64 = 1 << 40;

/// Adds the inline names of all live `.debug_info` sections.
pub fn add(
    merged: &mut MergedSections,
    objects: &Objects,
    definitions: &Definitions,
    liveness: &Liveness,
) {
    let sections = &definitions.sections;
    let is_named = |id: SectionId, what: &[u8]| {
        let section = &sections[id];
        !section.flags.has(SectionFlags::ALLOC)
            && liveness.is_live(id)
            && is_debug(objects[section.object].section_name(section.shndx), what)
    };
    let infos = par::select(sections.len(), |id: SectionId| is_named(id, b"info"));
    let strings = par::select(sections.len(), |id: SectionId| is_named(id, b"str"));
    let Some(&strings) = strings.first() else { return };
    let of_sections = infos.par_iter().fold(UnorderedSet::new, |mut names, &id| {
        enter(objects, definitions, &sections[id], &mut names);
        names
    });
    let of_sections: Vec<UnorderedSet<Box<[u8]>>> = of_sections.collect();
    let joined: BTreeSet<Box<[u8]>> =
        of_sections.into_iter().flat_map(UnorderedSet::into_sorted).collect();
    let bytes = joined.iter().flat_map(|name| name.iter().copied().chain([0])).collect();
    merged.add_strings(sections[strings].output(), bytes);
}

/// Enters the inline names of one `.debug_info` section.
fn enter(
    objects: &Objects,
    definitions: &Definitions,
    section: &InputSection,
    names: &mut UnorderedSet<Box<[u8]>>,
) {
    let object = &objects[section.object];
    object.at_work();
    let relocs = object.relocs(section);
    let table = |reloc: &Rela| {
        let shndx = object.symbol_section(reloc.symbol())?;
        let name = object.section_name(shndx);
        let record = object.record_index(shndx).filter(|_| is_debug(name, b"abbrev"))?;
        Some(&definitions.sections[definitions.sections_of(section.object).start + record.number()])
    };
    // All units of a section have their abbreviations in one section.
    let Some(table) = relocs.iter().find_map(table) else { return };
    let table_of = |unit: &Unit| {
        let field = unit.abbreviations_at();
        let at = relocs.partition_point(|reloc| reloc.r_offset() < field);
        let value = |reloc: &Rela| object.mapped.symbols[reloc.symbol()].st_value();
        match relocs.get(at).filter(|reloc| reloc.r_offset() == field) {
            None => unit.abbreviations,
            Some(reloc) => value(reloc).wrapping_add(reloc.r_addend() as u64),
        }
    };
    let (info, abbreviations) = (content(object, section), content(object, table));
    let order = object.mapped.encoding.order;
    inline_names(&info, &abbreviations, order, table_of, names);
}

/// The bytes of a section; none if they cannot be decompressed, which is reported where they are
/// written.
fn content(object: &ObjectFile, section: &InputSection) -> Cow<'static, [u8]> {
    match object.compressed(section) {
        Some(compressed) => Cow::Owned(compressed.decompress(LIMIT).unwrap_or_default()),
        None => Cow::Borrowed(object.bytes(section)),
    }
}

/// Whether a section is `.debug_WHAT`, compressed or not.
fn is_debug(name: &[u8], what: &[u8]) -> bool {
    let rest = name.strip_prefix(b".z").or(name.strip_prefix(b"."));
    rest.and_then(|rest| rest.strip_prefix(b"debug_")) == Some(what)
}
