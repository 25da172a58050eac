//! Collects live input sections into output sections.

use super::debug_order;
use super::merged_places;
use super::order::{Inputs as Ordered, Order};
use super::output_sections::{
    Content, EmptyOutputs, FirstInput, InputsStart, MergedPart, OutputSection, OutputSections,
};
use crate::format::elf::Shdr;
use crate::machine::Machine;
use crate::read::object_file::{InputSection, SectionFlags, StackNote};
use crate::read::{ObjectId, Objects};
use crate::resolve::definitions::{Definitions, SectionId};
use crate::resolve::outputs::output_names;
use crate::resolve::outputs::scripted::Scripted;
use crate::script::section_names::{OutputId, known};
use crate::select::liveness::Liveness;
use crate::select::merge::{MemberId, MergedSections};
use object::elf::*;
use skald_core::ids::{Column, IdSlice};
use skald_core::par::prelude::*;
use skald_core::unordered::UnorderedSet;
use std::collections::BTreeSet;

/// Input sections per task.
const CHUNK: usize = 1 << 14;
/// Members of merged groups per task.
const MEMBERS_CHUNK: usize = 1 << 10;

/// The options and statements that decide the order of inputs within their output section.
#[derive(Clone, Copy)]
pub struct Sorting<'a> {
    /// The machine that is linked for.
    pub machine: &'static Machine,
    /// Options that order inputs.
    pub order: &'a Order<'a>,
    /// Statements of the layout, a script's or the default one's.
    pub scripted: &'a Scripted,
}

/// The live inputs of one output section.
#[derive(Debug, Default)]
pub(super) struct Inputs {
    pub(super) sections: Vec<SectionId>,
    /// The input with the lowest id.
    first: Option<SectionId>,
    common: CommonTraits,
}

/// The inputs of all output sections.
pub(super) type Lists = Column<OutputId, Inputs>;

/// Collects live sections into output sections.
pub fn collect(
    definitions: &Definitions,
    objects: &Objects,
    liveness: &Liveness,
    merged: &MergedSections,
    names: Column<OutputId, Vec<u8>>,
    sorting: Sorting<'_>,
) -> OutputSections {
    let chunks: Vec<Vec<(OutputId, Inputs)>> = definitions
        .sections
        .par_parts(CHUNK)
        .map_init(
            || Column::filled(0, names.len()),
            |places, (first, records)| collect_chunk(first, records, objects, liveness, places),
        )
        .collect();
    let mut lists = joined(chunks, names.len());
    debug_order::put_64_bit_last(&mut lists, &names, definitions, objects);
    let empty = EmptyOutputs::new(&lists, definitions, objects);
    let script = &sorting.scripted.script;
    let has_fill = || script.outputs().any(|output| output.fill.is_some());
    let is_scripted = !script.is_automatic || script.evaluates || has_fill();
    if script.is_automatic {
        let unused = lists.with_ids_mut().filter(|(out, _)| empty.unused.contains(out));
        unused.for_each(|(_, list)| *list = Inputs::default());
    }
    let mut groups = merged_parts(merged, names.len());
    let mut noted = objects.with_ids().filter(|(_, o)| o.stack_note != StackNote::Missing);
    let stack_note = noted.next().map(|(at, _)| at);
    let mut outputs =
        OutputSections { names, is_scripted, empty, stack_note, ..OutputSections::default() };
    outputs.machine = sorting.machine;
    outputs.runs_through = !script.is_automatic;
    let stands_amid = !script.is_automatic && merged_places::add_members(&mut lists, merged);
    let positions = arrange(sorting, &mut lists, &outputs.names, definitions, objects);
    if stands_amid {
        merged_places::find(&mut lists, &mut groups, merged, definitions.sections.len());
    }
    let contents = lists.into_iter().zip(groups);
    for (out, (mut inputs, groups)) in OutputId::default().onward().zip(contents) {
        if inputs.sections.is_empty() && groups.is_empty() {
            continue;
        }
        let first = inputs.first;
        let mut linked_to = None;
        if inputs.common.any & SectionFlags::LINK_ORDER != 0 {
            order_by_links(definitions, objects, &positions, &mut inputs.sections);
            outputs.linked.push(out);
            let is_linked = if script.is_automatic {
                groups.is_empty() && inputs.common.all & SectionFlags::LINK_ORDER != 0
            } else {
                // GNU ld's rule: the first input decides about SHF_LINK_ORDER.
                first.is_some_and(|id| has_link(definitions, id))
            };
            let found = linked_output(definitions, objects, &inputs.sections);
            linked_to = found.filter(|_| is_linked);
        }
        let mut section = describe(definitions, objects, merged, &outputs, out, groups, inputs);
        if !script.is_automatic {
            let tables = FirstInputTables { definitions, objects, merged };
            describe_for_script(tables, sorting.scripted, &mut section, first);
        }
        if linked_to.is_some() {
            section.sh_flags |= u64::from(SHF_LINK_ORDER);
            section.linked_to = linked_to;
        }
        outputs.sections.push(section);
    }
    outputs
}

