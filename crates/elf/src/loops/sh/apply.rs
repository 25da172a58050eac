//! What relocations write, for the loop of [`crate::loops::apply_loop`].

use crate::format::elf::Rela;
use crate::loops::apply_loop::{ApplyTypes, Site, Target};
use crate::machine::sh::howto::*;
use crate::synth::patch::Fault;
use object::elf::*;

/// The part of the apply loop that is SH's.
pub struct Types;

impl ApplyTypes for Types {
    #[inline(always)]
    fn is_mark(r_type: u32) -> bool {
        is_mark(r_type)
    }

    #[inline(always)]
    fn plain(site: &mut Site<'_>, reloc: &Rela, r_type: u32, sum: u64) -> bool {
        let value = match r_type {
            R_SH_DIR32 => sum,
            R_SH_REL32 | R_SH_PLT32 => sum.wrapping_sub(site.place(reloc)),
            _ => return false,
        };
        site.put_data(site.at(reloc), 4, value)
    }

    fn any(site: &mut Site<'_>, reloc: &Rela, _: usize, target: Target) -> Result<(), Fault> {
        let image = site.operands.image;
        let (p, a) = (site.place(reloc), reloc.r_addend() as u64);
        let of_got = |address: u64| address.wrapping_sub(image.got_base);
        let r_type = reloc.r_type();
        let value = match r_type {
            // The loader writes the field.
            R_SH_DIR32 if target.is_indirect => 0,
            R_SH_DIR32 => target.sum,
            R_SH_DIR16 | R_SH_DIR8 => site.address(reloc, target),
            R_SH_REL32 => site.address(reloc, target).wrapping_sub(p),
            R_SH_PLT32 => site.called(reloc, target).wrapping_sub(p),
            R_SH_DIR8WPN | R_SH_IND12W | R_SH_DIR8WPZ | R_SH_DIR8WPL => {
                return branch(site, reloc, target);
            }
            R_SH_GOT32 | R_SH_GOTPLT32 | R_SH_GOT20 => {
                of_got(site.operands.got_address(reloc)).wrapping_add(a)
            }
            R_SH_GOTOFF | R_SH_GOTOFF20 => of_got(site.address(reloc, target)),
            R_SH_GOTPC => image.got_base.wrapping_add(a).wrapping_sub(p),
            _ => thread_local(site, reloc, target)?,
        };
        let howto = howto(r_type).ok_or(Fault::Unsupported)?;
        site.check(reloc, howto, value)?;
        let at = site.at(reloc);
        let is_put = match r_type {
            R_SH_GOT20 | R_SH_GOTOFF20 => put_movi20(site, at, value),
            _ => site.put_data(at, howto.size.into(), value),
        };
        if is_put { Ok(()) } else { Err(Fault::BadPlace) }
    }

    fn gone(site: &mut Site<'_>, reloc: &Rela) {
        let size = howto(reloc.r_type()).map_or(0, |howto| howto.size);
        site.put_gone(reloc, size.into());
    }
}

/// A distance in the lower bits of an instruction. Assemblers have set those within a section, and
/// leave a relocation to its start for a linker that makes code shorter.
fn branch(site: &mut Site<'_>, reloc: &Rela, target: Target) -> Result<(), Fault> {
    let r_type = reloc.r_type();
    let patch = site.operands.patch;
    let start = patch.address.wrapping_sub(patch.section_offset);
    if r_type != R_SH_IND12W && !target.is_indirect && target.s == start {
        return Ok(());
    }
    let to = match r_type {
        R_SH_DIR8WPN | R_SH_IND12W => site.called(reloc, target),
        _ => site.address(reloc, target),
    };
    let p = site.place(reloc);
    let (from, shift, mask) = match r_type {
        // The addend counts the processor's four bytes.
        R_SH_IND12W => (p, 1, 0xfff),
        R_SH_DIR8WPL => ((p & !3).wrapping_add(4), 2, 0xff),
        _ => (p.wrapping_add(4), 1, 0xff),
    };
    let distance = to.wrapping_sub(from);
    let howto = howto(r_type).ok_or(Fault::Unsupported)?;
    site.check(reloc, howto, distance)?;
    if distance & ((1 << shift) - 1) != 0 {
        return Err(Fault::Misaligned(distance));
    }
    let at = site.at(reloc);
    let order = site.operands.image.machine.byte_order;
    let field = order.get::<u16>(site.out, at).ok_or(Fault::BadPlace)?;
    let new = field & !mask | (distance >> shift) as u16 & mask;
    if site.put_data(at, 2, new.into()) { Ok(()) } else { Err(Fault::BadPlace) }
}

/// Sets the immediate of `movi20`: four bits of the first half-word, and all of the second.
fn put_movi20(site: &mut Site<'_>, at: usize, value: u64) -> bool {
    let order = site.operands.image.machine.byte_order;
    let Some(first) = order.get::<u16>(site.out, at) else { return false };
    let first = first & !0xf0 | (value >> 12) as u16 & 0xf0;
    site.put_data(at + 2, 2, value) && site.put_data(at, 2, first.into())
}

fn thread_local(site: &Site<'_>, reloc: &Rela, target: Target) -> Result<u64, Fault> {
    let operands = site.operands;
    let image = operands.image;
    let view = operands.view(reloc);
    let a = reloc.r_addend() as u64;
    let of_got = |word: u64| word.wrapping_add(a).wrapping_sub(image.got_base);
    Ok(match reloc.r_type() {
        R_SH_TLS_GD_32 => of_got(operands.tlsgd(reloc)),
        R_SH_TLS_LD_32 => of_got(image.got_word(image.slots.own_module)),
        R_SH_TLS_IE_32 => of_got(operands.gottp(reloc)),
        R_SH_TLS_LDO_32 => {
            // Local-dynamic means this module's variable, even if it is exported.
            let s = view.name().map_or(target.s, |name| image.values.of_name[name]);
            operands.dtpoff(view, s).wrapping_add(a)
        }
        // In a library the loader writes the field.
        R_SH_TLS_LE_32 if image.shape.is_shared => 0,
        R_SH_TLS_LE_32 => operands.tpoff(view, target.s).wrapping_add(a),
        _ => return Err(Fault::Unsupported),
    })
}
