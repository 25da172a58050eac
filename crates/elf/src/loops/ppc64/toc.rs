//! Loads of addresses from the TOC, and from the GOT, that become sums ("64-Bit ELF V2 ABI
//! Specification", "TOC Pointer Usage").
//!
//! A word of `.toc` with the address of a symbol of this output is not loaded: the symbol is as
//! near to the TOC's address. Both instructions find that out by the relocation of the word. Where
//! code of a section uses an address in `.toc` in any other way, both stay (`kept_loads`).

use super::instruction::{self, LD, Long};
use crate::format::elf::Rela;
use crate::machine::ppc64::howto::types;
use crate::read::object_file::InputSection;
use crate::resolve::definitions::{SectionId, attr};
use crate::script::section_names::known;
use crate::select::scan::SymbolView;
use crate::synth::image::Image;
use crate::synth::patch::Patch;
use crate::synth::values::{self, Value};
use skald_linking::byte_order::ByteOrder;

/// Whether a section is one of the TOC.
pub fn is_toc(section: &InputSection) -> bool {
    section.class.is(known::TOC)
}

/// Whether the relocation of a lower half is that of a load, `ld`.
pub fn is_load(order: ByteOrder, bytes: &[u8], reloc: &Rela) -> bool {
    let word = word_of(order, bytes, reloc);
    reloc.r_type() == types::TOC16_LO_DS
        && word.is_some_and(|word| instruction::opcode(word) == LD && word & 3 == 0)
}

/// The instruction that has a field of 16 bits.
pub fn word_of(order: ByteOrder, bytes: &[u8], reloc: &Rela) -> Option<u32> {
    instruction::read(order, bytes, usize::try_from(reloc.r_offset()).ok()? & !3)
}

/// For a relocation that refers to a word of `.toc` at `address`: the distance from the TOC's
/// address of the symbol whose address is in the word, if two instructions reach it.
pub fn through(image: &Image<'_>, patch: &Patch<'_>, reloc: &Rela, address: u64) -> Option<u64> {
    if !image.relax || image.kept_loads.binary_search(&(patch.id, reloc.symbol())).is_ok() {
        return None;
    }
    let id = image.view(patch.section.object, reloc.symbol()).value_base.section()?;
    let section = image.definitions.sections.get(id).filter(|section| is_toc(section))?;
    let offset = address.wrapping_sub(image.address(id));
    let distance = address_in(image, id, offset)?.wrapping_sub(image.got_base);
    let rounded = distance.wrapping_add(0x8000) as i64;
    let is_near = i32::try_from(rounded).is_ok() && section.size > offset;
    is_near.then_some(distance)
}

/// The address that a word of a section gets when it is written, if the symbol is bound here.
fn address_in(image: &Image<'_>, id: SectionId, offset: u64) -> Option<u64> {
    let section = &image.definitions.sections[id];
    let relocs = image.objects[section.object].relocs(section);
    let first = relocs.partition_point(|reloc| reloc.r_offset() < offset);
    let reloc = relocs.get(first).filter(|reloc| reloc.r_offset() == offset)?;
    let is_only = relocs.get(first + 1).is_none_or(|next| next.r_offset() != offset);
    let view = image.view(section.object, reloc.symbol());
    if reloc.r_type() != types::ADDR64 || !is_only || !is_bound_here(view) {
        return None;
    }
    match values::decode(image.value(section.object, reloc.symbol())) {
        Value::Plain(s) => Some(s.wrapping_add_signed(reloc.r_addend())),
        Value::Merged(section) => image.place_in(section, reloc.r_addend() as u64),
        _ => None,
    }
}

/// Whether a symbol is in this output at a distance that is known.
pub fn is_bound_here(view: SymbolView) -> bool {
    const OTHER: u32 = attr::IMPORTED | attr::IFUNC | attr::TLS | attr::NO_DEFINITION;
    view.attributes & OTHER == 0 && view.value_base.section().is_some()
}

/// Whether a load from the GOT by one instruction becomes a sum.
pub fn is_rewritten(
    relax: bool,
    order: ByteOrder,
    bytes: &[u8],
    reloc: &Rela,
    view: SymbolView,
) -> bool {
    let read = || Long::read(order, bytes, usize::try_from(reloc.r_offset()).ok()?);
    relax && is_bound_here(view) && read().is_some_and(Long::is_load_from_here)
}
