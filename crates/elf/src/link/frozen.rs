//! The tables that selection leaves, and what follows from them once everything has its address.

use super::resolving::Resolved;
use crate::args::assignments::Assignment;
use crate::check::undefined;
use crate::layout::address_segments::sizeof_headers;
use crate::layout::islands::ThunkIndex;
use crate::layout::placed::AssignedPlace;
use crate::layout::placed::PlacedOutput;
use crate::layout::{OutputSections, Synthetic};
use crate::loops::Loops;
use crate::loops::code::CodeOrder;
use crate::machine::attribute_section::Described;
use crate::resolve::definitions::{SectionId, attr};
use crate::resolve::dynamic::{OutputShape, Versions};
use crate::resolve::linker_symbols::ClaimedSymbols;
use crate::resolve::linker_symbols::originals::Original;
use crate::resolve::outputs::scripted::Scripted;
use crate::resolve::tables::Tables;
use crate::select::selected::Selected;
use crate::synth::address_index::AddressIndex;
use crate::synth::dynamic_section::DynamicEntries;
use crate::synth::image::{Bases, Image, plt_entry_address};
use crate::synth::listed_got;
use crate::synth::mark_values::MarkValues;
use crate::synth::planned::Planned;
use crate::synth::slots::SlotSetId;
use crate::synth::values::{self, ValueInput, Values};
use skald_core::diag::{Diag, Error};
use skald_core::names::NameId;
use skald_core::unordered::UnorderedMap;
use skald_dwarf::dedup::RewrittenUnits;
use skald_linking::byte_order::ByteOrder;
use skald_linking::expr::{self, Expr};
use skald_linking::glob::Glob;
use std::sync::atomic::Ordering;

/// What resolving and selection leave: read-only from here on.
#[derive(Clone, Copy)]
pub(super) struct Frozen<'a> {
    /// The machine's loops.
    pub loops: &'static Loops,
    /// Files, names and definitions.
    pub tables: Tables<'a>,
    /// Symbols that the linker defines, and what each stands for.
    pub claimed: &'a ClaimedSymbols,
    /// Versions of dynamic symbols.
    pub versions: &'a Versions,
    /// Executable, PIE or shared, and whether there is a dynamic linker.
    pub shape: OutputShape,
    /// Live sections, and what their relocations need.
    pub selected: &'a Selected,
    /// Assignments of options and scripts, in order.
    pub assigned: &'a [Assignment],
    /// The statements of the layout, and the sections they take.
    pub scripted: &'a Scripted,
}

