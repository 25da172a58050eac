//! What relocations write ("RISC-V ABIs Specification", "Relocations"), for the loop of
//! [`crate::loops::apply_loop`].

use super::instruction::{self, GP, TP, ZERO, with_base};
use super::shrink::{self, GP_UPPER};
use crate::format::elf::Rela;
use crate::loops::apply_loop::{ApplyTypes, Site, Target};
use crate::loops::operands::Operands;
use crate::loops::tls_model::{TlsModel, tls_model};
use crate::loops::upper_part;
use crate::machine::Class;
use crate::machine::howto::Range;
use crate::machine::riscv::howto::{Field, field, howto, sum_part};
use crate::read::object_file::SectionFlags;
use crate::resolve::definitions::attr;
use crate::synth::image::Image;
use crate::synth::patch::{Fault, Patch};
use crate::synth::values;
use object::elf::*;

/// The relocation that the instruction of relocation `index` has as it was written. What counts
/// from the global pointer has none that a file may contain.
pub fn follow_rewrite(image: &Image<'_>, patch: &Patch<'_>, index: usize) -> Rela {
    let mut reloc = patch.relocs[index];
    let operands = Operands { image, patch };
    let (r_type, of) = match reloc.r_type() {
        GP_UPPER => (R_RISCV_NONE, None),
        R_RISCV_PCREL_LO12_I | R_RISCV_PCREL_LO12_S => {
            let upper =
                label_in(image, patch, &reloc).and_then(|at| upper_at(image, patch, index, at));
            match upper {
                Some(upper) if upper.r_type() == GP_UPPER => (R_RISCV_NONE, None),
                _ => return reloc,
            }
        }
        R_RISCV_LO12_I | R_RISCV_LO12_S => {
            let value = image.value(patch.section.object, reloc.symbol());
            let sum = values::plain(value).map(|s| s.wrapping_add_signed(reloc.r_addend()));
            let is_of_gp = sum.is_some_and(|sum| {
                let is_32 = image.machine.class == Class::Elf32;
                !shrink::fits_low(sum, is_32) && shrink::from_gp(image, sum).is_some()
            });
            if !(is_of_gp && image.relax && shrink::is_relaxable(patch.relocs, index)) {
                return reloc;
            }
            (R_RISCV_NONE, None)
        }
        R_RISCV_TLSDESC_HI20..=R_RISCV_TLSDESC_CALL => {
            let is_first = reloc.r_type() == R_RISCV_TLSDESC_HI20;
            let at = if is_first { Some(reloc.r_offset()) } else { label_in(image, patch, &reloc) };
            let Some(upper) = at.and_then(|at| upper_at(image, patch, index + 1, at)) else {
                return reloc;
            };
            let view = operands.view(upper);
            match (tls_model(image.shape, operands.relaxes_tls(), view), reloc.r_type()) {
                (TlsModel::Dynamic, _) => return reloc,
                (TlsModel::InitialExec, R_RISCV_TLSDESC_ADD_LO12) => {
                    (R_RISCV_TLS_GOT_HI20, Some(*upper))
                }
                (TlsModel::LocalExec, R_RISCV_TLSDESC_ADD_LO12) => {
                    (R_RISCV_TPREL_HI20, Some(*upper))
                }
                (TlsModel::LocalExec, R_RISCV_TLSDESC_CALL) => (R_RISCV_TPREL_LO12_I, Some(*upper)),
                _ => (R_RISCV_NONE, None),
            }
        }
        _ => return reloc,
    };
    reloc.set_r_type(r_type);
    reloc.set_r_sym(of.map_or(0, |of| of.r_sym()));
    reloc.set_r_addend(of.map_or(0, |of| of.r_addend()));
    reloc
}

/// The offset in the section of the label that a relocation refers to.
fn label_in(image: &Image<'_>, patch: &Patch<'_>, reloc: &Rela) -> Option<u64> {
    let label = values::plain(image.value(patch.section.object, reloc.symbol()))?;
    Some(label.wrapping_sub(patch.address.wrapping_sub(patch.section_offset)))
}

