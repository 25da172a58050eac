//! Parses an output section of `SECTIONS`, with its body.

use super::super::statements::{BodyStatement, Constraint, Fill, OutputStatement, SectionKind};
use super::condition::condition;
use super::{Including, Simple, inputs, place, simple};
use object::elf::*;
use skald_core::diag::Result;
use skald_linking::expr::Expr;
use skald_linking::lexer::{Kind, Lexer, Mode, Token};

/// An output section: name, attributes, body, and what follows the brace.
pub fn output(lexer: &mut Lexer<'_>, including: Including<'_>) -> Result<OutputStatement> {
    let name = lexer.expect_name(Mode::Section, "name of an output section")?;
    let mut output = OutputStatement::new(name.text.to_vec(), place(lexer, name.line));
    before_colon(lexer, &mut output)?;
    lexer.expect(Mode::Expression, ":")?;
    attributes(lexer, &mut output)?;
    lexer.expect(Mode::Expression, "{")?;
    body(lexer, including, &mut output.body)?;
    lexer.expect(Mode::File, "}")?;
    behind_brace(lexer, &mut output)?;
    Ok(output)
}

/// The address, and the keywords in parentheses behind it.
fn before_colon(lexer: &mut Lexer<'_>, output: &mut OutputStatement) -> Result<()> {
    if lexer.peek(Mode::Expression)?.is_mark(":") {
        return Ok(());
    }
    if !is_type_next(lexer)? {
        output.address = Some(Expr::parse(lexer)?);
        if !is_type_next(lexer)? {
            return Ok(());
        }
    }
    lexer.expect(Mode::Expression, "(")?;
    let word = lexer.next(Mode::Expression)?;
    match word.text {
        b"NOLOAD" => output.kind = SectionKind::NoLoad,
        b"DSECT" | b"COPY" | b"INFO" | b"OVERLAY" => output.kind = SectionKind::Unallocated,
        b"READONLY" => {
            output.kind = SectionKind::ReadOnly;
            if lexer.accept(Mode::Expression, "(")? {
                let word = lexer.next(Mode::Expression)?;
                if !word.is_word("TYPE") {
                    return Err(lexer.unexpected(&word, "'TYPE'"));
                }
                output.sh_type = Some(section_type(lexer)?);
                lexer.expect(Mode::Expression, ")")?;
            }
        }
        b"TYPE" => output.sh_type = Some(section_type(lexer)?),
        _ => return Err(lexer.unexpected(&word, "type of section")),
    }
    lexer.expect(Mode::Expression, ")")
}

/// What stands behind `TYPE`: the name of a type or a number.
fn section_type(lexer: &mut Lexer<'_>) -> Result<u32> {
    lexer.expect(Mode::Expression, "=")?;
    let word = lexer.peek(Mode::Expression)?;
    let named = NAMED_TYPES.iter().find(|(name, _)| word.is_word(name));
    if let Some(&(_, sh_type)) = named {
        lexer.next(Mode::Expression)?;
        return Ok(sh_type);
    }
    let value = Expr::parse(lexer)?.constant().and_then(|value| u32::try_from(value).ok());
    value.ok_or_else(|| {
        let text = String::from_utf8_lossy(word.text);
        lexer.error_at(word.line, format_args!("{text} is no type of section"))
    })
}

/// Types of sections that scripts know by name.
const NAMED_TYPES: &[(&str, u32)] = &[
    ("SHT_PROGBITS", SHT_PROGBITS),
    ("SHT_STRTAB", SHT_STRTAB),
    ("SHT_NOTE", SHT_NOTE),
    ("SHT_NOBITS", SHT_NOBITS),
    ("SHT_INIT_ARRAY", SHT_INIT_ARRAY),
    ("SHT_FINI_ARRAY", SHT_FINI_ARRAY),
    ("SHT_PREINIT_ARRAY", SHT_PREINIT_ARRAY),
];

fn is_type_next(lexer: &Lexer<'_>) -> Result<bool> {
    let mut ahead = *lexer;
    if !ahead.accept(Mode::Expression, "(")? {
        return Ok(false);
    }
    Ok(skald_linking::expr::is_section_type(ahead.next(Mode::Expression)?.text))
}

