//! Selects the live sections, finds what their relocations need, and folds identical sections.
//! Afterwards no table of the inputs changes, except for jumps that `--optimize-bb-jumps` removes.

use super::mark_inputs::MarkInputs;
use super::marking;
use super::resolving::Resolved;
use crate::args::Icf;
use crate::check::{scan_problems, section_faults, tagged_memory, warned_symbols};
use crate::resolve::definitions::Definitions;
use crate::resolve::dynamic::OutputShape;
use crate::resolve::tables::{Sources, Tables};
use crate::select::copies::{self, CopyInput};
use crate::select::debug_strings;
use crate::select::eh_frame::{self, EhFrames};
use crate::select::fold::Folds;
use crate::select::fold::by_options::{self, Asked, MarkingResult};
use crate::select::group_rings::GroupRings;
use crate::select::liveness::StartStop;
use crate::select::merge::{self, MergedSections};
use crate::select::scan_columns::ScanRules;
use crate::select::selected::Selected;
use crate::select::shrinkable;
use crate::select::tagged_globals::TaggedGlobals;
use crate::tell::report::MarkingRoots;
use crate::tell::{identical_sections, removed};
use skald_core::diag::{Diag, Failed};
use skald_core::time::Timer;

/// The roots and edges of marking, for the report of what is kept.
pub(super) struct Followed {
    /// Why sections are roots.
    pub kept: MarkingRoots,
    /// Sets of sections by their bounds: [`MarkInputs::start_stop`].
    pub start_stop: StartStop,
    /// Members of section groups: [`MarkInputs::rings`].
    pub rings: GroupRings,
}

/// Selects. Bounds of dropped sections lose their definitions, and copied variables get one in this
/// output.
pub(super) fn select(
    resolved: &mut Resolved<'_>,
    diag: &Diag,
    timer: &Timer,
) -> Result<(Selected, Followed), Failed> {
    let Resolved { options, candidates, extraction, objects, definitions, claimed, .. } = resolved;
    let (shape, loops, options) = (resolved.shape, resolved.loops.scan, &**options);
    let script = &resolved.scripted.script;
    let (candidates, extraction, objects) = (&*candidates, &*extraction, &*objects);
    let sources = &Sources { options, candidates, extraction, objects, diag };
    let phase = timer.phase("split .eh_frame");
    let frames = eh_frame::split(objects, definitions, options.emit_relocs);
    if !frames.faults.is_empty() {
        section_faults::report(&sources.with(definitions), &frames.faults);
        diag.checkpoint()?;
    }
    let MarkInputs { rings, start_stop, roots } =
        MarkInputs::find(sources, &frames, definitions, claimed, shape);
    drop(phase);
    let phase = timer.phase("mark and scan");
    let mut rules = ScanRules::new(options, shape, definitions, script, loops);
    rules.tagged = tagged_globals(&sources.with(definitions), shape);
    let marked = marking::run(sources, definitions, roots, (&start_stop, &rings), &frames, &rules);
    let (mut live, mut scan, mut columns) = (marked.live, marked.scan, marked.columns);
    scan_problems::report(&sources.with(definitions), &live, &scan);
    warned_symbols::warn(&sources.with(definitions), &live);
    removed::print(sources, definitions, &live);
    diag.checkpoint()?;
    drop(phase);
    let phase = timer.phase("merge");
    let mut merged = merge::merge(objects, definitions, &live, options.into());
    if options.debug_names {
        debug_strings::add(&mut merged, objects, definitions, &live);
    }
    section_faults::report(&sources.with(definitions), &merged.faults);
    diag.checkpoint()?;
    drop(phase);
    let found = MarkingResult { live: &mut live, scan: &mut scan, columns: &mut columns };
    let folds = fold(sources, definitions, &frames, &merged, found, timer);
    let needs_got_base = scan.needs_got_base || columns.refer_to_got(claimed);
    if !options.gc_sections {
        columns.note_all_references(extraction);
    }
    columns.note_exported_ifuncs(definitions, &candidates.shared, options, shape);
    columns.note_assigned_ifuncs(definitions, claimed, shape);
    if !options.z.no_copy_reloc {
        columns.note_wished_copies(definitions, &candidates.shared, shape);
    }
    let (shared, outputs) = (&candidates.shared, resolved.scripted.copies);
    let input = CopyInput { options, extraction, shared, needs: &columns.needs, outputs };
    let copies = copies::add(&input, definitions, &mut live);
    let shrinking = resolved.loops.shrinking;
    let shrinkable = shrinking.map(|shrinking| {
        shrinkable::mark(shrinking.most_lost, objects, definitions, &live, &folds)
    });
    let selected = Selected {
        frames,
        live,
        scan,
        columns,
        merged,
        folds,
        copies,
        shrinkable: shrinkable.unwrap_or_default(),
        needs_got_base,
        relaxes: rules.relax,
        tagged: rules.tagged,
    };
    Ok((selected, Followed { kept: marked.kept, start_stop, rings }))
}

/// The variables in tagged memory, if options ask for such memory.
fn tagged_globals(tables: &Tables<'_>, shape: OutputShape) -> TaggedGlobals {
    let options = tables.options;
    if options.machine.memory_tags.is_none() || options.memory_tagging.checks.is_none() {
        return TaggedGlobals::default();
    }
    let found = TaggedGlobals::find(tables.objects, tables.definitions, shape);
    tagged_memory::check_lists(tables, &found);
    found
}

/// Folds identical sections if options ask for it.
fn fold(
    sources: &Sources<'_>,
    definitions: &mut Definitions,
    frames: &EhFrames,
    merged: &MergedSections,
    found: MarkingResult<'_>,
    timer: &Timer,
) -> Folds {
    let &Sources { options, candidates, extraction, objects, diag } = sources;
    if options.icf == Icf::None {
        return Folds::default();
    }
    let _phase = timer.phase("fold");
    let asked = Asked { options, candidates, extraction, diag };
    let folds = by_options::fold(&asked, objects, definitions, frames, merged, found);
    identical_sections::print(sources, definitions, &folds);
    folds
}
