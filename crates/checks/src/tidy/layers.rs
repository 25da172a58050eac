//! Layers: a stage uses the stages before it and never those after it, and core uses no format.

use super::source::Source;
use std::path::Path;

/// Where the stages are.
const FOLDER: &str = "crates/elf/src";

/// The folders of `crates/elf/src`, each of which may use those before it: facts of machines, then
/// the stages in the order of the pipeline. `synth` is planned before `layout` and written after
/// it; `layout` does not know it. `loops` are the loops of machines over the tables of earlier
/// stages. `link` is above them all.
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
    let Some(path) = source.path.strip_prefix("crates/elf/src/") else { return };
    let own = path.split('/').next().unwrap_or_default().trim_end_matches(".rs");
    let Some(own_rank) = rank(own) else { return };
    for (line, name) in used_modules(source) {
        if rank(&name).is_some_and(|rank| rank > own_rank) {
            findings.push((line, format!("{own} uses {name}, a later stage")));
        }
    }
}

/// Folders of `crates/elf/src` without a rank, which the rule would not cover.
pub fn folders_without_rank(root: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(root.join(FOLDER)).into_iter().flatten().flatten();
    let folders = entries.filter(|entry| entry.path().is_dir());
    let names = folders.map(|entry| entry.file_name().to_string_lossy().into_owned());
    let mut unranked: Vec<String> = names.filter(|name| rank(name).is_none()).collect();
    unranked.sort();
    let text = |name| format!("{FOLDER}/{name}: not in STAGES of crates/checks/src/tidy/layers.rs");
    unranked.into_iter().map(text).collect()
}

/// The modules of the crate that code outside of tests names, each with its line: what follows
/// `crate::`, and each name of `crate::{...}`, which may hold further braces and many lines.
fn used_modules(source: &Source) -> Vec<(usize, String)> {
    let mut used = Vec::new();
    let mut list = List::default();
    for line in source.code_lines() {
        let code = line.code.as_str();
        let mut at = 0;
        while at < code.len() {
            let rest = &code[at..];
            if list.depth > 0 {
                at += list.take(rest, line.number, &mut used);
                continue;
            }
            let Some(found) = rest.find("crate::") else { break };
            at += found + "crate::".len();
            if code[at..].starts_with('{') {
                list = List { depth: 1, is_start: true };
                at += 1;
            } else {
                used.push((line.number, first_word(&code[at..]).to_owned()));
            }
        }
    }
    used
}

/// A list of imports in braces, while it is read.
#[derive(Debug, Default)]
struct List {
    /// Braces that are open.
    depth: usize,
    /// Whether the next word is a name in the outermost list.
    is_start: bool,
}

impl List {
    /// Takes the next word or character of `code`; returns its length in bytes.
    fn take(&mut self, code: &str, line: usize, used: &mut Vec<(usize, String)>) -> usize {
        let word = first_word(code);
        if !word.is_empty() {
            if self.depth == 1 && std::mem::take(&mut self.is_start) {
                used.push((line, word.to_owned()));
            }
            return word.len();
        }
        let next = code.chars().next().expect("code is left");
        match next {
            '{' => self.depth += 1,
            '}' => self.depth -= 1,
            ',' if self.depth == 1 => self.is_start = true,
            _ => {}
        }
        next.len_utf8()
    }
}

/// The word that `code` begins with, which may be empty.
fn first_word(code: &str) -> &str {
    let end = code.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(code.len());
    &code[..end]
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
    fn nested_lists_of_many_lines_are_seen() {
        let text = "use crate::{\n    args::{Options, script::Layout},\n    read, layout::{walk,\n\
                    write}, tell,\n};\nfn f() { crate::write::f(); }\n";
        assert_eq!(found("crates/elf/src/select/got.rs", text), [3, 4, 6]);
        let tested = "#[cfg(test)]\nmod tests {\n    use crate::link;\n}\n";
        assert_eq!(found("crates/elf/src/select/got.rs", tested), [0; 0]);
    }

    #[test]
    fn every_folder_has_a_rank() {
        assert_eq!(folders_without_rank(&xtask::root::directory()), [""; 0]);
    }

    #[test]
    fn facts_of_machines_know_nothing_and_loops_the_stages_before() {
        let text = "use crate::synth::image;\nuse crate::write::Sink;\nuse crate::format::elf;\n";
        assert_eq!(found("crates/elf/src/loops/x86_64/apply.rs", text), [2]);
        assert_eq!(found("crates/elf/src/machine/howto.rs", text), [1, 2, 3]);
        assert_eq!(found("crates/elf/src/diagnose/location.rs", text), [1, 2]);
    }
}
