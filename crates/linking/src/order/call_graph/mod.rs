//! Orders in which sections that call each other are close together, so that fewer pages and cache
//! lines are used.
//!
//! There are two algorithms over [`Calls`]: [`chains`] follows each function's most frequent
//! caller, [`cache_directed`] weighs distances and densities. Both begin with a chain for each
//! section and join chains. Both put the densest chains first, that is those with the most calls
//! per byte of code.

pub mod cache_directed;
pub mod chains;

use crate::ids::SectionId;
use skald_core::unordered::UnorderedMap;

/// Calls between sections of one output section, in the order of first mention.
#[derive(Debug, Default)]
pub struct Calls {
    calls: Vec<Call>,
    position: UnorderedMap<(SectionId, SectionId), usize>,
}

/// A section calls another one, or itself, with a count.
#[derive(Debug, Clone, Copy)]
struct Call {
    from: SectionId,
    to: SectionId,
    count: u64,
}

impl Calls {
    /// Adds to the count of calls between two sections.
    pub fn add(&mut self, from: SectionId, to: SectionId, count: u64) {
        let Calls { calls, position } = self;
        let at = *position.entry((from, to)).or_insert_with(|| {
            calls.push(Call { from, to, count: 0 });
            calls.len() - 1
        });
        calls[at].count = calls[at].count.saturating_add(count);
    }
}

/// The sections in calls, numbered by first mention.
#[derive(Debug, Default)]
struct Nodes {
    sections: Vec<SectionId>,
    numbers: UnorderedMap<SectionId, usize>,
}

impl Nodes {
    fn number(&mut self, section: SectionId) -> usize {
        *self.numbers.entry(section).or_insert_with(|| {
            self.sections.push(section);
            self.sections.len() - 1
        })
    }
}
