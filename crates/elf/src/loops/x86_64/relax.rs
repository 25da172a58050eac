//! Rewrites of GOT loads whose symbol is defined in the output: psABI B.2, "Optimize GOTPCRELX
//! Relocations".
//!
//! | from                               | PC-relative            | absolute (a link-time constant) |
//! |------------------------------------|------------------------|---------------------------------|
//! | `call *foo@GOTPCREL(%rip)`         | `addr32 call foo` (1)  |                                 |
//! | `jmp *foo@GOTPCREL(%rip)`          | `jmp foo; nop`         |                                 |
//! | `mov foo@GOTPCREL(%rip), %reg`     | `lea foo(%rip), %reg`  | `mov $foo, %reg`                |
//! | `movrs foo@GOTPCREL(%rip), %reg`   | `lea foo(%rip), %reg`  | `mov $foo, %reg`                |
//! | `test %reg, foo@GOTPCREL(%rip)`    |                        | `test $foo, %reg`               |
//! | `binop foo@GOTPCREL(%rip), %reg`   |                        | `binop $foo, %reg`              |
//! | `imul foo@GOTPCREL(%rip), %reg`    |                        | `imul $foo, %reg, %reg`         |
//! | `push foo@GOTPCREL(%rip)`          |                        | `push $foo`                     |
//!
//! (1) or the padding of `-z call-nop`.
//!
//! `binop` is add, or, adc, sbb, and, sub, xor or cmp. The last two rows and `movrs` are not in the
//! psABI's table; GNU ld has them. The prefix may be none, REX, REX2 or EVEX (`instruction.rs`).
//!
//! A rewrite replaces the relocation with another one, a [`RelaxedField`], so that range checks,
//! `--emit-relocs` and the arithmetic are those of that relocation:
//!
//! 1. while scanning: [`got_relaxation`] finds what the instruction allows;
//! 2. [`GotRelaxation::field`] says which relocation would take the place of this one, to test
//!    whether the symbol is in reach;
//! 3. while writing: [`apply_got_relaxation`] rewrites the opcode in the output and returns the
//!    field, whose value the caller writes with [`RelaxedField::write`].
//!
//! Nothing here knows of symbols. The caller must not ask for a rewrite when the symbol may be
//! preempted or is an IFUNC. It may ask for [`Form::Absolute`] only if the symbol's value is known
//! at link time: the output is not position-independent, or the symbol is absolute or an undefined
//! weak one that resolves to zero.

use object::elf::{
    R_X86_64_32, R_X86_64_32S, R_X86_64_GOTPCREL, R_X86_64_GOTPCRELX, R_X86_64_GOTTPOFF,
    R_X86_64_PC32, R_X86_64_REX_GOTPCRELX,
};

use super::instruction::{Instruction, Opcode, Prefix};
use crate::args::CallNop;
use crate::format::elf::Rela;
use crate::machine::howto::Range;
use crate::machine::x86_64::howto::{
    R_X86_64_CODE_4_GOTPCRELX, R_X86_64_CODE_5_GOTPCRELX, R_X86_64_CODE_6_GOTPCRELX, howto,
};

/// The relocation that a rewritten instruction has in place of its old one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RelaxedField {
    /// Offset in the section of the 32-bit field.
    pub field_offset: usize,
    /// `R_X86_64_PC32` (S + A - P), `R_X86_64_32` or `R_X86_64_32S` (S + A), `R_X86_64_TPOFF32`
    /// (TPOFF + A) or `R_X86_64_GOTTPOFF` (G + A - P).
    pub r_type: u32,
    /// A of the psABI's formulas.
    pub addend: i64,
}

impl RelaxedField {
    /// The value of the field. `target` depends on the relocation type: the symbol's address S, its
    /// offset from the thread pointer for `R_X86_64_TPOFF32`, or the address of its GOT entry for
    /// `R_X86_64_GOTTPOFF`.
    #[inline]
    pub const fn value(&self, target: u64, section_address: u64) -> i64 {
        let value = target.wrapping_add_signed(self.addend);
        match self.r_type {
            R_X86_64_PC32 | R_X86_64_GOTTPOFF => {
                let place = section_address.wrapping_add(self.field_offset as u64);
                value.wrapping_sub(place) as i64
            }
            _ => value as i64,
        }
    }

