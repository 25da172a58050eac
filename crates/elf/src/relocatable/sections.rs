//! Output sections: inputs of the same name, type and flags are joined; members of groups are not.
//!
//! Output sections are in the order of their first inputs. Group sections come first, because a
//! group's header must precede those of its members (gABI, "Section Groups"). A section's
//! relocations follow it.

use super::frames::Frames;
use super::groups::Groups;
use super::is_copied;
use super::laid_out::{LaidOut, Piece};
use super::splitting::Splitting;
use super::symbols::SymbolTable;
use crate::args::{Options, OutputKind};
use crate::check::no_cross_references::Parts;
use crate::layout::output_sections::{CompressedId, OutputPosition, SectionHeader};
use crate::layout::segments::{self, FileEnd};
use crate::layout::{Content, OutputSection, OutputSections, Synthetic};
use crate::machine::Machine;
use crate::read::object_file::{InputSection, SectionFlags, StackNote};
use crate::read::{ObjectFile, Objects};
use crate::resolve::definitions::{Definitions, SectionId};
use crate::resolve::outputs::output_names;
use crate::resolve::tables::Tables;
use crate::script::default_layout::LayoutOptions;
use crate::script::name_classes::NameClasses;
use crate::script::section_names::{KNOWN, OutputId, known};
use crate::select::liveness::Liveness;
use crate::synth::emitted_relocs::{self, RelocatedInputs};
use crate::synth::section_names::SectionNames;
use crate::synth::sections::{self as made, Plan};
use crate::synth::symtab::SymTab;
use crate::synth::symtab_shndx;
use object::elf::*;
use skald_core::align::align_up;
use skald_core::ids::{Column, OptionalId};
use skald_core::perturb::shuffled;
use skald_core::unordered::UnorderedMap;
use skald_linking::glob::Glob;
use skald_linking::packed::Packed;
use std::borrow::Cow;
use std::collections::hash_map::Entry;
use std::sync::atomic::{AtomicU64, Ordering};

/// All output sections, and the place of each input section in them.
#[derive(Debug, Default)]
pub struct JoinedSections {
    /// In the order of section headers. Those with inputs have an output id each, and so has
    /// `.eh_frame`.
    pub outputs: OutputSections,
    /// The output section of each input section; none for one that is left out.
    pub output_of: Column<SectionId, OptionalId<OutputId>>,
    /// Offset of each input section in its output section.
    pub offsets: Column<SectionId, AtomicU64>,
    /// The output sections that a script asks for, in its order.
    pub of_script: Vec<OutputId>,
    /// The bytes that a script puts between the inputs of its sections, in order.
    pub stretches: UnorderedMap<OutputId, Vec<Stretch>>,
    /// The inputs of each output section that has relocations.
    pub relocated: RelocatedInputs,
    /// The compressed form of each output section that has one.
    pub compressed: Column<CompressedId, Packed>,
    /// The inputs of the sections in `compressed`.
    pub compressed_inputs: Column<CompressedId, Vec<SectionId>>,
    /// Content of `.shstrtab`.
    pub names: SectionNames,
}

/// Bytes between inputs: numbers of a script, or a gap.
#[derive(Debug, Clone)]
pub struct Stretch {
    /// How many of the section's inputs come before it.
    pub before: usize,
    /// Offset in the output section.
    pub start: u64,
    /// Size in bytes.
    pub size: u64,
    /// The repeated pattern; empty for padding of the machine.
    pub pattern: Vec<u8>,
}

impl Parts for JoinedSections {
    fn parts(&self) -> Vec<(&[u8], &[SectionId])> {
        self.outputs.parts()
    }

