//! `--cref`: GNU ld's table of each symbol, by name as it is shown: the file that defines it, then
//! those that refer to it.

use crate::diagnose::location::display_name;
use crate::read::FileId;
use crate::resolve::definitions::{Definitions, Strength};
use crate::resolve::names::references::ref_flags;
use crate::resolve::tables::Sources;
use skald_core::names::NameId;
use skald_core::par::prelude::*;
use skald_core::perturb::shuffled;
use std::borrow::Cow;

/// Width of the column of symbols.
const FILE_COLUMN: usize = 50;
/// Names in a part of the text.
const CHUNK: usize = 1 << 12;

/// A file that mentions a name; files that define the name come before others, each in command-line
/// order.
type Mention = (NameId, bool, FileId);

/// A name as maps show it.
pub fn spelled(name: &[u8], demangled: bool) -> Cow<'_, [u8]> {
    // Every name that demangling changes begins with `_`.
    if !demangled || !name.starts_with(b"_") {
        return Cow::Borrowed(name);
    }
    Cow::Owned(display_name(name, true).into_owned().into_bytes())
}

/// The table of `--cref`: symbols, and the files that mention each.
pub struct CrossReferences<'a> {
    sources: &'a Sources<'a>,
    rows: Vec<(Cow<'a, [u8]>, &'a [Mention])>,
}

/// All mentions of names in files, sorted by name.
pub fn mentions(sources: &Sources<'_>, definitions: &Definitions) -> Vec<Mention> {
    let Sources { candidates, extraction, objects, .. } = *sources;
    let undefined = ref_flags::UNDEF_STRONG | ref_flags::UNDEF_WEAK;
    let mut all: Vec<Mention> = objects
        .par_ids()
        .with_max_len(16)
        .flat_map_iter(|number| {
            let object = &objects[number];
            let names = object.file.map(|file| (file, &object.globals));
            names.into_iter().flat_map(move |(file, names)| {
                names.iter().map(move |&name| {
                    let rank = definitions.ranks[name];
                    let is_own = rank.strength() < Strength::Shared && rank.object() == number;
                    (name, !is_own, file)
                })
            })
        })
        .collect();
    for shared in &candidates.shared {
        let Some(file) = shared.file else { continue };
        // Only those exports of a library are listed that some object uses.
        all.extend(shared.exports.iter().map(|&(_, name)| name).filter_map(|name| {
            let rank = definitions.ranks[name];
            let is_used = rank.strength() == Strength::Shared
                && candidates.shared[rank.library()].file == Some(file)
                && extraction.refs.get(name).flags() & undefined != 0;
            is_used.then_some((name, false, file))
        }));
    }
    all.extend(&candidates.compiled.notes.mentions);
    shuffled(&mut all).par_sort_unstable();
    all.dedup_by_key(|mention| (mention.0, mention.2));
    all
}

impl<'a> CrossReferences<'a> {
    /// The table of `mentions`.
    pub fn new(sources: &'a Sources<'a>, mentions: &'a [Mention]) -> CrossReferences<'a> {
        let extraction = sources.extraction;
        let row = |files: &'a [Mention]| {
            let name = extraction.pools.name(&extraction.names, files[0].0);
            (spelled(name, sources.options.demangle_lists), files)
        };
        let mut rows: Vec<_> = mentions.par_chunk_by(|a, b| a.0 == b.0).map(row).collect();
        // Several names may have the same spelling; then their files give the order.
        shuffled(&mut rows).par_sort_unstable_by(|(name, files), (other, others)| {
            let keys = |files: &'a [Mention]| files.iter().map(|mention| (mention.1, mention.2));
            name.cmp(other).then_with(|| keys(files).cmp(keys(others)))
        });
        CrossReferences { sources, rows }
    }

    /// Number of parts of the text.
    pub fn parts(&self) -> usize {
        self.rows.len().div_ceil(CHUNK) + 1
    }

    /// Appends a part of the text.
    pub fn write(&self, part: usize, out: &mut Vec<u8>) {
        let Some(part) = part.checked_sub(1) else {
            out.extend_from_slice(b"\nCross Reference Table\n\n");
            padded(out, b"Symbol");
            out.extend_from_slice(b"File\n");
            return;
        };
        let end = self.rows.len().min((part + 1) * CHUNK);
        for (name, files) in &self.rows[part * CHUNK..end] {
            let mut label: &[u8] = name;
            for &(_, _, file) in *files {
                padded(out, label);
                label = b"";
                out.extend_from_slice(self.sources.candidates.display_name(file).as_bytes());
                out.push(b'\n');
            }
        }
    }
}

/// Pads `label` up to the column of files; if the label is too long, the column continues on the
/// next line.
fn padded(out: &mut Vec<u8>, label: &[u8]) {
    out.extend_from_slice(label);
    let mut width = label.len();
    if width >= FILE_COLUMN {
        out.push(b'\n');
        width = 0;
    }
    out.resize(out.len() + FILE_COLUMN - width, b' ');
}
