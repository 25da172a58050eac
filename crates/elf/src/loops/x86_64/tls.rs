//! Transitions between thread-local storage models: the code transition tables of psABI chapter 11
//! (LP64), U. Drepper, "ELF Handling For Thread-Local Storage", and A. Oliva's "Thread-Local
//! Storage Descriptors".
//!
//! A compiler that does not know where a thread-local variable will live calls `__tls_get_addr`
//! (general or local dynamic), calls through a descriptor (TLSDESC), or loads an offset from the
//! GOT (initial exec). A linker that knows where the variable is rewrites the sequence in place:
//!
//! | from    | to LE: the offset is known now            | to IE: known when the program is loaded |
//! |---------|-------------------------------------------|-----------------------------------------|
//! | GD      | `mov %fs:0, %rax; lea x@tpoff(%rax), %rax`| `mov %fs:0, %rax; add x@gottpoff(%rip), %rax` |
//! | LD      | `mov %fs:0, %rax`                         |                                         |
//! | TLSDESC | `mov $x@tpoff, %reg`; `nop`               | `mov x@gottpoff(%rip), %reg`; `nop`     |
//! | IE      | `mov $x@tpoff, %reg` or `lea`, `add`      |                                         |
//!
//! Each transition is a pair. A recognizer looks at the original bytes and returns what it found or
//! `None`. A rewriter changes the output's copy of those bytes and returns the [`RelaxedField`]
//! that the caller still has to write. Nothing is rewritten that was not recognized: on `None` the
//! caller keeps the GOT form or, where there is none, reports the text of
//! [`howto::required_tls_sequence`](crate::machine::x86_64::howto::required_tls_sequence).
//!
//! GD and LD sequences own the call after them: the caller skips [`FOLLOWING`] relocations after a
//! rewrite. The caller has to check that the skipped one names `__tls_get_addr`.
//!
//! Two transitions affect code beyond their own bytes, so a section must have them for all
//! sequences or for none:
//! - after LD to LE, `%rax` holds the thread pointer and not the module's block, so every
//!   `x@dtpoff` of the section's code must be computed as `x@tpoff`;
//! - after TLSDESC to IE or LE, the descriptor's call must become a nop ([`descriptor_call`]),
//!   though the `lea` is another relocation's.

use object::elf::{
    R_X86_64_GOTPC32_TLSDESC, R_X86_64_GOTPCREL, R_X86_64_GOTPCRELX, R_X86_64_GOTTPOFF,
    R_X86_64_PC32, R_X86_64_PLT32, R_X86_64_PLTOFF64, R_X86_64_REX_GOTPCRELX, R_X86_64_TPOFF32,
};

use super::instruction::{Instruction, Opcode, Prefix};
use super::relax::RelaxedField;
use crate::machine::x86_64::howto::{
    R_X86_64_CODE_4_GOTPC32_TLSDESC, R_X86_64_CODE_4_GOTTPOFF, R_X86_64_CODE_5_GOTTPOFF,
    R_X86_64_CODE_6_GOTTPOFF, R_X86_64_PLT32_BND,
};

/// How many relocations after the one of a GD or LD `lea` belong to the same sequence: that of the
/// call.
pub const FOLLOWING: usize = 1;

/// The relocation after the one in question, which GD and LD sequences end with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NextRelocation {
    /// Offset in the section.
    pub r_offset: u64,
    /// `R_X86_64_*`.
    pub r_type: u32,
}

/// The call to `__tls_get_addr` that ends a GD or LD sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TlsCall {
    /// `call __tls_get_addr@PLT`.
    Direct,
    /// `addr32 call __tls_get_addr`, which `-r` or an earlier rewrite leaves.
    Addr32,
    /// `call *__tls_get_addr@GOTPCREL(%rip)`: `-fno-plt`.
    Indirect,
    /// `movabs $__tls_get_addr@pltoff, %rax; add %reg, %rax; call *%rax`: `-mcmodel=large -fpic`.
    Large,
}

impl TlsCall {
    /// Offset of the call's relocation from the end of the `lea`.
    const fn field_after_lea(self, sequence: Sequence) -> usize {
        match (self, sequence) {
            (TlsCall::Large, _) => 2,
            (_, Sequence::General) => 4,
            (TlsCall::Direct, Sequence::Local) => 1,
            (TlsCall::Addr32 | TlsCall::Indirect, Sequence::Local) => 2,
        }
    }

    /// Whether the call is relocated with `r_type`.
    const fn has_type(self, r_type: u32) -> bool {
        match self {
            TlsCall::Direct | TlsCall::Addr32 => {
                matches!(r_type, R_X86_64_PLT32 | R_X86_64_PC32 | R_X86_64_PLT32_BND)
            }
            TlsCall::Indirect => {
                matches!(r_type, R_X86_64_GOTPCREL | R_X86_64_GOTPCRELX | R_X86_64_REX_GOTPCRELX)
            }
            TlsCall::Large => r_type == R_X86_64_PLTOFF64,
        }
    }
}

