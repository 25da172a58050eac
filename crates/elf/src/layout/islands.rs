//! Islands: places between the input sections of code where thunks can stand.
//!
//! A call whose target is out of reach goes through a thunk that is near. Every output section of
//! code has an island at its end and others before it, at a distance that the machine says. An
//! island takes room only once it is known to be needed. Alignment leaves gaps, so distances are
//! computed from addresses and not from sums of sizes.

use super::OutputSections;
use super::deletions::Deletions;
use super::output_sections::Content;
use crate::format::elf::SymbolId;
use crate::read::ObjectId;
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
    /// What a register has where the thunk is called, if the thunk finds its destination from
    /// that; 0 if not.
    pub from: u64,
    /// Position of the output section that the destination is in, if the thunk is of use for that
    /// section alone: others may be at the same address (OVERLAY).
    pub output: Option<u32>,
}

impl Thunk {
    /// A thunk for whatever is at an address.
    pub fn to(kind: u8, destination: u64) -> Thunk {
        Thunk { kind, destination, from: 0, output: None }
    }
}

/// The symbol that a thunk is named after: the first that a branch through it refers to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Origin {
    /// The object with the branch.
    pub object: ObjectId,
    /// The symbol that the branch refers to.
    pub symbol: SymbolId,
}

/// A place in a section that is repaired: an instruction sequence that some processors execute
/// wrongly.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct PatchSite {
    /// The section.
    pub section: SectionId,
    /// Offset in it of the instruction that is replaced.
    pub offset: u64,
    /// Which erratum it is, by the machine's numbers.
    pub erratum: u8,
}

/// Bytes of the code that a repaired instruction goes to: the instruction and a branch back.
pub const PATCH_SIZE: u64 = 8;
/// Alignment of that code.
const PATCH_ALIGN: u64 = 4;

/// An island: a place where thunks may stand, and instructions of repaired sequences.
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
    /// By index in `thunks`: the symbol that gives its name.
    pub origins: Vec<Origin>,
    /// Places whose instruction is moved here, behind the thunks.
    pub patches: Vec<PatchSite>,
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

    /// Bytes that thunks and patches take.
    pub fn needed(&self, kinds: &[ThunkKind]) -> u64 {
        match self.patches.len() as u64 {
            0 => self.thunks_end(kinds),
            count => self.first_patch(kinds) + PATCH_SIZE * count,
        }
    }

    /// The patches, each with the offset of its code in the island.
    pub fn patch_places(&self, kinds: &[ThunkKind]) -> impl Iterator<Item = (u64, PatchSite)> {
        let first = self.first_patch(kinds);
        (0..).zip(&self.patches).map(move |(index, &site)| (first + PATCH_SIZE * index, site))
    }

    fn first_patch(&self, kinds: &[ThunkKind]) -> u64 {
        self.thunks_end(kinds).next_multiple_of(PATCH_ALIGN)
    }

    fn thunks_end(&self, kinds: &[ThunkKind]) -> u64 {
        let last = self.places(kinds).last();
        last.map_or(0, |(start, thunk)| start + kinds[usize::from(thunk.kind)].size)
    }

    /// Empties the island, which keeps its size.
    pub fn clear(&mut self) {
        self.thunks.clear();
        self.origins.clear();
        self.patches.clear();
    }
}

/// Where a thunk is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    /// Position of the output section.
    position: u32,
    thunk: Thunk,
    address: u64,
}

/// All thunks of the output, for branches that look for one.
#[derive(Debug, Default)]
pub struct ThunkIndex(Vec<Place>);

impl ThunkIndex {
    /// The thunks that have room in their islands.
    pub fn new(outputs: &OutputSections, kinds: &[ThunkKind]) -> ThunkIndex {
        let mut places = Vec::new();
        for (position, output) in (0..).zip(&outputs.sections) {
            let Content::Inputs { islands, .. } = &output.content else { continue };
            for island in islands.iter().filter(|island| island.room != 0) {
                let start = output.address.wrapping_add(island.offset);
                let has_room = |&(offset, thunk): &(u64, Thunk)| {
                    offset + kinds[usize::from(thunk.kind)].size <= island.room
                };
                let placed = island.places(kinds).take_while(has_room);
                let place = |(offset, thunk)| Place { position, thunk, address: start + offset };
                places.extend(placed.map(place));
            }
        }
        places.sort();
        ThunkIndex(places)
    }

    /// Addresses of such thunks in the output section at `position`, ascending.
    pub fn places(&self, position: u32, thunk: Thunk) -> impl Iterator<Item = u64> {
        let key = (position, thunk);
        let first = self.0.partition_point(|place| (place.position, place.thunk) < key);
        let same = self.0[first..].iter().take_while(move |p| (p.position, p.thunk) == key);
        same.map(|place| place.address)
    }
}

/// Where islands may stand in an output section.
#[derive(Debug, Clone, Copy)]
pub struct Spacing {
    /// Least distance from one island to the next, in bytes.
    pub distance: u64,
    /// Alignment of islands, in bytes.
    pub align: u64,
    /// Address of the output section.
    pub base: u64,
}

