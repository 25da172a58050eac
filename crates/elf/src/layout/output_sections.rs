//! Output sections and the input sections that make them.

use super::{rules, shuffle};
use crate::args::Shuffle;
use crate::args::glob::Glob;
use crate::format::elf::Shdr;
use crate::read::ObjectFile;
use crate::read::object_file::{InputSection, SectionFlags};
use crate::read::section_names::{self, CUSTOM, KNOWN, known};
use crate::resolve::definitions::{Definitions, GLOBAL, SectionId};
use crate::select::liveness::Liveness;
use crate::select::merge::MergedSections;
use object::elf::*;
use rayon::prelude::*;
use std::collections::{BTreeSet, HashMap, HashSet};

/// A section of the output.
#[derive(Debug, Clone)]
pub struct OutputSection {
    /// Name.
    pub name: Vec<u8>,
    /// SHT_*.
    pub sh_type: u32,
    /// SHF_*.
    pub sh_flags: u64,
    /// Alignment in bytes, a power of two.
    pub align: u64,
    /// `sh_entsize`.
    pub entsize: u64,
    /// `sh_link` as the name of a section, resolved when headers are written.
    pub link: &'static [u8],
    /// `sh_info`.
    pub info: u32,
    /// Bytes in memory.
    pub size: u64,
    /// Virtual address, 0 for sections that are not loaded.
    pub address: u64,
    /// Where the bytes are in the file.
    pub file_offset: u64,
    /// What it is made of.
    pub content: Content,
}

/// What an output section is made of.
#[derive(Debug, Clone)]
pub enum Content {
    /// Input sections with this output id: merged groups first, then the sections in order.
    Inputs {
        /// Output id: position in [`OutputSections::by_id`].
        out: u32,
        /// Merged groups and their offset in the section.
        groups: Vec<(u32, u64)>,
        /// Sections.
        sections: Vec<SectionId>,
    },
    /// Made by the linker.
    Synthetic(Synthetic),
}

/// Sections that the linker makes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Synthetic {
    Interp,
    BuildId,
    Property,
    Package,
    Hash,
    GnuHash,
    DynSym,
    DynStr,
    Versym,
    Verdef,
    Verneed,
    RelaDyn,
    RelrDyn,
    RelaPlt,
    Plt,
    PltGot,
    Got,
    GotPlt,
    Dynamic,
    EhFrameHdr,
    EhFrame,
    SymTab,
    SymTabShndx,
    StrTab,
    ShStrTab,
    /// A section of inputs, compressed: position among the compressed ones.
    Compressed(u32),
    /// Zero-filled memory up to the end of the last page that the loader makes read-only.
    RelroPadding,
    /// `.rela.NAME` of `--emit-relocs`, by position of NAME among the output sections.
    EmitRelocs(u32),
}

/// All output sections.
#[derive(Debug, Default)]
pub struct OutputSections {
    /// In output order once [`OutputSections::sort`] has run.
    pub sections: Vec<OutputSection>,
    /// Position in `sections` by output id, `u32::MAX` for ids without content.
    pub by_id: Vec<u32>,
    /// Names by output id.
    pub names: Vec<Vec<u8>>,
}

impl OutputSections {
    /// The section with a name.
    pub fn find(&self, name: &[u8]) -> Option<&OutputSection> {
        self.sections.iter().find(|s| s.name == name)
    }

    /// The section that the linker makes.
    pub fn synthetic(&self, which: Synthetic) -> Option<&OutputSection> {
        self.sections
            .iter()
            .find(|s| matches!(s.content, Content::Synthetic(kind) if kind == which))
    }

    /// Address of a synthetic section, 0 if there is none.
    pub fn address_of(&self, which: Synthetic) -> u64 {
        self.synthetic(which).map_or(0, |s| s.address)
    }

    /// Section header index of the section at `position`.
    pub fn header_index(position: usize) -> u32 {
        position as u32 + 1
    }

    /// Adds a section that the linker makes.
    pub fn add_synthetic(&mut self, which: Synthetic, header: SectionHeader, size: u64) {
        self.sections.push(OutputSection {
            name: header.name.to_vec(),
            sh_type: header.sh_type,
            sh_flags: u64::from(header.sh_flags),
            align: header.align,
            entsize: header.entsize,
            link: header.link,
            info: 0,
            size,
            address: 0,
            file_offset: 0,
            content: Content::Synthetic(which),
        });
    }

