//! What each relocation type writes ("64-Bit ELF V2 ABI Specification", "Relocation Types"): from
//! what the value is computed, which part of it is meant, and where in the code it is.
//!
//! Instructions of eight bytes are a prefix and a suffix, each a word in the order of the file.
//! Fields of 16 bits have the place of the half word, which is the second one of a big-endian
//! instruction.

use crate::machine::howto::{Howto, Range};
use crate::machine::type_set::TypeSet;

/// What the value of a type is computed from. Letters are those of the psABI.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Base {
    /// Nothing: a mark, or a type of the loader.
    Nothing,
    /// S + A
    Absolute,
    /// S + A, of the entry for callers with the same TOC.
    LocalEntry,
    /// S + A - P
    Distance,
    /// S + A - P of a branch from code that has the TOC's address in `r2`.
    Call,
    /// S + A - P of a branch from code that may have something else in `r2`.
    CallWithoutToc,
    /// S + A in a branch.
    Jump,
    /// S + A - .TOC.
    Toc,
    /// .TOC. + A
    TocAddress,
    /// S + A less the start of the output section.
    SectionOffset,
    /// G - .TOC.
    Got,
    /// G - P
    GotDistance,
    /// The address of the word that a PLT entry jumps through.
    PltWord,
    /// Its distance from the field.
    PltWordDistance,
    /// Its distance from the TOC's address.
    PltWordToc,
    /// The offset from the thread pointer.
    ThreadOffset,
    /// The offset in the module's TLS block.
    ModuleOffset,
    /// A word of the GOT with something thread-local, less .TOC.
    Thread(ThreadWord),
    /// The same less P.
    ThreadDistance(ThreadWord),
}

/// A word of the GOT for a thread-local variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ThreadWord {
    /// The first of two words for `__tls_get_addr`.
    Dynamic,
    /// The same for this module's block.
    OwnModule,
    /// The offset from the thread pointer.
    Offset,
    /// The offset in the module's block.
    ModuleOffset,
}

/// Which bits of a value are meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// All of them.
    All,
    /// The lowest 16.
    Low,
    /// Those from 16 on; the type checks that there are no more than 16.
    High,
    /// The same, rounded so that signed lower ones can be added.
    HighAdjusted,
    /// Those from this one on, unchecked.
    From(u32),
    /// The same, rounded; the second number is how many bits the signed lower part has.
    FromAdjusted(u32, u32),
}

impl Part {
    /// The part of a value.
    #[inline]
    pub const fn of(self, value: u64) -> u64 {
        match self {
            Part::All | Part::Low => value,
            Part::High => ((value as i64) >> 16) as u64,
            Part::HighAdjusted => (value.wrapping_add(0x8000) as i64 >> 16) as u64,
            Part::From(bit) => (value as i64 >> bit) as u64,
            Part::FromAdjusted(bit, low) => {
                (value.wrapping_add(1 << (low - 1)) as i64 >> bit) as u64
            }
        }
    }
}

/// Where the value of a type is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    /// Nowhere.
    None,
    /// In bytes of data.
    Data,
    /// In the lower half of an instruction.
    Half,
    /// The same, without the lowest bits, which select the instruction (DS and DQ forms).
    HalfWithout,
    /// In a branch, 24 bits that count words (I form).
    Branch,
    /// In a conditional branch, 14 bits that count words (B form).
    ShortBranch,
    /// The same, with a hint that it is taken.
    LikelyBranch,
    /// The same, with a hint that it is not taken.
    UnlikelyBranch,
    /// In an instruction of eight bytes, 34 bits.
    Long34,
    /// The same, 28 bits.
    Long28,
    /// In three pieces of an instruction (DX form).
    Pieces,
}

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
        Field::Half | Field::HalfWithout => 2,
        Field::Long34 | Field::Long28 => 8,
        _ => 4,
    };
    let range = match (part, field) {
        (Part::High | Part::HighAdjusted, _) => Range::Signed(32),
        (Part::Low | Part::From(_) | Part::FromAdjusted(..), _) => Range::Any,
        (Part::All, Field::Half) if matches!(base, Base::Absolute) => Range::Either(16),
        (Part::All, Field::Half | Field::HalfWithout) => Range::Signed(16),
        (Part::All, Field::Branch) => Range::Signed(26),
        (Part::All, Field::ShortBranch | Field::LikelyBranch | Field::UnlikelyBranch) => {
            Range::Signed(16)
        }
        (Part::All, Field::Long34) => Range::Signed(34),
        (Part::All, Field::Long28) => Range::Signed(28),
        _ => Range::Any,
    };
    Row { number, howto: Howto { name, size, range }, base, part, field }
}