fn attributes(lexer: &mut Lexer<'_>, output: &mut OutputStatement) -> Result<()> {
    loop {
        let word = lexer.peek(Mode::Expression)?;
        if word.is_mark("{") {
            return Ok(());
        }
        lexer.next(Mode::Expression)?;
        match word.text {
            b"AT" => output.load_address = Some(in_parentheses(lexer)?),
            b"ALIGN" => output.align = Some(in_parentheses(lexer)?),
            b"SUBALIGN" => output.subalign = Some(in_parentheses(lexer)?),
            b"ALIGN_WITH_INPUT" => output.aligns_with_input = true,
            b"ONLY_IF" => output.only_if = condition(lexer)?,
            b"ONLY_IF_RO" => output.constraint = Some(Constraint::OnlyIfReadOnly),
            b"ONLY_IF_RW" => output.constraint = Some(Constraint::OnlyIfWritable),
            // This marks sections that GNU ld moves or drops on PowerPC and Alpha.
            b"SPECIAL" => {}
            _ => return Err(lexer.unexpected(&word, "attribute of an output section or '{'")),
        }
    }
}

pub(super) fn in_parentheses(lexer: &mut Lexer<'_>) -> Result<Expr> {
    lexer.expect(Mode::Expression, "(")?;
    let expr = Expr::parse(lexer)?;
    lexer.expect(Mode::Expression, ")")?;
    Ok(expr)
}

/// Memory regions, segments and fill.
pub(super) fn behind_brace(lexer: &mut Lexer<'_>, output: &mut OutputStatement) -> Result<()> {
    loop {
        let mut ahead = *lexer;
        let mark = ahead.next(Mode::Expression)?;
        if mark.is_mark(">") {
            *lexer = ahead;
            output.region = Some(region(lexer)?);
        } else if mark.is_word("AT") && ahead.accept(Mode::Expression, ">")? {
            if output.load_address.is_some() {
                let text = "section has both a load address and a load region";
                return Err(lexer.error_at(mark.line, text));
            }
            *lexer = ahead;
            output.load_region = Some(region(lexer)?);
        } else if mark.is_mark(":") {
            *lexer = ahead;
            let segment = lexer.expect_name(Mode::Symbol, "name of a program header")?;
            output.segments.push(segment.text.to_vec());
        } else if mark.is_mark("=") {
            *lexer = ahead;
            output.fill = Some(fill(lexer)?);
            lexer.accept(Mode::Expression, ",")?;
            return Ok(());
        } else {
            lexer.accept(Mode::Expression, ",")?;
            return Ok(());
        }
    }
}

fn region(lexer: &mut Lexer<'_>) -> Result<Vec<u8>> {
    Ok(lexer.expect_name(Mode::Symbol, "name of a memory region")?.text.to_vec())
}

/// A fill value: a hexadecimal number gives one byte for each two digits, possibly more than an
/// expression can hold; an expression gives four bytes.
fn fill(lexer: &mut Lexer<'_>) -> Result<Fill> {
    let token = lexer.peek(Mode::Expression)?;
    let digits = token.text.strip_prefix(b"0x").or_else(|| token.text.strip_prefix(b"0X"));
    let is_hexadecimal = |digits: &&[u8]| digits.iter().all(u8::is_ascii_hexdigit);
    let digits = digits.filter(|_| token.kind == Kind::Word).filter(is_hexadecimal);
    if let Some(digits) = digits.filter(|digits| digits.len() > 16) {
        lexer.next(Mode::Expression)?;
        return Ok(Fill::Bytes(bytes_of(digits)));
    }
    let expr = Expr::parse(lexer)?;
    if let Some(digits) = digits.filter(|_| expr.as_number().is_some()) {
        return Ok(Fill::Bytes(bytes_of(digits)));
    }
    match expr.constant() {
        Some(value) => Ok(Fill::Value(value as u32)),
        None => Err(lexer.error_at(token.line, "a value that fills gaps has to be a number")),
    }
}

