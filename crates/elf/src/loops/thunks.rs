//! Thunks: code through which a branch reaches a distant target, or code of another kind.
//!
//! A machine defines which relocations are branches that may go through a thunk, the reach of each,
//! and the kind of thunk for its target. `layout/islands` places thunks, and `rewrite/thunks` finds
//! which are needed.

use crate::format::elf::Rela;
use crate::layout::islands::{Island, Thunk, ThunkKind};
use crate::layout::output_sections::Content;
use crate::synth::image::Image;
use skald_core::ids::IndexRange;

/// The reach of a branch. The distance counts from `origin` bytes behind the start of its field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reach {
    /// Bytes before the origin.
    pub backward: u64,
    /// Bytes behind it.
    pub forward: u64,
    /// Distance from the start of the field to the origin, in bytes.
    pub origin: u64,
}

impl Reach {
    /// The reach of a signed field of this many bits, counting the low bits that are not stored
    /// because they are zero.
    pub const fn signed(bits: u32, origin: u64) -> Reach {
        Reach { backward: 1 << (bits - 1), forward: (1 << (bits - 1)) - 1, origin }
    }

    /// Whether a branch whose field is at `place` reaches `destination`.
    pub const fn covers(self, place: u64, destination: u64) -> bool {
        let distance = destination.wrapping_sub(place.wrapping_add(self.origin)) as i64;
        if distance < 0 {
            distance.unsigned_abs() <= self.backward
        } else {
            distance as u64 <= self.forward
        }
    }

    /// Distance from one island to the next, such that all code between has one in reach.
    const fn spacing(self) -> u64 {
        let least = if self.backward < self.forward { self.backward } else { self.forward };
        least.div_ceil(2)
    }
}

/// The thunks of a machine.
pub struct Thunks {
    /// Sizes and alignments; [`Thunk::kind`] is an index.
    pub kinds: &'static [ThunkKind],
    /// Code that spans fewer bytes needs no thunks. 0 if thunks are not only for distance.
    pub span: u64,
    /// The reaches of branches that may go through thunks.
    pub reaches: &'static [&'static Reach],
    /// The reach of a relocation's branch; `None` if it is not a branch that may go through a
    /// thunk.
    pub reach_of: fn(&[u8], &Rela) -> Option<&'static Reach>,
    /// The kind of thunk for a relocation's branch to its destination.
    pub kind_of: fn(&Image<'_>, &Rela, u64) -> u8,
    /// Writes a thunk at an address.
    pub write: fn(&Image<'_>, Thunk, u64, &mut [u8]),
}

/// A branch that may go through a thunk.
#[derive(Clone, Copy)]
pub struct Branch {
    /// Its relocation.
    pub reloc: Rela,
    /// Address of the field.
    pub place: u64,
    /// Its reach.
    pub reach: &'static Reach,
}

impl Thunks {
    /// Distance in bytes from one island to the next, in an output section of code.
    pub fn spacing(&self) -> u64 {
        self.reaches.iter().map(|reach| reach.spacing()).min().unwrap_or(u64::MAX)
    }

    /// Alignment of islands, in bytes.
    pub fn align(&self) -> u64 {
        self.kinds.iter().map(|kind| kind.align).max().unwrap_or(1)
    }

    /// The thunk through which a branch goes to `destination`.
    pub fn thunk_for(&self, image: &Image<'_>, branch: Branch, destination: u64) -> Thunk {
        Thunk { kind: (self.kind_of)(image, &branch.reloc, destination), destination }
    }

    /// Address of the thunk through which a branch in the output section at `position` goes to
    /// `destination`, if one is in reach.
    pub fn find(
        &self,
        image: &Image<'_>,
        position: usize,
        branch: Branch,
        destination: u64,
    ) -> Option<u64> {
        let output = image.outputs.sections.get(position)?;
        let Content::Inputs { islands, .. } = &output.content else { return None };
        let thunk = self.thunk_for(image, branch, destination);
        islands.iter().find_map(|island| {
            let address = output.address + island.place_of(self.kinds, thunk)?;
            branch.reach.covers(branch.place, address).then_some(address)
        })
    }

    /// Writes an island at `address`.
    pub fn write_island(&self, image: &Image<'_>, island: &Island, address: u64, out: &mut [u8]) {
        image.machine.trap.fill(out, true);
        for (offset, thunk) in island.places(self.kinds) {
            let place = offset..offset + self.kinds[usize::from(thunk.kind)].size;
            (self.write)(image, thunk, address + offset, &mut out[place.wide()]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reaches_count_from_their_origin() {
        let reach = Reach::signed(32, 4);
        assert_eq!(reach.spacing(), 1 << 30);
        let place = 0x1_0000_0000;
        assert!(reach.covers(place, place + 4 + 0x7fff_ffff));
        assert!(!reach.covers(place, place + 4 + 0x8000_0000));
        assert!(reach.covers(place, place + 4 - 0x8000_0000));
        assert!(!reach.covers(place, place + 3 - 0x8000_0000));
    }
}
