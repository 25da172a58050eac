//! Instructions of AArch64 as numbers: what relaxing looks at and writes, and the fields that
//! relocations write ("Arm Architecture Reference Manual", C6). Instructions are little-endian,
//! whatever the order of data.

use crate::machine::aarch64::howto::Field;

/// `nop`.
pub const NOP: u32 = 0xd503_201f;

/// An instruction by the bits that its operands leave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Form {
    mask: u32,
    bits: u32,
}

const fn form(mask: u32, bits: u32) -> Form {
    Form { mask, bits }
}

impl Form {
    /// `adrp xd, label`.
    pub const ADRP: Form = form(0x9f00_0000, 0x9000_0000);
    /// `adr xd, label`.
    pub const ADR: Form = form(0x9f00_0000, 0x1000_0000);
    /// `add xd, xn, #imm12`.
    pub const ADD: Form = form(0xffc0_0000, 0x9100_0000);
    /// `ldr xt, [xn, #imm12]`.
    pub const LDR: Form = form(0xffc0_0000, 0xf940_0000);
    /// A load or store of one register, `[xn, #imm12]`.
    pub const ACCESS_UNSIGNED: Form = form(0x3b00_0000, 0x3900_0000);
    /// `ldr xt, label`.
    pub const LDR_LITERAL: Form = form(0xff00_0000, 0x5800_0000);
    /// `ldr xt, [xn, xm]`.
    pub const LDR_REGISTER: Form = form(0xffe0_0c00, 0xf860_0800);
    /// `add xd, xn, xm`.
    pub const ADD_REGISTER: Form = form(0xff20_0000, 0x8b00_0000);
    /// `movz xd, #imm16, lsl #n`.
    pub const MOVZ: Form = form(0xff80_0000, 0xd280_0000);
    /// `movk xd, #imm16, lsl #n`.
    pub const MOVK: Form = form(0xff80_0000, 0xf280_0000);
    /// `blr xn`.
    pub const BLR: Form = form(0xffff_fc1f, 0xd63f_0000);
    /// `blraa xn, xm`.
    pub const BLRAA: Form = form(0xffff_fc00, 0xd73f_0800);
    /// `bl label`.
    pub const BL: Form = form(0xfc00_0000, 0x9400_0000);

    /// Whether `word` is such an instruction.
    #[inline(always)]
    pub const fn is(self, word: u32) -> bool {
        word & self.mask == self.bits
    }

    /// The instruction with destination `rd` and all other operands zero.
    pub const fn to(self, rd: u32) -> u32 {
        self.bits | rd
    }
}

/// The register in bits 0 to 4: the destination.
#[inline(always)]
pub const fn rd(word: u32) -> u32 {
    word & 31
}

/// The register in bits 5 to 9: the base, or the first operand.
#[inline(always)]
pub const fn rn(word: u32) -> u32 {
    word >> 5 & 31
}

/// The register in bits 16 to 20: the second operand.
pub const fn rm(word: u32) -> u32 {
    word >> 16 & 31
}

/// `mov xd, xn`; `nop` if that changes nothing.
pub const fn mov(rd: u32, rn: u32) -> u32 {
    if rd == rn { NOP } else { 0xaa00_03e0 | rn << 16 | rd }
}

/// `lsl #16`, in MOVZ and MOVK.
pub const LSL_16: u32 = 1 << 21;

/// The instruction at `at`.
#[inline(always)]
pub fn read(code: &[u8], at: usize) -> Option<u32> {
    let field = code.get(at..)?.first_chunk()?;
    Some(u32::from_le_bytes(*field))
}

/// Writes the instruction at `at`; `false`, with nothing written, if it would not be within `code`.
#[inline(always)]
#[must_use]
pub fn write(code: &mut [u8], at: usize, word: u32) -> bool {
    skald_core::field::store(code, at, word.to_le_bytes())
}

/// `word` with `value` in 21 bits of ADR or ADRP.
#[inline(always)]
pub const fn with_adr(word: u32, value: u64) -> u32 {
    let value = value as u32;
    word & !(3 << 29 | 0x7_ffff << 5) | (value & 3) << 29 | (value >> 2 & 0x7_ffff) << 5
}

/// `word` with `value` in 12 bits of ADD, LDR and STR.
#[inline(always)]
pub const fn with_imm12(word: u32, value: u64) -> u32 {
    word & !(0xfff << 10) | (value as u32 & 0xfff) << 10
}

/// `word` with `value` in 26 bits of B and BL.
#[inline(always)]
pub const fn with_imm26(word: u32, value: u64) -> u32 {
    word & !0x3ff_ffff | (value >> 2) as u32 & 0x3ff_ffff
}

/// `word` with the bits of `value` that `field` holds in their place.
pub const fn with_field(word: u32, field: Field, value: u64) -> u32 {
    match field {
        Field::None | Field::Data => word,
        Field::Adr => with_adr(word, value),
        Field::Page => with_adr(word, value >> 12),
        Field::Imm12 => with_imm12(word, value),
        Field::Imm12High => with_imm12(word, value >> 12),
        Field::Scaled(bits) => with_imm12(word, (value & 0xfff) >> bits),
        Field::Slot15 => with_imm12(word, (value & 0x7ff8) >> 3),
        Field::Movw(group) => with_imm16(word, value >> (16 * group as u32)),
        Field::MovwSigned(group) => {
            let shift = 16 * group as u32;
            // MOVK changes no other bits, so it stays what it is.
            if (value as i64) < 0 && !Form::MOVK.is(word) {
                with_imm16(word & !(3 << 29), !value >> shift)
            } else {
                with_imm16(word | 1 << 30, value >> shift)
            }
        }
        Field::Imm19 => word & !(0x7_ffff << 5) | ((value >> 2) as u32 & 0x7_ffff) << 5,
        Field::Imm14 => word & !(0x3fff << 5) | ((value >> 2) as u32 & 0x3fff) << 5,
        Field::Imm26 => with_imm26(word, value),
    }
}

