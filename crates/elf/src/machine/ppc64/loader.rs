//! Relocation types that the dynamic linker is given ("64-Bit ELF V2 ABI Specification", "Dynamic
//! Relocations").

use super::howto::types;
use crate::machine::loader::{LoaderTypes, ThreadOffset};

/// The numbers of the psABI. A word of `.got` gets the type of any other word.
pub static TYPES: LoaderTypes = LoaderTypes {
    word: types::ADDR64,
    same_words: &[],
    other_word: None,
    signed: None,
    relative: types::RELATIVE,
    irelative: types::IRELATIVE,
    glob_dat: types::GLOB_DAT,
    jump_slot: types::JMP_SLOT,
    copy: types::COPY,
    got_address: Some(types::TOC),
    module: types::DTPMOD64,
    module_offset: types::DTPREL64,
    thread_offset: types::TPREL64,
    negative_thread_offset: None,
    thread_offset_words: &[(
        types::TPREL64,
        ThreadOffset { r_type: types::TPREL64, is_negative: false },
    )],
    thread_offset_place: None,
    descriptor: None,
    addend_field: |r_type| match r_type {
        0 | types::COPY => None,
        _ => Some((0, 8)),
    },
    plt_tags: None,
};
