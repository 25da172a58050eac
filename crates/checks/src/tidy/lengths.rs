//! Lengths of files, functions and comments, with exceptions that may only fall.

use super::source::Source;
use regex::Regex;
use std::path::Path;
use std::sync::LazyLock;

/// Lines of a file.
const FILE_LIMIT: usize = 800;
/// Lines of a function, from its `fn` to its closing brace.
const FUNCTION_LIMIT: usize = 70;

/// Characters of a comment's line, as for code; rows of tables are not broken.
const COMMENT_LIMIT: usize = 100;

/// A file or function that may exceed the limit, with its own limit.
struct Exception {
    path: &'static str,
    /// Empty for the file itself.
    function: &'static str,
    lines: usize,
    reason: &'static str,
}

/// `lines` may be lowered and never raised. An exception that is no longer needed, or that is more
/// than [`SLACK`] too high, is a finding.
const EXCEPTIONS: &[Exception] = &[];

/// Lines that an exception may be too high, so that not every small change touches this file.
const SLACK: usize = 10;

/// Finds files, functions and comments over the limits.
pub fn check(source: &Source, findings: &mut Vec<(usize, String)>) {
    for line in &source.lines {
        let text = line.text.trim_start();
        let is_row = text.starts_with("//! |") || text.starts_with("/// |");
        if text.starts_with("//") && !is_row && line.text.chars().count() > COMMENT_LIMIT {
            let what = format!("a comment of more than {COMMENT_LIMIT} columns");
            findings.push((line.number, what));
        }
    }
    for (number, name, lines) in lengths(source) {
        let limit = if name.is_empty() { FILE_LIMIT } else { FUNCTION_LIMIT };
        let is_allowed = |e: &Exception| {
            e.path == source.path && e.function == name && lines <= e.lines && !e.reason.is_empty()
        };
        if lines > limit && !EXCEPTIONS.iter().any(is_allowed) {
            let what = if name.is_empty() { "file".to_owned() } else { format!("fn {name}") };
            findings.push((number, format!("{what} has {lines} lines, limit {limit}")));
        }
    }
}

/// Exceptions that are no longer needed, too high, or for something that no longer exists.
pub fn stale_exceptions(root: &Path) -> Vec<String> {
    let mut findings = Vec::new();
    for exception in EXCEPTIONS {
        let text = std::fs::read_to_string(root.join(exception.path)).unwrap_or_default();
        let found = lengths(&Source::parse(exception.path, &text));
        let longest = found.iter().filter(|(_, name, _)| name == exception.function);
        let longest = longest.map(|(_, _, lines)| *lines).max().unwrap_or(0);
        let limit = if exception.function.is_empty() { FILE_LIMIT } else { FUNCTION_LIMIT };
        if longest + SLACK < exception.lines || longest <= limit {
            let (path, function) = (exception.path, exception.function);
            findings.push(format!(
                "{path} {function}: lower the exception from {} to {longest}, or drop it",
                exception.lines
            ));
        }
    }
    findings
}

/// `(line, name, lines)` of each function, and of the file with an empty name.
fn lengths(source: &Source) -> Vec<(usize, String, usize)> {
    static FUNCTION: LazyLock<Regex> = LazyLock::new(|| {
        let pattern = r#"^( *)(?:pub(?:\([^)]*\))? )?(?:default |const |async |unsafe |extern "" ?)*fn (\w+)"#;
        Regex::new(pattern).expect("a constant pattern")
    });
    let mut found = vec![(1, String::new(), source.lines.len())];
    for (index, line) in source.lines.iter().enumerate() {
        let Some(head) = FUNCTION.captures(&line.code) else { continue };
        let close = format!("{}}}", &head[1]);
        // rustfmt puts the closing brace into the column of the `fn`; a function may also be a
        // single line.
        let ends = |code: &str| code.trim_end() == close;
        let is_whole = line.code.trim_end().ends_with(['}', ';']);
        let length = if is_whole {
            1
        } else {
            source.lines[index..].iter().position(|l| ends(&l.code)).map_or(1, |n| n + 1)
        };
        found.push((line.number, head[2].to_owned(), length));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_comments_are_found_and_long_rows_are_not() {
        let words = "word ".repeat(20);
        for (start, count) in [("// ", 1), ("    /// ", 1), ("//! | ", 0)] {
            let mut findings = Vec::new();
            check(&Source::parse("a.rs", &format!("{start}{words}\n")), &mut findings);
            assert_eq!(findings.len(), count, "{start}");
        }
    }

    #[test]
    fn long_functions_are_found() {
        let body = "    f();\n".repeat(FUNCTION_LIMIT);
        let text = format!("pub fn short() {{\n}}\npub(crate) const fn long() {{\n{body}}}\n");
        let mut findings = Vec::new();
        check(&Source::parse("a.rs", &text), &mut findings);
        assert_eq!(findings.len(), 1);
        assert!(findings[0].1.contains("fn long has 72 lines"));
    }
}
