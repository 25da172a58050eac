//! Instructions: where their fields are ("Power ISA", book I, "Instruction Formats"), and those
//! that the linker writes.

use crate::machine::ppc64::howto::Field;
use skald_linking::byte_order::ByteOrder;

pub const NOP: u32 = 0x6000_0000;
/// `ld r2, 24(r1)`: the TOC's address from where callers save it.
pub const RESTORE_TOC: u32 = 0xe841_0018;
/// The same where functions have descriptors: `ld r2, 40(r1)`.
pub const RESTORE_TOC_V1: u32 = 0xe841_0028;
/// `std r2, 24(r1)`
pub const SAVE_TOC: u32 = 0xf841_0018;
/// `std r2, 40(r1)`
pub const SAVE_TOC_V1: u32 = 0xf841_0028;
/// Old forms of a no-op behind a call.
const OLD_NOPS: [u32; 2] = [0x4def_7b82, 0x4fff_fb82];

/// Registers.
pub const TOC: u32 = 2;
pub const THREAD: u32 = 13;

/// Primary opcodes.
pub const ADDI: u32 = 14;
pub const ADDIS: u32 = 15;
pub const LWZ: u32 = 32;
/// `lwzu`: a load that leaves its address in the base register.
pub const LWZU: u32 = 33;
const LQ: u32 = 56;
/// `ld`, `ldu`, `lwa`, by the lowest bits.
pub const LD: u32 = 58;
/// Loads and stores of vectors, by the lowest bits.
const DQ: u32 = 61;

/// The word at `at`; `None` if it is not all there.
#[inline(always)]
pub fn read(order: ByteOrder, bytes: &[u8], at: usize) -> Option<u32> {
    Some(order.number::<u32>(*bytes.get(at..)?.first_chunk()?))
}

/// Writes a word; `None`, with nothing written, if there is no room.
#[inline(always)]
pub fn write(order: ByteOrder, out: &mut [u8], at: usize, word: u32) -> Option<()> {
    let place: &mut [u8; 4] = out.get_mut(at..)?.first_chunk_mut()?;
    order.put_low(place, u64::from(word));
    Some(())
}

/// Changes a word; `None` if it is not all there.
#[inline(always)]
pub fn change(
    order: ByteOrder,
    out: &mut [u8],
    at: usize,
    with: impl FnOnce(u32) -> u32,
) -> Option<()> {
    let word = read(order, out, at)?;
    write(order, out, at, with(word))
}

/// The primary opcode.
pub const fn opcode(word: u32) -> u32 {
    word >> 26
}

/// The register that is written, or stored.
pub const fn target(word: u32) -> u32 {
    word >> 21 & 31
}

/// The register that an address begins with.
pub const fn base(word: u32) -> u32 {
    word >> 16 & 31
}

/// The same instruction with another register at the start of the address.
pub const fn with_base(word: u32, register: u32) -> u32 {
    word & !(31 << 16) | register << 16
}

/// An instruction with a target, a base and 16 bits.
pub const fn with_half(opcode: u32, target: u32, base: u32, half: u64) -> u32 {
    opcode << 26 | target << 21 | base << 16 | half as u32 & 0xffff
}

/// Whether a word is a no-op, as compilers put behind calls.
pub fn is_nop(word: u32) -> bool {
    word == NOP || OLD_NOPS.contains(&word)
}

/// Whether a branch saves its return address.
pub const fn is_call(word: u32) -> bool {
    word & 1 != 0
}

/// The lowest bits of 16 that select the instruction.
pub const fn selecting_bits(word: u32) -> u64 {
    match opcode(word) {
        LQ => 0xf,
        DQ if word & 3 == 1 => 0xf,
        _ => 3,
    }
}

/// The word of a branch or of a DX-form instruction with a value.
pub const fn with_value(word: u32, field: Field, value: u64) -> u32 {
    let value = value as u32;
    match field {
        Field::Branch => word & !0x03ff_fffc | value & 0x03ff_fffc,
        Field::ShortBranch => with_short(word, value),
        Field::LikelyBranch => with_hint(with_short(word, value), true),
        Field::UnlikelyBranch => with_hint(with_short(word, value), false),
        Field::Pieces => word & !0x001f_ffc1 | value & 0xffc1 | (value & 0x3e) << 15,
        _ => word,
    }
}

const fn with_short(word: u32, value: u32) -> u32 {
    word & !0xfffc | value & 0xfffc
}

/// Sets the two bits of a conditional branch that predict it, where its operand has room for them.
const fn with_hint(word: u32, is_likely: bool) -> u32 {
    let word = if is_likely { word | 1 << 21 } else { word & !(1 << 21) };
    if word & 0x14 << 21 == 0x04 << 21 {
        word | 0x02 << 21
    } else if word & 0x14 << 21 == 0x10 << 21 {
        word | 0x08 << 21
    } else {
        word
    }
}

/// An instruction of eight bytes: prefix and suffix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Long {
    pub prefix: u32,
    pub suffix: u32,
}

/// `paddi`: an addition, or with [`FROM_HERE`] an address.
const PADDI: Long = Long { prefix: 0x0600_0000, suffix: ADDI << 26 };
/// `pld`
const PLD: Long = Long { prefix: 0x0400_0000, suffix: 57 << 26 };
/// Bit of the prefix: the distance counts from the instruction.
const FROM_HERE: u32 = 1 << 20;

impl Long {
    /// `pla target, .`
    pub const fn address(target: u32) -> Long {
        Long { prefix: PADDI.prefix | FROM_HERE, suffix: PADDI.suffix | target << 21 }
    }

