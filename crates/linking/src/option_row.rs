//! A row of the option table: an option's spellings, its argument, and its effect.
//!
//! Rows are plain data in `static` slices of each linker. The command-line parser, the help text
//! and the tests use the same rows, so every accepted option is also listed, suggested and tested.
//!
//! The spelling rule is that of GNU ld. A name of several letters is accepted with one dash or two,
//! except that names beginning with `o` need two (`-omagic` is `-o magic`). A name of one letter
//! takes one dash and its argument may be joined (`-ofile`). Names are written in the table the way
//! manuals print them; the dashes there are for the reader only.

use std::ffi::OsStr;
use std::path::PathBuf;

use skald_core::diag::{Error, Result};

/// How an option takes its argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// No argument; `--option=x` is an error.
    None,
    /// An argument: `--option=X` or `--option X`; joined or separate for a single letter.
    Required,
    /// An optional argument, only with `=`: the next word is never taken.
    Optional,
    /// The rest of the word: `--lto-O2`. The next word is never taken.
    Joined,
    /// A number, joined or as the next word if that word is a number: `-O2`, `-O 2`, `-O`.
    Level,
    /// An optional argument, joined by `=` or as the next word if that is a pattern with a number:
    /// `--option=X`, `--option GLOB=7`, `--option`.
    GlobNumber,
}

/// Whether an option has an effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// It does what the help text says.
    Effective,
    /// Its value is kept for link-time optimization; an input that needs that is an error.
    Lto,
    /// It is accepted without effect: it concerns another machine, or another linker's internals.
    Silent,
    /// Using it is an error.
    Unsupported,
}

/// What an option does to `D`, the options gathered so far.
pub enum Effect<D: 'static> {
    /// No effect; an argument is dropped.
    Nothing,
    /// Sets a flag.
    Flag(fn(&mut D)),
    /// A flag with a negated spelling ([`Row::off`]).
    Switch(fn(&mut D, bool)),
    /// Takes a path.
    Path(fn(&mut D, PathBuf)),
    /// Takes text, which must be UTF-8.
    Text(fn(&mut D, String)),
    /// Takes a number ([`Value::number`]).
    Number(fn(&mut D, u64)),
    /// Takes a hexadecimal address ([`Value::address`]).
    Address(fn(&mut D, u64)),
    /// Takes one of the words listed in [`Row::meta`].
    Choice(fn(&mut D, &str)),
    /// Takes an argument that it checks itself.
    Value(fn(&mut D, &Value<'_>) -> Result<()>),
    /// Takes an optional argument, which it checks itself.
    Maybe(fn(&mut D, Option<&Value<'_>>) -> Result<()>),
}

/// An option: a row of the table.
pub struct Row<D: 'static> {
    /// Every spelling, as printed in the help text.
    pub names: &'static [&'static str],
    /// The negated spellings of a switch.
    pub off: &'static [&'static str],
    /// How the argument is given.
    pub form: Form,
    /// Placeholder of the argument: a word in capitals, or the choices separated by `|`.
    pub meta: &'static str,
    /// Whether it has an effect.
    pub status: Status,
    /// One line for `--help`.
    pub help: &'static str,
    /// How GNU ld, lld, mold and wild differ; empty where they agree.
    pub peers: &'static str,
    /// What it does to the options.
    pub effect: Effect<D>,
}

type Names = &'static [&'static str];

impl<D> Clone for Effect<D> {
    fn clone(&self) -> Effect<D> {
        *self
    }
}

impl<D> Copy for Effect<D> {}

impl<D> Clone for Row<D> {
    fn clone(&self) -> Row<D> {
        *self
    }
}

impl<D> Copy for Row<D> {}

