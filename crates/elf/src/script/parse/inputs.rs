//! Parses statements of input sections: `KEEP`, file patterns, section patterns.

use super::super::statements::{
    ArchivePattern, BodyStatement, ClassReference, FileName, FilePattern, InputStatement,
    OTHER_TURN, SectionPattern, Sort,
};
use super::place;
use object::elf::*;
use skald_core::diag::Result;
use skald_linking::lexer::{Kind, Lexer, Mode, Token};

/// How many keywords may be nested around a pattern.
const MAX_NESTING: usize = 8;

/// Parses a statement of input sections, or a reference to a class of them.
pub fn inputs_or_class(lexer: &mut Lexer<'_>) -> Result<BodyStatement> {
    let mut ahead = *lexer;
    if let Some(reference) = class_reference(&mut ahead)? {
        *lexer = ahead;
        return Ok(BodyStatement::Class(Box::new(reference)));
    }
    Ok(BodyStatement::Inputs(Box::new(inputs(lexer)?)))
}

/// `CLASS(name)`, with what may stand around it; `None` if something else comes next.
fn class_reference(lexer: &mut Lexer<'_>) -> Result<Option<ClassReference>> {
    let first = lexer.peek(Mode::File)?;
    let keep = is_call(lexer, &first, "KEEP")?;
    if keep {
        lexer.next(Mode::File)?;
        lexer.expect(Mode::File, "(")?;
    }
    let word = lexer.peek(Mode::File)?;
    let flags = if is_call(lexer, &word, "INPUT_SECTION_FLAGS")? {
        lexer.next(Mode::File)?;
        flags(lexer)?
    } else {
        (0, 0)
    };
    let Some(name) = class_name(lexer)? else { return Ok(None) };
    if keep {
        lexer.expect(Mode::File, ")")?;
    }
    Ok(Some(ClassReference { name, place: place(lexer, first.line), keep, flags }))
}

/// `CLASS(name)`, if that comes next.
pub fn class_name(lexer: &mut Lexer<'_>) -> Result<Option<Vec<u8>>> {
    let word = lexer.peek(Mode::File)?;
    if !is_call(lexer, &word, "CLASS")? {
        return Ok(None);
    }
    lexer.next(Mode::File)?;
    lexer.expect(Mode::File, "(")?;
    let name = lexer.expect_name(Mode::File, "name of a class of sections")?.text.to_vec();
    lexer.expect(Mode::File, ")")?;
    Ok(Some(name))
}

/// Parses a statement of input sections.
pub fn inputs(lexer: &mut Lexer<'_>) -> Result<InputStatement> {
    let first = lexer.peek(Mode::File)?;
    let keep = is_call(lexer, &first, "KEEP")?;
    if keep {
        lexer.next(Mode::File)?;
        lexer.expect(Mode::File, "(")?;
    }
    let mut statement = InputStatement {
        place: place(lexer, first.line),
        file: FilePattern::default(),
        keep,
        sections: Vec::new(),
        with_flags: 0,
        without_flags: 0,
        turn: OTHER_TURN,
        class: None,
    };
    let word = lexer.peek(Mode::File)?;
    if is_call(lexer, &word, "INPUT_SECTION_FLAGS")? {
        lexer.next(Mode::File)?;
        (statement.with_flags, statement.without_flags) = flags(lexer)?;
    }
    statement.file = file(lexer)?;
    if lexer.accept(Mode::File, "(")? {
        sections(lexer, &mut statement.sections)?;
        if statement.sections.is_empty() {
            let end = lexer.next(Mode::File)?;
            return Err(lexer.unexpected(&end, "pattern of section names"));
        }
        lexer.expect(Mode::File, ")")?;
    }
    if keep {
        lexer.expect(Mode::File, ")")?;
    }
    Ok(statement)
}

/// Whether `word`, the next token, is `wanted` and followed by a parenthesis.
fn is_call(lexer: &Lexer<'_>, word: &Token<'_>, wanted: &str) -> Result<bool> {
    let mut ahead = *lexer;
    ahead.next(Mode::File)?;
    Ok(word.is_word(wanted) && ahead.peek(Mode::File)?.is_mark("("))
}

/// `(SHF_A & !SHF_B)`: flags that a section must have, and those that it must not have.
fn flags(lexer: &mut Lexer<'_>) -> Result<(u64, u64)> {
    let (mut with, mut without) = (0, 0);
    lexer.expect(Mode::Expression, "(")?;
    loop {
        let is_negated = lexer.accept(Mode::Expression, "!")?;
        let word = lexer.next(Mode::Expression)?;
        let Some(flag) = flag(word.text) else {
            return Err(lexer.unexpected(&word, "section flag such as SHF_ALLOC"));
        };
        *(if is_negated { &mut without } else { &mut with }) |= flag;
        if lexer.accept(Mode::Expression, ")")? {
            return Ok((with, without));
        }
        lexer.expect(Mode::Expression, "&")?;
    }
}

/// Names of SHF_* values for `INPUT_SECTION_FLAGS`.
pub const FLAGS: [(&str, u32); 12] = [
    ("SHF_WRITE", SHF_WRITE),
    ("SHF_ALLOC", SHF_ALLOC),
    ("SHF_EXECINSTR", SHF_EXECINSTR),
    ("SHF_MERGE", SHF_MERGE),
    ("SHF_STRINGS", SHF_STRINGS),
    ("SHF_INFO_LINK", SHF_INFO_LINK),
    ("SHF_LINK_ORDER", SHF_LINK_ORDER),
    ("SHF_OS_NONCONFORMING", SHF_OS_NONCONFORMING),
    ("SHF_GROUP", SHF_GROUP),
    ("SHF_TLS", SHF_TLS),
    ("SHF_COMPRESSED", SHF_COMPRESSED),
    ("SHF_EXCLUDE", SHF_EXCLUDE),
];

