//! Relocation types that the dynamic linker is given ("ELF for the Arm 64-bit Architecture",
//! "Dynamic relocations"; for words with
//! signed pointers "PAuth ABI Extension to ELF").

use super::howto::*;
use crate::machine::loader::{LoaderTypes, PackedTable, SignedWords, ThreadOffset};

/// The numbers of the ABI.
pub static TYPES: LoaderTypes = LoaderTypes {
    word: R_AARCH64_ABS64,
    same_words: &[],
    other_word: None,
    signed: Some(SignedWords {
        word: R_AARCH64_AUTH_ABS64,
        relative: R_AARCH64_AUTH_RELATIVE,
        irelative: R_AARCH64_AUTH_IRELATIVE,
        glob_dat: R_AARCH64_AUTH_GLOB_DAT,
        descriptor: R_AARCH64_AUTH_TLSDESC,
        // The word's address is part of the signature (bit 63). Keys in bits 60 and 61: IA and DA.
        code_schema: 1 << 63,
        data_schema: 1 << 63 | 0b10 << 60,
        // SHT_AARCH64_AUTH_RELR; DT_AARCH64_AUTH_RELR, _RELRSZ, _RELRENT.
        packed: PackedTable { sh_type: 0x7000_0004, tags: [0x7000_0012, 0x7000_0011, 0x7000_0013] },
    }),
    relative: R_AARCH64_RELATIVE,
    irelative: R_AARCH64_IRELATIVE,
    glob_dat: R_AARCH64_GLOB_DAT,
    jump_slot: R_AARCH64_JUMP_SLOT,
    copy: R_AARCH64_COPY,
    got_address: None,
    module: R_AARCH64_TLS_DTPMOD64,
    module_offset: R_AARCH64_TLS_DTPREL64,
    thread_offset: R_AARCH64_TLS_TPREL64,
    negative_thread_offset: None,
    thread_offset_words: &[(
        R_AARCH64_TLS_TPREL64,
        ThreadOffset { r_type: R_AARCH64_TLS_TPREL64, is_negative: false },
    )],
    thread_offset_place: None,
    descriptor: Some(R_AARCH64_TLSDESC),
    addend_field,
    plt_tags: None,
};

/// Likewise for big-endian data.
pub static BIG_ENDIAN_TYPES: LoaderTypes = LoaderTypes {
    addend_field: |r_type| {
        // The lower half of a word is behind the upper.
        addend_field(r_type).map(|(at, size)| if size == 4 { (at + 4, size) } else { (at, size) })
    },
    ..TYPES
};

/// See [`LoaderTypes::addend_field`].
fn addend_field(r_type: u32) -> Option<(u64, usize)> {
    match r_type {
        R_AARCH64_NONE | R_AARCH64_COPY | R_AARCH64_AUTH_GLOB_DAT => None,
        // The upper half is the schema.
        R_AARCH64_AUTH_ABS64 | R_AARCH64_AUTH_RELATIVE | R_AARCH64_AUTH_IRELATIVE => Some((0, 4)),
        R_AARCH64_AUTH_TLSDESC => Some((8, 4)),
        // The second word is the resolver's argument.
        R_AARCH64_TLSDESC => Some((8, 8)),
        _ => Some((0, 8)),
    }
}
