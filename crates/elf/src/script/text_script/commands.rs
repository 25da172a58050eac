//! The commands of a script and the parsing of their operands.

use crate::args::options::FormatChoice;
use crate::args::version_script::VersionScript;
use crate::script::statements::{NoCrossReferences, ProgramHeader, Region, Statement};
use skald_core::diag::Result;
use skald_host::paths::OsStringBytes;
use skald_linking::expr::{BinaryOp, Expr};
use skald_linking::lexer::{Kind, Lexer, Mode, Token};
use std::ffi::OsString;
use std::path::PathBuf;

/// A script command. Names of symbols and formats are bytes, as in the file.
#[derive(Debug, Clone)]
pub enum Command {
    /// `INPUT(...)`, or `GROUP(...)`, whose archives are searched again until no new member is
    /// needed.
    Input {
        /// The files in the order written.
        files: Vec<ScriptInput>,
        /// `GROUP`, not `INPUT`.
        is_group: bool,
    },
    /// `STARTUP(file)`: an input that comes before all others.
    Startup(PathBuf),
    /// `SEARCH_DIR(directory)`: as `-L`, after those of the command line.
    SearchDir(ScriptPath),
    /// `OUTPUT_FORMAT(default)` or `OUTPUT_FORMAT(default, big, little)`, `big` for `-EB` and
    /// `little` for `-EL`.
    OutputFormat {
        /// The format's name, such as `elf64-x86-64`.
        default: Vec<u8>,
        /// Big- and little-endian formats, if given.
        big_and_little: Option<(Vec<u8>, Vec<u8>)>,
    },
    /// `OUTPUT_ARCH(architecture)`, such as `i386:x86-64`.
    OutputArch(Vec<u8>),
    /// `TARGET(format)`: the format of inputs that the script names behind it, as `-b`.
    Target(Vec<u8>),
    /// `OUTPUT(file)`: as `-o`, which wins.
    Output(PathBuf),
    /// `ENTRY(symbol)`: as `-e`, which wins.
    Entry(Vec<u8>),
    /// `EXTERN(symbol ...)`: as `-u` for each.
    Extern(Vec<Vec<u8>>),
    /// `INCLUDE file`: the file's commands stand here. It is looked for as by GNU ld, in the
    /// current directory and the `-L` directories.
    Include(PathBuf),
    /// `VERSION { ... }`: as `--version-script`.
    Version(Box<VersionScript>),
    /// `name = expr;` and its relatives. `.` as the name moves the location counter, which has no
    /// effect outside `SECTIONS`.
    Assign {
        /// Name of the symbol, or `.`.
        name: Vec<u8>,
        /// The value; for `name += e` and the like the whole of `name + e`.
        expr: Expr,
        /// `PROVIDE`: only if the symbol is referenced and not defined otherwise.
        provide: bool,
        /// `HIDDEN` or `PROVIDE_HIDDEN`: with hidden visibility.
        hidden: bool,
    },
    /// `ASSERT(expr, message)`: an error with this message if the value is zero.
    Assert {
        /// The condition, which fails if it is zero.
        expr: Expr,
        /// The error if the condition fails.
        message: Vec<u8>,
    },
    /// `FORCE_COMMON_ALLOCATION` (as `-d`) or `INHIBIT_COMMON_ALLOCATION`
    /// (`--no-define-common`).
    DefineCommon(bool),
    /// `FORCE_GROUP_ALLOCATION`: as `--force-group-allocation`.
    ForceGroupAllocation,
    /// `SECTIONS { ... }`.
    Sections(Vec<Statement>),
    /// `OVERWRITE_SECTIONS { ... }`: output sections in place of those of the layout.
    Overwrite(Vec<Statement>),
    /// `INSERT AFTER section` or `INSERT BEFORE section`: moves the statements before it in its
    /// script, including those of included files, back to the previous `INSERT`.
    Insert {
        /// `AFTER`, not `BEFORE`.
        is_after: bool,
        /// Name of the output section.
        anchor: Vec<u8>,
        /// How many commands it moves or passes over; 0 until included files have been read.
        reach: usize,
    },
    /// `MEMORY { ... }`.
    Memory(Vec<Region>),
    /// `PHDRS { ... }`.
    ProgramHeaders(Vec<ProgramHeader>),
    /// `REGION_ALIAS(alias, region)`.
    RegionAlias {
        /// The name that is added.
        alias: Vec<u8>,
        /// Name of the region of `MEMORY`.
        region: Vec<u8>,
    },
    /// `NOCROSSREFS(...)` or `NOCROSSREFS_TO(...)`.
    NoCrossReferences(NoCrossReferences),
    /// `LD_FEATURE("SANE_EXPR")`: numbers outside of output sections are plain numbers, not
    /// absolute addresses.
    SaneExpressions,
    /// `LD_FEATURE("AUTOMATIC_LAYOUT")`: segments follow from the order and the flags of sections,
    /// and not from addresses.
    AutomaticLayout,
}

