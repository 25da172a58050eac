//! The option table, one file per theme, and the index that finds a row by its spelling.
//!
//! The sections of `--help` are the themes, in this order.

use skald_core::unordered::{UnorderedMap, UnorderedSet};
use std::sync::LazyLock;

use crate::args::draft::Draft;
use skald_linking::option_row::{self, Form, Status};

mod compatibility;
mod diagnostics;
mod dynamic;
pub mod gnu_names;
mod inputs;
mod keywords;
mod layout;
mod lto;
mod machine_keywords;
mod output;
mod processors;
mod reports;
mod sections;
mod symbols;

/// An option of the command line, or a word of `-z`.
pub type Row = option_row::Row<Draft>;

/// A heading of the help text and the options below it.
pub struct Theme {
    /// The heading in the help text.
    pub title: &'static str,
    /// The rows, in the order of the help text.
    pub rows: &'static [Row],
}

/// Every option except the words of `-z`.
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
    Theme { title: "Processors", rows: processors::ROWS },
    Theme { title: "Compatibility", rows: compatibility::ROWS },
];

pub use keywords::KEYWORDS;
pub use machine_keywords::MACHINE_KEYWORDS;

/// All words of `-z`.
pub fn keywords() -> impl Iterator<Item = &'static Row> {
    KEYWORDS.iter().chain(MACHINE_KEYWORDS)
}

/// An option, as found by a spelling.
#[derive(Clone, Copy)]
pub struct FoundRow {
    /// The row of the table.
    pub row: &'static Row,
    /// The spelling is one of [`Row::off`]: it negates the option.
    pub off: bool,
}

impl FoundRow {
    /// Whether both are the same option, or neither has an effect or an argument.
    fn means(self, other: FoundRow) -> bool {
        let is_nothing = |row: &Row| row.status == Status::Silent && matches!(row.form, Form::None);
        std::ptr::eq(self.row, other.row) && self.off == other.off
            || is_nothing(self.row) && is_nothing(other.row)
    }
}

/// Names of options, without dashes.
type Spellings = Vec<(&'static [u8], FoundRow)>;

/// Finds rows by spelling.
struct Index {
    /// Every name and negation, without dashes.
    by_name: UnorderedMap<&'static [u8], FoundRow>,
    /// [`Form::Joined`] names of several letters, without dashes, longest first.
    joined: Vec<(&'static [u8], &'static Row)>,
    keywords: UnorderedMap<&'static [u8], FoundRow>,
}

static INDEX: LazyLock<Index> = LazyLock::new(|| {
    let rows = || THEMES.iter().flat_map(|theme| theme.rows);
    let joined = rows().filter(|row| row.form == Form::Joined);
    let mut joined: Vec<_> =
        joined.flat_map(|row| row.names.iter().map(move |name| (bare(name), row))).collect();
    joined.sort_by_key(|(name, _)| std::cmp::Reverse(name.len()));
    Index { by_name: index(rows()), joined, keywords: index(keywords()) }
});

/// Finds rows by abbreviated names; few links need it.
struct Abbreviations {
    /// The names of [`gnu_names`], without dashes.
    gnu: Spellings,
    gnu_two_dashes: Spellings,
    /// All other names and negations, without dashes.
    others: Spellings,
}

static ABBREVIATIONS: LazyLock<Abbreviations> = LazyLock::new(|| {
    let found = |names: &[&'static str]| -> Spellings {
        names.iter().filter_map(|name| Some((name.as_bytes(), find(name.as_bytes())?))).collect()
    };
    let (gnu, gnu_two_dashes) = (found(gnu_names::LONG), found(gnu_names::TWO_DASHES));
    let known: UnorderedSet<&[u8]> =
        gnu.iter().chain(&gnu_two_dashes).map(|&(name, _)| name).collect();
    let rows = THEMES.iter().flat_map(|theme| theme.rows);
    let mut others: Spellings = rows.flat_map(spellings).collect();
    others.retain(|&(name, _)| !known.contains(name) && name.len() > 1);
    Abbreviations { gnu, gnu_two_dashes, others }
});

/// The row that `name`, without dashes, spells in full.
pub fn find(name: &[u8]) -> Option<FoundRow> {
    INDEX.by_name.get(name).copied()
}

/// The option that `beginning`, without dashes, is the beginning of. It means the same as in GNU
/// ld; if it means nothing there, it may abbreviate any other option.
pub fn find_beginning(beginning: &[u8], dashes: usize) -> Option<FoundRow> {
    let gnu = Completions::among(&ABBREVIATIONS.gnu, beginning);
    if dashes == 1 {
        return gnu.only();
    }
    let two_dashes = Completions::among(&ABBREVIATIONS.gnu_two_dashes, beginning);
    let others = || Completions::among(&ABBREVIATIONS.others, beginning);
    match (gnu, two_dashes) {
        (Completions::None, Completions::None) => others().only(),
        (gnu, two_dashes) => gnu.only().or(two_dashes.only()),
    }
}

/// The options that an abbreviated name may stand for.
enum Completions {
    None,
    One(FoundRow),
    Several,
}

impl Completions {
    fn among(names: &Spellings, beginning: &[u8]) -> Completions {
        let fits = names.iter().filter(|(name, _)| name.starts_with(beginning));
        let mut found = fits.map(|&(_, found)| found);
        let Some(first) = found.next() else { return Completions::None };
        if found.all(|other| other.means(first)) {
            Completions::One(first)
        } else {
            Completions::Several
        }
    }

    fn only(self) -> Option<FoundRow> {
        match self {
            Completions::One(found) => Some(found),
            Completions::None | Completions::Several => None,
        }
    }
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
