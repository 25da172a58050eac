//! What relocations write (SPARC Compliance Definition 2.4, "Relocation"), for the loop of
//! [`crate::loops::apply_loop`].

use super::decide::{self, second_addend, type_of};
use super::instruction;
use crate::format::elf::Rela;
use crate::loops::apply_loop::{ApplyTypes, Site, Target};
use crate::loops::operands::Operands;
use crate::loops::tls_model::{TlsModel, TlsRules};
use crate::machine::sparc64::howto::{self, *};
use crate::synth::patch::Fault;
use object::elf::*;
use skald_core::field as bytes;

/// SPARC64's part of the apply loop.
pub struct Types;

impl ApplyTypes for Types {
    #[inline(always)]
    fn is_mark(r_type: u32) -> bool {
        matches!(r_type, R_SPARC_NONE | R_SPARC_GNU_VTINHERIT | R_SPARC_GNU_VTENTRY)
    }

    #[inline(always)]
    fn plain(site: &mut Site<'_>, reloc: &Rela, r_type: u32, sum: u64) -> bool {
        let at = site.at(reloc);
        match r_type {
            R_SPARC_WDISP30 | R_SPARC_WPLT30 => {
                let distance = sum.wrapping_sub(site.place(reloc));
                let fits = distance.wrapping_add(1 << 31) < 1 << 32 && distance & 3 == 0;
                fits && instruction::put(site.out, at, R_SPARC_WDISP30, distance, 0)
            }
            R_SPARC_LO10 => instruction::put(site.out, at, R_SPARC_LO10, sum, 0),
            R_SPARC_64 | R_SPARC_UA64 => bytes::store(site.out, at, sum.to_be_bytes()),
            _ => false,
        }
    }

    fn any(site: &mut Site<'_>, reloc: &Rela, index: usize, target: Target) -> Result<(), Fault> {
        let operands = site.operands;
        let got = operands.image.got_base;
        let a = reloc.r_addend() as u64;
        let p = site.place(reloc);
        let r_type = type_of(reloc);
        let value = match r_type {
            // The loader writes the field.
            R_SPARC_64 | R_SPARC_UA64 if target.is_indirect => 0,
            R_SPARC_8 | R_SPARC_16 | R_SPARC_32 | R_SPARC_64 | R_SPARC_UA16 | R_SPARC_UA32
            | R_SPARC_UA64 | R_SPARC_HI22 | R_SPARC_22 | R_SPARC_13 | R_SPARC_LO10 | R_SPARC_10
            | R_SPARC_11 | R_SPARC_OLO10 | R_SPARC_HH22 | R_SPARC_HM10 | R_SPARC_LM22
            | R_SPARC_7 | R_SPARC_5 | R_SPARC_6 | R_SPARC_HIX22 | R_SPARC_LOX10 | R_SPARC_H44
            | R_SPARC_M44 | R_SPARC_L44 | R_SPARC_REGISTER | R_SPARC_H34 => {
                site.address(reloc, target)
            }
            R_SPARC_DISP8 | R_SPARC_DISP16 | R_SPARC_DISP32 | R_SPARC_DISP64 | R_SPARC_PC10
            | R_SPARC_PC22 | R_SPARC_PC_HH22 | R_SPARC_PC_HM10 | R_SPARC_PC_LM22 => {
                site.address(reloc, target).wrapping_sub(p)
            }
            R_SPARC_WDISP30 | R_SPARC_WPLT30 | R_SPARC_WDISP22 | R_SPARC_WDISP19
            | R_SPARC_WDISP16 | R_SPARC_WDISP10 | R_SPARC_PCPLT32 | R_SPARC_PCPLT22
            | R_SPARC_PCPLT10 => site.called(reloc, target).wrapping_sub(p),
            R_SPARC_PLT32 | R_SPARC_PLT64 | R_SPARC_HIPLT22 | R_SPARC_LOPLT10 => {
                site.called(reloc, target)
            }
            R_SPARC_GOT10 | R_SPARC_GOT13 | R_SPARC_GOT22 => {
                operands.got_address(reloc).wrapping_add(a).wrapping_sub(got)
            }
            R_SPARC_GOTDATA_HIX22 | R_SPARC_GOTDATA_LOX10 => {
                let distance = site.address(reloc, target).wrapping_sub(got);
                return distance_from_got(site, reloc, distance);
            }
            R_SPARC_GOTDATA_OP_HIX22 | R_SPARC_GOTDATA_OP_LOX10 | R_SPARC_GOTDATA_OP => {
                return got_load(site, reloc, target);
            }
            R_SPARC_SIZE32 | R_SPARC_SIZE64 => operands.size(reloc).wrapping_add(a),
            _ => return thread_local(site, reloc, index, target),
        };
        put(site, reloc, r_type, value)
    }