/// The tables that give the first input of an output section.
#[derive(Clone, Copy)]
struct FirstInputTables<'a> {
    definitions: &'a Definitions,
    objects: &'a Objects,
    merged: &'a MergedSections,
}

/// The further properties of an output section that a script's layout needs; `first` is the first
/// of its inputs that are not merged.
fn describe_for_script(
    tables: FirstInputTables<'_>,
    scripted: &Scripted,
    section: &mut OutputSection,
    first: Option<SectionId>,
) {
    section.first = first_input(tables, scripted, section, first);
    if holds_protected_copies(tables.definitions, scripted, section) {
        section.sh_type = SHT_PROGBITS;
    }
}

/// Whether a section holds only zeros, including copies of read-only variables, but stands where
/// data is that is read-only after relocation. As with GNU ld the zeros are then bytes in the file,
/// between others.
fn holds_protected_copies(
    definitions: &Definitions,
    scripted: &Scripted,
    section: &OutputSection,
) -> bool {
    let [plain, protected] = scripted.copies;
    let Content::Inputs { out, sections, .. } = &section.content else { return false };
    let is_copy = |id: &SectionId| {
        let record = &definitions.sections[*id];
        // For common symbols this is the number of their symbol.
        record.flags.has(SectionFlags::COMMON) && record.shndx == 0
    };
    section.sh_type == SHT_NOBITS
        && *out == protected
        && plain != protected
        && sections.iter().any(is_copy)
}

/// By output, the merged groups that are its parts, in order.
fn merged_parts(merged: &MergedSections, outputs: usize) -> Column<OutputId, Vec<MergedPart>> {
    let mut parts: Column<OutputId, Vec<MergedPart>> = Column::filled(Vec::new(), outputs);
    for (group, merged) in merged.groups.with_ids() {
        parts[merged.out].push(MergedPart { group, offset: 0, before: 0 });
    }
    parts
}

/// The output section that the first of `sections` with a link is linked to.
fn linked_output(
    definitions: &Definitions,
    objects: &Objects,
    sections: &[SectionId],
) -> Option<OutputId> {
    let first = sections.iter().copied().find(|&id| has_link(definitions, id))?;
    let target = link_target(definitions, objects, first)?;
    Some(definitions.sections[target].output())
}

/// The inputs of all chunks, of `outputs` output sections.
fn joined(chunks: Vec<Vec<(OutputId, Inputs)>>, outputs: usize) -> Lists {
    let mut lists: Lists = (0..outputs).map(|_| Inputs::default()).collect();
    let mut counts = Column::filled(0, outputs);
    for (out, inputs) in chunks.iter().flatten() {
        counts[*out] += inputs.sections.len();
    }
    for (list, count) in lists.iter_mut().zip(counts) {
        list.sections.reserve_exact(count);
    }
    for (out, inputs) in chunks.into_iter().flatten() {
        lists[out].append(inputs);
    }
    lists
}

