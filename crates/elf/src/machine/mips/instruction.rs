//! Instructions as words, and the fields of relocations in them.

use super::howto::{Field, Unit, field, low_part};
use super::numbers::*;
use crate::machine::description::{CodeAddend, PutAddend};
use object::elf::*;
use skald_linking::byte_order::ByteOrder;

/// The instruction at `at`: of four bytes, or of two for [`Unit::Half`].
pub fn read(order: ByteOrder, out: &[u8], at: usize, unit: Unit) -> Option<u32> {
    Some(match unit {
        Unit::Half => order.get::<u16>(out, at)?.into(),
        Unit::Halves => {
            let first: u16 = order.get(out, at)?;
            let second: u16 = order.get(out, at.checked_add(2)?)?;
            u32::from(first) << 16 | u32::from(second)
        }
        _ => order.get(out, at)?,
    })
}

/// Replaces the instruction at `at`; `None`, with nothing written, if it is not all there.
pub fn write(order: ByteOrder, out: &mut [u8], at: usize, unit: Unit, word: u32) -> Option<()> {
    let size = if unit == Unit::Half { 2 } else { 4 };
    let place = out.get_mut(at..at.checked_add(size)?)?;
    match unit {
        Unit::Half => place.copy_from_slice(&order.bytes(word as u16)),
        Unit::Halves => {
            place[..2].copy_from_slice(&order.bytes((word >> 16) as u16));
            place[2..].copy_from_slice(&order.bytes(word as u16));
        }
        _ => place.copy_from_slice(&order.bytes(word)),
    }
    Some(())
}

/// Puts the bits of a value into the field of an instruction.
pub fn put(order: ByteOrder, out: &mut [u8], at: usize, field: Field, value: u64) -> Option<()> {
    let mask = u32::MAX >> (32 - u32::from(field.bits));
    let before = read(order, out, at, field.unit)?;
    write(order, out, at, field.unit, before & !mask | field.of(value) & mask)
}

/// Where addends are in little-endian code.
pub const LITTLE_ADDENDS: CodeAddend = CodeAddend {
    get: |r_type, bytes| addend(ByteOrder::Little, r_type, &bytes),
    put: |r_type, out, at, addend| put_addend(ByteOrder::Little, r_type, out, at, addend),
};

/// Where addends are in big-endian code.
pub const BIG_ADDENDS: CodeAddend = CodeAddend {
    get: |r_type, bytes| addend(ByteOrder::Big, r_type, &bytes),
    put: |r_type, out, at, addend| put_addend(ByteOrder::Big, r_type, out, at, addend),
};

/// How many bits of an addend are below the field. Offsets in a TLS block and of the GOT are no
/// upper parts of an addend, and a word of the GOT with a page has the upper half of it.
fn addend_shift(r_type: u32, field: Field) -> u32 {
    match field.shift {
        _ if low_part(r_type).is_some() => 16,
        16.. => 0,
        shift => shift.into(),
    }
}

/// See [`CodeAddend::get`].
fn addend(order: ByteOrder, r_type: u32, bytes: &[u8; 4]) -> Option<i64> {
    let field = field(r_type);
    match field.unit {
        Unit::None => return Some(0),
        Unit::Data => return None,
        Unit::Word | Unit::Halves | Unit::Half => {}
    }
    let word = read(order, bytes, 0, field.unit)?;
    let unused = 64 - u32::from(field.bits);
    let number = (u64::from(word) << unused) as i64 >> unused;
    Some(number << addend_shift(r_type, field))
}

