//! Placing as a script says: the walk through it is repeated until no address, size or value
//! changes any more.

use super::frozen::Frozen;
use super::place::{Rounds, grow_islands, resize_android_table, resize_relr};
use crate::check::reports::Tables;
use crate::check::{address_checks, no_cross_references, sizes, warnings};
use crate::diagnose::order::MessageKind;
use crate::layout::items::Layout;
use crate::layout::scripted;
use crate::layout::scripted::segments as scripted_segments;
use crate::layout::segments::AddressRules;
use crate::layout::walk::{Assigned, Surroundings, Walk};
use crate::layout::{OutputSections, place};
use crate::resolve::definitions::attr;
use crate::resolve::scripted::Scripted;
use crate::synth::emitted_relocs;
use crate::synth::image::Bases;
use crate::synth::placed::{AssignedPlace, AssignedValue, PlacedOutput};
use crate::synth::planned::Planned;
use crate::synth::values::{self, Values};
use crate::tell::memory_usage;
use skald_core::diag::Failed;
use skald_core::unordered::UnorderedSet;

/// Walks after which what has not settled never will.
const MAX_WALKS: usize = 64;
/// Program headers that the first walk reckons with.
const FIRST_GUESS: usize = 8;

/// Sorts output sections as the script says and gives everything its address.
pub(super) fn place(
    frozen: &Frozen<'_>,
    scripted: &Scripted,
    planned: &mut Planned,
) -> Result<PlacedOutput, Failed> {
    let Tables { options, objects, definitions, diag, .. } = frozen.tables;
    let rules = AddressRules::new(options, objects);
    warnings::executable_stacks(&frozen.tables);
    let (layout, stated) = scripted::arrange(&mut planned.outputs, scripted);
    for name in &layout.undroppable {
        let name = String::from_utf8_lossy(name);
        diag.error(
            (0, 0),
            format!("discarding section {name} is not possible: the program needs it"),
        );
    }
    diag.checkpoint()?;
    let mut placed = PlacedOutput::new(definitions.sections.len());
    placed.stated = stated;
    let mut placing = Placing {
        frozen,
        rules: &rules,
        layout,
        walk: Walk::default(),
        header_count: FIRST_GUESS,
        needs_symbols: needs_symbols(scripted),
    };
    placing.place_inputs(planned, &placed);
    placing.walk_once(planned, &mut placed, false);
    scripted::drop_empty(&mut planned.outputs, &mut placing.layout);
    emitted_relocs::set_targets(&mut planned.outputs);
    planned.plan.set_infos(&mut planned.outputs);
    placed.name_sections(&mut planned.outputs);
    placing.settle(planned, &mut placed)?;
    placing.walk_once(planned, &mut placed, true);
    placing.finish(planned, &mut placed);
    let problems = placing.walk.problems.iter();
    for (at, problem) in (0..).zip(problems) {
        diag.error(MessageKind::Assertion.key(at), problem.clone());
    }
    address_checks::check(options, &planned.outputs.sections, &placed.segments, diag);
    let refused = &scripted.script.no_cross_references;
    no_cross_references::check(&frozen.tables, &planned.outputs, refused);
    diag.checkpoint()?;
    if options.reports.memory_usage {
        memory_usage::print(&placing.walk.usage(&placing.layout), diag);
    }
    Ok(placed)
}

/// Whether expressions refer to symbols that no assignment defines.
fn needs_symbols(scripted: &Scripted) -> bool {
    let assigned: UnorderedSet<&[u8]> =
        scripted.script.assignments().map(|assign| &assign.name[..]).collect();
    scripted.script.symbols().any(|name| !assigned.contains(name))
}

struct Placing<'a, 'b> {
    frozen: &'a Frozen<'b>,
    rules: &'a AddressRules,
    layout: Layout,
    walk: Walk,
    /// Program headers that there were after the last walk.
    header_count: usize,
    needs_symbols: bool,
}

impl Placing<'_, '_> {
    /// Gives inputs their offsets in parts, by all threads.
    fn place_inputs(&self, planned: &mut Planned, placed: &PlacedOutput) {
        let Frozen { tables, selected, .. } = self.frozen;
        let addresses = &placed.addresses;
        let merged = &selected.merged;
        place::place_sections(&mut planned.outputs, tables.definitions, merged, None, addresses);
    }

