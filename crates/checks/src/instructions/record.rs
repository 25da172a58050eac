//! The recorded counts: a text file with a line for each link.

use crate::Result;
use std::path::Path;

/// Instructions by link, for one compiler.
#[derive(Debug, PartialEq)]
pub struct Record {
    /// What `rustc --version` prints.
    pub compiler: String,
    /// Names of links and their instructions.
    pub counts: Vec<(String, u64)>,
}

impl Record {
    /// Reads the file.
    ///
    /// # Errors
    /// When the file does not exist or cannot be parsed.
    pub fn read(path: &Path) -> Result<Record> {
        let text = std::fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))?;
        Record::parse(&text).ok_or_else(|| format!("{}: not understood", path.display()))
    }

    fn parse(text: &str) -> Option<Record> {
        let mut lines = text.lines().filter(|line| !line.starts_with('#'));
        let compiler = lines.next()?.to_owned();
        let count = |line: &str| {
            let (name, number) = line.split_once(' ')?;
            Some((name.to_owned(), number.trim().parse().ok()?))
        };
        Some(Record { compiler, counts: lines.map(count).collect::<Option<_>>()? })
    }

    /// The file's text.
    pub fn text(&self) -> String {
        let mut text =
            "# Instructions of links that `cargo xtask instructions` generates, release \
            build, one thread.\n# `cargo xtask instructions --write` writes this file.\n"
                .to_owned();
        text.push_str(&self.compiler);
        text.push('\n');
        for (name, count) in &self.counts {
            text.push_str(&format!("{name} {count}\n"));
        }
        text
    }

    /// The instructions of a link.
    pub fn of(&self, name: &str) -> Option<u64> {
        self.counts.iter().find(|(own, _)| own == name).map(|&(_, count)| count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let counts = vec![("archives".to_owned(), 123), ("debug".to_owned(), 45)];
        let record = Record { compiler: "rustc 1.95.0 (abc 2026-01-01)".to_owned(), counts };
        assert_eq!(Record::parse(&record.text()).as_ref(), Some(&record));
        assert_eq!(record.of("debug"), Some(45));
        assert_eq!(Record::parse("rustc\narchives many\n"), None);
    }
}
