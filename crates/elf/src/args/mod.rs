//! The command line: its words and their meaning.
//!
//! [`rows`] is the table of options, [`parse`] reads words against it into a [`draft::Draft`],
//! [`settle`] turns that into [`Options`]: plain values, no symbols and no files inside.

use std::ffi::{OsStr, OsString};
use std::path::Path;

use skald_core::diag::Result;

mod arrangement;
pub mod assignments;
mod draft;
pub mod dynamic_list;
mod feature_words;
pub mod help;
mod lto;
mod memory_limit;
mod nearest;
mod of_machine;
pub mod options;
pub mod parse;
pub mod processors;
mod reports;
pub mod rows;
pub mod section_list;
pub mod section_order;
mod segment_starts;
mod settle;
pub mod side_files;
#[cfg(test)]
mod tests;
pub mod version_script;

pub use feature_words::{FeatureWords, Report};
pub use of_machine::MachineWords;
pub use options::*;
pub use segment_starts::SegmentStarts;

/// What the program does with its command line.
#[derive(Debug, Clone)]
pub enum Action {
    /// Print to standard output and exit with success.
    Exit {
        /// The options that were given besides.
        options: Box<Options>,
        /// Text for standard output.
        print: String,
    },
    /// Print, warn, link. There may be no inputs, which is an error that is reported after the
    /// warnings.
    Link {
        /// The command line of the link.
        options: Box<Options>,
        /// Text for standard output, before the link (`-v`).
        print: String,
        /// Texts of warnings about the command line.
        warnings: Vec<String>,
    },
}

/// Reads a command line, program name first, and returns what to do.
///
/// Fails as [`parse::parse`] does.
pub fn prepare(argv: &[OsString]) -> Result<Action> {
    let parse::Parsed { options, print, stop, warnings } = parse::parse(argv)?;
    let options = Box::new(options);
    Ok(if stop {
        Action::Exit { options, print }
    } else {
        Action::Link { options, print, warnings }
    })
}

/// The prefix of messages: the last part of `argv[0]`.
pub fn program_name(argv0: &OsStr) -> String {
    let name = Path::new(argv0).file_name().unwrap_or(argv0);
    name.to_string_lossy().into_owned()
}
