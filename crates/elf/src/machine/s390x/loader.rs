//! Relocation types that the dynamic linker is given (s390x psABI, "Relocation").

use crate::machine::loader::{LoaderTypes, ThreadOffset};
use object::elf::*;

/// The numbers of the psABI.
pub static TYPES: LoaderTypes = LoaderTypes {
    word: R_390_64,
    same_words: &[],
    other_word: None,
    signed: None,
    relative: R_390_RELATIVE,
    irelative: R_390_IRELATIVE,
    glob_dat: R_390_GLOB_DAT,
    jump_slot: R_390_JMP_SLOT,
    copy: R_390_COPY,
    got_address: None,
    module: R_390_TLS_DTPMOD,
    module_offset: R_390_TLS_DTPOFF,
    thread_offset: R_390_TLS_TPOFF,
    negative_thread_offset: None,
    thread_offset_words: &[(
        R_390_TLS_LE64,
        ThreadOffset { r_type: R_390_TLS_TPOFF, is_negative: false },
    )],
    thread_offset_place: Some(R_390_TLS_IE64),
    descriptor: None,
    addend_field: |r_type| match r_type {
        R_390_NONE | R_390_COPY => None,
        _ => Some((0, 8)),
    },
    plt_tags: None,
};
