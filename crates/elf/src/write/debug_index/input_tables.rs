//! Name tables of the inputs. These sections are not in the output; the index that is made has the
//! information that entries in the output lack.

use super::source::{LIMIT, Source, find, live_sections};
use crate::format::elf::Rela;
use crate::layout::output_sections::Head;
use crate::read::object_file::InputSection;
use crate::resolve::definitions::SectionId;
use crate::select::fault::SectionFault;
use crate::synth::image::Image;
use crate::synth::values::{self, Value};
use skald_dwarf::name_index::input_tables::InputTables;
use skald_linking::cursor::Malformed;
use std::borrow::Cow;

/// The tables of one input section.
pub struct InputSectionTables<'a> {
    image: &'a Image<'a>,
    section: &'a InputSection,
    relocs: Cow<'a, [Rela]>,
    /// `.debug_info` and `.debug_str` of the output.
    info: Option<&'a Head>,
    strings: Option<&'a Head>,
}

/// The tables of all live sections with this name.
pub fn input_tables<'a>(image: &'a Image<'a>, name: &[u8]) -> Vec<InputSectionTables<'a>> {
    let head = |name| find(image.outputs, name).map(|(head, _)| head);
    let (info, strings) = (head("info"), head("str"));
    let outputs = &image.outputs.names;
    let sections = live_sections(image, |out| outputs[out] == *name);
    let tables = |&id: &SectionId| {
        let section = &image.definitions.sections[id];
        let relocs = sorted(image.objects[section.object].relocs(section));
        InputSectionTables { image, section, relocs, info, strings }
    };
    sections.iter().map(tables).collect()
}

/// Relocations sorted by field, as compilers write them.
fn sorted(relocs: &[Rela]) -> Cow<'_, [Rela]> {
    if relocs.is_sorted_by_key(Rela::r_offset) {
        return Cow::Borrowed(relocs);
    }
    let mut sorted = relocs.to_vec();
    sorted.sort_by_key(Rela::r_offset);
    Cow::Owned(sorted)
}

/// For each contribution, the number of its input.
pub fn inputs(source: &Source, image: &Image<'_>) -> Vec<u32> {
    let sections = &image.definitions.sections;
    source.inputs().iter().map(|&id| sections[id].object.number()).collect()
}

impl InputSectionTables<'_> {
    /// A fault and its place, for a message.
    pub fn fault(&self, Malformed { what, offset }: Malformed) -> SectionFault {
        let InputSection { object, shndx, .. } = *self.section;
        SectionFault { object, shndx, section_offset: offset as u64, what }
    }

    /// The offset in an output section that a field refers to.
    fn offset(&self, field: usize, written: u64, head: Option<&Head>) -> Option<u64> {
        let (field, head) = (field as u64, head?);
        let found = self.relocs.partition_point(|reloc| reloc.r_offset() < field);
        match self.relocs.get(found).filter(|reloc| reloc.r_offset() == field) {
            None => Some(written),
            Some(reloc) => Some(self.address(reloc)?.wrapping_sub(head.address)),
        }
    }

    /// S + A of a relocation against a debug section, in the output.
    fn address(&self, reloc: &Rela) -> Option<u64> {
        let addend = reloc.r_addend() as u64;
        match values::decode(self.image.value(self.section.object, reloc.symbol())) {
            Value::Plain(value) => Some(value.wrapping_add(addend)),
            Value::Merged(section) => self.image.place_in(section, addend),
            _ => None,
        }
    }
}

impl InputTables for InputSectionTables<'_> {
    fn input(&self) -> u32 {
        self.section.object.number()
    }

    fn bytes(&self) -> Cow<'_, [u8]> {
        let object = &self.image.objects[self.section.object];
        object.at_work();
        match object.compressed(self.section) {
            Some(compressed) => Cow::Owned(compressed.decompress(LIMIT).unwrap_or_default()),
            None => Cow::Borrowed(object.bytes(self.section)),
        }
    }

    fn unit(&self, field: usize, written: u64) -> Option<u64> {
        let unit = self.offset(field, written, self.info)?;
        match self.image.rewritten_units {
            Some(rewritten) => rewritten.place(unit),
            None => self.info.is_some_and(|head| unit < head.size).then_some(unit),
        }
    }

    fn string(&self, field: usize, written: u64) -> Option<u64> {
        let offset = self.offset(field, written, self.strings)?;
        self.strings.is_some_and(|head| offset < head.size).then_some(offset)
    }
}