    fn name_of(&self, _: &Tables<'_>, section: SectionId) -> Option<&[u8]> {
        let out = self.output_of[section].get()?;
        Some(&self.outputs.of(out)?.name)
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
    /// The notes of the output, and the counts of relocations of `.eh_frame`.
    pub plan: &'a Plan,
    /// `.note.GNU-stack` of the output.
    pub stack_note: StackNote,
    /// The layout of a script; `None` without one.
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
    /// The output section that `sh_link` of a section with SHF_LINK_ORDER refers to.
    link: OptionalId<OutputId>,
    /// The id of a section that is not joined with others, which makes its key unique.
    alone: Option<SectionId>,
}

/// Collects input sections into output sections and gives each its offset there.
pub fn collect(input: &SectionInput<'_>) -> JoinedSections {
    let sections = input.definitions.sections.len();
    let mut joined = JoinedSections {
        output_of: Column::filled(OptionalId::NONE, sections),
        offsets: Column::zeroed(sections),
        ..JoinedSections::default()
    };
    // Code may fall through from any input into the next.
    joined.outputs.runs_through = true;
    joined.outputs.machine = input.options.machine;
    // Ids of known names are not used for inputs: `.eh_frame` has one.
    joined.outputs.names = Column::filled(Vec::new(), KNOWN.len());
    joined.outputs.note_positions();
    let mut collector = Collector {
        input,
        unique: input.options.arrangement.unique.iter().map(|p| Glob::new(p.as_bytes())).collect(),
        names: input
            .options
            .arrangement
            .relocatable_merge_sections
            .then(|| NameClasses::new(&LayoutOptions::default())),
        known: UnorderedMap::new(),
        splitting: Splitting::new(input.options, input.section_names()),
        joined,
    };
    collector.groups_and_notes();
    match input.laid_out {
        Some(laid_out) => collector.laid_out(laid_out),
        None => collector.contents(),
    }
    collector.frames_and_stack();
    collector.place();
    collector.place_relocations();
    collector.joined
}

struct Collector<'a> {
    input: &'a SectionInput<'a>,
    /// Classes of names, if sections with different names are joined.
    names: Option<NameClasses>,
    unique: Vec<Glob>,
    known: UnorderedMap<Key, OutputId>,
    splitting: Option<Splitting>,
    joined: JoinedSections,
}

impl SectionInput<'_> {
    fn section_names(&self) -> impl Iterator<Item = &'static [u8]> {
        let numbers = |object: &ObjectFile| 0..object.mapped.shdrs.len() as u32;
        self.objects.iter().flat_map(move |o| numbers(o).map(|shndx| o.section_name(shndx)))
    }

    /// Whether relocations apply to an output section.
    fn has_relocs(&self, section: &OutputSection) -> bool {
        match &section.content {
            Content::Inputs { sections, .. } => {
                sections.iter().any(|&id| self.definitions.sections[id].rel_count != 0)
            }
            Content::Synthetic(Synthetic::EhFrame) => self.plan.emitted.frame_count() != 0,
            Content::Synthetic(_) => false,
        }
    }
}

