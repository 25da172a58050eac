//! An output that is also an input: the link would replace what it is made from, as after `ld a.o -o
//! a.o`, where the name of the output was forgotten.

use crate::args::Options;
use crate::read::candidates::Candidates;
use skald_core::diag::Diag;
use std::fs::{Metadata, metadata};
use std::os::unix::fs::MetadataExt;

/// Refuses it. Inputs of other names are not looked at, which keeps this to one question in most
/// links.
pub fn refuse(options: &Options, candidates: &Candidates, diag: &Diag) {
    let path = &options.output;
    let Some(output) = metadata(path).ok().filter(Metadata::is_file) else { return };
    let is_output = |input: &&std::path::PathBuf| {
        let is_same = |input: Metadata| (input.dev(), input.ino()) == (output.dev(), output.ino());
        input.file_name() == path.file_name() && metadata(input).is_ok_and(is_same)
    };
    if let Some(input) = candidates.paths.iter().find(is_output) {
        let text = format!("input file {} is the same as output file", input.display());
        diag.error((0, 0), text);
    }
}
