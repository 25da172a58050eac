//! What relocations write ("ELF for the Arm Architecture", "Relocation types"), for the loop of
//! [`crate::loops::apply_loop`]. T, the bit for Thumb, is in the values of functions; formulas
//! without it take it away.

use super::branch::{self, Goal, Kind};
use super::scan::meaning;
use super::{thunk, tls};
use crate::format::elf::Rela;
use crate::loops::apply_loop::{ApplyTypes, Site, Target};
use crate::loops::thunks::Branch;
use crate::machine::arm::MACHINE;
use crate::machine::arm::code_addend::{self, is_blx, rotated};
use crate::machine::arm::howto::*;
use crate::machine::howto::Range;
use crate::synth::patch::Fault;
use object::elf::PT_LOAD;

/// ARM's part of the apply loop.
pub struct Types;

impl ApplyTypes for Types {
    #[inline(always)]
    fn is_mark(r_type: u32) -> bool {
        matches!(r_type, R_ARM_NONE | R_ARM_GNU_VTENTRY | R_ARM_GNU_VTINHERIT | R_ARM_ME_TOO)
    }

    #[inline(always)]
    fn plain(site: &mut Site<'_>, reloc: &Rela, r_type: u32, sum: u64) -> bool {
        match r_type {
            R_ARM_ABS32 => {
                let at = site.at(reloc);
                site.put_data(at, 4, sum)
            }
            R_ARM_REL32 => {
                let (at, value) = (site.at(reloc), sum.wrapping_sub(site.place(reloc)));
                site.put_data(at, 4, value)
            }
            _ => false,
        }
    }

    fn any(site: &mut Site<'_>, reloc: &Rela, _: usize, target: Target) -> Result<(), Fault> {
        let image = site.operands.image;
        let p = site.place(reloc);
        let r_type = meaning(image.platform_types, reloc.r_type());
        let value = match r_type {
            // The loader writes the field.
            R_ARM_ABS32 | R_ARM_ABS32_NOI | R_ARM_TARGET1 if target.is_indirect => 0,
            R_ARM_ABS32 | R_ARM_TARGET1 => target.sum,
            R_ARM_ABS32_NOI => without_bit(site, reloc, target.sum),
            R_ARM_ABS16 | R_ARM_ABS8 | R_ARM_ABS12 | R_ARM_THM_ABS5 => {
                without_bit(site, reloc, site.address(reloc, target))
            }
            R_ARM_MOVW_ABS_NC
            | R_ARM_MOVT_ABS
            | R_ARM_THM_MOVW_ABS_NC
            | R_ARM_THM_MOVT_ABS
            | R_ARM_THM_ALU_ABS_G0_NC..=R_ARM_THM_ALU_ABS_G3 => site.address(reloc, target),
            R_ARM_PLT32_ABS => site.called(reloc, target),
            R_ARM_REL32
            | R_ARM_MOVW_PREL_NC
            | R_ARM_MOVT_PREL
            | R_ARM_THM_MOVW_PREL_NC
            | R_ARM_THM_MOVT_PREL
            | R_ARM_ALU_PCREL_7_0..=R_ARM_ALU_PCREL_23_15
            | R_ARM_ALU_PC_G0_NC..=R_ARM_ALU_PC_G2 => site.address(reloc, target).wrapping_sub(p),
            R_ARM_REL32_NOI | R_ARM_LDR_PC_G0 | R_ARM_LDR_PC_G1..=R_ARM_LDC_PC_G2 => {
                without_bit(site, reloc, site.address(reloc, target)).wrapping_sub(p)
            }
            R_ARM_THM_PC8 | R_ARM_THM_PC12 => {
                without_bit(site, reloc, site.address(reloc, target)).wrapping_sub(p & !3)
            }
            // ADR counts from a multiple of four.
            R_ARM_THM_ALU_PREL_11_0 => site.address(reloc, target).wrapping_sub(p & !3),
            R_ARM_PREL31 => site.called(reloc, target).wrapping_sub(p),
            R_ARM_PC24 | R_ARM_PLT32 | R_ARM_CALL | R_ARM_JUMP24 | R_ARM_XPC25 | R_ARM_THM_CALL
            | R_ARM_THM_XPC22 | R_ARM_THM_JUMP24 | R_ARM_THM_JUMP19 => {
                return jump(site, reloc, target);
            }
            R_ARM_THM_JUMP11
            | R_ARM_THM_JUMP8
            | R_ARM_THM_JUMP6
            | R_ARM_THM_BF16..=R_ARM_THM_BF18 => {
                without_bit(site, reloc, site.called(reloc, target)).wrapping_sub(p)
            }
            R_ARM_V4BX => return branch_register(site, reloc),
            _ => return from_base(site, reloc, r_type, target),
        };
        put(site, reloc, r_type, value)
    }

