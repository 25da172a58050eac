//! Thunks: code that leads a call or jump farther than its 32-bit distance reaches.
//!
//! A thunk may change `%r11` alone: the psABI leaves it to the code between a caller and a function
//! (3.2.3, "Parameter Passing": a scratch register that no argument is passed in), and PLTs use it
//! too. The distance is data behind the code, so that a thunk needs no relocation by the loader
//! wherever the program is loaded.

use crate::format::elf::Rela;
use crate::layout::islands::{Thunk, ThunkKind};
use crate::loops::thunks::{self, Reach, Thunks};
use crate::synth::image::Image;

/// Thunks with a 64-bit distance, for calls, jumps and conditional jumps.
pub static THUNKS: Thunks = Thunks {
    kinds: &[ThunkKind { size: 32, align: 16 }],
    span: 0x7fff_0000,
    leads_to_data: false,
    spacing: REACH.spacing(),
    find: |image, patch, copy, found| thunks::find_by_trial(image, patch, copy, found, reach_of),
    kind_of: |_, _, _| 0,
    second: |_| None,
    write,
    data: None,
};

/// All branches have a 32-bit distance, which counts from the end of the instruction.
pub static REACH: Reach = Reach::signed(32, 4);

const CODE: [u8; 18] = [
    0x4c, 0x8d, 0x1d, 0, 0, 0, 0, // lea 0(%rip), %r11
    0x4c, 0x03, 0x1d, 10, 0, 0, 0, // add 10(%rip), %r11
    0x3e, 0x41, 0xff, 0xe3, // notrack jmp *%r11
];
/// The address that the thunk's `lea` loads is that of the next instruction, at this offset.
const ORIGIN: u64 = 7;
/// Offset of the distance from that instruction to the destination.
const DISTANCE_AT: usize = 24;

fn reach_of(code: &[u8], reloc: &Rela) -> Option<&'static Reach> {
    is_branch(code, reloc.r_offset() as usize).then_some(&REACH)
}

/// Writes a thunk over what fills an island.
fn write(_: &Image<'_>, thunk: Thunk, address: u64, out: &mut [u8]) {
    write_jump(address, thunk.destination, out);
}

fn write_jump(address: u64, destination: u64, out: &mut [u8]) {
    out[..CODE.len()].copy_from_slice(&CODE);
    let distance = destination.wrapping_sub(address.wrapping_add(ORIGIN));
    out[DISTANCE_AT..].copy_from_slice(&distance.to_le_bytes());
}

/// Whether the 32-bit field at `at` of `code` is that of a call, a jump or a conditional jump.
pub fn is_branch(code: &[u8], at: usize) -> bool {
    match code.get(..at) {
        Some([.., 0xe8 | 0xe9]) => true,
        Some([.., 0x0f, last]) => last & 0xf0 == 0x80,
        _ => false,
    }
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
        let mut out = [0; 32];
        write_jump(0x1000, 0x5000_0000_0000, &mut out);
        assert_eq!(out[24..], (0x5000_0000_0000u64 - 0x1007).to_le_bytes());
        write_jump(0x1020, 0x10, &mut out);
        assert_eq!(out[24..], 0x10u64.wrapping_sub(0x1027).to_le_bytes());
    }
}
