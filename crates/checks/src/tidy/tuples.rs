//! Parameters have names and are no tuples.
//!
//! A tuple hides what its parts mean at the call. Its parts become parameters of their own, or a
//! struct with names.

use super::source::Source;

/// Finds parameters with the type of a tuple, by value or by reference.
pub fn check(source: &Source, findings: &mut Vec<(usize, String)>) {
    let code: Vec<&str> = source.lines.iter().map(|line| line.code.as_str()).collect();
    let code = code.join("\n");
    for (at, _) in code.match_indices("fn ") {
        let is_word = !code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
        let Some(list) = is_word.then(|| parameter_list(&code[at..])).flatten() else { continue };
        for parameter in split(list).into_iter().filter(|parameter| is_tuple(parameter)) {
            let line = code[..at].matches('\n').count() + 1;
            let words: Vec<&str> = parameter.split_whitespace().collect();
            findings.push((line, format!("a parameter is a tuple: {}", words.join(" "))));
        }
    }
}

/// The text between the parentheses of a function's parameters; `code` begins with its `fn`.
fn parameter_list(code: &str) -> Option<&str> {
    let open = outside_of_generics(code)?;
    let mut depth = 0;
    for (at, c) in code[open..].char_indices() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(&code[open + 1..open + at]);
        }
    }
    None
}

/// Position of the parameters: the first parenthesis outside of a list of generics.
fn outside_of_generics(code: &str) -> Option<usize> {
    let mut depth = 0;
    let mut before = ' ';
    for (at, c) in code.char_indices() {
        match c {
            '<' => depth += 1,
            '>' if before != '-' => depth -= 1,
            '(' if depth == 0 => return Some(at),
            '{' | ';' => return None,
            _ => {}
        }
        before = c;
    }
    None
}

/// The parameters of a list.
fn split(list: &str) -> Vec<&str> {
    let mut parameters = Vec::new();
    let (mut depth, mut start, mut before) = (0, 0, ' ');
    for (at, c) in list.char_indices() {
        match c {
            '(' | '[' | '{' | '<' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            '>' if before != '-' => depth -= 1,
            ',' if depth == 0 => {
                parameters.push(&list[start..at]);
                start = at + 1;
            }
            _ => {}
        }
        before = c;
    }
    parameters.push(&list[start..]);
    parameters
}

/// Whether the type of a parameter is a tuple of at least two parts, or a reference to one.
fn is_tuple(parameter: &str) -> bool {
    // The type follows the last colon of the pattern, which may contain a path.
    let Some(at) = colon(parameter) else { return false };
    let mut kind = parameter[at + 1..].trim_start();
    while let Some(rest) = kind.strip_prefix('&') {
        kind = rest.trim_start();
        if kind.starts_with('\'') {
            kind = kind.split_once(' ').map_or("", |(_, rest)| rest);
        }
        kind = kind.strip_prefix("mut ").unwrap_or(kind);
    }
    let Some(inner) = kind.trim_end().strip_prefix('(').and_then(|k| k.strip_suffix(')')) else {
        return false;
    };
    split(inner).len() > 1
}

/// The colon between the pattern and the type of a parameter.
fn colon(parameter: &str) -> Option<usize> {
    let bytes = parameter.as_bytes();
    let is_single =
        |at: usize| bytes.get(at + 1) != Some(&b':') && (at == 0 || bytes[at - 1] != b':');
    let mut depth = 0;
    for (at, c) in parameter.char_indices() {
        match c {
            '(' | '{' | '[' => depth += 1,
            ')' | '}' | ']' => depth -= 1,
            ':' if depth == 0 && is_single(at) => return Some(at),
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(text: &str) -> usize {
        let mut findings = Vec::new();
        check(&Source::parse("crates/elf/src/a.rs", text), &mut findings);
        findings.len()
    }

    #[test]
    fn tuples_as_parameters_are_found() {
        assert_eq!(count("fn f((a, b): (u32, &[u8]), c: u32) {}\n"), 1);
        assert_eq!(
            count("fn f<T: Fn(u32, u32)>(\n    &self,\n    at: &'a mut (u32, u32),\n) {}\n"),
            1
        );
        assert_eq!(count("fn f(a: [(u32, u32); 2], b: Vec<(u32, u32)>) -> (u32, u32) {}\n"), 0);
        assert_eq!(count("fn f(a: &mut (impl Write + Send), b: fn(u32, u32)) {}\n"), 0);
        assert_eq!(count("fn f(Point { x, y }: Point, g: impl Fn((u32, u32)) -> u32) {}\n"), 0);
        assert_eq!(count("// fn f(a: (u32, u32))\nlet a = |b: (u32, u32)| b;\n"), 0);
    }
}
