//! Layers: a stage uses the stages before it and never those after it, and core uses no format.

use super::source::Source;
use regex::Regex;
use std::sync::LazyLock;

/// The folders of `crates/elf/src` that are stages, in the order of the pipeline; `synth` is planned
/// before and written after `layout`, whose sections it fills and which knows nothing of it. `link`
/// is above them all; what is not listed (machines, for one) is called by several stages.
const STAGES: [&str; 9] =
    ["args", "format", "read", "resolve", "select", "layout", "synth", "write", "link"];

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

fn rank(name: &str) -> Option<usize> {
    STAGES.iter().position(|stage| *stage == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_later_stages_are_found() {
        let text =
            "use crate::layout::Segment;\nuse crate::{args, write::Sink};\nuse crate::arch;\n";
        let mut findings = Vec::new();
        check(&Source::parse("crates/elf/src/select/got.rs", text), &mut findings);
        assert_eq!(findings.iter().map(|(line, _)| *line).collect::<Vec<_>>(), [1, 2]);
    }
}
