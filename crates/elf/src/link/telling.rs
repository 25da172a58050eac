//! Writes the map and the report of a link that has succeeded.

use super::frozen::Frozen;
use super::selecting::Followed;
use crate::layout::placed::PlacedOutput;
use crate::synth::planned::Planned;
use crate::tell::map::{self, MapInput};
use crate::tell::report;
use skald_core::diag::Failed;
use skald_core::time::Timer;

/// Writes the map and the report, as far as they are asked for.
pub(super) fn write(
    frozen: &Frozen<'_>,
    planned: &Planned,
    placed: &PlacedOutput,
    followed: &Followed,
    timer: &Timer,
) -> Result<(), Failed> {
    let &Frozen { tables, claimed, selected, shape, .. } = frozen;
    let phase = timer.phase("map");
    if tables.options.map.is_some() {
        let values = frozen.linker_values(planned, placed);
        map::write(&MapInput { tables, selected, planned, placed, claimed, values })?;
    }
    drop(phase);
    let (kept, ties) = (&followed.kept, (&followed.start_stop, &followed.rings));
    report::write(&report::Input { tables, shape, selected, kept, ties, planned, placed, timer })
}