/// The upper part at an offset of the section, for the relocation with an index of the patch.
fn upper_at<'a>(
    image: &'a Image<'a>,
    patch: &'a Patch<'a>,
    index: usize,
    at: u64,
) -> Option<&'a Rela> {
    // Sections that lose bytes are applied as a whole, and their relocations have moved.
    let is_part = !patch.section.flags.has(SectionFlags::SHRINKS);
    let object = &image.objects[patch.section.object];
    let all = if is_part { object.relocs(patch.section) } else { &[] };
    upper_part::find(patch, all, index, at, shrink::is_upper)
}

/// RISC-V's part of the apply loop.
pub struct Types;

impl ApplyTypes for Types {
    #[inline(always)]
    fn is_mark(r_type: u32) -> bool {
        matches!(r_type, R_RISCV_NONE | R_RISCV_RELAX)
    }

    #[inline(always)]
    fn plain(site: &mut Site<'_>, reloc: &Rela, r_type: u32, sum: u64) -> bool {
        let distance = sum.wrapping_sub(site.operands.place(reloc));
        let (kind, bits) = match r_type {
            R_RISCV_CALL | R_RISCV_CALL_PLT => (Field::Call, 32),
            R_RISCV_PCREL_HI20 => (Field::Upper, 32),
            R_RISCV_BRANCH => (Field::Branch, 13),
            R_RISCV_JAL => (Field::Jump, 21),
            R_RISCV_RVC_BRANCH => (Field::ShortBranch, 9),
            R_RISCV_RVC_JUMP => (Field::ShortJump, 12),
            R_RISCV_64 if !site.is_32() => {
                let at = site.operands.out_offset(reloc);
                return site.put_data(at, 8, sum);
            }
            _ => return false,
        };
        // Upper parts are rounded, so they reach 2 KiB less in one direction.
        let round = if bits == 32 { 0x800 } else { 0 };
        let half = 1u64 << (bits - 1);
        let reaches = distance.wrapping_add(round).wrapping_add(half) < half << 1;
        let fits = reaches || site.is_32() && bits == 32;
        let is_aligned = distance & 1 == 0 || kind == Field::Upper;
        fits && is_aligned && {
            let at = site.operands.out_offset(reloc);
            instruction::put(site.out, at, kind, distance)
        }
    }

    fn any(site: &mut Site<'_>, reloc: &Rela, index: usize, target: Target) -> Result<(), Fault> {
        let operands = site.operands;
        let a = reloc.r_addend() as u64;
        let p = operands.place(reloc);
        let r_type = reloc.r_type();
        let value = match r_type {
            // The loader writes the field.
            R_RISCV_32 | R_RISCV_64 if target.is_indirect && is_word(site, r_type) => 0,
            R_RISCV_32 | R_RISCV_64 => target.sum,
            R_RISCV_HI20 | R_RISCV_RVC_LUI => site.address(reloc, target),
            R_RISCV_LO12_I | R_RISCV_LO12_S => {
                return low_of_absolute(site, reloc, index, site.address(reloc, target));
            }
            R_RISCV_CALL | R_RISCV_CALL_PLT => return call(site, reloc, target),
            R_RISCV_BRANCH | R_RISCV_JAL | R_RISCV_RVC_BRANCH | R_RISCV_RVC_JUMP
            | R_RISCV_PLT32 => called(site, reloc, target).wrapping_sub(p),
            R_RISCV_32_PCREL => site.address(reloc, target).wrapping_sub(p),
            R_RISCV_GOT32_PCREL => operands.got_address(reloc).wrapping_add(a).wrapping_sub(p),
            R_RISCV_PCREL_HI20 => return upper_of_distance(site, reloc, target),
            // A word of the GOT has no parts.
            R_RISCV_GOT_HI20 | R_RISCV_TLS_GOT_HI20 | R_RISCV_TLS_GD_HI20
            | R_RISCV_TLSDESC_HI20
                if a != 0 =>
            {
                return Err(Fault::Addend(a as i64));
            }
            R_RISCV_GOT_HI20 | R_RISCV_TLS_GOT_HI20 | R_RISCV_TLS_GD_HI20 => {
                upper_value(site, reloc, target)
            }
            GP_UPPER => return Ok(()),
            R_RISCV_ALIGN => return has_padding(site, reloc),
            R_RISCV_PCREL_LO12_I | R_RISCV_PCREL_LO12_S => {
                return low_of_distance(site, reloc, index, target);
            }
            R_RISCV_ADD8..=R_RISCV_SUB64
            | R_RISCV_SUB6..=R_RISCV_SET32
            | R_RISCV_SET_ULEB128
            | R_RISCV_SUB_ULEB128 => return sum(site, reloc, target.sum),
            R_RISCV_GPREL_I | R_RISCV_GPREL_S => {
                target.sum.wrapping_sub(shrink::gp(operands.image))
            }
            _ => return thread_local(site, reloc, index, target),
        };
        put(site, reloc, value)
    }

