//! Dynamic relocations in another form than Rela, and the addends that are written to the places
//! that they relocate: `-z rel`, `--pack-dyn-relocs=android`, `--[no-]apply-dynamic-relocs`.

use crate::args::Options;
use crate::format::elf::Rela;
use crate::machine::RelocKind;
use crate::rewrite::words::Word;
use crate::synth::image::Image;
use crate::synth::sections::Plan;

/// All relocations of `.rela.dyn`.
pub fn all(plan: &Plan, image: &Image<'_>) -> Vec<Rela> {
    let (relocs, frames) = (&plan.relocs, &plan.eh_frame);
    let mut all = vec![Rela::default(); relocs.section_relative as usize];
    relocs.write_relative(image, frames, &relocs.sections, &mut all);
    all.extend(relocs.rest(image, &plan.symbols, frames));
    all
}

/// Fields at the places of dynamic relocations: the addend where the table has no room for it (REL)
/// or `--apply-dynamic-relocs` asks for it, zero with `--no-apply-dynamic-relocs`.
///
/// Applying relocations has written what relative ones of sections need. `others` are those behind
/// them in the table.
pub fn words(options: &Options, plan: &Plan, image: &Image<'_>, others: &[Rela]) -> Vec<Word> {
    let apply = options.apply_dynamic_relocs;
    let is_rel = !plan.reloc_form.has_addends();
    if apply.is_none() && !is_rel {
        return Vec::new();
    }
    let is_applied = apply.is_none() && image.machine.reloc_kind == RelocKind::Rel;
    let entries = if is_applied { others.to_vec() } else { all(plan, image) };
    let mut words = Vec::new();
    for entry in entries {
        let (address, addend) = (entry.r_offset(), entry.r_addend() as u64);
        let Some((offset, size)) = (image.machine.loader.addend_field)(entry.r_type()) else {
            continue;
        };
        let value = if is_rel || apply == Some(true) { addend } else { 0 };
        words.extend(Word::new(image.outputs, address.wrapping_add(offset), value, size));
    }
    words
}