/// A type with a field of data.
const fn data(number: u32, name: &'static str, base: Base, size: u8) -> Row {
    let range = match (base, size) {
        (Base::Absolute, 4) => Range::Either(32),
        (Base::Absolute, 2) => Range::Either(16),
        (_, 4) => Range::Signed(32),
        _ => Range::Any,
    };
    let howto = Howto { name, size, range };
    Row { number, howto, base, part: Part::All, field: Field::Data }
}

/// A type without a field.
const fn mark(number: u32, name: &'static str) -> Row {
    row(number, name, Base::Nothing, Part::All, Field::None)
}

use Base::*;
use Field::{
    Branch, Half, HalfWithout, LikelyBranch, Long28, Long34, Pieces, ShortBranch, UnlikelyBranch,
};
use Part::{All, From, FromAdjusted, High, HighAdjusted, Low};

/// Numbers of the psABI that code refers to.
#[allow(missing_docs)]
pub mod types {
    pub const COPY: u32 = 19;
    pub const GLOB_DAT: u32 = 20;
    pub const JMP_SLOT: u32 = 21;
    pub const RELATIVE: u32 = 22;
    pub const ADDR64: u32 = 38;
    pub const TOC16_LO: u32 = 48;
    pub const TOC16_HA: u32 = 50;
    pub const TOC: u32 = 51;
    pub const TOC16_LO_DS: u32 = 64;
    pub const TLS: u32 = 67;
    pub const DTPMOD64: u32 = 68;
    pub const TPREL64: u32 = 73;
    pub const DTPREL64: u32 = 78;
    pub const TLSGD: u32 = 107;
    pub const TLSLD: u32 = 108;
    pub const REL32: u32 = 26;
    pub const PLTSEQ: u32 = 119;
    pub const PLTCALL: u32 = 120;
    pub const PLTSEQ_NOTOC: u32 = 121;
    pub const PLTCALL_NOTOC: u32 = 122;
    pub const IRELATIVE: u32 = 248;
    pub const VTINHERIT: u32 = 253;
    pub const VTENTRY: u32 = 254;
}

