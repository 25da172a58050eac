//! The result of each package. It is kept in a file, so that a long run can continue where it
//! stopped, and shown in a table.

use super::list::Package;
use crate::Result;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// How the build of a package ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ended {
    /// Built, all tests passed, linked by the linker.
    Passed,
    /// GNU ld fails in the same way, which is this.
    SameFailure(String),
    /// Something fails that does not fail with GNU ld.
    Failed(String),
    /// It cannot be built on this machine.
    Skipped(String),
}

impl Default for Ended {
    fn default() -> Ended {
        Ended::Skipped(String::new())
    }
}

const PASSED: &str = "passed";
const SAME_FAILURE: &str = "same failure as GNU ld";
const FAILED: &str = "FAILED";
const SKIPPED: &str = "skipped";

/// All that is reported of a package.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Record {
    pub ended: Ended,
    pub version: String,
    /// Files of the build's tree that the linker wrote.
    pub stamped: usize,
    /// Executables and libraries in the packages.
    pub shipped: usize,
    /// Number of findings of `--verify` in all these files.
    pub findings: usize,
    pub seconds: u64,
    /// Further remarks.
    pub note: String,
}

impl Ended {
    fn words(&self) -> (&'static str, &str) {
        match self {
            Ended::Passed => (PASSED, ""),
            Ended::SameFailure(how) => (SAME_FAILURE, how),
            Ended::Failed(how) => (FAILED, how),
            Ended::Skipped(why) => (SKIPPED, why),
        }
    }

    fn from_words(word: &str, text: &str) -> Option<Ended> {
        match word {
            PASSED => Some(Ended::Passed),
            SAME_FAILURE => Some(Ended::SameFailure(text.to_owned())),
            FAILED => Some(Ended::Failed(text.to_owned())),
            _ => None,
        }
    }
}

impl Record {
    /// The line that is printed as soon as the package is done.
    pub fn line(&self, package: &Package) -> String {
        let (word, text) = self.ended.words();
        let mut line = format!("{} {}: {word}", package.name, self.version);
        for more in [text, &self.note].into_iter().filter(|more| !more.is_empty()) {
            let _ = write!(line, ": {more}");
        }
        let _ = write!(line, " ({} outputs, {} s)", self.stamped, self.seconds);
        line
    }

    fn to_text(&self) -> String {
        let (word, text) = self.ended.words();
        let Record { version, stamped, shipped, findings, seconds, note, .. } = self;
        let one_line = |text: &str| text.replace('\n', " ");
        let (text, note) = (one_line(text), one_line(note));
        format!("{word}\n{text}\n{version}\n{stamped}\n{shipped}\n{findings}\n{seconds}\n{note}\n")
    }

    fn parse(text: &str) -> Option<Record> {
        let lines: Vec<&str> = text.lines().collect();
        let [word, how, version, stamped, shipped, findings, seconds, note] = lines[..] else {
            return None;
        };
        Some(Record {
            ended: Ended::from_words(word, how)?,
            version: version.to_owned(),
            stamped: stamped.parse().ok()?,
            shipped: shipped.parse().ok()?,
            findings: findings.parse().ok()?,
            seconds: seconds.parse().ok()?,
            note: note.to_owned(),
        })
    }
}

/// The records of one build of the linker, a file each.
pub struct Records(PathBuf);

impl Records {
    /// The records in `directory`.
    pub fn new(directory: &Path) -> Result<Records> {
        std::fs::create_dir_all(directory).map_err(|e| format!("{}: {e}", directory.display()))?;
        Ok(Records(directory.to_owned()))
    }

    /// The record of the package called `name`, if there is one.
    pub fn read(&self, name: &str) -> Option<Record> {
        Record::parse(&std::fs::read_to_string(self.0.join(name)).ok()?)
    }

    /// Writes the record; a skipped package gets none, so that it is tried again the next time.
    pub fn write(&self, name: &str, record: &Record) -> Result<()> {
        if matches!(record.ended, Ended::Skipped(_)) {
            return Ok(());
        }
        let path = self.0.join(name);
        std::fs::write(&path, record.to_text()).map_err(|e| format!("{}: {e}", path.display()))
    }
}

/// The table of results, as Markdown.
pub fn markdown(rows: &[(&Package, Record)]) -> String {
    let mut text = String::from(
        "| package | version | what | result | linked files | of them shipped | `--verify` finds \
         | s |\n\
         | --- | --- | --- | --- | ---: | ---: | ---: | ---: |\n",
    );
    for (package, record) in rows {
        let (word, how) = record.ended.words();
        let how: Vec<&str> =
            [word, how, &record.note].into_iter().filter(|t| !t.is_empty()).collect();
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} | {} | {} | {} |",
            package.name,
            record.version,
            package.about,
            how.join(": ").replace('|', "\\|"),
            record.stamped,
            record.shipped,
            record.findings,
            record.seconds
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_read_back() {
        let record = Record {
            ended: Ended::SameFailure("one\ntwo".to_owned()),
            version: "1.0-1".to_owned(),
            stamped: 3,
            shipped: 2,
            findings: 0,
            seconds: 77,
            note: String::new(),
        };
        let directory = tempfile::tempdir().unwrap();
        let records = Records::new(directory.path()).unwrap();
        records.write("x", &record).unwrap();
        let read = records.read("x").unwrap();
        assert_eq!(read, Record { ended: Ended::SameFailure("one two".to_owned()), ..record });
        records.write("y", &Record::default()).unwrap();
        assert_eq!(records.read("y"), None);
    }
}