impl<D: 'static> Row<D> {
    const fn new(names: Names, form: Form, meta: &'static str, help: &'static str) -> Row<D> {
        let (status, effect) = (Status::Effective, Effect::Nothing);
        Row { names, off: &[], form, meta, status, help, peers: "", effect }
    }

    /// A flag without argument.
    pub const fn flag(names: Names, help: &'static str, set: fn(&mut D)) -> Row<D> {
        Row { effect: Effect::Flag(set), ..Row::new(names, Form::None, "", help) }
    }

    /// A flag and its negation.
    pub const fn switch(
        on: Names,
        off: Names,
        help: &'static str,
        set: fn(&mut D, bool),
    ) -> Row<D> {
        Row { off, effect: Effect::Switch(set), ..Row::new(on, Form::None, "", help) }
    }

    /// An option that needs a path.
    pub const fn path(
        names: Names,
        meta: &'static str,
        help: &'static str,
        set: fn(&mut D, PathBuf),
    ) -> Row<D> {
        Row { effect: Effect::Path(set), ..Row::new(names, Form::Required, meta, help) }
    }

    /// An option that needs text.
    pub const fn text(
        names: Names,
        meta: &'static str,
        help: &'static str,
        set: fn(&mut D, String),
    ) -> Row<D> {
        Row { effect: Effect::Text(set), ..Row::new(names, Form::Required, meta, help) }
    }

    /// An option that needs a number.
    pub const fn number(
        names: Names,
        meta: &'static str,
        help: &'static str,
        set: fn(&mut D, u64),
    ) -> Row<D> {
        Row { effect: Effect::Number(set), ..Row::new(names, Form::Required, meta, help) }
    }

    /// An option that needs a hexadecimal address.
    pub const fn address(names: Names, help: &'static str, set: fn(&mut D, u64)) -> Row<D> {
        Row { effect: Effect::Address(set), ..Row::new(names, Form::Required, "ADDRESS", help) }
    }

    /// An option that needs one of the words of `choices` (`a|b|c`).
    pub const fn choice(
        names: Names,
        choices: &'static str,
        help: &'static str,
        set: fn(&mut D, &str),
    ) -> Row<D> {
        Row { effect: Effect::Choice(set), ..Row::new(names, Form::Required, choices, help) }
    }

    /// An option that needs an argument and checks it itself.
    pub const fn value(
        names: Names,
        meta: &'static str,
        help: &'static str,
        set: fn(&mut D, &Value<'_>) -> Result<()>,
    ) -> Row<D> {
        Row { effect: Effect::Value(set), ..Row::new(names, Form::Required, meta, help) }
    }

    /// An option that may have an argument after `=`.
    pub const fn maybe(
        names: Names,
        meta: &'static str,
        help: &'static str,
        set: fn(&mut D, Option<&Value<'_>>) -> Result<()>,
    ) -> Row<D> {
        Row { effect: Effect::Maybe(set), ..Row::new(names, Form::Optional, meta, help) }
    }

    /// An option without effect here; `meta` is empty for [`Form::None`].
    pub const fn silent(
        names: Names,
        form: Form,
        meta: &'static str,
        help: &'static str,
    ) -> Row<D> {
        Row { status: Status::Silent, ..Row::new(names, form, meta, help) }
    }

    /// The row with another argument form.
    pub const fn form(self, form: Form) -> Row<D> {
        Row { form, ..self }
    }

    /// The row, with an effect in link-time optimization only.
    pub const fn for_lto(self) -> Row<D> {
        Row { status: Status::Lto, ..self }
    }

    /// The row, of an option whose use is an error.
    pub const fn unsupported(self) -> Row<D> {
        Row { status: Status::Unsupported, ..self }
    }

    /// The row with a note on how peers differ.
    pub const fn peers(self, peers: &'static str) -> Row<D> {
        Row { peers, ..self }
    }

    /// Every spelling, negated ones included.
    pub fn spellings(&self) -> impl Iterator<Item = &'static str> {
        self.names.iter().chain(self.off).copied()
    }

    /// Applies the row to `draft`.
    ///
    /// Fails if the argument is not what the row allows or the row is [`Status::Unsupported`].
    pub fn apply(&self, draft: &mut D, typed: &Typed<'_>) -> Result<()> {
        let Typed { option, off, argument, joined } = *typed;
        if self.status == Status::Unsupported && !off {
            return Err(Error(format!("{option} is not supported yet")));
        }
        let text = argument.unwrap_or_default();
        let value = Value { option, text, joined, meta: self.meta };
        match self.effect {
            Effect::Nothing => {}
            Effect::Flag(set) => set(draft),
            Effect::Switch(set) => set(draft, !off),
            Effect::Path(set) => set(draft, value.path()),
            Effect::Text(set) => set(draft, value.text()?.to_owned()),
            Effect::Number(set) => set(draft, value.number()?),
            Effect::Address(set) => set(draft, value.address()?),
            Effect::Choice(set) => set(draft, value.choice()?),
            Effect::Value(set) => set(draft, &value)?,
            Effect::Maybe(set) => set(draft, argument.map(|_| &value))?,
        }
        Ok(())
    }
}

/// An option as typed on a command line.
#[derive(Clone, Copy)]
pub struct Typed<'a> {
    /// The option without argument, dashes included.
    pub option: &'a str,
    /// It is a negated spelling, one of [`Row::off`].
    pub off: bool,
    /// The argument; `None` without.
    pub argument: Option<&'a OsStr>,
    /// The argument is in the same word as the option.
    pub joined: bool,
}

/// The argument of an option, with what error messages need.
pub struct Value<'a> {
    /// The option as typed, dashes included.
    pub option: &'a str,
    /// The argument's text.
    pub text: &'a OsStr,
    /// The argument was in the same word: [`Typed::joined`].
    pub joined: bool,
    /// What the argument must be: [`Row::meta`].
    pub meta: &'static str,
}

impl<'a> Value<'a> {
    /// A single-letter option and its argument as they were typed: `-zfoo` or `-z foo`.
    pub fn as_typed(&self) -> String {
        let blank = if self.joined { "" } else { " " };
        format!("{}{blank}{}", self.option, self.text.display())
    }

    /// As a path.
    pub fn path(&self) -> PathBuf {
        PathBuf::from(self.text)
    }

