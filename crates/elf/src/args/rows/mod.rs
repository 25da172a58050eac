//! The option table, one file per theme, and the index that finds a row by its spelling.
//!
//! The sections of `--help` are the themes, in this order.

use skald_core::unordered::UnorderedMap;
use std::sync::LazyLock;

use crate::args::draft::Draft;
use skald_base::option_row::{self, Form};

mod compatibility;
mod diagnostics;
mod dynamic;
mod inputs;
mod keywords;
mod layout;
mod lto;
mod output;
mod reports;
mod sections;
mod symbols;

/// An option of the command line, or a word of `-z`.
pub type Row = option_row::Row<Draft>;

/// A heading of the help text and the options below it.
pub struct Theme {
    /// The heading.
    pub title: &'static str,
    /// In the order of the help text.
    pub rows: &'static [Row],
}

/// Every option but the words of `-z`.
pub static THEMES: &[Theme] = &[
    Theme { title: "Inputs", rows: inputs::ROWS },
    Theme { title: "Output", rows: output::ROWS },
    Theme { title: "Symbols", rows: symbols::ROWS },
    Theme { title: "Dynamic linking", rows: dynamic::ROWS },
    Theme { title: "Sections", rows: sections::ROWS },
    Theme { title: "Layout", rows: layout::ROWS },
    Theme { title: "Diagnostics", rows: diagnostics::ROWS },
    Theme { title: "Reports", rows: reports::ROWS },
    Theme { title: "Link-time optimization", rows: lto::ROWS },
    Theme { title: "Compatibility", rows: compatibility::ROWS },
];

/// The words of `-z`.
pub use keywords::KEYWORDS;

/// An option, as found by a spelling.
#[derive(Clone, Copy)]
pub struct FoundRow {
    /// The row of the table.
    pub row: &'static Row,
    /// The spelling is one of [`Row::off`]: it negates the option.
    pub off: bool,
}

/// Finds rows by spelling.
struct Index {
    /// Every name and negation, without dashes.
    by_name: UnorderedMap<&'static [u8], FoundRow>,
    /// [`Form::Joined`] names of several letters, without dashes, longest first.
    joined: Vec<(&'static [u8], &'static Row)>,
    keywords: UnorderedMap<&'static [u8], FoundRow>,
    /// All names and negations, without dashes, for unique beginnings.
    spellings: Vec<(&'static [u8], FoundRow)>,
}

static INDEX: LazyLock<Index> = LazyLock::new(|| {
    let rows = || THEMES.iter().flat_map(|theme| theme.rows);
    let joined = rows().filter(|row| row.form == Form::Joined);
    let mut joined: Vec<_> =
        joined.flat_map(|row| row.names.iter().map(move |name| (bare(name), row))).collect();
    joined.sort_by_key(|(name, _)| std::cmp::Reverse(name.len()));
    let spellings = rows().flat_map(spellings).collect();
    Index { by_name: index(rows()), joined, keywords: index(KEYWORDS.iter()), spellings }
});

/// The row that `name`, without dashes, spells in full.
pub fn find(name: &[u8]) -> Option<FoundRow> {
    INDEX.by_name.get(name).copied()
}

/// For a name that is cut short GNU ld prefers any other option to these: they are younger than
/// `--export-dyn`.
const LAST: [&str; 2] = ["export-dynamic-symbol", "export-dynamic-symbol-list"];

/// The option with names that begin with `beginning`, without dashes, if it is the only one.
pub fn find_beginning(beginning: &[u8]) -> Option<FoundRow> {
    let is_last = |name: &[u8]| LAST.iter().any(|last| last.as_bytes() == name);
    let only = |wants_last: bool| {
        let fits = |(name, _): &(&[u8], FoundRow)| {
            name.starts_with(beginning) && is_last(name) == wants_last
        };
        let mut found = INDEX.spellings.iter().copied().filter(fits).map(|(_, found)| found);
        let first = found.next()?;
        let is_first =
            |other: FoundRow| std::ptr::eq(other.row, first.row) && other.off == first.off;
        Some(found.all(is_first).then_some(first))
    };
    only(false).or_else(|| only(true)).flatten()
}

/// The row whose name is the beginning of `word`, without dashes; and the length of the name.
pub fn find_joined(word: &[u8]) -> Option<(&'static Row, usize)> {
    let (name, row) = INDEX.joined.iter().find(|(name, _)| word.starts_with(name))?;
    Some((row, name.len()))
}

/// The `-z` word of this name.
pub fn find_keyword(name: &[u8]) -> Option<FoundRow> {
    INDEX.keywords.get(name).copied()
}

fn index(rows: impl Iterator<Item = &'static Row>) -> UnorderedMap<&'static [u8], FoundRow> {
    let mut by_name = UnorderedMap::with_capacity(600);
    for row in rows {
        by_name.extend(spellings(row));
    }
    by_name
}

/// The names of a row, without dashes.
fn spellings(row: &'static Row) -> impl Iterator<Item = (&'static [u8], FoundRow)> {
    let on = row.names.iter().map(|name| (name, false));
    let all = on.chain(row.off.iter().map(|name| (name, true)));
    all.map(move |(name, off)| (bare(name), FoundRow { row, off }))
}

/// A name as printed, without its dashes.
fn bare(name: &'static str) -> &'static [u8] {
    name.trim_start_matches('-').as_bytes()
}
