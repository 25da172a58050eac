//! Dynamic relocations in another form than Elf64_Rela, and what of them is written into the
//! places that they relocate: `-z rel`, `--pack-dyn-relocs=android`, `--[no-]apply-dynamic-relocs`,
//! `-z report-relative-reloc`.

use super::place::{MAX_ROUNDS, Placed};
use super::plan::{Link, Planned};
use crate::arch::x86_64::loader;
use crate::arch::x86_64::names::relocation_name;
use crate::diagnose::place::display_name;
use crate::layout::Synthetic;
use crate::layout::segments::AddressRules;
use crate::read::object_file::SectionFlags;
use crate::select::liveness::Liveness;
use crate::synth::dynamic_relocs::is_relative;
use crate::synth::image::Image;
use crate::synth::reloc_form::RelocForm;
use crate::synth::values::{self, Value};
use crate::write::words::Word;
use skald_core::diag::Failed;
use std::fmt::Write as _;
use std::io::Write as _;
use std::sync::atomic::Ordering;

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

    /// Finds the size of packed relocations, which depends on addresses that depend on it.
    pub(super) fn pack_relocs(
        &self,
        planned: &mut Planned,
        placed: &mut Placed,
        live: &Liveness,
        rules: &AddressRules,
    ) -> Result<(), Failed> {
        if planned.plan.reloc_form != RelocForm::Android || planned.plan.relocs.rela_count() == 0 {
            return Ok(());
        }
        for round in 0.. {
            let image = self.image(planned, placed, live);
            let mut table = RelocForm::Android.encode(&self.all_relocs(planned, &image));
            drop(image);
            let sections = &mut planned.outputs.sections;
            let section = sections.iter_mut().find(|s| s.is_synthetic(Synthetic::RelaDyn));
            let section = section.expect("planned with the relocations");
            let wanted = table.len() as u64;
            // A table that may only grow ends the search; the loader stops at its count.
            if section.size == wanted || (round >= MAX_ROUNDS && section.size > wanted) {
                table.resize(section.size as usize, 0);
                placed.packed_table = table;
                return Ok(());
            }
            section.size = if round >= MAX_ROUNDS { section.size.max(wanted) } else { wanted };
            self.lay_out(planned, placed, live, rules)?;
        }
        unreachable!("the loop returns")
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

    /// `-z report-relative-reloc`: GNU ld's line for each relative relocation of an input section.
    pub(super) fn report_relative(&self, image: &Image<'_>) {
        if !self.options.z.report_relative_reloc {
            return;
        }
        let mut text = String::new();
        for (id, section) in (0..).zip(&self.definitions.sections) {
            let count = self.columns.relative.get(id as usize);
            let count = count.map_or(0, |count| count.load(Ordering::Relaxed));
            if count == 0 || section.flags.has(SectionFlags::EH_FRAME) {
                continue;
            }
            let object = &self.objects[section.object as usize];
            for reloc in object.relocs(section) {
                let symbol = reloc.r_sym.get();
                if !is_relative(section, reloc, image.view(section.object, symbol)) {
                    continue;
                }
                let addend = reloc.r_addend.get();
                let value = match values::decode(image.value(section.object, symbol)) {
                    Value::Plain(value) => value.wrapping_add_signed(addend),
                    Value::Merged(merged) => image.merged.member(merged).map_or(0, |member| {
                        image.address(merged).wrapping_add(member.output_offset(addend as u64))
                    }),
                    Value::Dead | Value::Indirect | Value::Called(_) => addend as u64,
                };
                let name = match object.symbol_name(symbol as usize) {
                    b"" => object
                        .symbol_section(symbol as usize)
                        .map_or(&b""[..], |shndx| object.section_name(shndx)),
                    name => name,
                };
                let file = object.file.map(|f| self.candidates.display_name(f));
                let _ = writeln!(
                    text,
                    "{}: {} (offset: {:#x}, info: {:#x}, addend: {value:#x}) against '{}' for \
                     section '{}' in {}",
                    self.options.output.display(),
                    relocation_name(loader::RELATIVE),
                    image.address(id).wrapping_add(reloc.r_offset.get()),
                    loader::RELATIVE,
                    display_name(name, self.options.demangle),
                    String::from_utf8_lossy(object.section_name(section.shndx)),
                    file.unwrap_or_default()
                );
            }
        }
        // Nobody is left to tell that standard error is closed.
        let _ = std::io::stderr().write_all(text.as_bytes());
    }
}
