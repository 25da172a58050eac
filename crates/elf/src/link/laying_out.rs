//! Lays out the output, together with the linker's sections whose size or content depends on
//! addresses, and checks the result.

use super::frozen::Frozen;
use super::resizing::Resizing;
use crate::check::{assertions, laid_out, no_cross_references, warnings};
use crate::layout::placed::PlacedOutput;
use crate::layout::settle::{self, SettleInput, Settled};
use crate::layout::shown::Shown;
use crate::layout::spill::{Spill, SpillInput};
use crate::layout::{OutputSections, table_headers};
use crate::resolve::outputs::spills::SpillRules;
use crate::rewrite::errata;
use crate::synth::planned::Planned;
use crate::tell::memory_usage;
use skald_core::diag::Failed;
use skald_linking::expr::Expr;

/// Sorts output sections and gives everything its address.
pub(super) fn lay_out(
    frozen: &Frozen<'_>,
    planned: &mut Planned,
    outputs: OutputSections,
) -> Result<PlacedOutput, Failed> {
    let options = frozen.tables.options;
    let script = &frozen.scripted.script;
    warnings::executable_stacks(&frozen.tables);
    let input = input(frozen, planned);
    let mut dependents = Resizing::new(frozen, planned);
    let mut settled = settle::settle(&input, outputs, &mut dependents)?;
    if script.evaluates {
        settled.evaluate(&dependents)?;
    }
    if let Some(errata) = frozen.loops.errata {
        errata::report(errata, &frozen.tables, &settled.placed.unrepaired);
    }
    check(frozen, planned, &settled)?;
    let Settled { mut placed, layout, walk, .. } = settled;
    table_headers::settle(&mut placed.outputs);
    if options.map.is_some() {
        placed.shown = Shown::find(&layout);
        placed.regions = walk.usage(&layout);
    }
    if options.reports.memory_usage && !script.is_automatic {
        memory_usage::print(&walk.usage(&layout), frozen.tables.diag);
    }
    Ok(placed)
}

/// Sections that do not fit into their memory region though another statement could take them, each
/// with the next statement.
pub(super) fn spills(
    frozen: &Frozen<'_>,
    planned: &mut Planned,
    outputs: OutputSections,
    rules: &SpillRules<'_>,
) -> Result<Vec<Spill>, Failed> {
    let input = input(frozen, planned);
    let settled = settle::settle(&input, outputs, &mut Resizing::new(frozen, planned))?;
    let input = SpillInput {
        walk: &settled.walk,
        layout: &settled.layout,
        outputs: &settled.placed.outputs,
        definitions: frozen.tables.definitions,
        merged: &frozen.selected.merged,
        addresses: &settled.placed.addresses,
        rules,
        objects: frozen.tables.objects,
    };
    Ok(input.find())
}

fn input<'a>(frozen: &'a Frozen<'_>, planned: &Planned) -> SettleInput<'a> {
    let Frozen { tables, scripted, assigned, claimed, selected, .. } = frozen;
    SettleInput {
        tables,
        scripted,
        assigned,
        claimed,
        merged: &selected.merged,
        folds: &selected.folds,
        symbol_strings: planned.plan.symtab.as_ref().map_or(0, |symtab| symtab.string_size),
        has_build_id: planned.plan.build_id.is_some(),
    }
}

/// Checks addresses, and assertions of scripts.
fn check(frozen: &Frozen<'_>, planned: &Planned, settled: &Settled<'_>) -> Result<(), Failed> {
    let Frozen { tables, scripted, claimed, selected, .. } = frozen;
    let placed = &settled.placed;
    laid_out::check(tables, &scripted.script, claimed, &selected.live, settled);
    if !scripted.script.evaluates {
        let evaluate = |all: &[&Expr]| frozen.evaluate(planned, placed, all.iter().copied());
        assertions::check(tables, evaluate);
    }
    no_cross_references::check(tables, &placed.outputs);
    tables.diag.checkpoint()
}
