//! Landing pads of indirect branches (Intel CET): `endbr64` at the start of functions.

use crate::loops::code::LandingPads;
use crate::machine::type_set::TypeSet;
use crate::machine::x86_64::howto::R_X86_64_PLT32_BND;
use object::elf::{R_X86_64_NONE, R_X86_64_PC32, R_X86_64_PC64, R_X86_64_PLT32};

/// The encoding of `endbr64`.
pub const ENDBR64: [u8; 4] = [0xf3, 0x0f, 0x1e, 0xfa];

/// `endbr64` as the landing pad of indirect branches.
pub const LANDING_PADS: LandingPads = LandingPads {
    code: &ENDBR64,
    // `nopl 0(%rax)`.
    nop: &[0x0f, 0x1f, 0x40, 0x00],
    branches: TypeSet::of(&[R_X86_64_NONE, R_X86_64_PLT32, R_X86_64_PLT32_BND]),
    distances: TypeSet::of(&[R_X86_64_PC32, R_X86_64_PC64]),
    // The size of the field itself and of an immediate behind it.
    farthest: 8,
};
