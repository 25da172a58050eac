//! Which output section an input section goes to, by its name.
//!
//! The default rules of GNU ld's built-in script and of lld: `.text.foo` to `.text`,
//! `.data.rel.ro.foo` to `.data.rel.ro`, and so on; any other name is kept.

use skald_core::id;
use zerocopy::FromZeros;

/// Output section names known before any input is read. The position is the section's
/// [`OutputId`] id; the order has no other meaning.
pub const KNOWN: [&[u8]; 49] = [
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
];

id! {
    /// An output section by its name: first those of [`KNOWN`], then what the link adds; or
    /// [`CUSTOM`].
    OutputId
}

impl OutputId {
    /// Whether its name is one of [`KNOWN`].
    #[inline]
    pub fn is_known(self) -> bool {
        self.index() < KNOWN.len()
    }
}

/// The input's name is not in [`KNOWN`] and is looked up (or made) later.
pub const CUSTOM: OutputId = OutputId::new(u32::MAX);

/// What a section's name says of it, wherever it goes: as which of the [`KNOWN`] ones it counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, FromZeros)]
#[repr(transparent)]
pub struct NameClass(u8);

const _: () = assert!(KNOWN.len() < u8::MAX as usize);

impl NameClass {
    /// None of them.
    pub const CUSTOM: NameClass = NameClass(u8::MAX);

    /// The class of what goes to this output section by default.
    #[inline(always)]
    pub const fn of(out: OutputId) -> NameClass {
        // Of CUSTOM, too.
        NameClass(out.number() as u8)
    }

    /// Whether it is that of this name.
    #[inline(always)]
    pub fn is(self, known: OutputId) -> bool {
        self == NameClass::of(known)
    }

    /// Where such sections go by default.
    #[inline]
    pub fn output(self) -> OutputId {
        if self == NameClass::CUSTOM { CUSTOM } else { OutputId::new(self.0 as u32) }
    }
}

/// Positions in [`KNOWN`] that code refers to.
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
}

/// The prefixes `NAME.` that are folded into `NAME`, grouped by the byte after the dot.
/// Longer names come before their prefixes.
const FOLDED: &[(&[u8], OutputId)] = &[
    (b".text", known::TEXT),
    (b".rodata", known::RODATA),
    (b".data.rel.ro", known::DATA_REL_RO),
    (b".data", known::DATA),
    (b".bss.rel.ro", known::BSS_REL_RO),
    (b".bss", known::BSS),
    (b".tdata", known::TDATA),
    (b".tbss", known::TBSS),
    (b".init_array", known::INIT_ARRAY),
    (b".fini_array", known::FINI_ARRAY),
    (b".preinit_array", known::PREINIT_ARRAY),
    (b".gcc_except_table", known::GCC_EXCEPT_TABLE),
    (b".ctors", known::CTORS),
    (b".dtors", known::DTORS),
    (b".ldata", known::LDATA),
    (b".lrodata", known::LRODATA),
    (b".lbss", known::LBSS),
];

/// The same for what stands behind [`LINKONCE`], as GNU ld's script has it.
const FOLDED_ONCE: &[(&[u8], OutputId)] = &[
    (b"t", known::TEXT),
    (b"r", known::RODATA),
    (b"d.rel.ro", known::DATA_REL_RO),
    (b"d", known::DATA),
    (b"b", known::BSS),
    (b"td", known::TDATA),
    (b"tb", known::TBSS),
    (b"l", known::LDATA),
    (b"lr", known::LRODATA),
    (b"lb", known::LBSS),
    (b"wi", known::DEBUG_FIRST),
];

/// Sections of which one of each name is kept are called so, with type and key.
pub const LINKONCE: &[u8] = b".gnu.linkonce.";

/// Prefixes that make output sections of their own: a sum of the constants.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct KeptPrefixes(pub u8);

impl KeptPrefixes {
    /// `-z keep-text-section-prefix`: `.text.hot`, `.text.unlikely` and the like.
    pub const TEXT: u8 = 1;
    /// `-z keep-data-section-prefix`: `.data.hot`, `.rodata.unlikely` and the like.
    pub const DATA: u8 = 2;

    /// From the options.
    pub fn new(text: bool, data: bool) -> KeptPrefixes {
        KeptPrefixes(u8::from(text) * Self::TEXT + u8::from(data) * Self::DATA)
    }

    /// Whether all are folded.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    fn has(self, prefix: u8) -> bool {
        self.0 & prefix != 0
    }
}

/// The class of an input section called `name`.
#[inline]
pub fn class_of(name: &[u8], kept: KeptPrefixes) -> NameClass {
    NameClass::of(output_name(name, kept))
}

/// The output section for an input section called `name`.
#[inline]
pub fn output_name(name: &[u8], kept: KeptPrefixes) -> OutputId {
    // The four names that make up nearly all sections of large links.
    if let Some(rest) = name.strip_prefix(b".text") {
        if rest.is_empty() {
            return known::TEXT;
        }
        if rest[0] == b'.' {
            return match kept.has(KeptPrefixes::TEXT) {
                true => text_prefix(rest),
                false => known::TEXT,
            };
        }
        return CUSTOM;
    }
    if let Some(debug) = name.strip_prefix(b".debug_") {
        return KNOWN[known::DEBUG_FIRST.index()..=known::DEBUG_LAST.index()]
            .iter()
            .position(|k| &k[7..] == debug)
            .map_or(CUSTOM, |at| known::DEBUG_FIRST + at as u32);
    }
    for &(prefix, out) in FOLDED {
        if let Some(rest) = name.strip_prefix(prefix)
            && (rest.is_empty() || rest[0] == b'.')
        {
            return match kept.has(KeptPrefixes::DATA) {
                true => data_prefix(rest, out),
                false => out,
            };
        }
    }
    if let Some(kind) = name.strip_prefix(LINKONCE) {
        let fits = |prefix| kind.strip_prefix(prefix).is_some_and(|rest| rest.starts_with(b"."));
        let folded = FOLDED_ONCE.iter().find(|&&(prefix, _)| fits(prefix));
        return folded.map_or(CUSTOM, |&(_, out)| out);
    }
    match name {
        b".init" => known::INIT,
        b".fini" => known::FINI,
        b".eh_frame" => known::EH_FRAME,
        b".comment" => known::COMMENT,
        _ => CUSTOM,
    }
}

