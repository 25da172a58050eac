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
        name: "empty sections with symbols",
        reason: "they stay, so that their symbols have a section; GNU ld gives these to another",
        applies: |d| d.attribute == "empty" || d.attribute == "empty section",
    },
    Rule {
        name: "sections of assigned symbols",
        reason: "outside of sections and in sections that are left out, GNU ld's choice follows \
                 from the order in which it made sections",
        applies: |d| {
            let is_assigned = d.object.starts_with(['s', 'p', 'h']);
            d.kind == "symbol" && d.attribute == "section" && is_assigned
        },
    },
    Rule {
        name: "types of symbols assigned twice",
        reason: "the last assignment says the type; in GNU ld one that an earlier gave stays",
        applies: |d| {
            let is_assigned = d.object.starts_with(['s', 'p', 'h']);
            let is_of_type = ["type", "binding", "visibility"].contains(&&*d.attribute);
            d.kind == "symbol" && is_of_type && is_assigned
        },
    },
    Rule {
        name: "sizes of sections that do not exist",
        reason: "they are zero, as in lld; GNU ld refuses to ask for them",
        applies: |d| d.kind == "link" && d.theirs.contains("undefined section"),
    },
    Rule {
        name: "size of PT_TLS",
        reason: "it is that of the template; GNU ld counts what alignment adds twice",
        applies: |d| {
            d.kind == "segment" && d.object.ends_with("TLS") && d.attribute == "memory size"
        },
    },
    Rule {
        name: "thread-local sections made apart",
        reason: "they stand together in memory, and GNU ld refuses them because it did not make \
                 them one after another",
        applies: |d| d.kind == "link" && d.theirs.contains("TLS sections are not adjacent"),
    },
    Rule {
        name: "bounds of output sections",
        reason: "__start_ and __stop_ name output sections, as lld has it; GNU ld defines them \
                 for the names of inputs alone",
        applies: |d| {
            let is_bound = d.object.starts_with("__start_") || d.object.starts_with("__stop_");
            d.kind == "symbol" && is_bound && d.theirs == "nothing"
        },
    },
    Rule {
        name: "sizes of other program headers",
        reason: "they hold their sections, which may be in several segments; GNU ld adds up sizes \
                 without the gaps between them",
        applies: |d| {
            let is_other = d.object.contains("0x65041580");
            let reaches_over = d.kind == "lint" && d.attribute == "segment-outside-load";
            d.kind == "segment" && d.attribute.ends_with("size") && is_other
                || reaches_over && d.ours.contains("0x65041580")
        },
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
