//! Gives everything its address: again and again, until no address, no size and no value changes.
//!
//! Before the rounds begin, the statements are arranged ([`arrange`]), inputs get their offsets
//! ([`input_offsets`]), and the set of output sections becomes final. Then each round recomputes
//! what depends on addresses, the cheapest first:
//!
//! 1. A walk gives output sections, parts and assigned symbols their addresses, and segments follow
//!    ([`Settled::assign`]). It is repeated at once for tables that depend on nothing else
//!    ([`Dependents::resize_by_outputs`]).
//! 2. Inputs get their addresses; folded inputs have those of their leaders.
//! 3. Inputs with SHF_LINK_ORDER may need another order ([`LinkOrder`]).
//! 4. Code may need another size at its new address ([`Dependents::resize_code`]): then offsets of
//!    inputs are computed again.
//! 5. Tables of addresses may need another size ([`Dependents::resize_tables`]).
//!
//! After some rounds each size may only grow, so this terminates. The tables read are those of
//! resolving, merged groups and folds. Stages above `layout` take part through [`Dependents`].

use super::input_offsets::{self, Inputs, PartPlacing};
use super::items::{BodyPart, Layout};
use super::link_order::LinkOrder;
use super::order::padding::Padding;
use super::output_sections::StatedId;
use super::placed::{AssignedPlace, AssignedValue, PlacedOutput};
use super::segments::{self, AddressRules};
use super::walk::{Assigned, Environment, MAX_ROUNDS, Symbols, UNSETTLED, Walk};
use super::{
    OutputSections, Synthetic, address_segments, arrange, automatic, empty_sections, limits,
    memory_binding, section_order,
};
use crate::args::Options;
use crate::args::assignments::Assignment;
use crate::args::options::OutputFormat;
use crate::resolve::linker_symbols::ClaimedSymbols;
use crate::resolve::outputs::scripted::Scripted;
use crate::resolve::tables::Tables;
use crate::select::fold::Folds;
use crate::select::merge::MergedSections;
use skald_core::diag::{Diag, Failed, WHOLE_LINK};
use skald_core::ids::Column;
use skald_core::unordered::UnorderedSet;

/// How many program headers the first walk through a script assumes.
const FIRST_GUESS: usize = 8;

/// After this many times the number of program headers may only grow.
const FREE_COVERS: usize = 8;

/// What the layout is made of, besides the output sections.
pub struct SettleInput<'a> {
    /// Files, names and definitions.
    pub tables: &'a Tables<'a>,
    /// The statements of the layout, and the sections that they take.
    pub scripted: &'a Scripted,
    /// Assignments of options and scripts, in order.
    pub assigned: &'a [Assignment],
    /// Symbols that the linker defines: which assignments take effect.
    pub claimed: &'a ClaimedSymbols,
    /// Merged groups.
    pub merged: &'a MergedSections,
    /// Equal sections that share an address.
    pub folds: &'a Folds,
    /// Bytes of names in `.strtab`.
    pub symbol_strings: u64,
    /// Options ask for a build id note.
    pub has_build_id: bool,
}

/// Parts of stages above the layout that depend on addresses.
pub trait Dependents {
    /// Called when the set of output sections is final: numbers and names of section headers do not
    /// change any more.
    fn number_sections(&mut self, outputs: &mut OutputSections);

    /// The values of symbols for the next walk, with the current addresses of sections.
    fn symbols<'s>(&'s self, placed: &PlacedOutput) -> Box<dyn Symbols + 's>;

    /// Resizes sections by the current addresses of output sections; returns whether any size
    /// changed. Addresses of inputs may be those of an earlier round.
    fn resize_by_outputs(&mut self, placed: &mut PlacedOutput) -> bool;

    /// Adapts code to the current addresses, such as room for thunks; returns whether inputs have
    /// to be placed again.
    fn resize_code(&mut self, placed: &mut PlacedOutput) -> Result<bool, Failed>;

    /// Resizes tables of addresses; returns whether any size changed.
    fn resize_tables(&mut self, placed: &mut PlacedOutput) -> bool;
}

/// A layout in which everything has its address.
pub struct Settled<'a> {
    input: &'a SettleInput<'a>,
    rules: AddressRules,
    /// By number of an assignment: the symbol's name, `None` if the assignment does not take
    /// effect.
    assigned: Vec<Option<&'a [u8]>>,
    /// Output sections, segments and addresses.
    pub placed: PlacedOutput,
    /// The items of the layout.
    pub layout: Layout,
    /// The last walk through the layout.
    pub walk: Walk,
    /// Messages about sections that their segments do not hold.
    pub outside: Vec<String>,
    /// How many program headers the last walk through a script needed.
    header_count: usize,
    /// How often segments were made.
    covers: usize,
}