/// All types.
#[rustfmt::skip]
const ROWS: &[Row] = &[
    mark(0, "R_PPC64_NONE"),
    data(1, "R_PPC64_ADDR32", Absolute, 4),
    row(2, "R_PPC64_ADDR24", Jump, All, Branch),
    row(3, "R_PPC64_ADDR16", Absolute, All, Half),
    row(4, "R_PPC64_ADDR16_LO", Absolute, Low, Half),
    row(5, "R_PPC64_ADDR16_HI", Absolute, High, Half),
    row(6, "R_PPC64_ADDR16_HA", Absolute, HighAdjusted, Half),
    row(7, "R_PPC64_ADDR14", Jump, All, ShortBranch),
    row(8, "R_PPC64_ADDR14_BRTAKEN", Jump, All, LikelyBranch),
    row(9, "R_PPC64_ADDR14_BRNTAKEN", Jump, All, UnlikelyBranch),
    row(10, "R_PPC64_REL24", Call, All, Branch),
    row(11, "R_PPC64_REL14", Call, All, ShortBranch),
    row(12, "R_PPC64_REL14_BRTAKEN", Call, All, LikelyBranch),
    row(13, "R_PPC64_REL14_BRNTAKEN", Call, All, UnlikelyBranch),
    row(14, "R_PPC64_GOT16", Got, All, Half),
    row(15, "R_PPC64_GOT16_LO", Got, Low, Half),
    row(16, "R_PPC64_GOT16_HI", Got, High, Half),
    row(17, "R_PPC64_GOT16_HA", Got, HighAdjusted, Half),
    data(19, "R_PPC64_COPY", Nothing, 0),
    data(20, "R_PPC64_GLOB_DAT", Nothing, 8),
    data(21, "R_PPC64_JMP_SLOT", Nothing, 8),
    data(22, "R_PPC64_RELATIVE", Nothing, 8),
    data(24, "R_PPC64_UADDR32", Absolute, 4),
    data(25, "R_PPC64_UADDR16", Absolute, 2),
    data(26, "R_PPC64_REL32", Distance, 4),
    data(27, "R_PPC64_PLT32", PltWord, 4),
    data(28, "R_PPC64_PLTREL32", PltWordDistance, 4),
    row(29, "R_PPC64_PLT16_LO", PltWordToc, Low, Half),
    row(30, "R_PPC64_PLT16_HI", PltWordToc, High, Half),
    row(31, "R_PPC64_PLT16_HA", PltWordToc, HighAdjusted, Half),
    row(33, "R_PPC64_SECTOFF", SectionOffset, All, Half),
    row(34, "R_PPC64_SECTOFF_LO", SectionOffset, Low, Half),
    row(35, "R_PPC64_SECTOFF_HI", SectionOffset, High, Half),
    row(36, "R_PPC64_SECTOFF_HA", SectionOffset, HighAdjusted, Half),
    // A distance in words.
    data(37, "R_PPC64_REL30", Distance, 4),
    data(38, "R_PPC64_ADDR64", Absolute, 8),
    row(39, "R_PPC64_ADDR16_HIGHER", Absolute, From(32), Half),
    row(40, "R_PPC64_ADDR16_HIGHERA", Absolute, FromAdjusted(32, 16), Half),
    row(41, "R_PPC64_ADDR16_HIGHEST", Absolute, From(48), Half),
    row(42, "R_PPC64_ADDR16_HIGHESTA", Absolute, FromAdjusted(48, 16), Half),
    data(43, "R_PPC64_UADDR64", Absolute, 8),
    data(44, "R_PPC64_REL64", Distance, 8),
    data(45, "R_PPC64_PLT64", PltWord, 8),
    data(46, "R_PPC64_PLTREL64", PltWordDistance, 8),
    row(47, "R_PPC64_TOC16", Toc, All, Half),
    row(48, "R_PPC64_TOC16_LO", Toc, Low, Half),
    row(49, "R_PPC64_TOC16_HI", Toc, High, Half),
    row(50, "R_PPC64_TOC16_HA", Toc, HighAdjusted, Half),
    data(51, "R_PPC64_TOC", TocAddress, 8),
    row(52, "R_PPC64_PLTGOT16", PltWordToc, All, Half),
    row(53, "R_PPC64_PLTGOT16_LO", PltWordToc, Low, Half),
    row(54, "R_PPC64_PLTGOT16_HI", PltWordToc, High, Half),
    row(55, "R_PPC64_PLTGOT16_HA", PltWordToc, HighAdjusted, Half),
    row(56, "R_PPC64_ADDR16_DS", Absolute, All, HalfWithout),
    row(57, "R_PPC64_ADDR16_LO_DS", Absolute, Low, HalfWithout),
    row(58, "R_PPC64_GOT16_DS", Got, All, HalfWithout),
    row(59, "R_PPC64_GOT16_LO_DS", Got, Low, HalfWithout),
    row(60, "R_PPC64_PLT16_LO_DS", PltWordToc, Low, HalfWithout),
    row(61, "R_PPC64_SECTOFF_DS", SectionOffset, All, HalfWithout),
    row(62, "R_PPC64_SECTOFF_LO_DS", SectionOffset, Low, HalfWithout),
    row(63, "R_PPC64_TOC16_DS", Toc, All, HalfWithout),
    row(64, "R_PPC64_TOC16_LO_DS", Toc, Low, HalfWithout),
    row(65, "R_PPC64_PLTGOT16_DS", PltWordToc, All, HalfWithout),
    row(66, "R_PPC64_PLTGOT16_LO_DS", PltWordToc, Low, HalfWithout),
    row(67, "R_PPC64_TLS", ThreadOffset, All, Field::None),
    data(68, "R_PPC64_DTPMOD64", Nothing, 8),
    row(69, "R_PPC64_TPREL16", ThreadOffset, All, Half),
    row(70, "R_PPC64_TPREL16_LO", ThreadOffset, Low, Half),
    row(71, "R_PPC64_TPREL16_HI", ThreadOffset, High, Half),
    row(72, "R_PPC64_TPREL16_HA", ThreadOffset, HighAdjusted, Half),
    data(73, "R_PPC64_TPREL64", ThreadOffset, 8),
    row(74, "R_PPC64_DTPREL16", ModuleOffset, All, Half),
    row(75, "R_PPC64_DTPREL16_LO", ModuleOffset, Low, Half),
    row(76, "R_PPC64_DTPREL16_HI", ModuleOffset, High, Half),
    row(77, "R_PPC64_DTPREL16_HA", ModuleOffset, HighAdjusted, Half),
    data(78, "R_PPC64_DTPREL64", ModuleOffset, 8),
    row(79, "R_PPC64_GOT_TLSGD16", Thread(ThreadWord::Dynamic), All, Half),
    row(80, "R_PPC64_GOT_TLSGD16_LO", Thread(ThreadWord::Dynamic), Low, Half),
    row(81, "R_PPC64_GOT_TLSGD16_HI", Thread(ThreadWord::Dynamic), High, Half),
    row(82, "R_PPC64_GOT_TLSGD16_HA", Thread(ThreadWord::Dynamic), HighAdjusted, Half),
    row(83, "R_PPC64_GOT_TLSLD16", Thread(ThreadWord::OwnModule), All, Half),
    row(84, "R_PPC64_GOT_TLSLD16_LO", Thread(ThreadWord::OwnModule), Low, Half),
    row(85, "R_PPC64_GOT_TLSLD16_HI", Thread(ThreadWord::OwnModule), High, Half),
    row(86, "R_PPC64_GOT_TLSLD16_HA", Thread(ThreadWord::OwnModule), HighAdjusted, Half),
    row(87, "R_PPC64_GOT_TPREL16_DS", Thread(ThreadWord::Offset), All, HalfWithout),
    row(88, "R_PPC64_GOT_TPREL16_LO_DS", Thread(ThreadWord::Offset), Low, HalfWithout),
    row(89, "R_PPC64_GOT_TPREL16_HI", Thread(ThreadWord::Offset), High, Half),
    row(90, "R_PPC64_GOT_TPREL16_HA", Thread(ThreadWord::Offset), HighAdjusted, Half),
    row(91, "R_PPC64_GOT_DTPREL16_DS", Thread(ThreadWord::ModuleOffset), All, HalfWithout),
    row(92, "R_PPC64_GOT_DTPREL16_LO_DS", Thread(ThreadWord::ModuleOffset), Low, HalfWithout),
    row(93, "R_PPC64_GOT_DTPREL16_HI", Thread(ThreadWord::ModuleOffset), High, Half),
    row(94, "R_PPC64_GOT_DTPREL16_HA", Thread(ThreadWord::ModuleOffset), HighAdjusted, Half),
    row(95, "R_PPC64_TPREL16_DS", ThreadOffset, All, HalfWithout),
    row(96, "R_PPC64_TPREL16_LO_DS", ThreadOffset, Low, HalfWithout),
    row(97, "R_PPC64_TPREL16_HIGHER", ThreadOffset, From(32), Half),
    row(98, "R_PPC64_TPREL16_HIGHERA", ThreadOffset, FromAdjusted(32, 16), Half),
    row(99, "R_PPC64_TPREL16_HIGHEST", ThreadOffset, From(48), Half),
    row(100, "R_PPC64_TPREL16_HIGHESTA", ThreadOffset, FromAdjusted(48, 16), Half),
    row(101, "R_PPC64_DTPREL16_DS", ModuleOffset, All, HalfWithout),
    row(102, "R_PPC64_DTPREL16_LO_DS", ModuleOffset, Low, HalfWithout),
    row(103, "R_PPC64_DTPREL16_HIGHER", ModuleOffset, From(32), Half),
    row(104, "R_PPC64_DTPREL16_HIGHERA", ModuleOffset, FromAdjusted(32, 16), Half),
    row(105, "R_PPC64_DTPREL16_HIGHEST", ModuleOffset, From(48), Half),
    row(106, "R_PPC64_DTPREL16_HIGHESTA", ModuleOffset, FromAdjusted(48, 16), Half),
    mark(107, "R_PPC64_TLSGD"),
    mark(108, "R_PPC64_TLSLD"),
    mark(109, "R_PPC64_TOCSAVE"),
    row(110, "R_PPC64_ADDR16_HIGH", Absolute, From(16), Half),
    row(111, "R_PPC64_ADDR16_HIGHA", Absolute, FromAdjusted(16, 16), Half),
    row(112, "R_PPC64_TPREL16_HIGH", ThreadOffset, From(16), Half),
    row(113, "R_PPC64_TPREL16_HIGHA", ThreadOffset, FromAdjusted(16, 16), Half),
    row(114, "R_PPC64_DTPREL16_HIGH", ModuleOffset, From(16), Half),
    row(115, "R_PPC64_DTPREL16_HIGHA", ModuleOffset, FromAdjusted(16, 16), Half),
    row(116, "R_PPC64_REL24_NOTOC", CallWithoutToc, All, Branch),
    data(117, "R_PPC64_ADDR64_LOCAL", LocalEntry, 8),
    mark(118, "R_PPC64_ENTRY"),
    mark(119, "R_PPC64_PLTSEQ"),
    mark(120, "R_PPC64_PLTCALL"),
    mark(121, "R_PPC64_PLTSEQ_NOTOC"),
    mark(122, "R_PPC64_PLTCALL_NOTOC"),
    mark(123, "R_PPC64_PCREL_OPT"),
    row(124, "R_PPC64_REL24_P9NOTOC", CallWithoutToc, All, Branch),
    row(128, "R_PPC64_D34", Absolute, All, Long34),
    row(129, "R_PPC64_D34_LO", Absolute, Low, Long34),
    row(130, "R_PPC64_D34_HI30", Absolute, From(34), Long34),
    row(131, "R_PPC64_D34_HA30", Absolute, FromAdjusted(34, 34), Long34),
    row(132, "R_PPC64_PCREL34", Distance, All, Long34),
    row(133, "R_PPC64_GOT_PCREL34", GotDistance, All, Long34),
    row(134, "R_PPC64_PLT_PCREL34", PltWordDistance, All, Long34),
    row(135, "R_PPC64_PLT_PCREL34_NOTOC", PltWordDistance, All, Long34),
    row(136, "R_PPC64_ADDR16_HIGHER34", Absolute, From(34), Half),
    row(137, "R_PPC64_ADDR16_HIGHERA34", Absolute, FromAdjusted(34, 34), Half),
    row(138, "R_PPC64_ADDR16_HIGHEST34", Absolute, From(50), Half),
    row(139, "R_PPC64_ADDR16_HIGHESTA34", Absolute, FromAdjusted(50, 34), Half),
    row(140, "R_PPC64_REL16_HIGHER34", Distance, From(34), Half),
    row(141, "R_PPC64_REL16_HIGHERA34", Distance, FromAdjusted(34, 34), Half),
    row(142, "R_PPC64_REL16_HIGHEST34", Distance, From(50), Half),
    row(143, "R_PPC64_REL16_HIGHESTA34", Distance, FromAdjusted(50, 34), Half),
    row(144, "R_PPC64_D28", Absolute, All, Long28),
    row(145, "R_PPC64_PCREL28", Distance, All, Long28),
    row(146, "R_PPC64_TPREL34", ThreadOffset, All, Long34),
    row(147, "R_PPC64_DTPREL34", ModuleOffset, All, Long34),
    row(148, "R_PPC64_GOT_TLSGD_PCREL34", ThreadDistance(ThreadWord::Dynamic), All, Long34),
    row(149, "R_PPC64_GOT_TLSLD_PCREL34", ThreadDistance(ThreadWord::OwnModule), All, Long34),
    row(150, "R_PPC64_GOT_TPREL_PCREL34", ThreadDistance(ThreadWord::Offset), All, Long34),
    row(151, "R_PPC64_GOT_DTPREL_PCREL34", ThreadDistance(ThreadWord::ModuleOffset), All, Long34),
    row(240, "R_PPC64_REL16_HIGH", Distance, From(16), Half),
    row(241, "R_PPC64_REL16_HIGHA", Distance, FromAdjusted(16, 16), Half),
    row(242, "R_PPC64_REL16_HIGHER", Distance, From(32), Half),
    row(243, "R_PPC64_REL16_HIGHERA", Distance, FromAdjusted(32, 16), Half),
    row(244, "R_PPC64_REL16_HIGHEST", Distance, From(48), Half),
    row(245, "R_PPC64_REL16_HIGHESTA", Distance, FromAdjusted(48, 16), Half),
    row(246, "R_PPC64_REL16DX_HA", Distance, HighAdjusted, Pieces),
    data(247, "R_PPC64_JMP_IREL", Nothing, 8),
    data(248, "R_PPC64_IRELATIVE", Nothing, 8),
    row(249, "R_PPC64_REL16", Distance, All, Half),
    row(250, "R_PPC64_REL16_LO", Distance, Low, Half),
    row(251, "R_PPC64_REL16_HI", Distance, High, Half),
    row(252, "R_PPC64_REL16_HA", Distance, HighAdjusted, Half),
    mark(253, "R_PPC64_GNU_VTINHERIT"),
    mark(254, "R_PPC64_GNU_VTENTRY"),
];

