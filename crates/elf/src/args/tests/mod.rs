//! The option table probed row by row, command lines of real builds, and answers to questions.

use std::ffi::OsString;

use super::options::{InputName, Options};
use super::parse::{Parsed, parse_in};
use skald_core::diag::Result;

mod abbreviated;
mod listed;
mod probe;
mod recorded;
mod settled;
mod version;

/// Parses words, program name left out, with an empty environment.
fn parse<S: AsRef<str>>(words: &[S]) -> Result<Parsed> {
    let argv: Vec<OsString> =
        std::iter::once("ld").chain(words.iter().map(AsRef::as_ref)).map(OsString::from).collect();
    parse_in(&argv, &|_| None)
}

/// The options of a line of words.
fn options(line: &str) -> Options {
    let words: Vec<&str> = line.split_whitespace().collect();
    parse(&words).unwrap_or_else(|error| panic!("{line}: {error}")).options
}

/// The error of a line of words.
fn error(line: &str) -> String {
    let words: Vec<&str> = line.split_whitespace().collect();
    match parse(&words) {
        Ok(_) => panic!("{line}: accepted"),
        Err(error) => error.0,
    }
}

/// The inputs by name, `-l` and its argument as one.
fn inputs(options: &Options) -> Vec<String> {
    let name = |what: &InputName| match what {
        InputName::Path(path) => path.display().to_string(),
        InputName::Library(name) => format!("-l{name}"),
    };
    options.inputs.iter().map(|input| name(&input.what)).collect()
}
