//! The dimensions in which a link can grow.

use crate::corpus::synthetic::input::Input;

/// One dimension: an input whose size is a number.
#[derive(Clone, Copy)]
pub struct Dimension {
    /// The name on the command line; a variant appends its option.
    pub name: &'static str,
    /// The smaller of the two sizes.
    pub size: u64,
    /// Makes the input of a size.
    pub make: fn(u64, &mut Input),
    /// Options of links that are measured beside the plain one, with the same input.
    pub variants: &'static [&'static str],
    /// The result of the link.
    pub outcome: Outcome,
}

/// The result of a link.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// An output.
    Output,
    /// Error messages, and a failure status.
    Failure,
}

/// The ratio of the larger size to the smaller one.
pub const FACTOR: u64 = 10;

/// A link that has an output, without variants.
pub const fn grows(name: &'static str, size: u64, make: fn(u64, &mut Input)) -> Dimension {
    Dimension { name, size, make, variants: &[], outcome: Outcome::Output }
}

impl Dimension {
    /// This dimension, measured with these options as well.
    pub const fn also(self, variants: &'static [&'static str]) -> Self {
        Self { variants, ..self }
    }

    /// This dimension, with links that fail.
    pub const fn failing(self) -> Self {
        Self { outcome: Outcome::Failure, ..self }
    }
}
