//! What each relocation type writes (MIPS supplement of the System V ABI, "Relocation Types"; MIPS
//! 64-bit ELF object file specification; microMIPS as binutils numbers it).

use super::numbers::*;
use crate::machine::howto::{self, Howto, Range, narrow};
use object::elf::*;

/// The bytes that a field is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// None.
    None,
    /// Data, in the file's order.
    Data,
    /// An instruction of four bytes.
    Word,
    /// An instruction of four bytes in two halves, the first of which has the upper bits
    /// (microMIPS).
    Halves,
    /// An instruction of two bytes (microMIPS).
    Half,
}

/// Where the value of a type is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// The bytes.
    pub unit: Unit,
    /// How many of its lowest bits are the field.
    pub bits: u8,
    /// How many bits of the value are below the field.
    pub shift: u8,
}

impl Field {
    /// The bits of a value that are in the field. Upper parts of an address are rounded, since the
    /// parts below are added with a sign.
    #[inline(always)]
    pub const fn of(self, value: u64) -> u32 {
        let round = match self.shift {
            16 => 0x8000,
            32 => 0x8000_8000,
            48 => 0x8000_8000_8000,
            _ => 0,
        };
        (value.wrapping_add(round) >> self.shift) as u32
    }
}

/// Row of a type: the number, the row of messages, and the field.
struct Row(usize, Howto, Field);

const fn none(number: u32, name: &'static str) -> Row {
    Row(number as usize, howto::none(name), NO_FIELD)
}

const fn data(number: u32, name: &'static str, size: u8, range: Range) -> Row {
    let field = Field { unit: Unit::Data, bits: size * 8, shift: 0 };
    Row(number as usize, narrow(name, size, range), field)
}

/// The lowest bits of an instruction, and the bits of the value that the field has.
const fn code(number: u32, name: &'static str, bits: u8, shift: u8, range: Range) -> Row {
    Row(number as usize, narrow(name, 4, range), Field { unit: Unit::Word, bits, shift })
}

const fn micro(number: u32, name: &'static str, bits: u8, shift: u8, range: Range) -> Row {
    Row(number as usize, narrow(name, 4, range), Field { unit: Unit::Halves, bits, shift })
}

const fn short(number: u32, name: &'static str, bits: u8, shift: u8, range: Range) -> Row {
    Row(number as usize, narrow(name, 2, range), Field { unit: Unit::Half, bits, shift })
}

const NO_FIELD: Field = Field { unit: Unit::None, bits: 0, shift: 0 };

use Range::{Any, Signed, Unsigned};