    /// The values that the field can hold.
    #[inline]
    pub const fn range(&self) -> Range {
        match howto(self.r_type) {
            Some(howto) => howto.range,
            None => Range::Signed(32),
        }
    }

    /// Computes the value and writes it.
    ///
    /// # Errors
    /// The value, if it is out of range or the field is not within the section; the section is then
    /// unchanged.
    #[inline]
    pub fn write(&self, section: &mut [u8], target: u64, section_address: u64) -> Result<(), i64> {
        let value = self.value(target, section_address);
        let end = self.field_offset.checked_add(4).ok_or(value)?;
        let field = section.get_mut(self.field_offset..end).ok_or(value)?;
        if !self.range().contains(value) {
            return Err(value);
        }
        field.copy_from_slice(&(value as u32).to_le_bytes());
        Ok(())
    }
}

/// How the rewritten instruction addresses the symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// By its distance from the next instruction.
    PcRelative,
    /// By its address, as an immediate.
    Absolute,
}

/// A GOT load that can be rewritten.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GotRelaxation {
    instruction: Instruction,
    operation: Operation,
}

/// What the instruction does with the loaded address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operation {
    /// `call`, with the byte that pads the shorter instruction, and whether the padding is behind
    /// it.
    Call {
        nop: u8,
        is_behind: bool,
    },
    Jmp,
    Push,
    /// `mov` and `movrs`. `lea_only`: under plain `GOTPCREL`, which does not determine where the
    /// instruction starts, so the prefix is unknown.
    Mov {
        lea_only: bool,
    },
    /// An operation of opcode `opcode` with `extension` in ModRM.reg when it takes an immediate.
    Immediate {
        opcode: u8,
        extension: u8,
    },
    /// `imul` into its own register.
    Imul,
    /// `imul` with a new destination (APX).
    ImulTo,
}

/// Decodes the instruction that the relocation at `r_offset` of the original `section` belongs to.
/// `None` if it must keep its GOT entry: an unknown instruction, a type that is not relaxable, or
/// an addend other than -4 (which loads only a part of the GOT entry).
pub fn got_relaxation(
    section: &[u8],
    r_offset: usize,
    r_type: u32,
    addend: i64,
) -> Option<GotRelaxation> {
    if addend != -4 {
        return None;
    }
    let length = match r_type {
        R_X86_64_GOTPCREL => return plain_gotpcrel(section, r_offset),
        R_X86_64_GOTPCRELX => 2,
        R_X86_64_REX_GOTPCRELX => 3,
        R_X86_64_CODE_4_GOTPCRELX => 4,
        R_X86_64_CODE_5_GOTPCRELX => 5,
        R_X86_64_CODE_6_GOTPCRELX => 6,
        _ => return None,
    };
    let instruction = Instruction::decode(section, r_offset, length)?;
    let operation = match instruction.prefix {
        Prefix::Evex(_) => evex_operation(&instruction)?,
        _ => operation(&instruction)?,
    };
    Some(GotRelaxation { instruction, operation })
}

/// The rewrites of the most frequent GOT loads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShortForm {
    /// `mov` becomes `lea`.
    Lea,
    /// `call` through the GOT becomes a direct one.
    Call,
    /// `jmp` through the GOT becomes a direct one.
    Jmp,
    /// The GOT load stays, whatever the symbol is.
    Slot,
}

/// A fast path for the most frequent loads: the results of [`got_relaxation`] and
/// [`GotRelaxation::field`] for a PC-relative rewrite. `None` only means that those have to be
/// called.
#[inline]
pub fn short_form(section: &[u8], reloc: &Rela) -> Option<ShortForm> {
    let r_offset = reloc.r_offset() as usize;
    let &[prefix, opcode, modrm, ..] =
        section.get(r_offset.wrapping_sub(3)..)?.first_chunk::<7>()?;
    let is_mov = opcode == 0x8b && modrm & 0xc7 == 0x05;
    let is_whole = reloc.r_addend() == -4;
    match reloc.r_type() {
        // Compilers that do not tell where the instruction starts load functions so in order to
        // call them.
        R_X86_64_GOTPCREL if opcode != 0x8b => Some(ShortForm::Slot),
        // This excludes the end of `0f 38 8b`, which is another instruction.
        R_X86_64_GOTPCREL if is_whole => (is_mov && prefix != 0x38).then_some(ShortForm::Lea),
        R_X86_64_GOTPCRELX if is_whole => match (opcode, modrm) {
            (0xff, 0x15) => Some(ShortForm::Call),
            (0xff, 0x25) => Some(ShortForm::Jmp),
            _ => is_mov.then_some(ShortForm::Lea),
        },
        R_X86_64_REX_GOTPCRELX if is_whole => {
            (is_mov && prefix & 0xf0 == 0x40).then_some(ShortForm::Lea)
        }
        _ => None,
    }
}

