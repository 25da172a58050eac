//! Names of the constants in ELF files, as test directives write them.
//!
//! Names omit the prefix where the column makes it clear: `NOBITS`, `LOAD`, `NEEDED`. Relocation
//! types ([`crate::relocation_types`]) keep their prefix.

use object::elf::*;

// Tags of the gABI for which `object` 0.37 has no name.
const DT_RELRSZ: u32 = 35;
const DT_RELR: u32 = 36;
const DT_RELRENT: u32 = 37;

/// Defines functions that return the name of the constant with a given value.
macro_rules! names {
    ($(#[$doc:meta])* $function:ident: $number:ty, $prefix:literal, [$($name:ident)*]) => {
        $(#[$doc])*
        pub fn $function(number: $number) -> String {
            $(if number == $name as $number {
                return stringify!($name).trim_start_matches($prefix).to_owned();
            })*
            format!("{number:#x}")
        }
    };
}

pub(crate) use names;

names!(
    /// Name of an `sh_type`, without `SHT_`.
    section_type: u32, "SHT_", [
    SHT_NULL SHT_PROGBITS SHT_SYMTAB SHT_STRTAB SHT_RELA SHT_HASH SHT_DYNAMIC SHT_NOTE SHT_NOBITS
    SHT_REL SHT_DYNSYM SHT_INIT_ARRAY SHT_FINI_ARRAY SHT_PREINIT_ARRAY SHT_GROUP SHT_SYMTAB_SHNDX
    SHT_RELR SHT_CREL SHT_GNU_HASH SHT_GNU_VERDEF SHT_GNU_VERNEED SHT_GNU_VERSYM SHT_X86_64_UNWIND
]);

names!(
    /// Name of a `p_type`, without `PT_`.
    segment_type: u32, "PT_", [
    PT_NULL PT_LOAD PT_DYNAMIC PT_INTERP PT_NOTE PT_PHDR PT_TLS PT_GNU_EH_FRAME PT_GNU_STACK
    PT_GNU_RELRO PT_GNU_PROPERTY PT_GNU_SFRAME
]);

names!(
    /// Name of a `d_tag` common to all machines, without `DT_`.
    generic_tag: u32, "DT_", [
    DT_NULL DT_NEEDED DT_PLTRELSZ DT_PLTGOT DT_HASH DT_STRTAB DT_SYMTAB DT_RELA DT_RELASZ
    DT_RELAENT DT_STRSZ DT_SYMENT DT_INIT DT_FINI DT_SONAME DT_RPATH DT_SYMBOLIC DT_REL DT_RELSZ
    DT_RELENT DT_PLTREL DT_DEBUG DT_TEXTREL DT_JMPREL DT_BIND_NOW DT_INIT_ARRAY DT_FINI_ARRAY
    DT_INIT_ARRAYSZ DT_FINI_ARRAYSZ DT_RUNPATH DT_FLAGS DT_PREINIT_ARRAY DT_PREINIT_ARRAYSZ
    DT_RELRSZ DT_RELR DT_RELRENT DT_GNU_HASH DT_TLSDESC_PLT DT_TLSDESC_GOT DT_DEPAUDIT DT_AUDIT
    DT_VERSYM DT_RELACOUNT DT_RELCOUNT DT_FLAGS_1 DT_VERDEF DT_VERDEFNUM DT_VERNEED DT_VERNEEDNUM
    DT_AUXILIARY DT_FILTER
]);

names!(
    /// Name of a symbol's type, without `STT_`.
    symbol_type: u8, "STT_", [
    STT_NOTYPE STT_OBJECT STT_FUNC STT_SECTION STT_FILE STT_COMMON STT_TLS STT_GNU_IFUNC
]);

names!(
    /// Name of a symbol's binding, without `STB_`.
    symbol_binding: u8, "STB_", [STB_LOCAL STB_GLOBAL STB_WEAK STB_GNU_UNIQUE]
);

names!(
    /// Name of the visibility in `st_other`, without `STV_`.
    symbol_visibility: u8, "STV_", [STV_DEFAULT STV_INTERNAL STV_HIDDEN STV_PROTECTED]
);

names!(
    /// Name of an `e_type`, without `ET_`.
    file_type: u16, "ET_", [ET_NONE ET_REL ET_EXEC ET_DYN ET_CORE]
);

/// Tags of AArch64's dynamic sections (AAELF64, "Dynamic Section").
const AARCH64_TAGS: [(u32, &str); 9] = [
    (0x7000_0001, "AARCH64_BTI_PLT"),
    (0x7000_0003, "AARCH64_PAC_PLT"),
    (0x7000_0005, "AARCH64_VARIANT_PCS"),
    (0x7000_0009, "AARCH64_MEMTAG_MODE"),
    (0x7000_000b, "AARCH64_MEMTAG_HEAP"),
    (0x7000_000c, "AARCH64_MEMTAG_STACK"),
    (0x7000_0011, "AARCH64_AUTH_RELRSZ"),
    (0x7000_0012, "AARCH64_AUTH_RELR"),
    (0x7000_0013, "AARCH64_AUTH_RELRENT"),
];

/// Name of a `d_tag` in a file for `machine`, without `DT_`.
pub fn dynamic_tag(machine: u16, tag: u32) -> String {
    let own = AARCH64_TAGS.iter().filter(|_| machine == EM_AARCH64);
    let own = own.copied().find(|(number, _)| *number == tag);
    own.map_or_else(|| generic_tag(tag), |(_, name)| name.to_owned())
}

/// `sh_flags` as letters, in the order of `readelf -S`.
pub fn section_flags(flags: u64) -> String {
    let letters = [
        (SHF_WRITE, 'W'),
        (SHF_ALLOC, 'A'),
        (SHF_EXECINSTR, 'X'),
        (SHF_MERGE, 'M'),
        (SHF_STRINGS, 'S'),
        (SHF_INFO_LINK, 'I'),
        (SHF_LINK_ORDER, 'L'),
        (SHF_GROUP, 'G'),
        (SHF_TLS, 'T'),
        (SHF_COMPRESSED, 'C'),
        (SHF_GNU_RETAIN, 'R'),
        (SHF_GNU_MBIND, 'D'),
        (SHF_EXCLUDE, 'E'),
    ];
    letters.iter().filter(|(bit, _)| flags & u64::from(*bit) != 0).map(|(_, c)| c).collect()
}

/// `p_flags` as `R`, `W` and `X`.
pub fn segment_flags(flags: u32) -> String {
    let letters = [(PF_R, 'R'), (PF_W, 'W'), (PF_X, 'X')];
    letters.iter().filter(|(bit, _)| flags & bit != 0).map(|(_, c)| c).collect()
}

/// The names of the bits of DT_FLAGS or DT_FLAGS_1, joined with `|`.
pub fn dynamic_flags(tag: &str, value: u64) -> String {
    let flags: &[(u32, &str)] = match tag {
        "FLAGS" => &[
            (DF_ORIGIN, "ORIGIN"),
            (DF_SYMBOLIC, "SYMBOLIC"),
            (DF_TEXTREL, "TEXTREL"),
            (DF_BIND_NOW, "BIND_NOW"),
            (DF_STATIC_TLS, "STATIC_TLS"),
        ],
        "FLAGS_1" => &[
            (DF_1_NOW, "NOW"),
            (DF_1_GLOBAL, "GLOBAL"),
            (DF_1_NODELETE, "NODELETE"),
            (DF_1_INITFIRST, "INITFIRST"),
            (DF_1_NOOPEN, "NOOPEN"),
            (DF_1_ORIGIN, "ORIGIN"),
            (DF_1_INTERPOSE, "INTERPOSE"),
            (DF_1_NODEFLIB, "NODEFLIB"),
            (DF_1_NODUMP, "NODUMP"),
            (DF_1_PIE, "PIE"),
        ],
        _ => &[],
    };
    let set = flags.iter().filter(|(bit, _)| value & u64::from(*bit) != 0);
    set.map(|(_, name)| *name).collect::<Vec<_>>().join("|")
}