const ROWS: &[Row] = &[
    none(R_MIPS_NONE, "R_MIPS_NONE"),
    code(R_MIPS_16, "R_MIPS_16", 16, 0, Signed(16)),
    data(R_MIPS_32, "R_MIPS_32", 4, Any),
    data(R_MIPS_REL32, "R_MIPS_REL32", 4, Any),
    code(R_MIPS_26, "R_MIPS_26", 26, 2, Any),
    code(R_MIPS_HI16, "R_MIPS_HI16", 16, 16, Any),
    code(R_MIPS_LO16, "R_MIPS_LO16", 16, 0, Any),
    code(R_MIPS_GPREL16, "R_MIPS_GPREL16", 16, 0, Signed(16)),
    code(R_MIPS_LITERAL, "R_MIPS_LITERAL", 16, 0, Signed(16)),
    code(R_MIPS_GOT16, "R_MIPS_GOT16", 16, 0, Signed(16)),
    code(R_MIPS_PC16, "R_MIPS_PC16", 16, 2, Signed(18)),
    code(R_MIPS_CALL16, "R_MIPS_CALL16", 16, 0, Signed(16)),
    data(R_MIPS_GPREL32, "R_MIPS_GPREL32", 4, Signed(32)),
    none(R_MIPS_SHIFT5, "R_MIPS_SHIFT5"),
    none(R_MIPS_SHIFT6, "R_MIPS_SHIFT6"),
    data(R_MIPS_64, "R_MIPS_64", 8, Any),
    code(R_MIPS_GOT_DISP, "R_MIPS_GOT_DISP", 16, 0, Signed(16)),
    code(R_MIPS_GOT_PAGE, "R_MIPS_GOT_PAGE", 16, 0, Signed(16)),
    code(R_MIPS_GOT_OFST, "R_MIPS_GOT_OFST", 16, 0, Any),
    code(R_MIPS_GOT_HI16, "R_MIPS_GOT_HI16", 16, 16, Any),
    code(R_MIPS_GOT_LO16, "R_MIPS_GOT_LO16", 16, 0, Any),
    none(R_MIPS_SUB, "R_MIPS_SUB"),
    none(R_MIPS_INSERT_A, "R_MIPS_INSERT_A"),
    none(R_MIPS_INSERT_B, "R_MIPS_INSERT_B"),
    none(R_MIPS_DELETE, "R_MIPS_DELETE"),
    code(R_MIPS_HIGHER, "R_MIPS_HIGHER", 16, 32, Any),
    code(R_MIPS_HIGHEST, "R_MIPS_HIGHEST", 16, 48, Any),
    code(R_MIPS_CALL_HI16, "R_MIPS_CALL_HI16", 16, 16, Any),
    code(R_MIPS_CALL_LO16, "R_MIPS_CALL_LO16", 16, 0, Any),
    none(R_MIPS_SCN_DISP, "R_MIPS_SCN_DISP"),
    none(R_MIPS_REL16, "R_MIPS_REL16"),
    none(R_MIPS_ADD_IMMEDIATE, "R_MIPS_ADD_IMMEDIATE"),
    none(R_MIPS_PJUMP, "R_MIPS_PJUMP"),
    none(R_MIPS_RELGOT, "R_MIPS_RELGOT"),
    none(R_MIPS_JALR, "R_MIPS_JALR"),
    data(R_MIPS_TLS_DTPMOD32, "R_MIPS_TLS_DTPMOD32", 4, Any),
    data(R_MIPS_TLS_DTPREL32, "R_MIPS_TLS_DTPREL32", 4, Signed(32)),
    data(R_MIPS_TLS_DTPMOD64, "R_MIPS_TLS_DTPMOD64", 8, Any),
    data(R_MIPS_TLS_DTPREL64, "R_MIPS_TLS_DTPREL64", 8, Any),
    code(R_MIPS_TLS_GD, "R_MIPS_TLS_GD", 16, 0, Signed(16)),
    code(R_MIPS_TLS_LDM, "R_MIPS_TLS_LDM", 16, 0, Signed(16)),
    code(R_MIPS_TLS_DTPREL_HI16, "R_MIPS_TLS_DTPREL_HI16", 16, 16, Any),
    code(R_MIPS_TLS_DTPREL_LO16, "R_MIPS_TLS_DTPREL_LO16", 16, 0, Any),
    code(R_MIPS_TLS_GOTTPREL, "R_MIPS_TLS_GOTTPREL", 16, 0, Signed(16)),
    data(R_MIPS_TLS_TPREL32, "R_MIPS_TLS_TPREL32", 4, Signed(32)),
    data(R_MIPS_TLS_TPREL64, "R_MIPS_TLS_TPREL64", 8, Any),
    code(R_MIPS_TLS_TPREL_HI16, "R_MIPS_TLS_TPREL_HI16", 16, 16, Any),
    code(R_MIPS_TLS_TPREL_LO16, "R_MIPS_TLS_TPREL_LO16", 16, 0, Any),
    data(R_MIPS_GLOB_DAT, "R_MIPS_GLOB_DAT", 4, Any),
    code(R_MIPS_PC21_S2, "R_MIPS_PC21_S2", 21, 2, Signed(23)),
    code(R_MIPS_PC26_S2, "R_MIPS_PC26_S2", 26, 2, Signed(28)),
    code(R_MIPS_PC18_S3, "R_MIPS_PC18_S3", 18, 3, Signed(21)),
    code(R_MIPS_PC19_S2, "R_MIPS_PC19_S2", 19, 2, Signed(21)),
    code(R_MIPS_PCHI16, "R_MIPS_PCHI16", 16, 16, Any),
    code(R_MIPS_PCLO16, "R_MIPS_PCLO16", 16, 0, Any),
    none(R_MIPS_COPY, "R_MIPS_COPY"),
    none(R_MIPS_JUMP_SLOT, "R_MIPS_JUMP_SLOT"),
    micro(R_MICROMIPS_26_S1, "R_MICROMIPS_26_S1", 26, 1, Any),
    micro(R_MICROMIPS_HI16, "R_MICROMIPS_HI16", 16, 16, Any),
    micro(R_MICROMIPS_LO16, "R_MICROMIPS_LO16", 16, 0, Any),
    micro(R_MICROMIPS_GPREL16, "R_MICROMIPS_GPREL16", 16, 0, Signed(16)),
    micro(R_MICROMIPS_LITERAL, "R_MICROMIPS_LITERAL", 16, 0, Signed(16)),
    micro(R_MICROMIPS_GOT16, "R_MICROMIPS_GOT16", 16, 0, Signed(16)),
    short(R_MICROMIPS_PC7_S1, "R_MICROMIPS_PC7_S1", 7, 1, Signed(8)),
    short(R_MICROMIPS_PC10_S1, "R_MICROMIPS_PC10_S1", 10, 1, Signed(11)),
    micro(R_MICROMIPS_PC16_S1, "R_MICROMIPS_PC16_S1", 16, 1, Signed(17)),
    micro(R_MICROMIPS_CALL16, "R_MICROMIPS_CALL16", 16, 0, Signed(16)),
    micro(R_MICROMIPS_GOT_DISP, "R_MICROMIPS_GOT_DISP", 16, 0, Signed(16)),
    micro(R_MICROMIPS_GOT_PAGE, "R_MICROMIPS_GOT_PAGE", 16, 0, Signed(16)),
    micro(R_MICROMIPS_GOT_OFST, "R_MICROMIPS_GOT_OFST", 16, 0, Any),
    micro(R_MICROMIPS_GOT_HI16, "R_MICROMIPS_GOT_HI16", 16, 16, Any),
    micro(R_MICROMIPS_GOT_LO16, "R_MICROMIPS_GOT_LO16", 16, 0, Any),
    none(R_MICROMIPS_SUB, "R_MICROMIPS_SUB"),
    micro(R_MICROMIPS_HIGHER, "R_MICROMIPS_HIGHER", 16, 32, Any),
    micro(R_MICROMIPS_HIGHEST, "R_MICROMIPS_HIGHEST", 16, 48, Any),
    micro(R_MICROMIPS_CALL_HI16, "R_MICROMIPS_CALL_HI16", 16, 16, Any),
    micro(R_MICROMIPS_CALL_LO16, "R_MICROMIPS_CALL_LO16", 16, 0, Any),
    none(R_MICROMIPS_SCN_DISP, "R_MICROMIPS_SCN_DISP"),
    none(R_MICROMIPS_JALR, "R_MICROMIPS_JALR"),
    micro(R_MICROMIPS_HI0_LO16, "R_MICROMIPS_HI0_LO16", 16, 0, Signed(16)),
    micro(R_MICROMIPS_TLS_GD, "R_MICROMIPS_TLS_GD", 16, 0, Signed(16)),
    micro(R_MICROMIPS_TLS_LDM, "R_MICROMIPS_TLS_LDM", 16, 0, Signed(16)),
    micro(R_MICROMIPS_TLS_DTPREL_HI16, "R_MICROMIPS_TLS_DTPREL_HI16", 16, 16, Any),
    micro(R_MICROMIPS_TLS_DTPREL_LO16, "R_MICROMIPS_TLS_DTPREL_LO16", 16, 0, Any),
    micro(R_MICROMIPS_TLS_GOTTPREL, "R_MICROMIPS_TLS_GOTTPREL", 16, 0, Signed(16)),
    micro(R_MICROMIPS_TLS_TPREL_HI16, "R_MICROMIPS_TLS_TPREL_HI16", 16, 16, Any),
    micro(R_MICROMIPS_TLS_TPREL_LO16, "R_MICROMIPS_TLS_TPREL_LO16", 16, 0, Any),
    short(R_MICROMIPS_GPREL7_S2, "R_MICROMIPS_GPREL7_S2", 7, 2, Unsigned(9)),
    micro(R_MICROMIPS_PC23_S2, "R_MICROMIPS_PC23_S2", 23, 2, Signed(25)),
    micro(R_MICROMIPS_PC21_S1, "R_MICROMIPS_PC21_S1", 21, 1, Signed(22)),
    micro(R_MICROMIPS_PC26_S1, "R_MICROMIPS_PC26_S1", 26, 1, Signed(27)),
    micro(R_MICROMIPS_PC18_S3, "R_MICROMIPS_PC18_S3", 18, 3, Signed(21)),
    micro(R_MICROMIPS_PC19_S2, "R_MICROMIPS_PC19_S2", 19, 2, Signed(21)),
    data(R_MIPS_PC32, "R_MIPS_PC32", 4, Signed(32)),
    data(R_MIPS_EH, "R_MIPS_EH", 4, Signed(32)),
    none(R_MIPS_GNU_VTINHERIT, "R_MIPS_GNU_VTINHERIT"),
    none(R_MIPS_GNU_VTENTRY, "R_MIPS_GNU_VTENTRY"),
];

