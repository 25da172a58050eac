//! Values in instructions: the addend of an SHT_REL relocation ("ELF for the Arm Architecture",
//! "Addends and PC-bias compensation"), and how a value is put there.
//!
//! An instruction of Thumb with four bytes is here a number whose upper half is the first
//! half-word.

use super::howto::{Field, R_ARM_THM_TLS_CALL, R_ARM_TLS_CALL, field};
use crate::machine::description::{CodeAddend, PutAddend};
use skald_linking::byte_order::ByteOrder;

/// Addends in instructions of a little-endian file.
pub const LITTLE_ENDIAN: CodeAddend = CodeAddend {
    get: |r_type, bytes| addend(ByteOrder::Little, r_type, bytes),
    put: |r_type, code, at, value| put_addend(ByteOrder::Little, r_type, code, at, value),
};

/// The same in a big-endian file.
pub const BIG_ENDIAN: CodeAddend = CodeAddend {
    get: |r_type, bytes| addend(ByteOrder::Big, r_type, bytes),
    put: |r_type, code, at, value| put_addend(ByteOrder::Big, r_type, code, at, value),
};

/// Changes the addend of an instruction; see [`CodeAddend::put`].
fn put_addend(
    order: ByteOrder,
    r_type: u32,
    code: &mut [u8],
    at: usize,
    value: i64,
) -> Option<PutAddend> {
    let field = field(r_type).filter(|&field| field != Field::Data)?;
    if matches!(r_type, R_ARM_TLS_CALL | R_ARM_THM_TLS_CALL) {
        return Some(PutAddend::Done);
    }
    let Some(word) = read(order, field, code, at) else { return Some(PutAddend::BadPlace) };
    let new = put(field, word, value);
    if get(field, new) != Some(value) {
        return Some(PutAddend::OutOfRange);
    }
    write(order, field, code, at, new);
    Some(PutAddend::Done)
}

fn addend(order: ByteOrder, r_type: u32, bytes: [u8; 4]) -> Option<i64> {
    let field = field(r_type)?;
    match r_type {
        // The branch leads wherever the sequence needs it.
        R_ARM_TLS_CALL | R_ARM_THM_TLS_CALL => return Some(0),
        _ => {}
    }
    get(field, read(order, field, &bytes, 0)?)
}

/// The instruction at `at`.
pub fn read(order: ByteOrder, field: Field, code: &[u8], at: usize) -> Option<u32> {
    let half = |at: usize| order.get::<u16>(code, at).map(u32::from);
    match (field.is_thumb(), field.size()) {
        (_, 2) => half(at),
        (true, _) => Some(half(at)? << 16 | half(at.checked_add(2)?)?),
        (false, _) => order.get::<u32>(code, at),
    }
}

/// Writes the instruction at `at`; `false`, with nothing written, if it is not all there.
pub fn write(order: ByteOrder, field: Field, code: &mut [u8], at: usize, word: u32) -> bool {
    let size = usize::from(field.size());
    let Some(place) = at.checked_add(size).and_then(|end| code.get_mut(at..end)) else {
        return false;
    };
    if field.is_thumb() && size == 4 {
        let (first, second) = place.split_at_mut(2);
        order.put_low(first, (word >> 16).into());
        order.put_low(second, (word & 0xffff).into());
    } else {
        order.put_low(place, word.into());
    }
    true
}

