//! Layers: a stage uses the stages before it and never those after it, and core uses no format.

use super::source::Source;
use regex::Regex;
use std::sync::LazyLock;

/// The folders of `crates/elf/src` that are stages, in the order of the pipeline; `synth` is
/// planned before and written after `layout`, whose sections it fills and which knows nothing of
/// it. `link` is above them all.
const STAGES: [&str; 15] = [
    "args",
    "format",
    "script",
    "read",
    "lto",
    "resolve",
    "select",
    "layout",
    "synth",
    "check",
    "rewrite",
    "write",
    "tell",
    "relocatable",
    "link",
];

/// Folders that every stage may ask, and the last stage whose tables they read.
const ASKED_BY_ALL: [(&str, &str); 2] = [("diagnose", "format"), ("arch", "synth")];

/// Finds uses of later stages in `crates/elf/src`.
pub fn check(source: &Source, findings: &mut Vec<(usize, String)>) {
    static USE: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"\bcrate::(?:\{([^}]*)|(\w+))").expect("a constant pattern"));
    let Some(path) = source.path.strip_prefix("crates/elf/src/") else { return };
    let own = path.split('/').next().unwrap_or_default().trim_end_matches(".rs");
    let Some(last) = last_used(own) else { return };
    for line in source.code_lines() {
        for found in USE.captures_iter(&line.code) {
            let names = found.get(1).or_else(|| found.get(2)).map_or("", |m| m.as_str());
            for name in names.split(',') {
                let name = name.trim().split("::").next().unwrap_or_default();
                if rank(name).is_some_and(|rank| rank > last) {
                    findings.push((line.number, format!("{own} uses {name}, a later stage")));
                }
            }
        }
    }
}

/// The rank of the last stage that a folder may use.
fn last_used(folder: &str) -> Option<usize> {
    let asked = ASKED_BY_ALL.iter().find(|(name, _)| *name == folder);
    rank(asked.map_or(folder, |(_, last)| last))
}

pub(super) fn rank(name: &str) -> Option<usize> {
    STAGES.iter().position(|stage| *stage == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(path: &str, text: &str) -> Vec<usize> {
        let mut findings = Vec::new();
        check(&Source::parse(path, text), &mut findings);
        findings.into_iter().map(|(line, _)| line).collect()
    }

    #[test]
    fn only_later_stages_are_found() {
        let text =
            "use crate::layout::Segment;\nuse crate::{args, write::Sink};\nuse crate::arch;\n";
        assert_eq!(found("crates/elf/src/select/got.rs", text), [1, 2]);
    }

    #[test]
    fn those_whom_all_ask_have_bounds() {
        let text = "use crate::synth::image;\nuse crate::write::Sink;\nuse crate::format::elf;\n";
        assert_eq!(found("crates/elf/src/arch/x86_64/apply.rs", text), [2]);
        assert_eq!(found("crates/elf/src/diagnose/place.rs", text), [1, 2]);
    }
}
