//! Lists of what was taken and who uses it: `--cref`, `--why-extract`, `--print-archive-stats`,
//! `--print-memory-usage` and `--stats`. Made from the tables after the fact, so that a link which
//! is not asked for them does nothing for them.

use super::listing::{self, Stream};
use super::reports::Sources;
use crate::args::Options;
use crate::read::FileId;
use crate::read::candidates::{Candidate, Taking};
use crate::resolve::definitions::{Definitions, Strength};
use crate::resolve::references::ref_flags;
use object::elf::{SHN_UNDEF, STB_WEAK};
use skald_core::perturb::shuffled;
use skald_core::unordered::UnorderedSet;
use std::collections::{BTreeMap, VecDeque};
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
        emit(sources, Path::new("-"), &cross_references(sources, definitions));
    }
    if reports.memory_usage {
        // The rows are regions of a script, which there are none of.
        emit(sources, Path::new("-"), "Memory region         Used Size  Region Size  %age Used\n");
    }
    if reports.stats {
        emit(sources, Path::new("-"), &statistics(sources, definitions));
    }
}

fn emit(sources: &Sources<'_>, path: &Path, text: &str) {
    listing::write(Some(path), Stream::Out, text, sources.diag);
}

/// GNU ld's table: for each symbol, by name, the file that defines it, then those that refer to it.
pub fn cross_references(sources: &Sources<'_>, definitions: &Definitions) -> String {
    let Sources { candidates, extraction, objects, .. } = *sources;
    let undefined = ref_flags::UNDEF_STRONG | ref_flags::UNDEF_WEAK;
    // By name: definers before the others, each in the order of the command line.
    let mut table: BTreeMap<&[u8], Vec<(bool, FileId)>> = BTreeMap::new();
    let mut enter = |name: u32, is_reference: bool, file: FileId| {
        let text = extraction.pools.name(&extraction.names, name);
        table.entry(text).or_default().push((is_reference, file));
    };
    for (number, object) in objects.iter().enumerate() {
        let Some(file) = object.file else { continue };
        for &name in &object.globals {
            let rank = definitions.ranks[name as usize];
            let is_own = rank.strength() < Strength::Shared && rank.file() as usize == number;
            enter(name, !is_own, file);
        }
    }
    for shared in &candidates.shared {
        let Some(file) = shared.file else { continue };
        // What a library exports matters if an object uses it.
        for &(_, name) in &shared.exports {
            let rank = definitions.ranks[name as usize];
            let is_used = rank.strength() == Strength::Shared
                && candidates.shared[rank.file() as usize].file == Some(file);
            if is_used && extraction.refs.get(name).flags() & undefined != 0 {
                enter(name, false, file);
            }
        }
    }
    let mut text = "\nCross Reference Table\n\n".to_owned();
    let _ = writeln!(text, "{:<50}File", "Symbol");
    for (name, mut files) in table {
        shuffled(&mut files).sort_unstable();
        files.dedup_by_key(|entry| entry.1);
        let mut label = String::from_utf8_lossy(name).into_owned();
        for (_, file) in files {
            if label.len() >= 50 {
                let _ = writeln!(text, "{label}");
                label.clear();
            }
            let _ = writeln!(text, "{label:<50}{}", candidates.display_name(file));
            label.clear();
        }
    }
    text
}

/// lld's three columns: who asks, the member that is taken, and for which name. The first to ask is
/// told, by the order of the command line and then of extraction.
fn extractions(sources: &Sources<'_>, definitions: &Definitions) -> String {
    let Sources { candidates, extraction, objects, options, .. } = *sources;
    let is_lazy = |file: FileId| match candidates.files[file.0 as usize] {
        Candidate::Object { lazy, .. } => lazy,
        Candidate::Member { taking, .. } => taking != Taking::Whole,
        _ => false,
    };
    let lazy: Vec<bool> = objects.iter().map(|o| o.file.is_some_and(is_lazy)).collect();
    let mut text = "reference\textracted\tsymbol\n".to_owned();
    let mut is_told = vec![false; objects.len()];
    let mut queue: VecDeque<usize> = (0..objects.len()).filter(|&at| !lazy[at]).collect();
    let mut tell = |queue: &mut VecDeque<usize>, asker: &str, name: u32| {
        let rank = definitions.ranks[name as usize];
        let at = rank.file() as usize;
        let is_object = rank.strength() < Strength::Shared && at < objects.len();
        if is_object && lazy[at] && !std::mem::replace(&mut is_told[at], true) {
            let member = objects[at].file.map(|f| candidates.display_name(f)).unwrap_or_default();
            let symbol = extraction.pools.name(&extraction.names, name);
            let _ = writeln!(text, "{asker}\t{member}\t{}", String::from_utf8_lossy(symbol));
            queue.push_back(at);
        }
    };
    for (option, names) in asked_by_options(options) {
        for name in names {
            if let Some(name) = extraction.own_names.get(name.as_bytes()) {
                tell(&mut queue, option, name);
            }
        }
    }
    for shared in &candidates.shared {
        let asker = shared.file.map(|file| candidates.display_name(file)).unwrap_or_default();
        shared.imports.iter().for_each(|&(_, name)| tell(&mut queue, &asker, name));
    }
    while let Some(at) = queue.pop_front() {
        let object = &objects[at];
        let asker = object.file.map(|file| candidates.display_name(file)).unwrap_or_default();
        let first = object.first_global as usize;
        for (index, &name) in (first..).zip(&object.globals) {
            let symbol = &object.symbols[index];
            if symbol.st_shndx.get() == SHN_UNDEF && symbol.bind() != STB_WEAK {
                tell(&mut queue, &asker, name);
            }
        }
    }
    text
}

/// Names that options ask for, as lld calls the asker.
fn asked_by_options(options: &Options) -> [(&'static str, Vec<&str>); 2] {
    let undefined = options.undefined.iter().map(String::as_str).collect();
    [("--entry", options.entry.as_deref().into_iter().collect()), ("--undefined", undefined)]
}

/// lld's three columns: members of an archive, those that are taken, its path.
fn archives(sources: &Sources<'_>) -> String {
    let candidates = sources.candidates;
    let taken: UnorderedSet<FileId> = sources.objects.iter().filter_map(|o| o.file).collect();
    let mut counts = vec![0usize; candidates.archives.len()];
    for (at, candidate) in (0..).map(FileId).zip(&candidates.files) {
        if let Candidate::Member { archive, .. } = candidate
            && taken.contains(&at)
        {
            counts[*archive as usize] += 1;
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
        .filter(|file| matches!(candidates.files[file.0 as usize], Candidate::Member { .. }));
    let rows = [
        ("objects", objects.len()),
        ("of them members of archives", members.count()),
        ("archives", candidates.archives.len()),
        ("shared libraries", candidates.shared.len()),
        ("bytes of objects", objects.iter().map(|o| o.data.len()).sum()),
        ("symbols", objects.iter().map(|o| o.symbols.len()).sum()),
        ("global names", definitions.globals.len()),
        ("sections", definitions.sections.len()),
        ("groups", objects.iter().map(|o| o.groups.len()).sum()),
    ];
    rows.iter().fold(String::new(), |mut text, (what, count)| {
        let _ = writeln!(text, "{count:>14} {what}");
        text
    })
}
