//! The tokens of linker scripts, version scripts and dynamic lists.
//!
//! The three share blanks, `/* */` comments, `#` comments to the end of the line, and quoted
//! strings without escapes (GNU ld, `ldlex.l`). They do not share what a word is: `a*b` is one word
//! as a pattern and three tokens as an expression, and only the parser knows which it expects. So
//! the parser names the [`Mode`] for each token that it asks for.
//!
//! Every call moves forward or returns [`Kind::End`], so that no input makes a parser loop.

use memchr::memmem;
use skald_core::demangle::escape;
use skald_core::diag::{Error, Result};
use std::fmt::Display;

/// The kind of text that the parser expects next: what a word may contain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// Symbol patterns of version scripts and dynamic lists: anything but blanks, `{};,"#` and a
    /// single colon; `::` is part of the word.
    Pattern,
    /// Names of files, formats and sections: anything but blanks and `(){};,"`.
    File,
    /// Names of output sections, before a colon: as [`Mode::File`], without colons.
    Section,
    /// Symbols and numbers among operators: letters, digits, `_.$@` and bytes above 127.
    Expression,
    /// Symbols before an assignment: as [`Mode::Expression`], but for operators that are parts of
    /// names (`a-b`, `a/b`) where they do not belong to the assignment itself.
    Symbol,
}

/// The kind of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A bare word.
    Word,
    /// A quoted string; the text is what the quotes enclose.
    Quoted,
    /// Punctuation or an operator.
    Mark,
    /// No tokens are left.
    End,
}

/// One token of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token<'a> {
    /// Word, string, mark or end.
    pub kind: Kind,
    /// The token's bytes, without quotes.
    pub text: &'a [u8],
    /// Line number, from 1.
    pub line: u32,
    /// Column in bytes, from 1.
    pub column: u32,
}

/// A position in a text, where the next token is read.
#[derive(Debug, Clone, Copy)]
pub struct Lexer<'a> {
    origin: &'a str,
    text: &'a [u8],
    position: usize,
    line: u32,
    line_start: usize,
}

/// Operators of more than one byte, longest first.
const LONG_OPERATORS: [&[u8]; 17] = [
    b"<<=", b">>=", b"<<", b">>", b"<=", b">=", b"==", b"!=", b"&&", b"||", b"+=", b"-=", b"*=",
    b"/=", b"&=", b"|=", b"^=",
];

