//! Rewrites and compresses debug sections, once everything that is loaded has its address.

use super::frozen::Frozen;
use crate::layout::output_sections::CompressedId;
use crate::layout::placed::PlacedOutput;
use crate::resolve::tables::Tables;
use crate::synth::planned::Planned;
use crate::write::dedup::Rewritten;
use crate::write::{compress, dedup};
use skald_core::diag::{Failed, WHOLE_LINK};
use skald_core::ids::Column;
use skald_dwarf::dedup::RewrittenUnits;
use skald_linking::packed::Packed;

/// Debug sections whose bytes are made before the file is laid out.
#[derive(Default)]
pub(super) struct Compressed {
    /// The bytes of these sections.
    pub packed: Column<CompressedId, Packed>,
    /// Where the units of debug information are, if the sections were rewritten.
    pub units: Option<RewrittenUnits>,
}

/// Rewrites the debug sections and compresses the sections that options name, and moves what is
/// behind them in the file.
pub(super) fn compress(
    frozen: &Frozen<'_>,
    planned: &mut Planned,
    placed: &mut PlacedOutput,
) -> Result<Compressed, Failed> {
    let Tables { options, diag, .. } = frozen.tables;
    if !compress::is_asked(options) && options.dedup_debug_types.is_none() {
        return Ok(Compressed::default());
    }
    let image = frozen.image(planned, placed, None);
    let rewritten = dedup::rewritten(&frozen.tables, &image, &planned.plan);
    let Rewritten { sections, units } = rewritten.unwrap_or_else(|error| {
        diag.error(WHOLE_LINK, error.0);
        Rewritten::default()
    });
    let packed = compress::packed_sections(&frozen.tables, &image, &planned.plan, sections);
    drop(image);
    diag.checkpoint()?;
    let packed = compress::replace(packed, planned, placed, options);
    Ok(Compressed { packed, units })
}
