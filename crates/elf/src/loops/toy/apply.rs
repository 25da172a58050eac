//! Applies relocations.

use super::thunk::{THUNKS, reach_of_type};
use super::{MACHINE, types};
use crate::format::elf::Rela;
use crate::loops::thunks::Branch;
use crate::synth::image::Image;
use crate::synth::patch::{Failure, Fault, Patch};
use crate::synth::values::{self, Value};
use skald_linking::byte_order::ByteOrder;

pub fn apply(image: &Image<'_>, patch: &Patch<'_>, out: &mut [u8], failures: &mut Vec<Failure>) {
    for (index, reloc) in (patch.first..).zip(patch.relocs) {
        if let Err(what) = one(image, patch, out, reloc) {
            failures.push(Failure { section: patch.id, reloc: index, what });
        }
    }
}

fn one(image: &Image<'_>, patch: &Patch<'_>, out: &mut [u8], reloc: &Rela) -> Result<(), Fault> {
    let at = (reloc.r_offset() - patch.section_offset) as usize;
    let place = patch.address + at as u64;
    let value = image.value(patch.section.object, reloc.symbol());
    let target = match values::decode(value) {
        Value::Plain(s) => s.wrapping_add_signed(reloc.r_addend()),
        Value::Merged(section) => image.place_in(section, reloc.r_addend() as u64).unwrap_or(0),
        _ => 0,
    };
    let r_type = reloc.r_type();
    let mut number = match r_type {
        types::NONE | types::ALIGN => return Ok(()),
        types::WORD => target as i64,
        types::DISTANCE | types::SHORT_BRANCH | types::BRANCH | types::CALL => {
            target.wrapping_sub(place) as i64
        }
        types::ADD32 | types::ADD8 => (written(out, at) as i64).wrapping_add(target as i64),
        types::SUB32 | types::SUB8 => (written(out, at) as i64).wrapping_sub(target as i64),
        _ => return Err(Fault::Unsupported),
    };
    let howto = MACHINE.howto(r_type).ok_or(Fault::Unsupported)?;
    if !howto.range.contains(number) {
        let too_far = Fault::OutOfRange(number);
        let reach = reach_of_type(r_type).ok_or(too_far)?;
        let branch = Branch { object: patch.section.object, reloc: *reloc, place, reach };
        let position = image.outputs.position_of(patch.section.output()).ok_or(too_far)?;
        let thunk = THUNKS.find(image, position, branch, target).ok_or(too_far)?;
        number = thunk.wrapping_sub(place) as i64;
    }
    howto.write(ByteOrder::Little, out, at, number).ok_or(Fault::BadPlace)
}

/// The current content of the field, in its low bytes.
fn written(out: &[u8], at: usize) -> u32 {
    let field = out.get(at..).and_then(|field| field.first_chunk());
    field.map_or(0, |field| u32::from_le_bytes(*field))
}
