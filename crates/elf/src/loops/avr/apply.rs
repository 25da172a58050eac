//! What relocations write, for the loop of [`crate::loops::apply_loop`].

use super::instruction as code;
use crate::format::elf::Rela;
use crate::loops::apply_loop::{ApplyTypes, Site, Target};
use crate::machine::avr::howto::*;
use crate::machine::avr::wraps_around;
use crate::machine::howto::Howto;
use crate::synth::patch::Fault;
use object::elf::*;

/// The part of the apply loop that is AVR's.
pub struct Types;

impl ApplyTypes for Types {
    #[inline(always)]
    fn is_mark(r_type: u32) -> bool {
        matches!(r_type, R_AVR_NONE | R_AVR_DIFF8..=R_AVR_DIFF32)
    }

    #[inline(always)]
    fn plain(site: &mut Site<'_>, reloc: &Rela, r_type: u32, sum: u64) -> bool {
        r_type == R_AVR_32 && site.put_data(site.at(reloc), 4, sum)
    }

    fn any(site: &mut Site<'_>, reloc: &Rela, _: usize, target: Target) -> Result<(), Fault> {
        let howto = howto(reloc.r_type()).ok_or(Fault::Unsupported)?;
        let sum = site.address(reloc, target);
        let is_put = match reloc.r_type() {
            R_AVR_7_PCREL | R_AVR_13_PCREL => return branch(site, reloc, howto, target),
            R_AVR_CALL => return call(site, reloc, howto, target),
            R_AVR_LO8_LDI..=R_AVR_HH8_LDI_PM_NEG
            | R_AVR_LDI..=R_AVR_HI8_LDI_GS
            | R_AVR_LDS_STS_16..=R_AVR_PORT5 => return instruction(site, reloc, howto, sum),
            R_AVR_16_PM => {
                check_pointer(site, reloc, howto, sum)?;
                site.put_data(site.at(reloc), 2, sum >> 1)
            }
            R_AVR_8_HI8 => site.put_data(site.at(reloc), 1, sum >> 8),
            R_AVR_8_HLO8 => site.put_data(site.at(reloc), 1, sum >> 16),
            R_AVR_32_PCREL => site.put_data(site.at(reloc), 4, sum.wrapping_sub(site.place(reloc))),
            // Words of 16 bits have addresses of variables, whose space begins above these.
            R_AVR_32 | R_AVR_16 | R_AVR_8 | R_AVR_8_LO8 => {
                site.check(reloc, howto, sum)?;
                site.put_data(site.at(reloc), howto.size.into(), sum)
            }
            _ => return Err(Fault::Unsupported),
        };
        if is_put { Ok(()) } else { Err(Fault::BadPlace) }
    }

    fn gone(site: &mut Site<'_>, reloc: &Rela) {
        let size = howto(reloc.r_type()).map_or(0, |howto| howto.size);
        site.put_gone(reloc, size.into());
    }
}

/// Changes the half-word at the field.
fn change(site: &mut Site<'_>, at: usize, new: impl Fn(u16) -> u16) -> Result<(), Fault> {
    let order = site.operands.image.machine.byte_order;
    let old = order.get::<u16>(site.out, at).ok_or(Fault::BadPlace)?;
    if site.put_data(at, 2, new(old).into()) { Ok(()) } else { Err(Fault::BadPlace) }
}

/// A branch by a distance, which counts from the next instruction.
fn branch(site: &mut Site<'_>, reloc: &Rela, howto: &Howto, target: Target) -> Result<(), Fault> {
    let from = site.place(reloc).wrapping_add(2);
    let distance = wrapped(site, site.called(reloc, target).wrapping_sub(from));
    let image = site.operands.image;
    let at = site.at(reloc);
    let half_words = (distance >> 1) as u16;
    if reloc.r_type() == R_AVR_7_PCREL {
        site.check(reloc, howto, distance)?;
        return change(site, at, |old| code::set_branch(old, half_words));
    }
    let object = &image.objects[site.operands.patch.section.object];
    if !wraps_around(object.mapped.header_flags()) {
        site.check(reloc, howto, distance)?;
    } else if distance & 1 != 0 {
        return Err(Fault::Misaligned(distance));
    }
    change(site, at, |old| code::set_relative_jump(old, half_words))
}

