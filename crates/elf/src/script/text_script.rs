//! Linker scripts given as inputs: `libc.so` and its like.
//!
//! An input that is neither an object nor an archive is text in ld's script language, mostly a line
//! of `GROUP ( libc.so.6 libc_nonshared.a AS_NEEDED ( ... ) )`. [`looks_like_script`] tells such a
//! text from any other file; [`Script::parse`] turns it into a list of [`Command`]s, which the
//! caller carries out in order. [`super::parse`] parses the commands of the layout (`SECTIONS`,
//! `MEMORY`, `PHDRS` and related ones).
//!
//! Source of the rules: GNU ld manual, "Linker Scripts", and `ldgram.y` where the manual is silent.
//! Where this differs from GNU ld, it follows lld: a comma always separates the names of a list
//! (GNU ld takes `a.o,b.o` for one name), lists may be empty, and blanks around `=` may be missing
//! (`a=1;`). To the left of an assignment `a-b` and `a/b` are names, as in both; elsewhere they are
//! expressions.

mod commands;

pub use commands::{
    Command, PlacedCommand, ScriptInput, ScriptName, ScriptPath, assigned, assignment, provided,
};

use crate::args::version_script::VersionScript;
use crate::script::parse::{self, Includer, Including};
use commands::{
    parse_assert, parse_extern, parse_inputs, parse_output_format, parse_provide,
    parse_search_path, path,
};
use skald_core::diag::{Error, Result};
use skald_linking::lexer::{Kind, Lexer, Mode, Token};
use std::path::Path;

/// A parsed script.
#[derive(Debug, Clone)]
pub struct Script {
    /// The commands in order, each with the line that it starts on, from 1.
    pub commands: Vec<(u32, Command)>,
}

/// The syntax behind the keyword of a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// `WORD ( ... )`
    Call,
    /// `WORD { ... }`
    Block,
    /// `WORD name`
    Operand,
    /// `WORD` alone.
    Bare,
}

#[rustfmt::skip]
const COMMANDS: [(&str, Form); 28] = [
    ("ASSERT", Form::Call),
    ("ENTRY", Form::Call),
    ("EXTERN", Form::Call),
    ("FORCE_COMMON_ALLOCATION", Form::Bare),
    ("FORCE_GROUP_ALLOCATION", Form::Bare),
    ("GROUP", Form::Call),
    ("HIDDEN", Form::Call),
    ("INCLUDE", Form::Operand),
    ("INHIBIT_COMMON_ALLOCATION", Form::Bare),
    ("INPUT", Form::Call),
    ("LD_FEATURE", Form::Call),
    ("OUTPUT", Form::Call),
    ("OUTPUT_ARCH", Form::Call),
    ("OUTPUT_FORMAT", Form::Call),
    ("OVERWRITE_SECTIONS", Form::Block),
    ("PROVIDE", Form::Call),
    ("PROVIDE_HIDDEN", Form::Call),
    ("SEARCH_DIR", Form::Call),
    ("STARTUP", Form::Call),
    ("TARGET", Form::Call),
    ("VERSION", Form::Block),
    ("INSERT", Form::Operand),
    ("MEMORY", Form::Block),
    ("NOCROSSREFS", Form::Call),
    ("NOCROSSREFS_TO", Form::Call),
    ("PHDRS", Form::Block),
    ("REGION_ALIAS", Form::Call),
    ("SECTIONS", Form::Block),
];

/// Whether a file that is no object and no archive is a linker script: it starts with a command or
/// an assignment, comments and blanks aside. A file with nothing but comments and blanks, or an
/// empty one, is a script without commands, as in GNU ld and lld.
pub fn looks_like_script(bytes: &[u8]) -> bool {
    // Text has no zero bytes; this test identifies most binary files at once.
    if memchr::memchr(0, &bytes[..bytes.len().min(256)]).is_some() {
        return false;
    }
    starts_like_script(&mut Lexer::new("", bytes)).unwrap_or(false)
}