/// The live sections of a chunk that starts at `first`, by output section. `places` has a zero for
/// every output section, and is left so.
fn collect_chunk(
    first: SectionId,
    records: &[InputSection],
    objects: &Objects,
    liveness: &Liveness,
    places: &mut IdSlice<OutputId, u32>,
) -> Vec<(OutputId, Inputs)> {
    let skipped = SectionFlags::EH_FRAME | SectionFlags::DISCARDED | SectionFlags::MERGE;
    let mut found: Vec<(OutputId, Inputs)> = Vec::new();
    for (id, section) in first.onward().zip(records) {
        if !liveness.is_live(id) || section.flags.has(skipped) {
            continue;
        }
        let place = &mut places[section.output()];
        if *place == 0 {
            found.push((section.output(), Inputs::default()));
            *place = found.len() as u32;
        }
        let inputs = &mut found[*place as usize - 1].1;
        inputs.sections.push(id);
        inputs.common.add(section, objects);
    }
    for (out, _) in &found {
        places[*out] = 0;
    }
    found
}

impl Inputs {
    fn append(&mut self, mut later: Inputs) {
        self.first = self.first.or(later.sections.first().copied());
        self.sections.append(&mut later.sections);
        self.common = std::mem::take(&mut self.common).join(later.common);
    }
}

impl EmptyOutputs {
    fn new(
        lists: &IdSlice<OutputId, Inputs>,
        definitions: &Definitions,
        objects: &Objects,
    ) -> EmptyOutputs {
        let size_of = |id: &SectionId| definitions.sections[*id].size;
        let is_empty = |inputs: &Inputs| {
            let ids = &inputs.sections;
            !ids.is_empty() && ids.iter().all(|id| size_of(id) == 0)
        };
        let empty = lists.with_ids().filter(|(_, inputs)| is_empty(inputs));
        let all: BTreeSet<OutputId> = empty.map(|(out, _)| out).collect();
        if all.is_empty() {
            return EmptyOutputs::default();
        }
        let out_of = |id: SectionId| definitions.sections[id].output();
        let used = |at: ObjectId| -> BTreeSet<OutputId> {
            let object = &objects[at];
            let symbols = object.mapped.symbols.iter().zip(definitions.targets_of(at));
            symbols
                .filter(|(symbol, _)| symbol.kind() != STT_SECTION)
                .filter_map(|(_, &target)| Some(out_of(definitions.section_of(target)?)))
                .filter(|out| all.contains(out))
                .collect()
        };
        let owners: BTreeSet<ObjectId> = all
            .iter()
            .flat_map(|&out| &lists[out].sections)
            .map(|&id| definitions.sections[id].object)
            .collect();
        let owners: Vec<ObjectId> = owners.into_iter().collect();
        let kept: UnorderedSet<OutputId> =
            owners.par_iter().flat_map_iter(|&at| used(at)).collect();
        let unused = all.iter().copied().filter(|out| !kept.contains(out)).collect();
        EmptyOutputs { unused, all: all.into_iter().collect() }
    }
}

/// Brings the inputs of each list into order. Returns the position of every section in its list, or
/// an empty column if sections stand in the order of their ids.
fn arrange(
    Sorting { order, scripted, .. }: Sorting<'_>,
    lists: &mut IdSlice<OutputId, Inputs>,
    names: &IdSlice<OutputId, Vec<u8>>,
    definitions: &Definitions,
    objects: &Objects,
) -> Column<SectionId, u32> {
    let is_default = order.is_default();
    let inputs = Ordered { definitions, objects };
    for (out, list) in lists.with_ids_mut().filter(|(_, list)| !list.sections.is_empty()) {
        if !is_default {
            order.arrange(out, &names[out], &mut list.sections, inputs);
        }
        scripted.sort(
            out,
            &mut list.sections,
            |id| inputs.name(id),
            |id| inputs.file(id),
            definitions,
        );
    }
    if is_default && scripted.keeps_order {
        return Column::new();
    }
    let mut positions = Column::filled(0, definitions.sections.len());
    for list in lists {
        for (position, &id) in (0..).zip(&list.sections) {
            positions[id] = position;
        }
    }
    positions
}