/// A command that concerns the whole link, and where it stands.
#[derive(Debug, Clone)]
pub struct PlacedCommand {
    /// The parsed command.
    pub command: Command,
    /// Path of the script.
    pub script: PathBuf,
    /// Line number, from 1.
    pub line: u32,
}

impl PlacedCommand {
    /// `SCRIPT:LINE`, for messages.
    pub fn place(&self) -> String {
        format!("{}:{}", self.script.display(), self.line)
    }
}

/// A file of `INPUT` or `GROUP`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScriptInput {
    /// The library or path to open.
    pub name: ScriptName,
    /// In `AS_NEEDED(...)`: a shared library is needed only if it is used.
    pub as_needed: bool,
}

/// How a script names a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ScriptName {
    /// `-lNAME`, or `-l:FILE` with the colon kept.
    Library(String),
    /// A file name. Without a sysroot prefix it is looked for as GNU ld does: in the sysroot if it
    /// starts with `/` and the script is itself in the sysroot; otherwise as written, then beside
    /// the script, then in the `-L` directories.
    Path(ScriptPath),
}

/// A path with or without sysroot prefix.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScriptPath {
    /// The path, with the prefix removed.
    pub path: PathBuf,
    /// It had the prefix `=` or `$SYSROOT`: the path is below the sysroot.
    pub in_sysroot: bool,
}

pub(super) fn path(bytes: &[u8]) -> PathBuf {
    PathBuf::from(OsString::from_vec(bytes.to_vec()))
}

fn sysroot_path(bytes: &[u8]) -> ScriptPath {
    let after_variable =
        bytes.strip_prefix(b"$SYSROOT").filter(|rest| rest.is_empty() || rest[0] == b'/');
    match bytes.strip_prefix(b"=").or(after_variable) {
        Some(rest) => ScriptPath { path: path(rest), in_sysroot: true },
        None => ScriptPath { path: path(bytes), in_sysroot: false },
    }
}

/// The files of `INPUT` and `GROUP`, up to the closing parenthesis; `AS_NEEDED` may be nested.
pub(super) fn parse_inputs(lexer: &mut Lexer<'_>, is_group: bool) -> Result<Command> {
    let mut files = Vec::new();
    let mut as_needed_depth = 0usize;
    loop {
        let token = lexer.peek(Mode::File)?;
        if token.is_mark(")") {
            if as_needed_depth == 0 {
                return Ok(Command::Input { files, is_group });
            }
            as_needed_depth -= 1;
            lexer.next(Mode::File)?;
            continue;
        }
        lexer.next(Mode::File)?;
        if token.is_mark(",") {
            continue;
        }
        if !token.is_name() {
            return Err(lexer.unexpected(&token, "file name or ')'"));
        }
        if token.is_word("AS_NEEDED") && lexer.accept(Mode::File, "(")? {
            as_needed_depth += 1;
            continue;
        }
        files.push(ScriptInput {
            name: parse_input_name(lexer, &token)?,
            as_needed: as_needed_depth > 0,
        });
    }
}

fn parse_input_name(lexer: &Lexer<'_>, token: &Token<'_>) -> Result<ScriptName> {
    if token.text.is_empty() {
        return Err(lexer.error_at(token.line, "empty file name"));
    }
    let Some(library) = token.text.strip_prefix(b"-l") else {
        return Ok(ScriptName::Path(sysroot_path(token.text)));
    };
    match str::from_utf8(library) {
        Ok(name) if !name.is_empty() => Ok(ScriptName::Library(name.to_owned())),
        _ => {
            let text = format_args!("{} names no library", token.describe());
            Err(lexer.error_at(token.line, text))
        }
    }
}

pub(super) fn parse_search_path(lexer: &mut Lexer<'_>) -> Result<Command> {
    Ok(Command::SearchDir(sysroot_path(lexer.expect_name(Mode::File, "directory")?.text)))
}

pub(super) fn parse_extern(lexer: &mut Lexer<'_>) -> Result<Command> {
    let mut symbols = Vec::new();
    loop {
        let token = lexer.peek(Mode::File)?;
        if token.is_mark(")") {
            return Ok(Command::Extern(symbols));
        }
        lexer.next(Mode::File)?;
        if token.is_name() {
            symbols.push(token.text.to_vec());
        } else if !token.is_mark(",") {
            return Err(lexer.unexpected(&token, "symbol name or ')'"));
        }
    }
}