    fn gone(site: &mut Site<'_>, reloc: &Rela) {
        if field(type_of(reloc)) == Field::Data {
            let size = howto::howto(type_of(reloc)).map_or(0, |howto| howto.size);
            site.put_gone(reloc, size.into());
        }
    }
}

fn done(is_done: bool) -> Result<(), Fault> {
    if is_done { Ok(()) } else { Err(Fault::BadPlace) }
}

/// Writes a value of `r_type` to the field of `reloc`, after checking its range and alignment.
fn put(site: &mut Site<'_>, reloc: &Rela, r_type: u32, value: u64) -> Result<(), Fault> {
    let howto = howto::howto(r_type).ok_or(Fault::Unsupported)?;
    let number = match field(r_type) {
        Field::LowAndMore => (value as i64 & 0x3ff) + second_addend(reloc),
        _ => value as i64,
    };
    if !howto.range.contains(number) {
        return Err(Fault::OutOfRange(number));
    }
    if value & (field_align(r_type) - 1) != 0 {
        return Err(Fault::Misaligned(value));
    }
    let at = site.at(reloc);
    done(match field(r_type) {
        Field::Data => site.put_data(at, howto.size.into(), value),
        _ => instruction::put(site.out, at, r_type, value, second_addend(reloc)),
    })
}

/// A part of a symbol's distance from the GOT.
fn distance_from_got(site: &mut Site<'_>, reloc: &Rela, distance: u64) -> Result<(), Fault> {
    let is_upper = matches!(type_of(reloc), R_SPARC_GOTDATA_HIX22 | R_SPARC_GOTDATA_OP_HIX22);
    let number = distance as i64;
    if is_upper && !(-(1 << 32)..1 << 32).contains(&number) {
        return Err(Fault::OutOfRange(number));
    }
    let at = site.at(reloc);
    done(instruction::put_signed_part(site.out, at, is_upper, distance))
}

/// An instruction of a load from the GOT, or what it becomes.
fn got_load(site: &mut Site<'_>, reloc: &Rela, target: Target) -> Result<(), Fault> {
    let Operands { image, patch } = site.operands;
    let is_load = type_of(reloc) == R_SPARC_GOTDATA_OP;
    if decide::is_distance(image.relax, site.operands.view(reloc)) {
        if !is_load {
            return distance_from_got(site, reloc, target.sum.wrapping_sub(image.got_base));
        }
        let word = instruction::read(patch.original, reloc.r_offset() as usize);
        let new = word.and_then(instruction::load_to_addition).ok_or(Fault::Unsupported)?;
        let at = site.at(reloc);
        return done(instruction::replace(site.out, at, new));
    }
    if is_load {
        return Ok(());
    }
    let word = site.operands.got_address(reloc).wrapping_sub(image.got_base);
    distance_from_got(site, reloc, word)
}

