//! `--randomize-section-padding`: gaps of random size, so that a measurement repeated with several
//! seeds separates the effect of a change from that of the layout.
//!
//! As in lld, one of 16 input sections gets a gap of its alignment, and the first of a segment one
//! of up to a page. Sections whose content is read as one array get no gaps.

use crate::layout::output_sections::OutputSection;
use crate::layout::{OutputSections, Segment};
use object::elf::PT_LOAD;
use skald_core::unordered::UnorderedMap;
use skald_linking::sequence::Sequence;

/// One of this many sections gets a gap.
const ONE_IN: u64 = 16;

/// Sections and inputs before which there are gaps, by seed.
#[derive(Debug)]
pub struct Padding {
    seed: u64,
    /// Bytes before the first input, by position of the output section.
    starts: UnorderedMap<usize, u64>,
}

impl Padding {
    /// Gaps for sorted `outputs`; `page` is the size of the largest page.
    pub fn new(seed: u64, page: u64, outputs: &OutputSections, segments: &[Segment]) -> Padding {
        let mut sequence = Sequence(seed);
        let loads = segments.iter().filter(|segment| segment.p_type == PT_LOAD);
        let firsts = loads
            .filter_map(|load| load.sections.clone().find(|&at| is_padded(&outputs.sections[at])));
        let starts = firsts.map(|at| (at, sequence.below(page))).collect();
        Padding { seed, starts }
    }

    /// The gaps of the output section at `position`.
    pub fn of(&self, position: usize, output: &OutputSection) -> Gaps {
        let sequence = is_padded(output).then(|| {
            // Sections are placed in parallel, so each has random numbers of its own.
            let seed = output.name.iter().fold(self.seed, |seed, &byte| {
                (seed ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
            });
            Sequence(seed)
        });
        Gaps { start: self.starts.get(&position).copied().unwrap_or(0), sequence }
    }
}

/// The gaps of one output section.
#[derive(Debug)]
pub struct Gaps {
    /// Bytes before the first input.
    pub start: u64,
    sequence: Option<Sequence>,
}

impl Gaps {
    /// Bytes before the next input, whose alignment is `align`.
    #[cold]
    pub fn before(&mut self, align: u64) -> u64 {
        let hit = self.sequence.as_mut().is_some_and(|sequence| sequence.below(ONE_IN) == 0);
        if hit { align } else { 0 }
    }
}

fn is_padded(output: &OutputSection) -> bool {
    let names: [&[u8]; 8] = [
        b".bss",
        b".data",
        b".data.rel.ro",
        b".lbss",
        b".ldata",
        b".lrodata",
        b".ltext",
        b".rodata",
    ];
    names.contains(&output.name.as_slice()) || output.name.starts_with(b".text")
}
