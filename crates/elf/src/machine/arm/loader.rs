//! Relocation types that the dynamic linker is given ("ELF for the Arm Architecture", "Dynamic
//! relocations").

use super::howto::*;
use crate::machine::loader::{LoaderTypes, ThreadOffset};

/// The numbers of the ABI.
pub static TYPES: LoaderTypes = LoaderTypes {
    word: R_ARM_ABS32,
    got_address: None,
    same_words: &[R_ARM_TARGET1, R_ARM_ABS32_NOI],
    other_word: None,
    signed: None,
    relative: R_ARM_RELATIVE,
    irelative: R_ARM_IRELATIVE,
    glob_dat: R_ARM_GLOB_DAT,
    jump_slot: R_ARM_JUMP_SLOT,
    copy: R_ARM_COPY,
    module: R_ARM_TLS_DTPMOD32,
    module_offset: R_ARM_TLS_DTPOFF32,
    thread_offset: R_ARM_TLS_TPOFF32,
    negative_thread_offset: None,
    thread_offset_words: &[(
        R_ARM_TLS_LE32,
        ThreadOffset { r_type: R_ARM_TLS_TPOFF32, is_negative: false },
    )],
    thread_offset_place: None,
    descriptor: Some(R_ARM_TLS_DESC),
    addend_field,
    plt_tags: None,
};

/// See [`LoaderTypes::addend_field`].
fn addend_field(r_type: u32) -> Option<(u64, usize)> {
    match r_type {
        R_ARM_NONE | R_ARM_COPY => None,
        // The first word of a descriptor is the argument too.
        _ => Some((0, 4)),
    }
}
