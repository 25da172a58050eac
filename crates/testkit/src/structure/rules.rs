//! The differences to both peers that are meant to be, each with its reason.
//!
//! A rule looks at what differs and how it was linked, never at which case it was: it holds for every
//! program. A rule that a run over all cases does not need is an error of the run.

use super::difference::Difference;

/// How the output was made.
#[derive(Debug, Clone, Default)]
pub struct Link {
    /// The command.
    pub command: String,
}

/// A difference that is meant to be.
#[derive(Debug)]
pub struct Rule {
    /// What it is called in the summary.
    pub name: &'static str,
    /// Why it is right.
    pub why: &'static str,
    applies: fn(&Difference, &Link) -> bool,
}

/// All rules.
pub const RULES: &[Rule] = &[];

/// The index of the rule that explains `difference`, if there is one.
pub fn explanation(difference: &Difference, link: &Link) -> Option<usize> {
    RULES.iter().position(|rule| (rule.applies)(difference, link))
}