/// The islands of an output section that consists of `sections`: one at the end, one after each
/// [`Spacing::distance`] before, and one at the start if the first input is longer; all without
/// room. There is none where code falls through from one input into the next.
pub fn plan(
    sections: &[SectionId],
    records: &Sections,
    deletions: &Deletions,
    Spacing { distance, align, base }: Spacing,
    address: impl Fn(SectionId) -> u64,
) -> Vec<Island> {
    let island =
        |before, end: u64| Island { before, align, offset: end - base, ..Island::default() };
    let mut islands = Vec::new();
    let mut start = sections.first().map_or(base, |&id| address(id));
    // End of the input before: the place of a possible island.
    let mut end = start;
    let mut falls_through = false;
    for (before, &id) in sections.iter().enumerate() {
        let InputSection { size, flags, .. } = records[id];
        let own_end = address(id).saturating_add(deletions.size(id, size));
        // A thunk may stand before the first input if the next place is far away.
        let is_first = before == 0 && own_end - start > distance;
        let is_far = is_first || end != start && own_end - start > distance;
        let can_stand =
            !std::mem::replace(&mut falls_through, flags.has(SectionFlags::FALLS_THROUGH));
        if is_far && can_stand {
            islands.push(island(before, end));
            start = end;
        }
        end = own_end;
    }
    islands.push(island(sections.len(), end));
    islands
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::OutputSection;
    use crate::script::section_names::OutputId;
    use skald_core::ids::Column;
    use zerocopy::FromZeros;

    const STEP: u64 = 1 << 30;
    const SPACING: Spacing = Spacing { distance: STEP, align: 16, base: 0 };

    #[test]
    fn an_island_stands_after_each_spacing_and_at_the_end() {
        let sizes = [STEP / 2, STEP / 2, 1, 2 * STEP, 5];
        let records: Column<SectionId, InputSection> =
            sizes.iter().map(|&size| InputSection { size, ..InputSection::new_zeroed() }).collect();
        let mut ends = sizes.iter().scan(0, |end, size| Some(std::mem::replace(end, *end + size)));
        let starts: Column<SectionId, u64> = ends.by_ref().collect();
        let ids: Vec<SectionId> = records.ids().collect();
        let islands = plan(&ids, &records, &Deletions::default(), SPACING, |id| starts[id]);
        let before: Vec<usize> = islands.iter().map(|island| island.before).collect();
        assert_eq!(before, [2, 3, 4, 5]);
    }

    #[test]
    fn an_island_stands_before_a_long_first_input() {
        let record = InputSection { size: STEP + 1, ..InputSection::new_zeroed() };
        let records: Column<SectionId, InputSection> = Column::filled(record, 1);
        let ids: Vec<SectionId> = records.ids().collect();
        let islands = plan(&ids, &records, &Deletions::default(), SPACING, |_| 0);
        let before: Vec<usize> = islands.iter().map(|island| island.before).collect();
        assert_eq!(before, [0, 1]);
    }

    #[test]
    fn gaps_count() {
        let record = InputSection { size: 1, ..InputSection::new_zeroed() };
        let records = Column::filled(record, 3);
        let ids: Vec<SectionId> = records.ids().collect();
        let islands =
            plan(&ids, &records, &Deletions::default(), SPACING, |id| u64::from(id) * STEP);
        let before: Vec<usize> = islands.iter().map(|island| island.before).collect();
        assert_eq!(before, [1, 2, 3]);
    }

    #[test]
    fn kinds_of_thunks_have_their_own_size_and_alignment() {
        let kinds = [(12, 4), (16, 16), (8, 8)].map(|(size, align)| ThunkKind { size, align });
        let thunk = |(kind, destination): (u8, u64)| Thunk::to(kind, destination);
        let thunks: Vec<Thunk> = [(0, 5), (0, 9), (0, 10), (2, 1), (2, 7)].map(thunk).to_vec();
        let island = Island { offset: 0x100, room: 56, thunks, ..Island::default() };
        let starts: Vec<u64> = island.places(&kinds).map(|(start, _)| start).collect();
        assert_eq!(starts, [0, 12, 24, 40, 48]);
        assert_eq!(island.needed(&kinds), 56);
        let mut outputs = OutputSections::default();
        let mut text = OutputSection::of_inputs(OutputId::default(), b".text".to_vec(), 1, 6);
        text.address = 0x1000;
        let places: Vec<(u64, Thunk)> = island.places(&kinds).collect();
        let last = thunk((2, 7));
        let Content::Inputs { islands, .. } = &mut text.content else { unreachable!() };
        islands.push(island);
        outputs.sections.push(text);
        let index = ThunkIndex::new(&outputs, &kinds);
        for (start, thunk) in places {
            assert_eq!(index.places(0, thunk).collect::<Vec<_>>(), [0x1100 + start]);
        }
        assert_eq!(index.places(0, thunk((1, 5))).next(), None);
        assert_eq!(index.places(1, last).next(), None, "it is in another output section");
        let Content::Inputs { islands, .. } = &mut outputs.sections[0].content else { return };
        islands[0].room = 48;
        let index = ThunkIndex::new(&outputs, &kinds);
        assert_eq!(index.places(0, last).next(), None, "there is no room for it");
    }
}