    /// As text; fails if it is not UTF-8.
    pub fn text(&self) -> Result<&'a str> {
        self.text.to_str().ok_or_else(|| self.bad("UTF-8 text"))
    }

    /// As an unsigned number: decimal, `0x` hexadecimal or `0` octal, with an optional `K`, `M` or
    /// `G` suffix (times 1024, as in GNU linker scripts).
    pub fn number(&self) -> Result<u64> {
        parse_number(self.text()?).ok_or_else(|| self.bad("a number"))
    }

    /// As a number that fits in 32 bits.
    pub fn number32(&self) -> Result<u32> {
        u32::try_from(self.number()?).map_err(|_| self.bad("a number below 4294967296"))
    }

    /// As a count of entries that the output has room for.
    pub fn count(&self) -> Result<u32> {
        match self.number32()? {
            count if count < 1 << 16 => Ok(count),
            _ => Err(self.bad("a number below 65536")),
        }
    }

    /// As an address: hexadecimal with or without `0x`, as GNU ld reads `-Ttext`.
    pub fn address(&self) -> Result<u64> {
        parse_address(self.text()?).ok_or_else(|| self.bad("a hexadecimal address"))
    }

    /// As a power of two.
    pub fn power_of_two(&self) -> Result<u64> {
        let number = self.number()?;
        if number.is_power_of_two() { Ok(number) } else { Err(self.bad("a power of 2")) }
    }

    /// As one of the words that the row lists.
    pub fn choice(&self) -> Result<&'a str> {
        let allowed = || self.bad(&list_choices(self.meta));
        let word = self.text.to_str().ok_or_else(allowed)?;
        if self.meta.split('|').any(|choice| choice == word) { Ok(word) } else { Err(allowed()) }
    }

    /// As `NAME=REST`, both not empty.
    pub fn pair(&self) -> Result<(&'a str, &'a str)> {
        match self.text()?.split_once('=') {
            Some((name, rest)) if !name.is_empty() && !rest.is_empty() => Ok((name, rest)),
            _ => Err(self.bad(self.meta)),
        }
    }

    /// The error for this value, saying what is allowed.
    pub fn bad(&self, allowed: &str) -> Error {
        let Value { option, text, .. } = self;
        Error(format!("{option}: bad value '{}': expected {allowed}", text.display()))
    }
}

/// `none|safe|all` as prose: `none, safe or all`.
fn list_choices(meta: &str) -> String {
    match meta.rsplit_once('|') {
        Some((head, last)) => format!("{} or {last}", head.replace('|', ", ")),
        None => meta.to_owned(),
    }
}

/// A number in the notation of C with an optional `K`, `M` or `G`; `None` if it is not one or does
/// not fit.
pub fn parse_number(text: &str) -> Option<u64> {
    let (digits, factor) = match text.as_bytes().last()? {
        b'K' | b'k' => (&text[..text.len() - 1], 1 << 10),
        b'M' | b'm' => (&text[..text.len() - 1], 1 << 20),
        b'G' | b'g' => (&text[..text.len() - 1], 1 << 30),
        _ => (text, 1),
    };
    let (digits, radix) = match digits.strip_prefix("0x").or(digits.strip_prefix("0X")) {
        Some(hex) => (hex, 16),
        None if digits.len() > 1 && digits.starts_with('0') => (&digits[1..], 8),
        None => (digits, 10),
    };
    parse_digits(digits, radix)?.checked_mul(factor)
}

/// A hexadecimal number with or without `0x`.
pub fn parse_address(text: &str) -> Option<u64> {
    parse_digits(text.strip_prefix("0x").or(text.strip_prefix("0X")).unwrap_or(text), 16)
}

/// `from_str_radix`, without accepting a leading `+`.
fn parse_digits(digits: &str, radix: u32) -> Option<u64> {
    if digits.starts_with('+') { None } else { u64::from_str_radix(digits, radix).ok() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_every_notation() {
        let cases = [
            ("0", Some(0)),
            ("4096", Some(4096)),
            ("0x1000", Some(4096)),
            ("0X10", Some(16)),
            ("010", Some(8)),
            ("4K", Some(4096)),
            ("2M", Some(2 << 20)),
            ("0x1k", Some(1024)),
            ("1G", Some(1 << 30)),
            ("18446744073709551615", Some(u64::MAX)),
            ("18446744073709551616", None),
            ("18446744073709551615K", None),
            ("", None),
            ("K", None),
            ("0x", None),
            ("-1", None),
            ("+1", None),
            ("1 ", None),
            ("12ab", None),
        ];
        for (text, expected) in cases {
            assert_eq!(parse_number(text), expected, "{text:?}");
        }
    }

    #[test]
    fn addresses_are_hexadecimal() {
        assert_eq!(parse_address("400000"), Some(0x400000));
        assert_eq!(parse_address("0x400000"), Some(0x400000));
        assert_eq!(parse_address("ffffffffffffffff"), Some(u64::MAX));
        assert_eq!(parse_address("4M"), None);
        assert_eq!(parse_address(""), None);
    }

    #[test]
    fn a_bad_choice_names_option_value_and_choices() {
        let text = "some".as_ref();
        let value = Value { option: "--icf", text, joined: true, meta: "none|safe|all" };
        let error = value.choice().unwrap_err().0;
        assert_eq!(error, "--icf: bad value 'some': expected none, safe or all");
    }
}
