//! Direct branches: calls, jumps and conditional jumps over a 32-bit distance.

use super::landing_pad::ENDBR64;
use super::thunk;
use crate::format::elf::Rela;
use crate::loops::code::Branches;
use crate::machine::x86_64::howto::R_X86_64_PLT32_BND;
use object::elf::{R_X86_64_PC32, R_X86_64_PLT32};

/// `jmp` over a 32-bit distance.
const JUMP: u8 = 0xe9;

/// `call`, `jmp` and conditional jumps with a 32-bit distance.
pub const BRANCHES: Branches = Branches { is_direct, jump_field, origin: 4 };

/// Whether `reloc` is for the distance of a branch in `code`.
pub fn is_direct(code: &[u8], reloc: &Rela) -> bool {
    let is_distance = matches!(reloc.r_type(), R_X86_64_PC32 | R_X86_64_PLT32 | R_X86_64_PLT32_BND);
    is_distance && thunk::is_branch(code, reloc.r_offset() as usize)
}

/// If the first instruction at `at` is a `jmp`: the offset of its distance field.
pub fn jump_field(code: &[u8], at: usize) -> Option<usize> {
    let rest = code.get(at..)?;
    let pad = if rest.starts_with(&ENDBR64) { ENDBR64.len() } else { 0 };
    (rest.get(pad) == Some(&JUMP) && rest.len() >= pad + 5).then_some(at + pad + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jumps_are_found_behind_landing_pads() {
        assert_eq!(jump_field(&[0xe9, 0, 0, 0, 0], 0), Some(1));
        assert_eq!(jump_field(&[0x90, 0xe9, 0, 0, 0, 0], 1), Some(2));
        assert_eq!(jump_field(&[0xf3, 0x0f, 0x1e, 0xfa, 0xe9, 0, 0, 0, 0], 0), Some(5));
        assert_eq!(jump_field(&[0xe9, 0, 0, 0], 0), None);
        assert_eq!(jump_field(&[0x90], 0), None);
        assert_eq!(jump_field(&[], 7), None);
    }
}
