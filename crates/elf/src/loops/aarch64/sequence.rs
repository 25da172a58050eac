//! Sequences of the traditional TLS dialect, with a call of `__tls_get_addr`, that are rewritten
//! ("ELF for the Arm 64-bit Architecture", "Thread Local Storage").
//!
//! | general dynamic                    | initial exec                     | local exec            |
//! |------------------------------------|----------------------------------|-----------------------|
//! | `adrp x0, :tlsgd:v`                | `adrp x0, :gottprel:v`           | `movz x0, #tprel_g1`  |
//! | `add x0, x0, :tlsgd_lo12:v`        | `ldr x0, [x0, :gottprel_lo12:v]` | `movk x0, #tprel_g0`  |
//! | `bl __tls_get_addr`                | `mrs x1, tpidr_el0`              | `mrs x1, tpidr_el0`   |
//! | `nop`                              | `add x0, x1, x0`                 | `add x0, x1, x0`      |
//!
//! | local dynamic                      | local exec              |
//! |------------------------------------|-------------------------|
//! | `adrp x0, :tlsldm:v`               | `mrs x0, tpidr_el0`     |
//! | `add x0, x0, :tlsldm_lo12_nc:v`    | `add x0, x0, #block`    |
//! | `bl __tls_get_addr`                | `nop`                   |
//! | `nop`                              | `nop`                   |
//!
//! The call takes part, so the four must follow each other. Others keep the GOT, which is right in
//! all outputs.

use super::instruction::{self, Form, LSL_16, NOP};
use super::tls::{Operand, Rewritten};
use crate::format::elf::Rela;
use crate::loops::tls_model::TlsModel;
use crate::machine::aarch64::howto::*;

/// Which instruction of a sequence a relocation is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// ADRP, the first.
    Page,
    /// ADD, the second; with the call behind it, and its relocation.
    Low,
}

const ADRP_X0: u32 = Form::ADRP.to(0);
/// `mrs x0, tpidr_el0`
const MRS_X0: u32 = 0xd53b_d040;
/// `mrs x1, tpidr_el0`
const MRS_X1: u32 = 0xd53b_d041;
/// `add x0, x1, x0`
const ADD_X0_X1_X0: u32 = 0x8b00_0020;

/// The step that the relocation at `index` is, if it is one of a whole sequence.
pub fn step_at(section: &[u8], relocs: &[Rela], index: usize) -> Option<Step> {
    let step = match relocs[index].r_type() {
        R_AARCH64_TLSGD_ADR_PAGE21 | R_AARCH64_TLSLD_ADR_PAGE21 => Step::Page,
        R_AARCH64_TLSGD_ADD_LO12_NC | R_AARCH64_TLSLD_ADD_LO12_NC => Step::Low,
        _ => return None,
    };
    let first = if step == Step::Page { index } else { index.checked_sub(1)? };
    let [page, low, call, ..] = relocs.get(first..)? else { return None };
    let has_types = matches!(
        (page.r_type(), low.r_type(), call.r_type()),
        (R_AARCH64_TLSGD_ADR_PAGE21, R_AARCH64_TLSGD_ADD_LO12_NC, R_AARCH64_CALL26)
            | (R_AARCH64_TLSLD_ADR_PAGE21, R_AARCH64_TLSLD_ADD_LO12_NC, R_AARCH64_CALL26)
    );
    let start = page.r_offset();
    let follows = (low.r_offset(), call.r_offset())
        == (start.wrapping_add(4), start.wrapping_add(8))
        && (low.symbol(), low.r_addend()) == (page.symbol(), page.r_addend());
    let word = |at: u64| instruction::read(section, usize::try_from(start.checked_add(at)?).ok()?);
    let is_code = Form::ADRP.is(word(0)?)
        && instruction::rd(word(0)?) == 0
        && word(4)? & !(0xfff << 10) == Form::ADD.to(0)
        && Form::BL.is(word(8)?)
        && word(12)? == NOP;
    (has_types && follows && is_code).then_some(step)
}