impl<'a> Lexer<'a> {
    /// The start of `text`; `origin` is the file name (or option) for messages.
    pub fn new(origin: &'a str, text: &'a [u8]) -> Lexer<'a> {
        Lexer { origin, text, position: 0, line: 1, line_start: 0 }
    }

    /// Name of the text in messages.
    pub fn origin(&self) -> &'a str {
        self.origin
    }

    /// The next token.
    ///
    /// # Errors
    /// A comment or a string that does not end.
    pub fn next(&mut self, mode: Mode) -> Result<Token<'a>> {
        self.skip_blanks()?;
        let start = self.position;
        let (line, column) = (self.line, self.column());
        let token = |kind, text| Token { kind, text, line, column };
        let Some(&byte) = self.text.get(start) else {
            return Ok(token(Kind::End, b""));
        };
        if byte == b'"' {
            let rest = &self.text[start + 1..];
            let Some(length) = memchr::memchr(b'"', rest) else {
                return Err(self.error_at(line, "string without closing quote"));
            };
            self.advance(length + 2);
            return Ok(token(Kind::Quoted, &rest[..length]));
        }
        let word = word_length(mode, &self.text[start..]);
        let (kind, length) = match word {
            0 => (Kind::Mark, mark_length(mode, &self.text[start..])),
            _ => (Kind::Word, word),
        };
        // Neither a word nor a mark holds a newline.
        self.position += length;
        Ok(token(kind, &self.text[start..self.position]))
    }

    /// The next token, without consuming it.
    ///
    /// # Errors
    /// As [`Lexer::next`].
    pub fn peek(&self, mode: Mode) -> Result<Token<'a>> {
        let mut ahead = *self;
        ahead.next(mode)
    }

    /// Consumes the next token if it is `mark`; returns whether it is.
    ///
    /// # Errors
    /// As [`Lexer::next`].
    pub fn accept(&mut self, mode: Mode, mark: &str) -> Result<bool> {
        let mut ahead = *self;
        let found = ahead.next(mode)?.is_mark(mark);
        if found {
            *self = ahead;
        }
        Ok(found)
    }

    /// Consumes the next token, which must be `mark`.
    ///
    /// # Errors
    /// Another token comes next.
    pub fn expect(&mut self, mode: Mode, mark: &str) -> Result<()> {
        let token = self.next(mode)?;
        if token.is_mark(mark) { Ok(()) } else { Err(self.unexpected(&token, &quote(mark))) }
    }

    /// Consumes a word or quoted string; `what` names it in the message.
    ///
    /// # Errors
    /// Another token comes next.
    pub fn expect_name(&mut self, mode: Mode, what: &str) -> Result<Token<'a>> {
        let token = self.next(mode)?;
        if token.is_name() { Ok(token) } else { Err(self.unexpected(&token, what)) }
    }

    /// The error `ORIGIN:LINE: expected WANTED, found TOKEN`, with the line and a mark below the
    /// token.
    pub fn unexpected(&self, token: &Token<'_>, wanted: &str) -> Error {
        let excerpt = self.excerpt(token.line, token.column);
        let found = token.describe();
        self.error_at(token.line, format_args!("expected {wanted}, found {found}{excerpt}"))
    }

    /// The line of the text for a message, cut around the column if it is long.
    fn excerpt(&self, line: u32, column: u32) -> String {
        const SHOWN: usize = 100;
        let mut lines = self.text.split(|&byte| byte == b'\n');
        let line = lines.nth(line.saturating_sub(1) as usize).unwrap_or_default().trim_ascii_end();
        let at = (column.saturating_sub(1) as usize).min(line.len());
        if line.is_empty() {
            return String::new();
        }
        let start = if at < SHOWN { 0 } else { at - SHOWN / 2 };
        let end = line.len().min(start + SHOWN);
        let blank = |&byte: &u8| if byte == b'\t' { b' ' } else { byte };
        let shown = |bytes: &[u8]| escape(&bytes.iter().map(blank).collect::<Vec<u8>>());
        let indent = shown(&line[start..at]).chars().count();
        format!("\n>>> {}\n>>> {:indent$}^", shown(&line[start..end]), "")
    }

    /// The error `ORIGIN:LINE: TEXT`.
    pub fn error_at(&self, line: u32, text: impl Display) -> Error {
        error_at(self.origin, line, text)
    }

    fn column(&self) -> u32 {
        u32::try_from(self.position - self.line_start + 1).unwrap_or(u32::MAX)
    }

    fn skip_blanks(&mut self) -> Result<()> {
        loop {
            let rest = &self.text[self.position..];
            let length = match rest {
                [b' ' | b'\t' | b'\r' | 0x0b | 0x0c, ..] => {
                    self.position += 1;
                    continue;
                }
                [b'\n', ..] => {
                    self.position += 1;
                    self.line = self.line.saturating_add(1);
                    self.line_start = self.position;
                    continue;
                }
                [0xef, 0xbb, 0xbf, ..] if self.position == 0 => 3,
                [b'#', ..] => memchr::memchr(b'\n', rest).unwrap_or(rest.len()),
                [b'/', b'*', body @ ..] => match memmem::find(body, b"*/") {
                    Some(length) => length + 4,
                    None => return Err(self.error_at(self.line, "unclosed comment")),
                },
                _ => return Ok(()),
            };
            self.advance(length);
        }
    }

    fn advance(&mut self, length: usize) {
        let end = self.position + length;
        for newline in memchr::memchr_iter(b'\n', &self.text[self.position..end]) {
            self.line = self.line.saturating_add(1);
            self.line_start = self.position + newline + 1;
        }
        self.position = end;
    }
}

