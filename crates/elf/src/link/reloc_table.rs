//! Dynamic relocations in another form than Elf64_Rela, and what of them is written into the
//! places that they relocate: `-z rel`, `--pack-dyn-relocs=android`, `--[no-]apply-dynamic-relocs`.

use super::place::{Placed, resize};
use super::plan::Link;
use crate::arch::x86_64::loader;
use crate::layout::Synthetic;
use crate::rewrite::words::Word;
use crate::select::liveness::Liveness;
use crate::synth::image::Image;
use crate::synth::planned::Planned;
use crate::synth::reloc_form::RelocForm;

/// `r_offset`, `r_type` and `r_addend` of an Elf64_Rela.
fn fields(entry: &[u8; 24]) -> (u64, u32, u64) {
    let word = |at: usize| {
        let mut word = [0; 8];
        word.copy_from_slice(&entry[at..at + 8]);
        u64::from_le_bytes(word)
    };
    (word(0), word(8) as u32, word(16))
}

impl Link<'_> {
    /// All relocations of `.rela.dyn`.
    fn all_relocs(&self, planned: &Planned, image: &Image<'_>) -> Vec<[u8; 24]> {
        let (relocs, frames) = (&planned.plan.relocs, &planned.plan.eh_frame);
        let mut own = vec![0; 24 * relocs.section_relative as usize];
        relocs.write_sections(image, frames, 0..relocs.sections.len(), &mut own);
        let mut all = own.as_chunks::<24>().0.to_vec();
        all.extend(relocs.rest(image, &planned.plan.symbols, frames));
        all
    }

    /// The table of dynamic relocations if it is not an array of Elf64_Rela, else nothing.
    pub(super) fn reloc_table(
        &self,
        planned: &Planned,
        placed: &Placed,
        image: &Image<'_>,
    ) -> Vec<u8> {
        match planned.plan.reloc_form {
            RelocForm::Rela => Vec::new(),
            RelocForm::Rel => RelocForm::Rel.encode(&self.all_relocs(planned, image)),
            RelocForm::Android => placed.packed_table.clone(),
        }
    }

    /// Encodes `.rela.dyn` in Android's form and gives it the size that it needs with these addresses; whether that is
    /// another one.
    pub(super) fn resize_android_table(
        &self,
        planned: &mut Planned,
        placed: &mut Placed,
        live: &Liveness,
        rounds: &mut usize,
    ) -> bool {
        if planned.plan.reloc_form != RelocForm::Android || planned.plan.relocs.rela_count() == 0 {
            return false;
        }
        let image = self.image(planned, placed, live);
        let mut table = RelocForm::Android.encode(&self.all_relocs(planned, &image));
        drop(image);
        let section = planned.outputs.synthetic_mut(Synthetic::RelaDyn);
        let section = section.expect("planned with the relocations");
        let has_changed = resize(section, table.len() as u64, rounds);
        // The loader stops at the table's own count.
        table.resize(section.size as usize, 0);
        placed.packed_table = table;
        has_changed
    }

    /// What is written over the places of dynamic relocations: addends where the table has none or
    /// where options ask for them, zeros where options want no addends.
    pub(super) fn relocated_words(&self, planned: &Planned, image: &Image<'_>) -> Vec<Word> {
        let apply = self.options.apply_dynamic_relocs;
        let is_rel = planned.plan.reloc_form == RelocForm::Rel;
        if apply.is_none() && !is_rel {
            return Vec::new();
        }
        let mut words = Vec::new();
        for entry in self.all_relocs(planned, image) {
            let (address, r_type, addend) = fields(&entry);
            let Some((offset, size)) = loader::addend_field(r_type) else { continue };
            let value = if is_rel || apply == Some(true) { addend } else { 0 };
            words.extend(Word::new(image.outputs, address.wrapping_add(offset), value, size));
        }
        words
    }
}