/// Sorts sections with SHF_LINK_ORDER by the sections that they are linked to. As a rule those are
/// in one output section, where the lower id comes first unless there are `positions`.
fn order_by_links(
    definitions: &Definitions,
    objects: &Objects,
    positions: &IdSlice<SectionId, u32>,
    sections: &mut [SectionId],
) {
    let record = |id: SectionId| &definitions.sections[id];
    let is_linked = |id: SectionId| has_link(definitions, id);
    // A section whose target is not in the output comes last.
    let linked_to = |id: SectionId| {
        let target = link_target(definitions, objects, id);
        target.map_or((true, OutputId::default(), u32::MAX), |target| {
            let position = positions.get(target).copied().unwrap_or(target.number());
            (false, record(target).output(), position)
        })
    };
    // Sections without SHF_LINK_ORDER stay where they are; the others share the remaining
    // positions.
    let places: Vec<usize> = (0..sections.len()).filter(|&at| is_linked(sections[at])).collect();
    let mut linked: Vec<SectionId> = places.iter().map(|&at| sections[at]).collect();
    linked.sort_by_key(|&id| linked_to(id));
    for (at, id) in places.into_iter().zip(linked) {
        sections[at] = id;
    }
}

fn has_link(definitions: &Definitions, id: SectionId) -> bool {
    definitions.sections[id].flags.has(SectionFlags::LINK_ORDER)
}

/// The section that `id`, which has SHF_LINK_ORDER, is linked to.
pub fn link_target(
    definitions: &Definitions,
    objects: &Objects,
    id: SectionId,
) -> Option<SectionId> {
    let section = &definitions.sections[id];
    let object = &objects[section.object];
    let to = object.header(section.shndx).sh_link();
    let index = object.record_index(to)?;
    Some(definitions.section_base[section.object] + index)
}

/// What the inputs of an output section have in common.
#[derive(Debug)]
struct CommonTraits {
    /// `sh_flags` that any input has.
    any: u32,
    /// `sh_flags` that all inputs have.
    all: u32,
    align_log2: u8,
    /// `sh_entsize` if all agree, 0 if not.
    entsize: Option<u64>,
    /// A type other than SHT_PROGBITS, SHT_NOBITS and SHT_NOTE, from the last input that has one.
    special_type: Option<u32>,
    /// `sh_info` of sections with SHF_GNU_MBIND, which is the same in all that are joined.
    bound_to: Option<u32>,
}

impl Default for CommonTraits {
    fn default() -> CommonTraits {
        CommonTraits {
            any: 0,
            all: u32::MAX,
            align_log2: 0,
            entsize: None,
            special_type: None,
            bound_to: None,
        }
    }
}

impl CommonTraits {
    /// Adds an input; its header is read only if the name of its output section is not a known one.
    #[inline(always)]
    fn add(&mut self, section: &InputSection, objects: &Objects) {
        self.any |= section.flags.0;
        self.all &= section.flags.0;
        self.align_log2 = self.align_log2.max(section.align_log2);
        if section.output().is_known() || section.flags.has(SectionFlags::COMMON) {
            return;
        }
        if section.flags.has(SectionFlags::PLAIN_HEADER) {
            self.entsize = both_entsizes(self.entsize, Some(0));
            self.bound_to = None;
        } else {
            self.add_header(objects[section.object].header(section.shndx));
        }
    }

    #[cold]
    fn add_header(&mut self, header: &Shdr) {
        self.entsize = both_entsizes(self.entsize, Some(header.sh_entsize()));
        self.bound_to = output_names::binding(header).map(|(_, _, kind)| kind);
        let own_type = header.sh_type();
        if !matches!(own_type, SHT_NOBITS | SHT_PROGBITS | SHT_NOTE) {
            self.special_type = Some(own_type);
        }
    }

    /// The traits of these inputs together with `later` ones.
    fn join(self, later: CommonTraits) -> CommonTraits {
        CommonTraits {
            any: self.any | later.any,
            all: self.all & later.all,
            align_log2: self.align_log2.max(later.align_log2),
            entsize: both_entsizes(self.entsize, later.entsize),
            special_type: later.special_type.or(self.special_type),
            bound_to: later.bound_to.or(self.bound_to),
        }
    }

