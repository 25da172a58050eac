//! Sentences are short enough to be read once: in Markdown and in comments.
//!
//! A sentence ends with its punctuation mark, or with its paragraph, list item, heading or table
//! cell. Code blocks are ignored.

use super::source::Source;

/// Most words of a sentence.
const LIMIT: usize = 40;

/// Abbreviations, whose full stop does not end a sentence.
const ABBREVIATIONS: [&str; 6] = ["e.g.", "i.e.", "cf.", "vs.", "etc.", "al."];

/// Finds long sentences in comments.
pub fn check(source: &Source, findings: &mut Vec<(usize, String)>) {
    let mut text = Text::default();
    let mut kind = "";
    for line in &source.lines {
        let (own_kind, body) = parts(&line.comment);
        // A comment behind code is a block of its own.
        let is_alone = !line.code.trim().is_empty();
        if own_kind != kind || is_alone {
            text.end_block();
        }
        kind = if is_alone { "" } else { own_kind };
        text.line(line.number, body.strip_prefix(' ').unwrap_or(body));
    }
    text.end_block();
    findings.extend(text.long_sentences());
}

/// The long sentences of a file of Markdown, each with its line.
pub fn in_markdown(file: &str) -> Vec<(usize, String)> {
    let mut text = Text::default();
    for (index, line) in file.lines().enumerate() {
        text.line(index + 1, line);
    }
    text.end_block();
    text.long_sentences()
}

/// The slashes of a comment and what follows them.
fn parts(comment: &str) -> (&str, &str) {
    let slashes = ["//!", "///", "//"];
    let kind = slashes.into_iter().find(|slashes| comment.starts_with(slashes)).unwrap_or("");
    comment.split_at(kind.len())
}

/// Text, divided into parts that no sentence crosses.
#[derive(Debug, Default)]
struct Text {
    /// Paragraphs, items and cells, each with its line.
    parts: Vec<(usize, String)>,
    /// Whether the next line continues the last part.
    is_open: bool,
    /// Whether a block of code between fences is open.
    is_fenced: bool,
    /// Whether the last line belonged to an indented code block.
    is_code: bool,
    /// Columns by which the text of the last item of a list is indented.
    item_indent: usize,
}

impl Text {
    fn line(&mut self, number: usize, line: &str) {
        let words = line.trim();
        if words.starts_with("```") {
            self.is_fenced = !self.is_fenced;
            self.is_open = false;
            return;
        }
        if self.is_fenced {
            return;
        }
        if words.is_empty() {
            self.is_open = false;
            return;
        }
        let indent = line.len() - line.trim_start().len();
        let is_deep = indent >= self.item_indent + 4;
        self.is_code = is_deep && (self.is_code || !self.is_open);
        if self.is_code {
            return;
        }
        if let Some(cells) = words.strip_prefix('|') {
            let cells = cells.split('|').map(|cell| (number, cell.trim().to_owned()));
            self.parts.extend(cells);
            self.is_open = false;
            return;
        }
        let is_item = is_item(words);
        if is_item {
            self.item_indent = indent + 2;
        } else if indent == 0 {
            self.item_indent = 0;
        }
        let is_heading = words.starts_with('#');
        match self.parts.last_mut().filter(|_| self.is_open && !is_item && !is_heading) {
            Some((_, part)) => {
                part.push(' ');
                part.push_str(words);
            }
            None => self.parts.push((number, words.to_owned())),
        }
        self.is_open = !is_heading;
    }

    /// Ends the parts and code blocks of a comment.
    fn end_block(&mut self) {
        self.is_open = false;
        self.is_fenced = false;
        self.is_code = false;
        self.item_indent = 0;
    }

    fn long_sentences(&self) -> Vec<(usize, String)> {
        let mut found = Vec::new();
        for (number, part) in &self.parts {
            let mut words = 0;
            let mut start = "";
            for word in part.split_whitespace() {
                if words == 0 {
                    start = word;
                }
                words += usize::from(word.contains(char::is_alphanumeric));
                if ends_sentence(word) {
                    found.extend(finding(*number, start, words));
                    words = 0;
                }
            }
            found.extend(finding(*number, start, words));
        }
        found
    }
}

/// A finding, if there are too many words.
fn finding(line: usize, start: &str, words: usize) -> Option<(usize, String)> {
    let text = || format!("a sentence of {words} words from `{start}` on, limit {LIMIT}");
    (words > LIMIT).then(|| (line, text()))
}

/// Whether this is the first line of an item of a list.
fn is_item(words: &str) -> bool {
    let after_number = words.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_numbered = after_number.len() < words.len() && after_number.starts_with(". ");
    words.starts_with("- ") || words.starts_with("* ") || is_numbered
}

/// Whether a sentence ends with this word.
fn ends_sentence(word: &str) -> bool {
    let word = word.trim_end_matches([')', '"', '\'', '*', '`', ']', '_']);
    let bare = word.trim_start_matches(['(', '"', '*']);
    let is_initial = bare.len() == 2 && bare.starts_with(char::is_uppercase);
    word.ends_with(['.', '!', '?'])
        && !word.ends_with("...")
        && !is_initial
        && !ABBREVIATIONS.contains(&bare)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(count: usize) -> String {
        vec!["word"; count].join(" ")
    }

    #[test]
    fn long_sentences_of_comments_are_found() {
        let long = words(30);
        let found = |text: &str| {
            let mut findings = Vec::new();
            check(&Source::parse("a.rs", text), &mut findings);
            findings.into_iter().map(|(line, _)| line).collect::<Vec<_>>()
        };
        assert_eq!(found(&format!("f();\n/// {long}\n/// {long}.\n")), [2]);
        assert_eq!(found(&format!("f(); // {long}\n// {long}\n")), [0; 0]);
        assert_eq!(found(&format!("//! {long}:\n//!\n//! {long}\n")), [0; 0]);
        assert_eq!(found(&format!("/// {long}.\n/// {long}\n")), [0; 0]);
        assert_eq!(found(&format!("/// {long} (in `a.b`).\n/// {long}\n")), [0; 0]);
        assert_eq!(found(&format!("// {long} e.g.\n// {long}\n")), [1]);
        assert_eq!(found(&format!("let a = \"\n// {long}\n// {long}\";\n")), [0; 0]);
    }

    #[test]
    fn code_cells_and_items_are_no_parts_of_a_sentence() {
        let long = words(30);
        let count = |text: &str| in_markdown(text).len();
        assert_eq!(count(&format!("{long}\n{long}\n")), 1);
        assert_eq!(count(&format!("| {long} | {long} |\n")), 0);
        assert_eq!(count(&format!("- {long}\n- {long}\n  {long}\n")), 1);
        assert_eq!(count(&format!("# {long}\n{long}\n")), 0);
        assert_eq!(count(&format!("```\n{long}\n{long}\n```\n")), 0);
        assert_eq!(count(&format!("{long}:\n\n    {long}\n    {long}\n\n{long}\n")), 0);
        assert_eq!(count(&format!("- {long}\n\n  {long}\n  {long}\n")), 1);
    }
}
