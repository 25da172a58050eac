//! Thunks: code through which a branch reaches a distant target, or code of another kind.
//!
//! A machine defines which relocations are branches that may go through a thunk, the reach of each,
//! and the kind of thunk for its target. `layout/islands` places thunks, and `rewrite/thunks` finds
//! which are needed.

use crate::format::elf::Rela;
use crate::layout::islands::{Island, Thunk, ThunkKind};
use crate::read::ObjectId;
use crate::synth::image::Image;
use crate::synth::patch::{Fault, Patch};
use skald_core::ids::IndexRange;
use std::ops::Range;

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
    pub const fn spacing(self) -> u64 {
        let least = if self.backward < self.forward { self.backward } else { self.forward };
        least.div_ceil(2)
    }

    /// The first and the last address that a branch at `place` reaches.
    pub const fn window(self, place: u64) -> Range<u64> {
        let origin = place.wrapping_add(self.origin);
        origin.saturating_sub(self.backward)..origin.saturating_add(self.forward)
    }

    /// The first and the last place from which a branch reaches `destination`.
    pub const fn places(self, destination: u64) -> Range<u64> {
        let from = destination.saturating_sub(self.origin);
        from.saturating_sub(self.forward)..from.saturating_add(self.backward)
    }
}

/// The thunks of a machine.
pub struct Thunks {
    /// Sizes and alignments; [`Thunk::kind`] is an index.
    pub kinds: &'static [ThunkKind],
    /// Code that spans fewer bytes needs no thunks. 0 if thunks are not only for distance.
    pub span: u64,
    /// Whether code calls functions in sections of data, as firmware does that copies them to other
    /// memory. Their distance counts then, too.
    pub leads_to_data: bool,
    /// Distance from one island to the next, in bytes.
    pub spacing: u64,
    /// Finds the branches of a section that do not reach their destinations.
    pub find: FindFar,
    /// The thunk for a branch to its destination.
    pub thunk_for: ThunkFor,
    /// The thunk near the destination that a thunk leads to, and the reach of its branch, if it
    /// cannot lead to the destination itself. It is in [`Thunk::output`].
    pub second: fn(Thunk) -> Option<(Thunk, &'static Reach)>,
    /// Writes a thunk at an address.
    pub write: fn(&Image<'_>, Thunk, u64, &mut [u8]),
    /// By kind, what mapping symbols mark in a thunk; `None` if the machine has no such symbols.
    pub marks: Option<&'static [CodeMarks]>,
}

/// The mapping symbols of a kind of thunks.
#[derive(Debug, Clone, Copy)]
pub struct CodeMarks {
    /// The name of the symbol for its code.
    pub code: &'static str,
    /// What addresses of functions of such code have as lowest bit.
    pub bit: u64,
    /// Code of another kind in it: its offset, and the name of the symbol.
    pub second: Option<(u64, &'static str)>,
    /// Bytes of data at its end.
    pub data: u64,
}

/// Adds the branches of a section that do not reach to a list. The bytes are room to work in.
pub type FindFar = fn(&Image<'_>, &Patch<'_>, &mut Vec<u8>, &mut Vec<FarBranch>);

/// Finds the thunk in the output section at a position through which a branch goes to its
/// destination.
pub type ThunkFor = fn(&Image<'_>, u32, &Branch, u64) -> Thunk;

/// A branch that does not reach its destination.
#[derive(Clone, Copy)]
pub struct FarBranch {
    /// The branch.
    pub branch: Branch,
    /// The address that it leads to.
    pub destination: u64,
}

/// A branch that may go through a thunk.
#[derive(Clone, Copy)]
pub struct Branch {
    /// The object that it is in.
    pub object: ObjectId,
    /// Its relocation.
    pub reloc: Rela,
    /// Address of the field.
    pub place: u64,
    /// Its reach.
    pub reach: &'static Reach,
}

impl Thunks {
    /// Alignment of islands, in bytes.
    pub fn align(&self) -> u64 {
        self.kinds.iter().map(|kind| kind.align).max().unwrap_or(1)
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
        let thunk = (self.thunk_for)(image, position as u32, &branch, destination);
        let mut places = image.thunks.places(position as u32, thunk);
        let place = places.find(|&address| branch.reach.covers(branch.place, address))?;
        let is_second_missing =
            (self.second)(thunk).is_some() && self.second_of(image, thunk).is_none();
        (!is_second_missing).then_some(place)
    }

    /// Address of the thunk near the destination that `thunk` leads to, if there is one in reach.
    pub fn second_of(&self, image: &Image<'_>, thunk: Thunk) -> Option<u64> {
        let (second, reach) = (self.second)(thunk)?;
        let mut places = image.thunks.places(thunk.output?, second);
        places.find(|&address| reach.covers(address.wrapping_add(reach.origin), thunk.destination))
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

/// Finds branches that do not reach by applying relocations on trial, for machines where only the
/// apply loop knows the value of each. `reach_of` has the reach of a relocation's branch; `None` if
/// it is not a branch that may go through a thunk.
pub fn find_by_trial(
    image: &Image<'_>,
    patch: &Patch<'_>,
    copy: &mut Vec<u8>,
    found: &mut Vec<FarBranch>,
    reach_of: fn(&[u8], &Rela) -> Option<&'static Reach>,
) {
    let mut failures = Vec::new();
    copy.clear();
    copy.extend_from_slice(patch.original);
    (image.apply)(image, patch, copy, &mut failures);
    found.extend(failures.iter().filter_map(|failure| {
        let Fault::OutOfRange(distance) = failure.what else { return None };
        let reloc = *patch.relocs.get(failure.reloc as usize)?;
        let reach = reach_of(patch.original, &reloc)?;
        let place = patch.address.wrapping_add(reloc.r_offset());
        let branch = Branch { object: patch.section.object, reloc, place, reach };
        let origin = place.wrapping_add(reach.origin);
        Some(FarBranch { branch, destination: origin.wrapping_add_signed(distance) })
    }));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reaches_count_from_their_origin() {
        let reach = Reach::signed(32, 4);
        assert_eq!(reach.spacing(), 1 << 30);
        let place = 0x1_0000_0000;
        let window = reach.window(place);
        for (address, is_near) in [(window.start - 1, false), (window.start, true)] {
            assert_eq!(reach.covers(place, address), is_near);
        }
        for (address, is_near) in [(window.end, true), (window.end + 1, false)] {
            assert_eq!(reach.covers(place, address), is_near);
        }
        let places = reach.places(place);
        assert!(reach.covers(places.start, place) && reach.covers(places.end, place));
        assert!(!reach.covers(places.start - 1, place) && !reach.covers(places.end + 1, place));
        assert!(reach.covers(place, place + 4 + 0x7fff_ffff));
        assert!(!reach.covers(place, place + 4 + 0x8000_0000));
        assert!(reach.covers(place, place + 4 - 0x8000_0000));
        assert!(!reach.covers(place, place + 3 - 0x8000_0000));
    }
}
