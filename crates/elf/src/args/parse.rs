//! Reads the words of a command line against the option table.
//!
//! A word that begins with `-` is, in this order: a name of the table in full (with `=` and its
//! argument); a name whose argument is joined without `=`; a single letter with its argument joined
//! or in the next word. Anything else is an input. Only options that require an argument take the
//! next word, so no option swallows an input by mistake. Behind two dashes, an abbreviated name is
//! accepted if it is the beginning of only one option.

use skald_host::paths::OsStrBytes;
use std::ffi::{OsStr, OsString};

use skald_core::diag::{Error, Result};
use skald_linking::response;

use super::draft::Draft;
use super::options::{InputName, Options};
use super::rows::{self, FoundRow};
use super::settle::{Environment, settle};
use super::{help, nearest};
use crate::args::rows::Row;
use skald_linking::option_row::{Form, Typed};

/// A command line that has been parsed.
#[derive(Debug, Clone)]
pub struct Parsed {
    /// The link that is asked for.
    pub options: Options,
    /// Text for standard output, before the link.
    pub print: String,
    /// Nothing is to be linked: `--version`, or `-v` without inputs.
    pub stop: bool,
    /// Texts of warnings about the command line.
    pub warnings: Vec<String>,
}

/// Reads `argv`, program name first, in the environment of this process.
///
/// Fails on an unknown option, a bad or missing value, and options that contradict each other. A
/// command line without inputs is no error here, so that its warnings are still reported: the
/// result has `stop` set if it asked something, and no inputs otherwise.
pub fn parse(argv: &[OsString]) -> Result<Parsed> {
    parse_in(argv, &|name| std::env::var_os(name))
}

/// Like [`parse`], in another environment.
pub fn parse_in(argv: &[OsString], environment: Environment<'_>) -> Result<Parsed> {
    let called = argv.first().map(OsString::as_os_str).unwrap_or_default();
    let words = response::expand(argv.get(1..).unwrap_or_default())?;
    let mut draft = Draft::new();
    let stopped = Reader { words: words.iter() }.read(&mut draft)?;
    let print = help::answer(&draft, called, environment);
    if stopped {
        return Ok(Parsed { options: draft.options, print, stop: true, warnings: draft.warnings });
    }
    let (mut options, warnings) = settle(draft, environment)?;
    if options.reports.reproduce.is_some() {
        options.reports.words = words;
    }
    let stop = options.inputs.is_empty() && !print.is_empty();
    Ok(Parsed { options, print, stop, warnings })
}

/// A word of a command line: an option with its argument, or an input.
#[derive(Clone, Copy)]
pub struct Item<'a> {
    /// The row of the option; `None` for an input, and for an option that does not exist.
    pub row: Option<&'static Row>,
    /// The option as typed, without its argument; empty for an input.
    pub name: &'a [u8],
    /// The option's argument, or the input.
    pub argument: Option<&'a OsStr>,
    /// The argument stands in the same word.
    pub is_joined: bool,
}

/// The options and inputs of `words`, program name excluded, without checking them.
pub fn items(words: &[OsString]) -> Vec<Item<'_>> {
    let mut items = Vec::new();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let option = Some(word.as_bytes()).filter(|word| word.starts_with(b"-"));
        let Some(Recognized { found, name, joined }) = option.and_then(recognize) else {
            let argument = Some(word.as_os_str());
            items.push(Item { row: None, name: &[], argument, is_joined: false });
            continue;
        };
        let argument = match (found.row.form, joined) {
            (Form::Required, None) => words.next().map(OsString::as_os_str),
            _ => joined.map(OsStr::from_bytes),
        };
        items.push(Item { row: Some(found.row), name, argument, is_joined: joined.is_some() });
    }
    items
}

/// The argument of the last `-m` of a command line, program name excluded.
pub fn machine(words: &[OsString]) -> Option<&OsStr> {
    let items = items(words).into_iter().rev();
    let is_machine = |item: &Item<'_>| item.row.is_some_and(|row| row.names.contains(&"-m"));
    items.filter(is_machine).find_map(|item| item.argument)
}

struct Reader<'a> {
    words: std::slice::Iter<'a, OsString>,
}

/// A word that is an option.
struct Recognized<'a> {
    found: FoundRow,
    /// The option as typed, without its argument.
    name: &'a [u8],
    /// What follows the name in the same word, `=` removed.
    joined: Option<&'a [u8]>,
}

