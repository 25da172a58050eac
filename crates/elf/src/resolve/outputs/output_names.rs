//! Assigns output ids to input sections whose names the default layout does not know.

use crate::args::options::Arrangement;
use crate::format::elf::Shdr;
use crate::read::claimed_files::AskedSegment;
use crate::read::object_file::{InputSection, SectionFlags};
use crate::read::{FileId, ObjectFile, ObjectId, Objects};
use crate::resolve::definitions::Definitions;
use crate::script::section_names::{KNOWN, OutputId};
use object::elf::*;
use skald_core::ids::{Column, IdRange, OptionalId};
use skald_core::unordered::{UnorderedMap, UnorderedSet};
use skald_linking::glob::Glob;

/// Assigns an output id to every section whose name is not a known one; returns all names by id.
pub fn assign(
    objects: &Objects,
    definitions: &mut Definitions,
    arrangement: &Arrangement,
) -> Column<OutputId, Vec<u8>> {
    let mut names: Column<OutputId, Vec<u8>> = KNOWN.iter().map(|n| n.to_vec()).collect();
    let mut orphans = OrphanNames::new(arrangement, true);
    for (at, object) in objects.with_ids() {
        if !orphans.unique.is_empty() {
            let range = definitions.sections_of(at);
            orphans.take_unique(object, &mut definitions.sections[range]);
        }
        if !object.has_custom_sections && orphans.unique.is_empty() {
            continue;
        }
        for id in definitions.sections_of(at).ids() {
            let section = &mut definitions.sections[id];
            if section.out.is_none() && !section.flags.has(SectionFlags::DISCARDED) {
                section.out = orphans.output(object, section, &mut names).into();
            }
        }
    }
    names
}

/// Puts the sections of segments that plugins ask for into output sections of their own.
pub fn separate(
    objects: &Objects,
    definitions: &mut Definitions,
    segments: &[AskedSegment],
    names: &mut Column<OutputId, Vec<u8>>,
) {
    if segments.is_empty() {
        return;
    }
    let of_file: UnorderedMap<FileId, ObjectId> =
        objects.with_ids().filter_map(|(at, object)| Some((object.file?, at))).collect();
    for segment in segments {
        let own = names.push(segment.name.clone());
        for (file, shndx) in &segment.sections {
            let Some(&at) = of_file.get(file) else { continue };
            let Some(record) = objects[at].record_index(*shndx) else { continue };
            let section = &mut definitions.sections[definitions.section_base[at] + record];
            if section.flags.has(SectionFlags::ALLOC) && section.out.is_some() {
                section.out = own.into();
            }
        }
    }
}

/// Output ids of orphans, which no statement of a script or the default layout takes: one for each
/// name.
///
/// Input sections that match a pattern of `--unique` are not joined with others of their name;
/// `--unique` without a pattern holds for all orphans.
pub struct OrphanNames {
    ids: UnorderedMap<&'static [u8], OutputId>,
    bound: UnorderedMap<Binding, OutputId>,
    unique: Vec<Glob>,
    are_alone: bool,
    /// The ids of orphans that are not joined.
    pub alone: UnorderedSet<OutputId>,
    /// Output ids of common symbols that are not joined with orphans, by the name of the output
    /// section.
    commons: UnorderedMap<&'static [u8], OutputId>,
    /// Common symbols join the orphans that have the name of their output section.
    pub joins_commons: bool,
    /// They join only an orphan before them: an output section that common symbols begin has no
    /// type.
    joins_only_later: bool,
}

impl OrphanNames {
    /// A table without orphans.
    pub fn new(arrangement: &Arrangement, joins_commons: bool) -> OrphanNames {
        OrphanNames {
            ids: UnorderedMap::new(),
            bound: UnorderedMap::new(),
            unique: arrangement.unique.iter().map(|glob| Glob::new(glob.as_bytes())).collect(),
            are_alone: arrangement.unique_orphans,
            alone: UnorderedSet::new(),
            commons: UnorderedMap::new(),
            joins_commons,
            joins_only_later: !joins_commons,
        }
    }

    /// The output id of an orphan, whose name is added to `names` if it is new.
    pub fn output(
        &mut self,
        object: &ObjectFile,
        section: &InputSection,
        names: &mut Column<OutputId, Vec<u8>>,
    ) -> OutputId {
        if section.flags.has(SectionFlags::COMMON) {
            let is = |flag: u32| section.flags.has(flag);
            let name = match (is(SectionFlags::TLS), is(SectionFlags::LARGE)) {
                (true, _) => &b".tbss"[..],
                (_, true) => b".lbss",
                _ => b".bss",
            };
            let is_first = !self.ids.contains_key(name) && self.joins_only_later;
            return if self.joins_commons && !is_first && !self.commons.contains_key(name) {
                self.named(name, names)
            } else {
                *self.commons.entry(name).or_insert_with(|| names.push(name.to_vec()))
            };
        }
        let name = uncompressed_name(object.section_name(section.shndx));
        if let Some(binding) = binding(object.header(section.shndx)) {
            return *self.bound.entry(binding).or_insert_with(|| names.push(binding.0.to_vec()));
        }
        let is_alone = self.are_alone && !name.starts_with(b".debug")
            || self.unique.iter().any(|glob| glob.matches(name));
        if is_alone {
            let own = names.push(name.to_vec());
            self.alone.insert(own);
            own
        } else {
            self.named(name, names)
        }
    }

    /// The output id of the output section with this name.
    pub fn named(
        &mut self,
        name: &'static [u8],
        names: &mut Column<OutputId, Vec<u8>>,
    ) -> OutputId {
        *self.ids.entry(name).or_insert_with(|| names.push(name.to_vec()))
    }

    /// Gives sections that match `--unique` output ids of their own even if a statement takes them.
    pub fn take_unique(&self, object: &ObjectFile, sections: &mut [InputSection]) {
        for section in sections {
            let special = SectionFlags::COMMON | SectionFlags::EH_FRAME;
            if !section.flags.has(special) {
                let name = object.section_name(section.shndx);
                if self.unique.iter().any(|glob| glob.matches(name)) {
                    section.out = OptionalId::NONE;
                }
            }
        }
    }
}

/// The name of a `.zdebug_*` section once it is decompressed. Such sections are few and old.
fn uncompressed_name(name: &'static [u8]) -> &'static [u8] {
    match name.strip_prefix(b".zdebug_") {
        Some(tail) => Vec::leak([b".debug_", tail].concat()),
        None => name,
    }
}

/// What sections with SHF_GNU_MBIND have in common that are joined: name of the output section,
/// whether they hold code, and memory kind.
pub type Binding = (&'static [u8], bool, u32);

/// The output section of an input that asks for a memory kind (SHF_GNU_MBIND); `None` without.
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