fn thread_local(
    site: &mut Site<'_>,
    reloc: &Rela,
    index: usize,
    target: Target,
) -> Result<(), Fault> {
    let operands = site.operands;
    let image = operands.image;
    let rules = TlsRules::of_image(image);
    let view = operands.view(reloc);
    let model = rules.model(view);
    let r_type = type_of(reloc);
    let a = reloc.r_addend() as u64;
    if let Some(new) = rewritten(operands, rules, index) {
        let at = site.at(reloc);
        done(instruction::replace(site.out, at, new))?;
    }
    let in_got = |word: u64| word.wrapping_add(a).wrapping_sub(image.got_base);
    let offset = operands.tpoff(view, target.s).wrapping_add(a);
    // Local-dynamic refers to this module's variable, even if it is exported.
    let own = view.name().map_or(target.s, |name| image.values.of_name[name]);
    let is_upper =
        matches!(r_type, R_SPARC_TLS_GD_HI22 | R_SPARC_TLS_IE_HI22 | R_SPARC_TLS_LDO_HIX22);
    let of_local_exec = if is_upper { R_SPARC_TLS_LE_HIX22 } else { R_SPARC_TLS_LE_LOX10 };
    let (r_type, value) = match r_type {
        R_SPARC_TLS_GD_HI22 | R_SPARC_TLS_GD_LO10 => match model {
            TlsModel::Dynamic => (r_type, in_got(operands.tlsgd(reloc))),
            TlsModel::InitialExec => (r_type, in_got(operands.gottp(reloc))),
            TlsModel::LocalExec => (of_local_exec, offset),
        },
        R_SPARC_TLS_IE_HI22 | R_SPARC_TLS_IE_LO10 => match model {
            TlsModel::LocalExec => (of_local_exec, offset),
            _ => (r_type, in_got(operands.gottp(reloc))),
        },
        R_SPARC_TLS_LDM_HI22 | R_SPARC_TLS_LDM_LO10 if !rules.drops_module() => {
            (r_type, in_got(image.got_word(image.slots.own_module)))
        }
        R_SPARC_TLS_LDO_HIX22 | R_SPARC_TLS_LDO_LOX10 if rules.drops_module() => {
            (of_local_exec, operands.tpoff(view, own).wrapping_add(a))
        }
        R_SPARC_TLS_LDO_HIX22
        | R_SPARC_TLS_LDO_LOX10
        | R_SPARC_TLS_DTPOFF32
        | R_SPARC_TLS_DTPOFF64 => (r_type, operands.dtpoff(view, own).wrapping_add(a)),
        R_SPARC_TLS_LE_HIX22 | R_SPARC_TLS_LE_LOX10 => (r_type, offset),
        R_SPARC_TLS_GD_CALL if model == TlsModel::Dynamic => {
            (r_type, operands.implied_call().wrapping_sub(site.place(reloc)))
        }
        R_SPARC_TLS_LDM_CALL if !rules.drops_module() => {
            (r_type, operands.implied_call().wrapping_sub(site.place(reloc)))
        }
        R_SPARC_TLS_GD_HI22..=R_SPARC_TLS_LE_LOX10 => return Ok(()),
        _ => return Err(Fault::Unsupported),
    };
    put(site, reloc, r_type, value)
}

/// The instruction in place of that of relocation `index`, if it is replaced. A load in the delay
/// slot of a call comes before the addition that replaces the call.
fn rewritten(operands: Operands<'_>, rules: TlsRules, index: usize) -> Option<u32> {
    let patch = operands.patch;
    let (code, reloc) = (patch.original, &patch.relocs[index]);
    let view = operands.view(reloc);
    let word_at = |offset: u64| instruction::read(code, offset as usize);
    let new = decide::replacement(rules, view, type_of(reloc), word_at(reloc.r_offset())?)?;
    if rules.model(view) != TlsModel::InitialExec {
        return Some(new);
    }
    if decide::is_in_delay_slot(code, reloc, patch.relocs.get(index + 1)) {
        return word_at(reloc.r_offset() + 4).and_then(instruction::addition_to_load);
    }
    let before = index.checked_sub(1).map(|before| &patch.relocs[before]);
    let is_second = before.is_some_and(|call| decide::is_in_delay_slot(code, call, Some(reloc)));
    Some(if is_second { instruction::ADD_THREAD_POINTER } else { new })
}