/// A distance in memory of a size at which the program counter wraps around
/// (`--pmem-wrap-around`): the shorter one of two ways.
fn wrapped(site: &Site<'_>, distance: u64) -> u64 {
    let Some(size) = site.operands.image.code_memory.wraps_at else { return distance };
    let within = distance & (size - 1);
    if within < size / 2 { within } else { within.wrapping_sub(size) }
}

/// `call` or `jmp`: an address in two half-words.
fn call(site: &mut Site<'_>, reloc: &Rela, howto: &Howto, target: Target) -> Result<(), Fault> {
    let to = site.called(reloc, target);
    site.check(reloc, howto, to)?;
    let at = site.at(reloc);
    if !site.put_data(at + 2, 2, to >> 1) {
        return Err(Fault::BadPlace);
    }
    change(site, at, |old| code::set_jump(old, (to >> 17) as u16))
}

/// An immediate or a displacement in one half-word.
fn instruction(site: &mut Site<'_>, reloc: &Rela, howto: &Howto, sum: u64) -> Result<(), Fault> {
    let at = site.at(reloc);
    let number = match reloc.r_type() {
        R_AVR_LDI | R_AVR_6 | R_AVR_6_ADIW | R_AVR_PORT6 | R_AVR_PORT5 => {
            let number = of_data(site, sum);
            site.check(reloc, howto, number)?;
            number
        }
        R_AVR_LDS_STS_16 => {
            let number = of_data(site, sum);
            site.check(reloc, howto, number.wrapping_sub(0x40))?;
            number
        }
        R_AVR_LO8_LDI_GS | R_AVR_HI8_LDI_GS => {
            check_pointer(site, reloc, howto, sum)?;
            sum
        }
        _ => {
            site.check(reloc, howto, sum)?;
            sum
        }
    };
    change(site, at, |old| {
        let immediate = |number: u64| code::set_immediate(old, number as u16);
        let negative = number.wrapping_neg();
        match reloc.r_type() {
            R_AVR_HI8_LDI => immediate(number >> 8),
            R_AVR_HH8_LDI => immediate(number >> 16),
            R_AVR_MS8_LDI => immediate(number >> 24),
            R_AVR_LO8_LDI_NEG => immediate(negative),
            R_AVR_HI8_LDI_NEG => immediate(negative >> 8),
            R_AVR_HH8_LDI_NEG => immediate(negative >> 16),
            R_AVR_MS8_LDI_NEG => immediate(negative >> 24),
            R_AVR_LO8_LDI_PM | R_AVR_LO8_LDI_GS => immediate(number >> 1),
            R_AVR_HI8_LDI_PM | R_AVR_HI8_LDI_GS => immediate(number >> 9),
            R_AVR_HH8_LDI_PM => immediate(number >> 17),
            R_AVR_LO8_LDI_PM_NEG => immediate(negative >> 1),
            R_AVR_HI8_LDI_PM_NEG => immediate(negative >> 9),
            R_AVR_HH8_LDI_PM_NEG => immediate(negative >> 17),
            R_AVR_6 => code::set_displacement(old, number as u16),
            R_AVR_6_ADIW => code::set_added(old, number as u16),
            R_AVR_LDS_STS_16 => code::set_near_address(old, number as u16),
            R_AVR_PORT6 => code::set_port(old, number as u16),
            R_AVR_PORT5 => code::set_bit_port(old, number as u16),
            // R_AVR_LDI, R_AVR_LO8_LDI
            _ => immediate(number),
        }
    })
}

/// A small number, which may be an address of a variable: without the start of the space of
/// variables.
fn of_data(site: &Site<'_>, sum: u64) -> u64 {
    let number = site.number(sum);
    if number < 0 { number as u64 } else { sum & 0xffff }
}

/// Checks the address of a function in two bytes, which count half-words. With `--no-stubs` the
/// program sets the rest of the address in another way.
fn check_pointer(site: &Site<'_>, reloc: &Rela, howto: &Howto, sum: u64) -> Result<(), Fault> {
    if site.operands.image.code_memory.pointers_are_cut {
        return if sum & 1 == 0 { Ok(()) } else { Err(Fault::Misaligned(sum)) };
    }
    site.check(reloc, howto, sum)
}
