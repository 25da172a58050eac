//! Islands: places between the input sections of code where thunks can stand.
//!
//! A call whose target is out of reach goes through a thunk that is near. Every output section of
//! code has an island at its end and others before it, spaced by the reach of the shortest branch
//! that thunks serve. An island takes room only once a branch is known to need it. Alignment leaves
//! gaps, so distances are computed from addresses and not from sums of sizes.

use super::deletions::Deletions;
use crate::read::object_file::{InputSection, SectionFlags};
use crate::resolve::definitions::{SectionId, Sections};

/// The size of a kind of thunks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ThunkKind {
    /// Bytes of a thunk; a multiple of `align`.
    pub size: u64,
    /// Alignment, in bytes.
    pub align: u64,
}

/// One thunk. Thunks of an island are sorted, so that those of one kind stand together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Thunk {
    /// Index among the machine's kinds.
    pub kind: u8,
    /// The address that it jumps to.
    pub destination: u64,
}

/// An island: a place where thunks may stand.
#[derive(Debug, Clone, Default)]
pub struct Island {
    /// Index of the input section that the island stands before; the number of inputs if it is
    /// last.
    pub before: usize,
    /// Offset of the island in the output section.
    pub offset: u64,
    /// Alignment of the offset, in bytes.
    pub align: u64,
    /// Bytes reserved for thunks; 0 until a branch is known not to reach.
    pub room: u64,
    /// The island's thunks, ascending.
    pub thunks: Vec<Thunk>,
}

impl Island {
    /// The thunks, each with its offset in the island.
    pub fn places<'a>(&'a self, kinds: &'a [ThunkKind]) -> impl Iterator<Item = (u64, Thunk)> + 'a {
        self.thunks.iter().scan(0u64, |end, &thunk| {
            let ThunkKind { size, align } = kinds[usize::from(thunk.kind)];
            let start = end.next_multiple_of(align);
            *end = start + size;
            Some((start, thunk))
        })
    }

    /// Bytes that the thunks take.
    pub fn needed(&self, kinds: &[ThunkKind]) -> u64 {
        let last = self.places(kinds).last();
        last.map_or(0, |(start, thunk)| start + kinds[usize::from(thunk.kind)].size)
    }

    /// Offset of a thunk in the output section; `None` if it is not one of the island, or has no
    /// room.
    pub fn place_of(&self, kinds: &[ThunkKind], thunk: Thunk) -> Option<u64> {
        let index = self.thunks.binary_search(&thunk).ok()?;
        let first_of = |kind: u8| self.thunks.partition_point(|thunk| thunk.kind < kind);
        let mut start = 0u64;
        for (number, kind) in (0..thunk.kind).zip(kinds) {
            let count = (first_of(number + 1) - first_of(number)) as u64;
            if count != 0 {
                start = start.next_multiple_of(kind.align) + count * kind.size;
            }
        }
        let ThunkKind { size, align } = kinds[usize::from(thunk.kind)];
        let own = (index - first_of(thunk.kind)) as u64;
        let start = start.next_multiple_of(align) + own * size;
        (start + size <= self.room).then_some(self.offset + start)
    }
}

/// The islands of an output section that consists of `sections`, which stand at `address`: one at
/// the end, and one after each `spacing` bytes before; all without room, at multiples of `align`.
/// There is none where code falls through from one input into the next.
pub fn plan(
    sections: &[SectionId],
    records: &Sections,
    deletions: &Deletions,
    spacing: u64,
    align: u64,
    address: impl Fn(SectionId) -> u64,
) -> Vec<Island> {
    let mut islands = Vec::new();
    let mut start = sections.first().map_or(0, |&id| address(id));
    // End of the input before: the place of a possible island.
    let mut end = start;
    let mut falls_through = false;
    for (before, &id) in sections.iter().enumerate() {
        let InputSection { size, flags, .. } = records[id];
        let own_end = address(id).saturating_add(deletions.size(id, size));
        let is_far = end != start && own_end - start > spacing;
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

    const SPACING: u64 = 1 << 30;

    #[test]
    fn an_island_stands_after_each_spacing_and_at_the_end() {
        let sizes = [SPACING / 2, SPACING / 2, 1, 2 * SPACING, 5];
        let records: Column<SectionId, InputSection> =
            sizes.iter().map(|&size| InputSection { size, ..InputSection::new_zeroed() }).collect();
        let mut ends = sizes.iter().scan(0, |end, size| Some(std::mem::replace(end, *end + size)));
        let starts: Column<SectionId, u64> = ends.by_ref().collect();
        let ids: Vec<SectionId> = records.ids().collect();
        let islands = plan(&ids, &records, &Deletions::default(), SPACING, 16, |id| starts[id]);
        let before: Vec<usize> = islands.iter().map(|island| island.before).collect();
        assert_eq!(before, [2, 3, 4, 5]);
    }

    #[test]
    fn gaps_count() {
        let record = InputSection { size: 1, ..InputSection::new_zeroed() };
        let records = Column::filled(record, 3);
        let ids: Vec<SectionId> = records.ids().collect();
        let islands =
            plan(&ids, &records, &Deletions::default(), SPACING, 16, |id| u64::from(id) * SPACING);
        let before: Vec<usize> = islands.iter().map(|island| island.before).collect();
        assert_eq!(before, [1, 2, 3]);
    }

    #[test]
    fn kinds_of_thunks_have_their_own_size_and_alignment() {
        let kinds = [(12, 4), (16, 16), (8, 8)].map(|(size, align)| ThunkKind { size, align });
        let thunk = |(kind, destination): (u8, u64)| Thunk { kind, destination };
        let thunks: Vec<Thunk> = [(0, 5), (0, 9), (0, 10), (2, 1), (2, 7)].map(thunk).to_vec();
        let mut island = Island { offset: 0x100, room: 56, thunks, ..Island::default() };
        let starts: Vec<u64> = island.places(&kinds).map(|(start, _)| start).collect();
        assert_eq!(starts, [0, 12, 24, 40, 48]);
        assert_eq!(island.needed(&kinds), 56);
        for (start, thunk) in island.places(&kinds) {
            assert_eq!(island.place_of(&kinds, thunk), Some(0x100 + start));
        }
        assert_eq!(island.place_of(&kinds, thunk((1, 5))), None);
        island.room = 48;
        assert_eq!(island.place_of(&kinds, thunk((2, 7))), None, "there is no room for it");
    }
}
