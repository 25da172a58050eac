//! Decisions on which scanning, applying and `--emit-relocs` must agree. All instructions of a
//! sequence name the symbol, and what becomes of each follows from it.

use super::instruction;
use crate::format::elf::Rela;
use crate::loops::tls_model::{TlsModel, TlsRules};
use crate::machine::sparc64::howto::TYPE_BITS;
use crate::select::scan::SymbolView;
use crate::synth::image::Image;
use crate::synth::patch::Patch;
use object::elf::*;

/// The type of a relocation, without the second addend.
#[inline(always)]
pub fn type_of(reloc: &Rela) -> u32 {
    reloc.r_type() & TYPE_BITS
}

/// The second addend (`R_SPARC_OLO10`), which has the other bits, and a sign.
pub fn second_addend(reloc: &Rela) -> i64 {
    i64::from(reloc.r_type() as i32 >> TYPE_BITS.count_ones())
}

/// Whether a load of the symbol's address from the GOT becomes an addition of its distance from the
/// GOT. A local symbol has no word there, because assemblers give places in sections.
pub fn is_distance(relax: bool, view: SymbolView) -> bool {
    let is_bound = !view.is_imported() && !view.is_local_ifunc() && !view.is_constant();
    is_bound && (relax || view.name().is_none())
}

/// Whether the addition for a call of `__tls_get_addr` is in the call's delay slot, so that it is
/// done first: the relocations of the two follow each other, and the argument is its result.
pub fn is_in_delay_slot(code: &[u8], call: &Rela, addition: Option<&Rela>) -> bool {
    addition.is_some_and(|addition| {
        type_of(call) == R_SPARC_TLS_GD_CALL
            && type_of(addition) == R_SPARC_TLS_GD_ADD
            && addition.r_sym() == call.r_sym()
            && addition.r_offset() == call.r_offset().wrapping_add(4)
            && instruction::read(code, addition.r_offset() as usize)
                .is_some_and(instruction::is_addition_to_argument)
    })
}

/// The instruction that replaces one of a sequence; `None` if it stays, or has to be one that it is
/// not.
pub fn replacement(rules: TlsRules, view: SymbolView, r_type: u32, word: u32) -> Option<u32> {
    let model = rules.model(view);
    match r_type {
        R_SPARC_TLS_GD_LO10 if model == TlsModel::LocalExec => instruction::to_exclusive_or(word),
        R_SPARC_TLS_GD_ADD => match model {
            TlsModel::Dynamic => None,
            TlsModel::InitialExec => instruction::addition_to_load(word),
            TlsModel::LocalExec => instruction::with_thread_pointer(word),
        },
        R_SPARC_TLS_GD_CALL if instruction::is_call(word) => match model {
            TlsModel::Dynamic => None,
            TlsModel::InitialExec => Some(instruction::ADD_THREAD_POINTER),
            TlsModel::LocalExec => Some(instruction::NOP),
        },
        R_SPARC_TLS_IE_LO10 if model == TlsModel::LocalExec => instruction::to_exclusive_or(word),
        R_SPARC_TLS_IE_LD | R_SPARC_TLS_IE_LDX if model == TlsModel::LocalExec => {
            instruction::load_to_move(word)
        }
        R_SPARC_TLS_LDM_HI22 | R_SPARC_TLS_LDM_LO10 | R_SPARC_TLS_LDM_ADD
            if rules.drops_module() =>
        {
            Some(instruction::NOP)
        }
        R_SPARC_TLS_LDM_CALL if rules.drops_module() && instruction::is_call(word) => {
            Some(instruction::CLEAR_RESULT)
        }
        R_SPARC_TLS_LDO_ADD if rules.drops_module() => instruction::sum_with_thread_pointer(word),
        _ => None,
    }
}

