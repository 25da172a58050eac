//! Marking, and what it finds.

use crate::check::reports::Sources;
use crate::resolve::definitions::{Definitions, SectionId};
use crate::resolve::dropped_libraries::{self, DroppedInput};
use crate::resolve::dynamic::undefined_weak;
use crate::select::eh_frame::EhFrames;
use crate::select::liveness::{Liveness, Marking, mark};
use crate::select::scan::ScanOutput;
use crate::select::scan_columns::{ScanColumns, ScanRules};
use crate::tell::report::{MarkingRoots, Ties};
use crate::tell::why_live;
use skald_core::names::NameId;
use std::sync::atomic::Ordering;

/// What marking leaves, and what it followed.
pub(super) struct Marked {
    /// Why sections are kept, for the report.
    pub kept: MarkingRoots,
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
    roots: Option<Vec<SectionId>>,
    (start_stop, rings): Ties<'_>,
    (frames, rules): (&EhFrames, &ScanRules),
) -> Marked {
    let &Sources { options, extraction, objects, candidates, .. } = sources;
    let may_drop = options.gc_sections && candidates.shared.iter().any(|file| file.as_needed);
    let again = may_drop.then(|| roots.clone());
    let mut columns = ScanColumns::new(definitions);
    let marking =
        Marking { scan: rules.input(objects, definitions, &columns), frames, start_stop, rings };
    let references = marking.references();
    why_live::print(sources, &references, roots.as_deref());
    let kept = MarkingRoots::note(sources, &references, roots.as_deref());
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
            start_stop,
            rings,
        };
        (live, scan) = mark(&marking, roots);
    }
    columns.forget_direct(options.icf);
    Marked { kept, columns, live, scan }
}
