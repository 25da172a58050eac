//! Thunks for B and BL, which reach 128 MiB ("ELF for the Arm 64-bit Architecture", "Call and Jump
//! relocations"). Conditional branches get none: as with GNU ld and lld, one that does not reach is
//! an error.
//!
//! The ABI leaves `x16` and `x17` to the code between a caller and a function. The short form
//! reaches 4 GiB and is position-independent; a long form has the address, or the distance if the
//! loader chooses addresses, in a word behind its code. Where code may be unreadable
//! (SHF_AARCH64_PURECODE, `--execute-only`), a third form has it in four instructions instead.
//!
//! A thunk branches by a register, so in a program with BTI its target must be a landing pad. The
//! compiler leaves that out for functions that are only called directly. Then the thunk leads to
//! a second one near the target, which is a landing pad and a direct branch. Both are for the
//! output section of the target: another one may have the same address (OVERLAY) and no pad there.

use super::instruction::{self, page, with_adr, with_imm12, with_imm26};
use crate::format::elf::Rela;
use crate::layout::islands::{Thunk, ThunkKind};
use crate::loops::operands::Operands;
use crate::loops::thunks::{Branch, CodeMarks, FarBranch, Reach, Thunks};
use crate::machine::aarch64::howto::*;
use crate::resolve::definitions::attr;
use crate::synth::image::Image;
use crate::synth::patch::Patch;
use crate::synth::values::{self, Value};

/// Thunks for B and BL.
pub static THUNKS: Thunks = Thunks {
    kinds: &[
        ThunkKind { size: 12, align: 4 },
        ThunkKind { size: 16, align: 8 },
        ThunkKind { size: 24, align: 8 },
        ThunkKind { size: 20, align: 4 },
        ThunkKind { size: 28, align: 4 },
        ThunkKind { size: 12, align: 4 },
        ThunkKind { size: 16, align: 8 },
        ThunkKind { size: 24, align: 8 },
        ThunkKind { size: 20, align: 4 },
        ThunkKind { size: 28, align: 4 },
        ThunkKind { size: 8, align: 4 },
    ],
    span: 0x7ff_0000,
    leads_to_data: true,
    spacing: 4 << 20,
    find,
    thunk_for,
    second: |thunk| match thunk.kind {
        kind if kind >= TO_PAD && kind != PAD => Some((Thunk { kind: PAD, ..thunk }, &PAD_REACH)),
        _ => None,
    },
    write,
    marks: Some(&MARKS),
};

const fn marks(data: u64) -> CodeMarks {
    CodeMarks { code: "$x", bit: 0, second: None, data }
}

static MARKS: [CodeMarks; 11] = {
    let [code, data] = [marks(0), marks(8)];
    [code, data, data, code, code, code, data, data, code, code, code]
};

/// `adrp; add; br`.
const SHORT: u8 = 0;
/// A word with the address.
const ABSOLUTE: u8 = 1;
/// A word with the distance.
const RELATIVE: u8 = 2;
/// The address in instructions.
const PURE_ABSOLUTE: u8 = 3;
/// The distance in instructions.
const PURE_RELATIVE: u8 = 4;
/// Added to the kinds above: it leads to a landing pad.
const TO_PAD: u8 = 5;
/// A landing pad near the target.
const PAD: u8 = 10;

/// B and BL.
pub static REACH: Reach = Reach { backward: 1 << 27, forward: (1 << 27) - 4, origin: 0 };
/// The branch of a landing pad, the second instruction.
static PAD_REACH: Reach = Reach { origin: 4, ..REACH };

/// What short thunks reach, less what may be between a branch and its thunk.
const SHORT_REACH: u64 = (1 << 32) - (1 << 29);

const ADRP_X16: u32 = 0x9000_0010;
/// `add x16, x16, #0`
const ADD_X16: u32 = 0x9100_0210;
/// `br x16`
const BR_X16: u32 = 0xd61f_0200;
/// `ldr x16, .+8`
const LOAD_ADDRESS: u32 = 0x5800_0050;
/// `ldr x17, .+16`
const LOAD_DISTANCE: u32 = 0x5800_0091;
/// `adr x16, .-4`
const OWN_ADDRESS: u32 = 0x10ff_fff0;
/// `add x16, x16, x17`
const ADD_DISTANCE: u32 = 0x8b11_0210;
/// `adr x16, .`
const THIS_ADDRESS: u32 = 0x1000_0010;
/// `movz x0, #0`
const MOVZ: u32 = 0xd280_0000;
/// `movk x0, #0`
const MOVK: u32 = 0xf280_0000;
const BTI_C: u32 = 0xd503_245f;
/// `b .`
const B: u32 = 0x1400_0000;

/// DT_AARCH64_BTI_PLT: the output promises landing pads.
const BTI_TAG: u32 = 0x7000_0001;

/// Whether a type is that of a branch that may go through a thunk.
pub fn is_branch(r_type: u32) -> bool {
    matches!(r_type, R_AARCH64_CALL26 | R_AARCH64_JUMP26)
}

