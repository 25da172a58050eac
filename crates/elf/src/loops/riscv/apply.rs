//! The apply loop: it writes relocated values into the output's copy of a section ("RISC-V ABIs
//! Specification", "Relocations"). The letters are those of the psABI: S symbol, A addend, P place,
//! G word of the GOT.
//!
//! Frequent types with a plain value are handled first ([`Apply::plain`]), and all others by
//! [`Apply::any`].

use super::instruction::{self, GP, TP, ZERO, with_base};
use super::parts;
use super::shrink::{self, GP_UPPER};
use crate::format::elf::{Rela, SymbolId};
use crate::loops::operands::{self, Operands, hides_folded, tombstone};
use crate::loops::tls_model::{TlsModel, tls_model};
use crate::machine::Class;
use crate::machine::howto::Range;
use crate::machine::riscv::howto::{Field, field, howto, sum_part};
use crate::read::object_file::SectionFlags;
use crate::resolve::definitions::attr;
use crate::synth::image::Image;
use crate::synth::patch::{Failure, Fault, Patch};
use crate::synth::values::{self, Value};
use object::elf::*;
use skald_core::ids::IdSlice;

/// Applies all relocations of `patch` to `out`, the output's copy of the part.
pub fn apply(image: &Image<'_>, patch: &Patch<'_>, out: &mut [u8], failures: &mut Vec<Failure>) {
    let is_loaded = patch.section.flags.has(SectionFlags::ALLOC);
    if !is_loaded && image.liveness.has_folded && hides_folded(image, patch.section) {
        return operands::without_folded(image, patch, |range, is_folded| {
            let first = patch.first + range.start as u32;
            let patch = &Patch { relocs: &patch.relocs[range], first, ..*patch };
            let mut apply = Apply::new(image, patch, out, failures);
            if is_folded {
                patch.relocs.iter().for_each(|reloc| apply.gone(reloc));
            } else {
                apply.all();
            }
        });
    }
    Apply::new(image, patch, out, failures).all();
}

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
    parts::upper(patch, all, index, at)
}

/// A symbol's value.
#[derive(Clone, Copy)]
struct Target {
    /// S.
    s: u64,
    /// S + A.
    sum: u64,
    /// Only the loader knows S.
    is_indirect: bool,
}

struct Apply<'a> {
    operands: Operands<'a>,
    values: &'a IdSlice<SymbolId, u64>,
    is_32: bool,
    out: &'a mut [u8],
    failures: &'a mut Vec<Failure>,
}