    fn gone(site: &mut Site<'_>, reloc: &Rela) {
        match field(reloc.r_type()) {
            Field::Data => {
                let size = howto(reloc.r_type()).map_or(0, |howto| howto.size);
                site.put_gone(reloc, size.into());
            }
            // A difference of two such places is that of their addends.
            _ => {
                let _ = sum(site, reloc, reloc.r_addend() as u64);
            }
        }
    }
}

/// Checks that there was enough padding before the place that is aligned. Code without
/// instructions of two bytes has too little behind code with them.
fn has_padding(site: &Site<'_>, reloc: &Rela) -> Result<(), Fault> {
    let padding = shrink::padding(reloc);
    let needed = shrink::needed_padding(site.place(reloc), padding);
    if needed <= padding { Ok(()) } else { Err(Fault::ShortPadding { needed, has: padding }) }
}

/// Whether a type is that of an address.
fn is_word(site: &Site<'_>, r_type: u32) -> bool {
    r_type == site.operands.image.machine.loader.word
}

/// Writes a value of `reloc`'s own type after checking its range and alignment.
fn put(site: &mut Site<'_>, reloc: &Rela, value: u64) -> Result<(), Fault> {
    let r_type = reloc.r_type();
    let howto = howto(r_type).ok_or(Fault::Unsupported)?;
    let kind = field(r_type);
    // Upper parts are rounded. All addresses of 32 bits are in reach.
    let is_upper = matches!(kind, Field::Upper | Field::Call);
    let rounded = if is_upper { value.wrapping_add(0x800) } else { value } as i64;
    let is_cut = site.is_32()
        && howto.size >= 4
        && matches!(howto.range, Range::Signed(32) | Range::Either(32));
    if !is_cut && !howto.range.contains(rounded) {
        return Err(Fault::OutOfRange(value as i64));
    }
    if value & ((site.operands.image.machine.field_align)(r_type) - 1) != 0 {
        return Err(Fault::Misaligned(value));
    }
    let at = site.operands.out_offset(reloc);
    let is_done = match kind {
        Field::None => true,
        Field::Data => site.put_data(at, howto.size.into(), value),
        _ => instruction::put(site.out, at, kind, value),
    };
    if is_done { Ok(()) } else { Err(Fault::BadPlace) }
}

/// Changes a number that data holds, if the type is one for that.
fn sum(site: &mut Site<'_>, reloc: &Rela, value: u64) -> Result<(), Fault> {
    let Some(part) = sum_part(reloc.r_type()) else { return Ok(()) };
    let order = site.operands.image.machine.byte_order;
    let at = site.operands.out_offset(reloc);
    part.apply(order, site.out, at, value).ok_or(Fault::BadPlace)
}

