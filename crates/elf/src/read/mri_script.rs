//! Scripts of `-c`, in the language of MRI's linker: one command on each line, `LOAD a.o,b.o`.
//!
//! Source of the rules: GNU ld manual, "MRI Compatible Script Files", and `ldgram.y` where that is
//! silent. Commands are in upper or lower case; `*` and `;` begin a comment. A comment with `#`
//! includes the end of the line, so the command continues on the next line (GNU ld).

use super::mri_layout::LayoutCommand;
use skald_core::diag::{Error, Result};

/// A command of an MRI script.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MriCommand {
    /// `LOAD`: paths of inputs.
    Load(Vec<String>),
    /// `NAME`: path of the output.
    Name(String),
    /// `FORMAT S`: the output is S-records.
    SRecords,
    /// `LIST`: a map goes to standard output.
    List,
    /// `START`: symbol of the entry point.
    Start(String),
    /// `PUBLIC`: a symbol, and the expression that it is assigned.
    Public(String, String),
    /// `EXTERN`: undefined symbols, as with `-u`.
    Extern(Vec<String>),
    /// `INCLUDE`: path of another script.
    Include(String),
    /// A command that lays out the output.
    Layout(LayoutCommand),
}

/// Commands that are accepted and have no effect, as for GNU ld.
const IDLE: [&str; 4] = ["CASE", "CHIP", "END", "TRUNCATE"];

/// The commands of the file `origin`, with their lines.
///
/// # Errors
/// An unknown command, one without its operand or one that is refused, with file and line.
pub fn parse(origin: &str, text: &[u8]) -> Result<Vec<(u32, MriCommand)>> {
    let mut commands = Vec::new();
    // The command so far, and the line where it begins.
    let (mut code, mut first) = (String::new(), 0);
    for (number, line) in (1..).zip(text.split(|&byte| byte == b'\n')) {
        let not_text = |_| Error(format!("{origin}:{number}: not UTF-8 text"));
        let line = std::str::from_utf8(line).map_err(not_text)?;
        let (words, comment) =
            line.find(['*', ';', '#']).map_or((line, ""), |at| line.split_at(at));
        if code.trim().is_empty() {
            first = number;
        }
        code.push_str(words);
        // The text behind LIST is no comment, but has no effect.
        let is_list =
            code.trim_start().get(..4).is_some_and(|word| word.eq_ignore_ascii_case("LIST"));
        if comment.starts_with('#') && !is_list {
            continue;
        }
        let whole = std::mem::take(&mut code);
        let command = line_command(&whole).map_err(|what| at_line(origin, first, what))?;
        commands.extend(command.map(|command| (first, command)));
    }
    let command = line_command(&code).map_err(|what| at_line(origin, first, what))?;
    commands.extend(command.map(|command| (first, command)));
    Ok(commands)
}

fn at_line(origin: &str, line: u32, what: String) -> Error {
    Error(format!("{origin}:{line}: {what}"))
}

/// The command of a line without its comment; `None` if there is none or it has no effect.
fn line_command(code: &str) -> std::result::Result<Option<MriCommand>, String> {
    let code = code.trim();
    let (word, operand) = code.split_once(char::is_whitespace).unwrap_or((code, ""));
    if word.is_empty() { Ok(None) } else { command(word, operand.trim()) }
}

/// The command of a line; `None` if it has no effect.
fn command(word: &str, operand: &str) -> std::result::Result<Option<MriCommand>, String> {
    let name = word.to_ascii_uppercase();
    let unknown = || format!("unknown command {word}");
    if word != name && word != name.to_ascii_lowercase() {
        return Err(unknown());
    }
    if IDLE.contains(&name.as_str()) {
        // A command behind it, on a line that a comment joined to this one, must not be lost.
        let words = operand.split_whitespace().count();
        let most = if name == "END" { 0 } else { 2 };
        return if words > most || operand.contains('=') {
            Err(format!("{name}: unexpected {operand}"))
        } else {
            Ok(None)
        };
    }
    if name == "LIST" {
        return Ok(Some(MriCommand::List));
    }
    let single = || match names(operand).as_slice() {
        [one] => Ok(one.clone()),
        _ => Err(format!("{name}: expected a name")),
    };
    let several = || match names(operand) {
        list if list.is_empty() => Err(format!("{name}: expected names")),
        list => Ok(list),
    };
    Ok(Some(match name.as_str() {
        "LOAD" => MriCommand::Load(several()?),
        "EXTERN" => MriCommand::Extern(several()?),
        "NAME" => MriCommand::Name(single()?),
        "START" => MriCommand::Start(single()?),
        "INCLUDE" => MriCommand::Include(single()?),
        "FORMAT" if single()?.eq_ignore_ascii_case("S") => MriCommand::SRecords,
        "FORMAT" => return Err(format!("FORMAT: unknown format {operand}: expected S")),
        "PUBLIC" => {
            let (name, value) = valued(&name, operand)?;
            MriCommand::Public(name, value)
        }
        _ => MriCommand::Layout(layout_command(&name, operand, &several)?.ok_or_else(unknown)?),
    }))
}

