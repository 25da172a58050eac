//! Transitions between thread-local storage models (U. Drepper, "ELF Handling For Thread-Local
//! Storage", 5.5; A. Oliva, "Thread-Local Storage Descriptors"; i386 psABI).
//!
//! i386 has two dialects. GNU's adds an offset to the thread pointer (`@ntpoff`, `@gotntpoff`,
//! `@indntpoff`), Sun's subtracts one (`@tpoff`, `@gottpoff`): the numbers are negatives of each
//! other, and a variable may have a GOT word of each kind.
//!
//! | from    | to LE: the offset is known now              | to IE: known when the program is loaded      |
//! |---------|---------------------------------------------|----------------------------------------------|
//! | GD      | `mov %gs:0, %eax; sub $x@tpoff, %eax`       | `mov %gs:0, %eax; add x@gotntpoff(%reg), %eax` |
//! | LD      | `mov %gs:0, %eax; nop`                      |                                              |
//! | TLSDESC | `lea x@ntpoff, %reg`; `nop`                 | `mov x@gotntpoff(%reg), %reg2`; `nop`        |
//! | IE      | `mov`, `add` or `sub` of an immediate       |                                              |
//!
//! As for x86-64, a recognizer looks at the original bytes, and a rewriter changes the output's
//! copy. GD and LD sequences own the call after them: the caller skips [`FOLLOWING`] relocations.

use crate::format::elf::Rela;
use object::elf::{
    R_386_GOT32, R_386_GOT32X, R_386_PC32, R_386_PLT32, R_386_TLS_GOTIE, R_386_TLS_IE,
    R_386_TLS_IE_32,
};

/// How many relocations after the one of a GD or LD `lea` belong to the same sequence: that of the
/// call.
pub const FOLLOWING: usize = 1;

/// `mov %gs:0, %eax`.
const MOV_GS0_EAX: [u8; 6] = [0x65, 0xa1, 0, 0, 0, 0];
/// `nop; lea 0(%esi), %esi` with a SIB byte and 8 bits.
const NOP_5: [u8; 5] = [0x90, 0x8d, 0x74, 0x26, 0];
/// `lea 0(%esi), %esi` with 32 bits.
const NOP_6: [u8; 6] = [0x8d, 0xb6, 0, 0, 0, 0];

/// A sequence that ends with a call of `___tls_get_addr`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sequence {
    /// Bytes of it before the field of `lea`.
    before: usize,
    /// All bytes.
    size: usize,
    /// The register with the address of the GOT.
    base: u8,
}

/// Recognizes the general-dynamic sequence around the `R_386_TLS_GD` of `reloc`:
///
/// ```text
/// 8d 04 1d <field>          lea x@tlsgd(,%ebx,1), %eax
/// e8 <call>                 call ___tls_get_addr@PLT
/// ```
/// or
/// ```text
/// 8d 83 <field>             lea x@tlsgd(%ebx), %eax
/// e8 <call> 90              call ___tls_get_addr@PLT; nop
/// ```
/// or, with any register but %eax and %esp,
/// ```text
/// 8d 8r <field>             lea x@tlsgd(%reg), %eax
/// ff 9r <call>              call *___tls_get_addr@GOT(%reg)
/// ```
/// with `67 e8` (addr32) as the call, which a rewrite of the indirect one leaves.
pub fn general_dynamic(section: &[u8], reloc: &Rela, next: Option<&Rela>) -> Option<Sequence> {
    let (before, after) = around(section, reloc)?;
    if let [.., 0x8d, 0x04, 0x1d] = before {
        let is_called = after.first() == Some(&0xe8) && is_call(reloc, next, 1, is_direct);
        let sequence = Sequence { before: 3, size: 12, base: 3 };
        return (is_called && after.len() >= 5).then_some(sequence);
    }
    let base = base_of_lea(before)?;
    let size = match *after {
        [0xe8, _, _, _, _, 0x90, ..] if base == 3 && is_call(reloc, next, 1, is_direct) => 12,
        _ => called_longer(after, base, reloc, next)?,
    };
    Some(Sequence { before: 2, size, base })
}