impl<'a> Frozen<'a> {
    /// Borrows what resolving and selection left.
    pub fn new(resolved: &'a Resolved<'_>, selected: &'a Selected, diag: &'a Diag) -> Frozen<'a> {
        let Resolved { loops, claimed, versions, shape, .. } = resolved;
        let tables = resolved.sources(diag).with(&resolved.definitions);
        let (assigned, scripted) = (&resolved.assigned[..], &resolved.scripted);
        Frozen { loops, tables, claimed, versions, shape: *shape, selected, assigned, scripted }
    }

    /// Whether `.relr.auth.dyn` is made: words that it covers have room for addresses below 2 GiB,
    /// which a script or an option may exceed. What options place has to leave half of that to what
    /// follows.
    pub fn packs_signed_pointers(&self) -> bool {
        let options = self.tables.options;
        let is_low = |address: u64| address < 1 << 30;
        options.machine.loader.signed.is_some()
            && options.packs_relative_relocations()
            // As with other relative relocations, the loader tags what is in `.rela.dyn`.
            && self.selected.tagged.is_empty()
            && self.scripted.script.is_automatic
            && !self.scripted.script.evaluates
            && options.fixed_addresses().all(is_low)
    }

    /// The view of writers: every table, address and value. `rewritten_units` is where the units of
    /// debug information are, if they were rewritten.
    pub fn image(
        &self,
        planned: &'a Planned,
        placed: &'a PlacedOutput,
        rewritten_units: Option<&'a RewrittenUnits>,
    ) -> Image<'a> {
        let &Frozen { tables, selected, shape, .. } = self;
        let Tables { options, candidates, extraction, objects, definitions, .. } = tables;
        let bases = Bases::new(options.machine, shape, &placed.outputs, &placed.segments);
        let kinds = self.loops.thunks.map_or(&[][..], |thunks| thunks.kinds);
        let dead_values = options.z.dead_reloc_in_nonalloc.iter();
        let dead_values = dead_values.map(|(glob, value)| (Glob::new(glob.as_bytes()), *value));
        let values = self.values(planned, placed, &bases);
        Image {
            machine: options.machine,
            apply: self.loops.apply,
            apply_in_place: self.loops.apply_in_place,
            objects,
            definitions,
            liveness: &selected.live,
            merged: &selected.merged,
            frames: &selected.frames,
            copies: &selected.copies,
            outputs: &placed.outputs,
            segments: &placed.segments,
            slots: &planned.slots,
            // Loaders set the register by the symbol, and do not add where a PIE is loaded.
            relaxes_gp: !self.tables.options.no_relax_gp && !shape.is_pic,
            global_pointer: self.global_pointer(&values, &placed.outputs),
            got_pages: listed_got::pages(&placed.outputs, &planned.slots.paged),
            values,
            addresses: &placed.addresses,
            thunks: ThunkIndex::new(&placed.outputs, kinds),
            deletions: &placed.deletions,
            shrinking: self.loops.shrinking,
            shape,
            execute_only: options.arrangement.execute_only,
            relax: selected.relaxes,
            has_new_instructions: selected.scan.has_new_instructions,
            platform_types: options.platform_types(shape.is_dynamic),
            described: self.described(planned),
            turn_code: self.code_order().map(|order| order.turn),
            replaces_bx: options.processors.replaces_bx,
            pic_thunks: options.processors.pic_thunks,
            keeps_unwind_entries: options.processors.keeps_unwind_entries,
            code_memory: options.processors.code_memory,
            packs_signed: self.packs_signed_pointers(),
            kept_loads: &selected.scan.kept_loads,
            dead_values: dead_values.collect(),
            call_nop: options.z.call_nop,
            plt: planned.plt,
            bases,
            got_base: bases.got_base,
            thread_pointer: bases.thread_pointer,
            tls_start: bases.tls_start,
            no_unique: options.no_gnu_unique,
            os_abi: options.os_abi,
            shared: &candidates.shared,
            refs: &extraction.refs,
            originals: &self.claimed.originals,
            address_index: AddressIndex::new(&placed.outputs),
            assigned_in: self.assigned_in(placed),
            rewritten_units,
        }
    }

    /// Where scripts and options assign names.
    fn assigned_in(&self, placed: &PlacedOutput) -> UnorderedMap<NameId, AssignedPlace> {
        let values = self.claimed.assigned.iter().zip(&placed.assigned);
        values.filter_map(|(&name, &value)| Some((name?, value?.place))).collect()
    }

    /// How code gets the other byte order than data, if options ask for it.
    fn code_order(&self) -> Option<&'static CodeOrder> {
        let options = self.tables.options;
        let is_asked = options.z.little_code && options.machine.byte_order == ByteOrder::Big;
        self.loops.code_order.filter(|_| is_asked)
    }

    /// What the attributes of all objects and the order of code mean for the output.
    fn described(&self, planned: &Planned) -> Described {
        let described = planned.described(self.tables.options.machine);
        let of_order = self.code_order().map_or(0, |order| order.header_flags);
        Described { header_flags: described.header_flags | of_order, ..described }
    }

    /// The value of the global pointer. Without a GOT that code reaches from it, it is 0 if nothing
    /// refers to it, and in a library, which has the program's.
    fn global_pointer(&self, values: &Values, outputs: &OutputSections) -> u64 {
        let Tables { options, extraction, definitions, .. } = self.tables;
        let got = options.machine.listed_got;
        let small = options.machine.small_data.filter(|_| !self.shape.is_shared || got.is_some());
        let name = small.and_then(|small| extraction.own_name(small.pointer.as_bytes()));
        let name = name.filter(|&name| definitions.globals[name].has(attr::DEFINED));
        let own = name.and_then(|name| values::plain(values.of_name[name]));
        own.or_else(|| Some(listed_got::pointer(got?, outputs))).unwrap_or(0)
    }

    /// The entries of `.dynamic`; `init` and `fini` are `None` until addresses are known.
    pub fn dynamic_entries<'b>(
        &'b self,
        planned: &'b Planned,
        init: Option<u64>,
        fini: Option<u64>,
    ) -> DynamicEntries<'b> {
        let Tables { options, extraction, definitions, .. } = self.tables;
        let or_zero = |text: &str, value: Option<u64>| {
            let name = extraction.own_name(text.as_bytes())?;
            definitions.globals[name].has(attr::DEFINED).then(|| value.unwrap_or(0))
        };
        let scan = &self.selected.scan;
        DynamicEntries {
            options,
            shape: self.shape,
            strings: &planned.strings,
            symbols: &planned.plan.symbols,
            relocs: &planned.plan.relocs,
            reloc_form: planned.plan.reloc_form,
            plt: planned.plt,
            local_words: planned.slots.local_words,
            listed_symbols: planned.slots.listed.len(),
            has_static_tls: scan.has_static_tls,
            has_text_relocations: scan.has_text_relocations,
            init: or_zero(&options.init, init),
            fini: or_zero(&options.fini, fini),
        }
    }

    /// The values of expressions, once every symbol has its value.
    pub fn evaluate<'b>(
        &self,
        planned: &Planned,
        placed: &PlacedOutput,
        expressions: impl Iterator<Item = &'b Expr>,
    ) -> Vec<Result<expr::Value, Error>> {
        let bases =
            Bases::new(self.tables.options.machine, self.shape, &placed.outputs, &placed.segments);
        let values = self.values(planned, placed, &bases);
        let value_of = |name: NameId| values.of_name[name];
        let marks = self.mark_values(planned, placed, &bases, &value_of);
        expressions.map(|expr| marks.evaluate(expr)).collect()
    }

    /// The values of the linker's own symbols, in the order of [`ClaimedSymbols::symbols`].
    pub fn linker_values(&self, planned: &Planned, placed: &PlacedOutput) -> Vec<(NameId, u64)> {
        let bases =
            Bases::new(self.tables.options.machine, self.shape, &placed.outputs, &placed.segments);
        if self.claimed.expressions.is_empty() {
            return self.mark_values(planned, placed, &bases, &|_| 0).marks(self.claimed);
        }
        let values = self.values(planned, placed, &bases);
        let value = |name: NameId| values.of_name[name];
        self.claimed.symbols.iter().map(|symbol| (symbol.name, value(symbol.name))).collect()
    }

    /// The value of every symbol, of linker-defined symbols and assignments too.
    pub(super) fn values(&self, planned: &Planned, placed: &PlacedOutput, bases: &Bases) -> Values {
        let Tables { objects, definitions, .. } = self.tables;
        let Selected { frames, live, merged, copies, .. } = self.selected;
        let address = |section: SectionId| placed.addresses[section].load(Ordering::Relaxed);
        let copies: Vec<(NameId, u64)> =
            copies.places.iter().map(|&(name, section)| (name, address(section))).collect();
        let plt_address =
            |set: SlotSetId| plt_entry_address(&planned.slots, set, planned.plt, bases);
        let frames_start = placed.outputs.synthetic(Synthetic::EhFrame).map(|s| s.address);
        let frame_address = |section: SectionId, offset: u64| {
            let object = definitions.sections[section].object;
            let output = &planned.plan.eh_frame;
            let at = output.symbol_offset(frames, live, object, section, offset);
            frames_start.map(|start| start + at)
        };
        let compute = |synthetic: &[(NameId, u64)]| -> Values {
            values::compute(&ValueInput {
                objects,
                definitions,
                liveness: live,
                merged,
                addresses: &placed.addresses,
                deletions: &placed.deletions,
                slots: &planned.slots,
                plt_address: &plt_address,
                plt: bases.plt,
                frame_address: &frame_address,
                synthetic,
                copies: &copies,
                originals: &self.claimed.originals,
            })
        };
        let marks = |value_of| self.mark_values(planned, placed, bases, value_of);
        let mut synthetic = marks(&|_| 0).marks(self.claimed);
        if self.scripted.script.evaluates {
            // Of several values of a symbol the last holds.
            let assigned: UnorderedMap<NameId, u64> = self
                .claimed
                .assigned
                .iter()
                .zip(&placed.assigned)
                .filter_map(|(&name, &value)| Some((name?, value?.address)))
                .collect();
            for (name, value) in &mut synthetic {
                *value = assigned.get(name).copied().unwrap_or(*value);
            }
            return compute(&synthetic);
        }
        let values = compute(&synthetic);
        if self.claimed.expressions.is_empty() {
            return values;
        }
        // Expressions may use any symbol, and some symbols have the values of expressions.
        let value_of = |name: NameId| values.of_name[name];
        let original_of = |name: NameId| self.original(planned, placed, &values, name);
        // Of several values of a symbol the last holds.
        let expressions =
            marks(&value_of).expressions(self.claimed, &original_of, |expr, error| {
                undefined::bad_expression(&self.tables, expr, error)
            });
        let assigned: UnorderedMap<NameId, u64> = expressions.into_iter().collect();
        for (name, value) in &mut synthetic {
            *value = assigned.get(name).copied().unwrap_or(*value);
        }
        compute(&synthetic)
    }

    /// The value of a name before it is assigned, and whether that is absolute. `None` if nothing
    /// else defines the name, or only a library does.
    pub(super) fn original(
        &self,
        planned: &Planned,
        placed: &PlacedOutput,
        values: &Values,
        name: NameId,
    ) -> Option<(u64, bool)> {
        let original = self.claimed.originals.get(name)?;
        let value = match original {
            Original::Object(..) => values::plain(values.originals.get(&name).copied()?)?,
            Original::Library | Original::LibraryBeforeOption | Original::Common => return None,
            Original::Linker(mark) => {
                let options = self.tables.options;
                let bases =
                    Bases::new(options.machine, self.shape, &placed.outputs, &placed.segments);
                self.mark_values(planned, placed, &bases, &|_| 0).value(mark)
            }
        };
        Some((value, original.is_absolute()))
    }

    fn mark_values<'b>(
        &'b self,
        planned: &'b Planned,
        placed: &'b PlacedOutput,
        bases: &'b Bases,
        value_of: &'b dyn Fn(NameId) -> u64,
    ) -> MarkValues<'b> {
        let &Frozen { tables, selected, shape, .. } = self;
        let Tables { options, extraction, definitions, .. } = tables;
        // Only static executables apply relocations themselves: IRELATIVE ones, and those of signed
        // pointers.
        let irelative_count = if shape.is_dynamic || shape.is_pic {
            0
        } else if options.machine.loader.signed.is_some() {
            u64::from(planned.plan.relocs.rela_count())
        } else {
            u64::from(planned.plan.relocs.resolved_count())
        };
        // Once local-dynamic code is rewritten to local exec, offsets count from the thread
        // pointer.
        let relaxes_tls = !shape.is_shared && (selected.relaxes || !shape.is_dynamic);
        MarkValues {
            outputs: &placed.outputs,
            positions: placed.outputs.positions_by_name(),
            segments: &placed.segments,
            listed: &placed.listed,
            bases,
            tls_module_base: if relaxes_tls { bases.thread_pointer } else { bases.tls_start },
            irelative_count,
            extraction,
            definitions,
            segment_starts: options.segment_starts(),
            page: options.max_page_size(),
            common_page: options.common_page_size(),
            header_size: sizeof_headers(options, placed.segments.len()),
            value_of,
        }
    }
}