    fn gone(site: &mut Site<'_>, reloc: &Rela) {
        // It has no symbol.
        if reloc.r_type() == R_ARM_V4BX {
            let _ = branch_register(site, reloc);
        }
        let size = match field(reloc.r_type()) {
            Some(Field::Data) => MACHINE.howto(reloc.r_type()).map_or(0, |howto| howto.size),
            Some(Field::Data31) => 4,
            _ => return,
        };
        site.put_gone(reloc, size.into());
    }
}

/// A distance from a segment or from the GOT.
fn from_base(site: &mut Site<'_>, reloc: &Rela, r_type: u32, target: Target) -> Result<(), Fault> {
    let operands = site.operands;
    let got = operands.image.got_base;
    let a = reloc.r_addend() as u64;
    let p = site.place(reloc);
    let word = || operands.got_address(reloc).wrapping_add(a);
    let value = match r_type {
        R_ARM_SBREL32
        | R_ARM_SBREL31
        | R_ARM_LDR_SBREL_11_0_NC..=R_ARM_ALU_SBREL_27_20_CK
        | R_ARM_ALU_SB_G0_NC..=R_ARM_ALU_SB_G2
        | R_ARM_MOVW_BREL_NC..=R_ARM_THM_MOVW_BREL => {
            from_segment(site, target.s, site.address(reloc, target))
        }
        R_ARM_LDR_SB_G0..=R_ARM_LDC_SB_G2 => {
            let sum = without_bit(site, reloc, site.address(reloc, target));
            from_segment(site, target.s, sum)
        }
        R_ARM_GOTOFF32 | R_ARM_GOTOFF12 => site.address(reloc, target).wrapping_sub(got),
        R_ARM_BASE_PREL => got.wrapping_add(a).wrapping_sub(p),
        R_ARM_BASE_ABS => got.wrapping_add(a),
        R_ARM_GOT_BREL | R_ARM_GOT_BREL12 | R_ARM_THM_GOT_BREL12 => word().wrapping_sub(got),
        R_ARM_GOT_PREL => word().wrapping_sub(p),
        R_ARM_GOT_ABS => word(),
        _ => return tls::apply(site, reloc, target),
    };
    put(site, reloc, r_type, value)
}

/// BX, for a processor without it: a move to the program counter.
fn branch_register(site: &mut Site<'_>, reloc: &Rela) -> Result<(), Fault> {
    let image = site.operands.image;
    if !image.replaces_bx {
        return Ok(());
    }
    let (order, at) = (image.machine.byte_order, site.at(reloc));
    let field = Field::BranchRegister;
    let word = code_addend::read(order, field, site.out, at).ok_or(Fault::BadPlace)?;
    code_addend::write(order, field, site.out, at, word & 0xf000_000f | 0x01a0_f000);
    Ok(())
}

/// S + A without the bit for Thumb.
fn without_bit(site: &Site<'_>, reloc: &Rela, sum: u64) -> u64 {
    let is_odd = sum.wrapping_sub(reloc.r_addend() as u64) & 1 != 0;
    if is_odd && branch::is_function(site.operands, reloc) { sum.wrapping_sub(1) } else { sum }
}

/// The distance from the start of the segment that a symbol is in: B(S), from which the static base
/// counts.
fn from_segment(site: &Site<'_>, s: u64, sum: u64) -> u64 {
    let mut segments = site.operands.image.segments.iter().filter(|one| one.p_type == PT_LOAD);
    let holds = |start: u64, size: u64| s.wrapping_sub(start) <= size;
    let found = segments.find(|one| holds(one.address, one.memory_size));
    sum.wrapping_sub(found.map_or(0, |segment| segment.address))
}

