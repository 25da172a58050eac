//! What each relocation type writes: its name, the field in data or in an instruction, and the
//! range of its values ("ELF for the Arm 64-bit Architecture (AArch64)", "Relocation"; for types
//! with `AUTH` "PAuth ABI Extension to ELF").
//!
//! Types have numbers from 257 on, with gaps. Rows are in ascending order, and an index has the row
//! of each number. The table for the 32-bit class (`R_AARCH64_P32_*`) is another one.

use crate::machine::howto::{Howto, Range};
use Field::{
    Adr, Data, Imm12, Imm12High, Imm14, Imm19, Imm26, Movw, MovwSigned, Page, Scaled, Slot15,
};
use Range::{Any, Either, Signed, Unsigned};

/// The field that a relocation writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    /// No field: a mark, or only the loader writes it.
    None,
    /// Data, in the byte order of the file.
    Data,
    /// ADR: 21 bits in two parts.
    Adr,
    /// ADRP: likewise, of the number of the page.
    Page,
    /// The lowest 12 bits, in ADD.
    Imm12,
    /// The 12 bits above these, in ADD.
    Imm12High,
    /// The lowest 12 bits in a load or store of `1 << n` bytes, which leaves out the lowest `n`.
    Scaled(u8),
    /// 15 bits in a load of 8 bytes.
    Slot15,
    /// 16 bits from bit `16 * n` on, in MOVZ or MOVK.
    Movw(u8),
    /// Likewise of a signed number: MOVN for a negative one, or else MOVZ.
    MovwSigned(u8),
    /// A distance of 19 bits in words: B.cond, CBZ, LDR.
    Imm19,
    /// A distance of 14 bits in words: TBZ.
    Imm14,
    /// A distance of 26 bits in words: B and BL.
    Imm26,
}

impl Field {
    /// What a value must be a multiple of.
    pub const fn align(self) -> u64 {
        match self {
            Scaled(bits) => 1 << bits,
            Slot15 => 8,
            Imm19 | Imm14 | Imm26 => 4,
            _ => 1,
        }
    }
}

/// The row of `r_type`; `None` for a number that the ABI does not define.
#[inline]
pub fn howto(r_type: u32) -> Option<&'static Howto> {
    Some(&ROWS[row_of(r_type)?].1)
}

/// The field of `r_type`.
#[inline]
pub fn field(r_type: u32) -> Option<Field> {
    Some(FIELDS[row_of(r_type)?])
}

#[inline]
fn row_of(r_type: u32) -> Option<usize> {
    match INDEX.get(r_type as usize) {
        None | Some(&NO_ROW) => None,
        Some(&row) => Some(usize::from(row)),
    }
}

/// In [`INDEX`]: a number without a row.
const NO_ROW: u8 = u8::MAX;

/// By number, the row.
static INDEX: [u8; 1045] = {
    let mut index = [NO_ROW; 1045];
    let mut at = 0;
    while at < ROWS.len() {
        let number = ROWS[at].0 as usize;
        index[number] = at as u8;
        at += 1;
    }
    index
};

/// Whether `r_type` is one of thread-local storage that an object may contain.
pub const fn is_thread_local(r_type: u32) -> bool {
    matches!(r_type, 512..=573 | 595..=598 | R_AARCH64_TLS_DTPREL64 | R_AARCH64_TLS_TPREL64)
}

/// What a relocation that could not be relaxed requires, to follow its name in a message.
pub const fn required_tls_sequence(r_type: u32) -> &'static str {
    match r_type {
        R_AARCH64_TLSDESC_ADR_PAGE21 | R_AARCH64_TLSIE_ADR_GOTTPREL_PAGE21 => {
            "must be used in ADRP"
        }
        R_AARCH64_TLSDESC_ADR_PREL21 => "must be used in ADR",
        R_AARCH64_TLSDESC_LD64_LO12
        | R_AARCH64_TLSDESC_LDR
        | R_AARCH64_TLSDESC_LD_PREL19
        | R_AARCH64_TLSIE_LD64_GOTTPREL_LO12_NC => "must be used in LDR of a 64-bit register",
        R_AARCH64_TLSDESC_ADD_LO12 | R_AARCH64_TLSDESC_ADD => "must be used in ADD",
        R_AARCH64_TLSDESC_OFF_G1 => "must be used in MOVZ",
        R_AARCH64_TLSDESC_OFF_G0_NC => "must be used in MOVK",
        R_AARCH64_TLSDESC_CALL => "must be used in BLR",
        _ => "cannot be relaxed",
    }
}

const fn row(name: &'static str, size: u8, range: Range) -> Howto {
    Howto { name, size, range }
}

