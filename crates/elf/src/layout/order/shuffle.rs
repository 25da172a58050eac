//! `--shuffle-sections` and `--reverse-sections`: another order of input sections, to find programs
//! that depend on the usual one, and to measure without the luck of one layout.

use super::Inputs;
use crate::args::{Shuffle, ShuffleRule};
use crate::read::object_file::SectionFlags;
use crate::resolve::definitions::SectionId;
use crate::script::section_names::{OutputId, known};
use skald_linking::glob::Glob;
use skald_linking::sequence::Sequence;

/// Rearranges the inputs of an output section that each rule covers; the others stay where they
/// are.
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
            Shuffle::Seed(seed) => Sequence(seed).permute(&mut chosen),
            Shuffle::Random => Sequence::random().permute(&mut chosen),
            Shuffle::Reverse => chosen.reverse(),
        }
        for (&at, id) in places.iter().zip(chosen) {
            sections[at] = id;
        }
    }
}

/// Positions in `sections` that a rule covers. A rule with a pattern covers all matches, even
/// constructors, whose priorities are restored later: lld shuffles these to find programs that
/// depend on the order of files. A rule without a pattern covers sections whose order is not
/// specified, as in mold, where only reversing affects constructors. No rule covers parts of a
/// function that runs through all files.
fn covered(
    rule: &ShuffleRule,
    out: OutputId,
    sections: &[SectionId],
    inputs: Inputs<'_>,
) -> Vec<usize> {
    // A script may put these into any output section, together with others.
    let is_run_through = |at: &usize| matches!(inputs.name(sections[*at]), b".init" | b".fini");
    let all = (0..sections.len()).filter(|at| !is_run_through(at));
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
