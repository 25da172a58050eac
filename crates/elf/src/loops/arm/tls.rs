//! Thread-local storage: the words of the GOT that code asks for, and descriptors ("ELF for the
//! Arm Architecture", "Thread-local storage relocations"; A. Oliva, "TLS descriptors").
//!
//! A descriptor is used by a word D that is loaded into `r0` and a call of code that adds the
//! return address to it and calls the descriptor's function ([`super::thunk`] has that code). As
//! with GNU ld, programs need no descriptors; the other models have no shorter form.
//!
//! | model | word | call, A32 | call, Thumb |
//! |---|---|---|---|
//! | initial exec | distance of the GOT's word | `ldr r0, [pc, r0]` | `add r0, pc; ldr r0, [r0]` |
//! | local exec | offset | no-op | no-op |

use super::apply;
use super::branch::Goal;
use super::thunk;
use crate::format::elf::Rela;
use crate::loops::apply_loop::{Site, Target};
use crate::loops::thunks::Branch;
use crate::loops::tls_model::{TlsModel, tls_model};
use crate::machine::arm::code_addend;
use crate::machine::arm::howto::*;
use crate::synth::patch::Fault;

/// Applies a relocation of a thread-local variable.
pub fn apply(site: &mut Site<'_>, reloc: &Rela, target: Target) -> Result<(), Fault> {
    let operands = site.operands;
    let image = operands.image;
    let a = reloc.r_addend() as u64;
    let p = site.place(reloc);
    let view = operands.view(reloc);
    let r_type = reloc.r_type();
    // Local-dynamic code means this module's variable, even if it is exported.
    let own = view.name().map_or(target.s, |name| image.values.of_name[name]);
    let value = match r_type {
        R_ARM_TLS_GD32 => operands.tlsgd(reloc).wrapping_add(a).wrapping_sub(p),
        R_ARM_TLS_LDM32 => image.got_word(image.slots.own_module).wrapping_add(a).wrapping_sub(p),
        R_ARM_TLS_LDO32 | R_ARM_TLS_LDO12 => operands.dtpoff(view, own).wrapping_add(a),
        R_ARM_TLS_IE32 => operands.gottp(reloc).wrapping_add(a).wrapping_sub(p),
        R_ARM_TLS_IE12GP => operands.gottp(reloc).wrapping_add(a).wrapping_sub(image.got_base),
        // In a library the loader writes the field.
        R_ARM_TLS_LE32 if image.shape.is_shared => 0,
        R_ARM_TLS_LE32 | R_ARM_TLS_LE12 => operands.tpoff(view, target.s).wrapping_add(a),
        R_ARM_TLS_GOTDESC => {
            // The addend is the distance from the call, and odd if that is Thumb.
            let call = p.wrapping_sub(a & !1);
            let is_thumb = a & 1;
            match model(site, reloc) {
                TlsModel::Dynamic => {
                    let behind = call.wrapping_add(4 + is_thumb);
                    operands.tlsdesc(reloc).wrapping_sub(behind)
                }
                TlsModel::InitialExec => {
                    let counter = call.wrapping_add(if is_thumb != 0 { 4 } else { 8 });
                    operands.gottp(reloc).wrapping_sub(counter)
                }
                TlsModel::LocalExec => operands.tpoff(view, target.s),
            }
        }
        R_ARM_TLS_CALL | R_ARM_THM_TLS_CALL => return call(site, reloc),
        // Marks of longer sequences, which stay as they are for a descriptor.
        R_ARM_TLS_DESCSEQ | R_ARM_THM_TLS_DESCSEQ16 | R_ARM_THM_TLS_DESCSEQ32 => {
            return match model(site, reloc) {
                TlsModel::Dynamic => Ok(()),
                _ => sequence(site, reloc),
            };
        }
        _ => return Err(Fault::Unsupported),
    };
    apply::put(site, reloc, r_type, value)
}

fn model(site: &Site<'_>, reloc: &Rela) -> TlsModel {
    let operands = site.operands;
    tls_model(operands.image.shape, operands.relaxes_tls(), operands.view(reloc))
}

