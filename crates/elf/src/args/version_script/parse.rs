//! The syntax of version scripts: text to nodes and their patterns, unchecked across nodes.

use skald_core::diag::Result;
use skald_linking::glob::Glob;
use skald_linking::lexer::{Kind, Lexer, Mode, Token};
use std::sync::Arc;

/// A version node as the script has it.
#[derive(Debug, Clone)]
pub(super) struct ParsedNode {
    /// `None` for the anonymous node.
    pub name: Option<Arc<[u8]>>,
    /// Names of the nodes that it inherits from, with their lines.
    pub parents: Vec<(Vec<u8>, u32)>,
    /// Its patterns, in order.
    pub patterns: Vec<SymbolPattern>,
    /// Path of the script.
    pub origin: Arc<str>,
    /// Line where the node starts, from 1.
    pub line: u32,
}

/// A pattern of a `{ ... }` block of a version script or dynamic list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SymbolPattern {
    /// The pattern, or the name if it has no wildcard.
    pub text: Arc<[u8]>,
    /// The pattern matches only the name `text`.
    pub exact: bool,
    /// The pattern stands in `extern "C++"`.
    pub cxx: bool,
    /// The pattern stands under `local:`.
    pub local: bool,
    /// Line of the pattern, from 1.
    pub line: u32,
}

/// Whether a `VERSION {` that starts here is the command, and not a node of that name: then a node
/// follows the brace. Leaves the lexer behind the brace.
pub(super) fn is_version_command(lexer: &mut Lexer<'_>) -> Result<bool> {
    if !lexer.next(Mode::Pattern)?.is_word("VERSION") || !lexer.accept(Mode::Pattern, "{")? {
        return Ok(false);
    }
    let mut ahead = *lexer;
    let first = ahead.next(Mode::Pattern)?;
    Ok(first.is_mark("{") || first.kind == Kind::Word && ahead.peek(Mode::Pattern)?.is_mark("{"))
}

pub(super) fn parse_node(lexer: &mut Lexer<'_>, origin: &Arc<str>) -> Result<ParsedNode> {
    let first = lexer.next(Mode::Pattern)?;
    let name = match first.kind {
        Kind::Word => {
            lexer.expect(Mode::Pattern, "{")?;
            Some(first.text.into())
        }
        _ if first.is_mark("{") => None,
        _ => return Err(lexer.unexpected(&first, "version node")),
    };
    let patterns = parse_block(lexer)?;
    let mut parents = Vec::new();
    loop {
        let token = lexer.next(Mode::Pattern)?;
        match token.kind {
            _ if token.is_mark(";") => break,
            Kind::Word if name.is_some() => parents.push((token.text.to_vec(), token.line)),
            _ => return Err(lexer.unexpected(&token, "';'")),
        }
    }
    Ok(ParsedNode { name, parents, patterns, origin: origin.clone(), line: first.line })
}

/// Parses patterns up to the `}` that closes the block, whose `{` has been taken. Every item of a
/// block ends in `;`, except for the last name of an `extern` block, as in GNU ld and lld.
pub(crate) fn parse_block(lexer: &mut Lexer<'_>) -> Result<Vec<SymbolPattern>> {
    // Where there are many nodes, most have one pattern.
    let mut patterns = Vec::with_capacity(1);
    let mut local = false;
    // Whether each open `extern` block is C++. This is a list, because blocks may be nested as deep
    // as the file is long.
    let mut languages: Vec<bool> = Vec::new();
    loop {
        let token = lexer.next(Mode::Pattern)?;
        if token.is_mark("}") {
            if languages.pop().is_none() {
                return Ok(patterns);
            }
            lexer.expect(Mode::Pattern, ";")?;
            continue;
        }
        if !token.is_name() {
            return Err(lexer.unexpected(&token, "symbol name or '}'"));
        }
        if let Some(label) = parse_label(lexer, &token)? {
            if !languages.is_empty() {
                return Err(lexer.unexpected(&token, "symbol name in extern block"));
            }
            local = label;
            continue;
        }
        if token.is_word("extern") && lexer.peek(Mode::Pattern)?.kind == Kind::Quoted {
            languages.push(parse_language(lexer)?);
            lexer.expect(Mode::Pattern, "{")?;
            continue;
        }
        let cxx = languages.last() == Some(&true);
        // C++ names have brackets of their own: `operator[]*` is accepted, as by GNU ld.
        let is_checked = token.kind != Kind::Quoted && !cxx;
        if let Some(fault) = is_checked.then(|| Glob::fault(token.text)).flatten() {
            return Err(lexer.error_at(token.line, fault));
        }
        patterns.push(symbol_pattern(&token, cxx, local));
        let mut ahead = *lexer;
        let after = ahead.next(Mode::Pattern)?;
        if after.is_mark(";") {
            *lexer = ahead;
        } else if languages.is_empty() || !after.is_mark("}") {
            return Err(lexer.unexpected(&after, &format!("';' after {}", token.describe())));
        }
    }
}

/// `Some(true)` for `local:`, `Some(false)` for `global:`. Without the colon both words are names.
fn parse_label(lexer: &mut Lexer<'_>, token: &Token<'_>) -> Result<Option<bool>> {
    let local = token.is_word("local");
    if !local && !token.is_word("global") {
        return Ok(None);
    }
    Ok(lexer.accept(Mode::Pattern, ":")?.then_some(local))
}

/// Takes the language of an `extern` block and returns whether it is C++.
fn parse_language(lexer: &mut Lexer<'_>) -> Result<bool> {
    let language = lexer.next(Mode::Pattern)?;
    match language.text {
        b"C" => Ok(false),
        b"C++" => Ok(true),
        _ => {
            let text = format_args!("unknown language {} in extern block", language.describe());
            Err(lexer.error_at(language.line, text))
        }
    }
}

fn symbol_pattern(token: &Token<'_>, cxx: bool, local: bool) -> SymbolPattern {
    let literal = if token.kind == Kind::Quoted || Glob::is_plain(token.text) {
        Some(token.text.into())
    } else {
        Glob::new(token.text).as_literal().map(Arc::from)
    };
    SymbolPattern {
        exact: literal.is_some(),
        text: literal.unwrap_or_else(|| token.text.into()),
        cxx,
        local,
        line: token.line,
    }
}
