//! Questions of stages about machine code: where it branches, and how it is encoded. Only options
//! that few links have need them, so each answer may cost a call.

use crate::format::elf::Rela;
use crate::machine::type_set::TypeSet;
use crate::synth::image::TurnCode;

/// Direct branches, whose distance is in a field of four bytes.
pub struct Branches {
    /// Whether a relocation is for the distance of a direct branch in this code.
    pub is_direct: fn(&[u8], &Rela) -> bool,
    /// The field of the jump that is the first instruction at an offset of code; `None` if it is
    /// none.
    pub jump_field: fn(&[u8], usize) -> Option<usize>,
    /// Distances count from this many bytes behind the start of the field; addends are smaller by
    /// as much.
    pub origin: u64,
}

/// Landing pads of indirect branches.
pub struct LandingPads {
    /// The bytes of the instruction.
    pub code: &'static [u8],
    /// An instruction of the same size that does nothing.
    pub nop: &'static [u8],
    /// Relocation types that only branch to their symbol, and do not take its address.
    pub branches: TypeSet,
    /// Relocation types of PC-relative distances, which count from the end of the instruction.
    pub distances: TypeSet,
    /// The addend of such a distance is at most this much smaller than the offset of its target.
    pub farthest: u64,
}

/// Code of big-endian programs that is little-endian (`--be8`).
pub struct CodeOrder {
    /// Turns the instructions of an input section around, once its relocations are applied.
    pub turn: TurnCode,
    /// Bits of `e_flags` of such a program.
    pub header_flags: u32,
}

/// Functions compiled with `-fsplit-stack`.
pub struct SplitStack {
    /// How calls in such functions are recognized.
    pub branches: &'static Branches,
    /// The first bytes of such a function, changed to request this many more bytes of stack; `None`
    /// if the code does not begin with the known prologue.
    pub larger_prologue: fn(&[u8], u32) -> Option<Vec<u8>>,
}
