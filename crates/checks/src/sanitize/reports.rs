//! The reports of sanitizers: one file per process, with a report for each finding.

use crate::Result;
use std::collections::BTreeMap;
use std::path::Path;

/// By summary: the first report, and the number of reports.
pub type Reports = BTreeMap<String, (String, usize)>;

/// Reads all files of `directory`.
pub fn read(directory: &Path) -> Result<Reports> {
    let told = |e: std::io::Error| format!("{}: {e}", directory.display());
    let mut paths: Vec<_> =
        std::fs::read_dir(directory).map_err(told)?.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    let mut reports = Reports::new();
    for path in paths {
        let bytes = std::fs::read(&path).map_err(|e| format!("{}: {e}", path.display()))?;
        for report in split(&String::from_utf8_lossy(&bytes)) {
            reports.entry(summary(&report)).or_insert((report, 0)).1 += 1;
        }
    }
    Ok(reports)
}

/// Prints one report per summary.
pub fn show(reports: &Reports) {
    for (report, count) in reports.values() {
        println!("{count} times:\n{report}\n");
    }
}

/// Splits a file into reports; each begins with a line with the process's number or with a
/// separator line.
fn split(text: &str) -> Vec<String> {
    let mut reports: Vec<String> = Vec::new();
    for line in text.lines() {
        let begins = line.contains("ERROR: ") || line.contains("WARNING: ");
        if begins || reports.is_empty() && !line.trim_matches('=').is_empty() {
            reports.push(String::new());
        }
        if let Some(report) = reports.last_mut() {
            report.push_str(line);
            report.push('\n');
        }
    }
    reports
}

/// The summary of a report: its SUMMARY line, which holds no address, or else its first line.
fn summary(report: &str) -> String {
    let summary = report.lines().find(|line| line.starts_with("SUMMARY: "));
    summary.or_else(|| report.lines().next()).unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::{split, summary};

    const TEXT: &str = "==================\n\
        WARNING: ThreadSanitizer: data race (pid=5)\n  Write of size 8\n\
        SUMMARY: ThreadSanitizer: data race a.rs:3 in f\n==================\n\
        ==================\nWARNING: ThreadSanitizer: data race (pid=5)\n  Read of size 4\n\
        SUMMARY: ThreadSanitizer: data race b.rs:7 in g\n==================\n";

    #[test]
    fn reports_are_told_apart() {
        let reports = split(TEXT);
        let about: Vec<String> = reports.iter().map(|report| summary(report)).collect();
        assert_eq!(about.len(), 2);
        assert!(about[0].ends_with("a.rs:3 in f") && about[1].ends_with("b.rs:7 in g"));
    }

    #[test]
    fn what_is_no_report_counts_as_one() {
        let reports = split("==5==FATAL: unexpected memory mapping\n");
        assert_eq!(reports.len(), 1);
        assert!(summary(&reports[0]).contains("memory mapping"));
        assert!(split("").is_empty());
    }
}
