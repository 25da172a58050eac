//! What a link tells of its files and names on request: `--trace`, `--trace-symbol`,
//! `--print-dependencies` on standard output, and `--dependency-file`.

use super::dependencies;
use super::reports::Sources;
use crate::args::Options;
use crate::read::FileId;
use crate::read::candidates::{Candidate, Candidates};
use crate::resolve::definitions::Definitions;
use object::elf::{SHN_COMMON, SHN_UNDEF};
use skald_core::diag::{Diag, Failed};
use skald_core::errno;
use skald_core::unordered::UnorderedSet;
use std::fmt::Write as _;
use std::io::Write as _;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// Prints what is asked for to standard output.
pub fn print(sources: &Sources<'_>, definitions: &Definitions) {
    let options = sources.options;
    let mut text = String::new();
    if options.trace {
        files(sources, &mut text);
    }
    for name in &options.trace_symbol {
        mentions(sources, name, &mut text);
    }
    if options.reports.dependencies {
        text += &dependencies::text(sources, definitions);
    }
    if text.is_empty() {
        return;
    }
    let mut stdout = std::io::stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            sources
                .diag
                .error((0, 0), format!("cannot write to standard output: {}", errno::of(&error)));
        }
        _ => {}
    }
}

/// Every file that takes part, one a line, in command-line order.
fn files(sources: &Sources<'_>, text: &mut String) {
    let taken: UnorderedSet<FileId> = sources.objects.iter().filter_map(|o| o.file).collect();
    for (at, candidate) in (0..).map(FileId).zip(&sources.candidates.files) {
        if matches!(candidate, Candidate::Shared(_)) || taken.contains(&at) {
            let _ = writeln!(text, "{}", sources.candidates.display_name(at));
        }
    }
}

/// The files that define a symbol or refer to it.
fn mentions(sources: &Sources<'_>, symbol: &str, text: &mut String) {
    let extraction = sources.extraction;
    let key = extraction.names.key().hash(symbol.as_bytes());
    let Some(wanted) = extraction.names.find(key) else { return };
    let mut lines: Vec<(FileId, &str)> = Vec::new();
    for object in sources.objects {
        let Some(file) = object.file else { continue };
        let first = object.first_global as usize;
        for (index, _) in (first..).zip(&object.globals).filter(|(_, name)| **name == wanted) {
            lines.push(match object.symbols[index].st_shndx.get() {
                SHN_UNDEF => (file, "reference to"),
                SHN_COMMON => (file, "common definition of"),
                _ => (file, "definition of"),
            });
        }
    }
    for shared in &sources.candidates.shared {
        let Some(file) = shared.file else { continue };
        let has = |list: &[(u32, u32)]| list.iter().any(|&(_, name)| name == wanted);
        lines.extend(has(&shared.exports).then_some((file, "definition of")));
        lines.extend(has(&shared.imports).then_some((file, "reference to")));
    }
    lines.sort_by_key(|&(file, _)| file);
    for (file, what) in lines {
        let _ = writeln!(text, "{}: {what} {symbol}", sources.candidates.display_name(file));
    }
}

/// Writes `--dependency-file`: a rule that makes the output depend on all that was read, and an
/// empty rule for each of these files, so that deleting one does not stop `make`. It is written once
/// nothing but the output's own name is missing: a link that fails leaves none that is newer than
/// the output.
pub fn write_dependency_file(
    options: &Options,
    candidates: &Candidates,
    diag: &Diag,
) -> Result<(), Failed> {
    let Some(path) = &options.dependency_file else { return Ok(()) };
    let lists = options.dynamic_lists.iter().map(|list| &list.path);
    let mut seen = UnorderedSet::new();
    let inputs: Vec<&Path> = candidates
        .paths
        .iter()
        .chain(&options.version_scripts)
        .chain(lists)
        .chain(&options.retain_symbols_file)
        .map(|path| path.as_path())
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
    std::fs::write(path, text).map_err(|error| {
        diag.error((0, 0), format!("cannot write {}: {}", path.display(), errno::of(&error)));
        diag.checkpoint().err().unwrap_or(Failed)
    })
}

/// A path as makefiles spell it.
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