/// Where a branch leads. One to a weak symbol without a definition goes nowhere.
fn called(site: &Site<'_>, reloc: &Rela, target: Target) -> u64 {
    let s = if target.is_indirect { site.operands.function_address(reloc) } else { target.s };
    if s == 0 && site.operands.view(reloc).attributes & attr::UNDEF_WEAK != 0 {
        return match reloc.r_type() {
            // AUIPC reaches zero from low addresses only.
            R_RISCV_CALL | R_RISCV_CALL_PLT if !site.operands.image.shape.is_pic => 0,
            _ => site.operands.place(reloc),
        };
    }
    if target.is_indirect { s.wrapping_add_signed(reloc.r_addend()) } else { target.sum }
}

/// Writes a call. One to a weak symbol without a definition that is out of reach leads to 0 by
/// another register, as in GNU ld.
fn call(site: &mut Site<'_>, reloc: &Rela, target: Target) -> Result<(), Fault> {
    let distance = called(site, reloc, target).wrapping_sub(site.place(reloc));
    if absolute_in_place_of(site, reloc, target, distance) != Some(0) {
        return put(site, reloc, distance);
    }
    put(site, reloc, 0)?;
    let at = site.operands.out_offset(reloc) + 4;
    let is_done = instruction::change(site.out, at, |word| with_base(word, ZERO));
    if is_done { Ok(()) } else { Err(Fault::BadPlace) }
}

/// Writes the upper part of a distance, or of the absolute address that is out of reach.
fn upper_of_distance(site: &mut Site<'_>, reloc: &Rela, target: Target) -> Result<(), Fault> {
    let distance = upper_value(site, reloc, target);
    let Some(address) = absolute_in_place_of(site, reloc, target, distance) else {
        return put(site, reloc, distance);
    };
    put(site, reloc, address)?;
    let at = site.operands.out_offset(reloc);
    // AUIPC becomes LUI.
    let is_done = instruction::change(site.out, at, |word| word | 0x20);
    if is_done { Ok(()) } else { Err(Fault::BadPlace) }
}

/// The absolute address that code has in place of a distance that is out of reach, where the symbol
/// has such an address or none. Programs that may be loaded anywhere have no such code.
fn absolute_in_place_of(
    site: &Site<'_>,
    reloc: &Rela,
    target: Target,
    distance: u64,
) -> Option<u64> {
    let reaches = |value: u64| i32::try_from((value as i64).wrapping_add(0x800)).is_ok();
    let image = site.operands.image;
    if reaches(distance) || site.is_32() || image.shape.is_pic || target.is_indirect {
        return None;
    }
    let view = site.operands.view(reloc);
    let has_place = view.value_base.section().is_some();
    (!has_place && reaches(target.sum)).then_some(target.sum)
}

/// The distance of which an upper part has the upper bits.
fn upper_value(site: &Site<'_>, reloc: &Rela, target: Target) -> u64 {
    let operands = site.operands;
    let a = reloc.r_addend() as u64;
    let word = match reloc.r_type() {
        R_RISCV_PCREL_HI20 | GP_UPPER => site.address(reloc, target),
        R_RISCV_GOT_HI20 => operands.got_address(reloc).wrapping_add(a),
        R_RISCV_TLS_GOT_HI20 => operands.gottp(reloc).wrapping_add(a),
        R_RISCV_TLS_GD_HI20 => operands.tlsgd(reloc).wrapping_add(a),
        _ => operands.tlsdesc(reloc).wrapping_add(a),
    };
    word.wrapping_sub(operands.place(reloc))
}