/// Recognizes the local-dynamic sequence around the `R_386_TLS_LDM` of `reloc`: as the second and
/// the third form of [`general_dynamic`], without the `nop`.
pub fn local_dynamic(section: &[u8], reloc: &Rela, next: Option<&Rela>) -> Option<Sequence> {
    let (before, after) = around(section, reloc)?;
    let base = base_of_lea(before)?;
    let size = match *after {
        [0xe8, _, _, _, _, ..] if base == 3 && is_call(reloc, next, 1, is_direct) => 11,
        _ => called_longer(after, base, reloc, next)?,
    };
    Some(Sequence { before: 2, size, base })
}

/// Bytes of a sequence with a call of six bytes behind `lea`.
fn called_longer(after: &[u8], base: u8, reloc: &Rela, next: Option<&Rela>) -> Option<usize> {
    let is_indirect = |r_type| matches!(r_type, R_386_GOT32 | R_386_GOT32X);
    let is_called = match *after {
        [0x67, 0xe8, _, _, _, _, ..] => is_call(reloc, next, 2, is_direct),
        [0xff, modrm, _, _, _, _, ..] => {
            modrm == 0x90 | base && is_call(reloc, next, 2, is_indirect)
        }
        _ => false,
    };
    is_called.then_some(12)
}

/// Whether a type is that of a direct call.
fn is_direct(r_type: u32) -> bool {
    matches!(r_type, R_386_PLT32 | R_386_PC32)
}

/// Whether `next` is the relocation of the call: so many bytes behind the field of `lea`.
fn is_call(reloc: &Rela, next: Option<&Rela>, bytes: u64, has_type: fn(u32) -> bool) -> bool {
    let place = reloc.r_offset().wrapping_add(4 + bytes);
    next.is_some_and(|next| next.r_offset() == place && has_type(next.r_type()))
}

/// The bytes before and after the field of `reloc`, which has no addend.
fn around<'a>(section: &'a [u8], reloc: &Rela) -> Option<(&'a [u8], &'a [u8])> {
    let r_offset = usize::try_from(reloc.r_offset()).ok()?;
    let after = section.get(r_offset.checked_add(4)?..)?;
    (reloc.r_addend() == 0).then_some((&section[..r_offset], after))
}

/// The base register of `lea disp32(%reg), %eax` up to the field. The call is given %eax, and %esp
/// needs another byte.
fn base_of_lea(before: &[u8]) -> Option<u8> {
    let [.., 0x8d, modrm] = before else { return None };
    let base = modrm & 7;
    (modrm & 0xf8 == 0x80 && base != 0 && base != 4).then_some(base)
}

impl Sequence {
    /// Where the sequence is in the output's copy, whose field of `lea` is at `at`.
    fn place(self, out: &mut [u8], at: usize) -> Option<&mut [u8]> {
        let start = at.checked_sub(self.before)?;
        out.get_mut(start..start.checked_add(self.size)?)
    }

    /// Rewrites a general-dynamic sequence to local exec: `mov %gs:0, %eax; sub $x@tpoff, %eax`.
    /// `offset` is what the thread pointer is behind the variable.
    pub fn to_local_exec(self, out: &mut [u8], at: usize, offset: u32) -> Option<()> {
        self.put_general(out, at, [0x81, 0xe8], offset)
    }

    /// Rewrites a general-dynamic sequence to initial exec: `mov %gs:0, %eax; add
    /// x@gotntpoff(%reg), %eax`. `offset` is that of the GOT word from the GOT.
    pub fn to_initial_exec(self, out: &mut [u8], at: usize, offset: u32) -> Option<()> {
        self.put_general(out, at, [0x03, 0x80 | self.base], offset)
    }

    fn put_general(self, out: &mut [u8], at: usize, code: [u8; 2], field: u32) -> Option<()> {
        let place = self.place(out, at)?;
        place[..6].copy_from_slice(&MOV_GS0_EAX);
        place[6..8].copy_from_slice(&code);
        place[8..12].copy_from_slice(&field.to_le_bytes());
        Some(())
    }

    /// Rewrites a local-dynamic sequence to local exec. `x@dtpoff` in the section's code is
    /// `x@ntpoff` from now on.
    pub fn without_module(self, out: &mut [u8], at: usize) -> Option<()> {
        let place = self.place(out, at)?;
        place[..6].copy_from_slice(&MOV_GS0_EAX);
        let nop: &[u8] = if self.size == 11 { &NOP_5 } else { &NOP_6 };
        place[6..].copy_from_slice(nop);
        Some(())
    }
}

