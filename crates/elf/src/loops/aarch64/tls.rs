//! TLS sequences that are rewritten ("ELF for the Arm 64-bit Architecture", "Thread Local
//! Storage").
//!
//! Every instruction is rewritten at its own relocation, by what the symbol and the output are, so
//! that it does not matter what compilers put between them.
//!
//! | from                                     | initial exec                        | local exec            |
//! |------------------------------------------|-------------------------------------|-----------------------|
//! | `adrp x0, :tlsdesc:v`                    | `adrp x0, :gottprel:v`              | `movz x0, #tprel_g1`  |
//! | `ldr x1, [x0, :tlsdesc_lo12:v]`          | `ldr x0, [x0, :gottprel_lo12:v]`    | `movk x0, #tprel_g0`  |
//! | `add x0, x0, :tlsdesc_lo12:v`            | `nop`                               | `nop`                 |
//! | `blr x1`                                 | `nop`                               | `nop`                 |
//! | tiny: `ldr x1, :tlsdesc:v`               | `ldr x0, :gottprel:v`               | `movz x0, #tprel_g1`  |
//! | tiny: `adr x0, :tlsdesc:v`               | `nop`                               | `movk x0, #tprel_g0`  |
//! | large: `movz x0, #:tlsdesc_off_g1:v`     | `movz x0, #:gottprel_g1:v`          | `movz x0, #tprel_g1`  |
//! | large: `movk x0, #:tlsdesc_off_g0_nc:v`  | `movk x0, #:gottprel_g0_nc:v`       | `movk x0, #tprel_g0`  |
//! | large: `ldr x1, [xn, x0]`                | `ldr x0, [xn, x0]`                  | `nop`                 |
//! | large: `add x0, xn, x0`                  | `nop`                               | `nop`                 |
//! | `adrp xn, :gottprel:v`                   |                                     | `movz xn, #tprel_g1`  |
//! | `ldr xt, [xn, :gottprel_lo12:v]`         |                                     | `movk xt, #tprel_g0`  |
//!
//! Descriptors of signed pointers have no other model ("PAuth ABI Extension to ELF"), but where
//! nothing defines the variable, the offset makes its address null:
//!
//! | from                                     | to                   |
//! |------------------------------------------|----------------------|
//! | `adrp x0, :tlsdesc_auth:v`               | `mrs x0, tpidr_el0`  |
//! | `ldr x16, [x0, :tlsdesc_auth_lo12:v]`    | `neg x0, x0`         |
//! | `add x0, x0, :tlsdesc_auth_lo12:v`       | `nop`                |
//! | `blraa x16, x0`                          | `nop`                |
//!
//! Not all objects have a relocation for the call, so the four must be together, as compilers put
//! them.

use super::instruction::{self, Form, LSL_16, NOP, mov, rd, rm, rn};
use crate::loops::tls_model::TlsModel;
use crate::machine::aarch64::howto::*;

/// What the field of a rewritten instruction holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operand {
    /// Nothing: the instruction is complete.
    Nothing,
    /// The offset from the thread pointer.
    ThreadOffset,
    /// The distance of this module's TLS block from the thread pointer.
    Block,
    /// The GOT word with that offset, in the form that the relocation type says.
    Slot,
}

/// An instruction that takes the place of another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rewritten {
    /// The instruction, with zeros in the field.
    pub word: u32,
    /// The relocation type that the instruction would have: it says what the field is.
    pub r_type: u32,
    /// What the field holds.
    pub operand: Operand,
}

const fn complete(word: u32) -> Option<Rewritten> {
    Some(Rewritten { word, r_type: R_AARCH64_NONE, operand: Operand::Nothing })
}

const fn with(word: u32, r_type: u32, operand: Operand) -> Option<Rewritten> {
    Some(Rewritten { word, r_type, operand })
}

/// `movz xd, #0, lsl #16`, with the upper half of the offset from the thread pointer.
const fn upper(rd: u32) -> Option<Rewritten> {
    let word = Form::MOVZ.to(rd) | LSL_16;
    with(word, R_AARCH64_TLSLE_MOVW_TPREL_G1, Operand::ThreadOffset)
}

/// `movk xd, #0`, with the lower half.
const fn lower(rd: u32) -> Option<Rewritten> {
    with(Form::MOVK.to(rd), R_AARCH64_TLSLE_MOVW_TPREL_G0_NC, Operand::ThreadOffset)
}

