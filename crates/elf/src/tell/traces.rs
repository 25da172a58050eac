//! Lists of files and names: `--trace`, `--trace-symbol`, `--print-dependencies` on standard
//! output, and `--dependency-file`.

use super::listing::{self, Stream};
use super::{dependencies, symbol_traces};
use crate::args::Options;
use crate::args::assignments::find_script;
use crate::read::FileId;
use crate::read::candidates::Candidates;
use crate::resolve::definitions::Definitions;
use crate::resolve::tables::Sources;
use skald_core::diag::Diag;
use skald_core::unordered::UnorderedSet;
use skald_host::paths::OsStrBytes;
use skald_linking::candidates::Candidate;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// Prints to standard output the lists that `--trace` and the like ask for.
pub fn print(sources: &Sources<'_>, definitions: &Definitions) {
    let options = sources.options;
    let mut text = String::new();
    if options.trace {
        files(sources, &mut text);
    }
    if !options.trace_symbol.is_empty() {
        symbol_traces::print(sources, definitions, &mut text);
    }
    if options.reports.dependencies {
        text += &dependencies::text(sources, definitions);
    }
    if text.is_empty() {
        return;
    }
    listing::write(None, Stream::Out, &text, sources.diag);
}

/// The linked files, including those that plugins have claimed.
pub fn files_taken(sources: &Sources<'_>) -> UnorderedSet<FileId> {
    let claimed = sources.candidates.compiled.notes.linked.iter().copied();
    sources.objects.iter().filter_map(|o| o.file).chain(claimed).collect()
}

/// Every linked file, one on each line, in command-line order.
fn files(sources: &Sources<'_>, text: &mut String) {
    let taken = files_taken(sources);
    for (at, candidate) in (0..).map(FileId::new).zip(&sources.candidates.files) {
        let is_own = sources.candidates.own == Some(at);
        if matches!(candidate, Candidate::Shared(_)) || (taken.contains(&at) && !is_own) {
            let _ = writeln!(text, "{}", sources.candidates.display_name(at));
        }
    }
}

/// Writes `--dependency-file`: a rule that makes the output depend on all files that were read, and
/// an empty rule for each of these, so that deleting one does not stop `make`. It is written when
/// the output is complete except for its name, so a failed link leaves no such file newer than the
/// output. `others` are files that were read besides the inputs.
pub fn write_dependency_file(
    options: &Options,
    candidates: &Candidates,
    others: &[&Path],
    diag: &Diag,
) {
    let Some(path) = &options.dependency_file else { return };
    let lists = options.dynamic_lists.iter().map(|list| &list.path);
    let scripts = options.version_scripts.iter().chain(lists);
    let scripts: Vec<PathBuf> = scripts.map(|path| find_script(options, path)).collect();
    let mut seen = UnorderedSet::new();
    let inputs: Vec<&Path> = candidates
        .paths
        .iter()
        .chain(&scripts)
        .chain(&options.retain_symbols_file)
        .map(|path| path.as_path())
        .chain(others.iter().copied())
        .filter(|path| seen.insert(*path))
        .collect();
    let mut text = escaped(&options.output);
    text.extend_from_slice(b": ");
    for input in &inputs {
        text.extend_from_slice(&escaped(input));
        text.push(b' ');
    }
    text.push(b'\n');
    for input in &inputs {
        text.push(b'\n');
        text.extend_from_slice(&escaped(input));
        text.extend_from_slice(b":\n");
    }
    listing::write_file("", path, diag, |file| file.write_all(&text));
}

/// A path, escaped for makefiles.
fn escaped(path: &Path) -> Vec<u8> {
    let mut text = Vec::new();
    for &byte in path.as_os_str().as_bytes() {
        match byte {
            b' ' | b'#' => text.extend_from_slice(&[b'\\', byte]),
            b'$' => text.extend_from_slice(b"$$"),
            _ => text.push(byte),
        }
    }
    text
}
