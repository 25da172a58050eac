//! Decisions on which scanning, applying, relaxation and `--emit-relocs` must agree.

use super::instruction::{Form, rd};
use super::sequence::Code;
use super::tls::{self, Rewritten, TlsRewrite};
use crate::format::elf::Rela;
use crate::loops::operands::Operands;
use crate::loops::tls_model::tls_model;
use crate::machine::Class;
use crate::resolve::definitions::SectionId;
use crate::resolve::dynamic::OutputShape;
use crate::select::scan::SymbolView;
use crate::synth::image::Image;
use crate::synth::patch::Patch;
use crate::synth::values::{self, Value};
use object::elf::*;

/// Whether a GOT load of `view` can do without the GOT: the symbol is here, and moves as the code
/// does. A program at a fixed address is so far from zero that code does not reach it, and symbols
/// of the linker may be zero; there the GOT needs no loader.
#[inline]
pub fn is_bound_here(relax: bool, shape: OutputShape, view: SymbolView) -> bool {
    relax
        && !view.is_imported()
        && !view.is_local_ifunc()
        && !view.is_constant()
        && (shape.is_pic || view.value_base.section().is_some())
}

/// Whether loads of the symbol's address from the GOT in a section are rewritten. All of them are,
/// or none: a branch may lead from before one of them to the second instruction of another.
pub fn rewrites_loads(
    image: &Image<'_>,
    section: SectionId,
    view: SymbolView,
    reloc: &Rela,
) -> bool {
    is_bound_here(image.relax, image.shape, view)
        && (image.kept_loads.is_empty()
            || image.kept_loads.binary_search(&(section, reloc.symbol())).is_err())
}

/// What an instruction of a load from the GOT becomes if the address is computed instead; `None`
/// if it stays.
pub fn got_load(operands: Operands<'_>, index: usize) -> Option<Rewritten> {
    let Operands { image, patch } = operands;
    let reloc = &patch.relocs[index];
    let is_32 = image.machine.class == Class::Elf32;
    if !rewrites_loads(image, patch.id, operands.view(reloc), reloc) {
        return None;
    }
    let (code, index) = Code::of(operands, index);
    if !code.is_got_load(index, Form::load(is_32)) {
        return None;
    }
    let word = code.word(index)?;
    Some(match reloc.r_type() {
        R_LARCH_GOT_PC_HI20 => Rewritten { r_type: R_LARCH_PCALA_HI20, word },
        _ => {
            let word = Form::add(is_32).with(rd(word), rd(word));
            Rewritten { r_type: R_LARCH_PCALA_LO12, word }
        }
    })
}

/// What becomes of an instruction that reaches a thread-local variable. `s` is its address.
pub fn thread_local(operands: Operands<'_>, index: usize, s: u64) -> TlsRewrite {
    let Operands { image, patch } = operands;
    let reloc = &patch.relocs[index];
    let view = operands.view(reloc);
    let offset = operands.tpoff(view, s).wrapping_add_signed(reloc.r_addend());
    let model = tls_model(image.shape, operands.relaxes_tls(), view);
    let (code, index) = Code::of(operands, index);
    tls::rewritten(code, index, model, Some(offset), image.machine.class == Class::Elf32)
}

/// The relocation that the instruction of relocation `index` has as it was written.
pub fn follow_rewrite(image: &Image<'_>, patch: &Patch<'_>, index: usize) -> Rela {
    let mut reloc = patch.relocs[index];
    let operands = Operands { image, patch };
    let new = match reloc.r_type() {
        R_LARCH_GOT_PC_HI20 | R_LARCH_GOT_PC_LO12 => got_load(operands, index),
        R_LARCH_TLS_IE_PC_HI20
        | R_LARCH_TLS_IE_PC_LO12
        | R_LARCH_TLS_DESC_PC_HI20
        | R_LARCH_TLS_DESC_PC_LO12
        | R_LARCH_TLS_DESC_LD
        | R_LARCH_TLS_DESC_CALL
        | R_LARCH_TLS_DESC_PCREL20_S2 => {
            let s = match values::decode(image.value(patch.section.object, reloc.symbol())) {
                Value::Plain(s) => s,
                _ => 0,
            };
            match thread_local(operands, index, s) {
                TlsRewrite::By(rewritten) => Some(rewritten),
                TlsRewrite::Keep | TlsRewrite::Fail => None,
            }
        }
        _ => None,
    };
    if let Some(Rewritten { r_type, .. }) = new {
        reloc.set_r_type(r_type);
        if r_type == R_LARCH_NONE {
            reloc.set_r_sym(0);
            reloc.set_r_addend(0);
        }
    }
    reloc
}
