//! Which output section an address lies in, for the `st_shndx` of symbols that are known by their
//! address alone. These are bounds of sections, of which programs with many sets have thousands.

use crate::layout::OutputSections;
use crate::layout::output_sections::OutputSection;
use object::elf::{SHF_TLS, SHT_NOBITS};

/// Finds the loaded output section at an address.
#[derive(Debug, Default)]
pub struct AddressIndex {
    /// First address and end of each output section up to the last that is loaded, in output order.
    /// Sections that exist only in a thread's TLS block (`.tbss`) or are not loaded have an empty
    /// range.
    ranges: Vec<(u64, u64)>,
    /// First address, end and position of the sections that exist only in a thread's TLS block.
    of_threads: Vec<(u64, u64, usize)>,
    /// By position: the greatest end of the sections up to it.
    reach: Vec<u64>,
    /// `Some` if addresses do not ascend in output order, as when options place sections.
    by_start: Option<ByStart>,
    /// End and position of each loaded section, ascending.
    ends: Vec<(u64, u32)>,
}

/// Output sections sorted by first address.
#[derive(Debug)]
struct ByStart {
    /// First address, end and position, ascending.
    ranges: Vec<(u64, u64, usize)>,
    /// By index in `ranges`: the greatest end among the ranges up to it.
    reach: Vec<u64>,
}

impl ByStart {
    fn new(ranges: &[(u64, u64)]) -> Self {
        let numbered = ranges.iter().enumerate();
        let mut ranges: Vec<_> =
            numbered.map(|(position, &(start, end))| (start, end, position)).collect();
        ranges.sort();
        let reach = greatest_so_far(ranges.iter().map(|range| range.1));
        ByStart { ranges, reach }
    }

    fn holding(&self, address: u64) -> Option<usize> {
        let behind = self.ranges.partition_point(|range| range.0 <= address);
        let before = self.ranges[..behind].iter().zip(&self.reach).rev();
        // Sections rarely overlap, so as a rule the first step back finds the section.
        let near = before.take_while(|&(_, &reach)| reach > address).map(|(range, _)| range);
        near.filter(|range| range.1 > address).map(|range| range.2).min()
    }
}

fn greatest_so_far(ends: impl Iterator<Item = u64>) -> Vec<u64> {
    let mut greatest = 0;
    let reach = ends.map(|end| {
        greatest = greatest.max(end);
        greatest
    });
    reach.collect()
}

impl AddressIndex {
    /// The index of output sections that have their addresses.
    pub fn new(outputs: &OutputSections) -> AddressIndex {
        // A script may put sections that are not loaded between loaded ones.
        let count = outputs.sections.iter().rposition(OutputSection::is_loaded);
        let sections = &outputs.sections[..count.map_or(0, |last| last + 1)];
        let loaded = || sections.iter().enumerate().filter(|(_, s)| s.is_loaded());
        let is_of_threads =
            |s: &OutputSection| s.sh_type == SHT_NOBITS && s.sh_flags & u64::from(SHF_TLS) != 0;
        let end = |s: &OutputSection| s.address.wrapping_add(s.size);
        let held = |s: &OutputSection| if is_of_threads(s) { s.address } else { end(s) };
        let mut last = 0;
        let range = |s: &OutputSection| {
            if !s.is_loaded() {
                return (last, last);
            }
            last = s.address;
            (s.address, held(s))
        };
        let ranges: Vec<(u64, u64)> = sections.iter().map(range).collect();
        let of_threads = loaded().filter(|(_, s)| is_of_threads(s));
        let of_threads = of_threads.map(|(at, s)| (s.address, end(s), at)).collect();
        let reach = greatest_so_far(ranges.iter().map(|range| range.1));
        let mut ends: Vec<(u64, u32)> =
            loaded().map(|(position, _)| (ranges[position].1, position as u32)).collect();
        ends.sort();
        let is_sorted = ranges.is_sorted_by_key(|range| range.0);
        let by_start = (!is_sorted).then(|| ByStart::new(&ranges));
        AddressIndex { reach, by_start, ranges, ends, of_threads }
    }

    /// Position of the section of the TLS block alone (`.tbss`) that holds `address`, or ends
    /// there.
    pub fn thread_local(&self, address: u64) -> Option<usize> {
        let holds = |&&(start, end, _): &&(u64, u64, usize)| start <= address && address <= end;
        self.of_threads.iter().find(holds).map(|found| found.2)
    }

    /// Position of the first section that holds `address`, or else of the first that ends there.
    pub fn position(&self, address: u64) -> Option<usize> {
        self.holding(address).or_else(|| {
            let at = self.ends.partition_point(|&(end, _)| end < address);
            let &(end, position) = self.ends.get(at)?;
            (end == address).then_some(position as usize)
        })
    }

    /// Position of the section that ends nearest before `address`, or else of the first of all.
    pub fn nearest(&self, address: u64) -> Option<usize> {
        let before = self.ends.partition_point(|&(end, _)| end <= address).checked_sub(1);
        let position = before.map(|at| self.ends[at].1 as usize);
        position.or_else(|| (!self.ranges.is_empty()).then_some(0))
    }

    fn holding(&self, address: u64) -> Option<usize> {
        if let Some(by_start) = &self.by_start {
            return by_start.holding(address);
        }
        let holds = |&(start, end): &(u64, u64)| start <= address && address < end;
        // The first section that ends behind the address; sections after it start no earlier.
        let at = self.reach.partition_point(|&end| end <= address);
        self.ranges.get(at).filter(|range| holds(range)).map(|_| at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn index(ranges: &[(u64, u64)]) -> AddressIndex {
        let section = |&(address, size): &(u64, u64)| {
            let mut outputs = OutputSections::default();
            let header = crate::synth::dynamic_section::header(
                crate::format::encoding::Encoding::NATIVE,
                false,
            );
            outputs.add_synthetic(crate::layout::Synthetic::Dynamic, header, size);
            let mut section = outputs.sections.pop().expect("just added");
            section.address = address;
            section
        };
        let sections = ranges.iter().map(section).collect();
        AddressIndex::new(&OutputSections { sections, ..OutputSections::default() })
    }

    #[test]
    fn finds_what_a_walk_finds() {
        // The second range is like .tbss: sections behind it have the same addresses.
        for ranges in [
            &[(16, 16), (32, 100), (32, 8), (40, 0), (40, 8), (64, 8)][..],
            &[(64, 8), (16, 16), (32, 8)],
            &[],
        ] {
            let index = index(ranges);
            for address in 0..140 {
                let holds =
                    |&(start, size): &(u64, u64)| start <= address && address < start + size;
                let ends = |&(start, size): &(u64, u64)| start + size == address;
                let walked = ranges.iter().position(holds);
                let walked = walked.or_else(|| ranges.iter().position(ends));
                assert_eq!(index.position(address), walked, "{address} of {ranges:?}");
            }
        }
    }
}