impl Collector<'_> {
    fn groups_and_notes(&mut self) {
        for (index, group) in self.input.groups.list.with_ids() {
            let object = &self.input.objects[group.object];
            let header = SectionHeader {
                name: object.section_name(group.shndx),
                sh_type: SHT_GROUP,
                sh_flags: 0,
                align: 4,
                entsize: 4,
                link: Some(Synthetic::SymTab),
            };
            self.joined.outputs.add_synthetic(Synthetic::Group(index), header, 0);
        }
        let outputs = &mut self.joined.outputs;
        if let Some(note) = &self.input.plan.property {
            outputs.add_synthetic(
                Synthetic::Property,
                made::property(outputs.encoding()),
                note.size(),
            );
        }
        if let Some(note) = &self.input.plan.build_id {
            outputs.add_synthetic(Synthetic::BuildId, made::BUILD_ID, note.size());
        }
        if let Some((header, bytes)) = made::attributes(outputs, self.input.plan) {
            outputs.add_synthetic(Synthetic::Attributes, header, bytes);
        }
        for part in &self.input.plan.loaded_attributes {
            let bytes = part.bytes.len() as u64;
            outputs.add_synthetic(part.kind, made::loaded(part.section), bytes);
        }
    }

    /// Adds the sections that the statements of a script take, then members of groups.
    fn laid_out(&mut self, laid_out: &LaidOut) {
        let first = self.joined.outputs.names.end();
        for (head, part) in laid_out.first_parts().enumerate() {
            let outputs = &mut self.joined.outputs;
            let out = add(outputs, part.name.clone(), part.sh_type, part.sh_flags);
            self.joined.of_script.push(out);
            let place = &laid_out.outputs.heads[head];
            let output = self.joined.output_mut(out);
            (output.address, output.size, output.align) = (place.address, place.size, place.align);
            output.linked_to = laid_out.linked(part).map(|at| first + at as u32);
            output.info = part.info;
            self.take_pieces(out, laid_out, head);
        }
        self.enter_all(|input, id| input.groups.of_section.contains_key(&id));
    }

    fn take_pieces(&mut self, out: OutputId, laid_out: &LaidOut, head: usize) {
        let sections = &self.input.definitions.sections;
        let (mut inputs, mut stretches) = (Vec::new(), Vec::new());
        for piece in laid_out.pieces(head, sections) {
            match piece {
                Piece::Input(id, offset) => {
                    self.joined.output_of[id] = out.into();
                    *self.joined.offsets[id].get_mut() = offset;
                    inputs.push(id);
                }
                Piece::Stretch { start, size, pattern } => {
                    let before = inputs.len();
                    stretches.push(Stretch { before, start, size, pattern });
                }
            }
        }
        let is_only_padded = stretches.iter().all(|stretch| stretch.pattern.is_empty());
        let (flags, entsize) = self.described(&inputs, is_only_padded);
        self.joined.stretches.insert(out, stretches);
        let output = self.joined.output_mut(out);
        output.sh_flags |= flags;
        output.entsize = entsize;
        if let Content::Inputs { sections, .. } = &mut output.content {
            *sections = inputs;
        }
    }

    /// Flags that layout does not know, because they do not affect addresses, and `sh_entsize`.
    /// Strings stay mergeable if all inputs are mergeable in the same way and a script puts no
    /// bytes between them.
    fn described(&self, inputs: &[SectionId], is_only_padded: bool) -> (u64, u64) {
        let sections = &self.input.definitions.sections;
        let machine = self.input.options.machine;
        let merging = u64::from(SHF_MERGE | SHF_STRINGS);
        let kept = u64::from(SHF_EXCLUDE) | u64::from(machine.large_section());
        let mut way = None;
        let mut is_one = is_only_padded;
        let mut flags = 0;
        for &id in inputs {
            let section = &sections[id];
            if section.flags.has(SectionFlags::COMMON) {
                is_one = false;
                continue;
            }
            let header = self.input.objects[section.object].header(section.shndx);
            flags |= header.sh_flags() & kept;
            let own = (header.sh_flags() & merging, header.sh_entsize());
            is_one &= *way.get_or_insert(own) == own;
        }
        let (merging, entsize) = way.filter(|_| is_one).unwrap_or_default();
        (flags | merging, entsize)
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
        // A section with SHF_LINK_ORDER is joined according to the section that it is linked to, in
        // that order.
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
        let link = linked.map_or(OptionalId::NONE, |target| self.joined.output_of[target]);
        let key = self.key(id, section, link);
        let out = self.output_for(key, section);
        if let Some(splitting) = &mut self.splitting {
            splitting.add(out, section);
        }
        self.joined.output_of[id] = out.into();
        let pure_code = u64::from(self.input.options.machine.pure_code);
        let output = self.joined.output_mut(out);
        output.align = output.align.max(1 << section.align_log2);
        if let Content::Inputs { sections, .. } = &mut output.content {
            if !section.flags.has(SectionFlags::PURE_CODE) {
                output.sh_flags &= !pure_code;
            } else if sections.is_empty() {
                output.sh_flags |= pure_code;
            }
            sections.push(id);
        }
    }

    /// The output section for inputs with this key, which `section` is one of.
    fn output_for(&mut self, key: Key, section: &InputSection) -> OutputId {
        let outputs = &mut self.joined.outputs;
        // No other input has the key.
        if key.alone.is_some() {
            return add_of(outputs, &key, key.name.to_vec(), section);
        }
        match self.known.entry(key) {
            Entry::Vacant(vacant) => {
                let key = vacant.key();
                let out = add_of(outputs, key, key.name.to_vec(), section);
                *vacant.insert(out)
            }
            Entry::Occupied(mut known) => {
                if let Some(splitting) = &mut self.splitting
                    && splitting.is_full(*known.get(), &known.key().name, section)
                {
                    let key = known.key();
                    let out = add_of(outputs, key, splitting.next_name(&key.name), section);
                    known.insert(out);
                }
                *known.get()
            }
        }
    }

    fn key(&self, id: SectionId, section: &InputSection, link: OptionalId<OutputId>) -> Key {
        if section.flags.has(SectionFlags::COMMON) {
            return common_key(self.input.options.machine, section);
        }
        let object = &self.input.objects[section.object];
        let header = object.header(section.shndx);
        let name = self.output_name(object.section_name(section.shndx));
        let in_group = self.input.groups.of_section.contains_key(&id);
        // Whether code has data in it does not keep sections apart: gas makes an empty `.text`
        // without the flag in each object.
        let pure_code = self.input.options.machine.pure_code;
        let ignored = u64::from(SHF_COMPRESSED | SHF_INFO_LINK | pure_code);
        let mut sh_flags = header.sh_flags() & !ignored;
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
            // Some assemblers set `sh_entsize` and others do not, so it does not keep sections
            // apart.
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

    /// `--unique` without a pattern: sections that GNU ld's script for `-r` does not name are not
    /// joined.
    fn is_unique(&self, name: &[u8]) -> bool {
        debug_assert_eq!(self.input.options.kind, OutputKind::Relocatable);
        let is_orphan =
            || !KNOWN[..=known::DEBUG_LAST.index()].contains(&name) && !name.starts_with(b".debug");
        (self.input.options.arrangement.unique_orphans && is_orphan())
            || self.unique.iter().any(|glob| glob.matches(name))
    }

    fn frames_and_stack(&mut self) {
        let frames = self.input.frames;
        let outputs = &mut self.joined.outputs;
        if frames.is_present {
            let header =
                SectionHeader { sh_type: frames.sh_type, ..made::eh_frame(outputs.encoding()) };
            outputs.add_synthetic(Synthetic::EhFrame, header, frames.size());
            for (id, section) in self.input.definitions.sections.with_ids() {
                let dropped = section.flags.has(SectionFlags::DISCARDED);
                if section.flags.has(SectionFlags::EH_FRAME) && !dropped {
                    self.joined.output_of[id] = known::EH_FRAME.into();
                }
            }
        }
        let sh_flags = match self.input.stack_note {
            StackNote::Missing => return,
            StackNote::NoExec => 0,
            StackNote::Exec => SHF_EXECINSTR,
        };
        let header = SectionHeader { sh_flags, ..made::STACK_NOTE };
        outputs.add_synthetic(Synthetic::StackNote, header, 0);
    }

    /// Gives inputs their offsets, unless a script has done so.
    fn place(&mut self) {
        let JoinedSections { outputs, offsets, of_script, .. } = &mut self.joined;
        for output in &mut outputs.sections {
            let Content::Inputs { out, sections, .. } = &output.content else { continue };
            if of_script.binary_search(out).is_ok() {
                continue;
            }
            let mut end = 0u64;
            for &id in sections {
                let section = &self.input.definitions.sections[id];
                end = align_up(end, section.align_log2);
                *offsets[id].get_mut() = end;
                end = end.saturating_add(section.size);
            }
            output.size = end;
        }
    }

    /// Counts the relocations of each section. Their own section is behind it: from the beginning
    /// if the first input has relocations, as a rule, otherwise from now on.
    fn place_relocations(&mut self) {
        let outputs = &mut self.joined.outputs;
        let is_table = |at: usize, sections: &[OutputSection]| {
            let behind = sections.get(at + 1).and_then(OutputSection::kind);
            matches!(behind, Some(Synthetic::EmitRelocs(_)))
        };
        let lacks_table = |at: usize, sections: &[OutputSection]| {
            self.input.has_relocs(&sections[at]) && !is_table(at, sections)
        };
        if (0..outputs.sections.len()).any(|at| lacks_table(at, &outputs.sections)) {
            insert_tables(outputs, lacks_table);
        }
        outputs.number();
        self.joined.relocated = RelocatedInputs::new(outputs.names.len());
        for at in 1..outputs.sections.len() {
            if !is_table(at - 1, &outputs.sections) {
                continue;
            }
            let count = match &outputs.sections[at - 1].content {
                Content::Inputs { out, sections, .. } => {
                    self.joined.relocated.add(*out, sections);
                    let inputs = &self.input.definitions.sections;
                    sections.iter().map(|&id| u64::from(inputs[id].rel_count)).sum()
                }
                Content::Synthetic(_) => self.input.plan.emitted.frame_count(),
            };
            let table = &mut outputs.sections[at];
            table.size = table.entsize * count;
            table.info = at as u32;
        }
    }
}

