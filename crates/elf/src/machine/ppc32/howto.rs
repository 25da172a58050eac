//! What each relocation type writes ("Power Architecture 32-bit Application Binary Interface
//! Supplement", "Relocation Types"): from what the value is computed, which part of it is meant,
//! and where in the code it is. Types for small data are those of the "PowerPC Embedded Application
//! Binary Interface".
//!
//! Parts and fields are those of the 64-bit machine. Fields of 16 bits have the place of the half
//! word.

use crate::machine::howto::{Howto, Range};
use crate::machine::type_set::TypeSet;

/// What the value of a type is computed from. Letters are those of the psABI.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Base {
    /// Nothing: a mark, a type of the loader, or one that no linker makes.
    Nothing,
    /// S + A
    Absolute,
    /// -S + A
    Negative,
    /// S + A - P
    Distance,
    /// S + A - P of a branch.
    Call,
    /// S - P of a branch from position-independent code. A says what `r30` has there.
    PicCall,
    /// S + A in a branch.
    Jump,
    /// S + A less the start of the output section.
    SectionOffset,
    /// S + A - `_SDA_BASE_`
    Small,
    /// S + A - `_SDA2_BASE_`
    ConstantSmall,
    /// S + A less the base of whichever small data it is in, and the register with that base.
    SmallWithRegister,
    /// The same without the register.
    AnySmall,
    /// G - GOT
    Got,
    /// The word that a PLT entry jumps through: its address, or in position-independent output its
    /// distance from what `r30` has.
    PltWord,
    /// L, the address of the PLT entry.
    PltEntry,
    /// L - P
    PltEntryDistance,
    /// The offset from the thread pointer.
    ThreadOffset,
    /// The offset in the module's TLS block.
    ModuleOffset,
    /// A word of the GOT with something thread-local, less GOT.
    Thread(ThreadWord),
}

pub use crate::machine::ppc64::howto::{Field, Part, ThreadWord};

/// A relocation type.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    number: u32,
    howto: Howto,
    /// What the value is computed from.
    pub base: Base,
    /// Which part of it is meant.
    pub part: Part,
    /// Where it is.
    pub field: Field,
}

const fn row(number: u32, name: &'static str, base: Base, part: Part, field: Field) -> Row {
    let size = match field {
        Field::None | Field::Data => 0,
        Field::Half => 2,
        _ => 4,
    };
    let range = match (part, field) {
        (Part::All, Field::Half) if matches!(base, Base::Absolute | Base::Negative) => {
            Range::Either(16)
        }
        // The register is in the word of an instruction, the value in its lower half.
        (Part::All, Field::Half) => Range::Signed(16),
        (Part::All, Field::Branch) => Range::Signed(26),
        (Part::All, Field::ShortBranch | Field::LikelyBranch | Field::UnlikelyBranch) => {
            Range::Signed(16)
        }
        _ => Range::Any,
    };
    Row { number, howto: Howto { name, size, range }, base, part, field }
}

/// A type with a field of data.
const fn data(number: u32, name: &'static str, base: Base, size: u8) -> Row {
    let range = if size == 2 { Range::Either(16) } else { Range::Any };
    let howto = Howto { name, size, range };
    Row { number, howto, base, part: Part::All, field: Field::Data }
}

/// A type without a field.
const fn mark(number: u32, name: &'static str) -> Row {
    row(number, name, Base::Nothing, Part::All, Field::None)
}

/// An instruction with a register and 16 bits.
const fn with_register(number: u32, name: &'static str) -> Row {
    let howto = Howto { name, size: 4, range: Range::Signed(16) };
    Row { number, howto, base: Base::SmallWithRegister, part: Part::All, field: Field::Half }
}

use Base::*;
use Field::{Branch, Half, LikelyBranch, Pieces, ShortBranch, UnlikelyBranch};
use Part::{All, High, HighAdjusted, Low};