/// What `word`, an instruction of a descriptor's sequence with a relocation of type `r_type`, is
/// rewritten to for `model`; `None` if it is not an instruction of that type.
pub const fn descriptor(r_type: u32, word: u32, model: TlsModel) -> Option<Rewritten> {
    match r_type {
        R_AARCH64_TLSDESC_ADR_PAGE21 if Form::ADRP.is(word) => match model {
            TlsModel::LocalExec => upper(rd(word)),
            _ => with(Form::ADRP.to(rd(word)), R_AARCH64_TLSIE_ADR_GOTTPREL_PAGE21, Operand::Slot),
        },
        R_AARCH64_TLSDESC_LD64_LO12 if Form::LDR.is(word) => match model {
            TlsModel::LocalExec => lower(rn(word)),
            _ => with(
                Form::LDR.to(rn(word)) | rn(word) << 5,
                R_AARCH64_TLSIE_LD64_GOTTPREL_LO12_NC,
                Operand::Slot,
            ),
        },
        R_AARCH64_TLSDESC_ADD_LO12 if Form::ADD.is(word) => complete(mov(rd(word), rn(word))),
        R_AARCH64_TLSDESC_LD_PREL19 if Form::LDR_LITERAL.is(word) => match model {
            TlsModel::LocalExec => upper(0),
            _ => with(Form::LDR_LITERAL.to(0), R_AARCH64_TLSIE_LD_GOTTPREL_PREL19, Operand::Slot),
        },
        R_AARCH64_TLSDESC_ADR_PREL21 if Form::ADR.is(word) => match model {
            TlsModel::LocalExec => lower(rd(word)),
            _ => complete(NOP),
        },
        R_AARCH64_TLSDESC_OFF_G1 if Form::MOVZ.is(word) => match model {
            TlsModel::LocalExec => upper(rd(word)),
            _ => with(word, R_AARCH64_TLSIE_MOVW_GOTTPREL_G1, Operand::Slot),
        },
        R_AARCH64_TLSDESC_OFF_G0_NC if Form::MOVK.is(word) => match model {
            TlsModel::LocalExec => lower(rd(word)),
            _ => with(word, R_AARCH64_TLSIE_MOVW_GOTTPREL_G0_NC, Operand::Slot),
        },
        R_AARCH64_TLSDESC_LDR if Form::LDR_REGISTER.is(word) => match model {
            TlsModel::LocalExec => complete(NOP),
            _ => complete(word & !31 | rm(word)),
        },
        R_AARCH64_TLSDESC_ADD if Form::ADD_REGISTER.is(word) => complete(NOP),
        R_AARCH64_TLSDESC_CALL if Form::BLR.is(word) => complete(NOP),
        _ => None,
    }
}

/// `mrs x0, tpidr_el0`
const READ_THREAD_POINTER: u32 = 0xd53b_d040;
/// `neg x0, x0`
const NEGATE: u32 = 0xcb00_03e0;

/// The instructions from that at `offset` of `code` on, which has a relocation of type `r_type` in
/// the sequence of a signed descriptor, if nothing defines the variable; `None` if the sequence is
/// not all there.
pub fn null_descriptor(code: &[u8], r_type: u32, offset: usize) -> Option<&'static [u32]> {
    let (at, written): (usize, &[u32]) = match r_type {
        R_AARCH64_AUTH_TLSDESC_ADR_PAGE21 => (0, &[READ_THREAD_POINTER]),
        R_AARCH64_AUTH_TLSDESC_LD64_LO12 => (1, &[NEGATE]),
        // The call may have no relocation.
        R_AARCH64_AUTH_TLSDESC_ADD_LO12 => (2, &[NOP, NOP]),
        R_AARCH64_AUTH_TLSDESC_CALL => (3, &[NOP]),
        _ => return None,
    };
    let start = offset.checked_sub(4 * at)?;
    let word = |at: usize| instruction::read(code, start + 4 * at);
    let (page, load, add, call) = (word(0)?, word(1)?, word(2)?, word(3)?);
    let is_sequence = Form::ADRP.is(page)
        && Form::LDR.is(load)
        && Form::ADD.is(add)
        && Form::BLRAA.is(call)
        && [rd(page), rn(load), rd(add), rn(add), rd(call)] == [0; 5]
        && rd(load) == rn(call);
    is_sequence.then_some(written)
}

/// Whether an instruction of an initial-exec load can be rewritten to local exec; others keep the
/// GOT.
pub const fn is_initial_exec(r_type: u32, word: u32) -> bool {
    match r_type {
        R_AARCH64_TLSIE_ADR_GOTTPREL_PAGE21 => Form::ADRP.is(word),
        R_AARCH64_TLSIE_LD64_GOTTPREL_LO12_NC => Form::LDR.is(word),
        _ => false,
    }
}

/// The local-exec instruction that `word` of an initial-exec load becomes, for an offset from the
/// thread pointer. The register that is loaded may be another one than that of the page: `None` if
/// one instruction cannot put the two halves together.
pub const fn initial_exec(r_type: u32, word: u32, offset: u64) -> Option<Rewritten> {
    if r_type == R_AARCH64_TLSIE_ADR_GOTTPREL_PAGE21 {
        return upper(rd(word));
    }
    let (rt, base) = (rd(word), rn(word));
    if rt == base {
        lower(rt)
    } else if offset <= 0xffff {
        with(Form::MOVZ.to(rt), R_AARCH64_TLSLE_MOVW_TPREL_G0_NC, Operand::ThreadOffset)
    } else if offset & 0xf000 == 0 {
        let add = Form::ADD.to(rt) | base << 5;
        with(add, R_AARCH64_TLSLE_ADD_TPREL_LO12_NC, Operand::ThreadOffset)
    } else {
        None
    }
}
