//! Placing: every offset and address, found again and again until nothing whose size depends on
//! addresses changes any more.

use super::frozen::Frozen;
use super::place_scripted;
use crate::args::Options;
use crate::check::reports::Tables;
use crate::check::{address_checks, assertions, sizes, warnings};
use crate::layout::order::padding::Padding;
use crate::layout::output_sections::CompressedId;
use crate::layout::segments::{self, AddressRules};
use crate::layout::{OutputSection, OutputSections, Synthetic, memory_binding, place};
use crate::resolve::definitions::SectionId;
use crate::rewrite::thunks;
use crate::synth::placed::PlacedOutput;
use crate::synth::planned::Planned;
use crate::synth::reloc_form::RelocForm;
use crate::synth::relr::Relr;
use crate::synth::{emitted_relocs, sections};
use crate::write::packed::Packed;
use crate::write::{compress, reloc_table};
use skald_base::expr::Expr;
use skald_core::diag::{Diag, Failed};
use skald_core::ids::Column;
use std::sync::atomic::Ordering;

/// Rounds after which a packed relocation table only grows, so that the search ends.
const MAX_ROUNDS: usize = 16;

/// How often each of what depends on addresses has been asked.
#[derive(Default)]
pub(super) struct Rounds {
    /// `.relr.dyn`.
    pub relr: usize,
    /// Thunks.
    pub islands: usize,
    /// `.rela.dyn` in Android's form.
    pub android: usize,
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

/// Sorts output sections and gives everything its address.
pub(super) fn place(frozen: &Frozen<'_>, planned: &mut Planned) -> Result<PlacedOutput, Failed> {
    let Tables { options, objects, definitions, diag, .. } = frozen.tables;
    if let Some(scripted) = frozen.scripted {
        return place_scripted::place(frozen, scripted, planned);
    }
    let mut rules = AddressRules::new(options, objects);
    warnings::executable_stacks(&frozen.tables);
    sort(&mut planned.outputs, options, &rules, diag);
    if !rules.region_starts.is_empty() {
        rules = rules.with_region_starts(&planned.outputs.sections);
    }
    if let Some(section) = rules.unprotectable(&planned.outputs.sections) {
        let name = String::from_utf8_lossy(&section.name);
        diag.error((0, 0), format!("--execute-only: section {name} is writable"));
    }
    emitted_relocs::set_targets(&mut planned.outputs);
    planned.plan.set_infos(&mut planned.outputs);
    let mut placed = PlacedOutput::new(definitions.sections.len());
    placed.name_sections(&mut planned.outputs);
    settle(frozen, planned, &mut placed, &rules)?;
    check(frozen, planned, &placed);
    diag.checkpoint()?;
    Ok(placed)
}

/// Checks what can be wrong with addresses by itself, and what scripts say of them.
fn check(frozen: &Frozen<'_>, planned: &Planned, placed: &PlacedOutput) {
    let Tables { options, diag, .. } = frozen.tables;
    address_checks::check(options, &planned.outputs.sections, &placed.segments, diag);
    let evaluate = |all: &[&Expr]| frozen.evaluate(planned, placed, all.iter().copied());
    assertions::check(&frozen.tables, evaluate);
}

/// Compresses what is asked for, once all that is loaded has its address, and moves what is behind
/// it.
pub(super) fn compress(
    frozen: &Frozen<'_>,
    planned: &mut Planned,
    placed: &mut PlacedOutput,
) -> Result<Column<CompressedId, Packed>, Failed> {
    let Tables { options, diag, .. } = frozen.tables;
    if !compress::is_asked(options) {
        return Ok(Column::new());
    }
    let image = frozen.image(planned, placed);
    let packed = compress::packed_sections(&frozen.tables, &image, &planned.plan);
    drop(image);
    diag.checkpoint()?;
    Ok(compress::replace(packed, planned, placed, !options.z.no_section_header))
}

/// Puts output sections into their order.
fn sort(outputs: &mut OutputSections, options: &Options, rules: &AddressRules, diag: &Diag) {
    if outputs.sections.iter().any(|section| rules.is_relro_memory(section)) {
        outputs.add_synthetic(Synthetic::RelroPadding, sections::RELRO_PADDING_HEADER, 0);
    }
    for (name, align) in &options.arrangement.section_align {
        for section in outputs.sections.iter_mut().filter(|s| s.name == name.as_bytes()) {
            section.align = section.align.max(*align);
        }
    }
    memory_binding::align(outputs, rules, options.common_page_size());
    memory_binding::check(outputs, diag);
    outputs.sort(|section| rules.rank(section));
}

/// Gives sorted output sections, and all in them, their addresses: again and again, until nothing
/// whose size depends on addresses changes any more. What depends on the least is asked first.
fn settle(
    frozen: &Frozen<'_>,
    planned: &mut Planned,
    placed: &mut PlacedOutput,
    rules: &AddressRules,
) -> Result<(), Failed> {
    let &Frozen { tables, selected, .. } = frozen;
    let mut rounds = Rounds::default();
    loop {
        place_inputs(frozen, &mut planned.outputs, placed, rules);
        let mut problem;
        loop {
            problem = assign_addresses(&tables, planned, placed, rules)?;
            if !resize_relr(&tables, planned, placed, &mut rounds.relr) {
                break;
            }
        }
        sizes::check_file_size(&tables, &planned.outputs, placed.end.size, rules.page)?;
        place::add_output_addresses(&mut planned.outputs, &selected.merged, &placed.addresses);
        place::copy_addresses(&selected.folds, &placed.addresses);
        if let Some(text) = problem {
            tables.diag.error((0, 0), text);
            tables.diag.checkpoint()?;
        }
        let has_grown = grow_islands(frozen, planned, placed, &mut rounds.islands)?
            || resize_android_table(frozen, planned, placed, &mut rounds.android);
        if !has_grown {
            return Ok(());
        }
    }
}

/// Gives input sections their offsets.
fn place_inputs(
    frozen: &Frozen<'_>,
    outputs: &mut OutputSections,
    placed: &PlacedOutput,
    rules: &AddressRules,
) {
    let Tables { options, definitions, .. } = frozen.tables;
    let padding = options.arrangement.random_padding_seed.map(|seed| {
        let segments = segments::plan(outputs, rules);
        Padding::new(seed, rules.page, outputs, &segments)
    });
    let merged = &frozen.selected.merged;
    place::place_sections(outputs, definitions, merged, padding.as_ref(), &placed.addresses);
}

/// Gives output sections their addresses; returns what is wrong with the list that says where they
/// go.
fn assign_addresses(
    tables: &Tables<'_>,
    planned: &mut Planned,
    placed: &mut PlacedOutput,
    rules: &AddressRules,
) -> Result<Option<String>, Failed> {
    let outputs = &mut planned.outputs;
    placed.segments = segments::plan(outputs, rules);
    sizes::check_segments(tables, &placed.segments)?;
    let with_headers = !tables.options.z.no_section_header;
    let assigned = segments::assign(outputs, &mut placed.segments, rules, with_headers);
    (placed.end, placed.listed) = (assigned.end, assigned.symbols);
    sizes::check_addresses(tables, outputs, planned.plan.symtab.as_ref())?;
    Ok(assigned.problem)
}

/// Makes room for the thunks that are needed with these addresses; whether everything has to be
/// placed again.
pub(super) fn grow_islands(
    frozen: &Frozen<'_>,
    planned: &mut Planned,
    placed: &PlacedOutput,
    rounds: &mut usize,
) -> Result<bool, Failed> {
    let Tables { options, definitions, diag, .. } = frozen.tables;
    let kind = options.target.thunks;
    if *rounds > thunks::MAX_ROUNDS || !thunks::are_needed(kind, &planned.outputs) {
        return Ok(false);
    }
    *rounds += 1;
    if *rounds == 1 {
        let inputs = &definitions.sections;
        thunks::plan_islands(kind, &mut planned.outputs, inputs, &placed.addresses);
        // Where islands would stand is known once they are placed.
        return Ok(true);
    }
    thunks::clear(&mut planned.outputs);
    let wanted = thunks::out_of_reach(&frozen.image(planned, placed));
    diag.checkpoint()?;
    Ok(thunks::enter(kind, &mut planned.outputs, wanted))
}

/// Encodes `.rela.dyn` in Android's form and gives it the size that it needs with these addresses;
/// whether that is another one.
pub(super) fn resize_android_table(
    frozen: &Frozen<'_>,
    planned: &mut Planned,
    placed: &mut PlacedOutput,
    rounds: &mut usize,
) -> bool {
    if planned.plan.reloc_form != RelocForm::Android || planned.plan.relocs.rela_count() == 0 {
        return false;
    }
    let image = frozen.image(planned, placed);
    let relocs = reloc_table::all(&planned.plan, &image);
    let mut table = RelocForm::Android.encode(image.target.loader, &relocs);
    drop(image);
    let section = planned.outputs.synthetic_mut(Synthetic::RelaDyn);
    let section = section.expect("planned with the relocations");
    let has_changed = resize(section, table.len() as u64, rounds);
    // The loader stops at the table's own count.
    table.resize(section.size as usize, 0);
    placed.packed_table = table;
    has_changed
}

/// Gives `.relr.dyn` the size that it needs with these addresses of output sections; whether that
/// is another one. Addresses of input sections may not follow them yet.
pub(super) fn resize_relr(
    tables: &Tables<'_>,
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
        let output = outputs.of(tables.definitions.sections[section].out);
        let output = output.expect("its input is");
        let known = placed.addresses[section].load(Ordering::Relaxed);
        known.wrapping_sub(output.inputs_base()).wrapping_add(output.address)
    };
    let got = outputs.address_of(Synthetic::Got);
    placed.packed = planned.plan.relocs.packed_addresses(address, got);
    let wanted = Relr::new(&placed.packed).size();
    let section = planned.outputs.synthetic_mut(Synthetic::RelrDyn);
    resize(section.expect("planned with the packed relocations"), wanted, rounds)
}
