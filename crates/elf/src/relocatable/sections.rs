//! Output sections: inputs of one name, type and flags, members of groups each on its own.
//!
//! The first appearance in command-line order gives the order; group sections come first, because
//! a group's header must precede those of its members (gABI, "Section Groups"), and each section
//! that has relocations is followed by them.

use super::address_table;
use super::frames::Frames;
use super::groups::{Groups, OutputGroupId};
use super::is_copied;
use super::laid_out::{LaidOut, Piece};
use super::notes::Notes;
use super::splitting::Splitting;
use super::symbols::SymbolTable;
use crate::args::{Options, OutputKind};
use crate::check::no_cross_references::Parts;
use crate::layout::segments::FileEnd;
use crate::machine::Machine;
use crate::read::object_file::{InputSection, SHT_LLVM_ADDRSIG, SectionFlags, StackNote};
use crate::read::{ObjectFile, Objects};
use crate::resolve::definitions::{Definitions, SectionId};
use crate::resolve::outputs::output_names;
use crate::resolve::tables::Tables;
use crate::script::default_layout::LayoutOptions;
use crate::script::name_classes::NameClasses;
use crate::script::section_names::{KNOWN, known};
use crate::select::liveness::Liveness;
use crate::synth::build_id::BuildIdNote;
use object::elf::*;
use skald_core::align::align_up;
use skald_core::id;
use skald_core::ids::{Column, OptionalId};
use skald_core::perturb::shuffled;
use skald_core::unordered::UnorderedMap;
use skald_linking::glob::Glob;
use skald_linking::packed::Packed;
use skald_linking::string_table::StringTable;
use std::borrow::Cow;

id! {
    /// An output section, by its place in the section header table without the null header.
    Position
}

/// What an output section is made of.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum ObjectContent {
    /// An SHT_GROUP section.
    Group(OutputGroupId),
    /// Bytes of input sections, in this order.
    Inputs(Vec<SectionId>),
    Frames,
    BuildId,
    Property,
    StackNote,
    /// SHT_LLVM_ADDRSIG.
    AddressTable,
    /// SHT_RELA for the output section at this position.
    Relocations(Position),
    SymTab,
    SymTabShndx,
    StrTab,
    ShStrTab,
}

impl Position {
    /// Index in the section header table, whose first header is null.
    pub fn header_index(self) -> u32 {
        self.number() + 1
    }
}

/// A section of the output; its header index is its position plus one.
#[derive(Debug, Clone)]
pub struct OutputSection {
    /// As `.shstrtab` holds it.
    pub name: Cow<'static, [u8]>,
    /// `sh_type`, SHT_*.
    pub sh_type: u32,
    /// `sh_flags`, SHF_*.
    pub sh_flags: u64,
    /// `sh_link`: a section header index.
    pub link: u32,
    /// `sh_info`: a section header index or, for `.symtab` and groups, a symbol index.
    pub info: u32,
    /// `sh_addralign`: bytes.
    pub align: u64,
    /// `sh_entsize`: bytes of an entry, 0 if there are none of one size.
    pub entsize: u64,
    /// `sh_size`: bytes in the file or, for SHT_NOBITS, in memory.
    pub size: u64,
    /// `sh_addr`: 0 unless a script gives another.
    pub address: u64,
    /// `sh_offset`, set by [`OutputSections::finish`].
    pub file_offset: u64,
    /// Relocations that apply to it; a section of [`ObjectContent::Relocations`] holds them.
    pub reloc_count: u64,
    /// What its bytes are made of.
    pub content: ObjectContent,
    /// What a script puts between its inputs, in order.
    pub stretches: Vec<Stretch>,
    /// The compressed form that the file holds, if there is one.
    pub compressed: Option<Packed>,
}

/// Bytes between inputs: numbers of a script, or a gap.
#[derive(Debug, Clone)]
pub struct Stretch {
    /// How many of the section's inputs come before it.
    pub before: usize,
    /// Offset in the output section.
    pub start: u64,
    /// Bytes.
    pub size: u64,
    /// What is repeated; empty for padding of the machine.
    pub pattern: Vec<u8>,
}

