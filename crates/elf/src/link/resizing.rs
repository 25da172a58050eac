//! Contents whose size depends on addresses: packed relocations, and code that lacks thunks.
//!
//! Each is computed anew after a round of placing. After some rounds each only grows, so that the
//! search ends.

use super::frozen::Frozen;
use crate::layout::{OutputSection, Synthetic};
use crate::resolve::definitions::SectionId;
use crate::resolve::tables::Tables;
use crate::rewrite::thunks;
use crate::synth::placed::PlacedOutput;
use crate::synth::planned::Planned;
use crate::synth::reloc_form::RelocForm;
use crate::synth::relr::Relr;
use crate::write::reloc_table;
use skald_core::diag::Failed;
use std::sync::atomic::Ordering;

/// Rounds after which a packed relocation table only grows, so that the search ends.
const MAX_ROUNDS: usize = 16;

/// How often each content whose size depends on addresses has been computed.
#[derive(Default)]
pub(super) struct Rounds {
    /// Rounds of `.relr.dyn`.
    pub relr: usize,
    /// Rounds of thunks.
    pub islands: usize,
    /// Rounds of `.rela.dyn` in Android's packed form.
    pub android: usize,
}

/// Gives a table that depends on addresses another size, if it needs one; returns whether it did.
/// After some rounds it only grows: spare room is filled with entries without effect.
fn resize(section: &mut OutputSection, wanted: u64, rounds: &mut usize) -> bool {
    let may_shrink = *rounds < MAX_ROUNDS;
    *rounds += 1;
    if section.size == wanted || (!may_shrink && section.size > wanted) {
        return false;
    }
    section.size = wanted;
    true
}

/// Makes room for the thunks that are needed with these addresses; returns whether everything has
/// to be placed again.
pub(super) fn grow_islands(
    frozen: &Frozen<'_>,
    planned: &mut Planned,
    placed: &PlacedOutput,
    rounds: &mut usize,
) -> Result<bool, Failed> {
    let Tables { definitions, diag, .. } = frozen.tables;
    let Some(kind) = frozen.loops.thunks else { return Ok(false) };
    if *rounds > thunks::MAX_ROUNDS || !thunks::are_needed(kind, &planned.outputs) {
        return Ok(false);
    }
    *rounds += 1;
    if *rounds == 1 {
        let inputs = &definitions.sections;
        thunks::plan_islands(kind, &mut planned.outputs, inputs, &placed.addresses);
        // Islands have offsets only after placing.
        return Ok(true);
    }
    thunks::clear(&mut planned.outputs);
    let wanted = thunks::out_of_reach(kind, &frozen.image(planned, placed));
    diag.checkpoint()?;
    Ok(thunks::enter(kind, &mut planned.outputs, wanted))
}

/// Encodes `.rela.dyn` in Android's packed form and gives it the size that it needs with these
/// addresses; returns whether the size changed.
pub(super) fn resize_android_table(
    frozen: &Frozen<'_>,
    planned: &mut Planned,
    placed: &mut PlacedOutput,
    rounds: &mut usize,
) -> bool {
    if planned.plan.reloc_form != RelocForm::Android || planned.plan.relocs.rela_count() == 0 {
        return false;
    }
    let image = frozen.image(planned, placed);
    let relocs = reloc_table::all(&planned.plan, &image);
    let mut table = RelocForm::Android.encode(image.machine.loader, &relocs);
    drop(image);
    let section = planned.outputs.synthetic_mut(Synthetic::RelaDyn);
    let section = section.expect("planned with the relocations");
    let has_changed = resize(section, table.len() as u64, rounds);
    // The dynamic linker stops at the table's own count, so zeros behind it have no effect.
    table.resize(section.size as usize, 0);
    placed.packed_table = table;
    has_changed
}

/// Gives `.relr.dyn` the size that it needs with these addresses of output sections; returns
/// whether the size changed. Addresses of input sections may not follow them yet.
pub(super) fn resize_relr(
    tables: &Tables<'_>,
    planned: &mut Planned,
    placed: &mut PlacedOutput,
    rounds: &mut usize,
) -> bool {
    placed.packed = Vec::new();
    if !planned.plan.relocs.has_packed() {
        return false;
    }
    let outputs = &planned.outputs;
    let address = |section: SectionId| {
        let output = outputs.of(tables.definitions.sections[section].output());
        let output = output.expect("its input is");
        let known = placed.addresses[section].load(Ordering::Relaxed);
        known.wrapping_sub(output.inputs_base()).wrapping_add(output.address)
    };
    let got = outputs.address_of(Synthetic::Got);
    placed.packed = planned.plan.relocs.packed_addresses(address, got);
    let wanted = Relr::new(&placed.packed).size();
    let section = planned.outputs.synthetic_mut(Synthetic::RelrDyn);
    resize(section.expect("planned with the packed relocations"), wanted, rounds)
}
