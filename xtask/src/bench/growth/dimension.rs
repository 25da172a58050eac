//! What can grow in a link.

use crate::corpus::synthetic::input::Input;

/// One dimension: an input whose size is a number.
#[derive(Clone, Copy)]
pub struct Dimension {
    /// What the command line calls it; a variant appends its option.
    pub name: &'static str,
    /// The smaller of the two sizes.
    pub size: u64,
    /// Makes the input of a size.
    pub make: fn(u64, &mut Input),
    /// Options of links that are measured beside the plain one, with the same input.
    pub variants: &'static [&'static str],
    /// What the link comes to.
    pub outcome: Outcome,
}

/// What a link comes to.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// An output.
    Output,
    /// Messages, and a status that says so.
    Failure,
}

/// The larger size is so many times the smaller.
pub const FACTOR: u64 = 10;

/// A link that has an output, without variants.
pub const fn grows(name: &'static str, size: u64, make: fn(u64, &mut Input)) -> Dimension {
    Dimension { name, size, make, variants: &[], outcome: Outcome::Output }
}

impl Dimension {
    /// The same, measured with these options as well.
    pub const fn also(self, variants: &'static [&'static str]) -> Self {
        Self { variants, ..self }
    }

    /// The same, and the link fails.
    pub const fn failing(self) -> Self {
        Self { outcome: Outcome::Failure, ..self }
    }
}
