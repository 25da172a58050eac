//! Parts of the layout that depend on addresses: values of symbols, packed relocations, and code
//! that needs thunks.
//!
//! Each is computed again in every round of the layout. After some rounds each may only grow, so
//! that the layout converges.

use super::frozen::Frozen;
use super::outer_symbols::{self, OuterSymbols};
use crate::args::{Discard, Strip};
use crate::layout::deletions::Deletions;
use crate::layout::placed::PlacedOutput;
use crate::layout::settle::Dependents;
use crate::layout::walk::Symbols;
use crate::layout::{OutputSection, OutputSections, Synthetic};
use crate::resolve::definitions::SectionId;
use crate::rewrite::shrinking::{self, Movement};
use crate::rewrite::{errata, thunks, veneers};
use crate::synth::emitted_relocs;
use crate::synth::memtag;
use crate::synth::planned::Planned;
use crate::synth::relr::Relr;
use crate::synth::section_names::SectionNames;
use crate::synth::slots::WordId;
use crate::synth::symtab_shndx;
use crate::synth::unwind_index;
use crate::write::reloc_table;
use skald_core::diag::Failed;
use std::sync::atomic::Ordering;

/// Rounds after which a packed relocation table may only grow, so that the layout converges.
const MAX_ROUNDS: usize = 16;

/// The sections of the linker while the layout converges.
pub(super) struct Resizing<'a, 'b> {
    frozen: &'a Frozen<'b>,
    planned: &'a mut Planned,
    /// Expressions of the layout ask for values of symbols.
    needs_symbols: bool,
    rounds: Rounds,
}

/// How many rounds each content whose size depends on addresses has had.
#[derive(Default)]
struct Rounds {
    /// Rounds of `.relr.dyn`.
    relr: usize,
    /// Rounds of `.relr.auth.dyn`.
    signed_relr: usize,
    /// Rounds of code that shrinks.
    shrinking: usize,
    /// Rounds of thunks.
    islands: usize,
    /// Rounds of `.rela.dyn` in Android's packed form.
    android: usize,
    /// Rounds of `.memtag.globals.dynamic`.
    tagged: usize,
    /// Rounds of tables by which stacks are unwound.
    unwinding: usize,
}

impl<'a, 'b> Resizing<'a, 'b> {
    /// Before the first round.
    pub(super) fn new(frozen: &'a Frozen<'b>, planned: &'a mut Planned) -> Resizing<'a, 'b> {
        let needs_symbols = outer_symbols::are_needed(frozen);
        Resizing { frozen, planned, needs_symbols, rounds: Rounds::default() }
    }
}

impl Resizing<'_, '_> {
    /// Finds the bytes that sections can lose with these addresses; returns whether that is a
    /// change.
    fn shrink(&mut self, placed: &mut PlacedOutput) -> Result<bool, Failed> {
        let Frozen { tables, selected, loops, .. } = self.frozen;
        let Some(shrinking) = loops.shrinking else { return Ok(false) };
        let shrinkable = &selected.shrinkable;
        if shrinkable.sections.is_empty() {
            return Ok(false);
        }
        if placed.deletions.is_empty() {
            let sections = tables.definitions.sections.len();
            placed.deletions = Deletions::new(sections, shrinkable, &selected.folds);
        }
        let image = self.frozen.image(self.planned, placed, None);
        let movement = Movement {
            page: tables.options.max_page_size(),
            round: self.rounds.shrinking,
            has_fixed: tables.options.fixed_addresses().next().is_some(),
        };
        let lists = shrinking::find(shrinking, &image, shrinkable, &movement);
        drop(image);
        tables.diag.checkpoint()?;
        self.rounds.shrinking += 1;
        Ok(placed.deletions.replace(lists))
    }
}

