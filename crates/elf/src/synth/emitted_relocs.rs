//! `.rela.NAME` of `--emit-relocs`: the relocations that made the output, for tools that
//! disassemble the output (BOLT, the Linux kernel's `relocs`). On machines without addends it is
//! `.rel.NAME`, and the fields hold the relocated values, as with GNU ld.
//!
//! Places are addresses, symbols are those of `.symtab`. A relocation against a section symbol, or
//! a symbol that is not in `.symtab`, refers to the symbol of its output section. A rewritten GOT
//! load has the relocation of the new instruction; rewritten TLS sequences keep theirs as marks, as
//! in GNU ld. A relocation against a symbol whose section is not in the output becomes R_*_NONE.
//! That of an instruction which a repair of an erratum moves goes with it. A branch through a thunk
//! keeps its own, which says where it leads.

use super::eh_frame::live_fdes;
use super::image::Image;
use super::patch::Patch;
use super::shrinking::Shortened;
use super::symtab::SymTab;
use super::values::{self, Value};
use crate::format::elf::{Rel, Rela};
use crate::format::encoding::Encoding;
use crate::layout::Synthetic;
use crate::layout::output_sections::{Content, OutputSection, OutputSections, SectionHeader};
use crate::machine::RelocKind;
use crate::read::object_file::SectionFlags;
use crate::read::{ObjectId, Objects};
use crate::resolve::definitions::{Definitions, SectionId};
use crate::resolve::referent::ValueBase;
use crate::script::section_names::{OutputId, known};
use crate::select::eh_frame::{CieId, EhFrames};
use crate::select::liveness::Liveness;
use object::elf::*;
use skald_core::column::zeroed;
use skald_core::ids::{Column, IndexRange};
use skald_core::names::NameId;
use skald_core::par::prelude::*;
use std::ops::Range;

/// The relocation sections of `--emit-relocs`.
#[derive(Debug, Default)]
pub struct EmittedRelocs {
    /// Output sections that get an STT_SECTION symbol, in symbol order.
    pub section_symbols: Vec<OutputId>,
    /// The input sections that each output section with relocations is made of.
    pub inputs: RelocatedInputs,
    /// Relocations of `.eh_frame` before each object's FDEs, those of CIEs first; one more entry is
    /// the total.
    pub frame_counts: Column<ObjectId, u64>,
}

/// The input sections that each output section with relocations is made of.
#[derive(Debug, Default)]
pub struct RelocatedInputs {
    /// The lists of all output sections, one behind the other.
    sections: Vec<SectionId>,
    /// The range of each output section in `sections`; empty for one without relocations.
    of_output: Column<OutputId, Range<u32>>,
}

impl RelocatedInputs {
    /// No inputs yet, for `count` output ids.
    pub fn new(count: usize) -> RelocatedInputs {
        RelocatedInputs { sections: Vec::new(), of_output: Column::filled(0..0, count) }
    }

    /// Adds the inputs of the output section with id `out`.
    #[inline]
    pub fn add(&mut self, out: OutputId, inputs: &[SectionId]) {
        let start = self.sections.len() as u32;
        self.sections.extend(inputs);
        self.of_output[out] = start..self.sections.len() as u32;
    }

    /// The inputs of the output section with id `out`; `None` if it has no relocations.
    #[inline]
    pub fn of(&self, out: OutputId) -> Option<&[SectionId]> {
        let range = self.of_output.get(out)?;
        (!range.is_empty()).then(|| &self.sections[range.wide()])
    }
}

/// Adds a relocation section for each output section with relocations; `cies` are those kept.
pub fn plan(
    outputs: &mut OutputSections,
    definitions: &Definitions,
    objects: &Objects,
    frames: &EhFrames,
    live: &Liveness,
    cies: &[CieId],
) -> EmittedRelocs {
    let inputs = RelocatedInputs::new(outputs.names.len());
    let mut emitted = EmittedRelocs { inputs, ..EmittedRelocs::default() };
    let mut tables = Vec::new();
    for output in &outputs.sections {
        let Content::Inputs { out, sections, .. } = &output.content else { continue };
        emitted.section_symbols.push(*out);
        let count: u64 =
            sections.iter().map(|&id| u64::from(definitions.sections[id].rel_count)).sum();
        if count != 0 {
            emitted.inputs.add(*out, sections);
            tables.push((*out, output.name.clone(), count));
        }
    }
    emitted.frame_counts = frame_counts(frames, live, objects, cies);
    let total = emitted.frame_count();
    if total != 0 {
        emitted.section_symbols.push(known::EH_FRAME);
        tables.push((known::EH_FRAME, b".eh_frame".to_vec(), total));
    }
    for (out, name, count) in tables {
        let table = table(outputs, out, &name, count);
        outputs.sections.push(table);
    }
    emitted
}