/// Whether an instruction with a relocation of this type has to be replaced.
pub fn must_be_replaced(rules: TlsRules, view: SymbolView, r_type: u32) -> bool {
    let model = rules.model(view);
    match r_type {
        R_SPARC_TLS_GD_ADD | R_SPARC_TLS_GD_CALL => model != TlsModel::Dynamic,
        R_SPARC_TLS_GD_LO10 | R_SPARC_TLS_IE_LO10 | R_SPARC_TLS_IE_LD | R_SPARC_TLS_IE_LDX => {
            model == TlsModel::LocalExec
        }
        R_SPARC_TLS_LDM_CALL | R_SPARC_TLS_LDO_ADD => rules.drops_module(),
        _ => false,
    }
}

/// The type that a relocation of an instruction or literal has after what is done to it; `None` if
/// it keeps its own.
fn type_after(rules: TlsRules, relax: bool, view: SymbolView, r_type: u32) -> Option<u32> {
    let model = rules.model(view);
    match r_type {
        R_SPARC_GOTDATA_OP_HIX22 | R_SPARC_GOTDATA_OP_LOX10 | R_SPARC_GOTDATA_OP => {
            let after = match r_type {
                R_SPARC_GOTDATA_OP_HIX22 => R_SPARC_GOTDATA_HIX22,
                R_SPARC_GOTDATA_OP_LOX10 => R_SPARC_GOTDATA_LOX10,
                _ => R_SPARC_NONE,
            };
            is_distance(relax, view).then_some(after)
        }
        R_SPARC_TLS_GD_HI22..=R_SPARC_TLS_GD_CALL => {
            let initial =
                [R_SPARC_TLS_IE_HI22, R_SPARC_TLS_IE_LO10, R_SPARC_TLS_IE_LDX, R_SPARC_TLS_IE_ADD];
            let local = [R_SPARC_TLS_LE_HIX22, R_SPARC_TLS_LE_LOX10, R_SPARC_NONE, R_SPARC_NONE];
            let at = (r_type - R_SPARC_TLS_GD_HI22) as usize;
            match model {
                TlsModel::Dynamic => None,
                TlsModel::InitialExec => Some(initial[at]),
                TlsModel::LocalExec => Some(local[at]),
            }
        }
        R_SPARC_TLS_IE_HI22..=R_SPARC_TLS_IE_ADD if model == TlsModel::LocalExec => {
            Some(match r_type {
                R_SPARC_TLS_IE_HI22 => R_SPARC_TLS_LE_HIX22,
                R_SPARC_TLS_IE_LO10 => R_SPARC_TLS_LE_LOX10,
                _ => R_SPARC_NONE,
            })
        }
        R_SPARC_TLS_LDM_HI22..=R_SPARC_TLS_LDO_ADD if rules.drops_module() => Some(match r_type {
            R_SPARC_TLS_LDO_HIX22 => R_SPARC_TLS_LE_HIX22,
            R_SPARC_TLS_LDO_LOX10 => R_SPARC_TLS_LE_LOX10,
            _ => R_SPARC_NONE,
        }),
        _ => None,
    }
}

/// The relocation at `index`, changed to that of what was rewritten.
pub fn follow_rewrite(image: &Image<'_>, patch: &Patch<'_>, index: usize) -> Rela {
    let mut reloc = patch.relocs[index];
    let view = image.view(patch.section.object, reloc.symbol());
    let rules = TlsRules::of_image(image);
    match type_after(rules, image.relax, view, type_of(&reloc)) {
        Some(R_SPARC_NONE) => Rela::new(reloc.r_offset(), R_SPARC_NONE, 0, 0),
        Some(mut r_type) => {
            // The two instructions of a call change places.
            let code = patch.original;
            let before = index.checked_sub(1).map(|before| &patch.relocs[before]);
            if is_in_delay_slot(code, &reloc, patch.relocs.get(index + 1)) {
                r_type = R_SPARC_TLS_IE_LDX;
            } else if before.is_some_and(|call| is_in_delay_slot(code, call, Some(&reloc))) {
                r_type = R_SPARC_TLS_IE_ADD;
            }
            reloc.set_r_type(r_type);
            reloc
        }
        None => reloc,
    }
}
