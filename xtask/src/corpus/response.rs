//! Response files: the quoting of `@file`, read and written.
//!
//! The rules are libiberty's `buildargv`, which GNU ld, lld, mold and wild follow: words are
//! separated by white space, single and double quotes group, a backslash takes the next character
//! as it is.

use std::fs;
use std::path::Path;

/// Depth of nested response files above which they are taken for a cycle.
const DEPTH_LIMIT: usize = 8;

/// The words of a command line with every `@file` replaced by the file's words.
///
/// # Errors
/// When a response file cannot be read, is not UTF-8, or includes itself.
pub fn expand(line: &[String]) -> Result<Vec<String>, String> {
    let mut out = Vec::new();
    expand_into(line, 0, &mut out)?;
    Ok(out)
}

/// Writes a response file with one word per line.
///
/// # Errors
/// When the file cannot be written.
pub fn write(path: &Path, words: &[String]) -> Result<(), String> {
    let text: String = words.iter().map(|word| quote(word) + "\n").collect();
    fs::write(path, text).map_err(|e| format!("{}: {e}", path.display()))
}

fn expand_into(line: &[String], depth: usize, out: &mut Vec<String>) -> Result<(), String> {
    for word in line {
        match word.strip_prefix('@') {
            Some(path) if depth >= DEPTH_LIMIT => {
                return Err(format!("{path}: response files nest too deeply"));
            }
            Some(path) => {
                let text = fs::read_to_string(path).map_err(|e| format!("{path}: {e}"))?;
                expand_into(&split(&text), depth + 1, out)?;
            }
            None => out.push(word.clone()),
        }
    }
    Ok(())
}

fn quote(word: &str) -> String {
    let plain = |c: char| !c.is_whitespace() && !matches!(c, '\'' | '"' | '\\');
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("\"{}\"", word.replace('\\', "\\\\").replace('"', "\\\""))
}

/// Splits the text of a response file into words.
pub fn split(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = None::<String>;
    let mut quote = None;
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match (c, quote) {
            ('\\', _) => word.get_or_insert_default().extend(chars.next()),
            (c, Some(end)) if c == end => quote = None,
            (c, Some(_)) => word.get_or_insert_default().push(c),
            ('\'' | '"', None) => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (c, None) if c.is_whitespace() => words.extend(word.take()),
            (c, None) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scratch::Scratch;

    #[test]
    fn words_survive_writing_and_reading() {
        let words: Vec<String> =
            ["a", "", "b c", "quo\"te", "it's", "back\\slash", "\u{e9}"].map(String::from).into();
        let scratch = Scratch::new().unwrap();
        let path = scratch.path().join("line.rsp");
        write(&path, &words).unwrap();
        assert_eq!(expand(&[format!("@{}", path.display())]).unwrap(), words);
    }

    #[test]
    fn a_file_that_names_itself_is_an_error() {
        let scratch = Scratch::new().unwrap();
        let path = scratch.path().join("loop.rsp");
        fs::write(&path, format!("@{}", path.display())).unwrap();
        assert!(expand(&[format!("@{}", path.display())]).is_err());
    }
}