impl<'a> Reader<'a> {
    /// Reads to the end, or to an option that is answered at once; returns whether there was one.
    fn read(&mut self, draft: &mut Draft) -> Result<bool> {
        let mut options_ended = false;
        while let Some(word) = self.words.next() {
            let bytes = word.as_bytes();
            if options_ended || bytes.len() < 2 || bytes[0] != b'-' {
                draft.input(InputName::Path(word.into()));
            } else if bytes == b"--" {
                options_ended = true;
            } else {
                self.option(draft, bytes)?;
                // GNU ld answers these at once: later words may even be wrong.
                if draft.questions.are_answered_at_once() {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    fn option(&mut self, draft: &mut Draft, word: &'a [u8]) -> Result<()> {
        let Recognized { found, name, joined } =
            recognize(word).ok_or_else(|| nearest::unknown(word))?;
        let FoundRow { row, off } = found;
        let option = String::from_utf8_lossy(name);
        let argument = self.argument(row, &option, joined.map(OsStr::from_bytes))?;
        row.apply(draft, &Typed { option: &option, off, argument, joined: joined.is_some() })
    }

    /// The argument of an option, from its word or, if it must have one, the next word.
    fn argument(
        &mut self,
        row: &Row,
        option: &str,
        joined: Option<&'a OsStr>,
    ) -> Result<Option<&'a OsStr>> {
        match (row.form, joined) {
            (Form::None, Some(_)) => Err(Error(format!("{option} takes no value"))),
            (Form::Required, None) => {
                let next = self.words.next().map(OsString::as_os_str);
                let missing = || Error(format!("{option}: missing argument {}", row.meta));
                next.map(Some).ok_or_else(missing)
            }
            (Form::Level, None) => Ok(self.next_if(is_level)),
            (Form::GlobNumber, None) => Ok(self.next_if(is_glob_with_number)),
            (_, joined) => Ok(joined),
        }
    }

    /// The next word, if it looks like an argument.
    fn next_if(&mut self, is_argument: fn(&[u8]) -> bool) -> Option<&'a OsStr> {
        let next = self.words.as_slice().first()?;
        is_argument(next.as_bytes()).then(|| self.words.next())?.map(OsString::as_os_str)
    }
}

/// Whether a word can follow `-O` or `-G`.
fn is_level(word: &[u8]) -> bool {
    is_number(word) || matches!(word, b"s" | b"z" | b"g" | b"fast")
}

fn is_number(word: &[u8]) -> bool {
    !word.is_empty() && word.iter().all(u8::is_ascii_digit)
}

/// `GLOB=7`, `GLOB=-1`.
fn is_glob_with_number(word: &[u8]) -> bool {
    let Some(equals) = word.iter().rposition(|&byte| byte == b'=') else { return false };
    let (glob, number) = (&word[..equals], &word[equals + 1..]);
    let number = number.strip_prefix(b"-").unwrap_or(number);
    !glob.is_empty() && !glob.starts_with(b"-") && is_number(number)
}

/// Finds the row of a word that begins with a dash.
fn recognize(word: &[u8]) -> Option<Recognized<'_>> {
    let (dashes, body) = match word.strip_prefix(b"--") {
        Some(body) => (2, body),
        None => (1, &word[1..]),
    };
    let (name, joined) = match body.iter().position(|&byte| byte == b'=') {
        Some(at) => (&body[..at], Some(&body[at + 1..])),
        None => (body, None),
    };
    // `-omagic` is `-o magic`; every other long name is accepted with one dash.
    let long = dashes == 2 || !body.starts_with(b"o");
    if long
        && name.len() > 1
        && let Some(found) = rows::find(name)
    {
        return Some(Recognized { found, name: &word[..dashes + name.len()], joined });
    }
    if long && let Some((row, length)) = rows::find_joined(body) {
        let (name, rest) = word.split_at(dashes + length);
        return Some(Recognized { found: FoundRow { row, off: false }, name, joined: Some(rest) });
    }
    // As in `getopt_long_only`: the beginning of a name suffices if no other name begins so. `-lib`
    // is a library.
    let may_be_cut = dashes == 2 || name.len() > 1 && !body.starts_with(b"l");
    if may_be_cut && let Some(found) = rows::find_beginning(name, dashes) {
        return Some(Recognized { found, name: &word[..dashes + name.len()], joined });
    }
    if dashes == 2 {
        return None;
    }
    let found = rows::find(body.get(..1)?)?;
    let (name, rest) = word.split_at(2);
    let joined = Some(rest).filter(|rest| !rest.is_empty());
    // A flag without an argument does not share its dash: `-sx` is not `-s -x`, because `-stirp`
    // would then be accepted as `-s`.
    if found.row.form == Form::None && joined.is_some() {
        return None;
    }
    Some(Recognized { found, name, joined })
}
