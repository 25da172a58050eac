//! Every row, in every spelling and argument form: the option must be accepted, reject arguments
//! that it does not allow, and not swallow the input that follows.

use std::path::Path;

use super::super::options::InputName;
use super::super::rows::{THEMES, keywords};
use super::{error, parse};
use crate::args::rows::Row;
use crate::machine::{EMULATIONS, MACHINES, Machine};
use skald_linking::option_row::{Effect, Form, Status};

const PROBE: &str = "probe.o";

fn rows() -> impl Iterator<Item = &'static Row> {
    THEMES.iter().flat_map(|theme| theme.rows)
}

/// The ways to type a name: long names may have one dash, too, unless they begin with `o`.
fn typed(name: &str) -> Vec<String> {
    let bare = name.trim_start_matches('-');
    match bare.len() {
        1 => vec![format!("-{bare}")],
        _ if bare.starts_with('o') => vec![format!("--{bare}")],
        _ => vec![format!("-{bare}"), format!("--{bare}")],
    }
}

/// Arguments that the row must accept.
fn samples(row: &Row) -> Vec<String> {
    let one = |text: &str| vec![text.to_owned()];
    match row.meta {
        "COUNT" | "NUMBER" | "LEVEL" | "SEED" | "SECONDS" | "MICROSECONDS" => one("3"),
        "SIZE" => vec!["0x1000".to_owned(), "4096".to_owned()],
        // Multiples of the page size, in hexadecimal and decimal.
        "ADDRESS" => vec!["0x1000".to_owned(), "4096000".to_owned()],
        "SIZE|PERCENT%|none" => ["800M", "0x10000000", "75%", "none"].map(str::to_owned).into(),
        "BYTE" => one("cc"),
        "STYLE" => one("gnu-v3"),
        "JSON" => one("{}"),
        "SECTION=ADDRESS" => one(".foo=0x1000"),
        "SECTION=SIZE" => one(".foo=64"),
        "SYMBOL=EXPRESSION" => one("a=b+1"),
        "GLOB=FILE" => one("a*=b"),
        "GLOB=VALUE" => one(".debug_*=0"),
        "[GLOB=]SEED" => vec![".text*=1".to_owned(), "7".to_owned(), "*=-1".to_owned()],
        "WORD" if row.names == ["-z"] => one("now"),
        EMULATIONS => EMULATIONS.split('|').map(str::to_owned).collect(),
        "none|zlib[:LEVEL]|zstd[:LEVEL]|zlib-gnu" => {
            ["none", "zlib", "zlib:9", "zlib-gabi", "zstd", "zstd:22", "zlib-gnu"]
                .map(str::to_owned)
                .into()
        }
        "GLOB=none|zlib[:LEVEL]|zstd[:LEVEL]" => one(".debug_*=zstd:3"),
        "none|fast|md5|sha1|tree|sha256|uuid|0xHEX" => {
            ["none", "fast", "md5", "sha1", "tree", "sha256", "uuid", "0xdeadbeef"]
                .map(str::to_owned)
                .into()
        }
        "prefix-addr|prefix-nop|suffix-nop|prefix-BYTE|suffix-BYTE" => {
            ["prefix-addr", "prefix-nop", "suffix-nop", "prefix-0x67", "suffix-144"]
                .map(str::to_owned)
                .into()
        }
        meta if meta.contains('|') => meta.split('|').map(str::to_owned).collect(),
        _ => one("argument"),
    }
}

/// Parses `words` followed by a file's name, which must become an input and not an argument.
fn must_leave_probe(row: &Row, words: &[String]) {
    let mut line: Vec<String> = Vec::new();
    match row.names {
        ["--pop-state"] => line.push("--push-state".to_owned()),
        ["--end-group", ..] => line.push("--start-group".to_owned()),
        ["--end-lib"] => line.push("--start-lib".to_owned()),
        ["--bp-startup-sort"] => line.push("--irpgo-profile=profile".to_owned()),
        ["--android-memtag-heap"] | ["--android-memtag-stack"] => {
            line.push("--android-memtag-mode=sync".to_owned());
        }
        ["-f", ..] | ["-F", ..] | ["--no-define-common"] => line.push("-shared".to_owned()),
        _ => {}
    }
    let lacks = |machine: &&Machine| machine.lacks_keyword(row.names[0]);
    if MACHINES.iter().any(lacks) {
        let has = MACHINES.iter().find(|machine| !lacks(machine)).expect("one of them has it");
        line.push(format!("-m{}", has.emulation));
    }
    line.extend_from_slice(words);
    line.push(PROBE.to_owned());
    let on = row.names.iter().any(|name| typed(name).iter().any(|name| words[0] == *name));
    match parse(&line) {
        Ok(parsed) if parsed.stop => assert!(!parsed.print.is_empty() || on, "{line:?}"),
        Ok(parsed) => {
            assert!(parsed.warnings.is_empty(), "{line:?}: {:?}", parsed.warnings);
            let is_probe = |what: &InputName| *what == InputName::Path(Path::new(PROBE).into());
            let probes = parsed.options.inputs.iter().filter(|input| is_probe(&input.what));
            assert_eq!(probes.count(), 1, "{line:?} took the input");
        }
        Err(error) if row.status == Status::Unsupported && on => {
            assert!(error.0.ends_with("not supported yet"), "{line:?}: {error}");
        }
        Err(error) => panic!("{line:?}: {error}"),
    }
}

