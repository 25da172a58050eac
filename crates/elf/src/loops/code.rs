//! What stages ask of machine code: where it branches, and how it is written. Such questions are
//! asked by options that few links have, so that there may be a call for each.

use crate::format::elf::Rela;
use crate::machine::type_set::TypeSet;

/// Branches over a distance that is in their instruction, in a field of four bytes.
pub struct Branches {
    /// Whether a relocation is for the distance of a branch in this code.
    pub is_direct: fn(&[u8], &Rela) -> bool,
    /// Where the distance is of the jump that a branch to an offset of code comes to first, if it
    /// is one.
    pub jump_field: fn(&[u8], usize) -> Option<usize>,
    /// The distance counts from so many bytes behind its field; addends are smaller by as much.
    pub origin: u64,
}

/// Landing pads of indirect branches.
pub struct LandingPads {
    /// The bytes of the instruction.
    pub code: &'static [u8],
    /// An instruction of the same size that does nothing.
    pub nop: &'static [u8],
    /// Relocation types that only branch to their symbol: they take no address.
    pub branches: TypeSet,
    /// Relocation types of distances that count from the end of their instruction.
    pub distances: TypeSet,
    /// The addend of such a distance points at most so many bytes before its target.
    pub farthest: u64,
}

/// Functions compiled with `-fsplit-stack`.
pub struct SplitStack {
    /// How their calls are recognized.
    pub branches: &'static Branches,
    /// The first bytes of such a function, changed to ask for so many bytes more of stack; `None`
    /// if the code does not begin like that.
    pub larger_prologue: fn(&[u8], u32) -> Option<Vec<u8>>,
}
