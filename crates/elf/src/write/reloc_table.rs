//! Dynamic relocations in another form than Rela, and the addends that are written to the places
//! that they relocate: `-z rel`, `--pack-dyn-relocs=android`, `--[no-]apply-dynamic-relocs`.

use crate::args::Options;
use crate::format::elf::Rela;
use crate::machine::RelocKind;
use crate::rewrite::words::Word;
use crate::select::tagged_globals::TaggedGlobals;
use crate::synth::image::Image;
use crate::synth::memtag;
use crate::synth::sections::Plan;

/// All relocations of `.rela.dyn`.
pub fn all(plan: &Plan, image: &Image<'_>) -> Vec<Rela> {
    let (relocs, frames) = (&plan.relocs, &plan.eh_frame);
    let mut all = vec![Rela::default(); relocs.section_relative as usize];
    relocs.write_relative(image, frames, &relocs.sections, &mut all);
    all.extend(relocs.rest(image, &plan.symbols, frames));
    all
}

/// What decides which fields are written at the places of dynamic relocations.
pub struct Fields<'a> {
    /// Relocations of `.rela.dyn` behind the relative ones.
    pub others: &'a [Rela],
    /// Variables in tagged memory: the loader reads the fields of their relocations.
    pub tagged: &'a TaggedGlobals,
}

/// Fields at the places of dynamic relocations: the addend where the table has no room for it (REL)
/// or `--apply-dynamic-relocs` asks for it, zero with `--no-apply-dynamic-relocs`.
///
/// Applying relocations has written what relative ones of sections need.
pub fn words(options: &Options, plan: &Plan, image: &Image<'_>, of: &Fields<'_>) -> Vec<Word> {
    let &Fields { others, tagged } = of;
    let apply = options.apply_dynamic_relocs;
    let is_rel = !plan.reloc_form.has_addends();
    if apply.is_none() && !is_rel && tagged.is_empty() {
        return Vec::new();
    }
    let is_applied = apply.is_none() && image.machine.reloc_kind == RelocKind::Rel;
    let entries = if is_applied { others.to_vec() } else { all(plan, image) };
    let distances =
        if tagged.is_empty() { Vec::new() } else { memtag::distances(image, &plan.relocs, tagged) };
    let distance = |address: u64| {
        let at = distances.binary_search_by_key(&address, |&(address, _)| address);
        at.map_or(0, |at| distances[at].1)
    };
    let mut words = Vec::new();
    for entry in entries {
        let (address, addend) = (entry.r_offset(), entry.r_addend() as u64);
        let Some((offset, size)) = (image.machine.loader.addend_field)(entry.r_type()) else {
            continue;
        };
        let value = if is_rel || apply == Some(true) { addend } else { distance(address) };
        words.extend(Word::of_data(image, address.wrapping_add(offset), value, size));
    }
    words
}
