//! Rules that every output must obey, whatever the test is about.
//!
//! Each rule is a function that adds findings to a [`Report`]; a finding starts with the name of
//! its rule, by which `//# lint-except:` can allow it. The rules hold for GNU ld and lld, too, so
//! they are validated on established linkers.

mod dynamic;
mod groups;
mod hardening;
mod hash_tables;
mod sections;
mod segments;
mod sframe;
mod startup;
mod symbols;
mod unwind;
mod versions;

#[cfg(test)]
mod damages;
#[cfg(test)]
mod encodings;

use crate::output_file::{OutputFile, Segment};
use object::elf;

/// The findings for one file.
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

/// Rules that an option or an input can violate on purpose.
pub const MAY_BE_ASKED_FOR: [&str; 4] =
    ["writable-code", "executable-stack", "relocated-code", "open-runpath"];

/// Checks `file`; returns the findings of rules that are not in `except`.
pub fn check(file: &OutputFile, except: &[String]) -> Vec<String> {
    let mut report = Report::default();
    sections::check(file, &mut report);
    symbols::check(file, &mut report);
    if file.file_type == elf::ET_REL {
        groups::check(file, &mut report);
    } else {
        segments::check(file, &mut report);
        dynamic::check(file, &mut report);
        hash_tables::check(file, &mut report);
        versions::check(file, &mut report);
        startup::check(file, &mut report);
        unwind::check(file, &mut report);
        sframe::check(file, &mut report);
        hardening::check(file, &mut report);
    }
    let allowed = |finding: &String| {
        except.iter().any(|rule| finding.split(':').next() == Some(rule.as_str()))
    };
    report.findings.retain(|finding| !allowed(finding));
    report.findings
}

/// Whether `address` is in an executable PT_LOAD.
fn is_code(file: &OutputFile, address: u64) -> bool {
    let is_executable = |s: &Segment| s.kind == elf::PT_LOAD && s.flags & elf::PF_X != 0;
    file.segments.iter().any(|s| is_executable(s) && s.holds(address, 1))
}
