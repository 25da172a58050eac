//! Decisions on which scanning, applying and `--emit-relocs` must agree.

use super::instruction::{self, Form};
use super::relax::{self, is_bound_here, is_near};
use super::scan::is_null;
use super::sequence::{self, Step};
use super::tls::{self, Rewritten};
use crate::format::elf::Rela;
use crate::loops::operands::Operands;
use crate::loops::tls_model::{TlsModel, tls_model};
use crate::machine::aarch64::howto::*;
use crate::resolve::definitions::{SectionId, attr};
use crate::synth::image::Image;
use crate::synth::patch::Patch;
use crate::synth::values::{self, Value};

/// What an instruction of a pair is rewritten to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PairRewrite {
    /// `nop`.
    Nop,
    /// ADR to the symbol.
    Adr,
    /// ADRP of the symbol's page.
    Page,
    /// ADD of the symbol's lowest bits.
    Add,
}

impl PairRewrite {
    /// The relocation type that the new instruction would have.
    const fn r_type(self) -> u32 {
        match self {
            PairRewrite::Nop => R_AARCH64_NONE,
            PairRewrite::Adr => R_AARCH64_ADR_PREL_LO21,
            PairRewrite::Page => R_AARCH64_ADR_PREL_PG_HI21,
            PairRewrite::Add => R_AARCH64_ADD_ABS_LO12_NC,
        }
    }
}

/// How the instruction of relocation `index` is rewritten as one of a pair; `None` if it is not.
/// `sum` is S + A.
pub fn pair(operands: Operands<'_>, index: usize, sum: u64) -> Option<PairRewrite> {
    let Operands { image, patch } = operands;
    let reloc = &patch.relocs[index];
    let is_first = matches!(reloc.r_type(), R_AARCH64_ADR_GOT_PAGE | R_AARCH64_ADR_PREL_PG_HI21);
    let place = operands.place(reloc);
    let second = if is_first { place.wrapping_add(4) } else { place };
    let is_near = is_near(sum, second);
    match reloc.r_type() {
        R_AARCH64_ADR_PREL_PG_HI21 | R_AARCH64_ADD_ABS_LO12_NC => {
            if !image.relax || !is_near {
                return None;
            }
        }
        R_AARCH64_ADR_GOT_PAGE | R_AARCH64_LD64_GOT_LO12_NC => {
            let is_bound = is_bound_here(image.relax, operands.view(reloc));
            if !is_bound || keeps_loads(image, patch.id, reloc) {
                return None;
            }
        }
        _ => return None,
    }
    if !relax::is_of_pair(patch.original, patch.relocs, index) {
        return None;
    }
    Some(match (is_near, is_first) {
        (true, true) => PairRewrite::Nop,
        (true, false) => PairRewrite::Adr,
        (false, true) => PairRewrite::Page,
        (false, false) => PairRewrite::Add,
    })
}

/// Whether all loads of the symbol's address from the GOT in a section stay, because one of them
/// does. A branch may lead from before one pair to the second instruction of another.
#[inline]
pub fn keeps_loads(image: &Image<'_>, section: SectionId, reloc: &Rela) -> bool {
    !image.kept_loads.is_empty()
        && image.kept_loads.binary_search(&(section, reloc.symbol())).is_ok()
}

/// How the instruction of relocation `index` is rewritten as one of a TLS sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TlsRewrite {
    /// The instruction stays, and refers to a word of the GOT.
    Keep,
    /// Another instruction takes its place.
    By(Rewritten),
    /// As `By`; further instructions and the next relocation belong to it.
    Sequence(Rewritten, Step),
    /// The sequence cannot be rewritten.
    Fail,
}

/// Decides for the types of general dynamic, local dynamic, initial exec and descriptors. `offset`
/// is that of the variable from the thread pointer.
pub fn thread_local(operands: Operands<'_>, index: usize, offset: u64) -> TlsRewrite {
    let Operands { image, patch } = operands;
    let reloc = &patch.relocs[index];
    let r_type = reloc.r_type();
    let relaxes = operands.relaxes_tls();
    let model = tls_model(image.shape, relaxes, operands.view(reloc));
    let word = instruction::read(patch.original, reloc.r_offset() as usize);
    match r_type {
        R_AARCH64_TLSGD_ADR_PREL21..=R_AARCH64_TLSLD_LD_PREL19 => {
            // A module's own block is as far from the thread pointer in all programs.
            let is_block = r_type >= R_AARCH64_TLSLD_ADR_PREL21;
            let model = match (is_block, image.shape.is_shared || !relaxes) {
                (true, true) => TlsModel::Dynamic,
                (true, false) => TlsModel::LocalExec,
                (false, _) => model,
            };
            match sequence::step_at(patch.original, patch.relocs, index) {
                Some(step) if model != TlsModel::Dynamic => {
                    TlsRewrite::Sequence(sequence::rewritten(r_type, model), step)
                }
                _ => TlsRewrite::Keep,
            }
        }
        R_AARCH64_TLSIE_MOVW_GOTTPREL_G1..=R_AARCH64_TLSIE_LD_GOTTPREL_PREL19 => {
            let is_local = model == TlsModel::LocalExec;
            let word = word.filter(|&word| is_local && tls::is_initial_exec(r_type, word));
            match word.map(|word| tls::initial_exec(r_type, word, offset)) {
                None => TlsRewrite::Keep,
                Some(None) => TlsRewrite::Fail,
                Some(Some(rewritten)) => TlsRewrite::By(rewritten),
            }
        }
        _ if model == TlsModel::Dynamic => TlsRewrite::Keep,
        _ => match word.and_then(|word| tls::descriptor(r_type, word, model)) {
            Some(rewritten) => TlsRewrite::By(rewritten),
            None => TlsRewrite::Fail,
        },
    }
}

