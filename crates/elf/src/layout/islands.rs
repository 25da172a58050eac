//! Islands: places between the input sections of code where thunks can stand.
//!
//! Code that is farther from what it calls than a call reaches goes through a thunk that is near.
//! Every output section of code has an island at its end and one after each GiB before, so that one
//! is always in reach; they take room only once it is known what does not reach. Alignment leaves
//! gaps, so that distances are those of addresses and not sums of sizes.

use crate::read::object_file::{InputSection, SectionFlags};
use crate::resolve::definitions::{SectionId, Sections};

/// Bytes of the output from one island to the next.
const SPACING: u64 = 1 << 30;

/// One island.
#[derive(Debug, Clone, Default)]
pub struct Island {
    /// Index of the input section that the island stands before; the number of inputs if it is
    /// last.
    pub before: usize,
    /// Offset of the island in the output section.
    pub offset: u64,
    /// Alignment of the offset, in bytes.
    pub align: u64,
    /// Bytes kept free for thunks; 0 until a call is known not to reach.
    pub room: u64,
    /// Addresses that the island's thunks jump to, ascending.
    pub destinations: Vec<u64>,
}

/// The islands of an output section that consists of `sections`, which stand at `address`; all
/// without room, at multiples of `align`. None stands where code falls through from one input into
/// the next.
pub fn plan(
    sections: &[SectionId],
    records: &Sections,
    align: u64,
    address: impl Fn(SectionId) -> u64,
) -> Vec<Island> {
    let mut islands = Vec::new();
    let mut start = sections.first().map_or(0, |&id| address(id));
    // End of the input before, which is where an island would stand.
    let mut end = start;
    let mut falls_through = false;
    for (before, &id) in sections.iter().enumerate() {
        let InputSection { size, flags, .. } = records[id];
        let own_end = address(id).saturating_add(size);
        let is_far = end != start && own_end - start > SPACING;
        let can_stand =
            !std::mem::replace(&mut falls_through, flags.has(SectionFlags::FALLS_THROUGH));
        if is_far && can_stand {
            islands.push(Island { before, align, ..Island::default() });
            start = end;
        }
        end = own_end;
    }
    islands.push(Island { before: sections.len(), align, ..Island::default() });
    islands
}

#[cfg(test)]
mod tests {
    use super::*;
    use skald_core::ids::Column;
    use zerocopy::FromZeros;

    #[test]
    fn an_island_stands_after_each_gibibyte_and_at_the_end() {
        let sizes = [SPACING / 2, SPACING / 2, 1, 2 * SPACING, 5];
        let records: Column<SectionId, InputSection> =
            sizes.iter().map(|&size| InputSection { size, ..InputSection::new_zeroed() }).collect();
        let mut ends = sizes.iter().scan(0, |end, size| Some(std::mem::replace(end, *end + size)));
        let starts: Column<SectionId, u64> = ends.by_ref().collect();
        let ids: Vec<SectionId> = records.ids().collect();
        let islands = plan(&ids, &records, 16, |id| starts[id]);
        let before: Vec<usize> = islands.iter().map(|island| island.before).collect();
        assert_eq!(before, [2, 3, 4, 5]);
    }

    #[test]
    fn gaps_count() {
        let record = InputSection { size: 1, ..InputSection::new_zeroed() };
        let records = Column::filled(record, 3);
        let ids: Vec<SectionId> = records.ids().collect();
        let islands = plan(&ids, &records, 16, |id| u64::from(id) * SPACING);
        let before: Vec<usize> = islands.iter().map(|island| island.before).collect();
        assert_eq!(before, [1, 2, 3]);
    }
}