/// All output sections, and the place of each input section in them.
#[derive(Debug, Default)]
pub struct OutputSections {
    /// In the order of section headers, without the null one.
    pub list: Column<Position, OutputSection>,
    /// The output section of each input section; none for one that is left out.
    pub of_section: Column<SectionId, OptionalId<Position>>,
    /// Offset of each input section in its output section.
    pub offsets: Column<SectionId, u64>,
    /// The output sections that a script asks for, in its order.
    pub of_script: Vec<Position>,
    /// The output section `.eh_frame`.
    pub frames: Option<Position>,
    /// The relocations of each output section, if it has any.
    pub relocations: Column<Position, OptionalId<Position>>,
    /// Content of `.shstrtab`.
    pub names: StringTable,
    /// `sh_name` of each output section: offsets in `names`.
    pub name_offsets: Vec<u32>,
}

impl Parts for OutputSections {
    fn parts(&self) -> Vec<(&[u8], &[SectionId])> {
        let inputs = self.list.iter().filter_map(|output| match &output.content {
            ObjectContent::Inputs(sections) => Some((&output.name[..], &sections[..])),
            _ => None,
        });
        inputs.collect()
    }

    fn name_of(&self, _: &Tables<'_>, section: SectionId) -> Option<&[u8]> {
        let position = self.of_section[section].get()?;
        Some(&self.list[position].name)
    }
}

/// The tables that output sections are collected from.
pub struct SectionInput<'a> {
    /// `--unique`, `--relocatable-merge-sections`, `--split-by-file` and the like are read.
    pub options: &'a Options,
    /// The objects that are taken, by id.
    pub objects: &'a Objects,
    /// Section records, in command-line order.
    pub definitions: &'a Definitions,
    /// Which sections are kept.
    pub live: &'a Liveness,
    /// The plan of `.eh_frame`: its size and type.
    pub frames: &'a Frames<'a>,
    /// Section groups: members are joined with nothing else.
    pub groups: &'a Groups,
    /// `.note.gnu.property` and `.note.GNU-stack` of the output.
    pub notes: &'a Notes,
    /// `None` without `--build-id`.
    pub build_id: Option<BuildIdNote>,
    /// What a script lays out; `None` without one.
    pub laid_out: Option<&'a LaidOut>,
}

/// Input sections with equal keys go to one output section.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Key {
    name: Cow<'static, [u8]>,
    sh_type: u32,
    sh_flags: u64,
    /// `sh_info` of sections with SHF_GNU_MBIND, 0 for others.
    bound_to: u32,
    entsize: u64,
    /// The output section that `sh_link` of a section with SHF_LINK_ORDER means.
    link: OptionalId<Position>,
    /// The id of a section that is joined with no other: no two keys have the same.
    alone: Option<SectionId>,
}

/// Collects input sections into output sections and gives each its offset there.
pub fn collect(input: &SectionInput<'_>) -> OutputSections {
    let mut collector = Collector {
        input,
        unique: input.options.arrangement.unique.iter().map(|p| Glob::new(p.as_bytes())).collect(),
        names: input
            .options
            .arrangement
            .relocatable_merge_sections
            .then(|| NameClasses::new(&LayoutOptions::default())),
        positions: UnorderedMap::new(),
        splitting: Splitting::new(input.options, input.section_names()),
        outputs: OutputSections {
            of_section: Column::filled(OptionalId::NONE, input.definitions.sections.len()),
            offsets: Column::filled(0, input.definitions.sections.len()),
            ..OutputSections::default()
        },
    };
    collector.groups_and_notes();
    match input.laid_out {
        Some(laid_out) => collector.laid_out(laid_out),
        None => collector.contents(),
    }
    collector.frames_and_stack();
    collector.outputs.place(input.definitions);
    collector.outputs
}

struct Collector<'a> {
    input: &'a SectionInput<'a>,
    /// What names say, where sections are joined that have different ones.
    names: Option<NameClasses>,
    unique: Vec<Glob>,
    positions: UnorderedMap<Key, Position>,
    splitting: Option<Splitting>,
    outputs: OutputSections,
}

impl SectionInput<'_> {
    fn section_names(&self) -> impl Iterator<Item = &'static [u8]> {
        let numbers = |object: &ObjectFile| 0..object.mapped.shdrs.len() as u32;
        self.objects.iter().flat_map(move |o| numbers(o).map(|shndx| o.section_name(shndx)))
    }
}

