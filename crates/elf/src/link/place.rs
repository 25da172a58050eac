//! Placing: offsets, addresses, and what follows from them.

use super::plan::Link;
use crate::layout::order::padding::Padding;
use crate::layout::output_sections::Content;
use crate::layout::segments::{self, AddressRules, FileEnd};
use crate::layout::{
    OutputSection, Segment, Synthetic, file_size, memory_binding, place, section_order,
};
use crate::read::ObjectId;
use crate::resolve::definitions::SectionId;
use crate::rewrite::thunks;
use crate::select::liveness::Liveness;
use crate::synth::address_index::AddressIndex;
use crate::synth::image::{Bases, Image, plt_entry_address};
use crate::synth::linker_symbols::MarkValues;
use crate::synth::planned::Planned;
use crate::synth::reloc_form::RelocForm;
use crate::synth::relr::Relr;
use crate::synth::slots::SlotSetId;
use crate::synth::string_table::StringTable;
use crate::synth::values::{self, ValueInput, Values};
use crate::synth::{emitted_relocs, sections};
use crate::write::placed::PlacedOutput;
use crate::write::reloc_table;
use object::elf::SHT_NOBITS;
use skald_base::expr::{self, Expr};
use skald_base::glob::Glob;
use skald_core::diag::{Error, Failed};
use skald_core::ids::Column;
use skald_core::names::NameId;
use skald_core::unordered::UnorderedMap;
use std::sync::atomic::Ordering;

/// Rounds after which a packed relocation table only grows, so that the search ends.
const MAX_ROUNDS: usize = 16;

/// How often each of what depends on addresses has been asked.
#[derive(Default)]
struct Rounds {
    relr: usize,
    islands: usize,
    android: usize,
}

/// Gives a table that depends on addresses another size, if it needs one; whether it did. After
/// some rounds it only grows: what is too long is filled with entries that mean nothing.
fn resize(section: &mut OutputSection, wanted: u64, rounds: &mut usize) -> bool {
    let may_shrink = *rounds < MAX_ROUNDS;
    *rounds += 1;
    if section.size == wanted || (!may_shrink && section.size > wanted) {
        return false;
    }
    section.size = wanted;
    true
}

/// Above, `e_phnum` would be PN_XNUM, which no loader reads.
const MAX_SEGMENTS: usize = 0xfffe;

