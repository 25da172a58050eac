//! Transitions between thread-local storage models in x32 (x86-64 psABI chapter 11, ILP32): the
//! sequences of 32-bit addresses that differ from those in [`super::tls`].
//!
//! The thread pointer is 32 bits wide, and GD has no padding in front of `lea`:
//!
//! | from | to LE                                      | to IE                                            |
//! |------|--------------------------------------------|--------------------------------------------------|
//! | GD   | `mov %fs:0, %eax; lea x@tpoff(%rax), %rax` | `mov %fs:0, %eax; add x@gottpoff(%rip), %rax`    |
//! | LD   | `nop; mov %fs:0, %eax`                     |                                                  |
//!
//! Initial-exec loads and descriptors may have 32-bit operands, and loads no REX prefix.

use super::instruction::Instruction;
use super::relax::RelaxedField;
use super::tls::{self, InitialExec, LEA_RDI, NextRelocation, Sequence, TlsCall};
use object::elf::{R_X86_64_GOTTPOFF, R_X86_64_TPOFF32};

/// `mov %fs:0, %eax`.
const MOV_FS0_EAX: [u8; 8] = [0x64, 0x8b, 0x04, 0x25, 0, 0, 0, 0];
/// `lea 0(%rax), %rax` with a 32-bit displacement, up to the field.
const LEA_RAX_RAX: [u8; 3] = [0x48, 0x8d, 0x80];
/// `add 0(%rip), %rax`, up to the field.
const ADD_RIP_RAX: [u8; 3] = [0x48, 0x03, 0x05];
/// `nopl 0(%rax)` and `nopl 0(%rax,%rax)`.
const NOP_4: [u8; 4] = [0x0f, 0x1f, 0x40, 0];
const NOP_5: [u8; 5] = [0x0f, 0x1f, 0x44, 0, 0];

/// Recognizes the general-dynamic sequence around the `R_X86_64_TLSGD` at `r_offset`:
///
/// ```text
/// 48 8d 3d <field>          lea x@tlsgd(%rip), %rdi
/// 66 66 48 e8 <call>        data16 data16 rex.W call __tls_get_addr@PLT
/// ```
/// with `66 48 67 e8` (addr32) or `66 48 ff 15` (indirect) as other calls.
pub fn general_dynamic(
    section: &[u8],
    r_offset: usize,
    addend: i64,
    next: Option<NextRelocation>,
) -> Option<TlsCall> {
    let (_, after) = tls::around_lea(section, r_offset, addend)?;
    let call = match *after {
        [0x66, 0x66, 0x48, 0xe8, _, _, _, _, ..] => TlsCall::Direct,
        [0x66, 0x48, 0x67, 0xe8, _, _, _, _, ..] => TlsCall::Addr32,
        [0x66, 0x48, 0xff, 0x15, _, _, _, _, ..] => TlsCall::Indirect,
        _ => return None,
    };
    tls::is_call(call, Sequence::General, r_offset, next).then_some(call)
}

/// Rewrites a general-dynamic sequence to local exec.
pub fn relax_gd_to_le(section: &mut [u8], r_offset: usize) -> RelaxedField {
    let field_offset = replace_general(section, r_offset, &LEA_RAX_RAX);
    RelaxedField { field_offset, r_type: R_X86_64_TPOFF32, addend: 0 }
}

/// Rewrites a general-dynamic sequence to initial exec.
pub fn relax_gd_to_ie(section: &mut [u8], r_offset: usize) -> RelaxedField {
    let field_offset = replace_general(section, r_offset, &ADD_RIP_RAX);
    RelaxedField { field_offset, r_type: R_X86_64_GOTTPOFF, addend: -4 }
}

/// Writes `mov %fs:0, %eax` and `last`, whose field's place it returns, over a GD sequence.
fn replace_general(section: &mut [u8], r_offset: usize, last: &[u8; 3]) -> usize {
    tls::put(section, r_offset - LEA_RDI.len(), &[&MOV_FS0_EAX, last]);
    r_offset + 8
}

/// Rewrites a local-dynamic sequence, which [`tls::local_dynamic`] has recognized, to local exec.
pub fn relax_ld_to_le(section: &mut [u8], r_offset: usize, call: TlsCall) {
    let nop: &[u8] = if call == TlsCall::Direct { &NOP_4 } else { &NOP_5 };
    tls::put(section, r_offset - LEA_RDI.len(), &[nop, &MOV_FS0_EAX]);
}

