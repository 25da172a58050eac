//! Names of sections that the linker knows, and their properties. The statements of the [default
//! layout](super::default_layout) decide which input sections go to which of these output sections.

use skald_core::id;
use zerocopy::FromZeros;

/// The arrays of functions that start files walk through from bound to bound.
pub const ARRAYS: [&[u8]; 3] = [b".preinit_array", b".init_array", b".fini_array"];

/// Output section names known before any input is read. The position is the section's [`OutputId`]
/// id; the order has no other meaning.
pub const KNOWN: [&[u8]; 60] = [
    b".text",
    b".rodata",
    b".data.rel.ro",
    b".data",
    b".bss",
    b".bss.rel.ro",
    b".tdata",
    b".tbss",
    b".init_array",
    b".fini_array",
    b".preinit_array",
    b".init",
    b".fini",
    b".gcc_except_table",
    b".eh_frame",
    b".ctors",
    b".dtors",
    b".comment",
    b".ldata",
    b".lrodata",
    b".lbss",
    b".debug_info",
    b".debug_abbrev",
    b".debug_line",
    b".debug_str",
    b".debug_line_str",
    b".debug_ranges",
    b".debug_rnglists",
    b".debug_loc",
    b".debug_loclists",
    b".debug_aranges",
    b".debug_str_offsets",
    b".debug_addr",
    b".debug_frame",
    b".debug_gdb_scripts",
    b".text.hot",
    b".text.unlikely",
    b".text.startup",
    b".text.exit",
    b".text.unknown",
    b".text.split",
    b".rodata.hot",
    b".rodata.unlikely",
    b".data.rel.ro.hot",
    b".data.rel.ro.unlikely",
    b".data.hot",
    b".data.unlikely",
    b".bss.hot",
    b".bss.unlikely",
    b".interp",
    b".jcr",
    b".openbsd.randomdata",
    b".toc",
    b".sdata",
    b".sbss",
    b".ARM.extab",
    b".ARM.exidx",
    b".sdata2",
    b".sbss2",
    b".got2",
];

id! {
    /// An output section by its name: ids of [`KNOWN`] names come first, then names that the link
    /// adds.
    OutputId
}

impl OutputId {
    /// Whether code falls through from one of its inputs into the next, so that padding must be
    /// executable.
    pub fn runs_through(self) -> bool {
        matches!(self, known::INIT | known::FINI)
    }

    /// Whether its name is one of [`KNOWN`].
    #[inline]
    pub fn is_known(self) -> bool {
        self.index() < KNOWN.len()
    }
}

/// The class of a section's name, independent of where the section goes: the [`KNOWN`] name as
/// which it counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, FromZeros)]
#[repr(transparent)]
pub struct NameClass(u8);

const _: () = assert!(KNOWN.len() < u8::MAX as usize);

impl NameClass {
    /// The name counts as none of the known ones.
    pub const CUSTOM: NameClass = NameClass(u8::MAX);

    /// The class of inputs that go to this output section by default.
    #[inline(always)]
    pub const fn of(out: OutputId) -> NameClass {
        NameClass(out.number() as u8)
    }

    /// Whether it is the class of this known output section.
    #[inline(always)]
    pub fn is(self, known: OutputId) -> bool {
        self == NameClass::of(known)
    }

    /// The output section to which such sections go by default, if there is one.
    #[inline]
    pub fn output(self) -> Option<OutputId> {
        (self != NameClass::CUSTOM).then(|| OutputId::new(u32::from(self.0)))
    }
}

/// Ids of the names in [`KNOWN`] that code refers to.
#[allow(missing_docs)]
pub mod known {
    use super::OutputId;

    pub const TEXT: OutputId = OutputId::new(0);
    pub const RODATA: OutputId = OutputId::new(1);
    pub const DATA_REL_RO: OutputId = OutputId::new(2);
    pub const DATA: OutputId = OutputId::new(3);
    pub const BSS: OutputId = OutputId::new(4);
    pub const BSS_REL_RO: OutputId = OutputId::new(5);
    pub const TDATA: OutputId = OutputId::new(6);
    pub const TBSS: OutputId = OutputId::new(7);
    pub const INIT_ARRAY: OutputId = OutputId::new(8);
    pub const FINI_ARRAY: OutputId = OutputId::new(9);
    pub const PREINIT_ARRAY: OutputId = OutputId::new(10);
    pub const INIT: OutputId = OutputId::new(11);
    pub const FINI: OutputId = OutputId::new(12);
    pub const GCC_EXCEPT_TABLE: OutputId = OutputId::new(13);
    pub const EH_FRAME: OutputId = OutputId::new(14);
    pub const CTORS: OutputId = OutputId::new(15);
    pub const DTORS: OutputId = OutputId::new(16);
    pub const COMMENT: OutputId = OutputId::new(17);
    pub const LDATA: OutputId = OutputId::new(18);
    pub const LRODATA: OutputId = OutputId::new(19);
    pub const LBSS: OutputId = OutputId::new(20);
    pub const DEBUG_FIRST: OutputId = OutputId::new(21);
    pub const DEBUG_LAST: OutputId = OutputId::new(34);
    pub const TEXT_HOT: OutputId = OutputId::new(35);
    pub const TEXT_UNLIKELY: OutputId = OutputId::new(36);
    pub const TEXT_STARTUP: OutputId = OutputId::new(37);
    pub const TEXT_EXIT: OutputId = OutputId::new(38);
    pub const TEXT_UNKNOWN: OutputId = OutputId::new(39);
    pub const TEXT_SPLIT: OutputId = OutputId::new(40);
    pub const RODATA_HOT: OutputId = OutputId::new(41);
    pub const RODATA_UNLIKELY: OutputId = OutputId::new(42);
    pub const DATA_REL_RO_HOT: OutputId = OutputId::new(43);
    pub const DATA_REL_RO_UNLIKELY: OutputId = OutputId::new(44);
    pub const DATA_HOT: OutputId = OutputId::new(45);
    pub const DATA_UNLIKELY: OutputId = OutputId::new(46);
    pub const BSS_HOT: OutputId = OutputId::new(47);
    pub const BSS_UNLIKELY: OutputId = OutputId::new(48);
    pub const INTERP: OutputId = OutputId::new(49);
    pub const JCR: OutputId = OutputId::new(50);
    pub const RANDOM_DATA: OutputId = OutputId::new(51);
    pub const TOC: OutputId = OutputId::new(52);
    pub const SDATA: OutputId = OutputId::new(53);
    pub const SBSS: OutputId = OutputId::new(54);
    pub const UNWIND_TABLE: OutputId = OutputId::new(55);
    pub const UNWIND_INDEX: OutputId = OutputId::new(56);
    pub const SDATA2: OutputId = OutputId::new(57);
    pub const SBSS2: OutputId = OutputId::new(58);
    pub const GOT2: OutputId = OutputId::new(59);
}

