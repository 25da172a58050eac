//! Landing pads of indirect branches (Intel CET): `endbr64` at the start of functions.

use super::howto::R_X86_64_PLT32_BND;
use object::elf::{R_X86_64_NONE, R_X86_64_PC32, R_X86_64_PC64, R_X86_64_PLT32};

/// `endbr64`.
pub const ENDBR64: [u8; 4] = [0xf3, 0x0f, 0x1e, 0xfa];
/// A nop of the same size: `nopl 0(%rax)`.
pub const NOP: [u8; 4] = [0x0f, 0x1f, 0x40, 0x00];

/// Whether a relocation of this type only branches to its symbol and so takes no address.
pub const fn is_branch(r_type: u32) -> bool {
    matches!(r_type, R_X86_64_NONE | R_X86_64_PLT32 | R_X86_64_PLT32_BND)
}

/// How far before its target an addend of this type may point: a PC-relative field counts from the
/// end of its instruction, behind which there may be an immediate.
pub const fn biases(r_type: u32) -> std::ops::RangeInclusive<u64> {
    match r_type {
        R_X86_64_PC32 | R_X86_64_PC64 => 0..=8,
        _ => 0..=0,
    }
}
