//! The texts that build systems look for in `-v`, `--version` and `--help`.

use super::super::help::VERSION;
use super::parse;
use crate::args::rows::{MACHINE_KEYWORDS, Row, THEMES, gnu_names};
use crate::machine::MACHINES;

fn print(word: &str) -> String {
    parse(&[word]).unwrap().print
}

/// `scripts/ld-version.sh` of Linux: the kind of linker, and its version as one number.
fn kernel(first_line: &str) -> (&'static str, u32) {
    let words: Vec<_> = first_line.split(' ').collect();
    assert_eq!(words[..2], ["GNU", "ld"]);
    let version = words.last().unwrap();
    let end = version.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(version.len());
    let mut fields = version[..end].split('.').map(|field| field.parse::<u32>().unwrap());
    let mut field = || fields.next().unwrap_or(0);
    ("BFD", 10000 * field() + 100 * field() + field())
}

/// libtool's `supports_anon_versioning`: yes for `*GNU\ gold*`; no for ` 0.` and ` 1.` anywhere,
/// and for ` 2.` with one digit.
fn libtool_has_versions(line: &str) -> bool {
    let bytes = line.as_bytes();
    let old = |w: &[u8]| w[0] == b' ' && matches!(w[1], b'0' | b'1') && w[2] == b'.';
    let early = |w: &[u8]| w.starts_with(b" 2.") && w[3].is_ascii_digit() && w[4] == b'.';
    !bytes.windows(3).any(old) && !bytes.windows(5).any(early)
}

#[test]
fn the_version_line_is_read_by_build_systems() {
    for word in ["-v", "-V", "--version", "-version", "--verbose"] {
        let text = print(word);
        let line = text.lines().next().unwrap();
        assert_eq!(line, VERSION, "{word}");
        assert!(kernel(line) >= ("BFD", 23000));
        // libtool with and without cutting the brackets, because its releases differ.
        assert!(line.contains("GNU") && libtool_has_versions(line));
        let (head, tail) = (line.find('(').unwrap(), line.find(") ").unwrap());
        assert!(libtool_has_versions(&format!("{}{}", &line[..head], &line[tail + 2..])));
        // GHC.
        assert!(line.starts_with("GNU ld"));
        // autoconf's and libtool's `with_gnu_ld`: `*GNU* | *'with BFD'*`.
        assert!(text.contains("GNU"));
        // Go looks for `GNU gold` in the output of `gcc -Wl,--version`.
        assert!(!text.contains("GNU gold"));
        // GCC's configure: the word behind the last blank is a version.
        let version = line.rsplit(' ').next().unwrap();
        assert!(version.split('.').all(|field| field.parse::<u32>().is_ok()), "{version}");
        assert!(line.contains(concat!("skald-", env!("CARGO_PKG_VERSION"))));
        // meson: the first line contains neither `LLD` nor `ld64`, but `GNU`, and after that none
        // of these names.
        for name in ["LLD", "lld", "gold", "mold", "wild"] {
            assert!(!text.contains(name), "{word} says {name}");
        }
    }
}

#[test]
fn the_table_of_linkers_rejects_what_it_should() {
    assert!(!libtool_has_versions("skald 0.1.0 (compatible with GNU ld)"));
    assert!(!libtool_has_versions("GNU ld version 2.9.1"));
    assert!(libtool_has_versions("GNU ld 2.40"));
}

#[test]
fn upper_case_v_lists_emulations() {
    assert!(print("-V").contains("\n  Supported emulations:\n   elf_x86_64\n"));
    assert!(!print("-v").contains("emulations"));
}

#[test]
fn lower_case_v_links_on_if_there_are_inputs() {
    let parsed = parse(&["-v", "a.o"]).unwrap();
    assert!(!parsed.stop && parsed.print.starts_with("GNU ld"));
    assert!(parse(&["-v"]).unwrap().stop);
    // `--version` ends the command line at once.
    assert!(parse(&["--version", "a.o", "--no-such-option"]).unwrap().stop);
    assert!(!parse(&[] as &[&str]).unwrap().stop);
}

