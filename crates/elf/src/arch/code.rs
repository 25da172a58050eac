//! What stages ask of machine code: where it branches, and how it is written. Such questions are
//! asked by options that few links have, so that there may be a call for each.

use super::type_set::TypeSet;
use crate::format::elf::Rela;

/// Code that leads a branch farther than it reaches.
pub struct Thunks {
    /// Bytes of one.
    pub size: usize,
    /// Islands of them begin at multiples of this.
    pub align: u64,
    /// Code that spans less is in reach of all of itself.
    pub reach: u64,
    /// Writes an island at an address, with thunks that lead to the destinations in their order.
    pub write: fn(&mut [u8], u64, &[u64]),
    /// Whether the field at an offset of code is that of a branch that a thunk can take over.
    pub is_branch: fn(&[u8], usize) -> bool,
}

/// Branches over a distance that is in their instruction, in a field of four bytes.
pub struct Branches {
    /// Whether a relocation is for the distance of a branch in this code.
    pub is_direct: fn(&[u8], &Rela) -> bool,
    /// Where the distance is of the jump that a branch to an offset of code comes to first, if it
    /// is one.
    pub jump_field: fn(&[u8], usize) -> Option<usize>,
    /// So far behind its field a distance counts from; addends are as much smaller.
    pub origin: u64,
}

/// Landing pads of indirect branches.
pub struct LandingPads {
    /// The instruction.
    pub code: &'static [u8],
    /// One of its size that does nothing.
    pub nop: &'static [u8],
    /// Types of relocations that only branch to their symbol and so take no address.
    pub branches: TypeSet,
    /// Types of distances: they count from the end of their instruction.
    pub distances: TypeSet,
    /// So far before its target the addend of a distance may point.
    pub farthest: u64,
}

/// Jumps at the end of sections: what code runs on into what follows without one.
pub struct LastJumps {
    /// Bytes that a section loses with its last jump.
    pub size: u64,
    /// The relocation of the jump that code ends with, if it is the last.
    pub last_jump: for<'a> fn(&[u8], &'a [Rela]) -> Option<&'a Rela>,
    /// The relocation of the conditional jump before the last jump.
    pub condition_before: for<'a> fn(&[u8], &'a [Rela]) -> Option<&'a Rela>,
    /// Whether a branch may go through a PLT entry, so that the loader never writes its distance.
    pub is_by_plt: fn(&Rela) -> bool,
    /// Code without its last jump.
    pub without_jump: fn(&[u8]) -> &[u8],
    /// The same, the conditional jump before it with the opposite condition.
    pub inverted: fn(&[u8]) -> Vec<u8>,
    /// Whether something in code may go to the last jump alone, past the condition before it.
    pub is_last_jump_reached: fn(&[u8]) -> bool,
}
