//! What relocations write (s390x psABI, "Relocation"), for the loop of
//! [`crate::loops::apply_loop`].

use super::decide::{self, Symbols};
use super::instruction;
use crate::format::elf::Rela;
use crate::loops::apply_loop::{ApplyTypes, Site, Target};
use crate::loops::operands::Operands;
use crate::loops::tls_model::{TlsModel, TlsRules};
use crate::machine::s390x::howto::*;
use crate::synth::patch::Fault;
use object::elf::*;
use skald_core::field as bytes;

/// s390x's part of the apply loop.
pub struct Types;

impl ApplyTypes for Types {
    #[inline(always)]
    fn is_mark(r_type: u32) -> bool {
        matches!(r_type, R_390_NONE | R_390_GNU_VTINHERIT | R_390_GNU_VTENTRY)
    }

    #[inline(always)]
    fn plain(site: &mut Site<'_>, reloc: &Rela, r_type: u32, sum: u64) -> bool {
        let at = site.at(reloc);
        match r_type {
            R_390_PC32DBL | R_390_PLT32DBL => {
                let distance = sum.wrapping_sub(site.place(reloc));
                let fits = distance.wrapping_add(1 << 32) < 1 << 33 && distance & 1 == 0;
                fits && instruction::put(site.out, at, R_390_PC32DBL, 4, distance)
            }
            R_390_64 => bytes::store(site.out, at, sum.to_be_bytes()),
            _ => false,
        }
    }

    fn any(site: &mut Site<'_>, reloc: &Rela, index: usize, target: Target) -> Result<(), Fault> {
        let operands = site.operands;
        let got = operands.image.got_base;
        let a = reloc.r_addend() as u64;
        let p = site.place(reloc);
        let value = match reloc.r_type() {
            // The loader writes the field.
            R_390_64 if target.is_indirect => 0,
            R_390_8 | R_390_12 | R_390_16 | R_390_20 | R_390_32 | R_390_64 => {
                site.address(reloc, target)
            }
            R_390_PC12DBL | R_390_PC16 | R_390_PC16DBL | R_390_PC24DBL | R_390_PC32
            | R_390_PC32DBL | R_390_PC64 => {
                if is_of_dropped_call(operands, reloc, index) {
                    return Ok(());
                }
                site.address(reloc, target).wrapping_sub(p)
            }
            R_390_PLT12DBL | R_390_PLT16DBL | R_390_PLT24DBL | R_390_PLT32 | R_390_PLT32DBL
            | R_390_PLT64 => {
                if is_of_dropped_call(operands, reloc, index) {
                    return Ok(());
                }
                site.called(reloc, target).wrapping_sub(p)
            }
            R_390_PLTOFF16 | R_390_PLTOFF32 | R_390_PLTOFF64 => {
                site.called(reloc, target).wrapping_sub(got)
            }
            R_390_GOTOFF16 | R_390_GOTOFF32 | R_390_GOTOFF64 => {
                site.address(reloc, target).wrapping_sub(got)
            }
            R_390_GOTPC | R_390_GOTPCDBL => got.wrapping_add(a).wrapping_sub(p),
            R_390_GOT12 | R_390_GOT16 | R_390_GOT20 | R_390_GOT32 | R_390_GOT64
            | R_390_GOTPLT12 | R_390_GOTPLT16 | R_390_GOTPLT20 | R_390_GOTPLT32
            | R_390_GOTPLT64 => operands.got_address(reloc).wrapping_add(a).wrapping_sub(got),
            R_390_GOTPLTENT => operands.got_address(reloc).wrapping_add(a).wrapping_sub(p),
            R_390_GOTENT => return got_load(site, reloc, target),
            _ => return thread_local(site, reloc, target),
        };
        put(site, reloc, reloc.r_type(), value)
    }

    fn gone(site: &mut Site<'_>, reloc: &Rela) {
        if field(reloc.r_type()) == Field::Whole {
            let size = howto(reloc.r_type()).map_or(0, |howto| howto.size);
            site.put_gone(reloc, size.into());
        }
    }
}

/// Whether the distance is that of a call of `__tls_get_offset` that is rewritten, and may not even
/// have a target.
fn is_of_dropped_call(operands: Operands<'_>, reloc: &Rela, index: usize) -> bool {
    let next = operands.patch.relocs.get(index + 1);
    let rules = TlsRules::of_image(operands.image);
    decide::is_call_distance(reloc.r_type())
        && decide::is_of_dropped_call(rules, reloc, next, |next| Some(operands.view(next)))
}