/// Writes a value of a type after checking its range and alignment.
pub fn put(site: &mut Site<'_>, reloc: &Rela, r_type: u32, value: u64) -> Result<(), Fault> {
    let field = field(r_type).ok_or(Fault::Unsupported)?;
    let machine = site.operands.image.machine;
    let howto = machine.howto(r_type).ok_or(Fault::Unsupported)?;
    let at = site.at(reloc);
    let number = site.number(value);
    if !matches!(howto.range, Range::Any) && !howto.range.contains(number) {
        return Err(Fault::OutOfRange(number));
    }
    if value & (field.align() - 1) != 0 && !is_group(r_type) {
        return Err(Fault::Misaligned(value));
    }
    if field == Field::Data {
        let is_done = site.put_data(at, howto.size.into(), value);
        return if is_done { Ok(()) } else { Err(Fault::BadPlace) };
    }
    let order = machine.byte_order;
    let word = code_addend::read(order, field, site.out, at).ok_or(Fault::BadPlace)?;
    let new = code_addend::put(field, word, part(r_type, number)?);
    code_addend::write(order, field, site.out, at, new);
    Ok(())
}

/// Whether several instructions add parts of the value.
const fn is_group(r_type: u32) -> bool {
    matches!(r_type, R_ARM_LDR_PC_G0 | R_ARM_ALU_PC_G0_NC..=R_ARM_LDC_SB_G2)
}

/// The part of a value that is in an instruction.
fn part(r_type: u32, value: i64) -> Result<i64, Fault> {
    let too_far = Err(Fault::OutOfRange(value));
    let with_sign = |size: u32| if value < 0 { -i64::from(size) } else { size.into() };
    let size = value.unsigned_abs() as u32;
    // By type: which group it is, and how many bits have to hold the rest, and what of.
    let (group, limit) = match r_type {
        R_ARM_MOVT_ABS | R_ARM_MOVT_PREL | R_ARM_MOVT_BREL | R_ARM_THM_MOVT_ABS
        | R_ARM_THM_MOVT_PREL | R_ARM_THM_MOVT_BREL => return Ok(value >> 16),
        R_ARM_THM_ALU_ABS_G0_NC..=R_ARM_THM_ALU_ABS_G3 => {
            return Ok(value >> (8 * (r_type - R_ARM_THM_ALU_ABS_G0_NC)) & 0xff);
        }
        R_ARM_ALU_PCREL_7_0 => return Ok(with_sign(size & 0xff)),
        R_ARM_ALU_PCREL_15_8 => return Ok(with_sign(size & 0xff00)),
        R_ARM_ALU_PCREL_23_15 => return Ok(with_sign(size & 0xff_0000)),
        R_ARM_LDR_SBREL_11_0_NC => return Ok(with_sign(size & 0xfff)),
        R_ARM_ALU_SBREL_19_12_NC => return Ok(with_sign(size & 0xf_f000)),
        R_ARM_ALU_SBREL_27_20_CK if size >> 28 != 0 => return too_far,
        R_ARM_ALU_SBREL_27_20_CK => return Ok(with_sign(size & 0xff0_0000)),
        R_ARM_ABS12 if size > 0xfff => return too_far,
        R_ARM_ALU_PC_G0_NC | R_ARM_ALU_PC_G0 | R_ARM_ALU_SB_G0_NC | R_ARM_ALU_SB_G0 => (0, None),
        R_ARM_ALU_PC_G1_NC | R_ARM_ALU_PC_G1 | R_ARM_ALU_SB_G1_NC | R_ARM_ALU_SB_G1 => (1, None),
        R_ARM_ALU_PC_G2 | R_ARM_ALU_SB_G2 => (2, None),
        R_ARM_LDR_PC_G0 | R_ARM_LDR_SB_G0 => (0, Some((12, 1))),
        R_ARM_LDR_PC_G1 | R_ARM_LDR_SB_G1 => (1, Some((12, 1))),
        R_ARM_LDR_PC_G2 | R_ARM_LDR_SB_G2 => (2, Some((12, 1))),
        R_ARM_LDRS_PC_G0 | R_ARM_LDRS_SB_G0 => (0, Some((8, 1))),
        R_ARM_LDRS_PC_G1 | R_ARM_LDRS_SB_G1 => (1, Some((8, 1))),
        R_ARM_LDRS_PC_G2 | R_ARM_LDRS_SB_G2 => (2, Some((8, 1))),
        R_ARM_LDC_PC_G0 | R_ARM_LDC_SB_G0 => (0, Some((10, 4))),
        R_ARM_LDC_PC_G1 | R_ARM_LDC_SB_G1 => (1, Some((10, 4))),
        R_ARM_LDC_PC_G2 | R_ARM_LDC_SB_G2 => (2, Some((10, 4))),
        _ => return Ok(value),
    };
    let (own, rest) = groups(size, group);
    let left = left_before(size, group);
    match limit {
        Some((bits, _)) if left >> bits != 0 => too_far,
        Some((_, unit)) if !left.is_multiple_of(unit) => Err(Fault::Misaligned(value as u64)),
        Some(_) => Ok(with_sign(left)),
        None => {
            let is_checked = !matches!(
                r_type,
                R_ARM_ALU_PC_G0_NC | R_ARM_ALU_PC_G1_NC | R_ARM_ALU_SB_G0_NC | R_ARM_ALU_SB_G1_NC
            );
            if is_checked && rest != 0 { too_far } else { Ok(with_sign(own)) }
        }
    }
}

