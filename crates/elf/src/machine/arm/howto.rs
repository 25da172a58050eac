//! What each relocation type writes ("ELF for the Arm Architecture", "Relocation codes table"): the
//! name, the bytes and the range of its value, and where in data or in an instruction it is.
//!
//! Words of data stand in [`HOWTOS`] by number, so that their addends are found at once; all others
//! are in [`MORE`], whose addends depend on the instruction. Data of 32 bits holds any value: an
//! address space of 4 GiB wraps around.

use crate::machine::howto::{Howto, Range};

/// Where the value of a type is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    /// Nowhere.
    None,
    /// In bytes of data, in the file's order.
    Data,
    /// In the lower 31 bits of a word of data.
    Data31,
    /// A and its relatives: the distance of B, BL or BLX.
    Branch,
    /// The 16 bits of MOVW or MOVT.
    Move,
    /// The constant of ADD or SUB: 8 bits, rotated.
    Add,
    /// The 12 bits and the sign of LDR.
    Load,
    /// The 8 bits in two parts and the sign of LDRH, LDRD and the like.
    LoadSmall,
    /// The 8 bits, of words, and the sign of LDC.
    LoadCoprocessor,
    /// The register of BX.
    BranchRegister,
    /// Thumb: the distance of BL or BLX.
    ThumbCall,
    /// Thumb: that of B.W.
    ThumbJump24,
    /// Thumb: that of a conditional B.W.
    ThumbJump19,
    /// Thumb, two bytes: that of B.
    ThumbJump11,
    /// Thumb, two bytes: that of a conditional B.
    ThumbJump8,
    /// Thumb, two bytes: that of CBZ and CBNZ.
    ThumbJump6,
    /// Thumb: the 16 bits of MOVW or MOVT.
    ThumbMove,
    /// Thumb: the 12 bits of ADR.W, which adds or subtracts.
    ThumbAdr,
    /// Thumb: the 12 bits and the sign of LDR.W.
    ThumbLoad,
    /// Thumb, two bytes: the 8 bits, of words, of LDR and ADR.
    ThumbWords8,
    /// Thumb, two bytes: the 8 bits of MOVS and ADDS.
    ThumbByte,
    /// Thumb, two bytes: the 5 bits, of words, of LDR.
    ThumbWords5,
    /// Thumb: the distance of a branch of a loop (BF), by its bits.
    ThumbFuture(u8),
}

impl Field {
    /// Bytes that are written.
    pub const fn size(self) -> u8 {
        match self {
            Field::None => 0,
            Field::ThumbJump11
            | Field::ThumbJump8
            | Field::ThumbJump6
            | Field::ThumbWords8
            | Field::ThumbByte
            | Field::ThumbWords5 => 2,
            _ => 4,
        }
    }

    /// Whether the instruction consists of two half-words.
    pub const fn is_thumb(self) -> bool {
        matches!(
            self,
            Field::ThumbCall
                | Field::ThumbJump24
                | Field::ThumbJump19
                | Field::ThumbMove
                | Field::ThumbAdr
                | Field::ThumbLoad
                | Field::ThumbFuture(_)
        ) || self.size() == 2
    }

    /// What the value must be a multiple of.
    pub const fn align(self) -> u64 {
        match self {
            Field::Branch | Field::LoadCoprocessor | Field::ThumbWords8 | Field::ThumbWords5 => 4,
            Field::ThumbCall
            | Field::ThumbJump24
            | Field::ThumbJump19
            | Field::ThumbJump11
            | Field::ThumbJump8
            | Field::ThumbJump6
            | Field::ThumbFuture(_) => 2,
            _ => 1,
        }
    }
}

use Range::{Any, Either, Signed, Unsigned};