/// Writes a value of `r_type` to the field of `reloc`, after checking its range and alignment.
fn put(site: &mut Site<'_>, reloc: &Rela, r_type: u32, value: u64) -> Result<(), Fault> {
    let howto = howto(r_type).ok_or(Fault::Unsupported)?;
    if !howto.range.contains(value as i64) {
        return Err(Fault::OutOfRange(value as i64));
    }
    if is_halved(r_type) && value & 1 != 0 {
        return Err(Fault::Misaligned(value));
    }
    let at = site.at(reloc);
    let is_put = instruction::put(site.out, at, r_type, howto.size.into(), value);
    if is_put { Ok(()) } else { Err(Fault::BadPlace) }
}

/// Puts an instruction in place of another.
fn replace<const N: usize>(site: &mut Site<'_>, at: usize, code: [u8; N]) -> Result<(), Fault> {
    if bytes::store(site.out, at, code) { Ok(()) } else { Err(Fault::BadPlace) }
}

/// A load from the GOT, or what it becomes.
fn got_load(site: &mut Site<'_>, reloc: &Rela, target: Target) -> Result<(), Fault> {
    let Operands { image, patch } = site.operands;
    let (view, object) = (site.operands.view(reloc), patch.section.object);
    let p = site.place(reloc);
    let symbols = Symbols::from(image);
    if let Some(code) = symbols.without_got(image.relax, object, view, patch.original, reloc) {
        let at = site.at(reloc).wrapping_sub(2);
        put(site, reloc, R_390_PC32DBL, target.sum.wrapping_sub(p))?;
        return replace(site, at, code);
    }
    let word = site.operands.got_address(reloc).wrapping_add_signed(reloc.r_addend());
    put(site, reloc, R_390_GOTENT, word.wrapping_sub(p))
}

fn thread_local(site: &mut Site<'_>, reloc: &Rela, target: Target) -> Result<(), Fault> {
    let operands = site.operands;
    let image = operands.image;
    let (tls, view) = (TlsRules::of_image(image), operands.view(reloc));
    let r_type = reloc.r_type();
    let a = reloc.r_addend() as u64;
    let at = site.at(reloc);
    let in_got = |word: u64| word.wrapping_add(a).wrapping_sub(image.got_base);
    let offset = operands.tpoff(view, target.s).wrapping_add(a);
    let value = match r_type {
        R_390_TLS_GDCALL | R_390_TLS_LDCALL => {
            return match decide::call(tls, r_type, view) {
                Some(call) => replace(site, at, call.code()),
                None => Ok(()),
            };
        }
        R_390_TLS_LOAD => {
            let original = operands.patch.original;
            let code = instruction::without_load(original, reloc.r_offset() as usize);
            return match code.filter(|_| tls.is_local_exec(view)) {
                Some(code) => replace(site, at, code),
                None => Ok(()),
            };
        }
        R_390_TLS_GD32 | R_390_TLS_GD64 => match tls.model(view) {
            TlsModel::Dynamic => in_got(operands.tlsgd(reloc)),
            TlsModel::InitialExec => in_got(operands.gottp(reloc)),
            TlsModel::LocalExec => offset,
        },
        R_390_TLS_GOTIE32 | R_390_TLS_GOTIE64 | R_390_TLS_IE32 | R_390_TLS_IE64
            if tls.is_local_exec(view) =>
        {
            offset
        }
        R_390_TLS_GOTIE12 | R_390_TLS_GOTIE20 | R_390_TLS_GOTIE32 | R_390_TLS_GOTIE64 => {
            in_got(operands.gottp(reloc))
        }
        R_390_TLS_IE32 | R_390_TLS_IE64 => operands.gottp(reloc).wrapping_add(a),
        R_390_TLS_IEENT => {
            let word = operands.gottp(reloc).wrapping_add(a);
            word.wrapping_sub(site.place(reloc))
        }
        // What the call returns is where the block begins, as is this.
        R_390_TLS_LDM32 | R_390_TLS_LDM64 if tls.drops_module() => {
            image.tls_start.wrapping_sub(image.thread_pointer)
        }
        R_390_TLS_LDM32 | R_390_TLS_LDM64 => in_got(image.got_word(image.slots.own_module)),
        R_390_TLS_LDO32 | R_390_TLS_LDO64 => {
            // Local-dynamic refers to this module's variable, even if it is exported.
            let s = view.name().map_or(target.s, |name| image.values.of_name[name]);
            operands.dtpoff(view, s).wrapping_add(a)
        }
        // In a library the loader writes the field.
        R_390_TLS_LE32 | R_390_TLS_LE64 if image.shape.is_shared => 0,
        R_390_TLS_LE32 | R_390_TLS_LE64 => offset,
        _ => return Err(Fault::Unsupported),
    };
    put(site, reloc, r_type, value)
}