/// Where a branch leads; `None` if that is nowhere.
fn destination(image: &Image<'_>, patch: &Patch<'_>, reloc: &Rela, value: u64) -> Option<u64> {
    let addend = reloc.r_addend();
    let operands = Operands { image, patch };
    let s = match values::decode(value) {
        Value::Plain(0) if operands.view(reloc).attributes & attr::UNDEF_WEAK != 0 => return None,
        Value::Plain(s) => s,
        Value::Called(distance) => image.bases.plt.wrapping_add_signed(distance.into()),
        Value::Merged(section) => return image.place_in(section, addend as u64),
        Value::Indirect => Some(operands.function_address(reloc)).filter(|&s| s != 0)?,
        Value::Dead => return None,
    };
    Some(s.wrapping_add_signed(addend))
}

fn find(image: &Image<'_>, patch: &Patch<'_>, _: &mut Vec<u8>, found: &mut Vec<FarBranch>) {
    let object = patch.section.object;
    let values = image.values_of(object);
    for reloc in patch.relocs.iter().filter(|reloc| is_branch(reloc.r_type())) {
        let Some(&value) = values.get(reloc.symbol()) else { continue };
        let place = patch.address.wrapping_add(reloc.r_offset());
        if values::is_plain(value)
            && REACH.covers(place, value.wrapping_add_signed(reloc.r_addend()))
        {
            continue;
        }
        let Some(destination) = destination(image, patch, reloc, value) else { continue };
        if !REACH.covers(place, destination) {
            let branch = Branch { object, reloc: *reloc, place, reach: &REACH };
            found.push(FarBranch { branch, destination });
        }
    }
}

fn thunk_for(image: &Image<'_>, position: u32, branch: &Branch, destination: u64) -> Thunk {
    let is_near = destination.abs_diff(branch.place) < SHORT_REACH;
    let form = match (image.shape.is_pic, image.is_pure_code(position)) {
        _ if is_near => SHORT,
        (false, false) => ABSOLUTE,
        (true, false) => RELATIVE,
        (false, true) => PURE_ABSOLUTE,
        (true, true) => PURE_RELATIVE,
    };
    let has_bti = image.plt.tags.contains(&BTI_TAG);
    match without_pad(image, branch, destination).filter(|_| has_bti) {
        Some(output) => Thunk { output: Some(output), ..Thunk::to(form + TO_PAD, destination) },
        None => Thunk::to(form, destination),
    }
}

/// Position of the output section of the destination if there is an instruction that is no landing
/// pad. PLT entries begin with one.
fn without_pad(image: &Image<'_>, branch: &Branch, destination: u64) -> Option<u32> {
    let view = image.view(branch.object, branch.reloc.symbol());
    let id = view.value_base.section().filter(|_| !view.is_imported() && !view.is_local_ifunc())?;
    let section = &image.definitions.sections[id];
    let bytes = image.objects[section.object].bytes(section);
    let offset = destination.wrapping_sub(image.address(id));
    let word = instruction::read(bytes, usize::try_from(offset).ok()?)?;
    let position = image.outputs.position_of(section.output())?;
    (!instruction::is_landing_pad(word)).then_some(position as u32)
}

fn write(image: &Image<'_>, thunk: Thunk, address: u64, out: &mut [u8]) {
    let Thunk { kind, mut destination, .. } = thunk;
    if let Some(pad) = THUNKS.second_of(image, thunk) {
        destination = pad;
    }
    let form = if kind == PAD { PAD } else { kind % TO_PAD };
    write_form(form, address, destination, image, out);
}

fn write_form(form: u8, address: u64, destination: u64, image: &Image<'_>, out: &mut [u8]) {
    let (code, word): (&[u32], u64) = match form {
        SHORT => {
            let pages = page(destination).wrapping_sub(page(address)) >> 12;
            (&[with_adr(ADRP_X16, pages), with_imm12(ADD_X16, destination), BR_X16], 0)
        }
        ABSOLUTE => (&[LOAD_ADDRESS, BR_X16], destination),
        RELATIVE => {
            let code = &[LOAD_DISTANCE, OWN_ADDRESS, ADD_DISTANCE, BR_X16];
            (code, destination.wrapping_sub(address))
        }
        PURE_ABSOLUTE => {
            let [a, b, c, d] = moves(16, destination);
            (&[a, b, c, d, BR_X16], 0)
        }
        PURE_RELATIVE => {
            let [a, b, c, d] = moves(17, destination.wrapping_sub(address));
            (&[THIS_ADDRESS, a, b, c, d, ADD_DISTANCE, BR_X16], 0)
        }
        _ => {
            let distance = destination.wrapping_sub(address.wrapping_add(4));
            (&[BTI_C, with_imm26(B, distance)], 0)
        }
    };
    let (instructions, data) = out.split_at_mut(4 * code.len());
    for (place, word) in instructions.chunks_exact_mut(4).zip(code) {
        place.copy_from_slice(&word.to_le_bytes());
    }
    image.machine.byte_order.put_low(data, word);
}

/// The instructions that load a number into a register: `movz`, and `movk` for the other three
/// quarters.
fn moves(register: u32, number: u64) -> [u32; 4] {
    let quarter = |at: u32| (number >> (16 * at)) as u16;
    let code = |first: u32, at: u32| first | at << 21 | u32::from(quarter(at)) << 5 | register;
    [code(MOVZ, 0), code(MOVK, 1), code(MOVK, 2), code(MOVK, 3)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_instructions_load_a_number() {
        // movz x16, #0x4444; movk x16, #0x3333, lsl #16; lsl #32; lsl #48
        let code = [0xd288_8890, 0xf2a6_6670, 0xf2c4_4450, 0xf2e2_2230];
        assert_eq!(moves(16, 0x1111_2222_3333_4444), code);
    }
}