/// The lower part of an absolute address. If all of the address fits, or it is near the global
/// pointer, the instruction with the upper part may be gone, and another register is the base.
fn low_of_absolute(site: &mut Site<'_>, reloc: &Rela, index: usize, sum: u64) -> Result<(), Fault> {
    let image = site.operands.image;
    if image.relax && shrink::is_relaxable(site.operands.patch.relocs, index) {
        if shrink::fits_low(sum, site.is_32()) {
            return put_low(site, reloc, sum, Some(ZERO));
        }
        if let Some(distance) = shrink::from_gp(image, sum) {
            return put_low(site, reloc, distance, Some(GP));
        }
    }
    put_low(site, reloc, sum, None)
}

/// Writes a lower part, with another base register if one is given.
fn put_low(site: &mut Site<'_>, reloc: &Rela, value: u64, base: Option<u32>) -> Result<(), Fault> {
    let at = site.operands.out_offset(reloc);
    let is_put = instruction::put(site.out, at, field(reloc.r_type()), value)
        && base.is_none_or(|base| instruction::change(site.out, at, |word| with_base(word, base)));
    if is_put { Ok(()) } else { Err(Fault::BadPlace) }
}

/// The lower part of a distance, whose upper part is at the label that the relocation names.
fn low_of_distance(
    site: &mut Site<'_>,
    reloc: &Rela,
    index: usize,
    label: Target,
) -> Result<(), Fault> {
    let (upper, target) = upper_of(site, index, label)?;
    if upper.r_type() == R_RISCV_TLSDESC_HI20 {
        return Err(Fault::Unsupported);
    }
    let image = site.operands.image;
    if upper.r_type() == GP_UPPER {
        let sum = site.address(upper, target);
        let sum = sum.wrapping_add_signed(reloc.r_addend());
        let distance = shrink::from_gp(image, sum).ok_or(Fault::Addend(reloc.r_addend()))?;
        return put_low(site, reloc, distance, Some(GP));
    }
    let mut value = upper_value(site, upper, target);
    if upper.r_type() == R_RISCV_PCREL_HI20 {
        value = absolute_in_place_of(site, upper, target, value).unwrap_or(value);
    }
    // An addend of the lower part must leave the upper part as it is.
    let sum = value.wrapping_add_signed(reloc.r_addend());
    let page = |value: u64| value.wrapping_add(0x800) >> 12;
    if page(sum) != page(value) {
        return Err(Fault::Addend(reloc.r_addend()));
    }
    put_low(site, reloc, sum, None)
}

/// The relocation with the upper part at a label, and its target.
fn upper_of<'a>(site: &Site<'a>, index: usize, label: Target) -> Result<(&'a Rela, Target), Fault> {
    let Operands { image, patch } = site.operands;
    let start = patch.address.wrapping_sub(patch.section_offset);
    let upper = upper_at(image, patch, index, label.s.wrapping_sub(start));
    let upper = upper.ok_or(Fault::Unpaired)?;
    let target = site.target_of(upper)?.ok_or(Fault::Unpaired)?;
    Ok((upper, target))
}

fn thread_local(
    site: &mut Site<'_>,
    reloc: &Rela,
    index: usize,
    target: Target,
) -> Result<(), Fault> {
    let Operands { image, .. } = site.operands;
    let r_type = reloc.r_type();
    let view = site.operands.view(reloc);
    let a = reloc.r_addend() as u64;
    let value = match r_type {
        R_RISCV_TLS_TPREL32 | R_RISCV_TLS_TPREL64 if image.shape.is_shared => 0,
        R_RISCV_TLS_TPREL32 | R_RISCV_TLS_TPREL64 | R_RISCV_TPREL_HI20 => {
            site.operands.tpoff(view, target.s).wrapping_add(a)
        }
        R_RISCV_TPREL_LO12_I | R_RISCV_TPREL_LO12_S => {
            let offset = site.operands.tpoff(view, target.s).wrapping_add(a);
            let is_short = image.relax
                && shrink::is_relaxable(site.operands.patch.relocs, index)
                && shrink::fits_low(offset, site.is_32());
            return put_low(site, reloc, offset, is_short.then_some(TP));
        }
        R_RISCV_TPREL_I | R_RISCV_TPREL_S => site.operands.tpoff(view, target.s).wrapping_add(a),
        R_RISCV_TPREL_ADD => return Ok(()),
        R_RISCV_TLS_DTPREL32 | R_RISCV_TLS_DTPREL64 => {
            let offset = site.operands.dtpoff(view, target.s).wrapping_add(a);
            offset.wrapping_sub(image.machine.dtv_offset)
        }
        R_RISCV_TLSDESC_HI20..=R_RISCV_TLSDESC_CALL => {
            return descriptor(site, reloc, index, target);
        }
        _ => return Err(Fault::Unsupported),
    };
    put(site, reloc, value)
}

