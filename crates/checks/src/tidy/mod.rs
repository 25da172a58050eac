//! `cargo xtask tidy`: the rules of STYLE.md that a program can check.
//!
//! Each rule looks at one file as a [`Source`], where comments, strings and test modules are
//! already told apart by a line scanner that relies on rustfmt's layout. Rules that every linker
//! breaks in time (layers, giants) are here from the first day, so that they never grow.

mod chance;
mod indices;
mod layers;
mod lengths;
mod messages;
mod source;
mod tables;
mod words;

use crate::Result;
use source::Source;
use std::path::{Path, PathBuf};
use xtask::root;

/// A rule adds findings, each with a line number, to the list.
type Rule = fn(&Source, &mut Vec<(usize, String)>);

const RULES: [Rule; 13] = [
    words::header,
    words::names,
    words::unfinished,
    words::unsafe_code,
    words::machine_words,
    words::format_words,
    chance::unordered_tables,
    chance::first_come,
    chance::unstable_sorts,
    layers::check,
    lengths::check,
    messages::check,
    tables::check,
];

/// Checks all sources; an error if there is a finding.
pub fn run(_arguments: &[String]) -> Result<()> {
    let root = root::directory();
    let mut findings = Vec::new();
    let mut untyped = 0;
    for path in sources(&root)? {
        let text =
            std::fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
        let relative = path.strip_prefix(&root).unwrap_or(&path).to_string_lossy().into_owned();
        let source = Source::parse(&relative, &text);
        untyped += indices::untyped(&source);
        let mut found = Vec::new();
        for rule in RULES {
            rule(&source, &mut found);
        }
        found.sort();
        findings.extend(found.into_iter().map(|(line, what)| format!("{relative}:{line}: {what}")));
    }
    findings.extend(lengths::stale_exceptions(&root));
    findings.extend(indices::judge(untyped));
    for finding in &findings {
        println!("{finding}");
    }
    if findings.is_empty() { Ok(()) } else { Err(format!("{} findings", findings.len())) }
}

/// The project's Rust files, in order.
fn sources(root: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut directories = vec![root.join("crates"), root.join("xtask"), root.join("fuzz")];
    while let Some(directory) = directories.pop() {
        let Ok(entries) = std::fs::read_dir(&directory) else { continue };
        for entry in entries {
            let path = entry.map_err(|e| format!("{}: {e}", directory.display()))?.path();
            if path.is_dir() && !path.ends_with("target") {
                directories.push(path);
            } else if path.extension().is_some_and(|e| e == "rs") {
                found.push(path);
            }
        }
    }
    found.sort();
    if found.is_empty() { Err("no sources".to_owned()) } else { Ok(found) }
}
