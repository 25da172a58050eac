//! `--shuffle-sections` and `--reverse-sections`: another order of input sections, to find programs
//! that depend on the usual one, and to measure without the luck of one layout.

use super::Inputs;
use crate::args::{Shuffle, ShuffleRule};
use crate::read::object_file::SectionFlags;
use crate::read::section_names::{OutputId, known};
use crate::resolve::definitions::SectionId;
use skald_base::glob::Glob;

/// Rearranges those of an output section's inputs that each rule covers; the others stay where
/// they are.
pub fn rearrange(
    rules: &[ShuffleRule],
    out: OutputId,
    sections: &mut [SectionId],
    inputs: Inputs<'_>,
) {
    for rule in rules {
        let places = covered(rule, out, sections, inputs);
        let mut chosen: Vec<SectionId> = places.iter().map(|&at| sections[at]).collect();
        match rule.how {
            Shuffle::Seed(seed) => permute(&mut chosen, &mut Sequence(seed)),
            Shuffle::Random => permute(&mut chosen, &mut Sequence::random()),
            Shuffle::Reverse => chosen.reverse(),
        }
        for (&at, id) in places.iter().zip(chosen) {
            sections[at] = id;
        }
    }
}

/// Places in `sections` of what a rule covers. One with a pattern covers what it matches, even
/// constructors, whose priorities are restored later: lld shuffles them to find programs that
/// depend on the order of files. One without covers what no order is promised of, as in mold,
/// where only reversing reaches constructors.
fn covered(
    rule: &ShuffleRule,
    out: OutputId,
    sections: &[SectionId],
    inputs: Inputs<'_>,
) -> Vec<usize> {
    let all = 0..sections.len();
    match &rule.pattern {
        Some(pattern) => {
            let glob = Glob::new(pattern.as_bytes());
            all.filter(|&at| glob.matches(inputs.name(sections[at]))).collect()
        }
        None if is_kept(out, rule.how) => Vec::new(),
        None => all.filter(|&at| inputs.has(sections[at], SectionFlags::ALLOC)).collect(),
    }
}

fn is_kept(out: OutputId, how: Shuffle) -> bool {
    match out {
        known::PREINIT_ARRAY => true,
        known::INIT_ARRAY | known::FINI_ARRAY | known::CTORS | known::DTORS => {
            how != Shuffle::Reverse
        }
        _ => false,
    }
}

/// Numbers that look random and depend on the seed alone: SplitMix64.
#[derive(Debug, Clone, Copy)]
pub struct Sequence(pub u64);

impl Sequence {
    /// One that differs from link to link.
    fn random() -> Sequence {
        Sequence(skald_core::hash::HashKey::random().hash(b"shuffle") as u64)
    }

    /// The next number below `limit`, which is not 0.
    pub fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^= bits >> 31;
        bits % limit
    }
}

/// Fisher and Yates.
fn permute(sections: &mut [SectionId], sequence: &mut Sequence) {
    for last in (1..sections.len()).rev() {
        sections.swap(last, sequence.below(last as u64 + 1) as usize);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_seed_gives_one_permutation() {
        let shuffled = |seed| {
            let mut ids: Vec<SectionId> = (0..100).map(SectionId::new).collect();
            permute(&mut ids, &mut Sequence(seed));
            ids
        };
        assert_eq!(shuffled(42), shuffled(42));
        assert_ne!(shuffled(42), shuffled(5));
        let mut sorted = shuffled(42);
        sorted.sort_unstable();
        assert_eq!(sorted, (0..100).map(SectionId::new).collect::<Vec<_>>());
    }
}
