//! Layers: a stage uses the stages before it and never those after it, and core uses no format.

use super::source::Source;
use regex::Regex;
use std::sync::LazyLock;

/// The folders of `crates/elf/src`, each of which may use those before it: facts of machines, then
/// the stages in the order of the pipeline. `synth` is planned before and written after `layout`,
/// whose sections it fills and which knows nothing of it. `loops` are those of machines, over the
/// tables of the stages before. `link` is above them all.
const STAGES: [&str; 18] = [
    "machine",
    "format",
    "diagnose",
    "args",
    "script",
    "read",
    "lto",
    "resolve",
    "select",
    "layout",
    "synth",
    "loops",
    "check",
    "rewrite",
    "write",
    "tell",
    "relocatable",
    "link",
];

/// Finds uses of later stages in `crates/elf/src`.
pub fn check(source: &Source, findings: &mut Vec<(usize, String)>) {
    static USE: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"\bcrate::(?:\{([^}]*)|(\w+))").expect("a constant pattern"));
    let Some(path) = source.path.strip_prefix("crates/elf/src/") else { return };
    let own = path.split('/').next().unwrap_or_default().trim_end_matches(".rs");
    let Some(own_rank) = rank(own) else { return };
    for line in source.code_lines() {
        for found in USE.captures_iter(&line.code) {
            let names = found.get(1).or_else(|| found.get(2)).map_or("", |m| m.as_str());
            for name in names.split(',') {
                let name = name.trim().split("::").next().unwrap_or_default();
                if rank(name).is_some_and(|rank| rank > own_rank) {
                    findings.push((line.number, format!("{own} uses {name}, a later stage")));
                }
            }
        }
    }
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
        let text = "use crate::layout::Segment;\nuse crate::{args, write::Sink};\n\
                    use crate::machine::Machine;\nuse crate::loops::Loops;\n";
        assert_eq!(found("crates/elf/src/select/got.rs", text), [1, 2, 4]);
    }

    #[test]
    fn facts_of_machines_know_nothing_and_loops_the_stages_before() {
        let text = "use crate::synth::image;\nuse crate::write::Sink;\nuse crate::format::elf;\n";
        assert_eq!(found("crates/elf/src/loops/x86_64/apply.rs", text), [2]);
        assert_eq!(found("crates/elf/src/machine/howto.rs", text), [1, 2, 3]);
        assert_eq!(found("crates/elf/src/diagnose/location.rs", text), [1, 2]);
    }
}