    /// `--zero-to-bss`: writable sections that hold nothing but zeros take no space in the file.
    pub fn drop_zeros(&mut self, definitions: &Definitions, objects: &[ObjectFile]) {
        let is_zero = |&id: &SectionId| {
            let section = &definitions.sections[id as usize];
            let object = match section.flags.has(SectionFlags::NOBITS) {
                true => return true,
                false => &objects[section.object as usize],
            };
            section.rel_count == 0 && object.bytes(section).iter().all(|&byte| byte == 0)
        };
        let needed = u64::from(SHF_ALLOC | SHF_WRITE);
        for output in &mut self.sections {
            let Content::Inputs { groups, sections, .. } = &output.content else { continue };
            let is_data = output.sh_type == SHT_PROGBITS && output.sh_flags & needed == needed;
            if is_data && groups.is_empty() && sections.par_iter().all(is_zero) {
                output.sh_type = SHT_NOBITS;
            }
        }
    }

    /// Brings the sections into output order: `key` decides, ties stay in order of appearance.
    pub fn sort<K: Ord>(&mut self, key: impl Fn(&OutputSection) -> K) {
        self.sections.sort_by_key(key);
        self.by_id = vec![u32::MAX; self.names.len()];
        for (position, section) in self.sections.iter().enumerate() {
            match section.content {
                Content::Inputs { out, .. } => self.by_id[out as usize] = position as u32,
                Content::Synthetic(Synthetic::EhFrame) => {
                    self.by_id[known::EH_FRAME as usize] = position as u32;
                }
                Content::Synthetic(_) => {}
            }
        }
    }
}

/// The fixed part of a synthetic section's header.
#[derive(Debug, Clone, Copy)]
pub struct SectionHeader {
    /// Name.
    pub name: &'static [u8],
    /// SHT_*.
    pub sh_type: u32,
    /// SHF_*.
    pub sh_flags: u32,
    /// Alignment in bytes.
    pub align: u64,
    /// Entry size.
    pub entsize: u64,
    /// Name of the section that `sh_link` names.
    pub link: &'static [u8],
}

