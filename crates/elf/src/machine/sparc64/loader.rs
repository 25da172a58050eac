//! Relocation types that the dynamic linker is given (SPARC Compliance Definition 2.4,
//! "Relocation").

use crate::machine::loader::{LoaderTypes, OtherWord};
use object::elf::*;

/// The numbers for words of 64 bits.
pub static TYPES: LoaderTypes = LoaderTypes {
    word: R_SPARC_64,
    same_words: &[],
    // A word at any address, to which the loader adds the base address as to any other.
    other_word: Some(OtherWord { r_type: R_SPARC_UA64, relative: R_SPARC_UA64 }),
    signed: None,
    relative: R_SPARC_RELATIVE,
    irelative: R_SPARC_IRELATIVE,
    glob_dat: R_SPARC_GLOB_DAT,
    jump_slot: R_SPARC_JMP_SLOT,
    copy: R_SPARC_COPY,
    got_address: None,
    module: R_SPARC_TLS_DTPMOD64,
    module_offset: R_SPARC_TLS_DTPOFF64,
    thread_offset: R_SPARC_TLS_TPOFF64,
    negative_thread_offset: None,
    thread_offset_words: &[],
    thread_offset_place: None,
    descriptor: None,
    addend_field: |r_type| match r_type {
        R_SPARC_NONE | R_SPARC_COPY | R_SPARC_JMP_SLOT => None,
        _ => Some((0, 8)),
    },
    plt_tags: None,
};
