//! How code reaches a thread-local variable: what sequences are rewritten to (U. Drepper, "ELF
//! Handling For Thread-Local Storage", 5).

use crate::resolve::dynamic::OutputShape;
use crate::select::scan::SymbolView;
use crate::synth::image::Image;

/// How code reaches a thread-local variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TlsModel {
    /// By a call: `__tls_get_addr` or a descriptor's function.
    Dynamic,
    /// By its offset from the thread pointer, which the loader puts into the GOT.
    InitialExec,
    /// By its offset from the thread pointer, which is known at link time.
    LocalExec,
}

/// The best model for GD and TLSDESC references to `view`.
#[inline]
pub fn tls_model(shape: OutputShape, relax: bool, view: SymbolView) -> TlsModel {
    if shape.is_shared || !relax {
        TlsModel::Dynamic
    } else if view.is_imported() {
        TlsModel::InitialExec
    } else {
        TlsModel::LocalExec
    }
}

/// What decides on models, where each instruction of a sequence is marked and decides by itself.
#[derive(Clone, Copy)]
pub struct TlsRules {
    /// Executable, PIE or shared, and whether there is a loader.
    pub shape: OutputShape,
    /// Whether sequences are rewritten.
    pub relax: bool,
}

impl TlsRules {
    /// Those of an output that is written.
    pub fn of_image(image: &Image<'_>) -> TlsRules {
        TlsRules { shape: image.shape, relax: image.relax || !image.shape.is_dynamic }
    }

    /// The model of a variable that code asks a function for.
    pub fn model(self, view: SymbolView) -> TlsModel {
        tls_model(self.shape, self.relax, view)
    }

    /// Whether code that loads an offset from the GOT has it at once instead.
    pub fn is_local_exec(self, view: SymbolView) -> bool {
        self.model(view) == TlsModel::LocalExec
    }

    /// Whether local-dynamic code does without the call.
    pub fn drops_module(self) -> bool {
        !self.shape.is_shared && self.relax
    }
}
