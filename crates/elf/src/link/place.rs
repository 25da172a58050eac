//! Places everything: finds offsets and addresses in rounds, until no address, size or value
//! changes.

use super::frozen::Frozen;
use super::outer_symbols::OuterSymbols;
use super::resizing::{Rounds, grow_islands, resize_android_table, resize_relr};
use crate::args::Options;
use crate::args::options::OutputFormat;
use crate::check::{address_checks, assertions, no_cross_references, sizes, warnings};
use crate::diagnose::order::MessageKind;
use crate::layout::address_segments;
use crate::layout::items::{BodyPart, Layout};
use crate::layout::link_order::LinkOrder;
use crate::layout::order::padding::Padding;
use crate::layout::output_sections::CompressedId;
use crate::layout::segments::{self, AddressRules, Segment};
use crate::layout::shown::Shown;
use crate::layout::spill::{Spill, SpillInput};
use crate::layout::walk::{Assigned, MAX_ROUNDS, Surroundings, UNSETTLED, Walk};
use crate::layout::{
    OutputSections, Synthetic, arrange, automatic, empty_sections, input_offsets, memory_binding,
    section_order, table_headers,
};
use crate::resolve::definitions::SectionId;
use crate::resolve::linker_symbols::{LinkerSymbol, Mark};
use crate::resolve::names::references::ref_flags;
use crate::resolve::tables::Tables;
use crate::script::section_names::OutputId;
use crate::select::used_symbols;
use crate::synth::emitted_relocs;
use crate::synth::placed::{AssignedPlace, AssignedValue, PlacedOutput};
use crate::synth::planned::Planned;
use crate::synth::section_names::SectionNames;
use crate::tell::memory_usage;
use crate::write::dedup::Rewritten;
use crate::write::{compress, dedup};
use object::elf::PT_LOAD;
use skald_core::diag::{Diag, Failed};
use skald_core::ids::Column;
use skald_core::names::NameId;
use skald_core::unordered::UnorderedSet;
use skald_linking::expr::Expr;
use skald_linking::packed::Packed;
use std::sync::atomic::Ordering;

/// How many program headers the first walk through a script assumes.
const FIRST_GUESS: usize = 8;

/// Sorts output sections and gives everything its address.
pub(super) fn place(frozen: &Frozen<'_>, planned: &mut Planned) -> Result<PlacedOutput, Failed> {
    settled(frozen, planned, |placing, planned, mut placed| {
        let Tables { options, diag, .. } = frozen.tables;
        let script = &frozen.scripted.script;
        if script.evaluates {
            placing.evaluate(planned, &mut placed)?;
        }
        check(placing, planned, &placed)?;
        table_headers::settle(&mut planned.outputs);
        if options.map.is_some() {
            placed.shown = Shown::find(&placing.layout);
        }
        if options.reports.memory_usage && !script.is_automatic {
            memory_usage::print(&placing.walk.usage(&placing.layout), diag);
        }
        Ok(placed)
    })
}

/// What memory regions have no room for though another statement could take it; the next place for
/// each.
pub(super) fn spills(
    frozen: &Frozen<'_>,
    planned: &mut Planned,
    next: &dyn Fn(SectionId) -> Option<OutputId>,
) -> Result<Vec<Spill>, Failed> {
    settled(frozen, planned, |placing, planned, placed| {
        let input = SpillInput {
            walk: &placing.walk,
            layout: &placing.layout,
            outputs: &planned.outputs,
            definitions: frozen.tables.definitions,
            merged: &frozen.selected.merged,
            addresses: &placed.addresses,
            next,
        };
        Ok(input.find())
    })
}