/// Rows by number of the types that instructions do not have.
pub static HOWTOS: [Howto; 255] = {
    let mut table = [Howto::UNDEFINED; 255];
    let mut at = 0;
    while at < ROWS.len() {
        if !has_code(ROWS[at].2.unit) {
            table[ROWS[at].0] = ROWS[at].1;
        }
        at += 1;
    }
    table
};

/// The other rows, ascending: of instructions, and of types that are several as compilers use them
/// (the offset of a function from the global pointer, negated, and the loader's word of 64 bits).
pub static MORE_HOWTOS: [(u32, Howto); CODE_ROWS + COMPOSED.len()] = {
    let mut table = [(0, Howto::UNDEFINED); CODE_ROWS + COMPOSED.len()];
    let (mut at, mut next) = (0, 0);
    while at < ROWS.len() {
        if has_code(ROWS[at].2.unit) {
            table[next] = (ROWS[at].0 as u32, ROWS[at].1);
            next += 1;
        }
        at += 1;
    }
    at = 0;
    while at < COMPOSED.len() {
        table[next + at] = COMPOSED[at];
        at += 1;
    }
    table
};

const CODE_ROWS: usize = {
    let (mut count, mut at) = (0, 0);
    while at < ROWS.len() {
        count += has_code(ROWS[at].2.unit) as usize;
        at += 1;
    }
    count
};

