//! Dynamic relocations in another form than Elf64_Rela, and what of them is written into the
//! places that they relocate: `-z rel`, `--pack-dyn-relocs=android`, `--[no-]apply-dynamic-relocs`.

use crate::args::Options;
use crate::rewrite::words::Word;
use crate::synth::image::Image;
use crate::synth::reloc_form::RelocForm;
use crate::synth::sections::Plan;

/// `r_offset`, `r_type` and `r_addend` of an Elf64_Rela.
fn fields(entry: &[u8; 24]) -> (u64, u32, u64) {
    let word = |at: usize| {
        let mut word = [0; 8];
        word.copy_from_slice(&entry[at..at + 8]);
        u64::from_le_bytes(word)
    };
    (word(0), word(8) as u32, word(16))
}

/// All relocations of `.rela.dyn`, as Elf64_Rela.
pub fn all(plan: &Plan, image: &Image<'_>) -> Vec<[u8; 24]> {
    let (relocs, frames) = (&plan.relocs, &plan.eh_frame);
    let mut own = vec![0; 24 * relocs.section_relative as usize];
    relocs.write_sections(image, frames, 0..relocs.sections.len(), &mut own);
    let mut all = own.as_chunks::<24>().0.to_vec();
    all.extend(relocs.rest(image, &plan.symbols, frames));
    all
}

/// The dynamic relocations in the form that options ask for; empty if that is an array of
/// Elf64_Rela.
pub fn encoded(plan: &Plan, packed_table: &[u8], image: &Image<'_>) -> Vec<u8> {
    match plan.reloc_form {
        RelocForm::Rela => Vec::new(),
        RelocForm::Rel => RelocForm::Rel.encode(image.machine.loader, &all(plan, image)),
        RelocForm::Android => packed_table.to_vec(),
    }
}

/// Fields at the places of dynamic relocations: the addend where the table has no room for it (REL)
/// or `--apply-dynamic-relocs` asks for it, zero with `--no-apply-dynamic-relocs`.
pub fn words(options: &Options, plan: &Plan, image: &Image<'_>) -> Vec<Word> {
    let apply = options.apply_dynamic_relocs;
    let is_rel = plan.reloc_form == RelocForm::Rel;
    if apply.is_none() && !is_rel {
        return Vec::new();
    }
    let mut words = Vec::new();
    for entry in all(plan, image) {
        let (address, r_type, addend) = fields(&entry);
        let Some((offset, size)) = (image.machine.loader.addend_field)(r_type) else { continue };
        let value = if is_rel || apply == Some(true) { addend } else { 0 };
        words.extend(Word::new(image.outputs, address.wrapping_add(offset), value, size));
    }
    words
}
