//! `.eh_frame` of a relocatable output: equal CIEs once, then the FDEs of what is kept.
//!
//! FDEs of sections that another file's group replaced are left out, so that the output does not
//! describe code that it does not hold. The record of length zero that ends the table stays at the
//! end if some input brought one (`crtend.o`): other linkers do not add it.

use crate::format::elf::Rela;
use crate::machine::Machine;
use crate::read::object_file::SectionFlags;
use crate::read::{ObjectId, Objects};
use crate::resolve::definitions::{Definitions, SectionId};
use crate::select::eh_frame::{CieId, EhFrames, Fde};
use crate::select::liveness::Liveness;
use crate::synth::eh_frame::{self, EhFrameOutput, FdePlace, TERMINATOR};
use object::elf::SHT_PROGBITS;
use skald_core::ids::{Column, IndexRange};
use skald_core::par::prelude::*;
use std::ops::Range;

/// Lets `.eh_frame` sections be split into records.
pub fn claim(objects: &Objects, definitions: &mut Definitions) {
    for section in &mut definitions.sections {
        if section.flags.has(SectionFlags::COMMON | SectionFlags::DISCARDED | SectionFlags::NOBITS)
        {
            continue;
        }
        let object = &objects[section.object];
        if section.flags.has(SectionFlags::ALLOC)
            && object.section_name(section.shndx) == b".eh_frame"
        {
            section.flags.set(SectionFlags::EH_FRAME);
        }
    }
}

/// A CIE or FDE of the output and the input that it comes from.
#[derive(Debug, Clone, Copy)]
pub struct FrameRecord {
    /// The input `.eh_frame`.
    pub input: SectionId,
    /// Offset in that section.
    pub section_offset: u64,
    /// Bytes, with the length field.
    pub size: u64,
    /// Offset in the output's `.eh_frame`.
    pub output_offset: u64,
    /// Those that apply to the record, ascending by `r_offset`, which counts in the input section.
    pub relocs: &'static [Rela],
    /// Offset of its CIE in the output section; `None` for a CIE.
    pub cie: Option<u64>,
}

/// Bytes of FDEs that a part copies.
const RUN_SIZE: u64 = 256 << 10;

/// Neighbouring FDEs of one object, which one part writes.
#[derive(Debug, Clone)]
pub struct FdeRun {
    /// The object whose FDEs `fdes` counts.
    pub object: ObjectId,
    /// In the object's list of all FDEs, with those that are left out.
    pub fdes: Range<u32>,
    /// Offset in the output's `.eh_frame` of the first FDE that is kept.
    pub output_offset: u64,
    /// Bytes of the FDEs that are kept.
    pub size: u64,
    /// Relocations of the FDEs that are kept.
    pub reloc_count: u64,
}

/// The plan of the output's `.eh_frame`.
pub struct Frames<'a> {
    records: &'a EhFrames,
    live: &'a Liveness,
    objects: &'a Objects,
    definitions: &'a Definitions,
    plan: EhFrameOutput,
    /// Whether some input has an `.eh_frame`, even an empty one.
    pub is_present: bool,
    /// SHT_PROGBITS, or the machine's own type (`Machine::unwind_type`) if all inputs have that.
    pub sh_type: u32,
    runs: Column<ObjectId, Vec<FdeRun>>,
    /// Relocations before those of each object's FDEs; the total at the end.
    reloc_counts: Column<ObjectId, u64>,
}