// The numbers are the ABI's.
#[allow(missing_docs)]
mod numbers {
    pub const R_AARCH64_NONE: u32 = 0;
    pub const R_AARCH64_WITHDRAWN: u32 = 256;
    pub const R_AARCH64_ABS64: u32 = 257;
    pub const R_AARCH64_ABS32: u32 = 258;
    pub const R_AARCH64_ABS16: u32 = 259;
    pub const R_AARCH64_PREL64: u32 = 260;
    pub const R_AARCH64_PREL32: u32 = 261;
    pub const R_AARCH64_PREL16: u32 = 262;
    pub const R_AARCH64_MOVW_UABS_G0: u32 = 263;
    pub const R_AARCH64_MOVW_UABS_G0_NC: u32 = 264;
    pub const R_AARCH64_MOVW_UABS_G1: u32 = 265;
    pub const R_AARCH64_MOVW_UABS_G1_NC: u32 = 266;
    pub const R_AARCH64_MOVW_UABS_G2: u32 = 267;
    pub const R_AARCH64_MOVW_UABS_G2_NC: u32 = 268;
    pub const R_AARCH64_MOVW_UABS_G3: u32 = 269;
    pub const R_AARCH64_MOVW_SABS_G0: u32 = 270;
    pub const R_AARCH64_MOVW_SABS_G1: u32 = 271;
    pub const R_AARCH64_MOVW_SABS_G2: u32 = 272;
    pub const R_AARCH64_LD_PREL_LO19: u32 = 273;
    pub const R_AARCH64_ADR_PREL_LO21: u32 = 274;
    pub const R_AARCH64_ADR_PREL_PG_HI21: u32 = 275;
    pub const R_AARCH64_ADR_PREL_PG_HI21_NC: u32 = 276;
    pub const R_AARCH64_ADD_ABS_LO12_NC: u32 = 277;
    pub const R_AARCH64_LDST8_ABS_LO12_NC: u32 = 278;
    pub const R_AARCH64_TSTBR14: u32 = 279;
    pub const R_AARCH64_CONDBR19: u32 = 280;
    pub const R_AARCH64_JUMP26: u32 = 282;
    pub const R_AARCH64_CALL26: u32 = 283;
    pub const R_AARCH64_LDST16_ABS_LO12_NC: u32 = 284;
    pub const R_AARCH64_LDST32_ABS_LO12_NC: u32 = 285;
    pub const R_AARCH64_LDST64_ABS_LO12_NC: u32 = 286;
    pub const R_AARCH64_MOVW_PREL_G0: u32 = 287;
    pub const R_AARCH64_MOVW_PREL_G0_NC: u32 = 288;
    pub const R_AARCH64_MOVW_PREL_G1: u32 = 289;
    pub const R_AARCH64_MOVW_PREL_G1_NC: u32 = 290;
    pub const R_AARCH64_MOVW_PREL_G2: u32 = 291;
    pub const R_AARCH64_MOVW_PREL_G2_NC: u32 = 292;
    pub const R_AARCH64_MOVW_PREL_G3: u32 = 293;
    pub const R_AARCH64_LDST128_ABS_LO12_NC: u32 = 299;
    pub const R_AARCH64_MOVW_GOTOFF_G0: u32 = 300;
    pub const R_AARCH64_MOVW_GOTOFF_G0_NC: u32 = 301;
    pub const R_AARCH64_MOVW_GOTOFF_G1: u32 = 302;
    pub const R_AARCH64_MOVW_GOTOFF_G1_NC: u32 = 303;
    pub const R_AARCH64_MOVW_GOTOFF_G2: u32 = 304;
    pub const R_AARCH64_MOVW_GOTOFF_G2_NC: u32 = 305;
    pub const R_AARCH64_MOVW_GOTOFF_G3: u32 = 306;
    pub const R_AARCH64_GOTREL64: u32 = 307;
    pub const R_AARCH64_GOTREL32: u32 = 308;
    pub const R_AARCH64_GOT_LD_PREL19: u32 = 309;
    pub const R_AARCH64_LD64_GOTOFF_LO15: u32 = 310;
    pub const R_AARCH64_ADR_GOT_PAGE: u32 = 311;
    pub const R_AARCH64_LD64_GOT_LO12_NC: u32 = 312;
    pub const R_AARCH64_LD64_GOTPAGE_LO15: u32 = 313;
    pub const R_AARCH64_PLT32: u32 = 314;
    pub const R_AARCH64_GOTPCREL32: u32 = 315;
    pub const R_AARCH64_TLSGD_ADR_PREL21: u32 = 512;
    pub const R_AARCH64_TLSGD_ADR_PAGE21: u32 = 513;
    pub const R_AARCH64_TLSGD_ADD_LO12_NC: u32 = 514;
    pub const R_AARCH64_TLSGD_MOVW_G1: u32 = 515;
    pub const R_AARCH64_TLSGD_MOVW_G0_NC: u32 = 516;
    pub const R_AARCH64_TLSLD_ADR_PREL21: u32 = 517;
    pub const R_AARCH64_TLSLD_ADR_PAGE21: u32 = 518;
    pub const R_AARCH64_TLSLD_ADD_LO12_NC: u32 = 519;
    pub const R_AARCH64_TLSLD_MOVW_G1: u32 = 520;
    pub const R_AARCH64_TLSLD_MOVW_G0_NC: u32 = 521;
    pub const R_AARCH64_TLSLD_LD_PREL19: u32 = 522;
    pub const R_AARCH64_TLSLD_MOVW_DTPREL_G2: u32 = 523;
    pub const R_AARCH64_TLSLD_MOVW_DTPREL_G1: u32 = 524;
    pub const R_AARCH64_TLSLD_MOVW_DTPREL_G1_NC: u32 = 525;
    pub const R_AARCH64_TLSLD_MOVW_DTPREL_G0: u32 = 526;
    pub const R_AARCH64_TLSLD_MOVW_DTPREL_G0_NC: u32 = 527;
    pub const R_AARCH64_TLSLD_ADD_DTPREL_HI12: u32 = 528;
    pub const R_AARCH64_TLSLD_ADD_DTPREL_LO12: u32 = 529;
    pub const R_AARCH64_TLSLD_ADD_DTPREL_LO12_NC: u32 = 530;
    pub const R_AARCH64_TLSLD_LDST8_DTPREL_LO12: u32 = 531;
    pub const R_AARCH64_TLSLD_LDST8_DTPREL_LO12_NC: u32 = 532;
    pub const R_AARCH64_TLSLD_LDST16_DTPREL_LO12: u32 = 533;
    pub const R_AARCH64_TLSLD_LDST16_DTPREL_LO12_NC: u32 = 534;
    pub const R_AARCH64_TLSLD_LDST32_DTPREL_LO12: u32 = 535;
    pub const R_AARCH64_TLSLD_LDST32_DTPREL_LO12_NC: u32 = 536;
    pub const R_AARCH64_TLSLD_LDST64_DTPREL_LO12: u32 = 537;
    pub const R_AARCH64_TLSLD_LDST64_DTPREL_LO12_NC: u32 = 538;
    pub const R_AARCH64_TLSIE_MOVW_GOTTPREL_G1: u32 = 539;
    pub const R_AARCH64_TLSIE_MOVW_GOTTPREL_G0_NC: u32 = 540;
    pub const R_AARCH64_TLSIE_ADR_GOTTPREL_PAGE21: u32 = 541;
    pub const R_AARCH64_TLSIE_LD64_GOTTPREL_LO12_NC: u32 = 542;
    pub const R_AARCH64_TLSIE_LD_GOTTPREL_PREL19: u32 = 543;
    pub const R_AARCH64_TLSLE_MOVW_TPREL_G2: u32 = 544;
    pub const R_AARCH64_TLSLE_MOVW_TPREL_G1: u32 = 545;
    pub const R_AARCH64_TLSLE_MOVW_TPREL_G1_NC: u32 = 546;
    pub const R_AARCH64_TLSLE_MOVW_TPREL_G0: u32 = 547;
    pub const R_AARCH64_TLSLE_MOVW_TPREL_G0_NC: u32 = 548;
    pub const R_AARCH64_TLSLE_ADD_TPREL_HI12: u32 = 549;
    pub const R_AARCH64_TLSLE_ADD_TPREL_LO12: u32 = 550;
    pub const R_AARCH64_TLSLE_ADD_TPREL_LO12_NC: u32 = 551;
    pub const R_AARCH64_TLSLE_LDST8_TPREL_LO12: u32 = 552;
    pub const R_AARCH64_TLSLE_LDST8_TPREL_LO12_NC: u32 = 553;
    pub const R_AARCH64_TLSLE_LDST16_TPREL_LO12: u32 = 554;
    pub const R_AARCH64_TLSLE_LDST16_TPREL_LO12_NC: u32 = 555;
    pub const R_AARCH64_TLSLE_LDST32_TPREL_LO12: u32 = 556;
    pub const R_AARCH64_TLSLE_LDST32_TPREL_LO12_NC: u32 = 557;
    pub const R_AARCH64_TLSLE_LDST64_TPREL_LO12: u32 = 558;
    pub const R_AARCH64_TLSLE_LDST64_TPREL_LO12_NC: u32 = 559;
    pub const R_AARCH64_TLSDESC_LD_PREL19: u32 = 560;
    pub const R_AARCH64_TLSDESC_ADR_PREL21: u32 = 561;
    pub const R_AARCH64_TLSDESC_ADR_PAGE21: u32 = 562;
    pub const R_AARCH64_TLSDESC_LD64_LO12: u32 = 563;
    pub const R_AARCH64_TLSDESC_ADD_LO12: u32 = 564;
    pub const R_AARCH64_TLSDESC_OFF_G1: u32 = 565;
    pub const R_AARCH64_TLSDESC_OFF_G0_NC: u32 = 566;
    pub const R_AARCH64_TLSDESC_LDR: u32 = 567;
    pub const R_AARCH64_TLSDESC_ADD: u32 = 568;
    pub const R_AARCH64_TLSDESC_CALL: u32 = 569;
    pub const R_AARCH64_TLSLE_LDST128_TPREL_LO12: u32 = 570;
    pub const R_AARCH64_TLSLE_LDST128_TPREL_LO12_NC: u32 = 571;
    pub const R_AARCH64_TLSLD_LDST128_DTPREL_LO12: u32 = 572;
    pub const R_AARCH64_TLSLD_LDST128_DTPREL_LO12_NC: u32 = 573;
    pub const R_AARCH64_AUTH_ABS64: u32 = 580;
    pub const R_AARCH64_AUTH_MOVW_GOTOFF_G0: u32 = 581;
    pub const R_AARCH64_AUTH_MOVW_GOTOFF_G0_NC: u32 = 582;
    pub const R_AARCH64_AUTH_MOVW_GOTOFF_G1: u32 = 583;
    pub const R_AARCH64_AUTH_MOVW_GOTOFF_G1_NC: u32 = 584;
    pub const R_AARCH64_AUTH_MOVW_GOTOFF_G2: u32 = 585;
    pub const R_AARCH64_AUTH_MOVW_GOTOFF_G2_NC: u32 = 586;
    pub const R_AARCH64_AUTH_MOVW_GOTOFF_G3: u32 = 587;
    pub const R_AARCH64_AUTH_GOT_LD_PREL19: u32 = 588;
    pub const R_AARCH64_AUTH_LD64_GOTOFF_LO15: u32 = 589;
    pub const R_AARCH64_AUTH_ADR_GOT_PAGE: u32 = 590;
    pub const R_AARCH64_AUTH_LD64_GOT_LO12_NC: u32 = 591;
    pub const R_AARCH64_AUTH_LD64_GOTPAGE_LO15: u32 = 592;
    pub const R_AARCH64_AUTH_GOT_ADD_LO12_NC: u32 = 593;
    pub const R_AARCH64_AUTH_GOT_ADR_PREL_LO21: u32 = 594;
    pub const R_AARCH64_AUTH_TLSDESC_ADR_PAGE21: u32 = 595;
    pub const R_AARCH64_AUTH_TLSDESC_LD64_LO12: u32 = 596;
    pub const R_AARCH64_AUTH_TLSDESC_ADD_LO12: u32 = 597;
    pub const R_AARCH64_AUTH_TLSDESC_CALL: u32 = 598;
    pub const R_AARCH64_COPY: u32 = 1024;
    pub const R_AARCH64_GLOB_DAT: u32 = 1025;
    pub const R_AARCH64_JUMP_SLOT: u32 = 1026;
    pub const R_AARCH64_RELATIVE: u32 = 1027;
    pub const R_AARCH64_TLS_DTPMOD64: u32 = 1028;
    pub const R_AARCH64_TLS_DTPREL64: u32 = 1029;
    pub const R_AARCH64_TLS_TPREL64: u32 = 1030;
    pub const R_AARCH64_TLSDESC: u32 = 1031;
    pub const R_AARCH64_IRELATIVE: u32 = 1032;
    pub const R_AARCH64_AUTH_RELATIVE: u32 = 1041;
    pub const R_AARCH64_AUTH_GLOB_DAT: u32 = 1042;
    pub const R_AARCH64_AUTH_TLSDESC: u32 = 1043;
    pub const R_AARCH64_AUTH_IRELATIVE: u32 = 1044;
}
pub use numbers::*;