/// Numbers of the psABI that code refers to.
#[allow(missing_docs)]
pub mod types {
    pub const ADDR32: u32 = 1;
    pub const REL24: u32 = 10;
    pub const PLTREL24: u32 = 18;
    pub const COPY: u32 = 19;
    pub const GLOB_DAT: u32 = 20;
    pub const JMP_SLOT: u32 = 21;
    pub const RELATIVE: u32 = 22;
    pub const LOCAL24PC: u32 = 23;
    pub const UADDR32: u32 = 24;
    pub const REL32: u32 = 26;
    pub const ADDR30: u32 = 37;
    pub const TLS: u32 = 67;
    pub const DTPMOD32: u32 = 68;
    pub const TPREL16_LO: u32 = 70;
    pub const TPREL16_HA: u32 = 72;
    pub const TPREL32: u32 = 73;
    pub const DTPREL32: u32 = 78;
    pub const GOT_TPREL16: u32 = 87;
    pub const GOT_TPREL16_LO: u32 = 88;
    pub const GOT_TPREL16_HI: u32 = 89;
    pub const GOT_TPREL16_HA: u32 = 90;
    pub const TLSGD: u32 = 95;
    pub const TLSLD: u32 = 96;
    pub const PLTSEQ: u32 = 119;
    pub const PLTCALL: u32 = 120;
    pub const IRELATIVE: u32 = 248;
    pub const VTINHERIT: u32 = 253;
    pub const VTENTRY: u32 = 254;
}

