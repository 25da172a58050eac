//! The differences that are meant: one table, with reasons.

use super::compare::{Difference, VERSION_SECTION};

/// A kind of difference that is no fault.
pub struct Rule {
    /// What differs.
    pub name: &'static str,
    /// Why it does.
    pub reason: &'static str,
    applies: fn(&Difference) -> bool,
}

/// All of them.
pub const RULES: &[Rule] = &[
    Rule {
        name: "padding of code",
        reason: "gaps in code are traps, where GNU ld has instructions that do nothing",
        applies: |d| d.kind == "bytes" && d.attribute == "padding",
    },
    Rule {
        name: "hidden symbols",
        reason: "they are local in the output, as lld's; GNU ld's are global in a program",
        applies: |d| d.attribute == "hidden binding" && (&*d.ours, &*d.theirs) == ("0", "1"),
    },
    Rule {
        name: "empty sections with symbols",
        reason: "they stay, so that their symbols have a section; GNU ld gives these to another",
        applies: |d| d.attribute == "empty" || d.attribute == "empty section",
    },
    Rule {
        name: "order of section headers",
        reason: "it is that of statements and orphans in memory; GNU ld moves some of them",
        applies: |d| d.kind == "section" && d.attribute == "order",
    },
    Rule {
        name: "version of skald",
        reason: "skald says its version in .comment, which no input of these links has",
        applies: |d| d.kind == "section" && d.object == VERSION_SECTION && d.theirs == "nothing",
    },
];

/// The rule that a difference follows.
pub fn find(difference: &Difference) -> Option<usize> {
    RULES.iter().position(|rule| (rule.applies)(difference))
}
