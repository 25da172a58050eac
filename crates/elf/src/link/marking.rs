//! Marking, and what it leaves.

use super::beginnings::Beginnings;
use crate::check::reports::Sources;
use crate::resolve::definitions::Definitions;
use crate::resolve::dropped_libraries::{self, DroppedInput};
use crate::resolve::dynamic::undefined_weak;
use crate::select::eh_frame::EhFrames;
use crate::select::group_rings::GroupRings;
use crate::select::liveness::{Liveness, Marking, StartStop, mark};
use crate::select::scan::ScanOutput;
use crate::select::scan_columns::{ScanColumns, ScanRules};
use crate::tell::{report, why_live};
use skald_core::names::NameId;
use std::sync::atomic::Ordering;

/// What marking leaves, and what it followed.
pub(super) struct Marked {
    /// See [`Beginnings::rings`].
    pub rings: GroupRings,
    /// See [`Beginnings::start_stop`].
    pub start_stop: StartStop,
    /// Why sections are kept, for the report.
    pub kept: report::MarkingRoots,
    /// What scanning wrote.
    pub columns: ScanColumns,
    /// What is alive.
    pub live: Liveness,
    /// What scanning found.
    pub scan: ScanOutput,
}

/// Marks what is alive and scans it: once more where it turns out that a library is not needed
/// whose definitions were taken for granted.
pub(super) fn run(
    sources: &Sources<'_>,
    definitions: &mut Definitions,
    beginnings: Beginnings,
    frames: &EhFrames,
    rules: &ScanRules,
) -> Marked {
    let &Sources { options, extraction, objects, candidates, .. } = sources;
    let Beginnings { rings, start_stop, roots } = beginnings;
    let may_drop = options.gc_sections && candidates.shared.iter().any(|file| file.as_needed);
    let again = may_drop.then(|| roots.clone());
    let mut columns = ScanColumns::new(definitions);
    let marking = Marking {
        scan: rules.input(objects, definitions, &columns),
        frames,
        start_stop: &start_stop,
        rings: &rings,
    };
    let references = marking.references();
    why_live::print(sources, &references, roots.as_deref());
    let kept = report::MarkingRoots::note(sources, &references, roots.as_deref());
    let (mut live, mut scan) = mark(&marking, roots);
    let input = DroppedInput {
        extraction,
        objects,
        shared: &candidates.shared,
        undefined: undefined_weak(options, rules.shape),
    };
    let is_live = |name: NameId| columns.needs[name].load(Ordering::Relaxed) != 0;
    if let Some(roots) = again
        && dropped_libraries::leave(definitions, &input, is_live)
    {
        columns = ScanColumns::new(definitions);
        let marking = Marking {
            scan: rules.input(objects, definitions, &columns),
            frames,
            start_stop: &start_stop,
            rings: &rings,
        };
        (live, scan) = mark(&marking, roots);
    }
    columns.forget_direct(options.icf);
    Marked { rings, start_stop, kept, columns, live, scan }
}