    /// Gives parts and symbols their addresses; whether any changed.
    fn walk_once(
        &mut self,
        planned: &mut Planned,
        placed: &mut PlacedOutput,
        is_final: bool,
    ) -> bool {
        let Frozen { tables, selected, assigned, .. } = self.frozen;
        let Tables { options, extraction, definitions, .. } = tables;
        let values = self.needs_symbols.then(|| {
            let bases = Bases::new(options.target, &planned.outputs, &placed.segments);
            self.frozen.values(planned, placed, &bases)
        });
        let symbol = |name: &[u8]| {
            let id = extraction.names.find(extraction.names.key().hash(name))?;
            let global = definitions.globals[id];
            let is_defined = global.has(attr::DEFINED | attr::SHARED);
            let known = |values: &Values| values::plain(values.of_name[id]).unwrap_or(0);
            is_defined.then(|| (values.as_ref().map_or(0, known), global.has(attr::ABSOLUTE)))
        };
        let addresses = &placed.addresses;
        let place = |outputs: &mut OutputSections, at: usize, start: u64, align: Option<u64>| {
            let output = &mut outputs.sections[at];
            place::place_part(output, definitions, &selected.merged, addresses, (start, align))
        };
        let by_number: Vec<Option<&[u8]>> = assigned
            .iter()
            .zip(&self.frozen.claimed.assigned)
            .map(|(assignment, name)| name.map(|_| &assignment.name[..]))
            .collect();
        let around = Surroundings {
            assigned: &by_number,
            symbol: &symbol,
            starts: &options.section_start,
            page: options.max_page_size(),
            relro_page: self.rules.relro_page,
            common_page: options.common_page_size(),
            header_size: scripted_segments::header_size(self.header_count),
            place: &place,
        };
        let (outputs, stated) = (&mut planned.outputs, &mut placed.stated);
        let changed = self.walk.go(&self.layout, outputs, stated, &around, is_final);
        let header = |heading: usize| Some(self.layout.headings[heading].head? as u32 + 1);
        let value = |assigned: Assigned| AssignedValue {
            address: assigned.address,
            place: match assigned.heading.and_then(header) {
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

    /// Walks until nothing changes.
    fn settle(&mut self, planned: &mut Planned, placed: &mut PlacedOutput) -> Result<(), Failed> {
        let Tables { diag, .. } = self.frozen.tables;
        let mut rounds = Rounds::default();
        for _ in 0..MAX_WALKS {
            let mut changed = self.walk_once(planned, placed, false);
            let has_grown = resize_relr(&self.frozen.tables, planned, placed, &mut rounds.relr);
            changed |= has_grown;
            let count = self.header_count;
            self.finish(planned, placed);
            sizes::check_segments(&self.frozen.tables, &placed.segments)?;
            sizes::check_addresses(
                &self.frozen.tables,
                &planned.outputs,
                planned.plan.symtab.as_ref(),
            )?;
            changed |= count != self.header_count;
            if grow_islands(self.frozen, planned, placed, &mut rounds.islands)? {
                self.place_inputs(planned, placed);
                changed = true;
            }
            changed |= resize_android_table(self.frozen, planned, placed, &mut rounds.android);
            if !changed {
                return Ok(());
            }
        }
        diag.error((0, 0), "the addresses that the linker script asks for do not settle");
        diag.checkpoint()
    }

    /// What follows from the addresses of parts: segments, places in the file, addresses of inputs.
    fn finish(&mut self, planned: &mut Planned, placed: &mut PlacedOutput) {
        let Frozen { tables, selected, .. } = self.frozen;
        let outputs = &mut planned.outputs;
        let mut segments = scripted_segments::plan(
            outputs,
            &self.layout,
            &self.walk,
            self.rules,
            self.header_count,
        );
        self.header_count = segments.len();
        let with_headers = !tables.options.z.no_section_header;
        placed.end = scripted_segments::assign(outputs, &mut segments, self.rules, with_headers);
        placed.segments = segments.into_iter().map(|covering| covering.segment).collect();
        place::add_output_addresses(outputs, &selected.merged, &placed.addresses);
        place::copy_addresses(&selected.folds, &placed.addresses);
    }
}
