//! `--shuffle-sections` and `--reverse-sections`: another order of input sections, to find programs
//! that depend on the usual one.

use crate::args::Shuffle;
use crate::args::glob::Glob;
use crate::read::ObjectFile;
use crate::resolve::definitions::{Definitions, SectionId};

/// Rearranges those of an output section's inputs that each pattern matches; the others stay where
/// they are.
pub fn rearrange(
    sections: &mut [SectionId],
    definitions: &Definitions,
    objects: &[ObjectFile],
    shuffle: &[(String, Shuffle)],
) {
    for (pattern, how) in shuffle {
        let glob = Glob::new(pattern.as_bytes());
        let matches = |id: SectionId| {
            let section = &definitions.sections[id as usize];
            !section.flags.has(crate::read::SectionFlags::COMMON)
                && glob.matches(objects[section.object as usize].section_name(section.shndx))
        };
        let places: Vec<usize> = (0..sections.len()).filter(|&at| matches(sections[at])).collect();
        let mut chosen: Vec<SectionId> = places.iter().map(|&at| sections[at]).collect();
        match *how {
            Shuffle::Seed(seed) => permute(&mut chosen, seed),
            Shuffle::Random => {
                let drawn = skald_core::hash::HashKey::random().hash(b"shuffle") as u64;
                permute(&mut chosen, drawn);
            }
            Shuffle::Reverse => chosen.reverse(),
        }
        for (&at, id) in places.iter().zip(chosen) {
            sections[at] = id;
        }
    }
}

/// Fisher and Yates, with the numbers of SplitMix64: one seed gives one order everywhere.
fn permute(sections: &mut [SectionId], seed: u64) {
    let mut state = seed;
    for last in (1..sections.len()).rev() {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = state;
        bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^= bits >> 31;
        sections.swap(last, (bits % (last as u64 + 1)) as usize);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_seed_gives_one_permutation() {
        let shuffled = |seed| {
            let mut ids: Vec<SectionId> = (0..100).collect();
            permute(&mut ids, seed);
            ids
        };
        assert_eq!(shuffled(42), shuffled(42));
        assert_ne!(shuffled(42), shuffled(5));
        let mut sorted = shuffled(42);
        sorted.sort_unstable();
        assert_eq!(sorted, (0..100).collect::<Vec<_>>());
    }
}