/// Counts of relocations of `.eh_frame` before each object's FDEs, first those of the CIEs `cies`;
/// one more entry is the total.
pub fn frame_counts(
    frames: &EhFrames,
    live: &Liveness,
    objects: &Objects,
    cies: &[CieId],
) -> Column<ObjectId, u64> {
    let of_object = |at| live_fdes(frames, live, at).map(|f| u64::from(f.reloc_count)).sum();
    let of_objects: Vec<u64> = objects.par_ids().with_max_len(16).map(of_object).collect();
    let mut total: u64 = cies.iter().map(|&c| u64::from(frames.cies[c].reloc_count)).sum();
    let mut counts = Column::new();
    counts.push(total);
    for of_object in of_objects {
        total += of_object;
        counts.push(total);
    }
    counts
}

/// The section of `count` relocations that apply to the output section `name`, whose id is `out`.
#[inline]
pub fn table(outputs: &OutputSections, out: OutputId, name: &[u8], count: u64) -> OutputSection {
    let (encoding, kind) = (outputs.encoding(), outputs.machine.reloc_kind);
    let entsize = kind.entry_size(encoding.class);
    let header = SectionHeader {
        name: b"",
        sh_type: kind.sh_type(),
        sh_flags: SHF_INFO_LINK,
        align: encoding.word_size() as u64,
        entsize,
        link: Some(Synthetic::SymTab),
    };
    let mut table = OutputSection::made(Synthetic::EmitRelocs(out), header, entsize * count);
    table.name = kind.name_of(name);
    table
}

impl EmittedRelocs {
    /// Relocations of `.eh_frame`.
    pub fn frame_count(&self) -> u64 {
        self.frame_counts.last().copied().unwrap_or(0)
    }

    /// The input sections of the output section with id `out`; `None` for `.eh_frame`.
    #[inline]
    pub fn inputs_of(&self, out: OutputId) -> Option<&[SectionId]> {
        self.inputs.of(out)
    }
}

/// Sets `sh_info`, the section that is relocated, once sections are in order: only then is the name
/// known that a script gives the section with the unwind tables.
pub fn set_targets(outputs: &mut OutputSections) {
    let frames = outputs.synthetic(Synthetic::EhFrame);
    let frames_name = frames.map(|frames| outputs.machine.reloc_kind.name_of(&frames.name));
    for at in 0..outputs.sections.len() {
        if let Content::Synthetic(Synthetic::EmitRelocs(out)) = outputs.sections[at].content {
            outputs.sections[at].info = outputs.header_index_of_id(out);
            if out == known::EH_FRAME && frames_name.is_some() {
                outputs.sections[at].name = frames_name.clone().unwrap_or_default();
            }
        }
    }
}

/// The `.symtab` index of every symbol; 0 for those that are not in it.
#[derive(Debug, Default)]
pub struct SymbolIndices {
    /// Of symbols of objects, indexed as [`Definitions::target`].
    of_symbol: Vec<u32>,
    of_name: Column<NameId, u32>,
    /// Of STT_SECTION symbols, by output section.
    of_output: Column<OutputId, u32>,
}

impl SymbolIndices {
    /// The indices that the finished plan of `.symtab` gives.
    pub fn new(symtab: &SymTab, objects: &Objects, definitions: &Definitions) -> Self {
        let mut indices = SymbolIndices {
            of_symbol: zeroed(definitions.target.len()),
            of_name: Column::zeroed(definitions.globals.len()),
            of_output: Column::new(),
        };
        for (index, &out) in (1..).zip(&symtab.section_symbols) {
            if indices.of_output.len() <= out.index() {
                indices.of_output.resize(out.index() + 1, 0);
            }
            indices.of_output[out] = index;
        }
        let first_extra = 1 + symtab.section_symbols.len() as u32;
        for (index, extra) in (first_extra..).zip(&symtab.extra_locals) {
            indices.of_name[extra.name] = index;
        }
        let first_extra = symtab.count - symtab.extra_globals.len() as u32;
        for (index, extra) in (first_extra..).zip(&symtab.extra_globals) {
            indices.of_name[extra.name] = index;
        }
        for (at, own) in symtab.objects.with_ids() {
            let object = &objects[at];
            let of_symbol = definitions.symbols_of_mut(&mut indices.of_symbol, at);
            let locals = (own.first_local..).zip(&own.locals);
            for (index, kept) in locals.chain((own.first_global..).zip(&own.globals)) {
                match object.name_of(kept.symbol) {
                    Some(name) => indices.of_name[name] = index,
                    None => of_symbol[kept.symbol] = index,
                }
            }
        }
        indices
    }
}