/// Gives everything an address that does not change any more, for what comes `then`.
fn settled<R>(
    frozen: &Frozen<'_>,
    planned: &mut Planned,
    then: impl FnOnce(&mut Placing<'_, '_>, &mut Planned, PlacedOutput) -> Result<R, Failed>,
) -> Result<R, Failed> {
    let Tables { options, candidates, objects, definitions, diag, .. } = frozen.tables;
    let script = &frozen.scripted.script;
    let mut rules = AddressRules::new(options, objects);
    if script.is_automatic {
        rules.fix_stated(script);
        rules.separate(&candidates.compiled.segments);
    }
    warnings::executable_stacks(&frozen.tables);
    if script.is_automatic {
        align_sections(&mut planned.outputs, options, &rules, diag);
    }
    let (mut layout, stated) = arrange::arrange(&mut planned.outputs, frozen.scripted, options);
    layout.uses_headers = uses_headers(frozen);
    check_arranged(&layout, diag)?;
    warn_of_lost_build_id(planned, options, diag);
    if script.is_automatic {
        finish_order(&mut planned.outputs, &mut layout, &mut rules, diag);
    }
    let mut placed = PlacedOutput::new(definitions.sections.len());
    placed.stated = stated;
    let mut placing = Placing {
        frozen,
        rules: &rules,
        layout,
        walk: Walk::default(),
        covers: 0,
        header_count: FIRST_GUESS,
        needs_symbols: needs_symbols(frozen),
        outside: Vec::new(),
    };
    placing.place_inputs(planned, &placed);
    placing.drop_empty(planned, &mut placed);
    emitted_relocs::set_targets(&mut planned.outputs);
    planned.plan.set_infos(&mut planned.outputs);
    placed.names = SectionNames::of(&mut planned.outputs);
    placing.settle(planned, &mut placed)?;
    then(&mut placing, planned, placed)
}

/// Whether the script asks for SIZEOF_HEADERS, but for values that no symbol gets.
fn uses_headers(frozen: &Frozen<'_>) -> bool {
    let assignments = frozen.assigned.iter().zip(&frozen.claimed.assigned);
    let holding = assignments.filter(|(_, name)| name.is_some());
    let holding: UnorderedSet<&[u8]> = holding.map(|(own, _)| &own.name[..]).collect();
    frozen.scripted.script.uses_headers(|name| holding.contains(name))
}

/// Gives sections of an automatic layout the alignments that options and memory kinds ask for.
fn align_sections(
    outputs: &mut OutputSections,
    options: &Options,
    rules: &AddressRules,
    diag: &Diag,
) {
    for (name, align) in &options.arrangement.section_align {
        for section in outputs.sections.iter_mut().filter(|s| s.name == name.as_bytes()) {
            section.align = section.align.max(*align);
        }
    }
    for section in &mut outputs.sections {
        let own = rules.own_segment(section).map_or(0, |(_, align)| align);
        section.align = section.align.max(own.checked_next_power_of_two().unwrap_or(1));
    }
    memory_binding::align(outputs, rules, options.common_page_size());
    memory_binding::check(outputs, diag);
}

/// Reports references to `__ehdr_start` where the ELF header is in no segment that is loaded: as
/// with GNU ld the symbol is not defined then, so that weak references are null.
fn refuse_missing_header(frozen: &Frozen<'_>, placed: &PlacedOutput) {
    let is_loaded =
        placed.segments.iter().any(|segment| segment.p_type == PT_LOAD && segment.has_headers);
    if is_loaded || frozen.tables.options.output_format != OutputFormat::Elf {
        return;
    }
    let is_header = |symbol: &&LinkerSymbol| matches!(symbol.mark, Mark::Header);
    let names = frozen.claimed.symbols.iter().filter(is_header).map(|symbol| symbol.name);
    let refs = &frozen.tables.extraction.refs;
    let is_strong = |name: &NameId| refs.get(*name).flags() & ref_flags::UNDEF_STRONG != 0;
    let mut names: Vec<NameId> = names.filter(is_strong).collect();
    if names.is_empty() {
        return;
    }
    // References of sections that are not kept do not count.
    let Tables { objects, definitions, candidates, diag, .. } = frozen.tables;
    let used = used_symbols::find(objects, definitions, &frozen.selected.live, candidates, diag);
    names.retain(|name| used.names[*name].load(Ordering::Relaxed) != 0);
    frozen.tables.undefined(&frozen.selected.live, names);
}

/// Says, as GNU ld does, that a script discards the note that `--build-id` asks for.
fn warn_of_lost_build_id(planned: &Planned, options: &Options, diag: &Diag) {
    let is_asked = planned.plan.build_id.is_some() && options.output_format == OutputFormat::Elf;
    if is_asked && planned.outputs.synthetic(Synthetic::BuildId).is_none() {
        // No warning that may be fatal: compilers pass the option unasked.
        let text = ".note.gnu.build-id section discarded, --build-id ignored";
        diag.note((0, 0), text.to_owned());
    }
}

/// Reports needed sections that a script discards.
fn check_arranged(layout: &Layout, diag: &Diag) -> Result<(), Failed> {
    for name in &layout.undroppable {
        let name = String::from_utf8_lossy(name);
        diag.error(
            (0, 0),
            format!("discarding section {name} is not possible: the program needs it"),
        );
    }
    diag.checkpoint()
}

