//! Marks the sections that relocations refer to. No relocation needs a slot.

use crate::format::elf::Rela;
use crate::read::object_file::InputSection;
use crate::resolve::definitions::SectionId;
use crate::select::marker::{Follow, Marker};
use crate::select::scan::{Problem, RelocId, ScanInput, ScanOutput};

pub fn follow(
    input: &ScanInput<'_>,
    id: SectionId,
    section: &InputSection,
    relocs: &[Rela],
    first: u32,
    out: &mut ScanOutput,
    marker: &mut Follow<'_>,
) {
    scan(input, id, section, relocs, first, out, marker);
}

pub fn scan(
    input: &ScanInput<'_>,
    id: SectionId,
    section: &InputSection,
    relocs: &[Rela],
    first: u32,
    out: &mut ScanOutput,
    marker: &mut impl Marker,
) {
    for (index, reloc) in (first..).zip(relocs) {
        let view = input.symbol(section.object, reloc.symbol()).expect("tests give symbols");
        match view.value_base.section() {
            Some(section) => marker.mark(section),
            None if reloc.symbol().index() == 0 || view.is_constant() => {}
            None => out.problems.push((RelocId { section: id, index }, Problem::Undefined)),
        }
    }
}
