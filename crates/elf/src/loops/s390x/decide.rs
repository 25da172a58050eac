//! Decisions on which scanning, applying and `--emit-relocs` must agree.
//!
//! A literal in data has the argument of `__tls_get_offset`, or an offset in the GOT, and marks at
//! the instructions name the same symbol. So the model has to follow from the symbol alone.

use super::instruction::{self, Call};
use crate::format::elf::Rela;
use crate::loops::tls_model::{TlsModel, TlsRules};
use crate::read::{ObjectId, Objects};
use crate::resolve::definitions::{Definitions, attr};
use crate::select::scan::SymbolView;
use crate::synth::image::Image;
use crate::synth::patch::Patch;
use object::elf::*;

/// What becomes of the call that a mark of this type is at; `None` if it stays.
pub fn call(rules: TlsRules, r_type: u32, view: SymbolView) -> Option<Call> {
    match (r_type, rules.model(view)) {
        (R_390_TLS_LDCALL, _) => rules.drops_module().then_some(Call::Nothing),
        (R_390_TLS_GDCALL, TlsModel::LocalExec) => Some(Call::Nothing),
        (R_390_TLS_GDCALL, TlsModel::InitialExec) => Some(Call::Load),
        _ => None,
    }
}

/// Whether a call's distance belongs to a call that goes: the mark `next` follows it. `view_of`
/// looks a symbol up.
pub fn is_of_dropped_call(
    rules: TlsRules,
    reloc: &Rela,
    next: Option<&Rela>,
    view_of: impl FnOnce(&Rela) -> Option<SymbolView>,
) -> bool {
    let Some(next) = next else { return false };
    let is_marked = matches!(next.r_type(), R_390_TLS_GDCALL | R_390_TLS_LDCALL)
        && next.r_offset().wrapping_add(2) == reloc.r_offset();
    is_marked && view_of(next).is_some_and(|view| call(rules, next.r_type(), view).is_some())
}

/// The mark of a call comes behind the distance, so that what replaces the call is written last.
pub fn is_before_distance(mark: &Rela, next: Option<&Rela>) -> bool {
    next.is_some_and(|next| next.r_offset() == mark.r_offset().wrapping_add(2))
}

/// Whether a type is that of a call's distance.
pub const fn is_call_distance(r_type: u32) -> bool {
    matches!(r_type, R_390_PC32DBL | R_390_PLT32DBL)
}

/// The symbols of the objects, to look at their values.
#[derive(Clone, Copy)]
pub struct Symbols<'a> {
    /// Where names are defined.
    pub definitions: &'a Definitions,
    /// The objects that define them.
    pub objects: &'a Objects,
}

impl Symbols<'_> {
    /// Whether the address of a symbol will be even, which LARL needs.
    fn is_even(self, object: ObjectId, reloc: &Rela, view: SymbolView) -> bool {
        let Some(section) = view.value_base.section() else { return false };
        let (object, symbol) = match view.name() {
            None => (object, reloc.symbol()),
            Some(_) if view.attributes & attr::SYNTHETIC != 0 => return false,
            Some(name) => {
                let rank = self.definitions.ranks[name];
                (rank.object(), rank.symbol())
            }
        };
        let symbol = self.objects[object].mapped.symbols.get(symbol);
        self.definitions.sections[section].align_log2 != 0
            && symbol.is_some_and(|symbol| symbol.st_value() & 1 == 0)
    }

    /// What a load of the symbol's address from the GOT becomes; `None` if it stays. `section` has
    /// the original bytes.
    pub fn without_got(
        self,
        relax: bool,
        object: ObjectId,
        view: SymbolView,
        section: &[u8],
        reloc: &Rela,
    ) -> Option<[u8; 2]> {
        let is_load = reloc.r_type() == R_390_GOTENT && reloc.r_addend() == 2;
        if !is_load || !relax || view.is_imported() || view.is_local_ifunc() || view.is_constant() {
            return None;
        }
        let found = instruction::without_got(section, reloc.r_offset() as usize)?;
        self.is_even(object, reloc, view).then_some(found)
    }
}

impl<'a> From<&Image<'a>> for Symbols<'a> {
    fn from(image: &Image<'a>) -> Symbols<'a> {
        Symbols { definitions: image.definitions, objects: image.objects }
    }
}

/// The relocation at `index`, changed to that of what was rewritten.
pub fn follow_rewrite(image: &Image<'_>, patch: &Patch<'_>, index: usize) -> Rela {
    let mut reloc = patch.relocs[index];
    let object = patch.section.object;
    let view_of = |reloc: &Rela| image.view(object, reloc.symbol());
    let view = view_of(&reloc);
    let tls = TlsRules::of_image(image);
    let r_type = reloc.r_type();
    let new = match r_type {
        R_390_GOTENT => {
            let symbols = Symbols::from(image);
            let found = symbols.without_got(image.relax, object, view, patch.original, &reloc);
            found.map(|_| R_390_PC32DBL)
        }
        R_390_PC32DBL | R_390_PLT32DBL => {
            let next = patch.relocs.get(index + 1);
            let is_dropped = is_of_dropped_call(tls, &reloc, next, |next| Some(view_of(next)));
            is_dropped.then_some(R_390_NONE)
        }
        R_390_TLS_GDCALL | R_390_TLS_LDCALL => call(tls, r_type, view).map(|_| R_390_NONE),
        R_390_TLS_LOAD => tls.is_local_exec(view).then_some(R_390_NONE),
        R_390_TLS_GD32 | R_390_TLS_GD64 => match tls.model(view) {
            TlsModel::Dynamic => None,
            // The types for words of 32 and of 64 bits follow each other.
            TlsModel::InitialExec => Some(r_type - R_390_TLS_GD32 + R_390_TLS_GOTIE32),
            TlsModel::LocalExec => Some(r_type - R_390_TLS_GD32 + R_390_TLS_LE32),
        },
        R_390_TLS_GOTIE32 | R_390_TLS_GOTIE64 => {
            tls.is_local_exec(view).then_some(r_type - R_390_TLS_GOTIE32 + R_390_TLS_LE32)
        }
        R_390_TLS_IE32 | R_390_TLS_IE64 => {
            tls.is_local_exec(view).then_some(r_type - R_390_TLS_IE32 + R_390_TLS_LE32)
        }
        R_390_TLS_LDM32 | R_390_TLS_LDM64 => tls.drops_module().then_some(R_390_NONE),
        _ => None,
    };
    match new {
        Some(R_390_NONE) => Rela::new(reloc.r_offset(), R_390_NONE, 0, 0),
        Some(r_type) => {
            reloc.set_r_type(r_type);
            reloc
        }
        None => reloc,
    }
}