/// An instruction of the sequence that calls a descriptor's function, or what it becomes. The
/// first has the symbol, and the others refer to the first.
fn descriptor(
    site: &mut Site<'_>,
    reloc: &Rela,
    index: usize,
    target: Target,
) -> Result<(), Fault> {
    let is_first = reloc.r_type() == R_RISCV_TLSDESC_HI20;
    let (upper, target) = if is_first {
        (&site.operands.patch.relocs[index], target)
    } else {
        upper_of(site, index, target)?
    };
    let image = site.operands.image;
    let view = site.operands.view(upper);
    let model = tls_model(image.shape, site.operands.relaxes_tls(), view);
    let at = site.operands.out_offset(reloc);
    let p = site.operands.place(reloc);
    let a = upper.r_addend() as u64;
    let addition = addition_of(site, reloc, index).unwrap_or(p);
    if model == TlsModel::Dynamic {
        let distance = upper_value(site, upper, target);
        return match reloc.r_type() {
            R_RISCV_TLSDESC_HI20 => put(site, reloc, distance),
            R_RISCV_TLSDESC_CALL => Ok(()),
            _ => put_low(site, reloc, distance, None),
        };
    }
    let word = site.operands.gottp(upper).wrapping_add(a);
    let offset = site.operands.tpoff(view, target.s).wrapping_add(a);
    let load = if site.is_32() { 0x2000 } else { 0x3000 };
    let is_short = shrink::fits_low(offset, site.is_32());
    // All of these use a0; see `shrink` for which of them are deleted.
    let new = match (reloc.r_type(), model) {
        (R_RISCV_TLSDESC_ADD_LO12, TlsModel::InitialExec) => {
            // auipc a0, %tls_ie_pcrel_hi
            instruction::with_upper(0x0000_0517, word.wrapping_sub(p))
        }
        (R_RISCV_TLSDESC_CALL, TlsModel::InitialExec) => {
            // ld a0, %pcrel_lo(a0)
            let distance = word.wrapping_sub(addition);
            instruction::with_low_load(0x0005_0503 | load, distance)
        }
        (R_RISCV_TLSDESC_ADD_LO12, TlsModel::LocalExec) if !is_short => {
            // lui a0, %tprel_hi
            instruction::with_upper(0x0000_0537, offset)
        }
        (R_RISCV_TLSDESC_CALL, TlsModel::LocalExec) => {
            // addi a0, a0, %tprel_lo, or from zero.
            let base = if is_short { ZERO } else { 10 };
            instruction::with_low_load(with_base(0x0000_0513, base), offset)
        }
        _ => instruction::NOP,
    };
    if instruction::change(site.out, at, |_| new) { Ok(()) } else { Err(Fault::BadPlace) }
}

/// The place of the third instruction of a descriptor's sequence, which may become AUIPC.
fn addition_of(site: &Site<'_>, reloc: &Rela, index: usize) -> Option<u64> {
    let before = site.operands.patch.relocs[..index].iter().rev();
    let mut of_sequence = before.filter(|other| other.symbol() == reloc.symbol());
    let found = of_sequence.find(|other| other.r_type() == R_RISCV_TLSDESC_ADD_LO12)?;
    Some(site.operands.place(found))
}
