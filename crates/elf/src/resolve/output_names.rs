//! Ids of output sections: of those that inputs ask for by names that the default layout does not
//! know.

use super::definitions::Definitions;
use crate::args::options::Arrangement;
use crate::format::elf::Shdr;
use crate::read::object_file::{InputSection, SectionFlags};
use crate::read::section_names::{CUSTOM, KNOWN, OutputId};
use crate::read::{ObjectFile, Objects};
use object::elf::*;
use skald_base::glob::Glob;
use skald_core::ids::{Column, IdRange};
use skald_core::unordered::UnorderedMap;

/// Gives every section whose name is not a known one its output id; returns all names by id.
///
/// Input sections that match a pattern of `--unique` keep their names and are joined with none; so
/// are, without a pattern, those that the default layout does not name.
pub fn assign(
    objects: &Objects,
    definitions: &mut Definitions,
    arrangement: &Arrangement,
) -> Column<OutputId, Vec<u8>> {
    let mut names: Column<OutputId, Vec<u8>> = KNOWN.iter().map(|n| n.to_vec()).collect();
    let mut ids: UnorderedMap<&'static [u8], OutputId> = UnorderedMap::new();
    let mut bound: UnorderedMap<Binding, OutputId> = UnorderedMap::new();
    let unique: Vec<Glob> =
        arrangement.unique.iter().map(|glob| Glob::new(glob.as_bytes())).collect();
    let is_alone = |name: &[u8]| {
        (arrangement.unique_orphans && !name.starts_with(b".debug"))
            || unique.iter().any(|glob| glob.matches(name))
    };
    for (at, object) in objects.with_ids() {
        if !unique.is_empty() {
            let range = definitions.sections_of(at);
            keep_names(object, &mut definitions.sections[range], &unique);
        }
        if !object.has_custom_sections && unique.is_empty() {
            continue;
        }
        for id in definitions.sections_of(at).ids() {
            let section = &mut definitions.sections[id];
            if section.out != CUSTOM || section.flags.has(SectionFlags::DISCARDED) {
                continue;
            }
            let name = uncompressed_name(object.section_name(section.shndx));
            if let Some(binding) = binding(object.header(section.shndx)) {
                section.out =
                    *bound.entry(binding).or_insert_with(|| names.push(binding.0.to_vec()));
                continue;
            }
            let mut new_id = || names.push(name.to_vec());
            section.out = match is_alone(name) {
                true => new_id(),
                false => *ids.entry(name).or_insert_with(new_id),
            };
        }
    }
    names
}

/// The name of `.zdebug_*` when it is not compressed. Such sections are few and old.
fn uncompressed_name(name: &'static [u8]) -> &'static [u8] {
    match name.strip_prefix(b".zdebug_") {
        Some(tail) => Vec::leak([b".debug_", tail].concat()),
        None => name,
    }
}

/// Takes sections with matching names out of the output sections that their names would fold into.
fn keep_names(object: &ObjectFile, sections: &mut [InputSection], unique: &[Glob]) {
    for section in sections {
        let special = SectionFlags::COMMON | SectionFlags::EH_FRAME;
        if !section.flags.has(special) {
            let name = object.section_name(section.shndx);
            if unique.iter().any(|glob| glob.matches(name)) {
                section.out = CUSTOM;
            }
        }
    }
}

/// What must be equal in sections that are joined: the name of their output section, whether they
/// hold code, and the kind.
pub type Binding = (&'static [u8], bool, u32);

/// Where a section with this header goes, if it asks for a kind of memory (SHF_GNU_MBIND).
#[inline]
pub fn binding(header: &Shdr) -> Option<Binding> {
    let flags = header.sh_flags();
    let has = |flag: u32| flags & u64::from(flag) != 0;
    if !has(SHF_GNU_MBIND) || !has(SHF_ALLOC) {
        return None;
    }
    let name: &[u8] = match (has(SHF_WRITE), has(SHF_EXECINSTR)) {
        _ if header.sh_type() == SHT_NOBITS => b".mbind.bss",
        (true, _) => b".mbind.data",
        (false, false) => b".mbind.rodata",
        (false, true) => b".mbind.text",
    };
    Some((name, has(SHF_EXECINSTR), header.sh_info()))
}