/// See [`CodeAddend::put`].
fn put_addend(
    order: ByteOrder,
    r_type: u32,
    out: &mut [u8],
    at: usize,
    addend: i64,
) -> Option<PutAddend> {
    let field = field(r_type);
    match field.unit {
        Unit::None => return Some(PutAddend::Done),
        Unit::Data => return None,
        Unit::Word | Unit::Halves | Unit::Half => {}
    }
    let shift = addend_shift(r_type, field);
    let round = if shift == 16 { 0x8000 } else { 0 };
    let number = addend.wrapping_add(round) >> shift;
    let half = 1i64 << (field.bits - 1);
    let is_cut = shift == 16
        || matches!(
            r_type,
            R_MIPS_LO16 | R_MIPS_PCLO16 | R_MICROMIPS_LO16 | R_MIPS_26 | R_MICROMIPS_26_S1
        );
    if !is_cut && !(-half..half).contains(&number) {
        return Some(PutAddend::OutOfRange);
    }
    let plain = Field { shift: 0, ..field };
    let is_put = put(order, out, at, plain, number as u64).is_some();
    Some(if is_put { PutAddend::Done } else { PutAddend::BadPlace })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_keep_the_other_bits() {
        let mut out = 0x3c1c_ffffu32.to_be_bytes();
        put(ByteOrder::Big, &mut out, 0, field(R_MIPS_HI16), 0x1_8000).unwrap();
        assert_eq!(out, [0x3c, 0x1c, 0, 2]);
        let mut out = [0xff; 6];
        put(ByteOrder::Little, &mut out, 2, field(R_MICROMIPS_LO16), 0x1234).unwrap();
        assert_eq!(out, [0xff, 0xff, 0xff, 0xff, 0x34, 0x12]);
        put(ByteOrder::Little, &mut out, 2, field(R_MICROMIPS_26_S1), 0).unwrap();
        assert_eq!(out, [0xff, 0xff, 0, 0xfc, 0, 0]);
        put(ByteOrder::Big, &mut out, 4, field(R_MICROMIPS_PC7_S1), 6).unwrap();
        assert_eq!(out[4..], [0, 3]);
        assert!(put(ByteOrder::Big, &mut out, 4, field(R_MIPS_26), 0).is_none());
    }

    #[test]
    fn addends_in_instructions() {
        let lui = 0x3c02_8001u32;
        let little = LITTLE_ADDENDS.get;
        let big = BIG_ADDENDS.get;
        assert_eq!(little(R_MIPS_HI16, lui.to_le_bytes()), Some(-0x7fff_0000));
        assert_eq!(big(R_MIPS_LO16, 0x2442_fffcu32.to_be_bytes()), Some(-4));
        assert_eq!(big(R_MIPS_26, 0x0c00_0010u32.to_be_bytes()), Some(0x40));
        assert_eq!(little(R_MIPS_GOT16, 0x8f82_0001u32.to_le_bytes()), Some(0x1_0000));
        assert_eq!(little(R_MIPS_TLS_TPREL_HI16, 8u32.to_le_bytes()), Some(8));
        assert_eq!(little(R_MICROMIPS_LO16, [0x42, 0x30, 0xf0, 0xff]), Some(-16));
        assert_eq!(little(R_MIPS_32, [0; 4]), None);
    }

    #[test]
    fn addends_are_put_where_they_were() {
        for (r_type, addend) in
            [(R_MIPS_HI16, 0x1234_0000), (R_MIPS_LO16, -4), (R_MIPS_26, 0x40), (R_MIPS_GPREL16, 8)]
        {
            let mut code = [0; 4];
            assert_eq!((BIG_ADDENDS.put)(r_type, &mut code, 0, addend), Some(PutAddend::Done));
            assert_eq!((BIG_ADDENDS.get)(r_type, code), Some(addend));
        }
        let put = LITTLE_ADDENDS.put;
        assert_eq!(put(R_MIPS_GPREL16, &mut [0; 4], 0, 0x8000), Some(PutAddend::OutOfRange));
        assert_eq!(put(R_MIPS_LO16, &mut [0; 4], 2, 0), Some(PutAddend::BadPlace));
        assert_eq!(put(R_MIPS_32, &mut [0; 4], 0, 0), None);
        assert_eq!(put(R_MIPS_JALR, &mut [0; 4], 0, 0), Some(PutAddend::Done));
    }
}
