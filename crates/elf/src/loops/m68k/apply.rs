//! What relocations write (psABI, "Relocation Types"), for the loop of
//! [`crate::loops::apply_loop`].

use super::decide;
use crate::format::elf::Rela;
use crate::loops::apply_loop::{ApplyTypes, Site, Target};
use crate::machine::m68k::howto::{R_68K_GNU_VTENTRY, R_68K_GNU_VTINHERIT, howto};
use crate::synth::patch::Fault;
use object::elf::*;

/// The part of the apply loop that is m68k's.
pub struct Types;

impl ApplyTypes for Types {
    #[inline(always)]
    fn is_mark(r_type: u32) -> bool {
        matches!(r_type, R_68K_NONE | R_68K_GNU_VTINHERIT | R_68K_GNU_VTENTRY)
    }

    #[inline(always)]
    fn plain(site: &mut Site<'_>, reloc: &Rela, r_type: u32, sum: u64) -> bool {
        let value = match r_type {
            R_68K_32 => sum,
            R_68K_PC32 | R_68K_PLT32 => sum.wrapping_sub(site.place(reloc)),
            _ => return false,
        };
        site.put_data(site.at(reloc), 4, value)
    }

    fn any(site: &mut Site<'_>, reloc: &Rela, _: usize, target: Target) -> Result<(), Fault> {
        let p = site.place(reloc);
        let r_type = reloc.r_type();
        let value = match r_type {
            R_68K_32 if target.is_indirect && is_call(site, reloc) => site.called(reloc, target),
            // The loader writes the field.
            R_68K_32 if target.is_indirect => 0,
            R_68K_32 => target.sum,
            R_68K_16 | R_68K_8 => site.address(reloc, target),
            R_68K_PC32 | R_68K_PC16 | R_68K_PC8 => site.address(reloc, target).wrapping_sub(p),
            R_68K_PLT32 | R_68K_PLT16 | R_68K_PLT8 => site.called(reloc, target).wrapping_sub(p),
            R_68K_PLT32O | R_68K_PLT16O | R_68K_PLT8O => {
                if !target.is_indirect {
                    // It has no entry.
                    return Err(Fault::Unsupported);
                }
                let image = site.operands.image;
                site.operands.function_address(reloc).wrapping_sub(image.bases.plt)
            }
            R_68K_GOT32 | R_68K_GOT16 | R_68K_GOT8 => {
                let image = site.operands.image;
                let object = &image.objects[site.operands.patch.section.object];
                let word = if decide::is_got(object, reloc.symbol()) {
                    image.got_base
                } else {
                    site.operands.got_address(reloc)
                };
                word.wrapping_add_signed(reloc.r_addend()).wrapping_sub(p)
            }
            R_68K_GOT32O..=R_68K_GOT8O => of_got(site, site.operands.got_address(reloc)),
            _ => thread_local(site, reloc, target)?,
        };
        let howto = howto(r_type).ok_or(Fault::Unsupported)?;
        site.check(reloc, howto, value)?;
        let is_put = site.put_data(site.at(reloc), howto.size.into(), value);
        if is_put { Ok(()) } else { Err(Fault::BadPlace) }
    }

    fn gone(site: &mut Site<'_>, reloc: &Rela) {
        let size = howto(reloc.r_type()).map_or(0, |howto| howto.size);
        site.put_gone(reloc, size.into());
    }
}

fn is_call(site: &Site<'_>, reloc: &Rela) -> bool {
    let (operands, patch) = (site.operands, site.operands.patch);
    let view = operands.view(reloc);
    let (flags, shape) = (patch.section.flags, operands.image.shape);
    decide::is_call(shape, view, flags, patch.original, reloc)
}

/// The offset of a word from the GOT. Addends do not count, as with GNU ld.
fn of_got(site: &Site<'_>, word: u64) -> u64 {
    word.wrapping_sub(site.operands.image.got_base)
}

fn thread_local(site: &Site<'_>, reloc: &Rela, target: Target) -> Result<u64, Fault> {
    let operands = site.operands;
    let image = operands.image;
    let view = operands.view(reloc);
    let a = reloc.r_addend() as u64;
    Ok(match reloc.r_type() {
        R_68K_TLS_GD32..=R_68K_TLS_GD8 => of_got(site, operands.tlsgd(reloc)),
        R_68K_TLS_LDM32..=R_68K_TLS_LDM8 => of_got(site, image.got_word(image.slots.own_module)),
        R_68K_TLS_IE32..=R_68K_TLS_IE8 => of_got(site, operands.gottp(reloc)),
        R_68K_TLS_LDO32..=R_68K_TLS_LDO8 => {
            // Local-dynamic means this module's variable, even if it is exported.
            let s = view.name().map_or(target.s, |name| image.values.of_name[name]);
            operands.dtpoff(view, s).wrapping_add(a).wrapping_sub(image.machine.dtv_offset)
        }
        R_68K_TLS_LE32..=R_68K_TLS_LE8 => operands.tpoff(view, target.s).wrapping_add(a),
        _ => return Err(Fault::Unsupported),
    })
}