/// All types.
#[rustfmt::skip]
const ROWS: &[Row] = &[
    mark(0, "R_PPC_NONE"),
    data(1, "R_PPC_ADDR32", Absolute, 4),
    row(2, "R_PPC_ADDR24", Jump, All, Branch),
    row(3, "R_PPC_ADDR16", Absolute, All, Half),
    row(4, "R_PPC_ADDR16_LO", Absolute, Low, Half),
    row(5, "R_PPC_ADDR16_HI", Absolute, High, Half),
    row(6, "R_PPC_ADDR16_HA", Absolute, HighAdjusted, Half),
    row(7, "R_PPC_ADDR14", Jump, All, ShortBranch),
    row(8, "R_PPC_ADDR14_BRTAKEN", Jump, All, LikelyBranch),
    row(9, "R_PPC_ADDR14_BRNTAKEN", Jump, All, UnlikelyBranch),
    row(10, "R_PPC_REL24", Call, All, Branch),
    row(11, "R_PPC_REL14", Call, All, ShortBranch),
    row(12, "R_PPC_REL14_BRTAKEN", Call, All, LikelyBranch),
    row(13, "R_PPC_REL14_BRNTAKEN", Call, All, UnlikelyBranch),
    row(14, "R_PPC_GOT16", Got, All, Half),
    row(15, "R_PPC_GOT16_LO", Got, Low, Half),
    row(16, "R_PPC_GOT16_HI", Got, High, Half),
    row(17, "R_PPC_GOT16_HA", Got, HighAdjusted, Half),
    row(18, "R_PPC_PLTREL24", PicCall, All, Branch),
    data(19, "R_PPC_COPY", Nothing, 0),
    data(20, "R_PPC_GLOB_DAT", Nothing, 4),
    data(21, "R_PPC_JMP_SLOT", Nothing, 4),
    data(22, "R_PPC_RELATIVE", Nothing, 4),
    row(23, "R_PPC_LOCAL24PC", Call, All, Branch),
    data(24, "R_PPC_UADDR32", Absolute, 4),
    data(25, "R_PPC_UADDR16", Absolute, 2),
    data(26, "R_PPC_REL32", Distance, 4),
    data(27, "R_PPC_PLT32", PltEntry, 4),
    data(28, "R_PPC_PLTREL32", PltEntryDistance, 4),
    row(29, "R_PPC_PLT16_LO", PltWord, Low, Half),
    row(30, "R_PPC_PLT16_HI", PltWord, High, Half),
    row(31, "R_PPC_PLT16_HA", PltWord, HighAdjusted, Half),
    row(32, "R_PPC_SDAREL16", Small, All, Half),
    row(33, "R_PPC_SECTOFF", SectionOffset, All, Half),
    row(34, "R_PPC_SECTOFF_LO", SectionOffset, Low, Half),
    row(35, "R_PPC_SECTOFF_HI", SectionOffset, High, Half),
    row(36, "R_PPC_SECTOFF_HA", SectionOffset, HighAdjusted, Half),
    data(37, "R_PPC_ADDR30", Distance, 4),
    mark(67, "R_PPC_TLS"),
    data(68, "R_PPC_DTPMOD32", Nothing, 4),
    row(69, "R_PPC_TPREL16", ThreadOffset, All, Half),
    row(70, "R_PPC_TPREL16_LO", ThreadOffset, Low, Half),
    row(71, "R_PPC_TPREL16_HI", ThreadOffset, High, Half),
    row(72, "R_PPC_TPREL16_HA", ThreadOffset, HighAdjusted, Half),
    data(73, "R_PPC_TPREL32", ThreadOffset, 4),
    row(74, "R_PPC_DTPREL16", ModuleOffset, All, Half),
    row(75, "R_PPC_DTPREL16_LO", ModuleOffset, Low, Half),
    row(76, "R_PPC_DTPREL16_HI", ModuleOffset, High, Half),
    row(77, "R_PPC_DTPREL16_HA", ModuleOffset, HighAdjusted, Half),
    data(78, "R_PPC_DTPREL32", ModuleOffset, 4),
    row(79, "R_PPC_GOT_TLSGD16", Thread(ThreadWord::Dynamic), All, Half),
    row(80, "R_PPC_GOT_TLSGD16_LO", Thread(ThreadWord::Dynamic), Low, Half),
    row(81, "R_PPC_GOT_TLSGD16_HI", Thread(ThreadWord::Dynamic), High, Half),
    row(82, "R_PPC_GOT_TLSGD16_HA", Thread(ThreadWord::Dynamic), HighAdjusted, Half),
    row(83, "R_PPC_GOT_TLSLD16", Thread(ThreadWord::OwnModule), All, Half),
    row(84, "R_PPC_GOT_TLSLD16_LO", Thread(ThreadWord::OwnModule), Low, Half),
    row(85, "R_PPC_GOT_TLSLD16_HI", Thread(ThreadWord::OwnModule), High, Half),
    row(86, "R_PPC_GOT_TLSLD16_HA", Thread(ThreadWord::OwnModule), HighAdjusted, Half),
    row(87, "R_PPC_GOT_TPREL16", Thread(ThreadWord::Offset), All, Half),
    row(88, "R_PPC_GOT_TPREL16_LO", Thread(ThreadWord::Offset), Low, Half),
    row(89, "R_PPC_GOT_TPREL16_HI", Thread(ThreadWord::Offset), High, Half),
    row(90, "R_PPC_GOT_TPREL16_HA", Thread(ThreadWord::Offset), HighAdjusted, Half),
    row(91, "R_PPC_GOT_DTPREL16", Thread(ThreadWord::ModuleOffset), All, Half),
    row(92, "R_PPC_GOT_DTPREL16_LO", Thread(ThreadWord::ModuleOffset), Low, Half),
    row(93, "R_PPC_GOT_DTPREL16_HI", Thread(ThreadWord::ModuleOffset), High, Half),
    row(94, "R_PPC_GOT_DTPREL16_HA", Thread(ThreadWord::ModuleOffset), HighAdjusted, Half),
    mark(95, "R_PPC_TLSGD"),
    mark(96, "R_PPC_TLSLD"),
    data(101, "R_PPC_EMB_NADDR32", Negative, 4),
    row(102, "R_PPC_EMB_NADDR16", Negative, All, Half),
    row(103, "R_PPC_EMB_NADDR16_LO", Negative, Low, Half),
    row(104, "R_PPC_EMB_NADDR16_HI", Negative, High, Half),
    row(105, "R_PPC_EMB_NADDR16_HA", Negative, HighAdjusted, Half),
    row(106, "R_PPC_EMB_SDAI16", Nothing, All, Half),
    row(107, "R_PPC_EMB_SDA2I16", Nothing, All, Half),
    row(108, "R_PPC_EMB_SDA2REL", ConstantSmall, All, Half),
    with_register(109, "R_PPC_EMB_SDA21"),
    mark(110, "R_PPC_EMB_MRKREF"),
    row(111, "R_PPC_EMB_RELSEC16", Nothing, All, Half),
    row(112, "R_PPC_EMB_RELST_LO", Nothing, Low, Half),
    row(113, "R_PPC_EMB_RELST_HI", Nothing, High, Half),
    row(114, "R_PPC_EMB_RELST_HA", Nothing, HighAdjusted, Half),
    data(115, "R_PPC_EMB_BIT_FLD", Nothing, 4),
    row(116, "R_PPC_EMB_RELSDA", AnySmall, All, Half),
    mark(119, "R_PPC_PLTSEQ"),
    mark(120, "R_PPC_PLTCALL"),
    data(216, "R_PPC_VLE_REL8", Nothing, 2),
    data(217, "R_PPC_VLE_REL15", Nothing, 4),
    data(218, "R_PPC_VLE_REL24", Nothing, 4),
    data(219, "R_PPC_VLE_LO16A", Nothing, 4),
    data(220, "R_PPC_VLE_LO16D", Nothing, 4),
    data(221, "R_PPC_VLE_HI16A", Nothing, 4),
    data(222, "R_PPC_VLE_HI16D", Nothing, 4),
    data(223, "R_PPC_VLE_HA16A", Nothing, 4),
    data(224, "R_PPC_VLE_HA16D", Nothing, 4),
    data(225, "R_PPC_VLE_SDA21", Nothing, 4),
    data(226, "R_PPC_VLE_SDA21_LO", Nothing, 4),
    data(227, "R_PPC_VLE_SDAREL_LO16A", Nothing, 4),
    data(228, "R_PPC_VLE_SDAREL_LO16D", Nothing, 4),
    data(229, "R_PPC_VLE_SDAREL_HI16A", Nothing, 4),
    data(230, "R_PPC_VLE_SDAREL_HI16D", Nothing, 4),
    data(231, "R_PPC_VLE_SDAREL_HA16A", Nothing, 4),
    data(232, "R_PPC_VLE_SDAREL_HA16D", Nothing, 4),
    row(246, "R_PPC_REL16DX_HA", Distance, HighAdjusted, Pieces),
    data(248, "R_PPC_IRELATIVE", Nothing, 4),
    row(249, "R_PPC_REL16", Distance, All, Half),
    row(250, "R_PPC_REL16_LO", Distance, Low, Half),
    row(251, "R_PPC_REL16_HI", Distance, High, Half),
    row(252, "R_PPC_REL16_HA", Distance, HighAdjusted, Half),
    mark(253, "R_PPC_GNU_VTINHERIT"),
    mark(254, "R_PPC_GNU_VTENTRY"),
    row(255, "R_PPC_TOC16", Nothing, All, Half),
];

