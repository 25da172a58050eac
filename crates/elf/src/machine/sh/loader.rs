//! Relocation types that the dynamic linker is given. Its tables have addends, other than those of
//! objects.

use crate::machine::loader::{LoaderTypes, ThreadOffset};
use object::elf::*;

/// The numbers of the psABI, which has no type for IFUNC.
pub static TYPES: LoaderTypes = LoaderTypes {
    word: R_SH_DIR32,
    same_words: &[],
    other_word: None,
    signed: None,
    relative: R_SH_RELATIVE,
    irelative: R_SH_NONE,
    glob_dat: R_SH_GLOB_DAT,
    jump_slot: R_SH_JMP_SLOT,
    copy: R_SH_COPY,
    got_address: None,
    module: R_SH_TLS_DTPMOD32,
    module_offset: R_SH_TLS_DTPOFF32,
    thread_offset: R_SH_TLS_TPOFF32,
    negative_thread_offset: None,
    thread_offset_words: &[(
        R_SH_TLS_LE_32,
        ThreadOffset { r_type: R_SH_TLS_TPOFF32, is_negative: false },
    )],
    thread_offset_place: None,
    descriptor: None,
    addend_field: |r_type| (!matches!(r_type, R_SH_NONE | R_SH_COPY)).then_some((0, 4)),
    plt_tags: None,
};
