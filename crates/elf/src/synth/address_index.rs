//! Which output section an address lies in, for `st_shndx` of symbols that are known by their
//! address alone: bounds of sections, of which programs with many sets have thousands.

use crate::layout::OutputSections;
use object::elf::SHF_ALLOC;

/// The loaded sections by address.
#[derive(Debug, Default)]
pub struct AddressIndex {
    /// First address and end of each loaded section, in the order of the output.
    ranges: Vec<(u64, u64)>,
    /// By position: the greatest end up to it.
    reach: Vec<u64>,
    /// Starts ascend; with sections put at addresses by option they need not.
    is_sorted: bool,
    /// Ends and positions, ascending.
    ends: Vec<(u64, u32)>,
}

impl AddressIndex {
    /// Of sections that have their addresses.
    pub fn new(outputs: &OutputSections) -> AddressIndex {
        let is_loaded = |sh_flags: u64| sh_flags & u64::from(SHF_ALLOC) != 0;
        let loaded = outputs.sections.iter().take_while(|s| is_loaded(s.sh_flags));
        let ranges: Vec<(u64, u64)> =
            loaded.map(|s| (s.address, s.address.wrapping_add(s.size))).collect();
        let mut greatest = 0;
        let reach = ranges.iter().map(|&(_, end)| {
            greatest = greatest.max(end);
            greatest
        });
        let reach = reach.collect();
        let mut ends: Vec<(u64, u32)> =
            (0..).zip(&ranges).map(|(position, &(_, end))| (end, position)).collect();
        ends.sort();
        AddressIndex { reach, is_sorted: ranges.is_sorted_by_key(|range| range.0), ranges, ends }
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
        let holds = |&(start, end): &(u64, u64)| start <= address && address < end;
        if !self.is_sorted {
            return self.ranges.iter().position(holds);
        }
        // The first that ends behind the address; those behind it start no earlier.
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
            let header = crate::synth::sections::DYNAMIC_HEADER;
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
        // The second is like .tbss, whose addresses those behind it have as well.
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