impl Resizing<'_, '_> {
    /// Fills islands with thunks and moved instructions; returns whether a size has changed.
    fn fill_islands(&mut self, placed: &mut PlacedOutput) -> Result<bool, Failed> {
        let Frozen { tables, loops, selected, .. } = self.frozen;
        let Some(kind) = loops.thunks else { return Ok(false) };
        let errata = loops.errata.filter(|errata| (errata.are_repaired)(tables.options));
        let has_far = selected.scan.has_far_branches || thunks::are_needed(kind, &placed.outputs);
        let suspects = errata.map(|errata| errata::suspects(errata, tables, placed));
        let has_suspects = suspects.as_ref().is_some_and(|suspects| !suspects.is_empty());
        let is_idle = !has_far && !has_suspects && self.rounds.islands == 0;
        if is_idle || self.rounds.islands > thunks::MAX_ROUNDS {
            return Ok(false);
        }
        self.rounds.islands += 1;
        if self.rounds.islands == 1 {
            thunks::plan_islands(kind, placed, &tables.definitions.sections);
        }
        thunks::clear(&mut placed.outputs);
        let image = self.frozen.image(self.planned, placed, None);
        let wanted = if has_far { thunks::out_of_reach(kind, &image) } else { Vec::new() };
        let repairs = errata.zip(suspects.as_ref()).map(|(errata, suspects)| {
            (errata, errata::repairs(errata, tables.options, &image, suspects))
        });
        drop(image);
        tables.diag.checkpoint()?;
        thunks::enter(&mut placed.outputs, wanted);
        if let Some((errata, repairs)) = repairs {
            errata::enter(errata, placed, repairs);
        }
        let page = errata.map_or(1, |errata| errata.page);
        let has_changed = thunks::resize(kind, &mut placed.outputs, self.rounds.islands, page);
        Ok(has_changed || self.name_veneers(placed))
    }

    /// Resizes the table of variables in tagged memory, which is encoded here.
    fn resize_tagged(&mut self, placed: &mut PlacedOutput) -> bool {
        let Frozen { tables, selected, .. } = self.frozen;
        let tags = tables.options.machine.memory_tags;
        let Some(tags) = tags.filter(|_| !selected.tagged.is_empty()) else { return false };
        let image = self.frozen.image(self.planned, placed, None);
        let mut table = memtag::table(tags.granule, &memtag::variables(&image, &selected.tagged));
        drop(image);
        let Some(section) = placed.outputs.synthetic_mut(Synthetic::MemtagGlobals) else {
            return false;
        };
        let has_changed = resize(section, table.len() as u64, &mut self.rounds.tagged);
        memtag::lengthen(&mut table, section.size as usize);
        self.planned.tagged_table = table;
        has_changed
    }

    /// Gives tables by which stacks are unwound the size of what is written.
    fn resize_unwinding(&mut self, placed: &mut PlacedOutput) -> bool {
        let options = self.frozen.tables.options;
        // Relocations of tables can only follow the inputs.
        if options.machine.unwind_index.is_none() || options.emit_relocs {
            return false;
        }
        let image = self.frozen.image(self.planned, placed, None);
        let size = |at| (at, unwind_index::size(&image, at, image.keeps_unwind_entries));
        let sizes: Vec<(usize, u64)> =
            unwind_index::positions(&image).into_iter().map(size).collect();
        drop(image);
        let mut has_changed = false;
        for (at, size) in sizes {
            let section = &mut placed.outputs.sections[at];
            has_changed |= resize(section, size, &mut self.rounds.unwinding);
            section.rewritten = Some(section.size);
        }
        has_changed
    }

    /// Gives thunks and moved instructions their symbols; returns whether `.symtab` has another
    /// size now.
    fn name_veneers(&mut self, placed: &mut PlacedOutput) -> bool {
        let Frozen { tables, loops, .. } = self.frozen;
        let options = tables.options;
        let plan = &mut self.planned.plan;
        let keeps = options.discard != Discard::All
            && options.strip != Strip::All
            && options.retain_symbols_file.is_none();
        let (true, Some(thunks), Some(symtab)) = (keeps, loops.thunks, &mut plan.symtab) else {
            return false;
        };
        let outputs = &mut placed.outputs;
        let named = veneers::symbols(thunks, loops.errata, tables.objects, outputs);
        if !symtab.set_veneers(named) {
            return false;
        }
        let sizes = [
            (Synthetic::SymTab, symtab.size()),
            (Synthetic::StrTab, symtab.string_size),
            (Synthetic::SymTabShndx, symtab_shndx::size(symtab)),
        ];
        for (which, size) in sizes {
            if let Some(section) = outputs.synthetic_mut(which) {
                section.size = size;
            }
        }
        plan.set_infos(outputs);
        true
    }
}

