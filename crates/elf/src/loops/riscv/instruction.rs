//! The values that instructions hold: where their bits are ("The RISC-V Instruction Set Manual",
//! volume I, "Base Instruction Formats" and "Compressed Instruction Formats").

use crate::machine::riscv::howto::Field;
use skald_core::field;

/// `nop`, and of two bytes `c.nop`.
pub const NOP: u32 = 0x0000_0013;
pub const SHORT_NOP: u16 = 0x0001;

/// Registers.
pub const ZERO: u32 = 0;
pub const RA: u32 = 1;
pub const SP: u32 = 2;
pub const GP: u32 = 3;
pub const TP: u32 = 4;

/// The instruction word at `at`; `None` if it is not all there.
#[inline(always)]
pub fn read(bytes: &[u8], at: usize) -> Option<u32> {
    let word = bytes.get(at..)?.first_chunk()?;
    Some(u32::from_le_bytes(*word))
}

/// Changes the word at `at`; `false` if it is not all there.
#[inline(always)]
pub fn change(out: &mut [u8], at: usize, with: impl FnOnce(u32) -> u32) -> bool {
    field::update(out, at, |word| with(u32::from_le_bytes(word)).to_le_bytes())
}

/// Changes the instruction of two bytes at `at`; `false` if it is not all there.
#[inline(always)]
pub fn change_short(out: &mut [u8], at: usize, with: impl FnOnce(u16) -> u16) -> bool {
    field::update(out, at, |word| with(u16::from_le_bytes(word)).to_le_bytes())
}

/// Bits of `value` from `low` on, `count` of them, moved to `at`.
#[inline(always)]
const fn bits(value: u64, low: u32, count: u32, at: u32) -> u32 {
    ((value >> low) as u32 & ((1 << count) - 1)) << at
}

/// The upper 20 bits, rounded so that the lower 12 can be added with a sign.
#[inline(always)]
pub const fn with_upper(word: u32, value: u64) -> u32 {
    word & 0xfff | (value as u32).wrapping_add(0x800) & 0xffff_f000
}

/// The lower 12 bits of a load or an addition.
#[inline(always)]
pub const fn with_low_load(word: u32, value: u64) -> u32 {
    word & 0xf_ffff | bits(value, 0, 12, 20)
}

/// The lower 12 bits of a store.
#[inline(always)]
pub const fn with_low_store(word: u32, value: u64) -> u32 {
    word & 0x01ff_f07f | bits(value, 5, 7, 25) | bits(value, 0, 5, 7)
}

/// The distance of a conditional branch.
#[inline(always)]
pub const fn with_branch(word: u32, value: u64) -> u32 {
    word & 0x01ff_f07f
        | bits(value, 12, 1, 31)
        | bits(value, 5, 6, 25)
        | bits(value, 1, 4, 8)
        | bits(value, 11, 1, 7)
}

/// The distance of a jump.
#[inline(always)]
pub const fn with_jump(word: u32, value: u64) -> u32 {
    word & 0xfff
        | bits(value, 20, 1, 31)
        | bits(value, 1, 10, 21)
        | bits(value, 11, 1, 20)
        | bits(value, 12, 8, 12)
}

/// The distance of a conditional branch of two bytes.
pub const fn with_short_branch(word: u16, value: u64) -> u16 {
    word & 0xe383
        | (bits(value, 8, 1, 12)
            | bits(value, 3, 2, 10)
            | bits(value, 6, 2, 5)
            | bits(value, 1, 2, 3)
            | bits(value, 5, 1, 2)) as u16
}

/// The distance of a jump of two bytes.
pub const fn with_short_jump(word: u16, value: u64) -> u16 {
    word & 0xe003
        | (bits(value, 11, 1, 12)
            | bits(value, 4, 1, 11)
            | bits(value, 8, 2, 9)
            | bits(value, 10, 1, 8)
            | bits(value, 6, 1, 7)
            | bits(value, 7, 1, 6)
            | bits(value, 1, 3, 3)
            | bits(value, 5, 1, 2)) as u16
}

/// The upper bits of `c.lui`, which cannot be zero: `c.li` loads that.
pub const fn with_short_upper(word: u16, value: u64) -> u16 {
    let upper = value.wrapping_add(0x800);
    let word = word & 0x0f83 | if upper >> 12 & 0x3f == 0 { 0x4001 } else { 0x6001 };
    word | (bits(upper, 17, 1, 12) | bits(upper, 12, 5, 2)) as u16
}

/// Writes a value to the instruction at `at`; `false` if it is not all there. `kind` is one of
/// instructions.
#[inline(always)]
pub fn put(out: &mut [u8], at: usize, kind: Field, value: u64) -> bool {
    match kind {
        Field::Upper => change(out, at, |word| with_upper(word, value)),
        Field::LowLoad => change(out, at, |word| with_low_load(word, value)),
        Field::LowStore => change(out, at, |word| with_low_store(word, value)),
        Field::Branch => change(out, at, |word| with_branch(word, value)),
        Field::Jump => change(out, at, |word| with_jump(word, value)),
        Field::Call => {
            change(out, at, |word| with_upper(word, value))
                && change(out, at + 4, |word| with_low_load(word, value))
        }
        Field::ShortBranch => change_short(out, at, |word| with_short_branch(word, value)),
        Field::ShortJump => change_short(out, at, |word| with_short_jump(word, value)),
        Field::ShortUpper => change_short(out, at, |word| with_short_upper(word, value)),
        _ => false,
    }
}

/// Another base register of a load, a store or an addition.
pub const fn with_base(word: u32, register: u32) -> u32 {
    word & !(0x1f << 15) | register << 15
}

/// The destination.
pub const fn destination(word: u32) -> u32 {
    word >> 7 & 0x1f
}

#[cfg(test)]
mod tests {
    use super::*;

    // Encodings as the GNU assembler writes them.
    #[test]
    fn fields_are_those_of_the_manual() {
        // auipc a0, 0x12346; addi a0, a0, -0x322
        assert_eq!(with_upper(0x0000_0517, 0x1234_5cde), 0x1234_6517);
        assert_eq!(with_low_load(0x0005_0513, 0x1234_5cde), 0xcde5_0513);
        // sw a1, -0x322(a0)
        assert_eq!(with_low_store(0x00b5_2023, 0xcde), 0xccb5_2f23);
        // beq a0, a1, . - 0x1000; jal ra, . - 0x100000
        assert_eq!(with_branch(0x00b5_0063, -0x1000_i64 as u64), 0x80b5_0063);
        assert_eq!(with_branch(0x00b5_0063, 0xffe), 0x7eb5_0fe3);
        assert_eq!(with_jump(0x0000_00ef, -0x10_0000_i64 as u64), 0x8000_00ef);
        assert_eq!(with_jump(0x0000_00ef, 0xf_fffe), 0x7fff_f0ef);
        // c.beqz a0, . - 0x100; c.j . + 0x7fe; c.lui a0, 0x1f
        assert_eq!(with_short_branch(0xc101, -0x100_i64 as u64), 0xd101);
        assert_eq!(with_short_branch(0xc101, 0xfe), 0xcd7d);
        assert_eq!(with_short_jump(0xa001, 0x7fe), 0xaffd);
        assert_eq!(with_short_jump(0xa001, -0x800_i64 as u64), 0xb001);
        assert_eq!(with_short_upper(0x6505, 0x1_f000), 0x657d);
        assert_eq!(with_short_upper(0x6505, 0x7ff), 0x4501);
    }
}