impl GotRelaxation {
    /// Pads a shortened call according to `-z call-nop`.
    pub fn filled(mut self, call_nop: CallNop) -> GotRelaxation {
        if let Operation::Call { nop, is_behind } = &mut self.operation {
            (*nop, *is_behind) = match call_nop {
                CallNop::Prefix(byte) => (byte, false),
                CallNop::Suffix(byte) => (byte, true),
            };
        }
        self
    }

    /// The relocation that replaces the one at `r_offset` after the rewrite to `form`; `None` if
    /// the instruction has no such form.
    pub const fn field(&self, r_offset: usize, form: Form) -> Option<RelaxedField> {
        let (field_offset, r_type, addend) = match (form, self.operation) {
            (Form::PcRelative, Operation::Call { is_behind: false, .. })
            | (Form::PcRelative, Operation::Mov { .. }) => (r_offset, R_X86_64_PC32, -4),
            // The opcode has one byte, so one byte is left, for a nop after the instruction.
            (Form::PcRelative, Operation::Jmp | Operation::Call { .. }) => {
                (r_offset - 1, R_X86_64_PC32, -4)
            }
            (Form::PcRelative, _) => return None,
            (Form::Absolute, Operation::Call { .. } | Operation::Jmp) => return None,
            (Form::Absolute, Operation::Mov { lea_only: true }) => return None,
            // push sign-extends, whatever its prefix.
            (Form::Absolute, Operation::Push) => (r_offset, R_X86_64_32S, 0),
            (Form::Absolute, _) if self.instruction.prefix.is_wide() => (r_offset, R_X86_64_32S, 0),
            (Form::Absolute, _) => (r_offset, R_X86_64_32, 0),
        };
        Some(RelaxedField { field_offset, r_type, addend })
    }
}

/// Rewrites the instruction to `form` and returns the field that the caller has to write. `section`
/// is the output's copy of the bytes that `relaxation` was made from. `None`, with nothing changed,
/// if the instruction has no such form.
///
/// # Panics
/// If the instruction is not within `section`, that is, if `relaxation` is another section's.
pub fn apply_got_relaxation(
    section: &mut [u8],
    r_offset: usize,
    relaxation: &GotRelaxation,
    form: Form,
) -> Option<RelaxedField> {
    let field = relaxation.field(r_offset, form)?;
    let instruction = &relaxation.instruction;
    match relaxation.operation {
        Operation::Call { nop, is_behind: false } => {
            section[r_offset - 2..r_offset].copy_from_slice(&[nop, 0xe8]);
        }
        Operation::Call { nop, is_behind: true } => {
            section[r_offset - 2] = 0xe8;
            section[r_offset + 3] = nop;
        }
        Operation::Jmp => {
            section[r_offset - 2] = 0xe9;
            section[r_offset + 3] = 0x90;
        }
        // The instruction is one byte shorter, and its prefix has no meaning: everything except the
        // opcode 68 becomes padding.
        Operation::Push => instruction.replace(section, r_offset, Prefix::None, 0x2e, 0x68),
        Operation::Mov { .. } if form == Form::Absolute => {
            instruction.replace_with_mov_immediate(section, r_offset);
        }
        Operation::Mov { lea_only: true } => section[r_offset - 2] = 0x8d,
        Operation::Mov { .. } => {
            instruction.without_evex().replace_keeping_operand(section, r_offset, 0x8d);
        }
        Operation::Immediate { opcode, extension } => {
            instruction.replace_with_immediate(section, r_offset, opcode, extension);
        }
        Operation::Imul | Operation::ImulTo => replace_imul(section, r_offset, relaxation),
    }
    Some(field)
}

