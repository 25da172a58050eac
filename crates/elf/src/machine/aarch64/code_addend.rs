//! The addend of an SHT_REL relocation in an instruction ("ELF for the Arm 64-bit Architecture",
//! "Addends and PC-bias"): the immediate, scaled as the instruction has it, with its sign. Those of
//! ADRP and of MOVZ and its relatives are bytes, and not pages or half-words.

use super::howto::{Field, field};

/// The addend in `bytes`, the instruction; `None` if the field of the type is data.
pub fn of_instruction(r_type: u32, bytes: [u8; 4]) -> Option<i64> {
    let word = u32::from_le_bytes(bytes);
    let bits = |first: u32, count: u32| word >> first & ((1 << count) - 1);
    Some(match field(r_type)? {
        Field::Data => return None,
        Field::None => 0,
        Field::Adr | Field::Page => signed(bits(5, 19) << 2 | bits(29, 2), 21),
        Field::Imm12 | Field::Imm12High => signed(bits(10, 12), 12),
        Field::Scaled(scale) => signed(bits(10, 12), 12) << scale,
        Field::Slot15 => signed(bits(10, 12), 12) << 3,
        Field::Movw(_) | Field::MovwSigned(_) => signed(bits(5, 16), 16),
        Field::Imm19 => signed(bits(5, 19), 19) << 2,
        Field::Imm14 => signed(bits(5, 14), 14) << 2,
        Field::Imm26 => signed(bits(0, 26), 26) << 2,
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
    use object::elf::*;

    #[test]
    fn immediates_are_scaled_and_have_signs() {
        let cases = [
            (0x3010_0000, R_AARCH64_ADR_PREL_LO21, 0x2_0001), // adr x0, .+0x20001
            (0x1080_0000, R_AARCH64_ADR_PREL_LO21, -0x10_0000), // adr x0, .-0x100000
            (0x9000_0020, R_AARCH64_ADR_PREL_PG_HI21, 4),     // adrp x0, 4 pages
            (0x9100_0400, R_AARCH64_ADD_ABS_LO12_NC, 1),      // add x0, x0, #1
            (0xf940_0400, R_AARCH64_LDST64_ABS_LO12_NC, 8),   // ldr x0, [x0, #8]
            (0xd282_4680, R_AARCH64_MOVW_UABS_G0_NC, 0x1234), // movz x0, #0x1234
            (0xf2bd_b980, R_AARCH64_MOVW_UABS_G1_NC, -0x1234), // movk x0, #0xedcc, lsl #16
            (0x1880_0000, R_AARCH64_LD_PREL_LO19, -0x10_0000), // ldr w0, .-0x100000
            (0xb704_0001, R_AARCH64_TSTBR14, -0x8000),        // tbnz x1, #32, .-0x8000
            (0x5400_0040, R_AARCH64_CONDBR19, 8),             // b.eq .+8
            (0x9600_0000, R_AARCH64_CALL26, -0x800_0000),     // bl .-0x8000000
            (0xd63f_0020, R_AARCH64_TLSDESC_CALL, 0),         // blr x1
        ];
        for (word, r_type, addend) in cases {
            let found = of_instruction(r_type, u32::to_le_bytes(word));
            assert_eq!(found, Some(addend), "{word:#x}");
        }
        assert_eq!(of_instruction(R_AARCH64_ABS32, [1, 0, 0, 0]), None);
    }
}