/// Numbers and rows, ascending.
pub static ROWS: [(u32, Howto); 149] = [
    (R_AARCH64_NONE, row("R_AARCH64_NONE", 0, Any)),
    // An older number of the same.
    (R_AARCH64_WITHDRAWN, row("R_AARCH64_NONE", 0, Any)),
    (R_AARCH64_ABS64, row("R_AARCH64_ABS64", 8, Any)),
    (R_AARCH64_ABS32, row("R_AARCH64_ABS32", 4, Either(32))),
    (R_AARCH64_ABS16, row("R_AARCH64_ABS16", 2, Either(16))),
    (R_AARCH64_PREL64, row("R_AARCH64_PREL64", 8, Any)),
    (R_AARCH64_PREL32, row("R_AARCH64_PREL32", 4, Either(32))),
    (R_AARCH64_PREL16, row("R_AARCH64_PREL16", 2, Either(16))),
    (R_AARCH64_MOVW_UABS_G0, row("R_AARCH64_MOVW_UABS_G0", 4, Unsigned(16))),
    (R_AARCH64_MOVW_UABS_G0_NC, row("R_AARCH64_MOVW_UABS_G0_NC", 4, Any)),
    (R_AARCH64_MOVW_UABS_G1, row("R_AARCH64_MOVW_UABS_G1", 4, Unsigned(32))),
    (R_AARCH64_MOVW_UABS_G1_NC, row("R_AARCH64_MOVW_UABS_G1_NC", 4, Any)),
    (R_AARCH64_MOVW_UABS_G2, row("R_AARCH64_MOVW_UABS_G2", 4, Unsigned(48))),
    (R_AARCH64_MOVW_UABS_G2_NC, row("R_AARCH64_MOVW_UABS_G2_NC", 4, Any)),
    (R_AARCH64_MOVW_UABS_G3, row("R_AARCH64_MOVW_UABS_G3", 4, Any)),
    (R_AARCH64_MOVW_SABS_G0, row("R_AARCH64_MOVW_SABS_G0", 4, Signed(17))),
    (R_AARCH64_MOVW_SABS_G1, row("R_AARCH64_MOVW_SABS_G1", 4, Signed(33))),
    (R_AARCH64_MOVW_SABS_G2, row("R_AARCH64_MOVW_SABS_G2", 4, Signed(49))),
    (R_AARCH64_LD_PREL_LO19, row("R_AARCH64_LD_PREL_LO19", 4, Signed(21))),
    (R_AARCH64_ADR_PREL_LO21, row("R_AARCH64_ADR_PREL_LO21", 4, Signed(21))),
    (R_AARCH64_ADR_PREL_PG_HI21, row("R_AARCH64_ADR_PREL_PG_HI21", 4, Signed(33))),
    (R_AARCH64_ADR_PREL_PG_HI21_NC, row("R_AARCH64_ADR_PREL_PG_HI21_NC", 4, Any)),
    (R_AARCH64_ADD_ABS_LO12_NC, row("R_AARCH64_ADD_ABS_LO12_NC", 4, Any)),
    (R_AARCH64_LDST8_ABS_LO12_NC, row("R_AARCH64_LDST8_ABS_LO12_NC", 4, Any)),
    (R_AARCH64_TSTBR14, row("R_AARCH64_TSTBR14", 4, Signed(16))),
    (R_AARCH64_CONDBR19, row("R_AARCH64_CONDBR19", 4, Signed(21))),
    (R_AARCH64_JUMP26, row("R_AARCH64_JUMP26", 4, Signed(28))),
    (R_AARCH64_CALL26, row("R_AARCH64_CALL26", 4, Signed(28))),
    (R_AARCH64_LDST16_ABS_LO12_NC, row("R_AARCH64_LDST16_ABS_LO12_NC", 4, Any)),
    (R_AARCH64_LDST32_ABS_LO12_NC, row("R_AARCH64_LDST32_ABS_LO12_NC", 4, Any)),
    (R_AARCH64_LDST64_ABS_LO12_NC, row("R_AARCH64_LDST64_ABS_LO12_NC", 4, Any)),
    (R_AARCH64_MOVW_PREL_G0, row("R_AARCH64_MOVW_PREL_G0", 4, Signed(17))),
    (R_AARCH64_MOVW_PREL_G0_NC, row("R_AARCH64_MOVW_PREL_G0_NC", 4, Any)),
    (R_AARCH64_MOVW_PREL_G1, row("R_AARCH64_MOVW_PREL_G1", 4, Signed(33))),
    (R_AARCH64_MOVW_PREL_G1_NC, row("R_AARCH64_MOVW_PREL_G1_NC", 4, Any)),
    (R_AARCH64_MOVW_PREL_G2, row("R_AARCH64_MOVW_PREL_G2", 4, Signed(49))),
    (R_AARCH64_MOVW_PREL_G2_NC, row("R_AARCH64_MOVW_PREL_G2_NC", 4, Any)),
    (R_AARCH64_MOVW_PREL_G3, row("R_AARCH64_MOVW_PREL_G3", 4, Any)),
    (R_AARCH64_LDST128_ABS_LO12_NC, row("R_AARCH64_LDST128_ABS_LO12_NC", 4, Any)),
    (R_AARCH64_MOVW_GOTOFF_G0, row("R_AARCH64_MOVW_GOTOFF_G0", 4, Signed(17))),
    (R_AARCH64_MOVW_GOTOFF_G0_NC, row("R_AARCH64_MOVW_GOTOFF_G0_NC", 4, Any)),
    (R_AARCH64_MOVW_GOTOFF_G1, row("R_AARCH64_MOVW_GOTOFF_G1", 4, Signed(33))),
    (R_AARCH64_MOVW_GOTOFF_G1_NC, row("R_AARCH64_MOVW_GOTOFF_G1_NC", 4, Any)),
    (R_AARCH64_MOVW_GOTOFF_G2, row("R_AARCH64_MOVW_GOTOFF_G2", 4, Signed(49))),
    (R_AARCH64_MOVW_GOTOFF_G2_NC, row("R_AARCH64_MOVW_GOTOFF_G2_NC", 4, Any)),
    (R_AARCH64_MOVW_GOTOFF_G3, row("R_AARCH64_MOVW_GOTOFF_G3", 4, Any)),
    (R_AARCH64_GOTREL64, row("R_AARCH64_GOTREL64", 8, Any)),
    (R_AARCH64_GOTREL32, row("R_AARCH64_GOTREL32", 4, Either(32))),
    (R_AARCH64_GOT_LD_PREL19, row("R_AARCH64_GOT_LD_PREL19", 4, Signed(21))),
    (R_AARCH64_LD64_GOTOFF_LO15, row("R_AARCH64_LD64_GOTOFF_LO15", 4, Unsigned(15))),
    (R_AARCH64_ADR_GOT_PAGE, row("R_AARCH64_ADR_GOT_PAGE", 4, Signed(33))),
    (R_AARCH64_LD64_GOT_LO12_NC, row("R_AARCH64_LD64_GOT_LO12_NC", 4, Any)),
    (R_AARCH64_LD64_GOTPAGE_LO15, row("R_AARCH64_LD64_GOTPAGE_LO15", 4, Unsigned(15))),
    (R_AARCH64_PLT32, row("R_AARCH64_PLT32", 4, Signed(32))),
    (R_AARCH64_GOTPCREL32, row("R_AARCH64_GOTPCREL32", 4, Signed(32))),
    (R_AARCH64_TLSGD_ADR_PREL21, row("R_AARCH64_TLSGD_ADR_PREL21", 4, Signed(21))),
    (R_AARCH64_TLSGD_ADR_PAGE21, row("R_AARCH64_TLSGD_ADR_PAGE21", 4, Signed(33))),
    (R_AARCH64_TLSGD_ADD_LO12_NC, row("R_AARCH64_TLSGD_ADD_LO12_NC", 4, Any)),
    (R_AARCH64_TLSGD_MOVW_G1, row("R_AARCH64_TLSGD_MOVW_G1", 4, Signed(33))),
    (R_AARCH64_TLSGD_MOVW_G0_NC, row("R_AARCH64_TLSGD_MOVW_G0_NC", 4, Any)),
    (R_AARCH64_TLSLD_ADR_PREL21, row("R_AARCH64_TLSLD_ADR_PREL21", 4, Signed(21))),
    (R_AARCH64_TLSLD_ADR_PAGE21, row("R_AARCH64_TLSLD_ADR_PAGE21", 4, Signed(33))),
    (R_AARCH64_TLSLD_ADD_LO12_NC, row("R_AARCH64_TLSLD_ADD_LO12_NC", 4, Any)),
    (R_AARCH64_TLSLD_MOVW_G1, row("R_AARCH64_TLSLD_MOVW_G1", 4, Signed(33))),
    (R_AARCH64_TLSLD_MOVW_G0_NC, row("R_AARCH64_TLSLD_MOVW_G0_NC", 4, Any)),
    (R_AARCH64_TLSLD_LD_PREL19, row("R_AARCH64_TLSLD_LD_PREL19", 4, Signed(21))),
    (R_AARCH64_TLSLD_MOVW_DTPREL_G2, row("R_AARCH64_TLSLD_MOVW_DTPREL_G2", 4, Signed(49))),
    (R_AARCH64_TLSLD_MOVW_DTPREL_G1, row("R_AARCH64_TLSLD_MOVW_DTPREL_G1", 4, Signed(33))),
    (R_AARCH64_TLSLD_MOVW_DTPREL_G1_NC, row("R_AARCH64_TLSLD_MOVW_DTPREL_G1_NC", 4, Any)),
    (R_AARCH64_TLSLD_MOVW_DTPREL_G0, row("R_AARCH64_TLSLD_MOVW_DTPREL_G0", 4, Signed(17))),
    (R_AARCH64_TLSLD_MOVW_DTPREL_G0_NC, row("R_AARCH64_TLSLD_MOVW_DTPREL_G0_NC", 4, Any)),
    (R_AARCH64_TLSLD_ADD_DTPREL_HI12, row("R_AARCH64_TLSLD_ADD_DTPREL_HI12", 4, Unsigned(24))),
    (R_AARCH64_TLSLD_ADD_DTPREL_LO12, row("R_AARCH64_TLSLD_ADD_DTPREL_LO12", 4, Unsigned(12))),
    (R_AARCH64_TLSLD_ADD_DTPREL_LO12_NC, row("R_AARCH64_TLSLD_ADD_DTPREL_LO12_NC", 4, Any)),
    (R_AARCH64_TLSLD_LDST8_DTPREL_LO12, row("R_AARCH64_TLSLD_LDST8_DTPREL_LO12", 4, Unsigned(12))),
    (R_AARCH64_TLSLD_LDST8_DTPREL_LO12_NC, row("R_AARCH64_TLSLD_LDST8_DTPREL_LO12_NC", 4, Any)),
    (
        R_AARCH64_TLSLD_LDST16_DTPREL_LO12,
        row("R_AARCH64_TLSLD_LDST16_DTPREL_LO12", 4, Unsigned(12)),
    ),
    (R_AARCH64_TLSLD_LDST16_DTPREL_LO12_NC, row("R_AARCH64_TLSLD_LDST16_DTPREL_LO12_NC", 4, Any)),
    (
        R_AARCH64_TLSLD_LDST32_DTPREL_LO12,
        row("R_AARCH64_TLSLD_LDST32_DTPREL_LO12", 4, Unsigned(12)),
    ),
    (R_AARCH64_TLSLD_LDST32_DTPREL_LO12_NC, row("R_AARCH64_TLSLD_LDST32_DTPREL_LO12_NC", 4, Any)),
    (
        R_AARCH64_TLSLD_LDST64_DTPREL_LO12,
        row("R_AARCH64_TLSLD_LDST64_DTPREL_LO12", 4, Unsigned(12)),
    ),
    (R_AARCH64_TLSLD_LDST64_DTPREL_LO12_NC, row("R_AARCH64_TLSLD_LDST64_DTPREL_LO12_NC", 4, Any)),
    (R_AARCH64_TLSIE_MOVW_GOTTPREL_G1, row("R_AARCH64_TLSIE_MOVW_GOTTPREL_G1", 4, Signed(33))),
    (R_AARCH64_TLSIE_MOVW_GOTTPREL_G0_NC, row("R_AARCH64_TLSIE_MOVW_GOTTPREL_G0_NC", 4, Any)),
    (
        R_AARCH64_TLSIE_ADR_GOTTPREL_PAGE21,
        row("R_AARCH64_TLSIE_ADR_GOTTPREL_PAGE21", 4, Signed(33)),
    ),
    (R_AARCH64_TLSIE_LD64_GOTTPREL_LO12_NC, row("R_AARCH64_TLSIE_LD64_GOTTPREL_LO12_NC", 4, Any)),
    (R_AARCH64_TLSIE_LD_GOTTPREL_PREL19, row("R_AARCH64_TLSIE_LD_GOTTPREL_PREL19", 4, Signed(21))),
    (R_AARCH64_TLSLE_MOVW_TPREL_G2, row("R_AARCH64_TLSLE_MOVW_TPREL_G2", 4, Signed(49))),
    (R_AARCH64_TLSLE_MOVW_TPREL_G1, row("R_AARCH64_TLSLE_MOVW_TPREL_G1", 4, Signed(33))),
    (R_AARCH64_TLSLE_MOVW_TPREL_G1_NC, row("R_AARCH64_TLSLE_MOVW_TPREL_G1_NC", 4, Any)),
    (R_AARCH64_TLSLE_MOVW_TPREL_G0, row("R_AARCH64_TLSLE_MOVW_TPREL_G0", 4, Signed(17))),
    (R_AARCH64_TLSLE_MOVW_TPREL_G0_NC, row("R_AARCH64_TLSLE_MOVW_TPREL_G0_NC", 4, Any)),
    (R_AARCH64_TLSLE_ADD_TPREL_HI12, row("R_AARCH64_TLSLE_ADD_TPREL_HI12", 4, Unsigned(24))),
    (R_AARCH64_TLSLE_ADD_TPREL_LO12, row("R_AARCH64_TLSLE_ADD_TPREL_LO12", 4, Unsigned(12))),
    (R_AARCH64_TLSLE_ADD_TPREL_LO12_NC, row("R_AARCH64_TLSLE_ADD_TPREL_LO12_NC", 4, Any)),
    (R_AARCH64_TLSLE_LDST8_TPREL_LO12, row("R_AARCH64_TLSLE_LDST8_TPREL_LO12", 4, Unsigned(12))),
    (R_AARCH64_TLSLE_LDST8_TPREL_LO12_NC, row("R_AARCH64_TLSLE_LDST8_TPREL_LO12_NC", 4, Any)),
    (R_AARCH64_TLSLE_LDST16_TPREL_LO12, row("R_AARCH64_TLSLE_LDST16_TPREL_LO12", 4, Unsigned(12))),
    (R_AARCH64_TLSLE_LDST16_TPREL_LO12_NC, row("R_AARCH64_TLSLE_LDST16_TPREL_LO12_NC", 4, Any)),
    (R_AARCH64_TLSLE_LDST32_TPREL_LO12, row("R_AARCH64_TLSLE_LDST32_TPREL_LO12", 4, Unsigned(12))),
    (R_AARCH64_TLSLE_LDST32_TPREL_LO12_NC, row("R_AARCH64_TLSLE_LDST32_TPREL_LO12_NC", 4, Any)),
    (R_AARCH64_TLSLE_LDST64_TPREL_LO12, row("R_AARCH64_TLSLE_LDST64_TPREL_LO12", 4, Unsigned(12))),
    (R_AARCH64_TLSLE_LDST64_TPREL_LO12_NC, row("R_AARCH64_TLSLE_LDST64_TPREL_LO12_NC", 4, Any)),
    (R_AARCH64_TLSDESC_LD_PREL19, row("R_AARCH64_TLSDESC_LD_PREL19", 4, Signed(21))),
    (R_AARCH64_TLSDESC_ADR_PREL21, row("R_AARCH64_TLSDESC_ADR_PREL21", 4, Signed(21))),
    (R_AARCH64_TLSDESC_ADR_PAGE21, row("R_AARCH64_TLSDESC_ADR_PAGE21", 4, Signed(33))),
    (R_AARCH64_TLSDESC_LD64_LO12, row("R_AARCH64_TLSDESC_LD64_LO12", 4, Any)),
    (R_AARCH64_TLSDESC_ADD_LO12, row("R_AARCH64_TLSDESC_ADD_LO12", 4, Any)),
    (R_AARCH64_TLSDESC_OFF_G1, row("R_AARCH64_TLSDESC_OFF_G1", 4, Signed(33))),
    (R_AARCH64_TLSDESC_OFF_G0_NC, row("R_AARCH64_TLSDESC_OFF_G0_NC", 4, Any)),
    (R_AARCH64_TLSDESC_LDR, row("R_AARCH64_TLSDESC_LDR", 0, Any)),
    (R_AARCH64_TLSDESC_ADD, row("R_AARCH64_TLSDESC_ADD", 0, Any)),
    (R_AARCH64_TLSDESC_CALL, row("R_AARCH64_TLSDESC_CALL", 0, Any)),
    (
        R_AARCH64_TLSLE_LDST128_TPREL_LO12,
        row("R_AARCH64_TLSLE_LDST128_TPREL_LO12", 4, Unsigned(12)),
    ),
    (R_AARCH64_TLSLE_LDST128_TPREL_LO12_NC, row("R_AARCH64_TLSLE_LDST128_TPREL_LO12_NC", 4, Any)),
    (
        R_AARCH64_TLSLD_LDST128_DTPREL_LO12,
        row("R_AARCH64_TLSLD_LDST128_DTPREL_LO12", 4, Unsigned(12)),
    ),
    (R_AARCH64_TLSLD_LDST128_DTPREL_LO12_NC, row("R_AARCH64_TLSLD_LDST128_DTPREL_LO12_NC", 4, Any)),
    (R_AARCH64_AUTH_ABS64, row("R_AARCH64_AUTH_ABS64", 8, Any)),
    (R_AARCH64_AUTH_MOVW_GOTOFF_G0, row("R_AARCH64_AUTH_MOVW_GOTOFF_G0", 4, Signed(17))),
    (R_AARCH64_AUTH_MOVW_GOTOFF_G0_NC, row("R_AARCH64_AUTH_MOVW_GOTOFF_G0_NC", 4, Any)),
    (R_AARCH64_AUTH_MOVW_GOTOFF_G1, row("R_AARCH64_AUTH_MOVW_GOTOFF_G1", 4, Signed(33))),
    (R_AARCH64_AUTH_MOVW_GOTOFF_G1_NC, row("R_AARCH64_AUTH_MOVW_GOTOFF_G1_NC", 4, Any)),
    (R_AARCH64_AUTH_MOVW_GOTOFF_G2, row("R_AARCH64_AUTH_MOVW_GOTOFF_G2", 4, Signed(49))),
    (R_AARCH64_AUTH_MOVW_GOTOFF_G2_NC, row("R_AARCH64_AUTH_MOVW_GOTOFF_G2_NC", 4, Any)),
    (R_AARCH64_AUTH_MOVW_GOTOFF_G3, row("R_AARCH64_AUTH_MOVW_GOTOFF_G3", 4, Any)),
    (R_AARCH64_AUTH_GOT_LD_PREL19, row("R_AARCH64_AUTH_GOT_LD_PREL19", 4, Signed(21))),
    (R_AARCH64_AUTH_LD64_GOTOFF_LO15, row("R_AARCH64_AUTH_LD64_GOTOFF_LO15", 4, Unsigned(15))),
    (R_AARCH64_AUTH_ADR_GOT_PAGE, row("R_AARCH64_AUTH_ADR_GOT_PAGE", 4, Signed(33))),
    (R_AARCH64_AUTH_LD64_GOT_LO12_NC, row("R_AARCH64_AUTH_LD64_GOT_LO12_NC", 4, Any)),
    (R_AARCH64_AUTH_LD64_GOTPAGE_LO15, row("R_AARCH64_AUTH_LD64_GOTPAGE_LO15", 4, Unsigned(15))),
    (R_AARCH64_AUTH_GOT_ADD_LO12_NC, row("R_AARCH64_AUTH_GOT_ADD_LO12_NC", 4, Any)),
    (R_AARCH64_AUTH_GOT_ADR_PREL_LO21, row("R_AARCH64_AUTH_GOT_ADR_PREL_LO21", 4, Signed(21))),
    (R_AARCH64_AUTH_TLSDESC_ADR_PAGE21, row("R_AARCH64_AUTH_TLSDESC_ADR_PAGE21", 4, Signed(33))),
    (R_AARCH64_AUTH_TLSDESC_LD64_LO12, row("R_AARCH64_AUTH_TLSDESC_LD64_LO12", 4, Any)),
    (R_AARCH64_AUTH_TLSDESC_ADD_LO12, row("R_AARCH64_AUTH_TLSDESC_ADD_LO12", 4, Any)),
    (R_AARCH64_AUTH_TLSDESC_CALL, row("R_AARCH64_AUTH_TLSDESC_CALL", 0, Any)),
    (R_AARCH64_COPY, row("R_AARCH64_COPY", 0, Any)),
    (R_AARCH64_GLOB_DAT, row("R_AARCH64_GLOB_DAT", 8, Any)),
    (R_AARCH64_JUMP_SLOT, row("R_AARCH64_JUMP_SLOT", 8, Any)),
    (R_AARCH64_RELATIVE, row("R_AARCH64_RELATIVE", 8, Any)),
    (R_AARCH64_TLS_DTPMOD64, row("R_AARCH64_TLS_DTPMOD64", 8, Any)),
    (R_AARCH64_TLS_DTPREL64, row("R_AARCH64_TLS_DTPREL64", 8, Any)),
    (R_AARCH64_TLS_TPREL64, row("R_AARCH64_TLS_TPREL64", 8, Any)),
    (R_AARCH64_TLSDESC, row("R_AARCH64_TLSDESC", 16, Any)),
    (R_AARCH64_IRELATIVE, row("R_AARCH64_IRELATIVE", 8, Any)),
    (R_AARCH64_AUTH_RELATIVE, row("R_AARCH64_AUTH_RELATIVE", 8, Any)),
    (R_AARCH64_AUTH_GLOB_DAT, row("R_AARCH64_AUTH_GLOB_DAT", 8, Any)),
    (R_AARCH64_AUTH_TLSDESC, row("R_AARCH64_AUTH_TLSDESC", 16, Any)),
    (R_AARCH64_AUTH_IRELATIVE, row("R_AARCH64_AUTH_IRELATIVE", 8, Any)),
];

