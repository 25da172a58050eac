//! `--section-ordering-file`: a list of input sections in order, in one of two languages.
//!
//! gold's language has one pattern of section names on each line. Sections that match no pattern
//! keep their order and come before those that do; a pattern without a wildcard takes precedence
//! over all others. GNU ld's language (from 2.43) is `OUTPUT : { FILE(SECTION ...) ... }`, as in
//! the SECTIONS command of a linker script. The sections that it names come first in the output
//! section, which must be their output section anyway. A text with a brace is taken for GNU ld's
//! language.

use skald_core::diag::Result;
use skald_linking::glob::Glob;
use skald_linking::lexer::{Kind, Lexer, Mode, Token, error_at};
use skald_linking::pattern_set::{Order, PatternSet};

/// A file of `--section-ordering-file`.
#[derive(Debug)]
pub enum SectionList {
    /// In gold's language: patterns, with their positions.
    Patterns(PatternSet<u32>),
    /// In GNU ld's language.
    Statements(Vec<Statement>),
}

/// `OUTPUT : { FILE(SECTION ...) }`.
#[derive(Debug)]
pub struct Statement {
    /// Name of the output section.
    pub output: Vec<u8>,
    file: FilePattern,
    excluded: Vec<FilePattern>,
    sections: Vec<Glob>,
}

/// The name of an input file, as patterns match it.
#[derive(Debug, Clone, Default)]
pub struct FileName {
    /// Path of the archive that it is a member of.
    pub archive: Option<Vec<u8>>,
    /// Path of the file, or name of the member.
    pub name: Vec<u8>,
}

/// `FILE`, `ARCHIVE:MEMBER`, `ARCHIVE:` or `:FILE`.
#[derive(Debug)]
struct FilePattern {
    /// `None`: in any archive, or in none; `Some(None)`: only files that are in no archive.
    archive: Option<Option<Glob>>,
    name: Option<Glob>,
}

impl FilePattern {
    fn new(text: &[u8]) -> FilePattern {
        let glob = |text: &[u8]| (!text.is_empty()).then(|| Glob::new(text));
        match memchr::memchr(b':', text) {
            None => FilePattern { archive: None, name: glob(text) },
            Some(at) => {
                FilePattern { archive: Some(glob(&text[..at])), name: glob(&text[at + 1..]) }
            }
        }
    }

    fn matches(&self, file: &FileName) -> bool {
        let in_archive = match (&self.archive, &file.archive) {
            (None, _) | (Some(None), None) => true,
            (Some(Some(glob)), Some(archive)) => glob.matches(archive),
            _ => false,
        };
        in_archive && self.name.as_ref().is_none_or(|glob| glob.matches(&file.name))
    }
}

impl Statement {
    /// Whether it names a section of `file`.
    pub fn matches(&self, file: &FileName, section: &[u8]) -> bool {
        self.sections.iter().any(|glob| glob.matches(section))
            && self.file.matches(file)
            && !self.excluded.iter().any(|excluded| excluded.matches(file))
    }
}

impl SectionList {
    /// Reads `text`; `origin` is the name of its file.
    ///
    /// # Errors
    /// A text with braces that is not in GNU ld's language.
    pub fn parse(origin: &str, text: &[u8]) -> Result<SectionList> {
        if memchr::memchr(b'{', text).is_some() {
            return Ok(SectionList::Statements(statements(Lexer::new(origin, text))?));
        }
        let mut set = PatternSet::new(Order::FirstWins);
        let lines = text.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
        let patterns = (1..).zip(lines).filter(|(_, line)| !line.is_empty());
        for (position, (number, line)) in (0..).zip(patterns) {
            if let Some(fault) = Glob::fault(line) {
                return Err(error_at(origin, number, fault));
            }
            set.insert(line, position);
        }
        Ok(SectionList::Patterns(set))
    }
}

fn statements(mut lexer: Lexer<'_>) -> Result<Vec<Statement>> {
    let mut all = Vec::new();
    loop {
        let token = lexer.next(Mode::File)?;
        if token.kind == Kind::End {
            return Ok(all);
        }
        if token.is_mark(";") {
            continue;
        }
        if !token.is_name() {
            return Err(lexer.unexpected(&token, "the name of an output section"));
        }
        // In a list with file names, `.text:` is one word.
        let output = match token.text.strip_suffix(b":") {
            Some(name) if token.kind == Kind::Word => name,
            _ => {
                let colon = lexer.next(Mode::File)?;
                if colon.text != b":" {
                    return Err(lexer.unexpected(&colon, "':'"));
                }
                token.text
            }
        };
        lexer.expect(Mode::File, "{")?;
        loop {
            let token = lexer.next(Mode::File)?;
            if token.is_mark("}") {
                break;
            }
            if !token.is_mark(";") {
                all.push(statement(&mut lexer, output, token)?);
            }
        }
    }
}

