//! Relocation types that the dynamic linker is given (x86-64 psABI, "Dynamic Linking"), by what they
//! are for.

use object::elf::*;

/// S + A, the symbol's being found at load time; also the input's type for such a word.
pub const WORD: u32 = R_X86_64_64;
/// B + A.
pub const RELATIVE: u32 = R_X86_64_RELATIVE;
/// What the resolver at B + A returns.
pub const IRELATIVE: u32 = R_X86_64_IRELATIVE;
/// S, in a word of `.got`.
pub const GLOB_DAT: u32 = R_X86_64_GLOB_DAT;
/// S, in a word of `.got.plt` that may be bound late.
pub const JUMP_SLOT: u32 = R_X86_64_JUMP_SLOT;
/// The content of a library's variable.
pub const COPY: u32 = R_X86_64_COPY;
/// TLS: the module's number.
pub const MODULE: u32 = R_X86_64_DTPMOD64;
/// TLS: the offset in the module's block.
pub const MODULE_OFFSET: u32 = R_X86_64_DTPOFF64;
/// TLS: the offset from the thread pointer; also the input's type for such a word.
pub const THREAD_OFFSET: u32 = R_X86_64_TPOFF64;
/// TLS: both words of a descriptor.
pub const DESCRIPTOR: u32 = R_X86_64_TLSDESC;