/// Applies options that order an automatic layout, and those that give zones addresses.
fn finish_order(
    outputs: &mut OutputSections,
    layout: &mut Layout,
    rules: &mut AddressRules,
    diag: &Diag,
) {
    if let Some(order) = &rules.order {
        outputs.sort(|section| section_order::rank(order, section));
        // The items of `--section-order` replace those of the statements.
        layout.items.clear();
        layout.headings.clear();
    }
    rules.fix_zone_starts(&outputs.sections);
    if let Some(section) = rules.unprotectable(&outputs.sections) {
        let name = String::from_utf8_lossy(&section.name);
        diag.error((0, 0), format!("--execute-only: section {name} is writable"));
    }
}

/// `SIZEOF_HEADERS` with so many segments: images of other formats have no headers.
pub(super) fn sizeof_headers(options: &Options, segments: usize) -> u64 {
    match options.output_format {
        OutputFormat::Elf => address_segments::header_size(segments),
        _ => 0,
    }
}

/// After this many times the number of program headers does not fall any more.
const FREE_COVERS: usize = 8;

/// Checks addresses, and assertions of scripts.
fn check(
    placing: &Placing<'_, '_>,
    planned: &Planned,
    placed: &PlacedOutput,
) -> Result<(), Failed> {
    let frozen = placing.frozen;
    let Tables { options, diag, .. } = frozen.tables;
    address_checks::report(&placing.walk.problems, options, diag);
    refuse_missing_header(frozen, placed);
    let moved = match placing.is_automatic() {
        true => Vec::new(),
        false => frozen.tables.bounds_of_moved_arrays(&planned.outputs, &frozen.claimed.symbols),
    };
    frozen.tables.undefined(&frozen.selected.live, moved);
    for (at, warning) in (0..).zip(&placing.walk.warnings) {
        diag.warn(MessageKind::Assertion.key(at), warning.clone());
    }
    let outside = placing.outside.iter().filter(|_| options.output_format == OutputFormat::Elf);
    for (at, message) in (0..).zip(outside) {
        diag.warn(MessageKind::OutsideSegment.key(at), message.clone());
    }
    let (script, sections) = (&frozen.scripted.script, &planned.outputs.sections);
    let amid = match placing.is_automatic() {
        true => segments::amid_thread_local(sections),
        false => address_segments::amid_thread_local(&planned.outputs),
    };
    if placing.layout.headers.is_none()
        && let Some(amid) = amid
    {
        let amid = String::from_utf8_lossy(amid);
        // Flags that no other section of its kind has are a mistake of a file, as a rule.
        let inputs = segments::thread_local_inputs(sections);
        let object = |id: SectionId| {
            frozen.tables.object_name(frozen.tables.definitions.sections[id].object)
        };
        let mut files: Vec<String> = inputs.map(object).collect();
        files.dedup();
        let from = if files.is_empty() { "" } else { ", which are from " };
        let files = files.join(", ");
        let text =
            format!("section {amid} stands amid sections of thread-local storage{from}{files}");
        diag.error((0, 0), text);
    }
    let is_stated = placing.layout.headers.is_some();
    if !placed.segments.iter().all(|segment| has_room(segment, &placed.segments, is_stated)) {
        let text = "there is no room for the program headers before the first section: \
                    SIZEOF_HEADERS says how many bytes they take";
        diag.error((0, 0), text);
    }
    address_checks::unfilled(&placing.layout, &planned.outputs, diag);
    address_checks::check(options, script, &planned.outputs, &placed.segments, diag);
    if !script.evaluates {
        let evaluate = |all: &[&Expr]| frozen.evaluate(planned, placed, all.iter().copied());
        assertions::check(&frozen.tables, evaluate);
    }
    no_cross_references::check(&frozen.tables, &planned.outputs);
    diag.checkpoint()
}

/// Whether a segment that begins with headers has room for them. Otherwise it would begin below
/// address zero, or, where a script states that it has them, share pages with a segment whose
/// permissions and bytes in the file are others.
fn has_room(segment: &Segment, all: &[Segment], is_stated: bool) -> bool {
    if !segment.has_headers || segment.p_type != PT_LOAD {
        return true;
    }
    let page_of = |address: u64| address - address % segment.align.max(1);
    let pages = |segment: &Segment| {
        let end = segment.address.checked_add(segment.memory_size)?;
        Some((page_of(segment.address), end))
    };
    let Some((start, _)) = pages(segment) else { return false };
    if !is_stated {
        return true;
    }
    let is_before = |other: &&Segment| {
        other.p_type == PT_LOAD && other.memory_size != 0 && other.address < segment.address
    };
    all.iter().filter(is_before).all(|other| pages(other).is_none_or(|(_, end)| end <= start))
}

