//! Rewrites of GOT loads whose symbol turned out to be within the output: i386 psABI A.1, "Optimize
//! R_386_GOT32X Relocations".
//!
//! | from                            | position-independent           | at fixed addresses      |
//! |---------------------------------|--------------------------------|-------------------------|
//! | `call *foo@GOT(%reg)`           | `addr32 call foo` (1)          | `addr32 call foo` (1)   |
//! | `jmp *foo@GOT(%reg)`            | `jmp foo; nop`                 | `jmp foo; nop`          |
//! | `mov foo@GOT(%reg), %reg2`      | `lea foo@GOTOFF(%reg), %reg2`  | `mov $foo, %reg2`       |
//! | `test %reg2, foo@GOT(%reg)`     |                                | `test $foo, %reg2`      |
//! | `binop foo@GOT(%reg), %reg2`    |                                | `binop $foo, %reg2`     |
//!
//! (1) or what `-z call-nop` says.
//!
//! `binop` is add, or, adc, sbb, and, sub, xor or cmp. At fixed addresses `foo@GOT` may have no
//! base register; the field is then the address of the GOT word ([`is_baseless`]).
//!
//! Nothing here knows of symbols; who asks for a rewrite is in [`super::decide`].

use crate::args::CallNop;
use object::elf::{R_386_32, R_386_GOT32X, R_386_GOTOFF, R_386_PC32};

/// Whether the field at `r_offset` is an address without base register: `foo@GOT` is then the
/// address of the word and not its offset from the GOT. `lea` computes offsets.
pub fn is_baseless(code: &[u8], r_offset: usize) -> bool {
    let Some([.., opcode, modrm]) = code.get(..r_offset) else { return false };
    modrm & 0xc7 == 0x05 && *opcode != 0x8d
}

/// What a GOT load becomes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Operation {
    /// `call`, with the byte that pads the shorter instruction, and whether it is padded behind.
    Call {
        nop: u8,
        is_behind: bool,
    },
    Jmp,
    /// `lea`, with the ModRM byte that `mov` had.
    Lea,
    /// An instruction with the address as its immediate: opcode and ModRM.
    Immediate([u8; 2]),
}

/// A GOT load that can be rewritten.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GotRelaxation {
    operation: Operation,
}

/// The relocation that a rewritten instruction has in place of its old one. The value is that of
/// the psABI's formula.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RelaxedField {
    /// Offset in the section of the 32-bit field.
    pub r_offset: u64,
    /// `R_386_PC32` (S + A - P), `R_386_GOTOFF` (S + A - GOT) or `R_386_32` (S + A).
    pub r_type: u32,
    /// A.
    pub addend: i64,
}

/// Looks at the instruction that the relocation at `r_offset` of the original `section` belongs to.
/// `None` if it must keep its GOT word: an unknown instruction, a type that is not relaxable, or an
/// addend, which loads another word of the GOT.
pub fn got_relaxation(
    section: &[u8],
    r_offset: usize,
    r_type: u32,
    addend: i64,
    is_pic: bool,
) -> Option<GotRelaxation> {
    if r_type != R_386_GOT32X || addend != 0 {
        return None;
    }
    section.get(r_offset..r_offset.checked_add(4)?)?;
    let [.., opcode, modrm] = section[..r_offset] else { return None };
    let is_baseless = modrm & 0xc7 == 0x05;
    // A register and 32 bits; %esp as base needs another byte.
    let has_base = modrm & 0xc0 == 0x80 && modrm & 7 != 4;
    if !is_baseless && !has_base || is_baseless && is_pic {
        return None;
    }
    let reg = modrm >> 3 & 7;
    let operation = match (opcode, reg) {
        (0xff, 2) => Operation::Call { nop: 0x67, is_behind: false },
        (0xff, 4) => Operation::Jmp,
        (0x8b, _) if is_pic => Operation::Lea,
        (0x8b, _) => Operation::Immediate([0xc7, 0xc0 | reg]),
        _ if is_pic => return None,
        (0x85, _) => Operation::Immediate([0xf7, 0xc0 | reg]),
        // 81 /n, where n is in bits 3 to 5 of the opcode with a memory operand.
        (0x03 | 0x0b | 0x13 | 0x1b | 0x23 | 0x2b | 0x33 | 0x3b, _) => {
            Operation::Immediate([0x81, 0xc0 | opcode & 0x38 | reg])
        }
        _ => return None,
    };
    Some(GotRelaxation { operation })
}

impl GotRelaxation {
    /// Pads a shortened call as `-z call-nop` says.
    pub fn filled(mut self, call_nop: CallNop) -> GotRelaxation {
        if let Operation::Call { nop, is_behind } = &mut self.operation {
            (*nop, *is_behind) = match call_nop {
                CallNop::Prefix(byte) => (byte, false),
                CallNop::Suffix(byte) => (byte, true),
            };
        }
        self
    }

    /// The relocation that the rewrite leaves in place of the one at `r_offset`.
    pub fn field(self, r_offset: u64) -> RelaxedField {
        let (r_offset, r_type, addend) = match self.operation {
            Operation::Call { is_behind: false, .. } => (r_offset, R_386_PC32, -4),
            // The one-byte opcode leaves the spare byte to a nop after the instruction.
            Operation::Call { .. } | Operation::Jmp => (r_offset - 1, R_386_PC32, -4),
            Operation::Lea => (r_offset, R_386_GOTOFF, 0),
            Operation::Immediate(_) => (r_offset, R_386_32, 0),
        };
        RelaxedField { r_offset, r_type, addend }
    }