/// Gives everything its final address.
pub fn settle<'a>(
    input: &'a SettleInput<'a>,
    mut outputs: OutputSections,
    dependents: &mut dyn Dependents,
) -> Result<Settled<'a>, Failed> {
    let Tables { options, candidates, objects, definitions, .. } = *input.tables;
    let mut rules = AddressRules::new(options, objects);
    if input.scripted.script.is_automatic {
        rules.fix_stated(&input.scripted.script);
        rules.separate(&candidates.compiled.segments);
    }
    let (layout, stated) = arrange(input, &mut outputs, &mut rules)?;
    let mut placed = PlacedOutput::new(outputs, definitions.sections.len());
    placed.stated = stated;
    let names = input.assigned.iter().zip(&input.claimed.assigned);
    let assigned = names.map(|(assignment, name)| name.map(|_| &assignment.name[..])).collect();
    let mut settled = Settled {
        input,
        rules,
        assigned,
        placed,
        layout,
        walk: Walk::default(),
        outside: Vec::new(),
        header_count: FIRST_GUESS,
        covers: 0,
    };
    settled.place_inputs();
    settled.drop_empty(dependents);
    // Milestone: no output section comes or goes any more.
    dependents.number_sections(&mut settled.placed.outputs);
    settled.settle(dependents)?;
    Ok(settled)
}

/// Arranges the statements, and orders and aligns sections as options ask.
fn arrange(
    input: &SettleInput<'_>,
    outputs: &mut OutputSections,
    rules: &mut AddressRules,
) -> Result<(Layout, Column<StatedId, Vec<u8>>), Failed> {
    let Tables { options, diag, .. } = *input.tables;
    let is_automatic = input.scripted.script.is_automatic;
    if is_automatic {
        align_sections(outputs, options, rules, diag);
    }
    let (mut layout, stated) = arrange::arrange(outputs, input.scripted, options);
    layout.uses_headers = uses_headers(input);
    check_arranged(&layout, diag)?;
    if input.has_build_id {
        warn_of_lost_build_id(outputs, options, diag);
    }
    if is_automatic {
        finish_order(outputs, &mut layout, rules, diag);
    }
    Ok((layout, stated))
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

/// Whether the script uses SIZEOF_HEADERS other than for values of symbols.
fn uses_headers(input: &SettleInput<'_>) -> bool {
    let assignments = input.assigned.iter().zip(&input.claimed.assigned);
    let holding = assignments.filter(|(_, name)| name.is_some());
    let holding: UnorderedSet<&[u8]> = holding.map(|(own, _)| &own.name[..]).collect();
    input.scripted.script.uses_headers(|name| holding.contains(name))
}

/// Reports needed sections that a script discards.
fn check_arranged(layout: &Layout, diag: &Diag) -> Result<(), Failed> {
    for name in &layout.undroppable {
        let name = String::from_utf8_lossy(name);
        diag.error(
            WHOLE_LINK,
            format!("discarding section {name} is not possible: the program needs it"),
        );
    }
    diag.checkpoint()
}

/// Warns, as GNU ld does, that a script discards the note that `--build-id` asks for.
fn warn_of_lost_build_id(outputs: &OutputSections, options: &Options, diag: &Diag) {
    let is_lost = outputs.synthetic(Synthetic::BuildId).is_none();
    if is_lost && options.output_format == OutputFormat::Elf {
        // This warning is never fatal, because compilers pass the option by themselves.
        let text = ".note.gnu.build-id section discarded, --build-id ignored";
        diag.note(WHOLE_LINK, text.to_owned());
    }
}

/// Applies options that order an automatic layout, and options that give addresses to zones.
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
        diag.error(WHOLE_LINK, format!("--execute-only: section {name} is writable"));
    }
}

