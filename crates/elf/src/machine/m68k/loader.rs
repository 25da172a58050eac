//! Relocation types that the dynamic linker is given (psABI, "Dynamic Linking").

use crate::machine::loader::LoaderTypes;
use object::elf::*;

/// The numbers of the psABI. It has no type for IFUNC.
pub static TYPES: LoaderTypes = LoaderTypes {
    word: R_68K_32,
    same_words: &[],
    other_word: None,
    signed: None,
    relative: R_68K_RELATIVE,
    irelative: R_68K_NONE,
    glob_dat: R_68K_GLOB_DAT,
    jump_slot: R_68K_JMP_SLOT,
    copy: R_68K_COPY,
    got_address: None,
    module: R_68K_TLS_DTPMOD32,
    module_offset: R_68K_TLS_DTPREL32,
    thread_offset: R_68K_TLS_TPREL32,
    negative_thread_offset: None,
    thread_offset_words: &[],
    thread_offset_place: None,
    descriptor: None,
    addend_field: |r_type| (!matches!(r_type, R_68K_NONE | R_68K_COPY)).then_some((0, 4)),
    plt_tags: None,
};
