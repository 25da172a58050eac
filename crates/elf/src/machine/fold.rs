//! The parts of a relocation that must be equal for two sections to be folded, by relocation type.

use super::type_set::TypeSet;

/// The values from which the field of a relocation is computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dependence {
    /// S + A and the place: how the sum is divided between S and A does not matter.
    Sum,
    /// S and A separately: S is in a slot of the GOT, or an offset in a TLS block.
    Parts,
    /// The symbol's size, which may differ between symbols at the same address.
    Size,
    /// Nothing: the relocation is a mark of code.
    Nothing,
}

/// How the relocation types of one machine are compared by `--icf`.
pub struct FoldTypes {
    /// Types of [`Dependence::Sum`].
    pub sums: TypeSet,
    /// Types of [`Dependence::Size`].
    pub sizes: TypeSet,
    /// Types of [`Dependence::Nothing`], whose symbols and addends mean nothing.
    pub marks: TypeSet,
    /// Types that only transfer control to a function, and do not take its address.
    pub calls: TypeSet,
    /// Types that do so in code, though elsewhere they may take its address.
    pub calls_in_code: TypeSet,
    /// Whether the instruction with a field, by the field's offset in the code, is a call: for
    /// types of [`Self::calls_in_code`], if other instructions have them too.
    pub is_call_at: Option<fn(&[u8], usize) -> bool>,
}

impl FoldTypes {
    /// The values on which the field of a relocation of type `r_type` depends.
    #[inline(always)]
    pub fn dependence(&self, r_type: u32) -> Dependence {
        if self.sums.has(r_type) {
            Dependence::Sum
        } else if self.sizes.has(r_type) {
            Dependence::Size
        } else if self.marks.has(r_type) {
            Dependence::Nothing
        } else {
            Dependence::Parts
        }
    }
}
