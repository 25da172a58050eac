//! `.eh_frame` of a relocatable output: each distinct CIE once, then the FDEs of kept sections.
//!
//! FDEs of sections in groups that another file owns are dropped, so that the output does not
//! describe code that it does not contain. The terminator (a record of length zero) is at the end
//! if some input has one (`crtend.o`): other linkers do not add one either.

use crate::machine::Machine;
use crate::read::Objects;
use crate::read::object_file::SectionFlags;
use crate::resolve::definitions::{Definitions, SectionId};
use crate::select::eh_frame::{CieId, EhFrames};
use crate::select::liveness::Liveness;
use crate::synth::eh_frame::{EhFrameOutput, FdePlace, TERMINATOR};
use object::elf::SHT_PROGBITS;

/// Marks `.eh_frame` sections to be split into records.
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

/// The plan of the output's `.eh_frame`.
pub struct Frames<'a> {
    records: &'a EhFrames,
    live: &'a Liveness,
    objects: &'a Objects,
    definitions: &'a Definitions,
    plan: &'a EhFrameOutput,
    /// Whether some input has an `.eh_frame`, even an empty one.
    pub is_present: bool,
    /// SHT_PROGBITS, or the machine's own type (`Machine::unwind_type`) if all inputs have that.
    pub sh_type: u32,
}

impl<'a> Frames<'a> {
    /// Finds the properties of the `.eh_frame` inputs of `plan`.
    pub fn new(
        machine: &Machine,
        objects: &'a Objects,
        definitions: &'a Definitions,
        records: &'a EhFrames,
        live: &'a Liveness,
        plan: &'a EhFrameOutput,
    ) -> Frames<'a> {
        let mut frames = Frames {
            records,
            live,
            objects,
            definitions,
            plan,
            is_present: false,
            sh_type: machine.unwind_type.unwrap_or(SHT_PROGBITS),
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
        frames
    }

    /// Bytes of the output section, with its terminator.
    pub fn size(&self) -> u64 {
        self.records_end() + if self.records.has_terminator { TERMINATOR } else { 0 }
    }

    fn records_end(&self) -> u64 {
        self.plan.object_offsets.last().copied().unwrap_or(0)
    }

    /// Offset in the output section of a byte of an input section: in its record or, if that is
    /// dropped, at the object's next record that is kept.
    pub fn output_offset(&self, section: SectionId, section_offset: u64) -> u64 {
        let object = self.definitions.sections[section].object;
        let bytes = self.objects[object].bytes(&self.definitions.sections[section]);
        // A symbol here marks the start of the table, as in the empty section of crtbeginT.o, and
        // not its end, as in the lone terminator of crtend.o. Records before the object's own do no
        // harm, and offset zero stays right when a linker edits the table.
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

    /// The distance in bytes of a place behind the terminator of an input section, which is the
    /// same in the output.
    fn behind_terminator(&self, section: SectionId, section_offset: u64) -> u64 {
        let terminator = self.records.terminator_of(section);
        let terminator = terminator.filter(|_| self.records.has_terminator);
        terminator.map_or(0, |start| section_offset.saturating_sub(start).min(TERMINATOR))
    }
}