/// The rest of a statement that begins with `file`.
fn statement(lexer: &mut Lexer<'_>, output: &[u8], file: Token<'_>) -> Result<Statement> {
    if file.is_word("KEEP") {
        lexer.expect(Mode::File, "(")?;
        let file = lexer.next(Mode::File)?;
        let kept = statement(lexer, output, file)?;
        lexer.expect(Mode::File, ")")?;
        return Ok(kept);
    }
    if !file.is_name() {
        return Err(lexer.unexpected(&file, "a pattern of files or '}'"));
    }
    check(lexer, &file)?;
    let mut read = Statement {
        output: output.to_vec(),
        file: FilePattern::new(file.text),
        excluded: Vec::new(),
        sections: Vec::new(),
    };
    lexer.expect(Mode::File, "(")?;
    loop {
        let token = lexer.next(Mode::File)?;
        if token.is_mark(")") {
            return Ok(read);
        }
        if !token.is_name() {
            return Err(lexer.unexpected(&token, "a pattern of sections or ')'"));
        }
        if !lexer.accept(Mode::File, "(")? {
            check(lexer, &token)?;
            read.sections.push(Glob::new(token.text));
        } else if token.is_word("EXCLUDE_FILE") {
            while !lexer.accept(Mode::File, ")")? {
                let excluded = lexer.expect_name(Mode::File, "a pattern of files")?;
                check(lexer, &excluded)?;
                read.excluded.push(FilePattern::new(excluded.text));
            }
        } else {
            let keyword = String::from_utf8_lossy(token.text);
            let text = format!("{keyword}() is not supported in a section ordering file");
            return Err(lexer.error_at(token.line, text));
        }
    }
}

/// Refuses a `[` without a `]`, unless the pattern is quoted.
fn check(lexer: &Lexer<'_>, pattern: &Token<'_>) -> Result<()> {
    match Glob::fault(pattern.text).filter(|_| pattern.kind != Kind::Quoted) {
        Some(fault) => Err(lexer.error_at(pattern.line, fault)),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(archive: Option<&str>, name: &str) -> FileName {
        FileName { archive: archive.map(|a| a.into()), name: name.into() }
    }

    #[test]
    fn lists_of_gold() {
        let SectionList::Patterns(set) =
            SectionList::parse("f", b"  .text.b*\n\n.text.?\n.text.bb\n").expect("a list")
        else {
            panic!("no braces");
        };
        assert_eq!(set.get(b".text.b"), Some(0));
        assert_eq!(set.get(b".text.c"), Some(1));
        assert_eq!(set.get(b".text.bb"), Some(2));
        assert_eq!(set.get(b".data"), None);
    }

    #[test]
    fn statements_of_ld() {
        let text = b".text : { *(.text.a .text.b*) ; x.o(.text.c) KEEP(*l.a:y.o(.k)) }\n\
            /* data */ .data: { *(EXCLUDE_FILE(z.o *l.a:) .data.*) };";
        let SectionList::Statements(list) = SectionList::parse("f", text).expect("statements")
        else {
            panic!("braces");
        };
        assert_eq!(list.len(), 4);
        assert!(list[0].matches(&file(None, "any.o"), b".text.bx"));
        assert!(list[1].matches(&file(Some("l.a"), "x.o"), b".text.c"));
        assert!(!list[1].matches(&file(None, "y.o"), b".text.c"));
        assert!(list[2].matches(&file(Some("dir/l.a"), "y.o"), b".k"));
        assert!(!list[2].matches(&file(None, "y.o"), b".k"));
        assert_eq!(list[3].output, b".data");
        assert!(list[3].matches(&file(None, "x.o"), b".data.x"));
        assert!(!list[3].matches(&file(None, "z.o"), b".data.x"));
        assert!(!list[3].matches(&file(Some("l.a"), "x.o"), b".data.x"));
    }

    #[test]
    fn what_is_no_statement_is_an_error() {
        let bad = ["{", ".text {}", ".text : {", ".text : { *(SORT(.a)) }", ".text : { . = 4; }"];
        for text in bad {
            assert!(SectionList::parse("f", text.as_bytes()).is_err(), "{text}");
        }
    }
}