/// The field of each of [`ROWS`].
static FIELDS: [Field; 149] = [
    Field::None,   // NONE
    Field::None,   // WITHDRAWN
    Data,          // ABS64
    Data,          // ABS32
    Data,          // ABS16
    Data,          // PREL64
    Data,          // PREL32
    Data,          // PREL16
    Movw(0),       // MOVW_UABS_G0
    Movw(0),       // MOVW_UABS_G0_NC
    Movw(1),       // MOVW_UABS_G1
    Movw(1),       // MOVW_UABS_G1_NC
    Movw(2),       // MOVW_UABS_G2
    Movw(2),       // MOVW_UABS_G2_NC
    Movw(3),       // MOVW_UABS_G3
    MovwSigned(0), // MOVW_SABS_G0
    MovwSigned(1), // MOVW_SABS_G1
    MovwSigned(2), // MOVW_SABS_G2
    Imm19,         // LD_PREL_LO19
    Adr,           // ADR_PREL_LO21
    Page,          // ADR_PREL_PG_HI21
    Page,          // ADR_PREL_PG_HI21_NC
    Imm12,         // ADD_ABS_LO12_NC
    Scaled(0),     // LDST8_ABS_LO12_NC
    Imm14,         // TSTBR14
    Imm19,         // CONDBR19
    Imm26,         // JUMP26
    Imm26,         // CALL26
    Scaled(1),     // LDST16_ABS_LO12_NC
    Scaled(2),     // LDST32_ABS_LO12_NC
    Scaled(3),     // LDST64_ABS_LO12_NC
    MovwSigned(0), // MOVW_PREL_G0
    Movw(0),       // MOVW_PREL_G0_NC
    MovwSigned(1), // MOVW_PREL_G1
    Movw(1),       // MOVW_PREL_G1_NC
    MovwSigned(2), // MOVW_PREL_G2
    Movw(2),       // MOVW_PREL_G2_NC
    MovwSigned(3), // MOVW_PREL_G3
    Scaled(4),     // LDST128_ABS_LO12_NC
    MovwSigned(0), // MOVW_GOTOFF_G0
    Movw(0),       // MOVW_GOTOFF_G0_NC
    MovwSigned(1), // MOVW_GOTOFF_G1
    Movw(1),       // MOVW_GOTOFF_G1_NC
    MovwSigned(2), // MOVW_GOTOFF_G2
    Movw(2),       // MOVW_GOTOFF_G2_NC
    MovwSigned(3), // MOVW_GOTOFF_G3
    Data,          // GOTREL64
    Data,          // GOTREL32
    Imm19,         // GOT_LD_PREL19
    Slot15,        // LD64_GOTOFF_LO15
    Page,          // ADR_GOT_PAGE
    Scaled(3),     // LD64_GOT_LO12_NC
    Slot15,        // LD64_GOTPAGE_LO15
    Data,          // PLT32
    Data,          // GOTPCREL32
    Adr,           // TLSGD_ADR_PREL21
    Page,          // TLSGD_ADR_PAGE21
    Imm12,         // TLSGD_ADD_LO12_NC
    MovwSigned(1), // TLSGD_MOVW_G1
    Movw(0),       // TLSGD_MOVW_G0_NC
    Adr,           // TLSLD_ADR_PREL21
    Page,          // TLSLD_ADR_PAGE21
    Imm12,         // TLSLD_ADD_LO12_NC
    MovwSigned(1), // TLSLD_MOVW_G1
    Movw(0),       // TLSLD_MOVW_G0_NC
    Imm19,         // TLSLD_LD_PREL19
    MovwSigned(2), // TLSLD_MOVW_DTPREL_G2
    MovwSigned(1), // TLSLD_MOVW_DTPREL_G1
    Movw(1),       // TLSLD_MOVW_DTPREL_G1_NC
    MovwSigned(0), // TLSLD_MOVW_DTPREL_G0
    Movw(0),       // TLSLD_MOVW_DTPREL_G0_NC
    Imm12High,     // TLSLD_ADD_DTPREL_HI12
    Imm12,         // TLSLD_ADD_DTPREL_LO12
    Imm12,         // TLSLD_ADD_DTPREL_LO12_NC
    Scaled(0),     // TLSLD_LDST8_DTPREL_LO12
    Scaled(0),     // TLSLD_LDST8_DTPREL_LO12_NC
    Scaled(1),     // TLSLD_LDST16_DTPREL_LO12
    Scaled(1),     // TLSLD_LDST16_DTPREL_LO12_NC
    Scaled(2),     // TLSLD_LDST32_DTPREL_LO12
    Scaled(2),     // TLSLD_LDST32_DTPREL_LO12_NC
    Scaled(3),     // TLSLD_LDST64_DTPREL_LO12
    Scaled(3),     // TLSLD_LDST64_DTPREL_LO12_NC
    MovwSigned(1), // TLSIE_MOVW_GOTTPREL_G1
    Movw(0),       // TLSIE_MOVW_GOTTPREL_G0_NC
    Page,          // TLSIE_ADR_GOTTPREL_PAGE21
    Scaled(3),     // TLSIE_LD64_GOTTPREL_LO12_NC
    Imm19,         // TLSIE_LD_GOTTPREL_PREL19
    MovwSigned(2), // TLSLE_MOVW_TPREL_G2
    MovwSigned(1), // TLSLE_MOVW_TPREL_G1
    Movw(1),       // TLSLE_MOVW_TPREL_G1_NC
    MovwSigned(0), // TLSLE_MOVW_TPREL_G0
    Movw(0),       // TLSLE_MOVW_TPREL_G0_NC
    Imm12High,     // TLSLE_ADD_TPREL_HI12
    Imm12,         // TLSLE_ADD_TPREL_LO12
    Imm12,         // TLSLE_ADD_TPREL_LO12_NC
    Scaled(0),     // TLSLE_LDST8_TPREL_LO12
    Scaled(0),     // TLSLE_LDST8_TPREL_LO12_NC
    Scaled(1),     // TLSLE_LDST16_TPREL_LO12
    Scaled(1),     // TLSLE_LDST16_TPREL_LO12_NC
    Scaled(2),     // TLSLE_LDST32_TPREL_LO12
    Scaled(2),     // TLSLE_LDST32_TPREL_LO12_NC
    Scaled(3),     // TLSLE_LDST64_TPREL_LO12
    Scaled(3),     // TLSLE_LDST64_TPREL_LO12_NC
    Imm19,         // TLSDESC_LD_PREL19
    Adr,           // TLSDESC_ADR_PREL21
    Page,          // TLSDESC_ADR_PAGE21
    Scaled(3),     // TLSDESC_LD64_LO12
    Imm12,         // TLSDESC_ADD_LO12
    MovwSigned(1), // TLSDESC_OFF_G1
    Movw(0),       // TLSDESC_OFF_G0_NC
    Field::None,   // TLSDESC_LDR
    Field::None,   // TLSDESC_ADD
    Field::None,   // TLSDESC_CALL
    Scaled(4),     // TLSLE_LDST128_TPREL_LO12
    Scaled(4),     // TLSLE_LDST128_TPREL_LO12_NC
    Scaled(4),     // TLSLD_LDST128_DTPREL_LO12
    Scaled(4),     // TLSLD_LDST128_DTPREL_LO12_NC
    Data,          // AUTH_ABS64
    MovwSigned(0), // AUTH_MOVW_GOTOFF_G0
    Movw(0),       // AUTH_MOVW_GOTOFF_G0_NC
    MovwSigned(1), // AUTH_MOVW_GOTOFF_G1
    Movw(1),       // AUTH_MOVW_GOTOFF_G1_NC
    MovwSigned(2), // AUTH_MOVW_GOTOFF_G2
    Movw(2),       // AUTH_MOVW_GOTOFF_G2_NC
    MovwSigned(3), // AUTH_MOVW_GOTOFF_G3
    Imm19,         // AUTH_GOT_LD_PREL19
    Slot15,        // AUTH_LD64_GOTOFF_LO15
    Page,          // AUTH_ADR_GOT_PAGE
    Scaled(3),     // AUTH_LD64_GOT_LO12_NC
    Slot15,        // AUTH_LD64_GOTPAGE_LO15
    Imm12,         // AUTH_GOT_ADD_LO12_NC
    Adr,           // AUTH_GOT_ADR_PREL_LO21
    Page,          // AUTH_TLSDESC_ADR_PAGE21
    Scaled(3),     // AUTH_TLSDESC_LD64_LO12
    Imm12,         // AUTH_TLSDESC_ADD_LO12
    Field::None,   // AUTH_TLSDESC_CALL
    Field::None,   // COPY
    Data,          // GLOB_DAT
    Data,          // JUMP_SLOT
    Data,          // RELATIVE
    Data,          // TLS_DTPMOD64
    Data,          // TLS_DTPREL64
    Data,          // TLS_TPREL64
    Field::None,   // TLSDESC
    Data,          // IRELATIVE
    Data,          // AUTH_RELATIVE
    Data,          // AUTH_GLOB_DAT
    Field::None,   // AUTH_TLSDESC
    Data,          // AUTH_IRELATIVE
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_found_by_number() {
        assert!(ROWS.is_sorted_by_key(|(number, _)| number));
        for (at, (number, row)) in ROWS.iter().enumerate() {
            assert_eq!(howto(*number), Some(row));
            assert_eq!(field(*number), Some(FIELDS[at]));
        }
        for number in [1, 255, 281, 294, 574, 599, 1033, 1045, u32::MAX] {
            assert_eq!(howto(number), None, "{number}");
        }
    }

    #[test]
    fn rows_are_those_of_the_abi() {
        for (number, name, size, low, high) in [
            (256, "NONE", 0, i64::MIN, i64::MAX),
            (257, "ABS64", 8, i64::MIN, i64::MAX),
            (258, "ABS32", 4, -(1 << 31), (1 << 32) - 1),
            (263, "MOVW_UABS_G0", 4, 0, 0xffff),
            (267, "MOVW_UABS_G2", 4, 0, (1 << 48) - 1),
            (270, "MOVW_SABS_G0", 4, -(1 << 16), (1 << 16) - 1),
            (275, "ADR_PREL_PG_HI21", 4, -(1 << 32), (1 << 32) - 1),
            (279, "TSTBR14", 4, -(1 << 15), (1 << 15) - 1),
            (280, "CONDBR19", 4, -(1 << 20), (1 << 20) - 1),
            (283, "CALL26", 4, -(1 << 27), (1 << 27) - 1),
            (310, "LD64_GOTOFF_LO15", 4, 0, (1 << 15) - 1),
            (528, "TLSLD_ADD_DTPREL_HI12", 4, 0, (1 << 24) - 1),
            (552, "TLSLE_LDST8_TPREL_LO12", 4, 0, (1 << 12) - 1),
            (569, "TLSDESC_CALL", 0, i64::MIN, i64::MAX),
            (1029, "TLS_DTPREL64", 8, i64::MIN, i64::MAX),
        ] {
            let row = howto(number).unwrap();
            assert_eq!(row.name, format!("R_AARCH64_{name}"));
            assert_eq!((row.size, row.range.bounds()), (size, (low, high)), "{name}");
        }
        assert_eq!(field(R_AARCH64_LDST128_ABS_LO12_NC).unwrap().align(), 16);
        assert_eq!(field(R_AARCH64_CALL26).unwrap().align(), 4);
    }
}
