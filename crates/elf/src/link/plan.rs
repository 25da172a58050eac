//! Planning: what the linker adds, and which output sections there are.

use crate::arch::plt::{Plt, PltStyle};
use crate::args::{Options, Strip, assignments};
use crate::check::reports::{Sources, Tables};
use crate::check::{address_checks, assertions};
use crate::layout::order::Order;
use crate::layout::order::asked::OrderInput;
use crate::layout::{OutputSections, collect};
use crate::read::candidates::Candidates;
use crate::read::object_file::{InputSection, SectionFlags, StackNote};
use crate::read::section_names::{NameClass, OutputId, known};
use crate::read::{LibraryId, ObjectId, Objects};
use crate::resolve::definitions::{Definitions, SectionId, Strength, attr};
use crate::resolve::dynamic::{OutputShape, Versions};
use crate::resolve::extract::Extraction;
use crate::rewrite::fall_through::{FallThroughInput, drop_last_jumps};
use crate::select::eh_frame::EhFrames;
use crate::select::fold::Folds;
use crate::select::liveness::{LIVE, Liveness};
use crate::select::merge::MergedSections;
use crate::select::scan::{ScanOutput, need};
use crate::select::scan_columns::{ScanColumns, ScanRules};
use crate::select::used_symbols;
use crate::synth::build_id::BuildIdNote;
use crate::synth::dynamic_relocs::{self, DynamicRelocs, RelocInput};
use crate::synth::dynamic_section::{self, DynamicEntries, DynamicStrings};
use crate::synth::dynamic_symbols::{self, DynamicInput, DynamicSymbols};
use crate::synth::linker_symbols::{ClaimedSymbols, LinkerSymbol, Mark};
use crate::synth::package_note::PackageNote;
use crate::synth::planned::Planned;
use crate::synth::plt_frames::PltFrames;
use crate::synth::properties::Properties;
use crate::synth::property_note::PropertyNote;
use crate::synth::reloc_form::RelocForm;
use crate::synth::sections::{self, Plan, build_id_len};
use crate::synth::sframe::{self, SFrameOutput};
use crate::synth::slots::{self, Slots};
use crate::synth::symtab::{self, ExtraSymbol, SymTabInput};
use crate::synth::{eh_frame, emitted_relocs};
use crate::tell::map::{self, MapInput};
use crate::tell::{report, symbol_order};
use crate::write::placed::PlacedOutput;
use skald_base::expr::Expr;
use skald_core::diag::{Diag, Failed};
use skald_core::ids::{Column, OptionalId};
use skald_core::names::NameId;
use skald_core::time::Timer;
use skald_core::unordered::{UnorderedMap, UnorderedSet};
use std::sync::atomic::{AtomicU8, Ordering};

/// A link after selection.
pub struct Link<'a> {
    /// Options.
    pub options: &'a Options,
    /// Candidates.
    pub candidates: &'a Candidates,
    /// Names.
    pub extraction: &'a Extraction,
    /// Objects.
    pub objects: &'a Objects,
    /// Sections and definitions; planning appends the copies of variables.
    pub definitions: Definitions,
    /// Versions.
    pub versions: &'a Versions,
    /// Names that the linker defines.
    pub claimed: &'a ClaimedSymbols,
    /// Exception frames.
    pub frames: &'a EhFrames,
    /// Merged sections.
    pub merged: &'a MergedSections,
    /// Folded sections.
    pub folds: &'a Folds,
    /// What scanning found.
    pub scan: &'a ScanOutput,
    /// What scanning wrote.
    pub columns: &'a ScanColumns,
    /// Scan rules.
    pub rules: ScanRules,
    /// Kind of output.
    pub shape: OutputShape,
    /// Messages.
    pub diag: &'a Diag,
}

