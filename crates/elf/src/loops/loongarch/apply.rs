//! What relocations write ("ELF for the LoongArch Architecture", "Relocations"), for the loop of
//! [`crate::loops::apply_loop`].

use super::decide;
use super::instruction::{self, Form, TP, far_pages, pages, with_rj};
use super::sequence::Code;
use super::shrink;
use super::stack;
use super::tls::{Rewritten, TlsRewrite};
use crate::format::elf::Rela;
use crate::loops::apply_loop::{ApplyTypes, Site, Target};
use crate::loops::operands::Operands;
use crate::loops::upper_part;
use crate::machine::loongarch::howto::*;
use crate::read::object_file::SectionFlags;
use crate::resolve::definitions::attr;
use crate::synth::patch::Fault;
use object::elf::*;

/// LoongArch's part of the apply loop.
pub struct Types;

impl ApplyTypes for Types {
    #[inline(always)]
    fn is_mark(r_type: u32) -> bool {
        matches!(
            r_type,
            R_LARCH_NONE
                | R_LARCH_RELAX
                | R_LARCH_MARK_LA
                | R_LARCH_MARK_PCREL
                | R_LARCH_GNU_VTINHERIT
                | R_LARCH_GNU_VTENTRY
        )
    }

    #[inline(always)]
    fn plain(site: &mut Site<'_>, reloc: &Rela, r_type: u32, sum: u64) -> bool {
        let place = site.place(reloc);
        let distance = sum.wrapping_sub(place);
        let (kind, value, bits) = match r_type {
            R_LARCH_B26 => (Field::Branch26, distance, 28),
            R_LARCH_PCALA_HI20 => (Field::Upper, pages(sum, place), 32),
            R_LARCH_PCREL20_S2 => (Field::Near, distance, 22),
            R_LARCH_64 if !site.is_32() => {
                let at = site.at(reloc);
                return site.put_data(at, 8, sum);
            }
            _ => return false,
        };
        let half = 1u64 << (bits - 1);
        let fits = value.wrapping_add(half) < half << 1 && value & 3 == 0;
        fits && {
            let at = site.at(reloc);
            instruction::put(site.out, at, kind, value)
        }
    }

