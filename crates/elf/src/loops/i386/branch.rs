//! Direct branches: calls, jumps and conditional jumps over a 32-bit distance.

use super::landing_pad::ENDBR32;
use crate::format::elf::Rela;
use crate::loops::code::Branches;
use object::elf::{R_386_PC32, R_386_PLT32};

/// `jmp` over a 32-bit distance.
const JUMP: u8 = 0xe9;

/// `call`, `jmp` and conditional jumps with a 32-bit distance.
pub const BRANCHES: Branches = Branches { is_direct, jump_field, origin: 4 };

/// Whether `reloc` is for the distance of a branch in `code`.
fn is_direct(code: &[u8], reloc: &Rela) -> bool {
    matches!(reloc.r_type(), R_386_PC32 | R_386_PLT32)
        && match code.get(..reloc.r_offset() as usize) {
            Some([.., 0xe8 | JUMP]) => true,
            Some([.., 0x0f, last]) => last & 0xf0 == 0x80,
            _ => false,
        }
}

/// A branch to `at` comes to a `jmp` first: the offset of its distance. `None` if it does not.
fn jump_field(code: &[u8], at: usize) -> Option<usize> {
    let rest = code.get(at..)?;
    let pad = if rest.starts_with(&ENDBR32) { ENDBR32.len() } else { 0 };
    (rest.get(pad) == Some(&JUMP) && rest.len() >= pad + 5).then_some(at + pad + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn branches_are_known_by_opcode_and_type() {
        let at = |r_offset, r_type| Rela::new(r_offset, r_type, 0, -4);
        assert!(is_direct(&[0xe8, 0, 0, 0, 0], &at(1, R_386_PLT32)));
        assert!(is_direct(&[0x0f, 0x84, 0, 0, 0, 0], &at(2, R_386_PC32)));
        assert!(!is_direct(&[0xb8, 0, 0, 0, 0], &at(1, R_386_PC32)));
        assert!(!is_direct(&[0xe8, 0, 0, 0, 0], &at(1, object::elf::R_386_32)));
        assert!(!is_direct(&[0xe8], &at(9, R_386_PC32)));
    }

    #[test]
    fn jumps_are_found_behind_landing_pads() {
        assert_eq!(jump_field(&[0xe9, 0, 0, 0, 0], 0), Some(1));
        assert_eq!(jump_field(&[0xf3, 0x0f, 0x1e, 0xfb, 0xe9, 0, 0, 0, 0], 0), Some(5));
        assert_eq!(jump_field(&[0xf3, 0x0f, 0x1e, 0xfa, 0xe9, 0, 0, 0, 0], 0), None);
        assert_eq!(jump_field(&[0xe9, 0, 0, 0], 0), None);
    }
}