const COUNT: usize = 255;

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

/// The types whose value is computed from one of some things.
const fn with_base(is_meant: [bool; 5]) -> TypeSet {
    let mut set = TypeSet::of(&[]);
    let mut at = 0;
    while at < ROWS.len() {
        let of = match ROWS[at].base {
            Absolute | LocalEntry | Jump => 0,
            Distance => 1,
            Call | CallWithoutToc => 2,
            Toc | TocAddress => 3,
            _ => 4,
        };
        if is_meant[of] && !matches!(ROWS[at].base, Nothing) {
            set = set.and(&[ROWS[at].number]);
        }
        at += 1;
    }
    set
}

/// Types that say something of the code and refer to nothing.
pub const MARKS: &[u32] = &[0, 109, 118, 123];

/// Those of them that the linker may act upon, or not: R_PPC64_TOCSAVE, R_PPC64_ENTRY.
pub const HINTS: &[u32] = &[109, 118];

/// Types that need nothing from the scan if the symbol is defined in this output and not
/// preemptible.
pub static COMPUTED: TypeSet = with_base([false, true, true, false, false]).and(MARKS);
/// Likewise, if the output is at fixed addresses.
pub static COMPUTED_IF_FIXED: TypeSet = with_base([true, true, true, false, false]).and(MARKS);
/// Types whose field depends on the sum of symbol and addend.
pub const SUMS: TypeSet = with_base([true, true, true, true, false]);
/// Types that only transfer control.
pub const CALLS: TypeSet = with_base([false, false, true, false, false]).and(MARKS);

