//! Marks live sections and scans their relocations.

use crate::resolve::definitions::{Definitions, SectionId};
use crate::resolve::dropped_libraries::{self, DroppedInput};
use crate::resolve::dynamic::undefined_weak;
use crate::resolve::tables::Sources;
use crate::select::eh_frame::EhFrames;
use crate::select::liveness::{Liveness, Marking, mark};
use crate::select::scan::ScanOutput;
use crate::select::scan_columns::{ScanColumns, ScanRules};
use crate::tell::report::{MarkingRoots, OtherEdges};
use crate::tell::why_live;
use skald_core::names::NameId;
use std::sync::atomic::Ordering;

/// What marking and scanning leave.
pub(super) struct Marked {
    /// Why sections are roots, for the report of what is kept.
    pub kept: MarkingRoots,
    /// What scanning noted of each section and symbol.
    pub columns: ScanColumns,
    /// Which sections are live.
    pub live: Liveness,
    /// What relocations need: GOT words, PLT entries, copies, dynamic relocations.
    pub scan: ScanOutput,
}

/// Marks and scans. Both are repeated if an `--as-needed` library proves not to be needed after
/// references were bound to its definitions.
pub(super) fn run(
    sources: &Sources<'_>,
    definitions: &mut Definitions,
    roots: Option<Vec<SectionId>>,
    (start_stop, rings): OtherEdges<'_>,
    frames: &EhFrames,
    rules: &ScanRules,
) -> Marked {
    let &Sources { options, extraction, objects, candidates, .. } = sources;
    let may_drop = options.gc_sections && candidates.shared.iter().any(|file| file.as_needed);
    let again = may_drop.then(|| roots.clone());
    let mut columns = ScanColumns::new(definitions);
    let marking = Marking {
        scan: rules.input(objects, definitions, &columns),
        loops: rules.loops,
        frames,
        start_stop,
        rings,
    };
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
            loops: rules.loops,
            frames,
            start_stop,
            rings,
        };
        (live, scan) = mark(&marking, roots);
    }
    scan.forget_weak_imports(definitions, &columns.needs);
    columns.forget_direct(options.icf);
    Marked { kept, columns, live, scan }
}