/// Resizes a table whose size depends on addresses; returns whether the size changed. After some
/// rounds the table only grows: spare room is filled with entries that have no effect.
fn resize(section: &mut OutputSection, wanted: u64, rounds: &mut usize) -> bool {
    let may_shrink = *rounds < MAX_ROUNDS;
    *rounds += 1;
    if section.size == wanted || (!may_shrink && section.size > wanted) {
        return false;
    }
    section.size = wanted;
    true
}

impl Dependents for Resizing<'_, '_> {
    fn number_sections(&mut self, outputs: &mut OutputSections) {
        emitted_relocs::set_targets(outputs);
        self.planned.plan.set_infos(outputs);
        self.planned.names = SectionNames::of(outputs);
    }

    fn symbols<'s>(&'s self, placed: &PlacedOutput) -> Box<dyn Symbols + 's> {
        Box::new(OuterSymbols::new(self.frozen, self.planned, placed, self.needs_symbols))
    }

    /// Resizes `.relr.dyn` and `.relr.auth.dyn`.
    fn resize_by_outputs(&mut self, placed: &mut PlacedOutput) -> bool {
        let planned = &mut *self.planned;
        planned.packed = Vec::new();
        planned.packed_signed = Vec::new();
        let relocs = &planned.plan.relocs;
        let has_signed = !relocs.signed_places.is_empty();
        if !relocs.has_packed() && !has_signed {
            return false;
        }
        let outputs = &placed.outputs;
        let address = |section: SectionId| {
            let output = outputs.of(self.frozen.tables.definitions.sections[section].output());
            let output = output.expect("its input is");
            let known = placed.addresses[section].load(Ordering::Relaxed);
            known.wrapping_sub(output.inputs_base()).wrapping_add(output.address)
        };
        let word_size = self.frozen.tables.options.machine.got_word;
        let got = outputs.address_of(Synthetic::Got) + word_size * outputs.got_front;
        let got_word = |word: WordId| got + word_size * u64::from(word);
        if relocs.has_packed() {
            planned.packed = relocs.packed_addresses(address, got_word);
        }
        if has_signed {
            planned.packed_signed = relocs.signed_addresses(address);
        }
        let encoding = outputs.encoding();
        let mut has_changed = false;
        for (which, addresses, rounds) in [
            (Synthetic::RelrDyn, &planned.packed, &mut self.rounds.relr),
            (Synthetic::SignedRelrDyn, &planned.packed_signed, &mut self.rounds.signed_relr),
        ] {
            // It is there if it was planned with packed relocations.
            if let Some(section) = placed.outputs.synthetic_mut(which) {
                let wanted = Relr::new(encoding, addresses).size();
                has_changed |= resize(section, wanted, rounds);
            }
        }
        has_changed
    }

    /// Shrinks code, and makes room for thunks and moved instructions, where the machine does so.
    fn resize_code(&mut self, placed: &mut PlacedOutput) -> Result<bool, Failed> {
        if self.shrink(placed)? {
            return Ok(true);
        }
        self.fill_islands(placed)
    }

    /// Resizes `.rela.dyn` in Android's packed form, which is encoded here.
    fn resize_tables(&mut self, placed: &mut PlacedOutput) -> bool {
        if self.resize_tagged(placed) || self.resize_unwinding(placed) {
            return true;
        }
        let plan = &self.planned.plan;
        if plan.reloc_form.is_array() || plan.relocs.rela_count() == 0 {
            return false;
        }
        let image = self.frozen.image(self.planned, placed, None);
        let relocs = reloc_table::all(plan, &image);
        let (encoding, loader) = (image.encoding(), image.machine.loader);
        let mut table = plan.reloc_form.encode(encoding, loader, &relocs);
        drop(image);
        let section = placed.outputs.synthetic_mut(Synthetic::RelaDyn);
        let section = section.expect("planned with the relocations");
        let has_changed = resize(section, table.len() as u64, &mut self.rounds.android);
        // The dynamic linker stops at the table's own count, so zeros behind it have no effect.
        table.resize(section.size as usize, 0);
        self.planned.packed_table = table;
        has_changed
    }
}