impl Collector<'_> {
    fn groups_and_notes(&mut self) {
        for (index, group) in self.input.groups.list.with_ids() {
            let object = &self.input.objects[group.object];
            let name = object.section_name(group.shndx);
            let mut section = plain(name, SHT_GROUP, 0, 4, ObjectContent::Group(index));
            section.entsize = 4;
            self.outputs.list.push(section);
        }
        let alloc = u64::from(SHF_ALLOC);
        if let Some(note) = &self.input.notes.property {
            let mut section =
                plain(b".note.gnu.property", SHT_NOTE, alloc, 8, ObjectContent::Property);
            section.size = note.size();
            self.outputs.list.push(section);
        }
        if let Some(note) = self.input.build_id {
            let mut section =
                plain(b".note.gnu.build-id", SHT_NOTE, alloc, 4, ObjectContent::BuildId);
            section.size = note.size();
            self.outputs.list.push(section);
        }
    }

    /// What the statements of a script take, then members of groups.
    fn laid_out(&mut self, laid_out: &LaidOut) {
        let first = self.outputs.list.end();
        for (head, part) in laid_out.first_parts().enumerate() {
            let position = self.outputs.list.end();
            self.outputs.of_script.push(position);
            let mut output =
                plain(b"", part.sh_type, part.sh_flags, 1, ObjectContent::Inputs(vec![]));
            let place = &laid_out.outputs.heads[head];
            output.name = Cow::Owned(part.name.clone());
            (output.address, output.size, output.align) = (place.address, place.size, place.align);
            let linked = laid_out.linked(part).map(|at| first + at as u32);
            output.link = linked.map_or(0, Position::header_index);
            output.info = part.info;
            self.take_pieces(position, &mut output, laid_out, head);
            self.outputs.list.push(output);
        }
        self.enter_all(|input, id| input.groups.of_section.contains_key(&id));
    }

    fn take_pieces(
        &mut self,
        position: Position,
        output: &mut OutputSection,
        laid_out: &LaidOut,
        head: usize,
    ) {
        let sections = &self.input.definitions.sections;
        let mut inputs = Vec::new();
        for piece in laid_out.pieces(head, sections) {
            match piece {
                Piece::Input(id, offset) => {
                    self.outputs.of_section[id] = position.into();
                    self.outputs.offsets[id] = offset;
                    output.reloc_count += u64::from(sections[id].rel_count);
                    inputs.push(id);
                }
                Piece::Stretch { start, size, pattern } => {
                    let before = inputs.len();
                    output.stretches.push(Stretch { before, start, size, pattern });
                }
            }
        }
        self.describe(output, &inputs);
        output.content = ObjectContent::Inputs(inputs);
    }

    /// Flags that layout does not know, because addresses mean nothing to them; strings stay
    /// mergeable if all inputs are so in one way.
    fn describe(&self, output: &mut OutputSection, inputs: &[SectionId]) {
        let sections = &self.input.definitions.sections;
        let machine = self.input.options.machine;
        let merging = u64::from(SHF_MERGE | SHF_STRINGS);
        let kept = u64::from(SHF_EXCLUDE) | u64::from(machine.large_section());
        let mut way = None;
        let mut is_one = output.stretches.iter().all(|stretch| stretch.pattern.is_empty());
        for &id in inputs {
            let section = &sections[id];
            if section.flags.has(SectionFlags::COMMON) {
                is_one = false;
                continue;
            }
            let header = self.input.objects[section.object].header(section.shndx);
            output.sh_flags |= header.sh_flags() & kept;
            let own = (header.sh_flags() & merging, header.sh_entsize());
            is_one &= *way.get_or_insert(own) == own;
        }
        if let Some((flags, entsize)) = way.filter(|_| is_one) {
            output.sh_flags |= flags;
            output.entsize = entsize;
        }
    }

    fn contents(&mut self) {
        self.enter_all(|_, _| true);
    }

    fn enter_all(&mut self, is_wanted: impl Fn(&SectionInput<'_>, SectionId) -> bool) {
        let definitions = self.input.definitions;
        let mut ordered = Vec::new();
        for (id, section) in definitions.sections.with_ids() {
            if !self.input.live.is_live(id)
                || !is_copied(section, self.input.options)
                || !is_wanted(self.input, id)
            {
                continue;
            }
            if section.flags.has(SectionFlags::LINK_ORDER) {
                ordered.push(id);
            } else {
                self.enter(id, section, None);
            }
        }
        // A section with SHF_LINK_ORDER goes where the section went that it refers to, in that
        // order.
        let mut linked: Vec<(SectionId, SectionId)> =
            ordered.into_iter().map(|id| (self.linked_section(id).unwrap_or(id), id)).collect();
        shuffled(&mut linked).sort_unstable();
        for (target, id) in linked {
            self.enter(id, &definitions.sections[id], Some(target));
        }
    }

    fn linked_section(&self, id: SectionId) -> Option<SectionId> {
        let section = &self.input.definitions.sections[id];
        let object = &self.input.objects[section.object];
        let link = object.header(section.shndx).sh_link();
        let index = object.record_index(link)?;
        Some(self.input.definitions.section_base[section.object] + index)
    }

    fn enter(&mut self, id: SectionId, section: &InputSection, linked: Option<SectionId>) {
        let link = linked.map_or(OptionalId::NONE, |target| self.outputs.of_section[target]);
        let key = self.key(id, section, link);
        let mut name = key.name.clone();
        let mut known = self.positions.get(&key).copied();
        if let (Some(splitting), Some(position)) = (&mut self.splitting, known)
            && splitting.is_full(position, section)
        {
            name = Cow::Owned(splitting.next_name(&name));
            known = None;
        }
        let position = known.unwrap_or_else(|| {
            let next = self.outputs.list.end();
            let mut output =
                plain(b"", key.sh_type, key.sh_flags, 1, ObjectContent::Inputs(vec![]));
            output.name = name;
            output.entsize = key.entsize;
            output.info = key.bound_to;
            output.link = link.get().map_or(0, Position::header_index);
            self.outputs.list.push(output);
            self.positions.insert(key, next);
            next
        });
        if let Some(splitting) = &mut self.splitting {
            splitting.add(position, section);
        }
        self.outputs.of_section[id] = position.into();
        let output = self.outputs.at_mut(position);
        output.align = output.align.max(1 << section.align_log2);
        output.reloc_count += u64::from(section.rel_count);
        if let ObjectContent::Inputs(inputs) = &mut output.content {
            inputs.push(id);
        }
    }

    fn key(&self, id: SectionId, section: &InputSection, link: OptionalId<Position>) -> Key {
        if section.flags.has(SectionFlags::COMMON) {
            return common_key(self.input.options.machine, section);
        }
        let object = &self.input.objects[section.object];
        let header = object.header(section.shndx);
        let name = self.output_name(object.section_name(section.shndx));
        let in_group = self.input.groups.of_section.contains_key(&id);
        let mut sh_flags = header.sh_flags() & !u64::from(SHF_COMPRESSED | SHF_INFO_LINK);
        if !in_group {
            sh_flags &= !u64::from(SHF_GROUP);
        }
        let is_ordered = section.flags.has(SectionFlags::LINK_ORDER);
        let alone = in_group || (is_ordered && link.is_none()) || self.is_unique(&name);
        Key {
            name,
            sh_type: header.sh_type(),
            sh_flags,
            bound_to: output_names::binding(header).map_or(0, |(_, _, kind)| kind),
            // Some assemblers set `sh_entsize`, others not: it shall not keep sections apart.
            entsize: match header.sh_type() {
                SHT_INIT_ARRAY | SHT_FINI_ARRAY | SHT_PREINIT_ARRAY => 8,
                _ if sh_flags & u64::from(SHF_MERGE) == 0 => 0,
                _ => header.sh_entsize(),
            },
            link,
            alone: alone.then_some(id),
        }
    }

    fn output_name(&self, name: &'static [u8]) -> Cow<'static, [u8]> {
        if let Some(tail) = name.strip_prefix(b".zdebug_") {
            return Cow::Owned([b".debug_", tail].concat());
        }
        if let Some(out) = self.names.as_ref().and_then(|names| names.of(name).output()) {
            return Cow::Borrowed(KNOWN[out.index()]);
        }
        Cow::Borrowed(name)
    }

    /// `--unique` without a pattern: sections that GNU ld's script for `-r` does not name stay
    /// apart.
    fn is_unique(&self, name: &[u8]) -> bool {
        debug_assert_eq!(self.input.options.kind, OutputKind::Relocatable);
        let is_orphan =
            || !KNOWN[..=known::DEBUG_LAST.index()].contains(&name) && !name.starts_with(b".debug");
        (self.input.options.arrangement.unique_orphans && is_orphan())
            || self.unique.iter().any(|glob| glob.matches(name))
    }

    fn frames_and_stack(&mut self) {
        let frames = self.input.frames;
        if frames.is_present {
            let sh_type = frames.sh_type;
            let flags = u64::from(SHF_ALLOC);
            let mut section = plain(b".eh_frame", sh_type, flags, 8, ObjectContent::Frames);
            section.size = frames.size();
            section.reloc_count = frames.reloc_count();
            let position = self.outputs.list.end();
            self.outputs.frames = Some(position);
            for (id, section) in self.input.definitions.sections.with_ids() {
                let dropped = section.flags.has(SectionFlags::DISCARDED);
                if section.flags.has(SectionFlags::EH_FRAME) && !dropped {
                    self.outputs.of_section[id] = position.into();
                }
            }
            self.outputs.list.push(section);
        }
        let flags = match self.input.notes.stack {
            StackNote::Missing => return,
            StackNote::NoExec => 0,
            StackNote::Exec => u64::from(SHF_EXECINSTR),
        };
        let note = plain(b".note.GNU-stack", SHT_PROGBITS, flags, 1, ObjectContent::StackNote);
        self.outputs.list.push(note);
    }
}

fn plain(
    name: &'static [u8],
    sh_type: u32,
    sh_flags: u64,
    align: u64,
    content: ObjectContent,
) -> OutputSection {
    OutputSection {
        name: Cow::Borrowed(name),
        sh_type,
        sh_flags,
        link: 0,
        info: 0,
        align,
        entsize: 0,
        size: 0,
        address: 0,
        file_offset: 0,
        reloc_count: 0,
        content,
        stretches: Vec::new(),
        compressed: None,
    }
}

/// `-d`: the key of the output section that a common symbol is allocated in.
fn common_key(machine: &Machine, section: &InputSection) -> Key {
    let mut sh_flags = u64::from(SHF_ALLOC | SHF_WRITE);
    let mut name: &'static [u8] = b".bss";
    if section.flags.has(SectionFlags::TLS) {
        sh_flags |= u64::from(SHF_TLS);
        name = b".tbss";
    } else if section.flags.has(SectionFlags::LARGE) {
        sh_flags |= u64::from(machine.large_section());
        name = b".lbss";
    }
    let name = Cow::Borrowed(name);
    Key {
        name,
        sh_type: SHT_NOBITS,
        sh_flags,
        bound_to: 0,
        entsize: 0,
        link: OptionalId::NONE,
        alone: None,
    }
}

impl OutputSections {
    /// The output section at `position`, which exists.
    pub fn at(&self, position: Position) -> &OutputSection {
        &self.list[position]
    }

    /// The output section at `position`, to be changed.
    pub fn at_mut(&mut self, position: Position) -> &mut OutputSection {
        &mut self.list[position]
    }

    /// The first output section whose content `wanted` accepts.
    pub fn find(&self, wanted: impl Fn(&ObjectContent) -> bool) -> Option<&OutputSection> {
        self.list.iter().find(|section| wanted(&section.content))
    }

    fn place(&mut self, definitions: &Definitions) {
        for (position, output) in self.list.with_ids_mut() {
            if self.of_script.binary_search(&position).is_ok() {
                continue;
            }
            let ObjectContent::Inputs(inputs) = &output.content else { continue };
            let mut end = 0u64;
            for &id in inputs {
                let section = &definitions.sections[id];
                end = align_up(end, section.align_log2);
                self.offsets[id] = end;
                end = end.saturating_add(section.size);
            }
            output.size = end;
        }
        self.insert_relocations();
    }

    /// Puts each section of relocations behind the section that they apply to.
    fn insert_relocations(&mut self) {
        let old = std::mem::take(&mut self.list);
        let mut moved: Column<Position, Position> = Column::new();
        for section in old {
            let position = self.list.end();
            moved.push(position);
            self.relocations.push(OptionalId::NONE);
            if section.reloc_count != 0 {
                self.relocations[position] = (position + 1).into();
                self.relocations.push(OptionalId::NONE);
                let mut relocations = plain(
                    b"",
                    SHT_RELA,
                    u64::from(SHF_INFO_LINK) | section.sh_flags & u64::from(SHF_GROUP),
                    8,
                    ObjectContent::Relocations(position),
                );
                relocations.name = Cow::Owned([b".rela", &*section.name].concat());
                relocations.entsize = 24;
                relocations.info = position.header_index();
                relocations.size = 24 * section.reloc_count;
                self.list.push(section);
                self.list.push(relocations);
            } else {
                self.list.push(section);
            }
        }
        for position in &mut self.of_section {
            *position = position.get().map(|position| moved[position]).into();
        }
        self.frames = self.frames.map(|position| moved[position]);
        self.of_script.iter_mut().for_each(|position| *position = moved[*position]);
        for section in &mut self.list {
            if section.sh_flags & u64::from(SHF_LINK_ORDER) != 0 && section.link != 0 {
                section.link = moved[Position::new(section.link - 1)].header_index();
            }
        }
    }

    /// How many section headers the symbol table has to know: all, with the null one, that come
    /// before it.
    pub fn symbol_headers(&self) -> usize {
        self.list.len() + 1
    }

    /// Adds the symbol table and the string tables, and gives every section its place in the file.
    pub fn finish(
        &mut self,
        symbols: &SymbolTable,
        groups: &Groups,
        addresses: Option<&[u8]>,
    ) -> FileEnd {
        let symtab = self.list.len() as u32 + 1;
        for section in &mut self.list {
            match &section.content {
                ObjectContent::Group(index) => {
                    let group = &groups.list[*index];
                    section.link = symtab;
                    section.info = symbols.index(group.object, group.signature);
                    let words = group.members.iter().map(|&member| {
                        let position = self.of_section[member].expect("members are kept");
                        1 + u64::from(self.relocations[position].is_some())
                    });
                    section.size = 4 + 4 * words.sum::<u64>();
                }
                ObjectContent::Relocations(_) => section.link = symtab,
                _ => {}
            }
        }
        let mut table = plain(b".symtab", SHT_SYMTAB, 0, 8, ObjectContent::SymTab);
        table.entsize = 24;
        table.size = 24 * u64::from(symbols.count);
        table.info = symbols.first_global;
        let has_shndx = symbols.has_extended_indices;
        table.link = symtab + 1 + u32::from(has_shndx);
        self.list.push(table);
        if has_shndx {
            let mut table =
                plain(b".symtab_shndx", SHT_SYMTAB_SHNDX, 0, 4, ObjectContent::SymTabShndx);
            table.entsize = 4;
            table.size = 4 * u64::from(symbols.count);
            table.link = symtab;
            self.list.push(table);
        }
        let mut strings = plain(b".strtab", SHT_STRTAB, 0, 1, ObjectContent::StrTab);
        strings.size = symbols.string_size;
        self.list.push(strings);
        if let Some(addresses) = addresses {
            let (name, flags) = (address_table::NAME, u64::from(SHF_EXCLUDE));
            let content = ObjectContent::AddressTable;
            let mut table = plain(name, SHT_LLVM_ADDRSIG, flags, 1, content);
            table.size = addresses.len() as u64;
            table.link = symtab;
            self.list.push(table);
        }
        self.list.push(plain(b".shstrtab", SHT_STRTAB, 0, 1, ObjectContent::ShStrTab));
        self.name_offsets = self.list.iter().map(|s| self.names.add(&s.name)).collect();
        let size = self.names.size();
        self.list.last_mut().expect("pushed above").size = size;
        self.assign_offsets()
    }

    fn assign_offsets(&mut self) -> FileEnd {
        let mut end = 64u64;
        for section in &mut self.list {
            end = align_up(end, section.align.clamp(1, 1 << 12).ilog2() as u8);
            section.file_offset = end;
            if section.sh_type != SHT_NOBITS {
                end = end.saturating_add(section.size);
            }
        }
        let section_headers = align_up(end, 3);
        let size = section_headers.saturating_add(64 * (self.list.len() as u64 + 1));
        FileEnd { loaded: 0, section_headers, size }
    }
}
