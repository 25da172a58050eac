//! Which output section an input section goes to, by its name.
//!
//! The default rules of GNU ld's built-in script and of lld: `.text.foo` to `.text`,
//! `.data.rel.ro.foo` to `.data.rel.ro`, and so on; any other name is kept.

/// Output section names known before any input is read. The position is the section's
/// [`OutputName`] id; the order has no other meaning.
pub const KNOWN: [&[u8]; 41] = [
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
];

/// An index into [`KNOWN`], or [`CUSTOM`].
pub type OutputName = u32;

/// The input's name is not in [`KNOWN`] and is looked up (or made) later.
pub const CUSTOM: OutputName = u32::MAX;

/// Positions in [`KNOWN`] that code refers to.
#[allow(missing_docs)]
pub mod known {
    pub const TEXT: u32 = 0;
    pub const RODATA: u32 = 1;
    pub const DATA_REL_RO: u32 = 2;
    pub const DATA: u32 = 3;
    pub const BSS: u32 = 4;
    pub const BSS_REL_RO: u32 = 5;
    pub const TDATA: u32 = 6;
    pub const TBSS: u32 = 7;
    pub const INIT_ARRAY: u32 = 8;
    pub const FINI_ARRAY: u32 = 9;
    pub const PREINIT_ARRAY: u32 = 10;
    pub const INIT: u32 = 11;
    pub const FINI: u32 = 12;
    pub const GCC_EXCEPT_TABLE: u32 = 13;
    pub const EH_FRAME: u32 = 14;
    pub const CTORS: u32 = 15;
    pub const DTORS: u32 = 16;
    pub const COMMENT: u32 = 17;
    pub const LDATA: u32 = 18;
    pub const LRODATA: u32 = 19;
    pub const LBSS: u32 = 20;
    pub const DEBUG_FIRST: u32 = 21;
    pub const DEBUG_LAST: u32 = 34;
    pub const TEXT_HOT: u32 = 35;
    pub const TEXT_UNLIKELY: u32 = 36;
    pub const TEXT_STARTUP: u32 = 37;
    pub const TEXT_EXIT: u32 = 38;
    pub const TEXT_UNKNOWN: u32 = 39;
    pub const TEXT_SPLIT: u32 = 40;
}

/// The prefixes `NAME.` that are folded into `NAME`, grouped by the byte after the dot.
/// Longer names come before their prefixes.
const FOLDED: &[(&[u8], u32)] = &[
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
    (b".gnu.linkonce.t", known::TEXT),
    (b".gnu.linkonce.r", known::RODATA),
    (b".gnu.linkonce.d", known::DATA),
    (b".gnu.linkonce.b", known::BSS),
    (b".gnu.linkonce.td", known::TDATA),
    (b".gnu.linkonce.tb", known::TBSS),
];

/// The output section for an input section called `name`.
///
/// `keep_text_prefix`: `-z keep-text-section-prefix` keeps `.text.hot`, `.text.unlikely` and the
/// like as sections of their own.
#[inline]
pub fn output_name(name: &[u8], keep_text_prefix: bool) -> OutputName {
    // The four names that make up nearly all sections of large links.
    if let Some(rest) = name.strip_prefix(b".text") {
        if rest.is_empty() {
            return known::TEXT;
        }
        if rest[0] == b'.' {
            return if keep_text_prefix { text_prefix(rest) } else { known::TEXT };
        }
        return CUSTOM;
    }
    if let Some(debug) = name.strip_prefix(b".debug_") {
        return KNOWN[known::DEBUG_FIRST as usize..=known::DEBUG_LAST as usize]
            .iter()
            .position(|k| &k[7..] == debug)
            .map_or(CUSTOM, |at| known::DEBUG_FIRST + at as u32);
    }
    for &(prefix, out) in FOLDED {
        if let Some(rest) = name.strip_prefix(prefix)
            && (rest.is_empty() || rest[0] == b'.')
        {
            return out;
        }
    }
    match name {
        b".init" => known::INIT,
        b".fini" => known::FINI,
        b".eh_frame" => known::EH_FRAME,
        b".comment" => known::COMMENT,
        _ => CUSTOM,
    }
}

fn text_prefix(rest: &[u8]) -> OutputName {
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
            (b"foo", CUSTOM),
        ] {
            assert_eq!(output_name(name, false), out, "{}", String::from_utf8_lossy(name));
        }
        assert_eq!(output_name(b".text.hot.x", true), known::TEXT_HOT);
    }

    #[test]
    fn priorities() {
        assert_eq!(init_priority(b".init_array"), 65536);
        assert_eq!(init_priority(b".init_array.101"), 101);
        assert_eq!(init_priority(b".ctors.65434"), 101);
    }
}
