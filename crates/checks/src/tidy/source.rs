//! A Rust file as lines, each split into code and comment.

/// A line of a file.
#[derive(Debug, Clone)]
pub struct Line {
    /// 1-based.
    pub number: usize,
    /// The line as it stands.
    pub text: String,
    /// The line without comments and without the contents of strings.
    pub code: String,
    /// Its comment with the slashes, if it has one; empty otherwise.
    pub comment: String,
    /// Whether it belongs to a `#[cfg(test)]` module.
    pub is_test: bool,
}

/// A file.
#[derive(Debug, Clone)]
pub struct Source {
    /// Path from the root of the workspace.
    pub path: String,
    /// Lines in order.
    pub lines: Vec<Line>,
}

impl Source {
    /// Scans `text`. Test modules start at `#[cfg(test)]` and end at the brace in the same column,
    /// which is where rustfmt puts it; a file of tests is one as a whole.
    pub fn parse(path: &str, text: &str) -> Source {
        let is_test_file = path.contains("/tests/") || path.ends_with("/tests.rs");
        let mut state = State::Code;
        let mut test_indent: Option<usize> = None;
        let mut lines = Vec::new();
        for (index, line) in text.lines().enumerate() {
            let (code, comment) = state.strip(line);
            let indent = line.len() - line.trim_start().len();
            if test_indent.is_none() && code.trim() == "#[cfg(test)]" {
                test_indent = Some(indent);
            }
            let is_test = is_test_file || test_indent.is_some();
            lines.push(Line {
                number: index + 1,
                text: line.to_owned(),
                code: code.clone(),
                comment: comment.to_owned(),
                is_test,
            });
            let ends =
                |at: usize| indent == at && (code.trim() == "}" || code.trim().ends_with(';'));
            if test_indent.is_some_and(ends) {
                test_indent = None;
            }
        }
        Source { path: path.to_owned(), lines }
    }

    /// The lines that are not tests.
    pub fn code_lines(&self) -> impl Iterator<Item = &Line> {
        self.lines.iter().filter(|line| !line.is_test)
    }
}

/// The construct that is still open at the end of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Code,
    String,
    /// `r"..."` with that many `#`.
    RawString(usize),
    BlockComment,
}

impl State {
    /// The code of `line`, with `""` left for each string, and its comment.
    fn strip<'a>(&mut self, line: &'a str) -> (String, &'a str) {
        let mut code = String::new();
        let bytes = line.as_bytes();
        let mut at = 0;
        while at < bytes.len() {
            let rest = &bytes[at..];
            if *self == State::Code && rest.starts_with(b"//") {
                return (code, &line[at..]);
            }
            at += match *self {
                State::Code => self.strip_code(rest, &mut code),
                State::String => match rest[0] {
                    b'\\' => 2,
                    b'"' => {
                        *self = State::Code;
                        code.push('"');
                        1
                    }
                    _ => 1,
                },
                State::RawString(hashes) => {
                    let closes = rest[0] == b'"'
                        && rest[1..].iter().take_while(|b| **b == b'#').count() >= hashes;
                    if closes {
                        *self = State::Code;
                        code.push('"');
                    }
                    1
                }
                State::BlockComment if rest.starts_with(b"*/") => {
                    *self = State::Code;
                    2
                }
                State::BlockComment => 1,
            };
        }
        (code, "")
    }

    /// Takes one token; returns its length in bytes.
    fn strip_code(&mut self, rest: &[u8], code: &mut String) -> usize {
        if rest.starts_with(b"/*") {
            *self = State::BlockComment;
            return 2;
        }
        let after_r = rest[1..].iter().take_while(|b| **b == b'#').count();
        let is_raw = rest[0] == b'r' && rest.get(1 + after_r) == Some(&b'"');
        if is_raw && !code.ends_with(|c: char| c.is_alphanumeric() || c == '_') {
            *self = State::RawString(after_r);
            code.push('"');
            return 2 + after_r;
        }
        match rest[0] {
            b'"' => {
                *self = State::String;
                code.push('"');
                1
            }
            // A character literal that would look like the start of another literal.
            b'\'' if rest.starts_with(b"'\"'") => 3,
            b'\'' if rest.starts_with(b"'\\''") || rest.starts_with(b"'\\\"'") => 4,
            byte => {
                code.push(char::from(byte));
                1
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Source;

    #[test]
    fn comments_strings_and_tests_are_told_apart() {
        let text = "let a = \"x // y\"; // z\nlet b = r#\"q\"#;\n'\"'; w\n#[cfg(test)]\nmod tests {\n    f();\n}\ng();\n";
        let source = Source::parse("a.rs", text);
        let code: Vec<&str> = source.lines.iter().map(|l| l.code.as_str()).collect();
        assert_eq!(code[0], "let a = \"\"; ");
        assert_eq!(source.lines[0].comment, "// z");
        assert_eq!(code[1], "let b = \"\"#;");
        assert_eq!(code[2], "; w");
        let tests: Vec<bool> = source.lines.iter().map(|l| l.is_test).collect();
        assert_eq!(tests, [false, false, false, true, true, true, true, false]);
    }
}
