//! Checks the claims of a case's directives about a link that succeeded.

use crate::artifact::{OUTPUT, Work};
use crate::case::Directive;
use crate::command::{CommandLine, Finished};
use crate::output_file::OutputFile;
use crate::record::{Query, TABLES, evaluate};
use crate::{Result, words};
use regex::{Regex, RegexBuilder};
use std::collections::BTreeMap;

/// The output files that checks examine, each read once.
#[derive(Debug, Default)]
pub struct Subjects {
    current: String,
    files: BTreeMap<String, OutputFile>,
}

impl Subjects {
    /// Begins with the output of the last link.
    pub fn new() -> Subjects {
        Subjects { current: OUTPUT.to_owned(), files: BTreeMap::new() }
    }

    fn current(&mut self, work: &Work<'_>) -> Result<&OutputFile> {
        if !self.files.contains_key(&self.current) {
            let file = OutputFile::read(&work.path(&self.current))?;
            self.files.insert(self.current.clone(), file);
        }
        Ok(&self.files[&self.current])
    }
}

/// Compiles a regular expression of a directive: `^` and `$` match at each line.
pub fn pattern(text: &str) -> Result<Regex> {
    RegexBuilder::new(text).multi_line(true).build().map_err(|e| e.to_string())
}

/// Makes the check that a directive states; other directives pass.
pub fn check(
    work: &mut Work<'_>,
    subjects: &mut Subjects,
    directive: &Directive,
    link: &Finished,
) -> Result<()> {
    let (name, is_wanted) = match directive.name.strip_prefix("no-") {
        Some(name) => (name, false),
        None => (directive.name.as_str(), true),
    };
    let text = directive.text.as_str();
    match name {
        "look-at" => {
            subjects.current = text.to_owned();
            Ok(())
        }
        "run" => run(work, text, is_wanted),
        "sh" | "archive" | "shared" | "relocatable" => Ok(()),
        "check" => work.shell(text).map(|_| ()),
        "warning" => matches(text, &link.stderr, is_wanted),
        "stdout" => matches(text, &link.stdout, is_wanted),
        "says" => matches(text, &format!("{}{}", link.stdout, link.stderr), is_wanted),
        "file-matches" => {
            let (file, regex) = text.split_once(' ').ok_or("no regular expression")?;
            let path = work.path(file);
            let contents = std::fs::read(&path).map_err(|e| format!("{}: {e}", path.display()))?;
            matches(regex.trim(), &String::from_utf8_lossy(&contents), is_wanted)
        }
        "disasm" => {
            let (symbol, regex) = text.split_once(' ').ok_or("no regular expression")?;
            let listing = disassemble(work, &subjects.current, symbol)?;
            matches(regex.trim(), &listing, is_wanted)
        }
        "word" => {
            let file = subjects.current(work)?;
            word(file, text, file.encoding.word_size() as usize)
        }
        "word64" => word(subjects.current(work)?, text, 8),
        "word32" => word(subjects.current(work)?, text, 4),
        "word16" => word(subjects.current(work)?, text, 2),
        "word8" => word(subjects.current(work)?, text, 1),
        "bytes" => bytes(subjects.current(work)?, text),
        "contains" => contains(subjects.current(work)?, text, is_wanted),
        table if TABLES.contains(&table) => {
            let query = Query::parse(table, text)?;
            let file = subjects.current(work)?;
            if is_wanted { query.expect_some(file) } else { query.expect_none(file) }
        }
        _ => Ok(()),
    }
}

/// Fails if `text` matches `regex` and should not, or does not and should.
pub fn matches(regex: &str, text: &str, is_wanted: bool) -> Result<()> {
    match (pattern(regex)?.find(text), is_wanted) {
        (None, true) => Err(format!("no match for {regex} in:\n{text}")),
        (Some(found), false) => Err(format!("there is: {}", found.as_str())),
        _ => Ok(()),
    }
}

