//! Parts of the layout that depend on addresses: values of symbols, packed relocations, and code
//! that needs thunks.
//!
//! Each is computed again in every round of the layout. After some rounds each may only grow, so
//! that the layout converges.

use super::frozen::Frozen;
use super::outer_symbols::{self, OuterSymbols};
use crate::layout::deletions::Deletions;
use crate::layout::placed::PlacedOutput;
use crate::layout::settle::Dependents;
use crate::layout::walk::Symbols;
use crate::layout::{OutputSection, OutputSections, Synthetic};
use crate::resolve::definitions::SectionId;
use crate::resolve::tables::Tables;
use crate::rewrite::{shrinking, thunks};
use crate::synth::emitted_relocs;
use crate::synth::planned::Planned;
use crate::synth::relr::Relr;
use crate::synth::section_names::SectionNames;
use crate::synth::slots::WordId;
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
    /// Rounds of code that shrinks.
    shrinking: usize,
    /// Rounds of thunks.
    islands: usize,
    /// Rounds of `.rela.dyn` in Android's packed form.
    android: usize,
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
        let (page, round) = (tables.options.max_page_size(), self.rounds.shrinking);
        let lists = shrinking::find(shrinking, &image, shrinkable, page, round);
        drop(image);
        tables.diag.checkpoint()?;
        self.rounds.shrinking += 1;
        Ok(placed.deletions.replace(lists))
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

    /// Resizes `.relr.dyn`.
    fn resize_by_outputs(&mut self, placed: &mut PlacedOutput) -> bool {
        let planned = &mut *self.planned;
        planned.packed = Vec::new();
        if !planned.plan.relocs.has_packed() {
            return false;
        }
        let outputs = &placed.outputs;
        let address = |section: SectionId| {
            let output = outputs.of(self.frozen.tables.definitions.sections[section].output());
            let output = output.expect("its input is");
            let known = placed.addresses[section].load(Ordering::Relaxed);
            known.wrapping_sub(output.inputs_base()).wrapping_add(output.address)
        };
        let got = outputs.address_of(Synthetic::Got);
        let word_size = self.frozen.tables.options.machine.got_word;
        let got_word = |word: WordId| got + word_size * u64::from(word);
        planned.packed = planned.plan.relocs.packed_addresses(address, got_word);
        let wanted = Relr::new(outputs.encoding(), &planned.packed).size();
        let section = placed.outputs.synthetic_mut(Synthetic::RelrDyn);
        let section = section.expect("planned with the packed relocations");
        resize(section, wanted, &mut self.rounds.relr)
    }

    /// Shrinks code, and makes room for thunks, where the machine does that.
    fn resize_code(&mut self, placed: &mut PlacedOutput) -> Result<bool, Failed> {
        if self.shrink(placed)? {
            return Ok(true);
        }
        let Tables { definitions, diag, .. } = self.frozen.tables;
        let Some(kind) = self.frozen.loops.thunks else { return Ok(false) };
        let rounds = &mut self.rounds.islands;
        if *rounds > thunks::MAX_ROUNDS || !thunks::are_needed(kind, &placed.outputs) {
            return Ok(false);
        }
        *rounds += 1;
        let round = *rounds;
        if round == 1 {
            thunks::plan_islands(kind, placed, &definitions.sections);
        }
        thunks::clear(&mut placed.outputs);
        let wanted = thunks::out_of_reach(kind, &self.frozen.image(self.planned, placed, None));
        diag.checkpoint()?;
        Ok(thunks::enter(kind, &mut placed.outputs, wanted, round))
    }

    /// Resizes `.rela.dyn` in Android's packed form, which is encoded here.
    fn resize_tables(&mut self, placed: &mut PlacedOutput) -> bool {
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
