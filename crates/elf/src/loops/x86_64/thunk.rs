//! Thunks: code that leads a call or jump farther than its 32-bit distance reaches.
//!
//! A thunk may change `%r11` alone: the psABI leaves it to the code between a caller and a function
//! (3.2.3, "Parameter Passing": a scratch register that no argument is passed in), and PLTs use it
//! too. The distance is data behind the code, so that a thunk needs no relocation by the loader
//! wherever the program is loaded.

use crate::layout::output_sections::Content;
use crate::layout::{OutputSection, OutputSections};
use crate::loops::code::Thunks;

/// Bytes of a thunk.
const SIZE: usize = 32;

/// Thunks with a 64-bit distance, for calls, jumps and conditional jumps.
pub const THUNKS: Thunks = Thunks { size: SIZE, align: 16, reach: 0x7fff_0000, write, is_branch };

const CODE: [u8; 18] = [
    0x4c, 0x8d, 0x1d, 0, 0, 0, 0, // lea 0(%rip), %r11
    0x4c, 0x03, 0x1d, 10, 0, 0, 0, // add 10(%rip), %r11
    0x3e, 0x41, 0xff, 0xe3, // notrack jmp *%r11
];
/// The address that the thunk's `lea` loads is that of the next instruction, at this offset.
const ORIGIN: u64 = 7;
/// Offset of the distance from that instruction to the destination.
const DISTANCE_AT: usize = 24;

/// Writes the thunks of an island at `address`, in the order of `destinations`.
fn write(out: &mut [u8], address: u64, destinations: &[u64]) {
    out.fill(0xcc);
    let places = (address..).step_by(SIZE);
    for ((thunk, place), destination) in out.chunks_exact_mut(SIZE).zip(places).zip(destinations) {
        thunk[..CODE.len()].copy_from_slice(&CODE);
        let distance = destination.wrapping_sub(place.wrapping_add(ORIGIN));
        thunk[DISTANCE_AT..].copy_from_slice(&distance.to_le_bytes());
    }
}

/// Whether the 32-bit field at `at` of `code` is that of a call, a jump or a conditional jump.
pub fn is_branch(code: &[u8], at: usize) -> bool {
    match code.get(..at) {
        Some([.., 0xe8 | 0xe9]) => true,
        Some([.., 0x0f, last]) => last & 0xf0 == 0x80,
        _ => false,
    }
}

/// Address of a thunk that jumps to `destination`, within reach of an instruction that ends at
/// `next` in the output section at `position`.
pub fn find(outputs: &OutputSections, position: usize, next: u64, destination: u64) -> Option<u64> {
    let output: &OutputSection = outputs.sections.get(position)?;
    let Content::Inputs { islands, .. } = &output.content else { return None };
    islands.iter().find_map(|island| {
        let index = island.destinations.binary_search(&destination).ok()?;
        let thunk = output.address + island.offset + (index * SIZE) as u64;
        let is_near = i32::try_from(thunk.wrapping_sub(next) as i64).is_ok();
        (is_near && ((index + 1) * SIZE) as u64 <= island.room).then_some(thunk)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_and_jumps_are_branches() {
        assert!(is_branch(&[0xe8, 0, 0, 0, 0], 1));
        assert!(is_branch(&[0x0f, 0x84, 0, 0, 0, 0], 2));
        assert!(!is_branch(&[0x48, 0x8d, 0x3d, 0, 0, 0, 0], 3));
        assert!(!is_branch(&[0, 0, 0, 0], 0));
        assert!(!is_branch(&[0xe8], 9));
    }

    #[test]
    fn a_thunk_holds_the_distance_from_its_first_instruction() {
        let mut out = [0; 64];
        write(&mut out, 0x1000, &[0x5000_0000_0000, 0x10]);
        assert_eq!(out[24..32], (0x5000_0000_0000u64 - 0x1007).to_le_bytes());
        assert_eq!(out[56..], 0x10u64.wrapping_sub(0x1027).to_le_bytes());
    }
}
