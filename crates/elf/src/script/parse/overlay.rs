//! Parses `OVERLAY`: output sections that share one address at different times.
//!
//! An overlay is expanded to other statements (GNU ld manual, "Overlay Description"). Each section
//! begins at the address of the first, and its load address follows the section before. Two symbols
//! hold the bounds of each load address, and the location counter moves behind the largest section.

use super::super::statements::{Assign, NoCrossReferences, OutputStatement, Statement};
use super::output::{behind_brace, body, in_parentheses};
use super::{Including, place};
use skald_core::diag::{Error, Result};
use skald_linking::expr::Expr;
use skald_linking::lexer::{Lexer, Mode};
use std::sync::Arc;

/// Parses what follows the keyword on `line`.
pub fn overlay(
    lexer: &mut Lexer<'_>,
    including: Including<'_>,
    line: u32,
    into: &mut Vec<Statement>,
) -> Result<()> {
    // Attributes of all sections: address, fill, regions and program headers.
    let mut all = OutputStatement::new(Vec::new(), place(lexer, line));
    if !lexer.peek(Mode::Expression)?.is_mark(":") {
        all.address = Some(Expr::parse(lexer)?);
    }
    lexer.expect(Mode::Expression, ":")?;
    let is_apart = accept_word(lexer, "NOCROSSREFS")?;
    if accept_word(lexer, "AT")? {
        all.load_address = Some(in_parentheses(lexer)?);
    }
    if accept_word(lexer, "SUBALIGN")? {
        all.subalign = Some(in_parentheses(lexer)?);
    }
    lexer.expect(Mode::Expression, "{")?;
    let mut sections: Vec<OutputStatement> = Vec::new();
    while !lexer.accept(Mode::Section, "}")? {
        let name = lexer.expect_name(Mode::Section, "name of an output section or '}'")?;
        let mut section = OutputStatement::new(name.text.to_vec(), place(lexer, name.line));
        section.is_overlay = true;
        lexer.expect(Mode::Expression, "{")?;
        body(lexer, including, &mut section.body)?;
        lexer.expect(Mode::File, "}")?;
        behind_brace(lexer, &mut section)?;
        sections.push(section);
    }
    behind_brace(lexer, &mut all)?;
    if is_apart {
        into.push(Statement::NoCrossReferences(NoCrossReferences {
            sections: sections.iter().map(|section| section.name.clone()).collect(),
            only_to_first: false,
        }));
    }
    stacked(all, sections, into)
}

/// The statements of the sections; `all` has the attributes that they share.
fn stacked(
    mut all: OutputStatement,
    sections: Vec<OutputStatement>,
    into: &mut Vec<Statement>,
) -> Result<()> {
    let quoted = |section: &OutputStatement| match str::from_utf8(&section.name) {
        Ok(name) => Ok(format!("\"{name}\"")),
        Err(_) => Err(Error(format!("{}: name of a section is no text", section.place))),
    };
    let names = sections.iter().map(quoted).collect::<Result<Vec<String>>>()?;
    let Some(first) = names.first() else {
        into.extend(all.address.map(moved_to));
        return Ok(());
    };
    for (at, mut section) in sections.into_iter().enumerate() {
        if let Some(before) = at.checked_sub(1) {
            section.address = Some(expr(&format!("ADDR({first})"))?);
            section.load_address = Some(expr(&load_end(&names[before]))?);
        } else {
            section.address = all.address.take();
            section.load_address = all.load_address.take();
        }
        section.load_region = section.load_region.or_else(|| all.load_region.clone());
        section.subalign.clone_from(&all.subalign);
        section.region = section.region.or_else(|| all.region.clone());
        section.fill = section.fill.or_else(|| all.fill.clone());
        if section.segments.is_empty() {
            section.segments.clone_from(&all.segments);
        }
        let (start, end) = (format!("LOADADDR({})", names[at]), load_end(&names[at]));
        let bounds = [
            bound(b"__load_start_", &section.name, expr(&start)?),
            bound(b"__load_stop_", &section.name, expr(&end)?),
        ];
        into.push(Statement::Output(Arc::new(section)));
        into.extend(bounds);
    }
    into.push(moved_to(expr(&format!("ADDR({first}) + {}", largest(&names)))?));
    Ok(())
}

/// Parses this text as an expression. From the script it contains only quoted names of sections.
fn expr(text: &str) -> Result<Expr> {
    Expr::parse(&mut Lexer::new("OVERLAY", text.as_bytes()))
}

/// An expression for the size of the largest section, of at least one. Each operand has half of the
/// sections, because expressions have a limit on nesting.
fn largest(names: &[String]) -> String {
    match names {
        [name] => format!("SIZEOF({name})"),
        _ => {
            let (some, others) = names.split_at(names.len() / 2);
            format!("MAX({}, {})", largest(some), largest(others))
        }
    }
}

/// An expression for the end of a section's load address.
fn load_end(name: &str) -> String {
    format!("LOADADDR({name}) + SIZEOF({name})")
}

/// The symbol of a section, named after the section without characters that a C identifier cannot
/// have.
fn bound(prefix: &[u8], section: &[u8], expr: Expr) -> Statement {
    let is_in_identifiers = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'_';
    let name = prefix.iter().chain(section.iter().filter(is_in_identifiers)).copied().collect();
    Statement::Assign(Assign { name, expr, provide: true, hidden: false, ends_overlay: false })
}

/// Moves the location counter.
fn moved_to(expr: Expr) -> Statement {
    Statement::Assign(Assign {
        name: b".".to_vec(),
        expr,
        provide: false,
        hidden: false,
        ends_overlay: true,
    })
}

/// Consumes `word` if it comes next.
fn accept_word(lexer: &mut Lexer<'_>, word: &str) -> Result<bool> {
    let is_next = lexer.peek(Mode::Expression)?.is_word(word);
    if is_next {
        lexer.next(Mode::Expression)?;
    }
    Ok(is_next)
}
