//! How the instructions that reach a thread-local variable are rewritten where a better model is
//! known ("ELF for the LoongArch Architecture", "Thread Local Storage").
//!
//! | before                                      | initial exec            | local exec            |
//! |---------------------------------------------|-------------------------|-----------------------|
//! | `pcalau12i a0`; `addi.d a0`, or `pcaddi a0` | `nop`; `nop`            | `nop`; `nop`          |
//! | `ld.d ra, a0`: the descriptor's function    | `pcalau12i a0, %ie_pc_hi20` | `lu12i.w a0, %le_hi20` |
//! | `jirl ra, ra`                               | `ld.d a0, a0, %ie_pc_lo12` | `ori a0, a0, %le_lo12` |
//! | `pcalau12i rd, %ie_pc_hi20`                 |                         | `lu12i.w rd, %le_hi20` |
//! | `ld.d rd, rj, %ie_pc_lo12`                  |                         | `ori rd, rj, %le_lo12` |
//!
//! An offset of 12 bits needs no `lu12i.w`. Calls of `__tls_get_addr` are never rewritten: nothing
//! marks them. Each instruction is treated at its own relocation.

use super::instruction::{A0, Form, NOP, RA, ZERO, rd, rj};
use super::sequence::Code;
use crate::loops::tls_model::TlsModel;
use object::elf::*;

/// An instruction that takes the place of another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rewritten {
    /// The relocation type that it would have.
    pub r_type: u32,
    /// The instruction, without the value.
    pub word: u32,
}

/// Nothing is needed in the instruction's place.
const NOTHING: Rewritten = Rewritten { r_type: R_LARCH_NONE, word: NOP };

/// What becomes of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TlsRewrite {
    /// It stays.
    Keep,
    /// Another one takes its place.
    By(Rewritten),
    /// It should be rewritten, and is not of the ABI's sequence.
    Fail,
}

/// Whether all of an offset is in 12 bits without a sign.
#[inline(always)]
pub const fn is_short(offset: u64) -> bool {
    offset < 0x1000
}

