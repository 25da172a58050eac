//! `.eh_frame` of a relocatable output: equal CIEs once, then the FDEs of what is kept.
//!
//! FDEs of sections that another file's group replaced are left out, so that the output does not
//! describe code that it does not hold. The record of length zero that ends the table stays at the
//! end if some input brought one (`crtend.o`): other linkers do not add it.

use crate::machine::Machine;
use crate::read::Objects;
use crate::read::object_file::SectionFlags;
use crate::resolve::definitions::{Definitions, SectionId};
use crate::select::eh_frame::{CieId, EhFrames};
use crate::select::liveness::Liveness;
use crate::synth::eh_frame::{EhFrameOutput, FdePlace, TERMINATOR};
use object::elf::SHT_PROGBITS;

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
    /// Looks at what the inputs of `plan` are.
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
}
