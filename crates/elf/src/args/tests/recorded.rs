//! `testdata/recorded/`: recorded command lines of compiler drivers and build systems, and the
//! options that each sets.
//!
//! After `[TITLE]` come the words, and after `=>` every field of the options that differs from an
//! empty command line, one on each line, with the inputs last. An input is followed by its
//! positional flags.

use super::super::options::{Input, InputName, Options};
use super::parse;

const RECORDED: [(&str, &str, usize); 6] = [
    ("clang", include_str!("../testdata/recorded/clang.txt"), 11),
    ("cmake", include_str!("../testdata/recorded/cmake.txt"), 14),
    ("gcc", include_str!("../testdata/recorded/gcc.txt"), 16),
    ("go", include_str!("../testdata/recorded/go.txt"), 7),
    ("lld", include_str!("../testdata/recorded/lld.txt"), 6),
    ("rustc", include_str!("../testdata/recorded/rustc.txt"), 7),
];

/// A command line and the options that it sets.
struct Record<'a> {
    title: &'a str,
    words: Vec<&'a str>,
    settings: Vec<&'a str>,
}

fn records(text: &str) -> Vec<Record<'_>> {
    let mut records: Vec<Record<'_>> = Vec::new();
    let mut is_settings = false;
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        if let Some(title) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
            records.push(Record { title, words: Vec::new(), settings: Vec::new() });
            is_settings = false;
            continue;
        }
        let record = records.last_mut().expect("a title comes first");
        if line == "=>" {
            is_settings = true;
        } else if is_settings {
            record.settings.push(line);
        } else {
            record.words.extend(line.split(' '));
        }
    }
    records
}

/// The fields of structures that are shown over several lines, each as `a.b = value`.
fn fields(shown: &str) -> Vec<String> {
    let mut fields = Vec::new();
    let mut path: Vec<&str> = Vec::new();
    let mut lines = shown.lines().skip(1);
    while let Some(line) = lines.next() {
        let indent = line.len() - line.trim_start().len();
        let Some((name, value)) = line.trim().split_once(": ") else {
            path.pop();
            continue;
        };
        if value.ends_with('{') {
            path.push(name);
            continue;
        }
        let mut value = value.to_owned();
        if value.ends_with(['[', '(']) {
            for line in lines.by_ref() {
                value.push_str(line.trim());
                if line.len() - line.trim_start().len() == indent {
                    break;
                }
                value.push(' ');
            }
        }
        let name = [&path[..], &[name]].concat().join(".");
        fields.push(format!("{name} = {}", value.trim_end_matches(',')));
    }
    fields
}

fn input(input: &Input) -> String {
    let flags = [
        (input.as_needed, "as-needed"),
        (input.whole_archive, "whole-archive"),
        (input.search_static, "static"),
        (input.lazy, "lazy"),
        (input.binary, "binary"),
        (input.just_symbols, "just-symbols"),
    ];
    let mut text = match &input.what {
        InputName::Path(path) => path.display().to_string(),
        InputName::Library(name) => format!("-l{name}"),
    };
    for (_, flag) in flags.iter().filter(|(is_set, _)| *is_set) {
        text.push(' ');
        text.push_str(flag);
    }
    text
}

/// The fields that differ from those of an empty command line.
fn settings(mut options: Options) -> Vec<String> {
    let mut default = parse(&["-v", "default.o"]).unwrap().options;
    let inputs: Vec<String> = options.inputs.iter().map(input).collect();
    for options in [&mut options, &mut default] {
        options.inputs.clear();
        // The field `output` shows this.
        options.output_is_given = false;
        // These are the words themselves.
        options.reports.words.clear();
        // The field `library_paths` shows the directories, and there is only one machine.
        (options.machine_from, options.machine_words) = Default::default();
    }
    let default = fields(&format!("{default:#?}"));
    let mut settings = fields(&format!("{options:#?}"));
    settings.retain(|field| !default.contains(field));
    settings.extend(inputs);
    settings
}

#[test]
fn recorded_command_lines_set_what_they_say() {
    for (name, text, count) in RECORDED {
        let records = records(text);
        assert_eq!(records.len(), count, "{name}");
        for record in records {
            let what = format!("{name}: {}", record.title);
            let parsed = parse(&record.words).unwrap_or_else(|error| panic!("{what}: {error}"));
            assert_eq!(parsed.warnings, [] as [&str; 0], "{what}");
            let settings = settings(parsed.options);
            assert_eq!(settings, record.settings, "{what}");
        }
    }
}

/// GHC requires this of any linker that calls itself GNU ld.
#[test]
fn ghc() {
    let parsed = parse(&["--hash-size=31", "--reduce-memory-overheads", "--no-as-needed", "a.o"]);
    assert_eq!(settings(parsed.unwrap().options), ["a.o"]);
}
