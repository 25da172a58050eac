//! No table changes after its stage: later stages may not take it as `&mut`, nor write to its
//! atomic columns.

use super::layers::rank;
use super::source::Source;
use regex::Regex;
use std::sync::LazyLock;

/// Tables, and the last stage that changes them. Selection writes its results about names and
/// sections into the tables of resolution: see `link/selecting`, and `select/fall_through`.
const TABLES: [(&str, &str); 7] = [
    ("Candidates", "resolve"),
    ("Extraction", "resolve"),
    ("Objects", "select"),
    ("Definitions", "select"),
    ("ClaimedSymbols", "select"),
    ("Liveness", "select"),
    ("ScanColumns", "select"),
];

/// Modules of pipelines, which hand out the tables.
const PIPELINES: [&str; 2] = ["link", "relocatable"];

/// Finds changes of tables after their stage.
pub fn check(source: &Source, findings: &mut Vec<(usize, String)>) {
    static BORROW: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"&(?:'\w+ )?mut (\w+)").expect("a constant pattern"));
    static NEEDS: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"\bneeds\b[^;]*\.(store|fetch_\w+)\(").expect("a constant pattern")
    });
    let Some(path) = source.path.strip_prefix("crates/elf/src/") else { return };
    let own = path.split('/').next().unwrap_or_default().trim_end_matches(".rs");
    if PIPELINES.contains(&own) {
        return;
    }
    let Some(own_rank) = rank(own) else { return };
    let is_late = |last: &str| rank(last).is_some_and(|last| own_rank > last);
    for line in source.code_lines() {
        for found in BORROW.captures_iter(&line.code) {
            let table = TABLES.iter().find(|(name, _)| found[1] == **name);
            if let Some((name, last)) = table.filter(|(_, last)| is_late(last)) {
                findings.push((line.number, format!("{own} changes {name} after {last}")));
            }
        }
        if is_late("select") && NEEDS.is_match(&line.code) {
            findings.push((line.number, format!("{own} changes what scanning noted of names")));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn late_changes_are_found() {
        let text = "fn a(t: &mut Definitions) {}\nfn b(t: &mut Objects) {}\n\
                    fn c() { needs[name].fetch_or(1, Relaxed); }\nfn d(t: &Definitions) {}\n";
        let found = |path: &str| {
            let mut findings = Vec::new();
            check(&Source::parse(path, text), &mut findings);
            findings.into_iter().map(|(line, _)| line).collect::<Vec<usize>>()
        };
        assert_eq!(found("crates/elf/src/synth/got.rs"), [1, 2, 3]);
        assert_eq!(found("crates/elf/src/layout/input_offsets.rs"), [1, 2, 3]);
        assert!(found("crates/elf/src/select/copies.rs").is_empty());
        assert!(found("crates/elf/src/resolve/define.rs").is_empty());
        assert!(found("crates/elf/src/link/plan.rs").is_empty());
    }
}
