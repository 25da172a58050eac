//! Symbols whose address, or whose TLS descriptor, is loaded from the GOT both signed and not: as
//! with lld that is an error, since who can write the unsigned word gets around the signature.

use crate::resolve::tables::Tables;
use crate::synth::slots::Slots;
use skald_core::diag::AFTER_FILES;

/// Reports such symbols.
pub fn check(tables: &Tables<'_>, slots: &Slots) {
    if tables.options.machine.loader.signed.is_none() {
        return;
    }
    for set in slots.sets.iter() {
        let is_mixed = |plain: bool, signed: bool| plain && signed;
        for (mixed, what) in [
            (is_mixed(set.got.is_some(), set.signed_got.is_some()), "GOT"),
            (is_mixed(set.tlsdesc.is_some(), set.signed_tlsdesc.is_some()), "TLSDESC"),
        ] {
            if mixed {
                let name = String::from_utf8_lossy(set.owner.name(tables));
                let text = format!(
                    "both AUTH and non-AUTH {what} entries for '{name}' requested, but only one \
                     type of {what} entry per symbol is supported"
                );
                tables.diag.error(AFTER_FILES, text);
            }
        }
    }
}