/// Rewrites the debug sections and compresses the sections that options name, once everything
/// loaded has its address, and moves what is behind them in the file.
pub(super) fn compress(
    frozen: &Frozen<'_>,
    planned: &mut Planned,
    placed: &mut PlacedOutput,
) -> Result<Column<CompressedId, Packed>, Failed> {
    let Tables { options, diag, .. } = frozen.tables;
    if !compress::is_asked(options) && options.dedup_debug_types.is_none() {
        return Ok(Column::new());
    }
    let image = frozen.image(planned, placed);
    let rewritten = dedup::rewritten(&frozen.tables, &image, &planned.plan);
    let Rewritten { sections, units } = rewritten.unwrap_or_else(|error| {
        diag.error((0, 0), error.0);
        Rewritten::default()
    });
    let packed = compress::packed_sections(&frozen.tables, &image, &planned.plan, sections);
    drop(image);
    diag.checkpoint()?;
    placed.rewritten_units = units;
    Ok(compress::replace(packed, planned, placed, options))
}

/// Whether expressions of the layout refer to symbols that something else than assignments defines.
fn needs_symbols(frozen: &Frozen<'_>) -> bool {
    let script = &frozen.scripted.script;
    if !script.evaluates {
        return false;
    }
    let assignments = frozen.assigned.iter().zip(&frozen.claimed.assigned);
    let held: UnorderedSet<&[u8]> = assignments
        .filter(|(_, name)| name.is_some())
        .map(|(assignment, _)| &assignment.name[..])
        .collect();
    !frozen.claimed.originals.is_empty() || script.symbols().any(|name| !held.contains(name))
}

/// A layout while it gets its addresses.
struct Placing<'a, 'b> {
    frozen: &'a Frozen<'b>,
    rules: &'a AddressRules,
    layout: Layout,
    walk: Walk,
    /// How many program headers the last walk through a script needed.
    header_count: usize,
    /// How often segments were made.
    covers: usize,
    needs_symbols: bool,
    /// What is to be said of sections that their segments do not hold.
    outside: Vec<String>,
}

impl Placing<'_, '_> {
    /// Gives input sections their offsets, in parallel.
    fn place_inputs(&self, planned: &mut Planned, placed: &PlacedOutput) {
        let Frozen { tables, selected, .. } = self.frozen;
        let Tables { options, definitions, .. } = tables;
        let outputs = &mut planned.outputs;
        let padding = options.arrangement.random_padding_seed.filter(|_| self.is_automatic());
        let padding = padding.map(|seed| {
            let segments = segments::plan(outputs, self.rules);
            Padding::new(seed, self.rules.page, outputs, &segments)
        });
        let merged = &selected.merged;
        input_offsets::place_sections(
            outputs,
            definitions,
            merged,
            padding.as_ref(),
            &placed.addresses,
        );
    }

    fn is_automatic(&self) -> bool {
        self.layout.is_automatic
    }

    /// Leaves out a script's output sections that are empty, and inserts the beginnings of an
    /// automatic layout's segments.
    fn drop_empty(&mut self, planned: &mut Planned, placed: &mut PlacedOutput) {
        if !self.layout.is_automatic || self.layout.headings.iter().any(|heading| heading.is_hollow)
        {
            let merged = &self.frozen.selected.merged;
            let rounds = if self.has_open_gaps() { MAX_ROUNDS } else { 1 };
            for _ in 0..rounds {
                let changed = self.walk_once(planned, placed, false);
                if !changed || rounds == 1 {
                    break;
                }
                input_offsets::add_output_addresses(
                    &mut planned.outputs,
                    merged,
                    &placed.addresses,
                );
            }
            empty_sections::drop_empty(&mut planned.outputs, &mut self.layout);
        }
        if self.is_automatic() && self.rules.order.is_none() {
            let outputs = &mut planned.outputs;
            let segments = segments::plan(outputs, self.rules);
            let headers = segments::headers(outputs, &segments, self.rules);
            automatic::begin_segments(&mut self.layout, outputs, &segments, self.rules, headers);
        }
    }