const fn has_code(unit: Unit) -> bool {
    matches!(unit, Unit::Word | Unit::Halves | Unit::Half)
}

static ALL: [Howto; 255] = {
    let mut table = [Howto::UNDEFINED; 255];
    let mut at = 0;
    while at < ROWS.len() {
        table[ROWS[at].0] = ROWS[at].1;
        at += 1;
    }
    table
};

static FIELDS: [Field; 255] = {
    let mut table = [NO_FIELD; 255];
    let mut at = 0;
    while at < ROWS.len() {
        table[ROWS[at].0] = ROWS[at].2;
        at += 1;
    }
    table
};

const COMPOSED: [(u32, Howto); 3] = [
    (composed(R_MIPS_REL32, R_MIPS_64, R_MIPS_NONE), howto::data("R_MIPS_REL32/R_MIPS_64", 8)),
    (
        composed(R_MIPS_GPREL16, R_MIPS_SUB, R_MIPS_HI16),
        howto::data("R_MIPS_GPREL16/R_MIPS_SUB/R_MIPS_HI16", 4),
    ),
    (
        composed(R_MIPS_GPREL16, R_MIPS_SUB, R_MIPS_LO16),
        howto::data("R_MIPS_GPREL16/R_MIPS_SUB/R_MIPS_LO16", 4),
    ),
];

/// The row of a single type, or `None` for a number that nothing defines.
#[inline]
pub fn howto(r_type: u32) -> Option<&'static Howto> {
    ALL.get(r_type as usize).filter(|howto| howto.is_defined())
}

/// Where the value of a single type is.
#[inline(always)]
pub fn field(r_type: u32) -> Field {
    FIELDS.get(r_type as usize).copied().unwrap_or(NO_FIELD)
}

/// What the value of a type must be a multiple of.
pub fn field_align(r_type: u32) -> u64 {
    match r_type {
        R_MIPS_26
        | R_MIPS_PC16
        | R_MIPS_PC21_S2
        | R_MIPS_PC26_S2
        | R_MIPS_PC19_S2
        | R_MICROMIPS_GPREL7_S2
        | R_MICROMIPS_PC23_S2
        | R_MICROMIPS_PC19_S2 => 4,
        R_MIPS_PC18_S3 | R_MICROMIPS_PC18_S3 => 8,
        R_MICROMIPS_26_S1 | R_MICROMIPS_PC7_S1 | R_MICROMIPS_PC10_S1 | R_MICROMIPS_PC16_S1
        | R_MICROMIPS_PC21_S1 | R_MICROMIPS_PC26_S1 => 2,
        _ => 1,
    }
}