/// Inserts a section of relocations behind each section that lacks one.
#[cold]
fn insert_tables(
    outputs: &mut OutputSections,
    lacks_table: impl Fn(usize, &[OutputSection]) -> bool,
) {
    let old = &outputs.sections;
    let lacking: Vec<bool> = (0..old.len()).map(|at| lacks_table(at, old)).collect();
    for (section, is_lacking) in std::mem::take(&mut outputs.sections).into_iter().zip(lacking) {
        outputs.sections.push(section);
        if is_lacking {
            push_table(outputs);
        }
    }
}

/// Adds the section of the relocations that apply to the last section.
fn push_table(outputs: &mut OutputSections) {
    let Some(section) = outputs.sections.last() else { return };
    let out = match section.content {
        Content::Inputs { out, .. } => out,
        Content::Synthetic(_) => known::EH_FRAME,
    };
    let mut table = emitted_relocs::table(outputs, out, &section.name, 0);
    table.sh_flags |= section.sh_flags & u64::from(SHF_GROUP);
    outputs.sections.push(table);
}

/// Adds an output section that has no inputs yet.
fn add(outputs: &mut OutputSections, name: Vec<u8>, sh_type: u32, sh_flags: u64) -> OutputId {
    // Only the section has the name: nothing looks names up by id.
    let out = outputs.names.push(Vec::new());
    outputs.by_id.push(OutputPosition::from_index(outputs.sections.len()).into());
    outputs.sections.push(OutputSection::of_inputs(out, name, sh_type, sh_flags));
    out
}