const COUNT: usize = 256;

/// Rows by number.
pub static HOWTOS: [Howto; COUNT] = {
    let mut all = [Howto::UNDEFINED; COUNT];
    let mut at = 0;
    while at < ROWS.len() {
        let number = ROWS[at].number as usize;
        all[number] = ROWS[at].howto;
        at += 1;
    }
    all
};

/// By number, the index of the row plus one; 0 for a number that is not defined.
static INDEX: [u8; COUNT] = {
    let mut all = [0; COUNT];
    let mut at = 0;
    while at < ROWS.len() {
        let number = ROWS[at].number as usize;
        all[number] = at as u8 + 1;
        at += 1;
    }
    all
};

/// The row of a type, or `None` for a number that the psABI does not define.
#[inline]
pub fn of(r_type: u32) -> Option<&'static Row> {
    let index = *INDEX.get(r_type as usize)?;
    ROWS.get(usize::from(index).checked_sub(1)?)
}

impl Row {
    /// Name, size and range.
    pub const fn howto(&self) -> &Howto {
        &self.howto
    }
}

/// The types whose value is computed from one of some things: an address, a distance, what a call
/// leads to.
const fn with_base(is_meant: [bool; 3]) -> TypeSet {
    let mut set = TypeSet::of(&[]);
    let mut at = 0;
    while at < ROWS.len() {
        let is_in = match ROWS[at].base {
            Absolute | Negative | Jump => is_meant[0],
            Distance => is_meant[1],
            Call | PicCall => is_meant[2],
            _ => false,
        };
        if is_in {
            set = set.and(&[ROWS[at].number]);
        }
        at += 1;
    }
    set
}

