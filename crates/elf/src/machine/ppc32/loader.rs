//! Relocation types that the dynamic linker is given ("Power Architecture 32-bit Application Binary
//! Interface Supplement", "Dynamic Linking").

use super::howto::types;
use crate::machine::loader::{LoaderTypes, ThreadOffset};

/// The numbers of the psABI.
pub static TYPES: LoaderTypes = LoaderTypes {
    word: types::ADDR32,
    same_words: &[types::UADDR32],
    other_word: None,
    signed: None,
    relative: types::RELATIVE,
    irelative: types::IRELATIVE,
    glob_dat: types::GLOB_DAT,
    jump_slot: types::JMP_SLOT,
    copy: types::COPY,
    got_address: None,
    module: types::DTPMOD32,
    module_offset: types::DTPREL32,
    thread_offset: types::TPREL32,
    negative_thread_offset: None,
    thread_offset_words: &[(
        types::TPREL32,
        ThreadOffset { r_type: types::TPREL32, is_negative: false },
    )],
    thread_offset_place: None,
    descriptor: None,
    addend_field: |r_type| match r_type {
        0 | types::COPY => None,
        _ => Some((0, 4)),
    },
    plt_tags: None,
};
