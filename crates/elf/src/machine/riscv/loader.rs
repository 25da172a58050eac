//! Relocation types that the dynamic linker is given ("RISC-V ABIs Specification", "Dynamic
//! Linking").

use crate::machine::loader::{LoaderTypes, ThreadOffset};
use object::elf::*;

/// The numbers of the psABI for words of 64 bits. A word of `.got` gets the type of any other word.
pub static TYPES: LoaderTypes = LoaderTypes {
    word: R_RISCV_64,
    same_words: &[],
    other_word: None,
    signed: None,
    relative: R_RISCV_RELATIVE,
    irelative: R_RISCV_IRELATIVE,
    glob_dat: R_RISCV_64,
    jump_slot: R_RISCV_JUMP_SLOT,
    copy: R_RISCV_COPY,
    got_address: None,
    module: R_RISCV_TLS_DTPMOD64,
    module_offset: R_RISCV_TLS_DTPREL64,
    thread_offset: R_RISCV_TLS_TPREL64,
    negative_thread_offset: None,
    thread_offset_words: &[(
        R_RISCV_TLS_TPREL64,
        ThreadOffset { r_type: R_RISCV_TLS_TPREL64, is_negative: false },
    )],
    thread_offset_place: None,
    descriptor: Some(R_RISCV_TLSDESC),
    addend_field: |r_type| addend_field(r_type, 8),
    plt_tags: None,
};

/// The same for words of 32 bits.
pub static TYPES_32: LoaderTypes = LoaderTypes {
    word: R_RISCV_32,
    glob_dat: R_RISCV_32,
    module: R_RISCV_TLS_DTPMOD32,
    module_offset: R_RISCV_TLS_DTPREL32,
    thread_offset: R_RISCV_TLS_TPREL32,
    thread_offset_words: &[(
        R_RISCV_TLS_TPREL32,
        ThreadOffset { r_type: R_RISCV_TLS_TPREL32, is_negative: false },
    )],
    addend_field: |r_type| addend_field(r_type, 4),
    ..TYPES
};

/// See [`LoaderTypes::addend_field`].
fn addend_field(r_type: u32, word: usize) -> Option<(u64, usize)> {
    match r_type {
        R_RISCV_NONE | R_RISCV_COPY => None,
        // The second word is the resolver's argument.
        R_RISCV_TLSDESC => Some((word as u64, word)),
        _ => Some((0, word)),
    }
}