/// A sequence with a call of `__tls_get_addr`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Sequence {
    General,
    Local,
}

/// `lea x@tls..(%rip), %rdi`, up to the field.
pub(super) const LEA_RDI: [u8; 3] = [0x48, 0x8d, 0x3d];
/// `mov %fs:0, %rax`.
const MOV_FS0_RAX: [u8; 9] = [0x64, 0x48, 0x8b, 0x04, 0x25, 0, 0, 0, 0];
/// `lea 0(%rax), %rax` with a 32-bit displacement.
const LEA_RAX_RAX: [u8; 7] = [0x48, 0x8d, 0x80, 0, 0, 0, 0];
/// `add 0(%rip), %rax`.
const ADD_RIP_RAX: [u8; 7] = [0x48, 0x03, 0x05, 0, 0, 0, 0];
/// `nopw 0(%rax,%rax)`, 6 bytes.
const NOP_6: [u8; 6] = [0x66, 0x0f, 0x1f, 0x44, 0, 0];
/// `data16 data16 data16 cs nopw 0(%rax,%rax)`, 13 bytes.
const NOP_13: [u8; 13] = [0x66, 0x66, 0x66, 0x66, 0x2e, 0x0f, 0x1f, 0x84, 0, 0, 0, 0, 0];

/// Recognizes the general-dynamic sequence around the `R_X86_64_TLSGD` at `r_offset`:
///
/// ```text
/// 66 48 8d 3d <field>       data16 lea x@tlsgd(%rip), %rdi
/// 66 66 48 e8 <call>        data16 data16 rex.W call __tls_get_addr@PLT
/// ```
/// with `66 48 67 e8` (addr32) or `66 48 ff 15` (indirect) as other calls, or
/// ```text
/// 48 8d 3d <field>          lea x@tlsgd(%rip), %rdi
/// 48 b8 <call, 8 bytes>     movabs $__tls_get_addr@pltoff, %rax
/// REX 01 ..                 add %reg, %rax        (the GOT pointer: %rbx or %r15)
/// ff d0                     call *%rax
/// ```
pub fn general_dynamic(
    section: &[u8],
    r_offset: usize,
    addend: i64,
    next: Option<NextRelocation>,
) -> Option<TlsCall> {
    let (before, after) = around_lea(section, r_offset, addend)?;
    let call = match *after {
        [0x66, 0x66, 0x48, 0xe8, _, _, _, _, ..] => TlsCall::Direct,
        [0x66, 0x48, 0x67, 0xe8, _, _, _, _, ..] => TlsCall::Addr32,
        [0x66, 0x48, 0xff, 0x15, _, _, _, _, ..] => TlsCall::Indirect,
        _ if is_large_call(after) => TlsCall::Large,
        _ => return None,
    };
    // The short forms need the byte of the data16 prefix.
    let padded = call == TlsCall::Large || before.last() == Some(&0x66);
    (padded && is_call(call, Sequence::General, r_offset, next)).then_some(call)
}

/// Recognizes the local-dynamic sequence around the `R_X86_64_TLSLD` at `r_offset`:
///
/// ```text
/// 48 8d 3d <field>          lea x@tlsld(%rip), %rdi
/// e8 <call>                 call __tls_get_addr@PLT
/// ```
/// with `67 e8` (addr32), `ff 15` (indirect) or the large model's call (see [`general_dynamic`]).
pub fn local_dynamic(
    section: &[u8],
    r_offset: usize,
    addend: i64,
    next: Option<NextRelocation>,
) -> Option<TlsCall> {
    let (_, after) = around_lea(section, r_offset, addend)?;
    let call = match *after {
        [0xe8, _, _, _, _, ..] => TlsCall::Direct,
        [0x67, 0xe8, _, _, _, _, ..] => TlsCall::Addr32,
        [0xff, 0x15, _, _, _, _, ..] => TlsCall::Indirect,
        _ if is_large_call(after) => TlsCall::Large,
        _ => return None,
    };
    is_call(call, Sequence::Local, r_offset, next).then_some(call)
}

/// Rewrites a general-dynamic sequence to local exec:
/// `mov %fs:0, %rax; lea x@tpoff(%rax), %rax`, and a nop in the large model.
pub fn relax_gd_to_le(section: &mut [u8], r_offset: usize, call: TlsCall) -> RelaxedField {
    let field_offset = replace_general(section, r_offset, call, &LEA_RAX_RAX);
    RelaxedField { field_offset, r_type: R_X86_64_TPOFF32, addend: 0 }
}