/// Whether `r_type` is one of thread-local storage that an object may contain.
pub fn is_thread_local(r_type: u32) -> bool {
    matches!(r_type, types::TLSGD | types::TLSLD)
        || of(r_type).is_some_and(|row| {
            matches!(row.base, ThreadOffset | ModuleOffset | Thread(_) | ThreadDistance(_))
        })
}

/// The instructions that a TLS type must be used in, for a message.
pub const fn required_tls_sequence(_: u32) -> &'static str {
    "must be used with a call of __tls_get_addr that has a relocation R_PPC64_TLSGD or R_PPC64_TLSLD"
}

/// What the value of a type's field must be a multiple of.
pub fn field_align(r_type: u32) -> u64 {
    match of(r_type).map(|row| row.field) {
        Some(
            Field::HalfWithout
            | Field::Branch
            | Field::ShortBranch
            | Field::LikelyBranch
            | Field::UnlikelyBranch,
        ) => 4,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_found_by_number() {
        let name = |number| of(number).map(|row| row.howto.name);
        assert_eq!(name(0), Some("R_PPC64_NONE"));
        assert_eq!(name(types::TOC16_HA), Some("R_PPC64_TOC16_HA"));
        assert_eq!(name(252), Some("R_PPC64_REL16_HA"));
        assert!([18, 32, 125, 152, 255, u32::MAX].into_iter().all(|number| name(number).is_none()));
        for row in ROWS {
            assert_eq!(HOWTOS.get(row.number as usize), Some(&row.howto));
        }
    }

    #[test]
    fn parts_of_values() {
        let value = 0x1234_8765_8001_8000;
        let low = |part: Part| part.of(value) & 0xffff;
        assert_eq!([Low, High, HighAdjusted].map(low), [0x8000, 0x8001, 0x8002]);
        assert_eq!([From(32), From(48)].map(low), [0x8765, 0x1234]);
        // Both halves below are negative.
        assert_eq!(low(FromAdjusted(32, 16)), 0x8765);
        assert_eq!(FromAdjusted(32, 16).of(0xffff_8000) & 0xffff, 1);
        assert_eq!(FromAdjusted(34, 34).of(0x2_0000_0000), 1);
        assert_eq!(FromAdjusted(34, 34).of(0x1_ffff_ffff), 0);
    }
}
