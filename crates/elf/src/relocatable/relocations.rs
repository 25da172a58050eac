//! Relocations for the joined symbol table.
//!
//! A relocation against a section symbol is changed to the output section's symbol, and the input's
//! offset in the output section is added to its addend. A relocation against a section that is not
//! in the output (one of a group that another file owns) becomes R_*_NONE, as in lld; where that
//! matters it is reported (`check/discarded`).

use super::frames::Frames;
use super::sections::JoinedSections;
use super::symbols::SymbolTable;
use crate::format::elf::Rela;
use crate::machine::description::PutAddend;
use crate::machine::{Machine, RelocKind};
use crate::read::{ObjectId, Objects};
use crate::resolve::definitions::{Definitions, SectionId};
use crate::script::section_names::known;
use crate::synth::emitted_relocs::{RelocRun, make_none, write_rewritten};
use crate::synth::patch::{Failure, Fault};
use object::elf::STT_SECTION;
use skald_core::ids::IdRange;

/// The tables for rewriting relocations of inputs to relocations of the output.
pub struct Relocations<'a> {
    /// The objects that are taken, by id.
    pub objects: &'a Objects,
    /// Section records, and which definition each symbol refers to.
    pub definitions: &'a Definitions,
    /// Output sections and the offset of each input section in them.
    pub joined: &'a JoinedSections,
    /// `.symtab` of the output: the index of each symbol that relocations refer to.
    pub symbols: &'a SymbolTable,
    /// The place in the output of each record of `.eh_frame`: offsets into records change with it.
    pub frames: &'a Frames<'a>,
}

/// Whether the addend of a relocation is in its field.
fn is_in_field(machine: &Machine, reloc: &Rela) -> bool {
    let size = machine.howto(reloc.r_type()).map_or(0, |howto| howto.size);
    machine.reloc_kind.is_in_field(size)
}

impl Relocations<'_> {
    /// Writes the relocations of a run to `out`, which has exactly their size.
    pub fn write(&self, run: &RelocRun, out: &mut [u8]) {
        let section = &self.definitions.sections[run.section];
        let relocs = &self.objects[section.object].relocs(section)[run.relocs.clone()];
        let outputs = &self.joined.outputs;
        let machine = outputs.machine;
        write_rewritten(outputs.encoding(), machine.reloc_kind, relocs, out, |_, reloc| {
            let mut new = self.rewritten(section.object, reloc, run.address);
            if machine.reloc_kind == RelocKind::RelaInFields && is_in_field(machine, &reloc) {
                new.set_r_addend(0);
            }
            new
        });
    }

    /// Writes the addends of a run to their fields, on machines whose objects have them there.
    /// `out` is the part of the output section that begins at offset `start` of it.
    pub fn write_addends(
        &self,
        machine: &Machine,
        run: &RelocRun,
        start: u64,
        out: &mut [u8],
        failures: &mut Vec<Failure>,
    ) {
        let section = &self.definitions.sections[run.section];
        let relocs = self.objects[section.object].relocs(section);
        for index in run.relocs.clone() {
            let reloc = relocs[index];
            let new = self.rewritten(section.object, reloc, run.address);
            let at = new.r_offset().wrapping_sub(start) as usize;
            let Some(howto) =
                machine.howto(reloc.r_type()).filter(|_| is_in_field(machine, &reloc))
            else {
                continue;
            };
            // CIEs are listed for the whole table, of which a part may be written.
            if at >= out.len() {
                continue;
            }
            let in_code = machine
                .code_addend
                .and_then(|code| (code.put)(reloc.r_type(), out, at, new.r_addend()));
            if let Some(put) = in_code {
                let what = match put {
                    PutAddend::Done => continue,
                    PutAddend::OutOfRange => Fault::OutOfRange(new.r_addend()),
                    PutAddend::BadPlace => Fault::BadPlace,
                };
                failures.push(Failure { section: run.section, reloc: index as u32, what });
                continue;
            }
            let is_in_range = howto.range.contains(new.r_addend());
            let what = match howto.write(machine.byte_order, out, at, new.r_addend()) {
                Some(()) if is_in_range => continue,
                Some(()) => Fault::OutOfRange(new.r_addend()),
                None => Fault::BadPlace,
            };
            failures.push(Failure { section: run.section, reloc: index as u32, what });
        }
    }

    fn rewritten(&self, object: ObjectId, reloc: Rela, shift: u64) -> Rela {
        let mut new = reloc;
        new.set_r_offset(reloc.r_offset().wrapping_add(shift));
        let symbol = reloc.symbol();
        if symbol.index() == 0 {
            return new;
        }
        let index = self.symbols.index(object, symbol);
        if index == 0 {
            make_none(&mut new);
            return new;
        }
        new.set_r_sym(index);
        let machine = self.joined.outputs.machine;
        if (machine.is_got2_offset)(reloc.r_type(), reloc.r_addend())
            && let Some(got2) = self.got2(object)
        {
            new.set_r_addend(self.offset(got2, reloc.r_addend() as u64) as i64);
        }
        let target = self.definitions.target_of(object, symbol);
        if let Some(section) = target.section() {
            let entry = &self.objects[object].mapped.symbols[symbol];
            if entry.kind() == STT_SECTION {
                let base = entry.st_value().wrapping_add_signed(reloc.r_addend());
                new.set_r_addend(self.offset(section, base) as i64);
            }
        }
        new
    }

    /// The section of an object's addresses that position-independent code counts from.
    fn got2(&self, object: ObjectId) -> Option<SectionId> {
        let object_file = &self.objects[object];
        let is_it = |id: &SectionId| {
            object_file.section_name(self.definitions.sections[*id].shndx) == b".got2"
        };
        self.definitions.sections_of(object).ids().find(is_it)
    }

    /// Offset of a byte of an input section in its output section.
    fn offset(&self, section: SectionId, section_offset: u64) -> u64 {
        if self.joined.output_of[section].get() == Some(known::EH_FRAME) {
            return self.frames.output_offset(section, section_offset);
        }
        self.joined.offset(section).wrapping_add(section_offset)
    }

    /// Whether the symbol of a relocation is not in the output.
    pub fn is_gone(&self, object: ObjectId, reloc: &Rela) -> bool {
        let symbol = reloc.symbol();
        symbol.index() != 0 && self.symbols.index(object, symbol) == 0
    }
}
