//! Parses `ONLY_IF` of an automatic layout, the condition of an output section: `SHF_A & !SHF_B &
//! SHT_C | SHT_D & !LARGE & ALIGN(n)`.

use super::super::statements::{Condition, section_types};
use super::inputs::flag;
use skald_core::diag::Result;
use skald_linking::lexer::{Lexer, Mode, Token};

/// A condition in parentheses.
pub fn condition(lexer: &mut Lexer<'_>) -> Result<Condition> {
    let mut condition = Condition::ANY;
    lexer.expect(Mode::Expression, "(")?;
    loop {
        let is_negated = lexer.accept(Mode::Expression, "!")?;
        let word = lexer.next(Mode::Expression)?;
        if word.is_word("LARGE") {
            condition.is_large = Some(!is_negated);
        } else if word.is_word("ALIGN") && !is_negated {
            condition.least_align = least_align(lexer)?;
        } else if let Some(first) = section_type(&word) {
            let mut types = first;
            while !is_negated && lexer.accept(Mode::Expression, "|")? {
                let word = lexer.next(Mode::Expression)?;
                types |= section_type(&word)
                    .ok_or_else(|| lexer.unexpected(&word, "type of section such as SHT_NOBITS"))?;
            }
            let into = if is_negated { &mut condition.without_types } else { &mut condition.types };
            *into |= types;
        } else if let Some(flag) = flag(word.text) {
            let into =
                if is_negated { &mut condition.without_flags } else { &mut condition.with_flags };
            *into |= flag;
        } else {
            return Err(lexer.unexpected(&word, "SHF_*, SHT_*, LARGE or ALIGN(bytes)"));
        }
        if lexer.accept(Mode::Expression, ")")? {
            return Ok(condition);
        }
        lexer.expect(Mode::Expression, "&")?;
    }
}

fn section_type(word: &Token<'_>) -> Option<u32> {
    let found = section_types::NAMES.iter().find(|(name, _)| name.as_bytes() == word.text);
    found.map(|&(_, bit)| bit)
}

fn least_align(lexer: &mut Lexer<'_>) -> Result<u64> {
    let line = lexer.peek(Mode::Expression)?.line;
    match super::output::in_parentheses(lexer)?.constant() {
        Some(bytes) => Ok(bytes),
        None => Err(lexer.error_at(line, "ALIGN of a condition has to be a number")),
    }
}
