//! What of a relocation must be equal for two sections to be folded into one, by type.

use super::howto::*;
use object::elf::*;

/// What the field of a relocation is computed from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dependence {
    /// S + A and the place: how the sum is divided does not matter.
    Sum,
    /// S and A apart: S is in a slot of the GOT, or an offset in a block of thread-local storage.
    Parts,
    /// The symbol's size, which other symbols at its address need not have.
    Size,
}

/// Types below 64 for which the sum decides, as bits.
const SUMS: u64 = 1 << R_X86_64_64
    | 1 << R_X86_64_32
    | 1 << R_X86_64_32S
    | 1 << R_X86_64_16
    | 1 << R_X86_64_8
    | 1 << R_X86_64_PC64
    | 1 << R_X86_64_PC32
    | 1 << R_X86_64_PC16
    | 1 << R_X86_64_PC8
    | 1 << R_X86_64_PC32_BND
    | 1 << R_X86_64_PLT32
    | 1 << R_X86_64_PLT32_BND;

/// What the field of a relocation of type `r_type` depends on.
#[inline(always)]
pub fn dependence(r_type: u32) -> Dependence {
    match r_type {
        0..64 if SUMS >> r_type & 1 != 0 => Dependence::Sum,
        R_X86_64_SIZE32 | R_X86_64_SIZE64 => Dependence::Size,
        _ => Dependence::Parts,
    }
}

/// Whether a relocation only lets control pass to a function: its address is compared with none.
#[inline(always)]
pub fn is_call(r_type: u32) -> bool {
    matches!(r_type, R_X86_64_PLT32 | R_X86_64_PLT32_BND | R_X86_64_PLTOFF64 | R_X86_64_NONE)
}