    fn any(site: &mut Site<'_>, reloc: &Rela, index: usize, target: Target) -> Result<(), Fault> {
        let r_type = reloc.r_type();
        let rewritten = match r_type {
            // The loader writes the field.
            R_LARCH_32 | R_LARCH_64 if target.is_indirect && is_word(site, r_type) => {
                return put(site, reloc, index, r_type, 0);
            }
            R_LARCH_TLS_TPREL32 | R_LARCH_TLS_TPREL64 if site.operands.image.shape.is_shared => {
                return put(site, reloc, index, r_type, 0);
            }
            _ if sum_part(r_type).is_some() => return sum(site, reloc, target.sum),
            _ if is_stack(r_type) => {
                return match stack::result(site, index)? {
                    Some(value) => put(site, reloc, index, r_type, value),
                    None => Ok(()),
                };
            }
            R_LARCH_ALIGN => return has_padding(site, reloc),
            R_LARCH_TLS_LE_LO12_R => return low_of_offset(site, reloc, index, target),
            R_LARCH_GOT_PC_HI20 | R_LARCH_GOT_PC_LO12 => decide::got_load(site.operands, index),
            R_LARCH_TLS_IE_PC_HI20
            | R_LARCH_TLS_IE_PC_LO12
            | R_LARCH_TLS_DESC_PC_HI20
            | R_LARCH_TLS_DESC_PC_LO12
            | R_LARCH_TLS_DESC_LD
            | R_LARCH_TLS_DESC_CALL
            | R_LARCH_TLS_DESC_PCREL20_S2 => {
                match decide::thread_local(site.operands, index, target.s) {
                    TlsRewrite::By(rewritten) => Some(rewritten),
                    TlsRewrite::Keep => None,
                    TlsRewrite::Fail => return Err(Fault::Unsupported),
                }
            }
            _ => None,
        };
        let Some(Rewritten { r_type, word }) = rewritten else {
            let value = value(site, reloc, index, target)?;
            return put(site, reloc, index, r_type, value);
        };
        let at = site.at(reloc);
        if !instruction::change(site.out, at, |_| word) {
            return Err(Fault::BadPlace);
        }
        let value = of_symbol(site, reloc, r_type, target).unwrap_or(0);
        put(site, reloc, index, r_type, value)
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

/// Checks that there was enough padding before the place that is aligned.
fn has_padding(site: &Site<'_>, reloc: &Rela) -> Result<(), Fault> {
    let padding = shrink::Padding::of(reloc);
    let needed = padding.needed(site.place(reloc));
    let has = padding.size;
    if needed <= has { Ok(()) } else { Err(Fault::ShortPadding { needed, has }) }
}

/// Whether a type is that of an address.
fn is_word(site: &Site<'_>, r_type: u32) -> bool {
    r_type == site.operands.image.machine.loader.word
}

/// Writes a value to the field of a type after checking its range and alignment.
fn put(
    site: &mut Site<'_>,
    reloc: &Rela,
    index: usize,
    r_type: u32,
    value: u64,
) -> Result<(), Fault> {
    let howto = howto(r_type).ok_or(Fault::Unsupported)?;
    let kind = field(r_type);
    // The lower part of a call has a sign, and so has that of an upper part that is rounded.
    let range_of = match kind {
        Field::Call36 => value.wrapping_add(1 << 17),
        Field::RoundedUpper => value.wrapping_add(0x800),
        _ => value,
    };
    if let Err(fault) = site.check(reloc, howto, range_of) {
        let (code, index) = Code::of(site.operands, index);
        // If more parts follow, an upper part need not have all of the value.
        if !matches!(fault, Fault::OutOfRange(_)) || !code.is_far(index) {
            return Err(match fault {
                Fault::OutOfRange(_) => Fault::OutOfRange(site.number(value)),
                other => other,
            });
        }
    }
    if matches!(kind, Field::Branch16 | Field::Branch21 | Field::Branch26) && value & 3 != 0 {
        return Err(Fault::Misaligned(value));
    }
    let at = site.at(reloc);
    let is_done = match kind {
        Field::None => true,
        Field::Data => site.put_data(at, howto.size.into(), value),
        Field::Low if r_type == R_LARCH_PCALA_LO12 => put_low(site, at, value),
        _ => instruction::put(site.out, at, kind, value),
    };
    if is_done { Ok(()) } else { Err(Fault::BadPlace) }
}

/// A lower part, which may be that of a jump: those 12 bits are a distance with a sign.
fn put_low(site: &mut Site<'_>, at: usize, value: u64) -> bool {
    instruction::change(site.out, at, |word| {
        if Form::JIRL.is(word) {
            instruction::with_branch_16(word, ((value as i64) << 52 >> 52) as u64)
        } else {
            instruction::with_12(word, value)
        }
    })
}

/// Changes a number that data holds, if the type is one for that.
fn sum(site: &mut Site<'_>, reloc: &Rela, value: u64) -> Result<(), Fault> {
    let Some(part) = sum_part(reloc.r_type()) else { return Ok(()) };
    let order = site.operands.image.machine.byte_order;
    let at = site.at(reloc);
    part.apply(order, site.out, at, value).ok_or(Fault::BadPlace)
}

/// The value of a relocation as it was written.
fn value(site: &Site<'_>, reloc: &Rela, index: usize, target: Target) -> Result<u64, Fault> {
    let r_type = reloc.r_type();
    match r_type {
        R_LARCH_PCADD_LO12
        | R_LARCH_GOT_PCADD_LO12
        | R_LARCH_TLS_IE_PCADD_LO12
        | R_LARCH_TLS_LD_PCADD_LO12
        | R_LARCH_TLS_GD_PCADD_LO12
        | R_LARCH_TLS_DESC_PCADD_LO12 => {
            let (upper, target) = upper_of(site, index, target)?;
            of_symbol(site, upper, upper.r_type(), target).ok_or(Fault::Unsupported)
        }
        R_LARCH_PCALA_LO12 => {
            let at = site.at(reloc);
            let is_jump = instruction::read(site.out, at).is_some_and(|word| Form::JIRL.is(word));
            Ok(if is_jump { site.called(reloc, target) } else { site.address(reloc, target) })
        }
        R_LARCH_PCALA_HI20 if target.is_indirect => {
            // What calls a function and what takes its address are the same, if it has an address.
            let (code, index) = Code::of(site.operands, index);
            let is_call = code.word_behind(index, 4).is_some_and(|word| Form::JIRL.is(word));
            let address =
                if is_call { site.called(reloc, target) } else { site.address(reloc, target) };
            Ok(pages(address, site.place(reloc)))
        }
        _ => of_symbol(site, reloc, r_type, target).ok_or(Fault::Unsupported),
    }
}

/// What a type's field holds for a symbol, in the letters of the psABI; `None` for a type that only
/// the loader applies.
fn of_symbol(site: &Site<'_>, reloc: &Rela, r_type: u32, target: Target) -> Option<u64> {
    let operands = site.operands;
    let a = reloc.r_addend() as u64;
    let p = site.place(reloc);
    let address = || site.address(reloc, target);
    let distance = |to: u64| to.wrapping_sub(p);
    let got = || operands.got_address(reloc).wrapping_add(a);
    let gottp = || operands.gottp(reloc).wrapping_add(a);
    let tlsgd = || operands.tlsgd(reloc).wrapping_add(a);
    let tlsdesc = || operands.tlsdesc(reloc).wrapping_add(a);
    // The words for `__tls_get_addr` have types of their own for the upper part alone.
    let any_got = || if operands.tlsgd(reloc) == 0 { got() } else { tlsgd() };
    // The third instruction and the fourth are so far behind the first.
    let far = |to: u64, behind: u64| far_pages(to, p.wrapping_sub(behind));
    Some(match r_type {
        R_LARCH_NONE | R_LARCH_TLS_LE_ADD_R | R_LARCH_TLS_DESC_LD | R_LARCH_TLS_DESC_CALL => 0,
        R_LARCH_32 | R_LARCH_64 => target.sum,
        R_LARCH_B16 | R_LARCH_B21 | R_LARCH_B26 | R_LARCH_CALL36 | R_LARCH_CALL30 => {
            distance(called(site, reloc, target))
        }
        R_LARCH_ABS_HI20 | R_LARCH_ABS_LO12 | R_LARCH_ABS64_LO20 | R_LARCH_ABS64_HI12
        | R_LARCH_PCALA_LO12 => address(),
        R_LARCH_PCALA_HI20 => pages(address(), p),
        R_LARCH_PCALA64_LO20 => far(address(), 8),
        R_LARCH_PCALA64_HI12 => far(address(), 12),
        R_LARCH_32_PCREL | R_LARCH_64_PCREL | R_LARCH_PCREL20_S2 | R_LARCH_PCADD_HI20 => {
            distance(address())
        }
        R_LARCH_GOT_PC_HI20 => pages(got(), p),
        R_LARCH_GOT_PC_LO12 | R_LARCH_GOT_LO12 | R_LARCH_GOT64_LO20 | R_LARCH_GOT64_HI12 => {
            any_got()
        }
        R_LARCH_GOT64_PC_LO20 => far(any_got(), 8),
        R_LARCH_GOT64_PC_HI12 => far(any_got(), 12),
        R_LARCH_GOT_HI20 => got(),
        R_LARCH_GOT_PCADD_HI20 => distance(got()),
        R_LARCH_TLS_TPREL32
        | R_LARCH_TLS_TPREL64
        | R_LARCH_TLS_LE_HI20..=R_LARCH_TLS_LE64_HI12
        | R_LARCH_TLS_LE_HI20_R
        | R_LARCH_TLS_LE_LO12_R => offset(site, reloc, target),
        R_LARCH_TLS_DTPREL32 | R_LARCH_TLS_DTPREL64 => {
            operands.dtpoff(operands.view(reloc), target.s).wrapping_add(a)
        }
        R_LARCH_TLS_IE_PC_HI20 => pages(gottp(), p),
        R_LARCH_TLS_IE64_PC_LO20 => far(gottp(), 8),
        R_LARCH_TLS_IE64_PC_HI12 => far(gottp(), 12),
        R_LARCH_TLS_IE_PC_LO12 | R_LARCH_TLS_IE_HI20..=R_LARCH_TLS_IE64_HI12 => gottp(),
        R_LARCH_TLS_IE_PCADD_HI20 => distance(gottp()),
        R_LARCH_TLS_LD_PC_HI20 | R_LARCH_TLS_GD_PC_HI20 => pages(tlsgd(), p),
        R_LARCH_TLS_LD_HI20 | R_LARCH_TLS_GD_HI20 => tlsgd(),
        R_LARCH_TLS_LD_PCREL20_S2
        | R_LARCH_TLS_GD_PCREL20_S2
        | R_LARCH_TLS_LD_PCADD_HI20
        | R_LARCH_TLS_GD_PCADD_HI20 => distance(tlsgd()),
        R_LARCH_TLS_DESC_PC_HI20 => pages(tlsdesc(), p),
        R_LARCH_TLS_DESC64_PC_LO20 => far(tlsdesc(), 8),
        R_LARCH_TLS_DESC64_PC_HI12 => far(tlsdesc(), 12),
        R_LARCH_TLS_DESC_PC_LO12 | R_LARCH_TLS_DESC_HI20..=R_LARCH_TLS_DESC64_HI12 => tlsdesc(),
        R_LARCH_TLS_DESC_PCREL20_S2 | R_LARCH_TLS_DESC_PCADD_HI20 => distance(tlsdesc()),
        _ => return None,
    })
}

/// Where a branch leads. One to a symbol without a definition, where that is allowed, goes nowhere:
/// programs are too far from zero.
fn called(site: &Site<'_>, reloc: &Rela, target: Target) -> u64 {
    let s = if target.is_indirect { site.operands.function_address(reloc) } else { target.s };
    if s == 0 && site.operands.view(reloc).attributes & attr::NO_DEFINITION != 0 {
        return site.place(reloc);
    }
    site.called(reloc, target)
}

/// The offset of a variable from the thread pointer.
fn offset(site: &Site<'_>, reloc: &Rela, target: Target) -> u64 {
    let view = site.operands.view(reloc);
    site.operands.tpoff(view, target.s).wrapping_add_signed(reloc.r_addend())
}

/// The lower part of such an offset. If all of it fits, the instructions before it may be gone, and
/// the thread pointer is the base.
fn low_of_offset(
    site: &mut Site<'_>,
    reloc: &Rela,
    index: usize,
    target: Target,
) -> Result<(), Fault> {
    let offset = offset(site, reloc, target);
    let (code, index) = Code::of(site.operands, index);
    let is_all = site.operands.image.relax
        && shrink::fits_low(offset, site.is_32())
        && code.is_relaxable(index);
    let at = site.at(reloc);
    let is_put = instruction::put(site.out, at, Field::Low, offset)
        && (!is_all || instruction::change(site.out, at, |word| with_rj(word, TP)));
    if is_put { Ok(()) } else { Err(Fault::BadPlace) }
}

/// The relocation with the upper part at a label, and its target.
fn upper_of<'a>(site: &Site<'a>, index: usize, label: Target) -> Result<(&'a Rela, Target), Fault> {
    let Operands { image, patch } = site.operands;
    let start = patch.address.wrapping_sub(patch.section_offset);
    // Sections that lose bytes are applied as a whole, and their relocations have moved.
    let is_part = !patch.section.flags.has(SectionFlags::SHRINKS);
    let object = &image.objects[patch.section.object];
    let all = if is_part { object.relocs(patch.section) } else { &[] };
    let is_upper = |r_type| field(r_type) == Field::RoundedUpper && r_type != R_LARCH_TLS_LE_HI20_R;
    let at = label.s.wrapping_sub(start);
    let upper = upper_part::find(patch, all, index, at, is_upper).ok_or(Fault::Unpaired)?;
    let target = site.target_of(upper)?.ok_or(Fault::Unpaired)?;
    Ok((upper, target))
}