fn starts_like_script(lexer: &mut Lexer<'_>) -> Result<bool> {
    while lexer.accept(Mode::Expression, ";")? {}
    if assigned(lexer)?.is_some() {
        return Ok(true);
    }
    let first = lexer.next(Mode::Expression)?;
    if first.kind == Kind::End {
        return Ok(true);
    }
    let form = COMMANDS.iter().find(|command| first.is_word(command.0)).map(|command| command.1);
    // In an expression a path would be parsed as a division.
    let mode = match form {
        Some(Form::Operand) => Mode::File,
        _ => Mode::Expression,
    };
    let next = lexer.peek(mode)?;
    Ok(match form {
        Some(Form::Call) if next.is_mark("(") => true,
        Some(Form::Block) if next.is_mark("{") => true,
        Some(Form::Operand) if next.is_name() => true,
        Some(Form::Bare) => true,
        _ => false,
    })
}

impl Script {
    /// Parses the file `origin`.
    ///
    /// # Errors
    /// `ORIGIN:LINE: unknown file type` if it is no script; a syntax error or a command that is not
    /// supported, with file and line.
    pub fn parse(origin: &str, text: &[u8], include: Includer<'_>) -> Result<Script> {
        if !looks_like_script(text) {
            let line = match Lexer::new(origin, text).next(Mode::Expression) {
                Ok(token) => token.line,
                // A binary file may happen to begin like a comment, but `/*` without an end is
                // reported as a script's error.
                Err(error) if text.starts_with(b"/*") => return Err(error),
                Err(_) => 1,
            };
            return Err(Error(format!("{origin}:{line}: unknown file type")));
        }
        let mut lexer = Lexer::new(origin, text);
        let mut commands = Vec::new();
        loop {
            if let Some(name) = assigned(&mut lexer)? {
                commands.push((name.line, parse_assignment(&mut lexer, &name)?));
                continue;
            }
            let first = lexer.next(Mode::Expression)?;
            if first.kind == Kind::End {
                return Ok(Script { commands });
            }
            // Commands may be separated by `;`, and assignments by `,` as well.
            if !first.is_mark(";") && !first.is_mark(",") {
                let including = Including { include, depth: 0 };
                commands.push((first.line, parse_command(&mut lexer, &first, including)?));
            }
        }
    }
}

fn parse_assignment(lexer: &mut Lexer<'_>, name: &Token<'_>) -> Result<Command> {
    let (name, expr) = assignment(lexer, name)?;
    let end = lexer.next(Mode::Expression)?;
    if end.is_mark(";") || end.is_mark(",") {
        Ok(Command::Assign { name, expr, provide: false, hidden: false })
    } else {
        Err(lexer.unexpected(&end, "';' after assignment"))
    }
}

fn parse_command(
    lexer: &mut Lexer<'_>,
    first: &Token<'_>,
    including: Including<'_>,
) -> Result<Command> {
    match COMMANDS.iter().find(|command| first.is_word(command.0)) {
        Some((word, Form::Call)) => {
            lexer.expect(Mode::File, "(")?;
            let command = parse_call(lexer, word)?;
            lexer.expect(Mode::File, ")")?;
            Ok(command)
        }
        Some((word, Form::Block)) => {
            lexer.expect(Mode::Pattern, "{")?;
            let command = match *word {
                "MEMORY" => Command::Memory(parse::memory(lexer, including)?),
                "PHDRS" => Command::ProgramHeaders(parse::program_headers(lexer)?),
                "SECTIONS" => Command::Sections(parse::sections(lexer, including)?),
                "OVERWRITE_SECTIONS" => Command::Overwrite(parse::sections(lexer, including)?),
                _ => Command::Version(Box::new(VersionScript::parse_nodes(lexer)?)),
            };
            lexer.expect(Mode::Pattern, "}")?;
            Ok(command)
        }
        Some(("INSERT", _)) => {
            let side = lexer.expect_name(Mode::File, "AFTER or BEFORE")?;
            if !side.is_word("AFTER") && !side.is_word("BEFORE") {
                return Err(lexer.unexpected(&side, "AFTER or BEFORE"));
            }
            let anchor = lexer.expect_name(Mode::File, "name of an output section")?;
            let is_after = side.is_word("AFTER");
            Ok(Command::Insert { is_after, anchor: anchor.text.to_vec(), reach: 0 })
        }
        Some((_, Form::Operand)) => {
            Ok(Command::Include(path(lexer.expect_name(Mode::File, "file name")?.text)))
        }
        Some((word, Form::Bare)) => Ok(match *word {
            "FORCE_COMMON_ALLOCATION" => Command::DefineCommon(true),
            "INHIBIT_COMMON_ALLOCATION" => Command::DefineCommon(false),
            "FORCE_GROUP_ALLOCATION" => Command::ForceGroupAllocation,
            word => unreachable!("the table has no other bare command than {word}"),
        }),
        None => Err(lexer.unexpected(first, "linker script command")),
    }
}

