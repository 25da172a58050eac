//! Landing pads of indirect branches (Intel CET): `endbr32` at the start of functions.

use crate::loops::code::LandingPads;
use crate::machine::type_set::TypeSet;
use object::elf::{R_386_NONE, R_386_PC32, R_386_PLT32};

/// The encoding of `endbr32`.
pub const ENDBR32: [u8; 4] = [0xf3, 0x0f, 0x1e, 0xfb];

/// `endbr32` as the landing pad of indirect branches.
pub const LANDING_PADS: LandingPads = LandingPads {
    code: &ENDBR32,
    // `nopl 0(%eax)`.
    nop: &[0x0f, 0x1f, 0x40, 0x00],
    branches: TypeSet::of(&[R_386_NONE, R_386_PLT32]),
    distances: TypeSet::of(&[R_386_PC32]),
    // The field itself, and an immediate behind it.
    farthest: 8,
};