const fn with_imm16(word: u32, value: u64) -> u32 {
    word & !(0xffff << 5) | (value as u32 & 0xffff) << 5
}

/// Whether a branch by `x16` or `x17` may land on an instruction of guarded code: BTI that says so,
/// or what signs the return address.
pub const fn is_landing_pad(word: u32) -> bool {
    // bti c, bti j, bti jc, paciasp, pacibsp
    matches!(word, 0xd503_245f | 0xd503_249f | 0xd503_24df | 0xd503_233f | 0xd503_237f)
}

/// The page of an address, as ADRP counts them.
#[inline(always)]
pub const fn page(address: u64) -> u64 {
    address & !0xfff
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_where_instructions_have_them() {
        // Words as GNU as writes them; each has other bits set in the field before.
        for (word, field, value, expected) in [
            (0x9000_0000, Field::Page, 0x1_2345_6000, 0xd091_a2a0), // adrp x0, .+0x123456000
            (0xf0ff_ffe1, Field::Page, 0, 0x9000_0001),
            (0x1000_0000, Field::Adr, 0xf_ffff_u64, 0x707f_ffe0), // adr x0, .+0xfffff
            (0x1000_0000, Field::Adr, -1i64 as u64, 0x70ff_ffe0), // adr x0, .-1
            (0x913f_fc00, Field::Imm12, 0x1234_5678, 0x9119_e000), // add x0, x0, #0x678
            (0x9140_0000, Field::Imm12High, 0x12_3678, 0x9144_8c00), // add x0, x0, #0x123, lsl #12
            (0xf940_0020, Field::Scaled(3), 0x5678, 0xf943_3c20), // ldr x0, [x1, #0x678]
            (0x3dc0_0020, Field::Scaled(4), 0xff0, 0x3dc3_fc20),  // ldr q0, [x1, #0xff0]
            (0xf940_0020, Field::Slot15, 0x7ff8, 0xf97f_fc20),    // ldr x0, [x1, #0x7ff8]
            (0xd2a0_0000, Field::Movw(1), 0x1234_5678, 0xd2a2_4680), // movz x0, #0x1234, lsl #16
            (0xd280_0000, Field::MovwSigned(0), -2i64 as u64, 0x9280_0020), // movn x0, #1
            (0x9280_0000, Field::MovwSigned(0), 5, 0xd280_00a0),  // movz x0, #5
            (0xf2a0_0000, Field::MovwSigned(1), 0x5_0000, 0xf2a0_00a0), // movk x0, #5, lsl #16
            (0xf280_0000, Field::MovwSigned(0), -2i64 as u64, 0xf29f_ffc0), // movk x0, #0xfffe
            (0x5400_0000, Field::Imm19, 0xf_fffc, 0x547f_ffe0),   // b.eq .+0xffffc
            (0x3600_0000, Field::Imm14, -0x8000i64 as u64, 0x3604_0000), // tbz w0, #0, .-0x8000
            (0x97ff_ffff, Field::Imm26, 8, 0x9400_0002),          // bl .+8
        ] {
            let found = with_field(word, field, value);
            assert_eq!(found, expected, "{field:?}: {found:#x} for {expected:#x}");
        }
    }

    #[test]
    fn forms_are_told_apart() {
        for (word, form) in [
            (0x9000_0000, Form::ADRP),
            (0x1000_0000, Form::ADR),
            (0x9119_e000, Form::ADD),
            (0xf943_3c20, Form::LDR),
            (0x5800_0001, Form::LDR_LITERAL),
            (0xf860_6861, Form::LDR_REGISTER),
            (0x8b00_0060, Form::ADD_REGISTER),
            (0xd2a2_4680, Form::MOVZ),
            (0xf282_4680, Form::MOVK),
            (0xd63f_0020, Form::BLR),
            (0x9400_0002, Form::BL),
        ] {
            let all = [
                Form::ADRP,
                Form::ADR,
                Form::ADD,
                Form::LDR,
                Form::LDR_LITERAL,
                Form::LDR_REGISTER,
                Form::ADD_REGISTER,
                Form::MOVZ,
                Form::MOVK,
                Form::BLR,
                Form::BL,
            ];
            assert_eq!(all.iter().filter(|one| one.is(word)).count(), 1);
            assert!(form.is(word), "{form:?}");
        }
        assert_eq!(mov(0, 8), 0xaa08_03e0);
        assert_eq!(mov(3, 3), NOP);
    }

    #[test]
    fn what_is_cut_off_is_neither_read_nor_written() {
        let mut code = [0x1f, 0x20, 0x03, 0xd5, 1, 2, 3];
        assert_eq!(read(&code, 0), Some(NOP));
        assert_eq!(read(&code, 4), None);
        assert_eq!(read(&code, usize::MAX), None);
        assert!(!write(&mut code, 4, NOP));
        assert!(write(&mut code, 3, NOP));
        assert_eq!(code, [0x1f, 0x20, 0x03, 0x1f, 0x20, 0x03, 0xd5]);
    }
}