impl Link<'_> {
    /// Whether an option or, without one, an input asks for an executable stack. An object without
    /// a note does not (docs/decisions/0018-stack.md).
    pub fn wants_exec_stack(&self) -> bool {
        let asks = || self.objects.iter().any(|o| o.stack_note == StackNote::Exec);
        self.options.z.execstack.unwrap_or_else(asks)
    }

    /// Plans everything but addresses.
    pub fn plan(
        &mut self,
        live: &mut Liveness,
        names: Column<OutputId, Vec<u8>>,
    ) -> Result<Planned, Failed> {
        let needs_got_plt = self.needs_got_plt();
        if !self.options.gc_sections {
            self.columns.note_all_references(self.extraction);
        }
        self.fix_exported_ifuncs();
        let slots = slots::assign(
            &self.definitions,
            self.extraction,
            &self.columns.needs,
            self.scan,
            self.shape,
            !self.options.z.now,
        );
        let (slots, copies) = self.add_copies(slots, live);
        let property = self.properties().note(&self.definitions, &slots);
        let plt = (self.options.target.plt)(self.plt_style(property.as_ref()));
        let mut plan = Plan {
            interp: self.interp(),
            build_id: build_id_len(&self.options.build_id).map(|len| BuildIdNote::new(len as u32)),
            package: self.package(),
            reloc_form: RelocForm::new(self.options, self.shape),
            needs_got_plt,
            property,
            ..Plan::default()
        };
        let link = &*self;
        let live = &*live;
        let order = link.section_order(live);
        let (dynamic, (mut outputs, eh_frame)) = skald_core::par::join(
            || link.dynamic(live, &slots),
            || {
                let eh_frame = eh_frame::plan(link.frames, live, link.objects.len());
                (link.collect_outputs(live, names, &order), eh_frame)
            },
        );
        self.tables().links_to_dropped(&outputs, live);
        if self.options.optimize_bb_jumps {
            self.drop_last_jumps(&outputs, live);
        }
        let strings;
        (plan.symbols, strings, plan.relocs) = dynamic?;
        plan.eh_frame = eh_frame;
        if !self.options.no_plt_unwind_info {
            let (entries, direct) = (slots.plt.len(), slots.direct_plt.len());
            plan.eh_frame.describe_plt(PltFrames::new(self.options.target, plt, entries, direct));
        }
        if self.options.emit_relocs {
            plan.emitted = emitted_relocs::plan(
                &mut outputs,
                &self.definitions,
                self.objects,
                self.frames,
                live,
                &plan.eh_frame.cies,
            );
        }
        plan.sframe = self.stack_traces(live, &slots, plt);
        plan.symtab = self.symtab(live, &plan, &slots, &copies);
        sections::add(&mut outputs, &plan, &slots, plt, self.shape, self.options);
        let mut planned = Planned { slots, plt, plan, strings, copies, outputs };
        self.add_dynamic_section(&mut planned);
        self.diag.checkpoint()?;
        Ok(planned)
    }

    /// Takes away last jumps to what follows in `outputs`.
    fn drop_last_jumps(&mut self, outputs: &OutputSections, live: &Liveness) {
        let input = FallThroughInput {
            target: self.options.target,
            objects: self.objects,
            frames: self.frames,
            live,
            folds: self.folds,
            claimed: self.claimed,
        };
        let changed = drop_last_jumps(&input, &mut self.definitions, outputs);
        self.objects = changed.unwrap_or(self.objects);
    }

    /// What decides the order of input sections.
    fn section_order<'b>(&'b self, live: &'b Liveness) -> Order<'b> {
        let &Link { options, candidates, extraction, objects, folds, diag, .. } = self;
        let definitions = &self.definitions;
        let input =
            OrderInput { options, candidates, extraction, objects, definitions, live, folds, diag };
        let (order, found) = input.section_order();
        symbol_order::print(&input, &found);
        order
    }

    /// What the loader reads: symbols, strings and relocations.
    fn dynamic(
        &self,
        live: &Liveness,
        slots: &Slots,
    ) -> Result<(DynamicSymbols, DynamicStrings, DynamicRelocs), Failed> {
        let named = || {
            let mut symbols = DynamicSymbols::default();
            let mut strings = DynamicStrings::default();
            if self.shape.is_dynamic {
                symbols = self.dynamic_symbols(live, slots)?;
                strings = dynamic_section::add_strings(self.options, self.candidates, &mut symbols);
            }
            Ok((symbols, strings))
        };
        let input = RelocInput {
            target: self.options.target,
            objects: self.objects,
            definitions: &self.definitions,
            liveness: live,
            relative: &self.columns.relative,
            scan: self.scan,
            slots,
            shape: self.shape,
            packed: self.packs_relative_relocations(),
        };
        let (named, relocs) = skald_core::par::join(named, || dynamic_relocs::plan(&input));
        let (symbols, strings) = named?;
        Ok((symbols, strings, relocs))
    }

    /// The output sections that inputs make.
    fn collect_outputs(
        &self,
        live: &Liveness,
        names: Column<OutputId, Vec<u8>>,
        order: &Order<'_>,
    ) -> OutputSections {
        let mut outputs =
            collect::collect(&self.definitions, self.objects, live, self.merged, names, order);
        for section in outputs.sections.iter_mut().filter(|section| section.is_large) {
            section.sh_flags |= u64::from(self.options.target.large_section);
        }
        outputs
    }

    /// Adds `.dynamic`, whose size follows from the sections that there are.
    fn add_dynamic_section(&self, planned: &mut Planned) {
        if !self.shape.is_dynamic {
            return;
        }
        let entries = self.dynamic_entries(planned, None, None).list(&planned.outputs).len();
        let size = 16 * entries as u64;
        planned.plan.dynamic_size = size;
        planned.outputs.add_synthetic(
            crate::layout::Synthetic::Dynamic,
            match self.options.z.rodynamic {
                true => sections::READ_ONLY_DYNAMIC_HEADER,
                false => sections::DYNAMIC_HEADER,
            },
            size,
        );
    }

    /// The entries of `.dynamic`; `init` and `fini` are addresses once they are known.
    pub fn dynamic_entries<'b>(
        &'b self,
        planned: &'b Planned,
        init: Option<u64>,
        fini: Option<u64>,
    ) -> DynamicEntries<'b> {
        let or_zero = |name: &str, value: Option<u64>| {
            self.is_defined_here(name.as_bytes()).then(|| value.unwrap_or(0))
        };
        DynamicEntries {
            options: self.options,
            shape: self.shape,
            strings: &planned.strings,
            symbols: &planned.plan.symbols,
            relocs: &planned.plan.relocs,
            reloc_form: planned.plan.reloc_form,
            plt_entry_size: planned.plt.entry_size as u64,
            has_static_tls: self.scan.has_static_tls,
            has_text_relocations: self.scan.has_text_relocations,
            init: or_zero(&self.options.init, init),
            fini: or_zero(&self.options.fini, fini),
        }
    }

    /// Whether an object of this output defines a name.
    pub fn is_defined_here(&self, text: &[u8]) -> bool {
        self.extraction
            .own_name(text)
            .is_some_and(|name| self.definitions.globals[name].has(attr::DEFINED))
    }

    /// A program's IFUNC that a library refers to is a plain function to that library, at a PLT
    /// entry: a library is relocated before the program, whose resolver cannot be called yet, and
    /// the loader gives up. As GNU ld and mold have it in programs at fixed addresses.
    fn fix_exported_ifuncs(&self) {
        if self.shape.is_shared || !self.shape.has_loader {
            return;
        }
        for shared in &self.candidates.shared {
            for &(_, name) in &shared.imports {
                let global = self.definitions.globals[name];
                if global.has(attr::IFUNC)
                    && global.has(attr::DEFINED)
                    && global.has(attr::EXPORTED)
                {
                    self.columns.needs[name]
                        .fetch_or(need::PLT | need::CANONICAL, Ordering::Relaxed);
                }
            }
        }
    }

    /// Appends a zero-filled section for each variable that is copied, and copies its aliases.
    fn add_copies(
        &mut self,
        mut slots: Slots,
        live: &mut Liveness,
    ) -> (Slots, Vec<(NameId, SectionId)>) {
        let mut copies = Vec::new();
        // One variable may have several names (`environ`, `__environ`): all must mean the copy.
        let mut place_of: UnorderedMap<(LibraryId, u64), SectionId> = UnorderedMap::new();
        let mut first_names = Vec::new();
        for &name in &slots.copies {
            let rank = self.definitions.ranks[name];
            let shared = &self.candidates.shared[rank.library()];
            let symbol = &shared.symbols[rank.symbol()];
            let address = symbol.st_value.get();
            let section = *place_of.entry((rank.library(), address)).or_insert_with(|| {
                first_names.push(name);
                let read_only = shared.is_read_only(address) && self.options.z.relro;
                let record = InputSection {
                    object: ObjectId::default(),
                    shndx: 0,
                    data_offset: 0,
                    size: symbol.st_size.get(),
                    rel_offset: 0,
                    rel_count: 0,
                    fde_head: OptionalId::NONE,
                    out: if read_only { known::BSS_REL_RO } else { known::BSS },
                    class: NameClass::CUSTOM,
                    flags: SectionFlags(
                        SectionFlags::ALLOC
                            | SectionFlags::WRITE
                            | SectionFlags::NOBITS
                            | SectionFlags::COMMON,
                    ),
                    align_log2: shared.symbol_align_log2(rank.symbol()),
                    entsize: 0,
                };
                live.live.push(AtomicU8::new(LIVE));
                self.definitions.sections.push(record)
            });
            copies.push((name, section));
        }
        let mut all: Vec<NameId> = slots.copies.clone();
        for (name, section) in self.aliases(&place_of, &slots.copies) {
            self.columns.needs[name].fetch_or(need::COPY | need::REFERENCED, Ordering::Relaxed);
            all.push(name);
            copies.push((name, section));
        }
        slots::sort_names(&self.definitions, self.extraction, &mut all);
        slots.copies = first_names;
        slots.set_copied(all);
        (slots, copies)
    }

    /// The other names of copied variables, whose copies are `place_of` by library and address: by
    /// these, and then in the order of the library's symbols.
    fn aliases(
        &self,
        place_of: &UnorderedMap<(LibraryId, u64), SectionId>,
        copied: &[NameId],
    ) -> Vec<(NameId, SectionId)> {
        let mut seen: UnorderedSet<NameId> = copied.iter().copied().collect();
        let mut files: Vec<LibraryId> =
            place_of.sorted().iter().map(|((file, _), _)| *file).collect();
        files.dedup();
        let mut found = Vec::new();
        for file in files {
            let shared = &self.candidates.shared[file];
            for &(symbol, name) in &shared.exports {
                let entry = &shared.symbols[symbol];
                let place = (file, entry.st_value.get());
                let Some(&section) = place_of.get(&place) else { continue };
                let rank = self.definitions.ranks[name];
                if rank.strength() == Strength::Shared
                    && (rank.library(), rank.symbol()) == (file, symbol)
                    && entry.kind() != object::elf::STT_TLS
                    && seen.insert(name)
                {
                    found.push((place, name, section));
                }
            }
        }
        found.sort_by_key(|&(place, ..)| place);
        found.into_iter().map(|(_, name, section)| (name, section)).collect()
    }

    fn interp(&self) -> Option<Vec<u8>> {
        if !self.shape.is_dynamic || self.options.no_dynamic_linker || self.shape.is_shared {
            return None;
        }
        let is_static_pie = self.options.is_static && self.candidates.shared.is_empty();
        if is_static_pie {
            return None;
        }
        let path = self.options.dynamic_linker.as_deref()?;
        Some([path.as_bytes(), b"\0"].concat())
    }

    /// Whether something counts from the start of `.got.plt`. Assemblers write its name to every
    /// object that has to do with a GOT, so what counts are relocations and expressions.
    fn needs_got_plt(&self) -> bool {
        let is_got = |s: &&LinkerSymbol| matches!(s.mark, Mark::Got);
        let refers = self.claimed.symbols.iter().find(is_got).is_some_and(|symbol| {
            let needs = self.columns.needs[symbol.name].load(Ordering::Relaxed);
            needs & need::REFERENCED != 0
                || self.claimed.expressions.referenced().contains(&symbol.name)
        });
        self.scan.needs_got_base || refers
    }

    fn properties(&self) -> Properties<'_> {
        let &Link { options, candidates, objects, diag, .. } = self;
        Properties { options, candidates, objects, diag }
    }

    /// The plan of `.sframe`; as with GNU ld there is none if a table cannot be merged, and that is
    /// a warning: what unwinds without it goes on.
    fn stack_traces(&self, live: &Liveness, slots: &Slots, plt: &Plt) -> Option<SFrameOutput> {
        let planned = sframe::plan(self.objects, &self.definitions, live);
        let mut planned = planned.unwrap_or_else(|fault| {
            self.tables().unmerged_stack_traces(&fault);
            None
        });
        if let Some(output) = planned.as_mut().filter(|_| !self.options.no_plt_unwind_info) {
            output.describe_plts(self.options.target, slots, plt);
        }
        planned
    }

    fn package(&self) -> Option<PackageNote> {
        let text = self.options.package_metadata.as_ref()?;
        match PackageNote::parse(text.as_bytes()) {
            Ok(note) => note,
            Err(error) => {
                self.diag.error((0, 0), format!("--package-metadata: {error}"));
                None
            }
        }
    }

    /// Whether relative relocations go to `.relr.dyn`. It can only hold even addresses, which
    /// sections put at odd ones by option need not have.
    fn packs_relative_relocations(&self) -> bool {
        let mut fixed = self.options.fixed_addresses();
        (self.options.pack_relative_relocs || self.options.pack_dyn_relocs_relr)
            && fixed.all(|address| address.is_multiple_of(2))
    }

    fn plt_style(&self, property: Option<&PropertyNote>) -> PltStyle {
        let z = &self.options.z;
        let machine = self.options.target.properties;
        let features = property.map_or(0, |note| note.value(machine.features));
        let ibt = features & u64::from(machine.landing_pads) != 0;
        if z.retpoline_plt {
            if z.now { PltStyle::RetpolineNow } else { PltStyle::Retpoline }
        } else if z.ibtplt || z.ibt || ibt {
            PltStyle::Ibt
        } else {
            PltStyle::Plain
        }
    }

    fn dynamic_symbols(&self, live: &Liveness, slots: &Slots) -> Result<DynamicSymbols, Failed> {
        let file_name = self.options.output.file_name().unwrap_or_default();
        let base = match &self.options.soname {
            Some(soname) => soname.as_bytes(),
            None => file_name.as_encoded_bytes(),
        };
        let input = DynamicInput {
            options: self.options,
            candidates: self.candidates,
            extraction: self.extraction,
            definitions: &self.definitions,
            versions: self.versions,
            liveness: live,
            needs: &self.columns.needs,
            ordered: &slots.ordered,
            copies: &slots.all_copies,
            base_name: base,
        };
        dynamic_symbols::plan(&input).map_err(|error| {
            self.diag.error((0, 0), error.to_string());
            Failed
        })
    }

    /// Names of `-u` that nothing defines; GNU ld shows them as undefined.
    fn undefined_roots(&self, plan: &Plan) -> Vec<NameId> {
        let mut names: Vec<NameId> = Vec::new();
        let mut seen = UnorderedSet::new();
        for text in &self.options.undefined {
            let Some(name) = self.extraction.own_name(text.as_bytes()) else { continue };
            let is_listed = plan.symbols.index_of.get(name).is_some_and(|&at| at != 0);
            let is_defined = self.definitions.globals[name].has(attr::DEFINED);
            if !is_listed && !is_defined && seen.insert(name) {
                names.push(name);
            }
        }
        names
    }

    fn symtab(
        &self,
        live: &Liveness,
        plan: &Plan,
        slots: &Slots,
        copies: &[(NameId, SectionId)],
    ) -> Option<symtab::SymTab> {
        // Relocations refer to symbols: those of sections, and what is not defined here.
        if self.options.strip == Strip::All && !self.options.emit_relocs {
            return None;
        }
        let retain = assignments::retained_symbols(self.options, self.diag);
        let extra = |name: NameId| ExtraSymbol {
            name,
            text: self.extraction.pools.name(&self.extraction.names, name),
        };
        let kept = |extra: &ExtraSymbol| retain.as_ref().is_none_or(|set| set.contains(extra.text));
        let mut locals = Vec::new();
        let mut globals = Vec::new();
        let has_got = plan.needs_got_plt || !slots.got.is_empty() || !slots.plt.is_empty();
        for symbol in &self.claimed.symbols {
            if matches!(symbol.mark, Mark::Got) && !has_got {
                continue;
            }
            let global = self.definitions.globals[symbol.name];
            let list = if global.has(attr::LOCAL) { &mut locals } else { &mut globals };
            list.push(extra(symbol.name));
        }
        globals.extend(self.undefined_roots(plan).into_iter().map(extra));
        if self.options.emit_relocs {
            self.add_referenced(live, plan, &mut globals);
        }
        let copied: UnorderedSet<NameId> = copies.iter().map(|copy| copy.0).collect();
        globals.reserve(plan.symbols.names.len());
        for &name in &plan.symbols.names {
            let global = self.definitions.globals[name];
            if !global.has(attr::DEFINED) || copied.contains(&name) {
                globals.push(extra(name));
            }
        }
        locals.retain(kept);
        globals.retain(kept);
        let input = SymTabInput {
            options: self.options,
            objects: self.objects,
            definitions: &self.definitions,
            liveness: live,
            merged: self.merged,
            names: &self.extraction.names,
            retain: retain.as_ref(),
        };
        Some(symtab::plan(&input, plan.emitted.section_symbols.clone(), locals, globals))
    }

    /// `--emit-relocs`: names that relocations refer to and nothing else brings, in the order of
    /// the files.
    fn add_referenced(&self, live: &Liveness, plan: &Plan, globals: &mut Vec<ExtraSymbol>) {
        let used =
            used_symbols::find(self.objects, &self.definitions, live, self.candidates, self.diag);
        let mut known: UnorderedSet<NameId> = globals.iter().map(|extra| extra.name).collect();
        known.extend(plan.symbols.names.iter().copied());
        for name in self.objects.iter().flat_map(|object| &object.globals) {
            let is_used = used.names[*name].load(Ordering::Relaxed) != 0;
            let is_defined = self.definitions.globals[*name].has(attr::DEFINED);
            if is_used && !is_defined && known.insert(*name) {
                let text = self.extraction.pools.name(&self.extraction.names, *name);
                globals.push(ExtraSymbol { name: *name, text });
            }
        }
    }
}