/// A command that lays out the output; `None` for another one.
fn layout_command(
    name: &str,
    operand: &str,
    several: &dyn Fn() -> std::result::Result<Vec<String>, String>,
) -> std::result::Result<Option<LayoutCommand>, String> {
    let valued = || valued(name, operand);
    Ok(Some(match name {
        "ORDER" => LayoutCommand::Order(names(operand)),
        "ABSOLUTE" => LayoutCommand::OnlyLoad(several()?),
        "SECT" => valued().map(|(name, value)| LayoutCommand::Address(name, value))?,
        "ALIGN" => valued().map(|(name, value)| LayoutCommand::Align(name, value))?,
        "ALIGNMOD" => valued().map(|(name, value)| LayoutCommand::Subalign(name, value))?,
        "ALIAS" => match several()?.as_slice() {
            [output, input] => LayoutCommand::Alias(output.clone(), input.clone()),
            _ => return Err("ALIAS: expected two names".to_owned()),
        },
        "BASE" if operand.is_empty() => return Err("BASE: expected an address".to_owned()),
        "BASE" => LayoutCommand::Base(expression(operand)),
        _ => return Ok(None),
    }))
}

/// `NAME=EXPRESSION`, `NAME,EXPRESSION` or `NAME EXPRESSION`.
fn valued(command: &str, operand: &str) -> std::result::Result<(String, String), String> {
    let is_break = |c: char| c.is_whitespace() || c == '=' || c == ',';
    let (name, rest) = operand.split_once(is_break).unwrap_or((operand, ""));
    let rest = rest.trim_start();
    let value = rest.strip_prefix(['=', ',']).unwrap_or(rest).trim();
    if name.is_empty() || value.is_empty() {
        return Err(format!("{command}: expected a name and its value"));
    }
    Ok((name.to_owned(), expression(value)))
}

/// An expression in the syntax of linker scripts: `$` begins a hexadecimal number here.
fn expression(text: &str) -> String {
    let mut parts = text.split('$');
    let mut all = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let is_number = part.starts_with(|c: char| c.is_ascii_hexdigit());
        all += if is_number { "0x" } else { "$" };
        all += part;
    }
    all
}

/// Names separated by commas or blanks; those that contain such characters are quoted.
fn names(operand: &str) -> Vec<String> {
    let mut names = Vec::new();
    let mut rest = operand;
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_whitespace() || c == ',');
        if rest.is_empty() {
            return names;
        }
        let (name, tail) = match rest.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"').unwrap_or((quoted, "")),
            None => {
                let end = rest.find(|c: char| c.is_whitespace() || c == ',');
                rest.split_at(end.unwrap_or(rest.len()))
            }
        };
        names.push(name.to_owned());
        rest = tail;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(text: &str) -> MriCommand {
        parse("x.mri", text.as_bytes()).unwrap().pop().unwrap().1
    }

    #[test]
    fn commands_are_read() {
        let strings = |list: &[&str]| list.iter().map(|s| (*s).to_owned()).collect::<Vec<_>>();
        assert_eq!(one("LOAD a.o, b.o c.o"), MriCommand::Load(strings(&["a.o", "b.o", "c.o"])));
        assert_eq!(one("load \"a b.o\" ; c"), MriCommand::Load(strings(&["a b.o"])));
        for text in ["PUBLIC x=1 + 2", "public x , 1 + 2", "PUBLIC x 1 + 2"] {
            assert_eq!(one(text), MriCommand::Public("x".to_owned(), "1 + 2".to_owned()));
        }
        assert_eq!(one("FORMAT s"), MriCommand::SRecords);
        let address = |value: &str| {
            MriCommand::Layout(LayoutCommand::Address(".text".to_owned(), value.to_owned()))
        };
        assert_eq!(one("SECT .text=$8000 + 1"), address("0x8000 + 1"));
        assert_eq!(parse("x.mri", b"* a\n\n; b\nCHIP 1\nend\nTRUNCATE 8\n").unwrap(), []);
        assert!(parse("x.mri", b"END # c\nPUBLIC x=1\n").is_err());
        assert!(parse("x.mri", b"CHIP 68000 # c\nLOAD a.o\n").is_err());
    }

    #[test]
    fn errors_name_the_line() {
        let text = |text: &[u8]| parse("x.mri", text).unwrap_err().0;
        assert_eq!(text(b"\nALIAS .text"), "x.mri:2: ALIAS: expected two names");
        assert_eq!(text(b"SECT .text"), "x.mri:1: SECT: expected a name and its value");
        assert_eq!(text(b"BASE"), "x.mri:1: BASE: expected an address");
        assert_eq!(text(b"Load a.o"), "x.mri:1: unknown command Load");
        assert_eq!(text(b"LOAD"), "x.mri:1: LOAD: expected names");
        assert_eq!(text(b"NAME a b"), "x.mri:1: NAME: expected a name");
        assert_eq!(text(b"PUBLIC x"), "x.mri:1: PUBLIC: expected a name and its value");
        assert_eq!(text(b"FORMAT COFF"), "x.mri:1: FORMAT: unknown format COFF: expected S");
        assert_eq!(text(b"\xff"), "x.mri:1: not UTF-8 text");
    }
}
