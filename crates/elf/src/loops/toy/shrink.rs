//! Calls become one instruction if that reaches, and padding for alignment shrinks to the necessary
//! bytes.

use super::thunk::SHORT;
use super::types;
use crate::format::elf::Rela;
use crate::layout::deletions::{Deleted, Deletion};
use crate::synth::image::Image;
use crate::synth::shrinking::{ShrinkSite, Shrinking};
use crate::synth::values::{self, Value};

/// How its code shrinks.
pub static SHRINKING: Shrinking = Shrinking { most_lost, find, shorten };

/// Bytes of an instruction.
const INSTRUCTION: u64 = 4;

fn most_lost(relocs: &[Rela]) -> u64 {
    let of = |reloc: &Rela| match reloc.r_type() {
        types::CALL => INSTRUCTION,
        types::ALIGN => reloc.r_addend() as u64,
        _ => 0,
    };
    relocs.iter().map(of).sum()
}

fn find(image: &Image<'_>, site: &ShrinkSite<'_>) -> Deleted {
    let bytes = image.definitions.sections[site.section].size as usize;
    let mut found = Deleted::default();
    for (index, reloc) in (0..).zip(site.relocs) {
        let start = reloc.r_offset();
        match reloc.r_type() {
            types::CALL => {
                let is_short = site.deleted.of_relocation(index).is_some();
                if is_short || site.may_shorten && is_near(image, site, reloc) {
                    let offset = start + INSTRUCTION;
                    found.push(bytes, Deletion { offset, size: INSTRUCTION, reloc: index });
                }
            }
            types::ALIGN => {
                let padding = reloc.r_addend() as u64;
                let now = start - found.total();
                let needed = now.next_multiple_of((padding + 1).next_power_of_two()) - now;
                let size = padding.saturating_sub(needed);
                found.push(bytes, Deletion { offset: start + needed, size, reloc: index });
            }
            _ => {}
        }
    }
    found
}

/// Whether a short branch will reach the target of a call, however code still moves.
fn is_near(image: &Image<'_>, site: &ShrinkSite<'_>, reloc: &Rela) -> bool {
    let object = image.definitions.sections[site.section].object;
    let addend = reloc.r_addend();
    let target = match values::decode(image.value(object, reloc.symbol())) {
        Value::Plain(s) => Some(s.wrapping_add_signed(addend)),
        Value::Merged(section) => image.place_in(section, addend as u64),
        _ => None,
    };
    let Some(target) = target else { return false };
    let place = image.address(site.section) + site.deleted.moved(reloc.r_offset());
    let home = image.view(object, reloc.symbol()).value_base.section();
    let distance = target.wrapping_sub(place) as i64;
    site.farthest(image, home, distance) <= SHORT.forward
}

/// The output has only the first instruction, and no relocation for padding.
fn shorten(_: &mut [u8], relocs: &mut [Rela], deletion: Deletion) {
    let reloc = &mut relocs[deletion.reloc as usize];
    let r_type = if reloc.r_type() == types::CALL { types::SHORT_BRANCH } else { types::NONE };
    reloc.set_r_type(r_type);
}