#[test]
fn help_is_grepped_by_configure_scripts() {
    let help = print("--help");
    assert!(help.starts_with("Usage: ld [options]"));
    let line = |text: &str| help.lines().find(|line| line.contains(text)).unwrap();
    // libtool: `': supported targets:.* elf'`.
    assert!(line(": supported targets:").contains(" elf64-x86-64"));
    assert!(line(": supported emulations:").contains(" elf_x86_64"));
    for option in [
        "-Bsymbolic",
        "-z relro",
        "-z now",
        "-z defs",
        "-z muldefs",
        "-z initfirst",
        "-z nopack-relative-relocs",
        // GNU ld's own tests: without this nothing with a plugin is tested.
        "-plugin PLUGIN",
        "-h FILENAME",
        "-u SYMBOL, --undefined SYMBOL",
        "@FILE",
    ] {
        assert!(help.contains(option), "{option}");
    }
    // GCC's configure: `--compress-debug-sections.*\<zstd\>` in one line.
    assert!(line("--compress-debug-sections").contains("zstd"));
}

/// Scripts look for single options, as GNU ld spells them.
#[test]
fn help_has_every_option_of_gnu_ld() {
    let help = print("--help");
    let is_end = |c: char| !c.is_ascii_alphanumeric() && c != '-' && c != '_';
    for name in gnu_names::LONG.iter().chain(gnu_names::TWO_DASHES) {
        let spelled = |dashes: &str| {
            let word = format!(" {dashes}{name}");
            help.match_indices(&word).any(|(at, _)| help[at + word.len()..].starts_with(is_end))
        };
        assert!(spelled("-") || spelled("--"), "{name}");
    }
}

/// GNU ld's own tests cut the `-z` words of its emulation out of the text: `sed -e
/// '1,/^elf_x86_64:/d;/^[^ ]*:/,$d'`.
#[test]
fn help_has_a_block_for_the_emulation() {
    let help = print("--help");
    let begins = |line: &&str| line.starts_with("elf_x86_64:");
    let block: Vec<_> = help.lines().skip_while(|line| !begins(line)).skip(1).collect();
    let is_heading = |line: &str| line.split(' ').next().is_some_and(|word| word.contains(':'));
    let end = block.iter().position(|line| is_heading(line)).unwrap_or(block.len());
    let block = block[..end].join("\n");
    let machine = MACHINES[0];
    for row in MACHINE_KEYWORDS.iter().filter(|row| !machine.lacks_keyword(row.names[0])) {
        for name in row.spellings() {
            assert!(block.contains(&format!("-z {name}")), "{name}");
        }
    }
    assert!(block.contains("-z dynamic-undefined-weak"), "{block}");
    let before = &help[..help.find("\nelf_x86_64:").unwrap()];
    assert!(before.contains("emulation specific options:\nELF emulations:\n"));
    assert!(before.contains("\n  -z separate-code"));
}

#[test]
fn other_questions() {
    assert_eq!(parse(&["--sysroot=/s", "--print-sysroot"]).unwrap().print, "/s\n");
    let none = parse(&["--print-sysroot"]).unwrap();
    assert!(none.stop && none.print.is_empty());
    assert_eq!(print("--print-output-format"), "elf64-x86-64\n");
    let of_machine = parse(&["-maarch64linuxb", "--print-output-format"]).unwrap();
    assert_eq!(of_machine.print, "elf64-bigaarch64\n");
    assert!(print("--target-help").contains("-z separate-code"));
}

#[test]
fn the_manual_has_every_spelling_and_only_man_macros() {
    let manual = print("--print-manual");
    for spelling in THEMES.iter().flat_map(|theme| theme.rows).flat_map(Row::spellings) {
        assert!(manual.contains(&spelling.replace('-', "\\-")), "{spelling}");
    }
    let macros = [
        ".TH ", ".SH ", ".SS ", ".PP", ".TP", ".B ", ".BI ", ".BR ", ".RI ", ".IR ", ".br", ".ad ",
    ];
    for line in manual.lines().filter(|line| line.starts_with(['.', '\''])) {
        assert!(macros.iter().any(|name| line.starts_with(name)), "{line}");
    }
}

#[test]
fn completions_have_every_spelling() {
    for shell in ["bash", "zsh", "fish"] {
        let script = print(&format!("--print-completion={shell}"));
        for spelling in THEMES.iter().flat_map(|theme| theme.rows).flat_map(Row::spellings) {
            assert!(script.contains(spelling.trim_start_matches('-')), "{shell} {spelling}");
        }
        assert!(script.contains("nocombreloc"), "{shell}");
    }
    let unknown = parse(&["--print-completion=tcsh"]).unwrap_err().0;
    assert!(unknown.contains("bash, zsh or fish"), "{unknown}");
}