/// Recognizes the instruction of a `GOTTPOFF` relocation: as [`tls::initial_exec`], also with
/// 32-bit operands. Where an instruction without REX prefix begins is unknown, so a byte that can
/// be one counts as one, as in GNU ld.
pub fn initial_exec(
    section: &[u8],
    r_offset: usize,
    r_type: u32,
    addend: i64,
) -> Option<InitialExec> {
    if r_type != R_X86_64_GOTTPOFF {
        return tls::initial_exec(section, r_offset, r_type, addend);
    }
    let before = r_offset.checked_sub(3).and_then(|at| section.get(at));
    let length = if matches!(before, Some(0x44 | 0x48 | 0x4c)) { 3 } else { 2 };
    let instruction = Instruction::decode(section, r_offset, length)?;
    if addend == -4 { tls::load_of(instruction) } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;
    use object::elf::{R_X86_64_GOTPCRELX, R_X86_64_PLT32};

    fn bytes(text: &str) -> Vec<u8> {
        text.split_whitespace().map(|byte| u8::from_str_radix(byte, 16).unwrap()).collect()
    }

    fn next(r_offset: u64, r_type: u32) -> Option<NextRelocation> {
        Some(NextRelocation { r_offset, r_type })
    }

    #[test]
    fn general_dynamic_to_local_and_initial_exec() {
        for (call, r_type) in [
            ("66 66 48 e8 0 0 0 0", R_X86_64_PLT32),
            ("66 48 67 e8 0 0 0 0", R_X86_64_PLT32),
            ("66 48 ff 15 0 0 0 0", R_X86_64_GOTPCRELX),
        ] {
            let code = bytes(&format!("48 8d 3d 0 0 0 0 {call}"));
            assert!(general_dynamic(&code, 3, -4, next(11, r_type)).is_some());
            assert_eq!(general_dynamic(&code, 3, -4, next(12, r_type)), None);
            assert_eq!(general_dynamic(&code[..14], 3, -4, next(11, r_type)), None);
            let mut out = code.clone();
            let field = relax_gd_to_le(&mut out, 3);
            assert_eq!(out, bytes("64 8b 04 25 0 0 0 0 48 8d 80 0 0 0 0"));
            assert_eq!((field.field_offset, field.r_type), (11, R_X86_64_TPOFF32));
            let mut out = code;
            let field = relax_gd_to_ie(&mut out, 3);
            assert_eq!(out, bytes("64 8b 04 25 0 0 0 0 48 03 05 0 0 0 0"));
            assert_eq!((field.field_offset, field.r_type), (11, R_X86_64_GOTTPOFF));
        }
    }

    #[test]
    fn local_dynamic_to_local_exec() {
        let mut code = bytes("48 8d 3d 0 0 0 0 e8 0 0 0 0");
        let call = tls::local_dynamic(&code, 3, -4, next(8, R_X86_64_PLT32)).expect("known");
        relax_ld_to_le(&mut code, 3, call);
        assert_eq!(code, bytes("0f 1f 40 0 64 8b 04 25 0 0 0 0"));
        let mut code = bytes("48 8d 3d 0 0 0 0 ff 15 0 0 0 0");
        let call = tls::local_dynamic(&code, 3, -4, next(9, R_X86_64_GOTPCRELX)).expect("known");
        relax_ld_to_le(&mut code, 3, call);
        assert_eq!(code, bytes("0f 1f 44 0 0 64 8b 04 25 0 0 0 0"));
    }

    #[test]
    fn initial_exec_has_no_prefix_or_a_narrow_one() {
        for (code, expected) in [
            ("90 8b 05 0 0 0 0", "90 c7 c0 0 0 0 0"),
            ("44 8b 05 0 0 0 0", "41 c7 c0 0 0 0 0"),
            ("48 8b 05 0 0 0 0", "48 c7 c0 0 0 0 0"),
            ("90 03 0d 0 0 0 0", "90 81 c1 0 0 0 0"),
            ("44 03 0d 0 0 0 0", "45 8d 89 0 0 0 0"),
        ] {
            let mut code = bytes(code);
            let load = initial_exec(&code, 3, R_X86_64_GOTTPOFF, -4).expect("known");
            tls::relax_ie_to_le(&mut code, 3, &load);
            assert_eq!(code, bytes(expected));
        }
        let first = initial_exec(&bytes("8b 05 0 0 0 0"), 2, R_X86_64_GOTTPOFF, -4);
        assert!(first.is_some(), "nothing is before it");
        assert!(initial_exec(&bytes("90 8b 45 0 0 0 0"), 3, R_X86_64_GOTTPOFF, -4).is_none());
        assert!(initial_exec(&bytes("90 8b 05 0 0 0 0"), 3, R_X86_64_GOTTPOFF, 0).is_none());
    }
}