/// The instructions that take the place of that of a relocation in the sequence of a signed
/// descriptor, and of what follows; `None` if it stays.
pub fn null_descriptor(operands: Operands<'_>, reloc: &Rela) -> Option<&'static [u32]> {
    let offset = reloc.r_offset() as usize;
    let rewritten = tls::null_descriptor(operands.patch.original, reloc.r_type(), offset)?;
    is_null(operands.view(reloc)).then_some(rewritten)
}

/// The relocation that the rewritten instruction of relocation `index` has.
pub fn follow_rewrite(image: &Image<'_>, patch: &Patch<'_>, index: usize) -> Rela {
    let mut reloc = patch.relocs[index];
    let operands = Operands { image, patch };
    let a = reloc.r_addend();
    let value = image.value(patch.section.object, reloc.symbol());
    let (s, sum) = match values::decode(value) {
        Value::Plain(s) => (s, s.wrapping_add_signed(a)),
        Value::Merged(section) => {
            let sum = image.place_in(section, a as u64).unwrap_or(0);
            (sum, sum)
        }
        Value::Dead => return reloc,
        Value::Indirect | Value::Called(_) => {
            let s = operands.fixed_address(&reloc);
            (s, s.wrapping_add_signed(a))
        }
    };
    let view = operands.view(&reloc);
    let is_nothing = s == 0 && view.attributes & attr::UNDEF_WEAK != 0;
    let r_type = match reloc.r_type() {
        R_AARCH64_TLSGD_ADR_PREL21..=R_AARCH64_TLSLD_LD_PREL19
        | R_AARCH64_TLSIE_MOVW_GOTTPREL_G1..=R_AARCH64_TLSIE_LD_GOTTPREL_PREL19
        | R_AARCH64_TLSDESC_LD_PREL19..=R_AARCH64_TLSDESC_CALL => {
            let offset = operands.tpoff(view, s).wrapping_add_signed(a);
            match thread_local(operands, index, offset) {
                TlsRewrite::Keep | TlsRewrite::Fail => return reloc,
                TlsRewrite::By(rewritten) | TlsRewrite::Sequence(rewritten, _) => rewritten.r_type,
            }
        }
        R_AARCH64_AUTH_TLSDESC_ADR_PAGE21..=R_AARCH64_AUTH_TLSDESC_CALL
            if null_descriptor(operands, &reloc).is_some() =>
        {
            R_AARCH64_NONE
        }
        R_AARCH64_CALL26 if is_tls_call(operands, index) => R_AARCH64_NONE,
        // The branch is NOP where it leads to nothing.
        R_AARCH64_CALL26 | R_AARCH64_JUMP26
            if is_nothing && operands.function_address(&reloc) == 0 =>
        {
            R_AARCH64_NONE
        }
        _ if is_nothing => return reloc,
        _ => match pair(operands, index, sum) {
            Some(rewrite) => rewrite.r_type(),
            None => return reloc,
        },
    };
    reloc.set_r_type(r_type);
    if r_type == R_AARCH64_NONE {
        reloc.set_r_addend(0);
    }
    reloc
}

/// Whether the relocation at `index` is that of a call which belongs to a rewritten sequence.
fn is_tls_call(operands: Operands<'_>, index: usize) -> bool {
    let Some(before) = index.checked_sub(1) else { return false };
    let is_low = matches!(
        operands.patch.relocs[before].r_type(),
        R_AARCH64_TLSGD_ADD_LO12_NC | R_AARCH64_TLSLD_ADD_LO12_NC
    );
    is_low && matches!(thread_local(operands, before, 0), TlsRewrite::Sequence(..))
}

/// The instruction of a rewritten pair at `place`, with the destination of `word`, the one before.
/// `sum` is S + A.
pub const fn pair_word(rewrite: PairRewrite, word: u32, sum: u64, place: u64) -> u32 {
    match rewrite {
        PairRewrite::Nop => instruction::NOP,
        PairRewrite::Adr => {
            let adr = Form::ADR.to(instruction::rd(word));
            instruction::with_adr(adr, sum.wrapping_sub(place))
        }
        PairRewrite::Page => {
            let distance = instruction::page(sum).wrapping_sub(instruction::page(place));
            instruction::with_adr(word, distance >> 12)
        }
        // The destination and the base, in the lowest ten bits.
        PairRewrite::Add => instruction::with_imm12(Form::ADD.to(word & 0x3ff), sum),
    }
}