impl Token<'_> {
    /// Whether the token is this punctuation.
    pub fn is_mark(&self, mark: &str) -> bool {
        self.kind == Kind::Mark && self.text == mark.as_bytes()
    }

    /// Whether the token is this bare word.
    pub fn is_word(&self, word: &str) -> bool {
        self.kind == Kind::Word && self.text == word.as_bytes()
    }

    /// Whether the token is a bare word or a quoted string.
    pub fn is_name(&self) -> bool {
        matches!(self.kind, Kind::Word | Kind::Quoted)
    }

    /// The token as messages show it; long ones are cut.
    pub fn describe(&self) -> String {
        const SHOWN: usize = 60;
        let text = String::from_utf8_lossy(&self.text[..self.text.len().min(SHOWN)]);
        let dots = if self.text.len() > SHOWN { "..." } else { "" };
        match self.kind {
            Kind::End => "end of file".to_owned(),
            Kind::Quoted => format!("\"{text}{dots}\""),
            Kind::Word | Kind::Mark => quote(&format!("{}{dots}", text.escape_debug())),
        }
    }
}

/// `ORIGIN:LINE: TEXT`, the form of every message about a script.
pub fn error_at(origin: &str, line: u32, text: impl Display) -> Error {
    Error(format!("{origin}:{line}: {text}"))
}

fn quote(text: &str) -> String {
    format!("'{text}'")
}

/// By mode, the bytes that are part of a word whatever follows them.
const IN_WORDS: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = (byte as u8).is_ascii_alphanumeric() || byte as u8 == b'_';
        byte += 1;
    }
    table
};

/// `/DISCARD/` is one name, not divisions: it may stand behind a fill value.
const DISCARD: &[u8] = b"/DISCARD/";

/// Length of the word that `text` starts with, 0 if it starts with a mark.
fn word_length(mode: Mode, text: &[u8]) -> usize {
    if mode == Mode::Expression && text.starts_with(DISCARD) {
        return DISCARD.len();
    }
    if mode == Mode::Symbol && matches!(text.first(), Some(b'-' | b'+' | b']' | b'[')) {
        return 0;
    }
    let mut length = text.iter().take_while(|&&byte| IN_WORDS[usize::from(byte)]).count();
    while let Some(&byte) = text.get(length) {
        let next = text.get(length + 1).copied();
        length += match (mode, byte) {
            (Mode::Pattern, b':') if next == Some(b':') => 2,
            (Mode::Pattern, b':' | b'#') => break,
            (Mode::Section, b':') => break,
            (Mode::Symbol, b'/') if next == Some(b'=') => break,
            // To GNU ld and lld `dir/*.o` is a pattern of files: comments begin behind blanks.
            (Mode::File | Mode::Symbol, b'/') => 1,
            (_, b'/') if next == Some(b'*') => break,
            (Mode::File | Mode::Section, b'(' | b')') => break,
            (Mode::Pattern | Mode::File | Mode::Section, b'{' | b'}' | b';' | b',' | b'"') => break,
            (Mode::Pattern | Mode::File | Mode::Section, byte) if byte > b' ' && byte != 0x7f => 1,
            (Mode::Expression | Mode::Symbol, b'_' | b'.' | b'$' | b'@' | 0x80..) => 1,
            (Mode::Expression | Mode::Symbol, byte) if byte.is_ascii_alphanumeric() => 1,
            (Mode::Symbol, b'-' | b'+') if next == Some(b'=') => break,
            (Mode::Symbol, b'-' | b'+' | b'~' | b'[' | b']' | b'\\') => 1,
            _ => break,
        };
    }
    length
}