/// Types that say something of the code and refer to nothing.
pub const MARKS: &[u32] = &[0, 110];

/// Types that need nothing from the scan if the symbol is defined in this output and not
/// preemptible.
pub static COMPUTED: TypeSet = with_base([false, true, true]).and(MARKS);
/// Likewise, if the output is at fixed addresses.
pub static COMPUTED_IF_FIXED: TypeSet = with_base([true, true, true]).and(MARKS);
/// Types whose field depends on the sum of symbol and addend. The addend of a call from
/// position-independent code is no part of a sum.
pub const SUMS: TypeSet = {
    let mut set = TypeSet::of(&[]);
    let mut at = 0;
    while at < ROWS.len() {
        if matches!(ROWS[at].base, Absolute | Jump | Distance | Call) {
            set = set.and(&[ROWS[at].number]);
        }
        at += 1;
    }
    set
};
/// Types that only transfer control.
pub const CALLS: TypeSet = with_base([false, false, true]).and(MARKS);

/// Whether `r_type` is one of thread-local storage that an object may contain.
pub fn is_thread_local(r_type: u32) -> bool {
    matches!(r_type, types::TLS | types::TLSGD | types::TLSLD)
        || of(r_type).is_some_and(|row| matches!(row.base, ThreadOffset | ModuleOffset | Thread(_)))
}

/// The instructions that a TLS type must be used in, for a message.
pub const fn required_tls_sequence(_: u32) -> &'static str {
    "must be used with a call of __tls_get_addr that has a relocation R_PPC_TLSGD or R_PPC_TLSLD"
}

/// From this addend on, that of a call of position-independent code is an offset in the `.got2` of
/// its object: that of the address in `r30`.
const OF_GOT2: i64 = 0x8000;

/// Whether an addend is an offset in the object's `.got2`, and no part of a sum.
pub fn is_got2_offset(r_type: u32, addend: i64) -> bool {
    let base = of(r_type).map(|row| row.base);
    let is_of_call =
        matches!(base, Some(PicCall | PltWord)) || matches!(r_type, types::PLTSEQ | types::PLTCALL);
    addend >= OF_GOT2 && is_of_call
}

/// What the value of a type's field must be a multiple of.
pub fn field_align(r_type: u32) -> u64 {
    match of(r_type).map(|row| row.field) {
        Some(Field::Branch | Field::ShortBranch | Field::LikelyBranch | Field::UnlikelyBranch) => 4,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_found_by_number() {
        let name = |number| of(number).map(|row| row.howto.name);
        assert_eq!(name(0), Some("R_PPC_NONE"));
        assert_eq!(name(types::PLTREL24), Some("R_PPC_PLTREL24"));
        assert_eq!(name(types::TLSLD), Some("R_PPC_TLSLD"));
        assert_eq!(name(252), Some("R_PPC_REL16_HA"));
        assert!([38, 97, 117, 200, 256, u32::MAX].into_iter().all(|number| name(number).is_none()));
        for row in ROWS {
            assert_eq!(HOWTOS.get(row.number as usize), Some(&row.howto));
        }
    }
}