/// The flag of this name, or of a number.
pub(super) fn flag(word: &[u8]) -> Option<u64> {
    let named = FLAGS.iter().find(|(name, _)| name.as_bytes() == word);
    let named = named.map(|&(_, flag)| u64::from(flag));
    let text = || str::from_utf8(word).ok();
    named.or_else(|| u64::from_str_radix(text()?.strip_prefix("0x")?, 16).ok())
}

/// `pattern`, `SORT_BY_NAME(pattern)` or `EXCLUDE_FILE(...) pattern`.
fn file(lexer: &mut Lexer<'_>) -> Result<FilePattern> {
    let mut pattern = FilePattern::default();
    let word = lexer.peek(Mode::File)?;
    let is_sorted = is_call(lexer, &word, "SORT")? || is_call(lexer, &word, "SORT_BY_NAME")?;
    let is_unsorted = is_call(lexer, &word, "SORT_NONE")?;
    if is_sorted || is_unsorted {
        lexer.next(Mode::File)?;
        lexer.expect(Mode::File, "(")?;
        pattern.is_sorted = is_sorted;
    }
    pattern.excluded = excluded(lexer)?;
    let name = lexer.expect_name(Mode::File, "pattern of file names")?;
    let FileName { name, archive } = file_name(name.text);
    // In a statement a wildcard is for files and members; `EXCLUDE_FILE` takes archives by it too.
    let is_wild = memchr::memchr3(b'*', b'?', b'[', &name).is_some();
    let archive = match archive {
        ArchivePattern::Any if is_wild => ArchivePattern::Unasked,
        archive => archive,
    };
    (pattern.name, pattern.archive) = (name.into(), archive);
    if is_sorted || is_unsorted {
        lexer.expect(Mode::File, ")")?;
    }
    Ok(pattern)
}

/// `file`, `archive:file`, `archive:` or `:file`.
fn file_name(text: &[u8]) -> FileName {
    let Some(colon) = memchr::memchr(b':', text) else {
        return FileName { name: text.to_vec(), archive: ArchivePattern::Any };
    };
    let (archive, member) = (&text[..colon], &text[colon + 1..]);
    let archive = match archive {
        b"" => ArchivePattern::None,
        archive => ArchivePattern::Named(archive.to_vec()),
    };
    let name = if member.is_empty() { b"*".to_vec() } else { member.to_vec() };
    FileName { name, archive }
}

/// `EXCLUDE_FILE(names)`, if that comes next.
fn excluded(lexer: &mut Lexer<'_>) -> Result<Vec<FileName>> {
    let word = lexer.peek(Mode::File)?;
    let mut names = Vec::new();
    if !is_call(lexer, &word, "EXCLUDE_FILE")? {
        return Ok(names);
    }
    lexer.next(Mode::File)?;
    lexer.expect(Mode::File, "(")?;
    while !lexer.accept(Mode::File, ")")? {
        if !lexer.accept(Mode::File, ",")? {
            names.push(file_name(lexer.expect_name(Mode::File, "file name or ')'")?.text));
        }
    }
    Ok(names)
}

/// Patterns of section names, up to the closing parenthesis.
fn sections(lexer: &mut Lexer<'_>, into: &mut Vec<SectionPattern>) -> Result<()> {
    while !lexer.peek(Mode::File)?.is_mark(")") {
        if !lexer.accept(Mode::File, ",")? {
            section(lexer, Vec::new(), &SortKeywords::default(), into, 0)?;
        }
    }
    Ok(())
}

/// The keywords around a section pattern.
#[derive(Clone, Default)]
struct SortKeywords {
    sorts: Vec<Sort>,
    is_reversed: bool,
}

fn section(
    lexer: &mut Lexer<'_>,
    outside: Vec<FileName>,
    around: &SortKeywords,
    into: &mut Vec<SectionPattern>,
    nesting: usize,
) -> Result<()> {
    let mut names = excluded(lexer)?;
    names.extend(outside);
    let word = lexer.next(Mode::File)?;
    let sorts = [
        ("SORT", Sort::Name),
        ("SORT_BY_NAME", Sort::Name),
        ("SORT_BY_ALIGNMENT", Sort::Alignment),
        ("SORT_BY_INIT_PRIORITY", Sort::InitPriority),
        ("SORT_NONE", Sort::None),
        ("REVERSE", Sort::Default),
    ];
    let found = sorts.iter().find(|(name, _)| word.is_word(name));
    if let Some(&(name, sort)) = found
        && lexer.accept(Mode::File, "(")?
    {
        let mut around = around.clone();
        match name {
            "REVERSE" => around.is_reversed = true,
            _ => around.sorts.push(sort),
        }
        if nesting > MAX_NESTING || around.sorts.len() > 2 {
            return Err(lexer.error_at(word.line, "too many sorting words around a pattern"));
        }
        loop {
            section(lexer, names.clone(), &around, into, nesting + 1)?;
            lexer.accept(Mode::File, ",")?;
            if lexer.accept(Mode::File, ")")? {
                return Ok(());
            }
        }
    }
    if !matches!(word.kind, Kind::Word | Kind::Quoted) {
        return Err(lexer.unexpected(&word, "pattern of section names"));
    }
    let sort = |at: usize| around.sorts.get(at).copied().unwrap_or_default();
    into.push(SectionPattern {
        name: word.text.to_vec().into(),
        excluded: names,
        sort: [sort(0), sort(1)],
        is_reversed: around.is_reversed,
    });
    Ok(())
}
