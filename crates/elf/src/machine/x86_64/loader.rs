//! Relocation types for the dynamic linker (x86-64 psABI, "Dynamic Linking").

use crate::machine::loader::{LoaderTypes, OtherWord, ThreadOffset};
use object::elf::*;

/// The numbers of the psABI.
pub static TYPES: LoaderTypes = LoaderTypes {
    word: R_X86_64_64,
    same_words: &[],
    other_word: Some(OtherWord { r_type: R_X86_64_32, relative: R_X86_64_32 }),
    signed: None,
    relative: R_X86_64_RELATIVE,
    irelative: R_X86_64_IRELATIVE,
    glob_dat: R_X86_64_GLOB_DAT,
    jump_slot: R_X86_64_JUMP_SLOT,
    copy: R_X86_64_COPY,
    got_address: None,
    module: R_X86_64_DTPMOD64,
    module_offset: R_X86_64_DTPOFF64,
    thread_offset: R_X86_64_TPOFF64,
    negative_thread_offset: None,
    thread_offset_words: &[(
        R_X86_64_TPOFF64,
        ThreadOffset { r_type: R_X86_64_TPOFF64, is_negative: false },
    )],
    thread_offset_place: None,
    descriptor: Some(R_X86_64_TLSDESC),
    addend_field,
    // DT_X86_64_PLT, DT_X86_64_PLTSZ and DT_X86_64_PLTENT.
    plt_tags: Some([0x7000_0000, 0x7000_0001, 0x7000_0003]),
};

/// The numbers for x32, where an address has 32 bits. `R_X86_64_RELATIVE64` adds the base address
/// to a word of 64 bits.
pub static X32: LoaderTypes = LoaderTypes {
    word: R_X86_64_32,
    same_words: &[],
    other_word: Some(OtherWord { r_type: R_X86_64_64, relative: R_X86_64_RELATIVE64 }),
    addend_field: x32_addend_field,
    plt_tags: None,
    ..TYPES
};

/// See [`LoaderTypes::addend_field`].
fn x32_addend_field(r_type: u32) -> Option<(u64, usize)> {
    match r_type {
        R_X86_64_RELATIVE | R_X86_64_IRELATIVE | R_X86_64_GLOB_DAT | R_X86_64_JUMP_SLOT => {
            Some((0, 4))
        }
        _ => addend_field(r_type),
    }
}

/// See [`LoaderTypes::addend_field`].
fn addend_field(r_type: u32) -> Option<(u64, usize)> {
    match r_type {
        R_X86_64_NONE | R_X86_64_COPY => None,
        // The second word is the resolver's argument.
        R_X86_64_TLSDESC => Some((8, 8)),
        R_X86_64_32 | R_X86_64_SIZE32 => Some((0, 4)),
        _ => Some((0, 8)),
    }
}
