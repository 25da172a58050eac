//! What must be true of every output, whatever the test is about.
//!
//! Each rule is a function that adds findings to a [`Report`]; a finding starts with the name of
//! its rule, by which `//# lint-except:` can allow it. The rules hold for GNU ld and lld too, so
//! that they are proven on linkers that exist.

mod dynamic;
mod hash_tables;
mod sections;
mod segments;
mod symbols;
mod unwind;

use crate::output_file::OutputFile;
use object::elf;

/// Findings about one file.
#[derive(Debug, Default)]
pub struct Report {
    findings: Vec<String>,
}

impl Report {
    /// Adds a finding of `rule`.
    fn add(&mut self, rule: &str, finding: String) {
        self.findings.push(format!("{rule}: {finding}"));
    }

    /// Adds a finding of `rule` unless `holds`.
    fn expect(&mut self, rule: &str, holds: bool, finding: impl FnOnce() -> String) {
        if !holds {
            self.add(rule, finding());
        }
    }
}

/// Checks `file`; the findings, without those of the rules in `except`.
pub fn check(file: &OutputFile, except: &[String]) -> Vec<String> {
    let mut report = Report::default();
    sections::check(file, &mut report);
    symbols::check(file, &mut report);
    if file.file_type != elf::ET_REL {
        segments::check(file, &mut report);
        dynamic::check(file, &mut report);
        hash_tables::check(file, &mut report);
        unwind::check(file, &mut report);
    }
    let allowed = |finding: &String| {
        except.iter().any(|rule| finding.split(':').next() == Some(rule.as_str()))
    };
    report.findings.retain(|finding| !allowed(finding));
    report.findings
}