impl Link<'_> {
    /// Checks what can be wrong with addresses by itself, and what scripts say of them.
    pub(super) fn check_addresses(
        &self,
        planned: &Planned,
        placed: &PlacedOutput,
        live: &Liveness,
    ) {
        let sections = &planned.outputs.sections;
        address_checks::check(self.options, sections, &placed.segments, self.diag);
        let evaluate = |all: &[&Expr]| self.evaluate(planned, placed, live, all.iter().copied());
        assertions::check(&self.tables(), evaluate);
    }

    /// Writes the map if one is asked for.
    pub(super) fn write_map(
        &self,
        planned: &Planned,
        placed: &PlacedOutput,
        live: &Liveness,
    ) -> Result<(), Failed> {
        if self.options.map.is_none() {
            return Ok(());
        }
        map::write(&MapInput {
            sources: self.sources(),
            definitions: &self.definitions,
            live,
            frames: self.frames,
            merged: self.merged,
            folds: self.folds,
            planned,
            placed,
            claimed: self.claimed,
            values: self.linker_values(planned, placed, live),
        })
    }

    /// Writes the report if one is asked for.
    pub(super) fn write_report(
        &self,
        planned: &Planned,
        placed: &PlacedOutput,
        live: &Liveness,
        (kept, ties): (&report::MarkingRoots, report::Ties<'_>),
        timer: &Timer,
    ) -> Result<(), Failed> {
        report::write(&report::Input {
            sources: self.sources(),
            shape: self.shape,
            definitions: &self.definitions,
            frames: self.frames,
            merged: self.merged,
            folds: self.folds,
            live,
            kept,
            ties,
            planned,
            placed,
            timer,
        })
    }

    /// Tables for messages, but for definitions.
    pub(super) fn sources(&self) -> Sources<'_> {
        let &Link { options, candidates, extraction, objects, diag, .. } = self;
        Sources { options, candidates, extraction, objects, diag }
    }

    /// Tables for messages.
    pub(super) fn tables(&self) -> Tables<'_> {
        Tables {
            options: self.options,
            candidates: self.candidates,
            extraction: self.extraction,
            objects: self.objects,
            definitions: &self.definitions,
            diag: self.diag,
        }
    }
}