impl Link<'_> {
    /// Sorts output sections and gives everything its address.
    pub fn place(
        &mut self,
        planned: &mut Planned,
        live: &Liveness,
        rules: &AddressRules,
    ) -> Result<PlacedOutput, Failed> {
        let outputs = &mut planned.outputs;
        if outputs.sections.iter().any(|section| rules.is_relro_memory(section)) {
            outputs.add_synthetic(Synthetic::RelroPadding, sections::RELRO_PADDING_HEADER, 0);
        }
        for (name, align) in &self.options.arrangement.section_align {
            for section in outputs.sections.iter_mut().filter(|s| s.name == name.as_bytes()) {
                section.align = section.align.max(*align);
            }
        }
        memory_binding::align(outputs, rules, self.options.common_page_size());
        memory_binding::check(outputs, self.diag);
        outputs.sort(|section| rules.rank(section));
        let started;
        let mut rules = rules;
        if !rules.region_starts.is_empty() {
            started = rules.with_region_starts(&outputs.sections);
            rules = &started;
        }
        if let Some(section) = rules.unprotectable(&outputs.sections) {
            let name = String::from_utf8_lossy(&section.name);
            self.diag.error((0, 0), format!("--execute-only: section {name} is writable"));
        }
        emitted_relocs::set_targets(outputs);
        planned.plan.set_infos(outputs);
        let mut placed = PlacedOutput {
            segments: Vec::new(),
            end: FileEnd::default(),
            addresses: Column::zeroed(self.definitions.sections.len()),
            shstrtab: StringTable::new(),
            section_names: Vec::new(),
            packed: Vec::new(),
            packed_table: Vec::new(),
            listed: Vec::new(),
            compressed: Column::new(),
        };
        placed.name_sections(&mut planned.outputs);
        self.settle(planned, &mut placed, live, rules)?;
        Ok(placed)
    }

    /// Gives sorted output sections, and all in them, their addresses: again and again, until
    /// nothing whose size depends on addresses changes any more. What depends on the least is asked
    /// first.
    fn settle(
        &self,
        planned: &mut Planned,
        placed: &mut PlacedOutput,
        live: &Liveness,
        rules: &AddressRules,
    ) -> Result<(), Failed> {
        let mut rounds = Rounds::default();
        loop {
            self.place_inputs(planned, placed, rules);
            loop {
                self.assign_addresses(planned, placed, rules)?;
                if !self.resize_relr(planned, placed, &mut rounds.relr) {
                    break;
                }
            }
            self.check_file_size(planned, placed.end, rules)?;
            place::add_output_addresses(&planned.outputs, self.merged, &placed.addresses);
            place::copy_addresses(self.folds, &placed.addresses);
            placed.listed = self.listed(planned, &placed.segments, rules)?;
            let has_grown = self.grow_islands(planned, placed, live, &mut rounds.islands)?
                || self.resize_android_table(planned, placed, live, &mut rounds.android);
            if !has_grown {
                return Ok(());
            }
        }
    }

    /// Gives input sections their offsets.
    fn place_inputs(&self, planned: &mut Planned, placed: &PlacedOutput, rules: &AddressRules) {
        let outputs = &mut planned.outputs;
        let padding = self.options.arrangement.random_padding_seed.map(|seed| {
            let segments = segments::plan(outputs, rules);
            Padding::new(seed, rules.page, outputs, &segments)
        });
        let (definitions, merged) = (&self.definitions, self.merged);
        place::place_sections(outputs, definitions, merged, padding.as_ref(), &placed.addresses);
    }

    /// Gives output sections their addresses.
    fn assign_addresses(
        &self,
        planned: &mut Planned,
        placed: &mut PlacedOutput,
        rules: &AddressRules,
    ) -> Result<(), Failed> {
        let outputs = &mut planned.outputs;
        placed.segments = segments::plan(outputs, rules);
        if placed.segments.len() > MAX_SEGMENTS {
            let count = placed.segments.len();
            let text = format!("{count} program headers, of which ELF counts {MAX_SEGMENTS}");
            self.diag.error((0, 0), text);
            self.diag.checkpoint()?;
        }
        let with_headers = !self.options.z.no_section_header;
        placed.end = segments::assign(outputs, &mut placed.segments, rules, with_headers);
        self.check_sizes(planned)
    }

    /// Values of the symbols of `--section-order`; fails if sections do not go where it puts them.
    fn listed(
        &self,
        planned: &Planned,
        segments: &[Segment],
        rules: &AddressRules,
    ) -> Result<Vec<u64>, Failed> {
        let Some(order) = &rules.order else { return Ok(Vec::new()) };
        let outputs = &planned.outputs;
        if let Some(text) = section_order::check(outputs, segments, rules, order) {
            self.diag.error((0, 0), text);
            self.diag.checkpoint()?;
        }
        Ok(section_order::symbols(outputs, segments, rules, order))
    }

    /// Fails if the inputs ask for more than addresses and offsets can count.
    fn check_sizes(&self, planned: &Planned) -> Result<(), Failed> {
        if let Some(section) = segments::overflowing(&planned.outputs) {
            let name = String::from_utf8_lossy(&section.name);
            let from = self.largest_input(section).map_or(String::new(), |(object, size)| {
                let file = self.objects[object].file.expect("numbered when taken");
                let file = self.candidates.display_name(file);
                format!(", of which {size:#x} are from {file}")
            });
            let text = format!(
                "section {name} does not fit the address space: {:#x} bytes at {:#x}{from}",
                section.size, section.address
            );
            self.diag.error((0, 0), text);
        }
        let strings = planned.plan.symtab.as_ref().map_or(0, |s| s.string_size);
        if strings > u64::from(u32::MAX) {
            self.diag.error((0, 1), "names of symbols exceed 4 GiB; --strip-all leaves them out");
        }
        self.diag.checkpoint()
    }

    /// Fails if most of the file would be padding.
    fn check_file_size(
        &self,
        planned: &Planned,
        end: FileEnd,
        rules: &AddressRules,
    ) -> Result<(), Failed> {
        if !file_size::is_absurd(end.size, self.objects) {
            return Ok(());
        }
        let in_file = planned.outputs.sections.iter().filter(|s| s.sh_type != SHT_NOBITS);
        let records = in_file.flat_map(|output| match &output.content {
            Content::Inputs { sections, .. } => sections.as_slice(),
            Content::Synthetic(_) => &[],
        });
        let records = records.map(|&id| &self.definitions.sections[id]);
        let (objects, page) = (self.objects, rules.page);
        let text = file_size::complaint(end.size, page, objects, self.candidates, records);
        self.diag.error((0, 0), text);
        self.diag.checkpoint()
    }

    /// Object and size of the largest input section of an output section.
    fn largest_input(&self, output: &OutputSection) -> Option<(ObjectId, u64)> {
        let Content::Inputs { sections, .. } = &output.content else { return None };
        let records = sections.iter().map(|&id| &self.definitions.sections[id]);
        let largest = records.rev().max_by_key(|record| record.size)?;
        Some((largest.object, largest.size))
    }

    /// Makes room for the thunks that are needed with these addresses; whether everything has to be
    /// placed again.
    fn grow_islands(
        &self,
        planned: &mut Planned,
        placed: &PlacedOutput,
        live: &Liveness,
        rounds: &mut usize,
    ) -> Result<bool, Failed> {
        if *rounds > thunks::MAX_ROUNDS
            || !thunks::are_needed(self.options.target.thunks, &planned.outputs)
        {
            return Ok(false);
        }
        *rounds += 1;
        if *rounds == 1 {
            let inputs = &self.definitions.sections;
            thunks::plan_islands(
                self.options.target.thunks,
                &mut planned.outputs,
                inputs,
                &placed.addresses,
            );
            // Where islands would stand is known once they are placed.
            return Ok(true);
        }
        thunks::clear(&mut planned.outputs);
        let wanted = thunks::out_of_reach(&self.image(planned, placed, live));
        self.diag.checkpoint()?;
        Ok(thunks::enter(self.options.target.thunks, &mut planned.outputs, wanted))
    }

    /// Encodes `.rela.dyn` in Android's form and gives it the size that it needs with these
    /// addresses; whether that is another one.
    fn resize_android_table(
        &self,
        planned: &mut Planned,
        placed: &mut PlacedOutput,
        live: &Liveness,
        rounds: &mut usize,
    ) -> bool {
        if planned.plan.reloc_form != RelocForm::Android || planned.plan.relocs.rela_count() == 0 {
            return false;
        }
        let image = self.image(planned, placed, live);
        let mut table = RelocForm::Android
            .encode(image.target.loader, &reloc_table::all(&planned.plan, &image));
        drop(image);
        let section = planned.outputs.synthetic_mut(Synthetic::RelaDyn);
        let section = section.expect("planned with the relocations");
        let has_changed = resize(section, table.len() as u64, rounds);
        // The loader stops at the table's own count.
        table.resize(section.size as usize, 0);
        placed.packed_table = table;
        has_changed
    }

    /// Gives `.relr.dyn` the size that it needs with these addresses; whether that is another one.
    /// Addresses of input sections are offsets still.
    fn resize_relr(
        &self,
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
            let output = outputs.of(self.definitions.sections[section].out);
            let offset = placed.addresses[section].load(Ordering::Relaxed);
            output.expect("its input is").address + offset
        };
        let got = outputs.address_of(Synthetic::Got);
        placed.packed = planned.plan.relocs.packed_addresses(address, got);
        let wanted = Relr::new(&placed.packed).size();
        let section = planned.outputs.synthetic_mut(Synthetic::RelrDyn);
        resize(section.expect("planned with the packed relocations"), wanted, rounds)
    }

    /// The frozen tables, with every value.
    pub fn image<'b>(
        &'b self,
        planned: &'b Planned,
        placed: &'b PlacedOutput,
        live: &'b Liveness,
    ) -> Image<'b> {
        let bases = Bases::new(self.options.target, &planned.outputs, &placed.segments);
        Image {
            target: self.options.target,
            objects: self.objects,
            definitions: &self.definitions,
            liveness: live,
            merged: self.merged,
            frames: self.frames,
            outputs: &planned.outputs,
            segments: &placed.segments,
            slots: &planned.slots,
            values: self.values(planned, placed, live, &bases),
            addresses: &placed.addresses,
            shape: self.shape,
            relax: self.rules.relax,
            dead_values: self.dead_values(),
            call_nop: self.options.z.call_nop,
            plt: planned.plt,
            bases,
            got_base: bases.got_base,
            thread_pointer: bases.thread_pointer,
            tls_start: bases.tls_start,
            no_unique: self.options.no_gnu_unique,
            shared: &self.candidates.shared,
            refs: &self.extraction.refs,
            address_index: AddressIndex::new(&planned.outputs),
        }
    }

    fn dead_values(&self) -> Vec<(Glob, u64)> {
        let rules = &self.options.z.dead_reloc_in_nonalloc;
        rules.iter().map(|(glob, value)| (Glob::new(glob.as_bytes()), *value)).collect()
    }

    /// The value of every symbol, those of the linker's own and of expressions included.
    fn values(
        &self,
        planned: &Planned,
        placed: &PlacedOutput,
        live: &Liveness,
        bases: &Bases,
    ) -> Values {
        let address = |section: SectionId| placed.addresses[section].load(Ordering::Relaxed);
        let copies: Vec<(NameId, u64)> =
            planned.copies.iter().map(|&(name, section)| (name, address(section))).collect();
        let plt_address =
            |set: SlotSetId| plt_entry_address(&planned.slots, set, planned.plt, bases);
        let frames_start = planned.outputs.synthetic(Synthetic::EhFrame).map(|s| s.address);
        let frame_address = |section: SectionId, offset: u64| {
            let object = self.definitions.sections[section].object;
            let frames = &planned.plan.eh_frame;
            let at = frames.symbol_offset(self.frames, live, object, section, offset);
            frames_start.map(|start| start + at)
        };
        let compute = |synthetic: &[(NameId, u64)]| -> Values {
            values::compute(&ValueInput {
                objects: self.objects,
                definitions: &self.definitions,
                liveness: live,
                merged: self.merged,
                addresses: &placed.addresses,
                slots: &planned.slots,
                plt_address: &plt_address,
                plt: bases.plt,
                frame_address: &frame_address,
                synthetic,
                copies: &copies,
            })
        };
        let marks = |value_of| self.mark_values(planned, placed, bases, value_of);
        let mut synthetic = marks(&|_| 0).marks(self.claimed);
        let values = compute(&synthetic);
        if self.claimed.expressions.is_empty() {
            return values;
        }
        // Expressions may use any symbol, and symbols any expression.
        let value_of = |name: NameId| values.of_name[name];
        // Of several values of a symbol the last holds.
        let expressions = marks(&value_of)
            .expressions(self.claimed, |expr, error| self.tables().bad_expression(expr, error));
        let assigned: UnorderedMap<NameId, u64> = expressions.into_iter().collect();
        for (name, value) in &mut synthetic {
            *value = assigned.get(name).copied().unwrap_or(*value);
        }
        compute(&synthetic)
    }

    /// What expressions come to, once every symbol has its value.
    pub(super) fn evaluate<'b>(
        &self,
        planned: &Planned,
        placed: &PlacedOutput,
        live: &Liveness,
        expressions: impl Iterator<Item = &'b Expr>,
    ) -> Vec<Result<expr::Value, Error>> {
        let bases = Bases::new(self.options.target, &planned.outputs, &placed.segments);
        let values = self.values(planned, placed, live, &bases);
        let value_of = |name: NameId| values.of_name[name];
        let marks = self.mark_values(planned, placed, &bases, &value_of);
        expressions.map(|expr| marks.evaluate(expr)).collect()
    }

    /// The values of the linker's own symbols, in the order of [`ClaimedSymbols::symbols`].
    ///
    /// [`ClaimedSymbols::symbols`]: crate::synth::linker_symbols::ClaimedSymbols::symbols
    pub(super) fn linker_values(
        &self,
        planned: &Planned,
        placed: &PlacedOutput,
        live: &Liveness,
    ) -> Vec<(NameId, u64)> {
        let bases = Bases::new(self.options.target, &planned.outputs, &placed.segments);
        if self.claimed.expressions.is_empty() {
            return self.mark_values(planned, placed, &bases, &|_| 0).marks(self.claimed);
        }
        let values = self.values(planned, placed, live, &bases);
        let value = |name: NameId| values.of_name[name];
        self.claimed.symbols.iter().map(|symbol| (symbol.name, value(symbol.name))).collect()
    }

    fn mark_values<'b>(
        &'b self,
        planned: &'b Planned,
        placed: &'b PlacedOutput,
        bases: &'b Bases,
        value_of: &'b dyn Fn(NameId) -> u64,
    ) -> MarkValues<'b> {
        // Only static executables apply IRELATIVE relocations themselves.
        let irelative_count = if self.shape.is_dynamic || self.shape.is_pic {
            0
        } else {
            u64::from(planned.plan.relocs.resolved_count())
        };
        // Once local-dynamic code is rewritten to local exec, offsets count from the thread
        // pointer.
        let relaxes_tls = !self.shape.is_shared && (self.rules.relax || !self.shape.is_dynamic);
        MarkValues {
            outputs: &planned.outputs,
            positions: planned.outputs.positions_by_name(),
            segments: &placed.segments,
            listed: &placed.listed,
            bases,
            tls_module_base: if relaxes_tls { bases.thread_pointer } else { bases.tls_start },
            irelative_count,
            extraction: self.extraction,
            definitions: &self.definitions,
            segment_starts: &self.options.section_start,
            page: self.options.max_page_size(),
            common_page: self.options.common_page_size(),
            value_of,
        }
    }
}