/// The relocation of the rewritten instruction at an index of the relocations of a section, which
/// stands where the output has it.
pub type FollowRewrite = fn(&Image<'_>, &Patch<'_>, usize) -> Rela;

/// An instruction that is another one because of an erratum of a processor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Repaired {
    /// Its section.
    pub section: SectionId,
    /// Its offset in the section.
    pub offset: u64,
    /// Address to which it is moved; `None` if another one does its work.
    pub moved_to: Option<u64>,
}

/// Writes the relocations of `--emit-relocs`.
pub struct Emitter<'a> {
    /// The frozen tables of the link.
    pub image: &'a Image<'a>,
    /// `.symtab` indices, for `r_info`.
    pub indices: &'a SymbolIndices,
    /// Follows the rewriting of instructions by the apply loop, on machines that do so.
    pub follow_rewrite: Option<FollowRewrite>,
    /// Instructions that are repaired, ascending.
    pub repaired: &'a [Repaired],
}

/// Writes the result of `rewritten` for each relocation to `out`.
pub fn write_rewritten(
    encoding: Encoding,
    kind: RelocKind,
    relocs: &[Rela],
    out: &mut [u8],
    rewritten: impl Fn(usize, Rela) -> Rela,
) {
    match kind {
        RelocKind::Rela | RelocKind::RelaInFields => encoding.fill(out, |slots: &mut [Rela]| {
            for (at, (reloc, slot)) in relocs.iter().zip(slots).enumerate() {
                *slot = rewritten(at, *reloc);
            }
        }),
        RelocKind::Rel => encoding.fill(out, |slots: &mut [Rel]| {
            for (at, (reloc, slot)) in relocs.iter().zip(slots).enumerate() {
                *slot = rewritten(at, *reloc).without_addend();
            }
        }),
    }
}

/// Makes a relocation R_*_NONE (0 on every machine), because its symbol is not in the output.
pub fn make_none(reloc: &mut Rela) {
    reloc.set_r_sym(0);
    reloc.set_r_type(0);
    reloc.set_r_addend(0);
}

/// Relocations of an input section, or of one of its records, whose bytes moved together.
#[derive(Debug, Clone)]
pub struct RelocRun {
    /// The input section.
    pub section: SectionId,
    /// Index range of the relocations among the section's.
    pub relocs: Range<usize>,
    /// Address of the section's start, as if the whole section had moved like these bytes.
    pub address: u64,
}

