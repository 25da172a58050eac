//! How code reaches a thread-local variable: what sequences are rewritten to (U. Drepper, "ELF
//! Handling For Thread-Local Storage", 5).

use crate::resolve::dynamic::OutputShape;
use crate::select::scan::SymbolView;

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
