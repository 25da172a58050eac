//! Thunks of two kinds: short ones, and for destinations at odd addresses long ones.

use super::types;
use crate::format::elf::Rela;
use crate::layout::islands::{Thunk, ThunkKind};
use crate::loops::thunks::{self, Reach, Thunks};
use crate::synth::image::Image;

/// 1 KiB.
pub static SHORT: Reach = Reach::signed(11, 0);
/// 32 KiB.
pub static LONG: Reach = Reach::signed(16, 0);

/// First bytes of each kind; the destination follows.
pub const MARKS: [&[u8; 8]; 2] = [b"thunk  0", b"thunk  1"];

/// Its thunks.
pub static THUNKS: Thunks = Thunks {
    kinds: &[ThunkKind { size: 16, align: 4 }, ThunkKind { size: 32, align: 16 }],
    span: 1 << 10,
    leads_to_data: false,
    spacing: SHORT.spacing(),
    find: |image, patch, copy, found| thunks::find_by_trial(image, patch, copy, found, reach_of),
    thunk_for: |_, _, _, destination| Thunk::to((destination % 2) as u8, destination),
    second: |_| None,
    write,
    marks: None,
};

/// The reach of a branch of this type; `None` for other types.
pub fn reach_of_type(r_type: u32) -> Option<&'static Reach> {
    match r_type {
        types::SHORT_BRANCH => Some(&SHORT),
        types::BRANCH => Some(&LONG),
        _ => None,
    }
}

fn reach_of(_: &[u8], reloc: &Rela) -> Option<&'static Reach> {
    reach_of_type(reloc.r_type())
}

fn write(_: &Image<'_>, thunk: Thunk, _: u64, out: &mut [u8]) {
    out[..8].copy_from_slice(MARKS[usize::from(thunk.kind)]);
    out[8..16].copy_from_slice(&thunk.destination.to_le_bytes());
}
