//! Relocation types that the dynamic linker is given (MIPS supplement of the System V ABI, "Dynamic
//! Linking").

use super::numbers::composed;
use crate::machine::loader::{LoaderTypes, ThreadOffset};
use object::elf::*;

/// The word of a 64-bit loader: the base address or a symbol is added to 64 bits.
pub const WORD_64: u32 = composed(R_MIPS_REL32, R_MIPS_64, R_MIPS_NONE);

/// The numbers for words of 64 bits. Nothing relocates words of `.got` with addresses.
pub static TYPES: LoaderTypes = LoaderTypes {
    word: R_MIPS_64,
    same_words: &[],
    other_word: None,
    signed: None,
    relative: WORD_64,
    // No loader calls resolvers: see `loops/mips/scan`.
    irelative: R_MIPS_NONE,
    glob_dat: R_MIPS_GLOB_DAT,
    jump_slot: R_MIPS_JUMP_SLOT,
    copy: R_MIPS_COPY,
    got_address: None,
    module: R_MIPS_TLS_DTPMOD64,
    module_offset: R_MIPS_TLS_DTPREL64,
    thread_offset: R_MIPS_TLS_TPREL64,
    negative_thread_offset: None,
    thread_offset_words: &[(
        R_MIPS_TLS_TPREL64,
        ThreadOffset { r_type: R_MIPS_TLS_TPREL64, is_negative: false },
    )],
    thread_offset_place: None,
    descriptor: None,
    addend_field: |r_type| addend_field(r_type, 8),
    plt_tags: None,
};

/// The same for words of 32 bits.
pub static TYPES_32: LoaderTypes = LoaderTypes {
    word: R_MIPS_32,
    relative: R_MIPS_REL32,
    module: R_MIPS_TLS_DTPMOD32,
    module_offset: R_MIPS_TLS_DTPREL32,
    thread_offset: R_MIPS_TLS_TPREL32,
    thread_offset_words: &[(
        R_MIPS_TLS_TPREL32,
        ThreadOffset { r_type: R_MIPS_TLS_TPREL32, is_negative: false },
    )],
    addend_field: |r_type| addend_field(r_type, 4),
    ..TYPES
};

/// See [`LoaderTypes::addend_field`].
fn addend_field(r_type: u32, word: usize) -> Option<(u64, usize)> {
    match r_type {
        R_MIPS_NONE | R_MIPS_COPY | R_MIPS_JUMP_SLOT => None,
        _ => Some((0, word)),
    }
}
