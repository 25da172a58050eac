//! Numbers of relocation types beside those of the first ABI, and how several are one.

#![allow(missing_docs)]

pub const R_MIPS_PC21_S2: u32 = 60;
pub const R_MIPS_PC26_S2: u32 = 61;
pub const R_MIPS_PC18_S3: u32 = 62;
pub const R_MIPS_PC19_S2: u32 = 63;
pub const R_MIPS_PCHI16: u32 = 64;
pub const R_MIPS_PCLO16: u32 = 65;
pub const R_MICROMIPS_26_S1: u32 = 133;
pub const R_MICROMIPS_HI16: u32 = 134;
pub const R_MICROMIPS_LO16: u32 = 135;
pub const R_MICROMIPS_GPREL16: u32 = 136;
pub const R_MICROMIPS_LITERAL: u32 = 137;
pub const R_MICROMIPS_GOT16: u32 = 138;
pub const R_MICROMIPS_PC7_S1: u32 = 139;
pub const R_MICROMIPS_PC10_S1: u32 = 140;
pub const R_MICROMIPS_PC16_S1: u32 = 141;
pub const R_MICROMIPS_CALL16: u32 = 142;
pub const R_MICROMIPS_GOT_DISP: u32 = 145;
pub const R_MICROMIPS_GOT_PAGE: u32 = 146;
pub const R_MICROMIPS_GOT_OFST: u32 = 147;
pub const R_MICROMIPS_GOT_HI16: u32 = 148;
pub const R_MICROMIPS_GOT_LO16: u32 = 149;
pub const R_MICROMIPS_SUB: u32 = 150;
pub const R_MICROMIPS_HIGHER: u32 = 151;
pub const R_MICROMIPS_HIGHEST: u32 = 152;
pub const R_MICROMIPS_CALL_HI16: u32 = 153;
pub const R_MICROMIPS_CALL_LO16: u32 = 154;
pub const R_MICROMIPS_SCN_DISP: u32 = 155;
pub const R_MICROMIPS_JALR: u32 = 156;
pub const R_MICROMIPS_HI0_LO16: u32 = 157;
pub const R_MICROMIPS_TLS_GD: u32 = 162;
pub const R_MICROMIPS_TLS_LDM: u32 = 163;
pub const R_MICROMIPS_TLS_DTPREL_HI16: u32 = 164;
pub const R_MICROMIPS_TLS_DTPREL_LO16: u32 = 165;
pub const R_MICROMIPS_TLS_GOTTPREL: u32 = 166;
pub const R_MICROMIPS_TLS_TPREL_HI16: u32 = 169;
pub const R_MICROMIPS_TLS_TPREL_LO16: u32 = 170;
pub const R_MICROMIPS_GPREL7_S2: u32 = 172;
pub const R_MICROMIPS_PC23_S2: u32 = 173;
pub const R_MICROMIPS_PC21_S1: u32 = 174;
pub const R_MICROMIPS_PC26_S1: u32 = 175;
pub const R_MICROMIPS_PC18_S3: u32 = 176;
pub const R_MICROMIPS_PC19_S2: u32 = 177;
pub const R_MIPS_PC32: u32 = 248;
pub const R_MIPS_EH: u32 = 249;
pub const R_MIPS_GNU_VTINHERIT: u32 = 253;
pub const R_MIPS_GNU_VTENTRY: u32 = 254;

/// The type that does one step after the other: 64-bit files have up to three in a relocation.
pub const fn composed(first: u32, second: u32, third: u32) -> u32 {
    first | second << 8 | third << 16
}

/// The types of a relocation, in order; 0 for none.
#[inline(always)]
pub const fn parts(r_type: u32) -> [u32; 3] {
    [r_type & 0xff, r_type >> 8 & 0xff, r_type >> 16 & 0xff]
}

/// What a 64-bit relocation's second symbol is, which no compiler uses: RSS_*.
#[inline(always)]
pub const fn special_symbol(r_type: u32) -> u32 {
    r_type >> 24
}