/// The value in an instruction; `None` if the field is a plain number.
pub fn get(field: Field, word: u32) -> Option<i64> {
    let bits = |first: u32, count: u32| word >> first & ((1 << count) - 1);
    let number = |value: u32| i64::from(value);
    let with_sign = |is_positive: bool, value: u32| {
        if is_positive { i64::from(value) } else { -i64::from(value) }
    };
    Some(match field {
        Field::Data => return None,
        Field::None | Field::BranchRegister => 0,
        Field::Data31 => signed(word, 31),
        Field::Branch => {
            // The lowest bit of a distance that BLX has.
            let half = if is_blx(word) { bits(24, 1) << 1 } else { 0 };
            signed(bits(0, 24) << 2 | half, 26)
        }
        Field::Move => signed(bits(16, 4) << 12 | bits(0, 12), 16),
        Field::Add => with_sign(!is_subtraction(word), bits(0, 8).rotate_right(2 * bits(8, 4))),
        Field::Load => with_sign(bits(23, 1) != 0, bits(0, 12)),
        Field::LoadSmall => with_sign(bits(23, 1) != 0, bits(8, 4) << 4 | bits(0, 4)),
        Field::LoadCoprocessor => with_sign(bits(23, 1) != 0, bits(0, 8) << 2),
        Field::ThumbCall | Field::ThumbJump24 => {
            let sign = bits(26, 1);
            let [i1, i2] = [bits(13, 1), bits(11, 1)].map(|j| (j ^ sign) ^ 1);
            signed(sign << 24 | i1 << 23 | i2 << 22 | bits(16, 10) << 12 | bits(0, 11) << 1, 25)
        }
        Field::ThumbJump19 => {
            let high = bits(26, 1) << 20 | bits(11, 1) << 19 | bits(13, 1) << 18;
            signed(high | bits(16, 6) << 12 | bits(0, 11) << 1, 21)
        }
        Field::ThumbJump11 => signed(bits(0, 11) << 1, 12),
        Field::ThumbJump8 => signed(bits(0, 8) << 1, 9),
        // As the distance counts from four bytes behind, one of zero may be before the start.
        Field::ThumbJump6 => {
            let value = bits(9, 1) << 6 | bits(3, 5) << 1;
            number((value + 4) & 0x7e) - 4
        }
        Field::ThumbMove => {
            signed(bits(16, 4) << 12 | bits(26, 1) << 11 | bits(12, 3) << 8 | bits(0, 8), 16)
        }
        Field::ThumbAdr => {
            let value = bits(26, 1) << 11 | bits(12, 3) << 8 | bits(0, 8);
            with_sign(bits(21, 3) == 0, value)
        }
        Field::ThumbLoad => with_sign(bits(23, 1) != 0, bits(0, 12)),
        Field::ThumbWords8 => number(((bits(0, 8) << 2) + 4) & 0x3fc) - 4,
        Field::ThumbByte => number(bits(0, 8)),
        Field::ThumbWords5 => number(bits(6, 5) << 2),
        Field::ThumbFuture(width) => {
            let high = bits(16, u32::from(width) - 12) << 12;
            signed(high | bits(1, 10) << 2 | bits(11, 1) << 1, width.into())
        }
    })
}

