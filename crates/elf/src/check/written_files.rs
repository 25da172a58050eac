//! Checks the files that a link is to write, before anything is done: they can be written, and none
//! of them is another one or an input.
//!
//! An output that is also an input would replace what it is made from, as after `ld a.o -o a.o`,
//! where the name of the output was forgotten. A map with the same name would overwrite the output.
//! Files are compared, not paths.

use crate::args::Options;
use crate::args::side_files::side_files;
use skald_core::diag::{Diag, Failed, WHOLE_LINK};
use skald_core::input;
use skald_core::output;
use skald_host::output::Place;
use std::path::Path;

/// Refuses output files that cannot be written, and two options that name one file.
pub fn check(options: &Options, diag: &Diag) -> Result<(), Failed> {
    let path = options.output.as_path();
    if let Err(error) = output::check(path) {
        diag.error(WHOLE_LINK, format!("cannot open output file {}: {error}", path.display()));
    }
    let mut seen = vec![("", Place::of(path))];
    for (option, path) in side_files(options) {
        let name = path.display();
        if let Err(error) = output::check(path) {
            diag.error(
                WHOLE_LINK,
                if path.as_os_str() == "-" {
                    format!("cannot write to standard output: {error}")
                } else {
                    format!("{option}: cannot open {name}: {error}")
                },
            );
            continue;
        }
        let place = Place::of(path);
        match seen.iter().find(|(_, other)| place.is_some() && place == *other) {
            Some(("", _)) => diag.error(WHOLE_LINK, format!("{option}={name}: this is the output")),
            Some((other, _)) => {
                diag.error(WHOLE_LINK, format!("{option}={name}: this is the file of {other}"));
            }
            None => seen.push((option, place)),
        }
    }
    diag.checkpoint()
}

/// Does [`check`] again for options that scripts have `changed`, if they name another output;
/// returns the options that are valid.
pub fn check_renamed<'a>(options: &Options, changed: &'a Options, diag: &Diag) -> &'a Options {
    if changed.output != options.output {
        // An error is in `diag`, and ends the link with all others.
        let _ = check(changed, diag);
    }
    changed
}

/// Refuses output files that are inputs. To be called when the inputs of the command line are open,
/// and again when all inputs are.
pub fn refuse_inputs(options: &Options, diag: &Diag) {
    let opened = |path: &Path| match Place::of(path) {
        Some(Place::File(identity)) => input::opened_as(identity),
        _ => None,
    };
    if let Some(input) = opened(&options.output) {
        let text = format!("input file {} is the same as output file", input.display());
        diag.error(WHOLE_LINK, text);
    }
    for (option, path) in side_files(options) {
        if let Some(input) = opened(path) {
            let (name, input) = (path.display(), input.display());
            diag.error(WHOLE_LINK, format!("{option}={name}: this is the input file {input}"));
        }
    }
}

/// Whether an input was written while it was read.
pub fn has_changed_inputs() -> bool {
    !input::changed().is_empty()
}

/// Reports inputs that were written while they were read. Earlier errors may be the result of that,
/// so these inputs are reported even after errors.
pub fn changed_inputs(diag: &Diag) {
    for path in input::changed() {
        let changed = String::from_utf8_lossy(skald_core::input::CHANGED);
        diag.error_in_any_case(format!("{}{changed}", path.display()));
    }
}