    /// `pld target, .`
    pub const fn load(target: u32) -> Long {
        Long { prefix: PLD.prefix | FROM_HERE, suffix: PLD.suffix | target << 21 }
    }

    /// `paddi target, base, 0`
    pub const fn add(target: u32, base: u32) -> Long {
        Long { prefix: PADDI.prefix, suffix: PADDI.suffix | target << 21 | base << 16 }
    }

    /// `pnop`
    pub const fn nop() -> Long {
        Long { prefix: 0x0700_0000, suffix: 0 }
    }

    /// The instruction at `at`; `None` if it is not all there.
    pub fn read(order: ByteOrder, bytes: &[u8], at: usize) -> Option<Long> {
        Some(Long {
            prefix: read(order, bytes, at)?,
            suffix: read(order, bytes, at.checked_add(4)?)?,
        })
    }

    /// Writes the instruction; `None` if there is no room.
    pub fn write(self, order: ByteOrder, out: &mut [u8], at: usize) -> Option<()> {
        write(order, out, at.checked_add(4)?, self.suffix)?;
        write(order, out, at, self.prefix)
    }

    /// The instruction with the lowest 34 bits of a value.
    pub const fn with34(self, value: u64) -> Long {
        Long {
            prefix: self.prefix & !0x3_ffff | (value >> 16) as u32 & 0x3_ffff,
            suffix: self.suffix & !0xffff | value as u32 & 0xffff,
        }
    }

    /// The instruction with the lowest 28 bits of a value.
    pub const fn with28(self, value: u64) -> Long {
        Long {
            prefix: self.prefix & !0xfff | (value >> 16) as u32 & 0xfff,
            suffix: self.suffix & !0xffff | value as u32 & 0xffff,
        }
    }

    /// Whether it loads a word from a distance.
    pub const fn is_load_from_here(self) -> bool {
        self.prefix & !0x3_ffff == PLD.prefix | FROM_HERE
            && self.suffix & !(31 << 21 | 0xffff) == PLD.suffix
    }
}

/// For an instruction whose address is the sum of two registers, the one that is the same with a
/// register and 16 bits: opcode, and the lowest bits that select it.
pub const fn with_displacement(word: u32) -> Option<u32> {
    if opcode(word) != 31 {
        return None;
    }
    Some(match word >> 1 & 0x3ff {
        // lwzx, lbzx, lhzx, lhax
        23 => 32 << 26,
        87 => 34 << 26,
        279 => 40 << 26,
        343 => 42 << 26,
        // stwx, stbx, sthx
        151 => 36 << 26,
        215 => 38 << 26,
        407 => 44 << 26,
        // lfsx, lfdx, stfsx, stfdx
        535 => 48 << 26,
        599 => 50 << 26,
        663 => 52 << 26,
        727 => 54 << 26,
        // ldx, lwax, stdx
        21 => LD << 26,
        341 => LD << 26 | 2,
        149 => 62 << 26,
        // add
        266 => ADDI << 26,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn branches_keep_their_other_bits() {
        // bl .-8; bne cr7, .+16
        assert_eq!(with_value(0x4800_0001, Field::Branch, -8i64 as u64), 0x4bff_fff9);
        assert_eq!(with_value(0x409e_0000, Field::ShortBranch, 16), 0x409e_0010);
        // bne+ and bne-
        assert_eq!(with_value(0x409e_0000, Field::LikelyBranch, 16), 0x40fe_0010);
        assert_eq!(with_value(0x409e_0000, Field::UnlikelyBranch, 16), 0x40de_0010);
        // lnia r3; addpcis r3, 0x1235 as the assembler writes it
        assert_eq!(with_value(0x4c60_0004, Field::Pieces, 0x1235), 0x4c7a_1205);
    }

    #[test]
    fn long_instructions() {
        // pla r3, .+0x123456789
        let pla = Long::address(3).with34(0x1_2345_6789);
        assert_eq!([pla.prefix, pla.suffix], [0x0611_2345, 0x3860_6789]);
        // pld r9, .-8
        let pld = Long::load(9).with34(-8i64 as u64);
        assert_eq!([pld.prefix, pld.suffix], [0x0413_ffff, 0xe520_fff8]);
        assert!(pld.is_load_from_here() && !pla.is_load_from_here());
        // paddi r3, r13, -1
        let add = Long::add(3, THREAD).with34(-1i64 as u64);
        assert_eq!([add.prefix, add.suffix], [0x0603_ffff, 0x386d_ffff]);
        let mut out = [0; 9];
        add.write(ByteOrder::Big, &mut out, 1).unwrap();
        assert_eq!(out, [0, 6, 3, 0xff, 0xff, 0x38, 0x6d, 0xff, 0xff]);
        assert_eq!(Long::read(ByteOrder::Big, &out, 1), Some(add));
        assert!(add.write(ByteOrder::Little, &mut out, 2).is_none());
    }

    #[test]
    fn displacements() {
        // lwzx r3, r9, r13 and add r3, r9, r13
        assert_eq!(with_displacement(0x7c69_682e), Some(0x8000_0000));
        assert_eq!(with_displacement(0x7c69_6a14), Some(0x3800_0000));
        // ldux has none.
        assert_eq!(with_displacement(0x7c69_686a), None);
        assert_eq!(selecting_bits(0xf400_0001), 15);
        assert_eq!(selecting_bits(0xe800_0002), 3);
    }
}