/// Length of the mark that `text`, which is not empty, starts with.
fn mark_length(mode: Mode, text: &[u8]) -> usize {
    if !matches!(mode, Mode::Expression | Mode::Symbol) {
        return 1;
    }
    LONG_OPERATORS.iter().find(|operator| text.starts_with(operator)).map_or(1, |o| o.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn tokens(mode: Mode, text: &str) -> Vec<String> {
        let mut lexer = Lexer::new("f", text.as_bytes());
        let mut found = Vec::new();
        loop {
            let token = lexer.next(mode).expect("the text has no open comment or string");
            if token.kind == Kind::End {
                return found;
            }
            let text = String::from_utf8_lossy(token.text).into_owned();
            found.push(if token.kind == Kind::Quoted { format!("\"{text}") } else { text });
        }
    }

    #[test]
    fn words_depend_on_the_mode() {
        let rows: [(Mode, &str, &[&str]); 11] = [
            (
                Mode::Pattern,
                "global:a*;ns::f?/* c */ }",
                &["global", ":", "a*", ";", "ns::f?", "}"],
            ),
            (Mode::Pattern, "foo#c\n[!a]\\*;\"a b\"", &["foo", "[!a]\\*", ";", "\"a b"]),
            (Mode::Pattern, "local:*;a,b", &["local", ":", "*", ";", "a", ",", "b"]),
            (Mode::File, "(=/a-b+c.so,-lx\"q r\")", &["(", "=/a-b+c.so", ",", "-lx", "\"q r", ")"]),
            (Mode::File, "i386:x86-64 a/*.o /*c*/b a#b", &["i386:x86-64", "a/*.o", "b", "a#b"]),
            (Mode::Symbol, "a-b a-=b ./a+=c~d /*e*/", &["a-b", "a", "-=", "b", "./a", "+=", "c~d"]),
            (Mode::Symbol, "-a .=b", &["-", "a", ".", "=", "b"]),
            (Mode::Expression, "a-b<<2>=c@V1", &["a", "-", "b", "<<", "2", ">=", "c@V1"]),
            (
                Mode::Expression,
                "a<<=.x;$SYM?1:~0",
                &["a", "<<=", ".x", ";", "$SYM", "?", "1", ":", "~", "0"],
            ),
            (Mode::Expression, "\u{feff}a #x\r\n=/**/b", &["a", "=", "b"]),
            (Mode::Expression, "a=-1 !=b", &["a", "=", "-", "1", "!=", "b"]),
        ];
        for (mode, text, expected) in rows {
            assert_eq!(tokens(mode, text), expected, "{text}");
        }
    }

    #[test]
    fn lines_and_columns() {
        let mut lexer = Lexer::new("f", b"a /* x\n\n */ b\n  \"q\nr\" c");
        let places: Vec<(u32, u32)> = (0..4)
            .map(|_| lexer.next(Mode::Pattern).map(|t| (t.line, t.column)).unwrap())
            .collect();
        assert_eq!(places, [(1, 1), (3, 5), (4, 3), (5, 4)]);
    }

    #[test]
    fn messages() {
        let error = |text: &str| {
            let mut lexer = Lexer::new("dir/f.ver", text.as_bytes());
            lexer.expect(Mode::Pattern, "{").expect_err("not a brace").0
        };
        let text = "dir/f.ver:2: expected '{', found 'foo'\n>>>  foo\n>>>  ^";
        assert_eq!(error("\n\tfoo \r"), text);
        assert_eq!(error("\n"), "dir/f.ver:2: expected '{', found end of file");
        assert_eq!(error("\"s\""), "dir/f.ver:1: expected '{', found \"s\"\n>>> \"s\"\n>>> ^");
        assert_eq!(error("/* x"), "dir/f.ver:1: unclosed comment");
        assert_eq!(error("\n\"x"), "dir/f.ver:2: string without closing quote");
    }

    #[test]
    fn long_lines_are_cut_around_the_mark() {
        let text = format!("/*{}*/ foo {}", "x".repeat(200), "y".repeat(200));
        let error = Lexer::new("f", text.as_bytes()).expect(Mode::File, "(").expect_err("no mark");
        let lines: Vec<&str> = error.0.lines().collect();
        assert!(lines.iter().all(|line| line.len() <= 104), "{error}");
        assert_eq!(lines[1].find("foo"), lines[2].find('^'));
    }

    #[test]
    fn peek_and_accept_do_not_move_on_a_mismatch() {
        let mut lexer = Lexer::new("f", b"a;b");
        assert!(!lexer.accept(Mode::File, ";").unwrap());
        assert!(lexer.peek(Mode::File).unwrap().is_word("a"));
        assert!(lexer.next(Mode::File).unwrap().is_word("a"));
        assert!(lexer.accept(Mode::File, ";").unwrap());
        assert!(lexer.next(Mode::File).unwrap().is_word("b"));
    }

    proptest! {
        #[test]
        fn ends_on_any_bytes(text: Vec<u8>) {
            for mode in [Mode::Pattern, Mode::File, Mode::Section, Mode::Expression, Mode::Symbol] {
                let mut lexer = Lexer::new("f", &text);
                let mut count = 0;
                while let Ok(token) = lexer.next(mode) {
                    if token.kind == Kind::End {
                        break;
                    }
                    count += 1;
                    prop_assert!(count <= text.len());
                }
            }
        }
    }
}