/// Prefix of sections of which only the first with each name is kept (an older form of COMDAT
/// groups); type and key follow.
pub const LINKONCE: &[u8] = b".gnu.linkonce.";

/// Prefixes of input sections that make output sections of their own, as a set of bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct KeptPrefixes(pub u8);

impl KeptPrefixes {
    /// `-z keep-text-section-prefix`: `.text.hot`, `.text.unlikely` and the like.
    pub const TEXT: u8 = 1;
    /// `-z keep-data-section-prefix`: `.data.hot`, `.rodata.unlikely` and the like.
    pub const DATA: u8 = 2;

    /// The machine has small data: `.sdata` and `.sbss`, `.sdata2` and `.sbss2` for constants, and
    /// `.got2` for addresses.
    pub const SMALL: u8 = 4;

    /// The machine has an index for unwinding.
    pub const UNWINDING: u8 = 8;

    /// The prefixes that these options keep.
    pub fn new(text: bool, data: bool) -> KeptPrefixes {
        KeptPrefixes(u8::from(text) * Self::TEXT + u8::from(data) * Self::DATA)
    }

    /// These, and those of small data if the machine has it.
    pub fn with_small_data(self, has_it: bool) -> KeptPrefixes {
        KeptPrefixes(self.0 | (u8::from(has_it) * Self::SMALL))
    }

    /// These, and those of an index for unwinding if the machine has it.
    pub fn with_unwind_index(self, has_it: bool) -> KeptPrefixes {
        KeptPrefixes(self.0 | (u8::from(has_it) * Self::UNWINDING))
    }

    /// Whether no prefix is kept.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether this prefix is kept.
    pub fn has(self, prefix: u8) -> bool {
        self.0 & prefix != 0
    }

    /// Whether the default layout has this known output section: sections of a prefix that is not
    /// kept are missing.
    pub fn has_output(self, known: OutputId) -> bool {
        let is_among = |first: OutputId, last: OutputId| first <= known && known <= last;
        (self.has(Self::TEXT) || !is_among(known::TEXT_HOT, known::TEXT_SPLIT))
            && (self.has(Self::DATA) || !is_among(known::RODATA_HOT, known::BSS_UNLIKELY))
            && (self.has(Self::SMALL) || !is_among(known::SDATA, known::SBSS))
            && (self.has(Self::SMALL) || !is_among(known::SDATA2, known::GOT2))
            && (self.has(Self::UNWINDING) || !is_among(known::UNWIND_TABLE, known::UNWIND_INDEX))
    }
}

/// The priority in `.init_array.N`, `.fini_array.N`, `.ctors.N` and `.dtors.N`: lower runs first
/// for initialisers. `None` for a section without a number.
pub fn init_priority(name: &[u8]) -> Option<u32> {
    let at = memchr::memrchr(b'.', name)?;
    let number: u32 = std::str::from_utf8(&name[at + 1..]).ok()?.parse().ok()?;
    Some(if name.starts_with(b".ctors") || name.starts_with(b".dtors") {
        65535u32.saturating_sub(number)
    } else {
        number
    })
}

/// The priority of sections without a number in the default layout: they come last, as in GNU ld's
/// script.
pub const UNNUMBERED: u32 = 65536;

/// Whether a section name is a C identifier, so that `__start_NAME` and `__stop_NAME` exist.
pub fn is_c_identifier(name: &[u8]) -> bool {
    let head = |b: u8| b.is_ascii_alphabetic() || b == b'_';
    match name.split_first() {
        Some((&first, rest)) => head(first) && rest.iter().all(|&b| head(b) || b.is_ascii_digit()),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn priorities() {
        assert_eq!(init_priority(b".init_array"), None);
        assert_eq!(init_priority(b".init_array.101"), Some(101));
        assert_eq!(init_priority(b".ctors.65434"), Some(101));
    }
}