/// Types that say something of the code and refer to nothing.
pub const MARKS: &[u32] = &[R_MIPS_NONE, R_MIPS_GNU_VTINHERIT, R_MIPS_GNU_VTENTRY];
/// Types whose field is computed when it is written, if the symbol is defined in this output and
/// not preemptible; in position-independent output too.
pub const COMPUTED: &[u32] = &[
    R_MIPS_PC16,
    R_MIPS_GPREL32,
    R_MIPS_GOT_OFST,
    R_MIPS_JALR,
    R_MIPS_PC21_S2,
    R_MIPS_PC26_S2,
    R_MIPS_PC18_S3,
    R_MIPS_PC19_S2,
    R_MIPS_PCHI16,
    R_MIPS_PCLO16,
    R_MICROMIPS_PC7_S1,
    R_MICROMIPS_PC10_S1,
    R_MICROMIPS_PC16_S1,
    R_MICROMIPS_GOT_OFST,
    R_MICROMIPS_JALR,
    R_MICROMIPS_PC23_S2,
    R_MICROMIPS_PC21_S1,
    R_MICROMIPS_PC26_S1,
    R_MICROMIPS_PC18_S3,
    R_MICROMIPS_PC19_S2,
    R_MIPS_PC32,
];
/// Likewise, if the output is at fixed addresses.
pub const ABSOLUTE: &[u32] = &[
    R_MIPS_16,
    R_MIPS_32,
    R_MIPS_26,
    R_MIPS_HI16,
    R_MIPS_LO16,
    R_MIPS_64,
    R_MIPS_HIGHER,
    R_MIPS_HIGHEST,
    R_MICROMIPS_26_S1,
    R_MICROMIPS_HI16,
    R_MICROMIPS_LO16,
    R_MICROMIPS_HIGHER,
    R_MICROMIPS_HIGHEST,
    R_MICROMIPS_HI0_LO16,
];

/// Whether `r_type` is one of thread-local storage that an object may contain.
#[inline]
pub const fn is_thread_local(r_type: u32) -> bool {
    matches!(
        r_type,
        R_MIPS_TLS_DTPREL32
            | R_MIPS_TLS_DTPREL64
            | R_MIPS_TLS_GD..=R_MIPS_TLS_TPREL_LO16
            | R_MICROMIPS_TLS_GD..=R_MICROMIPS_TLS_GOTTPREL
            | R_MICROMIPS_TLS_TPREL_HI16
            | R_MICROMIPS_TLS_TPREL_LO16
    )
}

/// No sequence of instructions is asked for: none is rewritten.
pub const fn required_tls_sequence(_: u32) -> &'static str {
    ""
}

/// The type of the lower half of an addend whose upper half a type has: a load from the GOT has
/// that of the page of a local symbol.
pub const fn low_part(r_type: u32) -> Option<u32> {
    match r_type {
        R_MIPS_HI16 | R_MIPS_GOT16 => Some(R_MIPS_LO16),
        R_MIPS_PCHI16 => Some(R_MIPS_PCLO16),
        R_MICROMIPS_HI16 | R_MICROMIPS_GOT16 => Some(R_MICROMIPS_LO16),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_an_address_are_rounded() {
        let value = 0x1234_8fff_8765_9abc;
        let high = |r_type| field(r_type).of(value) & 0xffff;
        assert_eq!(high(R_MIPS_LO16), 0x9abc);
        assert_eq!(high(R_MIPS_HI16), 0x8766);
        assert_eq!(high(R_MIPS_HIGHER), 0x9000);
        assert_eq!(high(R_MIPS_HIGHEST), 0x1235);
    }

    #[test]
    fn types_are_taken_apart() {
        assert_eq!(parts(COMPOSED[1].0), [R_MIPS_GPREL16, R_MIPS_SUB, R_MIPS_HI16]);
        assert!(MORE_HOWTOS.is_sorted_by_key(|row| row.0));
        assert_eq!(composed(R_MIPS_REL32, R_MIPS_64, 0), 0x1203);
        assert_eq!(special_symbol(0x0100_0007), 1);
    }
}
