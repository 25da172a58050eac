//! Relocation types that the dynamic linker is given (x86-64 psABI, "Dynamic Linking"), by what they
//! are for.

use object::elf::*;

/// DT_X86_64_PLT: address of `.plt`, for tools and loaders that rewrite it (`-z mark-plt`).
pub const DT_PLT: u32 = 0x7000_0000;
/// DT_X86_64_PLTSZ: its bytes.
pub const DT_PLT_SIZE: u32 = 0x7000_0001;
/// DT_X86_64_PLTENT: bytes of an entry.
pub const DT_PLT_ENTRY: u32 = 0x7000_0003;

/// S + A, the symbol's being found at load time; also the input's type for such a word.
pub const WORD: u32 = R_X86_64_64;
/// The same in 32 bits; without a symbol B + A.
pub const NARROW_WORD: u32 = R_X86_64_32;
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

/// Where a relocation's addend is if the relocation does not hold it: offset from the place, and
/// bytes.
pub const fn addend_field(r_type: u32) -> Option<(u64, usize)> {
    match r_type {
        R_X86_64_NONE | R_X86_64_COPY => None,
        // The second word is the resolver's argument.
        R_X86_64_TLSDESC => Some((8, 8)),
        R_X86_64_32 | R_X86_64_SIZE32 => Some((0, 4)),
        _ => Some((0, 8)),
    }
}
