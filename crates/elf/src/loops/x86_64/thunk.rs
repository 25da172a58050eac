//! Thunks: code that leads a call or jump farther than its 32-bit distance reaches.
//!
//! A thunk may change `%r11` alone: the psABI leaves it to the code between a caller and a function
//! (3.2.3, "Parameter Passing": a scratch register that no argument is passed in), and PLTs use it
//! too. The distance is data behind the code, so that a thunk needs no relocation by the loader
//! wherever the program is loaded. Code that cannot be read (`--execute-only`) has the address in
//! an instruction, or adds the distance in two parts, which takes no other register either.

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
    thunk_for: |_, _, _, destination| Thunk::to(0, destination),
    second: |_| None,
    write,
    marks: None,
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

/// Code with the address in an instruction: `movabs $0, %r11; notrack jmp *%r11`.
const ABSOLUTE: [u8; 14] = [0x49, 0xbb, 0, 0, 0, 0, 0, 0, 0, 0, 0x3e, 0x41, 0xff, 0xe3];
/// Code with the distance in instructions. Its lowest 31 bits, which are never negative, are added
/// first, and the others while they are the lowest: neither sum has a carry, because no program
/// wraps around.
const RELATIVE: [u8; 26] = [
    0x4c, 0x8d, 0x1d, 0, 0, 0, 0, // lea 0(%rip), %r11
    0x49, 0xc1, 0xcb, 31, // ror $31, %r11
    0x49, 0x81, 0xc3, 0, 0, 0, 0, // add $0, %r11
    0x49, 0xc1, 0xcb, 33, // ror $33, %r11
    0x3e, 0x41, 0xff, 0xe3, // notrack jmp *%r11
];

fn reach_of(code: &[u8], reloc: &Rela) -> Option<&'static Reach> {
    is_branch(code, reloc.r_offset() as usize).then_some(&REACH)
}

/// Writes a thunk over what fills an island.
fn write(image: &Image<'_>, thunk: Thunk, address: u64, out: &mut [u8]) {
    match (image.execute_only, image.shape.is_pic) {
        (false, _) => write_jump(address, thunk.destination, out),
        (true, false) => {
            out[..ABSOLUTE.len()].copy_from_slice(&ABSOLUTE);
            out[2..10].copy_from_slice(&thunk.destination.to_le_bytes());
        }
        (true, true) => write_relative(address, thunk.destination, out),
    }
}

fn write_relative(address: u64, destination: u64, out: &mut [u8]) {
    out[..RELATIVE.len()].copy_from_slice(&RELATIVE);
    let distance = destination.wrapping_sub(address.wrapping_add(ORIGIN)) as i64;
    let (lower, upper) = (distance as i32 & i32::MAX, (distance >> 31) as i32);
    out[3..7].copy_from_slice(&lower.to_le_bytes());
    out[14..18].copy_from_slice(&upper.to_le_bytes());
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
    fn both_parts_of_a_distance_add_up() {
        for (from, to) in [
            (0x1000u64, 0x7fff_f000_0000u64),
            (0x7fff_f000_0000, 0x1000),
            (0x4000_0000, 0x1_c000_0000),
            (0x1_c000_0000, 0x4000_0000),
            (0xffff_8880_0000_0000, 0xffff_8000_0000_0000),
        ] {
            let mut out = [0; 32];
            write_relative(from, to, &mut out);
            let part = |at: usize| i32::from_le_bytes(*out[at..].first_chunk().unwrap()) as u64;
            let base = (from + 7).wrapping_add(part(3));
            let sum = base.rotate_right(31).wrapping_add(part(14)).rotate_right(33);
            assert_eq!(sum, to);
        }
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