/// The constant of group `n`, and what is left behind it: each group takes the highest eight bits
/// that begin at an even one.
fn groups(size: u32, n: u32) -> (u32, u32) {
    let (mut own, mut rest) = (0, size);
    for _ in 0..=n {
        let width = u32::BITS - rest.leading_zeros();
        let shift = width.next_multiple_of(2).saturating_sub(8);
        own = rest & 0xff << shift;
        rest -= own;
    }
    debug_assert!(rotated(own).is_some());
    (own, rest)
}

/// What is left before group `n`.
fn left_before(size: u32, n: u32) -> u32 {
    n.checked_sub(1).map_or(size, |before| groups(size, before).1)
}

/// Writes the distance of a branch that may go through a thunk, and makes it BL or BLX.
fn jump(site: &mut Site<'_>, reloc: &Rela, target: Target) -> Result<(), Fault> {
    let operands = site.operands;
    let image = operands.image;
    let machine = image.machine;
    let (r_type, at, place) = (reloc.r_type(), site.at(reloc), site.place(reloc));
    let field = field(r_type).ok_or(Fault::Unsupported)?;
    let word = code_addend::read(machine.byte_order, field, site.out, at).ok_or(Fault::BadPlace)?;
    let kind = Kind::of(r_type, word, image.described.processor).ok_or(Fault::Unsupported)?;
    let to = if target.is_indirect {
        branch::Target::Indirect
    } else {
        branch::Target::Here(target.sum.wrapping_sub(reloc.r_addend() as u64))
    };
    let new = match branch::goal(operands, reloc, kind, to) {
        None => nowhere(kind, word),
        Some(goal) => {
            let goal = if kind.leads_to(place, goal) {
                goal
            } else {
                through_thunk(site, reloc, kind, goal)?
            };
            let from = kind.origin(place, goal.is_thumb).wrapping_add(kind.reach.origin);
            let distance = site.number(goal.address.wrapping_sub(from));
            let align = if goal.is_thumb { 2 } else { 4 };
            if goal.address & (align - 1) != 0 {
                return Err(Fault::Misaligned(goal.address));
            }
            code_addend::put(field, with_kind(kind, word, goal.is_thumb), distance)
        }
    };
    code_addend::write(machine.byte_order, field, site.out, at, new);
    Ok(())
}

/// BL or BLX, by the code that a call leads to.
fn with_kind(kind: Kind, word: u32, to_thumb: bool) -> u32 {
    match (kind.can_change, kind.is_thumb) {
        (false, _) => word,
        (true, false) if to_thumb => 0xfa00_0000,
        (true, false) if is_blx(word) => 0xeb00_0000,
        (true, false) => word,
        (true, true) if to_thumb => word | 1 << 12,
        (true, true) => word & !(1 << 12),
    }
}

