//! What of a relocation must be equal for two sections to be folded into one, by type.

use super::type_set::TypeSet;

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

/// How the relocation types of one machine are compared by `--icf`.
pub struct FoldTypes {
    /// Types of [`Dependence::Sum`].
    pub sums: TypeSet,
    /// Types of [`Dependence::Size`].
    pub sizes: TypeSet,
    /// Types that only let control pass to a function: they do not take its address.
    pub calls: TypeSet,
}

impl FoldTypes {
    /// What the field of a relocation of type `r_type` depends on.
    #[inline(always)]
    pub fn dependence(&self, r_type: u32) -> Dependence {
        if self.sums.has(r_type) {
            Dependence::Sum
        } else if self.sizes.has(r_type) {
            Dependence::Size
        } else {
            Dependence::Parts
        }
    }
}