/// The instruction with another value. Bits of the value that the field does not have are not
/// looked at; its sign becomes that of the operation.
pub fn put(field: Field, word: u32, value: i64) -> u32 {
    let low = value as u32;
    let bits = |first: u32, count: u32| low >> first & ((1 << count) - 1);
    let (is_positive, size) = (value >= 0, value.unsigned_abs() as u32);
    let up = u32::from(is_positive) << 23;
    match field {
        Field::Data => low,
        Field::None | Field::BranchRegister => word,
        Field::Data31 => word & 1 << 31 | low & !(1 << 31),
        Field::Branch if is_blx(word) => word & 0xfe00_0000 | bits(1, 1) << 24 | bits(2, 24),
        Field::Branch => word & 0xff00_0000 | bits(2, 24),
        Field::Move => word & 0xfff0_f000 | bits(12, 4) << 16 | bits(0, 12),
        Field::Add => {
            // ADD or SUB, with the flags as they are.
            let operation = if is_positive { 4 << 21 } else { 2 << 21 };
            word & !(0xf << 21 | 0xfff) | operation | rotated(size).unwrap_or(0)
        }
        Field::Load => word & !(1 << 23 | 0xfff) | up | size & 0xfff,
        Field::LoadSmall => word & !(1 << 23 | 0xf0f) | up | (size & 0xf0) << 4 | size & 0xf,
        Field::LoadCoprocessor => word & !(1 << 23 | 0xff) | up | size >> 2 & 0xff,
        Field::ThumbCall | Field::ThumbJump24 => {
            let sign = bits(24, 1);
            let [j1, j2] = [bits(23, 1), bits(22, 1)].map(|i| (i ^ 1) ^ sign);
            let rest = word & 0xf800_d000;
            rest | sign << 26 | bits(12, 10) << 16 | j1 << 13 | j2 << 11 | bits(1, 11)
        }
        Field::ThumbJump19 => {
            let rest = word & 0xfbc0_d000;
            let high = bits(20, 1) << 26 | bits(18, 1) << 13 | bits(19, 1) << 11;
            rest | high | bits(12, 6) << 16 | bits(1, 11)
        }
        Field::ThumbJump11 => word & 0xf800 | bits(1, 11),
        Field::ThumbJump8 => word & 0xff00 | bits(1, 8),
        Field::ThumbJump6 => word & 0xfd07 | bits(6, 1) << 9 | bits(1, 5) << 3,
        Field::ThumbMove => {
            let rest = word & 0xfbf0_8f00;
            rest | bits(12, 4) << 16 | bits(11, 1) << 26 | bits(8, 3) << 12 | bits(0, 8)
        }
        Field::ThumbAdr => {
            let operation = if is_positive { 0 } else { 0b101 << 21 };
            let value = (size >> 11 & 1) << 26 | (size >> 8 & 7) << 12 | size & 0xff;
            word & 0xfb1f_8f00 | operation | value
        }
        Field::ThumbLoad => word & !(1 << 23 | 0xfff) | up | size & 0xfff,
        Field::ThumbWords8 => word & 0xff00 | bits(2, 8),
        Field::ThumbByte => word & 0xff00 | bits(0, 8),
        Field::ThumbWords5 => word & !(0x1f << 6) | bits(2, 5) << 6,
        Field::ThumbFuture(width) => {
            let count = u32::from(width) - 12;
            let rest = word & !(((1 << count) - 1) << 16 | 0xffe);
            rest | bits(12, count) << 16 | bits(2, 10) << 1 | bits(1, 1) << 11
        }
    }
}

/// Whether an instruction of A32 is BLX with a distance.
pub const fn is_blx(word: u32) -> bool {
    word >> 25 == 0b111_1101
}

/// Whether an instruction that adds a constant is SUB.
const fn is_subtraction(word: u32) -> bool {
    word >> 21 & 0xf == 2
}

/// A constant as ADD has it: eight bits, and by how many pairs of bits they are rotated.
pub fn rotated(value: u32) -> Option<u32> {
    (0..16).find_map(|pairs| {
        let bits = value.rotate_left(2 * pairs);
        (bits < 0x100).then_some(pairs << 8 | bits)
    })
}