#[test]
fn no_row_takes_an_input_by_mistake() {
    for row in rows() {
        for name in row.spellings().flat_map(typed) {
            let joined = |sample: &str| match name.trim_start_matches('-').len() {
                1 => format!("{name}{sample}"),
                _ => format!("{name}={sample}"),
            };
            match row.form {
                Form::None => must_leave_probe(row, std::slice::from_ref(&name)),
                Form::Optional => must_leave_probe(row, std::slice::from_ref(&name)),
                Form::Level => {
                    must_leave_probe(row, std::slice::from_ref(&name));
                    must_leave_probe(row, &[name.clone(), "2".to_owned()]);
                }
                Form::GlobNumber => {
                    must_leave_probe(row, std::slice::from_ref(&name));
                    must_leave_probe(row, &[name.clone(), "a*=2".to_owned()]);
                }
                Form::Required | Form::Joined => {}
            }
            for sample in samples(row) {
                match row.form {
                    Form::None => {}
                    Form::Joined => must_leave_probe(row, &[format!("{name}{sample}")]),
                    Form::Required => {
                        must_leave_probe(row, &[joined(&sample)]);
                        must_leave_probe(row, &[name.clone(), sample]);
                    }
                    Form::Optional | Form::Level | Form::GlobNumber => {
                        must_leave_probe(row, &[joined(&sample)]);
                    }
                }
            }
        }
    }
}

#[test]
fn every_keyword_in_both_spellings() {
    for row in keywords() {
        for name in row.spellings() {
            let words = match row.form {
                Form::None => vec![name.to_owned()],
                _ => samples(row).iter().map(|sample| format!("{name}={sample}")).collect(),
            };
            for word in words {
                must_leave_probe(row, &["-z".to_owned(), word.clone()]);
                must_leave_probe(row, &[format!("-z{word}")]);
            }
            match row.form {
                Form::None => assert!(error(&format!("-z {name}=1")).contains("takes no value")),
                _ => assert!(error(&format!("-z {name}")).contains("missing argument")),
            }
        }
    }
}

#[test]
fn a_missing_argument_is_an_error() {
    for row in rows().filter(|row| row.form == Form::Required) {
        for name in row.spellings().flat_map(typed) {
            let error = error(&name);
            let expected = ["missing argument", "expected posix or windows"];
            assert!(expected.iter().any(|text| error.contains(text)), "{error}");
            assert!(error.contains(name.trim_start_matches('-')), "{error}");
        }
    }
}

#[test]
fn a_flag_takes_no_value() {
    for row in rows().filter(|row| row.form == Form::None) {
        for name in row.spellings().flat_map(typed).filter(|name| name.len() > 2) {
            let error = error(&format!("{name}=x"));
            assert_eq!(error, format!("{name} takes no value"));
        }
    }
}

#[test]
fn a_bad_value_is_an_error_that_says_what_is_allowed() {
    let checked = |row: &&Row| {
        matches!(row.effect, Effect::Choice(_) | Effect::Number(_) | Effect::Address(_))
    };
    let mut count = 0;
    for row in rows().filter(checked) {
        let name = row.names[0];
        let error = error(&format!("{name} no-such-thing"));
        assert!(error.contains(name) && error.contains("'no-such-thing'"), "{error}");
        assert!(error.contains("expected "), "{error}");
        count += 1;
    }
    for row in keywords().filter(|row| row.form == Form::Required) {
        let error = error(&format!("-z {}=no-such-thing", row.names[0]));
        assert!(error.contains(row.names[0]) && error.contains("expected "), "{error}");
        count += 1;
    }
    assert!(count > 30);
}

#[test]
fn no_spelling_stands_twice() {
    for names in [
        rows().flat_map(Row::spellings).collect::<Vec<_>>(),
        keywords().flat_map(Row::spellings).collect(),
    ] {
        let mut bare: Vec<_> = names.iter().map(|name| name.trim_start_matches('-')).collect();
        let count = bare.len();
        bare.sort_unstable();
        bare.dedup();
        assert_eq!(bare.len(), count);
    }
}

#[test]
fn every_row_has_help_and_a_placeholder_for_its_argument() {
    for row in rows().chain(keywords()) {
        assert!(!row.help.is_empty(), "{:?}", row.names);
        assert_eq!(row.meta.is_empty(), row.form == Form::None, "{:?}", row.names);
    }
}

proptest::proptest! {
    /// Any words lead to a result or an error, and never to a panic.
    #[test]
    fn any_words_are_read(words in proptest::collection::vec(
        "(-{0,3}(z|O|o|l|T|R|lto-O|build-id|package-metadata|shuffle-sections|[a-z]{1,3})?=?[-%:=\\[x0-9a-zKé]{0,6})",
        0..6,
    )) {
        let _ = parse(&words);
    }
}