impl Emitter<'_> {
    /// Writes the relocations of a run to `out`, which has exactly their size.
    pub fn write(&self, run: &RelocRun, out: &mut [u8]) {
        let section = &self.image.definitions.sections[run.section];
        let object = &self.image.objects[section.object];
        let mut shortened = Shortened::default();
        let (original, relocs) = if section.flags.has(SectionFlags::SHRINKS) {
            shortened.take(self.image, run.section);
            (&shortened.bytes[..], &shortened.relocs[..])
        } else {
            (object.bytes(section), object.relocs(section))
        };
        let relocs = &relocs[run.relocs.clone()];
        let is_code = section.flags.has(SectionFlags::ALLOC);
        let follow_rewrite = self.follow_rewrite.filter(|_| is_code);
        let (encoding, kind) = (self.image.encoding(), self.image.machine.reloc_kind);
        let patch = Patch {
            id: run.section,
            section,
            original,
            section_offset: 0,
            address: run.address,
            relocs,
            first: run.relocs.start as u32,
        };
        write_rewritten(encoding, kind, relocs, out, |at, mut new| {
            if let Some(follow) = follow_rewrite {
                new = follow(self.image, &patch, at);
            }
            let repaired = self.repaired(run.section, new.r_offset());
            new.set_r_offset(run.address.wrapping_add(new.r_offset()));
            match repaired.map(|place| place.moved_to) {
                None => {}
                Some(Some(address)) => new.set_r_offset(address),
                Some(None) => make_none(&mut new),
            }
            match self.symbol(section.object, &new) {
                Some((index, addend)) => {
                    new.set_r_sym(index);
                    new.set_r_addend(addend);
                }
                None => make_none(&mut new),
            }
            new
        });
    }

    /// The repair of an instruction, if there is one.
    fn repaired(&self, section: SectionId, offset: u64) -> Option<&Repaired> {
        let key = |place: &Repaired| (place.section, place.offset);
        let at = self.repaired.binary_search_by_key(&(section, offset), key).ok()?;
        Some(&self.repaired[at])
    }

    /// Symbol index and addend for the output; `None` if the symbol's section is not in it.
    fn symbol(&self, object: ObjectId, reloc: &Rela) -> Option<(u32, i64)> {
        let image = self.image;
        let symbol = reloc.symbol();
        let addend = reloc.r_addend();
        if symbol.index() == 0 {
            return Some((0, addend));
        }
        let target = image.definitions.target_of(object, symbol);
        let of_symbol = image.definitions.symbols_of(&self.indices.of_symbol, object);
        let value_base = image.definitions.value_base_of(target);
        let index = match target.name() {
            Some(name) => self.indices.of_name[name],
            None if value_base == ValueBase::NOWHERE => return None,
            None => of_symbol[symbol],
        };
        if index != 0 {
            return Some((index, addend));
        }
        if value_base == ValueBase::ABSOLUTE {
            let entry = &image.objects[object].mapped.symbols[symbol];
            return Some((0, addend.wrapping_add_unsigned(entry.st_value())));
        }
        let out = image.definitions.sections[value_base.section()?].output();
        let index = self.indices.of_output.get(out).copied().filter(|&i| i != 0)?;
        let value = match values::decode(image.value(object, symbol)) {
            Value::Plain(value) => value.wrapping_add_signed(addend),
            Value::Merged(section) => image.place_in(section, addend as u64)?,
            Value::Dead | Value::Indirect | Value::Called(_) => return None,
        };
        let start = image.outputs.extent(image.outputs.position_of(out)?).0;
        Some((index, value.wrapping_sub(start) as i64))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::encoding::ALL;
    use crate::machine::Machine;

    #[test]
    fn tables_of_both_kinds_in_every_encoding() {
        let relocs = [Rela::new(0x10, 2, 3, -4), Rela::new(0x20, 1, 4, 5)];
        for encoding in ALL {
            for kind in [RelocKind::Rela, RelocKind::Rel] {
                let machine: &Machine = Machine::like_x86_64(encoding.class, encoding.order);
                let machine = &*Box::leak(Box::new(Machine { reloc_kind: kind, ..*machine }));
                let outputs = OutputSections { machine, ..OutputSections::default() };
                let table = table(&outputs, known::EH_FRAME, b".text", 2);
                assert_eq!(table.sh_type, kind.sh_type());
                assert_eq!(table.entsize * 2, table.size);
                assert_eq!(table.name, kind.name_of(b".text"));
                let mut out = crate::synth::blank(table.size);
                write_rewritten(encoding, kind, &relocs, &mut out, |_, mut reloc| {
                    reloc.set_r_sym(reloc.r_sym() + 1);
                    reloc
                });
                let fields = |offset, r_sym, r_type| (offset, r_sym, r_type);
                let read: Vec<(u64, u32, u32)> = match kind {
                    RelocKind::Rela | RelocKind::RelaInFields => {
                        let records = encoding.records::<Rela>(&out).expect("two of them");
                        assert_eq!([records[0].r_addend(), records[1].r_addend()], [-4, 5]);
                        records
                            .iter()
                            .map(|r| fields(r.r_offset(), r.r_sym(), r.r_type()))
                            .collect()
                    }
                    RelocKind::Rel => {
                        let records = encoding.records::<Rel>(&out).expect("two of them");
                        records
                            .iter()
                            .map(|r| fields(r.r_offset(), r.r_sym(), r.r_type()))
                            .collect()
                    }
                };
                assert_eq!(read, [(0x10, 4, 2), (0x20, 5, 1)], "{encoding:?} {kind:?}");
            }
        }
    }
}