/// The instruction for a branch that leads nowhere: it goes on behind itself, and leaves the return
/// address alone.
fn nowhere(kind: Kind, word: u32) -> u32 {
    match kind.is_thumb {
        // b .+4, and a no-op
        true => 0xe000_bf00,
        // mov r0, r0, with the condition
        false if is_blx(word) => 0xe1a0_0000,
        false => word & 0xf000_0000 | 0x01a0_0000,
    }
}

/// The thunk through which a branch goes to its goal.
#[cold]
fn through_thunk(site: &Site<'_>, reloc: &Rela, kind: Kind, goal: Goal) -> Result<Goal, Fault> {
    let operands = site.operands;
    let place = site.place(reloc);
    let too_far = || {
        let distance = goal.with_bit().wrapping_sub(place.wrapping_add(kind.reach.origin));
        Fault::OutOfRange(site.number(distance))
    };
    let patch = operands.patch;
    let position =
        operands.image.outputs.position_of(patch.section.output()).ok_or_else(too_far)?;
    let branch = Branch { object: patch.section.object, reloc: *reloc, place, reach: kind.reach };
    let found = thunk::THUNKS.find(operands.image, position, branch, goal.with_bit());
    let address = found.ok_or_else(too_far)?;
    Ok(Goal { address, is_thumb: kind.is_thumb, has_bit: false })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_take_eight_bits_each() {
        assert_eq!(groups(0x1234_5678, 0), (0x1200_0000, 0x34_5678));
        assert_eq!(groups(0x1234_5678, 1), (0x34_4000, 0x1678));
        assert_eq!(groups(0xff, 0), (0xff, 0));
        assert_eq!(groups(0x1fe, 0), (0x1fc, 2));
        assert_eq!(groups(0, 2), (0, 0));
        assert_eq!(left_before(0x1_0004, 1), 4);
    }

    #[test]
    fn parts_are_checked() {
        assert_eq!(part(R_ARM_ALU_PC_G0, 0x100), Ok(0x100));
        assert_eq!(part(R_ARM_ALU_PC_G0, 0x101), Err(Fault::OutOfRange(0x101)));
        assert_eq!(part(R_ARM_ALU_PC_G0_NC, -0x1_0004), Ok(-0x1_0000));
        assert_eq!(part(R_ARM_LDR_PC_G1, -0x1_0004), Ok(-4));
        assert_eq!(part(R_ARM_LDR_PC_G0, 0x1000), Err(Fault::OutOfRange(0x1000)));
        assert_eq!(part(R_ARM_LDC_PC_G0, 0x3fc), Ok(0x3fc));
        assert_eq!(part(R_ARM_LDC_PC_G0, 0x3fe), Err(Fault::Misaligned(0x3fe)));
        assert_eq!(part(R_ARM_LDRS_PC_G0, 0x100), Err(Fault::OutOfRange(0x100)));
        assert_eq!(part(R_ARM_MOVT_ABS, 0x1234_5678), Ok(0x1234));
        assert_eq!(part(R_ARM_THM_ALU_ABS_G3, 0x1234_5678), Ok(0x12));
    }

    #[test]
    fn calls_become_those_of_the_other_kind() {
        let kind = |r_type, word| Kind::of(r_type, word, !0).unwrap();
        let of = |r_type, word, to_thumb| with_kind(kind(r_type, word), word, to_thumb);
        assert_eq!(of(R_ARM_CALL, 0xebff_fffe, true), 0xfa00_0000);
        assert_eq!(of(R_ARM_CALL, 0xfaff_fffe, false), 0xeb00_0000);
        assert_eq!(of(R_ARM_JUMP24, 0xeaff_fffe, true), 0xeaff_fffe);
        assert_eq!(of(R_ARM_THM_CALL, 0xf7ff_effe, true), 0xf7ff_fffe);
        assert_eq!(of(R_ARM_THM_CALL, 0xf7ff_fffe, false), 0xf7ff_effe);
        assert_eq!(nowhere(kind(R_ARM_JUMP24, 0), 0x0aff_fffe), 0x01a0_0000);
    }
}
