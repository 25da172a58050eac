//! Parses `MEMORY`, `REGION_ALIAS`, `PHDRS` and `NOCROSSREFS`.

use super::super::statements::{NoCrossReferences, ProgramHeader, Region, region_flags};
use super::{Including, place};
use object::elf::*;
use skald_core::diag::Result;
use skald_linking::expr::Expr;
use skald_linking::lexer::{Kind, Lexer, Mode, Token};

/// The regions of `MEMORY`, up to the closing brace.
///
/// # Errors
/// Syntax, with file and line.
pub fn memory(lexer: &mut Lexer<'_>, including: Including<'_>) -> Result<Vec<Region>> {
    let mut regions = Vec::new();
    memory_into(lexer, including, &mut regions)?;
    Ok(regions)
}

fn memory_into(
    lexer: &mut Lexer<'_>,
    including: Including<'_>,
    into: &mut Vec<Region>,
) -> Result<()> {
    loop {
        let name = lexer.peek(Mode::Section)?;
        if name.is_mark("}") || name.kind == Kind::End && including.depth > 0 {
            return Ok(());
        }
        lexer.next(Mode::Section)?;
        if name.is_word("INCLUDE") {
            including.included(lexer, |lexer, including| memory_into(lexer, including, into))?;
            continue;
        }
        if name.is_mark(";") || name.is_mark(",") {
            continue;
        }
        if !name.is_name() {
            return Err(lexer.unexpected(&name, "name of a memory region or '}'"));
        }
        let (with_flags, without_flags) =
            if lexer.accept(Mode::Expression, "(")? { attributes(lexer)? } else { (0, 0) };
        lexer.expect(Mode::Expression, ":")?;
        named(lexer, &["ORIGIN", "org", "o"])?;
        let origin = Expr::parse(lexer)?;
        lexer.accept(Mode::Expression, ",")?;
        named(lexer, &["LENGTH", "len", "l"])?;
        let length = Expr::parse(lexer)?;
        into.push(Region {
            names: vec![name.text.to_vec()],
            place: place(lexer, name.line),
            with_flags,
            without_flags,
            origin,
            length,
        });
    }
}

/// Consumes `WORD =`, where the word is any of `words`.
fn named(lexer: &mut Lexer<'_>, words: &[&str]) -> Result<()> {
    let word = lexer.next(Mode::Expression)?;
    if !words.iter().any(|wanted| word.is_word(wanted)) {
        return Err(lexer.unexpected(&word, words[0]));
    }
    lexer.expect(Mode::Expression, "=")
}

/// The attribute letters of a region up to the closing parenthesis: flags of those before and
/// behind a `!`.
fn attributes(lexer: &mut Lexer<'_>) -> Result<(u32, u32)> {
    let (mut flags, mut is_negated) = ([0; 2], false);
    loop {
        let token = lexer.next(Mode::Expression)?;
        if token.is_mark(")") {
            return Ok((flags[0], flags[1]));
        }
        if token.is_mark("!") {
            is_negated = !is_negated;
            continue;
        }
        if token.kind != Kind::Word {
            return Err(lexer.unexpected(&token, "attributes of a memory region"));
        }
        for letter in token.text {
            flags[usize::from(is_negated)] |= match letter.to_ascii_lowercase() {
                b'r' => region_flags::READ_ONLY,
                b'w' => region_flags::WRITE,
                b'x' => region_flags::EXEC,
                b'a' => region_flags::ALLOC,
                b'i' | b'l' => region_flags::LOAD,
                _ => return Err(lexer.unexpected(&token, "attributes of a memory region")),
            };
        }
    }
}

/// `(alias, region)`: both names.
///
/// # Errors
/// Syntax, with file and line.
pub fn region_alias(lexer: &mut Lexer<'_>) -> Result<(Vec<u8>, Vec<u8>)> {
    let alias = lexer.expect_name(Mode::File, "name for a memory region")?.text.to_vec();
    lexer.expect(Mode::File, ",")?;
    let region = lexer.expect_name(Mode::File, "name of a memory region")?.text.to_vec();
    Ok((alias, region))
}

/// The program headers of `PHDRS`, up to the closing brace.
///
/// # Errors
/// Syntax, with file and line.
pub fn program_headers(lexer: &mut Lexer<'_>) -> Result<Vec<ProgramHeader>> {
    let mut headers = Vec::new();
    loop {
        let name = lexer.peek(Mode::Section)?;
        if name.is_mark("}") {
            return Ok(headers);
        }
        lexer.next(Mode::Section)?;
        if !name.is_name() {
            return Err(lexer.unexpected(&name, "name of a program header or '}'"));
        }
        let mut header = ProgramHeader {
            name: name.text.to_vec(),
            place: place(lexer, name.line),
            p_type: segment_type(lexer)?,
            has_file_header: false,
            has_program_headers: false,
            load_address: None,
            flags: None,
        };
        loop {
            let word = lexer.next(Mode::Expression)?;
            match word.text {
                b";" => break,
                b"FILEHDR" => header.has_file_header = true,
                b"PHDRS" => header.has_program_headers = true,
                b"AT" => header.load_address = Some(in_parentheses(lexer)?),
                b"FLAGS" => header.flags = Some(in_parentheses(lexer)?),
                _ => return Err(lexer.unexpected(&word, "attribute of a program header or ';'")),
            }
        }
        headers.push(header);
    }
}

fn in_parentheses(lexer: &mut Lexer<'_>) -> Result<Expr> {
    lexer.expect(Mode::Expression, "(")?;
    let expr = Expr::parse(lexer)?;
    lexer.expect(Mode::Expression, ")")?;
    Ok(expr)
}

fn segment_type(lexer: &mut Lexer<'_>) -> Result<Expr> {
    const TYPES: [(&str, u32); 14] = [
        ("PT_NULL", PT_NULL),
        ("PT_LOAD", PT_LOAD),
        ("PT_DYNAMIC", PT_DYNAMIC),
        ("PT_INTERP", PT_INTERP),
        ("PT_NOTE", PT_NOTE),
        ("PT_SHLIB", PT_SHLIB),
        ("PT_PHDR", PT_PHDR),
        ("PT_TLS", PT_TLS),
        ("PT_GNU_EH_FRAME", PT_GNU_EH_FRAME),
        ("PT_GNU_STACK", PT_GNU_STACK),
        ("PT_GNU_RELRO", PT_GNU_RELRO),
        ("PT_GNU_PROPERTY", 0x6474_e553),
        ("PT_GNU_SFRAME", 0x6474_e554),
        ("PT_OPENBSD_RANDOMIZE", 0x65a3_dbe6),
    ];
    let token: Token<'_> = lexer.peek(Mode::Expression)?;
    match TYPES.iter().find(|(name, _)| token.is_word(name)) {
        Some(&(_, p_type)) => {
            lexer.next(Mode::Expression)?;
            Ok(Expr::number(u64::from(p_type)))
        }
        None => Expr::parse(lexer),
    }
}

/// Names of output sections, up to the closing parenthesis.
///
/// # Errors
/// Syntax, with file and line.
pub fn no_cross_references(
    lexer: &mut Lexer<'_>,
    only_to_first: bool,
) -> Result<NoCrossReferences> {
    let mut sections = Vec::new();
    while !lexer.peek(Mode::File)?.is_mark(")") {
        if !lexer.accept(Mode::File, ",")? {
            let name = lexer.expect_name(Mode::File, "name of an output section or ')'")?;
            sections.push(name.text.to_vec());
        }
    }
    Ok(NoCrossReferences { sections, only_to_first })
}