    /// Rewrites the instruction whose field is at `at` of the output's copy; `None`, with nothing
    /// changed, if it is not within it.
    pub fn rewrite(self, out: &mut [u8], at: usize) -> Option<()> {
        let code = out.get_mut(at.checked_sub(2)?..at.checked_add(4)?)?;
        match self.operation {
            Operation::Call { nop, is_behind: false } => code[..2].copy_from_slice(&[nop, 0xe8]),
            Operation::Call { nop, is_behind: true } => (code[0], code[5]) = (0xe8, nop),
            Operation::Jmp => (code[0], code[5]) = (0xe9, 0x90),
            Operation::Lea => code[0] = 0x8d,
            Operation::Immediate(start) => code[..2].copy_from_slice(&start),
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What becomes of an instruction with its field behind two bytes, and of its relocation.
    fn rewritten(start: [u8; 2], is_pic: bool) -> Option<(Vec<u8>, RelaxedField)> {
        let mut code = [start[0], start[1], 0, 0, 0, 0];
        let found = got_relaxation(&code, 2, R_386_GOT32X, 0, is_pic)?;
        found.rewrite(&mut code, 2).expect("it is inside");
        Some((code.to_vec(), found.field(2)))
    }

    fn field(r_offset: u64, r_type: u32, addend: i64) -> RelaxedField {
        RelaxedField { r_offset, r_type, addend }
    }

    #[test]
    fn branches_become_direct() {
        for is_pic in [false, true] {
            let call = (vec![0x67, 0xe8, 0, 0, 0, 0], field(2, R_386_PC32, -4));
            assert_eq!(rewritten([0xff, 0x93], is_pic), Some(call));
            let jmp = (vec![0xe9, 0xa3, 0, 0, 0, 0x90], field(1, R_386_PC32, -4));
            assert_eq!(rewritten([0xff, 0xa3], is_pic), Some(jmp));
        }
        let call = (vec![0x67, 0xe8, 0, 0, 0, 0], field(2, R_386_PC32, -4));
        assert_eq!(rewritten([0xff, 0x15], false), Some(call));
        let code = [0xff, 0x93, 0, 0, 0, 0];
        let behind = got_relaxation(&code, 2, R_386_GOT32X, 0, true).expect("it is a call");
        let behind = behind.filled(CallNop::Suffix(0x90));
        let mut out = code;
        behind.rewrite(&mut out, 2).expect("it is inside");
        assert_eq!((out, behind.field(2)), ([0xe8, 0x93, 0, 0, 0, 0x90], field(1, R_386_PC32, -4)));
    }

    #[test]
    fn loads_become_addresses() {
        let lea = (vec![0x8d, 0x83, 0, 0, 0, 0], field(2, R_386_GOTOFF, 0));
        assert_eq!(rewritten([0x8b, 0x83], true), Some(lea));
        let mov = (vec![0xc7, 0xc1, 0, 0, 0, 0], field(2, R_386_32, 0));
        assert_eq!(rewritten([0x8b, 0x8b], false), Some(mov.clone()));
        assert_eq!(rewritten([0x8b, 0x0d], false), Some(mov));
        let test = (vec![0xf7, 0xc2, 0, 0, 0, 0], field(2, R_386_32, 0));
        assert_eq!(rewritten([0x85, 0x93], false), Some(test));
        let sub = (vec![0x81, 0xe8 | 3, 0, 0, 0, 0], field(2, R_386_32, 0));
        assert_eq!(rewritten([0x2b, 0x9b], false), Some(sub));
    }

    #[test]
    fn others_keep_their_word() {
        // No base register, or one that needs a SIB byte.
        assert_eq!(rewritten([0x8b, 0x05], true), None);
        assert_eq!(rewritten([0x8b, 0x84], true), None);
        // Only an immediate could be added.
        assert_eq!(rewritten([0x03, 0x83], true), None);
        assert_eq!(rewritten([0xff, 0xb3], false), None);
        let code = [0x8b, 0x83, 0, 0, 0, 0];
        assert_eq!(got_relaxation(&code, 2, R_386_GOT32X, 4, true), None);
        assert_eq!(got_relaxation(&code, 2, object::elf::R_386_GOT32, 0, true), None);
        assert_eq!(got_relaxation(&code[..5], 2, R_386_GOT32X, 0, true), None);
        assert_eq!(got_relaxation(&code, 1, R_386_GOT32X, 0, true), None);
        assert_eq!(got_relaxation(&code, usize::MAX, R_386_GOT32X, 0, true), None);
    }

    #[test]
    fn addresses_without_base_are_told_by_the_instruction() {
        assert!(is_baseless(&[0x8b, 0x05, 0, 0, 0, 0], 2));
        assert!(!is_baseless(&[0x8b, 0x83, 0, 0, 0, 0], 2));
        assert!(!is_baseless(&[0x8d, 0x05, 0, 0, 0, 0], 2));
        assert!(!is_baseless(&[0x05], 1));
    }
}