/// The bytes of hexadecimal digits, two for each byte; if their number is odd, the first digit is a
/// byte.
fn bytes_of(digits: &[u8]) -> Vec<u8> {
    let value = |&digit: &u8| char::from(digit).to_digit(16).unwrap_or(0) as u8;
    let (odd, pairs) = digits.split_at(digits.len() % 2);
    let pairs = pairs.as_chunks::<2>().0;
    odd.iter().map(value).chain(pairs.iter().map(|[a, b]| value(a) << 4 | value(b))).collect()
}

pub(super) fn body(
    lexer: &mut Lexer<'_>,
    including: Including<'_>,
    into: &mut Vec<BodyStatement>,
) -> Result<()> {
    loop {
        let first = lexer.peek(Mode::File)?;
        if first.kind == Kind::End && including.depth > 0 || first.is_mark("}") {
            return Ok(());
        }
        if first.is_mark(";") || first.is_mark(",") {
            lexer.next(Mode::File)?;
            continue;
        }
        if let Some(simple) = simple(lexer)? {
            into.push(match simple {
                Simple::Assign(assign) => BodyStatement::Assign(assign),
                Simple::Assert(assertion) => BodyStatement::Assert(assertion),
            });
            continue;
        }
        if !first.is_name() {
            return Err(lexer.unexpected(&first, "input sections, assignment or '}'"));
        }
        if let Some(statement) = keyword(lexer, including, &first, into)? {
            into.extend(statement);
            continue;
        }
        into.push(inputs::inputs_or_class(lexer)?);
    }
}

/// Parses a statement that begins with a keyword; `None` if `word` is none. Some statements have no
/// effect in ELF outputs.
fn keyword(
    lexer: &mut Lexer<'_>,
    including: Including<'_>,
    first: &Token<'_>,
    into: &mut Vec<BodyStatement>,
) -> Result<Option<Option<BodyStatement>>> {
    if first.kind != Kind::Word {
        return Ok(None);
    }
    let width = match first.text {
        b"BYTE" => 1,
        b"SHORT" => 2,
        b"LONG" => 4,
        b"QUAD" | b"SQUAD" => 8,
        b"FILL" | b"ASCIZ" | b"INCLUDE" => 0,
        // For `a.out`: GNU ld ignores these in ELF outputs.
        b"CONSTRUCTORS" | b"CREATE_OBJECT_SYMBOLS" => 0,
        // The linker's version is in a `.comment` section like those of compilers, and is placed
        // with them.
        b"LINKER_VERSION" => 0,
        _ => return Ok(None),
    };
    lexer.next(Mode::File)?;
    if width != 0 {
        let expr = in_parentheses(lexer)?;
        return Ok(Some(Some(BodyStatement::Number { width, expr })));
    }
    Ok(Some(match first.text {
        b"FILL" => {
            lexer.expect(Mode::Expression, "(")?;
            let fill = fill(lexer)?;
            lexer.expect(Mode::Expression, ")")?;
            Some(BodyStatement::Fill(fill))
        }
        b"ASCIZ" => {
            let text = lexer.next(Mode::File)?;
            if text.kind != Kind::Quoted {
                return Err(lexer.unexpected(&text, "quoted text"));
            }
            Some(BodyStatement::Text([text.text, b"\0"].concat()))
        }
        b"INCLUDE" => {
            including.included(lexer, |lexer, including| body(lexer, including, into))?;
            None
        }
        _ => None,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fills_have_the_length_of_their_digits() {
        let read = |text: &str| fill(&mut Lexer::new("f", text.as_bytes())).unwrap();
        assert_eq!(read("0x9090"), Fill::Bytes(vec![0x90, 0x90]));
        assert_eq!(read("0x123"), Fill::Bytes(vec![0x1, 0x23]));
        let long = read("0x000102030405060708090a0b0c0d0e0f10");
        assert_eq!(long, Fill::Bytes((0..=0x10).collect()));
        assert_eq!(read("0x90+1"), Fill::Value(0x91));
        assert_eq!(read("144"), Fill::Value(144));
        let refused = fill(&mut Lexer::new("f", b"0x90 + symbol")).expect_err("not known yet");
        assert_eq!(refused.0, "f:1: a value that fills gaps has to be a number");
    }
}