/// What the instruction of a type becomes with `model`, which is not the dynamic one.
pub const fn rewritten(r_type: u32, model: TlsModel) -> Rewritten {
    let is_local = matches!(model, TlsModel::LocalExec);
    let (word, r_type, operand) = match r_type {
        R_AARCH64_TLSGD_ADR_PAGE21 if is_local => {
            let word = Form::MOVZ.to(0) | LSL_16;
            (word, R_AARCH64_TLSLE_MOVW_TPREL_G1, Operand::ThreadOffset)
        }
        R_AARCH64_TLSGD_ADR_PAGE21 => (ADRP_X0, R_AARCH64_TLSIE_ADR_GOTTPREL_PAGE21, Operand::Slot),
        R_AARCH64_TLSGD_ADD_LO12_NC if is_local => {
            (Form::MOVK.to(0), R_AARCH64_TLSLE_MOVW_TPREL_G0_NC, Operand::ThreadOffset)
        }
        R_AARCH64_TLSGD_ADD_LO12_NC => {
            (Form::LDR.to(0), R_AARCH64_TLSIE_LD64_GOTTPREL_LO12_NC, Operand::Slot)
        }
        R_AARCH64_TLSLD_ADD_LO12_NC => (Form::ADD.to(0), R_AARCH64_NONE, Operand::Block),
        _ => (MRS_X0, R_AARCH64_NONE, Operand::Nothing),
    };
    Rewritten { word, r_type, operand }
}

/// The instructions in the place of the call and of `nop`.
pub const fn after_low(r_type: u32) -> [u32; 2] {
    if r_type == R_AARCH64_TLSGD_ADD_LO12_NC { [MRS_X1, ADD_X0_X1_X0] } else { [NOP, NOP] }
}

/// `add x0, x0, #distance`, which is a small number, or a multiple of a page for blocks that are so
/// aligned; `None` for more than 24 bits.
pub const fn add_block(distance: u64) -> Option<u32> {
    let add = Form::ADD.to(0);
    if distance < 1 << 12 {
        Some(instruction::with_imm12(add, distance))
    } else if distance < 1 << 24 {
        Some(instruction::with_imm12(add, distance >> 12) | 1 << 22)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(words: [u32; 4]) -> Vec<u8> {
        words.iter().flat_map(|word| word.to_le_bytes()).collect()
    }

    const CODE: [u32; 4] = [0x9000_0000, 0x9100_0000, 0x9400_0000, NOP];

    fn relocs(page: u32, low: u32) -> [Rela; 3] {
        [Rela::new(0, page, 1, 0), Rela::new(4, low, 1, 0), Rela::new(8, R_AARCH64_CALL26, 2, 0)]
    }

    #[test]
    fn only_whole_sequences_are_recognized() {
        let whole = relocs(R_AARCH64_TLSGD_ADR_PAGE21, R_AARCH64_TLSGD_ADD_LO12_NC);
        assert_eq!(step_at(&code(CODE), &whole, 0), Some(Step::Page));
        assert_eq!(step_at(&code(CODE), &whole, 1), Some(Step::Low));
        assert_eq!(step_at(&code(CODE), &whole, 2), None);
        assert_eq!(step_at(&code(CODE)[..12], &whole, 0), None);
        assert_eq!(step_at(&code(CODE), &whole[..2], 0), None);
        let mixed = relocs(R_AARCH64_TLSGD_ADR_PAGE21, R_AARCH64_TLSLD_ADD_LO12_NC);
        assert_eq!(step_at(&code(CODE), &mixed, 0), None);
        for (at, word) in [(0, 0x9000_0001), (1, 0x9100_0020), (2, 0x1400_0000), (3, 0)] {
            let mut other = CODE;
            other[at] = word;
            assert_eq!(step_at(&code(other), &whole, 0), None, "{word:#x}");
        }
    }

    #[test]
    fn blocks_are_found_however_aligned() {
        assert_eq!(add_block(16), Some(0x9100_4000)); // add x0, x0, #16
        assert_eq!(add_block(0x40), Some(0x9101_0000)); // add x0, x0, #64
        assert_eq!(add_block(0x1_0000), Some(0x9140_4000)); // add x0, x0, #16, lsl #12
        assert_eq!(add_block(0x100_0000), None);
    }
}
