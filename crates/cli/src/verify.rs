//! `skald --verify FILE...`: reads outputs back and reports violations of rules that every output
//! must obey.
//!
//! The rules are those of [`skald_verify::lint`], which the tests apply to all their outputs. A
//! violation that an option can cause is a warning.

use skald_core::diag::{Diag, Style, WHOLE_LINK};
use skald_verify::lint;
use skald_verify::output_file::OutputFile;
use std::ffi::OsString;
use std::path::Path;

/// Verifies `files`; returns the exit status.
pub fn run(style: Style, files: &[OsString]) -> i32 {
    let diag = Diag::new(style);
    if files.is_empty() {
        diag.error(WHOLE_LINK, "--verify: missing argument FILE");
    }
    for (at, file) in (0..).zip(files) {
        let path = Path::new(file);
        match OutputFile::read(path) {
            // The error contains the name of the file.
            Err(error) => diag.error((at, 0), error),
            Ok(read) => {
                for (number, finding) in (0..).zip(lint::check(&read, &[])) {
                    let text = format!("{}: {finding}", path.display());
                    let rule = finding.split(':').next().unwrap_or_default();
                    if lint::MAY_BE_ASKED_FOR.contains(&rule) {
                        diag.warn((at, number), text)
                    } else {
                        diag.error((at, number), text)
                    }
                }
            }
        }
    }
    i32::from(diag.checkpoint().is_err())
}
