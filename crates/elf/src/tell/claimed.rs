//! Records data about claimed files for reports, while their stand-ins exist.

use super::{cross_references, symbol_traces};
use crate::read::FileId;
use crate::read::claimed_files::{ClaimedNotes, Reasons};
use crate::resolve::definitions::Definitions;
use crate::resolve::tables::Sources;
use skald_core::unordered::UnorderedSet;

/// Records the data for the reports that options ask for.
pub fn note(
    sources: &Sources<'_>,
    definitions: &Definitions,
    claimed: &UnorderedSet<FileId>,
) -> ClaimedNotes {
    let options = sources.options;
    let reports = &options.reports;
    let mut notes = ClaimedNotes::default();
    if options.trace || reports.archive_stats.is_some() {
        let files = sources.objects.iter().filter_map(|object| object.file);
        notes.linked = files.filter(|file| claimed.contains(file)).collect();
    }
    if options.map.is_some() || reports.why_extract.is_some() {
        notes.reasons = Reasons::find(sources, definitions);
    }
    if reports.cref {
        let mut mentions = cross_references::mentions(sources, definitions);
        mentions.retain(|(_, _, file)| claimed.contains(file));
        notes.mentions = mentions;
    }
    if !options.trace_symbol.is_empty() {
        let mut traced = symbol_traces::find(sources, definitions);
        traced.retain(|(_, file, _)| claimed.contains(file));
        notes.traced = traced;
    }
    notes
}