/// The call with a descriptor, or what it becomes.
fn call(site: &mut Site<'_>, reloc: &Rela) -> Result<(), Fault> {
    let order = site.operands.image.machine.byte_order;
    let is_thumb = reloc.r_type() == R_ARM_THM_TLS_CALL;
    let field = field(reloc.r_type()).ok_or(Fault::Unsupported)?;
    let at = site.at(reloc);
    let new = match (model(site, reloc), is_thumb) {
        (TlsModel::Dynamic, _) => to_trampoline(site, reloc)?,
        // ldr r0, [pc, r0]
        (TlsModel::InitialExec, false) => 0xe79f_0000,
        // add r0, pc; ldr r0, [r0]
        (TlsModel::InitialExec, true) => 0x4478_6800,
        // mov r0, r0
        (TlsModel::LocalExec, false) => 0xe1a0_0000,
        // mov r8, r8, twice
        (TlsModel::LocalExec, true) => 0x46c0_46c0,
    };
    if code_addend::write(order, field, site.out, at, new) { Ok(()) } else { Err(Fault::BadPlace) }
}

/// BL to the code that calls a descriptor's function, or BLX from Thumb.
fn to_trampoline(site: &Site<'_>, reloc: &Rela) -> Result<u32, Fault> {
    let operands = site.operands;
    let place = site.place(reloc);
    let patch = operands.patch;
    let kind = thunk::trampoline_call(reloc.r_type());
    let branch = Branch { object: patch.section.object, reloc: *reloc, place, reach: kind.reach };
    let position = operands.image.outputs.position_of(patch.section.output());
    let found = position.and_then(|at| thunk::THUNKS.find(operands.image, at, branch, 0));
    let address = found.ok_or(Fault::OutOfRange(0))?;
    let goal = Goal { address, is_thumb: false, has_bit: false };
    let from = kind.origin(place, goal.is_thumb).wrapping_add(kind.reach.origin);
    let distance = site.number(goal.address.wrapping_sub(from));
    let field = field(reloc.r_type()).ok_or(Fault::Unsupported)?;
    let empty = if kind.is_thumb { 0xf000_c000 } else { 0xeb00_0000 };
    Ok(code_addend::put(field, empty, distance))
}

/// An instruction of a sequence without the code of [`to_trampoline`]: an addition, a load and a
/// branch, each of which becomes the one that the model needs.
fn sequence(site: &mut Site<'_>, reloc: &Rela) -> Result<(), Fault> {
    let order = site.operands.image.machine.byte_order;
    let is_local = model(site, reloc) == TlsModel::LocalExec;
    let at = site.at(reloc);
    if reloc.r_type() == R_ARM_TLS_DESCSEQ {
        let word = code_addend::read(order, Field::Load, site.out, at).ok_or(Fault::BadPlace)?;
        let destination = word >> 12 & 15;
        let new = match word & 0x0ff0_0000 {
            // add r0, pc, rx: the offset, or the address of the word with it.
            0x0080_0000 if is_local => 0xe1a0_0000 | destination << 12 | word & 15,
            0x0080_0000 => word,
            // ldr rx, [r0, #4]: nothing, or the offset.
            0x0590_0000 if is_local => 0xe1a0_0000,
            0x0590_0000 => 0xe590_0000 | word & 0x000f_0000,
            // blx rx
            0x0120_0000 => 0xe1a0_0000,
            _ => return Err(Fault::Unsupported),
        };
        code_addend::write(order, Field::Load, site.out, at, new);
        return Ok(());
    }
    let field = Field::ThumbJump11;
    let word = code_addend::read(order, field, site.out, at).ok_or(Fault::BadPlace)?;
    let new = match word {
        // add rx, pc
        _ if word & 0xff78 == 0x4478 => {
            if is_local {
                0x46c0
            } else {
                word
            }
        }
        // ldr rx, [ry, #4]
        _ if word & 0xf800 == 0x6800 => {
            if is_local {
                0x46c0
            } else {
                0x6800 | word & 0x38
            }
        }
        // blx rx
        _ if word & 0xff80 == 0x4780 => 0x46c0,
        _ => return Err(Fault::Unsupported),
    };
    code_addend::write(order, field, site.out, at, new);
    Ok(())
}