/// A number of `width` bits with a sign.
fn signed(value: u32, width: u32) -> i64 {
    let unused = u32::BITS - width;
    ((value << unused) as i32 >> unused).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each is an instruction as an assembler writes it, and the value in it.
    const CASES: &[(Field, u32, i64)] = &[
        (Field::Branch, 0xebff_fffe, -8),             // bl .
        (Field::Branch, 0xfbff_fffe, -6),             // blx .+2
        (Field::Branch, 0x0a00_0001, 4),              // beq .+12
        (Field::Move, 0xe301_c234, 0x1234),           // movw ip, #0x1234
        (Field::Move, 0xe34f_cffc, -4),               // movt ip, #0xfffc
        (Field::Add, 0xe28f_0c01, 0x100),             // add r0, pc, #256
        (Field::Add, 0xe24f_0008, -8),                // sub r0, pc, #8
        (Field::Load, 0xe51f_0008, -8),               // ldr r0, [pc, #-8]
        (Field::Load, 0xe59f_0ffc, 0xffc),            // ldr r0, [pc, #0xffc]
        (Field::LoadSmall, 0xe1df_1fbc, 0xfc),        // ldrh r1, [pc, #0xfc]
        (Field::LoadSmall, 0xe14f_00d8, -8),          // ldrd r0, r1, [pc, #-8]
        (Field::LoadCoprocessor, 0xed1f_0a02, -8),    // vldr s0, [pc, #-8]
        (Field::ThumbCall, 0xf7ff_fffe, -4),          // bl .
        (Field::ThumbCall, 0xf000_f800, 0),           // bl .+4
        (Field::ThumbCall, 0xf400_d000, -0x100_0000), // the farthest before
        (Field::ThumbJump24, 0xf000_b801, 2),         // b.w .+6
        (Field::ThumbJump24, 0xf3ff_97ff, 0xff_fffe), // the farthest behind
        (Field::ThumbJump19, 0xf43f_affe, -4),        // beq.w .
        (Field::ThumbJump19, 0xf03f_afff, 0xf_fffe),  // the farthest behind
        (Field::ThumbJump11, 0xe7fe, -4),             // b .
        (Field::ThumbJump8, 0xd0fe, -4),              // beq .
        (Field::ThumbMove, 0xf241_2c34, 0x1234),      // movw ip, #0x1234
        (Field::ThumbMove, 0xf6cf_7cfc, -4),          // movt ip, #0xfffc
        (Field::ThumbAdr, 0xf20f_0004, 4),            // adr.w r0, .+8
        (Field::ThumbAdr, 0xf2af_0004, -4),           // adr.w r0, .
        (Field::ThumbLoad, 0xf85f_0004, -4),          // ldr.w r0, [pc, #-4]
        (Field::ThumbLoad, 0xf8df_0ffc, 0xffc),       // ldr.w r0, [pc, #0xffc]
        (Field::ThumbByte, 0x2012, 0x12),             // movs r0, #0x12
        (Field::ThumbWords5, 0x6848, 4),              // ldr r0, [r1, #4]
        (Field::Data31, 0x7fff_fff8, -8),
    ];

    #[test]
    fn values_are_where_assemblers_put_them() {
        for &(field, word, value) in CASES {
            assert_eq!(get(field, word), Some(value), "{field:?} {word:#x}");
            assert_eq!(put(field, word, value), word, "{field:?} {word:#x}");
            let changed = put(field, word, 0x7c);
            assert_eq!(get(field, changed), Some(0x7c), "{field:?} {word:#x}");
            assert_eq!(put(field, changed, value), word, "{field:?} {word:#x}");
        }
    }

    #[test]
    fn short_forward_distances_wrap_around() {
        // For a place without addend an assembler writes the distance of -4.
        assert_eq!(get(Field::ThumbJump6, 0xb3f0), Some(-4));
        assert_eq!(get(Field::ThumbWords8, 0x48ff), Some(-4));
        assert_eq!(put(Field::ThumbWords8, 0x48ff, 8), 0x4802);
        assert_eq!(put(Field::ThumbJump6, 0xb3f0, 0x42), 0xb308);
    }

    #[test]
    fn both_orders() {
        let of = |order: ByteOrder, field, bytes: [u8; 4]| read(order, field, &bytes, 0);
        let (big, little) = (ByteOrder::Big, ByteOrder::Little);
        assert_eq!(of(little, Field::ThumbCall, [0xff, 0xf7, 0xfe, 0xff]), Some(0xf7ff_fffe));
        assert_eq!(of(big, Field::ThumbCall, [0xf7, 0xff, 0xff, 0xfe]), Some(0xf7ff_fffe));
        assert_eq!(of(big, Field::Branch, [0xeb, 0xff, 0xff, 0xfe]), Some(0xebff_fffe));
        assert_eq!(of(big, Field::ThumbJump8, [0xd0, 0xfe, 0, 0]), Some(0xd0fe));
        let mut code = [0; 4];
        assert!(write(big, Field::ThumbCall, &mut code, 0, 0xf7ff_fffe));
        assert_eq!(code, [0xf7, 0xff, 0xff, 0xfe]);
        assert!(!write(big, Field::ThumbCall, &mut code, 1, 0));
    }

    #[test]
    fn constants_of_eight_bits_are_rotated() {
        assert_eq!(rotated(0xff), Some(0xff));
        assert_eq!(rotated(0x100), Some(0xc01));
        assert_eq!(rotated(0xf000_000f), Some(0x2ff));
        assert_eq!(rotated(0x101), None);
    }
}