fn text_prefix(rest: &[u8]) -> OutputId {
    for (word, out) in [
        (&b".hot"[..], known::TEXT_HOT),
        (b".unlikely", known::TEXT_UNLIKELY),
        (b".startup", known::TEXT_STARTUP),
        (b".exit", known::TEXT_EXIT),
        (b".unknown", known::TEXT_UNKNOWN),
        (b".split", known::TEXT_SPLIT),
    ] {
        if let Some(tail) = rest.strip_prefix(word)
            && (tail.is_empty() || tail[0] == b'.')
        {
            return out;
        }
    }
    known::TEXT
}

/// Where data goes whose temperature stands in front, as in `.data.hot.x`, or behind, as in
/// `.rodata.cst8.hot.`; `out` if there is none.
fn data_prefix(rest: &[u8], out: OutputId) -> OutputId {
    let has = |word: &[u8]| {
        let tail = rest.strip_prefix(word);
        let is_in_front = tail.is_some_and(|tail| tail.is_empty() || tail[0] == b'.');
        is_in_front || rest.strip_suffix(b".").is_some_and(|rest| rest.ends_with(word))
    };
    let (hot, unlikely) = match out {
        known::RODATA => (known::RODATA_HOT, known::RODATA_UNLIKELY),
        known::DATA_REL_RO => (known::DATA_REL_RO_HOT, known::DATA_REL_RO_UNLIKELY),
        known::DATA => (known::DATA_HOT, known::DATA_UNLIKELY),
        known::BSS => (known::BSS_HOT, known::BSS_UNLIKELY),
        _ => return out,
    };
    if has(b".hot") {
        hot
    } else if has(b".unlikely") {
        unlikely
    } else {
        out
    }
}

/// The priority in `.init_array.N`, `.fini_array.N`, `.ctors.N` and `.dtors.N`: lower runs first
/// for initialisers. A section without a number comes last (65536), as in GNU ld's script.
pub fn init_priority(name: &[u8]) -> u32 {
    let Some(at) = memchr::memrchr(b'.', name) else { return 65536 };
    let digits = &name[at + 1..];
    let number = std::str::from_utf8(digits).ok().and_then(|d| d.parse::<u32>().ok());
    match number {
        Some(n) if name.starts_with(b".ctors") || name.starts_with(b".dtors") => {
            65535u32.saturating_sub(n)
        }
        Some(n) => n,
        None => 65536,
    }
}

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
    fn folds_as_the_default_script() {
        for (name, out) in [
            (&b".text.foo"[..], known::TEXT),
            (b".text", known::TEXT),
            (b".textual", CUSTOM),
            (b".data.rel.ro.local.x", known::DATA_REL_RO),
            (b".data.rel.local", known::DATA),
            (b".debug_str", known::DEBUG_FIRST + 3),
            (b".debug_types", CUSTOM),
            (b".init_array.5", known::INIT_ARRAY),
            (b".gnu.linkonce.t.f", known::TEXT),
            (b".gnu.linkonce.d.v", known::DATA),
            (b".gnu.linkonce.d.rel.ro.local.v", known::DATA_REL_RO),
            (b".gnu.linkonce.lr.v", known::LRODATA),
            (b".gnu.linkonce.wi.f", known::DEBUG_FIRST),
            (b".gnu.linkonce.this_module", CUSTOM),
            (b"foo", CUSTOM),
        ] {
            assert_eq!(
                output_name(name, KeptPrefixes::default()),
                out,
                "{}",
                String::from_utf8_lossy(name)
            );
        }
        let text = KeptPrefixes::new(true, false);
        assert_eq!(output_name(b".text.hot.x", text), known::TEXT_HOT);
        assert_eq!(output_name(b".data.hot.x", text), known::DATA);
        let data = KeptPrefixes::new(false, true);
        for (name, out) in [
            (&b".text.hot.x"[..], known::TEXT),
            (b".data.hot.x", known::DATA_HOT),
            (b".data.hot", known::DATA_HOT),
            (b".data.hotter", known::DATA),
            (b".rodata.cst8.unlikely.", known::RODATA_UNLIKELY),
            (b".data.rel.ro.unlikely.x", known::DATA_REL_RO_UNLIKELY),
            (b".bss.hot.x", known::BSS_HOT),
            (b".bss.rel.ro.hot.x", known::BSS_REL_RO),
            (b".ldata.hot.x", known::LDATA),
        ] {
            assert_eq!(output_name(name, data), out, "{}", String::from_utf8_lossy(name));
        }
    }

    #[test]
    fn priorities() {
        assert_eq!(init_priority(b".init_array"), 65536);
        assert_eq!(init_priority(b".init_array.101"), 101);
        assert_eq!(init_priority(b".ctors.65434"), 101);
    }
}