/// Makes the constants, the rows and the table of fields. A word of data is `word`, and any other
/// type has its field and range.
macro_rules! types {
    ($($number:literal $name:ident $kind:tt $(($field:expr, $range:expr))?;)*) => {
        $(#[doc = concat!("Type ", $number, " of the ABI.")] pub const $name: u32 = $number;)*

        /// The field of a type; `None` if the ABI does not define the number.
        pub const fn field(r_type: u32) -> Option<Field> {
            match r_type {
                $($name => Some(types!(@field $kind $(($field))?)),)*
                _ => None,
            }
        }

        const ALL: &[(u32, Howto, bool)] = &[
            $(types!(@row $number, $name, $kind $(($field, $range))?),)*
        ];
    };
    (@field word) => { Field::Data };
    (@field data ($field:expr)) => { Field::Data };
    (@field code ($field:expr)) => { $field };
    (@row $number:literal, $name:ident, word) => {
        ($number, Howto { name: stringify!($name), size: 4, range: Any }, true)
    };
    (@row $number:literal, $name:ident, data ($size:expr, $range:expr)) => {
        ($number, Howto { name: stringify!($name), size: $size, range: $range }, true)
    };
    (@row $number:literal, $name:ident, code ($field:expr, $range:expr)) => {
        ($number, Howto { name: stringify!($name), size: $field.size(), range: $range }, false)
    };
}

types! {
    0 R_ARM_NONE code (Field::None, Any);
    1 R_ARM_PC24 code (Field::Branch, Signed(26));
    2 R_ARM_ABS32 word;
    3 R_ARM_REL32 word;
    4 R_ARM_LDR_PC_G0 code (Field::Load, Any);
    5 R_ARM_ABS16 data (2, Either(16));
    6 R_ARM_ABS12 code (Field::Load, Any);
    7 R_ARM_THM_ABS5 code (Field::ThumbWords5, Unsigned(7));
    8 R_ARM_ABS8 data (1, Either(8));
    9 R_ARM_SBREL32 word;
    10 R_ARM_THM_CALL code (Field::ThumbCall, Signed(25));
    11 R_ARM_THM_PC8 code (Field::ThumbWords8, Unsigned(10));
    12 R_ARM_BREL_ADJ word;
    13 R_ARM_TLS_DESC data (16, Any);
    14 R_ARM_THM_SWI8 code (Field::None, Any);
    15 R_ARM_XPC25 code (Field::Branch, Signed(26));
    16 R_ARM_THM_XPC22 code (Field::ThumbCall, Signed(23));
    17 R_ARM_TLS_DTPMOD32 word;
    18 R_ARM_TLS_DTPOFF32 word;
    19 R_ARM_TLS_TPOFF32 word;
    20 R_ARM_COPY code (Field::None, Any);
    21 R_ARM_GLOB_DAT word;
    22 R_ARM_JUMP_SLOT word;
    23 R_ARM_RELATIVE word;
    24 R_ARM_GOTOFF32 word;
    25 R_ARM_BASE_PREL word;
    26 R_ARM_GOT_BREL word;
    27 R_ARM_PLT32 code (Field::Branch, Signed(26));
    28 R_ARM_CALL code (Field::Branch, Signed(26));
    29 R_ARM_JUMP24 code (Field::Branch, Signed(26));
    30 R_ARM_THM_JUMP24 code (Field::ThumbJump24, Signed(25));
    31 R_ARM_BASE_ABS word;
    32 R_ARM_ALU_PCREL_7_0 code (Field::Add, Any);
    33 R_ARM_ALU_PCREL_15_8 code (Field::Add, Any);
    34 R_ARM_ALU_PCREL_23_15 code (Field::Add, Any);
    35 R_ARM_LDR_SBREL_11_0_NC code (Field::Load, Any);
    36 R_ARM_ALU_SBREL_19_12_NC code (Field::Add, Any);
    37 R_ARM_ALU_SBREL_27_20_CK code (Field::Add, Any);
    38 R_ARM_TARGET1 word;
    39 R_ARM_SBREL31 code (Field::Data31, Signed(31));
    40 R_ARM_V4BX code (Field::BranchRegister, Any);
    41 R_ARM_TARGET2 word;
    42 R_ARM_PREL31 code (Field::Data31, Signed(31));
    43 R_ARM_MOVW_ABS_NC code (Field::Move, Any);
    44 R_ARM_MOVT_ABS code (Field::Move, Any);
    45 R_ARM_MOVW_PREL_NC code (Field::Move, Any);
    46 R_ARM_MOVT_PREL code (Field::Move, Any);
    47 R_ARM_THM_MOVW_ABS_NC code (Field::ThumbMove, Any);
    48 R_ARM_THM_MOVT_ABS code (Field::ThumbMove, Any);
    49 R_ARM_THM_MOVW_PREL_NC code (Field::ThumbMove, Any);
    50 R_ARM_THM_MOVT_PREL code (Field::ThumbMove, Any);
    51 R_ARM_THM_JUMP19 code (Field::ThumbJump19, Signed(21));
    52 R_ARM_THM_JUMP6 code (Field::ThumbJump6, Unsigned(7));
    53 R_ARM_THM_ALU_PREL_11_0 code (Field::ThumbAdr, Signed(13));
    54 R_ARM_THM_PC12 code (Field::ThumbLoad, Signed(13));
    55 R_ARM_ABS32_NOI word;
    56 R_ARM_REL32_NOI word;
    57 R_ARM_ALU_PC_G0_NC code (Field::Add, Any);
    58 R_ARM_ALU_PC_G0 code (Field::Add, Any);
    59 R_ARM_ALU_PC_G1_NC code (Field::Add, Any);
    60 R_ARM_ALU_PC_G1 code (Field::Add, Any);
    61 R_ARM_ALU_PC_G2 code (Field::Add, Any);
    62 R_ARM_LDR_PC_G1 code (Field::Load, Any);
    63 R_ARM_LDR_PC_G2 code (Field::Load, Any);
    64 R_ARM_LDRS_PC_G0 code (Field::LoadSmall, Any);
    65 R_ARM_LDRS_PC_G1 code (Field::LoadSmall, Any);
    66 R_ARM_LDRS_PC_G2 code (Field::LoadSmall, Any);
    67 R_ARM_LDC_PC_G0 code (Field::LoadCoprocessor, Any);
    68 R_ARM_LDC_PC_G1 code (Field::LoadCoprocessor, Any);
    69 R_ARM_LDC_PC_G2 code (Field::LoadCoprocessor, Any);
    70 R_ARM_ALU_SB_G0_NC code (Field::Add, Any);
    71 R_ARM_ALU_SB_G0 code (Field::Add, Any);
    72 R_ARM_ALU_SB_G1_NC code (Field::Add, Any);
    73 R_ARM_ALU_SB_G1 code (Field::Add, Any);
    74 R_ARM_ALU_SB_G2 code (Field::Add, Any);
    75 R_ARM_LDR_SB_G0 code (Field::Load, Any);
    76 R_ARM_LDR_SB_G1 code (Field::Load, Any);
    77 R_ARM_LDR_SB_G2 code (Field::Load, Any);
    78 R_ARM_LDRS_SB_G0 code (Field::LoadSmall, Any);
    79 R_ARM_LDRS_SB_G1 code (Field::LoadSmall, Any);
    80 R_ARM_LDRS_SB_G2 code (Field::LoadSmall, Any);
    81 R_ARM_LDC_SB_G0 code (Field::LoadCoprocessor, Any);
    82 R_ARM_LDC_SB_G1 code (Field::LoadCoprocessor, Any);
    83 R_ARM_LDC_SB_G2 code (Field::LoadCoprocessor, Any);
    84 R_ARM_MOVW_BREL_NC code (Field::Move, Any);
    85 R_ARM_MOVT_BREL code (Field::Move, Any);
    86 R_ARM_MOVW_BREL code (Field::Move, Signed(16));
    87 R_ARM_THM_MOVW_BREL_NC code (Field::ThumbMove, Any);
    88 R_ARM_THM_MOVT_BREL code (Field::ThumbMove, Any);
    89 R_ARM_THM_MOVW_BREL code (Field::ThumbMove, Signed(16));
    90 R_ARM_TLS_GOTDESC word;
    91 R_ARM_TLS_CALL code (Field::Branch, Signed(26));
    92 R_ARM_TLS_DESCSEQ code (Field::None, Any);
    93 R_ARM_THM_TLS_CALL code (Field::ThumbCall, Signed(25));
    94 R_ARM_PLT32_ABS word;
    95 R_ARM_GOT_ABS word;
    96 R_ARM_GOT_PREL word;
    97 R_ARM_GOT_BREL12 code (Field::Load, Signed(13));
    98 R_ARM_GOTOFF12 code (Field::Load, Signed(13));
    99 R_ARM_GOTRELAX code (Field::None, Any);
    100 R_ARM_GNU_VTENTRY code (Field::None, Any);
    101 R_ARM_GNU_VTINHERIT code (Field::None, Any);
    102 R_ARM_THM_JUMP11 code (Field::ThumbJump11, Signed(12));
    103 R_ARM_THM_JUMP8 code (Field::ThumbJump8, Signed(9));
    104 R_ARM_TLS_GD32 word;
    105 R_ARM_TLS_LDM32 word;
    106 R_ARM_TLS_LDO32 word;
    107 R_ARM_TLS_IE32 word;
    108 R_ARM_TLS_LE32 word;
    109 R_ARM_TLS_LDO12 code (Field::Load, Signed(13));
    110 R_ARM_TLS_LE12 code (Field::Load, Signed(13));
    111 R_ARM_TLS_IE12GP code (Field::Load, Signed(13));
    128 R_ARM_ME_TOO code (Field::None, Any);
    129 R_ARM_THM_TLS_DESCSEQ16 code (Field::None, Any);
    130 R_ARM_THM_TLS_DESCSEQ32 code (Field::None, Any);
    131 R_ARM_THM_GOT_BREL12 code (Field::ThumbLoad, Signed(13));
    132 R_ARM_THM_ALU_ABS_G0_NC code (Field::ThumbByte, Any);
    133 R_ARM_THM_ALU_ABS_G1_NC code (Field::ThumbByte, Any);
    134 R_ARM_THM_ALU_ABS_G2_NC code (Field::ThumbByte, Any);
    135 R_ARM_THM_ALU_ABS_G3 code (Field::ThumbByte, Any);
    136 R_ARM_THM_BF16 code (Field::ThumbFuture(17), Signed(17));
    137 R_ARM_THM_BF12 code (Field::ThumbFuture(13), Signed(13));
    138 R_ARM_THM_BF18 code (Field::ThumbFuture(19), Signed(19));
    160 R_ARM_IRELATIVE word;
    161 R_ARM_GOTFUNCDESC word;
    162 R_ARM_GOTOFFFUNCDESC word;
    163 R_ARM_FUNCDESC word;
    164 R_ARM_FUNCDESC_VALUE data (8, Any);
    165 R_ARM_TLS_GD32_FDPIC word;
    166 R_ARM_TLS_LDM32_FDPIC word;
    167 R_ARM_TLS_IE32_FDPIC word;
}

/// Rows of data, by number.
pub static HOWTOS: [Howto; 168] = {
    let mut rows = [Howto::UNDEFINED; 168];
    let mut at = 0;
    while at < ALL.len() {
        if ALL[at].2 {
            let number = ALL[at].0 as usize;
            rows[number] = ALL[at].1;
        }
        at += 1;
    }
    rows
};

/// How many rows are not of data.
const OTHERS: usize = {
    let (mut at, mut count) = (0, 0);
    while at < ALL.len() {
        if !ALL[at].2 {
            count += 1;
        }
        at += 1;
    }
    count
};

/// All other rows, ascending.
pub static MORE: [(u32, Howto); OTHERS] = {
    let mut rows = [(0, Howto::UNDEFINED); OTHERS];
    let (mut at, mut count) = (0, 0);
    while at < ALL.len() {
        if !ALL[at].2 {
            rows[count] = (ALL[at].0, ALL[at].1);
            count += 1;
        }
        at += 1;
    }
    rows
};

/// Types that say something of the code and refer to nothing. [`R_ARM_NONE`] does refer to what it
/// keeps alive.
pub const MARKS: &[u32] = &[R_ARM_GNU_VTENTRY, R_ARM_GNU_VTINHERIT, R_ARM_V4BX, R_ARM_ME_TOO];

/// Types whose field is computed when it is written, if the symbol is defined in this output and
/// not preemptible; in position-independent output too.
pub const COMPUTED: &[u32] = &[
    R_ARM_NONE,
    R_ARM_PC24,
    R_ARM_REL32,
    R_ARM_REL32_NOI,
    R_ARM_LDR_PC_G0,
    R_ARM_THM_CALL,
    R_ARM_THM_PC8,
    R_ARM_PLT32,
    R_ARM_CALL,
    R_ARM_JUMP24,
    R_ARM_THM_JUMP24,
    R_ARM_PREL31,
    R_ARM_MOVW_PREL_NC,
    R_ARM_MOVT_PREL,
    R_ARM_THM_MOVW_PREL_NC,
    R_ARM_THM_MOVT_PREL,
    R_ARM_THM_JUMP19,
    R_ARM_THM_JUMP6,
    R_ARM_THM_ALU_PREL_11_0,
    R_ARM_THM_PC12,
    R_ARM_THM_JUMP11,
    R_ARM_THM_JUMP8,
    R_ARM_THM_BF16,
    R_ARM_THM_BF12,
    R_ARM_THM_BF18,
];

/// Likewise, if the output is at fixed addresses.
pub const ABSOLUTE: &[u32] = &[
    R_ARM_ABS32,
    R_ARM_ABS32_NOI,
    R_ARM_MOVW_ABS_NC,
    R_ARM_MOVT_ABS,
    R_ARM_THM_MOVW_ABS_NC,
    R_ARM_THM_MOVT_ABS,
    R_ARM_ABS16,
    R_ARM_ABS12,
    R_ARM_ABS8,
];

/// Whether `r_type` is one of thread-local storage that an object may contain.
pub const fn is_thread_local(r_type: u32) -> bool {
    matches!(
        r_type,
        R_ARM_TLS_DTPMOD32
            | R_ARM_TLS_DTPOFF32
            | R_ARM_TLS_TPOFF32
            | R_ARM_TLS_GOTDESC
            | R_ARM_TLS_CALL
            | R_ARM_TLS_DESCSEQ
            | R_ARM_THM_TLS_CALL
            | R_ARM_TLS_GD32
            ..=R_ARM_TLS_IE12GP | R_ARM_THM_TLS_DESCSEQ16 | R_ARM_THM_TLS_DESCSEQ32
    )
}

/// The instructions that a TLS type must stand in, as a message has it.
pub const fn required_tls_sequence(r_type: u32) -> &'static str {
    match r_type {
        R_ARM_TLS_CALL | R_ARM_THM_TLS_CALL => "must be used in BL or BLX",
        _ => "must be used in the sequences of the ABI",
    }
}

#[cfg(test)]
mod tests {
    use super::super::MACHINE;
    use super::*;

    #[test]
    fn rows_stand_at_their_numbers() {
        let name = |number: u32| MACHINE.howto(number).map(|howto| howto.name);
        assert_eq!(name(R_ARM_ABS32), Some("R_ARM_ABS32"));
        assert_eq!(name(R_ARM_IRELATIVE), Some("R_ARM_IRELATIVE"));
        assert_eq!([name(112), name(168)], [None; 2]);
        assert!(MORE.is_sorted_by_key(|row| row.0));
        let call = MACHINE.howto(R_ARM_CALL).expect("it is there");
        assert_eq!((call.name, call.size), ("R_ARM_CALL", 4));
    }

    #[test]
    fn all_fields_have_their_size() {
        for &(number, howto, is_data) in ALL {
            let field = field(number).expect("it has a row");
            assert!(is_data || field.size() == howto.size, "{}", howto.name);
        }
    }
}
