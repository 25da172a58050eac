//! Instructions that linking rewrites, and the bits that hold values in others ("The SPARC
//! Architecture Manual, Version 9", appendix A; SPARC Compliance Definition 2.4, "Thread-Local
//! Storage").

use crate::machine::sparc64::howto::{Field, field};
use skald_core::field as bytes;

/// `nop`.
pub const NOP: u32 = 0x0100_0000;
/// `mov %g0,%o0`.
pub const CLEAR_RESULT: u32 = 0x9010_0000;
/// `add %g7,%o0,%o0`.
pub const ADD_THREAD_POINTER: u32 = 0x9001_c008;
/// The register with the thread pointer.
const G7: u32 = 7;
/// The register with the result of a function.
const O0: u32 = 8;
/// Fields of an instruction: destination, first and second source.
const RD: u32 = 0x1f << 25;
const RS1: u32 = 0x1f << 14;
const RS2: u32 = 0x1f;
/// The second source is an immediate.
const IMMEDIATE: u32 = 1 << 13;

/// The instruction at `at`; `None` if it is not all there.
#[inline(always)]
pub fn read(code: &[u8], at: usize) -> Option<u32> {
    code.get(at..)?.first_chunk().map(|word| u32::from_be_bytes(*word))
}

/// Replaces the instruction at `at`; `false` if it is not all there.
#[inline(always)]
pub fn replace(out: &mut [u8], at: usize, word: u32) -> bool {
    bytes::store(out, at, word.to_be_bytes())
}

/// Whether an instruction is CALL.
pub const fn is_call(word: u32) -> bool {
    word >> 30 == 1
}

/// Whether an instruction adds two registers.
const fn is_addition(word: u32) -> bool {
    word >> 30 == 2 && word >> 19 & 0x3f == 0 && word & IMMEDIATE == 0
}

/// Whether an instruction loads a word from the sum of two registers.
const fn is_load(word: u32) -> bool {
    word >> 30 == 3 && matches!(word >> 19 & 0x3f, 0x00 | 0x0b) && word & IMMEDIATE == 0
}

/// `ldx [%rs1+%rs2],%rd` as an addition of the same registers.
pub const fn load_to_addition(word: u32) -> Option<u32> {
    if is_load(word) { Some(2 << 30 | word & (RD | RS1 | RS2)) } else { None }
}

/// `add %rs1,%rs2,%rd` as a load.
pub const fn addition_to_load(word: u32) -> Option<u32> {
    if is_addition(word) { Some(0xc058_0000 | word & (RD | RS1 | RS2)) } else { None }
}

/// `add %rs1,%rs2,%rd` with the thread pointer in place of the first.
pub const fn with_thread_pointer(word: u32) -> Option<u32> {
    if is_addition(word) { Some(word & !RS1 | G7 << 14) } else { None }
}

/// An addition, a load or a store of the sum of two registers, with the thread pointer in place of
/// the first.
pub const fn sum_with_thread_pointer(word: u32) -> Option<u32> {
    let is_known = word >> 30 == 3 || is_addition(word);
    if is_known && word & IMMEDIATE == 0 { Some(word & !RS1 | G7 << 14) } else { None }
}

/// `add %rs1,immediate,%rd`, or `or`, as an exclusive or, which turns inverted bits back.
pub const fn to_exclusive_or(word: u32) -> Option<u32> {
    let is_known = word >> 30 == 2 && matches!(word >> 19 & 0x3f, 0x00 | 0x02 | 0x03);
    if is_known && word & IMMEDIATE != 0 { Some(word & !(0x3f << 19) | 0x03 << 19) } else { None }
}

/// `ldx [%rs1+%rs2],%rd` as a move of the offset, which is in the second register already.
pub const fn load_to_move(word: u32) -> Option<u32> {
    if !is_load(word) {
        return None;
    }
    if word & RS2 == word >> 25 & 0x1f {
        return Some(NOP);
    }
    Some(0x8010_0000 | word & (RD | RS2))
}

/// Whether an instruction adds two registers to the first argument.
pub const fn is_addition_to_argument(word: u32) -> bool {
    is_addition(word) && word >> 25 & 0x1f == O0
}

/// `value`'s lowest ten bits with all bits above that an immediate has.
const fn low_inverted(value: u64) -> u32 {
    value as u32 & 0x3ff | 0x1c00
}

/// The instruction with a value in the field of a type; `more` is the second addend.
#[inline(always)]
pub const fn with(word: u32, kind: Field, value: u64, more: i64) -> u32 {
    match kind {
        Field::Bits(from, count) => {
            let mask = (1u64 << count) - 1;
            word & !(mask as u32) | (value >> from & mask) as u32
        }
        Field::Inverted(from, count) => {
            let mask = (1u64 << count) - 1;
            word & !(mask as u32) | (!value >> from & mask) as u32
        }
        Field::LowInverted => word & !0x1fff | low_inverted(value),
        Field::Branch16 => {
            word & !0x0030_3fff | (value >> 2 & 0x3fff | (value >> 16 & 3) << 20) as u32
        }
        Field::Branch10 => {
            word & !0x0018_1fe0 | ((value >> 2 & 0xff) << 5 | (value >> 10 & 3) << 19) as u32
        }
        Field::LowAndMore => {
            let sum = (value & 0x3ff).wrapping_add_signed(more);
            word & !0x1fff | sum as u32 & 0x1fff
        }
        Field::None | Field::Data => word,
    }
}

/// Puts a value into the field of a type of instructions; `false` if it is not all there.
#[inline(always)]
pub fn put(out: &mut [u8], at: usize, r_type: u32, value: u64, more: i64) -> bool {
    bytes::update(out, at, |word| {
        with(u32::from_be_bytes(word), field(r_type), value, more).to_be_bytes()
    })
}