/// `run: [exit=N] [stdout="..."] [stdout~regex] [stderr~regex] [args="..."] [env=NAME=VALUE]`.
/// `no-run` asks for any failure.
fn run(work: &mut Work<'_>, text: &str, is_wanted: bool) -> Result<()> {
    let mut run = match work.case.machine.run(&work.path(OUTPUT), &work.directory) {
        Ok(run) => run,
        Err(why) => {
            work.not_run = Some(why);
            return Ok(());
        }
    };
    let mut expected_status = "exit 0".to_owned();
    let mut expectations = Vec::new();
    for word in words::split(text)? {
        let at = word.find(['=', '~']).ok_or_else(|| format!("unknown word: {word}"))?;
        let (key, value) = (&word[..at], word[at + 1..].to_owned());
        match (key, word.as_bytes()[at]) {
            ("exit", _) => expected_status = format!("exit {value}"),
            ("signal", _) => expected_status = format!("signal {value}"),
            ("args", _) => run.line.arguments.extend(words::split(&value)?),
            ("env", _) => {
                let (name, value) = value.split_once('=').ok_or("env without a value")?;
                run.set(name, value);
            }
            ("stdout" | "stderr", operator) => {
                expectations.push((key.to_owned(), operator, value));
            }
            _ => return Err(format!("unknown word: {word}")),
        }
    }
    let finished = work.run(&run.line)?;
    let status = finished.status_text();
    let printed = format!("{}{}", finished.stdout, finished.stderr);
    if !is_wanted {
        return if status == "exit 0" { Err("it succeeds".to_owned()) } else { Ok(()) };
    }
    if status != expected_status {
        return Err(format!("{status}, not {expected_status}; printed:\n{printed}"));
    }
    for (stream, operator, value) in expectations {
        let text = if stream == "stdout" { &finished.stdout } else { &finished.stderr };
        let right = if operator == b'=' { *text == value } else { pattern(&value)?.is_match(text) };
        if !right {
            return Err(format!("{stream} is {text:?}, not {value:?}"));
        }
    }
    Ok(())
}

/// The instructions of `symbol`, or of the whole file for `*`, one per line with single spaces.
fn disassemble(work: &mut Work<'_>, file: &str, symbol: &str) -> Result<String> {
    let mut line = CommandLine::new([work.case.machine.program("objdump")]);
    line.arguments.extend(["-w", "--no-show-raw-insn"].map(str::to_owned));
    line.arguments.push(match symbol {
        "*" => "-d".to_owned(),
        symbol => format!("{}={symbol}", work.case.machine.disassembling()),
    });
    line.arguments.push(file.to_owned());
    let listing = work.run_well(&line)?.stdout;
    let lines = listing.lines().map(|l| l.split_whitespace().collect::<Vec<_>>().join(" "));
    Ok(lines.collect::<Vec<_>>().join("\n"))
}

/// `ADDRESS = EXPRESSION`: the word in memory has the value, cut to its size.
fn word(file: &OutputFile, text: &str, size: usize) -> Result<()> {
    let (address, value) = text.split_once(" = ").ok_or("not ADDRESS = VALUE")?;
    let address = evaluate(file, address.trim())?;
    let bytes = file.bytes_at_address(address);
    let bytes = bytes.get(..size).ok_or_else(|| format!("nothing in the file at {address:#x}"))?;
    let found = file.encoding.number(bytes);
    let expected = evaluate(file, value.trim())? & (u64::MAX >> (64 - 8 * size));
    if found == expected {
        return Ok(());
    }
    Err(format!("{found:#x} at {address:#x}, not {expected:#x}"))
}

/// `SECTION = hex` or `ADDRESS = hex`, where `??` stands for any byte.
fn bytes(file: &OutputFile, text: &str) -> Result<()> {
    let (place, expected) = text.split_once(" = ").ok_or("not PLACE = BYTES")?;
    let found = match file.section(place.trim()) {
        Some(section) => file.section_bytes(section),
        None => file.bytes_at_address(evaluate(file, place.trim())?),
    };
    let expected: Vec<&str> = expected.split_whitespace().collect();
    let found: Vec<String> =
        found.iter().take(expected.len()).map(|b| format!("{b:02x}")).collect();
    let same = |(e, f): (&&str, &String)| *e == "??" || *e == f;
    if found.len() == expected.len() && expected.iter().zip(&found).all(same) {
        return Ok(());
    }
    Err(format!("{} at {place}", found.join(" ")))
}

/// `SECTION text [count=N]`: the bytes of the section contain the text, with `count` exactly that
/// many times.
fn contains(file: &OutputFile, text: &str, is_wanted: bool) -> Result<()> {
    let words = words::split(text)?;
    let [name, wanted, rest @ ..] = words.as_slice() else { return Err("no text".to_owned()) };
    let section = file.section(name).ok_or_else(|| format!("no section {name}"))?;
    let bytes = file.section_bytes(section);
    let found = bytes.windows(wanted.len().max(1)).filter(|w| *w == wanted.as_bytes()).count();
    let right = match rest.first().and_then(|word| word.strip_prefix("count=")) {
        Some(count) => count.parse() == Ok(found),
        None => (found > 0) == is_wanted,
    };
    if right { Ok(()) } else { Err(format!("{wanted:?} stands {found} times in {name}")) }
}
