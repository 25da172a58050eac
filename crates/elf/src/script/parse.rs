//! Parses the text of `SECTIONS` into statements.

mod classes;
mod condition;
mod inputs;
mod memory;
mod output;
mod overlay;

pub use inputs::FLAGS;
pub use memory::{memory, no_cross_references, program_headers, region_alias};

use super::statements::{Assertion, Assign, Place, Statement};
use crate::script::text_script::{assigned, assignment, provided};
use skald_core::diag::Result;
use skald_linking::lexer::{Kind, Lexer, Mode};
use std::sync::Arc;

/// How deep `INCLUDE` may be nested.
const MAX_DEPTH: usize = 10;

/// Finds the file of an `INCLUDE`: returns its name for messages, and its text.
pub type Includer<'a> = &'a dyn Fn(&[u8]) -> Result<(String, &'static [u8])>;

/// How a parser handles `INCLUDE`.
#[derive(Clone, Copy)]
pub struct Including<'a> {
    /// Finds included files.
    pub include: Includer<'a>,
    /// Nesting depth of this text: 0 for a script, 1 for a file that it includes.
    pub depth: usize,
}

impl Including<'_> {
    /// Parses the file named by `INCLUDE`, whose keyword has been consumed.
    fn included(
        &self,
        lexer: &mut Lexer<'_>,
        parse: impl FnOnce(&mut Lexer<'_>, Self) -> Result<()>,
    ) -> Result<()> {
        let name = lexer.expect_name(Mode::File, "file name")?;
        let line = name.line;
        if self.depth >= MAX_DEPTH {
            return Err(lexer.error_at(line, "scripts include each other too deeply"));
        }
        let placed = |error: skald_core::diag::Error| lexer.error_at(line, error.0);
        let (origin, text) = (self.include)(name.text).map_err(placed)?;
        parse(&mut Lexer::new(&origin, text), Including { depth: self.depth + 1, ..*self })
    }
}

fn place(lexer: &Lexer<'_>, line: u32) -> Place {
    Place { script: lexer.origin().into(), line }
}

/// The statements of `SECTIONS`, up to the closing brace; those of an included file, up to its end.
///
/// # Errors
/// Syntax, with file and line.
pub fn sections(lexer: &mut Lexer<'_>, including: Including<'_>) -> Result<Vec<Statement>> {
    let mut statements = Vec::new();
    sections_into(lexer, including, &mut statements)?;
    Ok(statements)
}

fn sections_into(
    lexer: &mut Lexer<'_>,
    including: Including<'_>,
    into: &mut Vec<Statement>,
) -> Result<()> {
    loop {
        let first = lexer.peek(Mode::Section)?;
        if first.kind == Kind::End && including.depth > 0 || first.is_mark("}") {
            return Ok(());
        }
        if first.is_mark(";") || first.is_mark(",") {
            lexer.next(Mode::Section)?;
            continue;
        }
        if let Some(simple) = simple(lexer)? {
            into.push(match simple {
                Simple::Assign(assign) => Statement::Assign(assign),
                Simple::Assert(assertion) => Statement::Assert(assertion),
            });
            continue;
        }
        if first.is_word("INCLUDE") {
            lexer.next(Mode::Section)?;
            including.included(lexer, |lexer, including| sections_into(lexer, including, into))?;
            continue;
        }
        if first.is_word("ENTRY") {
            lexer.next(Mode::Section)?;
            lexer.expect(Mode::File, "(")?;
            let name = lexer.expect_name(Mode::File, "symbol name")?.text.to_vec();
            lexer.expect(Mode::File, ")")?;
            into.push(Statement::Entry(name));
            continue;
        }
        if first.is_word("OVERLAY") {
            lexer.next(Mode::Section)?;
            overlay::overlay(lexer, including, first.line, into)?;
            continue;
        }
        if let Some(class) = classes::class(lexer)? {
            into.push(Statement::Class(Arc::new(class)));
            continue;
        }
        if !first.is_name() || first.text.is_empty() {
            return Err(lexer.unexpected(&first, "output section, assignment or '}'"));
        }
        into.push(Statement::Output(Arc::new(output::output(lexer, including)?)));
    }
}

/// Statements that may stand both in `SECTIONS` and in an output section.
enum Simple {
    Assign(Assign),
    Assert(Assertion),
}

/// Parses an assignment or assertion with the `;` or `,` behind it, if one comes next.
fn simple(lexer: &mut Lexer<'_>) -> Result<Option<Simple>> {
    let first = lexer.peek(Mode::Expression)?;
    if first.is_word("ASSERT") {
        lexer.next(Mode::Expression)?;
        let assertion = assertion(lexer, first.line)?;
        return Ok(Some(Simple::Assert(assertion)));
    }
    let forms = [("PROVIDE", true, false), ("HIDDEN", false, true), ("PROVIDE_HIDDEN", true, true)];
    if let Some(&(_, provide, hidden)) = forms.iter().find(|form| first.is_word(form.0)) {
        lexer.next(Mode::Expression)?;
        lexer.expect(Mode::Expression, "(")?;
        let (name, expr) = provided(lexer)?;
        lexer.expect(Mode::Expression, ")")?;
        lexer.accept(Mode::Expression, ";")?;
        return Ok(Some(Simple::Assign(Assign {
            name,
            expr,
            provide,
            hidden,
            ends_overlay: false,
        })));
    }
    let Some(name) = assigned(lexer)? else { return Ok(None) };
    let (name, expr) = assignment(lexer, &name)?;
    let end = lexer.next(Mode::Expression)?;
    if !end.is_mark(";") && !end.is_mark(",") {
        return Err(lexer.unexpected(&end, "';' after assignment"));
    }
    Ok(Some(Simple::Assign(Assign {
        name,
        expr,
        provide: false,
        hidden: false,
        ends_overlay: false,
    })))
}

/// `(expr, message)` behind `ASSERT`.
fn assertion(lexer: &mut Lexer<'_>, line: u32) -> Result<Assertion> {
    lexer.expect(Mode::Expression, "(")?;
    let expr = skald_linking::expr::Expr::parse(lexer)?;
    lexer.expect(Mode::Expression, ",")?;
    let message = lexer.expect_name(Mode::File, "message")?;
    lexer.expect(Mode::File, ")")?;
    lexer.accept(Mode::File, ";")?;
    Ok(Assertion { expr, message: message.text.to_vec(), place: place(lexer, line) })
}
