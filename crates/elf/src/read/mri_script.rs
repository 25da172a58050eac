//! Scripts of `-c`, in the language of MRI's linker: a command a line, `LOAD a.o,b.o`.
//!
//! Commands that name inputs, output and symbols are carried out. Those that say where sections go,
//! and BASE, are refused by name. Source of the rules: GNU ld manual, "MRI Compatible Script
//! Files", and `ldgram.y` where that is silent. A command is in capitals or in small letters; `*`
//! and `;` begin a comment, `#` too.

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
}

/// Commands that are accepted and have no effect, as for GNU ld.
const IDLE: [&str; 4] = ["CASE", "CHIP", "END", "TRUNCATE"];
/// Commands that lay the output out, which are refused.
const LAYOUT: [&str; 7] = ["ABSOLUTE", "ALIAS", "ALIGN", "ALIGNMOD", "BASE", "ORDER", "SECT"];

/// The commands of the file `origin`, with their lines.
///
/// # Errors
/// An unknown command, one without its operand or one that is refused, with file and line.
pub fn parse(origin: &str, text: &[u8]) -> Result<Vec<(u32, MriCommand)>> {
    let mut commands = Vec::new();
    for (number, line) in (1..).zip(text.split(|&byte| byte == b'\n')) {
        let failed = |what: String| Error(format!("{origin}:{number}: {what}"));
        let line = std::str::from_utf8(line).map_err(|_| failed("not UTF-8 text".to_owned()))?;
        let code = line.split(['*', ';', '#']).next().unwrap_or_default().trim();
        let (word, operand) = code.split_once(char::is_whitespace).unwrap_or((code, ""));
        if word.is_empty() {
            continue;
        }
        if let Some(command) = command(word, operand.trim()).map_err(failed)? {
            commands.push((number, command));
        }
    }
    Ok(commands)
}

/// The command of a line; `None` if it has no effect.
fn command(word: &str, operand: &str) -> std::result::Result<Option<MriCommand>, String> {
    let name = word.to_ascii_uppercase();
    if word != name && word != name.to_ascii_lowercase() {
        return Err(format!("unknown command {word}"));
    }
    if IDLE.contains(&name.as_str()) {
        return Ok(None);
    }
    if LAYOUT.contains(&name.as_str()) {
        return Err(format!("{name} is not supported yet"));
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
        "PUBLIC" => public(operand)?,
        _ => return Err(format!("unknown command {word}")),
    }))
}

/// `NAME=EXPRESSION`, `NAME,EXPRESSION` or `NAME EXPRESSION`.
fn public(operand: &str) -> std::result::Result<MriCommand, String> {
    let is_break = |c: char| c.is_whitespace() || c == '=' || c == ',';
    let (name, rest) = operand.split_once(is_break).unwrap_or((operand, ""));
    let rest = rest.trim_start();
    let value = rest.strip_prefix(['=', ',']).unwrap_or(rest).trim();
    if name.is_empty() || value.is_empty() {
        return Err("PUBLIC: expected a name and its value".to_owned());
    }
    Ok(MriCommand::Public(name.to_owned(), value.to_owned()))
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
        assert_eq!(parse("x.mri", b"* a\n\n; b\nCHIP 1\nend\nTRUNCATE 8\n").unwrap(), []);
    }

    #[test]
    fn errors_name_the_line() {
        let text = |text: &[u8]| parse("x.mri", text).unwrap_err().0;
        assert_eq!(text(b"\nORDER .text"), "x.mri:2: ORDER is not supported yet");
        assert_eq!(text(b"Load a.o"), "x.mri:1: unknown command Load");
        assert_eq!(text(b"LOAD"), "x.mri:1: LOAD: expected names");
        assert_eq!(text(b"NAME a b"), "x.mri:1: NAME: expected a name");
        assert_eq!(text(b"PUBLIC x"), "x.mri:1: PUBLIC: expected a name and its value");
        assert_eq!(text(b"FORMAT COFF"), "x.mri:1: FORMAT: unknown format COFF: expected S");
        assert_eq!(text(b"\xff"), "x.mri:1: not UTF-8 text");
    }
}