/// Rewrites a general-dynamic sequence to initial exec:
/// `mov %fs:0, %rax; add x@gottpoff(%rip), %rax`, and a nop in the large model.
pub fn relax_gd_to_ie(section: &mut [u8], r_offset: usize, call: TlsCall) -> RelaxedField {
    let field_offset = replace_general(section, r_offset, call, &ADD_RIP_RAX);
    RelaxedField { field_offset, r_type: R_X86_64_GOTTPOFF, addend: -4 }
}

/// Rewrites a local-dynamic sequence to local exec: `mov %fs:0, %rax`, with padding before it.
/// There is no field left to write; `x@dtpoff` in the section's code is `x@tpoff` from now on.
pub fn relax_ld_to_le(section: &mut [u8], r_offset: usize, call: TlsCall) {
    let start = r_offset - LEA_RDI.len();
    match call {
        TlsCall::Direct => put(section, start, &[&[0x66; 3], &MOV_FS0_RAX]),
        TlsCall::Addr32 | TlsCall::Indirect => put(section, start, &[&[0x66; 4], &MOV_FS0_RAX]),
        TlsCall::Large => put(section, start, &[&NOP_13, &MOV_FS0_RAX]),
    }
}

/// An initial-exec load that can become local exec.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InitialExec {
    instruction: Instruction,
    operation: InitialExecOperation,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum InitialExecOperation {
    Mov,
    /// `add`, to be written as `lea`, which keeps the flags. Not for `%rsp` and `%r12`, whose `lea`
    /// needs a SIB byte.
    Lea,
    /// `add`, to be written with an immediate.
    Add,
}

/// Recognizes the instruction of a `GOTTPOFF` relocation (plain or `CODE_n`): 64-bit `mov` or `add`
/// of `x@gottpoff(%rip)` to a register, `movrs`, or APX's three-operand `add`.
pub fn initial_exec(
    section: &[u8],
    r_offset: usize,
    r_type: u32,
    addend: i64,
) -> Option<InitialExec> {
    let length = match r_type {
        R_X86_64_GOTTPOFF => 3,
        R_X86_64_CODE_4_GOTTPOFF => 4,
        R_X86_64_CODE_5_GOTTPOFF => 5,
        R_X86_64_CODE_6_GOTTPOFF => 6,
        _ => return None,
    };
    let instruction = Instruction::decode(section, r_offset, length)?;
    if addend != -4 || !instruction.prefix.is_wide() {
        return None;
    }
    load_of(instruction)
}

/// The initial-exec load that an instruction is, of whatever width.
pub(super) fn load_of(instruction: Instruction) -> Option<InitialExec> {
    let is_evex = matches!(instruction.prefix, Prefix::Evex(_));
    let operation = match instruction.opcode {
        Opcode::Movrs => InitialExecOperation::Mov,
        Opcode::Base(0x8b) => InitialExecOperation::Mov,
        Opcode::Base(0x03) => match instruction.prefix {
            Prefix::Rex(_) if instruction.reg != 4 => InitialExecOperation::Lea,
            _ => InitialExecOperation::Add,
        },
        // add %reg, x@gottpoff(%rip), %new: adding is commutative.
        Opcode::Base(0x01) if is_evex && instruction.prefix.has_new_destination() => {
            InitialExecOperation::Add
        }
        _ => return None,
    };
    Some(InitialExec { instruction, operation })
}

/// Rewrites an initial-exec load to local exec: `mov $x@tpoff, %reg`, `lea x@tpoff(%reg), %reg` or
/// `add $x@tpoff, %reg`.
pub fn relax_ie_to_le(section: &mut [u8], r_offset: usize, load: &InitialExec) -> RelaxedField {
    let instruction = &load.instruction;
    match load.operation {
        InitialExecOperation::Mov => instruction.replace_with_mov_immediate(section, r_offset),
        InitialExecOperation::Add => {
            instruction.replace_with_immediate(section, r_offset, 0x81, 0);
        }
        InitialExecOperation::Lea => {
            let modrm = 0x80 | instruction.reg << 3 | instruction.reg;
            let prefix = instruction.prefix.copying_reg_to_rm();
            instruction.replace(section, r_offset, prefix, 0x8d, modrm);
        }
    }
    RelaxedField { field_offset: r_offset, r_type: R_X86_64_TPOFF32, addend: 0 }
}

/// The `lea` of a TLS descriptor's address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DescriptorLea(Instruction);

