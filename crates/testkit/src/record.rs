//! One query syntax for all tables of an output.
//!
//! `symbol: foo type=FUNC size>=16 section=.text` asks the table of symbols for rows called `foo`
//! that meet all conditions. A table is a list of [`Record`]s; a condition is a column, an
//! operator and a value. A value may be computed from other rows: `value=section(.foo).address+8`.

use crate::output_file::{OutputFile, Section, Symbol};
use crate::{Result, elf_names as names, words};
use object::elf;
use regex::Regex;

/// The value of a column.
#[derive(Debug, Clone, PartialEq)]
pub enum Field {
    /// A number, compared as a number.
    Number(u64),
    /// A text, compared as a text or by a regular expression.
    Text(String),
}

/// A row of a table that a directive asks about.
#[derive(Debug, Clone)]
pub struct Record {
    /// Names of the row: a symbol with a version has two.
    pub names: Vec<String>,
    /// The columns, each with its value.
    pub fields: Vec<(&'static str, Field)>,
}

impl Record {
    fn new(name: impl Into<String>, fields: Vec<(&'static str, Field)>) -> Record {
        Record { names: vec![name.into()], fields }
    }

    fn field(&self, column: &str) -> Option<&Field> {
        self.fields.iter().find(|(name, _)| *name == column).map(|(_, field)| field)
    }

    /// The row in the form in which directives state it.
    pub fn text(&self) -> String {
        let mut text = self.names.join(" ");
        for (column, field) in &self.fields {
            match field {
                Field::Number(number) => text.push_str(&format!(" {column}={number:#x}")),
                Field::Text(value) if value.is_empty() => {}
                Field::Text(value) => text.push_str(&format!(" {column}={value}")),
            }
        }
        text
    }
}

/// Names of the tables: directives have the same names.
pub const TABLES: [&str; 9] =
    ["header", "section", "segment", "symbol", "dynsym", "dynamic", "reloc", "version", "note"];

/// All rows of the table called `kind`, one of [`TABLES`].
pub fn table(file: &OutputFile, kind: &str) -> Vec<Record> {
    match kind {
        "header" => vec![header(file)],
        "section" => file.sections.iter().enumerate().map(|(i, s)| section(i, s)).collect(),
        "segment" => segments(file),
        "symbol" => file.symbols.iter().enumerate().skip(1).map(|(i, s)| symbol(i, s)).collect(),
        "dynsym" => {
            file.dynamic_symbols.iter().enumerate().skip(1).map(|(i, s)| symbol(i, s)).collect()
        }
        "dynamic" => dynamic(file),
        "reloc" => relocations(file),
        "version" => versions(file),
        "note" => notes(file),
        _ => Vec::new(),
    }
}

fn number(value: impl Into<u64>) -> Field {
    Field::Number(value.into())
}

fn text(value: impl Into<String>) -> Field {
    Field::Text(value.into())
}

fn header(file: &OutputFile) -> Record {
    Record::new(
        "ELF",
        vec![
            ("type", text(names::file_type(file.file_type))),
            ("machine", number(file.machine)),
            ("osabi", number(file.os_abi)),
            ("entry", number(file.entry)),
            ("flags", number(file.flags)),
            ("sections", number(file.sections.len() as u64)),
            ("segments", number(file.segments.len() as u64)),
            ("size", number(file.data.len() as u64)),
        ],
    )
}

fn section(index: usize, section: &Section) -> Record {
    Record::new(
        section.name.as_str(),
        vec![
            ("index", number(index as u64)),
            ("type", text(names::section_type(section.kind))),
            ("flags", text(names::section_flags(section.flags))),
            ("address", number(section.address)),
            ("end", number(section.end())),
            ("offset", number(section.file_offset)),
            ("size", number(section.size)),
            ("link", number(section.link)),
            ("info", number(section.info)),
            ("align", number(section.align)),
            ("entsize", number(section.entry_size)),
        ],
    )
}

fn segments(file: &OutputFile) -> Vec<Record> {
    let row = |segment: &crate::output_file::Segment| {
        let inside = |s: &&Section| {
            s.is_alloc() && s.size > 0 && segment.holds(s.address, s.size) && !s.is_tls_nobits()
        };
        let inside: Vec<&str> =
            file.sections.iter().filter(inside).map(|s| s.name.as_str()).collect();
        Record::new(
            names::segment_type(segment.kind),
            vec![
                ("flags", text(names::segment_flags(segment.flags))),
                ("offset", number(segment.file_offset)),
                ("address", number(segment.address)),
                ("end", number(segment.end())),
                ("physical", number(segment.physical_address)),
                ("filesz", number(segment.file_size)),
                ("memsz", number(segment.memory_size)),
                ("align", number(segment.align)),
                ("sections", text(inside.join(","))),
            ],
        )
    };
    file.segments.iter().map(row).collect()
}

fn symbol(index: usize, symbol: &Symbol) -> Record {
    let mut record = Record::new(
        symbol.name.as_str(),
        vec![
            ("index", number(index as u64)),
            ("value", number(symbol.value)),
            ("size", number(symbol.size)),
            ("end", number(symbol.value.wrapping_add(symbol.size))),
            ("type", text(names::symbol_type(symbol.kind))),
            ("bind", text(names::symbol_binding(symbol.binding))),
            ("vis", text(names::symbol_visibility(symbol.other & 3))),
            ("other", number(symbol.other)),
            ("section", text(symbol.section.as_str())),
            ("version", text(symbol.version.as_str())),
        ],
    );
    if !symbol.version.is_empty() {
        record.names.push(format!("{}{}", symbol.name, symbol.version));
    }
    record
}

fn dynamic(file: &OutputFile) -> Vec<Record> {
    let row = |entry: &crate::output_file::Dynamic| {
        let value = match &entry.text {
            Some(value) => text(value.as_str()),
            None => number(entry.value),
        };
        Record::new(entry.tag.as_str(), vec![("value", value)])
    };
    file.dynamic.iter().map(row).collect()
}

fn relocations(file: &OutputFile) -> Vec<Record> {
    let row = |relocation: &crate::output_file::Relocation| {
        Record::new(
            relocation.kind.as_str(),
            vec![
                ("place", number(relocation.place)),
                ("symbol", text(relocation.symbol.as_str())),
                ("addend", number(relocation.addend as u64)),
                ("table", text(relocation.table.as_str())),
                ("section", text(relocation.section.as_str())),
            ],
        )
    };
    file.relocations.iter().map(row).collect()
}

fn versions(file: &OutputFile) -> Vec<Record> {
    let row = |version: &crate::output_file::Version| {
        let mut flags = Vec::new();
        if version.flags & elf::VER_FLG_BASE != 0 {
            flags.push("BASE");
        }
        if version.flags & elf::VER_FLG_WEAK != 0 {
            flags.push("WEAK");
        }
        Record::new(
            version.name.as_str(),
            vec![
                ("kind", text(version.kind)),
                ("file", text(version.file.as_str())),
                ("flags", text(flags.join("|"))),
                ("index", number(version.index)),
                ("parent", text(version.parent.as_str())),
            ],
        )
    };
    file.versions.iter().map(row).collect()
}

fn notes(file: &OutputFile) -> Vec<Record> {
    let row = |note: &crate::output_file::Note| {
        let hex: String = note.description.iter().map(|b| format!("{b:02x}")).collect();
        Record::new(
            note.owner.as_str(),
            vec![
                ("type", number(note.kind)),
                ("size", number(note.description.len() as u64)),
                ("desc", text(hex)),
                ("section", text(note.section.as_str())),
            ],
        )
    };
    file.notes.iter().map(row).collect()
}

/// A condition `column OPERATOR value` of a directive.
#[derive(Debug, Clone)]
struct Condition {
    column: String,
    operator: &'static str,
    value: String,
}

/// Longest first, so that `>=` is not read as `>`.
const OPERATORS: [&str; 8] = ["!=", ">=", "<=", "=", ">", "<", "%", "~"];

impl Condition {
    /// Parses `word`; `None` if it is a name and no condition.
    fn parse(word: &str) -> Option<Condition> {
        let end = word.find(|c: char| !c.is_ascii_lowercase())?;
        let (column, rest) = word.split_at(end);
        let operator = *OPERATORS.iter().find(|o| rest.starts_with(**o))?;
        if column.is_empty() {
            return None;
        }
        let value = rest[operator.len()..].to_owned();
        Some(Condition { column: column.to_owned(), operator, value })
    }

