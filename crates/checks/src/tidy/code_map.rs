//! Rules about ARCHITECTURE.md: the files that it names exist, its code map has a row for every
//! file of the linker, and it lists the milestones of the pipeline.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The document.
const DOCUMENT: &str = "ARCHITECTURE.md";

/// The folder whose files all have a row.
const WHOLE: &str = "crates/elf/src";

/// Least number of questions of newcomers that it answers.
const QUESTIONS: usize = 12;

/// Finds errors in the document of the project at `root`. `sources` are all Rust files.
pub fn check(root: &Path, sources: &[PathBuf]) -> Vec<String> {
    let text = std::fs::read_to_string(root.join(DOCUMENT)).unwrap_or_default();
    let relative = |path: &PathBuf| path.strip_prefix(root).ok().map(Path::to_path_buf);
    let files: BTreeSet<PathBuf> = sources.iter().filter_map(relative).collect();
    let mut findings = judge(&text, &files, &|path| root.join(path).exists());
    for file in files.iter().filter(|file| file.starts_with(WHOLE)) {
        let code = std::fs::read_to_string(root.join(file)).unwrap_or_default();
        let missing = missing_milestones(&text, &code);
        findings.extend(missing.map(|words| format!("{DOCUMENT}: no milestone \"{words}\"")));
    }
    findings
}

/// The milestones in a source file that the document does not list in the same words.
fn missing_milestones<'c>(text: &str, code: &'c str) -> impl Iterator<Item = &'c str> {
    let milestones = code.lines().filter_map(|line| line.trim().strip_prefix("// Milestone: "));
    let words = milestones.map(|words| words.trim_end_matches('.'));
    words.filter(move |words| !text.contains(&format!("| {words} |")))
}

/// Findings in the text of the document.
fn judge(text: &str, files: &BTreeSet<PathBuf>, exists: &dyn Fn(&Path) -> bool) -> Vec<String> {
    let mut findings = Vec::new();
    let mut rows = BTreeSet::new();
    let mut folder = None;
    let mut questions = 0;
    for (index, line) in text.lines().enumerate() {
        let mut find = |what: String| findings.push(format!("{DOCUMENT}:{}: {what}", index + 1));
        if let Some(heading) = line.strip_prefix('#') {
            folder = quoted(heading).next().filter(|name| exists(Path::new(name)));
        }
        if let (Some(folder), Some(row)) = (folder, line.strip_prefix("| `")) {
            let name = row.split('`').next().unwrap_or_default();
            match resolved(&Path::new(folder).join(name), files, exists) {
                Some(path) => drop(rows.insert(path)),
                None => find(format!("there is no {folder}/{name}")),
            }
            continue;
        }
        for name in quoted(line).filter(|name| name.ends_with(".rs")) {
            let is_there = places(name).any(|path| files.contains(&path));
            questions += usize::from(is_there && line.starts_with("| ") && line.contains('?'));
            if !is_there {
                find(format!("there is no file {name}"));
            }
        }
    }
    if questions < QUESTIONS {
        findings.push(format!("{DOCUMENT}: {questions} questions are answered, not {QUESTIONS}"));
    }
    let is_test = |path: &Path| path.ends_with("tests.rs") || path.iter().any(|p| p == "tests");
    for file in files.iter().filter(|file| file.starts_with(WHOLE) && !is_test(file)) {
        if !rows.contains(file) {
            findings.push(format!("{DOCUMENT}: the code map has no row for {}", file.display()));
        }
    }
    findings
}

/// The texts between backquotes.
fn quoted(line: &str) -> impl Iterator<Item = &str> {
    line.split('`').skip(1).step_by(2)
}

/// Paths that a name of a file may mean: in the project, or in the linker.
fn places(name: &str) -> impl Iterator<Item = PathBuf> {
    ["", WHOLE].into_iter().map(move |folder| Path::new(folder).join(name))
}

/// Resolves the name in a row, which is a file without its extension, or a folder.
fn resolved(
    path: &Path,
    files: &BTreeSet<PathBuf>,
    exists: &dyn Fn(&Path) -> bool,
) -> Option<PathBuf> {
    let file = PathBuf::from(format!("{}.rs", path.display()));
    let module = path.join("mod.rs");
    let found = [file, module].into_iter().find(|file| files.contains(file));
    found.or_else(|| exists(path).then(|| path.to_path_buf()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(text: &str) -> Vec<String> {
        let files = ["a/mod.rs", "a/b.rs", "link.rs"].map(|name| Path::new(WHOLE).join(name));
        let questions = "| Where? | `link.rs` |\n".repeat(QUESTIONS);
        let exists = |path: &Path| path == Path::new(WHOLE) || path.ends_with("a");
        judge(&format!("{questions}{text}"), &BTreeSet::from(files), &exists)
    }

    #[test]
    fn a_row_names_a_file_and_each_file_has_one() {
        let map = format!("### `{WHOLE}`\n| `a/mod` | What? |\n| `link` | What? |\n");
        assert_eq!(judged(&format!("{map}| `a/b` | What? |\n")), [""; 0]);
        assert!(judged(&map)[0].contains("no row for crates/elf/src/a/b.rs"));
        let stale = format!("{map}| `a/b` | What? |\n| `c` | What? |\n");
        assert!(judged(&stale)[0].contains("there is no crates/elf/src/c"));
    }

    #[test]
    fn files_that_are_named_exist() {
        let map = format!("### `{WHOLE}`\n| `a/mod` | |\n| `link` | |\n| `a/b` | |\n");
        let named = judged(&format!("See `a/b.rs`, and `a/c.rs`.\n{map}"));
        assert_eq!(named.len(), 1);
        assert!(named[0].contains("there is no file a/c.rs"));
    }

    #[test]
    fn a_milestone_has_the_same_words_in_the_document() {
        let code = "    // Milestone: no name is added.\n    // Milestone: nothing moves.\n";
        let missing: Vec<&str> = missing_milestones("| no name is added | x |", code).collect();
        assert_eq!(missing, ["nothing moves"]);
    }
}
