//! Functions that are chosen at run time and whose address is taken where the output may be loaded
//! anywhere, for machines on which an address is that of a descriptor: no loader moves one that is
//! in code.

use crate::resolve::dynamic::OutputShape;
use crate::resolve::tables::Tables;
use crate::synth::slots::Slots;
use skald_core::diag::AFTER_FILES;

/// Reports such functions.
pub fn check(tables: &Tables<'_>, shape: OutputShape, slots: &Slots) {
    let lazy = tables.options.machine.lazy_entries;
    if !shape.is_pic || lazy.is_none_or(|lazy| lazy.have_addresses) {
        return;
    }
    for set in slots.sets.iter().filter(|set| set.is_canonical) {
        let name = String::from_utf8_lossy(set.owner.name(tables));
        let text = format!(
            "the address of IFUNC '{name}' is not known in position-independent output; take it \
             from writable data, or link with -no-pie"
        );
        tables.diag.error(AFTER_FILES, text);
    }
}