    fn holds(&self, file: &OutputFile, field: &Field) -> Result<bool> {
        match (self.operator, field) {
            ("~", field) => {
                let regex = Regex::new(&self.value).map_err(|e| e.to_string())?;
                Ok(match field {
                    Field::Text(text) => regex.is_match(text),
                    Field::Number(number) => regex.is_match(&format!("{number:#x}")),
                })
            }
            ("=", Field::Text(text)) => Ok(*text == self.value),
            ("!=", Field::Text(text)) => Ok(*text != self.value),
            (operator, Field::Text(_)) => Err(format!("{} is a text: no {operator}", self.column)),
            (operator, Field::Number(number)) => {
                compare(*number, operator, evaluate(file, &self.value)?)
            }
        }
    }
}

fn compare(left: u64, operator: &str, right: u64) -> Result<bool> {
    Ok(match operator {
        "=" => left == right,
        "!=" => left != right,
        ">=" => left >= right,
        "<=" => left <= right,
        ">" => left > right,
        "<" => left < right,
        "%" => right != 0 && left.is_multiple_of(right),
        _ => return Err(format!("unknown operator {operator}")),
    })
}

/// The value of `term [+|- term]...`; a term is a number or `TABLE(NAME).COLUMN`.
pub fn evaluate(file: &OutputFile, expression: &str) -> Result<u64> {
    let mut total = 0u64;
    let mut sign = '+';
    let mut rest = expression;
    loop {
        // A name may hold `+` or `-`, but it stands between parentheses.
        let skip = rest.find('(').and_then(|open| rest[open..].find(')').map(|c| open + c));
        let from = skip.unwrap_or(1).min(rest.len());
        let end = rest[from..].find(['+', '-']).map_or(rest.len(), |at| from + at);
        let value = term(file, rest[..end].trim())?;
        total = match sign {
            '+' => total.wrapping_add(value),
            _ => total.wrapping_sub(value),
        };
        match rest[end..].chars().next() {
            Some(next) => {
                sign = next;
                rest = &rest[end + 1..];
            }
            None => return Ok(total),
        }
    }
}

fn term(file: &OutputFile, term: &str) -> Result<u64> {
    if let Some(parsed) = parse_number(term) {
        return Ok(parsed);
    }
    let words = term.strip_suffix("words").or_else(|| term.strip_suffix("word"));
    if let Some(count) = words.and_then(parse_number) {
        return Ok(count * file.encoding.word_size());
    }
    let wrong = || format!("not a number or TABLE(NAME).COLUMN: {term}");
    let (kind, rest) = term.split_once('(').ok_or_else(wrong)?;
    let (name, column) = rest.rsplit_once(").").ok_or_else(wrong)?;
    let rows = table(file, kind);
    let row = rows.iter().find(|r| r.names.iter().any(|n| n == name));
    let row = row.ok_or_else(|| format!("no {kind} {name}"))?;
    match row.field(column) {
        Some(Field::Number(number)) => Ok(*number),
        _ => Err(wrong()),
    }
}

/// Decimal, `0x` hexadecimal or negative.
fn parse_number(text: &str) -> Option<u64> {
    if let Some(rest) = text.strip_prefix('-') {
        return parse_number(rest).map(u64::wrapping_neg);
    }
    match text.strip_prefix("0x") {
        Some(hex) => u64::from_str_radix(hex, 16).ok(),
        None => text.parse().ok(),
    }
}

/// A directive about a table: `[NAME] [VALUE] condition... [count OPERATOR number]`.
#[derive(Debug, Clone)]
pub struct Query {
    kind: String,
    name: Option<String>,
    conditions: Vec<Condition>,
    count: Option<Condition>,
}

impl Query {
    /// Parses the text of a directive about the table `kind`. `dynamic: NEEDED libb.so` is short
    /// for `dynamic: NEEDED value=libb.so`.
    pub fn parse(kind: &str, text: &str) -> Result<Query> {
        let mut query =
            Query { kind: kind.to_owned(), name: None, conditions: Vec::new(), count: None };
        let mut words = words::split(text)?.into_iter().peekable();
        if kind != "header" {
            query.name = words.next_if(|w| Condition::parse(w).is_none());
        }
        for word in words {
            match Condition::parse(&word) {
                Some(condition) if condition.column == "count" => query.count = Some(condition),
                Some(condition) => query.conditions.push(condition),
                None if kind == "dynamic" => query.conditions.push(Condition {
                    column: "value".to_owned(),
                    operator: "=",
                    value: word,
                }),
                None => return Err(format!("not a condition: {word}")),
            }
        }
        Ok(query)
    }

