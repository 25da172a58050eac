//! What relocations write, for the loop of [`crate::loops::apply_loop`].

use crate::format::elf::Rela;
use crate::loops::apply_loop::{ApplyTypes, Site, Target};
use crate::machine::msp430::howto::*;
use crate::synth::patch::Fault;
use object::elf::*;

/// The part of the apply loop that is MSP430's.
pub struct Types;

impl ApplyTypes for Types {
    #[inline(always)]
    fn is_mark(r_type: u32) -> bool {
        r_type == R_MSP430_NONE
    }

    #[inline(always)]
    fn plain(site: &mut Site<'_>, reloc: &Rela, r_type: u32, sum: u64) -> bool {
        r_type == R_MSP430_32 && site.put_data(site.at(reloc), 4, sum)
    }

    fn any(site: &mut Site<'_>, reloc: &Rela, _: usize, target: Target) -> Result<(), Fault> {
        let howto = howto(reloc.r_type()).ok_or(Fault::Unsupported)?;
        let value = match reloc.r_type() {
            R_MSP430_10_PCREL => return jump(site, reloc, target),
            R_MSP430_16_PCREL | R_MSP430_16_PCREL_BYTE => {
                site.address(reloc, target).wrapping_sub(site.place(reloc))
            }
            R_MSP430_32 | R_MSP430_16 | R_MSP430_16_BYTE | R_MSP430_8 => {
                site.address(reloc, target)
            }
            _ => return Err(Fault::Unsupported),
        };
        site.check(reloc, howto, value)?;
        let is_put = site.put_data(site.at(reloc), howto.size.into(), value);
        if is_put { Ok(()) } else { Err(Fault::BadPlace) }
    }

    fn gone(site: &mut Site<'_>, reloc: &Rela) {
        let size = howto(reloc.r_type()).map_or(0, |howto| howto.size);
        site.put_gone(reloc, size.into());
    }
}

/// A jump: ten bits that count half-words from the next instruction.
fn jump(site: &mut Site<'_>, reloc: &Rela, target: Target) -> Result<(), Fault> {
    let from = site.place(reloc).wrapping_add(2);
    let distance = site.called(reloc, target).wrapping_sub(from);
    let howto = howto(reloc.r_type()).ok_or(Fault::Unsupported)?;
    site.check(reloc, howto, distance)?;
    let at = site.at(reloc);
    let order = site.operands.image.machine.byte_order;
    let old = order.get::<u16>(site.out, at).ok_or(Fault::BadPlace)?;
    let new = old & !0x3ff | (distance >> 1) as u16 & 0x3ff;
    if site.put_data(at, 2, new.into()) { Ok(()) } else { Err(Fault::BadPlace) }
}
