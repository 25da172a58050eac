//! `cargo xtask tidy`: the rules of STYLE.md that a program can check.
//!
//! Each rule looks at one file as a [`Source`], in which a line scanner that relies on rustfmt's
//! layout has already separated comments, strings and test modules.

mod chance;
mod code_map;
mod indices;
mod layers;
mod lengths;
mod messages;
mod sentences;
mod source;
mod tables;
mod tuples;
mod words;

use crate::Result;
use source::Source;
use std::path::{Path, PathBuf};
use xtask::root;

/// A rule adds findings, each with a line number, to the list.
type Rule = fn(&Source, &mut Vec<(usize, String)>);

const RULES: [Rule; 16] = [
    words::header,
    words::names,
    words::unfinished,
    words::unsafe_code,
    words::system_calls,
    words::machine_words,
    words::format_words,
    chance::unordered_tables,
    chance::first_come,
    chance::unstable_sorts,
    layers::check,
    lengths::check,
    messages::check,
    tables::check,
    sentences::check,
    tuples::check,
];

/// Checks all sources; an error if there is a finding.
pub fn run(_arguments: &[String]) -> Result<()> {
    let root = root::directory();
    let mut findings = Vec::new();
    let mut untyped = 0;
    let paths = sources(&root)?;
    for path in &paths {
        let text = std::fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))?;
        let relative = path.strip_prefix(&root).unwrap_or(path).to_string_lossy().into_owned();
        let source = Source::parse(&relative, &text);
        untyped += indices::untyped(&source);
        let mut found = Vec::new();
        for rule in RULES {
            rule(&source, &mut found);
        }
        found.sort();
        findings.extend(found.into_iter().map(|(line, what)| format!("{relative}:{line}: {what}")));
    }
    for path in documents(&root) {
        let text =
            std::fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
        let relative = path.strip_prefix(&root).unwrap_or(&path).display();
        let found = sentences::in_markdown(&text).into_iter();
        findings.extend(found.map(|(line, what)| format!("{relative}:{line}: {what}")));
    }
    findings.extend(code_map::check(&root, &paths));
    findings.extend(layers::folders_without_rank(&root));
    findings.extend(lengths::stale_exceptions(&root));
    findings.extend(indices::judge(untyped));
    for finding in &findings {
        println!("{finding}");
    }
    if findings.is_empty() { Ok(()) } else { Err(format!("{} findings", findings.len())) }
}

/// The project's Rust files, in order.
fn sources(root: &Path) -> Result<Vec<PathBuf>> {
    let found = files(["crates", "xtask", "fuzz"].map(|folder| root.join(folder)).to_vec(), "rs");
    if found.is_empty() { Err("no sources".to_owned()) } else { Ok(found) }
}

/// The project's files of Markdown, in order.
fn documents(root: &Path) -> Vec<PathBuf> {
    let names = ["README.md", "ARCHITECTURE.md", "STYLE.md"];
    let mut found: Vec<PathBuf> = names.map(|name| root.join(name)).to_vec();
    found.extend(files(["docs", "tests", "fuzz"].map(|folder| root.join(folder)).to_vec(), "md"));
    found
}

/// The files below `directories` whose names end with `.extension`, in order.
fn files(mut directories: Vec<PathBuf>, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    while let Some(directory) = directories.pop() {
        let entries = std::fs::read_dir(&directory).into_iter().flatten().flatten();
        for path in entries.map(|entry| entry.path()) {
            if path.is_dir() && !path.ends_with("target") {
                directories.push(path);
            } else if path.extension().is_some_and(|e| e == extension) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}
