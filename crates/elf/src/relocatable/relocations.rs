//! Relocations for the joined symbol table.
//!
//! A relocation against a section symbol moves to the output section's symbol, and its addend by
//! what stands before the input in the output. One against what is not in the output (a section of
//! a group that another file provides) becomes R_*_NONE, as in lld; where that matters it is told
//! (`check/discarded`).

use super::frames::{FrameRecord, Frames};
use super::sections::JoinedSections;
use super::symbols::SymbolTable;
use crate::format::elf::Rela;
use crate::read::{ObjectId, Objects};
use crate::resolve::definitions::{Definitions, SectionId};
use crate::script::section_names::known;
use object::elf::STT_SECTION;
use std::ops::Range;
use zerocopy::IntoBytes;

/// The tables with which relocations of inputs become relocations of the output.
pub struct Relocations<'a> {
    /// The objects that are taken, by id.
    pub objects: &'a Objects,
    /// Section records, and which definition each symbol means.
    pub definitions: &'a Definitions,
    /// Output sections and the offset of each input section in them.
    pub joined: &'a JoinedSections,
    /// `.symtab` of the output: the symbol index of what a relocation refers to.
    pub symbols: &'a SymbolTable,
    /// Where each record of `.eh_frame` went: offsets into records change with it.
    pub frames: &'a Frames<'a>,
}

impl Relocations<'_> {
    /// Writes the relocations of an input section to `out`, which has room for exactly these.
    pub fn write_section(&self, id: SectionId, out: &mut [u8]) {
        let count = self.definitions.sections[id].rel_count as usize;
        self.write_some(id, 0..count, out);
    }

    /// Writes the relocations of an input section that `relocs` counts.
    pub fn write_some(&self, id: SectionId, relocs: Range<usize>, out: &mut [u8]) {
        let section = &self.definitions.sections[id];
        let relocs = &self.objects[section.object].relocs(section)[relocs];
        self.write(section.object, relocs, self.joined.offsets[id], out);
    }

    /// Writes the relocations of a record of `.eh_frame`.
    pub fn write_record(&self, record: &FrameRecord, out: &mut [u8]) {
        let object = self.definitions.sections[record.input].object;
        let shift = record.output_offset.wrapping_sub(record.section_offset);
        self.write(object, record.relocs, shift, out);
    }

    fn write(&self, object: ObjectId, relocs: &[Rela], shift: u64, out: &mut [u8]) {
        let (slots, _) = out.as_chunks_mut::<24>();
        for (reloc, slot) in relocs.iter().zip(slots) {
            slot.copy_from_slice(self.rewrite(object, reloc, shift).as_bytes());
        }
    }

    fn rewrite(&self, object: ObjectId, reloc: &Rela, shift: u64) -> Rela {
        let mut new = *reloc;
        new.set_r_offset(reloc.r_offset().wrapping_add(shift));
        let symbol = reloc.symbol();
        if symbol.index() == 0 {
            return new;
        }
        let index = self.symbols.index(object, symbol);
        if index == 0 {
            new.set_r_sym(0);
            new.set_r_type(0);
            new.set_r_addend(0);
            return new;
        }
        new.set_r_sym(index);
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

    /// Offset of a byte of an input section in its output section.
    fn offset(&self, section: SectionId, section_offset: u64) -> u64 {
        if self.joined.output_of[section].get() == Some(known::EH_FRAME) {
            return self.frames.output_offset(section, section_offset);
        }
        self.joined.offsets[section].wrapping_add(section_offset)
    }

    /// Whether the symbol of a relocation is not in the output.
    pub fn is_gone(&self, object: ObjectId, reloc: &Rela) -> bool {
        let symbol = reloc.symbol();
        symbol.index() != 0 && self.symbols.index(object, symbol) == 0
    }
}