impl<'a> Frames<'a> {
    /// Gives every record that is kept its offset in the output.
    pub fn plan(
        machine: &Machine,
        objects: &'a Objects,
        definitions: &'a Definitions,
        records: &'a EhFrames,
        live: &'a Liveness,
    ) -> Frames<'a> {
        let plan = eh_frame::plan(records, live, objects.len(), || false);
        let mut frames = Frames {
            records,
            live,
            objects,
            definitions,
            plan,
            is_present: false,
            sh_type: machine.unwind_type.unwrap_or(SHT_PROGBITS),
            runs: Column::new(),
            reloc_counts: Column::new(),
        };
        for section in &definitions.sections {
            if !section.flags.has(SectionFlags::EH_FRAME)
                || section.flags.has(SectionFlags::DISCARDED)
            {
                continue;
            }
            let object = &objects[section.object];
            frames.is_present = true;
            if object.header(section.shndx).sh_type() == SHT_PROGBITS {
                frames.sh_type = SHT_PROGBITS;
            }
        }
        let objects = objects.par_ids();
        frames.runs = objects.with_max_len(16).map(|object| frames.runs_of(object)).collect();
        let of_cie = |&cie: &CieId| u64::from(records.cies[cie].reloc_count);
        let mut total: u64 = frames.plan.cies.iter().map(of_cie).sum();
        frames.reloc_counts.push(total);
        for runs in &frames.runs {
            total += runs.iter().map(|run| run.reloc_count).sum::<u64>();
            frames.reloc_counts.push(total);
        }
        frames
    }

    /// Bytes of the output section, with its terminator.
    pub fn size(&self) -> u64 {
        self.records_end() + if self.records.has_terminator { TERMINATOR } else { 0 }
    }

    fn records_end(&self) -> u64 {
        self.plan.object_offsets.last().copied().unwrap_or(0)
    }

    /// Relocations of the output section.
    pub fn reloc_count(&self) -> u64 {
        self.reloc_counts.last().copied().unwrap_or(0)
    }

    /// Offset of an object's first FDE; the end of all FDEs for one past the last object.
    pub fn object_offset(&self, object: ObjectId) -> u64 {
        self.plan.object_offsets[object]
    }

    /// Relocations before those of an object's FDEs.
    pub fn object_relocs(&self, object: ObjectId) -> u64 {
        self.reloc_counts[object]
    }

    /// CIEs that are kept.
    pub fn cie_count(&self) -> usize {
        self.plan.cies.len()
    }

    /// Offset of a CIE in the output section; the end of all CIEs for one past the last.
    pub fn cie_start(&self, at: usize) -> u64 {
        self.plan.cie_start(at)
    }

    /// The CIEs that are kept. They come before all FDEs.
    pub fn cies(&self) -> impl Iterator<Item = FrameRecord> {
        self.cies_among(0..self.cie_count())
    }

    /// The CIEs that `cies` counts.
    pub fn cies_among(&self, cies: Range<usize>) -> impl Iterator<Item = FrameRecord> {
        self.plan.cies[cies].iter().map(|&index| {
            let cie = &self.records.cies[index];
            let section = &self.definitions.sections[cie.input];
            let object = &self.objects[section.object];
            FrameRecord {
                input: cie.input,
                section_offset: u64::from(cie.section_offset),
                size: u64::from(cie.size),
                output_offset: u64::from(self.plan.cie_offsets[index]),
                relocs: self.records.cie_relocs(object, section, cie),
                cie: None,
            }
        })
    }

    fn live_among(&self, fdes: &'a [Fde]) -> impl Iterator<Item = &'a Fde> {
        let live = self.live;
        fdes.iter().filter(move |fde| live.is_live(fde.section))
    }

    /// The FDEs of an object that are kept.
    pub fn fdes(&self, object: ObjectId) -> impl Iterator<Item = FrameRecord> {
        self.place_fdes(self.records.fdes_of(object), object, self.plan.object_offsets[object])
    }

    /// The FDEs of a run that are kept.
    pub fn fdes_of_run(&self, run: &FdeRun) -> impl Iterator<Item = FrameRecord> {
        let object = run.object;
        let fdes = &self.records.fdes_of(object)[run.fdes.wide()];
        self.place_fdes(fdes, object, run.output_offset)
    }

    /// The FDEs of an object, in runs of about [`RUN_SIZE`] bytes.
    pub fn runs(&self, object: ObjectId) -> &[FdeRun] {
        &self.runs[object]
    }

    fn runs_of(&self, object: ObjectId) -> Vec<FdeRun> {
        let start = self.plan.object_offsets[object];
        let empty = |at, output_offset| FdeRun {
            object,
            fdes: at..at,
            output_offset,
            size: 0,
            reloc_count: 0,
        };
        let mut runs = vec![empty(0, start)];
        for (next, fde) in (1..).zip(self.records.fdes_of(object)) {
            let run = runs.last_mut().expect("never empty");
            run.fdes.end = next;
            if self.live.is_live(fde.section) {
                run.size += u64::from(fde.size);
                run.reloc_count += u64::from(fde.reloc_count);
            }
            if run.size >= RUN_SIZE {
                let end = run.output_offset + run.size;
                runs.push(empty(next, end));
            }
        }
        runs
    }

    fn place_fdes(
        &self,
        fdes: &'a [Fde],
        object: ObjectId,
        mut cursor: u64,
    ) -> impl Iterator<Item = FrameRecord> {
        self.live_among(fdes).map(move |fde| {
            let section = &self.definitions.sections[fde.input];
            let leader = self.records.cies[fde.cie].leader;
            let record = FrameRecord {
                input: fde.input,
                section_offset: u64::from(fde.section_offset),
                size: u64::from(fde.size),
                output_offset: cursor,
                relocs: self.records.fde_relocs(&self.objects[object], section, fde),
                cie: Some(u64::from(self.plan.cie_offsets[leader])),
            };
            cursor += record.size;
            record
        })
    }

    /// Offset in the output section of a byte of an input section: in the record that holds it or,
    /// if that is left out, at the object's next record that is kept.
    pub fn output_offset(&self, section: SectionId, section_offset: u64) -> u64 {
        let object = self.definitions.sections[section].object;
        let bytes = self.objects[object].bytes(&self.definitions.sections[section]);
        // The start of the table, as the empty section of crtbeginT.o marks it, and not its end, as
        // the lone terminator of crtend.o does. What stands before the object's own records does
        // no harm, and zero stays right when a linker edits the table.
        if section_offset == 0 && bytes != [0; 4] {
            return 0;
        }
        let place = (section, section_offset);
        let cies = &self.records.cies;
        let begins = |&cie: &CieId| (cies[cie].input, u64::from(cies[cie].section_offset)) <= place;
        let behind = self.plan.cies.partition_point(begins);
        if let Some(&index) = behind.checked_sub(1).map(|last| &self.plan.cies[last])
            && let cie = &cies[index]
            && cie.input == section
            && let inside = section_offset - u64::from(cie.section_offset)
            && inside < u64::from(cie.size)
        {
            return u64::from(self.plan.cie_offsets[index]) + inside;
        }
        let fdes = self.plan.places(self.records, self.live, object);
        let start = self.plan.object_offsets[object];
        let (at, next) = FdePlace::find(&fdes, section, section_offset);
        match (at, fdes.get(next)) {
            (Some(object_offset), _) => start + object_offset,
            (None, Some(next)) if next.input == section => start + next.object_offset,
            _ => self.records_end() + self.behind_terminator(section, section_offset),
        }
    }

    /// By how many bytes a place of an input section is behind its terminator, in the output's.
    fn behind_terminator(&self, section: SectionId, section_offset: u64) -> u64 {
        let terminator = self.records.terminator_of(section);
        let terminator = terminator.filter(|_| self.records.has_terminator);
        terminator.map_or(0, |start| section_offset.saturating_sub(start).min(TERMINATOR))
    }

    /// Copies a record to `out`, which has its size.
    pub fn write(&self, record: &FrameRecord, out: &mut [u8]) {
        let section = &self.definitions.sections[record.input];
        let start = record.section_offset as usize;
        let bytes = self.objects[section.object].bytes(section);
        out.copy_from_slice(&bytes[start..start + out.len()]);
        let Some(cie) = record.cie else { return };
        // The CIE pointer is the distance back from itself; it follows a length of 4 or 12 bytes.
        let field = if out[..4] == [0xff; 4] { 12 } else { 4 };
        let distance = (record.output_offset + field as u64).wrapping_sub(cie) as u32;
        out[field..field + 4].copy_from_slice(&distance.to_le_bytes());
    }
}