impl<'a> Apply<'a> {
    fn new(
        image: &'a Image<'a>,
        patch: &'a Patch<'a>,
        out: &'a mut [u8],
        failures: &'a mut Vec<Failure>,
    ) -> Apply<'a> {
        let values = image.values_of(patch.section.object);
        let is_32 = image.machine.class == Class::Elf32;
        Apply { operands: Operands { image, patch }, values, is_32, out, failures }
    }

    /// Applies all relocations of the patch.
    fn all(&mut self) {
        let relocs = self.operands.patch.relocs;
        for (index, reloc) in relocs.iter().enumerate() {
            let r_type = reloc.r_type();
            if matches!(r_type, R_RISCV_NONE | R_RISCV_RELAX | R_RISCV_ALIGN) {
                continue;
            }
            let Some(&value) = self.values.get(reloc.symbol()) else {
                self.fail(index, Fault::BadSymbol);
                continue;
            };
            let is_done = values::is_plain(value) && value != 0 && {
                let sum = value.wrapping_add_signed(reloc.r_addend());
                self.plain(reloc, r_type, sum)
            };
            if !is_done && let Err(what) = self.any(reloc, index, value) {
                self.fail(index, what);
            }
        }
    }

    #[cold]
    fn fail(&mut self, index: usize, what: Fault) {
        let reloc = self.operands.patch.first + index as u32;
        self.failures.push(Failure { section: self.operands.patch.id, reloc, what });
    }

    /// Writes the field of a frequent type; `sum` is S + A. `false`, with nothing written, for any
    /// other type, and for what may be wrong.
    #[inline(always)]
    fn plain(&mut self, reloc: &Rela, r_type: u32, sum: u64) -> bool {
        let distance = sum.wrapping_sub(self.operands.place(reloc));
        let (kind, bits) = match r_type {
            R_RISCV_CALL | R_RISCV_CALL_PLT => (Field::Call, 32),
            R_RISCV_PCREL_HI20 => (Field::Upper, 32),
            R_RISCV_BRANCH => (Field::Branch, 13),
            R_RISCV_JAL => (Field::Jump, 21),
            R_RISCV_RVC_BRANCH => (Field::ShortBranch, 9),
            R_RISCV_RVC_JUMP => (Field::ShortJump, 12),
            R_RISCV_64 if !self.is_32 => {
                let at = self.operands.out_offset(reloc);
                return self.put_data(at, 8, sum);
            }
            _ => return false,
        };
        // Upper parts are rounded, so they reach 2 KiB less in one direction.
        let round = if bits == 32 { 0x800 } else { 0 };
        let half = 1u64 << (bits - 1);
        let reaches = distance.wrapping_add(round).wrapping_add(half) < half << 1;
        let fits = reaches || self.is_32 && bits == 32;
        let is_aligned = distance & 1 == 0 || kind == Field::Upper;
        fits && is_aligned && {
            let at = self.operands.out_offset(reloc);
            instruction::put(self.out, at, kind, distance)
        }
    }

    /// Writes the lowest `size` bytes of a value in the order of data.
    #[inline(always)]
    fn put_data(&mut self, at: usize, size: usize, value: u64) -> bool {
        let place = at.checked_add(size).and_then(|end| self.out.get_mut(at..end));
        place.map(|place| self.operands.image.machine.byte_order.put_low(place, value)).is_some()
    }

    /// Applies a relocation of any type to a value of any kind.
    #[inline(never)]
    fn any(&mut self, reloc: &Rela, index: usize, value: u64) -> Result<(), Fault> {
        let Some(target) = self.target(reloc, value) else { return Ok(()) };
        let operands = self.operands;
        let a = reloc.r_addend() as u64;
        let p = operands.place(reloc);
        let r_type = reloc.r_type();
        let value = match r_type {
            // The loader writes the field.
            R_RISCV_32 | R_RISCV_64 if target.is_indirect && self.is_word(r_type) => 0,
            R_RISCV_32 | R_RISCV_64 => target.sum,
            R_RISCV_HI20 | R_RISCV_RVC_LUI => self.address(reloc, target),
            R_RISCV_LO12_I | R_RISCV_LO12_S => {
                return self.low_of_absolute(reloc, index, self.address(reloc, target));
            }
            R_RISCV_BRANCH | R_RISCV_JAL | R_RISCV_CALL | R_RISCV_CALL_PLT | R_RISCV_RVC_BRANCH
            | R_RISCV_RVC_JUMP | R_RISCV_PLT32 => self.called(reloc, target).wrapping_sub(p),
            R_RISCV_32_PCREL => self.address(reloc, target).wrapping_sub(p),
            R_RISCV_GOT32_PCREL => operands.got_address(reloc).wrapping_add(a).wrapping_sub(p),
            R_RISCV_PCREL_HI20 | R_RISCV_GOT_HI20 | R_RISCV_TLS_GOT_HI20 | R_RISCV_TLS_GD_HI20 => {
                self.upper_value(reloc, target)
            }
            GP_UPPER => return Ok(()),
            R_RISCV_PCREL_LO12_I | R_RISCV_PCREL_LO12_S => {
                return self.low_of_distance(reloc, index, target);
            }
            R_RISCV_ADD8..=R_RISCV_SUB64
            | R_RISCV_SUB6..=R_RISCV_SET32
            | R_RISCV_SET_ULEB128
            | R_RISCV_SUB_ULEB128 => return self.sum(reloc, target.sum),
            R_RISCV_GPREL_I | R_RISCV_GPREL_S => {
                target.sum.wrapping_sub(shrink::gp(operands.image))
            }
            _ => return self.thread_local(reloc, index, target),
        };
        self.put(reloc, value)
    }

    /// Whether a type is that of an address.
    fn is_word(&self, r_type: u32) -> bool {
        r_type == self.operands.image.machine.loader.word
    }

    /// The symbol's value; `None` if the relocation is done.
    fn target(&mut self, reloc: &Rela, value: u64) -> Option<Target> {
        let plain =
            |s: u64| Target { s, sum: s.wrapping_add_signed(reloc.r_addend()), is_indirect: false };
        Some(match values::decode(value) {
            Value::Plain(s) => plain(s),
            // The addend selects the place.
            Value::Merged(section) => {
                let sum = self.operands.image.place_in(section, reloc.r_addend() as u64)?;
                Target { s: sum, sum, is_indirect: false }
            }
            Value::Dead => {
                self.gone(reloc);
                return None;
            }
            Value::Indirect | Value::Called(_) => match self.operands.own_address(reloc) {
                Some(s) => plain(s),
                None => Target { is_indirect: true, ..plain(0) },
            },
        })
    }

    /// Writes a value of `reloc`'s own type after checking its range and alignment.
    fn put(&mut self, reloc: &Rela, value: u64) -> Result<(), Fault> {
        let r_type = reloc.r_type();
        let howto = howto(r_type).ok_or(Fault::Unsupported)?;
        let kind = field(r_type);
        // Upper parts are rounded. All addresses of 32 bits are in reach.
        let is_upper = matches!(kind, Field::Upper | Field::Call);
        let rounded = if is_upper { value.wrapping_add(0x800) } else { value } as i64;
        let is_cut = self.is_32
            && howto.size >= 4
            && matches!(howto.range, Range::Signed(32) | Range::Either(32));
        if !is_cut && !howto.range.contains(rounded) {
            return Err(Fault::OutOfRange(value as i64));
        }
        if value & ((self.operands.image.machine.field_align)(r_type) - 1) != 0 {
            return Err(Fault::Misaligned(value));
        }
        let at = self.operands.out_offset(reloc);
        let is_done = match kind {
            Field::None => true,
            Field::Data => self.put_data(at, howto.size.into(), value),
            _ => instruction::put(self.out, at, kind, value),
        };
        if is_done { Ok(()) } else { Err(Fault::BadPlace) }
    }

    /// Handles a reference to a section that is not in the output: the field is just the addend in
    /// loaded sections (only exception tables get here), and a tombstone in debug information.
    fn gone(&mut self, reloc: &Rela) {
        let section = self.operands.patch.section;
        let addend = reloc.r_addend() as u64;
        match field(reloc.r_type()) {
            Field::Data => {
                let is_alloc = section.flags.has(SectionFlags::ALLOC);
                let value = if is_alloc { addend } else { tombstone(self.operands.image, section) };
                let size = howto(reloc.r_type()).map_or(0, |howto| howto.size);
                self.put_data(self.operands.out_offset(reloc), size.into(), value);
            }
            // A difference of two such places is that of their addends.
            _ => {
                let _ = self.sum(reloc, addend);
            }
        }
    }

    /// Changes a number that data holds, if the type is one for that.
    fn sum(&mut self, reloc: &Rela, value: u64) -> Result<(), Fault> {
        let Some(part) = sum_part(reloc.r_type()) else { return Ok(()) };
        let order = self.operands.image.machine.byte_order;
        let at = self.operands.out_offset(reloc);
        part.apply(order, self.out, at, value).ok_or(Fault::BadPlace)
    }

    /// S + A for code at this place. For a symbol bound at run time, S is its PLT entry.
    fn address(&self, reloc: &Rela, target: Target) -> u64 {
        if !target.is_indirect {
            return target.sum;
        }
        self.operands.fixed_address(reloc).wrapping_add_signed(reloc.r_addend())
    }

    /// Where a branch leads. One to a weak symbol without a definition goes nowhere.
    fn called(&self, reloc: &Rela, target: Target) -> u64 {
        let s = if target.is_indirect { self.operands.function_address(reloc) } else { target.s };
        if s == 0 && self.operands.view(reloc).attributes & attr::UNDEF_WEAK != 0 {
            return match reloc.r_type() {
                // AUIPC reaches zero from low addresses only.
                R_RISCV_CALL | R_RISCV_CALL_PLT if !self.operands.image.shape.is_pic => 0,
                _ => self.operands.place(reloc),
            };
        }
        if target.is_indirect { s.wrapping_add_signed(reloc.r_addend()) } else { target.sum }
    }

    /// The distance of which an upper part has the upper bits.
    fn upper_value(&self, reloc: &Rela, target: Target) -> u64 {
        let operands = self.operands;
        let a = reloc.r_addend() as u64;
        let word = match reloc.r_type() {
            R_RISCV_PCREL_HI20 | GP_UPPER => self.address(reloc, target),
            R_RISCV_GOT_HI20 => operands.got_address(reloc).wrapping_add(a),
            R_RISCV_TLS_GOT_HI20 => operands.gottp(reloc).wrapping_add(a),
            R_RISCV_TLS_GD_HI20 => operands.tlsgd(reloc).wrapping_add(a),
            _ => operands.tlsdesc(reloc).wrapping_add(a),
        };
        word.wrapping_sub(operands.place(reloc))
    }

    /// The lower part of an absolute address. If all of the address fits, or it is near the global
    /// pointer, the instruction with the upper part may be gone, and another register is the base.
    fn low_of_absolute(&mut self, reloc: &Rela, index: usize, sum: u64) -> Result<(), Fault> {
        let image = self.operands.image;
        if image.relax && shrink::is_relaxable(self.operands.patch.relocs, index) {
            if shrink::fits_low(sum, self.is_32) {
                return self.put_low(reloc, sum, Some(ZERO));
            }
            if let Some(distance) = shrink::from_gp(image, sum) {
                return self.put_low(reloc, distance, Some(GP));
            }
        }
        self.put_low(reloc, sum, None)
    }

    /// Writes a lower part, with another base register if one is given.
    fn put_low(&mut self, reloc: &Rela, value: u64, base: Option<u32>) -> Result<(), Fault> {
        let at = self.operands.out_offset(reloc);
        let is_put = instruction::put(self.out, at, field(reloc.r_type()), value)
            && base
                .is_none_or(|base| instruction::change(self.out, at, |word| with_base(word, base)));
        if is_put { Ok(()) } else { Err(Fault::BadPlace) }
    }

    /// The lower part of a distance, whose upper part is at the label that the relocation names.
    fn low_of_distance(&mut self, reloc: &Rela, index: usize, label: Target) -> Result<(), Fault> {
        let (upper, target) = self.upper_of(index, label)?;
        if upper.r_type() == R_RISCV_TLSDESC_HI20 {
            return Err(Fault::Unsupported);
        }
        let image = self.operands.image;
        if upper.r_type() == GP_UPPER {
            let sum = self.address(upper, target);
            let distance = shrink::from_gp(image, sum).ok_or(Fault::OutOfRange(sum as i64))?;
            return self.put_low(reloc, distance, Some(GP));
        }
        self.put_low(reloc, self.upper_value(upper, target), None)
    }

    /// The relocation with the upper part at a label, and its target.
    fn upper_of(&mut self, index: usize, label: Target) -> Result<(&'a Rela, Target), Fault> {
        let Operands { image, patch } = self.operands;
        let start = patch.address.wrapping_sub(patch.section_offset);
        let upper = upper_at(image, patch, index, label.s.wrapping_sub(start));
        let upper = upper.ok_or(Fault::Unpaired)?;
        let value = *self.values.get(upper.symbol()).ok_or(Fault::BadSymbol)?;
        let target = self.target(upper, value).ok_or(Fault::Unpaired)?;
        Ok((upper, target))
    }

    fn thread_local(&mut self, reloc: &Rela, index: usize, target: Target) -> Result<(), Fault> {
        let Operands { image, .. } = self.operands;
        let r_type = reloc.r_type();
        let view = self.operands.view(reloc);
        let a = reloc.r_addend() as u64;
        let value = match r_type {
            R_RISCV_TLS_TPREL32 | R_RISCV_TLS_TPREL64 if image.shape.is_shared => 0,
            R_RISCV_TLS_TPREL32 | R_RISCV_TLS_TPREL64 | R_RISCV_TPREL_HI20 => {
                self.operands.tpoff(view, target.s).wrapping_add(a)
            }
            R_RISCV_TPREL_LO12_I | R_RISCV_TPREL_LO12_S => {
                let offset = self.operands.tpoff(view, target.s).wrapping_add(a);
                let is_short = image.relax
                    && shrink::is_relaxable(self.operands.patch.relocs, index)
                    && shrink::fits_low(offset, self.is_32);
                return self.put_low(reloc, offset, is_short.then_some(TP));
            }
            R_RISCV_TPREL_I | R_RISCV_TPREL_S => {
                self.operands.tpoff(view, target.s).wrapping_add(a)
            }
            R_RISCV_TPREL_ADD => return Ok(()),
            R_RISCV_TLS_DTPREL32 | R_RISCV_TLS_DTPREL64 => {
                let offset = self.operands.dtpoff(view, target.s).wrapping_add(a);
                offset.wrapping_sub(image.machine.dtv_offset)
            }
            R_RISCV_TLSDESC_HI20..=R_RISCV_TLSDESC_CALL => {
                return self.descriptor(reloc, index, target);
            }
            _ => return Err(Fault::Unsupported),
        };
        self.put(reloc, value)
    }

    /// An instruction of the sequence that calls a descriptor's function, or what it becomes. The
    /// first has the symbol, and the others refer to the first.
    fn descriptor(&mut self, reloc: &Rela, index: usize, target: Target) -> Result<(), Fault> {
        let is_first = reloc.r_type() == R_RISCV_TLSDESC_HI20;
        let (upper, target) = if is_first {
            (&self.operands.patch.relocs[index], target)
        } else {
            self.upper_of(index, target)?
        };
        let image = self.operands.image;
        let view = self.operands.view(upper);
        let model = tls_model(image.shape, self.operands.relaxes_tls(), view);
        let at = self.operands.out_offset(reloc);
        let p = self.operands.place(reloc);
        let a = upper.r_addend() as u64;
        let addition = self.addition_of(reloc, index).unwrap_or(p);
        if model == TlsModel::Dynamic {
            let distance = self.upper_value(upper, target);
            return match reloc.r_type() {
                R_RISCV_TLSDESC_HI20 => self.put(reloc, distance),
                R_RISCV_TLSDESC_CALL => Ok(()),
                _ => self.put_low(reloc, distance, None),
            };
        }
        let word = self.operands.gottp(upper).wrapping_add(a);
        let offset = self.operands.tpoff(view, target.s).wrapping_add(a);
        let load = if self.is_32 { 0x2000 } else { 0x3000 };
        let is_short = shrink::fits_low(offset, self.is_32);
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
        if instruction::change(self.out, at, |_| new) { Ok(()) } else { Err(Fault::BadPlace) }
    }

    /// The place of the third instruction of a descriptor's sequence, which may become AUIPC.
    fn addition_of(&self, reloc: &Rela, index: usize) -> Option<u64> {
        let before = self.operands.patch.relocs[..index].iter().rev();
        let mut of_sequence = before.filter(|other| other.symbol() == reloc.symbol());
        let found = of_sequence.find(|other| other.r_type() == R_RISCV_TLSDESC_ADD_LO12)?;
        Some(self.operands.place(found))
    }
}