/// Gives every section whose name is not a known one its output id; returns all names by id.
///
/// Input sections that match one of `unique` (`--unique`) keep their names.
pub fn name_outputs(
    objects: &[ObjectFile],
    definitions: &mut Definitions,
    unique: &[String],
) -> Vec<Vec<u8>> {
    let mut names: Vec<Vec<u8>> = KNOWN.iter().map(|n| n.to_vec()).collect();
    let mut ids: HashMap<&'static [u8], u32> = HashMap::new();
    let unique: Vec<Glob> = unique.iter().map(|glob| Glob::new(glob.as_bytes())).collect();
    for (at, object) in objects.iter().enumerate() {
        if !unique.is_empty() {
            let range = definitions.sections_of(at);
            keep_names(object, &mut definitions.sections[range], &unique);
        }
        if !object.has_custom_sections && unique.is_empty() {
            continue;
        }
        for id in definitions.sections_of(at) {
            let section = &mut definitions.sections[id];
            if section.out != CUSTOM || section.flags.has(SectionFlags::DISCARDED) {
                continue;
            }
            let name = object.section_name(section.shndx);
            section.out = *ids.entry(name).or_insert_with(|| {
                names.push(name.to_vec());
                names.len() as u32 - 1
            });
        }
    }
    names
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

/// Sections per task when they are sorted into output sections.
const CHUNK: usize = 1 << 14;

/// Collects live sections into output sections.
pub fn collect(
    definitions: &Definitions,
    objects: &[ObjectFile],
    liveness: &Liveness,
    merged: &MergedSections,
    names: Vec<Vec<u8>>,
    shuffle: &[(String, Shuffle)],
) -> OutputSections {
    let mut lists: Vec<Vec<SectionId>> = vec![Vec::new(); names.len()];
    let skipped = SectionFlags::EH_FRAME | SectionFlags::DISCARDED | SectionFlags::MERGE;
    let chunks: Vec<Vec<(u32, Vec<SectionId>)>> = definitions
        .sections
        .par_chunks(CHUNK)
        .enumerate()
        .map(|(chunk, records)| {
            let mut found: HashMap<u32, Vec<SectionId>> = HashMap::new();
            let mut last = (u32::MAX, Vec::new());
            for (id, section) in (chunk * CHUNK..).zip(records) {
                if section.flags.has(skipped) || !liveness.is_live(id as u32) {
                    continue;
                }
                if section.out != last.0 {
                    if last.0 != u32::MAX {
                        found.insert(last.0, last.1);
                    }
                    last = (section.out, found.remove(&section.out).unwrap_or_default());
                }
                last.1.push(id as u32);
            }
            if last.0 != u32::MAX {
                found.insert(last.0, last.1);
            }
            found.into_iter().collect()
        })
        .collect();
    for chunk in chunks {
        for (out, ids) in chunk {
            lists[out as usize].extend_from_slice(&ids);
        }
    }
    drop_empty(&mut lists, definitions, objects);
    let mut outputs = OutputSections { names, ..OutputSections::default() };
    for (out, mut sections) in lists.into_iter().enumerate() {
        let out = out as u32;
        let groups: Vec<(u32, u64)> = (0..merged.groups.len() as u32)
            .filter(|&g| merged.groups[g as usize].out == out)
            .map(|g| (g, 0))
            .collect();
        if sections.is_empty() && groups.is_empty() {
            continue;
        }
        if !shuffle.is_empty() && !rules::runs_through(out) {
            shuffle::rearrange(&mut sections, definitions, objects, shuffle);
        }
        if is_ordered_by_priority(out) {
            sections.sort_by_key(|&id| {
                let section = &definitions.sections[id as usize];
                let object = &objects[section.object as usize];
                section_names::init_priority(object.section_name(section.shndx))
            });
        }
        order_by_links(definitions, objects, &mut sections);
        let section = describe(definitions, objects, merged, &outputs.names, out, groups, sections);
        outputs.sections.push(section);
    }
    outputs
}

/// Drops output sections that nothing is in and no symbol lies in: assemblers make `.text`,
/// `.data` and `.bss` in every object.
fn drop_empty(lists: &mut [Vec<SectionId>], definitions: &Definitions, objects: &[ObjectFile]) {
    let size_of = |id: &SectionId| definitions.sections[*id as usize].size;
    let is_empty = |ids: &Vec<SectionId>| !ids.is_empty() && ids.iter().all(|id| size_of(id) == 0);
    let candidates: HashSet<u32> =
        (0..).zip(lists.iter()).filter(|(_, ids)| is_empty(ids)).map(|(out, _)| out).collect();
    if candidates.is_empty() {
        return;
    }
    let out_of = |id: u32| definitions.sections.get(id as usize).map(|s| s.out);
    let used = |at: usize| -> HashSet<u32> {
        let object = &objects[at];
        let base = definitions.symbol_base[at] as usize;
        let symbols = object.symbols.iter().zip(&definitions.target[base..]);
        symbols
            .filter(|(symbol, _)| symbol.kind() != STT_SECTION)
            .filter_map(|(_, &target)| match target & GLOBAL {
                0 => out_of(target),
                _ => out_of(definitions.globals[(target & !GLOBAL) as usize].section),
            })
            .filter(|out| candidates.contains(out))
            .collect()
    };
    let owners: BTreeSet<u32> = candidates
        .iter()
        .flat_map(|&out| &lists[out as usize])
        .map(|&id| definitions.sections[id as usize].object)
        .collect();
    let owners: Vec<u32> = owners.into_iter().collect();
    let kept: HashSet<u32> = owners.par_iter().flat_map_iter(|&at| used(at as usize)).collect();
    for out in candidates.difference(&kept) {
        lists[*out as usize].clear();
    }
}

fn is_ordered_by_priority(out: u32) -> bool {
    matches!(out, known::INIT_ARRAY | known::FINI_ARRAY | known::CTORS | known::DTORS)
}

/// Brings sections with SHF_LINK_ORDER into the order of the sections they are linked to: those
/// lie in one output section as a rule, where the lower id comes first.
fn order_by_links(definitions: &Definitions, objects: &[ObjectFile], sections: &mut [SectionId]) {
    let record = |id: SectionId| &definitions.sections[id as usize];
    let is_linked = |id: SectionId| record(id).flags.has(SectionFlags::LINK_ORDER);
    if !sections.iter().any(|&id| is_linked(id)) {
        return;
    }
    let linked_to = |id: SectionId| {
        let section = record(id);
        let object = &objects[section.object as usize];
        let to = object.shdrs[section.shndx as usize].sh_link.get();
        let index = object.record_index(to);
        let target = index.map(|i| definitions.section_base[section.object as usize] + i);
        target.map_or((u32::MAX, u32::MAX), |target| (record(target).out, target))
    };
    // Those without a link stay where they are; the others share the remaining places.
    let places: Vec<usize> = (0..sections.len()).filter(|&at| is_linked(sections[at])).collect();
    let mut linked: Vec<SectionId> = places.iter().map(|&at| sections[at]).collect();
    linked.sort_by_key(|&id| linked_to(id));
    for (at, id) in places.into_iter().zip(linked) {
        sections[at] = id;
    }
}

/// What the inputs of an output section have together.
#[derive(Debug, Default)]
struct CommonTraits {
    /// Flags that any has.
    any: u32,
    /// Flags that all have.
    all: u32,
    align_log2: u8,
    /// `sh_entsize` if all agree, 0 if not.
    entsize: Option<u64>,
    /// A type other than SHT_PROGBITS, SHT_NOBITS and SHT_NOTE.
    special_type: Option<u32>,
}

impl CommonTraits {
    #[inline]
    fn add(&mut self, section: &InputSection) {
        self.any |= section.flags.0;
        self.all &= section.flags.0;
        self.align_log2 = self.align_log2.max(section.align_log2);
    }

    fn add_header(&mut self, header: &Shdr) {
        let own = header.sh_entsize.get();
        self.entsize = Some(self.entsize.map_or(own, |e| if e == own { e } else { 0 }));
        let own_type = header.sh_type.get();
        if !matches!(own_type, SHT_NOBITS | SHT_PROGBITS | SHT_NOTE) {
            self.special_type = Some(own_type);
        }
    }

    fn sh_flags(&self) -> u64 {
        [
            (SectionFlags::ALLOC, SHF_ALLOC),
            (SectionFlags::WRITE, SHF_WRITE),
            (SectionFlags::EXEC, SHF_EXECINSTR),
            (SectionFlags::TLS, SHF_TLS),
            (SectionFlags::LARGE, 1 << 28),
            (SectionFlags::RETAIN, 1 << 21),
        ]
        .into_iter()
        .filter(|(bit, _)| self.any & bit != 0)
        .fold(0, |flags, (_, flag)| flags | u64::from(flag))
    }

    fn sh_type(&self) -> u32 {
        if self.all & SectionFlags::NOBITS != 0 {
            return SHT_NOBITS;
        }
        let is_note = self.any & SectionFlags::NOTE != 0;
        self.special_type.unwrap_or(if is_note { SHT_NOTE } else { SHT_PROGBITS })
    }
}

/// The header of an output section: flags and alignment of all its inputs together.
fn describe(
    definitions: &Definitions,
    objects: &[ObjectFile],
    merged: &MergedSections,
    names: &[Vec<u8>],
    out: u32,
    groups: Vec<(u32, u64)>,
    sections: Vec<SectionId>,
) -> OutputSection {
    let members = groups
        .iter()
        .flat_map(|&(g, _)| &merged.groups[g as usize].members)
        .map(|&m| merged.members[m as usize].section);
    let is_custom = out as usize >= KNOWN.len();
    let mut common = CommonTraits { all: u32::MAX, ..CommonTraits::default() };
    for id in members.chain(sections.iter().copied()) {
        let section = &definitions.sections[id as usize];
        common.add(section);
        if is_custom && !section.flags.has(SectionFlags::COMMON) {
            let object = &objects[section.object as usize];
            common.add_header(&object.shdrs[section.shndx as usize]);
        }
    }
    let CommonTraits { align_log2, entsize, .. } = common;
    let mut flags = common.sh_flags();
    // Merged content keeps its flags only when all of the section is of one kind.
    let mut merge_entsize = 0;
    if sections.is_empty()
        && let [(first, _), rest @ ..] = &groups[..]
    {
        let first = &merged.groups[*first as usize];
        let same = rest.iter().all(|&(g, _)| {
            let group = &merged.groups[g as usize];
            group.is_strings == first.is_strings && group.entsize == first.entsize
        });
        if same {
            flags |= u64::from(SHF_MERGE);
            if first.is_strings {
                flags |= u64::from(SHF_STRINGS);
            }
            merge_entsize = u64::from(first.entsize);
        }
    }
    let sh_type = match out {
        known::INIT_ARRAY => SHT_INIT_ARRAY,
        known::FINI_ARRAY => SHT_FINI_ARRAY,
        known::PREINIT_ARRAY => SHT_PREINIT_ARRAY,
        _ => common.sh_type(),
    };
    OutputSection {
        name: names[out as usize].clone(),
        sh_type,
        sh_flags: flags,
        align: 1 << align_log2,
        entsize: match merge_entsize {
            0 if matches!(sh_type, SHT_INIT_ARRAY | SHT_FINI_ARRAY | SHT_PREINIT_ARRAY) => 8,
            0 => entsize.filter(|_| sections.len() == 1).unwrap_or(0),
            n => n,
        },
        link: b"",
        info: 0,
        size: 0,
        address: 0,
        file_offset: 0,
        content: Content::Inputs { out, groups, sections },
    }
}