/// Puts the upper or lower part of a number whose sign decides how the instructions hold it; both
/// parts decide alike.
pub fn put_signed_part(out: &mut [u8], at: usize, is_upper: bool, value: u64) -> bool {
    let is_negative = (value as i64) < 0;
    let kind = match (is_upper, is_negative) {
        (true, true) => Field::Inverted(10, 22),
        (true, false) => Field::Bits(10, 22),
        (false, true) => Field::LowInverted,
        (false, false) => Field::Bits(0, 13),
    };
    let value = if is_upper { value } else { value & 0x3ff };
    bytes::update(out, at, |word| with(u32::from_be_bytes(word), kind, value, 0).to_be_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use object::elf::*;

    fn put_in(r_type: u32, word: u32, value: i64) -> u32 {
        with(word, field(r_type), value as u64, 5)
    }

    // As the GNU assembler writes them.
    #[test]
    fn fields_are_those_of_the_manual() {
        // sethi %hi(0x12345678),%g1; or %g1,%lo(0x12345678),%g1
        assert_eq!(put_in(R_SPARC_HI22, 0x0300_0000, 0x1234_5678), 0x0304_8d15);
        assert_eq!(put_in(R_SPARC_LO10, 0x8210_6000, 0x1234_5678), 0x8210_6278);
        // call . - 8; ba . - 8; ba,pt %xcc, . - 8; brz,pt %g1, . - 8; cwbe %g1,%g2, . - 8
        assert_eq!(put_in(R_SPARC_WDISP30, 0x4000_0000, -8), 0x7fff_fffe);
        assert_eq!(put_in(R_SPARC_WDISP22, 0x1080_0000, -8), 0x10bf_fffe);
        assert_eq!(put_in(R_SPARC_WDISP19, 0x1068_0000, -8), 0x106f_fffe);
        assert_eq!(put_in(R_SPARC_WDISP16, 0x02c8_4000, -8), 0x02f8_7ffe);
        assert_eq!(put_in(R_SPARC_WDISP10, 0x12c0_4002, -8), 0x12d8_5fc2);
        // Parts of 64 bits.
        let far = 0x1234_5678_9abc_def0;
        assert_eq!(put_in(R_SPARC_HH22, 0x0300_0000, far), 0x0304_8d15);
        assert_eq!(put_in(R_SPARC_HM10, 0x8210_6000, far), 0x8210_6278);
        assert_eq!(put_in(R_SPARC_LM22, 0x0300_0000, far), 0x0326_af37);
        assert_eq!(put_in(R_SPARC_H44, 0x0300_0000, 0x123_4567_89ab), 0x0304_8d15);
        assert_eq!(put_in(R_SPARC_M44, 0x8210_6000, 0x123_4567_89ab), 0x8210_6278);
        assert_eq!(put_in(R_SPARC_L44, 0x8210_6000, 0x123_4567_89ab), 0x8210_69ab);
        assert_eq!(put_in(R_SPARC_H34, 0x0300_0000, 0x2_3456_7890), 0x0323_4567);
        // sethi %hix(-0x1000),%g1; xor %g1,%lox(-0x1000),%g1
        assert_eq!(put_in(R_SPARC_HIX22, 0x0300_0000, -0x1000), 0x0300_0003);
        assert_eq!(put_in(R_SPARC_LOX10, 0x8218_6000, -0x1000), 0x8218_7c00);
        assert_eq!(put_in(R_SPARC_OLO10, 0x8210_6000, 0x1234_5678), 0x8210_627d);
    }

    #[test]
    fn instructions_are_rewritten() {
        // ldx [%l7+%g2],%l7
        assert_eq!(load_to_addition(0xee5d_c002), Some(0xae05_c002));
        assert_eq!(load_to_addition(0xee5d_e008), None);
        // add %l7,%o0,%o0
        assert_eq!(addition_to_load(0x9005_c008), Some(0xd05d_c008));
        assert_eq!(with_thread_pointer(0x9005_c008), Some(0x9001_c008));
        assert_eq!(with_thread_pointer(0x9005_e008), None);
        // ldsw [%o0+%g1],%o0; sub %o0,%g1,%o0
        assert_eq!(sum_with_thread_pointer(0xd042_0001), Some(0xd041_c001));
        assert_eq!(sum_with_thread_pointer(0x9022_0001), None);
        // add %o0,0,%o0; add %o0,%o1,%o0
        assert_eq!(to_exclusive_or(0x9002_2000), Some(0x901a_2000));
        assert_eq!(to_exclusive_or(0x9002_0009), None);
        // ldx [%l7+%o0],%o0; ldx [%l7+%o0],%g1
        assert_eq!(load_to_move(0xd05d_c008), Some(NOP));
        assert_eq!(load_to_move(0xc25d_c008), Some(0x8210_0008));
        assert_eq!(load_to_move(NOP), None);
        assert!(is_call(0x7fff_fffe) && !is_call(NOP));
        assert!(is_addition_to_argument(0x9005_c008) && !is_addition_to_argument(0x9205_c008));
    }

    #[test]
    fn both_parts_see_the_sign() {
        let parts = |value: i64| {
            let mut out = [0x03, 0, 0, 0, 0x82, 0x18, 0x60, 0];
            assert!(put_signed_part(&mut out, 0, true, value as u64));
            assert!(put_signed_part(&mut out, 4, false, value as u64));
            [read(&out, 0).unwrap(), read(&out, 4).unwrap()]
        };
        assert_eq!(parts(0x1234_5678), [0x0304_8d15, 0x8218_6278]);
        assert_eq!(parts(-0x1000), [0x0300_0003, 0x8218_7c00]);
    }
}