/// An initial-exec instruction that can become local exec: what takes the place of its bytes before
/// the field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InitialExec {
    /// `mov $x, %eax`, one byte.
    Short(u8),
    /// `mov`, `add` or `sub` of an immediate, two bytes.
    Long([u8; 2]),
}

/// Recognizes the instruction of a load of an offset from the GOT: `mov`, `add` or `sub` to a
/// register, from an address (`R_386_TLS_IE`) or behind a base register (`R_386_TLS_GOTIE` and, for
/// Sun's offsets, `R_386_TLS_IE_32`).
pub fn initial_exec(section: &[u8], reloc: &Rela) -> Option<InitialExec> {
    let (before, _) = around(section, reloc)?;
    let has_address = reloc.r_type() == R_386_TLS_IE;
    if has_address && before.last() == Some(&0xa1) {
        return Some(InitialExec::Short(0xb8));
    }
    let [.., opcode, modrm] = *before else { return None };
    let is_right = match reloc.r_type() {
        R_386_TLS_IE => modrm & 0xc7 == 0x05,
        R_386_TLS_GOTIE | R_386_TLS_IE_32 => modrm & 0xc0 == 0x80 && modrm & 7 != 4,
        _ => false,
    };
    let reg = modrm >> 3 & 7;
    let start = match opcode {
        0x8b => [0xc7, 0xc0 | reg],
        0x03 => [0x81, 0xc0 | reg],
        0x2b if !has_address => [0x81, 0xe8 | reg],
        _ => return None,
    };
    is_right.then_some(InitialExec::Long(start))
}

impl InitialExec {
    /// Rewrites the instruction whose field is at `at` of the output's copy, with `offset` as its
    /// immediate.
    pub fn to_local_exec(self, out: &mut [u8], at: usize, offset: u32) -> Option<()> {
        let end = at.checked_add(4)?;
        match self {
            InitialExec::Short(opcode) => out.get_mut(at.checked_sub(1)?..end)?[0] = opcode,
            InitialExec::Long(start) => {
                out.get_mut(at.checked_sub(2)?..end)?[..2].copy_from_slice(&start);
            }
        }
        out[at..end].copy_from_slice(&offset.to_le_bytes());
        Some(())
    }
}

/// Whether the field of an `R_386_TLS_GOTDESC` is that of `lea x@tlsdesc(%reg), %reg2`.
pub fn is_descriptor_lea(section: &[u8], reloc: &Rela) -> bool {
    let found = around(section, reloc);
    let Some(([.., 0x8d, modrm], _)) = found else { return false };
    modrm & 0xc0 == 0x80 && modrm & 7 != 4
}

/// Rewrites a descriptor's `lea` to local exec: `lea x@ntpoff, %reg2`.
pub fn descriptor_to_local_exec(out: &mut [u8], at: usize, offset: u32) -> Option<()> {
    let code = out.get_mut(at.checked_sub(2)?..at.checked_add(4)?)?;
    // An address without base register.
    code[1] = 0x05 | code[1] & 0x38;
    code[2..].copy_from_slice(&offset.to_le_bytes());
    Some(())
}

/// Rewrites a descriptor's `lea` to initial exec: `mov x@gotntpoff(%reg), %reg2`.
pub fn descriptor_to_initial_exec(out: &mut [u8], at: usize, offset: u32) -> Option<()> {
    let code = out.get_mut(at.checked_sub(2)?..at.checked_add(4)?)?;
    code[0] = 0x8b;
    code[2..].copy_from_slice(&offset.to_le_bytes());
    Some(())
}

/// Whether the instruction at the place of an `R_386_TLS_DESC_CALL` is a call through a register.
pub fn is_descriptor_call(section: &[u8], r_offset: usize) -> bool {
    let Some([0xff, modrm, ..]) = section.get(r_offset..) else { return false };
    // mod=00, /2; rm=100 and 101 are SIB and disp32.
    modrm & 0xf8 == 0x10 && !matches!(modrm & 7, 4 | 5)
}

/// Rewrites the call through a descriptor to a nop: the offset is already in %eax.
pub fn without_descriptor_call(out: &mut [u8], at: usize) -> Option<()> {
    out.get_mut(at..at.checked_add(2)?)?.copy_from_slice(&[0x66, 0x90]);
    Some(())
}

#[cfg(test)]
mod tests;
