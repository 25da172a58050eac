//! Splits the text of a directive into words, as a shell would, without expanding anything.

use crate::Result;

/// Splits `text` at white space. `'...'` is taken as it stands; in `"..."` a backslash gives the
/// next character or has its usual meaning (`\n`, `\t`, `\0`). Outside quotes a backslash stands
/// for itself, since most backslashes are those of regular expressions. A quote may start in the
/// middle of a word, so `stdout="a b"` is one word.
pub fn split(text: &str) -> Result<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match c {
            '\'' | '"' => {
                let word = word.get_or_insert_with(String::new);
                quoted(&mut chars, c, word).ok_or_else(|| format!("unclosed {c} in: {text}"))?;
            }
            c if c.is_whitespace() => words.extend(word.take()),
            c => word.get_or_insert_with(String::new).push(c),
        }
    }
    words.extend(word);
    Ok(words)
}

/// Appends the text up to the closing `quote`; `None` if there is no closing one.
fn quoted(chars: &mut std::str::Chars<'_>, quote: char, word: &mut String) -> Option<()> {
    loop {
        match chars.next()? {
            c if c == quote => return Some(()),
            '\\' if quote == '"' => word.push(match chars.next()? {
                'n' => '\n',
                't' => '\t',
                '0' => '\0',
                c => c,
            }),
            c => word.push(c),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::split;

    #[test]
    fn quotes_join_and_escape() {
        assert_eq!(split(r#"a 'b c' d="e\n" \.f"#).unwrap(), ["a", "b c", "d=e\n", r"\.f"]);
        assert_eq!(split("  ").unwrap(), [""; 0]);
        assert!(split("'a").is_err());
    }
}
