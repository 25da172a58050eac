//! `--help`, `--version` and other questions about the linker itself.
//!
//! # The version line
//! Build systems read this line, and look for:
//!
//! | reader | looks for |
//! |---|---|
//! | libtool, autoconf (`LT_PATH_LD`) | `GNU` in `-v`; after cutting `(…) `, no ` 0.`, ` 1.`, ` 2.[0-9].`, or it gives up on version scripts |
//! | Linux `scripts/ld-version.sh` | first words `GNU ld`, version in the last word, at least 2.30 |
//! | GHC (`getLinkerInfo`) | a line that begins with `GNU ld` |
//! | meson (`guess_nix_linker`) | `GNU`, and none of `LLD`, `gold`, `mold` |
//! | GCC's and glibc's `configure` | `GNU ld` and a version after the last blank |
//! | CMake, FreeBSD's `bsd.linker.mk` | `GNU ld` at the front |
//!
//! Hence the line begins with `GNU ld`. The true name and version are in the brackets, where
//! distributions put theirs. They are joined by `-`, because an old libtool does not cut brackets
//! and would see ` 0.`. At the end is the version of GNU ld whose options are understood.
//!
//! # The help text
//! Scripts read it, too:
//!
//! | reader | looks for |
//! |---|---|
//! | old libtool | `: supported targets:.* elf` |
//! | autoconf macros | `supported emulations` |
//! | GCC's and glibc's `configure`, and many others | single options: `-Bsymbolic`, `-z relro`, `--compress-debug-sections.*zstd` in one line |
//! | GNU ld's own tests | `-plugin PLUGIN`, without which nothing with a plugin is tested |
//! | the same | words of `-z` below a line that begins with the emulation's name |
//!
//! Hence each spelling has its argument behind it, named as GNU ld names it, and the words of `-z`
//! come last.

use super::draft::Draft;
use super::rows::{KEYWORDS, MACHINE_KEYWORDS, THEMES};
use super::settle::Environment;
use crate::args::rows::Row;
use crate::machine::{EMULATIONS, MACHINES};
use skald_linking::option_row::{Form, Status};
use std::ffi::OsStr;

pub mod completion;
mod manual;
pub mod setup;

/// The first line of `--version` and `-v`.
pub const VERSION: &str = concat!("GNU ld (skald-", env!("CARGO_PKG_VERSION"), ") 2.44");

/// The linker's version string in `.comment`, by which tools tell what made a program.
pub const STAMP: &str = concat!("Linker: skald ", env!("CARGO_PKG_VERSION"));

/// The second line of `--version`.
const NAME: &str = concat!("skald ", env!("CARGO_PKG_VERSION"), " (compatible with GNU ld)");

/// Column in which help texts start.
const COLUMN: usize = 32;

/// BFD names of the formats that can be made.
fn formats() -> String {
    MACHINES.iter().map(|machine| machine.format).collect::<Vec<_>>().join(" ")
}

/// The answers to the questions of the command line, whose first word is `called`; empty if there
/// were none.
pub fn answer(draft: &Draft, called: &OsStr, environment: Environment<'_>) -> String {
    let asked = &draft.questions;
    let mut text = String::new();
    if asked.help {
        return help(&super::program_name(called));
    }
    if asked.manual {
        return manual::page();
    }
    if let Some(shell) = &asked.completion {
        return completion::script(shell);
    }
    if let Some(build) = &asked.setup {
        return setup::text(build, called, environment);
    }
    if asked.version_only {
        return format!("{VERSION}\n{NAME}\n");
    }
    if asked.target_help {
        return target_help();
    }
    if asked.sysroot {
        // As in GNU ld, nothing is printed without a sysroot.
        return draft
            .options
            .sysroot
            .as_ref()
            .map_or_else(String::new, |dir| format!("{}\n", dir.display()));
    }
    if asked.version {
        text += VERSION;
        text.push('\n');
    }
    if asked.emulations {
        text += "  Supported emulations:\n";
        for emulation in EMULATIONS.split('|') {
            text += &format!("   {emulation}\n");
        }
    }
    if asked.output_format {
        text += &format!("{}\n", draft.options.machine.format);
    }
    text
}

fn help(program: &str) -> String {
    let mut text = format!(
        "Usage: {program} [options] file...\n       \
         {program} -run command...      run a build with this linker in the place of any \
         other\n       \
         {program} --verify output...   read outputs back and tell what is wrong with them\n"
    );
    for theme in THEMES {
        text += &format!("\n{}:\n", theme.title);
        theme.rows.iter().for_each(|row| describe(&mut text, row, ""));
    }
    text += "\n  @FILE                         Read options from FILE\n\n";
    text += &format!("{program}: supported targets: {}\n", formats());
    text += &format!("{program}: supported emulations: {}\n", EMULATIONS.replace('|', " "));
    text += &format!("{program}: emulation specific options:\n");
    text + &target_help()
}

/// The words of `-z`: those of all machines, and, below a line that begins with an emulation's
/// name, those that not every machine has. GNU ld's own tests look there for words to test.
fn target_help() -> String {
    let mut text = "ELF emulations:\n".to_owned();
    KEYWORDS.iter().for_each(|row| describe(&mut text, row, "-z "));
    for machine in MACHINES {
        text += &format!("{}: \n", machine.emulation);
        let rows = MACHINE_KEYWORDS.iter().filter(|row| !machine.lacks_keyword(row.names[0]));
        rows.for_each(|row| describe(&mut text, row, "-z "));
    }
    text
}

/// One option: `  -a ARG, --aaa ARG    help`, followed by negations.
fn describe(text: &mut String, row: &Row, prefix: &str) {
    let suffix = argument(row, !prefix.is_empty());
    let mut names = spellings(row.names, prefix, &suffix);
    if !row.off.is_empty() {
        names = format!("{names}, {}", spellings(row.off, prefix, ""));
    }
    let note = match row.status {
        Status::Unsupported => " (not supported yet)",
        Status::Lto => " (for link-time optimization)",
        _ => "",
    };
    if names.len() + 2 < COLUMN {
        *text += &format!("  {names:width$}{}{note}\n", row.help, width = COLUMN - 2);
    } else {
        *text += &format!("  {names}\n{:COLUMN$}{}{note}\n", "", row.help);
    }
}

/// All spellings on one line, each followed by the argument, as in GNU ld's help.
fn spellings(names: &[&str], prefix: &str, argument: &str) -> String {
    let names: Vec<_> = names.iter().map(|name| format!("{prefix}{name}{argument}")).collect();
    names.join(", ")
}

/// The argument as the help text shows it.
fn argument(row: &Row, keyword: bool) -> String {
    match row.form {
        Form::None => String::new(),
        Form::Required if keyword => format!("={}", row.meta),
        Form::Required => format!(" {}", row.meta),
        Form::Optional | Form::GlobNumber => format!("[={}]", row.meta),
        Form::Joined | Form::Level => row.meta.to_owned(),
    }
}
