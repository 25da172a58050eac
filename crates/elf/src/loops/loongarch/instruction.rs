//! The instructions that relocations and relaxation know, and where they have their fields
//! ("LoongArch Reference Manual", volume 1, "Instruction Formats").

use crate::machine::loongarch::howto::Field;
use skald_core::field;

/// `andi $zero, $zero, 0`
pub const NOP: u32 = 0x0340_0000;

/// Registers.
pub const ZERO: u32 = 0;
pub const RA: u32 = 1;
pub const TP: u32 = 2;
pub const A0: u32 = 4;

/// A form of instructions: the bits of its operation code, and their values.
#[derive(Clone, Copy)]
pub struct Form {
    mask: u32,
    code: u32,
}

/// With 20 bits and a register.
const WITH_20: u32 = 0xfe00_0000;
/// With 12 bits and two registers.
const WITH_12: u32 = 0xffc0_0000;
/// Branches.
const WITH_16: u32 = 0xfc00_0000;

impl Form {
    pub const LU12I_W: Form = Form { mask: WITH_20, code: 0x1400_0000 };
    pub const PCADDI: Form = Form { mask: WITH_20, code: 0x1800_0000 };
    pub const PCALAU12I: Form = Form { mask: WITH_20, code: 0x1a00_0000 };
    pub const ADDI_W: Form = Form { mask: WITH_12, code: 0x0280_0000 };
    pub const ADDI_D: Form = Form { mask: WITH_12, code: 0x02c0_0000 };
    pub const ORI: Form = Form { mask: WITH_12, code: 0x0380_0000 };
    pub const LU52I_D: Form = Form { mask: WITH_12, code: 0x0300_0000 };
    pub const LD_W: Form = Form { mask: WITH_12, code: 0x2880_0000 };
    pub const LD_D: Form = Form { mask: WITH_12, code: 0x28c0_0000 };
    pub const JIRL: Form = Form { mask: WITH_16, code: 0x4c00_0000 };
    pub const B: Form = Form { mask: WITH_16, code: 0x5000_0000 };
    pub const BL: Form = Form { mask: WITH_16, code: 0x5400_0000 };

    /// The load of an address.
    pub const fn load(is_32: bool) -> Form {
        if is_32 { Form::LD_W } else { Form::LD_D }
    }

    /// The addition to an address.
    pub const fn add(is_32: bool) -> Form {
        if is_32 { Form::ADDI_W } else { Form::ADDI_D }
    }

    /// Whether an instruction has the form.
    #[inline(always)]
    pub const fn is(self, word: u32) -> bool {
        word & self.mask == self.code
    }

    /// An instruction of the form, with registers and no value.
    #[inline(always)]
    pub const fn with(self, rd: u32, rj: u32) -> u32 {
        self.code | rj << 5 | rd
    }
}

/// The destination.
pub const fn rd(word: u32) -> u32 {
    word & 0x1f
}

/// The source, or base, of instructions with two registers.
pub const fn rj(word: u32) -> u32 {
    word >> 5 & 0x1f
}

/// Another base.
pub const fn with_rj(word: u32, register: u32) -> u32 {
    word & !(0x1f << 5) | register << 5
}

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

/// Puts the lowest `count` bits of a value at a bit of a word.
#[inline(always)]
pub const fn with_bits(word: u32, value: u64, count: u32, at: u32) -> u32 {
    let mask = ((1 << count) - 1) << at;
    word & !mask | (value as u32) << at & mask
}

/// 20 bits behind the operation code.
#[inline(always)]
pub const fn with_20(word: u32, value: u64) -> u32 {
    with_bits(word, value, 20, 5)
}

/// 12 bits behind the operation code.
#[inline(always)]
pub const fn with_12(word: u32, value: u64) -> u32 {
    with_bits(word, value, 12, 10)
}

/// A distance in words, in 16 bits.
#[inline(always)]
pub const fn with_branch_16(word: u32, value: u64) -> u32 {
    with_bits(word, value >> 2, 16, 10)
}

/// A distance in words, in 21 bits, of which the upper ones are the lowest of the instruction.
#[inline(always)]
pub const fn with_branch_21(word: u32, value: u64) -> u32 {
    with_bits(with_branch_16(word, value), value >> 18, 5, 0)
}

/// A distance in words, in 26 bits, of which the upper ones are the lowest of the instruction.
#[inline(always)]
pub const fn with_branch_26(word: u32, value: u64) -> u32 {
    with_bits(with_branch_16(word, value), value >> 18, 10, 0)
}

/// Writes a value to the instruction at `at`; `false` if it is not all there. `kind` is one of
/// instructions.
#[inline(always)]
pub fn put(out: &mut [u8], at: usize, kind: Field, value: u64) -> bool {
    match kind {
        Field::Upper => change(out, at, |word| with_20(word, value >> 12)),
        Field::RoundedUpper => {
            change(out, at, |word| with_20(word, value.wrapping_add(0x800) >> 12))
        }
        Field::Low => change(out, at, |word| with_12(word, value)),
        Field::Higher => change(out, at, |word| with_20(word, value >> 32)),
        Field::Highest => change(out, at, |word| with_12(word, value >> 52)),
        Field::Branch16 => change(out, at, |word| with_branch_16(word, value)),
        Field::Branch21 => change(out, at, |word| with_branch_21(word, value)),
        Field::Branch26 => change(out, at, |word| with_branch_26(word, value)),
        Field::Near => change(out, at, |word| with_20(word, value >> 2)),
        // The lower part has a sign.
        Field::Call36 => {
            change(out, at, |word| with_20(word, value.wrapping_add(1 << 17) >> 18))
                && change(out, at + 4, |word| with_branch_16(word, value))
        }
        // The lower part has twelve bits of sixteen, so no sign.
        Field::Call30 => {
            change(out, at, |word| with_20(word, value >> 12))
                && change(out, at + 4, |word| with_branch_16(word, value & 0xfff))
        }
        Field::Popped { bits, at: bit } => {
            change(out, at, |word| with_bits(word, value, bits.into(), bit.into()))
        }
        Field::PoppedWord => change(out, at, |_| value as u32),
        Field::None | Field::Data | Field::Sum => false,
    }
}