/// An error of opening a file that a script names on `line`. If the error has a place already, only
/// that of the outermost script is added.
pub fn named_by(path: &Path, line: u32, depth: usize, error: &Error) -> Error {
    let is_placed = !["cannot ", "unable "].iter().any(|start| error.0.starts_with(start));
    if depth > 0 && is_placed {
        error.clone()
    } else {
        Error(format!("{}:{line}: {}", path.display(), error.0))
    }
}

/// Parses the parentheses of the command `word`.
fn parse_call(lexer: &mut Lexer<'_>, word: &str) -> Result<Command> {
    let name = |lexer: &mut Lexer<'_>, what| Ok(lexer.expect_name(Mode::File, what)?.text.to_vec());
    match word {
        "ASSERT" => parse_assert(lexer),
        "ENTRY" => Ok(Command::Entry(name(lexer, "symbol name")?)),
        "EXTERN" => parse_extern(lexer),
        "GROUP" => parse_inputs(lexer, true),
        "HIDDEN" => parse_provide(lexer, false, true),
        "INPUT" => parse_inputs(lexer, false),
        "NOCROSSREFS" => Ok(Command::NoCrossReferences(parse::no_cross_references(lexer, false)?)),
        "NOCROSSREFS_TO" => {
            Ok(Command::NoCrossReferences(parse::no_cross_references(lexer, true)?))
        }
        "REGION_ALIAS" => {
            let (alias, region) = parse::region_alias(lexer)?;
            Ok(Command::RegionAlias { alias, region })
        }
        "LD_FEATURE" => {
            let feature = lexer.expect_name(Mode::File, "feature")?;
            match feature.text {
                b"SANE_EXPR" => Ok(Command::SaneExpressions),
                b"AUTOMATIC_LAYOUT" => Ok(Command::AutomaticLayout),
                _ => {
                    let text = format_args!("unknown feature {}", feature.describe());
                    Err(lexer.error_at(feature.line, text))
                }
            }
        }
        "OUTPUT" => Ok(Command::Output(path(&name(lexer, "file name")?))),
        "OUTPUT_ARCH" => Ok(Command::OutputArch(name(lexer, "architecture")?)),
        "OUTPUT_FORMAT" => parse_output_format(lexer),
        "PROVIDE" => parse_provide(lexer, true, false),
        "PROVIDE_HIDDEN" => parse_provide(lexer, true, true),
        "SEARCH_DIR" => parse_search_path(lexer),
        "STARTUP" => Ok(Command::Startup(path(&name(lexer, "file name")?))),
        "TARGET" => Ok(Command::Target(name(lexer, "format")?)),
        word => unreachable!("the table has no other command with parentheses than {word}"),
    }
}

/// An [`Includer`] for texts that cannot include files.
///
/// # Errors
/// Always.
pub fn nothing(name: &[u8]) -> Result<(String, &'static [u8])> {
    let name = String::from_utf8_lossy(name);
    Err(Error(format!("cannot find linker script {name}")))
}

#[cfg(test)]
mod tests;
