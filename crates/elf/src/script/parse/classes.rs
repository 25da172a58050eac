//! Parses definitions of classes of input sections.

use super::super::statements::ClassStatement;
use super::{inputs, place};
use skald_core::diag::Result;
use skald_linking::lexer::{Lexer, Mode};

/// `CLASS(name) { input sections }`, if that comes next.
pub fn class(lexer: &mut Lexer<'_>) -> Result<Option<ClassStatement>> {
    let mut ahead = *lexer;
    let first = ahead.peek(Mode::File)?;
    let Some(name) = inputs::class_name(&mut ahead)? else { return Ok(None) };
    if !ahead.accept(Mode::File, "{")? {
        // An output section of this name, with an address.
        return Ok(None);
    }
    *lexer = ahead;
    let mut class = ClassStatement { name, place: place(lexer, first.line), inputs: Vec::new() };
    loop {
        let next = lexer.peek(Mode::File)?;
        if lexer.accept(Mode::File, "}")? {
            return Ok(Some(class));
        }
        if lexer.accept(Mode::File, ";")? || lexer.accept(Mode::File, ",")? {
            continue;
        }
        if inputs::class_name(&mut lexer.clone())?.is_some() {
            let name = String::from_utf8_lossy(&class.name);
            let text = format!("class {name} cannot refer to another class of sections");
            return Err(lexer.error_at(next.line, text));
        }
        if !next.is_name() {
            return Err(lexer.unexpected(&next, "input sections or '}'"));
        }
        class.inputs.push(inputs::inputs(lexer)?);
    }
}