    fn sh_flags(&self) -> u64 {
        [
            (SectionFlags::ALLOC, SHF_ALLOC),
            (SectionFlags::WRITE, SHF_WRITE),
            (SectionFlags::EXEC, SHF_EXECINSTR),
            (SectionFlags::TLS, SHF_TLS),
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

fn both_entsizes(a: Option<u64>, b: Option<u64>) -> Option<u64> {
    match (a, b) {
        (Some(a), Some(b)) => Some(if a == b { a } else { 0 }),
        (a, b) => a.or(b),
    }
}

/// What the sections of merged groups have in common.
fn traits_of_merged(
    definitions: &Definitions,
    objects: &Objects,
    merged: &MergedSections,
    groups: &[MergedPart],
) -> CommonTraits {
    let of_members = |members: &[MemberId]| {
        let mut common = CommonTraits::default();
        for &member in members {
            let section = merged.members[member].section;
            common.add(&definitions.sections[section], objects);
        }
        common
    };
    let mut common = CommonTraits::default();
    for part in groups {
        let members = merged.groups[part.group].members.par_chunks(MEMBERS_CHUNK);
        let of_chunks: Vec<CommonTraits> = members.map(of_members).collect();
        common = of_chunks.into_iter().fold(common, CommonTraits::join);
    }
    common
}

/// The first input of an output section; `first` is the first of those that are not merged.
fn first_input(
    tables: FirstInputTables<'_>,
    scripted: &Scripted,
    section: &OutputSection,
    first: Option<SectionId>,
) -> Option<FirstInput> {
    let FirstInputTables { definitions, objects, merged } = tables;
    let Content::Inputs { groups, .. } = &section.content else { return None };
    let of_group = |part: &MergedPart| {
        let members = &merged.groups[part.group].members;
        members.iter().map(|&member| merged.members[member].section).min()
    };
    let id = groups.iter().filter_map(of_group).chain(first).min()?;
    let record = &definitions.sections[id];
    let is_common = record.flags.has(SectionFlags::COMMON);
    let own = CommonTraits { any: record.flags.0, all: record.flags.0, ..Default::default() };
    let header = (!is_common).then(|| objects[record.object].header(record.shndx));
    Some(FirstInput {
        id,
        object: record.object,
        is_in_first_object: record.object == ObjectId::default(),
        is_common,
        is_of_linker: Some(record.object) == scripted.version,
        sh_type: header.map_or(SHT_NULL, |header| header.sh_type()),
        sh_flags: own.sh_flags(),
        align: 1 << record.align_log2,
    })
}

/// The header of an output section: flags and alignment of all its inputs together.
fn describe(
    definitions: &Definitions,
    objects: &Objects,
    merged: &MergedSections,
    outputs: &OutputSections,
    out: OutputId,
    groups: Vec<MergedPart>,
    inputs: Inputs,
) -> OutputSection {
    let common = traits_of_merged(definitions, objects, merged, &groups).join(inputs.common);
    let sections = inputs.sections;
    let CommonTraits { align_log2, entsize, .. } = common;
    let mut flags = common.sh_flags();
    if common.bound_to.is_some() {
        flags |= u64::from(SHF_GNU_MBIND);
    }
    if common.any & common.all & SectionFlags::PURE_CODE != 0 {
        flags |= u64::from(outputs.machine.pure_code);
    }
    // SHF_MERGE is kept only if one merged group is all of the output section.
    let mut merge_entsize = 0;
    if sections.is_empty()
        && let [first, rest @ ..] = &groups[..]
    {
        let first = &merged.groups[first.group];
        let same = rest.iter().all(|part| {
            let group = &merged.groups[part.group];
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
        known::UNWIND_INDEX if outputs.machine.unwind_index.is_some() => {
            outputs.machine.unwind_index.map_or(SHT_PROGBITS, |index| index.sh_type)
        }
        _ => common.sh_type(),
    };
    OutputSection {
        is_large: common.any & SectionFlags::LARGE != 0,
        align: 1 << align_log2,
        entsize: match merge_entsize {
            0 if matches!(sh_type, SHT_INIT_ARRAY | SHT_FINI_ARRAY | SHT_PREINIT_ARRAY) => {
                outputs.encoding().word_size() as u64
            }
            0 => entsize.filter(|_| sections.len() == 1).unwrap_or(0),
            n => n,
        },
        info: common.bound_to.unwrap_or(0),
        content: Content::Inputs {
            out,
            groups,
            sections,
            islands: Vec::new(),
            start: InputsStart::default(),
        },
        ..OutputSection::of_inputs(out, outputs.names[out].clone(), sh_type, flags)
    }
}