    /// Whether it may depend on what comes later if a section is empty: on values of symbols, sizes
    /// and addresses.
    fn has_open_gaps(&self) -> bool {
        let asks =
            |part: &BodyPart| matches!(part, BodyPart::Gap(_, expr) if expr.as_number().is_none());
        let mut hollow = self.layout.headings.iter().filter(|heading| heading.is_hollow);
        !self.layout.is_automatic && hollow.any(|heading| heading.body.iter().any(asks))
    }

    /// Assigns addresses until no size that depends on them changes. The cheapest to ask is asked
    /// first.
    fn settle(&mut self, planned: &mut Planned, placed: &mut PlacedOutput) -> Result<(), Failed> {
        let Frozen { tables, selected, .. } = self.frozen;
        let Tables { definitions, objects, .. } = tables;
        let mut rounds = Rounds::default();
        for _ in 0..MAX_ROUNDS {
            let mut changed;
            loop {
                changed = self.assign(planned, placed)?;
                if !resize_relr(tables, planned, placed, &mut rounds.relr) {
                    break;
                }
            }
            if self.is_automatic() {
                sizes::check_file_size(tables, &planned.outputs, placed.end.size, self.rules.page)?;
            }
            input_offsets::add_output_addresses(
                &mut planned.outputs,
                &selected.merged,
                &placed.addresses,
            );
            input_offsets::copy_addresses(&selected.folds, &placed.addresses);
            tables.diag.checkpoint()?;
            let order = LinkOrder { definitions, objects, addresses: &placed.addresses };
            if order.restore(&mut planned.outputs) {
                self.place_inputs(planned, placed);
                continue;
            }
            if grow_islands(self.frozen, planned, placed, &mut rounds.islands)? {
                self.place_inputs(planned, placed);
                changed = true;
            }
            changed |= resize_android_table(self.frozen, planned, placed, &mut rounds.android);
            if !changed {
                return Ok(());
            }
        }
        tables.diag.error((0, 0), UNSETTLED);
        tables.diag.checkpoint()
    }

    /// Gives output sections their addresses and file offsets; returns whether another round may
    /// change them.
    fn assign(&mut self, planned: &mut Planned, placed: &mut PlacedOutput) -> Result<bool, Failed> {
        let tables = &self.frozen.tables;
        let changed = match self.is_automatic() {
            true => self.assign_automatic(planned, placed)?,
            false => {
                let changed = self.walk_once(planned, placed, false);
                let count = self.header_count;
                self.cover(planned, placed);
                sizes::check_segments(tables, &placed.segments)?;
                changed || count != self.header_count
            }
        };
        sizes::check_addresses(tables, &planned.outputs, planned.plan.symtab.as_ref())?;
        Ok(changed)
    }

    fn assign_automatic(
        &mut self,
        planned: &mut Planned,
        placed: &mut PlacedOutput,
    ) -> Result<bool, Failed> {
        let tables = &self.frozen.tables;
        let rules = self.rules;
        placed.segments = segments::plan(&planned.outputs, rules);
        sizes::check_segments(tables, &placed.segments)?;
        let with_headers = !tables.options.z.no_section_header;
        if let Some(order) = &rules.order {
            let (outputs, segments) = (&mut planned.outputs, &mut placed.segments);
            let found = section_order::assign(outputs, segments, rules, order, with_headers);
            (placed.end, placed.listed) = (found.end, found.symbols);
            if let Some(text) = found.problem {
                tables.diag.error((0, 0), text);
            }
            return Ok(false);
        }
        let headers = segments::headers(&mut planned.outputs, &placed.segments, rules);
        let unfilled = self.frozen.scripted.script.evaluates.then(|| placed.segments.clone());
        if unfilled.is_some() {
            // Symbols that mark segments have the addresses of the walk before.
            let sections = &planned.outputs.sections;
            segments::fill(&mut placed.segments, sections, rules, headers.clone());
        }
        let changed = self.walk_once(planned, placed, false);
        if let Some(unfilled) = unfilled {
            placed.segments = unfilled;
        }
        let (outputs, segments) = (&mut planned.outputs, &mut placed.segments);
        let loaded = self.walk.file_end;
        placed.end = segments::finish(outputs, segments, rules, headers, loaded, with_headers);
        // Without assignments one walk is enough.
        Ok(changed && self.frozen.scripted.script.evaluates)
    }