    /// The rows that have the name and meet all conditions.
    pub fn matches(&self, file: &OutputFile) -> Result<Vec<Record>> {
        let mut found = Vec::new();
        for row in table(file, &self.kind) {
            if let Some(name) = &self.name
                && !row.names.contains(name)
            {
                continue;
            }
            let mut holds = true;
            for condition in &self.conditions {
                let field = row
                    .field(&condition.column)
                    .ok_or_else(|| format!("{} has no column {}", self.kind, condition.column))?;
                holds &= condition.holds(file, field)?;
            }
            if holds {
                found.push(row);
            }
        }
        Ok(found)
    }

    /// Fails if no row matches, or not as many as `count` states.
    pub fn expect_some(&self, file: &OutputFile) -> Result<()> {
        let found = self.matches(file)?.len() as u64;
        let enough = match &self.count {
            Some(count) => compare(found, count.operator, evaluate(file, &count.value)?)?,
            None => found > 0,
        };
        if enough {
            return Ok(());
        }
        let near = self.rows_by_name(file);
        Err(format!("{found} rows match, among:\n{near}"))
    }

    /// Fails if a row matches.
    pub fn expect_none(&self, file: &OutputFile) -> Result<()> {
        match self.matches(file)?.first() {
            Some(row) => Err(format!("there is: {}", row.text())),
            None => Ok(()),
        }
    }

