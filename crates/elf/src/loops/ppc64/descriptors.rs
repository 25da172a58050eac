//! Function descriptors ("64-bit PowerPC ELF Application Binary Interface Supplement", "Function
//! Descriptors"): three words of `.opd`, of which the first has the address of a function's code.
//! The function's symbol is that of its descriptor, and calls go to the code.

use crate::machine::ppc64::howto::types;
use crate::resolve::definitions::SectionId;
use crate::synth::image::Image;
use crate::synth::values::{self, Value};

/// The address of the code of the function whose descriptor is at an address in a section; `None`
/// if that is no section of descriptors.
pub fn code(image: &Image<'_>, id: SectionId, address: u64) -> Option<u64> {
    let section = image.definitions.sections.get(id)?;
    let object = &image.objects[section.object];
    if object.section_name(section.shndx) != b".opd" {
        return None;
    }
    let offset = address.wrapping_sub(image.address(id));
    let relocs = object.relocs(section);
    let first = relocs.partition_point(|reloc| reloc.r_offset() < offset);
    let reloc = relocs.get(first).filter(|reloc| reloc.r_offset() == offset)?;
    if reloc.r_type() != types::ADDR64 {
        return None;
    }
    match values::decode(image.value(section.object, reloc.symbol())) {
        Value::Plain(s) => Some(s.wrapping_add_signed(reloc.r_addend())),
        Value::Merged(section) => image.place_in(section, reloc.r_addend() as u64),
        _ => None,
    }
}
