//! Relocation types that the dynamic linker is given (i386 psABI, "Dynamic Linking").

use crate::machine::loader::{LoaderTypes, ThreadOffset};
use object::elf::*;

/// The numbers of the psABI.
pub static TYPES: LoaderTypes = LoaderTypes {
    word: R_386_32,
    same_words: &[],
    other_word: None,
    signed: None,
    relative: R_386_RELATIVE,
    irelative: R_386_IRELATIVE,
    glob_dat: R_386_GLOB_DAT,
    jump_slot: R_386_JMP_SLOT,
    copy: R_386_COPY,
    got_address: None,
    module: R_386_TLS_DTPMOD32,
    module_offset: R_386_TLS_DTPOFF32,
    thread_offset: R_386_TLS_TPOFF,
    negative_thread_offset: Some(R_386_TLS_TPOFF32),
    thread_offset_words: &[
        (R_386_TLS_LE, ThreadOffset { r_type: R_386_TLS_TPOFF, is_negative: false }),
        (R_386_TLS_LE_32, ThreadOffset { r_type: R_386_TLS_TPOFF32, is_negative: true }),
    ],
    thread_offset_place: Some(R_386_TLS_IE),
    descriptor: Some(R_386_TLS_DESC),
    addend_field,
    plt_tags: None,
};

/// See [`LoaderTypes::addend_field`].
fn addend_field(r_type: u32) -> Option<(u64, usize)> {
    match r_type {
        R_386_NONE | R_386_COPY => None,
        // The second word is the resolver's argument.
        R_386_TLS_DESC => Some((4, 4)),
        _ => Some((0, 4)),
    }
}