    /// The rows with the name asked for, or all if there are none, for a message.
    fn rows_by_name(&self, file: &OutputFile) -> String {
        let rows = table(file, &self.kind);
        let is_named = |row: &&Record| self.name.as_ref().is_none_or(|n| row.names.contains(n));
        let mut named: Vec<&Record> = rows.iter().filter(is_named).collect();
        if named.is_empty() {
            named = rows.iter().collect();
        }
        let lines = named.iter().take(40).map(|row| format!("    {}", row.text()));
        lines.collect::<Vec<_>>().join("\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file() -> OutputFile {
        let section = Section {
            name: ".a-b".to_owned(),
            kind: elf::SHT_PROGBITS,
            flags: 6,
            address: 0x1000,
            file_offset: 0,
            size: 0x20,
            link: 0,
            info: 0,
            align: 16,
            entry_size: 0,
        };
        OutputFile { sections: vec![section.clone(), section], ..OutputFile::default() }
    }

    #[test]
    fn conditions_and_counts() {
        let ask = |text: &str| Query::parse("section", text).unwrap();
        assert!(
            ask(".a-b type=PROGBITS flags=AX size>=32 address%16 count=2")
                .expect_some(&file())
                .is_ok()
        );
        assert!(ask(".a-b size>32").expect_some(&file()).is_err());
        assert!(ask("flags~X").expect_none(&file()).is_err());
        assert!(ask("nothing=1").matches(&file()).is_err());
        assert!(ask(".none").expect_none(&file()).is_ok());
    }

    #[test]
    fn expressions() {
        let value = |text| evaluate(&file(), text).unwrap();
        assert_eq!(value("section(.a-b).address+8-0x10"), 0xff8);
        assert_eq!(value("-1"), u64::MAX);
        assert!(evaluate(&file(), "section(.x).address").is_err());
    }
}
