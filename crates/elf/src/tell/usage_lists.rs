//! Lists of taken files and their users: `--cref`, `--why-extract`, `--print-archive-stats`,
//! `--print-memory-usage` and `--stats`. They are made from the tables at the end, so they cost
//! nothing unless an option asks for them.

use super::cross_references::{self, CrossReferences};
use super::listing::{self, Stream};
use super::traces;
use crate::read::claimed_files::{Reason, Reasons, Requester};
use crate::resolve::definitions::Definitions;
use crate::resolve::tables::Sources;
use crate::script::layout_script;
use skald_core::ids::Column;
use skald_core::in_order;
use skald_linking::candidates::Candidate;
use std::fmt::Write as _;
use std::path::Path;

/// Writes the lists that go to files or to standard output on their own.
pub fn write(sources: &Sources<'_>, definitions: &Definitions) {
    let reports = &sources.options.reports;
    if let Some(path) = &reports.why_extract {
        emit(sources, path, &extractions(sources, definitions));
    }
    if let Some(path) = &reports.archive_stats {
        emit(sources, path, &archives(sources));
    }
    if reports.cref && sources.options.map.is_none() {
        cross_references(sources, definitions);
    }
    let commands = &sources.candidates.script_commands;
    let has_regions = layout_script::is_asked(commands) && !layout_script::is_automatic(commands);
    if reports.memory_usage && !has_regions {
        // The rows would be the regions of a script's MEMORY, which does not exist.
        emit(sources, Path::new("-"), "Memory region         Used Size  Region Size  %age Used\n");
    }
    if reports.stats {
        emit(sources, Path::new("-"), &statistics(sources, definitions));
    }
}

fn emit(sources: &Sources<'_>, path: &Path, text: &str) {
    listing::write(Some(path), Stream::Out, text, sources.diag);
}

/// `--cref` without a map.
fn cross_references(sources: &Sources<'_>, definitions: &Definitions) {
    let mentions = cross_references::mentions(sources, definitions);
    let table = CrossReferences::new(sources, &mentions);
    listing::write_file("", Path::new("-"), sources.diag, |sink| {
        in_order::write(table.parts(), sink, |part, out| table.write(part, out))
    });
}

/// lld's three columns: the file that refers, the member that is taken, and the name.
fn extractions(sources: &Sources<'_>, definitions: &Definitions) -> String {
    let Sources { candidates, extraction, .. } = *sources;
    let mut text = "reference\textracted\tsymbol\n".to_owned();
    for (file, Reason { asker, name }) in Reasons::find(sources, definitions).members {
        let asker = match asker {
            Requester::File(file) => candidates.display_name(file),
            Requester::Option(option) => option.to_owned(),
        };
        let member = candidates.display_name(file);
        let symbol = extraction.pools.name(&extraction.names, name);
        let _ = writeln!(text, "{asker}\t{member}\t{}", String::from_utf8_lossy(symbol));
    }
    text
}

/// lld's three columns: members of an archive, members that are taken, and its path.
fn archives(sources: &Sources<'_>) -> String {
    let candidates = sources.candidates;
    let taken = traces::files_taken(sources);
    let mut counts = Column::filled(0usize, candidates.archives.len());
    for (at, candidate) in candidates.files.with_ids() {
        if let Candidate::Member { archive, .. } = candidate
            && taken.contains(&at)
        {
            counts[*archive] += 1;
        }
    }
    let mut text = "members\textracted\tarchive\n".to_owned();
    for (archive, extracted) in candidates.archives.iter().zip(counts) {
        let members = archive.archive.members().filter(|member| member.is_ok()).count();
        let _ = writeln!(text, "{members}\t{extracted}\t{}", archive.path.display());
    }
    text
}

fn statistics(sources: &Sources<'_>, definitions: &Definitions) -> String {
    let Sources { candidates, objects, .. } = *sources;
    let members = objects
        .iter()
        .filter_map(|o| o.file)
        .filter(|&file| matches!(candidates.files[file], Candidate::Member { .. }));
    let rows = [
        ("objects", objects.len()),
        ("of them members of archives", members.count()),
        ("archives", candidates.archives.len()),
        ("shared libraries", candidates.shared.len()),
        ("bytes of objects", objects.iter().map(|o| o.mapped.data.len()).sum()),
        ("symbols", objects.iter().map(|o| o.mapped.symbols.len()).sum()),
        ("global names", sources.extraction.names.count()),
        ("sections", definitions.sections.len()),
        ("groups", objects.iter().map(|o| o.groups.len()).sum()),
    ];
    rows.iter().fold(String::new(), |mut text, (what, count)| {
        let _ = writeln!(text, "{count:>14} {what}");
        text
    })
}