    /// Gives parts and symbols their addresses; returns whether any changed.
    fn walk_once(
        &mut self,
        planned: &mut Planned,
        placed: &mut PlacedOutput,
        is_final: bool,
    ) -> bool {
        if !self.frozen.scripted.script.evaluates {
            let around = Surroundings::automatic(self.rules);
            let (outputs, stated) = (&mut planned.outputs, &mut placed.stated);
            return self.walk.go(&self.layout, outputs, stated, &around, is_final);
        }
        let Frozen { tables, selected, assigned, .. } = self.frozen;
        let Tables { options, definitions, .. } = tables;
        let symbols = OuterSymbols::new(self.frozen, planned, placed, self.needs_symbols);
        let addresses = &placed.addresses;
        let is_automatic = self.is_automatic();
        let place = |outputs: &mut OutputSections, at: usize, start: u64, align: Option<u64>| {
            if is_automatic && outputs.is_whole(at) {
                // Offsets of its inputs do not depend on where it starts.
                return outputs.sections[at].size;
            }
            let output = &mut outputs.sections[at];
            input_offsets::place_part(
                output,
                definitions,
                &selected.merged,
                addresses,
                start,
                align,
            )
        };
        let by_number: Vec<Option<&[u8]>> = assigned
            .iter()
            .zip(&self.frozen.claimed.assigned)
            .map(|(assignment, name)| name.map(|_| &assignment.name[..]))
            .collect();
        let around = Surroundings {
            assigned: &by_number,
            symbol: &|name| symbols.value(name),
            is_defined: &|name| symbols.is_defined(name),
            starts: if is_automatic { &[] } else { &options.section_start },
            segment_starts: options.segment_starts(),
            page: options.max_page_size(),
            relro_page: self.rules.relro_page,
            common_page: options.common_page_size(),
            header_size: sizeof_headers(options, self.header_count),
            relro: self.rules.relro,
            checks: !options.reports.no_check_sections,
            place: &place,
        };
        let (outputs, stated) = (&mut planned.outputs, &mut placed.stated);
        let changed = self.walk.go(&self.layout, outputs, stated, &around, is_final);
        let value = |assigned: Assigned| AssignedValue {
            address: assigned.address,
            place: match self.header_of(outputs, &assigned) {
                Some(header) => AssignedPlace::Section(header),
                None if assigned.is_absolute && assigned.heading.is_none() => {
                    AssignedPlace::Absolute
                }
                None => AssignedPlace::Address,
            },
        };
        placed.assigned = self.walk.values.iter().map(|found| found.map(value)).collect();
        changed
    }

    /// Index of the section header that an assigned symbol belongs to; none if it is in no section.
    fn header_of(&self, outputs: &OutputSections, assigned: &Assigned) -> Option<u32> {
        let own = assigned.heading?;
        let near = || self.walk.neighbor(&self.layout, outputs, own, assigned.address);
        let head = |at: usize| Some(self.layout.headings[at].head? as u32 + 1);
        head(own).or_else(|| if self.is_automatic() { None } else { head(near()?) })
    }

    /// Walks a last time, and keeps the problems of expressions, assertions and regions.
    fn evaluate(&mut self, planned: &mut Planned, placed: &mut PlacedOutput) -> Result<(), Failed> {
        if self.is_automatic() {
            self.walk_once(planned, placed, true);
            let problems = std::mem::take(&mut self.walk.problems);
            self.assign_automatic(planned, placed)?;
            self.walk.problems = problems;
        } else {
            self.walk_once(planned, placed, true);
            self.cover(planned, placed);
        }
        let Frozen { selected, .. } = self.frozen;
        input_offsets::add_output_addresses(
            &mut planned.outputs,
            &selected.merged,
            &placed.addresses,
        );
        input_offsets::copy_addresses(&selected.folds, &placed.addresses);
        Ok(())
    }

    /// Finds what follows from a script's addresses: segments and file offsets.
    fn cover(&mut self, planned: &mut Planned, placed: &mut PlacedOutput) {
        let outputs = &mut planned.outputs;
        let (layout, walk, rules) = (&self.layout, &self.walk, self.rules);
        let mut segments = address_segments::plan(outputs, layout, walk, rules, self.header_count);
        // Whether the headers have room decides how many there are: at last the greater number
        // holds, so that it settles.
        self.covers += 1;
        self.header_count = match self.covers > FREE_COVERS {
            true => segments.len().max(self.header_count),
            false => segments.len(),
        };
        let with_headers = !self.frozen.tables.options.z.no_section_header;
        placed.end = address_segments::assign(outputs, &mut segments, rules, with_headers);
        if layout.headers.is_some() {
            self.outside = address_segments::unloaded_sections::messages(outputs, &segments);
        }
        placed.segments = segments.into_iter().map(|covering| covering.segment).collect();
    }
}
