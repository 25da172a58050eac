//! Removal of jumps at the end of a section, behind which code falls through.

use super::branch;
use crate::format::elf::Rela;
use crate::select::fall_through::LastJumps;
use object::elf::R_X86_64_PLT32;

/// Removal of `jmp` at the end of a section.
pub const LAST_JUMPS: LastJumps = LastJumps {
    size: JUMP_SIZE as u64,
    last_jump,
    condition_before,
    is_by_plt,
    without_jump,
    inverted,
    is_last_jump_reached,
    origin: branch::BRANCHES.origin,
};

/// `jmp` over a 32-bit distance.
const JUMP: u8 = 0xe9;
/// Bytes of `jmp` with its distance.
const JUMP_SIZE: usize = 5;
/// The two bytes before the distance of a conditional jump: 0f, and 80 to 8f.
const CONDITIONAL: u8 = 0x0f;
/// Bytes of a conditional jump with its distance.
const CONDITIONAL_SIZE: usize = 6;

/// The relocation of the `jmp` that ends `code`, if it is the last relocation.
fn last_jump<'a>(code: &[u8], relocs: &'a [Rela]) -> Option<&'a Rela> {
    let start = code.len().checked_sub(JUMP_SIZE)?;
    let last = relocs.last()?;
    let is_jump =
        code[start] == JUMP && last.r_offset() == start as u64 + 1 && branch::is_direct(code, last);
    is_jump.then_some(last)
}

/// Whether a branch may go through a PLT entry, so that the loader never writes its distance.
fn is_by_plt(reloc: &Rela) -> bool {
    reloc.r_type() == R_X86_64_PLT32
}

/// The relocation of the conditional jump right before the last `jmp`.
fn condition_before<'a>(code: &[u8], relocs: &'a [Rela]) -> Option<&'a Rela> {
    let start = code.len().checked_sub(JUMP_SIZE + CONDITIONAL_SIZE)?;
    let [.., reloc, _] = relocs else { return None };
    let is_conditional = code[start] == CONDITIONAL
        && matches!(code[start + 1], 0x80..=0x8f)
        && reloc.r_offset() == start as u64 + 2
        && branch::is_direct(code, reloc);
    is_conditional.then_some(reloc)
}

/// `code` without its last `jmp`.
fn without_jump(code: &[u8]) -> &[u8] {
    &code[..code.len().saturating_sub(JUMP_SIZE)]
}

/// `code` without its last `jmp`, and with the opposite condition in the jump before.
fn inverted(code: &[u8]) -> Vec<u8> {
    let mut code = without_jump(code).to_vec();
    if let Some(at) = code.len().checked_sub(CONDITIONAL_SIZE - 1) {
        // The lowest bit of the opcode negates the condition.
        code[at] ^= 1;
    }
    code
}

/// Whether something in `code` may go only to the last jump, past the conditional jump before it.
/// The assembler leaves no trace of branches within a section, and instruction boundaries are
/// unknown. So any byte that could begin a branch there counts, and so do branches through tables.
fn is_last_jump_reached(code: &[u8]) -> bool {
    let place = code.len().saturating_sub(JUMP_SIZE);
    let leads_there = |next: usize, distance: i64| next as i64 + distance == place as i64;
    (0..place.saturating_sub(CONDITIONAL_SIZE)).any(|at| match code[at] {
        // Conditional jumps, loops and `jmp` over 8 bits.
        0x70..=0x7f | 0xe0..=0xe3 | 0xeb => leads_there(at + 2, i64::from(code[at + 1] as i8)),
        0xe8 | JUMP => far_distance(code, at + 1).is_some_and(|by| leads_there(at + 5, by)),
        CONDITIONAL if matches!(code[at + 1], 0x80..=0x8f) => {
            far_distance(code, at + 2).is_some_and(|by| leads_there(at + 6, by))
        }
        0xff => code[at + 1] >> 3 & 7 == 4,
        _ => false,
    })
}

fn far_distance(code: &[u8], at: usize) -> Option<i64> {
    let field = code.get(at..at + 4)?;
    Some(i64::from(i32::from_le_bytes(field.try_into().ok()?)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use object::elf::{R_X86_64_32, R_X86_64_PC32};
    use zerocopy::FromZeros;

    fn reloc(at: u64, r_type: u32) -> Rela {
        let mut reloc = Rela::new_zeroed();
        reloc.set_r_offset(at);
        reloc.set_r_type(r_type);
        reloc
    }

    #[test]
    fn a_last_jump_is_found_by_its_relocation() {
        let code = [0x90, 0xe9, 0, 0, 0, 0];
        assert!(last_jump(&code, &[reloc(2, R_X86_64_PLT32)]).is_some());
        assert!(last_jump(&code, &[reloc(2, R_X86_64_32)]).is_none());
        assert!(last_jump(&code, &[reloc(1, R_X86_64_PLT32)]).is_none());
        assert!(last_jump(&code, &[]).is_none());
        assert!(last_jump(&code[2..], &[reloc(0, R_X86_64_PLT32)]).is_none());
        assert!(last_jump(&[0xe8, 0, 0, 0, 0], &[reloc(1, R_X86_64_PLT32)]).is_none());
    }

    #[test]
    fn a_condition_is_inverted() {
        let code = [0x90, 0x0f, 0x84, 0, 0, 0, 0, 0xe9, 0, 0, 0, 0];
        let relocs = [reloc(3, R_X86_64_PLT32), reloc(8, R_X86_64_PLT32)];
        assert!(condition_before(&code, &relocs).is_some());
        assert!(condition_before(&code, &relocs[1..]).is_none());
        assert!(condition_before(&code, &[relocs[0], reloc(8, R_X86_64_PC32)]).is_some());
        assert!(condition_before(&code, &[reloc(3, R_X86_64_32), relocs[1]]).is_none());
        assert!(condition_before(&code[2..], &relocs).is_none());
        assert_eq!(inverted(&code), [0x90, 0x0f, 0x85, 0, 0, 0, 0]);
    }

    #[test]
    fn branches_to_the_last_jump_are_seen() {
        let tail = [0x0f, 0x84, 0, 0, 0, 0, 0xe9, 0, 0, 0, 0];
        let with = |head: &[u8]| is_last_jump_reached(&[head, &tail].concat());
        assert!(!with(&[0x90, 0x90]));
        assert!(with(&[0xeb, 6]));
        assert!(with(&[0x74, 7, 0x90]));
        assert!(with(&[0xe9, 6, 0, 0, 0]));
        assert!(with(&[0x0f, 0x85, 6, 0, 0, 0]));
        assert!(with(&[0xff, 0xe0]));
        assert!(!with(&[0xeb, 5]));
        assert!(!is_last_jump_reached(&[0xeb]));
    }
}