/// The distance of pages of which PCALAU12I has the upper bits: that of an address whose lower 12
/// bits are added with a sign.
#[inline(always)]
pub const fn pages(address: u64, place: u64) -> u64 {
    page(address.wrapping_add(0x800)).wrapping_sub(page(place))
}

/// The distance of which the third and the fourth instruction of an address with 64 bits have the
/// upper half. `place` is that of PCALAU12I. The lower half is what the first two make of it, with
/// the signs that they add.
pub const fn far_pages(address: u64, place: u64) -> u64 {
    let mut distance = page(address).wrapping_sub(page(place));
    if address & 0x800 != 0 {
        distance = distance.wrapping_add(0x1000).wrapping_sub(1 << 32);
    }
    if distance & 1 << 31 != 0 {
        distance = distance.wrapping_add(1 << 32);
    }
    distance
}

const fn page(address: u64) -> u64 {
    address & !0xfff
}

#[cfg(test)]
mod tests {
    use super::*;

    // Encodings as LLVM's assembler writes them.
    #[test]
    fn fields_are_those_of_the_manual() {
        // pcalau12i $a0, 0x12345; addi.d $a0, $a0, -0x322
        let put_one = |word: u32, kind, value| {
            let mut bytes = word.to_le_bytes();
            assert!(put(&mut bytes, 0, kind, value));
            u32::from_le_bytes(bytes)
        };
        assert_eq!(put_one(0x1a00_0004, Field::Upper, 0x1234_5678), 0x1a24_68a4);
        assert_eq!(put_one(0x02c0_0084, Field::Low, 0xcde), 0x02f3_7884);
        assert_eq!(put_one(0x1c00_000c, Field::RoundedUpper, 0x1fff), 0x1c00_004c);
        // lu32i.d $a1, 0x12345; lu52i.d $a1, $a1, 0x678
        assert_eq!(put_one(0x1600_0005, Field::Higher, 0x6781_2345_0000_0000), 0x1624_68a5);
        assert_eq!(put_one(0x0300_00a5, Field::Highest, 0x6781_2345_0000_0000), 0x0319_e0a5);
        // beq $a0, $a1, -4; beqz $a0, -4; bl -4; pcaddi $a0, 1
        assert_eq!(put_one(0x5800_0085, Field::Branch16, -4_i64 as u64), 0x5bff_fc85);
        assert_eq!(put_one(0x4000_0080, Field::Branch21, -4_i64 as u64), 0x43ff_fc9f);
        assert_eq!(put_one(0x5400_0000, Field::Branch26, -4_i64 as u64), 0x57ff_ffff);
        assert_eq!(put_one(0x1800_0004, Field::Near, 4), 0x1800_0024);
        assert_eq!(put_one(0x0010_0084, Field::Popped { bits: 5, at: 10 }, 0x1f), 0x0010_7c84);
    }

    #[test]
    fn calls_have_two_instructions() {
        // pcaddu18i $ra, 1; jirl $ra, $ra, -4: the distance is 0x40000 - 4.
        let mut code = [0; 8];
        code[..4].copy_from_slice(&0x1e00_0001_u32.to_le_bytes());
        code[4..].copy_from_slice(&0x4c00_0021_u32.to_le_bytes());
        assert!(put(&mut code, 0, Field::Call36, 0x3_fffc));
        assert_eq!([read(&code, 0), read(&code, 4)], [Some(0x1e00_0021), Some(0x4fff_fc21)]);
        // pcaddu12i $ra, 1; jirl $ra, $ra, 0xffc
        code[..4].copy_from_slice(&0x1c00_0001_u32.to_le_bytes());
        assert!(put(&mut code, 0, Field::Call30, 0x1ffc));
        assert_eq!([read(&code, 0), read(&code, 4)], [Some(0x1c00_0021), Some(0x4c0f_fc21)]);
        assert!(!put(&mut code[..6], 0, Field::Call36, 0));
    }

    /// What four instructions and the addition make of an address.
    fn of_four(address: u64, place: u64) -> u64 {
        let upper = pages(address, place) as u32 as i32 as i64 as u64;
        let first = page(place).wrapping_add(upper);
        let low = ((address as i64) << 52 >> 52) as u32;
        let far = far_pages(address, place);
        let second = u64::from(low) | far & 0xffff_ffff_0000_0000;
        first.wrapping_add(second)
    }

    #[test]
    fn parts_of_an_address_add_up() {
        let place = 0x1_2000_0abc;
        for low in [0, 0x7ff, 0x800, 0xfff] {
            for upper in [0, 0x7fff_f000, 0x8000_0000, 0xffff_f000] {
                for high in [0, 0x1234_5678_0000_0000, 0x8000_0000_0000_0000, u64::MAX << 32] {
                    let address = high | upper | low;
                    assert_eq!(of_four(address, place), address, "{address:#x}");
                }
            }
        }
    }
}