/// Adds the output section of inputs with `key`, whose first one is `input`.
fn add_of(
    outputs: &mut OutputSections,
    key: &Key,
    name: Vec<u8>,
    input: &InputSection,
) -> OutputId {
    let out = add(outputs, name, key.sh_type, key.sh_flags);
    if let Some(output) = outputs.sections.last_mut() {
        output.entsize = key.entsize;
        output.info = key.bound_to;
        output.linked_to = key.link.get();
    }
    if input.rel_count != 0 {
        push_table(outputs);
    }
    out
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

impl JoinedSections {
    /// The output section of inputs with this id, which exists.
    fn output_mut(&mut self, out: OutputId) -> &mut OutputSection {
        let position = self.outputs.position_of(out).expect("added with its id");
        &mut self.outputs.sections[position]
    }

    /// Offset of an input section in its output section.
    #[inline]
    pub fn offset(&self, section: SectionId) -> u64 {
        self.offsets[section].load(Ordering::Relaxed)
    }

    /// The inputs of the output section at `position`, compressed or not; `None` if it is the
    /// linker's own.
    pub fn inputs_at(&self, position: usize) -> Option<&[SectionId]> {
        match &self.outputs.sections[position].content {
            Content::Inputs { sections, .. } => Some(sections),
            Content::Synthetic(Synthetic::Compressed(id)) => Some(&self.compressed_inputs[*id]),
            Content::Synthetic(_) => None,
        }
    }

    /// Section header indices of the output section of an input that is kept, and of the
    /// relocations that apply to it.
    pub fn headers_of(&self, section: SectionId) -> impl Iterator<Item = u32> {
        let out = self.output_of[section].expect("members are kept");
        let header = self.outputs.header_index_of_id(out);
        let behind = self.outputs.sections.get(header as usize);
        let is_table = behind.is_some_and(|s| s.is_synthetic(Synthetic::EmitRelocs(out)));
        let table = is_table.then_some(header + 1);
        std::iter::once(header).chain(table)
    }

    /// How many section headers the symbol table has to consider: all before its own, with the null
    /// header.
    pub fn symbol_headers(&self) -> usize {
        self.outputs.header_count() + 1
    }

    /// Adds the symbol table and the string tables, and gives every section its file offset.
    pub fn finish(
        &mut self,
        symtab: &SymTab,
        symbols: &SymbolTable,
        groups: &Groups,
        addresses: Option<&[u8]>,
    ) -> FileEnd {
        for at in 0..self.outputs.sections.len() {
            if let Some(Synthetic::Group(index)) = self.outputs.sections[at].kind() {
                let group = &groups.list[index];
                let members = group.members.iter().flat_map(|&member| self.headers_of(member));
                let size = 4 + 4 * members.count() as u64;
                let section = &mut self.outputs.sections[at];
                section.info = symbols.index(group.object, group.signature);
                section.size = size;
            }
        }
        let outputs = &mut self.outputs;
        let header = made::symtab(outputs.encoding());
        outputs.add_synthetic(Synthetic::SymTab, header, symtab.size());
        outputs.synthetic_mut(Synthetic::SymTab).expect("added").info = symtab.first_global;
        if symbols.has_extended_indices {
            let size = symtab_shndx::size(symtab);
            outputs.add_synthetic(Synthetic::SymTabShndx, made::SYMTAB_SHNDX, size);
        }
        outputs.add_synthetic(Synthetic::StrTab, made::STRTAB, symtab.string_size);
        if let Some(addresses) = addresses {
            let size = addresses.len() as u64;
            outputs.add_synthetic(Synthetic::AddressTable, made::ADDRESS_TABLE, size);
        }
        outputs.add_synthetic(Synthetic::ShStrTab, made::SHSTRTAB, 0);
        outputs.add_single_heads();
        self.names = SectionNames::of(outputs);
        for (section, head) in outputs.sections.iter().zip(&mut outputs.heads) {
            (head.address, head.size, head.align) = (section.address, section.size, section.align);
        }
        segments::place_all(outputs)
    }
}