/// Recognizes the instruction of a `GOTPC32_TLSDESC` relocation (plain or `CODE_4`):
/// `lea x@tlsdesc(%rip), %reg` with a 64-bit register,
/// or in x32 (`is_narrow`) with a 32-bit one. LLVM does not always use `%rax`.
pub fn descriptor_lea(
    section: &[u8],
    r_offset: usize,
    r_type: u32,
    addend: i64,
    is_narrow: bool,
) -> Option<DescriptorLea> {
    let length = match r_type {
        R_X86_64_GOTPC32_TLSDESC => 3,
        R_X86_64_CODE_4_GOTPC32_TLSDESC => 4,
        _ => return None,
    };
    let instruction = Instruction::decode(section, r_offset, length)?;
    let is_lea = instruction.opcode == Opcode::Base(0x8d);
    let is_lea = is_lea && (is_narrow || instruction.prefix.is_wide());
    (is_lea && addend == -4).then_some(DescriptorLea(instruction))
}

/// Rewrites a descriptor's `lea` to local exec: `mov $x@tpoff, %reg`.
pub fn relax_descriptor_to_le(
    section: &mut [u8],
    r_offset: usize,
    lea: &DescriptorLea,
) -> RelaxedField {
    lea.0.replace_with_mov_immediate(section, r_offset);
    RelaxedField { field_offset: r_offset, r_type: R_X86_64_TPOFF32, addend: 0 }
}

/// Rewrites a descriptor's `lea` to initial exec: `mov x@gottpoff(%rip), %reg`.
pub fn relax_descriptor_to_ie(
    section: &mut [u8],
    r_offset: usize,
    lea: &DescriptorLea,
) -> RelaxedField {
    lea.0.replace_keeping_operand(section, r_offset, 0x8b);
    RelaxedField { field_offset: r_offset, r_type: R_X86_64_GOTTPOFF, addend: -4 }
}

/// The call through a TLS descriptor, with its size in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DescriptorCall(u8);

/// Recognizes the instruction at the place of an `R_X86_64_TLSDESC_CALL`: `call *(%rax)`, also with
/// an addr32 prefix, or through another register that holds the descriptor's address.
pub fn descriptor_call(section: &[u8], r_offset: usize) -> Option<DescriptorCall> {
    let (size, modrm) = match *section.get(r_offset..)? {
        [0xff, modrm, ..] => (2, modrm),
        [0x67 | 0x41, 0xff, modrm, ..] => (3, modrm),
        _ => return None,
    };
    // mod=00, /2; rm=100 and 101 are SIB and disp32.
    let is_call = modrm & 0xf8 == 0x10 && !matches!(modrm & 7, 4 | 5);
    is_call.then_some(DescriptorCall(size))
}

/// Rewrites the call through a descriptor to a nop: the offset is already in `%rax`.
pub fn relax_descriptor_call(section: &mut [u8], r_offset: usize, call: DescriptorCall) {
    match call.0 {
        2 => put(section, r_offset, &[&[0x66, 0x90]]),
        _ => put(section, r_offset, &[&[0x0f, 0x1f, 0x00]]),
    }
}

/// The bytes before and after `lea x(%rip), %rdi`, whose field is at `r_offset`.
pub(super) fn around_lea(section: &[u8], r_offset: usize, addend: i64) -> Option<(&[u8], &[u8])> {
    let after = section.get(r_offset.checked_add(4)?..)?;
    let before = section[..r_offset].strip_suffix(&LEA_RDI)?;
    (addend == -4).then_some((before, after))
}

/// Whether `code` starts with the large model's call.
fn is_large_call(code: &[u8]) -> bool {
    let [0x48, 0xb8, rest @ ..] = code else { return false };
    // REX.W, with R for %r8 to %r15; the destination is %rax.
    matches!(rest.get(8..13), Some([0x48 | 0x4c, 0x01, modrm, 0xff, 0xd0]) if modrm & 0xc7 == 0xc0)
}

/// Whether `next` is the relocation of `call`.
pub(super) fn is_call(
    call: TlsCall,
    sequence: Sequence,
    r_offset: usize,
    next: Option<NextRelocation>,
) -> bool {
    let place = r_offset + 4 + call.field_after_lea(sequence);
    next.is_some_and(|next| next.r_offset == place as u64 && call.has_type(next.r_type))
}

/// Writes `mov %fs:0, %rax` and `last`, whose field's place it returns, over a GD sequence.
fn replace_general(section: &mut [u8], r_offset: usize, call: TlsCall, last: &[u8; 7]) -> usize {
    let large = call == TlsCall::Large;
    let start = r_offset - LEA_RDI.len() - usize::from(!large);
    let padding: &[u8] = if large { &NOP_6 } else { &[] };
    put(section, start, &[&MOV_FS0_RAX, last, padding]);
    start + MOV_FS0_RAX.len() + 3
}

/// Writes `parts`, one after the other, at `offset`.
pub(super) fn put(section: &mut [u8], offset: usize, parts: &[&[u8]]) {
    let mut place = &mut section[offset..];
    for part in parts {
        let (head, tail) = place.split_at_mut(part.len());
        head.copy_from_slice(part);
        place = tail;
    }
}

#[cfg(test)]
mod tests;