/// Decides for the instruction of relocation `index`. `offset` is that of the variable from the
/// thread pointer, if it is known.
pub fn rewritten(
    code: Code<'_>,
    index: usize,
    model: TlsModel,
    offset: Option<u64>,
    is_32: bool,
) -> TlsRewrite {
    let r_type = code.relocs[index].r_type();
    let is_short = offset.is_some_and(is_short);
    let stays = match r_type {
        R_LARCH_TLS_IE_PC_HI20 => model != TlsModel::LocalExec || code.is_far(index),
        R_LARCH_TLS_IE_PC_LO12 => {
            model != TlsModel::LocalExec || code.has(index, 4, R_LARCH_TLS_IE64_PC_LO20)
        }
        R_LARCH_TLS_DESC_PC_HI20
        | R_LARCH_TLS_DESC_PC_LO12
        | R_LARCH_TLS_DESC_LD
        | R_LARCH_TLS_DESC_CALL
        | R_LARCH_TLS_DESC_PCREL20_S2 => {
            model == TlsModel::Dynamic || !code.is_plain_descriptor(index)
        }
        _ => true,
    };
    let (false, Some(word)) = (stays, code.word(index)) else { return TlsRewrite::Keep };
    let is_local = model == TlsModel::LocalExec;
    let load = Form::load(is_32);
    let by = |r_type, word| Some(Rewritten { r_type, word });
    let upper = |register| {
        if is_short {
            Some(NOTHING)
        } else {
            by(R_LARCH_TLS_LE_HI20, Form::LU12I_W.with(register, 0))
        }
    };
    let lower = |register, base| {
        let base = if is_short { ZERO } else { base };
        by(R_LARCH_TLS_LE_LO12, Form::ORI.with(register, base))
    };
    let new = match r_type {
        R_LARCH_TLS_IE_PC_HI20 if Form::PCALAU12I.is(word) => upper(rd(word)),
        R_LARCH_TLS_IE_PC_LO12 if load.is(word) => lower(rd(word), rj(word)),
        R_LARCH_TLS_DESC_PC_HI20 | R_LARCH_TLS_DESC_PC_LO12 | R_LARCH_TLS_DESC_PCREL20_S2 => {
            Some(NOTHING)
        }
        R_LARCH_TLS_DESC_LD if load.is(word) && (rd(word), rj(word)) == (RA, A0) => {
            if is_local {
                upper(A0)
            } else {
                by(R_LARCH_TLS_IE_PC_HI20, Form::PCALAU12I.with(A0, 0))
            }
        }
        R_LARCH_TLS_DESC_CALL if Form::JIRL.is(word) => {
            if is_local {
                lower(A0, A0)
            } else {
                by(R_LARCH_TLS_IE_PC_LO12, load.with(A0, A0))
            }
        }
        _ => None,
    };
    new.map_or(TlsRewrite::Fail, TlsRewrite::By)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::elf::Rela;

    fn rela(offset: u64, r_type: u32) -> Rela {
        let mut rela = Rela::default();
        rela.set_r_offset(offset);
        rela.set_r_sym(1);
        rela.set_r_type(r_type);
        rela
    }

    /// The instructions that a sequence becomes.
    fn all(words: &[u32], types: &[u32], model: TlsModel, offset: u64) -> Vec<TlsRewrite> {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let relocs: Vec<Rela> = types
            .iter()
            .enumerate()
            .map(|(index, &r_type)| rela(4 * index as u64, r_type))
            .collect();
        let code = Code { bytes: &bytes, relocs: &relocs };
        (0..relocs.len()).map(|index| rewritten(code, index, model, Some(offset), false)).collect()
    }

    const DESCRIPTOR: [u32; 4] = [0x1a00_0004, 0x02c0_0084, 0x28c0_0081, 0x4c00_0021];
    const TYPES: [u32; 4] = [
        R_LARCH_TLS_DESC_PC_HI20,
        R_LARCH_TLS_DESC_PC_LO12,
        R_LARCH_TLS_DESC_LD,
        R_LARCH_TLS_DESC_CALL,
    ];

    fn words(rewritten: &[TlsRewrite]) -> Vec<u32> {
        let word = |rewritten: &TlsRewrite| match rewritten {
            TlsRewrite::By(rewritten) => rewritten.word,
            other => panic!("{other:?}"),
        };
        rewritten.iter().map(word).collect()
    }

    #[test]
    fn descriptors_become_offsets() {
        let far = all(&DESCRIPTOR, &TYPES, TlsModel::LocalExec, 0x1000);
        assert_eq!(words(&far), [NOP, NOP, 0x1400_0004, 0x0380_0084]);
        let near = all(&DESCRIPTOR, &TYPES, TlsModel::LocalExec, 0xfff);
        assert_eq!(words(&near), [NOP, NOP, NOP, 0x0380_0004]);
        let loaded = all(&DESCRIPTOR, &TYPES, TlsModel::InitialExec, 0);
        assert_eq!(words(&loaded), [NOP, NOP, 0x1a00_0004, 0x28c0_0084]);
        assert_eq!(all(&DESCRIPTOR, &TYPES, TlsModel::Dynamic, 0), [TlsRewrite::Keep; 4]);
    }

    #[test]
    fn addresses_of_64_bits_stay() {
        let mut types = TYPES.to_vec();
        types.splice(2..2, [R_LARCH_TLS_DESC64_PC_LO20, R_LARCH_TLS_DESC64_PC_HI12, R_LARCH_NONE]);
        let mut words = DESCRIPTOR.to_vec();
        words.splice(2..2, [0x1600_000c, 0x0300_018c, 0x0010_b084]);
        assert_eq!(all(&words, &types, TlsModel::LocalExec, 0), [TlsRewrite::Keep; 7]);
        let types = [
            R_LARCH_TLS_IE_PC_HI20,
            R_LARCH_TLS_IE_PC_LO12,
            R_LARCH_TLS_IE64_PC_LO20,
            R_LARCH_TLS_IE64_PC_HI12,
        ];
        assert_eq!(all(&words, &types, TlsModel::LocalExec, 0), [TlsRewrite::Keep; 4]);
    }

    #[test]
    fn other_instructions_are_refused() {
        let types = [R_LARCH_TLS_IE_PC_HI20, R_LARCH_TLS_IE_PC_LO12];
        let load = [0x1a00_000c, 0x28c0_018d];
        let new = all(&load, &types, TlsModel::LocalExec, 0x1234);
        assert_eq!(words(&new), [0x1400_000c, 0x0380_018d]);
        let new = all(&[0x1a00_000c, 0x02c0_018d], &types, TlsModel::LocalExec, 0);
        assert_eq!(new[1], TlsRewrite::Fail);
    }
}