impl Command {
    /// The name that `OUTPUT_FORMAT` chooses; `None` for other commands.
    pub fn output_format(&self, choice: FormatChoice) -> Option<&[u8]> {
        let Command::OutputFormat { default, big_and_little } = self else { return None };
        Some(match (choice, big_and_little) {
            (FormatChoice::Big, Some((big, _))) => big,
            (FormatChoice::Little, Some((_, little))) => little,
            _ => default,
        })
    }
}

pub(super) fn parse_output_format(lexer: &mut Lexer<'_>) -> Result<Command> {
    let format = |lexer: &mut Lexer<'_>| {
        Ok(lexer.expect_name(Mode::File, "name of an output format")?.text.to_vec())
    };
    let default = format(lexer)?;
    let mut big_and_little = None;
    if lexer.accept(Mode::File, ",")? {
        let big = format(lexer)?;
        lexer.expect(Mode::File, ",")?;
        big_and_little = Some((big, format(lexer)?));
    }
    Ok(Command::OutputFormat { default, big_and_little })
}

pub(super) fn parse_assert(lexer: &mut Lexer<'_>) -> Result<Command> {
    let expr = Expr::parse(lexer)?;
    lexer.expect(Mode::Expression, ",")?;
    let message = lexer.expect_name(Mode::File, "message")?;
    Ok(Command::Assert { expr, message: message.text.to_vec() })
}

/// The operator of an assignment; the inner `None` for a plain `=`.
pub fn assignment_operator(token: &Token<'_>) -> Option<Option<BinaryOp>> {
    if token.kind != Kind::Mark {
        return None;
    }
    Some(match token.text {
        b"=" => None,
        b"+=" => Some(BinaryOp::Add),
        b"-=" => Some(BinaryOp::Subtract),
        b"*=" => Some(BinaryOp::Multiply),
        b"/=" => Some(BinaryOp::Divide),
        b"<<=" => Some(BinaryOp::ShiftLeft),
        b">>=" => Some(BinaryOp::ShiftRight),
        b"&=" => Some(BinaryOp::And),
        b"|=" => Some(BinaryOp::Or),
        b"^=" => Some(BinaryOp::Xor),
        _ => return None,
    })
}

/// The name that an assignment gives a value, if one comes next; it is consumed.
///
/// # Errors
/// As [`Lexer::next`].
pub fn assigned<'a>(lexer: &mut Lexer<'a>) -> Result<Option<Token<'a>>> {
    let mut ahead = *lexer;
    let name = ahead.next(Mode::Symbol)?;
    if !name.is_name() || assignment_operator(&ahead.peek(Mode::Expression)?).is_none() {
        return Ok(None);
    }
    *lexer = ahead;
    Ok(Some(name))
}

/// Parses an assignment whose name has been consumed and whose operator comes next: returns name
/// and value.
///
/// # Errors
/// Syntax, with file and line.
pub fn assignment(lexer: &mut Lexer<'_>, name: &Token<'_>) -> Result<(Vec<u8>, Expr)> {
    let operator = lexer.next(Mode::Expression)?;
    let Some(operator) = assignment_operator(&operator) else {
        return Err(lexer.unexpected(&operator, "'='"));
    };
    let first = name.text.first();
    if name.kind == Kind::Word && first.is_some_and(u8::is_ascii_digit) || first.is_none() {
        return Err(lexer.unexpected(name, "symbol name"));
    }
    let expr = Expr::parse(lexer)?;
    let expr = match operator {
        Some(operator) => expr.compound(name.text, operator),
        None => expr,
    };
    Ok((name.text.to_vec(), expr))
}

/// The assignment within `PROVIDE(...)` and its relatives, which has to be a plain one.
pub(super) fn parse_provide(lexer: &mut Lexer<'_>, provide: bool, hidden: bool) -> Result<Command> {
    let (name, expr) = provided(lexer)?;
    Ok(Command::Assign { name, expr, provide, hidden })
}

/// Parses the `name = value` within `PROVIDE(...)` and its relatives: returns name and value.
///
/// # Errors
/// Syntax, with file and line.
pub fn provided(lexer: &mut Lexer<'_>) -> Result<(Vec<u8>, Expr)> {
    let symbol = lexer.expect_name(Mode::Symbol, "symbol name")?;
    let operator = lexer.peek(Mode::Expression)?;
    if !operator.is_mark("=") || symbol.is_word(".") {
        return Err(lexer.error_at(symbol.line, "expected NAME = EXPRESSION"));
    }
    assignment(lexer, &symbol)
}