/// `mov` under `R_X86_64_GOTPCREL`, as older assemblers write it: only the opcode changes, so the
/// prefix need not be known. `8b` with this ModRM can only be `mov`, or `movrs` of the 0f38 map.
fn plain_gotpcrel(section: &[u8], r_offset: usize) -> Option<GotRelaxation> {
    let instruction = Instruction::decode(section, r_offset, 2)?;
    let before = &section[..r_offset - 2];
    if instruction.opcode != Opcode::Base(0x8b) || before.ends_with(&[0x0f, 0x38]) {
        return None;
    }
    Some(GotRelaxation { instruction, operation: Operation::Mov { lea_only: true } })
}

/// The operation of an instruction without prefix or with REX or REX2.
fn operation(instruction: &Instruction) -> Option<Operation> {
    let opcode = match instruction.opcode {
        Opcode::Movrs => return Some(Operation::Mov { lea_only: false }),
        Opcode::Imul => return Some(Operation::Imul),
        Opcode::Base(opcode) => opcode,
    };
    // A REX2 prefix must be the last one, and direct branches do not allow it.
    let may_branch = !matches!(instruction.prefix, Prefix::Rex2(_));
    match (opcode, instruction.reg) {
        // Padded with `addr32` in front, unless [`GotRelaxation::filled`] says otherwise.
        (0xff, 2) if may_branch => Some(Operation::Call { nop: 0x67, is_behind: false }),
        (0xff, 4) if may_branch => Some(Operation::Jmp),
        (0xff, 6) => Some(Operation::Push),
        (0x8b, _) => Some(Operation::Mov { lea_only: false }),
        (0x85, _) => Some(Operation::Immediate { opcode: 0xf7, extension: 0 }),
        _ if opcode & 0xc7 == 0x03 => Some(binop(opcode)),
        _ => None,
    }
}

/// The operation of an instruction of EVEX map 4: the same ones with a new destination (ND),
/// without flags (NF), or conditional (`ccmp`, `ctest`).
fn evex_operation(instruction: &Instruction) -> Option<Operation> {
    let to_new = instruction.prefix.has_new_destination();
    let opcode = match instruction.opcode {
        Opcode::Movrs => return Some(Operation::Mov { lea_only: false }),
        Opcode::Imul if to_new => return Some(Operation::ImulTo),
        Opcode::Imul => return Some(Operation::Imul),
        Opcode::Base(opcode) => opcode,
    };
    match opcode {
        0x85 if !to_new => Some(Operation::Immediate { opcode: 0xf7, extension: 0 }),
        // ccmp has no destination.
        0x3b if to_new => None,
        _ if opcode & 0xc7 == 0x03 => Some(binop(opcode)),
        // `binop %reg, foo@GOTPCREL(%rip), %new` has the memory operand on the left: only
        // commutative operations (add, or, adc, and, xor) can have it as the immediate on the
        // right.
        0x01 | 0x09 | 0x11 | 0x21 | 0x31 if to_new => Some(binop(opcode)),
        _ => None,
    }
}

/// `81 /n`, where n is in bits 3 to 5 of the opcode with a memory operand.
const fn binop(opcode: u8) -> Operation {
    Operation::Immediate { opcode: 0x81, extension: opcode >> 3 & 7 }
}

/// `imul $imm32, rm, reg`: opcode 69. The source is the old register; the destination is the same,
/// or the register that was in the V bits, which 69 does not have.
fn replace_imul(section: &mut [u8], r_offset: usize, relaxation: &GotRelaxation) {
    let instruction = &relaxation.instruction;
    let (prefix, destination) = match instruction.prefix.copying_reg_to_rm() {
        Prefix::Evex([p0, p1, p2]) if relaxation.operation == Operation::ImulTo => {
            // V4 and V3..V0 are stored inverted, like R4 and R3.
            let r3 = (p1 & 0x40) << 1;
            let r4 = (p2 & 0x08) << 1;
            let p0 = p0 & !0x90 | r3 | r4;
            let unused_v = Prefix::Evex([p0, p1 | 0x78, p2 & !0x10 | 0x08]);
            (unused_v, !p1 >> 3 & 7)
        }
        // The M bit of REX2 chose the map of 0f af.
        Prefix::Rex2(rex2) => (Prefix::Rex2(rex2 & 0x7f), instruction.reg),
        other => (other, instruction.reg),
    };
    let modrm = 0xc0 | destination << 3 | instruction.reg;
    instruction.replace(section, r_offset, prefix, 0x69, modrm);
}

#[cfg(test)]
mod tests;