impl Settled<'_> {
    /// Assigns addresses until no size that depends on them changes.
    fn settle(&mut self, dependents: &mut dyn Dependents) -> Result<(), Failed> {
        let SettleInput { tables, folds, .. } = *self.input;
        let Tables { definitions, objects, diag, .. } = *tables;
        for _ in 0..MAX_ROUNDS {
            let mut changed;
            loop {
                changed = self.assign(dependents)?;
                if !dependents.resize_by_outputs(&mut self.placed) {
                    break;
                }
            }
            if self.is_automatic() {
                let (outputs, size) = (&self.placed.outputs, self.placed.end.size);
                limits::check_file_size(tables, outputs, size, self.rules.page)?;
            }
            self.add_output_addresses();
            input_offsets::copy_addresses(folds, &self.placed.addresses);
            diag.checkpoint()?;
            let order = LinkOrder { definitions, objects, addresses: &self.placed.addresses };
            if order.restore(&mut self.placed.outputs) {
                self.place_inputs();
                continue;
            }
            // Code shrinks and grows first, because tables list its addresses.
            if dependents.resize_code(&mut self.placed)? {
                self.place_inputs();
                changed = true;
            }
            changed |= dependents.resize_tables(&mut self.placed);
            if !changed {
                return Ok(());
            }
        }
        diag.error(WHOLE_LINK, UNSETTLED);
        diag.checkpoint()
    }

    /// Walks once more, and keeps the problems of expressions, assertions and regions.
    pub fn evaluate(&mut self, dependents: &dyn Dependents) -> Result<(), Failed> {
        self.walk_once(dependents, true);
        if self.is_automatic() {
            let problems = std::mem::take(&mut self.walk.problems);
            self.assign_automatic(dependents)?;
            self.walk.problems = problems;
        } else {
            self.cover();
        }
        self.add_output_addresses();
        input_offsets::copy_addresses(self.input.folds, &self.placed.addresses);
        Ok(())
    }

    fn is_automatic(&self) -> bool {
        self.layout.is_automatic
    }

    /// Gives input sections their offsets, in parallel.
    fn place_inputs(&mut self) {
        let SettleInput { tables, merged, .. } = *self.input;
        let Tables { options, definitions, .. } = *tables;
        let padding = options.arrangement.random_padding_seed.filter(|_| self.is_automatic());
        let rules = self.is_automatic().then_some(&self.rules);
        let PlacedOutput { outputs, addresses, deletions, .. } = &mut self.placed;
        if let Some(rules) = rules.filter(|rules| !rules.fixed.is_empty()) {
            segments::note_starts(&mut outputs.sections, rules);
        }
        let padding = padding.map(|seed| {
            let segments = segments::plan(outputs, &self.rules);
            Padding::new(seed, self.rules.page, outputs, &segments)
        });
        let inputs = Inputs { definitions, merged, deletions, addresses };
        input_offsets::place_sections(outputs, inputs, padding.as_ref());
    }

    fn add_output_addresses(&mut self) {
        let PlacedOutput { outputs, addresses, .. } = &mut self.placed;
        input_offsets::add_output_addresses(outputs, self.input.merged, addresses);
    }

    /// Drops a script's empty output sections, and inserts the starts of an automatic layout's
    /// segments.
    fn drop_empty(&mut self, dependents: &dyn Dependents) {
        if !self.layout.is_automatic || self.layout.headings.iter().any(|heading| heading.is_hollow)
        {
            let rounds = if self.has_open_gaps() { MAX_ROUNDS } else { 1 };
            for _ in 0..rounds {
                let changed = self.walk_once(dependents, false);
                if !changed || rounds == 1 {
                    break;
                }
                self.add_output_addresses();
            }
            empty_sections::drop_empty(&mut self.placed.outputs, &mut self.layout);
        }
        if self.is_automatic() && self.rules.order.is_none() {
            self.rules.fix_image(&self.placed.outputs.sections);
            let outputs = &mut self.placed.outputs;
            let segments = segments::plan(outputs, &self.rules);
            let headers = segments::headers(outputs, &segments, &self.rules);
            automatic::begin_segments(&mut self.layout, outputs, &segments, &self.rules, headers);
        }
    }

    /// Whether the emptiness of a section may depend on later values of symbols, sizes or
    /// addresses.
    fn has_open_gaps(&self) -> bool {
        let asks =
            |part: &BodyPart| matches!(part, BodyPart::Gap(_, expr) if expr.as_number().is_none());
        let mut hollow = self.layout.headings.iter().filter(|heading| heading.is_hollow);
        !self.layout.is_automatic && hollow.any(|heading| heading.body.iter().any(asks))
    }

    /// Gives output sections their addresses and file offsets; returns whether another round may
    /// change them.
    fn assign(&mut self, dependents: &dyn Dependents) -> Result<bool, Failed> {
        let SettleInput { tables, symbol_strings, .. } = *self.input;
        let changed = if self.is_automatic() {
            self.assign_automatic(dependents)?
        } else {
            let changed = self.walk_once(dependents, false);
            let count = self.header_count;
            self.cover();
            limits::check_segments(tables, &self.placed.segments)?;
            changed || count != self.header_count
        };
        limits::check_addresses(tables, &self.placed.outputs, symbol_strings)?;
        Ok(changed)
    }

    fn assign_automatic(&mut self, dependents: &dyn Dependents) -> Result<bool, Failed> {
        let tables = self.input.tables;
        let evaluates = self.input.scripted.script.evaluates;
        self.placed.segments = segments::plan(&self.placed.outputs, &self.rules);
        limits::check_segments(tables, &self.placed.segments)?;
        let with_headers = !tables.options.z.no_section_header;
        let (rules, placed) = (&self.rules, &mut self.placed);
        if let Some(order) = &rules.order {
            let (outputs, segments) = (&mut placed.outputs, &mut placed.segments);
            let found = section_order::assign(outputs, segments, rules, order, with_headers);
            (placed.end, placed.listed) = (found.end, found.symbols);
            if let Some(text) = found.problem {
                tables.diag.error(WHOLE_LINK, text);
            }
            return Ok(false);
        }
        let headers = segments::headers(&mut placed.outputs, &placed.segments, rules);
        let unfilled = evaluates.then(|| placed.segments.clone());
        if unfilled.is_some() {
            // Symbols that mark segments have the addresses of the previous walk.
            let sections = &placed.outputs.sections;
            segments::fill(&mut placed.segments, sections, rules, headers.clone());
        }
        let changed = self.walk_once(dependents, false);
        let (rules, placed) = (&self.rules, &mut self.placed);
        if let Some(unfilled) = unfilled {
            placed.segments = unfilled;
        }
        let (outputs, segments) = (&mut placed.outputs, &mut placed.segments);
        let loaded = self.walk.file_end;
        placed.end = segments::finish(outputs, segments, rules, headers, loaded, with_headers);
        // Without assignments one walk suffices.
        Ok(changed && evaluates)
    }

    /// Gives parts and symbols their addresses; returns whether any changed.
    fn walk_once(&mut self, dependents: &dyn Dependents, is_final: bool) -> bool {
        let SettleInput { tables, scripted, merged, .. } = *self.input;
        let Tables { options, definitions, .. } = *tables;
        if !scripted.script.evaluates {
            let environment = Environment::automatic(&self.rules);
            let PlacedOutput { outputs, stated, .. } = &mut self.placed;
            return self.walk.go(&self.layout, outputs, stated, &environment, is_final);
        }
        let symbols = dependents.symbols(&self.placed);
        let is_automatic = self.is_automatic();
        let PlacedOutput { outputs, stated, addresses, deletions, .. } = &mut self.placed;
        let inputs = Inputs { definitions, merged, deletions, addresses };
        let environment = Environment {
            assigned: &self.assigned,
            symbols: &*symbols,
            starts: if is_automatic { &[] } else { &options.section_start },
            segment_starts: options.segment_starts(),
            page: options.max_page_size(),
            relro_page: self.rules.relro_page,
            common_page: options.common_page_size(),
            header_size: address_segments::sizeof_headers(options, self.header_count),
            relro: self.rules.relro,
            checks: !options.reports.no_check_sections,
            inputs: Some(PartPlacing { inputs, keeps_whole: is_automatic }),
        };
        let changed = self.walk.go(&self.layout, outputs, stated, &environment, is_final);
        let values =
            self.walk.values.iter().map(|found| Some(self.assigned_value(found.as_ref()?)));
        let values = values.collect();
        self.placed.assigned = values;
        changed
    }

    fn assigned_value(&self, assigned: &Assigned) -> AssignedValue {
        let place = match self.header_of(assigned) {
            Some(header) => AssignedPlace::Section(header),
            None if assigned.is_absolute && assigned.heading.is_none() => AssignedPlace::Absolute,
            None => AssignedPlace::Address,
        };
        AssignedValue { address: assigned.address, place }
    }

    /// Index of the section header that an assigned symbol belongs to; none if the symbol is in no
    /// section.
    fn header_of(&self, assigned: &Assigned) -> Option<u32> {
        let own = assigned.heading?;
        let outputs = &self.placed.outputs;
        let near = || self.walk.neighbor(&self.layout, outputs, own, assigned.address);
        let head = |at: usize| Some(self.layout.headings[at].head? as u32 + 1);
        head(own).or_else(|| if self.is_automatic() { None } else { head(near()?) })
    }

    /// Derives segments and file offsets from a script's addresses.
    fn cover(&mut self) {
        let (layout, walk, rules) = (&self.layout, &self.walk, &self.rules);
        let outputs = &mut self.placed.outputs;
        let mut segments = address_segments::plan(outputs, layout, walk, rules, self.header_count);
        // The number of headers depends on whether they have room, and the other way round: in the
        // end the greater number holds, so that the layout converges.
        self.covers += 1;
        self.header_count = if self.covers > FREE_COVERS {
            segments.len().max(self.header_count)
        } else {
            segments.len()
        };
        let with_headers = !self.input.tables.options.z.no_section_header;
        self.placed.end = address_segments::assign(outputs, &mut segments, rules, with_headers);
        if layout.headers.is_some() {
            self.outside = address_segments::unloaded_sections::messages(outputs, &segments);
        }
        self.placed.segments = segments.into_iter().map(|covering| covering.segment).collect();
    }
}
